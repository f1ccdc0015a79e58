"""A move may say for which turn it is meant, or as which letter told the game; else both positions are shown."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from referee.store.tables import OUTGOING
from tests.support.begun import begun, said, tried
from tests.support.playing import Club


def test_a_move_for_the_turn_that_is_played_is_taken(club: Club) -> None:
    anna, bert, game = begun(club)
    assert anna.replies("L-S2 @1", "l-s2 @ turn 1").sent[-1].kind == "report"
    bert.replies(f"{game}: C-N2@2")
    anna.replies("L-S1 @#3" if anna.last.number == 3 else f"L-S1 @letter {anna.last.number}")
    assert tried(club, game) == ["L-S2", "C-N2", "L-S1"]


def test_a_move_for_another_turn_is_refused_with_the_board_as_it_was_and_what_has_happened_since(
    club: Club,
) -> None:
    anna, bert, game = begun(club)
    anna.replies("L-S2")
    bert.replies("C-N2")
    letter = anna.replies("K-S1 @1").only
    assert letter.kind == "refusal"
    assert tried(club, game) == ["L-S2", "C-N2"]
    text = letter.text.replace("\r\n", "\n")
    assert (
        "Line 1, column 1, K-S1 @1: this was meant for turn 1, and turn 2 is being played; nothing was done."
        in text
    )
    then, since, now = (
        text.index(each) for each in ("THE BOARD IN TURN 1", "WHAT HAS HAPPENED SINCE", "\nBOARD\n")
    )
    assert then < since < now
    assert "10 .  .  A  C  E  .  H  K  L  .  .  10" in text[then:since]
    assert "You tried L-S2: yes. Your L went from (3,10) to (3,8)." in text[since:now]
    assert "Yellow tried C-N2: no. The yellow Wimp C stays on (4,2)." in text[since:now]
    assert "10 .  .  A  C  E  .  H  K  .  .  .  10" in text[now:]
    assert "<pre" in str(letter.parts[1].get_content())


def test_a_turn_that_has_not_come_is_told_without_a_board(club: Club) -> None:
    anna, _, _ = begun(club)
    text = said(anna.replies("L-S2 @14").only)
    assert "turn 14 has not come yet, turn 1 is being played; nothing was done" in text
    assert "THE BOARD IN TURN" not in text


def test_a_move_by_a_letter_is_taken_as_long_as_nothing_has_happened_since(club: Club) -> None:
    anna, bert, game = begun(club)
    first = anna.last.number
    anna.replies("status")
    anna.replies(f"L-S2 @letter {first}")
    assert tried(club, game) == ["L-S2"]
    bert.replies("C-N2", to=bert.last_about(game))
    letter = anna.replies(f"L-S1 @letter {first}").only
    assert f"the game has gone on since letter {first}, for which this was meant; nothing was done" in said(
        letter
    )
    assert "THE BOARD IN TURN 1" in letter.text
    anna.replies(f"L-S1 @#{letter.number}")
    assert tried(club, game) == ["L-S2", "C-N2", "L-S1"]


def test_a_letter_that_was_never_written_is_no_guard(club: Club) -> None:
    anna, _, game = begun(club)
    letter = anna.replies("L-S2 @letter 40").only
    assert "there is no letter 40 to you about game 1, the newest is 1; nothing was done" in said(letter)
    assert tried(club, game) == []


def test_a_letter_of_an_earlier_release_did_not_say_what_it_told(club: Club) -> None:
    anna, _, game = begun(club)
    with club.store.unit() as unit:
        unit._transaction.connection.execute(update(OUTGOING).values(told=None))
    assert anna.replies("L-S2 @letter 1").only.kind == "refusal"
    assert tried(club, game) == []


def test_beside_what_was_taken_a_stale_move_is_told_in_a_report(club: Club) -> None:
    anna, bert, _ = begun(club)
    anna.replies("L-S2")
    bert.replies("C-N2")
    letter = anna.replies("K-S1 @1", "draw").sent[-1]
    assert letter.kind == "report"
    assert "THE BOARD IN TURN 1" in letter.text
    assert "[partly accepted]" in letter["Subject"]


@pytest.mark.parametrize("line", ["L-S9 @1", "L-SS2 @1", "1: L-SS2 @letter 1"])
def test_a_guarded_move_that_cannot_be_tried_is_told_as_ever_and_its_guard_is_kept(
    club: Club, line: str
) -> None:
    anna, _, _ = begun(club)
    letter = anna.replies(line).only
    assert letter.kind == "refusal"
    assert f"{line}:" in said(letter)
    guard = line.partition(" @")[2]
    assert f"@{guard}?" in said(letter)


def test_out_of_turn_and_after_the_end_a_guard_changes_nothing(club: Club) -> None:
    anna, bert, _ = begun(club)
    assert "it is White's turn now" in said(bert.replies("C-N2 @1").only)
    anna.replies("resign")
    assert "game 1 is over" in said(bert.replies("C-N2 @1").only)
