"""Letters about battles, for the tests: what a seat reads of a game as far as it went."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from referee.reports.renderer import typeset
from referee.reports.report import GameFace, Report
from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.decks import First
from referee.rulebooks.cards.figures import BLUE, RED, SIDES
from referee.rulebooks.cards.happenings import first, opened
from referee.rulebooks.cards.questions import due
from referee.rulebooks.cards.rulebook import Cards
from referee.rulebooks.rulebook import OBSERVER, Happening, Seat, heard_by_all
from tests.reports.material import COMMITMENT, RECEIPT, SENT, reader
from tests.rulebooks.cards.games import Play

CARDS = Cards()


def play_from(battle: Battle, *, split: bool = False) -> Play:
    """Return a game that stands as a battle lies, with the side to move that is active in it. split: its turns take two
    letters."""
    play = Play()
    told = {"id": "trial", "title": "A Trial", "blurb": "for the tests"}
    play.happenings = [
        opened(battle, told, {"split": "on"} if split else {}),
        first(battle, battle, First(battle.active), "lot"),
    ]
    play.stand_anew()
    return play


def heard(happenings: Iterable[Happening], seat: Seat) -> tuple[Happening, ...]:
    """Return what a seat has heard of these, or somebody who watches."""
    if seat == OBSERVER:
        return tuple(heard_by_all(happenings, SIDES))
    return tuple(each for each in happenings if seat in each.heard_by)


def report(play: Play, seat: Seat, new: Sequence[Happening] = (), **changes: Any) -> Report:
    """Return a report to a seat, or to somebody who watches. new: the happenings at the end that are news."""
    before = play.happenings[: len(play.happenings) - len(new)]
    result = play.position.battle.result
    face = GameFace(
        number=17,
        title="Cards and Confusion 17: Anna - Bert",
        rulebook=CARDS,
        names={RED: "Anna", BLUE: "Bert"},
        commitment=COMMITMENT,
        receipt=RECEIPT,
    )
    facts: dict[str, Any] = {
        "kind": "result" if result else "report",
        "reader": reader(),
        "sent": SENT,
        "service": "Referee",
        "address": "referee@example.org",
        "game": face,
        "seat": seat,
        "number": 9,
        "news": "your move 3",
        "heard": heard(play.happenings, seat),
        "told": len(heard(before, seat)),
        "due": due(play.position),
        "result": result,
    }
    return Report(**(facts | changes))


def text(play: Play, seat: Seat, new: Sequence[Happening] = (), **changes: Any) -> str:
    """Return the plain text of a letter."""
    return typeset(report(play, seat, new, **changes)).text
