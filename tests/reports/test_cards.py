"""What letters of a battle say: a sentence for everything that can happen, in the order of a report (E6, E7)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_args

import pytest

from referee.reports.renderer import LONGEST_ALT, LONGEST_UNBROKEN, templates, typeset
from referee.reports.report import Note
from referee.rulebooks.cards import victory
from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.decks import name
from referee.rulebooks.cards.event_report import UNREPORTED
from referee.rulebooks.cards.figures import BLUE, RED, SIDES
from referee.rulebooks.cards.fold import fold_view
from referee.rulebooks.cards.preview import preview
from referee.rulebooks.cards.questions import due
from referee.rulebooks.cards.report import NoteKind, unit_row
from referee.rulebooks.cards.scenarios.scenario import given_scenario, given_scenarios
from referee.rulebooks.cards.scenarios.scenario_text import GIVEN_BLURBS
from referee.rulebooks.cards.scene import make_scene
from referee.rulebooks.cards.switches import FR, Switches
from referee.rulebooks.rulebook import OBSERVER, OrderLine, Result, Seat
from tests.reports.material import desk_report, reader
from tests.reports.test_languages import in_brackets, outside
from tests.rulebooks.cards.games import Play, random_game
from tests.rulebooks.cards.letters import CARDS, heard, play_from, report, text
from tests.rulebooks.cards.sources import ROOM, calls, codes, refusals, value
from tests.rulebooks.cards.tables import area, battle, bound, mob, objective

LANGUAGES = ("en", "fr")


def macros(template: str) -> set[str]:
    module: Any = templates.get("txt", "en", template).module
    return {each for each in vars(module) if not each.startswith("_")}


# --- nothing is without a sentence


def test_everything_that_can_happen_has_its_sentence() -> None:
    assert len(codes()) > 25
    said = {code.replace("-", "_") for code in codes() - UNREPORTED}
    assert said <= macros("cards/events.j2")


def test_every_reason_for_which_an_order_is_not_carried_out_has_its_sentence() -> None:
    assert len(refusals()) > 25
    assert {code.replace("-", "_") for code in refusals()} <= macros("cards/reasons.j2")


def test_everything_that_is_noted_of_a_unit_has_its_words() -> None:
    source = (typeset.__globals__["_folder"]() / "cards" / "notes.j2").read_text("utf-8")
    assert set(re.findall(r'n\.what == "([a-z-]+)"', source)) | {"fire"} == set(get_args(NoteKind))


@pytest.mark.parametrize(
    "how",
    [
        victory.BY_OBJECTIVES,
        victory.BY_DESTRUCTION,
        victory.BOTH_DESTROYED,
        victory.BY_MORE_OBJECTIVES,
        victory.AS_MANY_OBJECTIVES,
    ],
)
def test_every_way_in_which_a_battle_ends_is_a_sentence_of_its_own(how: str) -> None:
    drawn = how in (victory.BOTH_DESTROYED, victory.AS_MANY_OBJECTIVES)
    source = (typeset.__globals__["_folder"]() / "cards" / "ended.j2").read_text("utf-8")
    assert f'"{how}"' in source
    play = Play({"first": "red"})
    play.begin()
    play.happenings += CARDS.rules.conclude(play.position, Result(None if drawn else BLUE, how))
    ended = report(play, RED, kind="result", result=Result(None if drawn else BLUE, how))
    assert how not in typeset(ended).text.partition("THE RECORD")[0]


def test_every_rule_that_letters_name_is_stated_on_the_page_of_the_game() -> None:
    """What stands in brackets behind a sentence can be looked up by whoever reads it."""
    source = (typeset.__globals__["_folder"]() / "cards" / "cited.j2").read_text("utf-8")
    stated = set(re.findall(r"CC-\d+\.\d+", source))
    named: set[str] = set()
    for called, places in {"Refusal": (1,), "Stop": (2,), "or_at": (2,), "happened": (3,)}.items():
        for module, call in calls(called):
            named |= {
                said
                for place in places
                if len(call.args) > place and (said := value(module, call.args[place]))
            }
    for module, call in calls("Fault", "scenario", "scenario_report"):
        named |= {
            said for each in call.keywords if each.arg == "rule" and (said := value(module, each.value))
        }
    assert len(named) > 40
    assert {rule for rule in named if rule.startswith("CC-")} <= stated
    rules = (ROOM / "RULES.md").read_text("utf-8")
    assert all(f"**{rule}**" in rules for rule in stated)


# --- sentences, in the umpire's own words


def _pair(*more: Any, red: str = "", blue: str = "", **facts: Any) -> Battle:
    return battle(
        f"RI1 12m/6f @100,100 b0 {red}".strip(), f"BI1 12m/6f @100,116 b180 {blue}".strip(), *more, **facts
    )


def _with_cards(laid: Battle, red: str, blue: str) -> Play:
    play = play_from(laid)
    play.position = replace(play.position, dealt={RED: tuple(red.split()), BLUE: tuple(blue.split())})
    return play


def _told(laid: Battle, *lines: str, red: str = "KH", blue: str = "5C", seat: Seat = RED) -> str:
    """Return what a letter tells of a turn of Red's, above the tables."""
    play = _with_cards(laid, red, blue)
    return text(play, seat, play.turn(*lines)).partition("\nYOUR ARMY")[0]


