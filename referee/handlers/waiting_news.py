"""News about games that waits until its reader gets a letter anyway."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.common.i18n import Phrase
from referee.games.game import Game
from referee.games.player import Player
from referee.handlers.letter_content import LetterContent
from referee.reports.report import Note
from referee.store.unit_of_work import UnitOfWork
from referee.store.values import Gathered

Players = Callable[[int], Player]
"""Finds a player by number."""


class WaitingNews:
    """Keeps news for its readers within one unit of work, and hands it out."""

    def __init__(self, unit: UnitOfWork, players: Players) -> None:
        self._unit = unit
        self._players = players

    def gather(self, player: int, game: Game, words: LetterContent) -> None:
        """Store what is to be said besides the game itself; the next letter reports the game's events anyway."""
        if words.newcomers:
            self._unit.news.add(
                player, Gathered(game.number, "newcomers", {"players": list(words.newcomers)}, None)
            )
        for note in words.notes:
            if note.code == "plan":
                continue  # on request, `status` shows what is left of it by then
            by = words.by
            if note.code == "overheard":
                written = self._unit.writings.of_kind(game.number, "press")
                by = next((each.player for each in written if each.number == note.facts["text"]), None)
            facts = {key: fact for key, fact in note.facts.items() if key != "who" or not by}
            if note.code in ("press", "overheard"):
                del facts["lines"]  # the text is stored where it is erased when its writer leaves
            news = Gathered(game.number, note.code, facts, by if "who" in note.facts else None)
            self._unit.news.add(player, news)

    def take(self, player: int, game: int | None = None) -> Sequence[Gathered]:
        """Remove and return the news for a player: about a game, 0 for none; None for everything."""
        return self._unit.news.take(player) if game is None else self._unit.news.take(player, game)

    def note(self, news: Gathered, game: Game | None) -> Note:
        """Return news that has waited as a note. game: the one that the letter is about."""
        facts = dict(news.facts)
        if news.code == "newcomers":
            facts = {"names": names_of(facts["players"], self._players)}
        if news.who is not None:
            facts["who"] = self._players(news.who).name or self._colour(news)
        if news.code in ("press", "overheard"):
            written = self._unit.writings.of_kind(news.game, "press")
            facts["lines"] = next((each.lines for each in written if each.number == facts["text"]), ())
            facts["who"] = facts["who"] if facts["signed"] else self._colour(news)
        return Note(news.code, facts, about=None if game else news.game)

    def _colour(self, news: Gathered) -> str | Phrase:
        """Return the colour of a player in a game who has no name, or has it no more."""
        row = self._unit.games.get(news.game)
        seats = row.seats if row else {}
        return Phrase(next((seat.capitalize() for seat, who in seats.items() if who == news.who), ""))


def names_of(numbers: Sequence[int], players: Players) -> tuple[str, ...]:
    """Return the names of those who have not left meanwhile."""
    return tuple(filter(None, (players(number).name for number in numbers)))
