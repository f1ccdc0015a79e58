"""Two truths that a seat cannot tell apart give it the same letters, byte for byte, over a whole game.

A game is drawn at random, and afterwards a second deal for one side that would have brought the same answers all
along. Both games are then played by letter, with everything else that a player may write in between; what the owner of
that side got in the one and in the other is compared: headers, text, pictures, number, order and time of his letters;
so are the letters of somebody who watches the game and plays another one. Only the commitment may differ, since it
binds the deal, and the receipts, which begin with it; and the letter that ends the game, which shows the deal.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from math import factorial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, select

from referee.commands.command_table import WORDS
from referee.common.faults import Fault
from referee.games import conditional_orders, receipts
from referee.games.conditional_orders import Plan, Step
from referee.games.game import Game
from referee.games.receipts import receipt
from referee.handlers import account, cancel, outgoing_queue
from referee.handlers import conditional_orders as planning
from referee.handlers.handler_context import HandlerContext
from referee.reports import renderer as typesetting
from referee.reports.report import Report
from referee.rulebooks.confusion import deduction, knowledge, options, reach, reasons, view
from referee.rulebooks.confusion.adjudicate import answer_to
from referee.rulebooks.confusion.compass import WHITE, YELLOW, heading
from referee.rulebooks.confusion.happenings import dealt
from referee.rulebooks.confusion.notation import Move, read_move, write_move
from referee.rulebooks.confusion.position import LETTERS, Deal, Position, View
from referee.rulebooks.confusion.possible import possible_moves
from referee.rulebooks.confusion.rulebook import ConfusionPlanning, ConfusionPresentation, ConfusionRules
from referee.rulebooks.confusion.table import MovementTable, default_table
from referee.rulebooks.rulebook import Happening, OrderLine, Question, Seat
from referee.store.tables import LETTERS as LETTERS_IN
from tests.secrecy.comparing import compare_tables, heard_by, masked
from tests.secrecy.playing_on import chores, play
from tests.secrecy.table import THE_GAME, Table
from tests.secrecy.truths import TwoTruths, two_truths
from tests.secrecy.words_used import forms_of, pattern_of
from tests.support.playing import new_database
from tests.support.telling import telling

EVERYTHING = (1, 16)
"""A seed and so many attempts."""


def played(told: TwoTruths, deal: str, folder: Path, seed: int = 1, **how: Any) -> Table:
    """Play a truth in a service of its own. how: see Table and play."""
    table = Table(
        told,
        deal,
        new_database(folder, f"truth-{len(list(folder.iterdir()))}"),
        seed,
        **{key: how.pop(key) for key in ("sheets", "watchers", "beside") if key in how},
    )
    play(table, **how)
    return table


def both_played(told: TwoTruths, folder: Path, seed: int = 1, **how: Any) -> tuple[Table, Table]:
    one, other = (played(told, deal, folder, seed, **how) for deal in told.deals)
    return one, other


def compare(told: TwoTruths, folder: Path, seed: int = 1, *, watched: bool = True, **how: Any) -> int:
    """Play both truths and hold the letters against each other; return how many they are."""
    one, other = both_played(told, folder, seed, **how)
    assert one.watched.lines == other.watched.lines
    return compare_tables(one, other, watched=watched)


# two truths, one for each number of the seeds


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> tuple[Table, Table]:
    """A game in which everything that the desk can do is asked for, as it is played in two truths."""
    seed, most = EVERYTHING
    return both_played(two_truths(seed, most), tmp_path_factory.mktemp("everything"), others=0.1)


@pytest.mark.story
def test_two_truths_that_a_seat_cannot_tell_apart_give_it_the_same_letters(
    everything: tuple[Table, Table],
) -> None:
    assert compare_tables(*everything) >= 100


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 140))
def test_two_truths_give_the_same_letters_whatever_both_players_write(seed: int, tmp_path: Path) -> None:
    """At their own pace, some with letters that come once a day and hours between the moves, watched late or not."""
    hours, watchers = timedelta(hours=5 * (seed % 3)), ("on", "2", "off")[seed % 3]
    sheets = "off" if seed % 5 == 0 else "on"
    compare(two_truths(seed, 30), tmp_path, seed, between=hours, watchers=watchers, sheets=sheets)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(200, 300))
def test_two_truths_give_the_same_letters_in_a_hundred_long_games(seed: int, tmp_path: Path) -> None:
    """With little besides, so that they come far."""
    only = ("preview", "try", "why", "status", "watch")
    compare(two_truths(seed, 60), tmp_path, seed, only=only, others=0)


@pytest.mark.full
@pytest.mark.parametrize("seed", [5, 6])
def test_two_truths_give_the_same_letters_without_sheets(seed: int, tmp_path: Path) -> None:
    only = ("preview", "try", "why", "status")
    assert compare(two_truths(seed, 8), tmp_path, sheets="off", only=only, others=0) > 10


@pytest.mark.story
@pytest.mark.parametrize("frequency", telling(["daily"], others=["urgent"]))
def test_two_truths_give_the_same_letters_however_often_they_come(frequency: str, tmp_path: Path) -> None:
    """The letters with the news of a day among them, by the reader's own clock and compass, without pictures."""
    choices = (f"set letters {frequency}", "set zone Auckland", "set compass own", "set picture off")
    told = two_truths(4, 14)
    one, other = both_played(
        told, tmp_path, first=choices, only=("press", "diary"), others=1, between=timedelta(hours=5)
    )
    assert compare_tables(one, other) > 10
    if frequency == "daily":
        days = [
            each.letter for each in heard_by(one.watched) if each.letter["Subject"] == "Referee: your games"
        ]
        assert len(days) >= 2, "no news of a day were looked at"
        assert any(" tried " in letter.text and "learned" not in letter.text for letter in days)


