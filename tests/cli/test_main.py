"""The operator's commands: what each prints, its JSON, and its exit status."""

from __future__ import annotations

import inspect
import json
import os
import re
import shlex
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click
import pytest

from referee import __version__
from referee.cli.demo import sample_game
from referee.cli.main import main
from referee.common.timestamps import for_people
from referee.mail.inbox.maildir import MaildirMailbox
from referee.rulebooks.confusion.position import View
from referee.rulebooks.confusion.rulebook import ConfusionSheets
from referee.service.bootstrap import open_application
from referee.service.settings import load
from tests.store.older import make_older
from tests.support.operating import (
    HOST,
    MAILDIR_IN,
    MAILDIR_OUT,
    REFEREE,
    SEATS,
    SERVICE,
    WENDY,
    YANNICK,
    Desk,
    Said,
    answer,
    imap,
    smtp,
    text_of,
    type_words,
    write_mail,
)
from tests.support.telling import telling

SAMPLE = Path(__file__).parents[2] / "referee" / "rulebooks" / "confusion" / "sample-game.txt"
AS_PRINTED = Path(__file__).parents[1] / "rulebooks" / "records" / "sample-as-printed.txt"
PRINTED = {
    "C-NE2)         L-S2": "C-NE2)         L-S1",
    "V-NE1           C-SW1": "V-NE1           S-SW1",
    "C-NW1           TZ-SE1": "C-NW1           T-SE1",
}
"""What stands in the record, and what was printed there."""


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def without_secrets(text: str) -> str:
    """Return a text without commitments, which differ from game to game, and without the time of day."""
    return re.sub(r"[0-9a-f]{64}|\b\d\d:\d\d(:\d\d)?(?= UTC)", "…", text)


# The commands as a whole


COMMANDS = (
    "demo",
    "init",
    "check",
    "run",
    "new",
    "games",
    "show",
    "record",
    "replay",
    "verify",
    "read",
    "letters",
    "doctor",
    "freeze",
    "thaw",
    "event",
    "umpire",
    "overview",
    "log",
    "mbox",
    "bundle",
    "picture",
    "publish",
    "rulebooks",
    "scenario",
    "watch",
    "adjudicate",
    "claims",
    "backup",
)


