"""A heading above orders (E2): where it says another game, turn or side, nothing below it is believed."""

from __future__ import annotations

import pytest

from referee.commands.headings import Heading, read_headings
from referee.letters.letter import OwnLine
from tests.desk.begun import begun, said, tried
from tests.playing import Club, Correspondent
from tests.transcripts.stories_of_cards import RED_SET_UP, anna_and_bert


def read(text: str) -> Heading | None:
    return next(iter(read_headings([OwnLine(3, text)])), None)


@pytest.mark.parametrize(
    ("text", "game", "turn", "set_up", "side"),
    [
        ("GAME CC17 TURN 5 RED", 17, 5, False, "red"),
        ("GAME CC17 SETUP RED", 17, None, True, "red"),
        ("game 17 turn 5", 17, 5, False, ""),
        ("Game #17, turn 5, Blue.", 17, 5, False, "blue"),
        ("Game: CC-17 set-up blue", 17, None, True, "blue"),
        ("GAME CC99", 99, None, False, ""),
        ("Partie CC17 tour 5 rouge", 17, 5, False, "red"),
        ("PARTIE 17 PLACEMENT BLEU", 17, None, True, "blue"),
        ("GAME 17 TURN 5 RDE", 17, 5, False, "rde"),
    ],
)
def test_a_heading_is_read(text: str, game: int, turn: int | None, set_up: bool, side: str) -> None:
    assert read(text) == Heading(OwnLine(3, text), game, turn, set_up, side)


@pytest.mark.parametrize(
    "text",
    ["END", "game on", "Game 17 was fine", "game 17 turn 5 was fine", "turn 5", "Games 17", "MV RI1 A20", ""],
)
def test_other_lines_are_no_headings(text: str) -> None:
    assert read(text) is None


AGREEING = ["GAME CC1 TURN 1 {side}", "game 1 turn 1", "GAME CC1", "Partie 1, tour 1"]
CONTRADICTING = {
    "GAME CC99 TURN 1 {side}": "the heading says game 99",
    "GAME CC99": "the heading says game 99",
    "GAME CC1 TURN 9 {side}": "the heading says turn 9, and turn 1 of game 1 is being played",
    "game 1 turn 0": "the heading says turn 0, and turn 1 of game 1 is being played",
    "game 1 turn 2": "the heading says turn 2, and turn 1 of game 1 is being played",
    "GAME CC1 TURN 1 {other}": "the heading says {Other}, and in game 1 you are {Side}",
    "GAME CC1 TURN 1 RDE": "the heading says Rde, and in game 1 you are {Side}",
    "GAME CC1 SETUP {side}": "the heading says that this is a set-up, and game 1 has begun",
    "Partie CC1 tour 9": "the heading says turn 9",
}
SIDES = {"cards": ("red", "blue"), "confusion": ("white", "yellow")}
MOVES = {"cards": "MV RI1 A20", "confusion": "L-S2"}


def playing(club: Club, rules: str) -> tuple[Correspondent, Correspondent, int]:
    return anna_and_bert(club) if rules == "cards" else begun(club)


def fill(text: str, rules: str) -> str:
    side, other = SIDES[rules]
    return text.format(side=side, other=other, Side=side.capitalize(), Other=other.capitalize())


@pytest.mark.parametrize("rules", MOVES)
@pytest.mark.parametrize("heading", CONTRADICTING)
def test_nothing_below_a_heading_that_is_not_of_this_turn_is_done(
    club: Club, rules: str, heading: str
) -> None:
    """E2: wherever it stands in the letter, and whatever else is asked for."""
    anna, bert, game = playing(club, rules)
    before, heard = len(club.game(game).happenings), len(bert.letters)
    why = fill(CONTRADICTING[heading], rules)
    move = MOVES[rules]
    for lines in (
        [fill(heading, rules), move, "END"],
        ["resign", fill(heading, rules)],
        [move, "", fill(heading, rules)],
    ):
        answer = anna.replies(*lines, to=anna.last_about(game)).only
        assert why in said(answer) and "nothing was done" in said(answer)
        assert "not accepted" in answer["Subject"]
    assert (len(club.game(game).happenings), len(bert.letters)) == (before, heard)
    assert club.game(game).status == "playing"


@pytest.mark.parametrize("rules", MOVES)
@pytest.mark.parametrize("heading", AGREEING)
def test_a_heading_of_this_turn_changes_nothing(club: Club, rules: str, heading: str) -> None:
    anna, _, game = playing(club, rules)
    anna.replies(fill(heading, rules), MOVES[rules], "END")
    assert "[accepted]" in anna.last["Subject"]
    assert club.game(game).seats[club.game(game).rulebook.seats[1]] in (2,)
    assert rules != "confusion" or tried(club, game) == ["L-S2"]


def test_who_is_not_to_move_heads_his_wishes_with_either_turn(club: Club) -> None:
    """Blue's first turn comes while Red's is played, and his next is the second (CC-2.6)."""
    _, bert, _ = anna_and_bert(club)
    for turn in (1, 2):
        bert.replies(f"GAME CC1 TURN {turn} BLUE", f"WAKE {turn}0", "END")
        assert "not accepted" not in bert.last["Subject"]
    refused = bert.replies("GAME CC1 TURN 3 BLUE", "WAKE 50").only
    assert "the heading says turn 3" in said(refused)


def test_a_set_up_is_headed_as_one(club: Club) -> None:
    """E2, CC-1.13."""
    anna, _ = club.member("Anna"), club.member("Bert")
    anna.writes("challenge Bert cards option colour=red")
    bert = club.reader("bert@example.net")
    bert.replies("accept")
    answer = anna.replies("GAME CC1 TURN 4 RED", *RED_SET_UP, to=anna.last).only
    assert "the heading says turn 4" in said(answer)
    assert "Did you mean GAME 1 SETUP RED?" in said(answer)
    anna.replies("GAME CC1 SETUP RED", *RED_SET_UP, "END")
    assert "not accepted" not in anna.last["Subject"]


def test_a_heading_says_which_game_a_letter_to_the_bare_address_is_about(club: Club) -> None:
    """Of two games in which it is the writer's turn."""
    anna, _, first = begun(club)
    carl = club.member("Carl")
    second = club.starts({"white": anna, "yellow": carl})
    anna.writes(f"GAME {first} TURN 1 WHITE", "L-S2")
    assert tried(club, first) == ["L-S2"] and tried(club, second) == []
    strange = carl.writes(f"GAME {first} TURN 1", "L-S2").only
    assert f"You do not sit in game {first}" in said(strange)
    both = anna.writes(f"GAME {first} TURN 2", "L-S1", f"GAME {second} TURN 1", "L-S1").only
    assert "the heading says game 1, the heading says game 2" in said(both)


def test_what_stands_in_a_text_is_no_heading(club: Club) -> None:
    anna, bert, game = begun(club)
    anna.replies("L-S2", "press Do you remember?", "Game 99", "That was fun.")
    assert tried(club, game) == ["L-S2"]
    assert "Game 99" in bert.last.text


def test_a_held_letter_counts_in_no_game_that_its_heading_denies(club: Club) -> None:
    anna, _, game = begun(club)
    anna.replies("GAME 99 TURN 1", "L-S2", vouched=False)
    anna.replies("confirm")
    assert "the heading says game 99" in said(anna.last)
    assert tried(club, game) == []
