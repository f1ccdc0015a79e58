"""The book's sample game through Dovecot and Postfix: IMAP over TLS, submission with STARTTLS and a login.

Every move is sent as a plain reply to the letter that asked for it, by correspondents who see nothing but their own
mailboxes; the service is `referee run` in a process of its own. Of the whole game (the quick tests play its start) both
letters that end it are those of the golden transcript, but for what differs from game to game: dates, the commitment
and the secret.
"""

import re
from pathlib import Path

import pytest

from referee.cli.demo import Correspondent, daemon, play, sample_game, text_of
from referee.rulebooks.rulebook import Seat
from referee.service.bootstrap import open_application
from referee.service.settings import load
from tests.servers.mail import AUTHSERV_ID, PASSWORD, MailServers

SETTINGS = """\
[service]
address = "referee@example.org"

[inbox]
host = "localhost"
port = {imaps}
ca_file = "{ca}"
username = "referee@example.org"
password = "{password}"

[outbox]
host = "localhost"
port = {submission}
ca_file = "{ca}"
username = "referee@example.org"
password = "{password}"

[trust]
authserv_id = ["{authserv_id}"]
"""

TRANSCRIPT = Path(__file__).parents[1] / "transcripts" / "confusion" / "sample-game.txt"


def lines_of(text: str) -> list[str]:
    """Return a letter's lines without what differs from game to game."""
    text = re.sub(r"\b[0-9a-f]{64}\b", "(64 hex digits)", text)
    text = re.sub(r"[A-Z][a-z]{2} \d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d UTC", "(date)", text)
    return [line for line in text.splitlines() if line]


def golden(address: str) -> list[str]:
    """Return the lines of the letter that ends the game for a reader, as they stand in the transcript."""
    sections = re.split(r"^(?:<{8}|#{8}|-{8}) ?", TRANSCRIPT.read_text(), flags=re.MULTILINE)
    (letter,) = (
        each for each in sections if re.match(rf"to {re.escape(address)}\nSubject: .*\[ended\]", each)
    )
    return lines_of(letter.partition("\n\n")[2])


def play_by_mail(servers: MailServers, folder: Path, attempts: int) -> list[Correspondent]:
    """Play so many attempts, after which White resigns if the game is not over; return both players."""
    settings = folder / "referee.toml"
    settings.write_text(
        SETTINGS.format(
            imaps=servers.imaps,
            submission=servers.submission,
            ca=servers.ca,
            password=PASSWORD,
            authserv_id=AUTHSERV_ID,
        )
    )
    sample = sample_game()
    each = attempts // 2
    players = [
        Correspondent(
            seat,
            name,
            [*sample.moves[seat][:each], *(["resign"] if seat == sample.first else [])],
            servers.maildir(f"{name.lower()}@example.net"),
            servers.mx,
        )
        for seat, name in (("white", "Wendy"), ("yellow", "Yannick"))
    ]
    with open_application(load(settings, {})) as application:
        seats = {Seat(player.seat): (player.name, player.address) for player in players}
        application.referee.umpire.new_game("confusion", seats, {"first": sample.first}, sample.deal)
    with daemon(settings) as referee:
        play(players, referee, lambda: None)
    return players


def kinds(player: Correspondent) -> list[str]:
    """Return what his letters are, having seen that their numbers have no gap."""
    numbers = [int(letter["X-Referee-Number"]) for letter in player.letters]
    assert numbers == list(range(1, len(numbers) + 1))
    return [letter["X-Referee-Kind"] for letter in player.letters]


@pytest.mark.timeout(120)
def test_a_game_goes_through_dovecot_and_postfix(mail_servers: MailServers, tmp_path: Path) -> None:
    for player in play_by_mail(mail_servers, tmp_path, 8):
        assert kinds(player) == ["report"] * 9 + ["result"]


@pytest.mark.full
@pytest.mark.timeout(240)
def test_the_sample_game_goes_through_dovecot_and_postfix(mail_servers: MailServers, tmp_path: Path) -> None:
    for player in play_by_mail(mail_servers, tmp_path, 76):
        assert kinds(player) == ["report"] * 76 + ["result"]
        assert lines_of(text_of(player.letters[-1])) == golden(player.address)
