"""From what is to be said to a letter in the outbox: numbers, threads, tags, and the finished bytes.

A player's letters about one game are numbered from 1 without gaps and make one thread in his mail program. All of
that is one row of the store (`Thread`), read and written in the transaction that the letter belongs to.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Literal

from referee.common.chance import Draws
from referee.common.faults import Fault
from referee.common.i18n import N_, Phrase
from referee.games.clocks.calendar import day_of
from referee.games.clocks.calendar_entry import FILENAME, MEDIA_TYPE, Entry
from referee.games.game import Game
from referee.games.game_options import watchers_of
from referee.games.player import Frequency, Player
from referee.games.results import ruling_of
from referee.games.tournaments.officers import officer_for
from referee.handlers.game_clocks import GameClocks
from referee.handlers.service_config import ServiceConfig
from referee.mail.message.message import Attachment, Kind, OutgoingLetter
from referee.mail.message.mime_writer import write_copy, write_letter
from referee.reports.comments import BY_UMPIRES, Comment, readable_by
from referee.reports.mentions import mentions
from referee.reports.renderer import typeset
from referee.reports.report import ClockFace, DaysOff, DiaryEntry, GameFace, Note, Reader, Report
from referee.reports.smaller import smaller_forms
from referee.rulebooks.rulebook import OBSERVER, Happening, Seat
from referee.store.unit_of_work import UnitOfWork
from referee.store.values import Gathered, NumberedLetter, Purpose, QueuedLetter, SentLetter, Thread

HOLIDAYS_TOLD = 3
"""Holidays to come that a letter names."""
OPERATOR_NOTICE_EVERY = timedelta(hours=1)
"""How often, at most, the operator is written to about one kind of thing."""


Urgency = Literal["question", "turn", "news"]
"""What a letter asks of its reader: something at once (a result is as much), a move some day, or nothing."""
_COMES_AT_ONCE: Mapping[Frequency, frozenset[Urgency]] = {
    "each": frozenset(("question", "turn", "news")),
    "daily": frozenset(("question",)),
    "urgent": frozenset(("question", "turn")),
    "quiet": frozenset(("question", "turn")),
}


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


@dataclass(frozen=True, slots=True)
class Perspective:
    """From where somebody sees a game: his seat, OBSERVER for who watches, None for neither; what was heard there, and
    what is known by it. late: he hears of turns when others are being played already. receipt: the newest by then.
    by_office: he does not watch, and is shown the same since he holds an office in its event."""

    seat: Seat | None = None
    heard: tuple[Happening, ...] = field(default=(), repr=False)
    view: Any = field(default=None, repr=False)
    late: bool = False
    receipt: str = ""
    by_office: bool = False

    @property
    def plays(self) -> bool:
        """Whether it is a player's."""
        return self.seat is not None and self.seat != OBSERVER