@pytest.mark.story
@pytest.mark.parametrize("watchers", telling(["2"], others=["on"]))
def test_two_truths_that_nobody_can_tell_apart_give_whoever_watches_the_same_letters(
    watchers: str, tmp_path: Path
) -> None:
    """Both deals are other ones: what no public fact tells is told to nobody who watches, early or late."""
    told = two_truths(3, 12, both=True)
    assert compare(told, tmp_path, watched=False, only=("watch",), others=0, watchers=watchers) > 15


@pytest.mark.full
@pytest.mark.parametrize("seed", range(300, 340))
def test_whoever_watches_gets_the_same_letters_in_forty_games(seed: int, tmp_path: Path) -> None:
    watchers, between = ("on", "1", "3")[seed % 3], timedelta(hours=7 * (seed % 2))
    only = ("watch", "press", "preview")
    told = two_truths(seed, 30, both=True)
    compare(told, tmp_path, seed, watched=False, only=only, others=0.5, watchers=watchers, between=between)


# what is compared


@pytest.mark.story
def test_the_players_write_every_word_in_every_form(everything: tuple[Table, Table]) -> None:
    """A word or a value of a setting that is new is to be written, too: see tests/secrecy/words_used.py."""
    lines = everything[0].watched.lines
    forms = [form for word in WORDS for form in forms_of(word)]
    missing = [form for form in forms if not any(map(pattern_of(form).fullmatch, lines))]
    assert missing == []


@pytest.mark.story
def test_every_word_was_taken_from_either_player(everything: tuple[Table, Table]) -> None:
    """None of them was refused each time."""
    table = everything[0]
    url = table.club.url
    assert understood(url) >= {word.name for word in WORDS} - {"bye"}


@pytest.mark.story
def test_the_other_player_has_the_same_words(everything: tuple[Table, Table]) -> None:
    one = everything[0]
    assert len(chores(one.watched)) == len(chores(one.other))
    assert len(one.other.lines) > len(one.told.turns)


