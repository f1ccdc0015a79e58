"""Letters in a player's name that nobody vouches for: what is asked about them, and what is heard after all."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from referee.pipeline.held import MOST_LISTED
from tests.support.begun import game_of, member
from tests.support.playing import REFEREE, START, Club, Correspondent, Delivered, Exchange, new_database
from tests.support.telling import telling

LONG = timedelta(days=1, minutes=1)


@pytest.fixture
def anna(club: Club) -> Correspondent:
    return member(club, "Anna")


@pytest.fixture
def bert(club: Club) -> Correspondent:
    return member(club, "Bert", "bert@example.com")


@pytest.fixture
def game(club: Club, anna: Correspondent, bert: Correspondent) -> int:
    return game_of(club, anna.address, bert.address)


def forge(anna: Correspondent, *lines: str) -> Exchange:
    return anna.writes(*lines, vouched=False)


def asked_again(club: Club) -> Delivered:
    """Let the service see to held letters; return the one question."""
    club.referee.jobs.ask_about_held()
    (question,) = club.collect()
    return question


def flat(letter: Delivered) -> str:
    return " ".join(letter.text.split())


def asked_about(club: Club, question: Delivered) -> list[int]:
    """Return the numbers that the letters of a question have in the service."""
    text = question["Reply-To"].partition("+")[2].partition("@")[0]
    with club.store.reading() as lookup:
        tag = lookup.tags.get(text)
        return [each.number for each in lookup.held.asked_about(tag)] if tag is not None else []


def offered(club: Club, game: int) -> tuple[str, str] | None:
    """Return who has proposed how to end a game."""
    offer = club.game(game).offer
    return None if offer is None else (offer.by, offer.end)


def outcomes(club: Club) -> dict[int, str | None]:
    with club.store.reading() as lookup:
        return {line.number: line.outcome for line in lookup.letters.newest(100)}


# What is asked


def test_a_letter_that_is_held_after_the_day_s_question_is_asked_about_the_next_day(
    club: Club, anna: Correspondent, game: int
) -> None:
    forge(anna, "hello")
    held = anna.replies("A-S1", to=anna.last_about(game), vouched=False)
    assert not held.sent
    club.referee.jobs.ask_about_held()
    assert club.collect() == ()
    club.later(LONG)
    question = asked_again(club)
    assert (question.recipient, question["Subject"]) == (anna.address, "Referee: did you write this?")
    assert "A-S1" in question.text and "to your own reply address" in flat(question)
    club.referee.jobs.ask_about_held()
    assert club.collect() == (), "it was asked about"
    club.reader(anna.address).replies("confirm", to=question, vouched=False)
    assert club.game(game).due.keys() == {"yellow"}


def test_a_forger_who_takes_the_day_s_question_every_day_hides_nothing(
    club: Club, anna: Correspondent, game: int
) -> None:
    for _ in range(3):
        forge(anna, "resign")
        own = anna.replies("draw", to=anna.last_about(game), vouched=False)
        club.later(LONG)
    assert own.settled is not None
    assert own.settled.number not in asked_about(club, anna.last), "the day's question came before it"
    question = asked_again(club)
    anna.replies("confirm", to=question)
    assert offered(club, game) == ("white", "draw")
    assert club.game(game).status == "playing"


@pytest.mark.parametrize(
    "meanwhile",
    ["diary A plan.", "try K-N1; if no A-N1", "set language fr", "preview K-N1", "claim Was that so?"],
)
def test_what_the_other_does_in_private_makes_no_held_move_late(
    anna: Correspondent, bert: Correspondent, game: int, meanwhile: str
) -> None:
    """Else its writer could tell that something was done."""
    held = anna.replies("A-S1", to=anna.last_about(game), vouched=False)
    bert.replies(meanwhile, to=bert.last_about(game))
    anna.replies("confirm", to=held.only)
    assert anna.last.kind == "report" and "You tried A-S1" in flat(anna.last)


@pytest.mark.telling
def test_of_several_letters_only_those_are_heard_that_are_named(
    club: Club, anna: Correspondent, game: int
) -> None:
    forge(anna, "help")
    first = forge(anna, "resign").settled
    forge(anna, "set sheets list")
    forge(anna, "draw")
    assert first
    club.later(LONG)
    question = asked_again(club)
    for wrong in ("confirm", f"confirm {first.number}", "Yes, all of them"):
        told = anna.replies(wrong, to=question, vouched=False)
        assert "letters 1, 2, 3:" in flat(told.only)
    anna.replies("confirm 2", "confirm 3", "resign", to=question, vouched=False)
    assert (club.game(game).status, offered(club, game)) == ("playing", ("white", "draw"))
    assert "is letter 1:" in flat(anna.replies("confirm", to=question).only), "one may still be confirmed"
    assert outcomes(club)[first.number] == "held"
    anna.replies("confirm 1", to=question)
    assert club.game(game).status == "ended"
    assert "Nothing is left" in anna.replies("confirm 1", to=question).only.text


def test_a_number_counts_as_the_question_that_is_answered_gives_it(
    club: Club, anna: Correspondent, game: int
) -> None:
    """Given two questions about two letters each, when the older is answered, then its own second letter is heard."""
    forge(anna, "help")
    forge(anna, "games")
    forge(anna, "draw")
    club.later(LONG)
    older = asked_again(club)
    forge(anna, "status")
    forge(anna, "resign")
    club.later(LONG)
    newer = asked_again(club)
    assert "2: came" in older.text and "2: came" in newer.text
    anna.replies("confirm 2", to=older)
    assert (club.game(game).status, offered(club, game)) == ("playing", ("white", "draw"))
    anna.replies("confirm 2", to=newer)
    assert club.game(game).status == "ended"


@pytest.mark.parametrize("meanwhile", telling([2], others=[5]))
def test_a_question_does_not_tell_how_much_others_have_written(tmp_path: Path, meanwhile: int) -> None:
    """Given a question about three letters, when another has written more or less between them, then it is the same."""
    questions = []
    for often in (0, meanwhile):
        club = Club(new_database(tmp_path, f"written-{often}"))
        anna, bert = club.member("Anna"), club.member("Bert")
        game = club.starts({"white": anna, "yellow": bert})
        forge(anna, "help")
        for day, word in enumerate(("A-S1", "draw", "resign"), 1):
            for _ in range(often):
                bert.replies("preview A-N1", to=bert.last_about(game))
            club.clock.at = START + timedelta(hours=5 * day)
            anna.replies(word, to=anna.last_about(game), vouched=False)
        club.clock.at = START + timedelta(days=3)
        questions.append(asked_again(club))
        club.close()
    quiet, busy = questions
    assert quiet.text == busy.text and "3: came" in quiet.text


@pytest.mark.telling
def test_the_question_lists_the_oldest_and_the_newest_and_the_rest_come_later(
    club: Club, anna: Correspondent
) -> None:
    forge(anna, "help")
    numbers = [forge(anna, "games").settled.number for _ in range(MOST_LISTED + 2)]  # type: ignore[union-attr]
    club.later(LONG)
    question = asked_again(club)
    assert question.text.startswith(f"Did you write these? {MOST_LISTED} letters came in your name")
    places = [f"\n{place}: came" in question.text.replace("\r", "") for place in range(1, len(numbers) + 1)]
    assert places == [True] * MOST_LISTED + [False, False]
    half = [True] * (MOST_LISTED // 2)
    assert [number in asked_about(club, question) for number in numbers] == [*half, False, False, *half]
    club.later(LONG)
    assert asked_again(club).text.startswith("Did you write these? 2 letters came in your name")


def days_until_asked(club: Club, anna: Correspondent, number: int, a_day: int, address: str = REFEREE) -> int:
    """Forge letters in Anna's name each day and let the service ask; return on which day it asks about that number."""
    for day in range(30):
        for which in range(a_day):
            anna.writes(f"help {day} {which}", to=address, vouched=False)
        club.clock.at += timedelta(days=1)
        club.referee.jobs.ask_about_held()
        if any(number in asked_about(club, question) for question in club.collect()):
            return day
    return 30


