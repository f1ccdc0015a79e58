"""Stories of players who write and read French, some of them with somebody who does not. Pages as in `stories`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from referee.rulebooks.rulebook import Seat
from tests.support.playing import Club, Correspondent
from tests.transcripts.stories_of_overviews import OVERVIEWS_IN_FRENCH

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

    Un service qui écrit en français : avec `inscrire`, Anne dit qui elle est ; avec `défier`, elle invite quelqu'un qui
    n'en a jamais entendu parler. Il répond `accepter`, ils jouent, elle écrit `abandonner`, puis `confirmer`.
    """
    in_french(club)
    anne, bruno = club.person("Anne"), club.person("Bruno", "bruno@example.com")
    anne.writes("Bonjour,", "qu'est-ce que c'est ?", subject="Bonjour")
    anne.replies("inscrire Anne", "", "Merci !")
    anne.replies("défier bruno@example.com confusion option colour=white option first=white")
    bruno.replies("J'accepte !", "", "Quelle bonne idée, merci.", "Bruno")
    anne.replies("L-S2")
    bruno.replies("inscrire Bruno fr", to=bruno.letters[1])
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


def suivre_une_partie(club: Club) -> None:
    """Suivre une partie d'autres joueurs

    Anne et Bruno sont convenus que d'autres peuvent suivre leur partie. Chloé apprend chaque essai et sa réponse, aucun
    type avant la fin ; elle peut demander, et rien d'autre. Enfin elle n'en veut plus.
    """
    anne, bruno = club.person("Anne"), club.person("Bruno", "bruno@example.com")
    chloe = club.person("Chloé", "chloe@example.com")
    for who in (anne, bruno, chloe):
        who.writes(f"register {who.name} fr")
    game = club.starts({"white": anne, "yellow": bruno}, deal=DEAL, watchers="on")
    club.exchanges.clear()
    chloe.writes(f"suivre {game}")
    anne.replies("L-S2", "presse tous Bonsoir à qui nous lit.", to=anne.last_about(game))
    chloe.replies("état", "V-NO2", to=chloe.last_about(game))
    bruno.replies("C-N2", to=bruno.last_about(game))
    anne.replies("état", to=anne.last_about(game))
    chloe.replies("suivre non")
    bruno.replies("abandonner", to=bruno.last_about(game))


def une_fin_convenue(club: Club) -> None:
    """Une fin dont on convient

    Par `convenir`, Anne propose comment finir la partie ; Bruno répond par autre chose, la proposition tombe avec un
    coup, et tous deux abandonnent enfin la partie sans résultat.
    """
    anne, bruno = club.person("Anne"), club.person("Bruno", "bruno@example.com")
    for who in (anne, bruno):
        who.writes(f"register {who.name} fr")
    game = club.starts({"white": anne, "yellow": bruno}, deal=DEAL)
    club.exchanges.clear()
    anne.replies("convenir blanc", to=anne.last_about(game))
    bruno.replies(f"convenir nulle {game}", to=bruno.last_about(game))
    bruno.replies("C-N2", to=bruno.last_about(game))
    anne.replies("L-E1", to=anne.last_about(game))
    bruno.replies("convenir aucun", to=bruno.last_about(game))
    bruno.replies("annuler", to=bruno.last_about(game))
    anne.replies(f"convenir {game}", to=anne.last_about(game))
    bruno.replies("convenir sans résultat", to=bruno.last_about(game))
    anne.replies("convenir", to=anne.last_about(game))


def les_pages_d_aide(club: Club) -> None:
    """Les pages d'aide

    Avec `aide` : la première page, celle d'un mot, celle des réglages ; un sujet qui n'existe pas, un mot mal écrit.
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

    L'un reçoit la réponse `refuser`, l'autre est retiré par `annuler` avant la réponse ; ce qui vient trop tard se le
    voit dire.
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

    Avec `ouvrir`, Anne propose une partie à qui viendra ; les autres la trouvent par `parties`, et le premier qui écrit
    `rejoindre` joue.
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

    Une offre est faite par `nulle`, tombe avec le coup de l'autre, est refaite et retirée par `annuler`, et enfin
    acceptée par le même mot `nulle`.
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

    La liste des `parties` et des `tournois`, l'`état` d'une partie, sa `feuille`, une lettre encore une fois
    (`renvoyer`), et ce que l'on sait d'une pièce (`pourquoi`).
    """
    anne, bruno, game = anne_and_bruno(club)
    anne.writes("parties", "tournois")
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

    Avec `régler`, l'aspect des lettres et des fiches, en mots français ou anglais ; et des vœux qui ne sont pas
    compris.
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
    while postings := club.store.outbox.claim(club.clock.at, 100):
        club.store.outbox.accepted([(each.id, "250 ok") for each in postings])
    club.referee.jobs.erase_what_is_due()
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
    club.referee.umpire.freeze(game, "Une décision est en cours d'examen.")
    bruno.replies("C-N2", to=bruno.last_about(game))
    bruno.replies("état", to=bruno.last_about(game))
    anne.replies("abandonner", to=anne.last_about(game))
    club.referee.umpire.thaw(game)
    bruno.replies("C-N2", to=bruno.last_about(game))


