"""Questions in the middle of a turn: when they are asked, what they say, and how the turn goes on (E4)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee.rulebooks.cards.asking import Asking, unfit
from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.figures import BLUE, RED
from referee.rulebooks.cards.fold import as_order
from referee.rulebooks.cards.orders import Choose
from referee.rulebooks.cards.switches import EN, FR
from referee.rulebooks.cards.turn import Played
from tests.rulebooks.cards.combats import said
from tests.rulebooks.cards.tables import battle, bound, mob, objective
from tests.rulebooks.cards.test_turn import BOTH, PAIR, play, wishing

ALWAYS = wishing("PR ALL ASK ALWAYS")
MATTER = wishing("PR ALL ASK MATTER")


def answer(line: str) -> Choose:
    order = as_order(line)
    assert isinstance(order, Choose)
    return order


def asked(played: Played) -> Asking:
    assert played.asked is not None
    assert json.loads(json.dumps(played.asked.plain())) == played.asked.plain()
    assert len(played.asked.forms) == len(played.asked.facts["trials"])
    for form in played.asked.forms:
        assert unfit(played.asked.plain(), answer(form)) is None
    return played.asked


# --- casualties


def won(*answers: str, wishes: Any = ALWAYS, laid: Battle | None = None) -> Played:
    """Red wins the first combat of the pair."""
    return play(
        laid or battle(*PAIR),
        "CO RI1 > BI1",
        red="K",
        blue="2",
        wishes={RED: wishes},
        answers=[*map(answer, answers)],
    )


def test_the_turn_stops_where_the_winner_is_to_choose() -> None:
    """A-78: only the cards that are turned are told; the first form is the standing wish."""
    played = won(wishes=wishing("PR ALL ASK ALWAYS KILL FAR"))
    assert [each.code for each in played.happenings] == ["phase", "phase", "declared", "card", "card"]
    question = asked(played)
    assert (question.seat, question.what) == (RED, "casualties")
    assert question.forms[0] == "CHOOSE KILL FAR CONF NEAR"
    facts = question.facts
    assert (facts["unit"], facts["by"], facts["count"]) == ("BI1", "RI1", 1)
    assert facts["combat"]["cards"] == ["KH", "2H"]
    assert [man["number"] for man in facts["kill"]] == list(range(1, 13))
    assert facts["trials"][0] == {"killed": 7, "confused": [1]}


def test_the_answer_settles_it_and_what_it_leaves_out_is_as_wished() -> None:
    before = won()
    after = won("CHOOSE KILL MAN 8 CONF MAN 2")
    assert after.asked is None
    assert after.happenings[: len(before.happenings)] == before.happenings
    (loss,) = said(after.happenings, "fought")[0].facts["losses"]
    assert (loss["killed"], loss["confused"]) == (8, [2])
    (loss,) = said(won("CHOOSE CONF MAN 2").happenings, "fought")[0].facts["losses"]
    (usual,) = said(won(wishes=wishing()).happenings, "fought")[0].facts["losses"]
    assert (loss["killed"], loss["confused"]) == (usual["killed"], [2])
    (empty,) = (
        play(battle(*PAIR), "CO RI1 > BI1", red="K", blue="2", wishes={RED: ALWAYS}, answers=[Choose()])
        .happenings[5]
        .facts["losses"]
    )
    assert empty == usual


def test_an_answer_may_be_a_line_that_was_given_as_a_form() -> None:
    """Each form does what its trial says."""
    question = asked(won())
    for form, trial in zip(question.forms, question.facts["trials"], strict=True):
        (loss,) = said(won(form).happenings, "fought")[0].facts["losses"]
        assert {"killed": loss["killed"], "confused": sorted(loss["confused"])} == trial


def test_a_form_names_nobody_who_cannot_be_chosen() -> None:
    """E2: MAN stands for those who are allowed, then for NEAR; as a form the standing wish says it so."""
    wishes = wishing("PR ALL ASK ALWAYS KILL MAN 40,8 CONF MAN 41")
    question = asked(won(wishes=wishes))
    assert question.forms[0] == "CHOOSE KILL MAN 8 CONF NEAR"
    assert question.facts["trials"][0] == {"killed": 8, "confused": [1]}


def test_in_a_tie_both_are_asked_and_neither_sees_the_others_choice() -> None:
    """CC-7.18: both choose on the position before the combat."""
    both = {RED: ALWAYS, BLUE: ALWAYS}
    answers: list[Choose] = []
    stops = []
    for line in ("CHOOSE KILL MAN 3", "CHOOSE KILL MAN 8", None):
        played = play(battle(*PAIR), "CO RI1 > BI1", red="7", blue="7", wishes=both, answers=answers)
        if line is not None:
            stops.append((asked(played).seat, asked(played).facts["unit"], len(played.happenings)))
            answers.append(answer(line))
    assert stops == [(BLUE, "RI1", 5), (RED, "BI1", 5)]
    losses = said(played.happenings, "fought")[0].facts["losses"]
    assert [(each["unit"], each["killed"]) for each in losses] == [("RI1", 3), ("BI1", 8)]


def test_nobody_is_asked_who_has_nothing_to_choose() -> None:
    """One man left; or, in `en`, one ordinary man to die and all in ranks to be confused (CC-7.19)."""
    last = battle(*BOTH, PAIR[0], "BI1 1m/1f @100,116 b180")
    assert won(laid=last).asked is None
    officers = battle(*BOTH, PAIR[0], "BI1 3m/3f @100,116 b180 O:1 F:2 x:2", switches=EN)
    assert won(laid=bound(officers, ("RI1", "BI1"))).asked is None
    assert won(
        laid=bound(battle(*PAIR[:1], "BI1 3m/3f @100,116 b180 O:1 F:2 x:2", switches=FR), ("RI1", "BI1"))
    )


def test_never_is_the_default_and_a_units_own_wish_counts() -> None:
    assert won(wishes=wishing()).asked is None
    assert won(wishes=wishing("PR ALL ASK ALWAYS", "PR RI1 ASK NEVER")).asked is None
    assert won(wishes=wishing("PR RI1 ASK ALWAYS")).asked is not None


# --- does it matter


def test_matter_does_not_stop_where_nothing_differs() -> None:
    assert won(wishes=MATTER).asked is None


def test_matter_stops_where_a_pair_drops_out_of_combat_distance() -> None:
    """E4 (1): man 7 alone is within reach of RI2, and REAR would kill him."""
    assert asked(won(wishes=MATTER, laid=battle(*PAIR, "RI2 2m/2f @127,126 b0")))
    assert won(wishes=MATTER, laid=battle(*PAIR, "RI2 2m/2f @127,122 b0")).asked is None
    assert won(wishes=MATTER, laid=battle(*PAIR, "RI2 2m/2f @127,127 b0")).asked is None


def test_matter_stops_where_the_holder_of_an_objective_hangs_on_it() -> None:
    """E4 (2), CC-8.7: a man of each side is inside; without him it would be Red's."""
    inside = objective("K1", 104.5, 99, 110, 117)
    assert asked(won(wishes=MATTER, laid=battle(*PAIR, objectives=[inside])))
    blue_alone = objective("K1", 104.5, 110, 110, 117)
    assert won(wishes=MATTER, laid=battle(*PAIR, objectives=[blue_alone])).asked is None


