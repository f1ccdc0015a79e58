"""The words `new tag`: when a report was shown around, its reply address is worth nothing any more."""

from __future__ import annotations

from email.utils import parseaddr

from tests.playing import Club, Correspondent


def address(who: Correspondent, game: int) -> str:
    return parseaddr(who.last_about(game)["Reply-To"])[1]


def test_a_new_tag_is_in_the_answer_and_in_all_later_letters(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    game = club.starts({"white": anna, "yellow": bert})
    old, bert_had = address(anna, game), address(bert, game)
    anna.replies("new tag")
    new = address(anna, game)
    assert anna.last.kind == "receipt"
    assert f"Your letters about game {game} have another reply address from now on." in anna.last.text
    assert new != old
    assert "+" in new
    anna.replies("A-S1")
    assert address(anna, game) == new
    assert anna.last.kind == "report"
    assert address(bert, game) == bert_had


def test_a_letter_to_the_old_address_counts_only_as_one_without_a_tag(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    game = club.starts({"white": anna, "yellow": bert})
    first = anna.last_about(game)
    anna.replies(f"New tag {game}.")
    exchange = anna.replies("A-S1", to=first)
    assert exchange.settled is not None and exchange.settled.outcome == "ruled", (
        "she wrote it, and that is proved"
    )
    bert.replies("A-N1")
    exchange = anna.replies("A-S1", to=first, vouched=False)
    assert exchange.settled is not None and exchange.settled.outcome == "held"


def test_a_tag_is_changed_by_its_player_for_one_game_alone(club: Club) -> None:
    anna, bert, carl = club.member("Anna"), club.member("Bert"), club.member("Carl")
    one = club.starts({"white": anna, "yellow": bert})
    other = club.starts({"white": anna, "yellow": carl})
    before = address(anna, other)
    anna.writes(f"new tag {one}")
    anna.replies("status", to=anna.last_about(other))
    assert address(anna, other) == before
    carl.writes(f"new tag {one}")
    assert f"you do not sit in game {one}" in carl.last.text
    carl.writes("new tag")
    assert carl.last.kind in ("receipt", "refusal")
    anna.writes("new tags, please")
    assert anna.last.kind == "help"
