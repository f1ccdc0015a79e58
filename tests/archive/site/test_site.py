"""The archive as static pages: what they show, what they never show, and that only what has changed is written."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.archive.site import programs, publishing, stagers
from referee.archive.site.disk import Disk
from referee.archive.site.pages import LISTED, for_script
from referee.archive.verify import PROGRAMS, small_program, verify
from referee.common.errors import UsageError
from referee.games.game import Game, turn_for_all
from referee.games.tournaments.tournament import Competition
from referee.games.umpire_actions import Restore
from referee.rulebooks.catalogue import find_rulebook
from referee.rulebooks.confusion.notation import write_move
from referee.rulebooks.confusion.possible import possible_moves
from referee.rulebooks.rulebook import OBSERVER, Happening, Rulebook, Seat
from referee.rulebooks.stages.board import Stage
from referee.service.queries import write_record
from referee.service.tournaments import TournamentService
from tests.archive.site.made_up import (
    WHITE,
    YELLOW,
    application,
    many_games,
    play,
    published,
    sample_game_played,
)
from tests.games.played import random_game_played
from tests.secrecy.test_observers import drawn, other_deal, written
from tests.support.operating import SEATS, Desk
from tests.support.playing import Club, new_database
from tests.support.telling import telling
from tests.transcripts import stories, stories_of_cards, stories_of_spies

CONFUSION = find_rulebook("confusion")
Files = Mapping[str, bytes]


def stage(rulebook: Rulebook, happenings: Sequence[Happening], *, over: bool) -> Stage:
    """Return a game as its page plays it."""
    found = stagers.stage_of(rulebook, happenings, over=over)
    assert isinstance(found, Stage)
    return found


def files_of(folder: Path) -> Files:
    """Return all files of a folder with their bytes."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def event(club: Club, name: str, watchers: str) -> str:
    TournamentService(club.store, club.service, club.clock).make(
        Competition(name, ("confusion", "spies"), watchers=watchers)
    )
    return name


def stage_of(page: bytes) -> Any:
    """Return what the script of a game's page plays."""
    (block,) = re.findall(rb'<script type="application/json" id="game">(.*?)</script>', page)
    return json.loads(block)


# what the pages play is what the rules say


def frames_against_views(game: Game) -> None:
    """Hold what every pair of eyes sees after every step against the rulebook's own views."""
    rulebook, whole = game.rulebook, stage(game.rulebook, game.happenings, over=True)
    for seat in rulebook.seats:
        eyes = next(each for each in whole.eyes if each.name == seat)
        for count, frame in zip(
            _ends_of_steps(rulebook.rules.standing(game.happenings)), eyes.frames, strict=True
        ):
            heard = [
                each for each in rulebook.rules.standing(game.happenings)[:count] if seat in each.heard_by
            ]
            data = rulebook.presentation.data(rulebook.rules.view(heard, seat))
            types = {data_side: data["opponent_types"] for data_side in rulebook.seats if data_side != seat}
            types[seat] = data["own_types"] or data.get("confided", {}).get("shown", {})
            for (side, letter), number in zip(whole.pieces, frame.types, strict=True):
                unmasked = data.get("unmasked", {}).get(side) == letter
                assert number == (13 if unmasked else types[Seat(side)].get(letter, 0))
            if rulebook.sealed is None:
                board = {(each["seat"], each["letter"]): each["square"] for each in data["board"]}
                places = {
                    piece: where.rstrip("+") for piece, where in zip(whole.pieces, frame.pieces, strict=True)
                }
                assert {piece: where for piece, where in places.items() if where != "x"} == {
                    piece: "{},{}".format(*square) for piece, square in board.items()
                }
                assert frame.z == "{},{}".format(*data["z"])
            for side, sheet in zip(whole.sides, frame.sheets, strict=True):
                whose = "mine" if side == seat else "theirs"
                assert sheet.assignments == data["assignments"][whose]
                said = {
                    letter: list(sheet.numbers(place)) for place, letter in enumerate(whole.letters(side))
                }
                assert said == data[whose]


_STEPS = ("began", "attempted", "passed", "ended", "sealed", "lapsed", "set-up")
_BEFORE_A_TURN = ("answering", "intended", "shown")


def _ends_of_steps(standing: Iterable[Happening]) -> list[int]:
    """Return how many happenings there had been at the end of each step: when the next one began, or something was said
    for it."""
    ends: list[int] = []
    going = False
    codes = [each.code for each in standing]
    for count, code in enumerate(codes):
        if going and code in (*_STEPS, *_BEFORE_A_TURN):
            ends.append(count)
        going = code in _STEPS or (going and code not in _BEFORE_A_TURN)
    return [*ends, len(codes)]


