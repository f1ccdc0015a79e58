"""Who has somebody else's reply address or letter, and no part in the game, learns nothing of it, not even its number;
nor is what he writes there done anywhere else, however old that address is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

import pytest

from tests.support.begun import said
from tests.support.playing import REFEREE, Club, Correspondent, Delivered, Exchange, once

TOLD = "Nothing in your letter was done: it went to a reply address that is not yours."
REFUSED = "your letter answers one that went to somebody else"


@dataclass(frozen=True)
class Table:
    """Anna plays Bert in one game, Carl plays Dora in `own`, and it is Carl's turn there."""

    club: Club
    anna: Correspondent
    bert: Correspondent
    carl: Correspondent
    game: int
    own: int


@pytest.fixture
def table(club: Club) -> Table:
    return Table(club, *two_games(club))


@once
def two_games(club: Club) -> tuple[Correspondent, Correspondent, Correspondent, int, int]:
    anna, bert, carl, dora = (club.member(name) for name in ("Anna", "Bert", "Carl", "Dora"))
    own = club.starts({"white": carl, "yellow": dora})
    return anna, bert, carl, club.starts({"white": anna, "yellow": bert}), own


def to(exchange: Exchange, who: Correspondent) -> list[Delivered]:
    return [each for each in exchange.sent if each.recipient == who.address]


def learns_nothing(table: Table, letter: Delivered) -> bool:
    """Return whether a letter to Carl names neither the game nor anybody in it."""
    text = f"{letter['Subject']} {said(letter)}"
    return letter.game is None and not any(
        each in text for each in (f"game {table.game}", "Anna", "Bert", table.anna.last["Reply-To"])
    )


# Former addresses


def renewed(table: Table) -> str:
    """Somebody else has used it."""
    letter = table.anna.last_about(table.game)
    table.club.person("Otto").replies("A-S1", to=letter)
    return letter["Reply-To"]


def changed(table: Table) -> str:
    letter = table.anna.last_about(table.game)
    table.anna.replies("new tag")
    return letter["Reply-To"]


def question_answered(table: Table) -> str:
    table.anna.replies("status", to=table.anna.last_about(table.game), vouched=False)
    question = table.anna.last
    table.anna.replies("confirm", to=question)
    return question["Reply-To"]


def address_confirmed(table: Table) -> str:
    spare = table.club.person("Anna", "anna@spare.example")
    table.anna.writes("set second anna@spare.example")
    question = spare.last
    spare.replies("confirm", to=question)
    return question["Reply-To"]


def left(table: Table) -> str:
    """She has none any more who was to be asked."""
    address = table.anna.last_about(table.game)["Reply-To"]
    table.anna.writes("bye")
    table.anna.replies("confirm")
    with table.club.store.reading() as lookup:
        assert lookup.players.by_address(table.anna.address) is None
    return address


FORMER = (renewed, changed, question_answered, address_confirmed, left)


@pytest.mark.telling(former=[renewed], line=["A-S1", "resign", "press Hello."])
@pytest.mark.parametrize("line", ["A-S1", "resign", "try A-S1; if no C-S1", "press Hello.", "draw"])
@pytest.mark.parametrize("former", FORMER, ids=[each.__name__ for each in FORMER])
def test_what_goes_to_a_former_reply_address_of_somebody_else_s_is_done_nowhere(
    table: Table, former: Callable[[Table], str], line: str
) -> None:
    address = former(table)
    table.club.later(timedelta(days=2))  # so that somebody can be asked anew
    events = _events(table)
    for _ in range(2):
        written = table.carl.writes(line, to=address, subject="Hello")
        assert written.settled is not None
        assert written.settled.outcome == ("ignored" if former is left else "held")
        (told,) = to(written, table.carl)
        assert said(told).startswith(TOLD) and learns_nothing(table, told)
        assert {each.recipient for each in written.sent} <= {table.carl.address, table.anna.address}
        assert former is not left or not to(written, table.anna)
    assert _events(table) == events


def test_whoever_was_asked_by_a_former_address_is_not_told_that_it_changes(table: Table) -> None:
    """It has changed before, and the present one is nobody else's."""
    former = changed(table)
    present = table.anna.last_about(table.game)["Reply-To"]
    assert present != former
    question = to(table.carl.writes("A-S1", to=former), table.anna)[0]
    assert "Did you write this?" in said(question) and "so that changes" not in said(question)
    table.anna.writes(f"status {table.game}")
    assert table.anna.last_about(table.game)["Reply-To"] == present


