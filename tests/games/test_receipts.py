"""Receipts: each binds all that was ruled before it, and tells nothing to who has not the secret."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.decisions import decide_order
from referee.games.events import CheckedIn, EndOffered, Frozen, Opened, Ruled, read_event, write_event
from referee.games.game import Game, fold_game
from referee.games.receipts import last_receipt, receipt
from referee.rulebooks.confusion.happenings import passed
from referee.rulebooks.rulebook import OrderLine
from tests.games.played import (
    ENDS,
    SEATS,
    SECRET,
    Played,
    chain_of,
    random_game_played,
    sample_game_played,
)
from tests.games.test_decisions import new_game, play
from tests.reports.material import CONFUSION, WHITE, YELLOW

BEFORE = "0123456789abcdef" * 4
SAID = {"seat": "white", "order": "L-S2", "answer": "yes"}


def test_a_receipt_is_the_hash_of_what_was_said() -> None:
    said = {
        "answer": "yes",
        "before": BEFORE,
        "domain": "referee receipt 1",
        "order": "L-S2",
        "seat": "white",
        "secret": SECRET.hex(),
    }
    line = json.dumps(said, sort_keys=True, separators=(",", ":"))
    assert receipt(BEFORE, SECRET, SAID) == hashlib.sha256(line.encode()).hexdigest()
    assert re.fullmatch("[0-9a-f]{64}", receipt(BEFORE, SECRET, SAID))


texts = st.text(max_size=12)
links = st.tuples(
    texts, st.binary(min_size=32, max_size=32), st.fixed_dictionaries(dict.fromkeys(SAID, texts))
)


@settings(deadline=None)
@given(one=links, other=links)
def test_receipts_are_equal_only_where_all_that_they_bind_is(
    one: tuple[str, bytes, dict[str, str]], other: tuple[str, bytes, dict[str, str]]
) -> None:
    assert (receipt(*one) == receipt(*other)) == (one == other)


def test_what_the_record_does_not_tell_adds_no_link() -> None:
    assert last_receipt(BEFORE, SECRET, [{}, SAID, {}]) == receipt(BEFORE, SECRET, SAID)
    assert last_receipt(BEFORE, SECRET, []) == BEFORE


# A game's receipts


def test_a_game_has_no_receipt_before_its_first_attempt_and_another_after_each() -> None:
    game = new_game()
    assert (game.receipt, game.chain) == ("", game.commitment)
    assert Game(number=7, rulebook=CONFUSION, status="proposed").receipt == ""
    seen = []
    for move in ("L-S2", "A-N1", "L-N1"):
        game = play(game, move)
        seen.append(game.receipt)
    assert len(set(seen)) == 3


@pytest.mark.parametrize(
    "event", [CheckedIn(WHITE), EndOffered(YELLOW, "draw"), Frozen("a ruling is checked")]
)
def test_what_is_no_ruling_leaves_the_receipt_as_it_is(event: CheckedIn | EndOffered | Frozen) -> None:
    game = play(new_game(), "L-S2")
    assert game.after(event).receipt == game.receipt


def test_the_end_adds_a_receipt_of_its_own() -> None:
    whole, resigned, agreed = (sample_game_played(ends) for ends in ENDS)
    assert len(whole.receipts) == 76 + 1
    assert resigned.receipts[:40] == agreed.receipts[:40] == whole.receipts[:40]
    assert len({each.receipts[40] for each in (whole, resigned, agreed)}) == 3


def test_a_record_says_the_proof_at_the_end_and_not_before() -> None:
    game = play(new_game(), "L-S2")
    assert game.proof == {}
    over, receipts = sample_game_played("by resignation")
    assert over.proof == {
        "Game": "17",
        "Rules": "confusion 1",
        "Options": '{"first": "white"}',
        "Deal": over.deal,
        "Commitment": over.commitment,
        "Secret": SECRET.hex(),
        "Chain": receipts[-1],
    }


def test_events_that_were_kept_give_the_same_receipt() -> None:
    opened = Opened(
        "confusion", "1", {}, SEATS, SECRET, BEFORE, False, CONFUSION.rules.opening({}, new_game().chance)
    )
    game = Game(7, CONFUSION, "proposed").after(opened)
    (seat,) = game.due
    decision = decide_order(game, seat, OrderLine(1, game.due[seat].forms[0]))
    kept = [read_event(*json.loads(json.dumps(write_event(each)))) for each in (opened, *decision.events)]
    folded = fold_game(7, kept, lambda _: CONFUSION)
    assert folded is not None and isinstance(kept[-1], Ruled)
    assert folded.receipt == game.after(decision.events[0]).receipt != ""


# From the record alone


def hold_against_its_record(played: Played, view: str = "Yellow") -> None:
    game = played.game
    for seat, heard in ((None, game.happenings), (WHITE, game.heard(WHITE)), (YELLOW, game.heard(YELLOW))):
        record = game.rulebook.records.write(heard, {**game.proof, "View": view}, seat)
        assert f"\nChain = {played.receipts[-1]}\n" in record
        assert chain_of(record) == played.receipts[-1]


@pytest.mark.parametrize("view", ["Yellow", "White"])
@pytest.mark.parametrize("ends", ENDS)
def test_the_record_alone_gives_the_chain_of_the_sample_game(ends: str, view: str) -> None:
    hold_against_its_record(sample_game_played(ends), view)


@pytest.mark.telling(seed=[2])
@pytest.mark.parametrize("seed", range(6))
def test_the_record_alone_gives_the_chain_of_a_random_game(seed: int) -> None:
    hold_against_its_record(random_game_played(seed))


@pytest.mark.parametrize("seed", [0, 3, 5, 11])
def test_the_record_alone_gives_the_chain_of_a_game_that_was_taken_back(seed: int) -> None:
    hold_against_its_record(random_game_played(seed, taken_back=0.2))


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 300))
def test_the_record_alone_gives_the_chain_of_two_hundred_games(seed: int) -> None:
    hold_against_its_record(random_game_played(seed))


def test_a_passed_turn_has_its_link() -> None:
    """It is a row of the record, though nobody wrote it."""
    said = CONFUSION.records.recorded(passed(3, WHITE))
    assert said == {"seat": "white", "order": "pass", "answer": "pass"}


# What a receipt tells

Receipt = Callable[[str, bytes, Mapping[str, str]], str]


def without_the_secret(before: str, secret: bytes, said: Mapping[str, str]) -> str:
    return receipt(before, b"", said)


def guessed(make: Receipt) -> list[str]:
    """Return what an onlooker finds who knows all but the answer and the secret, and tries every answer."""
    shown = make(BEFORE, SECRET, SAID)
    thinkable = (b"", bytes(32), bytes.fromhex(BEFORE))
    return [
        answer
        for answer in ("yes", "no", "pass")
        if any(make(BEFORE, secret, {**SAID, "answer": answer}) == shown for secret in thinkable)
    ]


def test_a_receipt_confirms_no_guess() -> None:
    assert guessed(receipt) == []


def test_the_guesses_would_find_out_a_receipt_without_the_secret() -> None:
    assert guessed(without_the_secret) == ["yes"]