def une_partie_reprise_plus_haut(club: Club) -> None:
    """Une partie reprise plus haut

    L'arbitre fait reprendre une partie au tour où un coup a été mal lu, puis corrige un coup. Ce qui ne compte plus
    reste sur la feuille de partie, et un coup qui répond à une lettre d'avant n'est pas pris.
    """
    anne, bruno, game = anne_and_bruno(club)
    anne.replies("L-S2")
    bruno.replies("C-N2", to=bruno.last_about(game))
    seen = anne.last_about(game)
    anne.replies("L-S1", to=seen)
    club.referee.umpire.take_back(game, 2, "Le coup des Blancs a été mal lu.", seat=Seat("white"))
    club.noted("L'arbitre fait reprendre la partie au tour 2 : `referee umpire take-back`.")
    anne.replies("L-S2", to=seen)
    anne.replies("A-S1", to=anne.last_about(game))
    bruno.replies("A-N1", to=bruno.last_about(game))
    club.referee.umpire.correct(game, "A-N2", "La lettre des Jaunes disait A-N2.")
    club.noted("L'arbitre corrige le coup des Jaunes : `referee umpire correct`.")
    anne.replies("feuille", to=anne.last_about(game))


def un_apercu(club: Club) -> None:
    """Un aperçu avant de jouer

    Avant qu'un coup ne soit joué, `aperçu` dit ce que l'on en sait : où il mène, ce qui s'y trouve et, d'après la
    fiche, pour quels types la réponse serait oui. Rien n'est essayé, et l'on peut demander hors de son tour.
    """
    anne, bruno, game = anne_and_bruno(club)
    anne.replies("aperçu L-S2")
    bruno.replies("apercu C-N9", "aperçu L-N3")
    anne.replies("L-S4", to=anne.last_about(game))
    anne.replies("aperçu L-S3xZ", "Aperçu A-S1")
    bruno.replies("aperçu C-NNO2")


def un_plan(club: Club) -> None:
    """Un plan pour les tours à venir

    Avec `essayer`, Bruno laisse un plan ; il se poursuit chaque fois qu'Anne a joué, et elle n'en apprend rien. Avec
    `puis`, le coup suivant est essayé quelle que soit la réponse. `état` montre le plan, `annuler` le retire.
    """
    anne, bruno, game = anne_and_bruno(club)
    bruno.replies("essayer C-N2; si non E-N1; sinon E-NE1")
    bruno.replies("état")
    anne.replies("L-S2", to=anne.last_about(game))
    anne.replies("L-S1", to=anne.last_about(game))
    bruno.replies("essayer C-N1; puis E-N1 ; ensuite C-N1", to=bruno.last_about(game))
    anne.replies("L-S1", to=anne.last_about(game))
    bruno.replies("Annuler.")
    anne.replies("Essaie K-S1 ; alors A-S1", to=anne.last_about(game))
    bruno.replies("E-N1", "nulle", to=bruno.last_about(game))


def des_plans_a_conditions(club: Club) -> None:
    """Des plans à conditions

    Derrière `si` se place ce que l'on aura appris ; les parenthèses tiennent ensemble ce qui suit un coup. Le plan est
    montré étape par étape, tel qu'il a été compris.
    """
    anne, bruno, game = anne_and_bruno(club)
    anne.replies("aide essayer")
    anne.replies(
        "essayer L-S2; si non (L-S1; si oui L-S1; si non K-S1);",
        "si oui (L-E1; si perdu A-S1;",
        "si non L-S1)",
    )
    bruno.replies("C-N2", to=bruno.last_about(game))
    bruno.replies(
        "essayer C-N1; si pris A-N1; si promue C-N1; si z C-N2; si oui E-N1", to=bruno.last_about(game)
    )
    anne.replies("état", to=anne.last_about(game))


