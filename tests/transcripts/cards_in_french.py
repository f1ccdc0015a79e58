"""A battle of Cards and Confusion told in French. Pages as in `stories`."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.playing import Club
from tests.transcripts.stories_in_french import in_french
from tests.transcripts.stories_of_cards import BLUE_SET_UP, RED_SET_UP, rounds


def une_bataille_en_francais(club: Club) -> None:
    """Une bataille en français

    Anne invite Bruno par `défier`. Chacun dispose son armée en secret ; puis une ligne d'Anne est mauvaise, et ce qui
    est bon attend qu'elle écrive `exécuter`. Bruno veut choisir lui-même qui tombe : au premier combat, le tour attend
    son choix. Anne demande `pourquoi` sa cavalerie ne bouge plus, et écrit `abandonner`.
    """
    in_french(club)
    anne, bruno = club.person("Anne"), club.person("Bruno", "bruno@example.com")
    anne.writes("inscrire Anne", subject="Bonjour")
    anne.replies("défier bruno@example.com cards option couleur=rouge option premier=rouge option edition=en")
    bruno.replies("J'accepte !")
    rounds(
        1,
        (anne, "; ".join(RED_SET_UP)),
        (bruno, "; ".join((*BLUE_SET_UP, "PR ALL ASK ALWAYS"))),
        (anne, "MV RC1 TO K4 A MAX; MV RI9 A20"),
        (anne, "exécuter"),
        (bruno, "MV BC1 TO K4 A MAX"),
        (anne, "MV RC1 TO K4 A MAX; MV RI1 TO K1 A MAX"),
        (bruno, "MV BC1 TO K4 A MAX; CO BC1 > RC1"),
        (bruno, "CHOOSE KILL FAR CONF FAR"),
        (anne, "pourquoi RC1; aperçu RL RC1"),
        (anne, "aide cartes"),
        (anne, "J'abandonne"),
    )


CARDS_IN_FRENCH: tuple[Callable[[Club], None], ...] = (une_bataille_en_francais,)