@pytest.mark.telling(a_day=[10])
@pytest.mark.parametrize("a_day", [10, 40])
def test_no_flood_of_forged_letters_hides_one_that_came_to_the_player_s_own_reply_address(
    club: Club, anna: Correspondent, game: int, a_day: int
) -> None:
    for _ in range(30):
        forge(anna, "games")
    own = anna.replies("draw", to=anna.last_about(game), vouched=False).settled
    assert own
    assert days_until_asked(club, anna, own.number, a_day) < 2


@pytest.mark.slow
@pytest.mark.parametrize("tagged", [False, True])
def test_among_letters_that_look_alike_the_oldest_are_asked_about_within_days(
    club: Club, anna: Correspondent, game: int, tagged: bool
) -> None:
    address = anna.last_about(game)["Reply-To"] if tagged else REFEREE
    for _ in range(30):
        anna.writes("games", to=address, vouched=False)
    genuine = anna.writes("draw", to=address, vouched=False).settled
    assert genuine
    assert days_until_asked(club, anna, genuine.number, 9, address) < 10


def test_those_to_the_own_reply_address_leave_room_for_the_others(
    club: Club, anna: Correspondent, game: int
) -> None:
    forge(anna, "games")
    plain = forge(anna, "draw").settled
    assert plain
    assert days_until_asked(club, anna, plain.number, 20, anna.last_about(game)["Reply-To"]) < 2