def des_plans_mal_compris(club: Club) -> None:
    """Des plans qui ne sont pas compris

    Ce qui ne va pas est dit avec la ligne, la colonne et l'étape ; rien du plan n'est gardé.
    """
    _, bruno, _ = anne_and_bruno(club)
    bruno.replies("essayer C-N2; si nom E-N1")
    bruno.replies("essayer C-N2; si E-N1")
    bruno.replies("essayer C-N2; E-N1")
    bruno.replies("essayer C-N2; si non E-N1; puis C-N1")
    bruno.replies("essayer C-N2; si non (E-N1")
    bruno.replies("essayer C-N2;", "sinon C-NNE1")
    bruno.replies("si non E-N1")
    bruno.replies("essayez E-N1")


def pour_un_autre_tour(club: Club) -> None:
    """Des coups pour un autre tour

    Un coup peut dire pour quel tour il est donné, ou d'après quelle lettre. Si la partie a continué depuis, il n'est
    pas joué : la réponse montre le plateau d'alors et ce qui s'est passé.
    """
    anne, bruno, game = anne_and_bruno(club)
    anne.replies("L-S2 @1")
    bruno.replies("C-N2 @tour 2", to=bruno.last_about(game))
    anne.replies("L-S1 @1", to=anne.letters[1])
    anne.replies("L-S1 @lettre 2", to=anne.letters[2])
    anne.replies("L-S1 @ coup 9")
    anne.replies("L-S1 @lettre 5")


def a_sa_propre_boussole(club: Club) -> None:
    """Les directions vues de sa place

    Anne joue Blanc et regarde vers le sud. À côté de chaque coup, elle lit où il va vu de sa place, et elle écrit les
    siens ainsi : F en avant, B en arrière, R à droite, L à gauche. Une faute de frappe est corrigée dans sa boussole.
    """
    anne, bruno, game = anne_and_bruno(club)
    anne.replies("régler boussole propre")
    anne.replies("L-LF2", to=anne.last_about(game))
    anne.replies("L-FL", to=anne.last_about(game))
    anne.replies("aperçu L-RF1", "L-F2", to=anne.last_about(game))
    bruno.replies("C-N2", to=bruno.last_about(game))
    anne.replies("essayer L-LB1; sinon L-F1", to=anne.last_about(game))
    anne.replies("pourquoi L", to=anne.last_about(game))
    anne.replies("régler boussole feuille", "L-E1", to=anne.last_about(game))


def les_nouvelles_du_jour(club: Club) -> None:
    """Les nouvelles du jour

    Anne joue deux parties et veut une lettre par jour (`régler lettres quotidien`), à l'heure de Paris. Les coups
    attendent le soir ; une offre de nulle n'attend pas.
    """
    anne, bruno, first = anne_and_bruno(club)
    carl = club.person("Carl")
    carl.writes("register Carl fr")
    second = club.starts({"white": carl, "yellow": anne}, deal=DEAL)
    club.exchanges.clear()
    anne.writes("régler fuseau Paris", "régler lettres quotidien")
    anne.replies("L-S2", to=anne.last_about(first))
    bruno.replies("C-N2", to=bruno.last_about(first))
    carl.replies("L-S2", to=carl.last_about(second))
    club.later(timedelta(days=1))
    (news,) = club.strikes("Le soir vient.")
    anne.replies("L-E1", to=news)
    anne.replies(f"{first} : L-E1", f"partie {second} : C-N1", to=news)
    carl.replies("L-S1", "nulle", to=carl.last_about(second))
    club.later(timedelta(days=1))
    club.strikes("Un autre soir vient.")


def tous_les_reglages(club: Club) -> None:
    """Tous les réglages

    Une seule lettre peut porter tous les vœux d'Anne ; `régler` seul montre ce qui vaut à présent. Ce qui ne lui
    demande rien ne lui arrive plus, et figure dans la lettre suivante. Puis elle change d'avis.
    """
    in_french(club)
    anne, bruno = club.person("Anne"), club.person("Bruno", "bruno@example.com")
    anne.writes("inscrire Anne fr")
    bruno.writes("inscrire Bruno fr")
    game = club.starts({"white": anne, "yellow": bruno}, deal=DEAL)
    club.exchanges.clear()
    anne.writes(
        "régler rapports html",
        "régler fiches liste",
        "régler image non",
        "régler boussole propre",
        "régler lettres urgent",
        "régler attente attendre",
        "régler langue français",
        "régler fuseau Montréal",
    )
    anne.writes("régler")
    anne.replies("L-F2", to=anne.last_about(game))
    bruno.replies("presse Laissez-moi y réfléchir.", to=bruno.last_about(game))
    bruno.replies("C-N2", to=bruno.last_about(game))
    anne.writes(
        "régler fiches grille",
        "régler image oui",
        "régler boussole feuille",
        "régler lettres chacune",
        "régler rapports json",
        "régler langue fr",
    )
    anne.writes("régler lettres mensuel", "régler image peut-être", "régler fuseau Pariss")
    anne.writes("régler attente 15m", "régler attente 6h", "régler attente 1d", "régler attente 1h")


