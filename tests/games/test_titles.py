"""The title of a game stays whole whatever the name of its rules holds, and whoever comes and goes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.archive.rebuild import MadeAgain
from referee.games.titles import names_in, who_plays, write_title
from referee.games.umpire_actions import Replace
from referee.rulebooks.catalogue import RULEBOOKS
from referee.rulebooks.rulebook import Rulebook
from tests.archive.test_rebuild import again
from tests.support.operating import WENDY, YANNICK, Desk, write_mail
from tests.support.playing import Club

every_rulebook = pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.name)
NAMES = st.text("ABab12:.- ", min_size=1, max_size=8).filter(lambda name: " - " not in f" {name} ")


@every_rulebook
@given(number=st.integers(1, 10**6), names=st.lists(NAMES, max_size=2))
def test_a_title_is_read_as_it_was_written(rulebook: Rulebook, number: int, names: Sequence[str]) -> None:
    title = write_title(rulebook.title, number, names)
    assert names_in(title, number) == tuple(names)
    assert who_plays(title, number) == " - ".join(names)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def begun(club: Club, rulebook: Rulebook, watchers: str = "off") -> int:
    """Let Anna and Bert begin a game of these rules; return its number."""
    one, other = rulebook.seats
    anna, bert = club.member("Anna"), club.member("Bert")
    return club.starts({one: anna, other: bert}, first=one, rules=rulebook.name, watchers=watchers)


def title_of(club: Club, game: int) -> str:
    with club.store.reading() as lookup:
        row: Any = lookup.games.get(game)
    return str(row.title)


@every_rulebook
def test_after_a_farewell_a_colour_stands_for_a_name(club: Club, rulebook: Rulebook) -> None:
    game = begun(club, rulebook)
    anna = club.reader("anna@example.net")
    anna.writes("bye")
    anna.replies("confirm")
    assert title_of(club, game) == f"{rulebook.title} {game}: {rulebook.seats[0].capitalize()} - Bert"


@every_rulebook
def test_a_player_who_is_replaced_is_named_no_more(club: Club, rulebook: Rulebook) -> None:
    game = begun(club, rulebook)
    carl = club.member("Carl")
    with club.store.reading() as lookup:
        newcomer = lookup.players.by_address(carl.address)
    assert newcomer is not None
    club.referee.umpire.act(game, Replace(rulebook.seats[1], newcomer.number), "He travels.")
    assert title_of(club, game) == f"{rulebook.title} {game}: Anna - Carl"


@every_rulebook
def test_who_watches_reads_in_the_list_who_plays(club: Club, rulebook: Rulebook) -> None:
    game = begun(club, rulebook, watchers="on")
    carl = club.member("Carl")
    carl.writes(f"watch {game}")
    listed = carl.writes("games").only.text
    assert f"{game}: {rulebook.title}, Anna - Bert, which you watch" in listed


@every_rulebook
def test_letters_made_again_name_each_player_as_before(club: Club, rulebook: Rulebook) -> None:
    begun(club, rulebook)
    assert again(club) == MadeAgain(len(club.store.history.kept().outgoing), 0, (), (), ())


SEATED = {
    rulebook.name: [
        word
        for seat, who in zip(rulebook.seats, (f"Wendy <{WENDY}>", f"Yannick <{YANNICK}>"), strict=True)
        for word in ("--seat", f"{seat}={who}")
    ]
    for rulebook in RULEBOOKS
}


@every_rulebook
def test_the_operator_s_list_shows_the_title_and_what_the_players_are_called_now(
    desk: Desk, rulebook: Rulebook
) -> None:
    desk.done("new", rulebook.name, *SEATED[rulebook.name])
    assert f"  {rulebook.title} 1: Wendy - Yannick: playing, " in desk.done("games").out
    desk.put(write_mail("register Wendel", sender=WENDY))
    desk.done("run", "--once")
    assert f"  {rulebook.title} 1: Wendel - Yannick: playing, " in desk.done("games").out


@every_rulebook
def test_the_operator_s_overview_says_of_a_proposal_who_plays(desk: Desk, rulebook: Rulebook) -> None:
    for name, address in (("Wendy", WENDY), ("Yannick", YANNICK)):
        desk.put(write_mail(f"register {name}", sender=address))
    desk.done("run", "--once")
    desk.put(write_mail(f"challenge Yannick {rulebook.name}", sender=WENDY))
    desk.done("run", "--once")
    assert "1: Wendy - Yannick, since" in desk.done("overview").out
    assert f"  {rulebook.title} 1: Wendy - Yannick: proposed" in desk.done("games").out


ENDS = {
    "adjudicated": (("adjudicate", "1", "--winner", "SEAT", "--reason", "He left."), "{winner} won"),
    "drawn": (("adjudicate", "1", "--winner", "draw", "--reason", "They met."), "a draw"),
    "given up": (("adjudicate", "1", "--winner", "none", "--reason", "Never begun."), "no result"),
}


@pytest.mark.telling(end=["drawn"])
@every_rulebook
@pytest.mark.parametrize("end", ENDS)
def test_the_operator_s_list_says_how_a_game_ended(desk: Desk, rulebook: Rulebook, end: str) -> None:
    words, said = ENDS[end]
    winner = rulebook.seats[1]
    desk.done("new", rulebook.name, *SEATED[rulebook.name])
    desk.done(*(winner if word == "SEAT" else word for word in words))
    assert f"Yannick: ended, {said.format(winner=winner.capitalize())}" in desk.done("games").out
