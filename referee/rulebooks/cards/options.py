"""What a battle may be started with: scenario, edition, switches of a custom one, who moves first, whether turns
take two letters, decks set by the umpire; and how it opens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches

from referee.common.chance import Chance
from referee.common.faults import Fault
from referee.common.i18n import N_
from referee.rulebooks.cards.decks import read_deal
from referee.rulebooks.cards.figures import SIDES
from referee.rulebooks.cards.happenings import dealt, opened
from referee.rulebooks.cards.scenarios.scenario import (
    Scenario,
    check_in,
    given_scenario,
    given_scenarios,
    read_scenario,
)
from referee.rulebooks.cards.switches import (
    BASE,
    CUSTOM,
    EDITION,
    EDITIONS,
    FLAG,
    SWITCH_FORMATS,
    Switches,
    read_switches,
)
from referee.rulebooks.rulebook import Happening, Seat

SCENARIO, FIRST, DEAL, TABLE, SPLIT = "scenario", "first", "deal", "table", "split"
USUAL_SCENARIO = "cc-skirmish"
HOW_FIRST = ("cut", "lot")
"""What `first` says where it is a switch of a custom edition (CC-1.14); a side moves first without cut or lot."""
KNOWN = (SCENARIO, EDITION, BASE, FIRST, SPLIT, *SWITCH_FORMATS)
"""All options but the deal, which is an umpire's alone to set."""
SIDE_WORDS = {"red": SIDES[0], "rouge": SIDES[0], "rouges": SIDES[0], "blue": SIDES[1], "bleu": SIDES[1]}


def check_options(options: Mapping[str, str]) -> tuple[Fault, ...]:
    """Return all that is wrong with a battle's options, nothing when all is well."""
    faults: list[Fault] = []
    for key, said in options.items():
        if key == DEAL:
            deal = read_deal(said)
            faults += deal if isinstance(deal, tuple) else ()
        elif key == FIRST and said.lower() not in (*SIDES, *HOW_FIRST):
            faults.append(_no_side(said))
        elif key == SPLIT and _read_split(said) is None:
            faults.append(_no_split(said))
        elif key not in KNOWN:
            faults.append(_unknown(key, said))
    scenario = find_scenario(options)
    if not isinstance(scenario, Scenario):
        return (*faults, *scenario)
    switches = read_switches(_switched(options), scenario.edition)
    if not isinstance(switches, Switches):
        return (*faults, *switches)
    return (*faults, *_playable(scenario, switches, options))


def _switched(options: Mapping[str, str]) -> dict[str, str]:
    """Return the options that may be switches: `first` is one where it says how that is settled, and no side."""
    return {key: said for key, said in options.items() if key != FIRST or said.lower() in HOW_FIRST}


def find_scenario(options: Mapping[str, str]) -> Scenario | tuple[Fault, ...]:
    """Return the scenario that options name, or give as the whole text of a file; or all that is wrong with it."""
    said = options.get(SCENARIO, USUAL_SCENARIO)
    if "\n" in said:
        return read_scenario(said)
    known = given_scenarios()
    name = said.strip().lower()
    if name in known:
        return given_scenario(name)
    near = get_close_matches(name, known, 1, 0.4)
    message = N_("there is no scenario {said}; there are {known}")
    suggestion = f"{SCENARIO}={near[0]}" if near else ""
    facts = {"said": said, "known": ", ".join(known)}
    return (Fault("no-scenario", message, facts, "unreadable", f"{SCENARIO}={said}", None, suggestion),)


def _playable(scenario: Scenario, switches: Switches, options: Mapping[str, str]) -> Sequence[Fault]:
    """Return why a scenario cannot be played in an edition; a custom one is held against the rules themselves."""
    if switches.edition == CUSTOM:
        return [_by_option(each, options) for each in check_in(scenario, switches)]
    if switches.edition in scenario.editions_ok:
        return ()
    message = N_("the scenario {title} is not for the edition {edition}; it is for {known}")
    facts = {"title": scenario.title, "edition": switches.edition, "known": ", ".join(scenario.editions_ok)}
    suggestion = f"{EDITION}={scenario.edition}"
    excerpt = f"{EDITION}={options.get(EDITION, '')}"
    return (Fault("scenario-edition", message, facts, "not-allowed", excerpt, None, suggestion),)


