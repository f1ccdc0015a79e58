"""A heading above orders (E2): where it says another game, turn or side, nothing below it is believed."""

from __future__ import annotations

import pytest

from referee.commands.headings import Heading, read_headings
from referee.mail.message.message import OwnLine
from tests.support.begun import begun, said, tried
from tests.support.playing import Club, Correspondent
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
        ("GAME 17 TURN 5 RDE", 17, 5, False, ""),
        ("game 17 turn 5 please", 17, 5, False, ""),
        ("GAME 17 TURN 5 WHITE PLEASE", 17, 5, False, "white"),
        ("GAME CC17 TURN 5 RED # mine, and a draw", 17, 5, False, "red"),
        ("Partie n° 17, tour 9", 17, 9, False, ""),
        ("Partie nº 17", 17, None, False, ""),
        ("Partie n°17 - tour n° 5 - Rouges", 17, 5, False, "red"),
        ("Game no. 17 turn no. 5", 17, 5, False, ""),
        ("Game № 17, turn #5", 17, 5, False, ""),
        ("Game 17, round 5", 17, 5, False, ""),
        ("[GAME 17 TURN 5]", 17, 5, False, ""),
        ("**GAME 17 TURN 5 BLUE**", 17, 5, False, "blue"),
        ("--- Game 17 (turn 5) ---", 17, 5, False, ""),
        ("GAME 17 TURN 9999999", 17, 9999999, False, ""),
        ("GAME 17 TURN " + "9" * 5000, 17, 10**18 - 1, False, ""),
    ],
)
def test_a_heading_is_read(text: str, game: int, turn: int | None, set_up: bool, side: str) -> None:
    assert read(text) == Heading(OwnLine(3, text), game, turn, set_up, side)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "END",
            "game on",
            "Game 17 was fine",
            "game 17 turn 5 was fine",
            "turn 5",
            "Games 17",
            "MV RI1 A20",
            "",
        ),
        *(
            "Game was 5",
            "Game at 10.",
            "Game in 3",
            "Game is 17",
            "Partie du 14",
            "Partie en 3",
            "Game 12:30",
        ),
        *("# GAME 17 TURN 5", "The game 17 turn 5", "Game XY17 TURN 5"),
    ],
)
def test_other_lines_are_no_headings(text: str) -> None:
    assert read(text) is None


AGREEING = [
    *("GAME CC1 TURN 1 {side}", "game 1 turn 1", "GAME CC1", "Partie 1, tour 1", "# GAME 99 TURN 9"),
    *("Game was 5", "Game at 10.", "Game in 3", "Partie du 14", "Partie en 3"),
    *("game 1 turn 1 please", "Game 1, turn 1 attached", "GAME 1 TURN 1 END", "Partie 1 tour 1 merci"),
    *("GAME 1 TURN 1 W", "GAME 1 TURN 1 Anna", "Partie 1, tour 1, blanche", "GAME CC1 TURN 1 {side} # mine"),
]
CONTRADICTING = {
    "GAME CC99 TURN 1 {side}": "the heading says game 99",
    "GAME CC99": "the heading says game 99",
    "GAME CC1 TURN 9 {side}": "the heading says turn 9, and turn 1 of game 1 is being played",
    "game 1 turn 0": "the heading says turn 0, and turn 1 of game 1 is being played",
    "game 1 turn 2": "the heading says turn 2, and turn 1 of game 1 is being played",
    "GAME CC1 TURN 1 {other}": "the heading says {Other}, and in game 1 you are {Side}",
    "GAME CC99 TURN 1 {side} # mine": "the heading says game 99",
    "GAME CC1 TURN 9 # I may resign": "the heading says turn 9",
    "GAME CC1 TURN 9 # {move}": "the heading says turn 9",
    "**Partie n° 1, tour 9**": "the heading says turn 9",
    "GAME 1 TURN 1 {other} please": "the heading says {Other}, and in game 1 you are {Side}",
    "GAME 1 TURN 9999999": "the heading says turn 9999999",
    "GAME CC1 SETUP {side}": "the heading says that this is a set-up, and game 1 has begun",
    "Partie CC1 tour 9": "the heading says turn 9",
}
SIDES = {"cards": ("red", "blue"), "confusion": ("white", "yellow")}
MOVES = {"cards": "MV RI1 A20", "confusion": "L-S2"}


