"""What stands beside the word in the answer to a question: it is named and not done; prose is passed over."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest

from referee.games.tournaments.tournament import Competition
from referee.rulebooks.rulebook import Seat
from referee.service.tournaments import TournamentService
from tests.support.begun import DEAL, game_of, member, said
from tests.support.playing import Club, Correspondent, Delivered

NEW = "anna@new.example"
NAMED = "This stood in your answer, too, and was not done:"
ADVICE = "Send it in a letter of its own."

Question = tuple[Correspondent, Delivered, Callable[[], bool]]
"""Who is asked, the question, and whether what it asks about is done."""


@pytest.fixture
def anna(club: Club) -> Correspondent:
    return member(club, "Anna")


@pytest.fixture
def bert(club: Club) -> Correspondent:
    return member(club, "Bert")


@pytest.fixture
def game(club: Club, anna: Correspondent, bert: Correspondent) -> int:
    return game_of(club, anna.address, bert.address)


def _held(club: Club, anna: Correspondent, line: str = "set sheets list") -> Question:
    question = anna.writes(line, vouched=False).only

    def done() -> bool:
        with club.store.reading() as lookup:
            return lookup.players.find(1).sheets == "list"

    return anna, question, done


def _action(club: Club, anna: Correspondent) -> Question:
    olga, carl = club.member("Olga"), club.member("Carl")
    secretary = TournamentService(club.store, club.service, club.clock, club.draws)
    secretary.make(Competition("Spring League", rules=("confusion",), time="7d/move"))
    secretary.appoint("Spring League", "umpire", ("", olga.address))
    seats = {Seat("white"): ("", anna.address), Seat("yellow"): ("", carl.address)}
    game = club.referee.umpire.new_game("confusion", seats, {"first": "white"}, DEAL, "Spring League")
    club.collect()
    question = olga.writes(f"umpire rule {game}: Be polite.").only

    def done() -> bool:
        with club.store.reading() as lookup:
            return "Stated" in [each.kind for each in lookup.events.of_game(game)]

    return olga, question, done


def _address(club: Club, anna: Correspondent) -> Question:
    there = club.person("Anna", NEW)
    anna.writes(f"set address {NEW}")

    def done() -> bool:
        with club.store.reading() as lookup:
            return lookup.players.find(1).address == NEW

    return there, there.last, done


ASKED = {"hold": _held, "deed": _action, "address": _address}

BESIDE = {
    "a move": (("A-S1",), ("A-S1",)),
    "a move for another game": (("9: A-S1",), ("9: A-S1",)),
    "a message": (("press hello Bert, sorry for the delay",), ("press hello Bert, sorry for the delay",)),
    "commands below a message": (("press hello", "status"), ("press hello", "status")),
    "a word": (("status",), ("status",)),
    "an action": (("umpire add 1 Yellow 3d: He was ill.",), ("umpire add 1 Yellow 3d: He was ill.",)),
    "the word for a game": (("confirm 17",), ("confirm 17",)),
    "a move that is mistyped": (("A-SS1",), ("A-SS1",)),
    "a word that is mistyped": (("statsu",), ("statsu",)),
    "several": (("A-S1", "Yours, Anna", "status", "A-SS2"), ("A-S1", "status", "A-SS2")),
    "prose": (("It was me, on the train.", "Yours, Anna"), ()),
    "the word once more": (("confirm",), ()),
    "nothing": ((), ()),
}


def happened(club: Club, game: int) -> list[str]:
    """Return what has happened in a game, but that a letter about it has come."""
    with club.store.reading() as lookup:
        return [each.kind for each in lookup.events.of_game(game) if each.kind != "CheckedIn"]


def named(letter: Delivered) -> tuple[str, ...]:
    """Return the lines that a letter says were not done."""
    _, found, rest = said(letter).partition(NAMED)
    if not found:
        return ()
    lines, advised, _ = rest.partition(f". {ADVICE}")
    assert advised
    return tuple(line.strip() for line in re.split(r", (?!sorry)", lines))


@pytest.mark.telling(
    asked=["hold"], beside=["a move", "a message", "a word", "a word that is mistyped", "several", "nothing"]
)
@pytest.mark.parametrize("beside", BESIDE)
@pytest.mark.parametrize("asked", ASKED)
def test_below_the_word_a_question_is_answered_and_all_else_is_named(
    club: Club, anna: Correspondent, game: int, asked: str, beside: str
) -> None:
    who, question, done = ASKED[asked](club, anna)
    lines, expected = BESIDE[beside]
    before = happened(club, game)
    exchange = who.replies("confirm", *lines, to=question)
    (answer,) = (letter for letter in exchange.sent if letter.recipient == who.address)
    assert done()
    assert named(answer) == expected
    assert not said(answer).startswith(NAMED), "the news comes first"
    assert happened(club, game) == before, "nothing else is done"
    assert not any(NAMED in letter.text for letter in exchange.sent if letter is not answer)


@pytest.mark.telling(
    asked=["hold"],
    line=["confirm. A-S2", "Confirm! press hello Bert", "confirm. statsu", "confirm . confirm"],
)
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("confirm. A-S2", ("A-S2",)),
        ("Confirm! press hello Bert", ("press hello Bert",)),
        ("confirm. A-SS2", ("A-SS2",)),
        ("confirm. statsu", ("statsu",)),
        ("confirm. It was me, on the train.", ()),
        ("confirm . confirm", ()),
    ],
)
@pytest.mark.parametrize("asked", ASKED)
def test_what_stands_behind_the_word_in_its_line_is_named_as_below_it(
    club: Club, anna: Correspondent, game: int, asked: str, line: str, expected: tuple[str, ...]
) -> None:
    who, question, done = ASKED[asked](club, anna)
    before = happened(club, game)
    exchange = who.replies(line, "status", to=question)
    (answer,) = (letter for letter in exchange.sent if letter.recipient == who.address)
    assert done()
    assert named(answer) == (*expected, "status")
    assert happened(club, game) == before, "nothing else is done"


@pytest.mark.parametrize(
    "line",
    [
        "confirm the rest. A-S2",
        "I confirm. A-S2",
        "A-S2. confirm",
        "cancel. confirm",
        "Confirm! That was not me.",
        "confirm. Never, I did not write that!",
        "confirm! It wasn't me.",
    ],
)
def test_a_line_that_begins_with_more_than_the_word_is_not_its_answer(
    club: Club, anna: Correspondent, game: int, line: str
) -> None:
    who, question, done = _held(club, anna)
    who.replies(line, to=question)
    assert not done()


def test_who_leaves_by_the_word_with_more_behind_it_leaves(
    club: Club, anna: Correspondent, game: int
) -> None:
    anna.writes("bye")
    exchange = anna.replies("confirm. press Thanks Bert")
    (farewell,) = (letter for letter in exchange.sent if letter.recipient == anna.address)
    assert f"{NAMED} press Thanks Bert." in said(farewell)


def test_in_a_letter_that_answers_no_question_such_a_line_is_prose(
    club: Club, anna: Correspondent, game: int
) -> None:
    before = happened(club, game)
    answer = anna.replies("confirm. A-S1", to=anna.last_about(game)).only
    assert happened(club, game) == before
    assert NAMED not in said(answer)


@pytest.mark.telling(beside=["a move", "a message"])
@pytest.mark.parametrize("asked", ["hold", "address"])
@pytest.mark.parametrize("beside", [each for each in BESIDE if BESIDE[each][0] and "the word" not in each])
def test_without_the_word_in_front_nothing_is_done_and_all_is_named(
    club: Club, anna: Correspondent, game: int, asked: str, beside: str
) -> None:
    who, question, done = ASKED[asked](club, anna)
    lines, expected = BESIDE[beside]
    before = happened(club, game)
    answer = who.replies(*lines, to=question).only
    assert not done()
    assert said(answer).startswith("Nothing was c"), "the news comes first"
    assert f"{NAMED} {', '.join(expected)}." in said(answer) if expected else NAMED not in said(answer)
    assert (ADVICE in said(answer)) == bool(expected and asked == "hold"), "from there nothing counts yet"
    assert happened(club, game) == before


def test_the_word_below_a_move_is_named_with_it(club: Club, anna: Correspondent, game: int) -> None:
    _, question, done = _held(club, anna)
    assert f"{NAMED} A-S1, confirm." in said(anna.replies("A-S1", "confirm", to=question).only)
    assert not done()


@pytest.mark.parametrize("line", ["A-S1", "status", "record", "help", "hello", "resend 1", "games"])
def test_whatever_was_held_its_one_answer_names_the_rest(
    club: Club, anna: Correspondent, game: int, line: str
) -> None:
    question = anna.replies(line, to=anna.last_about(game), vouched=False).only
    exchange = anna.replies("confirm", "preview A-S2", to=question)
    (answer,) = (letter for letter in exchange.sent if NAMED in letter.text)
    assert answer.recipient == anna.address
    assert f"{NAMED} preview A-S2. {ADVICE}" in said(answer)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("confirm 1", "confirm 2", "A-S1"), "A-S1"),
        (("confirm 1", "A-S1", "confirm 2"), "A-S1, confirm 2"),
        (("confirm 1. confirm 2", "A-S1"), "A-S1"),
        (("confirm 1. A-S1", "confirm 2"), "A-S1, confirm 2"),
        (("confirm 1", "confirm 7", "status"), "confirm 7, status"),
    ],
)
def test_of_several_held_letters_one_answer_names_the_rest(
    club: Club, anna: Correspondent, game: int, lines: tuple[str, ...], expected: str
) -> None:
    anna.writes("hello", vouched=False)
    for line in ("set sheets list", "set compass own"):
        anna.writes(line, vouched=False)
    club.later(timedelta(days=1, minutes=1))
    club.referee.jobs.ask_about_held()
    (question,) = club.collect()
    exchange = club.reader(anna.address).replies(*lines, to=question)
    naming = [letter for letter in exchange.sent if NAMED in letter.text]
    assert [f"{NAMED} {expected}. {ADVICE}" in said(letter) for letter in naming] == [True]


def test_what_is_a_piece_of_the_question_is_not_named(club: Club, anna: Correspondent, game: int) -> None:
    _, question, done = _held(club, anna)
    ours = question.text.splitlines()
    anna.writes(
        "confirm", "", *ours, to=question["Reply-To"], headers=[f"In-Reply-To: {question['Message-ID']}"]
    )
    assert done()
    assert NAMED not in anna.last.text


def test_the_word_that_takes_an_address_back_does_that_and_no_more(
    club: Club, anna: Correspondent, game: int
) -> None:
    there, question, _ = _address(club, anna)
    there.replies("confirm", to=question)
    back = anna.replies("cancel", "A-S1", "status").only
    assert f"{NAMED} A-S1, status. {ADVICE}" in said(back)


def test_who_leaves_is_told_what_is_not_done_and_not_to_write_again(
    club: Club, bert: Correspondent, anna: Correspondent, game: int
) -> None:
    bert.writes("bye")
    exchange = bert.replies("confirm", "press Thanks Anna")
    (farewell,) = (letter for letter in exchange.sent if letter.recipient == bert.address)
    assert f"{NAMED} press Thanks Anna." in said(farewell)
    assert ADVICE not in said(farewell)


@pytest.mark.parametrize("asked", ASKED)
def test_an_answer_that_is_too_long_says_so(club: Club, anna: Correspondent, game: int, asked: str) -> None:
    who, question, done = ASKED[asked](club, anna)
    prose = [f"prose {number} and more" for number in range(900)]
    exchange = who.replies("confirm", *prose, "status", to=question)
    (answer,) = (letter for letter in exchange.sent if letter.recipient == who.address)
    assert done()
    assert "too long to be read to its end" in said(answer)


@pytest.mark.parametrize("lines", [("confirm", "A-S1"), ("confirmer. A-S1",), ("Confirmer ! A-S1",)])
def test_the_rest_is_named_in_the_player_s_language(
    club: Club, anna: Correspondent, game: int, lines: tuple[str, ...]
) -> None:
    anna.writes("set language fr")
    _, question, done = _held(club, anna)
    answer = anna.replies(*lines, to=question).only
    assert done()
    assert "rien n'en a été fait\N{NO-BREAK SPACE}: A-S1." in " ".join(answer.text.split(" "))