def test_help_lists_every_command_each_with_an_example() -> None:
    said = type_words("--help")
    assert said.status == 0
    assert tuple(main.commands) == COMMANDS
    for name in COMMANDS:
        assert re.search(rf"^  {name} +[A-Z].*\.\n +\$ referee {name}\b.*$", said.out, re.MULTILINE), name


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_listed_with_the_first_and_the_last_line_of_its_help(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None and command.help is not None
    about, *_, example = inspect.cleandoc(command.help).splitlines()
    assert main.commands[name].help == f"{about}\n\n{example}"
    assert command.name == name


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_help_with_an_example_that_can_be_typed(name: str) -> None:
    said = type_words(name, "--help")
    assert said.status == 0
    command = main.get_command(click.Context(main), name)
    assert command is not None
    (example,) = re.findall(r"Example: (.*)", command.help or "")
    assert "Example:" in said.out
    program, typed, *words = shlex.split(example.partition(" > ")[0])
    assert (program, typed) == ("referee", name)
    context = click.Context(command)
    command.make_parser(context).parse_args(list(words))


def test_the_version_is_told() -> None:
    assert type_words("--version") == Said(0, f"referee, version {__version__}\n", "")


@pytest.mark.parametrize(
    "words",
    [
        ["nonsense"],
        ["games", "--nonsense"],
        ["show", "one"],
        ["show", "0"],
        ["show", "9" * 20],
        ["record", "9" * 20],
        ["letters", "--limit", "-5"],
        ["letters", "--limit", "0"],
        ["letters", "--limit", "9" * 20],
        ["games", "--limit", "0"],
        ["log", "0"],
        ["mbox", "1"],
        ["new"],
        ["replay", "/no/file"],
    ],
)
def test_what_cannot_be_understood_is_status_2_and_said_on_standard_error(
    desk: Desk, words: Sequence[str]
) -> None:
    said = desk.do(*words)
    assert (said.status, said.out) == (2, "")
    assert "Error:" in said.err


@pytest.mark.parametrize("command", ["games", "letters", "check", "init", "run --once"])
def test_json_is_one_document_and_nothing_else_on_standard_output(desk: Desk, command: str) -> None:
    said = desk.done(*command.split(), "--json")
    assert said.json is not None
    assert said.out == json.dumps(said.json, ensure_ascii=False, indent=2) + "\n"


@pytest.mark.parametrize("command", ["games", "letters", "run --once", "init"])
def test_a_database_that_is_absent_is_created(desk: Desk, command: str) -> None:
    desk.done(*command.split())
    assert desk.database.exists()
    assert desk.database.stat().st_mode & 0o077 == 0


def test_the_settings_file_may_be_named_by_the_environment_or_lie_here(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert type_words("games", environ={"REFEREE_CONFIG": str(desk.config)}).status == 0
    monkeypatch.chdir(desk.folder)
    assert type_words("games").status == 0


# init, check


def test_init_writes_a_settings_file_that_can_be_loaded_and_never_overwrites_it(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    said = type_words("--config", str(path), "init", "--write-config")
    assert (said.status, said.out) == (0, "")
    assert "mine.toml" in said.err and "make the password files that it names" in said.err
    assert "make it, since nothing starts without it" in " ".join(path.read_text().replace("\n#", "").split())
    path.write_text(path.read_text() + "# mine\n")
    again = type_words("--config", str(path), "init", "--write-config")
    assert (again.status, again.out) == (2, "")
    assert "is there already" in again.err
    assert path.read_text().endswith("# mine\n")
    for secret in ("imap.secret", "smtp.secret"):
        (tmp_path / secret).write_text("drowssap\n")
        path.write_text(path.read_text().replace(f"/etc/referee/{secret}", secret))
    assert type_words("--config", str(path), "check").status == 0


def test_init_offline_leaves_the_servers_alone(tmp_path: Path) -> None:
    desk = Desk(tmp_path, SERVICE + imap(1) + smtp(1))
    said = desk.done("init", "--offline", "--json")
    assert said.json == {"database": "ready", "copy": None, "findings": [], "warnings": [], "ready": True}
    assert desk.database.exists()


def test_init_with_maildirs_tries_reading_and_writing_and_leaves_no_letter(desk: Desk) -> None:
    said = desk.done("init", "--json")
    assert [(finding["good"], finding["blocks"]) for finding in said.json["findings"]] == [(True, False)] * 2
    assert said.json["ready"] is True
    left = [path for path in (desk.folder / "mail").rglob("*") if path.is_file()]
    assert [path.name for path in left] in ([], ["maildirfolder"])
    assert desk.done("init").out.splitlines()[1].startswith("ok ")


def test_init_copies_an_older_database_before_it_is_changed(desk: Desk) -> None:
    """The first release's had no column for the sheets of a player."""
    desk.new_game()
    shown = desk.done("show", "1", "--json").json
    make_older(desk.database, "0001")
    refused = desk.do("games")
    assert refused.status == 2
    assert "referee init" in refused.err

    copy = Path(desk.done("init", "--offline", "--json").json["copy"])

    with closing(sqlite3.connect(copy)) as before:
        assert before.execute("SELECT version_num FROM alembic_version").fetchone() == ("0001",)
        assert "sheets" not in [row[1] for row in before.execute("PRAGMA table_info(player)")]
    assert desk.done("show", "1", "--json").json == shown
    desk.put(write_mail("set sheets list", sender=WENDY))
    assert desk.done("run", "--once", "--json").json["refused"] == 0
    assert desk.done("init", "--offline", "--json").json["copy"] is None


def test_check_shows_every_setting_with_its_source_and_hides_secrets(tmp_path: Path) -> None:
    desk = Desk(tmp_path, SERVICE + imap(993, password="drowssap") + smtp(587, password="drowssap"))
    desk.environ = {"REFEREE_INBOX__PASSWORD": "tercesterces"}
    said = desk.done("check", "--json")
    assert (said.json["warnings"], said.json["fault"]) == ([], None)
    for each in said.json["settings"]:
        assert set(each) == {"key", "value", "source"}
    by_key = {each["key"]: each for each in said.json["settings"]}
    assert by_key["inbox.password"] == {
        "key": "inbox.password",
        "value": "(hidden)",
        "source": "environment REFEREE_INBOX__PASSWORD",
    }
    assert by_key["inbox.port"]["value"] == 993
    assert re.search(r"referee\.toml line \d+", by_key["inbox.port"]["source"])
    words = desk.done("check")
    for text in (said.out, words.out, words.err):
        assert "drowssap" not in text
        assert "tercesterces" not in text


def test_check_shows_the_settings_and_then_the_secret_file_that_is_missing(tmp_path: Path) -> None:
    mailbox = imap(993).replace('password = "secret"', 'password_file = "imap.secret"')
    desk = Desk(tmp_path, SERVICE + mailbox + smtp(587))
    said, words = desk.do("check", "--json"), desk.do("check")
    assert said.status == words.status == 2
    by_key = {each["key"]: each for each in said.json["settings"]}
    assert by_key["inbox.port"]["value"] == 993
    assert by_key["inbox.password_file"]["value"] == str(tmp_path / "imap.secret")
    assert "imap.secret cannot be read" in said.json["fault"]
    assert re.search(r"^inbox\.port +993 ", words.out, re.MULTILINE)
    assert words.err == f"referee: {said.json['fault']}\n"


def test_check_says_what_is_wrong_with_a_file_that_cannot_be_understood(desk: Desk) -> None:
    desk.write_settings("[service\n")
    said = desk.do("check", "--json")
    assert (said.status, said.json["settings"]) == (2, [])
    assert "not valid TOML" in said.json["fault"]
    assert said.err == f"referee: {said.json['fault']}\n"


@pytest.mark.parametrize(
    ("trust", "words"),
    [
        ("", "A player's letter is held"),
        ('sender = "header"\n', "anybody is believed"),
        (f'authserv_id = ["{HOST}"]\n', ""),
    ],
)
def test_check_and_init_warn_of_nobody_and_of_everybody_being_believed(
    desk: Desk, trust: str, words: str
) -> None:
    head, _, _ = SERVICE.partition("[trust]")
    desk.write_settings(f"{head}[trust]\n{trust}{MAILDIR_IN}{MAILDIR_OUT}")
    for command in ("check", "init"):
        warnings = desk.done(command, "--json").json["warnings"]
        assert len(warnings) == bool(words)
        said = desk.done(command)
        for warning in warnings:
            assert words in warning
            assert (said.out + said.err).count(warning) == 1


# new


def test_new_prints_the_games_number_alone(desk: Desk) -> None:
    assert desk.done("new", "confusion", *SEATS).out == "1\n"
    assert desk.done("new", "confusion", *SEATS, "--json").json == {"game": 2}


def test_a_battle_begins_from_a_scenario_in_a_file(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    desk.done("scenario", "make", "--seed", "Autumn rain", "--units", "3", "--to", str(file))
    seats = ("--seat", f"red={WENDY}", "--seat", f"blue={YANNICK}")
    desk.done("new", "cards", *seats, "--option", f"scenario={file}")
    shown = desk.done("show", "1", "--json").json
    assert shown["scenario"].startswith("made-")
    assert "a file of" in desk.done("show", "1").out
    file.write_text("format = 1\n")
    assert desk.do("new", "cards", *seats, "--option", f"scenario={file}").status == 2


def test_a_battle_of_turns_of_two_letters_is_begun_by_an_option(desk: Desk) -> None:
    seats = ("--seat", f"red={WENDY}", "--seat", f"blue={YANNICK}")
    desk.done("new", "cards", *seats, "--option", "split=true")
    assert desk.done("show", "1", "--json").json["waits_for_second_letter"] is False
    assert "Split    = on" in desk.done("record", "1").out
    assert desk.do("new", "cards", *seats, "--option", "split=half").status == 2


def test_a_list_of_games_shows_what_the_players_are_called_now(desk: Desk) -> None:
    """The title, which stands in the subjects of a running game's letters, remains."""
    desk.done("new", "confusion", *SEATS)
    before = desk.done("games", "--json").json[0]
    desk.put(write_mail("register Wendel", sender=WENDY))
    desk.done("run", "--once")
    (game,) = desk.done("games", "--json").json
    assert (game["title"], game["names"]["white"]) == (before["title"], "Wendel")
    assert "Confusion 1: Wendel - " in desk.done("games").out


def test_whoever_is_seated_is_registered_and_called_by_his_colour_until_he_gives_a_name(desk: Desk) -> None:
    desk.done("new", "confusion", "--seat", f"white={WENDY}", "--seat", f"YELLOW=Yannick <{YANNICK}>")
    (game,) = desk.done("games", "--json").json
    assert game["title"] == "Confusion 1: White - Yannick"
    assert desk.done("show", "1", "--json").json["names"] == {"white": "White", "yellow": "Yannick"}


def test_an_international_domain_is_written_to_under_its_ascii_name(desk: Desk) -> None:
    desk.done(
        "new", "confusion", "--seat", "white=Jörg <joerg@Bücher.example>", "--seat", f"yellow={YANNICK}"
    )
    desk.done("run", "--once")
    assert {letter["To"].addresses[0].addr_spec for letter in desk.posted()} == {
        "joerg@xn--bcher-kva.example",
        YANNICK,
    }


def test_who_is_first_and_the_deal_can_be_set_and_the_first_letters_say_so(desk: Desk) -> None:
    sample = sample_game()
    number = desk.new_game("--first", "YELLOW", "--deal", sample.deal)
    shown = desk.done("show", str(number), "--json").json
    assert shown["to_move"] == "yellow"
    desk.done("run", "--once")
    for letter in desk.posted():
        assert "set by the umpire" in re.sub(r"\s+", " ", text_of(letter)).lower()


WRONG = {
    "unknown rules": (["confusoin", *SEATS], ["confusoin", "confusion"]),
    "a seat missing": (["confusion", "--seat", f"white={WENDY}"], ["yellow"]),
    "an unknown seat": (["confusion", *SEATS, "--seat", "green=g@example.net"], ["green", "white", "yellow"]),
    "the same address twice": (
        ["confusion", "--seat", f"white={WENDY}", "--seat", f"yellow={WENDY.upper()}"],
        [WENDY, "two seats"],
    ),
    "a seat twice": (["confusion", *SEATS, "--seat", f"WHITE={YANNICK}"], ["twice"]),
    "an option twice": (["confusion", *SEATS, "--option", "sheets=on", "--option", "SHEETS=off"], ["twice"]),
    "no address": (["confusion", "--seat", "white=wendy", "--seat", f"yellow={YANNICK}"], ["wendy"]),
    "two addresses": (
        ["confusion", "--seat", f"white={WENDY}, other@example.net", "--seat", f"yellow={YANNICK}"],
        ["is no mail address", "other@example.net' is"],
    ),
    "no equals sign": (["confusion", "--seat", WENDY, "--seat", f"yellow={YANNICK}"], [WENDY, "--seat"]),
    "nobody there": (["confusion", *SEATS, "--first", "green"], ["green"]),
    "half a deal": (["confusion", *SEATS, "--deal", "White=A6 C8"], ["deal"]),
    "a deal twice": (
        ["confusion", *SEATS, "--deal", sample_game().deal.replace("C", "A", 1)],
        ["deal"],
    ),
    "an unknown option": (["confusion", *SEATS, "--option", "colour=red"], ["colour"]),
    "an option that is none": (["confusion", *SEATS, "--option", "sheets"], ["sheets", "--option"]),
    "a value that is none": (["confusion", *SEATS, "--option", "sheets=sometimes"], ["sheets"]),
    "a deal as an option": (["confusion", *SEATS, "--option", f"Deal={sample_game().deal}"], ["--deal"]),
    "who is first said twice": (
        ["confusion", *SEATS, "--first", "white", "--option", "first=yellow"],
        ["--first"],
    ),
    "an address that cannot be written to": (
        ["confusion", "--seat", "white=jörg@example.net", "--seat", f"yellow={YANNICK}"],
        ["jörg@example.net", "beyond ASCII before the @"],
    ),
    "the referee on a seat": (
        ["confusion", "--seat", f"white={REFEREE.upper()}", "--seat", f"yellow={YANNICK}"],
        ["umpires"],
    ),
    "the referee on a seat, with a tag": (
        ["confusion", "--seat", "white=referee+tag@example.org", "--seat", f"yellow={YANNICK}"],
        ["umpires"],
    ),
    "a name that misleads": (
        ["confusion", "--seat", f"white=The Referee <{WENDY}>", "--seat", f"yellow={YANNICK}"],
        ["The Referee"],
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_game_that_cannot_be_is_refused_in_a_sentence_and_nothing_is_kept(desk: Desk, wrong: str) -> None:
    words, named = WRONG[wrong]
    said = desk.do("new", *words)
    assert (said.status, said.out) == (2, "")
    assert said.err.startswith("referee: ")
    assert said.err.count("\n") == 1
    for name in named:
        assert name.lower() in said.err.lower(), said.err
    assert desk.done("games", "--json").json == []


# games, show, record


def test_games_are_listed_with_turn_and_who_is_to_move(desk: Desk) -> None:
    assert "no games" in desk.done("games").out
    desk.sample_game_begun()
    (game,) = desk.done("games", "--json").json
    assert {
        "game": 1,
        "rules": "confusion",
        "status": "playing",
        "turn": 1,
        "to_move": ["white"],
    }.items() <= game.items()
    assert re.search(
        r"1 +Confusion 1: Wendy - Yannick: playing, turn 1, white to move", desk.done("games").out
    )


def test_games_and_show_say_how_time_is_counted_and_what_the_clocks_show(desk: Desk) -> None:
    desk.done(
        "new", "confusion", *SEATS, "--first", "white", "--option", "time=3d/move", "--option", "lapse=soft"
    )
    desk.done("new", "confusion", *SEATS, "--first", "white")
    untimed, timed = desk.done("games", "--json").json
    assert timed["time"] == "3d/move" and (untimed["time"], untimed["deadline"]) == (None, None)
    until = datetime.fromisoformat(timed["deadline"]) - datetime.now(UTC)
    assert timedelta(days=2, hours=23) < until <= timedelta(days=3)
    assert (
        f"playing, 3d/move, turn 1, white to move, until {for_people(timed['deadline'])}"
        in desk.done("games").out
    )
    said = desk.done("show", "1").out
    assert "Time: 3 days a move; when it is used up, the opponent may claim the game\n" in said
    assert re.search(r"^Clock of White: no time used, 3 days left, until 20\S+ \S+ UTC$", said, re.MULTILINE)
    assert "Clock of Yellow: no time used, 3 days left\n" in said
    clocks = desk.done("show", "1", "--json").json["clocks"]
    assert (
        clocks["yellow"] == {"used": 0, "left": 3 * 86400, "deadline": None} and clocks["white"]["deadline"]
    )
    assert "You have until" in desk.done("show", "1", "--as", "white").out
    assert "White (Wendy) has until" in desk.done("show", "1", "--as", "yellow").out
    assert desk.done("show", "1", "--as", "white", "--json").json["deadline"]
    assert (
        "Clock of" not in desk.done("show", "2").out and desk.done("show", "2", "--json").json["clocks"] == {}
    )


def test_a_record_says_how_time_was_counted(desk: Desk) -> None:
    desk.done("new", "confusion", *SEATS, "--first", "white", "--option", "time=40d/10")
    for viewer in ("umpire", "white"):
        assert "Time = 40d/10\nLapse = hard\n" in desk.done("record", "1", "--as", viewer).out
    desk.done("new", "confusion", *SEATS, "--first", "white")
    assert "Time" not in desk.done("record", "2").out


def test_show_gives_a_seat_what_its_letters_give_it(desk: Desk) -> None:
    desk.sample_game_begun()
    shown = desk.done("show", "1", "--as", "White", "--json").json
    assert {
        "game", "rules", "seat", "number", "kind", "turn", "to_move", "status", "board", "z", "attempts",
        "opponent_types", "captured", "result",
    } <= set(shown)  # fmt: skip
    assert (shown["seat"], shown["to_move"], shown["status"], shown["z"]) == (
        "white",
        "white",
        "playing",
        [6, 6],
    )
    assert len(shown["board"]) == 24
    assert len(shown["opponent_types"]) == 12
    assert shown["own_types"] is None
    assert "Your move" in desk.done("show", "1", "--as", "white").out


def test_show_gives_the_umpire_everything(desk: Desk) -> None:
    desk.sample_game_begun()
    said = desk.done("show", "1")
    assert re.search(r"^White *= A\d", said.out, re.MULTILINE)
    assert re.search(r"^Yellow *= A\d", said.out, re.MULTILINE)
    assert desk.done("show", "1", "--as", "umpire").out == said.out


@pytest.mark.parametrize(("late", "told"), [("1", "1 turn late"), ("2", "2 turns late")])
def test_show_gives_the_umpire_what_is_agreed_who_watches_and_what_is_proposed(
    desk: Desk, late: str, told: str
) -> None:
    desk.done(
        "new", "confusion", "--seat", f"white={WENDY}", "--seat", f"yellow={YANNICK}",
        "--option", f"watchers={late}", "--option", "press=anonymous",
    )  # fmt: skip
    desk.put(write_mail("register Olga", sender="olga@example.net"), "1")
    desk.put(write_mail("watch 1", sender="olga@example.net"), "2")
    desk.put(write_mail("agree yellow", sender=WENDY), "3")
    desk.done("run", "--once")
    said = desk.done("show", "1").out.splitlines()
    assert f"Options: press=anonymous, watchers={late}" in said
    assert "Proposed by White: that Yellow has won" in said
    assert f"Watched by: Olga ({told})" in said
    shown = desk.done("show", "1", "--json").json
    assert shown["options"] == {"press": "anonymous", "watchers": late}
    assert shown["offer"] == {"by": "white", "end": "yellow"}
    assert shown["watchers"] == [{"name": "Olga", "late": int(late)}]


@pytest.mark.parametrize("command", ["show", "record"])
def test_an_unknown_viewer_or_game_is_named(desk: Desk, command: str) -> None:
    desk.new_game()
    viewer = desk.do(command, "1", "--as", "green")
    assert (viewer.status, viewer.out) == (2, "")
    assert "green" in viewer.err
    assert "white, yellow, umpire" in viewer.err
    game = desk.do(command, "7", "--json")
    assert (game.status, game.out) == (2, "")
    assert "no game 7" in game.err


def swap_white(deal: str) -> str:
    """Return a deal in which two of White's pieces have changed their types."""
    return re.sub(r"(White=.*?A)(\d+)( .*?C)(\d+)", r"\g<1>\4\g<3>\2", deal)


@pytest.mark.parametrize("command", ["show", "show --json", "record", "record --json"])
def test_before_the_end_a_seat_never_sees_its_own_types(desk: Desk, tmp_path: Path, command: str) -> None:
    deal = sample_game().deal
    (tmp_path / "other").mkdir()
    other = Desk(tmp_path / "other")
    for each, dealt in ((desk, deal), (other, swap_white(deal))):
        each.new_game("--first", "white", "--deal", dealt)
    name, *more = command.split()
    umpires = [each.done("record", "1").out for each in (desk, other)]
    assert without_secrets(umpires[0]) != without_secrets(umpires[1])
    whites = [without_secrets(each.done(name, "1", "--as", "white", *more).out) for each in (desk, other)]
    assert whites[0] == whites[1]
    yellows = [without_secrets(each.done(name, "1", "--as", "yellow", *more).out) for each in (desk, other)]
    assert yellows[0] != yellows[1]


def test_a_seats_record_leaves_out_its_own_deal_and_holds_the_opponents(desk: Desk) -> None:
    desk.sample_game_begun()
    record = desk.done("record", "1", "--as", "white").out
    assert not re.search(r"^White *=", record, re.MULTILINE)
    assert re.search(r"^Yellow *= A\d", record, re.MULTILINE)


def test_the_umpires_record_replays(desk: Desk, tmp_path: Path) -> None:
    desk.sample_game_begun()
    desk.done("run", "--once")
    desk.put(answer(desk.last_to(WENDY), sample_game().moves["white"][0]))
    desk.done("run", "--once")
    record = tmp_path / "record.txt"
    record.write_text(desk.done("record", "1").out)
    said = desk.done("replay", record, "--json").json
    assert (said["consistent"], said["attempts"]) == (True, 1)


@pytest.mark.parametrize(("name", "magic"), [("board.png", b"\x89PNG"), ("board.svg", b"<svg")])
def test_the_board_can_be_had_as_a_picture(desk: Desk, tmp_path: Path, name: str, magic: bytes) -> None:
    desk.new_game()
    desk.done("show", "1", "--as", "yellow", "--picture", tmp_path / name)
    assert magic in (tmp_path / name).read_bytes()[:200]


def test_a_picture_that_cannot_be_is_an_error(desk: Desk, tmp_path: Path) -> None:
    desk.new_game()
    assert desk.do("show", "1", "--picture", tmp_path / "board.png").status == 2
    assert desk.do("show", "1", "--as", "white", "--picture", tmp_path / "board.gif").status == 2
    nowhere = desk.do("show", "1", "--as", "white", "--picture", tmp_path / "no" / "board.png")
    assert nowhere.status == 3
    assert nowhere.err.startswith("referee: ")


class Sketches(ConfusionSheets):
    """Pictures of sheets that can be told from the board's, where the game is played with sheets."""

    def picture(self, view: View, language: str = "en") -> bytes | None:
        return b"\x89PNG, what %s knows" % view.seat.encode() if view.sheets else None

    def svg(self, view: View) -> str | None:
        return f"<svg>what {view.seat} knows</svg>" if view.sheets else None


@pytest.fixture
def sketches(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("picture", "svg"):
        monkeypatch.setattr(ConfusionSheets, name, getattr(Sketches, name))


@pytest.mark.usefixtures("sketches")
@pytest.mark.parametrize(("name", "magic"), [("sheets.png", "\x89PNG, "), ("sheets.SVG", "<svg>")])
def test_the_sheets_can_be_had_as_a_picture(desk: Desk, tmp_path: Path, name: str, magic: str) -> None:
    desk.new_game()
    desk.done("show", "1", "--as", "yellow", "--sheets", tmp_path / name, "--picture", tmp_path / "board.png")
    assert (tmp_path / name).read_bytes().startswith(f"{magic}what yellow knows".encode("latin-1"))
    assert b"knows" not in (tmp_path / "board.png").read_bytes()


@pytest.mark.usefixtures("sketches")
def test_sheets_that_cannot_be_drawn_are_an_error_in_clear_words(desk: Desk, tmp_path: Path) -> None:
    desk.new_game()
    desk.new_game("--option", "sheets=off")
    path = tmp_path / "sheets.png"
    for words, said in (
        (("1",), "with --as COLOUR"),
        (("1", "--as", "umpire"), "with --as COLOUR"),
        (("2", "--as", "white"), "game 2 is played without deduction sheets"),
    ):
        refused = desk.do("show", *words, "--sheets", path)
        assert (refused.status, refused.out) == (2, "")
        assert said in refused.err
    assert desk.do("show", "1", "--as", "white", "--sheets", tmp_path / "sheets.gif").status == 2
    assert not path.exists()


def test_show_gives_programs_both_sheets_unless_the_game_is_played_without(desk: Desk) -> None:
    desk.new_game()
    desk.new_game("--option", "sheets=off")
    keys = {"mine", "theirs", "assignments", "shares"}
    assert keys <= set(desk.done("show", "1", "--as", "white", "--json").json)
    assert not keys & set(desk.done("show", "2", "--as", "white", "--json").json)


# replay


def test_the_sample_record_replays_to_whites_win() -> None:
    said = type_words("replay", str(SAMPLE), "--json")
    assert said.status == 0
    replayed = said.json
    assert replayed["consistent"] is True
    assert replayed["errors"] == []
    assert replayed["attempts"] == 76
    assert replayed["result"]["winner"] == "white"
    assert replayed["z"] == [6, 1]
    assert {"board", "z"} <= set(replayed)
    assert replayed["assignments"] == {"white": 480, "yellow": 552}
    assert replayed["sheets"]["white"]["H"] == [10, 11]
    assert list(replayed["sheets"]["yellow"]) == list("ACEHKLNOPSTV")
    words = type_words("replay", str(SAMPLE))
    assert words.status == 0
    assert words.out.startswith("consistent: 76 attempts, White wins")


def as_printed() -> str:
    text = SAMPLE.read_text(encoding="utf-8")
    for ours, theirs in PRINTED.items():
        assert ours in text
        text = text.replace(ours, theirs)
    return text


def test_the_record_as_printed_stops_at_row_4(tmp_path: Path) -> None:
    path = tmp_path / "printed.txt"
    path.write_text(as_printed(), encoding="utf-8")
    said = type_words("replay", str(path))
    assert said.status == 1
    assert said.out.startswith("row 4 White L-S4xA: ")
    assert said.out.count("\n") == 1
    replayed = type_words("replay", str(path), "--json")
    assert replayed.status == 1
    assert replayed.json["consistent"] is False
    (error,) = replayed.json["errors"]
    assert (error["row"], error["seat"], error["text"]) == (4, "white", "L-S4xA")
    assert len(error["reason"]) > 20


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("line_end", telling(["\r\n"], others=["\n"]))
def test_a_record_replays_whatever_program_wrote_it(tmp_path: Path, encoding: str, line_end: str) -> None:
    """Windows' programs write their own encodings and line ends, and put long dashes and crosses in."""
    path = tmp_path / "record.txt"
    head, rows = SAMPLE.read_text(encoding="utf-8").split("\n1.", 1)
    text = (
        f"{head}\n1.{rows}".replace("-", "–").replace("x", "×")
        if encoding != "utf-8"
        else f"{head}\n1.{rows}"
    )
    text = f"{head}\n1." + text.split("\n1.", 1)[1]
    path.write_bytes(text.replace("\n", line_end).encode(encoding))
    said = type_words("replay", str(path), "--json")
    assert said.status == 0, said.json["errors"]
    assert said.json["attempts"] == 76


def test_what_is_no_record_is_told_so(tmp_path: Path) -> None:
    for content in (b"", b"hello\n", bytes(range(256)), SAMPLE.read_bytes()[:400]):
        path = tmp_path / "odd"
        path.write_bytes(content)
        said = type_words("replay", str(path))
        assert said.status in (0, 1)
        assert said.out.strip()
    assert type_words("replay", str(SAMPLE), "--rules", "cofusion").status == 2


def test_replay_and_read_need_no_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("REFEREE_")]:
        monkeypatch.delenv(name)
    assert type_words("replay", str(SAMPLE)).status == 0
    letter = tmp_path / "letter.eml"
    letter.write_bytes(write_mail("V-NW2xZ", sender="anna@example.net"))
    said = type_words("read", str(letter), "--json")
    assert said.status == 0
    assert said.json["commands"] == ["V-NW2xZ"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["letter.eml"]


def test_read_names_what_of_a_battle_cannot_be_read_and_what_is_not_of_its_frame(tmp_path: Path) -> None:
    """E2: as the desk does it."""
    letter = tmp_path / "letter.eml"
    lines = (
        "MV RC1 A20",
        "GAME CC1 TURN 1 RED",
        "MV RI1 A20",
        "RI2 F20",
        "I think RI2 is lost",
        "END",
        "MV RI3 A20",
    )
    letter.write_bytes(write_mail("\n".join(lines), sender="anna@example.net"))
    said = type_words("read", str(letter), "--rules", "cards", "--json").json
    assert said["commands"] == ["MV RI1 A20"]
    assert said["passed_over"] == ["GAME CC1 TURN 1 RED", "I think RI2 is lost", "END"]
    named = sorted(fault.split(":")[0] for fault in said["faults"])
    assert named == [
        "Line 1, column 1, `MV RC1 A20`",
        "Line 4, column 1, `RI2`",
        "Line 7, column 1, `MV RI3 A20`",
    ]


def test_replay_tells_both_sheets_as_of_a_row() -> None:
    said = type_words("replay", str(SAMPLE), "--sheets", "8")
    assert said.status == 0
    assert said.out.startswith("consistent: 76 attempts, White wins")
    assert (
        "\nWHITE'S SHEET AFTER ROW 8\n1,088,640 deals agree with all answers.\n\n A  . 2 3 . 5 6 7"
        in said.out
    )
    assert "\n(L) 1 Rocket\n" in said.out
    assert "\n(A), H, K, L, N, O, P, S, T: anything still.\n" in said.out
    assert max(map(len, said.out.split("SHEET", 1)[1].splitlines()[2:])) <= 44
    told = type_words("replay", str(SAMPLE), "--sheets", "8", "--json").json
    assert told["assignments"] == {"white": 1088640, "yellow": 32659200}
    assert told["sheets"]["white"]["V"] == [4]
    start = type_words("replay", str(SAMPLE), "--sheets", "0")
    assert "YELLOW'S SHEET AT THE START\n479,001,600 deals agree" in start.out
    late = type_words("replay", str(SAMPLE), "--sheets", "40")
    assert (late.status, late.out) == (2, "")
    assert "the record has 39 rows" in late.err


def test_sheets_of_a_record_that_breaks_off_are_those_of_its_last_row() -> None:
    said = type_words("replay", str(AS_PRINTED), "--sheets", "20")
    assert said.status == 1
    assert said.out.startswith("row 4 White L-S4xA: there is nothing to capture")
    assert "WHITE'S SHEET AFTER ROW 4" in said.out


def test_replay_takes_another_table(tmp_path: Path) -> None:
    table = SAMPLE.with_name("table.toml")
    assert type_words("replay", str(SAMPLE), "--table", str(table)).status == 0
    broken = tmp_path / "table.toml"
    broken.write_text("nonsense = 1\n")
    said = type_words("replay", str(SAMPLE), "--table", str(broken))
    assert (said.status, said.out) == (2, "")
    assert said.err.startswith("referee: ")


# read, letters, run --once


READ = {
    "a move": (write_mail("V-NW2xZ\n\nSent from my phone", sender="anna@example.net"), "commands", True),
    "an auto-reply": (
        write_mail("away", sender="anna@example.net", Auto_Submitted="auto-replied"),
        "ignored",
        True,
    ),
    "prose": (write_mail("What a lovely day it is today", sender="anna@example.net"), "nothing", True),
    "no sender": (write_mail("V-NW2", sender="anna@example.net, bert@example.net"), "refused", False),
    "a forgery": (write_mail("V-NW2", sender="anna@example.net", domain="evil.example"), "refused", False),
    "a bounce": (write_mail("no such user", sender="MAILER-DAEMON@example.net"), "bounce", True),
    "no more than a subject": (b"Subject: hello\n\nhello\n", "refused", False),
}


@pytest.mark.parametrize("what", READ)
def test_read_shows_what_the_desk_reads_in_a_letter(desk: Desk, what: str) -> None:
    content, outcome, verified = READ[what]
    path = desk.folder / "letter.eml"
    path.write_bytes(content)
    said = desk.done("read", path, "--json").json
    assert {"sender", "verified", "outcome", "reason", "commands", "passed_over"} <= set(said)
    assert (said["outcome"], said["verified"]) == (outcome, verified)
    if what == "a move":
        assert said == {
            "sender": "anna@example.net",
            "verified": True,
            "outcome": "commands",
            "reason": "",
            "commands": ["V-NW2xZ"],
            "passed_over": ["Sent from my phone"],
        }
    else:
        assert said["reason"]
    first, *_ = desk.done("read", path).out.splitlines()
    assert first.endswith(f", language en: {outcome}")
    assert f", sender {'verified' if verified else 'not verified'}, " in first
    assert not desk.database.exists()


def test_read_says_of_a_sender_who_is_believed_that_nobody_verified_them(desk: Desk) -> None:
    path = desk.folder / "letter.eml"
    path.write_bytes(READ["a move"][0])
    desk.environ = {"REFEREE_TRUST__SENDER": "header"}
    out = desk.done("read", path).out
    assert "from anna@example.net, sender believed from its From header, " in out and "verified" not in out


@pytest.mark.parametrize("settings", ["with settings", "without settings"])
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"hello\n",
        SAMPLE.read_bytes(),
        b"\x89PNG\r\n\x1a\n\0\0",
        b'{"from": 1}',
        b"<html>\r<p>From: a</p>\rTo: b",
    ],
)
def test_read_says_of_what_is_no_letter_that_it_is_none(desk: Desk, content: bytes, settings: str) -> None:
    path = desk.folder / "file"
    path.write_bytes(content)
    for more in ((), ("--json",)):
        said = (desk.do if settings == "with settings" else type_words)("read", str(path), *more)
        assert (said.status, said.out) == (2, "")
        assert f"{path}: this is no letter" in said.err


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_a_letter_whose_service_has_no_address_yet_is_not_its_own(tmp_path: Path, end: bytes) -> None:
    path = tmp_path / "letter.eml"
    path.write_bytes(b"Subject: hello\n\nA-S1\n".replace(b"\n", end))
    assert type_words("read", str(path), "--json").json["outcome"] == "refused"


def test_read_reads_the_words_of_the_language_that_is_said_and_says_which_it_is(desk: Desk) -> None:
    path = desk.folder / "letter.eml"
    path.write_bytes(write_mail("abandonner\nstatus", sender="anna@example.net"))
    for words, language, commands in (
        ((), "en", ["status"]),
        (("--language", "fr"), "fr", ["resign", "status"]),
    ):
        assert desk.done("read", path, "--json", *words).json["commands"] == commands
        assert f", language {language}: commands" in desk.done("read", path, *words).out
    desk.write_settings(desk.config.read_text().replace("[service]", '[service]\nlanguage = "fr"'))
    assert desk.done("read", path, "--json").json["commands"] == ["resign", "status"]
    assert desk.do("read", path, "--language", "xx").status == 2


def test_read_names_faults_in_the_order_of_their_lines_and_each_once(desk: Desk) -> None:
    """Whether a line is found wrong as a move, as a word or beside other commands."""
    lines = ("A-SS1", "set sheets gird", "V-NW99", "statsu", "Z-Z1")
    path = desk.folder / "letter.eml"
    for first in ((), ("status",)):
        path.write_bytes(write_mail("\n".join((*first, *lines)), sender="anna@example.net"))
        out = desk.done("read", path).out
        places = [int(number) for number in re.findall(r"fault +Line (\d+)", out)]
        assert places == list(range(1 + len(first), 1 + len(first) + len(lines)))
        assert [out.count(f"`{line}`") for line in ("A-SS1", "statsu")] == [1, 1], out


def test_run_once_takes_in_rules_and_posts_and_counts(desk: Desk) -> None:
    desk.sample_game_begun()
    assert desk.done("run", "--once", "--json").json == {
        "letters": 0, "refused": 0, "moves": 0, "sent": 2, "failures": 0,
    }  # fmt: skip
    move = sample_game().moves["white"][0]
    desk.put(answer(desk.last_to(WENDY), move))
    desk.put(answer(desk.last_to(YANNICK), "V-N99"))
    said = desk.done("run", "--once", "--json")
    assert said.json == {"letters": 2, "refused": 1, "moves": 1, "sent": 3, "failures": 0}
    assert "letter settled" in said.err
    again = desk.done("run", "--once", "--json")
    assert again.json == {"letters": 0, "refused": 0, "moves": 0, "sent": 0, "failures": 0}
    assert "0 letters" in desk.done("run", "--once").out


def test_json_goes_with_once_alone(desk: Desk) -> None:
    said = desk.do("run", "--json")
    assert (said.status, said.out) == (2, "")
    assert "--once" in said.err


def test_letters_are_listed_with_what_became_of_them(desk: Desk) -> None:
    desk.sample_game_begun()
    desk.done("run", "--once")
    move = sample_game().moves["white"][0]
    desk.put(answer(desk.last_to(WENDY), move), "1")
    desk.put(write_mail("away", sender=WENDY, Auto_Submitted="auto-replied"), "2")
    desk.put(write_mail("V-N1", sender=YANNICK, domain="evil.example"), "3")
    desk.done("run", "--once")
    listed = desk.done("letters", "--json").json
    assert [each["number"] for each in listed] == [1, 2, 3]
    for each in listed:
        assert set(each) == {"number", "received", "sender", "game", "outcome", "reason", "commands"}
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", each["received"])
    assert [(each["outcome"], each["sender"], each["game"], each["commands"]) for each in listed] == [
        ("ruled", WENDY, 1, [move]),
        ("ignored", WENDY, None, []),
        ("held", YANNICK, 1, ["V-N1"]),
    ]
    assert [each["number"] for each in desk.done("letters", "--outcome", "held", "--json").json] == [3]
    assert len(desk.done("letters").out.splitlines()) == 3
    with open_application(load(desk.config, {})) as application:
        mailbox = MaildirMailbox(desk.folder / "mail" / "in")
        desk.put(write_mail("status", sender=WENDY), "4")
        application.referee.letters.take_in(mailbox.unread())
    assert desk.done("letters").out.splitlines()[-1].endswith("  (not read yet)")
    wrong = desk.do("letters", "--outcome", "lost")
    assert wrong.status == 2
    assert "ruled, answered, ignored, held, bounce, set-aside" in wrong.err


def test_backup_copies_and_overwrites_nothing(desk: Desk) -> None:
    desk.new_game()
    copy = desk.folder / "copy.db"
    said = desk.done("backup", copy)
    assert said.out == ""
    elsewhere = Desk(desk.folder, desk.settings.replace("referee.db", "copy.db"))
    assert len(elsewhere.done("games", "--json").json) == 1
    again = desk.do("backup", copy)
    assert again.status == 2
    assert "exists already" in again.err
    assert desk.do("backup", desk.folder / "no" / "copy.db").status == 3


def test_a_letter_set_has_its_report_as_json(desk: Desk) -> None:
    """What `show --as` prints is the part that programs get by letter."""
    desk.sample_game_begun()
    desk.done("run", "--once")
    desk.put(answer(desk.last_to(WENDY), "set reports json\nstatus"))
    desk.done("run", "--once")
    (part,) = [
        part
        for part in desk.last_to(WENDY).iter_attachments()
        if part.get_content_type() == "application/json"
    ]
    by_letter = json.loads(part.get_content())
    shown = desk.done("show", "1", "--as", "white", "--json").json
    beside: dict[str, list[str]] = {"press": [], "diary": [], "claims": [], "rulings": []}
    assert {**by_letter, "number": None, **beside} == {**shown, "number": None}


def test_an_outbox_that_is_closed_is_status_3_with_its_reason_and_loses_nothing(tmp_path: Path) -> None:
    desk = Desk(tmp_path, SERVICE + f'[inbox]\nkind = "maildir"\npath = "mail/in"\n{smtp(1)}')
    desk.new_game()
    said = desk.do("run", "--once", "--json")
    assert said.status == 3
    assert said.json["failures"] == 2
    assert re.search(r"^referee: .*127\.0\.0\.1:1 refuses connections", said.err, re.MULTILINE)
    desk.write_settings(SERVICE + '[inbox]\nkind = "maildir"\npath = "mail/in"\n' + MAILDIR_OUT)
    assert desk.done("run", "--once", "--json").json["sent"] == 2
