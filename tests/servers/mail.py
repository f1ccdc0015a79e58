"""Dovecot and Postfix for one run of the tests.

example.org is the service's domain, example.net and example.com are the players'; all three are delivered
here and nothing leaves the machine. Every address exists (its box is made when the first letter comes) and
has the password "secret". What comes in by the MX port is stamped with an Authentication-Results header of
mx.example.org that vouches for the domain of the envelope sender; forged ones of that name are dropped.
Two local parts are special: nobody@ is refused with 550 and later@ with 450. The narrow port is an MX port for letters
of at most NARROW octets. Two ports are for an OpenDKIM beside them (see `dkim`), and take nothing without it: what
comes in by `signing` is signed, what comes in by `checking` gets the Authentication-Results that it finds, no stamp.
"""

from __future__ import annotations

import os
import shutil
import signal
import ssl
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.servers.certificates import issue, make_authority
from tests.servers.launching import ServerAbsent, end, find_program, free_port, greets, wait_for_port
from tests.support.folders import quick_folder
from tests.support.waiting import until

PASSWORD = "secret"
AUTHSERV_ID = "mx.example.org"
DOMAINS = ("example.org", "example.net", "example.com")

DOVECOT = """
base_dir = {folder}/dovecot/run
state_dir = {folder}/dovecot/state
log_path = {folder}/dovecot.log
protocols = imap lmtp
listen = 127.0.0.1
disable_plaintext_auth = no
auth_mechanisms = plain login xoauth2
auth_default_realm = example.org
auth_failure_delay = 0
ssl = yes
ssl_cert = <{folder}/tls/cert.pem
ssl_key = <{folder}/tls/key.pem
first_valid_uid = 1
mail_location = maildir:~/Maildir
mail_fsync = optimized
mailbox_idle_check_interval = 1 secs
recipient_delimiter = +
lmtp_save_to_detail_mailbox = no
mail_max_userip_connections = 500
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid=mail gid=mail home={folder}/mail/%Ld/%Ln allow_all_users=yes
}}
namespace inbox {{
  inbox = yes
  separator = /
}}
service imap-login {{
  process_min_avail = 1
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = {imaps}
    ssl = yes
  }}
}}
service lmtp {{
  process_min_avail = 1
  inet_listener lmtp {{
    port = {lmtp}
  }}
}}
service auth {{
  unix_listener {folder}/dovecot/postfix-auth {{
    mode = 0666
  }}
}}
service anvil {{
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  unix_listener stats-writer {{
    mode = 0666
  }}
}}
!include_try {folder}/dovecot/extra.conf
"""

# Who moves a letter needs no more room than before; who copies it does.
NO_ROOM = """
protocol imap {
  mail_plugins = $mail_plugins quota
  imap_capability = IMAP4rev1 IDLE UIDPLUS NAMESPACE LITERAL+ SASL-IR
}
plugin {
  quota = maildir:User quota
  quota_rule = *:bytes=1
}
"""

POSTFIX_MAIN = """
compatibility_level = 3.6
queue_directory = {folder}/postfix/spool
data_directory = {folder}/postfix/state
maillog_file = {folder}/postfix.log
maillog_file_prefixes = {folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.example.org
mydestination =
alias_maps =
alias_database =
local_recipient_maps =
mynetworks = 127.0.0.0/8
disable_dns_lookups = yes
smtpd_peername_lookup = no
default_transport = error:5.4.4 nothing leaves this machine
relay_transport = error:5.4.4 nothing leaves this machine
virtual_mailbox_domains = {domains}
virtual_mailbox_maps = static:anybody
virtual_transport = lmtp:inet:127.0.0.1:{lmtp}
lmtp_destination_recipient_limit = 1
recipient_delimiter = +
message_size_limit = 52428800
mailbox_size_limit = 0
virtual_mailbox_limit = 0
minimal_backoff_time = 2s
maximal_backoff_time = 5s
queue_run_delay = 2s
smtpd_error_sleep_time = 0
smtpd_soft_error_limit = 1000
smtpd_hard_error_limit = 1000
smtpd_client_connection_count_limit = 0
smtpd_relay_restrictions = reject_unauth_destination
smtpd_recipient_restrictions = check_recipient_access regexp:{folder}/postfix/recipients
smtpd_tls_cert_file = {folder}/tls/cert.pem
smtpd_tls_key_file = {folder}/tls/key.pem
smtpd_tls_security_level = none
smtpd_sasl_type = dovecot
smtpd_sasl_path = {folder}/dovecot/postfix-auth
header_checks = regexp:{folder}/postfix/headers
"""