def test_a_combat_is_told_with_its_cards_and_who_suffers() -> None:
    said = _told(_pair(), "CO RI1 > BI1")
    assert "RI1 attacks BI1: king of hearts against five of clubs. RI1 wins." in said
    assert "BI1 loses man 1, and man 2 falls into confusion. Now BI1 is k1/c1/r10. (CC-7.10, CC-7.14)" in said


def test_the_number_of_the_confused_is_reckoned_for_the_reader() -> None:
    flank = battle("RC1 8m/4f @80,100 b90", "BI1 12m/6f @100,100 b0")
    said = _told(flank, "CO RC1 > BI1")
    assert "RC1 wins, on flank or rear of BI1." in said
    assert "and men " in said and " fall into confusion." in said
    assert "That is 6, 1 for its body on the field, 1 for cavalry and 4 for flank or rear." in said
    assert "(CC-7.10, CC-7.14, CC-7.24, CC-7.25)" in said


def test_who_is_left_over_where_too_few_are_in_ranks_is_said() -> None:
    shaken = _pair(blue="x:1,2 ~:3,4,5,6,7,8,9,10")
    said = _told(bound(shaken, ("RI1", "BI1")), "CO RI1 > BI1")
    assert "That would be 3 for its bodies on the field; nobody else was left in ranks." in said


def test_cover_is_named_with_what_it_adds() -> None:
    wall = area("wall", 90, 113, 110, 114)
    said = _told(_pair(terrain=[wall]), "CO RI1 > BI1", red="9H", blue="7C")
    assert (
        "nine of hearts against seven of clubs. With 3 for the cover of BI1 it is 9 to 10. BI1 wins." in said
    )
    assert "CC-7.11" in said


def test_a_tie_is_told_for_both() -> None:
    said = _told(_pair(), "CO RI1 > BI1", red="8H", blue="8C")
    assert "It is a tie, and both suffer. RI1 loses man 1" in said
    assert "BI1 loses man 1" in said
    assert "CC-7.18" in said


def test_artillery_is_told_by_its_card() -> None:
    guns = battle("RA1 5m/1g @100,100 b0", "BI1 12m/6f @100,118 b180")
    assert "That is 5 by the card of the artillery." in _told(guns, "CO RA1 > BI1", red="9H", blue="5C")


