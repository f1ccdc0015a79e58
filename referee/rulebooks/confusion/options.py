"""The options of a game: who begins, a deal set by an umpire, deduction sheets or none."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from referee.common.chance import Chance
from referee.common.faults import Fault
from referee.common.i18n import N_, Phrase
from referee.rulebooks.confusion.adjudicate import passes, with_reveal
from referee.rulebooks.confusion.compass import COLOURS, WHITE, YELLOW
from referee.rulebooks.confusion.edition import CLASSIC, Edition
from referee.rulebooks.confusion.fold import start_board
from referee.rulebooks.confusion.happenings import began, dealt
from referee.rulebooks.confusion.position import Deal
from referee.rulebooks.confusion.table import DOUBLE_AGENT, NUMBERS, MovementTable
from referee.rulebooks.rulebook import Happening, Seat

SEATS = (WHITE, YELLOW)
FIRST = "first"
DEAL = "deal"
SHEETS = "sheets"
AGENT = len(NUMBERS) + 1
"""The number of the double agent's type."""
ON, OFF = "on", "off"
SWITCH = (ON, OFF)
_CHOICES = {FIRST: SEATS, SHEETS: SWITCH}
SWITCH_MEANT: Mapping[str, str] = {
    **dict.fromkeys(("none", "no", "0", "false", "without", "non", "aucune", "sans"), OFF),
    **dict.fromkeys(("yes", "1", "true", "with", "oui", "avec"), ON),
}
"""What was probably meant by other words for on and off."""
_MEANT: Mapping[str, Mapping[str, str]] = {
    FIRST: {"blanc": WHITE, "blancs": WHITE, "jaune": YELLOW, "jaunes": YELLOW},
    SHEETS: SWITCH_MEANT,
}
"""The choice that was probably meant by other words."""

SEAT_WORDS = {"white": WHITE, "blanc": WHITE, "yellow": YELLOW, "jaune": YELLOW}
"""The seats in the words of records and options, in lower case."""


def check_options(options: Mapping[str, str]) -> tuple[Fault, ...]:
    """Return the faults of a game's options, empty when all are valid."""
    faults: list[Fault | None] = []
    for key, said in options.items():
        if key == DEAL:
            deals = read_deals(said)
            faults.append(deals if isinstance(deals, Fault) else None)
        elif key in _CHOICES:
            faults.append(choice_fault(key, said, _CHOICES[key], _MEANT[key]))
        else:
            faults.append(unknown_option(key, said, tuple(_CHOICES)))
    return tuple(filter(None, faults))


def choice_fault(key: str, said: str, choices: tuple[str, str], meant: Mapping[str, str]) -> Fault | None:
    """Return the fault of an option that is neither of its two choices.

    meant: choices by other words that people use.
    """
    if said.lower() in choices:
        return None
    meant_so = meant.get(said.lower())
    near = [meant_so] if meant_so else get_close_matches(said.lower(), choices, 1)
    one, other = choices
    facts = {
        "key": key,
        "choices": Phrase(N_("{one} or {other}"), {"one": one, "other": other}),
        "said": said,
    }
    message = N_("{key} is {choices}, not {said}")
    suggestion = f"{key}={near[0]}" if near else ""
    return Fault("option-choice", message, facts, "unreadable", f"{key}={said}", None, suggestion)


def unknown_option(key: str, said: str, known: tuple[str, ...], near: str = "") -> Fault:
    """Return the fault of an unknown option.

    known: the known options, without the deal, which only an umpire sets.
    near: the option that was probably meant, if it is not the most similar one.
    """
    near = near or next(iter(get_close_matches(key, known, 1)), "")
    message = N_("there is no option {key}; known are {known}")
    facts = {"key": key, "known": ", ".join(known)}
    return Fault("unknown-option", message, facts, "unreadable", f"{key}={said}", None, near)


def opening(options: Mapping[str, str], chance: Chance, table: MovementTable) -> tuple[Happening, ...]:
    """Return how a game starts: who begins, with which table and options, and the two deals (CF-3.1, CF-3.5).

    What the options leave out is drawn. Raises ValueError for options that check_options refuses.
    """
    if faults := check_options(options):
        # The text of a deal is secret, so only the fault's code is used.
        raise ValueError(f"these options cannot be played with: {faults[0].code}")
    said = options.get(FIRST, "").lower()
    first = Seat(said) if said else chance.lot(SEATS, FIRST)
    set_deals = read_deals(options[DEAL]) if DEAL in options else {}
    assert not isinstance(set_deals, Fault)  # check_options has read it
    deals = {seat: set_deals.get(seat) or drawn(seat, chance) for seat in SEATS}
    played_with = {SHEETS: options.get(SHEETS, "on").lower()}
    return (
        began(first, table, played_with, deal_set=bool(set_deals)),
        *(dealt(seat, deals[seat]) for seat in SEATS),
        *with_reveal(passes(start_board(first, table)), deals),
    )


