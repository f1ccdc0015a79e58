"""The options of a game of spies: who begins, variants, action tokens, a deal set by an umpire (CF-10.13)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches

from referee.common.chance import Chance
from referee.common.faults import Fault
from referee.common.i18n import N_
from referee.rulebooks.confusion.compass import WHITE
from referee.rulebooks.confusion.edition import Edition
from referee.rulebooks.confusion.options import (
    DEAL,
    FIRST,
    OFF,
    ON,
    SHEETS,
    SWITCH,
    SWITCH_MEANT,
    choice_fault,
    drawn,
    unknown_option,
    write_deals,
)
from referee.rulebooks.confusion.options import read_deals as _read_deals
from referee.rulebooks.confusion.position import Deal
from referee.rulebooks.confusion.table import MovementTable, default_table
from referee.rulebooks.rulebook import Happening, Seat
from referee.rulebooks.spies.edition import MOVE, RED, REVEAL, SEATS, SWAP, TOKENS, Variants
from referee.rulebooks.spies.happenings import began, dealt

VARIANTS: Mapping[str, str] = {
    "code-of-honour": "code_of_honour",
    "small-world": "small_world",
    "late-contact": "late_contact",
    "variable-setup": "variable_setup",
    "comrade": "comrade",
}
"""The options that turn a variant on, and their names in `Variants`."""
TOKENS_OF: Mapping[str, Seat] = {f"tokens.{seat}": seat for seat in SEATS}
"""The options that give a seat its action tokens."""
NO_TOKENS = "none"
KNOWN = (FIRST, SHEETS, *VARIANTS, *TOKENS_OF)
"""All options but the deal, which only an umpire sets."""

SEAT_WORDS = {"white": WHITE, "blanc": WHITE, "red": RED, "rouge": RED}
"""The seats in the words of records and options, in lower case."""

_FIRST_MEANT = {
    "blanc": WHITE,
    "blancs": WHITE,
    "rouge": RED,
    "rouges": RED,
    "yellow": RED,
    "us": WHITE,
    "ussr": RED,
}
_KEYS_MEANT = {
    **dict.fromkeys(
        ("code", "honour", "honor", "code-of-honor", "codeofhonour", "codeofhonor"), "code-of-honour"
    ),
    **dict.fromkeys(("small", "world", "smallworld"), "small-world"),
    **dict.fromkeys(("late", "contact", "latecontact"), "late-contact"),
    **dict.fromkeys(("variable", "setup", "set-up", "variable-set-up", "variablesetup"), "variable-setup"),
    **dict.fromkeys(("promotion", "promotion-comrade", "comrades", "camarade"), "comrade"),
    **dict.fromkeys(
        ("tokens", "token", "tokens.blanc", "token.white", "white.tokens", "tokens-white"), "tokens.white"
    ),
    **dict.fromkeys(("tokens.yellow", "tokens.rouge", "token.red", "red.tokens", "tokens-red"), "tokens.red"),
}
"""The key that was probably meant by another one."""
_TOKENS_MEANT = {
    **dict.fromkeys(("reveal1", "reveal-1", "show", "révéler", "reveler", "1"), REVEAL),
    **dict.fromkeys(("move2", "move-2", "moves", "double", "déplacer", "deplacer"), MOVE),
    **dict.fromkeys(("swap2", "swap-2", "exchange", "échanger", "echanger"), SWAP),
}
_NO_TOKENS_MEANT = ("no", "off", "0", "without", "aucun", "aucune", "sans", "non")
_ALL_TOKENS_MEANT = ("all", "on", "yes", "3", "with", "tous", "oui", "avec")


def check_options(options: Mapping[str, str]) -> tuple[Fault, ...]:
    """Return the faults of a game's options, empty when all are valid."""
    faults: list[Fault | None] = []
    for key, said in options.items():
        if key == DEAL:
            deals = read_deals(said, _variants(options).edition)
            faults.append(deals if isinstance(deals, Fault) else None)
        elif key == FIRST:
            faults.append(choice_fault(key, said, SEATS, _FIRST_MEANT))
        elif key == SHEETS or key in VARIANTS:
            faults.append(choice_fault(key, said, SWITCH, SWITCH_MEANT))
        elif key in TOKENS_OF:
            faults.append(_tokens_fault(key, said))
        else:
            near = _KEYS_MEANT.get(key.replace("_", "-"), "")
            if near in TOKENS_OF and (tokens := _tokens_meant(_named(said))):
                near = f"{near}={tokens}"
            faults.append(unknown_option(key, said, KNOWN, near))
    return tuple(filter(None, faults))


