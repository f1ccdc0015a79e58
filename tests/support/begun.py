"""A game that Anna and Bert have begun, with the deal of the book's sample game, and what is looked at in it."""

from __future__ import annotations

from tests.support.playing import Club, Correspondent, Delivered

DEAL = "White=A6 C8 E10 H11 K2 L1 N3 O9 P7 S5 T12 V4; Yellow=A4 C8 E12 H11 K10 L2 N1 O3 P7 S6 T5 V9"


def begun(club: Club) -> tuple[Correspondent, Correspondent, int]:
    """Seat Anna on white, who begins, and Bert on yellow."""
    game = club.begins(_begin)
    return club.reader("anna@example.net"), club.reader("bert@example.net"), game


def _begin(club: Club) -> int:
    return club.starts({"white": club.member("Anna"), "yellow": club.member("Bert")}, deal=DEAL)


def said(letter: Delivered) -> str:
    """Return a letter's text on one line."""
    return " ".join(letter.text.split())


def tried(club: Club, game: int) -> list[str]:
    """Return the attempts of a game, oldest first."""
    return [each.facts["text"] for each in club.game(game).happenings if each.code == "attempted"]
