"""What a letter about a game of spies says first, and what it says of the rules, agrees with how the game is played."""

from __future__ import annotations

import re
from datetime import timedelta
from itertools import product

import pytest

from referee.rulebooks.catalogue import RULEBOOKS
from tests.support.begun import said
from tests.support.playing import Club, Delivered
from tests.transcripts.stories_of_spies import ALL_TOKENS, anna_and_bert, rounds

A_SET_UP = "setup A3-2 C4-2 E5-2 H7-2 K8-2 L9-2 N3-1 O4-1 P5-1 S7-1 T8-1 V9-1 X6-1"
VARIANTS = list(product(("off", "on"), repeat=2))


def brief(letter: Delivered) -> str:
    """Return the rules in brief that a letter brings."""
    _, text = letter.text.replace("\r\n", "\n").split("\n\nSPIES IN BRIEF\n")
    return " ".join(text.partition("\n\nHOW THE TYPES MOVE")[0].split())


def agrees(text: str, honour: str, late: str) -> None:
    if honour == "on":
        assert "twelve spies" in text and "double agent" not in text and "thirteen" not in text
        assert "asked" not in text
    else:
        assert "thirteen spies" in text and "double agent" in text
    if late == "on":
        assert "as soon as" not in text
        assert "and is neither captured nor removed in the turn after" in text
    else:
        assert "as soon as a spy of yours stands with it" in text and "in the turn after" not in text


@pytest.mark.parametrize(("honour", "late"), VARIANTS)
def test_the_rules_in_brief_are_those_of_the_game(club: Club, honour: str, late: str) -> None:
    """In the invitation, in both first letters, and in what comes in a letter without a board."""
    anna, bert = club.member("Anna"), club.member("Bert")
    options = f"option code-of-honour={honour} option late-contact={late}"
    anna.writes(f"challenge Bert spies option colour=red option first=red {options}")
    agrees(brief(bert.last), honour, late)
    bert.replies("accept")
    for who in (anna, bert):
        agrees(brief(who.last_about(1)), honour, late)


def test_the_help_page_speaks_of_the_game_without_variants(club: Club) -> None:
    anna = club.member("Anna")
    agrees(said(anna.writes("help spies").only).partition("WRITING A MOVE")[0], "off", "off")


def test_a_report_that_asks_for_the_next_move_says_so_in_its_subject(club: Club) -> None:
    """As the umpire's letters do, and as the letter itself begins."""
    anna, bert, game = anna_and_bert(club, **{"variable-setup": "on"})
    bert.replies(A_SET_UP, to=bert.last_about(game))
    sent = anna.replies(A_SET_UP, to=anna.last_about(game)).sent
    (own,) = (each for each in sent if each.recipient == anna.address)
    assert said(own).startswith("Your move, turn 1.")
    assert "[accepted, your move 1]" in own["Subject"]


def test_what_wins_the_game_stands_before_all_else(club: Club) -> None:
    """Whoever is to move reads first, and in the subject, that his order is the last; and at last that it was void."""
    anna, bert, game = anna_and_bert(club)
    for mine, his in (("K-NW2", "A-S1"), ("K-N2xZ", "A-S1"), ("KZ-N2", "A-S1"), ("KZ-N2", "A-S1")):
        rounds(game, (anna, mine), (bert, his))
    anna.replies("KZ-N1", to=anna.last_about(game))
    told = bert.last_about(game)
    assert said(told).startswith(
        "Red has brought the briefcase across. Your next order, whatever it says, ends the game."
    )
    assert "[the game is decided, your move 5]" in told["Subject"]
    ended = bert.replies("A-S1", to=told)
    own, others = (next(each for each in ended.sent if each.recipient == who.address) for who in (bert, anna))
    assert said(own).startswith("Red (Anna) has won by bringing the briefcase to the far rank.")
    assert "Your order A-S1 is void." in said(own)
    assert "is void." not in said(others)