def test_letters_that_were_held_for_a_month_are_neither_asked_about_nor_confirmed(
    club: Club, anna: Correspondent, game: int
) -> None:
    forge(anna, "resign")
    question = anna.last
    forge(anna, "draw")
    club.later(timedelta(days=31))
    club.referee.jobs.ask_about_held()
    assert club.collect() == ()
    assert "Nothing is left" in anna.replies("confirm", to=question).only.text
    assert club.game(game).status == "playing"


@pytest.mark.parametrize(
    "line",
    [
        "A-N1 Your mailbox is full, sign in at https://evil.example/login",
        "1: V-NW2 call 030 123 456",
        "A-N1; see evil.example",
    ],
)
def test_an_order_that_is_none_is_not_shown_as_it_was_written(
    anna: Correspondent, game: int, line: str
) -> None:
    question = forge(anna, line).only
    assert "evil" not in question.text and "030" not in question.text
    assert "a move" in question.text


@pytest.mark.telling
def test_an_order_is_shown_as_its_rules_write_it(anna: Correspondent, game: int) -> None:
    assert "It says: V-NW2." in flat(forge(anna, "v – nw 2").only)


def test_the_question_says_what_a_bare_word_would_confirm(club: Club, anna: Correspondent, game: int) -> None:
    anna.writes("bye")
    anna.replies("confirm", vouched=False)
    assert "that means that you leave for good" in flat(anna.last)
    assert club.game(game).status == "playing"
    anna.replies("confirm")
    assert club.game(game).status == "ended"


@pytest.mark.parametrize(
    ("use", "means"),
    [
        ("address", "your letters go to anna@new.example from now on"),
        ("second", "letters from anna@new.example count as yours"),
    ],
)
def test_the_question_says_which_address_would_be_confirmed(
    club: Club, anna: Correspondent, use: str, means: str
) -> None:
    there = club.person("Anna", "anna@new.example")
    anna.writes(f"set {use} {there.address}")
    there.replies("confirm", vouched=False)
    assert means in flat(anna.last) and "another address" not in anna.last.text


@pytest.mark.telling
def test_a_bare_word_about_a_game_may_resign_it(anna: Correspondent, game: int) -> None:
    anna.replies("resign", "I am tired.", to=anna.last_about(game))
    anna.replies("confirm", to=anna.last_about(game), vouched=False)
    assert "that resigns the game" in flat(anna.last)


# Who may answer


@pytest.mark.parametrize("days", [0, 20])
def test_a_question_to_an_address_that_was_left_confirms_nothing(
    club: Club, anna: Correspondent, game: int, days: int
) -> None:
    forge(anna, f"{game}: resign")
    question = anna.last
    there = club.person("Anna", "anna@new.example")
    anna.writes(f"set address {there.address}")
    there.replies("confirm")
    club.later(timedelta(days=days))
    there.replies("confirm", to=question, vouched=False)
    assert club.game(game).status == "playing"
    assert "Nothing is left" in there.replies("confirm", to=question).only.text
    assert club.game(game).status == "playing"


def test_a_question_that_a_thief_was_asked_confirms_nothing_once_the_change_is_taken_back(
    club: Club, anna: Correspondent, game: int
) -> None:
    thief = club.person("Anna", "anna@evil.example")
    anna.writes(f"set address {thief.address}")
    thief.replies("confirm")
    left = anna.last
    forge(thief, f"{game}: resign")
    question = thief.last
    anna.replies("cancel", to=left)
    anna.replies("confirm", to=question, vouched=False)
    assert club.game(game).status == "playing"


def test_a_question_before_letters_fell_back_to_the_second_address_confirms_nothing(
    club: Club, anna: Correspondent, game: int
) -> None:
    forge(anna, f"{game}: resign")
    question = anna.last
    with club.store.unit() as unit:
        unit.players.change(1, address="anna@spare.example")
    there = club.person("Anna", "anna@spare.example")
    there.replies("confirm", to=question, vouched=False)
    assert club.game(game).status == "playing"


def test_whoever_confirms_what_the_operator_has_settled_is_told_so(
    club: Club, anna: Correspondent, game: int
) -> None:
    anna.replies("A-S1", to=anna.last_about(game), vouched=False)
    question, number = anna.last, club.last_letter()
    with club.store.unit() as unit:
        unit.letters.conclude(number, outcome="ruled", reason="settled by the operator")
    told = anna.replies("confirm", to=question, vouched=False)
    assert "was heard meanwhile" in told.only.text


# Tags of others


