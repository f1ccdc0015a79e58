"""The word `why`: whenever one likes, as often as one likes, and nothing is told but what was heard."""

from __future__ import annotations

import pytest

from tests.support.playing import Club, Correspondent, Delivered, once

DEAL = "White=A6 C8 E10 H11 K2 L1 N3 O9 P7 S5 T12 V4; Yellow=A4 C8 E12 H11 K10 L2 N1 O3 P7 S6 T5 V9"


@once
def begun(club: Club, deal: str = DEAL, **options: str) -> tuple[Correspondent, Correspondent, int]:
    """Seat Anna on white, who begins, and Bert on yellow. options: of a challenge, in which the deal is drawn."""
    anna, bert = club.member("Anna"), club.member("Bert")
    if options:
        said = " ".join(f"option {key}={value}" for key, value in options.items())
        anna.writes(f"challenge Bert confusion option colour=white option first=white {said}")
        bert.writes("accept")
        return anna, bert, 1
    return anna, bert, club.starts({"white": anna, "yellow": bert}, deal=deal)


def said_in(letter: Delivered) -> str:
    """Return a letter's text but for its last lines, the receipt and what no other letter has."""
    return letter.text.rpartition("\r\nReceipt: ")[0]


@pytest.mark.telling
def test_why_is_answered_with_the_reasons_to_him_who_asks_and_uses_nothing_up(club: Club) -> None:
    anna, bert, game = begun(club)
    anna.replies("L-S4")
    exchange = anna.replies("why L")
    letter = exchange.only
    assert letter.recipient == anna.address
    assert letter.kind == "receipt"
    assert exchange.settled is not None and exchange.settled.outcome == "answered"
    assert letter["Subject"] == f"Re: [game {game}] [turn 2] Confusion {game}: Anna - Bert"
    heading, blank, reason, *_ = letter.text.splitlines()
    assert (heading, blank) == ("Your L is the Rocket 1, and this is why.", "")
    assert reason.startswith("L-S4 yes (turn 1): so L is none of the types 2 to 12.")
    before = club.game(game)
    bert.replies("why white L", "why n?")
    assert bert.last.text.startswith("White can know that L is the Rocket 1, and this is why.")
    assert "Your N can still be any type: no answer so far rules one out." in bert.last.text
    assert "your move" in bert.last["Subject"]
    assert club.game(game).due == before.due
    bert.replies("L-N3")
    assert bert.last.kind == "report"


def test_why_beside_a_move_is_answered_as_the_game_then_stands(club: Club) -> None:
    anna, _, _ = begun(club)
    anna.replies("why L", "L-S4", "why L")
    text = anna.last.text
    assert anna.last.kind == "report"
    asked, answered = text.index("Your L can still be any type"), text.index("Your L is the Rocket 1")
    assert asked < answered


@pytest.mark.telling
def test_the_same_question_twice_in_a_letter_is_answered_once(club: Club) -> None:
    anna, _, _ = begun(club)
    anna.replies("why L", "why l?", "why white L", "why L")
    assert anna.last.text.count("Your L can still be any type") == 1


def test_a_captured_piece_and_a_game_that_is_over_are_still_explained(club: Club) -> None:
    anna, bert, game = begun(club)
    for mover, move in ((anna, "L-S2"), (bert, "C-N2"), (anna, "L-E1"), (bert, "C-NE2"), (anna, "L-S2")):
        mover.replies(move)
    bert.replies("E-NW1")
    anna.replies("L-S4xA")
    bert.replies("C-W1xL")
    anna.replies("why L", "why yellow A")
    assert anna.last.text.startswith("Your L is the Rocket 1, and this is why.")
    assert "For all that Yellow can know, A can still be" in anna.last.text
    bert.replies("resign")
    bert.writes(f"why C {game}")
    assert bert.last.kind == "receipt"
    assert "When the game ended, your C could still be one of 3 types; it was the Wimp 8." in bert.last.text
    assert "C-NE2 no (turn 3): so C was " in bert.last.text


def test_a_letter_that_does_not_exist_is_named_with_what_was_perhaps_meant(club: Club) -> None:
    anna, _, game = begun(club)
    anna.replies("why B")
    assert anna.last.kind == "refusal"
    assert "Line 1, column 5, why B: there is no piece B;" in anna.last.text
    assert "Did you mean why P? (CF-1.3)" in anna.last.text
    anna.replies(f"{game}: why yellow M")
    assert f"Did you mean why yellow N {game}?" in anna.last.text
    anna.replies("why Z")
    assert "Z has no type" in anna.last.text


