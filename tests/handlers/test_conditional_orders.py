"""Playing ahead by letter: previews change nothing, and plans go on by themselves, known to nobody but their owner."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from referee.games.events import PlanDropped, Planned, Ruled, read_event
from referee.rulebooks.rulebook import Seat
from tests.support.begun import begun, said, tried
from tests.support.playing import Club, new_database
from tests.support.telling import telling


def events(club: Club, game: int) -> list[object]:
    with club.store.reading() as lookup:
        return [read_event(each.kind, each.body) for each in lookup.events.of_game(game)]


def test_a_preview_tells_what_is_known_of_a_move_and_uses_nothing_up(club: Club) -> None:
    anna, _, game = begun(club)
    before = club.game(game).happenings
    letter = anna.replies("preview L-S4", "Preview l-s4").only
    assert letter.kind == "receipt"
    assert letter.text.startswith("L-S4 would bring L from (3,10) to (3,6).")
    text = said(letter)
    assert text.count("would bring") == 1
    assert "The way is free: (3,9), (3,8), (3,7). Nothing stands on (3,6)." in text
    assert "Of what L can still be, the answer is yes for Rocket 1, and no for types 2 to 12." in text
    assert "Nothing was tried. To try it, write the move alone on a line." in text
    assert club.game(game).happenings == before


def test_a_preview_out_of_turn_says_so_and_one_of_nothing_is_refused_like_the_move(club: Club) -> None:
    _, bert, game = begun(club)
    assert "Nothing was tried. It is not your turn" in said(bert.replies("preview C-N2").only)
    refusal = bert.replies(f"{game}: preview C-N9").only
    assert refusal.kind == "refusal"
    assert "Line 1, column 12, 1: preview C-N9: no type goes 9 squares north" in said(refusal)
    misread = bert.replies("preview C-NNW2").only
    assert "Line 1, column 11, preview C-NNW2: there is no direction NNW" in said(misread)
    assert "Did you mean preview C-NW2?" in said(misread)


def test_previews_and_plans_are_read_and_shown_by_the_writers_own_compass(club: Club) -> None:
    anna, _, game = begun(club)
    anna.replies("set compass own")
    assert anna.replies("preview L-F2", to=anna.last_about(game)).only.text.startswith(
        "L-S2 (F) would bring L"
    )
    slip = said(anna.replies("try L-F2; if noo L-F1").only)
    assert "Line 1, column 14, noo L-F1: there is no condition noo" in slip
    anna.replies("try L-F2; if no L-F1; if yes L-FR1")
    assert tried(club, game) == ["L-S2"]
    assert "2. If the answer to step 1 is no: L-S1 (F)." in said(anna.last)
    assert club.game(game).plans[Seat("white")].plan == "L-S2; if no L-S1; if yes L-SW1"


def test_a_plan_is_shown_back_and_begins_when_the_turn_comes(club: Club) -> None:
    anna, bert, game = begun(club)
    exchange = bert.replies("try C-N2; if no E-N1; if yes V-N1")
    letter = exchange.only
    assert letter.recipient == bert.address
    assert letter.kind == "receipt"
    assert "[accepted]" in letter["Subject"]
    text = said(letter)
    assert "Your plan for game 1 is kept; nobody else hears of it." in text
    assert (
        "1. First C-N2. 2. If the answer to step 1 is no: E-N1. 3. If the answer to step 1 is yes: V-N1."
        in text
    )
    assert "Where nothing of this fits" in text
    told = anna.replies("L-S2").sent
    assert tried(club, game) == ["L-S2", "C-N2"]
    assert {letter.kind for letter in told} == {"report"}
    assert "Tried as you planned: C-N2." in said(bert.last)
    assert (
        "This is what is left of your plan. 1. C-N2 was tried. 2. If the answer to step 1 is no: E-N1."
        in said(bert.last)
    )
    assert "plan" not in anna.last.text.lower()
    anna.replies("L-S1")
    assert tried(club, game) == ["L-S2", "C-N2", "L-S1", "E-N1"]
    assert "Tried as you planned: E-N1. Nothing is left of your plan." in said(bert.last)
    assert not club.game(game).plans


def test_a_plan_in_ones_own_turn_begins_at_once(club: Club) -> None:
    anna, bert, game = begun(club)
    exchange = anna.replies("try L-S2; then L-S1")
    assert [letter.recipient for letter in exchange.sent] == [bert.address, anna.address]
    assert anna.last.kind == "report"
    assert exchange.settled is not None
    assert exchange.settled.moves == 1
    text = said(anna.last)
    assert "1. First L-S2. 2. After step 1, whatever the answer: L-S1." in text
    assert "Tried as you planned: L-S2." in text
    assert "what is left of your plan" not in text
    bert.replies("C-N2")
    assert tried(club, game) == ["L-S2", "C-N2", "L-S1"]


def test_two_plans_go_on_against_each_other_in_one_letter(club: Club) -> None:
    anna, bert, game = begun(club)
    bert.replies("try C-N2; then C-N2; then C-N2")
    exchange = anna.replies("try C-S2; then C-S2; then C-S2")
    assert tried(club, game) == ["C-S2", "C-N2"] * 3
    assert len(exchange.sent) == 2
    assert "Tried as you planned: C-S2, C-S2, C-S2. Nothing is left of your plan." in said(anna.last)
    assert "Tried as you planned: C-N2, C-N2, C-N2. Nothing is left of your plan." in said(bert.last)


def test_a_duel_of_full_plans_is_one_transaction_with_two_letters(club: Club) -> None:
    anna, bert, game = begun(club)
    bert.replies("; then ".join(["try C-N2", *["C-N2"] * 29]))
    exchange = anna.replies("; then ".join(["try C-S2", *["C-S2"] * 29]))
    assert len(tried(club, game)) == 60
    assert len(exchange.sent) == 2
    assert club.game(game).plans == {}


def test_where_nothing_fits_the_plan_is_at_its_end_and_its_owner_is_asked_as_usual(club: Club) -> None:
    anna, bert, game = begun(club)
    bert.replies("try C-N2; if yes E-N1")
    anna.replies("L-S2")
    anna.replies("L-S1")
    assert "Your plan is at its end: nothing in it fits what you have heard." in said(bert.last)
    assert "your move" in bert.last["Subject"]
    assert "plan" not in anna.last.text.lower()
    assert club.game(game).plans == {}


def test_a_planned_move_that_is_refused_ends_the_plan_and_its_owner_is_told_why(club: Club) -> None:
    anna, bert, _ = begun(club)
    bert.replies("try C-N2; then E-S1")
    anna.replies("L-S2")
    anna.replies("L-S1")
    text = said(bert.last)
    assert (
        "Your plan is at its end: E-S1 cannot be tried any more, since P of the same side stands on (5,1)."
        in text
    )
    assert "your move" in bert.last["Subject"]
    assert "plan" not in anna.last.text.lower()


def test_a_first_move_that_cannot_be_tried_now_is_refused_like_a_move_and_no_plan_is_kept(club: Club) -> None:
    anna, _, game = begun(club)
    letter = anna.replies("try L-S9; then L-S1").only
    assert letter.kind == "refusal"
    assert "Line 1, column 5, L-S9: no type goes 9 squares south" in said(letter)
    assert club.game(game).plans == {}


def test_a_move_by_hand_ends_a_plan_and_its_owner_is_told(club: Club) -> None:
    anna, _, game = begun(club)
    anna.replies("try L-S2; then L-S1", "K-S1")
    assert tried(club, game) == ["K-S1"]
    assert "Your plan is at its end, since you made a move yourself." in said(anna.last)
    assert any(isinstance(event, PlanDropped) and event.why == "by-hand" for event in events(club, game))
    assert club.game(game).plans == {}


def test_whoever_resigns_has_no_plan_any_more_and_is_told(club: Club) -> None:
    anna, _, _ = begun(club)
    anna.replies("L-S2", "try L-S1; then L-S1")
    anna.replies("resign")
    assert anna.last.kind == "result"
    assert "Your plan is at its end with the game." in said(anna.last)


def test_the_end_of_the_game_ends_the_opponents_plan_too_and_tells_him_alone(club: Club) -> None:
    anna, bert, _ = begun(club)
    bert.replies("try C-N2")
    anna.replies("resign")
    assert "Your plan is at its end with the game." in said(bert.last)
    assert "plan" not in anna.last.text.lower()
    anna.writes("games")
    assert "plan" not in said(bert.writes("status 1").only).lower()


def test_whoever_plays_with_somebody_who_leaves_is_told_that_his_plan_is_at_its_end(club: Club) -> None:
    anna, bert, game = begun(club)
    bert.replies("try C-N2", to=bert.last_about(game))
    anna.writes("bye")
    anna.replies("confirm")
    assert bert.last.kind == "result"
    assert "Your plan is at its end with the game." in said(bert.last)


def test_a_draw_that_is_offered_is_for_the_player_to_answer(club: Club) -> None:
    anna, bert, game = begun(club)
    bert.replies("try C-N2; then C-N2")
    anna.replies("draw", "L-S2")
    assert tried(club, game) == ["L-S2"]
    assert "since you are offered a draw" in said(bert.last)
    assert "plan" not in anna.last.text.lower()


@pytest.mark.parametrize("word", ["draw", "agree white", "agree none"])
def test_a_proposal_that_the_other_is_not_told_of_leaves_him_his_plan(club: Club, word: str) -> None:
    """Given three letters about proposals on one day, when one more is made, then it ends no plan, and a move brings
    that on; of each that ends a plan its owner is told."""
    anna, bert, game = begun(club)
    seen = 0
    for _ in range(2):
        bert.replies("try C-N2; if no E-N1", to=bert.last_about(game))
        told = len(bert.letters)
        anna.replies(word, to=anna.last_about(game))
        anna.replies("cancel", to=anna.last_about(game))
        if len(bert.letters) > told:
            seen += "Your plan is at its end" in said(bert.letters[told])
    assert (seen, club.game(game).plans) == (2, {})
    bert.replies("try C-N2; if no E-N1", to=bert.last_about(game))
    told = len(bert.letters)
    anna.replies(word, to=anna.last_about(game))
    assert len(bert.letters) == told and club.game(game).plans.keys() == {"yellow"}
    anna.replies("L-S2", to=anna.last_about(game))
    assert tried(club, game) == ["L-S2", "C-N2"] and club.game(game).offer is None


@pytest.mark.parametrize("besides", [("L-S2",), ("press Well?",), ("try L-S2",)])
def test_a_proposal_beyond_the_days_third_is_put_in_a_letter_about_more_and_ends_the_plan(
    club: Club, besides: tuple[str, ...]
) -> None:
    anna, bert, game = begun(club)
    for _ in range(2):
        anna.replies("draw", to=anna.last_about(game))
        anna.replies("cancel", to=anna.last_about(game))
    bert.replies("try C-N2; if no E-N1", to=bert.last_about(game))
    anna.replies("draw", *besides, to=anna.last_about(game))
    assert "since you are offered a draw" in said(bert.last)
    assert club.game(game).plans == {} and "C-N2" not in tried(club, game)


def test_cancel_takes_a_plan_back_and_status_shows_it(club: Club) -> None:
    anna, bert, game = begun(club)
    bert.replies("try C-N2; if no E-N1")
    assert "This is your plan. 1. First C-N2. 2. If the answer to step 1 is no: E-N1." in said(
        bert.replies("status").only
    )
    assert "plan" not in anna.replies("status").only.text.lower()
    assert bert.replies("cancel").only.kind == "receipt"
    assert club.game(game).plans == {}
    assert "your plan" not in bert.replies("status").only.text
    anna.replies("L-S2")
    assert tried(club, game) == ["L-S2"]
    assert bert.replies("cancel").only.kind == "refusal"


def test_a_plan_takes_the_place_of_the_one_before(club: Club) -> None:
    anna, bert, game = begun(club)
    bert.replies("try C-N2")
    assert "in place of the one before" in said(bert.replies("try E-N1").only)
    anna.replies("L-S2")
    assert tried(club, game) == ["L-S2", "E-N1"]


def test_a_move_and_a_plan_for_what_comes_after_stand_in_one_letter(club: Club) -> None:
    anna, bert, game = begun(club)
    bert.replies("try C-N2")
    anna.replies("L-S2", "try L-S1; then L-S1")
    assert tried(club, game) == ["L-S2", "C-N2", "L-S1"]
    assert anna.last.kind == "report"
    assert game in {letter.game for letter in bert.letters}


def test_plans_wait_in_a_frozen_game(club: Club) -> None:
    anna, bert, game = begun(club)
    bert.replies("try C-N2")
    club.referee.umpire.freeze(game, "A ruling is checked.")
    club.collect()
    assert "frozen" in said(anna.replies("try L-S2").only)
    club.referee.umpire.thaw(game)
    club.collect()
    anna.replies("L-S2")
    assert tried(club, game) == ["L-S2", "C-N2"]


def test_a_plan_that_a_mail_program_has_broken_into_lines_is_one_plan(club: Club) -> None:
    _, bert, game = begun(club)
    bert.replies("try C-N2; if no E-N1; if", "no (V-N1; if yes V-N2);", "if yes C-N1", "", "Yours, Bert")
    assert club.game(game).plans
    shown = said(bert.last)
    assert "3. If the answer to step 2 is no: V-N1. 4. If the answer to step 3 is yes: V-N2." in shown


def test_slips_in_a_plan_are_told_with_line_and_column_and_nothing_is_kept(club: Club) -> None:
    _, bert, game = begun(club)
    letter = bert.replies("Hello,", f"{game}: try C-N2; if no E-N1;", "if yes V-XX1").only
    assert letter.kind == "refusal"
    assert "Line 3, column 10, V-XX1: there is no direction XX" in said(letter)
    assert "Line 1, column 14, noo E-N1: there is no condition noo" in said(
        bert.replies("try C-N2; if noo E-N1").only
    )
    either = bert.replies(f"{game}: try C-N2; if no E-N1; then C-N1").only
    assert f"Did you mean {game}: try C-N2; if no (E-N1; then C-N1)?" in said(either)
    assert "BOARD" not in either.text, "how a plan is written is not about the board"
    long = bert.replies("; then ".join(["try C-N2", *["C-N2"] * 30])).only
    assert "a plan has at most 30 moves" in said(long)
    alone = bert.replies("if no E-N1").only
    assert "a step that begins with if belongs to a plan" in said(alone)
    assert "Did you mean help try?" in said(alone)
    assert club.game(game).plans == {}
    assert not any(isinstance(event, Planned) for event in events(club, game))


def test_prose_that_begins_with_try_is_no_plan(club: Club) -> None:
    anna, _, _ = begun(club)
    anna.replies("L-S2", "Try again tomorrow, will you.", "Then I shall see.", "If no, so be it.")
    assert anna.last.kind == "report"
    assert "not read" not in said(anna.last)


def test_a_held_plan_that_comes_too_late_is_not_kept(club: Club) -> None:
    anna, bert, game = begun(club)
    bert.replies("try C-N2", vouched=False)
    anna.replies("L-S2")
    bert.replies("C-N1", to=bert.last_about(game))
    anna.replies("L-S1")
    question = next(
        letter for letter in bert.letters if letter.game is None and "did you write" in letter["Subject"]
    )
    assert "meant for an earlier turn" in said(bert.replies("confirm", to=question).sent[-1])
    assert club.game(game).plans == {}


def test_a_plan_in_somebodys_name_is_asked_about_in_the_houses_words(club: Club) -> None:
    """A forger's text never stands in a letter of ours."""
    _, bert, game = begun(club)
    bert.replies("try c n2, if no (e-n1)", vouched=False)
    assert "try C-N2; if no E-N1" in bert.last.text
    club.later(timedelta(days=2))
    bert.replies(
        f"{game}: try C-N2; buy pills", "preview C-N2 buy pills", vouched=False, to=bert.last_about(game)
    )
    assert "did you write" in bert.last["Subject"]
    assert "pills" not in bert.last.text