def test_a_shot_is_told_with_its_cost() -> None:
    guns = battle("RA1 5m/1g @50,50 b0", "BI1 12m/6f @50,120 b180 O:1")
    said = _told(guns, "FI RA1.1 > BI1")
    assert "Long-range artillery." in said
    assert "RA1.1 fires at BI1, 69.0 cm away, and kills man " in said
    assert "The shot costs 1 marker; left: 3." in said


def test_phases_in_which_nothing_happens_are_left_out() -> None:
    said = _told(_pair(), "CO RI1 > BI1")
    assert "Combats." in said
    assert "Long-range" not in said


def test_a_turn_that_was_let_go_by_is_told_as_one() -> None:
    play = play_from(_pair())
    assert "TURN 1, RED\nRed has let the turn go by." in text(play, BLUE, play.turn())


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("MV RI1 A20", "RI1 stands as it is: it is engaged with BI1. (CC-3.17)"),
        ("FM RA1 W2", "RA1 stands as it is: artillery has no formations. (CC-3.23)"),
        ("RL RI1", "RI1 does not rally: nobody in it is confused. (CC-5.4)"),
        (
            "CO RI1 > BI2",
            "RI1 cannot attack BI2: they are 178.0 cm apart, and must be less than 20.0 cm. (CC-7.1)",
        ),
        (
            "CO RI1 > BI1 MIN 99",
            "RI1 attacks nobody, as you ordered: it has 12 in ranks, and was to have 99. (CC-2.2)",
        ),
        ("FI RA1.1 > BI2", "RA1.1 does not fire: BI2 is 229.0 cm away, and the range is 10 to 130. (CC-6.2)"),
    ],
)
def test_what_is_not_carried_out_is_told_to_its_owner_with_the_rule(line: str, said: str) -> None:
    """Only its owner hears what came of nothing, and why (E7)."""
    more = ("BI2 12m/6f @100,280 b180", "RA1 5m/1g @100,50 b0", "BG @150,290", "RG @150,20")
    laid = bound(_pair(*more), ("RI1", "BI1"))
    assert said in _told(laid, line)
    assert said.partition(":")[0] not in _told(laid, line, seat=BLUE)


def test_an_order_that_is_cut_is_its_owner_s_own_business() -> None:
    """How far was ordered, and KEEP, nobody else is told (E7)."""
    far = battle("RC1 8m/4f @100,50 b0", "RI1 12m/6f @50,50 b0", "BI1 12m/6f @50,100 b180")
    mine, theirs = (_told(far, "MV RC1 A55", "MV RI1 A20 KEEP 40", seat=seat) for seat in SIDES)
    assert "RC1 advances 40.0 cm" in mine
    assert "RC1 was to go 55.0 cm, which is farther than it may. (CC-3.22)" in mine
    assert "RC1 advances 40.0 cm" in theirs
    assert "55.0" not in theirs
    assert "CC-3.22" not in theirs
    assert "RI1 keeps off BI1, as you ordered. (CC-2.2)" in mine
    assert "as you ordered" not in theirs
    assert "CC-2.2" not in theirs


def test_an_objective_that_changes_hands_is_named() -> None:
    hill = objective("K1", 90, 60, 110, 80)
    said = _told(battle("RI1 12m/6f @100,50 b0", "BI1 12m/6f @100,200 b180", objectives=[hill]), "MV RI1 A20")
    assert "Red takes K1. (CC-8.2)" in said
    assert said.startswith("Blue (Bert) is to move, turn 1. Red holds K1.")


def test_mobs_that_flee_are_told_with_their_way() -> None:
    laid = battle("RI1 12m/6f @100,170 b0", mob("BI1 6m/6f @100,200 b180"), "BI2 12m/6f @180,280 b180")
    said = _told(laid, "MV RI1 A20")
    assert "The mob BI1 flees from RI1: 30.0 cm on bearing 0°, to (100,230). (CC-4.5)" in said