@pytest.mark.telling(seed=[1])
@pytest.mark.parametrize("seed", telling(range(4), others=range(4, 40)))
def test_every_eye_sees_in_every_step_what_its_view_holds_in_confusion(seed: int) -> None:
    frames_against_views(random_game_played(seed, taken_back=0.1 if seed % 4 == 1 else 0).game)


SPIES = [
    stories_of_spies.a_whole_game_of_spies,
    stories_of_spies.double_agents_are_unmasked,
    stories_of_spies.the_token_reveal,
    stories_of_spies.a_sealed_game_that_is_taken_back,
    stories_of_spies.by_the_code_of_honour,
    stories_of_spies.a_small_world,
    stories_of_spies.resigning_while_a_turn_is_sealed,
    stories_of_spies.the_opponent_s_double_agent_is_removed,
]


@pytest.mark.parametrize("story", SPIES, ids=lambda story: story.__name__)
def test_every_eye_sees_in_every_step_what_its_view_holds_in_spies(club: Club, story: Any) -> None:
    story(club)
    number = 1
    if club.game(number).status == "playing":
        club.referee.umpire.adjudicate(number, "draw", "It is late.")
    frames_against_views(club.game(number))


@pytest.mark.slow
def test_the_board_is_the_rules_board_row_by_row() -> None:
    game = random_game_played(3).game
    whole = stage(CONFUSION, game.happenings, over=True)
    record = CONFUSION.records.write(game.happenings, {}, None)
    lines = record.splitlines()
    rows = [place for place, line in enumerate(lines) if re.match(r"\d+\.", line)]
    ended = [line for line in lines if not line.startswith("Result")]
    for row, place in enumerate(rows[:-1], 1):
        said = CONFUSION.records.replay("\n".join(ended[: place - 1 + 1]))
        last = max(number for number, step in enumerate(whole.steps) if step.turn == row)
        frame = whole.eyes[0].frames[last]
        assert frame.z == "{},{}".format(*said.summary["z"])
        board = {(each["seat"], each["letter"]): each["square"] for each in said.summary["board"]}
        for piece, where in zip(whole.pieces, frame.pieces, strict=True):
            square = board.get(piece)
            assert where.rstrip("+") == ("{},{}".format(*square) if square else "x")
    assert len(rows) > 5


def test_what_was_taken_back_is_told_beside_the_moves_that_stand(club: Club, tmp_path: Path) -> None:
    stories.a_game_that_is_taken_back(club)
    club.referee.umpire.adjudicate(1, "white", "Agreed.")
    published(club, tmp_path / "site")
    page = (tmp_path / "site" / "games" / "1.html").read_text()
    assert "Taken back to turn 2 of White: White’s letter" in page.replace("&#39;", "’")
    told = re.search(r'Tried before that:</p>\s*<ul class="tried">\s*(.*?)</ul>', page, re.DOTALL)
    assert told and re.sub(r"<.*?>", "", told[1]).split("\n") == ["2. L-S1", "3. A-N1", ""]
    assert [step[0] for step in stage_of(page.encode())["steps"]][:4] == ["start", "1w", "2y", "2w"]


def test_press_of_a_turn_that_was_taken_back_says_so(club: Club, tmp_path: Path) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    number = club.starts({"white": anna, "yellow": bert}, first="white")
    anna.writes(f"{number}: press all Before.")
    play(club, number, ["L-S1", "A-N1", "A-S1"])
    bert.writes(f"{number}: press all In between.")
    club.clock.at += timedelta(hours=1)
    club.referee.umpire.take_back(number, 1, "A slip.")
    club.clock.at += timedelta(hours=1)
    anna.writes(f"{number}: press all Behind it.")
    club.referee.umpire.adjudicate(number, "white", "Agreed.")
    published(club, tmp_path / "site")
    page = (tmp_path / "site" / "games" / f"{number}.html").read_text()
    told = re.findall(r"<h3>(.*?) <time.*?<p dir=\"auto\">(.*?)</p>", page, re.DOTALL)
    assert told == [
        ("Turn 1 (taken back), White: press", "Before."),
        ("Turn 3 (taken back), Yellow: press", "In between."),
        ("Turn 1, White: press", "Behind it."),
    ]


def turn_of(game: Game) -> int:
    return turn_for_all(game.rulebook, game.rulebook.rules.standing(game.happenings))


