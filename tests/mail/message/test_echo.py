"""Our own letter, repeated without marks, is no answer; an answer copied from our letter is one."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.mail.message.echo import text_of_ours, without_echo
from referee.mail.message.limits import LETTER_OCTETS
from referee.mail.message.message import Attachment, OutgoingLetter
from referee.mail.message.mime_writer import write_letter
from referee.mail.message.plain_text import plain_lines
from referee.mail.message.quoting import own_lines

MOVE = """Your move, turn 3.

Yellow tried A-N1: no. The yellow A stays on (3,2). It was a fair attempt, and both of you have heard the answer.

BOARD
   1  2  3  4
 2 .  .  A  C
 1 .  *  N  .

Drawn from your side: north is up. Capitals are yours, small letters are White's; * is Z.

REPLY WITH ONE LINE, FOR EXAMPLE
A-S1

WHERE EVERYTHING STANDS
You play White, against Bert. Your forward is south; nobody controls Z. Your move, turn 3.

YOUR PIECES
A (9,10)
C (8,10)

OTHER WORDS
Instead of a move, or on a line of its own beside it: help, status, resign, draw, record. The word help brings more.

Letter 5, game 1, Fri 27 Nov 2026, 17:14 UTC.
"""
STRANGER = """I do not know your address yet.

This mailbox umpires games that are played by letter. To take part, reply with one line, your name behind the word:

register Anna

Games are played in English.

WORDS
accept [GAME]: takes up a challenge.
status [GAME]: how a game stands.

Fri 27 Nov 2026, 17:14 UTC.
"""
HELD = """Did you write this? A letter came in your name, and nothing proves that it is yours.

It came on Fri 27 Nov 2026, 17:14 UTC and was set aside: nothing in it has counted so far. It says: resign, status.

If it was you, reply with the one word

confirm

If it was not, do nothing. Mail services prove their senders; ask yours if this happens often.

Letter 6, Fri 27 Nov 2026, 17:14 UTC.
"""
LETTERS = {MOVE: "A-S1", STRANGER: "register Anna", HELD: "confirm"}


def answer(text: str, ours: str) -> list[str]:
    """Return what is read as the writer's in a letter with this text."""
    return [line.text for line in without_echo(own_lines(plain_lines(text)), ours)]


def wrapped(text: str, width: int) -> str:
    return "\n".join(
        textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)
        for line in text.splitlines()
    )


def marked(mark: str) -> Callable[[str], str]:
    return lambda text: "\n".join(mark + line for line in text.splitlines())


WAYS: dict[str, Callable[[str], str]] = {
    "as it was": str,
    "wrapped at 72": lambda text: wrapped(text, 72),
    "wrapped at 30": lambda text: wrapped(text, 30),
    "wrapped at 12": lambda text: wrapped(text, 12),
    "in one piece": lambda text: "\n".join(line for line in text.splitlines() if line),
    "spaced out": lambda text: text.replace("\n", "\n\n"),
    "indented": marked("    "),
    "hashed": marked("# "),
    "colons": marked(": "),
    "bullets": marked("* "),
    "small letters": str.lower,
    "without stops": lambda text: text.replace(".", "").replace(",", ""),
    "without headings": lambda text: "\n".join(line for line in text.splitlines() if not line.isupper()),
    "twice": lambda text: text + "\n" + text,
    "cut off": lambda text: text[: text.rindex("\n\n")],
}
EVERY_WAY = pytest.mark.parametrize("way", WAYS.values(), ids=list(WAYS))
EVERY_LETTER = pytest.mark.parametrize("ours", LETTERS, ids=list(LETTERS.values()))


@EVERY_WAY
@EVERY_LETTER
def test_an_absence_notice_that_repeats_our_letter_says_nothing_but_its_own_words(
    ours: str, way: Callable[[str], str]
) -> None:
    echo = way(ours)
    assert answer(f"I am away until Monday.\n\n{echo}", ours)[:1] == ["I am away until Monday."]
    assert LETTERS[ours] not in answer(f"I am away until Monday.\n\n{echo}", ours)[1:]
    assert LETTERS[ours] not in answer(f"Your letter was: {echo}\n\nI am away.", ours)
    assert LETTERS[ours] not in answer(echo, ours)


