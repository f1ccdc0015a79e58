"""A letter of ours that a program has wrapped anew says nothing; what its reader writes above, below and in it does."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.commands.grammar import Grammar, Understanding
from referee.mail.message.echo import without_echo
from referee.mail.message.message import OwnLine
from referee.mail.message.plain_text import plain_lines
from referee.mail.message.quoting import read_own
from referee.mail.message.rewrapped_quotations import without_pieces
from tests.transcripts.shown import DESKS, PAGES

OFFER = """You have offered a draw in game 1.

The offer stands until Yannick agrees or moves. To take it back, write cancel 1.

REPLY WITH ONE LINE, FOR EXAMPLE
A-S1

OTHER WORDS
Instead of a move, or on a line of its own beside it: help, status, resign, draw, record, why, press. The word help \
brings what each of them does.

Letter 2, game 1, Sun 29 Nov 2026, 17:28 UTC.
"""
THANKS = "Thank you, I shall think about it."
SHORT = 9
"""Most lines of a letter in which two marks may be the only evidence of a quotation."""
MOVES = {"confusion": "L-S2", "spies": "L-S2", "cards": "MV RI1 A20"}
DESK = DESKS["confusion"]["en"]


class Ours(NamedTuple):
    """A letter of ours from the golden pages. page: where it stands."""

    page: str
    desk: Grammar
    move: str
    text: str


@cache
def letters_of_ours() -> Sequence[Ours]:
    """Return the letters of all pages that say anything, each once."""
    found: dict[str, Ours] = {}
    for path in sorted(PAGES.glob("*/*.txt")):
        page = path.read_text("utf-8")
        rules = path.parent.name
        desk = DESKS[rules]["fr" if "\n######## La lettre 1 arrive" in page else "en"]
        for part in re.split(r"^(?=(?:<<<<<<<<|########|--------) )", page, flags=re.MULTILINE):
            text = part.partition("\n\n")[2]
            if part.startswith("<<<<<<<<") and text.strip():
                found.setdefault(text, Ours(f"{rules}/{path.stem}", desk, MOVES[rules], text))
    return tuple(found.values())


def pieces(text: str, width: int) -> list[tuple[int, str]]:
    """Return a text's lines cut into pieces, each with its number in its line, from 0."""
    return [
        (number, piece)
        for line in text.splitlines()
        for number, piece in enumerate(textwrap.wrap(line, width) or [""])
    ]


def combed(text: str, width: int, mark: str = "> ", rest: str = "") -> list[str]:
    """Quote a text as some programs do: wrapped anew, the mark before the first piece of each line alone."""
    return [f"{rest if number else mark}{piece}" for number, piece in pieces(text, width)]


def every(text: str, width: int, nth: int, rest: str = "") -> list[str]:
    """Quote a text wrapped anew, the mark before each piece whose number divides by `nth`."""
    cut = pieces(text, width)
    return [f"{rest if at % nth else '> '}{piece}" for at, (_, piece) in enumerate(cut, 1)]


def lines_of(said: Sequence[str], *ours: str) -> tuple[OwnLine, ...]:
    """Return what is taken for the writer's in a letter, where these letters of ours may be quoted in it."""
    own, marked, _ = read_own(plain_lines("\n".join(said)))
    return without_echo(without_pieces(own, marked, ours), ours[0] if ours else "")


def read(said: Sequence[str], *ours: str, desk: Grammar = DESK) -> Understanding:
    return desk.read(lines_of(said, *ours))


def orders(read: Understanding) -> list[str]:
    return [command.line.text for command in read.commands]


def asked(read: Understanding) -> list[str]:
    return [fault.excerpt for fault in read.faults if fault.code == "perhaps-quoted"]


WIDTHS = st.integers(20, 100)
ATTRIBUTION = "On Fri, 27 Nov 2026 at 17:14, Referee <referee@example.org> wrote:"
PLACES = st.sampled_from(["nowhere", "above", "below", "between"])


def check(ours: Ours, quoted: Sequence[str], place: str, where: int, above: Sequence[str]) -> None:
    """Exactly the move is read, or nothing where there is none.

    Where our letter tells the same move and it stands among our words, it may be ours: then it is asked about.
    """
    at = 1 + where % max(1, len(quoted) - 1)
    said = {
        "nowhere": [THANKS, "", *above, *quoted],
        "above": [THANKS, ours.move, "", *above, *quoted],
        "below": [THANKS, "", *above, *quoted, "", ours.move],
        "between": [THANKS, "", *above, *quoted[:at], ours.move, *quoted[at:]],
    }[place]
    understood = read(said, ours.text, desk=ours.desk)
    if place == "between" and ours.move in ours.text and asked(understood) == [ours.move]:
        return
    read_orders = [each.rstrip("?") for each in orders(understood)]  # a piece beside it may ask "L-S2?"
    assert read_orders == ([] if place == "nowhere" else [ours.move]), "\n".join(said)


