"""What a game may be started with: who begins, a deal set by an umpire, deduction sheets or none."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from referee.chance import Chance
from referee.faults import Fault
from referee.languages import N_, Phrase
from referee.rulebooks.confusion.adjudicate import passes, with_reveal
from referee.rulebooks.confusion.compass import COLOURS, WHITE, YELLOW
from referee.rulebooks.confusion.fold import start_board
from referee.rulebooks.confusion.happenings import began, dealt
from referee.rulebooks.confusion.position import LETTERS, Deal
from referee.rulebooks.confusion.table import NUMBERS, MovementTable
from referee.rulebooks.rulebook import Happening, Seat

SEATS = (WHITE, YELLOW)
FIRST = "first"
DEAL = "deal"
SHEETS = "sheets"
_CHOICES = {FIRST: SEATS, SHEETS: ("on", "off")}
_KEYS = (FIRST, DEAL, SHEETS)
_MEANT: Mapping[str, Mapping[str, str]] = {
    FIRST: {"blanc": WHITE, "blancs": WHITE, "jaune": YELLOW, "jaunes": YELLOW},
    SHEETS: {
        **dict.fromkeys(("none", "no", "0", "false", "without", "non", "aucune", "sans"), "off"),
        **dict.fromkeys(("yes", "1", "true", "with", "oui", "avec"), "on"),
    },
}
"""What was perhaps meant by words that look like another choice."""

SEAT_WORDS = {"white": WHITE, "blanc": WHITE, "yellow": YELLOW, "jaune": YELLOW}
"""The seats in the words of records and options, in small letters."""


def check_options(options: Mapping[str, str]) -> tuple[Fault, ...]:
    """Return what is wrong with a game's options, nothing when all is well."""
    faults: list[Fault] = []
    for key, said in options.items():
        if key not in _KEYS:
            known = [each for each in _KEYS if each != DEAL]  # which is an umpire's alone to set
            near = get_close_matches(key, known, 1)
            message = N_("there is no option {key}; known are {known}")
            facts = {"key": key, "known": ", ".join(known)}
            faults.append(
                Fault("unknown-option", message, facts, "unreadable", f"{key}={said}", None, "".join(near))
            )
        elif key == DEAL:
            deals = read_deals(said)
            if isinstance(deals, Fault):
                faults.append(deals)
        elif said.lower() not in _CHOICES[key]:
            meant_so = _MEANT.get(key, {}).get(said.lower())
            near = [meant_so] if meant_so else get_close_matches(said.lower(), _CHOICES[key], 1)
            message = N_("{key} is {choices}, not {said}")
            one, other = _CHOICES[key]
            choices = Phrase(N_("{one} or {other}"), {"one": one, "other": other})
            meant = f"{key}={near[0]}" if near else ""
            told = {"key": key, "choices": choices, "said": said}
            faults.append(Fault("option-choice", message, told, "unreadable", f"{key}={said}", None, meant))
    return tuple(faults)


def opening(options: Mapping[str, str], chance: Chance, table: MovementTable) -> tuple[Happening, ...]:
    """Return how a game starts: who begins, with which table and options, and the two deals (CF-3.1, CF-3.5).

    What the options leave out is drawn. Raises ValueError for options that check_options faults.
    """
    if faults := check_options(options):
        # The text of a deal is a secret: the fault's code must do.
        raise ValueError(f"these options cannot be played with: {faults[0].code}")
    said = options.get(FIRST, "").lower()
    first = Seat(said) if said else chance.lot(SEATS, FIRST)
    set_deals = read_deals(options[DEAL]) if DEAL in options else {}
    assert not isinstance(set_deals, Fault)  # check_options has read it
    deals = {seat: set_deals.get(seat) or _drawn(seat, chance) for seat in SEATS}
    played_with = {SHEETS: options.get(SHEETS, "on").lower()}
    return (
        began(first, table, played_with, deal_set=bool(set_deals)),
        *(dealt(seat, deals[seat]) for seat in SEATS),
        *with_reveal(passes(start_board(first, table)), deals),
    )


def _drawn(seat: Seat, chance: Chance) -> Deal:
    return dict(zip(LETTERS, chance.shuffle(NUMBERS, f"deal {seat}"), strict=True))


def read_deals(text: str) -> Mapping[Seat, Deal] | Fault:
    """Read deals as `White=A6 C8 …; Yellow=A4 C8 …`; one side may be left out."""
    deals: dict[Seat, Deal] = {}
    for part in filter(str.strip, text.split(";")):
        name, _, types = part.partition("=")
        seat = SEAT_WORDS.get(name.strip().lower())
        if seat is None:
            message = N_("a deal names its side, as in White=A6 C8 …; {side} is none")
            return _deal_fault(message, {"side": name.strip() or Phrase(N_("that"))}, part)
        if seat in deals:
            return _deal_fault(N_("{side} has two deals"), {"side": Phrase(COLOURS[seat])}, part)
        deal = read_deal(types)
        if isinstance(deal, Fault):
            return deal
        deals[seat] = deal
    return deals or _deal_fault(N_("the deal is empty"), {}, text)


def tidy_deal(text: str) -> str:
    """Return a deal in the one way of writing it: `White=A6 C8 …; Yellow=A4 C8 …`. Raises ValueError for no deal."""
    deals = read_deals(text)
    if isinstance(deals, Fault):
        raise ValueError(deals.code)  # noqa: TRY004  (what was read is no deal)
    return "; ".join(
        f"{seat.capitalize()}={write_deal(deals[seat])}" for seat in (WHITE, YELLOW) if seat in deals
    )


def read_deal(text: str) -> Deal | Fault:
    """Read one side's deal, `A6 C8 E10 …`: each letter with its type, each of the twelve types once (CF-8.2)."""
    deal: dict[str, int] = {}
    for pair in re.findall(r"[^\W\d_]+[\s:=-]*\d+|[^\s,;]+", text):
        found = re.fullmatch(r"([^\W\d_])[\s:=-]*(\d{1,4})", pair)
        letter = found[1].upper() if found else ""
        if found is None or letter not in LETTERS:
            message = N_("a deal gives each letter of {letters} its type, as in A6; {pair} does not")
            return _deal_fault(message, {"letters": " ".join(LETTERS), "pair": pair}, text)
        number = int(found[2])
        if number not in NUMBERS:
            return _deal_fault(N_("there is no type {number}; they are 1 to 12"), {"number": found[2]}, text)
        if letter in deal:
            return _deal_fault(N_("{letter} is dealt twice"), {"letter": letter}, text)
        if number in deal.values():
            other = next(other for other, dealt_number in deal.items() if dealt_number == number)
            facts = {"number": str(number), "other": other, "letter": letter}
            return _deal_fault(N_("type {number} is dealt to both {other} and {letter}"), facts, text)
        deal[letter] = number
    missing = [letter for letter in LETTERS if letter not in deal]
    if missing:
        return _deal_fault(N_("no type is dealt to {missing}"), {"missing": ", ".join(missing)}, text)
    return {letter: deal[letter] for letter in LETTERS}


def write_deal(deal: Deal) -> str:
    """Write one side's deal: `A6 C8 E10 …` (CF-8.2)."""
    return " ".join(f"{letter}{deal[letter]}" for letter in LETTERS if letter in deal)


def _deal_fault(message: str, facts: Mapping[str, Any], excerpt: str) -> Fault:
    return Fault("deal", message, facts, "unreadable", excerpt.strip(), None, "", "CF-3.1")