def drawn(seat: Seat, chance: Chance, edition: Edition = CLASSIC) -> Deal:
    """Draw the types of a side's pieces, each deal equally likely (CF-3.1)."""
    return dict(zip(edition.letters, chance.shuffle(numbers(edition), f"deal {seat}"), strict=True))


def numbers(edition: Edition) -> tuple[int, ...]:
    """Return the types of an edition's sides; the double agent's comes after the last row's (CF-10.1)."""
    return (*NUMBERS, AGENT) if edition.double_agent else NUMBERS


def read_deals(
    text: str, edition: Edition = CLASSIC, seat_words: Mapping[str, Seat] = SEAT_WORDS
) -> Mapping[Seat, Deal] | Fault:
    """Read deals as in `White=A6 C8 …; Yellow=A4 C8 …`; one side may be left out. seat_words: the edition's."""
    deals: dict[Seat, Deal] = {}
    for part in filter(str.strip, text.split(";")):
        name, _, types = part.partition("=")
        seat = seat_words.get(name.strip().lower())
        if seat is None:
            message = N_("a deal names its side, as in White=A6 C8 …; {side} is none")
            return _deal_fault(message, {"side": name.strip() or Phrase(N_("that"))}, part)
        if seat in deals:
            return _deal_fault(N_("{side} has two deals"), {"side": Phrase(COLOURS[seat])}, part)
        deal = read_deal(types, edition)
        if isinstance(deal, Fault):
            return deal
        deals[seat] = deal
    return deals or _deal_fault(N_("the deal is empty"), {}, text)


def tidy_deal(text: str) -> str:
    """Return a deal in canonical text: `White=A6 C8 …; Yellow=A4 C8 …`. Raises ValueError for an invalid deal."""
    deals = read_deals(text)
    if isinstance(deals, Fault):
        raise ValueError(deals.code)  # noqa: TRY004  (what was read is no deal)
    return write_deals(deals)


def write_deals(deals: Mapping[Seat, Deal], edition: Edition = CLASSIC) -> str:
    """Return the deals of one side or both as text: `White=A6 C8 …; Yellow=A4 C8 …`."""
    return "; ".join(
        f"{seat.capitalize()}={write_deal(deals[seat], edition)}" for seat in edition.seats if seat in deals
    )


def read_deal(text: str, edition: Edition = CLASSIC) -> Deal | Fault:
    """Read one side's deal, `A6 C8 E10 …`: each letter with its type, each type once (CF-8.2).

    The double agent's type is written `?` (CF-10.1).
    """
    deal: dict[str, int] = {}
    for pair in re.findall(r"[^\W\d_]+[\s:=-]*(?:\d+|\?)|[^\s,;]+", text):
        found = re.fullmatch(r"([^\W\d_])[\s:=-]*(\d{1,4}|\?)", pair)
        letter = found[1].upper() if found else ""
        if found is None or letter not in edition.letters:
            message = N_("a deal gives each letter of {letters} its type, as in A6; {pair} does not")
            return _deal_fault(message, {"letters": " ".join(edition.letters), "pair": pair}, text)
        number = AGENT if found[2] == DOUBLE_AGENT else int(found[2])
        if number not in numbers(edition):
            message = N_("there is no type {number}; they are 1 to 12")
            if edition.double_agent:
                message = N_("there is no type {number}; they are 1 to 12, and ? for the double agent")
            return _deal_fault(message, {"number": found[2]}, text)
        if letter in deal:
            return _deal_fault(N_("{letter} is dealt twice"), {"letter": letter}, text)
        if number in deal.values():
            other = next(other for other, dealt_number in deal.items() if dealt_number == number)
            facts = {"number": sign_of(number), "other": other, "letter": letter}
            return _deal_fault(N_("type {number} is dealt to both {other} and {letter}"), facts, text)
        deal[letter] = number
    missing = [letter for letter in edition.letters if letter not in deal]
    if missing:
        return _deal_fault(N_("no type is dealt to {missing}"), {"missing": ", ".join(missing)}, text)
    return {letter: deal[letter] for letter in edition.letters}


def write_deal(deal: Deal, edition: Edition = CLASSIC) -> str:
    """Return one side's deal as text: `A6 C8 E10 …` (CF-8.2)."""
    return " ".join(f"{letter}{sign_of(deal[letter])}" for letter in edition.letters if letter in deal)


def sign_of(number: int) -> str:
    """Return a type as it is written: its number, or the double agent's sign."""
    return DOUBLE_AGENT if number == AGENT else str(number)


def _deal_fault(message: str, facts: Mapping[str, Any], excerpt: str) -> Fault:
    return Fault("deal", message, facts, "unreadable", excerpt.strip(), None, "", "CF-3.1")