def comb_property(examples: int) -> None:
    @settings(max_examples=examples, derandomize=True)
    @given(
        which=st.integers(0, len(letters_of_ours()) - 1),
        width=WIDTHS,
        mark=st.sampled_from(["> ", ">", "| "]),
        rest=st.sampled_from(["", "", "> ", ">", "| ", "  ", "    ", "# "]),
        above=st.sampled_from([(), (ATTRIBUTION,), (ATTRIBUTION, "")]),
        place=PLACES,
        where=st.integers(0, 999),
    )
    def holds(
        which: int, width: int, mark: str, rest: str, above: Sequence[str], place: str, where: int
    ) -> None:
        ours = letters_of_ours()[which]
        check(ours, combed(ours.text, width, mark, rest), place, where, above)

    holds()


def sparse_property(examples: int) -> None:
    @settings(max_examples=examples, derandomize=True)
    @given(
        which=st.integers(0, len(letters_of_ours()) - 1),
        width=WIDTHS,
        nth=st.integers(2, 5),
        rest=st.sampled_from(["", "", "  ", "    "]),
        place=PLACES,
        where=st.integers(0, 999),
    )
    def holds(which: int, width: int, nth: int, rest: str, place: str, where: int) -> None:
        ours = letters_of_ours()[which]
        check(ours, every(ours.text, width, nth, rest), place, where, ())

    holds()


@pytest.mark.slow
def test_only_the_writer_s_move_is_read_beside_a_quotation_whose_lines_are_marked_at_their_beginning() -> (
    None
):
    comb_property(120)


def test_only_the_writer_s_move_is_read_beside_a_quotation_of_which_some_lines_are_marked() -> None:
    sparse_property(80)


@pytest.mark.full
def test_only_the_writer_s_move_is_read_whatever_our_letter_says_and_wherever_it_was_broken() -> None:
    comb_property(5_000)
    sparse_property(4_000)


def test_there_are_letters_of_every_game_and_language() -> None:
    pages = {ours.page for ours in letters_of_ours()}
    assert {page.partition("/")[0] for page in pages} == set(MOVES)
    assert len({id(ours.desk) for ours in letters_of_ours()}) == 2 * len(MOVES)
    assert len(letters_of_ours()) > 1_000


@pytest.mark.parametrize("width", range(20, 101))
def test_a_sentence_of_ours_that_ends_with_a_word_of_the_desk_takes_no_offer_back(width: int) -> None:
    assert orders(read([THANKS, "", *combed(OFFER, width)], OFFER)) == []


@pytest.mark.telling(nth=[2], width=[20, 60])
@pytest.mark.parametrize("width", [20, 30, 42, 60, 100])
@pytest.mark.parametrize("nth", [2, 3, 4, 5])
def test_a_heading_of_a_short_letter_of_ours_above_the_first_mark_asks_for_nothing(
    nth: int, width: int
) -> None:
    for ours in letters_of_ours():
        if len(ours.text.splitlines()) <= SHORT:
            check(ours, every(ours.text, width, nth), "nowhere", 0, ())


@pytest.mark.parametrize(
    "break_lines",
    [
        lambda line: textwrap.wrap(line, 72),
        lambda line: [f"{piece} " for piece in textwrap.wrap(line, 72)],
        lambda line: [f"{piece}=" for piece in textwrap.wrap(line, 72)],
        lambda line: [line[at : at + 74] for at in range(0, len(line), 74)],
    ],
    ids=["between words", "with a blank behind", "quoted-printable's sign", "within words"],
)
def test_it_does_not_matter_how_a_line_was_broken(break_lines) -> None:  # type: ignore[no-untyped-def]
    quoted = [
        f"{'' if number else '> '}{piece}"
        for line in OFFER.splitlines()
        for number, piece in enumerate(break_lines(line) or [""])
    ]
    understood = read([THANKS, "", *quoted, "", "L-S2"], OFFER)
    assert (orders(understood), understood.faults) == (["L-S2"], ())


@pytest.mark.parametrize("example", ["A-S1", "L-S2", "draw"])
def test_what_a_player_writes_between_lines_of_ours_is_read_though_they_say_it_too(example: str) -> None:
    """It is the example of the letter that players send back."""
    ours = OFFER.replace("A-S1", example)
    quoted = [f"> {line}" for line in ours.splitlines()]
    for at in range(1, len(quoted) + 1):
        said = [*quoted[:at], example, *quoted[at:]]
        if at == len(quoted) or quoted[at].strip("> ") != "A-S1":
            assert (orders(read(said, ours)), asked(read(said, ours))) == ([example], []), "\n".join(said)


