"""Stories of officers who look over the games of their events, in both languages."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from referee.games.tournaments.tournament import Competition
from referee.service.tournaments import TournamentService
from tests.support.playing import Club, Correspondent

A_DAY = timedelta(days=1)
DEAL = "White=A6 C8 E10 H11 K2 L1 N3 O9 P7 S5 T12 V4; Yellow=A4 C8 E12 H11 K10 L2 N1 O3 P7 S6 T5 V9"


def two_events(
    club: Club, people: tuple[str, str, str, str], events: tuple[str, str], language: str = ""
) -> tuple[Correspondent, Correspondent, Correspondent, Correspondent]:
    """Register four people, give the last offices in two events, and let games begin there; a day later one has moved.

    In the first event each has three days a move; the second counts no time. The officer plays a game of the first.
    """
    anna, bert, carl, olga = (club.person(name) for name in people)
    for who in (anna, bert, carl, olga):
        who.writes(f"register {who.name} {language}".strip())
    secretary = TournamentService(club.store, club.service, club.clock, club.draws)
    secretary.make(Competition(events[0], rules=("confusion",), time="3d/move", lapse="soft", leave=30))
    secretary.make(Competition(events[1], rules=("confusion",)))
    secretary.appoint(events[0], "umpire", ("", olga.address))
    secretary.appoint(events[1], "director", ("", olga.address))
    club.waits(2 * A_DAY)
    club.starts({"white": anna, "yellow": bert}, deal=DEAL, event=events[0])
    club.starts({"white": carl, "yellow": bert}, deal=DEAL, event=events[0])
    club.starts({"white": olga, "yellow": anna}, deal=DEAL, event=events[0])
    club.starts({"white": carl, "yellow": anna}, deal=DEAL, event=events[1])
    club.posts()
    club.looks_at_clocks()
    club.waits(A_DAY)
    anna.replies("L-S2", to=anna.last_about(1))
    club.posts()
    club.looks_at_clocks()
    return anna, bert, carl, olga


def an_overview(club: Club) -> None:
    """How the games of an event stand

    Olga umpires one event and directs another. `overview` shows her first what needs somebody, and then all other
    games; of the one that she plays herself she is told no more than any player. `set overview` brings it by itself.
    """
    anna, bert, _, olga = two_events(club, ("Anna", "Bert", "Carl", "Olga"), ("Spring League", "Club Cup"))
    club.exchanges.clear()
    bert.replies("draw", to=bert.last_about(2))
    club.referee.umpire.freeze(2, "A ruling is being checked.")
    club.noted("Game 2 is frozen by whoever runs the service.")
    olga.writes("overview")
    anna.writes("overview", "set overview daily")
    olga.writes("overview late")
    olga.writes("set zone Paris", "set overview daily", "set")
    club.posts()
    club.waits(2 * A_DAY)
    club.strikes("Evening comes in Paris.")
    club.waits(A_DAY + timedelta(hours=6))
    club.looks_at_clocks("Bert's time is up in game 1.")
    olga.writes("overview late Spring League", "overview Club Cup")
    olga.writes("overview Winter League", "set overview weekly")
    olga.writes("set overview off")


def un_tableau(club: Club) -> None:
    """Où en sont les parties d'un tournoi

    Odile arbitre un tournoi et en dirige un autre. `tableau` lui montre d'abord ce qui demande son attention, puis
    toutes les autres parties ; de celle qu'elle joue elle-même, elle n'apprend que ce que sait tout joueur.
    """
    people, events = ("Anne", "Bruno", "Carl", "Odile"), ("Ligue de printemps", "Coupe du club")
    anne, bruno, _, odile = two_events(club, people, events, "fr")
    club.exchanges.clear()
    bruno.replies("nulle", to=bruno.last_about(2))
    club.referee.umpire.freeze(2, "Une décision est à l'examen.")
    club.noted("La partie 2 est suspendue par le responsable du service.")
    odile.writes("tableau")
    anne.writes("tableau")
    odile.writes("tableau retard")
    odile.writes("régler tableau quotidien")
    club.posts()
    club.waits(2 * A_DAY)
    club.strikes("Le soir vient.")
    club.waits(A_DAY + timedelta(hours=6))
    club.looks_at_clocks("Dans la partie 1, le temps de Bruno est écoulé.")
    odile.writes("tableau retard Ligue de printemps", "tableau Coupe du club")
    odile.writes("tableau Ligue d'hiver", "régler tableau hebdomadaire", "régler")
    odile.writes("régler tableau non")


OVERVIEWS: tuple[Callable[[Club], None], ...] = (an_overview,)
OVERVIEWS_IN_FRENCH: tuple[Callable[[Club], None], ...] = (un_tableau,)
