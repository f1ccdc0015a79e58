"""Stories of claims that an umpire rules on, and of appeals, in both languages. Pages as in `stories`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from referee.games.tournaments.officers import Office
from referee.games.tournaments.tournament import Competition
from referee.service.tournaments import TournamentService
from tests.support.playing import Club, Correspondent

DEAL = "White=A6 C8 E10 H11 K2 L1 N3 O9 P7 S5 T12 V4; Yellow=A4 C8 E12 H11 K10 L2 N1 O3 P7 S6 T5 V9"


def _event(club: Club, name: str, people: tuple[str, ...], language: str = "") -> tuple[Correspondent, ...]:
    """Register two players, an umpire, and an officer for appeals; make an event with them."""
    found = tuple(club.person(each) for each in people)
    for who in found:
        who.writes(f"register {who.name} {language}".strip())
    secretary = TournamentService(club.store, club.service, club.clock, club.draws)
    secretary.make(Competition(name, rules=("confusion",), time="7d/move"))
    offices: tuple[Office, Office] = ("umpire", "appeals")
    for office, who in zip(offices, found[2:], strict=True):
        secretary.appoint(name, office, ("", who.address))
    club.collect()
    return found


def a_claim_that_is_ruled_on(club: Club) -> None:
    """A claim that is ruled on, and an appeal

    Bert's `claim` goes to Ulla, who umpires the event, with the letters of the game and how it stood. She rules by
    `umpire rule`, is shown first what follows, and Bert alone is told. By `appeal` he brings it before Olga, whose
    ruling is final. When Ulla then corrects the move, both players hear of it, and Anna appeals against that.
    """
    anna, bert, ulla, olga = _event(club, "Spring League", ("Anna", "Bert", "Ulla", "Olga"))
    game = club.starts({"white": anna, "yellow": bert}, deal=DEAL, event="Spring League")
    club.posts()
    club.looks_at_clocks()
    club.exchanges.clear()
    anna.replies("L-S2", to=anna.last_about(game))
    club.posts()
    bert.replies(
        "claim Anna wrote to me that she had meant L-S1. Should that",
        "not stand in the place of L-S2?",
        to=bert.last_about(game),
    )
    ulla.replies("umpire rule 1/2 rejected: What was sent counts, whatever was meant.")
    ulla.replies("confirm")
    bert.replies("appeal 1/2 Her letter shows it: it says S1 further down.", to=bert.last_about(game))
    olga.replies(
        "umpire rule 1/2 upheld: Both lines stand in her letter, and", "the later one was overlooked."
    )
    olga.replies("confirm")
    ulla.writes("umpire correct 1 L-S1: Both lines stand in Anna's letter, case 1/2.")
    ulla.replies("confirm")
    anna.replies("appeal 1 I took the later one back.", to=anna.last_about(game))
    olga.replies("umpire rule 1/1 rejected: The letter does not say so.")
    olga.replies("confirm")
    bert.replies("appeal 1 act 1 My time should be given back, too.", to=bert.last_about(game))
    bert.replies("appeal 1 2026-11-27 And Anna's.", to=bert.last_about(game))


def rulings_that_are_not_theirs(club: Club) -> None:
    """Rulings and appeals that are not theirs

    Who may rule on a claim, and who may appeal: an umpire of another event, a player, the officer for appeals at first,
    the umpire on an appeal against herself; and whoever brought nothing, appeals twice or too late.
    """
    anna, bert, ulla, olga = _event(club, "Spring League", ("Anna", "Bert", "Ulla", "Olga"))
    carl = club.member("Carl")
    secretary = TournamentService(club.store, club.service, club.clock, club.draws)
    secretary.make(Competition("Cup", rules=("confusion",)))
    secretary.appoint("Cup", "umpire", ("", carl.address))
    club.collect()
    game = club.starts({"white": anna, "yellow": bert}, deal=DEAL, event="Spring League")
    anna.replies("L-S2", to=anna.last_about(game))
    club.exchanges.clear()
    bert.replies("claim The answer to L-S2 cannot be right.", to=bert.last_about(game))
    bert.replies("appeal 1/2 I cannot wait.", to=bert.last_about(game))
    carl.writes("umpire rule 1/2 upheld: Of course.")
    anna.writes("umpire rule 1/2 rejected: Of course not.")
    olga.writes("umpire rule 1/2 upheld: It seems so.")
    ulla.writes("umpire rule 1/4 upheld: It seems so.")
    ulla.writes("umpire rule 1/2 rejected: It can be.")
    ulla.replies("confirm")
    ulla.writes("umpire rule 1/2 upheld: Or can it?")
    anna.writes("appeal 1/2 I object.", "", "appeal 1/8 I object.")
    bert.writes("appeal I do not think so.")
    ulla.writes("umpire rule 1/2 rejected: It can be.")
    bert.writes("appeal 1/2 Nor does Carl.")
    bert.writes("claim And who looks after the clocks?")
    ulla.writes("umpire rule 1/4 rejected: Nobody; time is counted.")
    ulla.replies("confirm")
    club.later(timedelta(days=15))
    bert.writes("appeal 1/4 Somebody should.")


def une_reclamation_jugee(club: Club) -> None:
    """Une réclamation jugée, et un appel

    La `réclamation` de Bruno va à Ursule, qui arbitre le tournoi. Elle décide par `arbitre décider`, voit d'abord ce
    qui s'ensuit, et Bruno seul l'apprend. Par `appel` il la soumet à Odile, dont la décision est définitive.
    """
    alice, bruno, ursule, odile = _event(club, "Coupe", ("Alice", "Bruno", "Ursule", "Odile"), "fr")
    game = club.starts({"white": alice, "yellow": bruno}, deal=DEAL, event="Coupe")
    club.posts()
    club.looks_at_clocks()
    club.exchanges.clear()
    alice.replies("L-S2", to=alice.last_about(game))
    club.posts()
    bruno.replies("réclamation La réponse à L-S2 ne peut pas être juste.", to=bruno.last_about(game))
    bruno.replies("appel 1/2 C'est long.", to=bruno.last_about(game))
    ursule.writes("arbitre décider 1/2 rejetée : Voir la règle CF-5.6.")
    ursule.replies("confirmer")
    bruno.replies("appel Mon H l'a pourtant vu.", to=bruno.last_about(game))
    ursule.writes("arbitre décider 1/2 rejetée : Je l'ai déjà dit.")
    odile.writes("arbitre décider 1/2 fondée : La réponse est juste,", "mais la question était bonne.")
    odile.replies("confirmer")
    bruno.replies("appel 1/2 Et encore ?", to=bruno.last_about(game))
    ursule.writes(f"arbitre ajouter {game} jaune 2j : Pour la peine.")
    ursule.replies("confirmer")
    alice.replies(f"appel {game} acte 1 Et moi ?", to=alice.last_about(game))
    bruno.replies(f"appel {game} 2026-11-27 Deux jours, c'est trop.", to=bruno.last_about(game))


CASES: tuple[Callable[[Club], None], ...] = (a_claim_that_is_ruled_on, rulings_that_are_not_theirs)
CASES_IN_FRENCH: tuple[Callable[[Club], None], ...] = (une_reclamation_jugee,)
