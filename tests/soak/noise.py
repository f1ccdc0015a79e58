"""Bad letters of every kind: what machines, strangers, careless people and forgers send to such an address."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from tests.soak.town import ADDRESS
from tests.support.bounces import delivery_report


@dataclass(frozen=True)
class Noise:
    """A letter that is no plain reply. sender: of the envelope, which the mail host vouches for; headers beyond From,
    To, Subject and Message-ID; message_id: "" for none."""

    sender: str
    author: str
    headers: tuple[str, ...]
    body: bytes
    to: str = ADDRESS
    message_id: str | None = None


BOUNCE = delivery_report("gone@example.com").encode()
HTML = b"<html><body><div>status</div><blockquote>&gt; Your move.</blockquote></body></html>"
BOUNDARY = 'Content-Type: multipart/{kind}; boundary="b"'


def nested(depth: int) -> bytes:
    """Return the body of a letter of parts in parts."""
    opened = "".join(f'--b{n}\nContent-Type: multipart/mixed; boundary="b{n + 1}"\n\n' for n in range(depth))
    return f'--b\nContent-Type: multipart/mixed; boundary="b0"\n\n{opened}'.encode()


def kinds(who: str, tag: str, chance: random.Random) -> dict[str, Callable[[], Noise]]:
    """Return the kinds of noise by name. who: a player's address; tag: the reply address of one of his letters."""
    stranger = f"stranger{chance.randrange(10**6)}@example.com"

    def letter(
        *headers: str,
        body: bytes = b"status\n",
        sender: str = who,
        author: str = "",
        to: str = ADDRESS,
        message_id: str | None = None,
    ) -> Callable[[], Noise]:
        return lambda: Noise(sender, author or who, headers, body, to, message_id)

    return {
        "vacation": letter("Auto-Submitted: auto-replied", body=b"I am away until Monday.\n", to=tag),
        "old vacation": letter("Precedence: JUNK", "X-Autoreply: yes", body=b"V-NW2\n", to=tag),
        "bounce": letter(
            "MIME-Version: 1.0",
            BOUNDARY.format(kind="report; report-type=delivery-status"),
            body=BOUNCE,
            sender="",
            author="MAILER-DAEMON@mx.example.com",
        ),
        "odd bounce": letter(body=b"Failed: no such user.\n", sender="", author="postmaster@example.com"),
        "list": letter("List-Id: <players.example.com>", "Precedence: list", body=b"News of the club.\n"),
        "html": letter("MIME-Version: 1.0", "Content-Type: text/html", body=HTML, to=tag),
        "wrong charset": letter(
            "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=uft-8",
            body="Grüße\nstatus\n".encode("latin-1"),
            to=tag,
        ),
        "base64 that is none": letter(
            "MIME-Version: 1.0", "Content-Transfer-Encoding: base64", body=b"V-NW2 ????\n", to=tag
        ),
        "encrypted": letter(
            "MIME-Version: 1.0", BOUNDARY.format(kind="encrypted"), body=b"--b\n\nnothing\n--b--\n", to=tag
        ),
        "deep": letter("MIME-Version: 1.0", BOUNDARY.format(kind="mixed"), body=nested(60), to=tag),
        "many parts": letter(
            "MIME-Version: 1.0", BOUNDARY.format(kind="mixed"), body=b"--b\n\nx\n" * 500 + b"--b--\n"
        ),
        "huge": letter(body=b"There was once a long letter, and no move in it.\n" * 4000, to=tag),
        "empty": letter(body=b"", to=tag),
        "bytes": letter(
            body=bytes(chance.randrange(1, 256) for _ in range(300)).replace(b"\r", b"").replace(b"\n", b"")
            + b"\n"
        ),
        "calendar": letter(
            "MIME-Version: 1.0",
            "Content-Type: text/calendar; method=REPLY",
            body=b"BEGIN:VCALENDAR\nEND:VCALENDAR\n",
        ),
        "reaction": letter(
            "MIME-Version: 1.0",
            "Content-Type: text/vnd.google.email-reaction+json",
            body=b'{"emoji": "+"}\n',
            to=tag,
        ),
        "stranger": letter(body=b"What is this?\n", sender=stranger, author=stranger),
        "forged": letter(body=b"status\n", sender=stranger, to=tag),
        "forged stamp": letter(
            "Authentication-Results: mx.example.org; dmarc=pass header.from=example.net",
            body=b"resign\n",
            sender=stranger,
        ),
        "two authors": letter(body=b"resign\n", author=f"{who}, {stranger}"),
        "no Message-ID": letter(body=b"games\n", message_id=""),
        "odd Message-ID": letter(body=b"games\n", message_id="<[x@y]>"),
        "prose": letter(body=b"Dear Bert,\nwhat a game!\n-- \nAnna\n", to=tag),
        "status": letter(body=b"status\n", to=tag),
        "games and help": letter(body=b"games\nhelp confusion\n"),
        "resend": letter(body=b"resend\n", to=tag),
        "why": letter(body=b"why L\n", to=tag),
        "no such game": letter(body=b"9999: V-NW2\n"),
        "many words": letter(body=b"V-NW2\nstatus\nL-S9\nset sheets list\nnonsense\n", to=tag),
        "wrong tag": letter(body=b"status\n", to=ADDRESS.replace("@", "+abcdefghijklmnopqrst@")),
    }