class Composer:
    """Writes letters within one unit of work.

    cause: what they are written for, in words that say it as often as it is done again, and of nothing else. The
    Message-IDs hang on it: after an old backup was restored the numbers begin again where they were then, and a
    reader's mail program must not take another letter for the one that it has.
    """

    def __init__(
        self, unit: UnitOfWork, service: ServiceConfig, now: datetime, draws: Draws, cause: str
    ) -> None:
        self._unit = unit
        self._service = service
        self._now = now
        self._draws = draws
        self._cause = cause
        self._key = unit.house_key()
        self.clocks = GameClocks(unit, service.time, now)
        self._players: dict[int, Player] = {}
        self._observed: dict[tuple[int, int, int], Perspective] = {}
        self._admitted: set[tuple[int, int]] = set()

    def admit(self, game: Game, player: int) -> None:
        """Let an officer of a game's event see it as those who watch do, in what answers his letter."""
        self._admitted.add((game.number, player))

    def standpoint(self, game: Game, player: int) -> Perspective:
        """Return from where a player sees a game that has begun, as it is now."""
        if (seat := game.seat_of(player)) is not None:
            return Perspective(seat, game.heard(seat), game.view(seat), receipt=game.receipt)
        if player not in game.watchers:
            if (game.number, player) in self._admitted:
                heard, view = game.heard(OBSERVER), game.view(OBSERVER)
                return Perspective(OBSERVER, heard, view, receipt=game.receipt, by_office=True)
            return Perspective(receipt=game.receipt)
        delay = game.watchers[player] if game.status == "playing" else 0
        key = (game.number, game.last_event, delay)
        if key not in self._observed:
            heard = game.heard_late(delay)
            view = game.rulebook.view(heard, OBSERVER)
            receipt = game.receipt_of(heard) if delay else game.receipt
            self._observed = {key: Perspective(OBSERVER, heard, view, delay > 0, receipt)}
        return self._observed[key]

    def player(self, number: int) -> Player:
        """Return a player, read once."""
        if number not in self._players:
            self._players[number] = self._unit.players.find(number)
        return self._players[number]

    def forget_standpoints(self) -> None:
        """See games anew: somebody has another seat."""
        self._observed.clear()

    def forget(self, number: int) -> None:
        """Read a player anew next time: he was changed."""
        self._players.pop(number, None)

    def to_player(
        self,
        number: int,
        words: LetterContent,
        *,
        game: Game | None = None,
        title: str = "",
        answers: InReplyTo | None = None,
        reply_tag: str = "",
    ) -> None:
        """Queue a letter to a player, about a game (with its fixed title) or about none.

        reply_tag: another tag than that of the game, for a letter whose answer confirms something.
        """
        player = self.player(number)
        if not player.address:
            return
        listed = (each["invited"] for each in words.listing if each["invited"] is not None)
        named = (*(words.watchers or ()), *words.newcomers, *words.shows, *words.speaks_of, *listed)
        thread = self._unit.threads.get(number, game.number if game else 0)
        told_of_event = bool(game) and (not thread.letters or words.kind == "result")
        begins = game is not None and number in game.seats.values() and not thread.told
        at_once = answers is not None or begins or not thread.letters
        if game and not at_once and words.weight not in _COMES_AT_ONCE[player.letters]:
            self._gather(number, game, words)
            return
        if player.letters != "each":
            waited = self._unit.news.take(number, game.number if game else 0)
            words = replace(words, notes=(*words.notes, *(self._waited(each, game) for each in waited)))
            named = (*named, *(who for each in waited for who in each.facts.get("players", ())))
        if game is not None:
            words = replace(words, notes=(*words.notes, *self._watching(game, words)))
            words = replace(words, notes=(*words.notes, *self._claims_left(game, number, words)))
        message_id = self._message_id(f"{number} {thread.game} {thread.letters + 1}")
        here = self.standpoint(game, number) if game else Perspective()
        seat, heard = here.seat, here.heard
        if game and not thread.tag:
            thread = replace(thread, tag=self._draws.tag())
            purpose: Purpose = "watch" if seat == OBSERVER else "seat"
            self._unit.tags.add(thread.tag, purpose, player=number, game=game.number)
        # Whoever takes a seat later, begins to watch, or goes on with a game from elsewhere, hears all that there was
        # as what stands, not as news.
        joins = game is not None and here.plays and bool(game.former) and not thread.told
        brought = game is not None and game.brought is not None
        late = joins or ((seat == OBSERVER or brought) and not thread.letters)
        clocks = self._clocks(game) if game and (here.plays or here.by_office) else {}
        entries = []
        if game:
            thread, entry = self._entered(player, game, thread, clocks)
            entries.append(entry)
        others = (each for each in words.rescheduled if game is None or each.number != game.number)
        entries.extend(self._enter(player, each) for each in others)
        report = Report(
            kind=words.kind,
            reader=_reader(player),
            sent=self._now,
            service=self._service.name,
            address=self._service.address,
            game=self._face(game, title, here, with_event=told_of_event) if game else None,
            joins=joins,
            seat=seat,
            number=thread.letters + 1,
            news=words.news,
            heard=heard,
            told=len(heard) if late else thread.told,
            view=here.view,
            due=game.due if game and not here.late else {},
            result=game.result if game else None,
            understood=words.understood,
            faults=words.faults,
            notes=words.notes,
            pages=words.pages,
            listing=words.listing,
            rulebooks=self._service.rulebooks.values(),
            first=not thread.letters,
            elsewhere=words.elsewhere,
            awaited=game is not None
            and game.status == "playing"
            and seat != OBSERVER
            and seat not in game.checked_in,
            offer=game.offer if game and seat != OBSERVER else None,
            since=words.since if here.plays else None,
            frozen=game.frozen if game and seat != OBSERVER else "",
            late=game.watchers[number] if game and here.late else 0,
            by_office=here.by_office,
            clocks=clocks,
            entries=tuple(filter(None, entries)),
            diary=self._diary(game) if game and here.plays and words.kind == "result" else (),
            beside=self._beside(game, here) if game and here.seat and words.kind == "result" else (),
        )
        references = tuple(dict.fromkeys(filter(None, (thread.root, *thread.last))))
        queued = self._queue(
            report,
            player,
            message_id=message_id,
            attachments=words.attachments,
            answers=answers,
            references=references if game else (),
            reply_tag=reply_tag or (thread.tag if game else ""),
            seat=seat,
        )
        self._mark_naming(queued, report, number, game, named)
        self._promise(report)
        self._unit.threads.save(replace(thread.after(message_id), told=len(heard)))

    def _mark_naming(
        self, queued: int, report: Report, reader: int, game: Game | None, named: Sequence[int]
    ) -> None:
        """Keep of whom a letter speaks to its reader, so that it is erased when one of them leaves: of those named, and
        of all in the report who have nothing to do with the game that it is about."""
        spoken = mentions(report)
        found = self._unit.players.mentioned(spoken.games, spoken.names, spoken.addresses)
        if game is not None:
            found -= {*(game.seats.values() or (game.proposed_by, game.proposed_to))}
        self._unit.outbox.mark_naming(queued, sorted((found | {*named}) - {reader}))

    def _claims_left(self, game: Game, player: int, words: LetterContent) -> list[Note]:
        """Return what the last letter of a game says of the reader's claims about it that no umpire has answered; after
        a ruling nothing, since that may be the answer."""
        if (
            words.kind != "result"
            or game.result is None
            or ruling_of(game.result)
            or not game.seat_of(player)
        ):
            return []
        left = tuple(f"{game.number}/{each}" for each in self._unit.cases.open_claims(game.number, player))
        return [Note("claims-stand", {"numbers": left})] if left else []

    def _clocks(self, game: Game) -> dict[Seat, ClockFace]:
        """Return the clocks of the seats that are to move; none where no time is counted."""
        if not game.timed:
            return {}
        faces = {seat: self.clocks.face(game, seat) for seat in game.due}
        return {seat: face for seat, face in faces.items() if face is not None}

    def _entered(
        self, player: Player, game: Game, thread: Thread, clocks: Mapping[Seat, ClockFace]
    ) -> tuple[Thread, Entry | None]:
        """Return what a letter about a game puts into its reader's calendar, or takes from it, None for nothing; and
        his letters about it after that. What stands there is not to stand when nothing is due any more (TM-9.3)."""
        seated = game.seat_of(player.number)
        seat = seated or game.former.get(player.number)
        face = clocks.get(seated) if seated and player.calendar == "on" else None
        at = (face.deadline if face else None) or thread.entered
        if seat is None or at is None:
            return thread, None
        over = face is None or face.deadline is None
        entry = Entry(game.number, seat, at, thread.entries, over)
        return replace(thread, entries=thread.entries + 1, entered=None if over else at), entry

    def _enter(self, player: Player, game: Game) -> Entry | None:
        """Keep that a letter about something else tells a player's calendar of a game; return what it tells of it."""
        before = self._unit.threads.get(player.number, game.number)
        thread, entry = self._entered(player, game, before, self._clocks(game))
        if entry is not None:
            self._unit.threads.save(thread)
            if not entry.over:
                self._unit.clocks.promise(game.number, Seat(entry.seat), entry.at)
                self.clocks.forget(game.number)
        return entry

    def _promise(self, report: Report) -> None:
        """Keep which deadline a letter tells its reader for his own move: it will not be an earlier one."""
        face = report.clocks.get(report.seat) if report.seat else None
        if report.game is not None and report.seat and face is not None and face.deadline is not None:
            self._unit.clocks.promise(report.game.number, report.seat, face.deadline)
            self.clocks.forget(report.game.number)

    def _watching(self, game: Game, words: LetterContent) -> list[Note]:
        """Return what a letter to a player says of those who watch his game."""
        notes = []
        if words.newcomers:
            notes.append(Note("newcomers", {"names": self._names(words.newcomers)}))
        if words.watchers is not None:
            late = watchers_of(game.options) or 0
            notes.append(Note("watchers", {"names": self._names(words.watchers), "late": late}))
        return notes

    def _names(self, players: Sequence[int]) -> tuple[str, ...]:
        """Return the names of those who have not left meanwhile."""
        return tuple(filter(None, (self.player(who).name for who in players)))

    def _gather(self, player: int, game: Game, words: LetterContent) -> None:
        """Keep what is to be said beside the game itself; what has happened in it is told by the next letter anyway."""
        if words.newcomers:
            self._unit.news.add(
                player, Gathered(game.number, "newcomers", {"players": list(words.newcomers)}, None)
            )
        for note in words.notes:
            if note.code == "plan":
                continue  # as soon as he asks, `status` tells what is left of it by then
            by = words.by
            if note.code == "overheard":
                written = self._unit.writings.of_kind(game.number, "press")
                by = next((each.player for each in written if each.number == note.facts["text"]), None)
            facts = {key: fact for key, fact in note.facts.items() if key != "who" or not by}
            if note.code in ("press", "overheard"):
                del facts["lines"]  # the text lies where its writer's leaving erases it
            news = Gathered(game.number, note.code, facts, by if "who" in note.facts else None)
            self._unit.news.add(player, news)

    def _waited(self, news: Gathered, game: Game | None) -> Note:
        """Return news that have waited as a note. game: that the letter is about."""
        facts = dict(news.facts)
        if news.code == "newcomers":
            facts = {"names": self._names(facts["players"])}
        if news.who is not None:
            facts["who"] = self.player(news.who).name or self._colour(news)
        if news.code in ("press", "overheard"):
            written = self._unit.writings.of_kind(news.game, "press")
            facts["lines"] = next((each.lines for each in written if each.number == facts["text"]), ())
            facts["who"] = facts["who"] if facts["signed"] else self._colour(news)
        return Note(news.code, facts, about=None if game else news.game)

    def _colour(self, news: Gathered) -> str | Phrase:
        """Return what somebody is called in a game who has no name, or has it no more."""
        row = self._unit.games.get(news.game)
        seats = row.seats if row else {}
        return Phrase(next((seat.capitalize() for seat, who in seats.items() if who == news.who), ""))

    def of_the_day(self, number: int, games: Sequence[tuple[Game, str]]) -> bool:
        """Queue a letter to a player with the news of all his games that wait to be told, and how each stands; tell
        whether there were any. games: those that he plays, then those that he watches, each with its title."""
        player = self.player(number)
        waited = self._unit.news.take(number)
        days, threads = [], []
        for game, title in games:
            here = self.standpoint(game, number)
            heard, thread = here.heard, self._unit.threads.get(number, game.number)
            threads.append(replace(thread, told=len(heard)) if len(heard) > thread.told else None)
            days.append(
                Report(
                    kind="notice",
                    reader=_reader(player),
                    sent=self._now,
                    service=self._service.name,
                    address=self._service.address,
                    game=self._face(game, title, here),
                    seat=here.seat,
                    heard=heard,
                    told=thread.told,
                    view=here.view,
                    due=game.due if here.plays else {},
                    notes=tuple(self._waited(each, game) for each in waited if each.game == game.number),
                    offer=game.offer if here.plays else None,
                    frozen=game.frozen if here.plays else "",
                    clocks=self._clocks(game) if here.plays else {},
                )
            )
        played = {game.number for game, _ in games}
        besides = tuple(self._waited(each, None) for each in waited if each.game not in played)
        if not player.address or not (besides or any(threads) or any(day.notes for day in days)):
            return False
        for told in filter(None, threads):
            self._unit.threads.save(told)
        entries = [self._enter(player, game) for game, _ in games if game.timed and game.seat_of(number)]
        thread = self._unit.threads.get(number, 0)
        if not thread.tag:
            thread = replace(thread, tag=self._draws.tag())
            self._unit.tags.add(thread.tag, "seat", player=number)
        message_id = self._message_id(f"{number} 0 {thread.letters + 1}")
        report = Report(
            kind="notice",
            reader=_reader(player),
            sent=self._now,
            service=self._service.name,
            address=self._service.address,
            number=thread.letters + 1,
            news=N_("your games"),
            notes=besides,
            days=tuple(sorted(days, key=lambda day: day.seat not in day.due)),
            entries=tuple(filter(None, entries)),
        )
        queued = self._queue(report, player, message_id=message_id, answers=None, reply_tag=thread.tag)
        for day in days:
            self._promise(day)
        named = [who for each in waited for who in each.facts.get("players", ())]
        self._mark_naming(queued, report, number, None, named)
        self._unit.threads.save(thread.after(message_id))
        return True

    def _diary(self, game: Game) -> tuple[DiaryEntry, ...]:
        """Return what both players have noted during a game, once it is over."""
        if game.status != "ended":
            return ()
        seats = {**game.former, **{player: seat for seat, player in game.seats.items()}}
        return tuple(
            DiaryEntry(seats[each.player], each.turn, each.text, game.seat_of(each.player) is None)
            for each in self._unit.writings.of_kind(game.number, "diary")
            if each.player in seats
        )

    def _beside(self, game: Game, here: Perspective) -> tuple[Comment, ...]:
        """Return what umpires have ruled in words and done in a game that is over."""
        beside = self._unit.comments.beside_the_moves(game.number, game.rulebook)
        return tuple(each for each in readable_by(here.seat, beside, over=True) if each.kind in BY_UMPIRES)

    def copy(self, player: int, game: int, number: int, answers: InReplyTo | None, *, lost: str = "") -> bool:
        """Queue a letter once more, by its number in the player's letters about a game (0: about none).

        It has a Message-ID of its own, and counts for nothing in the numbers. False when there is no such letter.
        answers: the letter that asked for it, if one did; else lost: the Message-ID of the one that did not arrive.
        """
        letter = self._unit.outbox.numbered(player, game, number)
        if letter is None:
            return False
        asked_by = answers.number if answers else lost
        message_id = self._message_id(f"{player} {game} {number} for {asked_by}")
        if answers and self._unit.outbox.get(message_id) is not None:
            return True  # two letters that were held asked for it, and one has confirmed both
        self._queue_copy(letter, player, game, number, message_id, answers=answers)
        return True

    def smaller_copy(self, sent: SentLetter) -> str:
        """Queue a letter that came back as too large once more in the next smaller form, as a copy; return what form
        that is, "" where there is none."""
        content = self._unit.outbox.content(sent.message_id)
        if content is None or sent.player is None or sent.number is None:
            return ""
        letter = self._unit.outbox.numbered(sent.player, sent.game or 0, sent.number)
        form = next(smaller_forms(content, self.player(sent.player).language), None)
        if letter is None or form is None:
            return ""
        message_id = self._message_id(f"{sent.player} {sent.game or 0} {sent.number} for {sent.message_id}")
        letter = replace(letter, content=form.content)
        self._queue_copy(letter, sent.player, sent.game or 0, sent.number, message_id)
        return form.name

    def _queue_copy(
        self,
        letter: NumberedLetter,
        player: int,
        game: int,
        number: int,
        message_id: str,
        *,
        answers: InReplyTo | None = None,
    ) -> None:
        reader = self.player(player)
        queued = self._unit.outbox.queue(
            QueuedLetter(
                message_id=message_id,
                sender=self._service.address,
                recipient=reader.address,
                game=game or None,
                player=player,
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

    def to_operator(
        self,
        note: Note,
        *,
        every: timedelta | None = OPERATOR_NOTICE_EVERY,
        about: int | None = None,
        what: str = "",
        news: str | Phrase = "",
    ) -> bool:
        """Queue a notice to whoever runs the service, if the settings name him; tell whether that was done.

        every: at most one in this time of each kind; None for what must not be left out. about: the game whose players
        it speaks of, so that it is erased with them. what: tells it from others of its kind at the same time.
        """
        address = self._service.operator
        if not address or (every is not None and not self._unit.limits.is_news(note.code, every)):
            return False
        report = Report(
            kind="notice",
            reader=Reader(address, language=self._service.language),
            sent=self._now,
            service=self._service.name,
            address=self._service.address,
            notes=(note,),
            news=news,
            first=True,
        )
        operator = Player(number=0, name="", address=address, language=self._service.language)
        said = f"operator {note.code} {self._now.isoformat()}{f' {what}' if what else ''}"
        self._queue(report, operator, message_id=self._message_id(said), answers=None, about=about)
        return True

    def to_stranger(
        self, address: str, words: LetterContent, *, answers: InReplyTo, player: int = 0, reply_tag: str = ""
    ) -> None:
        """Queue a letter to somebody who is not registered: it has no number and belongs to no game.

        player: whose address it is to become, or was.
        """
        what = f"letter {answers.number}"
        self._to_address(address, words, what, answers=answers, player=player, reply_tag=reply_tag)

    def to_address(self, address: str, words: LetterContent, *, player: int, reply_tag: str) -> None:
        """Queue a letter to an address that is to be a player's, or was: about his addresses, never about games."""
        self._to_address(address, words, f"address {address} {reply_tag}", player=player, reply_tag=reply_tag)

    def _to_address(
        self,
        address: str,
        words: LetterContent,
        what: str,
        *,
        answers: InReplyTo | None = None,
        player: int = 0,
        reply_tag: str,
    ) -> None:
        report = Report(
            kind=words.kind,
            reader=Reader(address, language=self._service.language),
            sent=self._now,
            service=self._service.name,
            address=self._service.address,
            notes=words.notes,
            faults=words.faults,
            understood=words.understood,
            pages=words.pages,
            rulebooks=self._service.rulebooks.values(),
            first=True,
        )
        reader = Player(number=player, name="", address=address, language=self._service.language)
        message_id = self._message_id(what)
        self._queue(report, reader, message_id=message_id, answers=answers, reply_tag=reply_tag)

    def _queue(
        self,
        report: Report,
        reader: Player,
        *,
        message_id: str,
        answers: InReplyTo | None,
        attachments: tuple[Attachment, ...] = (),
        references: tuple[str, ...] = (),
        reply_tag: str = "",
        seat: Seat | None = None,
        about: int | None = None,
    ) -> int:
        """Set a letter and put it into the outbox; return its number there. about: the game that it speaks of, where it
        is not about one."""
        set_report = typeset(report)
        answered = answers.message_id if answers else ""
        game = report.game.number if report.game else None
        if set_report.json is not None:
            attachments = (Attachment("report.json", "application/json", set_report.json), *attachments)
        if set_report.calendar is not None:
            attachments = (*attachments, Attachment(FILENAME, MEDIA_TYPE, set_report.calendar))
        if set_report.diary is not None:
            attachments = (*attachments, Attachment(f"diary-{game}.txt", "text/plain", set_report.diary))
        if set_report.record is not None:
            attachments = (*attachments, Attachment(f"game-{game}.txt", "text/plain", set_report.record))
        letter = OutgoingLetter(
            message_id=message_id,
            recipient=reader.address,
            recipient_name=reader.name,
            kind=report.kind,
            subject=set_report.subject,
            sent=self._now,
            text=set_report.text,
            html=set_report.html,
            pictures=set_report.pictures,
            attachments=attachments,
            game=game,
            number=report.number,
            in_reply_to=answered or (references[-1] if references else ""),
            references=references,
            reply_tag=reply_tag,
            thread_topic=report.game.title if report.game else "",
            thread_key=self._hash(f"thread {reader.number} {game}") if game else "",
            answers=answers is not None,
        )
        return self._unit.outbox.queue(
            QueuedLetter(
                message_id=message_id,
                sender=self._service.address,
                recipient=reader.address,
                game=game or about,
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

    def event_of(self, game: Game) -> tuple[str, str]:
        """Return what the event is called that a game belongs to, and who umpires it there; "" for none, and "" where
        no officer can."""
        if game.competition is None:
            return "", ""
        event = self._unit.tournaments.find(game.competition)
        officers = {each.player: self.player(each.player) for each in event.officers}
        away = [number for number, player in officers.items() if not player.address or player.unreachable]
        umpire = officer_for(event.officers, tuple(game.seats.values()), away=away)
        return event.name, officers[umpire.player].name if umpire else ""

    def _face(self, game: Game, title: str, here: Perspective, *, with_event: bool = False) -> GameFace:
        names = {seat: self.player(who).name or seat.capitalize() for seat, who in game.seats.items()}
        if not names and game.proposed_by is not None:
            names = {Seat("proposer"): self.player(game.proposed_by).name}
        event, umpire = self.event_of(game) if with_event else ("", "")
        return GameFace(
            number=game.number,
            title=title,
            rulebook=game.rulebook,
            names=names,
            options=game.options,
            commitment=game.commitment,
            secret=game.secret.hex() if game.status == "ended" else "",
            by_umpire=game.proposed_by is None,
            deal_by_umpire=game.deal_set,
            deal=game.deal if game.status == "ended" else "",
            receipt=here.receipt,
            lots=lots_of(game),
            event=event,
            brought=game.brought,
            umpire=umpire,
            days_off=self._days_off(game),
        )

    def _days_off(self, game: Game) -> DaysOff | None:
        """Return on which days no time of a game runs that is being played, None for none."""
        if not game.timed or game.status != "playing":
            return None
        calendar = self.clocks.calendar(game)
        today = day_of(self._now, calendar.zone)
        coming = sorted(day for day in calendar.holidays if day >= today)
        if not calendar.weekend and not coming:
            return None
        told = tuple(coming[:HOLIDAYS_TOLD])
        return DaysOff(tuple(sorted(calendar.weekend)), told, len(coming) > len(told), calendar.zone)

    def _hash(self, text: str) -> str:
        return hmac.new(self._key, text.encode(), hashlib.sha256).hexdigest()[:32]

    def _message_id(self, what: str) -> str:
        """Return a Message-ID that nobody can guess and that comes out equal when it is made again for its cause."""
        return f"{self._hash(f'{self._cause} {what}')}@{self._service.domain}"


def lots_of(game: Game) -> tuple[Literal["colours", "first"], ...]:
    """Return what was drawn by lot beside the deal: who plays which colour, unless somebody chose, and who begins."""
    colours = game.proposed_by is not None and game.colour is None
    return (*(("colours",) if colours else ()), *(("first",) if "first" not in game.options else ()))


def _reader(player: Player) -> Reader:
    """Return a player as whom a letter is for."""
    return Reader(
        player.address,
        player.name,
        player.language,
        player.zone,
        player.form,
        player.sheets,
        player.picture,
        player.compass,
    )
