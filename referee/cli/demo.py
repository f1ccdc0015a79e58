"""`referee demo`: two players play the book's sample game by real letters.

A small mail server (SMTP in front, Maildirs behind) runs in this process. The daemon runs for real, in a
process of its own. Two scripted correspondents know nothing but their own mailboxes. Each waits for a letter
that asks for a move, and answers it with a letter that holds the move and nothing else. One of them also
writes once how they want their deduction sheets.
"""

from __future__ import annotations

import email
import hashlib
import mailbox
import shutil
import signal
import smtplib
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from email.message import EmailMessage, Message
from email.utils import formatdate, make_msgid, parseaddr
from pathlib import Path
from typing import Any

import click
from aiosmtpd.controller import Controller
from filelock import FileLock, Timeout
from rich.console import Console

from referee.cli.context import Call, as_json, pass_call, say_json
from referee.cli.progress import progress_bar
from referee.common.errors import RefereeError, UsageError
from referee.rulebooks.catalogue import ENTRIES, USUAL
from referee.rulebooks.entry import load as load_place
from referee.rulebooks.rulebook import UMPIRE, Seat
from referee.rulebooks.sample_game import SampleGame
from referee.service.bootstrap import open_application
from referee.service.queries import game_as, write_record
from referee.service.settings import load

REFEREE = "referee@example.org"
HOST = "mx.example.org"
"""The mail server's name; it authenticates senders under this name, as a real server does."""
PATIENCE = 180.0
"""Seconds that a correspondent waits for a letter before giving up; a busy machine takes a minute for the first."""
MARK = ".referee-demo"
"""The file that marks a folder as the demo's own, so that only such a folder is replaced.

It lists the demo's letters and pictures, and the digests of what an operator might continue with.
"""
UNFINISHED = f"{MARK}-unfinished"
"""The subfolder in which a demonstration is given. An earlier one stays in place until this one is whole."""
DATABASE = "referee.db"
_FILES = frozenset((MARK, "record.txt", "referee.log", "referee.toml")) | {
    DATABASE + end for end in ("", "-wal", "-shm", "-journal", ".lock", ".daemon")
}
"""The files that a demonstration leaves in its folder."""
_OWN, _KEPT = ("mail", UNFINISHED), ("letters", "pictures")
"""Its subfolders: everything in the first two is the demo's own; in the others, what the mark lists."""
_CONTINUED = ("referee.toml", DATABASE)
"""What somebody may continue with after the demo: edited settings, a database with games of their own."""

SETTINGS = """\
[service]
name = "Referee"
address = "{referee}"
database = "sqlite:///{database}"

[inbox]
kind = "maildir"
path = "mail/referee"

[outbox]
kind = "smtp"
host = "127.0.0.1"
port = {port}
security = "none"

[trust]
sender = "verified"
authserv_id = ["{host}"]
"""


class MailServer:
    """A mail server for three people: accepts letters by SMTP and puts each into its reader's Maildir."""

    def __init__(self, folder: Path) -> None:
        self._boxes: dict[str, mailbox.Maildir] = {}
        self._folder = folder

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        """Accept mail for these three only."""
        if _plain(address).rpartition("@")[2] not in ("example.org", "example.net"):
            return "550 5.7.1 this demonstration relays nowhere"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        """Deliver a letter with the headers that a mail server adds: the sender, and who authenticates them."""
        domain = envelope.mail_from.rpartition("@")[2]
        for recipient in envelope.rcpt_tos:
            added = (
                f"Return-Path: <{envelope.mail_from}>\r\n"
                f"Delivered-To: {recipient}\r\n"
                f"Authentication-Results: {HOST}; dmarc=pass header.from={domain}\r\n"
            )
            self.box(_plain(recipient)).add(added.encode() + envelope.content)
        return "250 2.0.0 delivered"

    def box(self, address: str) -> mailbox.Maildir:
        """Return a reader's Maildir, named after the part before the @."""
        name = address.partition("@")[0]
        if name not in self._boxes:
            self._boxes[name] = mailbox.Maildir(self._folder / name)
        return self._boxes[name]


def _plain(address: str) -> str:
    """Return an address without its +tag."""
    local, _, domain = address.rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


