"""Letters to a reply address that is not the writer's: a letter was forwarded to him, or his opponent's program names
its own. Whoever plays the game speaks for himself, and what he confides reaches nobody else (CF-10.8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.playing import REFEREE, Club, Correspondent, Delivered, Exchange, new_database
from tests.support.telling import telling
from tests.transcripts import stories_of_cards
from tests.transcripts.stories_of_cards import BLUE_SET_UP
from tests.transcripts.stories_of_spies import ALL_TOKENS

SPIES = "White=A6 C8 E10 H12 K1 L? N5 O7 P9 S11 T2 V3 X4; Red=A4 C? E8 H11 K2 L1 N3 O5 P7 S9 T12 V10 X6"
A_SET_UP = "setup A3-2 C4-2 E5-2 H7-2 K8-2 L9-2 N3-1 O4-1 P5-1 S7-1 T8-1 V9-1 X6-1"


def confusion_begun(club: Club) -> int:
    return club.starts({"white": club.member("Anna"), "yellow": club.member("Bert", "bert@example.com")})


def confusion(club: Club) -> int:
    """A game in which Yellow is to move."""
    game = confusion_begun(club)
    club.reader("anna@example.net").replies("A-S1")
    return game


def spies_begun(club: Club) -> int:
    return _of_spies(club)


def spies(club: Club) -> int:
    """The double agent has moved, and Bert is asked."""
    game = _of_spies(club, **ALL_TOKENS)
    club.reader("anna@example.net").replies("L-S1")
    return game


def spies_to_be_set_up(club: Club) -> int:
    return _of_spies(club, **{"variable-setup": "on"})


def _of_spies(club: Club, **options: Any) -> int:
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    return club.starts({"white": anna, "red": bert}, rules="spies", deal=SPIES, **options)


def cards(club: Club) -> int:
    """A battle in which Blue is to move."""
    anna, _, game = stories_of_cards.anna_and_bert(club)
    anna.replies("PASS", to=anna.last_about(game))
    return game


def cards_to_be_set_up(club: Club) -> int:
    return stories_of_cards.anna_and_bert(club, set_up=False)[2]


Begin = Callable[[Club], int]
OF_THE_QUICK_GAMES: tuple[tuple[Begin, tuple[str, ...]], ...] = (
    (confusion, ("diary I believe that A is the King.",)),
    (confusion_begun, ("try C-N1; if no C-W1",)),
    (confusion, ("preview C-N1",)),
    (confusion, ("K-S1",)),
    (spies, ("allow",)),
    (spies, ("deny",)),
)
CONFIDED: tuple[tuple[Begin, tuple[str, ...]], ...] = (
    *OF_THE_QUICK_GAMES,
    (spies, ("deny", "#K")),
    (spies, ("deny", "?K")),
    (spies, ("deny", "A<>K")),
    (spies, ("deny", "#xL")),
    (spies, ("agent as 5",)),
    (spies_begun, ("agent always", "try A-N1; if no A-W1")),
    (spies_to_be_set_up, (A_SET_UP,)),
    (cards, ("MV BC1 A20", "MV BI9 A20")),
    (cards, ("try MV BC1 A20",)),
    (cards_to_be_set_up, BLUE_SET_UP),
    (cards_to_be_set_up, BLUE_SET_UP[:1]),
)
"""What a player may write that no letter tells the other of, in each game, and where it stands."""
REFUSED = (("K-S1",), ("try MV BC1 A20",))
"""What is not taken, to be told to its writer alone."""
NAMES = [f"{begin.__name__}: {'; '.join(lines)[:40]}" for begin, lines in CONFIDED]

Writes = Callable[[Correspondent, Correspondent, int, Sequence[str]], Exchange]


def to_his_own(anna: Correspondent, bert: Correspondent, game: int, lines: Sequence[str]) -> Exchange:
    return bert.replies(*lines, to=bert.last_about(game))


def to_hers(anna: Correspondent, bert: Correspondent, game: int, lines: Sequence[str]) -> Exchange:
    """He answers what she has forwarded to him."""
    return bert.replies(*lines, to=anna.last_about(game))


def to_hers_in_his_thread(
    anna: Correspondent, bert: Correspondent, game: int, lines: Sequence[str]
) -> Exchange:
    return bert.replies(*lines, to=bert.last_about(game), address=anna.last_about(game)["Reply-To"])


def to_hers_alone(anna: Correspondent, bert: Correspondent, game: int, lines: Sequence[str]) -> Exchange:
    """Her program names it as where she wants to be answered."""
    return bert.writes(*lines, to=anna.last_about(game)["Reply-To"])


def in_her_thread(anna: Correspondent, bert: Correspondent, game: int, lines: Sequence[str]) -> Exchange:
    return bert.replies(*lines, to=anna.last_about(game), address=REFEREE)


def to_a_question_of_hers(
    anna: Correspondent, bert: Correspondent, game: int, lines: Sequence[str]
) -> Exchange:
    """She has forwarded a question whether a letter was hers."""
    anna.replies("diary Mine.", to=anna.last_about(game), vouched=False)
    return bert.replies(*lines, to=anna.last)


WAYS = (to_hers, to_hers_in_his_thread, to_hers_alone, in_her_thread, to_a_question_of_hers)


@pytest.fixture
def clubs(tmp_path: Path) -> Any:
    made: list[Club] = []

    def new() -> Club:
        made.append(Club(new_database(tmp_path, f"club-{len(made)}")))
        return made[-1]

    yield new
    for club in made:
        club.close()


def seated(club: Club, begin: Begin) -> tuple[Correspondent, Correspondent, int]:
    game = club.begins(begin)
    return club.reader("anna@example.net"), club.reader("bert@example.com"), game


def kept(club: Club, game: int) -> list[tuple[str, Any]]:
    with club.store.reading() as lookup:
        return [(each.kind, each.body) for each in lookup.events.of_game(game)]


def flat(letter: Delivered) -> str:
    return " ".join(letter.text.split())


@pytest.mark.telling(lines=[("K-S1",)])
@pytest.mark.parametrize("way", WAYS, ids=[way.__name__ for way in WAYS])
@pytest.mark.parametrize(("begin", "lines"), telling(OF_THE_QUICK_GAMES, others=CONFIDED))
def test_what_a_player_confides_by_the_other_s_reply_address_is_heard_as_his_own(
    clubs: Callable[[], Club], begin: Begin, lines: tuple[str, ...], way: Writes
) -> None:
    """Given what is confided, when it goes by the other's address, then it does what it does by the own one; the other
    gets no letter for it, and her next one is the same."""
    found = []
    for writes in (to_his_own, way):
        club = clubs()
        anna, bert, game = seated(club, begin)
        heard = writes(anna, bert, game, lines)
        assert heard.settled and heard.settled.outcome == "answered"
        assert [each.recipient for each in heard.sent] == [bert.address]
        address = anna.last_about(game)["Reply-To"]
        anna.writes(f"status {game}")
        assert anna.last["Reply-To"] == address
        # The times are others where she was asked something first.
        events = [kind for kind, _ in kept(club, game) if kind != "checked-in"]
        found.append((events, heard.only.kind, anna.last_about(game).parts[0].get_content().count("\n")))
    assert found[0] == found[1]


@pytest.mark.telling(lines=[("K-S1",), ("deny",), ("MV BC1 A20", "MV BI9 A20")])
@pytest.mark.parametrize(("begin", "lines"), CONFIDED, ids=NAMES)
def test_a_letter_in_the_opponent_s_name_that_nobody_vouches_for_is_asked_about_at_his_address(
    clubs: Callable[[], Club], begin: Begin, lines: tuple[str, ...]
) -> None:
    club = clubs()
    anna, bert, game = seated(club, begin)
    held = bert.replies(*lines, to=anna.last_about(game), vouched=False)
    assert held.settled and held.settled.outcome == "held"
    assert [each.recipient for each in held.sent] == [bert.address]
    before = kept(club, game)
    heard = bert.replies("confirm", to=held.only, vouched=False)
    assert [each.recipient for each in heard.sent] == [bert.address]
    assert heard.only.kind != "refusal" or lines in REFUSED
    assert len(kept(club, game)) > len(before) or lines in REFUSED or lines[0].startswith("preview")


@pytest.mark.telling(lines=[("K-S1",), ("deny",)])
@pytest.mark.parametrize("vouched", [True, False])
@pytest.mark.parametrize(("begin", "lines"), CONFIDED, ids=NAMES)
def test_of_what_an_unknown_address_writes_in_a_player_s_name_no_move_is_shown(
    clubs: Callable[[], Club], begin: Begin, lines: tuple[str, ...], vouched: bool
) -> None:
    """It may be the opponent's, from a mailbox that the desk does not know."""
    club = clubs()
    anna, _, game = seated(club, begin)
    otto = club.person("Bert", "bert@elsewhere.example")
    held = otto.replies(*lines, to=anna.last_about(game), vouched=vouched)
    assert held.settled and held.settled.outcome == "held"
    question = held.only
    assert question.recipient == anna.address
    says = flat(question).partition("It says: ")[2].partition(". If it was you")[0]
    shown = says.split(", ")
    assert set(shown) <= {"a move", "diary ...", "try ..."}, shown
    for part in question.parts:
        content = part.get_content()
        assert not isinstance(content, str) or not any(line in content for line in lines)


