"""The game Confusion told in French: the book's sample game, and what the answers teach. Pages as in `stories`."""

from __future__ import annotations

from collections.abc import Callable

from referee.cli.demo import sample_game
from tests.support.playing import Club
from tests.transcripts.stories_in_french import DEAL, anne_and_bruno

SHOWN = (1, 2, 3, 14, 15, 16, 20, 21, 73, 74, 75, 76)
"""The attempts of the sample game that are shown."""


def partie_en_francais(club: Club) -> None:
    """La partie d'exemple du livre

    Les premiers tours, la prise de Z, une promotion et une capture, puis la fin : Blanc tient Z sur la première rangée
    de Jaune, qui n'a plus qu'un essai. Le reste de la partie n'est pas sur cette page.
    """
    sample = sample_game()
    blanche, jean = club.person("Blanche"), club.person("Jean", "jean@example.com")
    for who in (blanche, jean):
        who.writes(f"register {who.name} fr")
    club.exchanges.clear()
    club.starts({"white": blanche, "yellow": jean}, first=sample.first, deal=sample.deal)
    begun = len(club.exchanges)
    moves = {seat: list(texts) for seat, texts in sample.moves.items()}
    seats = {"white": blanche, "yellow": jean}
    seat = sample.first
    while moves[seat]:
        seats[seat].replies(moves[seat].pop(0))
        seat = "yellow" if seat == "white" else "white"
    played = club.exchanges[begun:]
    del club.exchanges[begun:]
    club.exchanges.extend(played[attempt - 1] for attempt in SHOWN)


def les_fiches_et_pourquoi(club: Club) -> None:
    """Les fiches et le mot pourquoi

    Anne lit ses fiches en liste, Bruno les voit en image ; `pourquoi` apporte les réponses derrière une ligne, et une
    partie sans fiches n'en dit rien.
    """
    anne, bruno, game = anne_and_bruno(club)
    anne.replies("régler fiches liste", "L-S4")
    bruno.replies("régler fiches image", "C-N2", to=bruno.last_about(game))
    anne.replies("pourquoi L", to=anne.last_about(game))
    anne.replies("L-S3", to=anne.last_about(game))
    bruno.replies("C-NE2", to=bruno.last_about(game))
    anne.replies("pourquoi jaune C", to=anne.last_about(game))
    anne.replies("pourquoi A", "pourquoi W", "pourquoi Z", to=anne.last_about(game))
    anne.replies("aide confusion")
    other = club.starts({"white": bruno, "yellow": anne}, deal=DEAL, sheets="off")
    bruno.replies("L-S1", "pourquoi L", to=bruno.last_about(other))


CONFUSION_IN_FRENCH: tuple[Callable[[Club], None], ...] = (partie_en_francais, les_fiches_et_pourquoi)
