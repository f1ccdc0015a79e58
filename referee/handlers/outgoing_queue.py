"""Queues letters: a report is typeset, addressed and put into the outbox."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from datetime import datetime

from referee.games.clocks.calendar_entry import FILENAME, MEDIA_TYPE
from referee.games.game import Game
from referee.games.player import Player
from referee.handlers.letter_content import InReplyTo
from referee.handlers.service_config import ServiceConfig
from referee.mail.message.message import Attachment, OutgoingLetter
from referee.mail.message.mime_writer import write_copy, write_letter
from referee.reports.mentions import mentions
from referee.reports.renderer import typeset
from referee.reports.report import Report, Typeset
from referee.rulebooks.rulebook import Seat
from referee.store.unit_of_work import UnitOfWork
from referee.store.values import NumberedLetter, QueuedLetter


class OutgoingQueue:
    """Puts letters into the outbox within one unit of work. cause: see Composer."""

    def __init__(self, unit: UnitOfWork, service: ServiceConfig, now: datetime, cause: str) -> None:
        self._unit = unit
        self._service = service
        self._now = now
        self._cause = cause
        self._key = unit.service_key()
        self._domain = service.domain

    def put(
        self,
        report: Report,
        reader: Player,
        what: str,
        *,
        answers: InReplyTo | None,
        attachments: tuple[Attachment, ...] = (),
        references: tuple[str, ...] = (),
        reply_tag: str = "",
        seat: Seat | None = None,
        about: int | None = None,
        game: Game | None = None,
        named: Sequence[int] | None = None,
    ) -> str:
        """Typeset a letter and put it into the outbox; return its Message-ID.

        what: distinguishes it from other letters with the same cause.
        about: the game that it mentions, where it is not a letter about a game.
        game: the game that it is about.
        named: further players whom it names; None for a letter for which that is not stored.
        """
        message_id = self.message_id(what)
        set_report = typeset(report)
        number = report.game.number if report.game else None
        letter = self._address(
            report, set_report, reader, message_id, answers, attachments, references, reply_tag
        )
        queued = self._unit.outbox.queue(
            QueuedLetter(
                message_id=message_id,
                sender=self._service.address,
                recipient=reader.address,
                game=number or about,
                player=reader.number or None,
                seat=seat,
                number=report.number,
                kind=report.kind,
                subject=set_report.subject,
                answers=answers.number if answers else None,
                told=len(report.heard) if report.game else None,
                sent=self._now,
                content=write_letter(
                    letter, service_name=self._service.name, service_address=self._service.address
                ),
            )
        )
        if named is not None:
            self._mark_naming(queued, report, reader.number, game, named)
        return message_id

    def _address(
        self,
        report: Report,
        set_report: Typeset,
        reader: Player,
        message_id: str,
        answers: InReplyTo | None,
        attachments: tuple[Attachment, ...],
        references: tuple[str, ...],
        reply_tag: str,
    ) -> OutgoingLetter:
        """Return a typeset report as a letter to its reader."""
        answered = answers.message_id if answers else ""
        game = report.game.number if report.game else None
        return OutgoingLetter(
            message_id=message_id,
            recipient=reader.address,
            recipient_name=reader.name,
            kind=report.kind,
            subject=set_report.subject,
            sent=self._now,
            text=set_report.text,
            html=set_report.html,
            pictures=set_report.pictures,
            attachments=tuple(_all_attached(set_report, attachments, game)),
            game=game,
            number=report.number,
            in_reply_to=answered or (references[-1] if references else ""),
            references=references,
            reply_tag=reply_tag,
            thread_topic=report.game.title if report.game else "",
            thread_key=self._hash(f"thread {reader.number} {game}") if game else "",
            answers=answers is not None,
        )

    def put_copy(
        self,
        letter: NumberedLetter,
        reader: Player,
        game: int,
        number: int,
        message_id: str,
        *,
        answers: InReplyTo | None = None,
    ) -> None:
        """Put a copy of a letter into the outbox, by its number among the reader's letters about a game (0: none).

        It is not counted in these numbers.
        """
        queued = self._unit.outbox.queue(
            QueuedLetter(
                message_id=message_id,
                sender=self._service.address,
                recipient=reader.address,
                game=game or None,
                player=reader.number,
                seat=letter.seat,
                number=number,
                kind=letter.kind,
                subject=letter.subject,
                answers=answers.number if answers else None,
                sent=self._now,
                content=write_copy(
                    letter.content,
                    message_id=message_id,
                    recipient=reader.address,
                    recipient_name=reader.name,
                    sent=self._now,
                    in_reply_to=answers.message_id if answers else "",
                ),
            )
        )
        self._unit.outbox.mark_naming_as(queued, letter.message_id)

    def _mark_naming(
        self, queued: int, report: Report, reader: int, game: Game | None, named: Sequence[int]
    ) -> None:
        """Store whom a letter names to its reader, so that it is erased when one of them leaves.

        These are those in `named`, and everyone in the report who is not a player of the game that it is
        about.
        """
        spoken = mentions(report)
        found = self._unit.players.mentioned(spoken.games, spoken.names, spoken.addresses)
        if game is not None:
            found -= {*(game.seats.values() or (game.proposed_by, game.proposed_to))}
        self._unit.outbox.mark_naming(queued, sorted((found | {*named}) - {reader}))

    def _hash(self, text: str) -> str:
        return hmac.new(self._key, text.encode(), hashlib.sha256).hexdigest()[:32]

    def message_id(self, what: str) -> str:
        """Return a Message-ID that nobody can guess and that is the same when it is made again for its cause."""
        return f"{self._hash(f'{self._cause} {what}')}@{self._domain}"


def _all_attached(
    set_report: Typeset, attachments: Sequence[Attachment], game: int | None
) -> Iterator[Attachment]:
    """Yield the attachments of a letter: its report for programs, its own attachments, and files of its report."""
    if set_report.json is not None:
        yield Attachment("report.json", "application/json", set_report.json)
    yield from attachments
    if set_report.calendar is not None:
        yield Attachment(FILENAME, MEDIA_TYPE, set_report.calendar)
    if set_report.diary is not None:
        yield Attachment(f"diary-{game}.txt", "text/plain", set_report.diary)
    if set_report.record is not None:
        yield Attachment(f"game-{game}.txt", "text/plain", set_report.record)
