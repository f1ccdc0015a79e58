"""Who is the double agent shows in nothing that reaches his player, nor anybody else; nobody is told what his opponent
confides (CF-10.8).

A game is played twice, with the same moves, the same open words and the same questions at the same hours. What differs
is which of two spies is the watched player's double agent; his opponent answers for either alike. He is asked in one of
the two games and not in the other, has other instructions and other questions of his own. The letters are the same,
byte for byte, but for the commitment, which binds the deal, the receipts, which begin with it, and what is drawn by
lot for every letter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from functools import cache, reduce
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, cast, get_args

import pytest

from referee.common.health import Count, Door, Health
from referee.games.events import Confided, read_event
from referee.games.game import Game
from referee.games.tournaments.tournament import Competition
from referee.handlers.game_faces import GameFaces
from referee.rulebooks.rulebook import Happening, Seat
from referee.rulebooks.spies import Spies, happenings
from referee.rulebooks.spies import adjudicate as ruling
from referee.rulebooks.spies.adjudicate import unsealed
from referee.rulebooks.spies.answering import asked_about
from referee.rulebooks.spies.edition import BOTH, SEATS, Variants
from referee.rulebooks.spies.fold import fold_view
from referee.rulebooks.spies.happenings import DEALT, ENDED, INSTRUCTED, INTENDED, SHOWN, read_intended
from referee.rulebooks.spies.options import VARIANTS
from referee.rulebooks.spies.orders import Answer, Reveal
from referee.rulebooks.spies.outlook import outlook
from referee.rulebooks.spies.position import Position, Table
from referee.rulebooks.spies.reading import agent_of
from referee.rulebooks.spies.rulebook import SpiesPlanning, SpiesRules
from referee.service.bootstrap import Application
from referee.service.game_list import list_games
from referee.service.metrics import Figures
from referee.service.queries import game_as, list_claims, write_record
from referee.service.tournaments import TournamentService
from referee.store.values import Outcome
from tests.rulebooks.spies.games import game_by
from tests.secrecy.agents import SideBySide, compare, two_agents
from tests.support.playing import SERVICE, Club, new_database

pytestmark = pytest.mark.story


def played(seed: int, turns: int, folder: Path, *, timed: bool = False) -> SideBySide:
    both = SideBySide(two_agents(seed, timed=timed), folder, seed)
    both.play(turns)
    return both


@pytest.mark.telling(seed=[1000])
@pytest.mark.parametrize("seed", range(1000, 1005))
def test_who_is_the_double_agent_shows_in_no_letter(seed: int, tmp_path: Path) -> None:
    assert compare(played(seed, 3, tmp_path)) > 10


@pytest.mark.full
@pytest.mark.parametrize("seed", range(200))
def test_who_is_the_double_agent_shows_in_no_letter_of_two_hundred_games(seed: int, tmp_path: Path) -> None:
    """In a quarter of them time is counted, and sometimes opens the seal, or ends the game. In half of them an officer
    acts by letter, in the others an operator does: turns are taken back, corrected and put back, orders given in a
    name, seats given to others, clocks and the game itself stopped. Somebody watches, at once or two turns late."""
    both = played(seed, 8, tmp_path, timed=seed % 4 == 3)
    assert compare(both) > 10


# what tells of it is found


def is_asked(game: Game) -> bool:
    """Return whether the double agent makes the attempt that waits."""
    table: Table = game.position.table
    return table.sealed is not None and asked_about(table, game.position.deals[table.sealed.seat]) is not None


def says_that_he_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A letter on a turn says that the opponent is asked."""
    real = GameFaces.face

    def face(faces: GameFaces, game: Game, title: str, *others: Any, **named: Any) -> Any:
        return real(faces, game, f"{title}?" if is_asked(game) else title, *others, **named)

    monkeypatch.setattr(GameFaces, "face", face)


def tells_of_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the opponent answers is told as soon as he says it."""

    def answering(seat: Seat, answer: Answer) -> Happening:
        return replace(happenings.answering(seat, answer), heard_by=BOTH)

    monkeypatch.setattr(ruling, "answering", answering)


def opens_the_seal_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn is answered at once where nobody has to be asked."""
    real = SpiesRules.adjudicate

    def adjudicate(rules: SpiesRules, position: Position, seat: Seat, *others: Any) -> tuple[Happening, ...]:
        found = real(rules, position, seat, *others)
        then = reduce(rules.fold, found, position)
        turn = then.table.sealed
        asked = turn is None or asked_about(then.table, then.deals[turn.seat]) is not None
        return found if asked else (*found, *unsealed(then))

    monkeypatch.setattr(SpiesRules, "adjudicate", adjudicate)