def test_what_a_plan_has_tried_is_kept_as_any_ruling_with_what_is_left_of_the_plan(club: Club) -> None:
    anna, bert, game = begun(club)
    bert.replies("try C-N2; if no E-N1")
    anna.replies("L-S2")
    ruled = [event for event in events(club, game) if isinstance(event, Ruled)]
    assert [(event.order, event.plan) for event in ruled] == [("L-S2", ""), ("C-N2", "C-N2; if no E-N1")]
    record = bert.replies("record", to=bert.last_about(game)).only
    assert "if no" not in record.text.split("OTHER WORDS")[0]


def test_whoever_wants_no_news_is_told_of_his_plan_in_his_next_letter(club: Club) -> None:
    anna, bert, game = begun(club)
    bert.replies("set letters urgent", "try C-N2; then E-N1; if yes C-N1", to=bert.last_about(game))
    anna.replies("L-S2")
    assert bert.last.number == 2
    anna.replies("L-S1")
    assert tried(club, game) == ["L-S2", "C-N2", "L-S1", "E-N1"]
    assert bert.last.number == 2
    anna.replies("L-S1")
    text = said(bert.last)
    assert "Tried as you planned: C-N2. Tried as you planned: E-N1." in text
    assert "nothing in it fits" in text


@pytest.mark.parametrize(
    "aside", telling(["try C-N2; if no E-N1", "preview C-N2"], others=["try V-N1; then V-N1", "cancel"])
)
def test_until_it_is_used_a_plan_changes_nothing_in_the_opponents_letters(tmp_path: Path, aside: str) -> None:
    """The same game with a plan that is taken back in time, and with the word `status` in its place."""
    told = []
    for place, (first, last) in enumerate(((aside, "cancel"), ("status", "status"))):
        club = Club(new_database(tmp_path, f"club-{place}"))
        anna, bert, game = begun(club)
        bert.replies(first, to=bert.letters[1])
        anna.replies("status", "games", to=anna.letters[1])
        anna.replies("draw", to=anna.letters[1])
        anna.replies("cancel", to=anna.letters[1])
        bert.replies(last, to=bert.letters[1])
        anna.replies("L-S2", to=anna.letters[1])
        anna.replies("record", to=anna.letters[1])
        told.append([letter.content for letter in anna.letters])
        assert tried(club, game) == ["L-S2"]
        club.close()
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        (
            "essayer C-N2; si nom E-N1",
            "Ligne 1, colonne 18, nom E-N1 : il n'y a pas de condition nom ; il y a oui, non, pris, perdu, promue, z. "
            "Vouliez-vous dire si non E-N1 ?",
        ),
        ("essayer C-N2; E-N1", "ou par puis. Vouliez-vous dire puis E-N1 ?"),
        ("essayer C-N2; sinon E-N1; alors C-N1", "Ligne 1, colonne 27, alors C-N1 : ceci peut suivre E-N1"),
        (
            "essayer C-N2; si non E-N1; si oui C-N1; sinon E-N1",
            "sinon E-N1 : la suite de C-N2 en cas de non ",
        ),
        ("sinon E-N1", "une étape qui commence par sinon fait partie d'un plan"),
    ],
)
def test_a_slip_in_a_plan_in_french_is_told_in_the_words_of_a_plan_in_french(
    club: Club, plan: str, sentence: str
) -> None:
    _, bert, game = begun(club)
    bert.writes("set language fr")
    assert sentence in said(bert.replies(plan, to=bert.last_about(game)).only)


def test_a_slip_in_a_plan_by_ones_own_compass_is_told_by_that(club: Club) -> None:
    _, bert, game = begun(club)
    bert.writes("set compass own")
    letter = bert.replies("try C-F2; if no C-LF1; if no C-LF1", to=bert.last_about(game)).only
    assert "Line 1, column 19, C-LF1: there is no direction LF; as you see the board" in said(letter)
    assert "Did you mean C-FL1?" in said(letter)
    letter = bert.replies("preview C-RB1", "C-LF1", to=bert.last_about(game)).only
    assert "Did you mean preview C-BR1?" in said(letter)
