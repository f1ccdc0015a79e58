"""An IMAP server in a thread, just large enough to misbehave on request.

It speaks as much as our own door asks for. Real servers are tested too; this one loses connections at a chosen
word, keeps silent, lacks what others have, and writes down what it was told.
"""

from __future__ import annotations

import base64
import re
import socket
import socketserver
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tests.support.waiting import until

CAPABILITIES = ("IMAP4rev1", "IDLE", "MOVE", "UIDPLUS", "NAMESPACE", "AUTH=XOAUTH2", "AUTH=PLAIN")


class HangUp(Exception):
    """The connection ends without another word."""


class SmallImap:
    """One account with password "secret" and token "good"; its letters by folder and UID.

    refused: commands that are answered with NO, and the answer's text. hang_up_at: commands at which the
    connection is lost. silent_at: commands that are never answered. said: all commands that came in, as
    "UID MOVE" or "IDLE", with their arguments. early_news: news of a letter stands in the packet that agrees
    to IDLE. deadly, withheld: letters whose content loses the connection or is refused. instead: what is said of a
    letter's content in place of it, b"" for nothing. untold: letters of which not even the size is told.
    endless: commands ("CONNECT" for the greeting) at which this is said, and the second half of it for ever. tls: at
    once, or on STARTTLS where that is among the capabilities; None: without.
    """

    def __init__(self) -> None:
        self.capabilities: list[str] = list(CAPABILITIES)
        self.folders: dict[str, dict[int, bytes]] = {"INBOX": {}}
        self.uidvalidity = 7
        self.prefix = ""
        self.delimiter = "/"
        self.refused: dict[str, str] = {}
        self.hang_up_at: set[str] = set()
        self.silent_at: set[str] = set()
        self.said: list[tuple[str, str]] = []
        self.tls: ssl.SSLContext | None = None
        self.early_news = False
        self.connections = 0
        self.deleted: set[int] = set()
        self.keywords: dict[int, set[str]] = {}
        self.sizes: dict[int, int] = {}
        self.dates: dict[int, str] = {}
        self.deadly: set[int] = set()
        self.withheld: set[int] = set()
        self.instead: dict[int, bytes] = {}
        self.untold: set[int] = set()
        self.endless: dict[str, tuple[bytes, bytes]] = {}
        self._next_uid = 1
        self._idlers: list[Conversation] = []
        self._speaking = threading.Lock()
        self._open: set[socket.socket] = set()

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = True
            daemon_threads = True

        outer = self

        class Connected(Conversation):
            referee = outer

        self._server = Server(("127.0.0.1", 0), Connected)
        self.port = int(self._server.server_address[1])

    @contextmanager
    def running(self) -> Iterator[SmallImap]:
        thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        thread.start()
        try:
            yield self
        finally:
            self.lose_connections()
            self._server.shutdown()
            self._server.server_close()
            thread.join()

    def deliver(self, content: bytes, *, size: int | None = None, date: str = "") -> int:
        """Put a letter into INBOX and tell whoever idles. size: what is told, where that differs; date likewise."""
        uid = self._next_uid
        self._next_uid += 1
        if date:
            self.dates[uid] = date
        self.folders["INBOX"][uid] = content
        if size is not None:
            self.sizes[uid] = size
        with self._speaking:
            for idler in self._idlers:
                idler.say(f"* {len(self.folders['INBOX'])} EXISTS")
        return uid

    def murmur(self, words: bytes) -> None:
        """Say something, perhaps less than a line, to whoever idles."""
        with self._speaking:
            for idler in self._idlers:
                idler.wfile.write(words)

    def lose_connections(self) -> None:
        for connection in list(self._open):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue

    def words(self) -> list[str]:
        return [command for command, _ in self.said]

    def wait_for(self, word: str, times: int = 1) -> None:
        """Wait until a command has come in so many times."""
        until(lambda: self.words().count(word) >= times, lambda: f"{word} among {self.words()}")

    def register(self, connection: socket.socket) -> None:
        self.connections += 1
        self._open.add(connection)

    def forget(self, connection: socket.socket) -> None:
        self._open.discard(connection)

    def begin_idling(self, idler: Conversation) -> None:
        with self._speaking:
            self._idlers.append(idler)
            idler.say("+ idling\r\n* 1 EXISTS" if self.early_news else "+ idling")

    def end_idling(self, idler: Conversation) -> None:
        with self._speaking:
            self._idlers.remove(idler)


