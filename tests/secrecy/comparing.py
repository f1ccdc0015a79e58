"""What two houses wrote to one reader, held against each other byte for byte."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import inf

from tests.secrecy.table import THE_GAME, Heard, Look, Sitting, Table
from tests.support.playing import Delivered


def softly(signs: Sequence[str]) -> str:
    """Return a pattern for these signs, one after the other, which the soft ends of encoded lines may break."""
    return r"(?:=\r\n)?".join(signs)


def encoded(text: str) -> list[str]:
    """Return a text's signs as they stand in a letter, where what is not ASCII is written in several."""
    return [chr(byte) if byte < 128 else f"={byte:02X}" for byte in text.encode()]


CALLED = ("Receipt: ", "Re\u00e7u\N{NO-BREAK SPACE}: ")
WORDS_OF_A_RECEIPT = "|".join(
    softly([*map(re.escape, encoded(word))])
    for word in (*(f"{before}{each}" for each in CALLED for before in ("\n", ">")), '"receipt": "')
)
RECEIPT = re.compile(f"({WORDS_OF_A_RECEIPT})((?:=\r\n)?{softly(['[0-9a-f]'] * 64)})(?![0-9a-f])".encode())
"""A receipt where one may stand: a line of the text, a paragraph of the HTML, a value in the part for programs."""


def zeros(digits: bytes) -> bytes:
    return re.sub(rb"[0-9a-f]", b"0", digits)


def masked(content: bytes, commitment: str) -> bytes:
    """Return a letter's bytes without the commitment, and without receipts where they may stand."""
    content = re.sub(softly(commitment).encode(), lambda found: zeros(found[0]), content)
    return RECEIPT.sub(lambda found: found[1] + zeros(found[2]), content)


def receipts_in(content: bytes) -> list[str]:
    return [found[2].replace(b"=\r\n", b"").decode() for found in RECEIPT.finditer(content)]


def hold_against_each_other(letter: Delivered, ours: bytes, theirs: bytes) -> None:
    """Fail where two letters first differ. (A comparison of their whole bytes would take pytest minutes to explain.)"""
    same = ours == theirs
    at = next((at for at, (one, other) in enumerate(zip(ours, theirs, strict=False)) if one != other), -1)
    where = f"{ours[max(0, at - 60) : at + 60]!r} and {theirs[max(0, at - 60) : at + 60]!r}"
    assert same, f"letter {letter['X-Referee-Number']}, {letter['Subject']}: {where}"


def hold_receipts_apart(one: bytes, other: bytes) -> None:
    """Fail where a receipt does not bind the truth: all that both letters say besides is the same."""
    ours, theirs = receipts_in(one), receipts_in(other)
    assert len(ours) == len(theirs) <= 3
    assert len(set(ours)) == len(set(theirs)) <= 1
    assert not set(ours) & set(theirs), "a receipt is the same for both truths"


def end_of(letters: Sequence[Heard]) -> float:
    """Return the number of the letter that ended the game, whose letters show the deal from there on; without one, a
    number that none has."""
    ends = (each.letter for each in letters if each.letter.kind == "result" and each.letter.game == THE_GAME)
    return next((letter.number for letter in ends), inf)


def compare_letters(ours: Sequence[Heard], theirs: Sequence[Heard], commitments: Sequence[str]) -> None:
    """Hold one reader's letters against each other; of those that end the game, or come behind, the headers alone,
    since they show the deal."""
    assert [each.when for each in ours] == [each.when for each in theirs], "letters came at other times"
    end = end_of(ours)
    for one, other in zip(ours, theirs, strict=True):
        first, second = one.letter, other.letter
        if first.game == THE_GAME and first.number >= end:
            assert first.message.items() == second.message.items()
            continue
        hold_against_each_other(
            first, masked(first.content, commitments[0]), masked(second.content, commitments[1])
        )
        if first.game == THE_GAME:
            hold_receipts_apart(first.content, second.content)


def compare_tables(one: Table, other: Table, *, watched: bool = True) -> int:
    """Hold two truths' letters to the watched player against each other, and to the third, and what an operator was
    shown of the game as the player sees it; return how many letters they are.

    watched: False where the player may tell the two truths apart, and only the third may not.
    """
    commitments = one.commitment, other.commitment
    thirds = [table.heard(table.third) for table in (one, other)]
    compare_letters(thirds[0], thirds[1], commitments)
    about = [[each.letter.message.items() for each in heard_by(table.other)] for table in (one, other)]
    assert about[0] == about[1], "the other player's letters are not about the same"
    if not watched:
        return len(thirds[0])
    letters = [heard_by(table.watched) for table in (one, other)]
    compare_letters(letters[0], letters[1], commitments)
    assert len(one.seen) == len(other.seen)
    for ours, theirs in zip(one.seen, other.seen, strict=True):
        hold_looks_against_each_other(ours, theirs, commitments)
    return len(letters[0])


def heard_by(who: Sitting) -> list[Heard]:
    """Return what a player got, in all of his mailboxes."""
    return who.table.heard(who.me, who.second, who.third)


def hold_looks_against_each_other(ours: Look, theirs: Look, commitments: Sequence[str]) -> None:
    """Fail where an operator was shown something else of a game as one seat sees it."""
    assert ours.record == theirs.record
    assert (ours.seen.board, ours.seen.sheets) == (theirs.seen.board, theirs.seen.sheets)
    bound = {"receipt": "", "commitment": ""}
    assert {**ours.seen.data, **bound} == {**theirs.seen.data, **bound}
    texts = [
        masked(each.seen.text.replace("\n", "\r\n").encode(), commitment)
        for each, commitment in zip((ours, theirs), commitments, strict=True)
    ]
    assert texts[0] == texts[1]
