"""Which lines are meant as orders: slips are, prose is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.common.faults import Fault
from referee.rulebooks.confusion.likeness import looks_like_order as looks_like_a_move
from referee.rulebooks.rulebook import OrderLine
from referee.rulebooks.spies.likeness import looks_like_order
from referee.rulebooks.spies.notation import read_order
from referee.rulebooks.spies.orders import SetUp
from tests.rulebooks.confusion.test_notation import MEANT_AS_MOVES, PROSE

SLIPS = [
    "#",
    "#B",
    "## H",
    "?B",
    "A<>",
    "B <> H",
    "swop A H",
    "swap A",
    "swap A H K",
    "swap",
    "show H",
    "reveal B",
    "reveal",
    "eliminate",
    "eliminate agent H",
    "eliminate my agent",
    "elliminate their agent",
    "éliminer l'agent double H",
    "alow",
    "Permit it",
    "forbid",
    "allow V-N1",
    "deny V-N1xZ",
    "deny without Z",
    "agent",
    "agents never",
    "agent allways",
    "agent nevr",
    "agent yes",
    "agent always deny",
    "agent as",
    "agent as a Towre",
    "agent as 13",
    "agent Tower",
    "agent 5",
    "agent tour",
    "move V-N1 H-Q1",
    "move 2 V-N1",
    "V-N1 & H-E",
    "V-N1, H-E1",
    "V-N1 & then H-E1",
    "X-NNW2",
    "x nnw9",
    "setup",
    "Set-up:",
    "set up",
]
SET_UPS = [
    "setup A3-2",
    "setup A3-2 B4-2 and so on",
    "my setup: ..ACE.HKL.. / ..NOPXSTV..",
    "setup . . A C E . H K L . .",
    "disposition A3-2",
    "préparation : A3-2, C4-2",
    "setup: ACEHKLN.... / XSTVOP.....",
]
NO_ORDERS = [
    "Allow me to say so",
    "I deny everything",
    "I will allow it next time",
    "Refuse to lose!",
    "Refus catégorique",
    "Denied boarding",
    "Permission denied",
    "Grant",
    "Denny",
    "Agent Smith never sleeps",
    "Agents never sleep",
    "My agent is always late",
    "the agent never",
    "agent never sleeps",
    "agent double",
    "agent as a lawyer I would know what to say here",
    "remove me from the list",
    "Remove a piece",
    "Please remove me",
    "eliminate the errors",
    "eliminate a spy",
    "reveal nothing",
    "Reveal a piece?",
    "swap sides next time?",
    "swap places",
    "swap a piece for another",
    "pass on my regards",
    "Pass it on.",
    "passe une bonne soirée",
    "je passe le bonjour",
    "set up a board",
    "Set up is fine",
    "setup is hard",
    "The setup of A is nice",
    "Placement libre",
    "préparation du café",
    "Show me",
    "show a bit of mercy",
    "Move along",
    "I move tomorrow",
    "déplacer la réunion",
    "exchange rates",
    "échange de bons procédés",
    "retire-toi",
    "#1",
    "# Notes",
    "#nofilter",
    "?",
    "? Really",
    "Yes.",
    "No",
    "Oui",
    "X",
    "Z",
    "A + H",
    "See you at 2-3",
    "A and H are my best",
    "Thanks, and allow",
]


@pytest.mark.parametrize("text", [*SLIPS, *SET_UPS, *MEANT_AS_MOVES])
def test_slips_are_meant_as_orders(text: str) -> None:
    assert looks_like_order(text)


@pytest.mark.parametrize("text", SLIPS)
def test_a_slip_is_no_order_and_is_told_so(text: str) -> None:
    assert isinstance(read_order(OrderLine(1, text)), Fault)


@pytest.mark.parametrize("text", SET_UPS)
def test_a_set_up_is_read_and_only_its_game_can_judge_it(text: str) -> None:
    assert isinstance(read_order(OrderLine(1, text)), SetUp)


@pytest.mark.parametrize("text", [*NO_ORDERS, *PROSE])
def test_prose_is_not(text: str) -> None:
    assert not looks_like_order(text)


@given(st.text(max_size=60))
def test_what_is_like_a_move_of_twelve_pieces_is_like_one_of_thirteen(text: str) -> None:
    assert looks_like_order(text) or not looks_like_a_move(text)