@pytest.mark.story
def test_the_letters_compared_have_sheets_that_say_something(everything: tuple[Table, Table]) -> None:
    """Otherwise the comparison would not have looked at any."""
    table = everything[0]
    letters = [each.letter for each in heard_by(table.watched)]
    counts = [
        letter.json["assignments"]
        for letter in letters
        if letter.game == THE_GAME
        and "application/json" in letter.media_types
        and "assignments" in letter.json
    ]
    assert counts
    assert min(min(each.values()) for each in counts) < factorial(12) // 5
    assert any("deals agree with all answers" in letter.text for letter in letters)


@pytest.mark.story
def test_plans_were_used_and_the_game_was_watched(everything: tuple[Table, Table]) -> None:
    table = everything[0]
    assert table.made - table.by_hand > 2
    watching = [each for each in table.heard(table.third) if each.letter.game == THE_GAME]
    assert len(watching) >= 8


@pytest.mark.story
def test_the_two_truths_really_differ() -> None:
    """Otherwise the comparison would prove nothing."""
    for seed in range(10):
        told = two_truths(seed, 14, both=seed % 2 == 0)
        assert told.deals[0] != told.deals[1]
        assert told.differing >= 2
        assert len(told.turns) > 3


def understood(url: str) -> set[str]:
    """Return the desk's words that were understood in letters of the watched player's."""
    engine = create_engine(url)
    with engine.connect() as connection:
        said = connection.scalars(
            select(LETTERS_IN.c.commands).where(LETTERS_IN.c.sender.startswith("wendy"))
        ).all()
    engine.dispose()
    lines = [re.sub(r"^\d+: ", "", line) for each in said for line in json.loads(each or "[]")]
    return {word.name for word in WORDS if any(re.match(rf"{word.name}\b", line) for line in lines)}


# without sheets


@pytest.mark.story
def test_without_sheets_nothing_is_even_deduced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both players ask for everything about the game, in every form; whatever deduces would fail."""
    for module in (deduction, knowledge, reasons):
        monkeypatch.setattr(module, "evidence", deduces)
    told = two_truths(3, 8)
    only = ("why", "preview", "try", "set", "status")
    table = played(told, told.deals[0], tmp_path, sheets="off", only=only, others=0.3)
    for letter in table.club.letters:
        if letter.game == THE_GAME:
            said = "\n".join(
                bytes(part.get_payload(decode=True)).decode().lower()
                for part in letter.parts
                if part.get_content_maintype() != "image"
            )
            for word in ("deals agree", "anything still", "your sheet", '"mine"', '"shares"'):
                assert word not in said, word
            if "help" not in letter["Subject"]:
                assert "what you learned" not in said


def deduces(*_: Any, **__: Any) -> Any:
    raise AssertionError("something was deduced in a game without sheets")


# a leak is found


def told_to_its_owner_too(seat: Seat, deal: Deal) -> Happening:
    return replace(dealt(seat, deal), heard_by=frozenset((WHITE, YELLOW)))


def suggests_what_would_go(rules: ConfusionRules, position: Position) -> Mapping[Seat, Question]:
    seat = position.board.to_move
    if position.board.result is not None:
        return {}
    moves = [move for move in possible_moves(position.board, seat) if answer_to(position, seat, move)[0]]
    return {seat: Question("order", (write_move(moves[len(moves) // 2]),))}


@pytest.mark.story
@pytest.mark.parametrize(
    ("where", "name", "leak"),
    [(options, "dealt", told_to_its_owner_too), (ConfusionRules, "due", suggests_what_would_go)],
    ids=["a seat hears what is not for it", "the example in the letter is a move that would go"],
)
def test_a_leak_is_found(
    where: object, name: str, leak: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The comparison can fail: a service that tells a little too much does not pass it."""
    told = two_truths(2, 6)
    monkeypatch.setattr(where, name, leak)
    with pytest.raises(AssertionError):
        compare(told, tmp_path, only=(), others=0, beside=False)