def test_matter_stops_where_a_cannon_may_lose_its_last_gunner() -> None:
    """E4 (3): two gunners at the first cannon, one at the second."""
    laid = battle("RI1 12m/6f @100,100 b0", "BA1 3m/2g @100,118 b180")
    assert asked(won_against(laid, "BA1", MATTER)).facts["unit"] == "BA1"
    assert (
        won_against(battle("RI1 12m/6f @100,100 b0", "BA1 3m/1g @100,118 b180"), "BA1", MATTER).asked is None
    )


def won_against(laid: Battle, enemy: str, wishes: Any) -> Played:
    return play(laid, f"CO RI1 > {enemy}", red="K", blue="2", wishes={RED: wishes})


def test_matter_stops_in_fr_where_an_officer_may_be_hit() -> None:
    """E4 (4), CC-7.20."""
    lines = ("RI1 12m/6f @100,100 b0", "BI1 12m/6f @100,107 b180 O:1")
    assert asked(won(wishes=MATTER, laid=battle(*lines, switches=FR)))
    assert won(wishes=MATTER, laid=battle(*lines, switches=EN)).asked is None


# --- the other questions


def test_the_battery_chooses_whom_its_shot_hits() -> None:
    """CC-6.17."""
    laid = battle(*BOTH, "RA1 5m/1g @40,60 b0", "BI2 4m/4f @40,110 b180")
    question = asked(play(laid, "FI RA1.1 > BI2", wishes={RED: ALWAYS}))
    assert (question.seat, question.what, question.facts["cannon"]) == (RED, "shot", "RA1.1")
    played = play(laid, "FI RA1.1 > BI2", wishes={RED: ALWAYS}, answers=[answer("CHOOSE KILL MAN 4")])
    assert said(played.happenings, "fired")[0].facts["killed"] == 4
    hidden = battle(*BOTH, "RA1 5m/1g @40,60 b0", "BI2 2m/1f @40,110 b180 O:1 ~:2", "BI3 2m/2f @80,90 b0")
    assert play(hidden, "FI RA1.1 > BI2", wishes={RED: ALWAYS}).asked is None


