"""What is said to whom: from what is to be said to a letter in the outbox, with its number, thread and tag.

A player's letters about one game are numbered from 1 without gaps and make one thread in their mail program. All of
that is one row of the store (`Thread`), read and written in the transaction that the letter belongs to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from referee.common.chance import Draws
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
"""How often, at most, the operator is written to about one kind of thing."""
_COMES_AT_ONCE: Mapping[Frequency, frozenset[Urgency]] = {
    "each": frozenset(("question", "turn", "news")),
    "daily": frozenset(("question",)),
    "urgent": frozenset(("question", "turn")),
    "quiet": frozenset(("question", "turn")),
}


class Composer:
    """Writes letters within one unit of work.

    cause: what they are written for, in words that say it as often as it is done again, and of nothing else. The
    Message-IDs hang on it: after an old backup was restored the numbers begin again where they were then, and a
    reader's mail program must not take another letter for the one that it has.
    clocks: those of the work that they are written for, where there is one.
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
        thread = self._unit.threads.get(number, game.number if game else 0)
        if game and answers is None and self._can_wait(player, game, thread, words):
            self._news.gather(number, game, words)
            return
        words = self._with_waiting_news(player, game, words)
        message_id = self._queue.message_id(f"{number} {thread.game} {thread.letters + 1}")
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
        queued = self._queue.put(
            report,
            player,
            message_id=message_id,
            attachments=words.attachments,
            answers=answers,
            references=tuple(dict.fromkeys(filter(None, (thread.root, *thread.last)))) if game else (),
            reply_tag=reply_tag or (thread.tag if game else ""),
            seat=here.seat,
        )
        self._queue.mark_naming(queued, report, number, game, tuple(_named_in(words)))
        self._promise(report)
        self._unit.threads.save(replace(thread.after(message_id), told=len(here.heard)))

    def _can_wait(self, player: Player, game: Game, thread: Thread, words: LetterContent) -> bool:
        """Return whether what is to be said of a game waits for the reader's next letter, as they have chosen."""
        begins = player.number in game.seats.values() and not thread.told
        at_once = begins or not thread.letters
        return not at_once and words.weight not in _COMES_AT_ONCE[player.letters]

    def _with_waiting_news(self, player: Player, game: Game | None, words: LetterContent) -> LetterContent:
        """Return what a letter says with the news that have waited for it, and what every letter about a game says."""
        notes, named = words.notes, words.speaks_of
        if player.letters != "each":
            waited = self._news.take(player.number, game.number if game else 0)
            notes = (*notes, *(self._news.note(each, game) for each in waited))
            named = (*named, *(who for each in waited for who in each.facts.get("players", ())))
        if game is not None:
            notes = (*notes, *self._faces.watching(game, words))
            notes = (*notes, *self._faces.claims_left(game, player.number, words.kind))
        return replace(words, notes=notes, speaks_of=named)

    def _with_tag(self, thread: Thread, purpose: Purpose, game: int | None) -> Thread:
        """Return a thread with its reply tag, a new one for its first letter."""
        if thread.tag:
            return thread
        thread = replace(thread, tag=self._draws.tag())
        self._unit.tags.add(thread.tag, purpose, player=thread.player, game=game)
        return thread

    def _about(self, game: Game, title: str, here: Perspective, thread: Thread, report: Report) -> Report:
        """Return a report with what it shows of its game.

        A reader who takes a seat later, begins to watch, or goes on with a game from elsewhere, hears all that there
        was as what stands, not as news.
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
        """Return what a letter tells its reader's calendar, of its game and of others; and its thread after that."""
        entry = None
        if game:
            thread, entry = self._entered(player, game, thread, clocks)
        others = (each for each in words.rescheduled if game is None or each.number != game.number)
        entries = (entry, *(self._enter(player, each) for each in others))
        return thread, tuple(filter(None, entries))

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
        thread, entry = self._entered(player, game, before, self._faces.clocks(game))
        if entry is not None:
            self._unit.threads.save(thread)
            if not entry.over:
                self._unit.clocks.promise(game.number, Seat(entry.seat), entry.at)
                self._clocks.forget(game.number)
        return entry

    def _promise(self, report: Report) -> None:
        """Keep which deadline a letter tells its reader for his own move: it will not be an earlier one."""
        face = report.clocks.get(report.seat) if report.seat else None
        if report.game is not None and report.seat and face is not None and face.deadline is not None:
            self._unit.clocks.promise(report.game.number, report.seat, face.deadline)
            self._clocks.forget(report.game.number)

    def of_the_day(self, number: int, games: Sequence[tuple[Game, str]]) -> bool:
        """Queue a letter to a player with the news of all his games that wait to be told, and how each stands; return
        whether there were any. games: those that he plays, then those that he watches, each with its title."""
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
        message_id = self._queue.message_id(f"{number} 0 {thread.letters + 1}")
        report = replace(
            self._to(_reader(player), "notice"),
            number=thread.letters + 1,
            first=False,
            news=N_("your games"),
            notes=besides,
            days=tuple(sorted(days, key=lambda day: day.seat not in day.due)),
            entries=tuple(filter(None, entries)),
        )
        queued = self._queue.put(report, player, message_id=message_id, answers=None, reply_tag=thread.tag)
        for day in days:
            self._promise(day)
        named = [who for each in waited for who in each.facts.get("players", ())]
        self._queue.mark_naming(queued, report, number, None, named)
        self._unit.threads.save(thread.after(message_id))
        return True

    def _day(
        self, player: Player, game: Game, title: str, waited: Sequence[Gathered]
    ) -> tuple[Report, Thread]:
        """Return how a game stands, as a part of the letter of the day, and its thread."""
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
        """Queue a letter once more, by its number in the player's letters about a game (0: about none).

        It has a Message-ID of its own, and counts for nothing in the numbers. False when there is no such letter.
        answers: the letter that asked for it, if one did; else lost: the Message-ID of the one that did not arrive.
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
        """Queue a letter that came back as too large once more in the next smaller form, as a copy; return what form
        that is, "" where there is none."""
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
        """Queue a notice to whoever runs the service, if the settings name him; tell whether that was done.

        every: at most one in this time of each kind; None for what must not be left out. about: the game whose players
        it speaks of, so that it is erased with them. what: tells it from others of its kind at the same time.
        """
        address = self._service.operator
        if not address or (every is not None and not self._unit.limits.is_news(note.code, every)):
            return False
        report = replace(
            self._to(Reader(address, language=self._service.language), "notice"), notes=(note,), news=news
        )
        operator = Player(number=0, name="", address=address, language=self._service.language)
        said = f"operator {note.code} {self._now.isoformat()}{f' {what}' if what else ''}"
        self._queue.put(report, operator, message_id=self._queue.message_id(said), answers=None, about=about)
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
        report = replace(
            self._to(Reader(address, language=self._service.language), words.kind),
            notes=words.notes,
            faults=words.faults,
            understood=words.understood,
            pages=words.pages,
            rulebooks=self._service.rulebooks.values(),
        )
        reader = Player(number=player, name="", address=address, language=self._service.language)
        message_id = self._queue.message_id(what)
        self._queue.put(report, reader, message_id=message_id, answers=answers, reply_tag=reply_tag)

    def event_of(self, game: Game) -> tuple[str, str]:
        """Return what the event of a game is called, and who umpires there; see GameFaces."""
        return self._faces.event_of(game)

    def _to(self, reader: Reader, kind: Kind) -> Report:
        """Return a report to a reader that says nothing yet."""
        return Report(
            kind=kind,
            reader=reader,
            sent=self._now,
            service=self._service.name,
            address=self._service.address,
            first=True,
        )


def _named_in(words: LetterContent) -> Iterator[int]:
    """Yield the players whom a letter names by what it says beside its report."""
    yield from (*(words.watchers or ()), *words.newcomers, *words.shows, *words.speaks_of)
    yield from (each["invited"] for each in words.listing if each["invited"] is not None)


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