class Conversation(socketserver.StreamRequestHandler):
    """One connection's talk."""

    referee: SmallImap
    disable_nagle_algorithm = True

    def say(self, line: str) -> None:
        self.wfile.write(line.encode() + b"\r\n")

    def begin_tls(self) -> None:
        assert self.referee.tls is not None
        self.connection = self.referee.tls.wrap_socket(self.request, server_side=True)
        self.rfile = self.connection.makefile("rb")
        self.wfile = self.connection.makefile("wb", buffering=0)

    def handle(self) -> None:
        self.referee.register(self.request)
        try:
            if self.referee.tls and "STARTTLS" not in self.referee.capabilities:
                self.begin_tls()
            self.overflow("CONNECT")
            self.say("* OK small server ready")
            # Not iter(self.rfile.readline, b""): TLS brings another file.
            while line := self.rfile.readline():
                tag, _, words = line.decode(errors="replace").strip().partition(" ")
                command, _, rest = words.partition(" ")
                if command.upper() == "UID":
                    word, _, rest = rest.partition(" ")
                    command = f"UID {word}"
                self.answer(tag, command.upper(), rest)
        except (HangUp, OSError):
            return
        finally:
            self.referee.forget(self.request)
            if self.connection is not self.request:
                self.connection.close()  # TLS has taken the socket over

    def overflow(self, command: str) -> None:
        """Say without end what is to be said at a command, if anything is."""
        beginning, piece = self.referee.endless.get(command, (b"", b""))
        self.wfile.write(beginning)
        while piece:
            self.wfile.write(piece)

    def answer(self, tag: str, command: str, rest: str) -> None:
        referee = self.referee
        referee.said.append((command, rest))
        self.overflow(command)
        if command in referee.hang_up_at:
            raise HangUp
        if command in referee.silent_at:
            self.rfile.readline()
            raise HangUp
        if command in referee.refused:
            self.say(f"{tag} NO {referee.refused[command]}")
            return
        act = getattr(self, "do_" + command.lower().replace(" ", "_"))
        verdict = act(rest, tag)
        if verdict is not None:
            self.say(f"{tag} {verdict}")
        if command == "LOGOUT":
            raise HangUp

    def do_capability(self, rest: str, tag: str) -> str:
        self.say("* CAPABILITY " + " ".join(self.referee.capabilities))
        return "OK done"

    def do_starttls(self, rest: str, tag: str) -> None:
        self.say(f"{tag} OK begin")
        self.begin_tls()

    def do_login(self, rest: str, tag: str) -> str:
        return "OK in" if rest.endswith('"secret"') else "NO [AUTHENTICATIONFAILED] wrong"

    def do_authenticate(self, rest: str, tag: str) -> str:
        self.say("+ ")
        said = base64.b64decode(self.rfile.readline())
        if said.endswith((b"\1auth=Bearer good\1\1", "\0pässword".encode())):
            return "OK in"
        self.say("+ " + base64.b64encode(b'{"status":"401"}').decode())
        self.referee.said.append(("ANSWER", self.rfile.readline().decode().strip()))
        return "NO [AUTHENTICATIONFAILED] refused"

    def do_list(self, rest: str, tag: str) -> str:
        for name in self.referee.folders:
            self.say(f'* LIST () "{self.referee.delimiter}" "{name}"')
        return "OK done"

    def do_namespace(self, rest: str, tag: str) -> str:
        self.say(f'* NAMESPACE (("{self.referee.prefix}" "{self.referee.delimiter}")) NIL NIL')
        return "OK done"

    def do_select(self, rest: str, tag: str) -> str:
        self.name = rest.strip('"')
        if self.name not in self.referee.folders:
            return "NO [NONEXISTENT] no such folder"
        self.say(f"* {len(self.letters)} EXISTS")
        self.say("* OK [PERMANENTFLAGS (\\Deleted \\*)] ok")
        self.say(f"* OK [UIDVALIDITY {self.referee.uidvalidity}] ok")
        return "OK [READ-WRITE] done"

    @property
    def letters(self) -> dict[int, bytes]:
        return self.referee.folders[self.name]

    def do_noop(self, rest: str, tag: str) -> str:
        return "OK done"

    def do_logout(self, rest: str, tag: str) -> str:
        self.say("* BYE")
        return "OK bye"

    def do_uid_search(self, rest: str, tag: str) -> str:
        words = re.search(r'SUBJECT "?([^"]*)"?', rest)
        wanted = words.group(1).encode() if words else b""
        found = [uid for uid, content in self.letters.items() if wanted in content]
        self.say(" ".join(["* SEARCH", *map(str, found)]))
        return "OK done"

    def do_uid_fetch(self, rest: str, tag: str) -> str:
        chosen = self.chosen(rest)
        asked = {uid for _, uid in chosen} if "BODY" in rest else set()
        if asked & self.referee.deadly:
            raise HangUp
        if asked & self.referee.withheld:
            return "NO not this one"
        for number, uid in chosen:
            content = self.letters[uid]
            if asked and uid in self.referee.instead:
                if said := self.referee.instead[uid]:
                    self.wfile.write(b"* %d FETCH (%b)\r\n" % (number, said))
            elif asked:
                name = b"BODY[]"
                if "HEADER" in rest:
                    name, content = b"BODY[HEADER]<0>", content.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
                self.wfile.write(b"* %d FETCH (UID %d %b {%d}\r\n" % (number, uid, name, len(content)))
                self.wfile.write(content + b")\r\n")
            elif uid not in self.referee.untold:
                size = self.referee.sizes.get(uid, len(content))
                when = self.referee.dates.get(uid, f"0{uid % 9 + 1}-Nov-2026 12:00:00 +0200")
                self.say(f'* {number} FETCH (UID {uid} RFC822.SIZE {size} INTERNALDATE "{when}")')
        return "OK done"

    def chosen(self, rest: str) -> list[tuple[int, int]]:
        wanted = {int(word) for word in rest.partition(" ")[0].split(",")}
        return [(number, uid) for number, uid in enumerate(sorted(self.letters), 1) if uid in wanted]

    def do_uid_move(self, rest: str, tag: str) -> str:
        verdict = self.do_uid_copy(rest, tag)
        if verdict.startswith("OK"):
            for _, uid in self.chosen(rest):
                del self.letters[uid]
        return verdict

    def do_uid_copy(self, rest: str, tag: str) -> str:
        target = self.referee.folders.get(rest.split(" ", 1)[1].strip('"'))
        if target is None:
            return "NO [TRYCREATE] no such folder"
        target |= {uid: self.letters[uid] for _, uid in self.chosen(rest)}
        return "OK done"

    def do_uid_store(self, rest: str, tag: str) -> str:
        for _, uid in self.chosen(rest):
            if "\\Deleted" in rest:
                self.referee.deleted.add(uid)
            self.referee.keywords.setdefault(uid, set()).update(re.findall(r"\$\w+", rest))
        return "OK done"

    def do_uid_expunge(self, rest: str, tag: str) -> str:
        for _, uid in self.chosen(rest):
            if uid in self.referee.deleted:
                del self.letters[uid]
        return "OK done"

    def do_create(self, rest: str, tag: str) -> str:
        self.referee.folders[rest.strip('"')] = {}
        return "OK done"

    def do_subscribe(self, rest: str, tag: str) -> str:
        return "OK done"

    def do_idle(self, rest: str, tag: str) -> str:
        self.referee.begin_idling(self)
        try:
            done = self.rfile.readline()
        finally:
            self.referee.end_idling(self)
        if not done:
            raise HangUp
        self.referee.said.append(("DONE", ""))
        return "OK idle ended"
