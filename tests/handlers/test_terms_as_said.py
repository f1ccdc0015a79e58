"""An option that is said reaches the terms, whether it is what would be so anyway or not."""

from __future__ import annotations

import pytest

from referee.rulebooks.cards.switches import EDITIONS, EN, FR, SWITCH_FORMATS
from tests.support.playing import Club

ALL = [
    (base, name, SWITCH_FORMATS[name].write(getattr(of, name)))
    for base in EDITIONS
    for of in (EN, FR)
    for name in SWITCH_FORMATS
]


@pytest.mark.telling(base=["en"], name=["table", "markers", "halt"])
@pytest.mark.parametrize(("base", "name", "said"), dict.fromkeys(ALL))
def test_every_switch_of_a_custom_battle_is_a_term_as_it_was_said(
    club: Club, base: str, name: str, said: str
) -> None:
    """By a proposal, and by an answer to one: CC-1.14 by lot, where the base cuts, and where it does not."""
    anna, bert = club.member("Anna"), club.member("Bert")
    anna.writes(f"open cards option edition=custom option base={base} option {name}={said}")
    assert club.game(1).options == {"edition": "custom", "base": base, name: said}
    anna.writes(f"challenge Bert cards option edition=custom option base={base}")
    bert.replies(f"accept option {name}={said}")
    assert club.game(2).options == {"edition": "custom", "base": base, name: said}


@pytest.mark.telling(name=["table", "halt"])
@pytest.mark.parametrize(("edition", "other"), [("en", "fr"), ("fr", "en")])
@pytest.mark.parametrize("name", SWITCH_FORMATS)
def test_what_an_edition_says_anyway_may_be_said_and_nothing_else(
    club: Club, edition: str, other: str, name: str
) -> None:
    """D-07 to D-36."""
    anna = club.member("Anna")
    own, others = (SWITCH_FORMATS[name].write(getattr(EDITIONS[each], name)) for each in (edition, other))
    anna.writes(f"open cards option edition={edition} option {name}={own}")
    assert club.game(1).options == {"edition": edition, name: own}
    if own != others:
        refused = anna.writes(f"open cards option edition={edition} option {name}={others}").only
        assert f"{name} is set only in a custom edition" in refused.text
        assert "not accepted" in refused["Subject"]


@pytest.mark.parametrize(
    "line", ["open cards edition=en first=lot", "challenge Bert cards edition=en first=lot"]
)
def test_no_battle_begins_otherwise_than_its_proposer_said(club: Club, line: str) -> None:
    """The English edition cuts (D-11): a lot is no term of it, and is not passed over."""
    anna, _ = club.member("Anna"), club.member("Bert")
    refused = anna.writes(line).only
    assert "first is set only in a custom edition" in refused.text
    assert "not accepted" in refused["Subject"]


@pytest.mark.parametrize("rules", ["confusion", "spies"])
def test_the_lot_is_left_out_where_nothing_else_can_decide(club: Club, rules: str) -> None:
    """CF-3.5."""
    anna, bert = club.member("Anna"), club.member("Bert")
    anna.writes(f"challenge Bert {rules} option first=lot option colour=lot")
    game = club.game(1)
    assert (dict(game.options), game.colour) == ({}, None)
    told = " ".join(letter.text for letter in (*anna.letters, *bert.letters))
    assert "Lot begins" not in told and "plays Lot" not in told and "play Lot" not in told
    bert.writes("decline 1")
    anna.writes(f"challenge Bert {rules} option first=white option colour=white")
    bert.writes("accept 2 option first=lot option colour=lot")
    game = club.game(2)
    assert (game.status, dict(game.options), game.colour) == ("proposed", {}, None)


def test_a_side_that_was_to_begin_is_taken_back_by_what_the_edition_says(club: Club) -> None:
    """CC-1.14."""
    anna, bert = club.member("Anna"), club.member("Bert")
    anna.writes("challenge Bert cards option edition=en option first=red")
    bert.replies("accept option first=cut")
    assert club.game(1).options == {"edition": "en", "first": "cut"}
    anna.replies("accept")
    assert club.game(1).status == "playing"
    assert "The higher card of a cut begins." in anna.last.text
