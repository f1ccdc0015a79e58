"""What an edition decides, as a table of switches that options may change (part B of the rules)."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.common.chance import Chance
from referee.common.faults import Fault
from referee.rulebooks.cards.fold import fold_position
from referee.rulebooks.cards.options import check_options, opening
from referee.rulebooks.cards.switches import (
    EN,
    FR,
    SWITCH_FORMATS,
    CloseIn,
    Halt,
    Markers,
    MobRally,
    Switches,
    read_switches,
    switches_from,
)


def read(**options: str) -> Switches:
    switches = read_switches(options)
    assert isinstance(switches, Switches)
    return switches


def faults(**options: str) -> list[Fault]:
    found = read_switches(options)
    assert isinstance(found, tuple)
    return list(found)


def test_the_editions_differ_in_these_switches() -> None:
    """D-07, D-09, D-11, D-16 to D-18, D-21, D-24 to D-26, D-32, D-34 to D-36; CC-5.2 is the same in both."""
    same = [each.name for each in fields(Switches) if getattr(EN, each.name) == getattr(FR, each.name)]
    assert same == ["rally_ban"]


def test_a_game_is_english_unless_it_says_otherwise() -> None:
    assert read() == EN
    assert read(edition="fr") == FR
    assert read_switches({}, default="fr") == FR
    assert read(edition="en", scenario="cc-skirmish") == EN


def test_a_custom_game_starts_from_a_base() -> None:
    """A-26: French markers for each cannon, no closing in."""
    custom = read(edition="custom", base="fr", markers="per_cannon:4", close_in="none")
    assert custom == replace(FR, edition="custom", markers=Markers("per_cannon", 4), close_in=None)
    assert read(edition="custom") == replace(EN, edition="custom")


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        ("table", "any", None),
        ("table", "150", 150.0),
        ("halt", "last_at_least 20", Halt("last_at_least", 20.0)),
        ("halt", "First_Below:12.5", Halt("first_below", 12.5)),
        ("close_in", "20,8", CloseIn(20.0, 8.0)),
        ("pass_by", "none", None),
        ("aide", "off", False),
        ("mob_rally", "50:living", MobRally(50.0, "living")),
        ("rally_ban", "7.9", 7.9),
        ("enemies_per_combat", "many", "many"),
        ("first", "lot", "lot"),
    ],
)
def test_each_switch_is_an_option_of_its_own(option: str, text: str, value: object) -> None:
    assert getattr(read(edition="custom", **{option: text}), option) == value


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("table", "wide"),
        ("halt", "20"),
        ("halt", "at:20"),
        ("close_in", "8:20"),
        ("alarm", "0"),
        ("alarm", "-3"),
        ("alarm", "nan"),
        ("alarm", "inf"),
        ("alarm", "0.04"),
        ("alarm", "1_0"),
        ("alarm", "1e2"),
        ("alarm", "+10"),
        ("alarm", "10."),
        ("alarm", ".5"),
        ("alarm", "٢٠"),
        ("alarm", "２０"),
        ("alarm", "300.1"),
        ("table", "0.04"),
        ("halt", "first_below:0.04"),
        ("halt", "first_below:1_0"),
        ("close_in", "20:0.04"),
        ("mob_rally", "0.04:ranks"),
        ("markers", "per_cannon:1_0"),
        ("markers", "per_cannon:+4"),
        ("markers", "per_cannon:٤"),
        ("markers", "per_cannon:-1"),
        ("markers", "per_cannon:100"),
        ("markers", "per_cannon:x"),
        ("aide", "perhaps"),
        ("mob_rally", "40"),
        ("artillery_confuses", "half"),
    ],
)
def test_a_value_that_is_none_is_named_with_what_it_may_be(option: str, text: str) -> None:
    (fault,) = faults(edition="custom", **{option: text})
    assert fault.code == "no-such-value"
    assert fault.excerpt == f"{option}={text}"
    assert SWITCH_FORMATS[option].forms in fault.reason()


def test_all_that_is_wrong_is_named_at_once() -> None:
    found = faults(edition="custom", alarm="far", first="dice", halt="first_below:20")
    assert [fault.excerpt for fault in found] == ["first=dice", "alarm=far"]


def test_an_edition_that_is_none_is_named() -> None:
    (fault,) = faults(edition="custm")
    assert (fault.code, fault.suggestion) == ("no-edition", "edition=custom")
    (fault,) = faults(edition="custom", base="de")
    assert fault.excerpt == "base=de"


def test_switches_are_for_custom_games_only() -> None:
    (fault,) = faults(edition="en", alarm="15")
    assert (fault.code, fault.suggestion) == ("not-custom", "edition=custom")


LENGTHS = st.integers(1, 3000).map(lambda tenths: tenths / 10)
SWITCHES = st.builds(
    Switches,
    edition=st.just("custom"),
    table=st.none() | LENGTHS,
    markers=st.builds(Markers, st.sampled_from(["per_cannon", "per_side"]), st.integers(0, 99)),
    deploy=st.sampled_from(["zone", "line"]),
    first=st.sampled_from(["cut", "lot"]),
    aide=st.booleans(),
    halt=st.builds(Halt, st.sampled_from(["first_below", "last_at_least"]), LENGTHS),
    close_in=st.none() | st.tuples(LENGTHS, LENGTHS).map(lambda both: CloseIn(max(both), min(both))),
    pass_by=st.none() | LENGTHS,
    alarm=LENGTHS,
    mob_lost_if=st.sampled_from(["short_of_30", "off_table"]),
    rally_helper=st.sampled_from(["staff", "general"]),
    mob_rally=st.builds(MobRally, LENGTHS, st.sampled_from(["ranks", "living"])),
    rally_ban=LENGTHS,
    combat_below=LENGTHS,
    enemies_per_combat=st.sampled_from(["one", "many"]),
    officers_last=st.booleans(),
    artillery_confuses=st.sampled_from(["half_up", "full"]),
)


@given(SWITCHES)
def test_what_is_written_is_read_again(switches: Switches) -> None:
    plain = switches.plain()
    assert switches_from(plain) == switches
    assert read_switches({name: str(text) for name, text in plain.items()}) == switches


NUMBERS_IN_TEXT = st.sampled_from(
    ["0", "0.04", "0.05", "0.06", "4", "04", "20.0", "299.96", "300", "300.04", "1_0", "1e2", "٢٠"]
)
TEXTS = (
    st.sampled_from(sorted({word for kind in SWITCH_FORMATS.values() for word in kind.forms.split(" or ")}))
    | NUMBERS_IN_TEXT
    | st.builds("{}{}{}".format, NUMBERS_IN_TEXT, st.sampled_from(":, "), NUMBERS_IN_TEXT)
    | st.builds(
        "{}:{}".format,
        st.sampled_from(["per_cannon", "per_side", "first_below", "last_at_least"]),
        NUMBERS_IN_TEXT | st.text("0123456789._+-e", max_size=6),
    )
    | st.builds("{}:{}".format, NUMBERS_IN_TEXT, st.sampled_from(["ranks", "living"]))
    | st.text("0123456789._+-e :,", max_size=8)
)


@given(st.dictionaries(st.sampled_from(sorted(SWITCH_FORMATS)), TEXTS, max_size=3))
def test_what_is_taken_can_be_written_and_read_again(options: dict[str, str]) -> None:
    custom = {"edition": "custom", "base": "en", **options}
    switches = read_switches(custom)
    if isinstance(switches, tuple):
        return
    assert switches_from(switches.plain()) == switches
    if check_options(custom) == ():
        begun = opening(custom, Chance(bytes(32)))
        position = fold_position(None, begun[0])
        assert position.battle.switches == switches