def plans_that_stop_to_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plans are taken though they may have to wait until their owner was asked."""
    monkeypatch.setattr(SpiesPlanning, "may_plan", lambda *_: None)


@pytest.mark.telling(leak=[opens_the_seal_early])
@pytest.mark.parametrize(
    ("leak", "seeds", "turns"),
    [
        (opens_the_seal_early, range(40), 2),
        (plans_that_stop_to_ask, range(1, 60), 6),
        (says_that_he_is_asked, range(20), 2),
        (tells_of_an_answer, range(2, 20), 6),
    ],
)
def test_what_tells_who_is_the_double_agent_is_found(
    leak: Callable[[pytest.MonkeyPatch], None],
    seeds: range,
    turns: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In the first of some games in which what would show it happens to be done."""
    leak(monkeypatch)
    with pytest.raises(AssertionError, match=r"^letter|more letters"):
        for seed in seeds:
            (folder := tmp_path / str(seed)).mkdir()
            compare(played(seed, turns, folder))


# what is confided, before the turn is closed

LEAGUE = Competition("Spring League", rules=("spies",), time="9d/move", lapse="soft", leave=30, watchers="on")
DEALS = "White=A6 C8 E10 H12 K1 L? N5 O7 P9 S11 T2 V3 X4; Red=A4 C? E8 H11 K2 L1 N3 O5 P7 S9 T12 V10 X6"
TOKENS = {"tokens.white": "reveal,move,swap", "tokens.red": "reveal,move,swap"}
MOVED, ASKED = "A-S1", "L-S1"
SET_UP = "setup A3-2 C4-2 E5-2 H7-2 K8-2 L9-2 N3-1 O4-1 P5-1 S7-1 T8-1 V9-1 X6-1"


def league(folder: Path, before: str) -> tuple[Club, int]:
    """Anna, who umpires the event that she plays in, has played this against Bert, or nothing; Carl watches, and Olga
    is another umpire. Anna's double agent is L."""
    club = Club(new_database(folder, f"house-{len(list(folder.iterdir()))}"))
    anna, bert, carl, olga = (club.member(name) for name in ("Anna", "Bert", "Carl", "Olga"))
    secretary = TournamentService(club.store, club.service, club.clock, club.draws)
    secretary.make(LEAGUE)
    for who in (anna, olga):
        secretary.appoint(LEAGUE.name, "umpire", ("", who.address))
    agreed: dict[str, Any] = {**TOKENS, **({"variable-setup": "on"} if before == SET_UP else {})}
    game = club.starts(
        {"white": anna, "red": bert}, rules="spies", deal=DEALS, watchers="on", event=LEAGUE.name, **agreed
    )
    carl.writes(f"watch {game}")
    bert.replies("set reports text", "status", to=bert.last_about(game))
    if before not in ("", SET_UP):
        anna.replies(before, to=anna.last_about(game))
    club.posts()
    club.looks_at_clocks()
    return club, game


def seen_after(folder: Path, before: str, *orders: str) -> tuple[list[object], list[str]]:
    """Return all that others than Bert see of a game after a letter of his, and what he has confided by it."""
    club, game = league(folder, before)
    anna, bert, carl, olga = (club.reader(f"{name}@example.net") for name in ("anna", "bert", "carl", "olga"))
    seen: list[object] = []
    until_now = len(club.letters)
    settled = bert.replies(*orders, to=bert.last_about(game)).settled
    seen.append(settled)
    anna.replies("status", "games", "record", "resend", "why V", "preview V-S1", to=anna.last_about(game))
    anna.writes("overview", "set reports json", "events")
    anna.replies("status", "claim Was that right?", to=anna.last_about(game))
    carl.replies("status", "record", to=carl.last_about(game))
    olga.writes("overview", f"record {game}" if before == SET_UP else "events")
    club.posts()
    club.later(timedelta(days=1))
    club.looks_at_clocks()
    club.strikes()
    seen += [
        (each.recipient, each.content) for each in club.letters[until_now:] if each.recipient != bert.address
    ]
    application = Application(cast(Any, None), SERVICE, club.store, club.clock)
    looked = game_as(application, game, "white")
    seen += [list_games(application), looked, write_record(application, game, "white")]
    seen.append(list_claims(application, all_of_them=True))
    health = Health(Door(), Door(), Count(get_args(Outcome)), Count(("accepted", "refused", "put-off")))
    figures = Figures(health, club.store, club.clock)
    seen += [
        (each.name, [measured.value for measured in each.samples])
        for each in figures.collect()
        if "bytes" not in each.name
    ]
    with club.store.reading() as lookup:
        events = [read_event(each.kind, each.body) for each in lookup.events.of_game(game)]
    club.close()
    return seen, [each.order for each in events if isinstance(each, Confided)]


