"""The words `new tag`: when a report was shown around, its reply address is worth nothing any more."""

from __future__ import annotations

from datetime import timedelta
from email.utils import parseaddr

from tests.support.playing import Club, Correspondent, Exchange


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


# A tag that somebody else has


def leaks(who: Correspondent, to: Correspondent, game: int, *, vouched: bool = True) -> Exchange:
    """Let somebody write to a reply address that another's letter held."""
    return to.replies("A-S1", to=who.last_about(game), vouched=vouched)


def test_a_tag_that_somebody_else_has_is_renewed_and_the_player_told(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    game = club.starts({"white": anna, "yellow": bert})
    old, forwarded = address(anna, game), anna.last_about(game)
    used = leaks(anna, club.person("Otto"), game)
    assert used.settled and used.settled.outcome == "held"
    question = used.only
    assert (question.recipient, question.kind) == (anna.address, "notice")
    assert "set second ADDRESS" in question.text and "otto" not in question.text.lower()
    assert f"has your reply address in game {game}, so that changes" in " ".join(question.text.split())
    anna.writes(f"status {game}")
    assert address(anna, game) != old
    with club.store.reading() as lookup:
        tags = [
            lookup.tags.get(each.partition("+")[2].partition("@")[0]) for each in (old, address(anna, game))
        ]
    assert [tag and tag.revoked for tag in tags] == [True, False]
    assert club.game(game).due.keys() == {"white"}
    moved = anna.replies("A-S1", to=forwarded)
    assert moved.settled and moved.settled.moves == 1


def test_a_tag_that_the_opponent_has_stays_since_a_new_one_would_tell_that_he_has_written(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    game = club.starts({"white": anna, "yellow": bert})
    old = address(anna, game)
    leaked = leaks(anna, bert, game)
    assert leaked.settled and leaked.settled.outcome == "answered"
    assert leaked.only.recipient == bert.address
    anna.writes(f"status {game}")
    assert address(anna, game) == old


def test_a_player_who_has_no_part_in_the_game_is_somebody_else_too(club: Club) -> None:
    anna, bert, carl = club.member("Anna"), club.member("Bert"), club.member("Carl")
    game = club.starts({"white": anna, "yellow": bert})
    old = address(anna, game)
    leaked = leaks(anna, carl, game)
    assert leaked.settled and leaked.settled.outcome == "held"
    anna.writes(f"status {game}")
    assert address(anna, game) != old


def test_a_tag_is_renewed_once_a_day_at_most(club: Club) -> None:
    anna, bert, otto = club.member("Anna"), club.member("Bert"), club.person("Otto")
    game = club.starts({"white": anna, "yellow": bert})
    tags = [address(anna, game)]
    for hours in (0, 1, 22, 2):
        club.later(timedelta(hours=hours))
        leaks(anna, otto, game)
        anna.writes(f"status {game}")
        tags.append(address(anna, game))
    assert len(dict.fromkeys(tags)) == 3
    assert tags[1] == tags[2] == tags[3]


def test_a_letter_in_the_players_own_name_proves_no_leak_nor_does_one_that_nobody_vouches_for(
    club: Club,
) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    game = club.starts({"white": anna, "yellow": bert})
    old = address(anna, game)
    anna.replies("A-S1", to=anna.last_about(game), vouched=False)
    club.later(timedelta(days=2))
    leaks(anna, club.person("Otto"), game, vouched=False)
    assert address(anna, game) == old


def test_the_second_address_of_the_player_is_nobody_else(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    game = club.starts({"white": anna, "yellow": bert})
    there = club.person("Anna", "anna@spare.example")
    anna.writes("set second anna@spare.example")
    there.replies("confirm")
    old = address(anna, game)
    moved = there.replies("A-S1", to=anna.last_about(game))
    assert moved.settled and moved.settled.moves == 1
    assert address(anna, game) == old


def test_the_old_address_of_the_player_is_nobody_else_as_long_as_it_is_remembered(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    game = club.starts({"white": anna, "yellow": bert})
    first = anna.last_about(game)
    there = club.person("Anna", "anna@new.example")
    anna.writes("set address anna@new.example")
    there.replies("confirm")
    assert anna.replies("A-S1", to=first).settled.outcome == "held"  # type: ignore[union-attr]
    with club.store.reading() as lookup:
        assert lookup.threads.get(1, game).tag == first["Reply-To"].partition("+")[2].partition("@")[0]
