"""A pause by consent needs both players to begin, and either of them to end."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from referee.games.clocks.consent import CAUSE, NOTICE, Consent
from referee.games.clocks.controls import PerMove
from referee.games.clocks.ledger import Moved, Paused, Resumed, Started, fold, open_ledger

SEATS = ("white", "yellow")
NOW = datetime(2027, 1, 10, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def test_a_pause_begins_when_the_last_has_agreed() -> None:
    """TM-6.1."""
    offered, none = Consent().want("white", SEATS, NOW)
    assert none is None
    assert not offered.on(NOW)
    again, none = offered.want("white", SEATS, NOW)
    assert (again, none) == (offered, None), "nobody agrees with himself"
    agreed, pause = offered.want("yellow", SEATS, NOW + DAY)
    assert pause == Paused(CAUSE, NOW + DAY)
    assert agreed.on(NOW + DAY)
    assert agreed.on(NOW + 999 * DAY)
    assert agreed.want("white", SEATS, NOW + 2 * DAY) == (agreed, None), "it rests already"


def test_another_end_is_an_offer_of_ones_own() -> None:
    """TM-6.2."""
    until, other = NOW + 10 * DAY, NOW + 20 * DAY
    offered, _ = Consent().want("white", SEATS, NOW, until)
    countered, none = offered.want("yellow", SEATS, NOW, other)
    assert none is None
    assert countered.agreed == {"yellow"}
    agreed, pause = countered.want("white", SEATS, NOW, other)
    assert pause == Paused(CAUSE, NOW, other)
    assert agreed.on(other - timedelta(microseconds=1))
    assert not agreed.on(other)
    with pytest.raises(ValueError, match="after it has begun"):
        Consent().want("white", SEATS, NOW, NOW)


def test_an_offer_is_gone_with_a_move_or_when_it_is_taken_back_and_a_pause_is_not_ended_by_a_move() -> None:
    """TM-6.2."""
    offered, _ = Consent().want("white", SEATS, NOW)
    assert offered.moved() == Consent()
    assert offered.end("white", NOW) == (Consent(), None)
    agreed, _ = offered.want("yellow", SEATS, NOW)
    assert agreed.moved() == agreed


def test_either_may_end_a_pause_a_day_ahead_and_once() -> None:
    """TM-6.3."""
    offered, _ = Consent().want("white", SEATS, NOW)
    agreed, _ = offered.want("yellow", SEATS, NOW)
    ended, fact = agreed.end("yellow", NOW + 5 * DAY)
    assert fact == Resumed(CAUSE, NOW + 5 * DAY + NOTICE)
    assert ended.on(NOW + 6 * DAY - timedelta(microseconds=1))
    assert not ended.on(NOW + 6 * DAY)
    assert ended.end("white", NOW + 5 * DAY + DAY / 2) == (ended, None)
    assert ended.end("white", NOW + 9 * DAY) == (ended, None)


def test_the_end_that_was_named_is_not_put_off_by_notice() -> None:
    """TM-6.3."""
    until = NOW + 10 * DAY
    offered, _ = Consent().want("white", SEATS, NOW, until)
    agreed, _ = offered.want("yellow", SEATS, NOW, until)
    assert agreed.end("white", until - DAY / 2)[1] == Resumed(CAUSE, until)


def test_after_a_pause_another_can_be_agreed_on() -> None:
    offered, _ = Consent().want("white", SEATS, NOW, NOW + DAY)
    agreed, _ = offered.want("yellow", SEATS, NOW, NOW + DAY)
    again, none = agreed.want("white", SEATS, NOW + 2 * DAY)
    assert again.agreed == {"white"}
    assert none is None
    assert again.want("yellow", SEATS, NOW + 2 * DAY)[1] == Paused(CAUSE, NOW + 2 * DAY)


def test_who_moves_in_a_pause_uses_no_time_and_his_opponents_clock_waits_for_its_end() -> None:
    """TM-6.4, TM-6.3."""
    ledger = fold(open_ledger(PerMove(3 * DAY), SEATS), [Started("white", NOW), Paused(CAUSE, NOW + DAY)])
    ledger = fold(ledger, [Moved("white", NOW + 5 * DAY), Started("yellow", NOW + 5 * DAY)])
    assert ledger.account("white").used == DAY
    assert ledger.deadline("yellow") is None
    ledger = fold(ledger, [Resumed(CAUSE, NOW + 8 * DAY)])
    assert ledger.deadline("yellow") == NOW + 11 * DAY