def le_numero_derriere_le_mot(club: Club) -> None:
    """Le numéro derrière le mot

    Qui a plusieurs parties dit de laquelle il parle : `pourquoi L 1`. Le numéro peut aussi se placer devant la ligne :
    `2 : L-S2`.
    """
    anne, bruno, _ = anne_and_bruno(club)
    carl, dora = club.person("Carl"), club.person("Dora")
    for who in (carl, dora):
        who.writes(f"register {who.name} fr")
    club.starts({"white": carl, "yellow": anne}, deal=DEAL)
    club.exchanges.clear()
    anne.writes("défier Dora confusion")
    bruno.writes("défier Anne confusion option sheets=off")
    carl.writes("défier Anne confusion option press=off")
    anne.writes("état", "refuser", "pourquoi L")
    anne.writes(
        "1 : L-S2", "pourquoi L 1", "pourquoi jaune C 1", "état 2", "feuille 2", "refuser 4", "annuler 3"
    )
    anne.writes("accepter 5 option press=anonymous")
    carl.writes("accepter 5", "2 : L-S2", "2 : presse Bonne chance !", "nulle 2")
    anne.writes("nulle 2", "sourdine 1", "nouvelle étiquette 1", "2 : presse Avec plaisir.")
    bruno.writes("1 : presse Anne ?", "abandonner 1")
    bruno.writes("confirmer 1")
    anne.writes("sourdine non 1", "revanche 2", "revanche 1")
    bruno.writes("accepter 7")
    dora.writes("accepter 3")


def des_lettres_encore_une_fois(club: Club) -> None:
    """Des lettres encore une fois

    `renvoyer` apporte de nouveau la dernière lettre, `renvoyer 1` celle qui porte ce numéro. Anne a montré une lettre à
    quelqu'un : `nouvelle étiquette` change l'adresse de réponse des suivantes.
    """
    anne, bruno, _ = anne_and_bruno(club)
    shown = anne.last
    anne.replies("L-S2")
    bruno.replies("C-N2")
    anne.replies("renvoyer")
    anne.replies("Renvoie 1", "renvoyer 99")
    anne.replies("Nouvelle étiquette")
    eve = club.person("Eve")
    eve.replies("L-E1", to=shown)
    anne.replies("L-E1", to=shown)


def messages_en_francais(club: Club) -> None:
    """Messages, carnet et réclamation, en français

    Ce que les joueurs s'écrivent (`presse`, et `sourdine` pour n'en plus recevoir), ce qu'ils notent pour eux-mêmes
    (`carnet`) et ce qu'ils soumettent à l'arbitre (`réclamation`).
    """
    club.service = replace(club.service, operator="operator@example.org", language="fr")
    club.open_house()
    anne, bruno = club.person("Anne", "anne@example.net"), club.person("Bruno", "bruno@example.com")
    anne.writes("register Anne fr")
    bruno.writes("register Bruno fr")
    game = club.starts({"white": anne, "yellow": bruno}, deal=DEAL)
    club.exchanges.clear()
    anne.replies("presse Bonne chance, Bruno !", "Que le meilleur gagne.", to=anne.last_about(game))
    bruno.replies("presse tous Merci, Anne.", "", "sourdine")
    anne.replies("presse Vous me lisez ?", to=anne.last_about(game))
    bruno.replies("sourdine non", to=bruno.last_about(game))
    anne.replies("carnet L est peut-être le Roi.", "L-S2", "presse L-S2 ou rien !", to=anne.last_about(game))
    anne.replies("carnet", to=anne.last_about(game))
    bruno.replies("réclamation Dois-je lire de pareils messages ?", to=bruno.last_about(game))
    bruno.replies("abandonner", to=bruno.last_about(game))
    anne.replies("carnet Gagné !", to=anne.last_about(game))


