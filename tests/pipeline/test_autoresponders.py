"""Nothing goes where nobody reads, and a program that answers everything is left alone; a person is always answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.pipeline.autoresponders import ANSWERS_BY_ITSELF, MOST_WITH_A_SLIP, MOST_WITHOUT_A_WORD, WITHIN
from tests.pipeline.test_processor import DEAL, MOVES
from tests.support.begun import said
from tests.support.playing import BETWEEN_LETTERS, Club, Correspondent, Delivered, Exchange, new_database

OPERATOR = "operator@example.com"
AWAY = "Thank you for your message. I am away until Monday."


def with_operator(folder: Path, name: str = "referee") -> Club:
    club = Club(new_database(folder, name))
    club.service = replace(club.service, operator=OPERATOR)
    club.open_house()
    return club


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    club = with_operator(tmp_path)
    yield club
    club.close()


@pytest.fixture
def wendy(club: Club) -> Correspondent:
    """Wendy, whose turn it is against Yannick in game 1."""
    club.begins(begin)
    return club.reader("wendy@example.net")


def begin(club: Club) -> int:
    return club.starts({"white": club.member("Wendy"), "yellow": club.member("Yannick")}, deal=DEAL)


def soon(
    club: Club,
    who: Correspondent,
    *lines: str,
    after: timedelta = timedelta(seconds=20),
    to: Delivered | None = None,
) -> Exchange:
    """Let somebody answer the newest letter so long after it was written, quoting nothing."""
    club.clock.at += after - BETWEEN_LETTERS
    return who.replies(*lines, to=to)


def reason(club: Club) -> str:
    with club.store.reading() as lookup:
        (line,) = lookup.letters.newest(1)
    return line.reason


def told(exchange: Exchange, who: Correspondent | str) -> list[Delivered]:
    address = who if isinstance(who, str) else who.address
    return [letter for letter in exchange.sent if letter.recipient == address]


# Addresses that nobody reads


@pytest.mark.telling(lines=[["help"]], local=["noreply", "postmaster", "mailer-daemon", "chess-bounces"])
@pytest.mark.parametrize(
    "local",
    [
        *(
            "noreply",
            "no-reply",
            "do-not-reply",
            "donotreply",
            "postmaster",
            "mailer-daemon",
            "chess-bounces",
        ),
        *("noreply-dmarc-support", "dmarcreport", "webmaster", "abuse", "nicht-antworten", "chess-request"),
    ],
)
@pytest.mark.parametrize(
    "lines", [["Your parcel is on its way."], ["help"], ["register a@b"], ["Register", "now!"]]
)
def test_no_stranger_is_answered_at_an_address_that_nobody_reads(
    club: Club, local: str, lines: Sequence[str]
) -> None:
    assert club.person("Shop", f"{local}@shop.example").writes(*lines).sent == ()
    assert club.letters == []
    assert reason(club) in (
        "unknown sender, at an address that nobody reads",
        "bounce; no player's letter is named",
    )


def test_a_shop_is_not_registered_by_what_it_advertises(club: Club) -> None:
    assert club.person("Shop", "no-reply@shop.example").writes("register now").sent == ()
    with club.store.reading() as lookup:
        assert lookup.players.by_address("no-reply@shop.example") is None


def test_a_person_at_an_office_s_address_registers_by_saying_nothing_else(club: Club) -> None:
    otto = club.person("Otto", "webmaster@club.example")
    assert otto.writes("Hello", "register Otto").sent == ()
    assert otto.writes("register Otto").only.kind == "receipt"
    assert otto.writes("hello").only.kind == "help"


def test_whoever_was_seated_at_such_an_address_is_answered(club: Club) -> None:
    """The umpire knows whose it is."""
    anna, bert = club.person("Anna", "noreply@anna.example"), club.member("Bert")
    game = club.starts({"white": anna, "yellow": bert}, deal=DEAL)
    assert anna.replies("hello").only.kind == "help"
    assert told(anna.replies(MOVES[0], to=anna.last_about(game)), anna)
    assert anna.writes("register Anna").only.kind == "receipt"


@pytest.mark.parametrize("line", ["set address {}", "set second {}"])
def test_no_letter_asks_an_address_that_nobody_reads_whether_it_is_a_player_s(
    club: Club, wendy: Correspondent, line: str
) -> None:
    refused = wendy.writes(line.format("no-reply@shop.example")).only
    assert (refused.recipient, refused.kind) == (wendy.address, "refusal")
    assert "nobody reads what comes to no-reply@shop.example" in said(refused)
    assert len(wendy.writes(line.format("webmaster@wendy.example")).sent) == 2


def test_a_letter_from_such_an_address_to_a_player_s_tag_is_asked_about_at_the_player_s(
    club: Club, wendy: Correspondent
) -> None:
    """The player may have a mailbox of that name; nothing goes there."""
    shop = club.person("Shop", "noreply@shop.example")
    exchange = shop.replies("Your parcel", to=wendy.last_about(1))
    assert [letter.recipient for letter in exchange.sent] == [wendy.address]
    assert shop.replies("confirm", to=exchange.only).sent != () and shop.letters == []


def test_what_comes_too_late_from_such_an_address_is_not_answered(club: Club, wendy: Correspondent) -> None:
    wendy.writes("set address wendy@new.example")
    there = club.letters[-1] if club.letters[-1].recipient != wendy.address else club.letters[-2]
    shop = club.person("Shop", "noreply@shop.example")
    assert shop.replies("confirm", to=there).sent == ()


# Programs that do not say that they are programs


def test_a_program_that_answers_every_letter_is_left_alone_after_three_answers(
    club: Club, wendy: Correspondent
) -> None:
    """Given a program without marks that answers within seconds, when it goes on, then three letters are answered, the
    last of them says that it is, and the operator is told once."""
    answers = [soon(club, wendy, AWAY) for _ in range(7)]
    assert [len(told(each, wendy)) for each in answers] == [1, 1, 1, 0, 0, 0, 0]
    assert "as programs do that answer by themselves" in said(answers[2].sent[0])
    assert not any("as programs do" in said(each.sent[0]) for each in answers[:2])
    assert [len(told(each, OPERATOR)) for each in answers] == [0, 0, 0, 1, 0, 0, 0]
    assert "Player 1 seems to have a program" in said(told(answers[3], OPERATOR)[0])
    assert wendy.address not in said(told(answers[3], OPERATOR)[0])
    assert reason(club) == ANSWERS_BY_ITSELF
    assert all(each.settled and each.settled.outcome == "ignored" for each in answers[3:])


def test_two_programs_that_face_each_other_stop(club: Club, wendy: Correspondent) -> None:
    """Whatever letter of ours comes, the program answers it: the exchange ends by itself, in this game and the next."""
    waiting, exchanged = [wendy.last_about(1)], 0
    while waiting and exchanged < 100:
        answer = soon(club, wendy, AWAY, to=waiting.pop())
        waiting += told(answer, wendy)
        exchanged += 1
    assert exchanged == MOST_WITHOUT_A_WORD + 1
    club.later(timedelta(days=3))
    yannick = club.reader("yannick@example.net")
    for _ in range(3):
        yannick.writes("press 1 Hello?")
        assert told(soon(club, wendy, AWAY), wendy) == [], (
            "what others bring about is answered by it, and not by us"
        )
        club.later(timedelta(days=1))


def test_a_program_whose_words_look_like_a_command_stops_too(club: Club, wendy: Correspondent) -> None:
    answers = [len(told(soon(club, wendy, "Join 4711"), wendy)) for _ in range(MOST_WITH_A_SLIP + 5)]
    assert answers == [1] * MOST_WITH_A_SLIP + [0] * 5


@pytest.mark.parametrize("words", [("C-N1",), ("draw",), ("press Are you there?",)])
def test_what_may_count_in_a_game_is_answered_however_often_and_soon_it_comes(
    club: Club, wendy: Correspondent, words: Sequence[str]
) -> None:
    """It is refused while it is the other's turn; when the turn comes it is done."""
    yannick = club.reader("yannick@example.net")
    for _ in range(MOST_WITH_A_SLIP + 3):
        assert told(soon(club, yannick, *words), yannick)
    soon(club, wendy, MOVES[0], to=wendy.last_about(1))
    assert told(soon(club, yannick, *words, to=yannick.last_about(1)), yannick)
    assert club.game(1).due.keys() == ({"white"} if words == ("C-N1",) else {"yellow"})