def playing(club: Club, rules: str) -> tuple[Correspondent, Correspondent, int]:
    return anna_and_bert(club) if rules == "cards" else begun(club)


def done(club: Club, game: int, rules: str) -> list[str]:
    """Return the moves of a game's one turn."""
    if rules == "confusion":
        return tried(club, game)
    return [order for turn in club.game(game).position.log for order in turn.orders]


def fill(text: str, rules: str) -> str:
    side, other = SIDES[rules]
    return text.format(
        side=side, other=other, Side=side.capitalize(), Other=other.capitalize(), move=MOVES[rules]
    )


@pytest.mark.telling(heading=["GAME CC99 TURN 1 {side}", "GAME CC1 TURN 9 {side}"])
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


@pytest.mark.telling(heading=["GAME CC1 TURN 1 {side}"])
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


@pytest.mark.parametrize("rules", MOVES)
@pytest.mark.parametrize(
    ("end", "below"),
    [
        ("END", ["Game 12"]),
        ("End.", ["", "Thanks for all.", "Game 12"]),
        ("--- END ---", ["GAME CC2 TURN 1 RED"]),
        ("END # of it", ["GAME 1 TURN 9"]),
        ("Fin", ["GAME 1 TURN 9 GREEN", "END"]),
    ],
)
def test_what_stands_below_end_is_no_heading(club: Club, rules: str, end: str, below: list[str]) -> None:
    """E2: text below END is ignored."""
    anna, _, game = playing(club, rules)
    anna.replies(fill("GAME 1 TURN 1 {side}", rules), MOVES[rules], end, *below, to=anna.last_about(game))
    assert "[accepted]" in anna.last["Subject"]
    assert done(club, game, rules) == [MOVES[rules]]


@pytest.mark.parametrize("rules", MOVES)
def test_an_end_above_a_heading_hides_it_not(club: Club, rules: str) -> None:
    anna, _, game = playing(club, rules)
    anna.replies("Such was its", "end", "GAME 99 TURN 1", MOVES[rules], to=anna.last_about(game))
    assert "the heading says game 99" in said(anna.last)
    assert done(club, game, rules) == []


HEADED = "GAME CC1 TURN 1 RED"
OUTSIDE = {
    "below": ([HEADED, "MV RI1 A20", "END", "MV RI2 A20"], "MV RI2 A20"),
    "below talk": ([HEADED, "MV RI1 A20", "END", "", "Thanks.", "MV RI1 A30"], "MV RI1 A30"),
    "below, without a heading": (["MV RI1 A20", "END", "MV RI2 A20"], "MV RI2 A20"),
    "above": (["MV RI2 A20", HEADED, "MV RI1 A20", "END"], "MV RI2 A20"),
    "above, without an end": (["MV RI2 A20", "", HEADED, "MV RI1 A20"], "MV RI2 A20"),
    "badly written": ([HEADED, "MV RI1 A20", "END", "MV RI2 A"], "MV RI2 A"),
    "asking to wait": ([HEADED, "MV RI1 A20", "END", "CHECK"], "CHECK"),
}


@pytest.mark.parametrize("where", OUTSIDE)
def test_an_order_outside_its_frame_is_passed_over_and_its_writer_told(club: Club, where: str) -> None:
    """E2: what stands above GAME or below END is ignored."""
    lines, ignored = OUTSIDE[where]
    anna, _, game = anna_and_bert(club)
    anna.replies(*lines, to=anna.last_about(game))
    assert done(club, game, "cards") == ["MV RI1 A20"]
    assert "this line was not read as a command" in said(anna.last).lower()
    assert ignored in anna.last.text


def test_what_asks_something_of_the_desk_has_no_frame(club: Club) -> None:
    anna, bert, game = anna_and_bert(club)
    anna.replies("press Well begun!", "", HEADED, "MV RI1 A20", "END", "status", to=anna.last_about(game))
    assert done(club, game, "cards") == ["MV RI1 A20"]
    assert any("Well begun!" in each.text for each in bert.letters)


def test_moves_of_other_rules_have_no_frame(club: Club) -> None:
    """E2 is the notation of one game."""
    anna, _, game = begun(club)
    anna.replies("GAME 1 TURN 1 WHITE", "END", "L-S2", to=anna.last_about(game))
    assert tried(club, game) == ["L-S2"]