def test_what_a_spy_was_refused_is_not_proposed_again(club: Club) -> None:
    anna, bert, game = anna_and_bert(club)
    refused: set[str] = set()
    for _ in range(3):
        proposed = anna.last_about(game).text.replace("\r\n", "\n").split("FOR EXAMPLE\n")[1].split("\n")[0]
        assert proposed not in refused
        rounds(game, (anna, proposed), (bert, "L-S1"))
        if f"{proposed}: no." in said(anna.last_about(game)):
            refused.add(proposed)


def test_that_it_is_still_his_move_is_said_once(club: Club) -> None:
    anna, _, _ = anna_and_bert(club, **{"tokens.red": ALL_TOKENS["tokens.red"]})
    letter = said(anna.replies("L<>N", "N-N4").only).partition("Reply with")[0]
    assert letter.lower().count("still your move") == 1
    assert letter.count("nobody else") == 1


def test_whose_time_is_up_is_said_with_what_follows_from_it(club: Club) -> None:
    anna, _, game = anna_and_bert(club, time="2d/move", lapse="soft")
    rounds(game, (anna, "E-N3"))
    club.posts()
    club.looks_at_clocks()
    club.waits(timedelta(days=3))
    club.looks_at_clocks()
    letter = said(anna.last_about(game))
    assert letter.startswith("White's time is up: write claim time and you have won. E-N3: no.")


def test_who_registers_hears_of_every_game_of_the_house(club: Club) -> None:
    anna = club.person("Anna")
    letter = said(anna.writes("register Anna").only)
    for rulebook in RULEBOOKS:
        assert f"{rulebook.name}: {rulebook.title}" in letter


def test_the_other_words_of_a_game_of_spies_are_among_the_other_words(club: Club) -> None:
    for honour, words in (("off", "press, preview, agent."), ("on", "press, preview.")):
        anna, _, game = anna_and_bert(club, deal="", **{"code-of-honour": honour})
        assert words in said(anna.last_about(game))


def test_what_is_wrong_with_a_set_up_stands_a_line_each(club: Club) -> None:
    anna, _, game = anna_and_bert(club, **{"variable-setup": "on"})
    letter = anna.replies("setup A1-1 A2-1 E3-3 H4-1 K4-1", to=anna.last_about(game)).only
    lines = letter.text.split("\r\n")
    for slip in ("A is placed twice.", "H and K stand on the same square, 4-1."):
        assert slip in lines
    assert "No file has spies on both ranks; at least 4 must." in lines
    one = anna.replies(A_SET_UP.replace("A3-2", "A3-3"), to=anna.last_about(game)).only
    assert "this set-up cannot be: only ranks 1 and 2 are one's own, not those of A3-3." in said(one)


def test_who_has_lost_but_one_type_to_a_spy_that_is_known_is_told_of_in_one_line(club: Club) -> None:
    anna, _, game = anna_and_bert(club, **ALL_TOKENS)
    anna.replies("?C", to=anna.last_about(game))
    sheet = anna.replies("status", to=anna.last_about(game)).only.text.split("YOUR DOSSIER")[1]
    lines = sheet.partition("WHITE'S DOSSIER")[0].replace("\r\n", "\n").split("\n")
    assert " C  8 Wimp" in lines
    assert "A, E, H, K, L, N, O, P, S, T, V, X: anything but Wimp 8." in lines
    assert len([line for line in lines if line.startswith(" ")]) == 1
    page = anna.last.parts
    assert any(
        "anything but" in part.get_content() for part in page if part.get_content_type() == "text/html"
    )
    asked = said(anna.replies("why A", to=anna.last_about(game)).only)
    assert "equally likely." in asked and "%" not in asked


def test_no_table_of_a_page_touches_what_stands_below_it(club: Club) -> None:
    """Every table of a letter leaves room below itself, also where a game is over."""
    anna, bert, game = anna_and_bert(club)
    rounds(game, (anna, "K-NW2"), (bert, "A-S1"), (anna, "resign"))
    for letter in (*anna.letters, *bert.letters):
        for part in letter.parts:
            if part.get_content_type() == "text/html":
                for table in re.findall(r"<table class=.[gs]. [^>]*>", part.get_content()):
                    assert re.search(r"margin:0 0 1\dpx", table) or 'class="s"' in table, table