@pytest.mark.story
@pytest.mark.parametrize("seed", telling(range(5), others=range(5, 24)))
def test_press_goes_with_the_turns_that_are_taken_back_and_comes_again_with_them(
    club: Club, tmp_path: Path, seed: int
) -> None:
    """However often a game is taken back and put back: here it is kept by what each act says that it does."""
    random, players = Random(seed), {"white": club.member("Anna"), "yellow": club.member("Bert")}
    number = club.starts(players, first="white")
    notes: list[tuple[int, Seat, str]] = []
    gone: list[set[str]] = []  # with each return; empty again where that was put back
    put_back = 0
    acts = random.choices(("play", "back", "restore"), (2, 1, 2), k=random.choice((1, 12)))
    for act in "play", "play", "back", "restore", *acts:
        club.clock.at += timedelta(hours=random.choice((0, 1)))
        game = club.game(number)
        if act == "play":
            for _ in range(random.randint(1, 4)):
                (seat,) = (game := club.game(number)).due
                notes.append((turn_of(game), random.choice((WHITE, YELLOW)), f"Note {len(notes)}."))
                club.clock.at += timedelta(hours=6)  # there is only so much press a day
                players[notes[-1][1]].writes(f"{number}: press all {notes[-1][2]}")
                club.clock.at += timedelta(minutes=1)
                moves = list(possible_moves(game.position.board, seat))
                play(club, number, [write_move(random.choice(moves))])
            continue
        # Where what was put back last stands already, or there is nothing to be taken back, nothing is done.
        with contextlib.suppress(UsageError):
            if act == "back":
                turn = random.randint(1, max(1, turn_of(game) - 1))
                club.referee.umpire.take_back(number, turn, "A slip.")
            else:
                club.referee.umpire.act(number, Restore(), "It was none.")
            after = club.game(number)
            for made in after.branches[len(game.branches) :]:
                turn, first = made.back.turn, made.back.seat
                away = set().union(*gone)
                gone.append(
                    {text for n, seat, text in notes if n > turn or (n, seat) == (turn, first)} - away
                )
            if act == "restore":
                gone[-1 if len(after.branches) == len(game.branches) else -2] = set()
                put_back += 1
    club.referee.umpire.adjudicate(number, "white", "Agreed.")
    published(club, tmp_path / "site")
    page = (tmp_path / "site" / "games" / f"{number}.html").read_text()
    told = re.findall(
        r"<h3>Turn (\d+)( \(taken back\))?, \w+: press.*?<p dir=\"auto\">(.*?)</p>", page, re.DOTALL
    )
    away = set().union(*gone)
    assert told == [(str(turn), " (taken back)" if text in away else "", text) for turn, _, text in notes]
    assert put_back


def test_a_player_s_page_counts_every_game(club: Club, tmp_path: Path) -> None:
    name = event(club, "Open Cup", "on")
    for attempts in (None, 9):
        sample_game_played(club, attempts=attempts, event=name)
    number = sample_game_played(club, attempts=5)
    club.referee.umpire.adjudicate(number, "none", "Nobody came.")
    published(club, tmp_path / "site")
    for page in (tmp_path / "site" / "players").iterdir():
        assert re.search(
            r"3 games: [01] won, 0 drawn, [01] lost, 1 without a result, 1 being played\.", page.read_text()
        )


def test_spies_are_called_spies(club: Club, tmp_path: Path) -> None:
    sample_game_played(club)
    stories_of_spies.a_whole_game_of_spies(club)
    published(club, tmp_path / "site")
    confusion, spies = ((tmp_path / "site" / "games" / f"{number}.html").read_text() for number in (1, 2))
    assert "’s pieces: " in confusion and "’s spies: " in spies and "’s pieces: " not in spies


# games that are being played


def test_nothing_of_a_game_that_is_being_played_is_there_unless_its_event_lets_others_watch(
    club: Club, tmp_path: Path
) -> None:
    """Not even who plays it, or that there is an event; whatever its players have agreed on."""
    event(club, "Closed Cup", "off")
    event(club, "Open Cup", "on")
    nora, otto = club.member("Nora"), club.member("Otto")
    number = club.starts({"white": nora, "yellow": otto}, event="Closed Cup")
    club.starts({"white": nora, "yellow": otto}, watchers="on")
    nora.writes("challenge Otto confusion")
    play(club, number, ["L-S2"] if "white" in club.game(number).due else ["L-N2"])
    published(club, tmp_path / "one")
    files = files_of(tmp_path / "one")
    assert {*files} == {
        ".referee-site.json",
        "index.html",
        "players.html",
        "events.html",
        "site.css",
        "site.js",
        "downloads/verify_game.py",
        "downloads/verify_spies.py",
    }
    for name, content in files.items():
        for word in (b"Nora", b"Otto", b"Closed", b"Open Cup", b"games/1", b"games/2"):
            assert word not in content, (name, word)
    sample_game_played(club, ("Nora", "Otto"), attempts=9, event="Open Cup")
    assert published(club, tmp_path / "two").playing == 1
    assert not (tmp_path / "two" / "games" / "1.html").exists()