def _tokens_fault(key: str, said: str) -> Fault | None:
    named = _named(said)
    if named == [NO_TOKENS] or (len(set(named)) == len(named) and set(named) <= set(TOKENS)):
        return None
    message = N_("{key} is none, or some of {tokens} with commas between them, each once; not {said}")
    facts = {"key": key, "tokens": ",".join(TOKENS), "said": said}
    suggestion = f"{key}={meant}" if (meant := _tokens_meant(named)) else ""
    return Fault("option-tokens", message, facts, "unreadable", f"{key}={said}", None, suggestion, "CF-10.9")


def _named(said: str) -> list[str]:
    return [each.strip() for each in said.lower().split(",")]


def _tokens_meant(named: list[str]) -> str:
    """Return the tokens that were probably meant by a list, "" where nothing is similar."""
    if len(named) == 1 and named[0] in _NO_TOKENS_MEANT:
        return NO_TOKENS
    if len(named) == 1 and named[0] in _ALL_TOKENS_MEANT:
        return ",".join(TOKENS)
    near: set[str] = set()
    for each in filter(None, re.split(r"[,;+/&]", ",".join(named))):
        meant = _TOKENS_MEANT.get(each) or next(iter(get_close_matches(each, TOKENS, 1)), "")
        if not meant:
            return ""
        near.add(meant)
    return ",".join(each for each in TOKENS if each in near)


def _variants(options: Mapping[str, str]) -> Variants:
    """Return the variants of some options, ignoring invalid ones."""
    on = {name: options.get(key, OFF).lower() == ON for key, name in VARIANTS.items()}
    tokens = {seat: read_tokens(options.get(key, NO_TOKENS)) for key, seat in TOKENS_OF.items()}
    return Variants(**on, tokens=tokens)


def read_tokens(said: str) -> frozenset[str]:
    """Return the tokens that are named, with commas or blanks between them."""
    return frozenset(TOKENS) & frozenset(said.lower().replace(",", " ").split())


def opening(options: Mapping[str, str], chance: Chance, table: MovementTable) -> tuple[Happening, ...]:
    """Return how a game starts: who begins, with which table and variants, and the two deals (CF-10.1, CF-10.13).

    What the options leave out is drawn. Raises ValueError for options that check_options refuses.
    """
    if faults := check_options(options):
        # The text of a deal is secret, so only the fault's code is used.
        raise ValueError(f"these options cannot be played with: {faults[0].code}")
    variants = _variants(options)
    said = options.get(FIRST, "").lower()
    first = Seat(said) if said else chance.lot(SEATS, FIRST)
    set_deals = read_deals(options[DEAL], variants.edition) if DEAL in options else {}
    assert not isinstance(set_deals, Fault)  # check_options has read it
    deals = {seat: set_deals.get(seat) or drawn(seat, chance, variants.edition) for seat in SEATS}
    played_with = {SHEETS: options.get(SHEETS, ON).lower()}
    return (
        began(first, _with_double_agent(table), variants, played_with, deal_set=bool(set_deals)),
        *(dealt(seat, deals[seat]) for seat in SEATS),
    )


def _with_double_agent(table: MovementTable) -> MovementTable:
    """Return a table that has the double agent's row, which an umpire's for the other edition may lack."""
    if table.double_agent is not None:
        return table
    return replace(table, double_agent=default_table().double_agent)


def read_deals(text: str, edition: Edition) -> Mapping[Seat, Deal] | Fault:
    """Read deals as in `White=A6 C8 … X?; Red=A4 C8 …`; one side may be left out."""
    return _read_deals(text, edition, SEAT_WORDS)


def tidy_deal(text: str) -> str:
    """Return a deal in canonical text: `White=A6 C8 … X?; Red=A4 …`. Raises ValueError for an invalid deal.

    It is one of thirteen spies, or under the code of honour one of twelve.
    """
    whole, honour = Variants().edition, Variants(code_of_honour=True).edition
    faults = []
    for edition in (whole, honour):
        deals = read_deals(text, edition)
        if not isinstance(deals, Fault):
            return write_deals(deals, edition)
        faults.append(deals.code)
    raise ValueError(faults[0])