def test_a_former_address_of_the_opponent_s_names_the_game_as_a_live_one_does(table: Table) -> None:
    """Given that it is Bert's turn in another game alone, when he answers a former address of Anna's, then his move is
    meant for their game."""
    other = table.club.starts({"white": table.bert, "yellow": table.carl})
    written = table.bert.writes("A-N1", to=changed(table))
    assert [each.recipient for each in written.sent] == [table.bert.address]
    assert written.only.game == table.game
    assert table.club.game(other).due.keys() == {"white"}


def test_a_former_address_of_his_own_is_none(table: Table) -> None:
    first = table.carl.last_about(table.own)
    table.carl.replies("new tag")
    moved = table.carl.writes("A-S1", to=first["Reply-To"])
    assert moved.settled is not None and moved.settled.moves == 1


def test_a_stranger_s_letter_to_a_former_address_is_a_stranger_s(table: Table) -> None:
    """It is worth nothing any more: its player is not asked."""
    otto = table.club.person("Emil")
    written = otto.writes("A-S1", to=changed(table))
    assert [each.recipient for each in written.sent] == [otto.address]
    assert "I do not know your address yet." in said(written.only)


# What the address or the letter alone does not tell


LINES = [
    "game #: A-S1",
    "status #",
    "#: press Hello.",
    "why A #",
    "A-S1",
    "status",
    "resign",
    "appeal No.",
    "games",
]


@pytest.mark.telling(
    threaded=[True], subject=["Hello"], line=["game #: A-S1", "#: press Hello.", "A-S1", "status"]
)
@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("subject", ["Hello", "[game #] your move"])
@pytest.mark.parametrize("threaded", [True, False])
def test_a_reply_address_alone_does_not_tell_which_game_it_is_of(
    table: Table, line: str, subject: str, threaded: bool
) -> None:
    """Whatever else of the letter names a game of the writer's own."""
    letter, own, events = table.anna.last_about(table.game), f"{table.own}", _events(table)
    thread = [f"In-Reply-To: {letter['Message-ID']}"] if threaded else []
    for _ in range(2):  # the address is renewed by the first
        written = table.carl.writes(
            line.replace("#", own), to=letter["Reply-To"], subject=subject.replace("#", own), headers=thread
        )
        assert written.settled is not None and written.settled.outcome == "held"
        (told,) = to(written, table.carl)
        assert said(told).startswith(TOLD) and learns_nothing(table, told)
    assert to(table.club.exchanges[-2], table.anna), "its reader is asked"
    assert _events(table) == events


@pytest.mark.telling(subject=["Hello"], line=["game #: A-S1", "A-S1", "status"])
@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("subject", ["Hello", "[game #] your move"])
def test_a_thread_alone_does_not_tell_of_which_game_it_is(table: Table, line: str, subject: str) -> None:
    letter, own, events = table.anna.last_about(table.game), f"{table.own}", _events(table)
    written = table.carl.writes(
        line.replace("#", own),
        subject=subject.replace("#", own),
        headers=[f"In-Reply-To: {letter['Message-ID']}"],
    )
    (told,) = written.sent
    assert told.recipient == table.carl.address
    assert REFUSED in said(told).replace("Your letter", "your letter") and learns_nothing(table, told)
    assert _events(table) == events


@pytest.mark.parametrize("by", ["address", "thread", "both"])
@pytest.mark.parametrize("subject", ["Hello", "[game #] your move"])
def test_an_opponent_of_its_reader_s_in_another_game_learns_no_more(
    table: Table, by: str, subject: str
) -> None:
    """What he wrote may be meant for the game that they play, so that she is not asked."""
    theirs = table.club.starts({"white": table.carl, "yellow": table.anna})
    letter, events = table.anna.last_about(table.game), _events(table)
    written = table.carl.writes(
        "A-S1",
        to=REFEREE if by == "thread" else letter["Reply-To"],
        subject=subject.replace("#", f"{theirs}"),
        headers=[] if by == "address" else [f"In-Reply-To: {letter['Message-ID']}"],
    )
    (told,) = written.sent
    assert told.recipient == table.carl.address
    text = f"{told['Subject']} {said(told)}"
    assert "nswers one that went to somebody else" in text and f"game {table.game}" not in text
    assert _events(table) == events and table.club.game(theirs).due.keys() == {"white"}


def test_it_is_said_in_the_writer_s_language(table: Table) -> None:
    table.carl.writes("set language fr")
    letter = table.anna.last_about(table.game)
    written = table.carl.writes("A-S1", headers=[f"In-Reply-To: {letter['Message-ID']}"])
    assert "répond à une lettre adressée à quelqu" in said(written.only)


def _events(table: Table) -> list[tuple[str, ...]]:
    with table.club.store.reading() as lookup:
        return [tuple(each.kind for each in lookup.events.of_game(game)) for game in (table.game, table.own)]