@EVERY_WAY
@EVERY_LETTER
def test_an_answer_above_or_below_an_unmarked_repetition_is_read(
    ours: str, way: Callable[[str], str]
) -> None:
    """The answer is the example itself, which is hardest to tell from its echo."""
    example, echo = LETTERS[ours], way(ours)
    for said in ([example], ["Hello,", example, "Bert"], ["No, not me!"], ["L-S2", "status"]):
        text = "\n\n".join(said)
        assert answer(f"{text}\n\n{echo}", ours)[: len(said)] == said
        below = answer(f"{echo}\n\n{text}", ours)
        assert below[len(below) - len(said) :] == said
        # Where an answer is read, the echo of the example is not read beside it.
        assert answer(f"{text}\n\n{echo}", ours).count(example) == said.count(example)


@EVERY_LETTER
def test_an_answer_within_the_beginning_of_an_unmarked_repetition_is_read(ours: str) -> None:
    """The example is a whole line of ours from further on, and still the answer."""
    example = LETTERS[ours]
    lines = [line for line in ours.splitlines() if line]
    beginnings = range(1, min(4, lines.index(example)))
    answers = ([example], [example, "set sheets picture"], ["status", example])
    for above, said in product(beginnings, answers):
        read = answer("\n".join((*lines[:above], *said, *lines[above:])), ours)
        assert [line for line in read if line in said] == said
        below = "\n".join(f"> {line}" for line in lines[above + 2 :])
        read = answer("\n".join((*lines[:above], *said, *lines[above : above + 2], below)), ours)
        assert [line for line in read if line in said] == said


@EVERY_LETTER
def test_an_answer_without_our_letter_is_read_whatever_it_repeats(ours: str) -> None:
    example = LETTERS[ours]
    for said in (
        [example],
        ["Hello,", example],
        ["Hello,", example, "Bert"],
        [example, example],
        ["status", "resign", "draw", "record"],
        ["resign", "status"],
        ["BOARD"],
        ["A-N1", "no"],
    ):
        assert answer("\n".join(said), ours) == said


@pytest.mark.parametrize(
    ("said", "read"),
    [
        # The example is edited where it stands.
        (MOVE.replace("A-S1", "L-S2"), ["L-S2"]),
        # Answers stand between what they answer.
        (MOVE.replace("BOARD", "What a pity!\n\nBOARD"), ["What a pity!"]),
        (MOVE.replace("A-S1", "A-S1\n\nL-S2"), ["L-S2"]),
        (MOVE.replace("A-S1", "L-S2\n\nA-S1"), ["L-S2"]),
        (MOVE.replace("A-S1", "A-S1\n\nA-S1"), ["A-S1"]),
        (MOVE.replace("C (8,10)", "C (8,10)\nC: perhaps a Rocket?\nA-S1"), ["C: perhaps a Rocket?", "A-S1"]),
        # The letter begins with the answer, whatever of ours follows on it.
        (MOVE[MOVE.index("A-S1") :], ["A-S1"]),
        ("A-S1\n\nREPLY WITH ONE LINE, FOR EXAMPLE\nA-S1\n\nWHERE EVERYTHING STANDS", ["A-S1"]),
        # A heading and the example below it are a copy, alone or below other words.
        ("Hello,\nREPLY WITH ONE LINE, FOR EXAMPLE\nA-S1", ["Hello,"]),
        # What stands between was changed on the way: the example is from further on.
        ("Away.\nYour move, turn 3.\n" + MOVE[MOVE.index("BOARD") : MOVE.index("REPLY")] + "ANTWORT\nA-S1\nx",
         ["Away.", "Your move, turn 3.", "ANTWORT", "x"]),
        # One line of ours alone may have been copied by hand, to be answered.
        ("You said:\nYour move, turn 3.\nA-S1", ["You said:", "Your move, turn 3.", "A-S1"]),
        # What is no whole line of ours is an answer below a part of it.
        (MOVE[: MOVE.index("REPLY")] + "resign", ["resign"]),
        (MOVE[: MOVE.index("REPLY")] + "status\nresign", ["status", "resign"]),
        # Rules and empty rows go with what they stand below.
        (MOVE.replace("BOARD", "-----\nBOARD\n. . .") + "---\nL-S2\n---", ["L-S2", "---"]),
    ],
)  # fmt: skip
def test_what_is_answered_in_the_midst_of_our_letter_is_told_from_it(said: str, read: list[str]) -> None:
    assert answer(said, MOVE) == read


OWN_WORDS = st.sampled_from(
    [
        "A-S1",
        "L-S2",
        "resign",
        "help",
        "status",
        "confirm",
        "register Anna",
        "Hello,",
        "Bert",
        "no",
        "BOARD",
        "🙂",
    ]
)


