"""The content of a letter, before it is composed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from referee.common.faults import Fault
from referee.common.i18n import Phrase
from referee.games.game import Game
from referee.mail.message.message import Attachment, Kind
from referee.reports.report import Note

Urgency = Literal["question", "turn", "news"]
"""What a letter needs from its reader: something at once (as does a result), a move some day, or nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterContent:
    """The content of a letter besides the game itself; see Report for the other fields.

    Further players whom it names are found in the report (reports.mentions).

    weight: what it needs from its reader.
    by: the player whom `who` in its notes names, for a letter that may have to wait.
    watchers: players that it names as observers, None where it names none.
    newcomers: players that it names as new observers.
    shows: players whose address it shows, which its reader has given.
    speaks_of: further players that it names outside the report.
    elsewhere: what it refuses has nothing to do with the game that it is about.
    """

    kind: Kind
    weight: Urgency = "question"
    by: int | None = None
    watchers: tuple[int, ...] | None = None
    newcomers: tuple[int, ...] = ()
    shows: tuple[int, ...] = ()
    speaks_of: tuple[int, ...] = ()
    elsewhere: bool = False
    since: datetime | None = None
    news: str | Phrase = ""
    notes: tuple[Note, ...] = ()
    understood: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    pages: tuple[str, ...] = ()
    listing: tuple[Mapping[str, Any], ...] = ()
    attachments: tuple[Attachment, ...] = ()
    rescheduled: tuple[Game, ...] = ()
    """Games, besides its own, whose calendar entries the reader's calendar program has to update."""


@dataclass(frozen=True, slots=True)
class InReplyTo:
    """The incoming letter that an outgoing one answers."""

    number: int
    message_id: str
