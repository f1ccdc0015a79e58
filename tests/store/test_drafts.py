"""Drafted turns and when they are carried out: on both databases, and by letter as well."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from referee.rulebooks.rulebook import Seat
from referee.store.database import Store
from tests.store.scenery import NOON, start_game
from tests.support.playing import Club, furnish, new_database
from tests.transcripts.shown import name_of
from tests.transcripts.stories_of_cards import a_turn_with_a_slip_waits, plans_play_turns

WHITE, YELLOW = Seat("white"), Seat("yellow")
MINUTE = timedelta(minutes=1)


def test_a_draft_waits_for_one_time_the_last_that_was_kept(store: Store) -> None:
    game, _, _ = start_game(store)
    with store.unit() as unit:
        assert unit.drafts.due_at(game, WHITE) is None
        unit.drafts.hold(game, WHITE, NOON + 9 * MINUTE)
        unit.drafts.hold(game, WHITE, NOON + 5 * MINUTE)
        unit.drafts.hold(game, YELLOW, NOON + 7 * MINUTE)
    with store.reading() as lookup:
        assert lookup.drafts.due_at(game, WHITE) == NOON + 5 * MINUTE
    with store.unit() as unit:
        unit.drafts.drop(game, WHITE)
    with store.reading() as lookup:
        assert lookup.drafts.due_at(game, WHITE) is None
        assert lookup.drafts.due_at(game, YELLOW) == NOON + 7 * MINUTE


def test_those_that_are_due_are_found_the_oldest_first_and_no_more_than_asked_for(store: Store) -> None:
    games = []
    with store.unit() as unit:
        for minutes in (3, 1, 2, 6):
            games.append(game := unit.games.add("cards", NOON))
            unit.drafts.hold(game, WHITE, NOON + minutes * MINUTE)
    three, one, two, _ = ((game, WHITE) for game in games)
    with store.reading() as lookup:
        assert lookup.drafts.due(NOON, 9) == []
        assert lookup.drafts.due(NOON + MINUTE, 9) == [one], "it is due at its very minute"
        assert lookup.drafts.due(NOON + 5 * MINUTE, 9) == [one, two, three]
        assert lookup.drafts.due(NOON + 5 * MINUTE, 2) == [one, two]


def test_what_was_held_in_a_transaction_that_failed_is_not_held(store: Store) -> None:
    game, _, _ = start_game(store)
    with pytest.raises(ZeroDivisionError), store.unit() as unit:
        unit.drafts.hold(game, WHITE, NOON)
        raise ZeroDivisionError
    with store.reading() as lookup:
        assert lookup.drafts.due_at(game, WHITE) is None


@pytest.mark.story
@pytest.mark.parametrize("story", [a_turn_with_a_slip_waits, plans_play_turns], ids=name_of)
def test_a_battle_is_told_in_the_same_letters_on_both_databases(
    story: Callable[[Club], None], tmp_path: Path, postgres_url: str
) -> None:
    told = []
    for url in (new_database(tmp_path), furnish(postgres_url)):
        club = Club(url)
        story(club)
        told.append([(letter.recipient, letter.content) for letter in club.letters])
        club.close()
    assert told[0] == told[1] != []
