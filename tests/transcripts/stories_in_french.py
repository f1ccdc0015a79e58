"""Stories of players who write and read French, some of them with somebody who does not. Pages as in `stories`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from tests.playing import Club, Correspondent

DEAL = "White=A6 C8 E10 H11 K2 L1 N3 O9 P7 S5 T12 V4; Yellow=A4 C8 E12 H11 K10 L2 N1 O3 P7 S6 T5 V9"


def in_french(club: Club) -> None:
    """Let the service write French to whoever has chosen nothing."""
    club.service = replace(club.service, language="fr")
    club.open_house()


def anne_and_bruno(club: Club) -> tuple[Correspondent, Correspondent, int]:
    """Seat Anne on white and Bruno on yellow, both with letters in French, before the story begins."""
    anne, bruno = club.person("Anne"), club.person("Bruno", "bruno@example.com")
    for who in (anne, bruno):
        who.writes(f"register {who.name} fr")
    game = club.starts({"white": anne, "yellow": bruno}, deal=DEAL)
    club.exchanges.clear()
    return anne, bruno, game


def deux_inconnus(club: Club) -> None:
    """Deux inconnus se trouvent

    Un service qui écrit en français : Anne s'inscrit et défie quelqu'un qui n'en a jamais entendu parler ; il relève le
    défi, ils jouent, elle abandonne.
    """
    in_french(club)
    anne, bruno = club.person("Anne"), club.person("Bruno", "bruno@example.com")
    anne.writes("Bonjour,", "qu'est-ce que c'est ?", subject="Bonjour")
    anne.replies("inscrire Anne", "", "Merci !")
    anne.replies("défier bruno@example.com confusion option colour=white option first=white")
    bruno.replies("J'accepte !", "", "Quelle bonne idée, merci.", "Bruno")
    anne.replies("L-S2")
    bruno.replies("inscrire Bruno", to=bruno.letters[1])
    bruno.replies("À nous deux !", "", "C-N2", to=bruno.letters[-2])
    anne.replies("J'abandonne", "mais rejouons bientôt")
    anne.replies("confirmer")


def deux_langues(club: Club) -> None:
    """Une partie en deux langues

    Anna lit l'anglais, Bruno le français ; chacun écrit dans sa langue. Puis Anna change la sienne, et se ravise.
    """
    anna, bruno = club.person("Anna"), club.person("Bruno", "bruno@example.com")
    anna.writes("register Anna")
    bruno.writes("register Bruno fr")
    game = club.starts({"white": anna, "yellow": bruno}, deal=DEAL)
    anna.replies("L-S2", "draw")
    bruno.replies("nulle ?")
    bruno.replies("C-N2", to=bruno.last_about(game))
    anna.writes("accepter")
    anna.writes("set language de")
    anna.writes("set language fr")
    anna.replies("L-E1", to=anna.last_about(game))
    anna.writes("régler langue allemand", "pourquoi L")
    anna.writes("Régler langue anglais")


def les_pages_d_aide(club: Club) -> None:
    """Les pages d'aide

    La première page, celle d'un mot, celle des réglages ; un sujet qui n'existe pas, un mot mal écrit.
    """
    anne, _, _ = anne_and_bruno(club)
    anne.writes("aide")
    anne.writes("Aide abandonner")
    anne.writes("aide régler")
    anne.writes("aide nouvelle étiquette")
    anne.writes("aide feuile")
    anne.writes("aide-moi, s'il te plaît")
    anne.writes("acepter")
    anne.writes("help resign")


def des_defis(club: Club) -> None:
    """Des défis qui n'aboutissent pas

    L'un est refusé, l'autre retiré avant la réponse ; ce qui vient trop tard se le voit dire.
    """
    anne, bruno = club.person("Anne"), club.person("Bruno", "bruno@example.com")
    anne.writes("register Anne fr")
    bruno.writes("register Bruno fr")
    club.exchanges.clear()
    anne.writes("défier Bruno confusion")
    bruno.replies("refuser", "Je n'ai pas le temps, désolé.")
    bruno.replies("accepter", to=bruno.letters[-2])
    anne.writes(
        "défier Brune confusion", "défier anne confusion", "défier bruno confuson", "défier a@b@c confusion"
    )
    anne.writes("défier Bruno confusion option colour=rouge", "ouvrir confusion option deal=A1")
    anne.writes("défier bruno confusion option sheets=off")
    anne.writes("défier bruno confusion")
    anne.replies("accepter", to=anne.letters[-2])
    anne.replies("annuler", to=anne.letters[-3])
    bruno.replies("accepter")
    anne.writes("annuler")


def une_partie_ouverte(club: Club) -> None:
    """Une partie ouverte est rejointe

    Anne propose une partie à qui viendra ; les autres la trouvent dans leur liste, et le premier qui la rejoint joue.
    """
    in_french(club)
    anne, bruno = club.person("Anne"), club.person("Bruno", "bruno@example.com")
    carl, nemo = club.person("Carl"), club.person("Nemo")
    for who in (anne, bruno, carl):
        who.writes(f"inscrire {who.name}")
    club.exchanges.clear()
    anne.writes("ouvrir confusion option colour=yellow option first=yellow")
    anne.replies("rejoindre 1")
    anne.writes("parties")
    bruno.writes("Mes parties")
    bruno.replies("rejoindre partie 1")
    carl.writes("rejoindre 1")
    carl.writes("rejoindre 9")
    nemo.writes("rejoindre 1")
    anne.writes("parties")


def des_nulles(club: Club) -> None:
    """Des nulles

    Une offre est faite, tombe avec le coup de l'autre, est refaite et retirée, et enfin acceptée.
    """
    anne, bruno, _ = anne_and_bruno(club)
    anne.replies("L-S2", "nulle")
    bruno.replies("C-N2")
    anne.replies("nulle")
    anne.replies("nulle")
    anne.replies("annuler")
    anne.replies("annuler")
    anne.replies("L-E1")
    bruno.replies("Partie nulle")
    anne.replies("nulle")
    anne.replies("nulle")


def des_coups_refuses(club: Club) -> None:
    """Des coups qui ne peuvent pas être pris

    À contretemps, mal écrits, impossibles quelle que soit la pièce, deux dans une lettre ; et des lettres sans coup.
    """
    anne, bruno, _ = anne_and_bruno(club)
    bruno.replies("L-N2")
    anne.replies("L-S9")
    anne.replies("B-S2")
    anne.replies("A-S2xC")
    anne.replies("Cher Bruno,", "quelle partie. J'y réfléchis.")
    anne.replies("nulle L-S2")
    anne.replies("L-S2", "K-SS1")
    anne.replies("K-S1")
    bruno.replies("C-N2", "E-N1")
    anne.replies("L-E1", "L-E1")
    bruno.replies("C-NE2", "Z-N1", "V", "aidde", "nulle ?")


def demander(club: Club) -> None:
    """Demander

    La liste des parties, où en est une partie, sa feuille, une lettre encore une fois, et ce que l'on sait d'une pièce.
    """
    anne, bruno, game = anne_and_bruno(club)
    anne.writes("parties")
    bruno.writes("état")
    anne.replies("L-S2", to=anne.last_about(game))
    bruno.replies("Etat", to=bruno.last_about(game))
    bruno.replies("feuille", to=bruno.last_about(game))
    anne.writes("feuille partie 1", "état 7")
    bruno.replies("C-N2", to=bruno.last_about(game))
    anne.replies("pourquoi L", "pourquoi jaune C", "Pourquoi pas ?", to=anne.last_about(game))
    anne.replies("pourquoi L et jaune C", to=anne.last_about(game))
    anne.replies("renvoyer 2", to=anne.last_about(game))
    anne.replies("renvoyer 99", to=anne.last_about(game))


def des_reglages(club: Club) -> None:
    """Des réglages

    L'aspect des lettres et des fiches, en mots français ou anglais ; et des vœux qui ne sont pas compris.
    """
    anne, bruno, game = anne_and_bruno(club)
    anne.replies("régler rapports texte", "régler fiches liste", to=anne.last_about(game))
    anne.replies("L-S2", to=anne.last_about(game))
    bruno.replies("régler fiches image", to=bruno.last_about(game))
    bruno.replies("C-N2", to=bruno.last_about(game))
    bruno.replies("régler rapports jsn", "régler couleurs rouge", "régler fiches non")
    anne.replies("regler rapport html", "abandonner ?")
    anne.replies("set sheets grille", to=anne.last_about(game))


def une_lettre_retenue(club: Club) -> None:
    """Une lettre au nom d'un autre

    Personne ne répond de l'expéditeur : la lettre est retenue et le joueur interrogé, une fois par jour ; `confirmer`
    la fait compter.
    """
    anne, bruno, game = anne_and_bruno(club)
    anne.replies("L-S2", vouched=False)
    anne.replies("L-E1", vouched=False, to=anne.last_about(game))
    anne.replies("Oui, c'était moi", to=anne.letters[-1])
    anne.replies("confirmer", to=anne.letters[-2])
    bruno.writes("confirmer", "C-N2", vouched=False, to=bruno.last_about(game)["Reply-To"])
    club.later(timedelta(days=2))
    bruno.writes("abandonner", vouched=False, to=bruno.last_about(game)["Reply-To"])
    bruno.replies("non, ce n'était pas moi")


def d_autres_adresses(club: Club) -> None:
    """D'autres adresses

    Les lettres d'Anne vont à une autre adresse quand celle-ci l'a confirmé ; une seconde s'y ajoute, et s'en va. Une
    étiquette change.
    """
    anne, _, game = anne_and_bruno(club)
    there, phone = club.person("Anne", "anne@new.example"), club.person("Anne", "anne@phone.example")
    anne.writes("régler adresse anne@new.example")
    anne.replies("confirmer", to=there.last)
    there.replies("Volontiers")
    there.replies("confirmer", to=there.letters[0])
    there.replies("L-S2", to=anne.last_about(game))
    there.writes("régler seconde anne@phone.example")
    phone.replies("confirmer")
    there.writes("régler seconde aucune")
    there.writes("nouvelle étiquette")
    there.writes("régler adresse anne@@new.example", "régler adresse referee@example.org")
    anne.replies("annuler", to=anne.last)


def un_depart(club: Club) -> None:
    """Un départ

    Qui écrit `adieu` est interrogé, puis ses parties sont abandonnées et tout ce qu'on sait de lui est effacé.
    """
    anne, bruno, game = anne_and_bruno(club)
    anne.replies("L-S2", "Bonne chance, Bruno.", "Au revoir", "Anne")
    bruno.writes("défier Anne confusion")
    anne.writes("Adieu")
    anne.replies("confirmer")
    while postings := club.store.claim(club.clock.at, 100):
        club.store.accepted([(each.id, "250 ok") for each in postings])
    club.house.erase_what_is_due()
    bruno.writes(f"état {game}", "parties")
    bruno.writes("défier Anne confusion")


def de_la_prose(club: Club) -> None:
    """De la prose

    Ce qui n'est pas une commande est laissé de côté, même quand cela commence comme l'une d'elles ; près d'un coup, ce
    qui pourrait en être une est nommé.
    """
    anne, bruno, game = anne_and_bruno(club)
    anne.replies("Accepter ce coup serait une faute.", "Je ne vais nulle part.", "Bien à vous,", "Anne")
    anne.replies("L-S2", "Pourquoi pas ?", "Nulle part on ne joue ainsi.", "Abandonner ? Jamais !", "Merci")
    bruno.replies("Ouvrir ainsi est risqué, non ?", "C-N2", "Amicalement", to=bruno.last_about(game))
    anne.replies(f"partie {game} : L-E1", "Partie magnifique", to=anne.last_about(game))
    bruno.replies(f"{game} : pourquoi H ?", to=bruno.last_about(game))


def une_partie_suspendue(club: Club) -> None:
    """Une partie suspendue

    L'arbitre suspend une partie ; rien n'y est pris, mais ce qui ne fait que demander a sa réponse. Puis elle reprend.
    """
    anne, bruno, game = anne_and_bruno(club)
    anne.replies("L-S2")
    club.house.freeze(game, "Une décision est en cours d'examen.")
    bruno.replies("C-N2", to=bruno.last_about(game))
    bruno.replies("état", to=bruno.last_about(game))
    anne.replies("abandonner", to=anne.last_about(game))
    club.house.thaw(game)
    bruno.replies("C-N2", to=bruno.last_about(game))


FRENCH_STORIES: tuple[Callable[[Club], None], ...] = (
    deux_inconnus,
    deux_langues,
    les_pages_d_aide,
    des_defis,
    une_partie_ouverte,
    des_nulles,
    des_coups_refuses,
    demander,
    des_reglages,
    une_lettre_retenue,
    d_autres_adresses,
    un_depart,
    de_la_prose,
    une_partie_suspendue,
)
