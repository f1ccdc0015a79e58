"""When to try again, and when to give up."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.common.errors import DeliveryRefused
from referee.mail.outbox.retry import UNCERTAIN_TRIES, is_temporary, next_try, nominal_pause, pause
from tests.mail.outbox.fakes import NOW, Waiting

TEMPORARY = DeliveryRefused("later", code=450, temporary=True)
PERMANENT = DeliveryRefused("never", code=550, temporary=False)
UNCERTAIN = DeliveryRefused("perhaps", temporary=True, uncertain=True)


@given(tries=st.integers(1, 100), id_=st.integers(1, 10**9))
def test_pauses_lie_between_a_minute_and_four_hours(tries: int, id_: int) -> None:
    assert timedelta(minutes=1) <= pause(tries, id_) <= timedelta(hours=4)


@given(tries=st.integers(1, 100), id_=st.integers(1, 10**9))
def test_the_pause_of_a_letter_is_the_same_each_time_it_is_asked_for(tries: int, id_: int) -> None:
    assert pause(tries, id_) == pause(tries, id_)


@given(id_=st.integers(1, 10**9))
def test_pauses_grow_at_first(id_: int) -> None:
    pauses = [pause(tries, id_) for tries in range(1, 8)]
    assert pauses == sorted(pauses)


def test_letters_refused_together_do_not_come_back_together() -> None:
    assert len({pause(1, id_) for id_ in range(100)}) == 100


def test_a_temporary_refusal_is_borne_for_about_five_days() -> None:
    at, letter = NOW, Waiting.make(1)
    while (next_at := next_try(letter, TEMPORARY, at)) is not None:
        at = next_at
        letter = Waiting.make(1, tries=letter.tries + 1)
    assert timedelta(days=4) < at - NOW < timedelta(days=6)
    assert 30 < letter.tries < 60


def test_a_permanent_refusal_ends_it_at_once() -> None:
    assert next_try(Waiting.make(1), PERMANENT, NOW) is None


def test_a_letter_that_perhaps_arrived_is_sent_a_few_times_only() -> None:
    letters = [Waiting.make(1, tries=number, uncertain=number) for number in range(UNCERTAIN_TRIES)]
    tried_again = [next_try(letter, UNCERTAIN, NOW) is not None for letter in letters]
    assert tried_again == [True, True, True, False]


def test_earlier_certain_refusals_do_not_use_up_the_uncertain_tries() -> None:
    assert next_try(Waiting.make(1, tries=9, uncertain=0), UNCERTAIN, NOW) is not None


@pytest.mark.parametrize(
    ("code", "answer", "temporary"),
    [
        (421, "4.3.2 closing", True),
        (450, "4.2.0 greylisted", True),
        (452, "4.2.2 mailbox full", True),
        (550, "5.1.1 no such mailbox", False),
        (552, "5.2.2 mailbox full", False),
        (554, "5.7.1 no", False),
        (550, "5.4.5 Daily user sending limit exceeded", True),
        (0, "", True),
    ],
)
def test_answers_are_temporary_or_permanent(code: int, answer: str, temporary: bool) -> None:
    assert is_temporary(code, answer) is temporary


def test_the_nominal_pause_never_overflows() -> None:
    assert nominal_pause(10**6) == timedelta(minutes=200)