def test_cards_are_called_as_a_person_calls_them() -> None:
    words = {"2": "two", "9": "nine", "10": "ten"}
    module: Any = templates.get("txt", "en", "cards/words.j2").module
    for card in ("AC", "2D", "9H", "10S", "JC", "QD", "KH"):
        rank, _, suit = name(card).partition(" of ")
        assert module.card(card) == f"{words.get(rank, rank)} of {suit}"


# --- drafts, questions, set-up


def test_a_draft_is_told_with_what_it_would_bring_and_how_to_go_on() -> None:
    play = play_from(_pair("RI2 12m/6f @40,40 b0"))
    said = text(play, RED, play.say(RED, "MV RI2 A25", "CO RI1 > BI1", "CHECK"))
    assert "YOUR DRAFT\nMV RI2 A25: RI2 advances 20.0 cm, to (40,60)." in said
    assert "CO RI1 > BI1: BI1 would be 14.0 cm away, near enough to attack." in said
    assert "Write carry out to have it done as it stands." in said
    assert "REPLY WITH ONE LINE, FOR EXAMPLE\ncarry out" in said
    assert text(play, BLUE) == text(play_from(_pair("RI2 12m/6f @40,40 b0")), BLUE)


def test_where_a_mob_would_flee_its_enemy_is_not_told() -> None:
    laid = battle("RI1 12m/6f @100,170 b0", mob("BI1 6m/6f @100,200 b180"), "BI2 12m/6f @180,280 b180")
    play = play_from(laid)
    play.say(BLUE, "PR ALL FLEE BEARING 90")
    said = text(play, RED, play.say(RED, "MV RI1 A20", "CHECK"))
    assert "The mob BI1 would flee from it; whither, only its owner knows." in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_shows_lines_that_answer_it(language: str) -> None:
    play = _with_cards(_pair(), "KH", "5C")
    play.say(RED, "PR ALL ASK ALWAYS")
    told = play.turn("CO RI1 > BI1")
    said = text(play, RED, told, reader=reader(language=language))
    asked = play.view(RED).own.asked
    assert asked is not None
    assert all(form in said for form in asked["forms"])
    if language == "en":
        assert said.startswith("Your choice is waited for, turn 1.")
        assert "CHOOSE KILL NEAR CONF NEAR: man 1 is killed; confused: man 2." in said
        assert "Red turns king of hearts; 51 cards are left." in said
        assert "The turn waits for a choice of Red (Anna), turn 1." in text(play, BLUE, told)
    answer = play.say(RED, asked["forms"][0])
    assert "RI1 attacks BI1" in text(play, RED, answer)


def test_while_armies_are_set_up_nobody_reads_anything_of_the_other_s() -> None:
    """EX-1.14"""
    quiet, given = Play(), Play()
    given.say(BLUE, "AT BI1 200,195 B180 W4", "CARRY OUT")
    for seat in (RED, OBSERVER):
        one, other = (typeset(report(play, seat, told=1, due=due(quiet.position))) for play in (quiet, given))
        assert one == other
        assert "(190,196)" not in one.text
    said = text(given, RED)
    assert "Where they stand is sealed until both armies are set up." in said
    assert "AT RI1 110,4 B0 W6" in said


def test_one_s_own_army_is_shown_where_it_was_ordered_to() -> None:
    play = Play()
    play.say(RED, "AT RI1 112,6 B10 W4")
    assert re.search(r"^RI1 +\(112,6\) +10 +4 ", text(play, RED), re.MULTILINE)


def test_what_the_given_scenarios_say_of_themselves_is_said_in_other_languages_too() -> None:
    assert {given_scenario(id).blurb for id in given_scenarios()} == set(GIVEN_BLURBS)
    said = text(Play({"scenario": "cc-guns"}), RED, told=0, first=True, reader=reader(language="fr"))
    assert "Une bataille de canons" in said


# --- how to answer, and what the signs mean