POSTFIX_MASTER = """
127.0.0.1:{mx} inet n - n - 100 smtpd {stamped}
127.0.0.1:{narrow} inet n - n - 100 smtpd {stamped}
  -o message_size_limit={limit}
127.0.0.1:{signing} inet n - n - 100 smtpd
  -o smtpd_milters=inet:127.0.0.1:{signer}
127.0.0.1:{checking} inet n - n - 100 smtpd
  -o smtpd_milters=inet:127.0.0.1:{checker}
127.0.0.1:{submission} inet n - n - 100 smtpd
  -o smtpd_tls_security_level=encrypt {logged_in}
127.0.0.1:{submissions} inet n - n - 100 smtpd
  -o smtpd_tls_wrappermode=yes -o smtpd_tls_security_level=encrypt {logged_in}
pickup    unix n - n 60 1 pickup
cleanup   unix n - n - 0 cleanup
qmgr      unix n - n 300 1 qmgr
tlsmgr    unix - - n 1000? 1 tlsmgr
rewrite   unix - - n - - trivial-rewrite
bounce    unix - - n - 0 bounce
defer     unix - - n - 0 bounce
trace     unix - - n - 0 bounce
verify    unix - - n - 1 verify
flush     unix n - n 1000? 0 flush
proxymap  unix - - n - - proxymap
proxywrite unix - - n - 1 proxymap
showq     unix n - n - - showq
error     unix - - n - - error
retry     unix - - n - - error
discard   unix - - n - - discard
lmtp      unix - - n - - lmtp
anvil     unix - - n - 1 anvil
postlog   unix-dgram n - n - 1 postlogd
"""
STAMPED = "-o smtpd_sender_restrictions=check_sender_access,regexp:{folder}/postfix/senders"
LOGGED_IN = "-o smtpd_sasl_auth_enable=yes -o smtpd_client_restrictions=permit_sasl_authenticated,reject"

# Prepended headers pass the header rules too, so the stamp travels under another name until then.
POSTFIX_SENDERS = "/@(.*)$/ PREPEND X-Stamp: {authserv_id}; dmarc=pass header.from=$1\n"
POSTFIX_HEADERS = (
    "/^Authentication-Results:[[:space:]]*{pattern}/ IGNORE\n"
    "/^X-Stamp:[[:space:]]*(.*)/ REPLACE Authentication-Results: $1\n"
)
POSTFIX_RECIPIENTS = (
    "/^nobody[@+]/ 550 5.1.1 no such mailbox here\n/^later[@+]/ 450 4.2.0 not now, try again later\n"
)


NARROW = 6_000
"""Octets of the largest letter that the narrow port takes."""

HANDING_OVER = 5.0
"""Seconds in which Postfix has handed over what it is about to, or cannot."""

STARTS = 3
"""So often Postfix is started before it counts as broken. Its master listens even when its log writer does not read,
and then nobody answers."""