@dataclass
class Correspondent:
    """A scripted player, who has only a mailbox, the moves to try, and settings for the first letter."""

    seat: str
    name: str
    moves: list[str]
    folder: Path
    port: int
    wishes: list[str] = field(default_factory=list)
    letters: list[Message] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)
    """The files of these letters, one by one."""
    _seen: set[str] = field(default_factory=set)

    @property
    def address(self) -> str:
        """The player's email address."""
        return f"{self.name.lower()}@example.net"

    def look(self) -> list[Message]:
        """Return the letters that have arrived since the last look, in order."""
        paths = [path for path in (self.folder / "new").glob("*") if path.name not in self._seen]
        self._seen.update(path.name for path in paths)
        come = [(path, email.message_from_bytes(path.read_bytes())) for path in paths]
        come.sort(key=lambda each: int(each[1]["X-Referee-Number"]))
        letters = [letter for _, letter in come]
        self.letters += letters
        self.files += [path for path, _ in come]
        return letters

    def answer(self, letter: Message) -> None:
        """Answer a letter with the next move, above a quotation as mail programs write it.

        The first answer also holds the settings.
        """
        reply = EmailMessage()
        reply["From"] = f"{self.name} <{self.address}>"
        reply["To"] = letter["Reply-To"]
        reply["Subject"] = f"Re: {str(letter['Subject']).removeprefix('Re: ')}"
        reply["Date"] = formatdate()
        reply["Message-ID"] = make_msgid(domain="example.net")
        reply["In-Reply-To"] = letter["Message-ID"]
        quoted = "".join(f"> {line}\n" for line in text_of(letter).splitlines()[:12])
        said = "\n".join([self.moves.pop(0), *self.wishes])
        self.wishes.clear()
        reply.set_content(f"{said}\n\nOn {letter['Date']}, the Referee wrote:\n{quoted}")
        with smtplib.SMTP("127.0.0.1", self.port) as server:
            server.send_message(reply, self.address, [parseaddr(letter["Reply-To"])[1]])


def text_of(letter: Message) -> str:
    """Return a letter's plain text."""
    for part in letter.walk():
        if part.get_content_type() == "text/plain":
            payload = part.get_payload(decode=True)
            return payload.decode() if isinstance(payload, bytes) else ""
    return ""


def his_move(letter: Message) -> bool:
    """Return whether a letter's first words ask its reader for a move."""
    return text_of(letter).startswith("Your move")


@dataclass(frozen=True, slots=True)
class Shown:
    """The result of a demonstration and its files. folder: holds everything else."""

    folder: Path
    letters: dict[str, Path]
    pictures: Path
    record: Path
    moves: int
    seconds: float
    result: str


def shown_before(folder: Path) -> bool:
    """Return whether a folder holds an earlier demonstration, rather than nothing.

    Raises UsageError for a folder that holds anything else.
    """
    found = list(folder.iterdir()) if folder.exists() else []
    mark = folder / MARK
    if found and (mark.is_symlink() or not mark.is_file()):
        raise UsageError(
            f"{folder} is not empty and was not made by `referee demo`; name another with --folder."
        )
    if others := sorted(_others(folder, found)):
        raise UsageError(
            f"{folder} holds {others[0]!r} beside an earlier demonstration, so it is left as it is; move that "
            "elsewhere, or name another folder with --folder."
        )
    if _is_in_use(folder / f"{DATABASE}.lock"):
        raise UsageError(
            f"a service is at work in {folder}; stop it first, or name another folder with --folder."
        )
    if changed := [name for name in _CONTINUED if _has_changed(folder, name)]:
        raise UsageError(
            f"{changed[0]!r} in {folder} has changed since the demonstration, so the folder is left as it is; "
            "move it elsewhere, or name another folder with --folder."
        )
    return bool(found)


def _digest_line(folder: Path, name: str) -> str:
    """Return the line of the mark that says what a file was when the demonstration ended."""
    return f"{name} sha256 {hashlib.sha256((folder / name).read_bytes()).hexdigest()}"


def _has_changed(folder: Path, name: str) -> bool:
    """Return whether a file is no longer the one that the demonstration left.

    What a service has written lately is in a file beside its database, until the service ends.
    """
    path, lately = folder / name, folder / f"{name}-wal"
    if lately.is_file() and lately.stat().st_size:
        return True
    return path.is_file() and _digest_line(folder, name) not in _marked(folder)


