"""Who acts in a game of an event: all cases, in a table."""

from __future__ import annotations

import itertools

import pytest

from referee.games.tournaments.officers import OFFICES, Duty, Office, Officer, office_to_act, officer_for

DIRECTOR, UMPIRE, DEPUTY, APPEALS, ANNA, BERT = 1, 2, 3, 4, 5, 6
ALL = (
    Officer("director", DIRECTOR),
    Officer("umpire", UMPIRE),
    Officer("deputy", DEPUTY),
    Officer("appeals", APPEALS),
)
TWICE = (Officer("umpire", UMPIRE), Officer("appeals", UMPIRE))
NOBODY = None


def without(*offices: Office) -> tuple[Officer, ...]:
    return tuple(each for each in ALL if each.office not in offices)


# fmt: off
RULING = [
    # officers                                seats                away                    who acts
    (ALL,                                     (ANNA, BERT),        (),                     UMPIRE),
    (ALL,                                     (ANNA, UMPIRE),      (),                     DEPUTY),    # umpire plays
    (ALL,                                     (ANNA, DEPUTY),      (),                     UMPIRE),    # deputy plays
    (ALL,                                     (UMPIRE, DEPUTY),    (),                     DIRECTOR),  # both play
    (ALL,                                     (UMPIRE, DIRECTOR),  (),                     DEPUTY),
    (ALL,                                     (ANNA, BERT),        (UMPIRE,),              DEPUTY),    # on leave, say
    (ALL,                                     (ANNA, UMPIRE),      (DEPUTY,),              DIRECTOR),
    (ALL,                                     (ANNA, DEPUTY),      (UMPIRE,),              DIRECTOR),
    (ALL,                                     (ANNA, BERT),        (UMPIRE, DEPUTY),       DIRECTOR),
    (ALL,                                     (UMPIRE, DEPUTY),    (DIRECTOR,),            NOBODY),    # not APPEALS
    (ALL,                                     (ANNA, BERT),        (ANNA, BERT),           UMPIRE),    # the players
    (without("deputy"),                       (ANNA, UMPIRE),      (),                     DIRECTOR),
    (without("deputy", "director"),           (ANNA, UMPIRE),      (),                     NOBODY),
    (without("umpire"),                       (ANNA, BERT),        (),                     DEPUTY),
    (without("umpire", "deputy"),             (ANNA, BERT),        (),                     DIRECTOR),
    (without("umpire", "deputy", "director"), (ANNA, BERT),        (),                     NOBODY),
    ((),                                      (ANNA, BERT),        (),                     NOBODY),
    # one person in several offices
    ((Officer("director", UMPIRE), Officer("umpire", UMPIRE)), (ANNA, BERT), (),           UMPIRE),
    ((Officer("director", UMPIRE), Officer("umpire", UMPIRE)), (ANNA, UMPIRE), (),         NOBODY),
]
APPEAL = [
    # officers                                seats                away         who ruled     who hears it
    (ALL,                                     (ANNA, BERT),        (),          (UMPIRE,),    APPEALS),
    (ALL,                                     (ANNA, APPEALS),     (),          (UMPIRE,),    DIRECTOR),
    (ALL,                                     (ANNA, BERT),        (APPEALS,),  (UMPIRE,),    DIRECTOR),
    (ALL,                                     (ANNA, BERT),        (APPEALS,),  (DIRECTOR,),  UMPIRE),
    (ALL,                                     (ANNA, DIRECTOR),    (APPEALS,),  (UMPIRE,),    DEPUTY),
    (ALL,                                     (ANNA, UMPIRE),      (APPEALS, DIRECTOR), (DEPUTY,), NOBODY),
    (without("appeals"),                      (ANNA, BERT),        (),          (UMPIRE,),    DIRECTOR),
    (without("appeals", "director"),          (ANNA, BERT),        (),          (UMPIRE,),    DEPUTY),
    (without("appeals", "director", "deputy"), (ANNA, BERT),       (),          (UMPIRE,),    NOBODY),
    # the appeals person is the umpire as well: never about a ruling of his own
    ((*TWICE, Officer("director", DIRECTOR)), (ANNA, BERT),        (),          (UMPIRE,),    DIRECTOR),
    ((*TWICE, Officer("deputy", DEPUTY)),     (ANNA, BERT),        (),          (DEPUTY,),    UMPIRE),
    (TWICE,                                   (ANNA, BERT),        (),          (UMPIRE,),    NOBODY),
]
# fmt: on