class MailServers:
    """Listens on loopback only; its files and letters are gone after `stop`.

    host with the ports imap (STARTTLS offered), imaps, mx and narrow (no TLS, no login), submission (STARTTLS and
    login), submissions (TLS and login), signing and checking, and signer and checker for the OpenDKIM of each.
    fleeting: its files lie in memory where there is room.
    """

    host = "localhost"
    password = PASSWORD
    authserv_id = AUTHSERV_ID

    def __init__(self, *, fleeting: bool = False) -> None:
        self._fleeting = fleeting
        if os.geteuid() != 0:
            raise ServerAbsent("Postfix and Dovecot start as root only")
        self._dovecot = find_program("dovecot")
        self._postfix = find_program("postfix")
        self._master = find_program(
            "master", beside=[Path("/usr/lib/postfix/sbin"), Path("/usr/libexec/postfix")]
        )
        find_program("openssl")
        if not Path("/usr/lib/dovecot/lmtp").exists():
            raise ServerAbsent("Dovecot's lmtp service is not installed")
        version = subprocess.run(
            [self._dovecot, "--version"], capture_output=True, text=True, check=True
        ).stdout
        if not version.startswith("2.3."):
            raise ServerAbsent(f"the settings written here are for Dovecot 2.3, not {version.split()[0]}")
        self.imap, self.imaps, self.lmtp = free_port(), free_port(), free_port()
        self.mx, self.submission, self.submissions = free_port(), free_port(), free_port()
        self.narrow = free_port()
        self.signing, self.signer = free_port(), free_port()
        self.checking, self.checker = free_port(), free_port()

    @property
    def ca(self) -> Path:
        """The certificate of the authority that signed the servers' certificate."""
        return self.folder / "tls" / "ca.pem"

    @property
    def postfix_group(self) -> int:
        """The group of Postfix's processes."""
        return self._postfix_run.pid

    def ssl_context(self) -> ssl.SSLContext:
        """Return a context that trusts these servers."""
        return ssl.create_default_context(cafile=str(self.ca))

    def maildir(self, address: str) -> Path:
        """Return where the letters of `address` lie."""
        local, _, domain = address.partition("@")
        return self.folder / "mail" / domain / local / "Maildir"

    def put(self, address: str, content: bytes, name: str) -> None:
        """Lay a file into somebody's mailbox, byte for byte."""
        box = self.maildir(address)
        for part in (box, *(box / kind for kind in ("tmp", "new", "cur"))):
            part.mkdir(parents=True, exist_ok=True)
        letter = box / "new" / name
        letter.write_bytes(content)
        for path in (self.folder / "mail", box.parent.parent, box.parent, *box.rglob("*"), box):
            shutil.chown(path, "mail", "mail")

    def start(self) -> None:
        self.folder = Path(
            tempfile.mkdtemp(prefix="referee-ms-", dir=quick_folder() if self._fleeting else "/tmp")
        )
        self.folder.chmod(0o755)
        self._make_certificates()
        self._write_settings()
        self.start_dovecot()
        self.start_postfix()

    def stop(self) -> None:
        for program in (self._postfix_run, self._dovecot_run):
            end(program, signal.SIGKILL)  # nothing of theirs is kept
        shutil.rmtree(self.folder, ignore_errors=True)

    def start_dovecot(self) -> None:
        self._dovecot_run = self._launch([self._dovecot, "-F", "-c", self.folder / "dovecot.conf"])
        for port in (self.imap, self.imaps, self.lmtp):
            wait_for_port(port, self._dovecot_run, self.folder / "dovecot.log")

    def stop_dovecot(self) -> None:
        """Stop Dovecot, when Postfix is handing nothing over to it: a letter that was taken without Postfix's knowing
        would come again, which is no fault of ours."""
        queues = [self.folder / "postfix" / "spool" / name for name in ("maildrop", "incoming", "active")]
        with suppress(AssertionError):
            until(
                lambda: not any(each.is_file() for queue in queues for each in queue.rglob("*")),
                seconds=HANDING_OVER,
            )
        end(self._dovecot_run)

    @contextmanager
    def no_room(self) -> Iterator[None]:
        """Within this, Dovecot copies no letter, since there is no room left, and does not offer to move any."""
        more = self.folder / "dovecot" / "extra.conf"
        self.stop_dovecot()
        more.write_text(NO_ROOM)
        self.start_dovecot()
        try:
            yield
        finally:
            self.stop_dovecot()
            more.unlink()
            self.start_dovecot()

    def start_postfix(self) -> None:
        """Start Postfix, and return when it greets. Raises RuntimeError with the end of its log if it does not."""
        settings = self.folder / "postfix" / "conf"
        log = self.folder / "postfix.log"
        for _ in range(STARTS):
            subprocess.run([self._postfix, "-c", settings, "check"], check=True, capture_output=True)
            # -d keeps it in the foreground, where it can be ended.
            self._postfix_run = self._launch([self._master, "-d", "-c", settings])
            for port in (self.mx, self.narrow, self.submission, self.submissions):
                wait_for_port(port, self._postfix_run, log)
            if greets(self.mx, seconds=60):
                return
            self.stop_postfix()
        raise RuntimeError(f"Postfix listens, and does not greet: {log.read_text(errors='replace')[-2000:]}")

    def stop_postfix(self) -> None:
        end(self._postfix_run)

    @contextmanager
    def storm(self) -> Iterator[None]:
        """Within this, Postfix takes no letter from anybody and says that it may later."""
        rules = self.folder / "postfix" / "recipients"
        calm = rules.read_text()
        self._rule(rules, "/^/ 451 4.3.0 not now, try again later\n")
        try:
            yield
        finally:
            self._rule(rules, calm)

    def _rule(self, rules: Path, text: str) -> None:
        """Change who is refused; Postfix reads it when it is told to look at its settings again."""
        rules.write_text(text)
        self._postfix_run.send_signal(signal.SIGHUP)

    def _launch(self, command: list[Path | str]) -> subprocess.Popen[bytes]:
        with (self.folder / "started.log").open("ab") as log:
            return subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )

    def _write_settings(self) -> None:
        words = {
            "folder": self.folder,
            "password": PASSWORD,
            "authserv_id": AUTHSERV_ID,
            "pattern": AUTHSERV_ID.replace(".", r"\."),
            "domains": " ".join(DOMAINS),
            "logged_in": LOGGED_IN,
            "stamped": STAMPED.format(folder=self.folder),
            "limit": NARROW,
            "imap": self.imap,
            "imaps": self.imaps,
            "lmtp": self.lmtp,
            "mx": self.mx,
            "narrow": self.narrow,
            "submission": self.submission,
            "submissions": self.submissions,
            "signing": self.signing,
            "signer": self.signer,
            "checking": self.checking,
            "checker": self.checker,
        }
        for name in (
            "dovecot/run",
            "dovecot/state",
            "postfix/conf",
            "postfix/spool",
            "postfix/state",
            "mail",
        ):
            (self.folder / name).mkdir(parents=True)
        shutil.chown(self.folder / "mail", "mail", "mail")
        shutil.chown(self.folder / "postfix" / "state", "postfix")
        files = {
            "dovecot.conf": DOVECOT,
            "postfix/conf/main.cf": POSTFIX_MAIN,
            "postfix/conf/master.cf": POSTFIX_MASTER,
            "postfix/senders": POSTFIX_SENDERS,
            "postfix/headers": POSTFIX_HEADERS,
            "postfix/recipients": POSTFIX_RECIPIENTS,
        }
        for name, text in files.items():
            (self.folder / name).write_text(text.format_map(words))

    def _make_certificates(self) -> None:
        tls = self.folder / "tls"
        tls.mkdir()
        make_authority(tls)
        certificate, key = issue(tls)
        certificate.rename(tls / "cert.pem")
        key.rename(tls / "key.pem")