SIGNS = ("B is the bearing", "North is up", "Thin lines are 10 cm apart")
"""How the keys of the tables, the map and the picture begin."""


def test_what_the_signs_mean_is_told_at_first_to_whoever_asks_and_on_the_page_of_the_game() -> None:
    play = play_from(_pair())
    begun = Play({"first": "red"})
    page = typeset(report(play, RED, kind="help", pages=("cards",), rulebooks=(CARDS,))).text
    assert all(sign in page for sign in SIGNS)
    for explained in (
        typeset(report(begun, RED, told=0, first=True)),
        typeset(report(play, RED)),
    ):
        assert all(sign in explained.text for sign in SIGNS[:2])
        assert explained.html is not None
        assert all(sign in explained.html for sign in (SIGNS[0], SIGNS[2]))
    later = typeset(report(play, RED, play.turn("CO RI1 > BI1")))
    assert later.html is not None
    for said in (later.text, later.html):
        assert not any(sign in said for sign in SIGNS)
        assert "for what the signs mean." in said


def test_a_long_line_may_be_broken_on_a_telephone() -> None:
    page = typeset(report(play_from(_pair()), RED)).html
    assert page is not None
    assert "PR ALL KILL NEAR CONF NEAR FLEE AWAY ASK NEVER" in page
    kept = re.findall(r'<span class="m">([^<]*)</span>', page)
    assert kept
    assert all(len(each) <= LONGEST_UNBROKEN for each in kept)


def test_a_turn_is_asked_for_as_several_lines_and_whatever_else_is_due_as_one() -> None:
    play = _with_cards(_pair(), "KH", "5C")
    assert "REPLY WITH A LINE FOR EACH ORDER, FOR EXAMPLE" in text(play, RED)
    play.say(RED, "PR ALL ASK ALWAYS")
    told = play.turn("CO RI1 > BI1")
    assert "REPLY WITH ONE LINE, FOR EXAMPLE\nCHOOSE KILL" in text(play, RED, told)
    assert "you will hear as soon as Red (Anna) has chosen." in text(play, BLUE, told)


def test_orders_are_nobody_s_secret_when_the_battle_is_over() -> None:
    play = Play({"first": "red"})
    play.begin()
    told = play.turn("MV RI1 A20")
    assert "Your orders of turn 1, which nobody else sees:" in text(play, RED, told)
    end = CARDS.rules.conclude(play.position, Result(BLUE, "by resignation"))
    play.happenings += end
    over = text(play, RED, [*told, *end], kind="result", result=Result(BLUE, "by resignation"))
    assert "Your orders of turn 1:" in over


# --- the tables


def test_a_report_has_the_order_of_the_design() -> None:
    """E6: what happened, own units, enemy units, objectives, cards, the map, and then the call for orders."""
    play = random_game(3, {"first": "red"}, turns=2)
    while play.due and play.due[0] != RED:
        play.say(play.due[0], "PASS" if play.position.table.chooser is None else "CHOOSE KILL NEAR CONF NEAR")
    said = text(play, RED, play.happenings[-12:])
    heads = [
        "YOUR ARMY: RED",
        "THE ENEMY: BLUE",
        "OBJECTIVES",
        "CARDS",
        "MAP",
        "REPLY WITH",
        "BETWEEN YOU AND",
    ]
    places = [said.index(head) for head in heads]
    assert places == sorted(places)


def test_units_are_tabled_with_their_men_and_what_is_worth_knowing() -> None:
    laid = bound(_pair("RG @100,92", red="x:1 ~:2 O:3 F:4 D:9"), ("RI1", "BI1"))
    said = text(play_from(laid), RED)
    assert re.search(r"^RI1 +\(100,100\) +0 +6 +k1/c1/r10 +BI1 14\.0$", said, re.MULTILINE)
    assert "      x~OF## / ##D###\n" in said
    assert "Engaged with BI1. Cannot rally: BI1 is too near (CC-5.2). In combat distance of BI1." in said


