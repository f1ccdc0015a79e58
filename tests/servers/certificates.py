"""Certificates for servers of the tests: good ones of an authority made for them, and such as nobody should trust."""

from __future__ import annotations

import ssl
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from tests.servers.launching import find_program

Kind = Literal["good", "expired", "self-signed", "for another host"]


def make_authority(folder: Path) -> None:
    """Make an authority in an empty folder: its certificate is ca.pem there."""
    _run(
        folder,
        "ecparam -name prime256v1 -genkey -noout -out ca.key",
        "req -x509 -new -key ca.key -days 30 -subj /CN=authority-for-tests -out ca.pem"
        " -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign",
    )


def issue(folder: Path, kind: Kind = "good") -> tuple[Path, Path]:
    """Make a certificate for localhost with the extensions that strict checks want; return it and its key.

    folder: that of the authority.
    """
    name = kind.replace(" ", "-")
    host = "elsewhere.example" if kind == "for another host" else "localhost"
    (folder / f"{name}.ext").write_text(
        "basicConstraints=critical,CA:FALSE\n"
        "keyUsage=critical,digitalSignature\n"
        "extendedKeyUsage=serverAuth\n"
        f"subjectAltName=DNS:{host}\n"
        "subjectKeyIdentifier=hash\n"
        "authorityKeyIdentifier=keyid\n"
    )
    signed_by = (
        f"-signkey {name}.key" if kind == "self-signed" else "-CA ca.pem -CAkey ca.key -CAcreateserial"
    )
    days = -1 if kind == "expired" else 30
    _run(
        folder,
        f"ecparam -name prime256v1 -genkey -noout -out {name}.key",
        f"req -new -key {name}.key -subj /CN={host} -out {name}.csr",
        f"x509 -req -in {name}.csr {signed_by} -days {days} -extfile {name}.ext -out {name}.pem",
    )
    return folder / f"{name}.pem", folder / f"{name}.key"


def server_context(folder: Path, kind: Kind) -> ssl.SSLContext:
    """Return what a server needs to show such a certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*issue(folder, kind))
    return context


def _run(folder: Path, *commands: str) -> None:
    openssl = find_program("openssl")
    for command in commands:
        words: Sequence[str | Path] = [openssl, *command.split()]
        subprocess.run(words, cwd=folder, check=True, capture_output=True)