def test_a_program_that_answers_the_question_about_a_held_letter_stops_too(
    club: Club, wendy: Correspondent
) -> None:
    wendy.replies("A-S1", to=wendy.last_about(1), vouched=False)
    answers = [len(told(soon(club, wendy, AWAY), wendy)) for _ in range(6)]
    assert answers == [1, 1, 1, 0, 0, 0]


def test_whoever_writes_anything_else_is_heard_at_once_and_the_program_may_begin_anew(
    club: Club, wendy: Correspondent
) -> None:
    for _ in range(5):
        soon(club, wendy, AWAY)
    assert told(soon(club, wendy, MOVES[0], to=wendy.last_about(1)), wendy)
    assert club.game(1).due.keys() == {"yellow"}
    assert told(soon(club, wendy, AWAY), wendy)


def test_letters_of_before_do_not_count_when_nobody_vouches_for_them(
    club: Club, wendy: Correspondent
) -> None:
    """A forger cannot make us deaf to a player's words."""
    for _ in range(5):
        club.clock.at -= BETWEEN_LETTERS
        wendy.writes("hello", vouched=False)
    assert told(soon(club, wendy, "hello"), wendy)


# People


@pytest.mark.parametrize("line", ["status 1", "games", "help", "V-N1", "L-S2", "record", "set reports text"])
def test_whoever_writes_the_same_line_five_times_at_once_is_answered_five_times(
    club: Club, wendy: Correspondent, line: str
) -> None:
    assert all(told(soon(club, wendy, line, to=wendy.last_about(1)), wendy) for _ in range(5))