@pytest.mark.parametrize("word", ["refuser", "1: refuser"])
def test_a_word_that_may_deny_as_well_as_decline_is_not_shown_either(
    clubs: Callable[[], Club], word: str
) -> None:
    club = clubs()
    anna, _, game = seated(club, spies)
    anna.writes("set language fr")
    otto = club.person("Bert", "bert@elsewhere.example")
    question = otto.replies(word, to=anna.last_about(game)).only
    assert "refuser" not in flat(question) and "déclin" not in flat(question)


def test_what_comes_from_the_player_s_own_address_is_shown(clubs: Callable[[], Club]) -> None:
    """Nobody but a forger writes there in her name, and a forger's moves are no secret."""
    club = clubs()
    anna, _, game = seated(club, confusion)
    assert "It says: C-S1." in flat(anna.replies("C-S1", to=anna.last_about(game), vouched=False).only)


def test_the_opponent_s_letter_never_moves_for_the_owner_of_the_reply_address(
    clubs: Callable[[], Club],
) -> None:
    club = clubs()
    anna, bert, game = seated(club, confusion)
    bert.replies("C-N1", to=bert.last_about(game))
    before = kept(club, game)
    tried = bert.replies("C-S1", to=anna.last_about(game))
    assert tried.only.recipient == bert.address and tried.only.kind == "refusal"
    assert kept(club, game) == before and club.game(game).due.keys() == {"white"}