@pytest.mark.parametrize(("watchers", "late"), [("on", 1), ("1", 1), ("3", 3)])
def test_a_game_that_its_event_has_opened_shows_the_board_alone_and_late(
    club: Club, tmp_path: Path, watchers: str, late: int
) -> None:
    """As whoever watches that late sees it: no types, no sheets, no record, no press; never sooner than a turn late."""
    name = event(club, "Open Cup", watchers)
    number = sample_game_played(club, attempts=31, event=name)
    anna = club.person("Wendy", "wendy@example.net")
    anna.writes(f"press {number} all Look at this.")
    anna.writes(f"diary {number} L is the Rocket.")
    site = tmp_path / "site"
    published(club, site)
    page = (site / "games" / f"{number}.html").read_bytes()
    told = stage_of(page)
    assert f"shown {late} turn".encode() in page
    (eyes,) = told["eyes"]
    assert eyes["name"] == OBSERVER and {len(frame) for frame in eyes["frames"]} == {2}
    assert {told["pool"][types] for _, types in eyes["frames"]} == {" ".join(["0"] * 24)}
    assert max(turn for _, turn, _, _ in told["steps"]) == 16 - late, "turn 17 is being played"
    game = club.game(number)
    view = CONFUSION.rules.view(game.heard_late(late), OBSERVER)
    board = {
        (each["seat"], each["letter"]): each["square"] for each in CONFUSION.presentation.data(view)["board"]
    }
    _, *where = told["pool"][eyes["frames"][-1][0]].split()
    pieces = [
        (side, letter)
        for side, letters in zip(told["sides"], told["letters"], strict=True)
        for letter in letters
    ]
    assert {
        piece: [*map(int, at.split(","))] for piece, at in zip(pieces, where, strict=True) if "," in at
    } == board
    assert [path.name for path in (site / "games").iterdir()] == [f"{number}.html"]
    for content in files_of(site).values():
        assert b"Look at this" not in content and b"Rocket." not in content and b"deals left" not in content


def test_an_event_that_lets_nobody_watch_any_more_takes_its_games_back(club: Club, tmp_path: Path) -> None:
    name = event(club, "Open Cup", "1")
    sample_game_played(club, attempts=9, event=name)
    assert published(club, tmp_path / "site").playing == 1
    closed = Competition(name, ("confusion", "spies"), watchers="off")
    TournamentService(club.store, club.service, club.clock).change(name, closed, "The players asked for it.")
    said = published(club, tmp_path / "site")
    assert (said.games, said.playing) == (0, 0) and not list((tmp_path / "site" / "games").iterdir())


def hidden_in(database: Path) -> set[str]:
    """Return what nobody may read on a page, wherever it is kept: secrets and keys, reply tags, addresses."""
    found: set[str] = set()
    with contextlib.closing(sqlite3.connect(database)) as connection:
        for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for value in (value for row in connection.execute(f'SELECT * FROM "{table}"') for value in row):
                if isinstance(value, bytes) and len(value) == 32:
                    found.add(value.hex())
                elif isinstance(value, str):
                    found.update(re.findall(r"\b[0-9a-f]{64}\b|\b[a-z0-9]{20}\b|[\w.+-]+@[\w.-]+", value))
    return found


@pytest.mark.story
def test_of_games_of_all_rules_that_are_shown_while_they_are_played_nothing_hidden_is_in_any_file(
    tmp_path: Path,
) -> None:
    """Not before a game is taken back, nor then, nor when it is put back, nor once nobody is let watch any more; though
    whoever publishes has asked for press and diaries, which are shown once a game is over."""
    rules, site = ("confusion", "spies", "cards"), tmp_path / "site"
    club = Club(new_database(tmp_path))
    secretary = TournamentService(club.store, club.service, club.clock)
    secretary.make(Competition("Cup", rules, watchers="1"))
    first = sample_game_played(club, attempts=31, event="Cup")
    anna, bert, battle = stories_of_cards.anna_and_bert(club, event="Cup")
    stories_of_cards.rounds(
        battle, (anna, "MV RI1 A20; PR RI1 ASK; carry out"), (bert, "MV BI1 A20; carry out")
    )
    spies = club.starts({"red": anna, "white": bert}, first="red", rules="spies", event="Cup")
    play(club, spies, ["A-N1", "A-S1", "C-N1", "C-S1"])
    for number, writer in ((first, club.person("Wendy", "wendy@example.net")), (battle, anna), (spies, anna)):
        for words in ("press {} all", "press {}", "diary {}", "claim {}"):
            writer.writes(f"{words.format(number)} Between us.")

    def nothing_hidden(playing: int) -> None:
        said = published(club, site, writings=("press", "diaries"))
        assert (said.games, said.playing) == (playing, playing)
        hidden = hidden_in(tmp_path / "referee.db") | {"Between us.", "PR RI1"}
        assert len(hidden) > 30
        for number in (first, battle, spies):
            game = club.game(number)
            assert game.secret.hex() in hidden
            record = game.rulebook.records.write(game.happenings, {}, None)
            hidden |= {deal[:12] for deal in re.findall(r"(?m)^(?:White|Yellow|Red|Blue) += (.*)", record)}
        for name, content in files_of(site).items():
            for each in hidden:
                assert each.encode() not in content and each not in name, f"{each} in {name}"

    nothing_hidden(3)
    club.clock.at += timedelta(hours=1)
    club.referee.umpire.take_back(first, 14, "A slip.")
    nothing_hidden(3)
    club.clock.at += timedelta(hours=1)
    club.referee.umpire.act(first, Restore(), "It was none.")
    nothing_hidden(3)
    secretary.change("Cup", Competition("Cup", rules, watchers="off"), "They asked for it.")
    nothing_hidden(0)
    assert not list((site / "games").iterdir())
    club.close()