@pytest.mark.parametrize("line", ["status 1", "games"])
def test_what_the_desk_does_is_answered_however_often_it_is_asked_for(
    club: Club, wendy: Correspondent, line: str
) -> None:
    assert all(told(soon(club, wendy, line), wendy) for _ in range(3 * MOST_WITH_A_SLIP))


WORDS = st.sampled_from(("hello", "Hello?", "is anybody there", "hm", "I do not understand", "thanks"))
SLOW = st.timedeltas(min_value=WITHIN + timedelta(minutes=1), max_value=timedelta(hours=5))
QUICK = st.timedeltas(min_value=timedelta(seconds=1), max_value=WITHIN)
PAUSES = st.one_of(QUICK, SLOW)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    club = with_operator(tmp_path_factory.mktemp("club"))
    begin(club)
    yield club
    club.close()


@pytest.mark.slow
@given(st.lists(st.tuples(WORDS, PAUSES), min_size=1, max_size=12))
@settings(max_examples=12, deadline=None)
def test_a_person_who_writes_other_words_or_takes_their_time_is_always_answered(
    tmp_path_factory: pytest.TempPathFactory, begun: Club, letters: list[tuple[str, timedelta]]
) -> None:
    """Given any letters in which nothing can be read, then one is left alone only if it is the fourth or later in a row
    of the same words, each within minutes of our last letter."""
    club = begun.copy(tmp_path_factory.mktemp("copy"))
    club.service = begun.service
    club.open_house()
    wendy = club.reader("wendy@example.net")
    row: list[str] = []
    for words, pause in letters:
        answer = soon(club, wendy, words, after=pause)
        quick = pause <= WITHIN
        row = [*row, words] if quick and (not row or row[-1] == words) else [words] if quick else []
        if len(row) <= MOST_WITHOUT_A_WORD:
            assert told(answer, wendy)
    club.close()