@pytest.mark.parametrize(("officers", "seats", "away", "who"), RULING)
def test_the_umpire_rules_or_whoever_stands_in(
    officers: tuple[Officer, ...], seats: tuple[int, ...], away: tuple[int, ...], who: int | None
) -> None:
    found = officer_for(officers, seats, away=away)
    assert (found.player if found else NOBODY) == who


@pytest.mark.parametrize(("officers", "seats", "away", "ruled", "who"), APPEAL)
def test_an_appeal_goes_to_somebody_who_has_not_ruled(
    officers: tuple[Officer, ...],
    seats: tuple[int, ...],
    away: tuple[int, ...],
    ruled: tuple[int, ...],
    who: int | None,
) -> None:
    found = officer_for(officers, seats, away=away, duty="appeal", ruled=ruled)
    assert (found.player if found else NOBODY) == who


def test_nobody_ever_acts_in_a_game_of_his_own_or_while_away_or_about_his_own_ruling() -> None:
    """Every way to fill the offices with three people, every pair of seats, and everybody away."""
    duties: tuple[Duty, ...] = ("ruling", "appeal")
    for people in itertools.product((None, 1, 2, 3), repeat=4):
        officers = tuple(Officer(office, who) for office, who in zip(OFFICES, people, strict=True) if who)
        for seats, away, duty in itertools.product(((1, 9), (1, 2), (8, 9)), ((), (3,)), duties):
            found = officer_for(officers, seats, away=away, duty=duty, ruled=(2,))
            may = {
                each.player
                for each in officers
                if each.player not in (*seats, *away, *((2,) if duty == "appeal" else ()))
                and (duty == "appeal" or each.office != "appeals")
            }
            assert (found in officers and found.player in may) if found else not may


# fmt: off
ACTING = [
    # officers                                who       has sat in the game    away              acts as
    (ALL,                                     UMPIRE,   (ANNA, BERT),          (),               "umpire"),
    (ALL,                                     DIRECTOR, (ANNA, BERT),          (),               "director"),
    (ALL,                                     DEPUTY,   (ANNA, BERT),          (),               "umpire there"),
    (ALL,                                     DEPUTY,   (ANNA, UMPIRE),        (),               "deputy"),
    (ALL,                                     DEPUTY,   (ANNA, BERT),          (UMPIRE,),        "deputy"),
    (ALL,                                     DEPUTY,   (ANNA, DEPUTY),        (UMPIRE,),        "plays"),
    (without("umpire"),                       DEPUTY,   (ANNA, BERT),          (),               "deputy"),
    (ALL,                                     APPEALS,  (ANNA, BERT),          (UMPIRE, DEPUTY), "appeals alone"),
    (TWICE,                                   UMPIRE,   (ANNA, BERT),          (),               "umpire"),
    (ALL,                                     UMPIRE,   (ANNA, UMPIRE),        (),               "plays"),
    (ALL,                                     DIRECTOR, (DIRECTOR, BERT),      (),               "plays"),
    (ALL,                                     ANNA,     (ANNA, BERT),          (),               "no office"),
    ((),                                      ANNA,     (BERT,),               (),               "no office"),
]
# fmt: on


@pytest.mark.parametrize(("officers", "who", "seats", "away", "acts_as"), ACTING)
def test_by_which_office_somebody_acts_in_a_game_or_why_he_does_not(
    officers: tuple[Officer, ...],
    who: int,
    seats: tuple[int, ...],
    away: tuple[int, ...],
    acts_as: str,
) -> None:
    assert office_to_act(officers, who, seats, away=away) == acts_as