def test_what_a_unit_could_do_on_a_flank_is_noted() -> None:
    laid = battle("RI1 12m/6f @80,100 b90", "BI1 12m/6f @100,100 b0")
    assert "In combat distance of BI1, on its flank or rear." in text(play_from(laid), RED)


def test_a_man_who_could_rally_is_noted_with_who_helps() -> None:
    laid = battle("RI1 12m/6f @100,100 b0 ~:7,8,9,10", "RG @110,100", "BI1 12m/6f @100,250 b180")
    assert "Cannot move: mixed (CC-3.18). May rally 4, with RG next to it." in text(play_from(laid), RED)


@pytest.mark.story
@pytest.mark.parametrize(("seed", "language"), [(0, "en"), (1, "fr"), (2, "en")])
def test_letters_of_whole_battles_keep_to_their_bounds(seed: int, language: str) -> None:
    """Tables fit 78 columns, HTML stays below 60 KB, and nothing of the machinery shows."""
    play = random_game(
        seed, {"scenario": ("cc-skirmish", "cc-standard", "cc-guns")[seed], "edition": "en"}, turns=2
    )
    for seat in (*SIDES, OBSERVER):
        sent = typeset(report(play, seat, play.happenings[1:], reader=reader(language=language)))
        assert sent.html is not None
        assert "&lt;" not in sent.html
        assert len(sent.html.encode()) < 60_000
        for picture in sent.pictures:
            assert 0 < len(picture.alt) <= LONGEST_ALT
        for line in sent.text.splitlines():
            if re.match(r"[RB][ICA]\d+ +\(| *\d+ [.^%:#~=+nu_-]{20}", line):
                assert len(line) <= 78
        assert not re.search(r"None|\{\{|\bself\b|Undefined|\w\.[A-Z][a-z]", sent.text)


@pytest.mark.telling(seed=[0])
@pytest.mark.parametrize("seed", range(3))
def test_what_one_side_confides_changes_no_letter_to_the_other(seed: int) -> None:
    """E7: preferences, plans, drafts, guards and refused lines are their owner's alone."""
    one, other = (random_game(seed, {"first": "red"}, turns=1) for _ in range(2))
    owing = due(one.position)
    assert owing
    seat = next(iter(owing))
    for line in (
        "PR ALL KILL FAR FLEE HOME",
        "PLAN 3 MV RI1 A5",
        "WAKE 40",
        "MV RI1 A5",
        "CO ALL > NEAR MIN 3",
    ):
        other.attempt(seat, line.replace("RI1", "RI1" if seat == RED else "BI1"))
    for reads in (*SIDES, OBSERVER):
        if reads != seat:
            assert typeset(report(one, reads, due=owing)) == typeset(report(other, reads, due=owing))


@pytest.mark.slow
def test_no_sentence_of_a_battle_s_letters_is_forgotten_in_another_language() -> None:
    """What is looked up stands between brackets; outside of them there are ids, orders and what the scenario says."""
    with in_brackets():
        drafting, asked = play_from(_pair("RG @100,80")), _with_cards(_pair(), "KH", "5C")
        draft = drafting.say(RED, "MV RI1 A5", "CO RI1 > BI1", "PLAN 2 GO RG BY RI1", "CHECK")
        asked.say(RED, "PR ALL ASK ALWAYS")
        battle_by_lot = random_game(2, {"scenario": "cc-guns", "edition": "en"}, turns=2)
        said = [
            text(Play(), RED, told=0, first=True, reader=reader(language="fr")),
            text(drafting, RED, draft, reader=reader(language="fr")),
            text(asked, RED, asked.turn("CO RI1 > BI1"), reader=reader(language="fr")),
            text(battle_by_lot, RED, battle_by_lot.happenings[1:], reader=reader(language="fr")),
        ]
    ours = {"cards", *re.findall(r"\w+", Play().view(RED).table.scenario["blurb"])}
    for letter in said:
        bare = re.sub(r"(?m)^ *\d+ \S{20,}$|^ +[#OFD~ofdx./ ]+$|k\d+/c\d+/r\d+", " ", letter)
        bare = re.sub(r"\b(?:GO|CO|MV|AT|FI|FM|RL|PR|PLAN|CHOOSE|CARRY)\b[A-Z0-9 .,>|&]*", " ", bare)
        assert not {word for word in outside(bare) if word[0].islower()} - ours, letter


