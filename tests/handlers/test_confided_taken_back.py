"""A turn that is taken back takes with it what was confided for it: whose it was is told so, and nobody else (CF-10.8);
what a token has shown stays seen (CF-10.9)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from referee.games import umpire_actions
from referee.rulebooks.rulebook import OrderLine, Seat
from referee.rulebooks.spies.notation import read_order
from tests.support.playing import Club, Correspondent, Delivered, new_database
from tests.transcripts.stories_of_spies import ALL_TOKENS

WHITE, RED = Seat("white"), Seat("red")
DEAL = "White=A6 C8 E10 H12 K1 L? N5 O7 P9 S11 T2 V3 X4; Red=A4 C? E8 H11 K2 L1 N3 O5 P7 S9 T12 V10 X6"
GONE = "What you alone had told the referee went with it, and nobody else hears of that: "


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    club = Club(new_database(tmp_path, "spies"))
    yield club
    club.close()


def begin(club: Club) -> int:
    """The double agent has moved, and Bert is asked."""
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    tokens: dict[str, Any] = {**ALL_TOKENS}
    game = club.starts({"white": anna, "red": bert}, rules="spies", deal=DEAL, **tokens)
    anna.replies("L-S1")
    return game


def begun(club: Club) -> tuple[Correspondent, Correspondent, int]:
    game = club.begins(begin)
    return club.reader("anna@example.net"), club.reader("bert@example.com"), game


def flat(letter: Delivered) -> str:
    return " ".join(letter.text.split())


def gone(letter: Delivered) -> str:
    """Return what a letter names as gone, "" where it names nothing."""
    _, found, behind = flat(letter).partition(GONE)
    return behind.partition(". Say again")[0] if found else ""


def take_back(club: Club, game: int, turn: int = 1, seat: Seat = WHITE) -> None:
    club.referee.umpire.act(game, umpire_actions.TakeBack(turn, seat), "Misread.")
    club.noted("The umpire takes the game back.")


@pytest.mark.parametrize(
    ("confided", "named"),
    [
        (("allow",), "allow"),
        (("deny", "#K"), "deny, #K"),
        (("allow", "?K"), "allow, ?K"),
        (("deny", "A<>K"), "deny, A<>K"),
        (("deny", "#xL"), "deny, #xL"),
        (("agent always",), ""),
        (("agent as 5", "deny", "#K"), "deny, #K"),
    ],
)
def test_whose_confided_orders_are_gone_is_told_which_and_nobody_else_that_there_were_any(
    club: Club, tmp_path: Path, confided: Sequence[str], named: str
) -> None:
    anna, bert, game = begun(club)
    quiet = club.copy(tmp_path)
    bert.replies(*confided, to=bert.last_about(game))
    quiet.clock.at = club.clock.at
    take_back(club, game)
    take_back(quiet, game)
    assert gone(bert.last_about(game)) == named
    assert not gone(anna.last_about(game))
    others = quiet.reader(anna.address).last_about(game)
    assert anna.last_about(game).text == others.text
    assert not gone(quiet.reader(bert.address).last_about(game))
    quiet.close()


def test_what_went_with_a_closed_turn_is_named_too_and_what_is_put_back_is_not(club: Club) -> None:
    anna, bert, game = begun(club)
    bert.replies("allow", "?K", "C-N1", to=bert.last_about(game))
    take_back(club, game, 2, RED)
    assert gone(bert.last_about(game)) == "allow, ?K" and not gone(anna.last_about(game))
    club.referee.umpire.act(game, umpire_actions.Restore(), "It was read rightly.")
    club.noted("The umpire puts it back.")
    assert not gone(bert.last_about(game))
    club.referee.umpire.act(game, umpire_actions.Correct("C-N2", 2, RED), "It was C-N2.")
    club.noted("The umpire corrects it.")
    assert not gone(bert.last_about(game)), "the turn begins with it as before"


def test_a_correction_further_back_tells_each_of_his_own(club: Club) -> None:
    anna, bert, game = begun(club)
    bert.replies("allow", "#K", "C-N1", to=bert.last_about(game))
    anna.replies("allow", "?A", to=anna.last_about(game))
    club.referee.umpire.act(game, umpire_actions.Correct("L-S2", 1, WHITE), "It was L-S2.")
    club.noted("The umpire corrects it.")
    assert gone(bert.last_about(game)) == "allow, #K"
    assert gone(anna.last_about(game)) == "allow, ?A"


# what is put back


def put_back_after(club: Club, game: int, before: str, since: str) -> list[Delivered]:
    """Bert's answer to what waits is taken back and put back again, and he has said something before that and since;
    return what was written when it was put back."""
    bert = club.reader("bert@example.com")
    bert.replies(before, "C-N1", to=bert.last_about(game))
    take_back(club, game, 2, RED)
    bert.replies(since, to=bert.last_about(game))
    club.referee.umpire.act(game, umpire_actions.Restore(), "It was read rightly.")
    return list(club.noted("The umpire puts it back."))


HOLDS_ON = ("agent always", "agent never", "agent ask", "agent as 5")
OF_THE_TURN = ("#K", "#xL", "?K", "A<>K")
ANSWERS = ("allow", "deny")


@pytest.mark.telling(asked=[True], since=["agent never", "#K"])
@pytest.mark.parametrize("before", HOLDS_ON[:2])
@pytest.mark.parametrize(
    ("asked", "since"),
    [
        *((True, each) for each in (*HOLDS_ON, *OF_THE_TURN, *ANSWERS)),
        *((False, each) for each in (*HOLDS_ON, *OF_THE_TURN)),
    ],
)
def test_cf_10_3_what_is_put_back_brings_the_answer_that_it_brought_whatever_was_said_since(
    club: Club, tmp_path: Path, before: str, since: str, asked: bool
) -> None:
    """And it closes the turn as it did; that something was said since, nobody else hears (CF-10.8)."""
    if asked:
        anna, bert, game = begun(club)
    else:
        anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
        tokens: dict[str, Any] = {**ALL_TOKENS}
        game = club.starts({"white": anna, "red": bert}, rules="spies", deal=DEAL, **tokens)
        anna.replies("A-S1")
    quiet = club.copy(tmp_path)
    written = put_back_after(club, game, before, since)
    others = put_back_after(quiet, game, before, "status")
    ours, theirs = (
        [each for each in letters if each.recipient == anna.address] for letters in (written, others)
    )
    assert [each.text for each in ours] == [each.text for each in theirs] != []
    now, then = club.game(game).position, quiet.game(game).position
    assert now.table == then.table
    said = since if since in HOLDS_ON else before
    assert now.confided[RED].instruction == read_order(OrderLine(1, said)), "what holds on holds on"
    assert now.confided[RED].action is None
    (to_bert,) = (each for each in written if each.recipient == bert.address)
    *_, last = gone(to_bert).split(", ")
    assert last == ("" if since in HOLDS_ON else since), "he is told what goes"
    quiet.close()


@pytest.mark.parametrize("closed", [False, True])
def test_cf_10_9_what_was_shown_in_a_turn_taken_back_is_all_that_the_token_shows(
    club: Club, closed: bool
) -> None:
    anna, bert, game = begun(club)
    bert.replies("allow", "?K", *(("C-N1",) if closed else ()), to=bert.last_about(game))
    take_back(club, game)
    assert "You have left: Reveal 1" in flat(bert.last_about(game)), "else its loss would tell the other"
    anna.replies("A-S1", to=anna.last_about(game))
    refused = bert.replies("?H", to=bert.last_about(game))
    assert refused.only.kind == "refusal"
    assert "you were shown K in a turn that was taken back" in flat(refused.only)
    club.open_house()
    assert bert.replies("?H", to=bert.last_about(game)).only.kind == "refusal", (
        "it is read from what was kept"
    )
    bert.replies("?K", "C-N1", to=bert.last_about(game))
    assert bert.last_about(game).kind == "receipt"
    anna.replies("allow", "A-S1", to=anna.last_about(game))
    used = bert.replies("?K", to=bert.last_about(game))
    assert "used up" in flat(used.only)


def test_cf_10_9_the_other_side_may_look_at_whom_it_likes(club: Club) -> None:
    anna, bert, game = begun(club)
    bert.replies("allow", "?K", to=bert.last_about(game))
    take_back(club, game)
    shown = anna.replies("?H", to=anna.last_about(game))
    assert shown.only.kind == "receipt" and "H" in flat(shown.only)