def two_sites(
    tmp_path: Path, deals: Iterable[str], moves: list[str], rules: str, private: Any
) -> Iterator[Files]:
    """Play the same game with other deals, and with other things beside it that nobody else hears of."""
    for number, deal in enumerate(deals):
        club = Club(new_database(tmp_path, f"truth-{number}"))
        name = event(club, "Open Cup", "1")
        anna, bert = club.member("Anna"), club.member("Bert")
        first, other = ("white", "yellow") if rules == "confusion" else ("red", "white")
        game = club.starts({first: anna, other: bert}, first=first, deal=deal, rules=rules, event=name)
        play(club, game, moves)
        private(club, game, number)
        folder = tmp_path / f"site-{number}"
        assert published(club, folder).playing == 1
        club.close()
        yield files_of(folder)


def _privately(club: Club, game: int, number: int) -> None:
    if number:
        anna = club.person("Anna")
        anna.writes(f"diary {game} What is it?", f"press {game} This is between us.")
        anna.writes(f"claim {game} I wonder.")
        anna.writes("games")


@pytest.mark.parametrize(("seed", "most"), [*telling([(1, 14)], others=[(2, 25), (3, 40)])])
def test_two_truths_that_nobody_can_tell_apart_give_the_same_site(
    tmp_path: Path, seed: int, most: int
) -> None:
    """Byte for byte, the list of its files too, though one has a diary, press and a claim beside it."""
    random = Random(seed)
    deals, moves, position = drawn(random, most)
    others = {seat: other_deal(random, position, seat) for seat in deals}
    assert deals != others
    said = [move for _, move in moves]
    one, other = two_sites(tmp_path, map(written, (deals, others)), said, "confusion", _privately)
    assert one == other and any(name.startswith("games/") for name in one)


def test_what_is_confided_in_a_game_of_spies_leaves_no_trace(tmp_path: Path) -> None:
    """A standing instruction, another deal for spies who have not moved."""
    deal = stories_of_spies.DEAL
    moves = ["L-N1", "L-S1", "H-N1", "C-S1", "L-N1", "L-S1"]

    def confide(club: Club, game: int, number: int) -> None:
        if number:
            club.person("Anna").writes(f"{game} agent always")
            club.person("Bert").writes(f"{game} agent never")
        club.clock.at = club.clock.at.replace(day=28)

    swapped = deal.replace("O9 P7", "O7 P9").replace("O3 P7", "O7 P3")
    one, other = two_sites(tmp_path, (deal, swapped), moves, "spies", confide)
    assert one == other
    page = next(content for name, content in one.items() if name.startswith("games/"))
    assert len(stage_of(page)["steps"]) > 4
    assert re.findall(rb'href="#\w+-sealed">(.*?)<', page) == [b"[C-S1]"], (
        "the last turn that is told has no answer"
    )


# what people have written, and who they are


