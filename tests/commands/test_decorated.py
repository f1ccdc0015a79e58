"""A line in emphasis, quotation marks, brackets or behind a list's mark is read or named, never dropped in silence."""

from __future__ import annotations

import pytest

from referee.commands.command import Order, Press, Resign, Status
from referee.commands.grammar import Grammar, Understanding
from referee.mail.message.message import OwnLine
from referee.mail.message.normalisation import normalise
from tests.transcripts.shown import DESKS

ORDERS = {
    "confusion": ("A-S1", "V-NW2xZ", "VZ-NW1"),
    "spies": ("A-S1", "A-S1xZ", "allow", "agent never", "?H", "A<>H"),
    "cards": ("MV RI1 A20", "FI RA1.1 > BI2", "CO RI1 > BI2 MIN 6", "CARRY OUT"),
}
EMPHASIS = (
    "*{}*",
    "**{}**",
    "***{}***",
    "_{}_",
    "__{}__",
    "/{}/",
    "//{}//",
    "`{}`",
    "_*{}*_",
    "*_{}_*",
    "*{}*.",
)
LISTS = (
    "=> {}", "-> {}", "--> {}", "==> {}", "=>{}", "→ {}", "➔ {}", "⇒ {}", "► {}", "▶ {}", "• {}", "- {}", "– {}",
    "* {}", "+ {}", "1. {}", "1) {}", "(1) {}", "a) {}", "ii) {}", "[x] {}", "✓ {}", "👉 {}", ": {}",
    "-> {} <-", "→ *{}*",
)  # fmt: skip
CITING = (
    '"{}"', "'{}'", "“{}”", "„{}“", "„{}”", "”{}”", "‘{}’", "‚{}‘", "«{}»", "« {} »", "»{}«", "»{}»", "‹{}›", "›{}‹",
    "「{}」", "『{}』", "《{}》", "[{}]", "{{{}}}", '"{}".', '"{}",', "[ {} ]", '=> "{}"', '*"{}"*',
)  # fmt: skip
UNSURE = (
    "~~{}~~",
    "✗ {}",
    "❌ {}",
    "- [ ] {}",
    "?? {}",
    "!!! {}",
    "... {}",
    "=== {} ===",
    "|{}|",
    "$ {}",
    "<{}>",
    *("1. 1. {}", "[1] {}", "№1 {}", "1° {}", "1 - {}", "1/ {}", "I. {}", "1> {}", "Nr. 2 {}"),
    *(f"{20 * sign} {{}}" for sign in "~-="),
)
ROWS = [(rules, order) for rules, orders in ORDERS.items() for order in orders]


def read(*lines: str, desk: Grammar) -> Understanding:
    return desk.read([OwnLine(at, normalise(line), line) for at, line in enumerate(lines, 1)])


def ordered(read: Understanding) -> list[str]:
    return [each.text for each in read.commands if isinstance(each, Order)]


@pytest.mark.parametrize("around", [*EMPHASIS, *LISTS, *CITING])
@pytest.mark.parametrize(("rules", "order"), ROWS)
def test_an_order_is_read_whatever_stands_around_it(rules: str, order: str, around: str) -> None:
    desk, line = DESKS[rules]["en"], around.format(order)
    plainly = ordered(read(order, desk=desk))
    assert plainly == [order]
    for lines in ([line], ["status", line], [line, "status"], ["Hello,", "", line, "", "Anna"]):
        understood = read(*lines, desk=desk)
        # Orders in words are known as they stand, and read by the rulebook, whatever clings to them.
        assert [each.strip("_.,") for each in ordered(understood)] == plainly, lines
        assert understood.faults == ()


@pytest.mark.parametrize("around", UNSURE)
@pytest.mark.parametrize(("rules", "order"), ROWS)
def test_an_order_in_signs_that_leave_open_whether_it_is_meant_is_named(
    rules: str, order: str, around: str
) -> None:
    desk, line = DESKS[rules]["en"], around.format(order)
    for lines in ([line], ["status", line]):
        understood = read(*lines, desk=desk)
        (named,) = [*ordered(understood), *(fault.excerpt for fault in understood.faults)]
        assert normalise(order)[:3] in named


