"""All games of an event in one file, and the file taken apart again."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from itertools import permutations
from pathlib import Path

import pytest

from referee.archive.event_records import join_records, split_records
from referee.archive.exports import records_of
from referee.cli.demo import sample_game
from referee.common.errors import UsageError
from referee.games.tournaments.tournament import Competition
from referee.rulebooks.catalogue import find_rulebook
from referee.service.bootstrap import Application
from referee.service.queries import write_record
from referee.service.settings import Settings
from referee.service.tournaments import TournamentService
from referee.store.tables import GAMES
from tests.support.operating import WENDY, Desk, answer
from tests.support.playing import Club, new_database
from tests.transcripts.shown import name_of
from tests.transcripts.stories import STORIES, Story

SAMPLE = Path(__file__).parents[2] / "referee" / "rulebooks" / "confusion" / "sample-game.txt"
LEAGUE = 'name = "Spring League"\n'
CONFUSION = find_rulebook("confusion")
BEGUN = "; Confusion. Directions are Yellow's.\nFirst  = White\nTable  = reconstructed\n    Yellow          White\n"
"""A record of a game in which nobody has moved."""
PLAYED = "; The sample game.\nFirst = White\n" + SAMPLE.read_text()
NOTED = PLAYED + "; What was written beside the moves:\n; turn 3, White, press:\n;   Result = a draw?\n"
BARE = "White = A1\nYellow = A2\n1.  -               A-S1\n"
"""Of another program, without comments and heading."""


def application(club: Club) -> Application:
    return Application(Settings(), club.service, club.store, club.clock)


@pytest.mark.parametrize(
    "records",
    [[], [NOTED], *permutations((BEGUN, NOTED, PLAYED)), [BARE, BARE, PLAYED, BEGUN, BEGUN]],
)
def test_records_come_back_from_their_file(records: Sequence[str]) -> None:
    text = "".join(join_records(records))
    assert split_records(text) == (list(records) or [""])
    assert not records or "".join(join_records(split_records(text))) == text
    assert (
        split_records(text.replace("\n", "\r\n"))
        == [each.replace("\n", "\r\n").rstrip("\r\n") + "\n" for each in records]
        or len(records) < 2
    )


def test_records_that_are_only_put_behind_each_other_come_apart_as_well() -> None:
    other = BARE.replace("White", "WhiteName").replace("Yellow", "Event")
    assert split_records(BARE + BARE + other) == [BARE, BARE, other]
    first, second = split_records(SAMPLE.read_text() + SAMPLE.read_text())
    assert CONFUSION.records.replay(first).consistent and CONFUSION.records.replay(second).consistent


@pytest.mark.parametrize(
    "text",
    [
        BARE + "Result = White wins\n",
        BARE + "Result = White wins\nWhite = A1\n; the deal, once more\n",
        "White = A1\nWhite = A2\n" + BARE,
        BARE + "; White = A1\n2.  A-S1\n",
        BARE + "Event = Cup\n2.  A-S1\n",
    ],
)
def test_one_record_stays_one_however_it_is_written(text: str) -> None:
    assert split_records(text) == [text]


@pytest.mark.telling("two-strangers")
@pytest.mark.parametrize("story", STORIES, ids=name_of)
def test_all_games_of_every_story_come_back_from_one_file(story: Story, tmp_path: Path) -> None:
    """Each is replayed as the one that is kept; press, diaries and what umpires did stay with their games."""
    club = Club(new_database(tmp_path))
    story(club)
    with club.store.reading() as lookup:
        begun = [row.number for row in lookup.games.all() if row.seats]
    records = [
        write_record(application(club), number, viewer)
        for number in begun
        for viewer in ("umpire", club.game(number).rulebook.seats[0])
    ]
    if begun:
        assert split_records("".join(join_records(records))) == records
    club.close()


def event(club: Club) -> dict[int, str]:
    """Three games of an event: one over, one that goes on, one that is only proposed. Return the records of two."""
    anna, bert, sample = club.member("Anna"), club.member("Bert"), sample_game()
    TournamentService(club.store, club.service, club.clock).make(Competition("Spring League", ("confusion",)))
    for _ in range(2):
        club.starts(
            {"white": anna, "yellow": bert}, first=sample.first, deal=sample.deal, event="Spring League"
        )
        club.starts({"white": anna, "yellow": bert})
    anna.replies("L-S2", "press 1. x = y", to=anna.last_about(1))
    club.referee.umpire.adjudicate(1, "white", "Bert is away = ill")
    return {number: write_record(application(club), number, "umpire") for number in (1, 3)}


def test_the_games_of_an_event_and_no_others_are_in_its_file(club: Club) -> None:
    records = event(club)
    assert dict(records_of(application(club), "spring league", "umpire")) == records
    assert dict(records_of(application(club), "Spring League", "umpire", over=True)) == {1: records[1]}
    for number, text in records_of(application(club), "Spring League", "white", bare=True):
        assert text == write_record(application(club), number, "white", bare=True)
        assert ("\nWhite  = " in text) == (number == 1), (
            "a deal that is hidden from its side is in its record"
        )
    with pytest.raises(UsageError, match="there is no event 'Cup'"):
        records_of(application(club), "Cup", "umpire")
    with pytest.raises(UsageError, match="has no game that has begun"):
        records_of(application(club), "Spring League", "umpire", rules="spies")


def test_one_file_is_in_one_notation(club: Club) -> None:
    records = event(club)
    with club.store.connections.transaction(writing=True) as connection:
        connection.execute(GAMES.update().where(GAMES.c.number == 3).values(rules="other"))
    with pytest.raises(UsageError, match="has games of confusion and other: say of which, with --rules"):
        records_of(application(club), "Spring League", "umpire")
    assert dict(records_of(application(club), "Spring League", "umpire", rules="confusion")) == {
        1: records[1]
    }


def league(desk: Desk) -> list[str]:
    """Play in an event: two games begin, in the first a move is made. Return their records."""
    (desk.folder / "league.toml").write_text(LEAGUE)
    desk.done("event", "new", desk.folder / "league.toml")
    sample = sample_game()
    for _ in range(2):
        desk.new_game("--first", sample.first, "--deal", sample.deal, "--event", "Spring League")
    desk.done("run", "--once")
    first = next(each for each in desk.posted() if WENDY in each["To"] and each["X-Referee-Game"] == "1")
    desk.put(answer(first, "L-S2"))
    desk.done("run", "--once")
    return [desk.done("record", number).out for number in ("1", "2")]


def test_the_command_writes_one_file_which_replay_reads_record_by_record(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    records = league(desk)
    said = desk.done("record", "--event", "spring league").out
    assert split_records(said) == records
    whole = desk.done("record", "--event", "Spring League", "--json").json
    assert whole == {
        "event": "Spring League",
        "games": [{"game": number, "record": text} for number, text in enumerate(records, 1)],
    }
    file = tmp_path / "league.txt"
    file.write_text(said)
    assert desk.done("replay", file).out == (
        "record 1, consistent: 1 attempt, not finished\nrecord 2, consistent: 0 attempts, not finished\n"
    )
    document = desk.done("replay", file, "--json").json
    assert document["consistent"] and [each["attempts"] for each in document["records"]] == [1, 0]
    assert (
        document["records"][1] == desk.done("replay", tmp_path / file_of(tmp_path, records[1]), "--json").json
    )
    file.write_text(said.replace("L-S2", "L-S9"))
    wrong = desk.do("replay", file)
    assert wrong.status == 1
    assert re.match(r"record 1, row 1 White L-S9: .*\nrecord 2, consistent: ", wrong.out)
    assert not desk.do("replay", file, "--json").json["consistent"]
    assert desk.do("replay", file, "--sheets", "1").status == 2


def file_of(folder: Path, text: str) -> str:
    (folder / "one.txt").write_text(text)
    return "one.txt"


@pytest.mark.parametrize(
    "words",
    [(), ("1", "--event", "Spring League"), ("1", "--over"), ("1", "--rules", "confusion"), ("--over",)],
)
def test_what_is_to_be_recorded_is_one_game_or_an_event(tmp_path: Path, words: Sequence[str]) -> None:
    desk = Desk(tmp_path)
    desk.new_game()
    said = desk.do("record", *words)
    assert (said.status, said.out) == (2, "") and said.err.startswith("referee: ")


def test_a_game_that_cannot_be_read_is_named_and_the_others_are_written(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    _, second = league(desk)
    with closing(sqlite3.connect(desk.database)) as database, database:
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f"DROP TRIGGER {name}")
        database.execute("UPDATE event SET kind = 'Unheard' WHERE game = 1")
    said = desk.do("record", "--event", "Spring League")
    assert (said.status, said.out) == (3, second)
    assert said.err.startswith("referee: what was kept of game 1 cannot be read")
