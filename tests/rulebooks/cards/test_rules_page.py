"""What the page of rules says of orders and options is what can be written and what the editions have (E2, part B)."""

from __future__ import annotations

import re
from importlib import resources

import pytest

from referee.common.faults import Fault
from referee.rulebooks.cards.grammar import FORMS
from referee.rulebooks.cards.notation import looks_like_order, read_order
from referee.rulebooks.cards.switches import EN, FR, SWITCH_FORMATS
from referee.rulebooks.rulebook import OrderLine

RULES = resources.files("referee.rulebooks.cards").joinpath("RULES.md").read_text(encoding="utf-8")
SHOWN = [each.replace("\\|", "|") for each in re.findall(r"`([^`]+)`", RULES)]
ORDERS = [each for each in SHOWN if each.split()[0] in FORMS and looks_like_order(each) and " " in each]
OPTION = re.compile(r"^\| `(?P<name>\w+)` \| `(?P<en>[^`]+)` \| `(?P<fr>[^`]+)` \|", re.MULTILINE)
OPTIONS = {found["name"]: (found["en"], found["fr"]) for found in OPTION.finditer(RULES)}


@pytest.mark.parametrize("line", ORDERS)
def test_every_order_on_the_page_can_be_sent_as_it_stands(line: str) -> None:
    assert not isinstance(read_order(OrderLine(1, line)), Fault)


def test_every_kind_of_order_is_on_the_page() -> None:
    assert {each.split()[0] for each in SHOWN if each.split()[0] in FORMS} == set(FORMS)


def test_the_page_has_every_option_of_a_custom_game_in_the_order_of_the_switches() -> None:
    assert list(OPTIONS) == list(SWITCH_FORMATS)


@pytest.mark.parametrize("name", SWITCH_FORMATS)
def test_the_page_tells_what_each_edition_has(name: str) -> None:
    en, fr = OPTIONS[name]
    assert SWITCH_FORMATS[name].read(en) == getattr(EN, name)
    assert SWITCH_FORMATS[name].read(fr) == getattr(FR, name)


def test_sections_that_the_page_points_to_are_there() -> None:
    there = set(re.findall(r"^## (\d+) ", RULES, re.MULTILINE))
    assert set(re.findall(r"section (\d+)", RULES)) <= there