def une_revanche(club: Club) -> None:
    """Une revanche

    Les mêmes une fois de plus, couleurs échangées (`revanche`) ; ce que l'un propose, l'autre l'accepte par le même
    mot.
    """
    anne, bruno, game = anne_and_bruno(club)
    anne.replies("revanche", to=anne.last_about(game))
    anne.replies("abandonner", to=anne.last_about(game))
    anne.replies("revanche", to=anne.last_about(game))
    bruno.replies("revanche", to=bruno.last_about(game))


def d_autres_conditions(club: Club) -> None:
    """Un défi, et d'autres conditions

    À un défi, on peut répondre par ses propres conditions (`accepter option …`), et l'autre par les siennes. Ici l'on
    convient de messages sans noms.
    """
    anne, bruno = club.person("Anne", "anne@example.net"), club.person("Bruno", "bruno@example.com")
    anne.writes("register Anne fr")
    bruno.writes("register Bruno fr")
    club.exchanges.clear()
    anne.writes("défier Bruno confusion option colour=white option first=white option press=anonymous")
    bruno.replies("accepter option colour=white option press=off")
    anne.replies("accepter option press=anonymous", to=anne.last_about(1))
    bruno.replies("accepter", to=bruno.last_about(1))
    bruno.replies("presse Qui donc écrit ?", to=bruno.last_about(1))


def des_resultats_convenus(club: Club) -> None:
    """Un résultat convenu

    Avec `convenir`, un joueur propose comment la partie doit finir : la victoire d'un camp, la nulle, ou aucun
    résultat. L'autre répond par autre chose, et enfin le mot seul accepte ce qui est proposé.
    """
    anne, bruno, game = anne_and_bruno(club)
    anne.replies("convenir blanc", to=anne.last_about(game))
    bruno.replies("convenir nulle", to=bruno.last_about(game))
    anne.replies("annuler", to=anne.last_about(game))
    anne.replies(f"convenir aucun {game}", to=anne.last_about(game))
    bruno.replies("convenir noir", to=bruno.last_about(game))
    bruno.replies(f"Convenir {game}", to=bruno.last_about(game))
    other = club.starts({"white": bruno, "yellow": anne}, deal=DEAL)
    bruno.replies("convenir jaune", to=bruno.last_about(other))
    anne.replies("je conviens", to=anne.last_about(other))


def ceux_qui_regardent(club: Club) -> None:
    """Ceux qui regardent

    Anne et Bruno sont convenus que d'autres peuvent suivre leur partie. Carl, avec `suivre`, apprend ce que tous deux
    apprennent, et aucun type avant la fin ; il peut demander, et rien faire d'autre.
    """
    anne, bruno, carl = club.person("Anne"), club.person("Bruno", "bruno@example.com"), club.person("Carl")
    for who in (anne, bruno, carl):
        who.writes(f"register {who.name} fr")
    club.exchanges.clear()
    anne.writes("défier Bruno confusion option colour=white option first=white option watchers=on")
    bruno.replies("accepter")
    carl.writes("suivre 1")
    anne.replies("L-S2", to=anne.last_about(1))
    carl.replies("C-N2", "état", to=carl.last_about(1))
    bruno.replies("C-N2", "presse tous Bonsoir à qui nous lit.", to=bruno.last_about(1))
    carl.replies("suivre non", to=carl.last_about(1))
    carl.writes("suivre 1")
    carl.writes("suivre non 1")


FRENCH_STORIES: tuple[Callable[[Club], None], ...] = (
    deux_inconnus,
    deux_langues,
    les_pages_d_aide,
    des_defis,
    une_partie_ouverte,
    des_nulles,
    une_fin_convenue,
    des_coups_refuses,
    demander,
    des_reglages,
    une_lettre_retenue,
    d_autres_adresses,
    un_depart,
    de_la_prose,
    une_partie_suspendue,
    une_partie_reprise_plus_haut,
    un_apercu,
    un_plan,
    des_plans_a_conditions,
    des_plans_mal_compris,
    pour_un_autre_tour,
    a_sa_propre_boussole,
    les_nouvelles_du_jour,
    tous_les_reglages,
    le_numero_derriere_le_mot,
    des_lettres_encore_une_fois,
    messages_en_francais,
    des_resultats_convenus,
    ceux_qui_regardent,
    une_revanche,
    d_autres_conditions,
    suivre_une_partie,
    *OVERVIEWS_IN_FRENCH,
)
