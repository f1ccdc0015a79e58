"""Claims: to whom they go, what goes with them, and who hears of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from tests.handlers.test_press import flat, kept, to, two
from tests.support.begun import said
from tests.support.playing import SERVICE, Club, new_database

OPERATOR = "operator@example.org"


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Club]:
    """A club whose settings name an operator."""
    club = Club(new_database(tmp_path), service=replace(SERVICE, operator=OPERATOR))
    yield club
    club.close()


@pytest.mark.telling
def test_a_claim_goes_to_the_operator_and_nobody_else_hears_of_it(watched: Club) -> None:
    anna, bert, game = two(watched)
    operator = watched.person("Olga", OPERATOR)
    anna.replies("K-S1", to=anna.last_about(game))
    exchange = bert.replies("claim The last answer cannot be right.", to=bert.last_about(game))
    assert [each.recipient for each in exchange.sent] == [operator.address, bert.address]
    asked = to(operator, exchange)
    assert asked["Subject"] == "Referee: case 1/2"
    text = said(asked)
    assert text.startswith("Yellow has brought a claim: case 1/2. It is for you to rule on it.")
    assert "> The last answer cannot be right." in text
    assert "referee claims --settle 1/2 --upheld --answer TEXT" in text
    assert "Bert" not in text
    receipt = to(bert, exchange)
    assert receipt.kind == "receipt"
    assert "Your claim about game 1 with Anna was taken; it is case 1/2." in said(receipt)
    assert "It goes to whoever runs this service." in said(receipt)
    assert "Your opponent does not hear of your claim." in said(receipt)


def test_with_a_claim_is_kept_which_letters_there_were_and_each_sees_his_own(watched: Club) -> None:
    anna, bert, game = two(watched)
    operator = watched.person("Olga", OPERATOR)
    anna.replies("K-S1", to=anna.last_about(game))
    watched.posts()
    bert.replies("preview K-N1", to=bert.last_about(game))
    exchange = bert.replies("claim The last answer cannot be right.", to=bert.last_about(game))
    whole, his = said(to(operator, exchange)), said(to(bert, exchange))
    public = "turn 2, Yellow was to move."
    move = "Letter 5 that came in from White: received 2026-11-27 17:28:00, recorded 17:28:00 UTC."
    report = "Letter 3 to White: written 2026-11-27 17:28:00, accepted for delivery 17:35:00 UTC."
    came = "that came in from Yellow: received 2026-11-27 17:35:00, recorded 17:35:00 UTC."
    own = (
        came,
        "Letter 4 to Yellow: written 2026-11-27 17:35:00 UTC, and not accepted for delivery by then.",
    )
    assert all(each in whole for each in (public, move, report, *own))
    assert all(each in his for each in (public, *own))
    assert f"Letter 6 {came}" in whole
    assert f"A letter {came}" in his, "by numbers he would learn how many others have written"
    assert "White" not in his.partition("or public:")[2].partition("REPLY WITH")[0].replace("White (", "")
    assert watched.game(game).receipt in whole


def test_what_is_kept_with_a_claim_names_nobody(watched: Club) -> None:
    _, bert, game = two(watched)
    bert.replies("claim Anna looks into my letters.", to=bert.last_about(game))
    with watched.store.reading() as lookup:
        (claimed,) = (each for each in lookup.events.of_game(game) if each.kind == "Claimed")
    kept_with_it = str(claimed.body)
    assert claimed.body["evidence"]["turn"] == 1
    assert not any(word in kept_with_it for word in ("Anna", "Bert", "example", "letters."))


def test_with_a_claim_about_press_goes_the_press_of_the_last_month(watched: Club) -> None:
    anna, bert, game = two(watched)
    operator = watched.person("Olga", OPERATOR)
    anna.replies("press An old text.", to=anna.last_about(game))
    watched.later(timedelta(days=31))
    anna.replies("press You are a fool.", to=anna.last_about(game))
    asked = to(operator, bert.replies("claim Such press is too much.", to=bert.last_about(game)))
    assert "White, turn 1, " in asked.text
    assert "> You are a fool." in asked.text
    assert "An old text" not in asked.text
    other = to(operator, bert.replies("claim And the answer was wrong.", to=bert.last_about(game)))
    assert "fool" not in other.text


def test_claims_are_kept_where_nobody_is_named_who_reads_them(club: Club) -> None:
    anna, _, game = two(club)
    receipt = to(anna, anna.replies("claim Something is wrong.", to=anna.last_about(game)))
    assert "No letter tells anybody of it here: it stands in the list of what waits" in receipt.text
    assert kept(club) == [("claim", "Something is wrong.")]


def test_a_claim_has_one_number_wherever_it_is_named(watched: Club) -> None:
    """Whatever else was written in that game or in others, and though a claimant has left since."""
    anna, bert, game = two(watched)
    operator = watched.person("Olga", OPERATOR)
    other = watched.starts({"white": anna, "yellow": bert})
    anna.writes(f"{game}: diary Mine.", "", f"{game}: press Hello.", "", f"{other}: claim Elsewhere.")
    anna.replies("claim The first.", to=anna.last_about(game))
    two_at_once = bert.replies("claim The second.", "", "claim The third.", to=bert.last_about(game))
    named = [each["Subject"].rpartition(" ")[2] for each in operator.letters]
    assert named == [f"{other}/1", *(f"{game}/{which}" for which in (1, 2, 4))]
    assert all(f"it is case {game}/{which}." in flat(to(bert, two_at_once)) for which in (2, 4))
    with watched.store.reading() as lookup:
        listed = {each.text: each.number for each in lookup.cases.claims() if each.game == game}
    assert listed == {"The first.": 1, "The second.": 2, "The third.": 4}
    anna.writes("bye")
    anna.replies("confirm")
    with watched.store.reading() as lookup:
        listed = {each.text: each.number for each in lookup.cases.claims()}
    assert listed == {"The second.": 2, "The third.": 4}
    assert f"it is case {game}/6." in flat(to(bert, bert.writes(f"{game}: claim The fourth.")))


def test_so_many_claims_a_day_are_taken_and_two_in_one_letter_both_go(watched: Club) -> None:
    anna, _, game = two(watched)
    operator = watched.person("Olga", OPERATOR)
    anna.replies("claim One.", "", "claim Two.", to=anna.last_about(game))
    assert len(operator.letters) == 2
    last = anna.replies("claim Three.", "", "claim Four.", to=anna.last_about(game))
    assert len(operator.letters) == 3
    assert "you have brought 3 claims about this game within a day" in flat(to(anna, last))
