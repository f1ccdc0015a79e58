"""Composes letters: from what is to be said to a letter in the outbox, with its number, thread and tag.

A player's letters about one game are numbered from 1 without gaps and make one thread in their mail program.
This is one row of the store (`Thread`), read and written in the transaction that the letter belongs to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from referee.common.chance import Draws
from referee.common.durations import DAY
from referee.common.i18n import N_, Phrase
from referee.games.clocks.calendar_entry import Entry
from referee.games.game import Game
from referee.games.player import Frequency, Player
from referee.handlers.game_clocks import GameClocks
from referee.handlers.game_faces import GameFaces, Perspective
from referee.handlers.letter_content import InReplyTo, LetterContent, Urgency
from referee.handlers.outgoing_queue import OutgoingQueue
from referee.handlers.service_config import ServiceConfig
from referee.handlers.waiting_news import WaitingNews
from referee.mail.message.message import Kind
from referee.reports.report import ClockFace, Note, Reader, Report
from referee.reports.smaller import smaller_forms
from referee.rulebooks.rulebook import OBSERVER, Seat
from referee.store.unit_of_work import UnitOfWork
from referee.store.values import Gathered, Purpose, SentLetter, Thread

OPERATOR_NOTICE_EVERY = timedelta(hours=1)
"""How often, at most, the operator is written to about one kind of event."""
DIGEST_NEEDS = 2 * DAY
"""A move for which less time is left is asked for at once, however often its player wants letters."""
_COMES_AT_ONCE: Mapping[Frequency, frozenset[Urgency]] = {
    "each": frozenset(("question", "turn", "news")),
    "daily": frozenset(("question",)),
    "urgent": frozenset(("question", "turn")),
    "quiet": frozenset(("question", "turn")),
}


class Composer:
    """Writes letters within one unit of work.

    cause: a text for what they are written for, the same whenever that is repeated. Message-IDs depend on it:
        after an old backup is restored the numbers start again from there, and a mail program must not take a
        new letter for one that it has.
    clocks: those of the work that the letters are written for, if any.
    """

    def __init__(
        self,
        unit: UnitOfWork,
        service: ServiceConfig,
        now: datetime,
        draws: Draws,
        cause: str,
        clocks: GameClocks | None = None,
    ) -> None:
        self._unit = unit
        self._service = service
        self._now = now
        self._draws = draws
        self._clocks = clocks or GameClocks(unit, service.time, now)
        self._queue = OutgoingQueue(unit, service, now, cause)
        self._faces = GameFaces(unit, now, self._clocks, self.player)
        self._news = WaitingNews(unit, self.player)
        self._players: dict[int, Player] = {}
        self._observed: dict[tuple[int, int, int], Perspective] = {}
        self._admitted: set[tuple[int, int]] = set()

    def admit(self, game: Game, player: int) -> None:
        """Let an officer of a game's event see it as observers do, in the answer to their letter."""
        self._admitted.add((game.number, player))

    def standpoint(self, game: Game, player: int) -> Perspective:
        """Return a player's perspective on a game that has begun."""
        if (seat := game.seat_of(player)) is not None:
            return Perspective(seat, game.heard(seat), game.view(seat), receipt=game.receipt, plays=True)
        if player not in game.watchers:
            if (game.number, player) in self._admitted:
                heard, view = game.heard(OBSERVER), game.view(OBSERVER)
                return Perspective(OBSERVER, heard, view, receipt=game.receipt, by_office=True)
            return Perspective(receipt=game.receipt)
        delay = game.watchers[player] if game.status == "playing" else 0
        key = (game.number, game.last_event, delay)
        if key not in self._observed:
            heard = game.heard_late(delay)
            view = game.rulebook.rules.view(heard, OBSERVER)
            receipt = game.receipt_of(heard) if delay else game.receipt
            self._observed = {key: Perspective(OBSERVER, heard, view, delay > 0, receipt)}
        return self._observed[key]

    def player(self, number: int) -> Player:
        """Return a player, read once."""
        if number not in self._players:
            self._players[number] = self._unit.players.find(number)
        return self._players[number]

    def forget_standpoints(self) -> None:
        """Forget all perspectives, since somebody has another seat."""
        self._observed.clear()

    def forget(self, number: int) -> None:
        """Forget a player, who has changed, so that they are read again."""
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

        reply_tag: replaces the game's tag, in a letter whose answer confirms something.
        """
        player = self.player(number)
        if not player.address:
            return
        thread = self._unit.threads.get(number, game.number if game else 0)
        if game and answers is None and self._can_wait(player, game, thread, words):
            self._news.gather(number, game, words)
            return
        words = self._with_waiting_news(player, game, words)
        here = self.standpoint(game, number) if game else Perspective()
        if game:
            thread = self._with_tag(thread, "watch" if here.seat == OBSERVER else "seat", game.number)
        clocks = self._faces.clocks(game) if game and (here.plays or here.by_office) else {}
        thread, entries = self._entries(player, game, thread, clocks, words)
        report = replace(
            self._to(_reader(player), words.kind),
            number=thread.letters + 1,
            news=words.news,
            understood=words.understood,
            faults=words.faults,
            notes=words.notes,
            pages=words.pages,
            listing=words.listing,
            rulebooks=self._service.rulebooks.values(),
            first=not thread.letters,
            elsewhere=words.elsewhere,
            since=words.since if here.plays else None,
            told=thread.told,
            clocks=clocks,
            entries=entries,
        )
        if game:
            report = self._about(game, title, here, thread, report)
        message_id = self._queue.put(
            report,
            player,
            f"{number} {thread.game} {thread.letters + 1}",
            attachments=words.attachments,
            answers=answers,
            references=tuple(dict.fromkeys(filter(None, (thread.root, *thread.last)))) if game else (),
            reply_tag=reply_tag or (thread.tag if game else ""),
            seat=here.seat,
            game=game,
            named=tuple(_named_in(words)),
        )
        self._promise(report)
        self._unit.threads.save(replace(thread.after(message_id), told=len(here.heard)))

    def _can_wait(self, player: Player, game: Game, thread: Thread, words: LetterContent) -> bool:
        """Return whether news of a game waits for the reader's next letter, as they have chosen."""
        begins = player.number in game.seats.values() and not thread.told
        at_once = begins or not thread.letters
        if at_once or words.weight in _COMES_AT_ONCE[player.letters]:
            return False
        return words.weight != "turn" or not _is_urgent(self._clocks, game, player, self._now)

    def _with_waiting_news(self, player: Player, game: Game | None, words: LetterContent) -> LetterContent:
        """Return a letter's content with the news that waited for it and the notes of every letter about a game."""
        notes, named = words.notes, words.speaks_of
        if player.letters != "each":
            waited = self._news.take(player.number, game.number if game else 0)
            notes = (*notes, *(self._news.note(each, game) for each in waited))
            named = (*named, *(who for each in waited for who in each.facts.get("players", ())))
        if game is not None:
            notes = (*notes, *self._faces.notes(game, player.number, words))
        return replace(words, notes=notes, speaks_of=named)

    def _with_tag(self, thread: Thread, purpose: Purpose, game: int | None) -> Thread:
        """Return a thread with its reply tag, a new one for its first letter."""
        if thread.tag:
            return thread
        return replace(thread, tag=self.new_tag(purpose, thread.player, game=game))

    def new_tag(
        self, purpose: Purpose, player: int, *, game: int | None = None, letter: int | None = None
    ) -> str:
        """Return a new reply tag of a player, stored with what a letter to it is about. See store.values.Tag."""
        tag = self._draws.tag()
        self._unit.tags.add(tag, purpose, player=player, game=game, letter=letter)
        return tag

    def _about(self, game: Game, title: str, here: Perspective, thread: Thread, report: Report) -> Report:
        """Return a report with what it shows of its game.

        To a reader who takes a seat later, begins to watch, or continues a game from elsewhere, everything
        earlier is the present state, not news.
        """
        watches, ends = here.seat == OBSERVER, report.kind == "result"
        joins = here.plays and bool(game.former) and not thread.told
        late = joins or ((watches or game.brought is not None) and not thread.letters)
        return replace(
            report,
            game=self._faces.face(game, title, here, with_event=not thread.letters or ends),
            joins=joins,
            seat=here.seat,
            heard=here.heard,
            told=len(here.heard) if late else thread.told,
            view=here.view,
            due={} if here.late else game.due,
            result=game.result,
            awaited=game.status == "playing" and not watches and here.seat not in game.checked_in,
            offer=None if watches else game.offer,
            frozen="" if watches else game.frozen,
            late=game.watchers[thread.player] if here.late else 0,
            by_office=here.by_office,
            diary=self._faces.diary(game) if here.plays and ends else (),
            beside=self._faces.beside(game, here) if here.seat and ends else (),
        )

    def _entries(
        self,
        player: Player,
        game: Game | None,
        thread: Thread,
        clocks: Mapping[Seat, ClockFace],
        words: LetterContent,
    ) -> tuple[Thread, tuple[Entry, ...]]:
        """Return the calendar entries of a letter, for its game and for others; and its thread after that."""
        entry = None
        if game:
            thread, entry = self._entered(player, game, thread, clocks)
        others = (each for each in words.rescheduled if game is None or each.number != game.number)
        entries = (entry, *(self._enter(player, each) for each in others))
        return thread, tuple(filter(None, entries))

    def _entered(
        self, player: Player, game: Game, thread: Thread, clocks: Mapping[Seat, ClockFace]
    ) -> tuple[Thread, Entry | None]:
        """Return the thread after a letter about a game, and the letter's calendar entry, None for none.

        An entry is removed when nothing is due any more (TM-9.3).
        """
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
        """Store that a letter about something else holds a calendar entry for a game; return the entry."""
        before = self._unit.threads.get(player.number, game.number)
        thread, entry = self._entered(player, game, before, self._faces.clocks(game))
        if entry is not None:
            self._unit.threads.save(thread)
            if not entry.over:
                self._unit.clocks.promise(game.number, Seat(entry.seat), entry.at)
                self._clocks.forget(game.number)
        return entry

    def _promise(self, report: Report) -> None:
        """Store the deadline that a letter states for its reader's own move: it will not become earlier."""
        face = report.clocks.get(report.seat) if report.seat else None
        if report.game is not None and report.seat and face is not None and face.deadline is not None:
            self._unit.clocks.promise(report.game.number, report.seat, face.deadline)
            self._clocks.forget(report.game.number)

    def of_the_day(self, number: int, games: Sequence[tuple[Game, str]]) -> bool:
        """Queue a digest to a player with all waiting news and the state of each game; return whether there was any.

        games: those that they play, then those that they watch, each with its title.
        """
        player = self.player(number)
        waited = self._news.take(number)
        days, threads = [], []
        for game, title in games:
            day, thread = self._day(
                player, game, title, [each for each in waited if each.game == game.number]
            )
            days.append(day)
            threads.append(replace(thread, told=len(day.heard)) if len(day.heard) > thread.told else None)
        played = {game.number for game, _ in games}
        besides = tuple(self._news.note(each, None) for each in waited if each.game not in played)
        if not player.address or not (besides or any(threads) or any(day.notes for day in days)):
            return False
        for told in filter(None, threads):
            self._unit.threads.save(told)
        entries = [self._enter(player, game) for game, _ in games if game.timed and game.seat_of(number)]
        thread = self._with_tag(self._unit.threads.get(number, 0), "seat", None)
        report = replace(
            self._to(_reader(player), "notice"),
            number=thread.letters + 1,
            first=False,
            news=N_("your games"),
            notes=besides,
            days=tuple(sorted(days, key=lambda day: day.seat not in day.due)),
            entries=tuple(filter(None, entries)),
        )
        named = [who for each in waited for who in each.facts.get("players", ())]
        what = f"{number} 0 {thread.letters + 1}"
        message_id = self._queue.put(report, player, what, answers=None, reply_tag=thread.tag, named=named)
        for day in days:
            self._promise(day)
        self._unit.threads.save(thread.after(message_id))
        return True

    def _day(
        self, player: Player, game: Game, title: str, waited: Sequence[Gathered]
    ) -> tuple[Report, Thread]:
        """Return the state of a game as a part of a digest, and its thread."""
        here = self.standpoint(game, player.number)
        thread = self._unit.threads.get(player.number, game.number)
        report = replace(
            self._to(_reader(player), "notice"),
            first=False,
            game=self._faces.face(game, title, here),
            seat=here.seat,
            heard=here.heard,
            told=thread.told,
            view=here.view,
            due=game.due if here.plays else {},
            notes=tuple(self._news.note(each, game) for each in waited),
            offer=game.offer if here.plays else None,
            frozen=game.frozen if here.plays else "",
            clocks=self._faces.clocks(game) if here.plays else {},
        )
        return report, thread

    def copy(self, player: int, game: int, number: int, answers: InReplyTo | None, *, lost: str = "") -> bool:
        """Queue a letter again, by its number in the player's letters about a game (0: about none).

        It has a Message-ID of its own, and is not counted in the numbers. False when there is no such letter.

        answers: the letter that asked for it, None for none.
        lost: otherwise, the Message-ID of the one that did not arrive.
        """
        letter = self._unit.outbox.numbered(player, game, number)
        if letter is None:
            return False
        asked_by = answers.number if answers else lost
        message_id = self._queue.message_id(f"{player} {game} {number} for {asked_by}")
        if answers and self._unit.outbox.get(message_id) is not None:
            return True  # two letters that were held asked for it, and one has confirmed both
        self._queue.put_copy(letter, self.player(player), game, number, message_id, answers=answers)
        return True

    def smaller_copy(self, sent: SentLetter) -> str:
        """Queue a copy of a letter that bounced as too large in a smaller form; return that form, "" for none."""
        content = self._unit.outbox.content(sent.message_id)
        if content is None or sent.player is None or sent.number is None:
            return ""
        letter = self._unit.outbox.numbered(sent.player, sent.game or 0, sent.number)
        form = next(smaller_forms(content, self.player(sent.player).language), None)
        if letter is None or form is None:
            return ""
        message_id = self._queue.message_id(
            f"{sent.player} {sent.game or 0} {sent.number} for {sent.message_id}"
        )
        letter = replace(letter, content=form.content)
        self._queue.put_copy(letter, self.player(sent.player), sent.game or 0, sent.number, message_id)
        return form.name

    def to_operator(
        self,
        note: Note,
        *,
        every: timedelta | None = OPERATOR_NOTICE_EVERY,
        about: int | None = None,
        what: str = "",
        news: str | Phrase = "",
    ) -> bool:
        """Queue a notice to the service's operator, if the settings name one; return whether that was done.

        every: at most one of each kind in this time; None for notices that must not be dropped.
        about: the game whose players it names, so that it is erased with them.
        what: distinguishes it from others of its kind at the same time.
        """
        address = self._service.operator
        if not address or (every is not None and not self._unit.limits.is_news(note.code, every)):
            return False
        report = replace(
            self._to(Reader(address, language=self._service.language), "notice"), notes=(note,), news=news
        )
        operator = Player(number=0, name="", address=address, language=self._service.language)
        said = f"operator {note.code} {self._now.isoformat()}{f' {what}' if what else ''}"
        self._queue.put(report, operator, said, answers=None, about=about)
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
        """Queue a letter about addresses to an address that is to be a player's, or was."""
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
        report = replace(
            self._to(Reader(address, language=self._service.language), words.kind),
            notes=words.notes,
            faults=words.faults,
            understood=words.understood,
            pages=words.pages,
            rulebooks=self._service.rulebooks.values(),
        )
        reader = Player(number=player, name="", address=address, language=self._service.language)
        self._queue.put(report, reader, what, answers=answers, reply_tag=reply_tag)

    def _to(self, reader: Reader, kind: Kind) -> Report:
        """Return an empty report to a reader."""
        return Report(
            kind=kind,
            reader=reader,
            sent=self._now,
            service=self._service.name,
            address=self._service.address,
            first=True,
        )


def _named_in(words: LetterContent) -> Iterator[int]:
    """Yield the players whom a letter names besides those in its report."""
    yield from (*(words.watchers or ()), *words.newcomers, *words.shows, *words.speaks_of)
    yield from (each["invited"] for each in words.listing if each["invited"] is not None)


def _reader(player: Player) -> Reader:
    """Return a player as the reader of a letter."""
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


def _is_urgent(clocks: GameClocks, game: Game, player: Player, now: datetime) -> bool:
    """Return whether too little time is left for a player's move for it to be asked for in a digest (TM-1.1)."""
    seat = game.seat_of(player.number)
    deadline = clocks.deadline(game, seat) if seat is not None and game.timed else None
    return deadline is not None and deadline < now + DIGEST_NEEDS