def _is_in_use(path: Path) -> bool:
    """Return whether a process holds the lock of a database. path: of the lock."""
    if not path.exists():
        return False
    lock = FileLock(path)
    try:
        with lock.acquire(timeout=0):
            return False
    except Timeout:
        return True


def _marked(folder: Path) -> list[str]:
    """Return the lines of a demonstration's mark; none where there is no mark."""
    mark = folder / MARK
    return mark.read_text("utf-8", errors="replace").splitlines() if mark.is_file() else []


def _others(folder: Path, found: Iterable[Path]) -> Iterator[str]:
    """Yield the names in a demonstration's folder that are not the demonstration's own."""
    own = set(_marked(folder))
    for path in found:
        is_folder = path.is_dir() and not path.is_symlink()
        if is_folder and path.name in _KEPT:
            inside = (each.relative_to(folder).as_posix() for each in path.rglob("*"))
            yield from (name for name in inside if name not in own)
        elif not (path.name in _OWN if is_folder else path.name in _FILES):
            yield path.name


def prepare(folder: Path) -> Path:
    """Make the empty subfolder in which a demonstration is given; an earlier one in the folder stays.

    Raises: see shown_before.
    """
    shown_before(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARK).touch()
    unfinished = folder.resolve() / UNFINISHED
    if unfinished.exists():
        shutil.rmtree(unfinished)
    unfinished.mkdir()
    return unfinished


def put_in_place(unfinished: Path) -> Path:
    """Replace the earlier demonstration in a folder by the one in its subfolder, which is whole; return the folder.

    Raises UsageError where something else was put into the folder meanwhile.
    """
    folder = unfinished.parent
    shown_before(folder)
    for path in folder.iterdir():
        if path.name in (MARK, UNFINISHED):
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    for path in sorted(unfinished.iterdir()):  # the mark comes first, and lists what follows
        path.replace(folder / path.name)
    unfinished.rmdir()
    return folder


@contextmanager
def mail_server(folder: Path) -> Iterator[int]:
    """Run the mail server; yield its port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    controller = Controller(MailServer(folder), hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield port
    finally:
        controller.stop()


@contextmanager
def daemon(settings: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run the referee as an operator would, and stop it as systemd would."""
    log = settings.parent / "referee.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "referee", "--config", str(settings), "run"], stdout=out, stderr=out
        )
        try:
            yield process
        except RefereeError as error:
            raise RefereeError(f"{error} It is {log}.") from error
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def play(players: list[Correspondent], referee: subprocess.Popen[bytes], moved: Callable[[], None]) -> None:
    """Let the correspondents play until both have the letter that ends the game."""
    ended: set[str] = set()
    last_news = time.monotonic()
    while len(ended) < len(players):
        if referee.poll() is not None:
            raise RefereeError("The daemon stopped in the middle of the game; its log says why.")
        for player in players:
            for letter in player.look():
                last_news = time.monotonic()
                if letter["X-Referee-Kind"] == "result":
                    ended.add(player.seat)
                elif his_move(letter) and player.moves:
                    player.answer(letter)
                    moved()
        if time.monotonic() - last_news > PATIENCE:
            raise RefereeError(f"No letter came for {PATIENCE:.0f} seconds; the daemon's log says why.")
        time.sleep(0.01)


def keep_readable(players: list[Correspondent], folder: Path) -> tuple[dict[str, Path], Path]:
    """Write each player's letters as numbered files that any mail program opens, and the pictures to a folder."""
    pictures = folder / "pictures"
    pictures.mkdir()
    places = {}
    for player in players:
        place = folder / "letters" / f"{player.seat}-{player.name.lower()}"
        place.mkdir(parents=True)
        places[player.seat] = place
        for path, letter in zip(player.files, player.letters, strict=True):
            name = f"{int(letter['X-Referee-Number']):02d}-{letter['X-Referee-Kind']}"
            shutil.copyfile(path, place / f"{name}.eml")
            (place / f"{name}.txt").write_text(text_of(letter))
            for part in letter.walk():
                if part.get_content_type() == "image/png":
                    payload = part.get_payload(decode=True)
                    if isinstance(payload, bytes):
                        (pictures / f"{player.seat}-{name}-{part.get_filename()}").write_bytes(payload)
    return places, pictures