def test_a_player_s_own_tag_goes_before_those_of_others(
    club: Club, anna: Correspondent, bert: Correspondent, game: int
) -> None:
    forge(anna, "draw")
    foreign = anna.last["Reply-To"]
    own = anna.last_about(game)["Reply-To"]
    forge(bert, "resign")
    others = bert.last["Reply-To"]
    moved = anna.writes("A-S1", to=f"{others}, {own}")
    assert moved.settled and moved.settled.moves == 1
    moved = bert.writes("A-N1", to=f"{foreign}, {bert.last_about(game)['Reply-To']}")
    assert moved.settled and moved.settled.moves == 1


def test_a_move_that_goes_to_the_game_and_to_a_question_is_a_move(
    club: Club, anna: Correspondent, game: int
) -> None:
    forge(anna, f"mute {game}")
    both = f"{anna.last['Reply-To']}, {anna.last_about(game)['Reply-To']}"
    moved = anna.writes("A-S1", to=both)
    assert moved.settled and moved.settled.moves == 1
    assert not club.game(game).muted
    anna.writes("confirm", to=both)
    assert club.game(game).muted == {"white"}


@pytest.mark.telling
def test_a_leaked_tag_is_renewed_though_there_is_no_question_that_day(
    club: Club, anna: Correspondent, game: int
) -> None:
    forge(anna, "hello")
    old = anna.last_about(game)["Reply-To"]
    leaked = club.person("Otto").writes("status", to=old)
    assert leaked.settled and leaked.settled.outcome == "held" and not leaked.sent
    anna.writes(f"status {game}")
    assert anna.last_about(game)["Reply-To"] != old
    club.later(LONG)
    question = asked_again(club)
    assert f"has your reply address in game {game}" in flat(question)


def test_two_held_letters_that_ask_for_the_same_letter_get_it_once(
    club: Club, anna: Correspondent, game: int
) -> None:
    forge(anna, "help")
    for more in ((), ("Please!",)):
        anna.replies("resend 1", *more, to=anna.last_about(game), vouched=False)
    club.later(LONG)
    question = asked_again(club)
    answer = anna.replies("confirm 1", "confirm 2", to=question)
    assert answer.settled and answer.settled.outcome == "answered"
    assert len(answer.sent) == 1


# Asked by a clock that was wrong


@pytest.mark.parametrize(
    "jump", telling([timedelta(days=365)], others=[-timedelta(days=365)]), ids=["ahead", "behind"]
)
@pytest.mark.parametrize("asked_already", [False, True])
def test_what_a_wrong_clock_has_asked_is_asked_once_more_when_the_clock_is_proved(
    club: Club, anna: Correspondent, game: int, jump: timedelta, asked_already: bool
) -> None:
    """Given a clock that is a year ahead or behind, when a letter is held and its question asked, or put off to the
    next day, then that cannot be answered when the clock is set right; a day or two later it is asked once more."""
    club.referee.jobs.erase_what_is_due()
    club.clock.at += jump
    club.referee.jobs.erase_what_is_due()
    if asked_already:
        forge(anna, "hello")
    held = anna.replies("A-S1", to=anna.last_about(game), vouched=False)
    assert len(held.sent) == (0 if asked_already else 1)
    club.later(timedelta(hours=1))
    club.clock.at -= jump
    club.referee.jobs.erase_what_is_due()
    if held.sent:
        assert "Nothing is left to be confirmed" in flat(anna.replies("confirm", to=held.sent[0]).sent[0])
    for _ in range(5):
        club.referee.jobs.ask_about_held()
        club.later(LONG)
    (question,) = [each for each in club.collect() if "A-S1" in each.text]
    assert held.settled is not None
    place = asked_about(club, question).index(held.settled.number) + 1
    anna.replies(f"confirm {place}", to=question)
    assert club.game(game).due.keys() == {"yellow"}


@pytest.mark.parametrize(("days", "again"), [(10, False), (40, True)])
def test_a_service_that_slept_longer_than_a_question_lasts_asks_it_once_more(
    club: Club, anna: Correspondent, game: int, days: int, again: bool
) -> None:
    anna.replies("A-S1", to=anna.last_about(game), vouched=False)
    club.referee.jobs.erase_what_is_due()
    club.clock.at += timedelta(days=days)
    for _ in range(3):
        club.later(LONG)
        club.referee.jobs.ask_about_held()
    assert len(club.collect()) == again


def test_a_question_that_nobody_answers_is_asked_once(club: Club, anna: Correspondent, game: int) -> None:
    anna.replies("A-S1", to=anna.last_about(game), vouched=False)
    for _ in range(8):
        club.later(10 * LONG)
        club.referee.jobs.ask_about_held()
    assert club.collect() == ()
