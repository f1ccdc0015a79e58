"""A game that Anna and Bert have begun, with the deal of the book's sample game, and what is looked at in it."""

from __future__ import annotations

from tests.support.playing import Club, Correspondent, Delivered, once

DEAL = "White=A6 C8 E10 H11 K2 L1 N3 O9 P7 S5 T12 V4; Yellow=A4 C8 E12 H11 K10 L2 N1 O3 P7 S6 T5 V9"


@once
def begun(club: Club) -> tuple[Correspondent, Correspondent, int]:
    """Seat Anna on white, who begins, and Bert on yellow."""
    anna, bert = club.member("Anna"), club.member("Bert")
    return anna, bert, club.starts({"white": anna, "yellow": bert}, deal=DEAL)


@once
def member(club: Club, name: str, address: str = "") -> Correspondent:
    """Return somebody who is registered."""
    return club.member(name, address)


@once
def game_of(club: Club, white: str, yellow: str) -> int:
    """Start a game between two members, by their addresses."""
    return club.starts({"white": club.reader(white), "yellow": club.reader(yellow)})


def said(letter: Delivered) -> str:
    """Return a letter's text on one line."""
    return " ".join(letter.text.split())


def tried(club: Club, game: int) -> list[str]:
    """Return the attempts of a game, oldest first."""
    return [each.facts["text"] for each in club.game(game).happenings if each.code == "attempted"]