@pytest.mark.story
def test_a_game_that_is_told_to_whoever_watches_as_it_is_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Game, "heard_late", lambda game, delay: game.happenings)
    with pytest.raises(AssertionError):
        compare(two_truths(3, 3, both=True), tmp_path, watched=False, only=("watch",), others=0, beside=False)


@pytest.mark.story
def test_a_receipt_that_binds_too_little_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One over what is told alone: whoever gets it could try on it what he guesses of the rest."""

    def over_what_is_told(before: str, secret: bytes, said: Mapping[str, str]) -> str:
        return receipt("0" * 64, b"", said)

    monkeypatch.setattr(receipts, "receipt", over_what_is_told)
    with pytest.raises(AssertionError, match="the same for both truths"):
        compare(two_truths(2, 6), tmp_path, only=(), others=0, beside=False)


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("\r\nReceipt: {}\r\n", "\r\nReceipt: 000"),
        ("<p>Receipt: {}=\r\n</p>", "<p>Receipt: 000"),
        ("\r\nRe=C3=A7u=C2=\r\n=A0: {}\r\n", "\r\nRe=C3=A7u=C2=\r\n=A0: 000"),
        ("\r\nRe=C3=\r\n=A7u=C2=A0: {}\r\n", "\r\nRe=C3=\r\n=A7u=C2=A0: 000"),
        ('"rec=\r\neipt": "{}"', '"rec=\r\neipt": "000'),
        ("\r\nreceipt {}\r\n", "\r\nreceipt abc"),
        ("\r\nReceipt: {}0\r\n", "\r\nReceipt: abc"),
        ("a Receipt: {}\r\n", "a Receipt: abc"),
        ("X-Receipt: {}\r\n", "X-Receipt: abc"),
    ],
)
def test_a_receipt_is_masked_in_its_place_and_nowhere_else(said: str, left: str) -> None:
    """A letter that held it elsewhere would not pass the comparison."""
    content = said.format("abc" * 21 + "d").encode()
    assert masked(content, "f" * 64).decode().startswith(left)


class TheDeal:
    """The deal of the truth that is just being played, for whatever is to tell of it."""

    def __init__(self, told: TwoTruths) -> None:
        self.told = told
        self.types: Deal = {}
        self.first = False

    def play(self, told: TwoTruths, deal: str, folder: Path, seed: int = 1, **how: Any) -> Table:
        deals = options.read_deals(deal)
        assert isinstance(deals, Mapping)
        self.types = deals[told.watched]
        self.first = deal == told.deals[0]
        return played(told, deal, folder, seed, **how)

    def goes(self, order: str) -> bool:
        """Return whether a piece of the watched side could move so."""
        move = read_move(order)
        if not isinstance(move, Move) or move.letter not in self.types:
            return False
        row = default_table().row(self.types[move.letter])
        return row.can(heading(self.told.watched, move.direction), move.length)

    def sheet_of(self, seat: Seat) -> deduction.Sheet:
        """Return the sheet of one who knows it."""
        return deduction.Sheet(seat, {letter: 1 << self.types[letter] - 1 for letter in LETTERS})


def a_sheet(deal: TheDeal, monkeypatch: pytest.MonkeyPatch, module: object) -> None:
    def sheet(table: MovementTable, attempts: object, seat: Seat) -> deduction.Sheet:
        return deal.sheet_of(seat)

    monkeypatch.setattr(module, "sheet", sheet)


def a_sheet_in_words(deal: TheDeal, monkeypatch: pytest.MonkeyPatch) -> None:
    real = knowledge.show_sheet

    def show_sheet(known: deduction.Sheet, *more: Any, **how: Any) -> knowledge.SheetShown:
        return real(deal.sheet_of(known.seat), *more, **how)

    monkeypatch.setattr(knowledge, "show_sheet", show_sheet)


def a_preview(deal: TheDeal, monkeypatch: pytest.MonkeyPatch) -> None:
    real = ConfusionPresentation.preview

    def preview(shown: ConfusionPresentation, view: Any, line: OrderLine) -> Any:
        found = real(shown, view, line)
        return found if isinstance(found, Fault) else replace(found, certain=deal.first)

    monkeypatch.setattr(ConfusionPresentation, "preview", preview)


def a_plan(deal: TheDeal, monkeypatch: pytest.MonkeyPatch) -> None:
    real = conditional_orders.steps

    def steps(plan: Plan) -> tuple[Step, ...]:
        first, *later = real(plan)
        return (first, *(each for each in later if deal.goes(each.order)))

    monkeypatch.setattr(planning, "steps", steps)
    # here plans are taken back in the letter that leaves them, and then the answer says nothing of them
    monkeypatch.setattr(cancel, "only_what_stands", lambda *_: None)


def a_plan_at_work(deal: TheDeal, monkeypatch: pytest.MonkeyPatch) -> None:
    real = ConfusionPlanning.heard_conditions

    def heard_conditions(
        planning: ConfusionPlanning, heard: Sequence[Happening], view: View
    ) -> frozenset[str]:
        return real(planning, heard, view) | set(planning.conditions if deal.first else ())

    monkeypatch.setattr(ConfusionPlanning, "heard_conditions", heard_conditions)


def a_list(deal: TheDeal, monkeypatch: pytest.MonkeyPatch) -> None:
    real = account.listing_line

    def listed(work: HandlerContext, game: Game) -> Mapping[str, Any]:
        line = real(work, game)
        return {**line, "who": f"{line['who']} ({sum(map(deal.types.__getitem__, 'AC'))})"}

    monkeypatch.setattr(account, "listing_line", listed)


def a_day(deal: TheDeal, monkeypatch: pytest.MonkeyPatch) -> None:
    real = typesetting.typeset

    def typeset(report: Report) -> Any:
        return real(replace(report, number=(report.number or 0) + deal.first) if report.days else report)

    monkeypatch.setattr(outgoing_queue, "typeset", typeset)


def a_part_for_programs(deal: TheDeal, monkeypatch: pytest.MonkeyPatch) -> None:
    real = ConfusionPresentation.data

    def data(shown: ConfusionPresentation, view: Any) -> Mapping[str, Any]:
        return {**real(shown, view), "order": sorted(LETTERS, key=deal.types.__getitem__)}

    monkeypatch.setattr(ConfusionPresentation, "data", data)


@pytest.mark.story
@pytest.mark.telling("a sheet for programs", "a sheet as a picture", "a preview")
@pytest.mark.parametrize(
    ("leak", "how"),
    [
        pytest.param(a_sheet_in_words, {}, marks=pytest.mark.full),
        (partial(a_sheet, module=view), {}),
        (partial(a_sheet, module=reach), {"first": ("set sheets picture", "set reports html")}),
        (a_preview, {"only": ("preview",)}),
        (a_plan, {"only": ("try",)}),
        pytest.param(a_plan_at_work, {"only": ("try",), "most": 10}, marks=pytest.mark.full),
        (a_list, {"only": ("games",), "beside": True}),
        (a_day, {"first": ("set letters daily",), "between": timedelta(hours=9), "most": 8}),
        (a_part_for_programs, {}),
    ],
    ids=[
        *("a sheet in words", "a sheet for programs", "a sheet as a picture", "a preview"),
        *("a plan as it is shown", "a plan at work", "a list of games", "the news of a day", "data"),
    ],
)
def test_what_knows_the_deal_is_found(
    leak: Callable[[TheDeal, pytest.MonkeyPatch], None],
    how: Mapping[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = two_truths(4, how.get("most", 5))
    deal = TheDeal(told)
    leak(deal, monkeypatch)
    with pytest.raises(AssertionError):
        compare_played(told, deal, tmp_path, {"only": (), "others": 0, "beside": False, **how})


def compare_played(told: TwoTruths, deal: TheDeal, folder: Path, how: Mapping[str, Any]) -> None:
    asked = {key: value for key, value in how.items() if key != "most"}
    one, other = (deal.play(told, each, folder, **asked) for each in told.deals)
    compare_tables(one, other)
