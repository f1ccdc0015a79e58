"""Stories in French of games in which time is counted. Pages as in `stories`."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.playing import Club, Correspondent
from tests.transcripts.stories_in_french import DEAL
from tests.transcripts.stories_of_time import DAY, HOUR, clocks_start, passes


def anne_et_bruno(club: Club, time: str, lapse: str = "hard") -> tuple[Correspondent, Correspondent, int]:
    """Seat Anne on white, who begins, and Bruno on yellow, in a game with time control, before the story begins."""
    club.waits(2 * DAY)
    anne, bruno = club.person("Anne"), club.person("Bruno", "bruno@example.com")
    for who in (anne, bruno):
        who.writes(f"register {who.name} fr")
    game = club.starts({"white": anne, "yellow": bruno}, deal=DEAL, time=time, lapse=lapse)
    clocks_start(club)
    club.exchanges.clear()
    return anne, bruno, game


def du_temps_pour_chaque_coup(club: Club) -> None:
    """Du temps pour chaque coup

    Anne invite Bruno avec `option temps=7j/coup`, et il répond par moins. Chaque lettre dit ensuite jusqu'à quand son
    lecteur a pour jouer, à sa propre heure aussi. On le lui rappelle, et quand son temps est écoulé, la partie est
    finie.
    """
    club.waits(2 * DAY)
    anne, bruno = club.person("Anne"), club.person("Bruno", "bruno@example.com")
    for who in (anne, bruno):
        who.writes(f"register {who.name} fr")
    bruno.writes("régler fuseau Paris")
    club.exchanges.clear()
    anne.writes("défier Bruno confusion option temps=7j/coup option couleur=blanc option premier=blanc")
    bruno.replies("accepter option temps=3j/coup option couleur=jaune option premier=blanc")
    anne.replies("accepter")
    clocks_start(club)
    club.waits(DAY)
    anne.replies("L-S2", to=anne.last_about(1))
    clocks_start(club)
    passes(club, DAY + HOUR, "Un jour a passé\u00a0: il reste moins de deux jours à Bruno.")
    passes(club, DAY, "Encore un jour a passé.")
    passes(club, DAY, "Les trois jours de Bruno sont écoulés.")


def d_autres_cadences(club: Club) -> None:
    """D'autres cadences

    Du temps pour dix coups, du temps au début et un peu plus après chaque coup, du temps pour toute la partie : une
    partie à `ouvrir` le dit, et la liste des parties aussi. Ce qui ne peut être voulu dire est renvoyé.
    """
    anne, bruno = club.person("Anne"), club.person("Bruno", "bruno@example.com")
    for who in (anne, bruno):
        who.writes(f"register {who.name} fr")
    club.exchanges.clear()
    anne.writes("ouvrir confusion option temps=40j/10")
    anne.writes("ouvrir confusion option temps=20j+2j,max30j option dépassement=souple")
    anne.writes(
        "ouvrir confusion option temps=5", "ouvrir confusion option temps=60j option dépassement=jamais"
    )
    bruno.writes("parties", "aide options")


def du_temps_reclame(club: Club) -> None:
    """Le temps que l'on réclame

    Avec `option dépassement=souple`, être en retard ne perd pas encore la partie : l'adversaire peut la terminer par
    `réclamation temps`, tant qu'aucun coup n'est venu.
    """
    _anne, bruno, game = anne_et_bruno(club, time="2d/move", lapse="soft")
    bruno.replies("réclamation temps", to=bruno.last_about(game))
    passes(club, 2 * DAY + HOUR, "Les deux jours d'Anne sont écoulés.")
    bruno.replies("réclamation temps", to=bruno.last_about(game))


def des_jours_d_absence(club: Club) -> None:
    """Des jours d'absence

    Avec `absence`, Anne prend des jours où son temps ne court pas, dans toutes ses parties ; Bruno en est averti.
    `absence non` rend ceux dont elle n'a pas besoin.
    """
    anne, _bruno, game = anne_et_bruno(club, time="5d/move")
    anne.writes("absence")
    anne.writes("absence du 2026-12-24 au 2027-01-02")
    anne.writes("absence 2026-11-29 2026-12-04", "absence 2026-12-01 2026-12-23")
    anne.writes("absence 2026-12-01 2026-12-03")
    club.waits(2 * DAY)
    anne.replies("L-S2", "absence non", to=anne.last_about(game))
    anne.writes("aide absence")


def une_pause(club: Club) -> None:
    """Une pause voulue des deux joueurs

    `pause` propose que le temps ne coure pas pendant un moment ; elle commence quand l'adversaire la veut aussi.
    `reprendre` y met fin, un jour plus tard.
    """
    anne, bruno, game = anne_et_bruno(club, time="5d/move")
    anne.replies("pause", to=anne.last_about(game))
    anne.writes(f"reprendre {game}", f"pause {game}")
    bruno.replies("pause", to=bruno.last_about(game))
    passes(club, 20 * DAY, "Vingt jours passent.")
    bruno.replies("état", "reprendre", to=bruno.last_about(game))
    anne.replies("aide pause", "aide reprendre", to=anne.last_about(game))


def des_echeances_dans_un_agenda(club: Club) -> None:
    """Des échéances dans un agenda

    Après `régler agenda oui`, chaque lettre qui dit à Anne jusqu'à quand elle a pour jouer apporte un fichier pour son
    agenda. Quand elle a joué, la suivante dit que rien n'est plus attendu.
    """
    anne, bruno, game = anne_et_bruno(club, time="5d/move")
    anne.writes("régler agenda oui")
    anne.replies("L-S2", to=anne.last_about(game))
    bruno.replies("C-N2", to=bruno.last_about(game))
    clocks_start(club)
    anne.writes("régler agenda non")


def une_panne(club: Club) -> None:
    """Une panne du service

    Pendant deux jours et demi, rien ne parvient à l'arbitre. Le temps de personne n'a couru : la lettre suivante dit
    jusqu'à quand Anne a désormais pour jouer.
    """
    _anne, _bruno, _game = anne_et_bruno(club, time="3d/move")
    club.waits(DAY)
    club.clock.at += 2 * DAY + 12 * HOUR
    passes(club, HOUR, "Deux jours et demi plus tard, le service est de retour.")


TIME_IN_FRENCH: tuple[Callable[[Club], None], ...] = (
    du_temps_pour_chaque_coup,
    d_autres_cadences,
    du_temps_reclame,
    des_jours_d_absence,
    une_pause,
    des_echeances_dans_un_agenda,
    une_panne,
)
