"""Games between thirteen spies a side told in French: orders in French words, tokens, the double agent, the set-up.
Pages as in `stories`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.support.playing import Club, Correspondent
from tests.transcripts.stories_in_french import in_french
from tests.transcripts.stories_of_spies import ALL_TOKENS, DEAL, rounds


def anne_and_bruno(club: Club, **options: Any) -> tuple[Correspondent, Correspondent, int]:
    """Seat Anne on red, who begins, and Bruno on white, both with letters in French, before the story begins."""
    anne, bruno = club.person("Anne"), club.person("Bruno", "bruno@example.com")
    for who in (anne, bruno):
        who.writes(f"register {who.name} fr")
    game = club.starts({"red": anne, "white": bruno}, first="red", rules="spies", deal=DEAL, **options)
    club.exchanges.clear()
    return anne, bruno, game


def une_partie_d_espions(club: Club) -> None:
    """Une partie d'espions

    Anne invite Bruno par `défier`. Chaque ordre reste scellé jusqu'au prochain ordre de l'autre. Quand l'agent double
    d'Anne essaie quelque chose, Bruno écrit `autoriser` ou `interdire` au-dessus de son coup, puis donne une consigne
    une fois pour toutes ; Anne n'en voit rien. Enfin elle écrit `abandonner`.
    """
    in_french(club)
    anne, bruno = club.person("Anne"), club.person("Bruno", "bruno@example.com")
    anne.writes("inscrire Anne", subject="Bonjour")
    anne.replies("défier bruno@example.com spies option couleur=rouge option premier=rouge")
    bruno.replies("J'accepte !")
    rounds(
        1,
        (anne, "L-N1"),
        (bruno, "L-S1"),
        (anne, "H-N2"),
        (bruno, "C-S1"),
        (bruno, "autoriser | C-S1"),
        (anne, "H-N1"),
        (bruno, "interdire | agent comme Tour | A-S1"),
        (anne, "H-N3"),
        (bruno, "agent demander"),
        (bruno, "A-S1"),
        (anne, "J'abandonne"),
    )


def les_jetons(club: Club) -> None:
    """Les jetons d'action

    Anne se fait montrer l'un de ses espions par `révéler`, Bruno fait changer deux des siens de place par `échanger`,
    et Anne essaie deux coups en un tour par `déplacer` ; un jeton ne sert qu'une fois.
    """
    anne, bruno, game = anne_and_bruno(club, **ALL_TOKENS)
    rounds(
        game,
        (anne, "révéler C | C-NW1 | K-NW1"),
        (bruno, "échanger A et V | L-S1"),
        (anne, "déplacer A-N1 et N-N1"),
        (bruno, "échanger C H | C-S1"),
        (anne, "L-N1"),
    )


def un_agent_double_elimine(club: Club) -> None:
    """Un agent double éliminé

    L'agent double de Bruno s'est trop approché : Anne écrit `éliminer agent` avant son coup, ce qu'elle ne peut faire
    d'aucun autre. Bruno, lui, retire par erreur l'un de ses propres espions, puis demande `pourquoi`.
    """
    anne, bruno, game = anne_and_bruno(club)
    rounds(
        game,
        (anne, "L-N1"),
        (bruno, "K-S4"),
        (anne, "éliminer son C | éliminer agent"),
        (anne, "autoriser | L-N1"),
        (bruno, "éliminer H | L-S1"),
        (anne, "L-N1"),
        (bruno, "pourquoi K"),
    )


def une_preparation_variable(club: Club) -> None:
    """Une préparation variable

    Avec `option préparation-variable=oui`, chacun dispose ses espions avant le premier tour, en liste ou en dessin ;
    tout ce qui ne va pas est dit d'un coup, et personne ne voit la disposition de l'autre avant d'avoir donné la
    sienne. Puis Bruno demande `aide variantes`.
    """
    anne, bruno, game = anne_and_bruno(club, **{"variable-setup": "on"})
    rounds(
        game,
        (bruno, "disposition A1-1 A2-1 C12-1 E3-3 H4-1 K4-1 Q5-1 L6-2 N7-2"),
        (bruno, "disposition A1-1 C1-2 E3-1 H3-2 K5-1 L5-2 N6-1 O7-1 P7-2 S9-1 T9-2 V11-1 X11-2"),
        (anne, "disposition | ..NA.H.LEK. | ..CO.PXSTV."),
        (anne, "K-N1"),
        (bruno, "L-S1"),
        (bruno, "aide variantes"),
    )


SPIES_IN_FRENCH: tuple[Callable[[Club], None], ...] = (
    une_partie_d_espions,
    les_jetons,
    un_agent_double_elimine,
    une_preparation_variable,
)
