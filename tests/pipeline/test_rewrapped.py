"""A reply above a quotation that was wrapped anew does what it says itself; what may be its writer's is asked about."""

from __future__ import annotations

from collections.abc import Sequence

from tests.mail.message.test_rewrapped import THANKS, combed
from tests.support.begun import begun, said, tried
from tests.support.playing import Club, Correspondent, Delivered, Exchange


def answers(who: Correspondent, answered: Delivered, lines: Sequence[str]) -> Exchange:
    """Send these lines as an answer to a letter."""
    headers = [f"In-Reply-To: {answered['Message-ID']}"]
    content = who.letter(lines, answered["Reply-To"], f"Re: {answered['Subject']}", headers)
    return who.club.take(who.club.raw(content))


def test_a_draw_that_was_offered_stands_when_the_letter_about_it_is_quoted_by_pieces(club: Club) -> None:
    anna, bert, game = begun(club)
    anna.replies("L-S2", "draw", to=anna.last_about(game))
    offered = anna.last_about(game)
    for width in (60, 66, 70, 72, 76):
        answers(anna, offered, [THANKS, "", *combed(offered.text, width)])
        assert "agree" in said(bert.last_about(game)).lower()
    assert tried(club, game) == ["L-S2"]
    bert.replies("draw", to=bert.last_about(game))
    assert club.game(game).result is not None, "the offer has stood"


def test_a_move_within_such_a_quotation_is_made_and_nothing_else(club: Club) -> None:
    anna, _, game = begun(club)
    asked = anna.last_about(game)
    quoted = combed(asked.text, 40)
    middle = quoted.index("> BOARD")
    answers(anna, asked, [*quoted[:middle], "L-S2", "", *quoted[middle:]])
    assert tried(club, game) == ["L-S2"]
    assert "this line" not in said(anna.last)


def test_an_example_that_has_lost_its_mark_is_not_made_but_asked_about(club: Club) -> None:
    anna, _, game = begun(club)
    asked = anna.last_about(game)
    lines = asked.text.splitlines()
    example = lines[lines.index("REPLY WITH ONE LINE, FOR EXAMPLE") + 1]
    answers(anna, asked, [line if line == example else f"> {line}" for line in lines])
    assert tried(club, game) == []
    assert anna.last.kind == "refusal"
    assert f"{example}: this line stands within a quotation" in said(anna.last)
    answers(anna, asked, [example, "", *(f"> {line}" for line in lines)])
    assert tried(club, game) == [example]


def test_a_question_that_is_quoted_by_pieces_is_not_answered_by_its_own_word(club: Club) -> None:
    anna, _, game = begun(club)
    anna.replies("resign", to=anna.last_about(game), vouched=False)
    question = anna.last
    assert "confirm" in question.text
    marked = [line if line == "confirm" else f"> {line}" for line in question.text.splitlines()]
    answers(anna, question, marked)
    assert club.game(game).result is None
    anna.replies("confirm", to=question)
    assert club.game(game).result is not None