def test_a_player_may_answer_below_what_he_has_kept_of_our_letter() -> None:
    for kept in (1, 3, 5):
        said = [*(f"> {line}" for line in OFFER.splitlines()[:kept]), "A-S1"]
        assert orders(read(said, OFFER)) == ["A-S1"]
        assert orders(read([*said, *(f"> {line}" for line in OFFER.splitlines()[8:])], OFFER)) == ["A-S1"]


def test_an_example_without_its_mark_is_asked_about() -> None:
    """Its reader has taken the mark off, or a program has: whichever it was, he is asked."""
    quoted = [f"> {line}" if line != "A-S1" else line for line in OFFER.splitlines()]
    understood = read(quoted, OFFER)
    assert (orders(understood), asked(understood)) == ([], ["A-S1"])
    beside = read(["status", "", *quoted], OFFER)
    assert (orders(beside), asked(beside)) == (["status"], ["A-S1"])
    said_twice = read(["A-S1", "", *quoted], OFFER)
    assert (orders(said_twice), asked(said_twice)) == (["A-S1"], []), "then there is nothing to ask"


def test_one_piece_alone_is_asked_about() -> None:
    ours = "The offer stands until Yannick agrees or moves. To take it back, write cancel 1.\n\nLetter 2."
    understood = read([THANKS, "", *combed(ours, 72)], ours)
    assert (orders(understood), asked(understood)) == ([], ["cancel 1."])


def test_prose_that_may_be_quoted_is_nothing_to_ask_about() -> None:
    ours = (
        "The offer stands until Yannick agrees or moves, and then it is as if it had not been.\n\nLetter 2."
    )
    assert read(["A-S1", "", *combed(ours, 72)], ours).faults == ()


def test_a_line_that_may_go_on_from_a_quotation_of_something_unknown_is_asked_about() -> None:
    above = "> If you should like to give this game up after all, you might write"
    for said in ([above, "resign"], ["status", "", above, "resign"]):
        understood = read(said)
        assert (orders(understood), asked(understood)) == (said[:-2][:1], ["resign"])
    assert orders(read([above, "", "resign"])) == ["resign"]
    assert orders(read(["> What do you want to do?", "resign"])) == ["resign"]


def test_an_older_letter_of_ours_below_the_newest_is_known_as_well() -> None:
    newest = "Your move, turn 3.\n\nREPLY WITH ONE LINE, FOR EXAMPLE\nA-S1\n"
    older = [f"> {line}" if line.startswith("> ") else line for line in combed(OFFER, 70)]
    said = [THANKS, "", *(f"> {line}" for line in newest.splitlines()), *older]
    assert orders(read(said, newest, OFFER)) == []


def test_lines_that_are_asked_about_are_all_shown() -> None:
    quoted = [f"> {line}" if line not in ("deny", "A-S1") else line for line in (
        "Allow or deny it.", "", "REPLY WITH TWO LINES, FOR EXAMPLE", "deny", "A-S1", "", "Letter 2.",
    )]  # fmt: skip
    ours = "Allow or deny it.\n\nREPLY WITH TWO LINES, FOR EXAMPLE\ndeny\nA-S1\n\nLetter 2.\n"
    (fault,) = read(quoted, ours, desk=DESKS["spies"]["en"]).faults
    assert (fault.excerpt, fault.facts["lines"]) == ("deny", ("deny", "A-S1"))


@given(
    st.lists(st.text(alphabet="ab >\n", max_size=12), max_size=20), st.text(alphabet="ab -\n", max_size=60)
)
@example(["> a", "b", "> a"], "a\nb\na")
def test_what_is_kept_are_some_of_the_lines_in_their_order(said: list[str], ours: str) -> None:
    own, marked, _ = read_own(plain_lines("\n".join(said)))
    kept = without_pieces(own, marked, [ours])
    numbers = [line.number for line in own]
    assert [line.number for line in kept] == [
        number for number in numbers if number in {k.number for k in kept}
    ]
    assert {(line.number, line.text) for line in kept} <= {(line.number, line.text) for line in own}


def test_lines_above_a_quotation_are_not_looked_into() -> None:
    own, marked, _ = read_own(plain_lines("A-S1\n\n> Your move\n> A-S1\n>\n> Letter 2"))
    assert marked == ()
    assert without_pieces(own, marked, [OFFER]) is own