def test_press_to_all_is_shown_and_other_writings_only_where_that_is_asked_for(
    club: Club, tmp_path: Path
) -> None:
    stories.press(club)
    anna, bert = club.person("Anna"), club.person("Bert", "bert@example.com")
    game = club.starts({"white": anna, "yellow": bert})
    anna.writes(f"diary {game} It is a secret.")
    anna.writes(f"claim {game} He is rude.")
    club.referee.umpire.adjudicate(game, "draw", "They agree.")
    published(club, tmp_path / "site")
    pages = {name: (tmp_path / "site" / "games" / f"{name}.html").read_text() for name in ("1", str(game))}
    assert "may you find out what" in pages["1"] and "A good game" in pages["1"]
    assert "Good luck, Bert" not in pages["1"] and "too bold" not in pages["1"]
    assert "It is a secret" not in pages[str(game)]
    published(club, tmp_path / "site", writings=("press", "diaries"))
    pages = {name: (tmp_path / "site" / "games" / f"{name}.html").read_text() for name in pages}
    assert "Good luck, Bert" in pages["1"] and "too bold" in pages["1"]
    assert "It is a secret" in pages[str(game)]
    assert all(b"He is rude" not in content for content in files_of(tmp_path / "site").values())
    record = (tmp_path / "site" / "games" / f"{game}.txt").read_text()
    assert "It is a secret" in record


def test_no_address_is_anywhere(club: Club, tmp_path: Path) -> None:
    """Nor the name of somebody who was invited by it and has given none."""
    anna, quentin = club.member("Anna"), club.person("Quentin", "quentin@example.com")
    anna.writes("challenge quentin@example.com confusion")
    quentin.replies("accept")
    quentin.replies("resign")
    assert club.game(1).status == "ended"
    published(club, tmp_path / "site", writings=("press", "diaries"))
    pages = {name: content for name, content in files_of(tmp_path / "site").items() if name.endswith("html")}
    assert "games/1.html" in pages and b"Anna" in pages["games/1.html"]
    for name, content in files_of(tmp_path / "site").items():
        if not name.endswith((".png", ".css", ".js")):
            assert not re.search(rb"[\w.]@[\w.]", content) and b"uentin" not in content, name


def test_somebody_who_has_left_is_called_by_his_colour(club: Club, tmp_path: Path) -> None:
    first = sample_game_played(club, ("Wendy", "Yannick"))
    published(club, tmp_path / "site")
    assert b"Wendy" in (tmp_path / "site" / "games" / f"{first}.html").read_bytes()
    wendy = club.person("Wendy", "wendy@example.net")
    wendy.writes("bye")
    wendy.replies("confirm")
    club.posts()
    club.referee.jobs.erase_what_is_due()
    said = published(club, tmp_path / "site")
    assert said.players == 1 and said.removed == 1
    for name, content in files_of(tmp_path / "site").items():
        assert b"Wendy" not in content, name
    assert b"White is <bdi>White</bdi>" in (tmp_path / "site" / "games" / f"{first}.html").read_bytes()


def test_the_record_to_take_along_is_the_umpires_and_proves_itself(club: Club, tmp_path: Path) -> None:
    number = sample_game_played(club)
    published(club, tmp_path / "site")
    record = (tmp_path / "site" / "games" / f"{number}.txt").read_text()
    assert record == write_record(application(club), number, "umpire")
    assert verify(record).misfits == ()
    assert (tmp_path / "site" / "games" / f"{number}.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.subprocess
def test_whoever_doubts_a_record_takes_along_the_program_that_checks_it(club: Club, tmp_path: Path) -> None:
    """By the links of the page, in a folder without a server; press beside the moves is no obstacle."""
    first = sample_game_played(club)
    club.person("Wendy", "wendy@example.net").writes(f"press {first} all Well played; 1. A-N1 = mine?")
    stories_of_spies.a_whole_game_of_spies(club)
    site = tmp_path / "site"
    published(club, site)
    front = (site / "index.html").read_text()
    for number, rules in ((first, "confusion"), (first + 1, "spies")):
        name = PROGRAMS[rules]
        page = (site / "games" / f"{number}.html").read_text()
        (link,) = re.findall(r'href="([^"]*\.py)"', page)
        program = (site / "games" / link).resolve()
        assert program == site / "downloads" / name and program.read_text() == small_program(rules)
        (typed,) = re.findall(r"<kbd>python3 (\S+ \S+)</kbd>", page)
        assert typed == f"{name} game-{number}.txt" and f'download="game-{number}.txt"' in page
        assert f'href="downloads/{name}"' in front and f'href="games/{number}.html"' in front
        record = site / "games" / f"{number}.txt"
        ran = subprocess.run([sys.executable, "-I", "-S", program, record], capture_output=True, check=False)
        assert (ran.returncode, ran.stderr) == (0, b""), ran.stdout
    (typed,) = re.findall(r"<kbd>python3 (\S+ \S+)</kbd>", front)
    assert typed in {f"{PROGRAMS['confusion']} game-{first}.txt", f"{PROGRAMS['spies']} game-{first + 1}.txt"}
    assert "numbers of 64 digits from your own letters" in front


def test_a_game_that_is_being_played_has_no_record_and_no_program_beside_it(
    club: Club, tmp_path: Path
) -> None:
    number = sample_game_played(club, attempts=9, event=event(club, "Open Cup", "1"))
    published(club, tmp_path / "site")
    for page in (f"games/{number}.html", "index.html"):
        assert "downloads/" not in (tmp_path / "site" / page).read_text()


def test_a_game_for_whose_rules_there_is_no_program_says_nothing_of_one(
    club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "PROGRAMS", {"spies": "verify_spies.py"})
    number = sample_game_played(club)
    published(club, tmp_path / "site")
    assert ".py" not in (tmp_path / "site" / "games" / f"{number}.html").read_text()
    assert ".py" not in (tmp_path / "site" / "index.html").read_text()


# files


@pytest.mark.story
def test_the_same_games_give_the_same_bytes_and_what_stands_is_not_written_again(
    club: Club, tmp_path: Path
) -> None:
    many_games(club, 12, 4, players=5)
    first, again = (published(club, tmp_path / name) for name in ("one", "two"))
    assert (first.games, first.made, first.removed) == (12, 12, 0) and first.written == again.written
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "one").rglob("*")}
    third = published(club, tmp_path / "one")
    assert (third.made, third.written, third.unchanged) == (0, 0, first.written)
    assert before == {path: path.stat().st_mtime_ns for path in (tmp_path / "one").rglob("*")}
    assert third.size == first.size