@pytest.mark.parametrize("vouched", [True, False])
def test_what_one_writes_who_has_no_part_in_the_game_may_be_its_player_s_and_shows_no_move_either(
    clubs: Callable[[], Club], vouched: bool
) -> None:
    """He may lend him his mailbox, so the player is asked; but it may be meant for another game."""
    club = clubs()
    anna, _, game = seated(club, spies)
    carl = club.member("Carl")
    held = carl.replies("allow", "C-N1", to=anna.last_about(game), vouched=vouched)
    assert held.settled and held.settled.outcome == "held"
    recipients = [letter.recipient for letter in held.sent]
    assert sorted(recipients) == sorted([anna.address, *([carl.address] if vouched else [])])
    (asked,) = [letter for letter in held.sent if letter.recipient == anna.address]
    assert "It says: a move." in flat(asked)
    assert not any("C-N1" in flat(letter) for letter in held.sent)


@pytest.mark.parametrize("line", ["allow", "resign", "confirm", "bye"])
def test_one_who_names_a_game_of_his_own_has_no_part_in_this_either_and_nothing_is_done(
    clubs: Callable[[], Club], line: str
) -> None:
    """Given one who plays elsewhere, when he answers a letter of others, then its reader is asked without its moves and
    texts, and he is told nothing of the game: not even its number."""
    club = clubs()
    anna, bert, game = seated(club, spies)
    carl = club.member("Carl")
    own = club.starts({"white": carl, "red": bert}, rules="spies")
    before = kept(club, game), kept(club, own)
    heard = carl.replies(f"{own}: diary Mine.", line, to=anna.last_about(game), subject="Hello")
    assert heard.settled and heard.settled.outcome == "held"
    told, asked = sorted(heard.sent, key=lambda letter: letter.recipient != carl.address)
    assert (told.recipient, asked.recipient) == (carl.address, anna.address)
    assert "went to a reply address that is not yours" in flat(told)
    assert f"game {game}" not in f"{told['Subject']} {flat(told)}" and told.game is None
    assert "Mine" not in flat(asked) and "allow" not in flat(asked)
    assert (kept(club, game), kept(club, own)) == before


def test_nobody_confirms_by_another_s_reply_address_what_that_one_was_asked(
    clubs: Callable[[], Club],
) -> None:
    club = clubs()
    anna, bert, game = seated(club, confusion)
    anna.writes("bye")
    asked = anna.last
    bert.writes("bye")
    heard = bert.replies("confirm", to=asked)
    assert [each.recipient for each in heard.sent] == [bert.address]
    assert club.game(game).status == "playing"
    with club.store.reading() as lookup:
        assert lookup.players.by_address(anna.address) and lookup.players.by_address(bert.address)


def test_an_opponent_in_another_game_who_answers_the_wrong_letter_is_told_so_alone(
    clubs: Callable[[], Club],
) -> None:
    """What he writes may be meant for the game that he plays against its reader."""
    club = clubs()
    anna, _, game = seated(club, spies)
    carl = club.member("Carl")
    club.starts({"white": anna, "red": carl}, rules="spies", deal=SPIES)
    heard = carl.replies("allow", to=anna.last_about(game))
    assert heard.only.recipient == carl.address and heard.only.kind == "refusal"
    assert "answers one that went to somebody else" in flat(heard.only)