@cache
def _seen_without(before: str) -> list[object]:
    """Return what others see where Bert has asked how it stands."""
    with TemporaryDirectory() as folder:
        return seen_after(Path(folder), before, "status")[0]


@pytest.mark.telling(order=["allow", "agent as 5"])
@pytest.mark.parametrize(
    ("before", "order"),
    [
        (ASKED, "allow"),
        (MOVED, "agent as 5"),
        (ASKED, "agent always"),
        (ASKED, "agent ask"),
        (ASKED, "deny"),
        (ASKED, "allow without Z"),
        (ASKED, "?K"),
        (ASKED, "#K"),
        (MOVED, "#xL"),
        (MOVED, "A<>H"),
        ("", "agent never"),
        ("", "agent as 12"),
    ],
)
def test_nobody_sees_what_is_confided_before_the_turn_is_closed(
    before: str, order: str, tmp_path: Path
) -> None:
    """No byte of a letter, no number of a case, nothing in an officer's overview or in what an operator prints."""
    seen, confided = seen_after(tmp_path, before, order)
    assert confided == [order]
    assert seen == _seen_without(before)


def test_nobody_sees_how_a_side_is_set_up_before_the_other_is(tmp_path: Path) -> None:
    """That it is, everybody may see: its time stands still (CF-10.11)."""
    seen, confided = seen_after(tmp_path, SET_UP, SET_UP)
    assert confided == [SET_UP]
    mixed = SET_UP.replace("A3-2", "A6-1").replace("X6-1", "X3-2")
    again, confided = seen_after(tmp_path, SET_UP, mixed)
    assert confided == [mixed]
    assert seen == again


def test_both_deadlines_are_told_where_both_owe_something(tmp_path: Path) -> None:
    club, game = league(tmp_path, SET_UP)
    anna = club.reader("anna@example.net")
    answer = anna.replies("status", to=anna.last_about(game)).only
    assert "17:49 UTC. Red (Bert) has until Sun 6 Dec 2026, 17:49 UTC." in " ".join(answer.text.split())
    club.close()


# one's own spies


@pytest.mark.telling(seed=range(4))
@pytest.mark.parametrize("seed", range(12))
def test_a_player_sees_types_of_his_own_before_the_end_only_where_he_was_shown_them(seed: int) -> None:
    """Neither in what he knows nor on the board that he will find, whatever he confides (CF-3.2, CF-10.9)."""
    random = Random(seed)
    switches = {name: random.random() < 0.3 for name in VARIANTS.values()}
    tokens = {seat: frozenset(("reveal", "move", "swap")) for seat in SEATS}
    happened = game_by(random, Variants(tokens=tokens, **switches), 25)
    over = next((place for place, each in enumerate(happened) if each.code == ENDED), len(happened))
    deals = {Seat(each.facts["seat"]): each.facts["types"] for each in happened if each.code == DEALT}
    for seat in SEATS:
        heard = [each for each in happened[:over] if seat in each.heard_by]
        told = [each for each in heard if {"types", "number"} & each.facts.keys() and each.code != INSTRUCTED]
        assert [(each.code, each.facts["seat"] == seat) for each in told if each.code != SHOWN] == [
            (DEALT, False)
        ]
        intended = [read_intended(each)[1] for each in heard if each.code == INTENDED]
        asked = {each.letter for each in intended if isinstance(each, Reveal)}
        view = fold_view(heard, seat)
        data = Spies().presentation.data(view)
        assert data["own_types"] is None
        assert data["confided"]["shown"] == {letter: deals[seat][letter] for letter in asked}
        named = [place for place, found in places_of(data) if found == deals[seat]]
        assert named == []
        for table in (outlook(view).table, outlook(view).acted):
            assert table.unmasked.get(seat) in (None, agent_of(table, deals[seat]))
            assert all(not hasattr(piece, "number") for piece in table.board.pieces.values())


def places_of(data: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Yield everything in plain data, with its place."""
    yield place, data
    inner = data.items() if isinstance(data, Mapping) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inner:
        yield from places_of(value, f"{place}/{key}")
