"""Stories of officers who act in the games of their events by letter, in both languages. Pages as in `stories`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from referee.games import umpire_actions
from referee.games.tournaments.tournament import Competition
from referee.rulebooks.rulebook import Seat
from referee.service.tournaments import TournamentService
from tests.support.playing import Club, Correspondent

A_DAY = timedelta(days=1)
DEAL = "White=A6 C8 E10 H11 K2 L1 N3 O9 P7 S5 T12 V4; Yellow=A4 C8 E12 H11 K10 L2 N1 O3 P7 S6 T5 V9"


def _event(
    club: Club, name: str, people: tuple[str, ...], language: str = "", watchers: str = "off"
) -> tuple[Correspondent, ...]:
    """Register people, and make an event of seven days a move: the third of them is its umpire, the fourth the
    deputy."""
    found = tuple(club.person(each) for each in people)
    for who in found:
        who.writes(f"register {who.name} {language}".strip())
    secretary = TournamentService(club.store, club.service, club.clock, club.draws)
    secretary.make(Competition(name, rules=("confusion",), time="7d/move", press="off", watchers=watchers))
    secretary.appoint(name, "umpire", ("", found[2].address))
    secretary.appoint(name, "deputy", ("", found[3].address))
    club.collect()
    return found


def an_umpire_stops_the_clocks(club: Club) -> None:
    """An umpire stops the clocks

    Olga umpires an event. By `umpire pause` and `umpire resume` she stops the clocks of a game and lets them run again,
    by `umpire add` she gives a player time, or everybody in the event. She is shown first what would follow, and it is
    done when she confirms it.
    """
    anna, bert, olga, _ = _event(club, "Spring League", ("Anna", "Bert", "Olga", "Dora"))
    game = club.starts({"white": anna, "yellow": bert}, deal=DEAL, event="Spring League")
    club.starts({"white": bert, "yellow": anna}, deal=DEAL, event="Spring League")
    club.exchanges.clear()
    olga.writes(f"umpire pause {game} until 2025-12-20: The club is closed.")
    olga.writes(f"umpire pause {game} until 2026-12-20: The club is closed.")
    olga.replies("confirm")
    anna.replies("L-S2", to=anna.last_about(game))
    olga.writes(f"umpire add {game} Yellow 3d: Bert was in hospital, as his", "brother has written.")
    olga.replies("confirm")
    olga.replies("confirm", to=olga.letters[-2])
    club.later(30 * A_DAY)
    olga.writes(f"umpire pause {game}: Bert's mail host is down.")
    olga.replies("confirm")
    olga.writes(f"umpire resume {game}: It takes letters again.")
    olga.replies("confirm")
    olga.writes("umpire pause Spring League: The service moves house.")
    olga.replies("confirm")
    club.referee.jobs.go_on_with_errands()
    club.noted("The service does it, game by game.")


def an_umpire_sets_a_game_right(club: Club) -> None:
    """An umpire sets a game right

    By `umpire take back` a game goes on from an earlier turn, by `umpire correct` another move takes the place of one,
    and by `umpire restore` what was taken back stands again. By `umpire act` a move is made in a side's name, and by
    `umpire rule` something is ruled in words. Where the game has gone on meanwhile, what would follow is shown anew.
    """
    anna, bert, olga, _ = _event(club, "Spring League", ("Anna", "Bert", "Olga", "Dora"))
    game = club.starts({"white": anna, "yellow": bert}, deal=DEAL, event="Spring League")
    anna.replies("L-S2", to=anna.last_about(game))
    bert.replies("C-N2", to=bert.last_about(game))
    club.exchanges.clear()
    olga.writes(f"umpire take back {game} to 1 White: Anna's letter said L-S1.")
    anna.replies("L-S1", to=anna.last_about(game))
    olga.replies("confirm")
    olga.replies("confirm")
    anna.replies("K-S1", to=anna.last_about(game))
    olga.writes(f"umpire restore {game}: It was read rightly, as the letter shows.")
    olga.replies("confirm")
    olga.writes(f"umpire act {game} Yellow A-N1: Bert's mail host is down, and he has telephoned.")
    olga.replies("confirm")
    olga.writes(f"umpire correct {game} A-N2: I had heard A-N1.", subject=f"[game {game}]")
    olga.replies("confirm")
    olga.writes(f"umpire rule {game}: Moves by telephone are an exception.", "Please write.")
    olga.replies("confirm")
    bert.replies("record", to=bert.last_about(game))


def another_player_takes_a_seat(club: Club) -> None:
    """Another player takes a seat

    Bert does not write any more, and by `umpire replace` Carl plays in his place: his first letter says all that the
    seat has learned, and Bert hears no more of the game. Another game is ended by `umpire adjudicate`, one by `umpire
    close`.
    """
    anna, bert, olga, _, carl = _event(club, "Spring League", ("Anna", "Bert", "Olga", "Dora", "Carl"))
    game = club.starts({"white": anna, "yellow": bert}, deal=DEAL, event="Spring League")
    second = club.starts({"white": bert, "yellow": anna}, deal=DEAL, event="Spring League")
    third = club.starts({"white": bert, "yellow": carl}, deal=DEAL, event="Spring League")
    anna.replies("L-S2", to=anna.last_about(game))
    bert.replies("A-N1", "diary K is a King, I think.", to=bert.last_about(game))
    anna.replies("K-S1", to=anna.last_about(game))
    club.exchanges.clear()
    olga.writes(f"umpire replace {game} Yellow Karl: Bert does not answer.")
    olga.writes(f"umpire replace {game} Yellow Carl: Bert does not answer.")
    olga.replies("confirm")
    bert.replies("A-N1", "status", to=bert.last_about(game))
    carl.replies("A-N1", to=carl.last_about(game))
    olga.writes(f"umpire adjudicate {second} yellow: White does not answer.")
    olga.replies("confirm")
    olga.writes(f"umpire close {third}: It was begun by mistake.")
    olga.replies("confirm")


def who_may_umpire(club: Club) -> None:
    """Who may umpire

    A player who writes as umpire, the umpire of another event, a deputy while the umpire is there, an umpire in a game
    of her own, a game that is not there: each has one answer. A letter that nobody vouches for does nothing.
    """
    anna, bert, olga, dora, eve = _event(club, "Spring League", ("Anna", "Bert", "Olga", "Dora", "Eve"))
    secretary = TournamentService(club.store, club.service, club.clock, club.draws)
    secretary.make(Competition("Club Cup", rules=("confusion",)))
    secretary.appoint("Club Cup", "umpire", ("", eve.address))
    game = club.starts({"white": anna, "yellow": bert}, deal=DEAL, event="Spring League")
    own = club.starts({"white": olga, "yellow": dora}, deal=DEAL, event="Spring League")
    club.exchanges.clear()
    anna.writes(f"umpire close {game}: I do not like it.")
    eve.writes(f"umpire pause {game}: It is Easter.")
    eve.writes("umpire pause 99: It is Easter.")
    dora.writes(f"umpire pause {game}: It is Easter.")
    dora.writes(f"umpire pause {own}: It is Easter.")
    olga.writes(f"umpire pause {own}: It is Easter.")
    olga.writes(f"umpire pause {game}", f"umpire pawse {game}: It is Easter.", "umpire pause: It is Easter.")
    olga.writes(f"umpire close {game}: By mistake.", vouched=False)
    olga.replies("confirm")
    asked = olga.writes(f"umpire close {game}: By mistake.").only
    dora.replies("confirm", to=asked)
    olga.replies("Let me think about it.", to=asked)


def an_umpire_at_the_command_line(club: Club) -> None:
    """An umpire at the command line

    Whoever runs the service acts by `referee umpire`, first as a trial: it is said who would be told what. Here the
    clocks of a game are stopped, and a player is replaced by somebody who was not registered before.
    """
    anna, bert, *_ = _event(club, "Spring League", ("Anna", "Bert", "Olga", "Dora"))
    game = club.starts({"white": anna, "yellow": bert}, deal=DEAL, event="Spring League")
    club.exchanges.clear()
    club.referee.umpire.act(game, umpire_actions.Pause(), "The mail host of White is down.")
    club.noted(f'`referee umpire pause {game} --reason "The mail host of White is down." --do`')
    club.referee.umpire.act(game, umpire_actions.ActFor(Seat("white"), "L-S2"), "White has telephoned it.")
    club.noted(f'`referee umpire act {game} white L-S2 --reason "White has telephoned it." --do`')
    carl = club.person("Carl")
    club.referee.umpire.replace_player(game, Seat("white"), ("Carl", carl.address), "Anna's mailbox is gone.")
    club.noted(
        f'`referee umpire replace {game} white "Carl <{carl.address}>" --reason "Anna\'s mailbox is gone." --do`'
    )


def what_an_umpire_sees(club: Club) -> None:
    """What an umpire sees of a game

    Olga has stopped the clocks of a game. By `status` and `record` she sees it as far as it is public, and Eve, who
    begins to watch it now, is told what holds. Carl, who has no office, sees nothing. The game is frozen by whoever
    runs the service: Olga is told who lets it go on.
    """
    people = ("Anna", "Bert", "Olga", "Dora", "Carl", "Eve")
    anna, bert, olga, _, carl, eve = _event(club, "Spring League", people, watchers="on")
    game = club.starts({"white": anna, "yellow": bert}, deal=DEAL, event="Spring League")
    anna.replies("L-S2", to=anna.last_about(game))
    for line in (f"pause {game}: The club is closed.", f"add {game} Yellow 3d: Bert was ill."):
        olga.writes(f"umpire {line}")
        olga.replies("confirm")
    club.exchanges.clear()
    olga.writes(f"status {game}")
    olga.replies("record")
    carl.writes(f"status {game}")
    eve.writes(f"watch {game}")
    club.referee.umpire.freeze(game, "The deal is being checked.")
    club.noted(f'`referee freeze {game} --reason "The deal is being checked."`')
    olga.writes(f"umpire thaw {game}", f"umpire freeze {game}: It is not well.")
    olga.writes(f"umpire resume {game}: The club is open.")
    olga.replies("confirm")
    olga.writes(f"umpire resume {game}: It is open, I said.")


def un_arbitre_arrete_les_pendules(club: Club) -> None:
    """Un arbitre arrête les pendules

    Odile arbitre un tournoi. Par `arbitre pause` et `arbitre reprendre`, elle arrête les pendules d'une partie et les
    remet en marche, par `arbitre ajouter` elle donne du temps. On lui montre d'abord ce qui s'ensuivrait, et c'est fait
    quand elle le confirme.
    """
    people = ("Anne", "Bruno", "Odile", "Denis")
    anne, bruno, odile, _ = _event(club, "Ligue de printemps", people, "fr")
    game = club.starts({"white": anne, "yellow": bruno}, deal=DEAL, event="Ligue de printemps")
    club.exchanges.clear()
    odile.writes(f"arbitre pause {game} jusqu'au 2025-12-20 : Le club est fermé.")
    odile.writes(f"arbitre pause {game} jusqu'au 2026-12-20 : Le club est fermé.")
    odile.replies("confirmer")
    odile.writes(f"arbitre reprendre {game} : Le club est ouvert.")
    odile.replies("confirmer")
    odile.writes(f"arbitre ajouter {game} Blanc 3j : Anne était malade.")
    odile.replies("confirmer")
    odile.writes("arbitre pause Ligue de printemps : Le service déménage.")
    odile.replies("confirmer")
    club.referee.jobs.go_on_with_errands()
    club.noted("Le service le fait, partie par partie.")


def un_arbitre_corrige_une_partie(club: Club) -> None:
    """Un arbitre remet une partie en ordre

    Par `arbitre revenir`, une partie continue plus haut ; par `arbitre corriger`, un autre coup prend la place d'un
    coup ; par `arbitre rétablir`, ce qui avait été repris vaut de nouveau. Par `arbitre jouer`, un coup est joué au nom
    d'un camp, et par `arbitre décider` quelque chose est décidé en paroles.
    """
    people = ("Anne", "Bruno", "Odile", "Denis")
    anne, bruno, odile, _ = _event(club, "Ligue de printemps", people, "fr")
    game = club.starts({"white": anne, "yellow": bruno}, deal=DEAL, event="Ligue de printemps")
    anne.replies("L-S2", to=anne.last_about(game))
    club.exchanges.clear()
    odile.writes(f"arbitre revenir {game} au 1 Blanc : La lettre disait L-S1.")
    odile.replies("confirmer")
    anne.replies("K-S1", to=anne.last_about(game))
    odile.writes(f"arbitre rétablir {game} : Elle disait bien L-S2.")
    odile.replies("confirmer")
    odile.writes(f"arbitre jouer {game} Jaune A-N1 : Bruno a téléphoné.")
    odile.replies("confirmer")
    odile.writes(f"arbitre corriger {game} A-N2 : J'avais compris A-N1.")
    odile.replies("confirmer")
    odile.writes(f"arbitre décider {game} : Le téléphone reste une exception.")
    odile.replies("confirmer")
    anne.replies("feuille", to=anne.last_about(game))


def quelqu_un_prend_la_place(club: Club) -> None:
    """Quelqu'un d'autre prend la place

    Bruno n'écrit plus, et par `arbitre remplacer` Carole joue à sa place. Une autre partie finit par `arbitre juger`,
    une autre par `arbitre clore`. Anne, qui n'a pas de fonction, n'arbitre rien.
    """
    people = ("Anne", "Bruno", "Odile", "Denis", "Carole")
    anne, bruno, odile, denis, carole = _event(club, "Ligue de printemps", people, "fr")
    game = club.starts({"white": anne, "yellow": bruno}, deal=DEAL, event="Ligue de printemps")
    second = club.starts({"white": bruno, "yellow": anne}, deal=DEAL, event="Ligue de printemps")
    third = club.starts({"white": bruno, "yellow": carole}, deal=DEAL, event="Ligue de printemps")
    anne.replies("L-S2", to=anne.last_about(game))
    club.exchanges.clear()
    anne.writes(f"arbitre clore {game} : Je n'aime pas cette partie.")
    denis.writes(f"arbitre pause {game} : C'est Pâques.")
    odile.writes(f"arbitre remplacer {game} Jaune Carole : Bruno ne répond plus.")
    odile.replies("confirmer")
    bruno.replies("état", to=bruno.last_about(game))
    odile.writes(f"arbitre juger {second} jaune : Blanc ne répond plus.")
    odile.replies("confirmer")
    odile.writes(f"arbitre clore {third} : Commencée par erreur.")
    odile.replies("confirmer")


def ce_que_voit_un_arbitre(club: Club) -> None:
    """Ce que voit un arbitre d'une partie

    Odile a arrêté les pendules d'une partie. Par `état` et `feuille`, elle en voit ce qui est public, et Ève, qui la
    suit désormais, apprend ce qui vaut. Denis, qui joue une partie du tournoi, voit la sienne de sa place. Une partie
    suspendue ne reprend que par le responsable du service.
    """
    people = ("Anne", "Bruno", "Odile", "Denis", "Ève")
    anne, bruno, odile, denis, eve = _event(club, "Ligue de printemps", people, "fr", watchers="on")
    game = club.starts({"white": anne, "yellow": bruno}, deal=DEAL, event="Ligue de printemps")
    own = club.starts({"white": denis, "yellow": bruno}, deal=DEAL, event="Ligue de printemps")
    anne.replies("L-S2", to=anne.last_about(game))
    for line in (f"pause {game} : Le club est fermé.", f"ajouter {game} Jaune 3j : Bruno était malade."):
        odile.writes(f"arbitre {line}")
        odile.replies("confirmer")
    odile.writes(f"arbitre décider {game} : Le téléphone reste une exception.")
    odile.replies("confirmer")
    club.exchanges.clear()
    odile.writes(f"état {game}")
    odile.replies("feuille")
    denis.writes(f"état {own}")
    eve.writes(f"suivre {game}")
    club.referee.umpire.freeze(game, "La donne est vérifiée.")
    club.noted(f'`referee freeze {game} --reason "La donne est vérifiée."`')
    odile.writes(f"arbitre dégeler {game}")
    odile.writes(f"arbitre reprendre {game} : Le club est ouvert.")
    odile.replies("confirmer")
    odile.writes(f"arbitre reprendre {game} : Il est ouvert, ai-je dit.")


UMPIRES: tuple[Callable[[Club], None], ...] = (
    an_umpire_stops_the_clocks,
    an_umpire_sets_a_game_right,
    another_player_takes_a_seat,
    who_may_umpire,
    what_an_umpire_sees,
    an_umpire_at_the_command_line,
)
UMPIRES_IN_FRENCH: tuple[Callable[[Club], None], ...] = (
    un_arbitre_arrete_les_pendules,
    un_arbitre_corrige_une_partie,
    quelqu_un_prend_la_place,
    ce_que_voit_un_arbitre,
)