def test_only_what_has_changed_is_written(club: Club, tmp_path: Path) -> None:
    many_games(club, 6, 3, players=4)
    published(club, tmp_path / "site")
    before = files_of(tmp_path / "site")
    sample_game_played(club, ("Wendy", "Yannick"))
    said = published(club, tmp_path / "site")
    after = files_of(tmp_path / "site")
    changed = {name for name in after if after[name] != before.get(name)}
    lists = {"index.html", "players.html", "lists/1.html", ".referee-site.json"}
    assert said.made == 1 and lists < changed
    assert {name.split("/")[0] for name in changed - lists} == {"games", "players"}
    assert said.written == len(changed) - 1


def test_a_page_that_somebody_has_changed_or_removed_is_written_again(club: Club, tmp_path: Path) -> None:
    many_games(club, 3, 3, players=3)
    published(club, tmp_path / "site")
    before = files_of(tmp_path / "site")
    (tmp_path / "site" / "games" / "1.html").write_text("scribbled over")
    (tmp_path / "site" / "games" / "2.svg").unlink()
    assert published(club, tmp_path / "site").written == 2
    assert files_of(tmp_path / "site") == before


def test_what_is_no_more_is_removed_and_what_is_not_ours_stays(club: Club, tmp_path: Path) -> None:
    """Of a site of all games becomes one of an event: only ours goes, and what somebody has changed stays."""
    name = event(club, "Cup", "off")
    sample_game_played(club, event=name)
    sample_game_played(club)
    site = tmp_path / "site"
    published(club, site)
    (site / "games" / "mine.html").write_text("mine")
    (site / "games" / "2.svg").write_text("drawn over")
    said = published(club, site, event="Cup")
    assert (said.games, said.removed, said.left) == (1, 3, 1)
    assert (site / "games" / "mine.html").read_text() == "mine"
    assert (site / "games" / "2.svg").read_text() == "drawn over"
    assert not (site / "games" / "2.html").exists() and (site / "games" / "1.html").exists()


def test_a_file_of_somebody_elses_is_not_written_over(club: Club, tmp_path: Path) -> None:
    sample_game_played(club)
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("My own page.")
    with pytest.raises(UsageError, match=r"index\.html is there, and was not written by"):
        published(club, tmp_path / "site")
    assert files_of(tmp_path / "site") == {"index.html": b"My own page."}


@pytest.mark.parametrize(
    "content",
    [
        "{}",
        "[1]",
        '{"format": "other"}',
        "\udcff",
        '{"format": "referee site 1", "files": {"../x": ""}, "stamps": {}}',
    ],
)
def test_a_list_that_cannot_be_read_is_named(club: Club, tmp_path: Path, content: str) -> None:
    (tmp_path / ".referee-site.json").write_bytes(content.encode(errors="surrogateescape"))
    with pytest.raises(UsageError, match="is no list of a site's files"):
        published(club, tmp_path)


def test_a_run_that_was_broken_off_has_changed_nothing(club: Club, tmp_path: Path) -> None:
    site = tmp_path / "site"
    many_games(club, 4, 2, players=3)
    published(club, site)
    before = files_of(site)
    sample_game_played(club)

    def cut_short(done: int, of: int) -> None:
        if done == of:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        published(club, site, progress=cut_short)
    assert files_of(site) == before and [*site.glob(".*")] == [site / ".referee-site.json"]
    published(club, site)
    published(club, tmp_path / "other")
    assert files_of(site) == files_of(tmp_path / "other")


