"""Games are looked for by player, event, dates, rules and result; the newest come first, and nobody who has left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from referee.cli.search import read_search
from referee.games.player_names import folded
from referee.games.tournaments.tournament import Competition
from referee.rulebooks.rulebook import Seat
from referee.service.bootstrap import Application
from referee.service.game_list import GameList, list_games
from referee.service.settings import Settings
from referee.service.tournaments import TournamentService
from referee.store.game_search import FEW, Search
from tests.support.operating import SEATS, Desk
from tests.support.playing import START, Club, furnish, new_database

pytestmark = pytest.mark.letters


def application(club: Club) -> Application:
    return Application(Settings(), club.service, club.store, club.clock)


def found(club: Club, most: int = 200, **wanted: Any) -> list[int]:
    """Return the numbers of the games that are found, the newest first."""
    with club.store.reading() as lookup:
        games, count = lookup.games.search(Search(**wanted), most)
    assert len(games) == min(count, most)
    return [each.number for each in games]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.servers)])
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Club]:
    """Games of every kind: 1 White (Zoë) wins, 2 draw, 3 no result, 4 goes on, 5 Zoë loses in the event, 6 proposed,
    7 declined, 8 goes on in the event, where Bert has given his seat to Carl."""
    if request.param == "sqlite":
        url = new_database(tmp_path)
    else:
        url = furnish(request.getfixturevalue("postgres_server").new_database())
    club = Club(url)
    zoe, bert = club.member("Zoë Müller", "zm@example.net"), club.member("Bert_1", "bert@example.com")
    TournamentService(club.store, club.service, club.clock).make(Competition("Cup", ("confusion",)))
    for end in ("white", "draw", "none", "", "yellow"):
        number = club.starts({"white": zoe, "yellow": bert}, event="Cup" if end == "yellow" else "")
        if end:
            club.referee.umpire.adjudicate(number, end, "It was agreed.")
        club.later(timedelta(days=20))
    zoe.writes("challenge Bert_1 confusion")
    club.member("Dora").writes("challenge Bert_1 confusion")
    bert.writes("decline 7")
    club.starts({"white": club.member("Dorian", "d@example.org"), "yellow": bert}, event="Cup")
    club.referee.umpire.replace_player(8, Seat("yellow"), ("Carl", "carl@example.net"), "He is ill.")
    yield club
    club.close()


def test_each_condition_finds_its_games_and_all_of_them_together(archive: Club) -> None:
    assert found(archive) == [8, 7, 6, 5, 4, 3, 2, 1]
    assert found(archive, competition=1) == [8, 5]
    assert found(archive, rules="confusion") == found(archive) and found(archive, rules="spies") == []
    assert found(archive, result="white") == [1] and found(archive, result="yellow") == [5]
    assert found(archive, result="draw") == [2] and found(archive, result="none") == [3]
    assert found(archive, result="playing") == [8, 4]
    day = START + timedelta(days=30)
    assert found(archive, since=day) == [8, 7, 6, 5, 4, 3] and found(archive, until=day) == [2, 1]
    assert found(archive, since=START, until=day, result="draw") == [2]
    assert found(archive, since=day, competition=1, player="zoe", result="yellow", rules="confusion") == [5]


def test_a_player_is_found_by_a_part_of_his_name_whatever_its_case_and_accents(archive: Club) -> None:
    for part in ("Zoë", "zoe", "ZOË M", "müller", "MULL", "e m"):
        assert found(archive, player=part) == [6, 5, 4, 3, 2, 1], part
    assert found(archive, player="dor") == [8], "of whom the other proposed a game that is none any more"
    assert found(archive, player="carl") == [8]
    assert found(archive, player="BERT_1") == [8, 6, 5, 4, 3, 2, 1], (
        "he has sat in game 8, and has declined 7"
    )
    for none in ("zoo", "%", "b_rt", "zm@", "muler", "White", "/"):
        assert found(archive, player=none) == [], none


def test_what_a_player_won_and_lost(archive: Club) -> None:
    assert found(archive, player="zoe", result="won") == [1] and found(
        archive, player="zoe", result="lost"
    ) == [5]
    assert found(archive, player="bert", result="won") == [5] and found(
        archive, player="bert", result="lost"
    ) == [1]
    assert found(archive, player="dorian", result="won") == []
    assert found(archive, player="zoe", result="draw") == [2]


def test_addresses_are_searched_for_the_operator_alone(archive: Club) -> None:
    assert found(archive, player="ZM@example", by_address=True) == [6, 5, 4, 3, 2, 1]
    assert found(archive, player="zm@example") == []
    archive.reader("zm@example.net").writes("set second zoe.m@elsewhere.example")
    assert found(archive, player="elsewhere", by_address=True) == [], (
        "an address that nobody has confirmed yet"
    )
    with archive.store.unit() as unit:
        unit.addresses.add(1, "second", "Zoe.M@elsewhere.example")
    assert found(archive, player="m@ELSEWHERE", by_address=True) == [6, 5, 4, 3, 2, 1]


def test_many_players_who_are_meant_are_found_as_few_are(
    archive: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted: Sequence[dict[str, Any]] = (
        {"player": "r"},
        {"player": "example", "by_address": True},
        {"player": "r", "result": "won"},
        {"player": "r", "result": "lost"},
        {"player": "or"},
        {"player": "r", "competition": 1},
    )
    few = [found(archive, **each) for each in wanted]
    assert FEW > 100
    monkeypatch.setattr("referee.store.game_search.FEW", 1)
    assert [found(archive, **each) for each in wanted] == few
    assert few[0] == [8, 6, 5, 4, 3, 2, 1] and few[4] == [8] and few[3] == [5, 1]


def test_whoever_has_left_is_found_by_nothing_while_his_games_stay(archive: Club) -> None:
    zoe = archive.reader("zm@example.net")
    zoe.writes("bye")
    zoe.replies("confirm")
    for part in ("zoe", "müller", "zm@", "example.net"):
        assert found(archive, player=part, by_address=True) in ([], [8]), part
    assert found(archive) == [8, 7, 6, 5, 4, 3, 2, 1]
    assert found(archive, player="bert", result="lost") == [1]


def test_a_new_name_is_searched_and_the_old_one_is_not(archive: Club) -> None:
    archive.person("Carl").writes("register Ørjan")
    assert found(archive, player="orjan") == [8] and found(archive, player="carl") == []


def test_the_newest_are_listed_and_the_others_are_counted(archive: Club) -> None:
    listed = list_games(application(archive), Search("zoe"), 2)
    assert ([each["game"] for each in listed.games], listed.left_out) == ([6, 5], 4)
    assert list_games(application(archive), Search("nobody")) == GameList([], 0)
    assert list_games(application(archive), event="cup").left_out == 0


def test_a_game_that_is_over_is_listed_from_its_row_as_its_events_have_it(archive: Club) -> None:
    """What is said of it does not change when its row knows nothing yet, as after an upgrade."""
    lines = list_games(application(archive)).games
    results = {each["game"]: each["result"] for each in lines}
    assert results[1] == {"winner": "white", "how": "adjudicated: It was agreed"}
    assert results[3] == {"winner": None, "how": "adjudicated: It was agreed", "void": True}
    assert (results[7], results[8]) == (None, None)
    with archive.store.connections.transaction(writing=True) as connection:
        connection.exec_driver_sql("UPDATE game SET outline = ''")
    assert list_games(application(archive)).games == lines


@pytest.mark.parametrize(
    ("written", "searched"),
    [
        ("Zoë Müller", "zoe muller"),
        ("ŁUKASZ", "lukasz"),
        ("  A   b ", "a b"),
        ("Weiß", "weiss"),
        ("Ωmega", "ωmega"),
    ],
)
def test_names_are_folded(written: str, searched: str) -> None:
    assert folded(written) == searched


# The command


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """Three games: 1 is over, in 3 Wendy plays another."""
    desk = Desk(tmp_path_factory.mktemp("desk"))
    desk.new_game()
    desk.new_game()
    desk.done("new", "confusion", SEATS[0], SEATS[1], "--seat", "yellow=Dora <dora@example.org>")
    desk.done("adjudicate", "1", "--winner", "white", "--reason", "It was agreed.")
    return desk


TODAY = datetime.now(UTC)
FOUND: dict[str, tuple[Sequence[str], list[int]]] = {
    "all": ((), [3, 2, 1]),
    "player": (("--player", "YANN"), [2, 1]),
    "address": (("--player", "dora@"), [3]),
    "won": (("--player", "wendy", "--result", "won"), [1]),
    "lost": (("--player", "wendy", "--result", "lost"), []),
    "white": (("--result", "White"), [1]),
    "playing": (("--result", "playing", "--rules", "confusion"), [3, 2]),
    "since": (("--since", f"{TODAY:%Y-%m}"), [3, 2, 1]),
    "until": (("--until", f"{TODAY.year + 1}"), [3, 2, 1]),
    "long ago": (("--until", "2020-02-29"), []),
    "some day": (("--since", "2999"), []),
}


@pytest.mark.parametrize("what", FOUND)
def test_the_command_finds_them(desk: Desk, what: str) -> None:
    words, numbers = FOUND[what]
    said = desk.done("games", *words, "--json")
    assert [each["game"] for each in said.json] == numbers and said.err == ""
    lines = desk.done("games", *words).out.splitlines()
    assert [line.split()[0] for line in lines] == ([str(each) for each in numbers] or ["No"])


def test_the_command_says_how_many_it_leaves_out(desk: Desk) -> None:
    said = desk.done("games", "--limit", "1", "--json")
    assert [each["game"] for each in said.json] == [3]
    assert said.err == "2 older games are left out; --limit lists more.\n"
    assert desk.done("games", "--limit", "2").err == "1 older game is left out; --limit lists more.\n"


WRONG: dict[str, Sequence[str]] = {
    "no day": ("--since", "soon"),
    "no such day": ("--since", "2026-02-30"),
    "no month": ("--until", "2026-13"),
    "no year": ("--until", "0000"),
    "turned round": ("--since", "2026-03-02", "--until", "2026-03-01"),
    "nobody": ("--player", " "),
    "whose": ("--result", "won"),
    "no result": ("--result", "green"),
    "no rules": ("--rules", "chess"),
    "late": ("--late", "--player", "wendy"),
    "late, limited": ("--late", "--limit", "5"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_looked_for_is_said(desk: Desk, what: str) -> None:
    said = desk.do("games", *WRONG[what])
    assert (said.status, said.out) == (2, "") and said.err.count("\n") >= 1


@pytest.mark.parametrize(
    ("said", "first", "after"),
    [
        ("2024-02-29", datetime(2024, 2, 29), datetime(2024, 3, 1)),  # noqa: DTZ001
        ("2026-12", datetime(2026, 12, 1), datetime(2027, 1, 1)),  # noqa: DTZ001
        ("2026-2", datetime(2026, 2, 1), datetime(2026, 3, 1)),  # noqa: DTZ001
        ("1999", datetime(1999, 1, 1), datetime(2000, 1, 1)),  # noqa: DTZ001
        ("2026-12-31", datetime(2026, 12, 31), datetime(2027, 1, 1)),  # noqa: DTZ001
    ],
)
def test_a_day_a_month_and_a_year_are_dates(said: str, first: datetime, after: datetime) -> None:
    read = read_search(None, said, said, None, None)
    assert (read.since, read.until) == (first.replace(tzinfo=UTC), after.replace(tzinfo=UTC))