def test_the_mobs_owner_chooses_whither_it_runs_in_the_others_turn() -> None:
    """CC-4.9, A-39: with what each way leads to; the other side hears nothing of it until it runs."""
    laid = battle(*BOTH, "RI1 12m/6f @100,170 b0", mob("BI1 6m/6f @100,200 b180"))
    stopped = play(laid, "MV RI1 A20", wishes={BLUE: ALWAYS})
    question = asked(stopped)
    assert (question.seat, question.what) == (BLUE, "flight")
    assert (question.facts["unit"], question.facts["fleeing"], question.facts["away"]) == ("BI1", "RI1", 0)
    assert question.forms[0] == "CHOOSE FLEE AWAY"
    assert question.facts["trials"][0]["bearing"] == 0
    assert [each.code for each in stopped.happenings] == ["moved"]
    for form, trial in zip(question.forms, question.facts["trials"], strict=True):
        played = play(laid, "MV RI1 A20", wishes={BLUE: ALWAYS}, answers=[answer(form)])
        assert said(played.happenings, "fled")[0].facts["bearing"] == trial["bearing"]


def test_a_mob_that_runs_by_its_order_asks_nobody() -> None:
    """CC-4.10: the order says whither; without one its owner is asked."""
    laid = battle(*BOTH, mob("RI1 6m/6f @100,100 b0"), "BI1 12m/6f @100,116 b180")
    assert play(laid, "MV RI1 B225 D30", wishes={RED: ALWAYS}).asked is None
    assert asked(play(laid, wishes={RED: ALWAYS})).what == "flight"


def test_a_mob_that_is_lost_anyway_asks_nobody() -> None:
    """CC-4.6."""
    laid = battle(*BOTH, "RI1 12m/6f @20,280 b315", mob("BI1 6m/6f @10,290 b180"))
    assert play(laid, "MV RI1 A1", wishes={BLUE: ALWAYS}).asked is None


def test_the_owner_chooses_who_returns_unless_he_has_picked() -> None:
    """CC-5.9: nobody is asked where all return, or none may."""
    laid = battle(*BOTH, "RI1 9m/3f @100,100 b0 ~:1,2,3,4,5,6 O:5")
    question = asked(play(laid, "RL RI1", wishes={RED: ALWAYS}))
    assert (question.what, question.facts["count"]) == ("rally", 3)
    assert question.forms[0] == "CHOOSE RALLY MAN 5,1,2"
    listed = wishing("PR ALL ASK ALWAYS RALLY MAN 9,4")
    assert asked(play(laid, "RL RI1", wishes={RED: listed})).forms[0] == "CHOOSE RALLY MAN 4,5,1"
    played = play(laid, "RL RI1", wishes={RED: ALWAYS}, answers=[answer("CHOOSE RALLY MAN 6,4")])
    assert said(played.happenings, "rallied")[0].facts["men"] == [6, 4, 5]
    assert play(laid, "RL RI1 PICK 1", wishes={RED: ALWAYS}).asked is None
    all_return = battle(*BOTH, "RI1 9m/3f @100,100 b0 ~:1,2,3")
    assert play(all_return, "RL RI1", wishes={RED: ALWAYS}).asked is None
    barred = battle(*BOTH, "RI1 9m/3f @100,100 b0 ~:1,2,3,4,5,6", "BI1 12m/6f @100,116 b180")
    assert play(barred, "RL RI1", wishes={RED: ALWAYS}).asked is None


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("CHOOSE FLEE HOME", "other-choice"),
        ("CHOOSE RALLY NEAR", "other-choice"),
        ("CHOOSE KILL MAN 13", "no-such-man"),
        ("CHOOSE KILL NEAR CONF MAN 1,13", "no-such-man"),
    ],
)
def test_an_answer_is_held_against_its_question(line: str, code: str) -> None:
    question = asked(won()).plain()
    fault = unfit(question, answer(line))
    assert fault is not None
    assert (fault.code, fault.suggestion) == (code, question["forms"][0])
    assert fault.sentence()