def test_who_plays_several_games_says_which(club: Club) -> None:
    anna, bert, first = begun(club)
    second = club.starts({"white": anna, "yellow": bert}, deal=DEAL)
    anna.writes("why H")
    assert "say which" in anna.last.text
    assert f"Did you mean {first}: why H?" in anna.last.text
    for line in (f"{second}: why H", f"why H {second}", f"why H game {second}?"):
        anna.writes(line)
        assert (anna.last.game, anna.last.kind) == (second, "receipt")


@pytest.mark.telling
def test_why_is_nothing_to_who_does_not_play(club: Club) -> None:
    begun(club)
    carl = club.member("Carl")
    carl.writes("why H")
    assert "you have no game that is being played" in carl.last.text
    carl.writes("why H 1")
    assert "you do not sit in game 1" in carl.last.text


@pytest.mark.parametrize("line", ["Why not?", "why are you so slow?", "Why, oh why"])
def test_prose_that_begins_with_why_goes_with_a_move(club: Club, line: str) -> None:
    anna, _, _ = begun(club)
    anna.replies("L-S4", line)
    assert anna.last.kind == "report"
    assert "partly" not in anna.last["Subject"]


def test_a_game_without_sheets_says_so_in_the_same_words_whatever_is_asked(club: Club) -> None:
    anna, bert, game = begun(club, sheets="off")
    assert club.game(game).options["sheets"] == "off"
    anna.writes("A-S1")
    told = set()
    for who in (anna, bert):
        for letter in ("A", "B", "white A", "yellow H", "Z"):
            who.writes(f"why {letter}")
            assert who.last.kind == "refusal"
            text = who.last.text
            assert "this game is played without deduction sheets" in text
            told.add(text.partition(f"why {letter}: ")[2].splitlines()[0])
    assert len(told) == 1
    assert "none of" not in "".join(letter.text for letter in (*anna.letters, *bert.letters))


def test_two_deals_that_a_player_cannot_tell_apart_bring_him_the_same_answer(club: Club) -> None:
    """White's own pieces are other ones in the second game, and are answered the same."""
    other = DEAL.replace("A6 C8 E10 H11", "A11 C6 E8 H10")
    assert other != DEAL
    anna, bert, first = begun(club)
    second = club.starts({"white": anna, "yellow": bert}, deal=other)
    told = []
    for game in (first, second):
        for mover, move in ((anna, "L-S4"), (bert, "L-N3"), (anna, "A-E2"), (bert, "K-N1")):
            mover.writes(f"{game}: {move}")
        letters = []
        for question in ("L", "A", "H", "yellow L", "yellow A"):
            anna.writes(f"{game}: why {question}")
            letters.append(said_in(anna.last).replace(f"{game}: ", "").replace(f"game {game}", ""))
        told.append(letters)
    assert told[0] == told[1]
    assert "A-E2 no (turn 2)" in told[0][1]


def test_what_is_said_of_another_game_than_the_letters_names_it(club: Club) -> None:
    """Several games in one letter: nothing about one of them may read as if it were about another."""
    anna, bert, first = begun(club)
    second = club.starts({"white": anna, "yellow": bert}, deal=DEAL)
    anna.replies("L-S4", to=anna.last_about(first))
    told = {first: "Your L is the Rocket 1, and this is why.", second: "Your L can still be any type"}
    for about, other in ((first, second), (second, first)):
        anna.replies(f"{second}: why L", f"{first}: why L", f"{second}: record", to=anna.last_about(about))
        text = anna.last.text
        assert anna.last.game == about
        assert f"Game {other}: {told[other]}" in text
        assert told[about] in text
        assert f"Game {about}: {told[about]}" not in text
    anna.writes(f"{second}: K-S1", f"why L {first}")
    assert f"Game {first}: Your L is the Rocket 1" in anna.last.text


def test_a_line_that_names_two_games_is_done_in_neither(club: Club) -> None:
    anna, bert, first = begun(club)
    second = club.starts({"white": anna, "yellow": bert}, deal=DEAL)
    for line in (f"{second}: why L {first}", f"{second}: status {first}", f"game {first} resign {second}"):
        anna.writes(line)
        assert "this line names game" in anna.last.text, line
        assert anna.last.kind == "refusal"
    assert club.game(first).status == club.game(second).status == "playing"