@pytest.mark.parametrize("around", [*EMPHASIS, *LISTS])
@pytest.mark.parametrize(
    "word", ["status", "resign", "confirm", "help rules", "set reports text", "press Hello"]
)
def test_a_word_in_emphasis_or_of_a_list_is_read(word: str, around: str) -> None:
    desk = DESKS["confusion"]["en"]
    (expected,) = read(word, desk=desk).commands
    (found,) = read("games", around.format(word), desk=desk).commands[1:]
    assert type(found) is type(expected)


@pytest.mark.parametrize("around", CITING)
@pytest.mark.parametrize("word", ["status", "resign", "confirm", "draw"])
def test_a_word_that_may_be_cited_is_asked_about(word: str, around: str) -> None:
    desk = DESKS["confusion"]["en"]
    understood = read("games", around.format(word), desk=desk)
    assert [each.word for each in understood.commands] == ["games"]
    (fault,) = understood.faults
    assert (fault.code, fault.place and fault.place.line) == ("decorated", 2)
    assert fault.suggestion.rstrip(".,") == word


@pytest.mark.parametrize(
    "line",
    [
        "(See you on Sunday)",
        '"Open your eyes!"',
        "[Sent from my telephone]",
        "<https://example.org/A-S1>",
        "_Best wishes_",
        "=> as you like it",
        "* I think that A was a mistake",
        "«Bonjour»",
        "-- ",
        "***",
        "=>",
        "[]",
        "# A-S1 was the last one",
    ],
)
def test_prose_in_such_signs_is_prose(line: str) -> None:
    for rules in ("confusion", "spies"):
        understood = read("status", line, desk=DESKS[rules]["en"])
        assert [type(each) for each in understood.commands] == [Status]
        assert understood.faults == ()


def test_what_is_struck_out_is_no_order_but_told() -> None:
    understood = read("A-S1", "~~L-S2~~", desk=DESKS["confusion"]["en"])
    assert ordered(understood) == ["A-S1"]
    assert [(fault.excerpt, fault.suggestion) for fault in understood.faults] == [("~~L-S2~~", "L-S2")]


def test_a_game_s_number_may_stand_before_what_is_decorated() -> None:
    for line in ("18: *A-S1*", '18: "A-S1"', "*18: A-S1*", "=> 18: A-S1"):
        (order,) = read(line, desk=DESKS["confusion"]["en"]).commands
        assert isinstance(order, Order)
        assert (order.game, order.text) == (18, "A-S1")


def test_a_comment_in_a_battle_stays_one() -> None:
    understood = read("MV RI1 A20", "# MV RI2 A20", desk=DESKS["cards"]["en"])
    assert (ordered(understood), understood.faults) == (["MV RI1 A20"], ())


def test_a_move_that_is_cited_in_a_text_stays_in_it_and_a_word_in_emphasis_ends_it() -> None:
    desk = DESKS["confusion"]["en"]
    (press,) = read("press You wrote", '"A-S1"', "and I doubt it.", desk=desk).commands
    assert isinstance(press, Press)
    assert press.text == 'You wrote\n"A-S1"\nand I doubt it.'
    assert [type(each) for each in read("press Hello", "_resign_", desk=desk).commands] == [Press, Resign]


def test_what_is_confided_gets_into_no_text_whatever_stands_around_it() -> None:
    confided = Grammar(
        DESKS["spies"]["en"].looks_like_order,
        ("spies",),
        ("press",),
        is_confided=lambda text: text == "agent never",
    )
    for line in ('"agent never"', "[agent never]", "~~agent never~~"):
        assert not any(
            "agent" in each.text
            for each in read("press Hello", line, desk=confided).commands
            if isinstance(each, Press)
        )