def run_demo(folder: Path, progress: Callable[[int, int], None]) -> Shown:
    """Play the sample game by letter and leave letters, pictures and the record in `folder`.

    progress: called with the attempts made and the total.
    Everything is made in a subfolder, and replaces an earlier demonstration when it is whole.

    Raises UsageError for a folder that is not the demo's, RefereeError when the game does not end.
    """
    started = time.monotonic()
    folder = prepare(folder)
    sample = sample_game()
    total = sum(map(len, sample.moves.values()))
    mail = folder / "mail"
    with mail_server(mail) as port:
        settings = folder / "referee.toml"
        settings.write_text(SETTINGS.format(referee=REFEREE, database=DATABASE, port=port, host=HOST))
        players = [
            Correspondent(seat, name, list(sample.moves[seat]), mail / name.lower(), port, wishes)
            for seat, name, wishes in (("white", "Wendy", []), ("yellow", "Yannick", ["set sheets picture"]))
        ]
        with open_application(load(settings, {})) as application:
            seats = {Seat(player.seat): (player.name, player.address) for player in players}
            game = application.referee.umpire.new_game(USUAL, seats, {"first": sample.first}, sample.deal)
            done = 0

            def moved() -> None:
                nonlocal done
                done += 1
                progress(done, total)

            progress(0, total)
            with daemon(settings) as referee:
                play(players, referee, moved)
            record = folder / "record.txt"
            record.write_text(write_record(application, game, UMPIRE))
            shown = game_as(application, game, UMPIRE)
    letters, pictures = keep_readable(players, folder)
    kept = (each.relative_to(folder).as_posix() for name in _KEPT for each in (folder / name).rglob("*"))
    digests = (_digest_line(folder, name) for name in _CONTINUED)
    (folder / MARK).write_text("\n".join([*sorted(kept), *digests]), "utf-8")
    final = put_in_place(folder)
    result = shown.data["result"]
    return Shown(
        folder=final,
        letters={seat: final / place.relative_to(folder) for seat, place in letters.items()},
        pictures=final / pictures.name,
        record=final / record.name,
        moves=done,
        seconds=round(time.monotonic() - started, 1),
        result=f"{str(result['winner']).capitalize()} wins, {result['how']}",
    )


def sample_game() -> SampleGame:
    """Return the sample game that is in the package."""
    sample: SampleGame = load_place(ENTRIES[USUAL].sample)()
    return sample


@click.command()
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("referee-demo"),
    show_default=True,
    help="Where letters, pictures and the record are left.",
)
@as_json
@pass_call
def demo(call: Call, folder: Path, as_json: bool) -> None:
    """Show it all: two players, real letters, the book's sample game.

    A folder that holds an earlier demonstration and nothing else is used again; any other must be empty.

    Example: referee demo --folder /tmp/demo
    """
    call.start_log()
    console = Console(stderr=True)
    if shown_before(folder):
        click.echo(
            f"{folder} holds an earlier demonstration, which this one replaces when it is whole.", err=True
        )
    try:
        with progress_bar(console) as progress:
            task = progress.add_task("The book's sample game, by letter", total=None)

            def tell(done: int, total: int) -> None:
                progress.update(task, completed=done, total=total)
                if console.is_dumb_terminal and done % 10 == 0:  # a dumb terminal shows no bar before the end
                    console.print(f"The book's sample game, by letter: {done}/{total}")

            shown = run_demo(folder, tell)
    except KeyboardInterrupt:
        click.echo(f"\nThe demonstration was broken off. The next one in {folder} begins anew.", err=True)
        raise
    if as_json:
        say_json(asdict(shown))
        return
    click.echo(f"{shown.result}, after {shown.moves} attempts by letter in {shown.seconds:.0f} s.\n")
    for seat, place in shown.letters.items():
        click.echo(f"{seat.capitalize() + chr(39) + 's letters':18} {place}")
    click.echo(f"{'Their pictures':18} {shown.pictures}")
    click.echo(f"{'The record':18} {shown.record}")
    click.echo(f"{'The mailboxes':18} {shown.folder / 'mail'}\n")
    first = next(iter(shown.letters.values())) / "01-report"
    click.echo(
        f"Open first {first}.txt, or {first.name}.eml in a mail program; then the letters that follow it."
    )
