"""What a letter is to say, before it is one."""

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
"""What a letter asks of its reader: something at once (a result is as much), a move some day, or nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterContent:
    """What a letter says beside the game itself; see Report for the fields.

    weight: what it asks of its reader. by: the player whom `who` in its notes names, for one that may have to wait.
    watchers: players whom it names as those who watch, None where it says nothing of them; newcomers: as those who
    have begun to. elsewhere: what it refuses has nothing to do with the game that it is about. shows: players of whom
    it shows an address, that its reader has given himself. speaks_of: further players whom it names, in what is not
    read off the report.
    Whom else it names is read off the report (reports.mentions).
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
    """Games, beside that which it is about, of which the reader's calendar program is to be told anew."""


@dataclass(frozen=True, slots=True)
class InReplyTo:
    """The incoming letter that a letter of ours answers."""

    number: int
    message_id: str