def _by_option(fault: Fault, options: Mapping[str, str]) -> Fault:
    """Return a scenario's fault as whoever writes options can mend it: he may not be able to change the file."""
    if fault.code != "scenario-table":
        return fault
    said = f"{TABLE}={options[TABLE]}" if TABLE in options else f"{EDITION}={CUSTOM}"
    return replace(fault, excerpt=said, suggestion=f"{TABLE}=any")


def _no_side(said: str) -> Fault:
    words = (*SIDES, *HOW_FIRST)
    near = SIDE_WORDS.get(said.lower()) or next(iter(get_close_matches(said.lower(), words, 1)), "")
    message = N_("first is red or blue, or in a custom edition cut or lot, not {said}")
    suggestion = f"{FIRST}={near}" if near else ""
    return Fault("option-choice", message, {"said": said}, "unreadable", f"{FIRST}={said}", None, suggestion)


def _read_split(said: str) -> bool | None:
    """Return whether each turn takes two letters (E3); None where that is not said in a known way."""
    try:
        return bool(FLAG.read(said.strip().lower()))
    except (ValueError, KeyError):
        return None


def is_split(options: Mapping[str, str]) -> bool:
    """Return whether each turn of a battle takes two letters. options: as check_options let them pass."""
    return _read_split(options.get(SPLIT, "off")) is True


def _no_split(said: str) -> Fault:
    message = N_("split is on, for turns of two letters, or off, not {said}")
    suggestion = f"{SPLIT}=on"
    return Fault("option-choice", message, {"said": said}, "unreadable", f"{SPLIT}={said}", None, suggestion)


def _unknown(key: str, said: str) -> Fault:
    near = next(iter(get_close_matches(key.replace("-", "_"), KNOWN, 1)), "")
    message = N_("there is no option {key}; known are {known}")
    facts = {"key": key, "known": ", ".join((SCENARIO, EDITION, FIRST, SPLIT)) + f", {EDITION}={CUSTOM} …"}
    return Fault("unknown-option", message, facts, "unreadable", f"{key}={said}", None, near)


def played_with(options: Mapping[str, str]) -> dict[str, str]:
    """Return the options that both players are told, the edition named."""
    scenario = find_scenario(options)
    assert isinstance(scenario, Scenario)
    told = {key: said.lower() for key, said in options.items() if key not in (DEAL, SPLIT)}
    split = {SPLIT: FLAG.write(True)} if is_split(options) else {}
    return {**told, **split, SCENARIO: scenario.id, EDITION: told.get(EDITION, scenario.edition)}


def opening(options: Mapping[str, str], chance: Chance) -> tuple[Happening, ...]:
    """Return how a battle opens: the table with all where the scenario puts them; both sides set up next (CC-1.13).

    What the options leave out is drawn, when its time comes. Raises ValueError for options that check_options faults.
    """
    if faults := check_options(options):
        # The text of a deal is a secret: the fault's code must do.
        raise ValueError(f"these options cannot be played with: {faults[0].code}")
    scenario = find_scenario(options)
    assert isinstance(scenario, Scenario)
    switches = read_switches(_switched(options), scenario.edition)
    assert isinstance(switches, Switches)
    told = {"id": scenario.id, "title": scenario.title, "blurb": scenario.blurb}
    found = [opened(scenario.battle(switches), told, played_with(options))]
    deal = read_deal(options.get(DEAL, ""))
    if isinstance(deal, Mapping) and deal:
        found.append(dealt(deal))
    return tuple(found)


def tidy_deal(text: str) -> str:
    """Return set decks in the one way of writing them: "Red=KH 2C; Blue=10S". Raises ValueError for no deal."""
    match read_deal(text):
        case tuple() as faults:
            raise ValueError(faults[0].code)
        case deal:
            return "; ".join(
                f"{side.capitalize()}={' '.join(deal[side])}" for side in SIDES if deal.get(side)
            )


def set_first(options: Mapping[str, str]) -> Seat | None:
    """Return the side that the options let move first, None where that is cut or drawn for."""
    said = options.get(FIRST, "").lower()
    return Seat(said) if said in SIDES else None


def editions() -> tuple[str, ...]:
    """Return the names that the option `edition` may have."""
    return (*EDITIONS, CUSTOM)
