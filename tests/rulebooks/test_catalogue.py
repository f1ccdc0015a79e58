"""The catalogue finds a rulebook by its name and suggests the nearest."""

from __future__ import annotations

import pytest

from referee.common.errors import UsageError
from referee.rulebooks.catalogue import CATALOGUE, RULEBOOKS, Rulebooks, find_rulebook, nearest_rulebook
from referee.rulebooks.confusion import Confusion


def test_a_rulebook_is_found_by_its_name_in_any_case() -> None:
    assert find_rulebook("confusion").title == "Confusion"
    assert find_rulebook(" Confusion ") is find_rulebook("CONFUSION")


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"there are no rules named 'confsion'.*did you mean confusion"):
        find_rulebook("confsion")
    with pytest.raises(UsageError, match=f"known are: {', '.join(each.name for each in RULEBOOKS)}$"):
        find_rulebook("chess")
    assert nearest_rulebook("konfusion") == "confusion"
    assert nearest_rulebook("chess") == ""


def test_no_two_rulebooks_bear_one_name() -> None:
    names = [rulebook.name for rulebook in RULEBOOKS]
    assert len(names) == len(set(names))


def test_the_catalogue_says_of_each_rulebook_what_it_says_itself() -> None:
    assert [(entry.name, entry.title, entry.seats) for entry in CATALOGUE] == [
        (rulebook.name, rulebook.title, rulebook.seats) for rulebook in RULEBOOKS
    ]


def test_a_rulebook_takes_the_place_of_the_one_of_its_name() -> None:
    other = Confusion()
    rulebooks = Rulebooks(other)
    assert list(rulebooks) == list(Rulebooks())
    assert rulebooks["confusion"] is other
    assert rulebooks["spies"] is find_rulebook("spies")
    assert "chess" not in rulebooks