# --- what is asked for


def test_an_order_is_previewed_in_the_words_of_what_would_happen() -> None:
    play = play_from(_pair())
    shown = preview(play.view(RED), OrderLine(1, "MV RI1 R90 A5"))
    note = Note("preview", {"rulebook": "cards", "preview": shown, "due": True})
    said = text(play, RED, kind="receipt", notes=(note,))
    assert "MV RI1 R90 A5: RI1 turns to 90° and advances 5.0 cm, to (105,100). (CC-3.1)" in said


def test_a_unit_is_explained() -> None:
    laid = _pair("RA1 5m/2g @50,50 b0", red="~:2")
    play = play_from(laid)

    def why(unit: str) -> Mapping[str, Any]:
        return {"rulebook": "cards", "why": {"row": unit_row(laid, laid.units[unit])}}

    said = text(play, RED, kind="receipt", notes=(Note("why", why("RI1")),))
    assert "RI1, infantry, is at (100,100) and looks to 0°." in said
    assert "In ranks: 11; confused: 1; bodies on the field: 0; lost so far: 0." in said
    assert "RA1.2 has 4 markers." in text(play, RED, kind="receipt", notes=(Note("why", why("RA1")),))


@pytest.mark.parametrize("switches", [None, FR])
def test_the_page_of_the_game_has_a_form_for_every_order(switches: Switches | None) -> None:
    play = Play({} if switches is None else {"edition": "fr"})
    said = text(play, RED, kind="help", pages=("cards",), rulebooks=(CARDS,))
    for form in CARDS.notation.guide().forms.values():
        assert form.split()[0] in said.upper()
    for line in re.findall(r"^((?:AT|MV|FM|RL|GO|FI|CO|PR|PLAN|WAKE|MAP) [^:\n]*): ", said, re.MULTILINE):
        for form in line.split(", ") if "PICK" not in line else [line]:
            assert CARDS.notation.looks_like_order(form), form
            assert not hasattr(CARDS.notation.read(OrderLine(1, form)), "message"), form


def test_the_news_of_a_day_tell_a_battle_without_its_table() -> None:
    play = _with_cards(_pair("BI2 12m/6f @100,200 b180"), "KH", "5C")
    of_the_game = report(play, BLUE, play.turn("CO RI1 > BI1"))
    of_the_game = replace(of_the_game, view=play.view(BLUE))
    said = typeset(desk_report(kind="report", days=(of_the_game,))).text
    assert "GAME 17, AGAINST ANNA\n\nTURN 1, RED\nCombats.\nRI1 attacks BI1: king of hearts" in said
    assert "MAP" not in said


def test_an_earlier_turn_is_shown_with_what_has_happened_since() -> None:
    play = play_from(_pair())
    before = heard(play.happenings, BLUE)
    play.turn("CO RI1 > BI1")
    now = heard(play.happenings, BLUE)
    then = make_scene(fold_view(before, BLUE), before, 0)
    later = make_scene(fold_view(now, BLUE), now, len(before))
    note = Note("as-it-was", {"what": "turn", "number": 1, "then": then, "later": later})
    said = text(play, BLUE, kind="refusal", notes=(note,))
    assert "THE TABLE IN TURN 1\n     0 " in said
    assert "WHAT HAS HAPPENED SINCE\nCombats.\nRI1 attacks BI1" in said