@given(
    ours=st.sampled_from(list(LETTERS)),
    said=st.lists(OWN_WORDS, min_size=1, max_size=5),
    width=st.integers(6, 100),
    mark=st.sampled_from(["", "  ", "# ", "* "]),
    until=st.integers(0, 40),
)
def test_a_repetition_below_leaves_the_writer_s_lines_as_they_were(
    ours: str, said: list[str], width: int, mark: str, until: int
) -> None:
    """Whatever stands above, and wherever the repetition is cut off."""
    echo = marked(mark)(wrapped("\n".join(ours.splitlines()[:until]), width))
    read = answer("\n".join([*said, "", echo]), ours)
    assert read[: len(said)] == said
    if until > 3:
        assert LETTERS[ours] not in read[len(said) :]


@given(
    st.lists(st.text(alphabet="ab -\n", max_size=12), max_size=12), st.text(alphabet="ab -\n", max_size=40)
)
def test_what_is_read_are_some_of_the_lines_in_their_order(said: list[str], ours: str) -> None:
    lines = own_lines(plain_lines("\n".join(said)))
    kept = without_echo(lines, ours)
    numbers = [line.number for line in kept]
    assert numbers == sorted(set(numbers))
    assert set(kept) <= set(lines)
    assert without_echo(lines, "") == lines


ASKED = """\
Your move, turn 2, and first allow or deny E-N3.

REPLY WITH TWO LINES, FOR EXAMPLE
deny

A-S1

YOUR SPIES
A (9,10)
"""


@pytest.mark.parametrize("above", [[], ["Well, well."], ["Well, well.", ""]])
@pytest.mark.parametrize("example", [["deny", "A-S1"], ["deny", "", "A-S1"]])
def test_an_example_of_several_lines_may_be_followed_to_the_letter(
    above: list[str], example: list[str]
) -> None:
    """Nobody copies just these lines of a whole letter but he who means them."""
    said = [line for line in (*above, *example) if line]
    assert answer("\n".join([*above, *example]), ASKED) == said
    below = "\n".join([*above, *example, "", *ASKED.splitlines()])
    assert answer(below, ASKED) == said
    drawn = ASKED.replace("deny\n\nA-S1", "setup\nACE.HKL\nNOPXSTV")
    assert answer("\n".join([*above, "setup", "ACE.HKL", "NOPXSTV"]), drawn)[-3:] == [
        "setup",
        "ACE.HKL",
        "NOPXSTV",
    ]


def test_an_example_of_several_lines_is_an_echo_where_what_stands_around_it_is() -> None:
    said = ["I am away until Monday.", "", *ASKED.splitlines()]
    assert answer("\n".join(said), ASKED) == ["I am away until Monday."]


def test_a_letter_that_repeats_itself_is_searched_in_a_moment() -> None:
    """A letter of ours may hold what players have written; what they repeat must not cost more and more."""
    lines = own_lines(plain_lines("a b a b\n" * 2000))
    assert len(without_echo(lines, "a b\n" * 4000)) <= 1
    assert without_echo(lines[:1], "b a " * 8000) == lines[:1]


def our_letter(text: str, html: str | None = None, attachments: tuple[Attachment, ...] = ()) -> bytes:
    letter = OutgoingLetter(
        message_id="a@example.org",
        recipient="anna@example.net",
        recipient_name="Anna",
        kind="report",
        subject="Confusion",
        sent=datetime(2026, 11, 27, tzinfo=UTC),
        text=text,
        html=html,
        attachments=attachments,
    )
    return write_letter(letter, service_name="Referee", service_address="referee@example.org")


@pytest.mark.parametrize("html", [None, "<p>page</p>"])
def test_the_text_of_our_own_letter_is_found_in_its_bytes(html: str | None) -> None:
    text = "Jörg’s move — a long line that is folded on its way, " * 4 + "\n\nA-S1\n"
    attached = Attachment("game.txt", "text/plain", "1. A-S1")
    found = text_of_ours(our_letter(text, html, (attached,)))
    assert found.splitlines() == text.splitlines()


def test_what_cannot_be_opened_has_no_text() -> None:
    assert text_of_ours(b"x" * (LETTER_OCTETS + 1)) == ""
    assert text_of_ours(b"Content-Type: text/html\r\n\r\n<p>A-S1</p>") == ""