def test_the_whole_list_has_pages_that_stay_when_they_are_full(
    club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing, "LISTED", 3)
    assert LISTED > 3
    many_games(club, 7, 2, players=3)
    published(club, tmp_path / "site")
    before = files_of(tmp_path / "site")
    assert [name for name in before if name.startswith("lists/")] == [
        "lists/1.html",
        "lists/2.html",
        "lists/3.html",
    ]
    sample_game_played(club)
    published(club, tmp_path / "site")
    after = files_of(tmp_path / "site")
    assert before["lists/1.html"] == after["lists/1.html"] and before["lists/3.html"] != after["lists/3.html"]


@pytest.mark.parametrize(
    "said",
    [
        "</script>",
        "<!--<script>",
        "&lt;",
        "\u2028\u2029",
        "'\"\\",
        "\ud83d\ude80".encode("utf-16", "surrogatepass").decode("utf-16"),
    ],
)
def test_what_stands_in_a_script_comes_back_and_can_end_none(said: str) -> None:
    written_so = str(for_script({"name": said}))
    assert json.loads(written_so) == {"name": said}
    assert not set("<>&'\u2028\u2029") & set(written_so)


def test_a_game_without_a_board_on_its_page_shows_its_record(
    club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of a rulebook that has none yet; and nothing of one that is being played."""
    monkeypatch.setattr(stagers, "STAGERS", {})
    name = event(club, "Open Cup", "on")
    number = sample_game_played(club)
    sample_game_played(club, attempts=9, event=name)
    said = published(club, tmp_path / "site")
    page = (tmp_path / "site" / "games" / f"{number}.html").read_text()
    assert said.games == 1 and "<pre>; Confusion." in page and "<svg id" not in page


# the command


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_the_command_says_what_it_has_written(desk: Desk) -> None:
    desk.done("new", "confusion", *SEATS)
    desk.done("adjudicate", "1", "--winner", "white", "--reason", "He has left.")
    said = desk.done("publish", desk.folder / "site", "--json").json
    assert (said["games"], said["playing"], said["made"], said["removed"]) == (1, 0, 1, 0)
    assert said["written"] > 8 and said["size"] > 40_000 and said["unread"] == []
    again = desk.done("publish", desk.folder / "site")
    assert "1 game; 0 files written" in again.out and not again.err
    assert b"He has left" in (desk.folder / "site" / "games" / "1.html").read_bytes()
    assert desk.do("publish", desk.folder / "other", "--event", "Nowhere").status == 2
    assert not (desk.folder / "other").exists()


def test_a_folder_has_to_be_named(desk: Desk) -> None:
    said = desk.do("publish", "")
    assert said.status == 2 and "into which folder?" in said.err
    assert not (desk.folder / ".referee-site.json").exists()


def test_a_disk_that_is_full_is_told_in_a_sentence(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> str:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "0")

    monkeypatch.setattr(Disk, "stage", full)
    said = desk.do("publish", desk.folder / "site")
    assert (said.status, said.out) == (3, "")
    assert f"{desk.folder / 'site'} cannot be written or read: No space left on device." in said.err


def test_a_game_that_cannot_be_read_is_left_out_and_named(desk: Desk) -> None:
    for _ in range(3):
        desk.done("new", "confusion", *SEATS)
    for number in ("1", "2", "3"):
        desk.done("adjudicate", number, "--winner", "draw", "--reason", "It is late.")
    with contextlib.closing(sqlite3.connect(desk.database)) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("UPDATE event SET body = '{' WHERE game = 1 AND number = 1")
        connection.execute("UPDATE game SET rules = 'chess' WHERE number = 3")
        connection.commit()
    said = desk.do("publish", desk.folder / "site")
    assert said.status == 3 and "game 1, 3 cannot be read" in said.err
    assert (desk.folder / "site" / "games" / "2.html").exists()
    assert not (desk.folder / "site" / "games" / "1.html").exists()


@pytest.mark.parametrize("name", ["../../x", "%2e%2e%2fx", "/etc/cron.d/x", "a/../b"])
def test_an_event_named_like_a_path_before_that_was_refused_is_published_beside_the_others(
    club: Club, tmp_path: Path, name: str
) -> None:
    with club.store.unit() as unit:
        unit.tournaments.add(Competition(name, ("confusion",)))
    sample_game_played(club, event=name)
    site = tmp_path / "deep" / "site"
    published(club, site, event=name)
    files = [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()]
    assert "deep/site/events/1.html" in files
    assert all(re.fullmatch(r"deep/site/(?:[a-z]+/)?[\w.-]+|referee\.db.*", each) for each in files), files
