"""CF-10.13: what a game may be started with, deals that are set, and how it begins (CF-10.1, CF-10.9 to CF-10.11)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.common.chance import Chance
from referee.common.faults import Fault
from referee.rulebooks.confusion.compass import WHITE
from referee.rulebooks.confusion.options import write_deal
from referee.rulebooks.confusion.table import default_table
from referee.rulebooks.spies.edition import LETTERS, RED, SEATS, TOKENS, Variants
from referee.rulebooks.spies.happenings import BEGAN, DEALT, read_began
from referee.rulebooks.spies.options import KNOWN, VARIANTS, check_options, opening, read_deals, tidy_deal

WHOLE = Variants().edition
HONOUR = Variants(code_of_honour=True).edition
AGENT = 13
DEAL = "A1 C2 E3 H4 K? L5 N6 O7 P8 S9 T10 V11 X12"
TWELVE = "A1 C2 E3 H4 K12 L5 N6 O7 P8 S9 T10 V11"
SECRET = bytes(32)

TOKEN_LISTS = st.lists(st.sampled_from(TOKENS), unique=True).map(lambda some: ",".join(some) or "none")
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "first": st.sampled_from(["white", "red", "White", "RED"]),
        "sheets": st.sampled_from(["on", "off"]),
        **{key: st.sampled_from(["on", "off", "ON"]) for key in VARIANTS},
        "tokens.white": TOKEN_LISTS,
        "tokens.red": TOKEN_LISTS,
    },
)


@given(OPTIONS)
def test_cf_10_13_any_combination_is_playable(options: dict[str, str]) -> None:
    assert check_options(options) == ()
    began, *rest = opening(options, Chance(SECRET), default_table())
    assert [each.code for each in (began, *rest)] == [BEGAN, DEALT, DEALT]
    first, table, variants = read_began(began)
    assert first == options.get("first", first).lower()
    assert table == default_table()
    for key, name in VARIANTS.items():
        assert getattr(variants, name) == (options.get(key, "off").lower() == "on")
    for seat in SEATS:
        said = options.get(f"tokens.{seat}", "none")
        assert variants.tokens[seat] == (frozenset() if said == "none" else frozenset(said.split(",")))
    for dealt in rest:
        assert list(dealt.facts["types"]) == list(variants.edition.letters)
        assert sorted(dealt.facts["types"].values()) == list(range(1, len(variants.edition.letters) + 1))
        assert dealt.heard_by == {variants.edition.other(dealt.facts["seat"])}


def test_cf_10_9_tokens_are_optional_and_cf_10_10_may_differ() -> None:
    began, *_ = opening({}, Chance(SECRET), default_table())
    assert read_began(began)[2] == Variants(tokens=dict.fromkeys(SEATS, frozenset()))
    began, *_ = opening({"tokens.red": "swap,reveal"}, Chance(SECRET), default_table())
    assert read_began(began)[2].tokens == {WHITE: frozenset(), RED: frozenset(("swap", "reveal"))}


def test_cf_3_1_every_letter_is_the_double_agent_as_often_as_any_other() -> None:
    """The dice are fair by themselves: that all thirteen types are among what is drawn is to be shown here."""
    agents = Counter[str]()
    for number in range(1300):
        _, first, second = opening({}, Chance(number.to_bytes(32, "big")), default_table())
        for dealt in (first, second):
            (agent,) = (letter for letter, kind in dealt.facts["types"].items() if kind == AGENT)
            agents[agent] += 1
    assert set(agents) == set(LETTERS)
    assert all(140 < agents[letter] < 260 for letter in LETTERS)


def test_a_table_without_a_double_agent_is_given_the_packages() -> None:
    began, *_ = opening({}, Chance(SECRET), replace(default_table(), double_agent=None))
    assert read_began(began)[1].double_agent == default_table().double_agent


@pytest.mark.parametrize(
    ("key", "said", "reason", "meant"),
    [
        ("first", "yellow", "first is white or red, not yellow", "first=red"),
        ("first", "rouge", "first is white or red, not rouge", "first=red"),
        ("first", "green", "first is white or red, not green", ""),
        ("sheets", "none", "sheets is on or off, not none", "sheets=off"),
        ("comrade", "yes", "comrade is on or off, not yes", "comrade=on"),
        ("small-world", "sans", "small-world is on or off, not sans", "small-world=off"),
        ("late-contact", "perhaps", "late-contact is on or off, not perhaps", ""),
        ("small_world", "on", f"there is no option small_world; known are {', '.join(KNOWN)}", "small-world"),
        (
            "code-of-honor",
            "on",
            f"there is no option code-of-honor; known are {', '.join(KNOWN)}",
            "code-of-honour",
        ),
        ("honour", "on", f"there is no option honour; known are {', '.join(KNOWN)}", "code-of-honour"),
        ("setup", "on", f"there is no option setup; known are {', '.join(KNOWN)}", "variable-setup"),
        ("promotion", "on", f"there is no option promotion; known are {', '.join(KNOWN)}", "comrade"),
        (
            "latecontact",
            "on",
            f"there is no option latecontact; known are {', '.join(KNOWN)}",
            "late-contact",
        ),
        ("tokens", "none", f"there is no option tokens; known are {', '.join(KNOWN)}", "tokens.white"),
        (
            "tokens.yellow",
            "none",
            f"there is no option tokens.yellow; known are {', '.join(KNOWN)}",
            "tokens.red",
        ),
        ("token.red", "none", f"there is no option token.red; known are {', '.join(KNOWN)}", "tokens.red"),
        ("colours", "x", f"there is no option colours; known are {', '.join(KNOWN)}", ""),
    ],
)
def test_an_option_that_cannot_be_is_a_fault_with_the_nearest(
    key: str, said: str, reason: str, meant: str
) -> None:
    (fault,) = check_options({key: said})
    assert (fault.reason(), fault.suggestion) == (reason, meant)
    with pytest.raises(ValueError, match="these options cannot be played with"):
        opening({key: said}, Chance(SECRET), default_table())


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("all", "reveal,move,swap"),
        ("on", "reveal,move,swap"),
        ("no", "none"),
        ("off", "none"),
        ("reveal,reveal", "reveal"),
        ("swap,revael", "reveal,swap"),
        ("reveal1,move2", "reveal,move"),
        ("échanger,révéler", "reveal,swap"),
        ("reveal,", "reveal"),
        ("reveal+move", "reveal,move"),
        ("none,move", ""),
        ("king", ""),
    ],
)
def test_cf_10_13_tokens_are_named_each_once(said: str, meant: str) -> None:
    (fault,) = check_options({"tokens.white": said})
    assert fault.reason() == (
        f"tokens.white is none, or some of reveal,move,swap with commas between them, each once; not {said}"
    )
    assert fault.suggestion == (meant and f"tokens.white={meant}")
    assert not meant or check_options({"tokens.white": meant}) == ()


def test_all_that_is_wrong_is_named_at_once() -> None:
    options = {
        "first": "us",
        "comrade": "maybe",
        "small_world": "on",
        "tokens.white": "all",
        "tokens.red": "move,swap",
        "deal": f"White={DEAL}; Red={TWELVE}",
    }
    assert [fault.excerpt.split("=")[0] for fault in check_options(options)] == [
        "first",
        "comrade",
        "small_world",
        "tokens.white",
        TWELVE,
    ]


# Deals that an umpire sets (CF-10.1)


@given(st.permutations(range(1, 14)), st.permutations(range(1, 14)))
def test_a_deal_is_written_and_read_with_the_double_agents_sign(white: list[int], red: list[int]) -> None:
    deals = {
        WHITE: dict(zip(LETTERS, white, strict=True)),
        RED: dict(zip(LETTERS, red, strict=True)),
    }
    text = f"White={write_deal(deals[WHITE], WHOLE)}; Red={write_deal(deals[RED], WHOLE)}"
    assert text.count("?") == 2
    assert "13" not in text
    assert read_deals(text, WHOLE) == deals
    assert tidy_deal(text) == text
    _, *dealt = opening({"deal": text}, Chance(SECRET), default_table())
    assert [each.facts["types"] for each in dealt] == [deals[WHITE], deals[RED]]


@pytest.mark.parametrize(
    ("said", "tidied"),
    [
        (f"rouge={DEAL.lower()}", f"Red={DEAL}"),
        (f"Red={DEAL};White={DEAL}", f"White={DEAL}; Red={DEAL}"),
        (f"White={DEAL.replace('?', '13')}", f"White={DEAL}"),
        (f"White={DEAL.replace('K?', 'K = ?, ')}", f"White={DEAL}"),
        (f"Blanc={TWELVE}; Rouge={TWELVE}", f"White={TWELVE}; Red={TWELVE}"),
    ],
)
def test_a_deal_is_tidied_whether_it_has_thirteen_spies_or_twelve(said: str, tidied: str) -> None:
    assert tidy_deal(said) == tidied


@pytest.mark.parametrize(
    "said", ["", "White", f"Yellow={DEAL}", f"White={DEAL}; Red={TWELVE}", f"White={DEAL} X1"]
)
def test_what_is_no_deal_cannot_be_tidied(said: str) -> None:
    with pytest.raises(ValueError, match="deal"):
        tidy_deal(said)


@pytest.mark.parametrize(
    ("options", "said", "reason"),
    [
        ({}, f"Yellow={DEAL}", "a deal names its side, as in White=A6 C8 …; Yellow is none"),
        ({}, f"White={TWELVE}", "no type is dealt to X"),
        ({}, f"White={DEAL.replace('X12', 'X?')}", "type ? is dealt to both K and X"),
        (
            {},
            f"White={DEAL.replace('X12', 'X14')}",
            "there is no type 14; they are 1 to 12, and ? for the double agent",
        ),
        (
            {},
            f"White={DEAL.replace('X12', 'Y12')}",
            f"a deal gives each letter of {' '.join(LETTERS)} its type, as in A6; Y12 does not",
        ),
        ({}, f"Red={DEAL}; Red={DEAL}", "Red has two deals"),
        (
            {"code-of-honour": "on"},
            f"White={TWELVE.replace('K12', 'K?')}",
            "there is no type ?; they are 1 to 12",
        ),
        (
            {"code-of-honour": "on"},
            f"White={TWELVE} X12",
            f"a deal gives each letter of {' '.join(HONOUR.letters)} its type, as in A6; X12 does not",
        ),
    ],
)
def test_a_deal_is_held_against_what_is_played(options: dict[str, str], said: str, reason: str) -> None:
    (fault,) = check_options({**options, "deal": said})
    assert fault.reason() == reason


def test_the_text_of_a_deal_stays_secret_where_it_is_refused() -> None:
    with pytest.raises(ValueError, match=r"these options cannot be played with: deal$"):
        opening({"deal": f"White={TWELVE}"}, Chance(SECRET), default_table())


def test_one_sides_deal_may_be_left_to_the_lot() -> None:
    _, white, red = opening({"deal": f"Red={DEAL}"}, Chance(SECRET), default_table())
    assert write_deal(red.facts["types"], WHOLE) == DEAL
    assert sorted(white.facts["types"].values()) == list(range(1, 14))
    read = read_deals(f"Red={DEAL}", WHOLE)
    assert not isinstance(read, Fault)
    assert read[RED]["K"] == AGENT
