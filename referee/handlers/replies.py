"""Turns a letter's effects into letters: one answer to the writer, and to the others what they are to hear."""

from __future__ import annotations

from dataclasses import replace

from referee.commands.grammar import PASSED_OVER
from referee.common.durations import DAY
from referee.common.faults import Fault
from referee.common.i18n import N_, Phrase, listed
from referee.games.clock_events import dated
from referee.games.events import (
    CheckedIn,
    Countered,
    Declined,
    Ended,
    EndOffered,
    Event,
    OfferWithdrawn,
    Opened,
    Paused,
    PauseOffered,
    Pressed,
    Reachable,
    Resumed,
    Ruled,
    TakenBack,
    Unwatched,
    Watched,
    write_event,
)
from referee.games.game import Game
from referee.games.game_options import press_of
from referee.games.results import DRAW, end_of
from referee.games.summary import outline_of, write_outline
from referee.handlers import deadlines, leave, observers
from referee.handlers.handler_context import HandlerContext
from referee.handlers.letter_content import InReplyTo, LetterContent, Urgency
from referee.handlers.letter_outcome import GameOutcome
from referee.handlers.pauses import begun_note, ends_note
from referee.handlers.private_orders import note_confided
from referee.handlers.proposals import address_given, terms_of, whom_invited
from referee.mail.message.message import Kind
from referee.reports.report import Note
from referee.rulebooks.rulebook import Seat

CAN_WAIT = frozenset(("offer-withdrawn", "offer-lapsed", "reachable", "press", "plan-used", "plan"))
"""Notes to the other side that ask nothing; the only player they name is the writer."""
MOST_OFFERS_TOLD_A_DAY = 3
"""The most letters to a player in a day that are only about proposals to end a game."""


def save_and_reply(work: HandlerContext, about: int | None, answers: InReplyTo) -> Kind:
    """Store what happened and write the letters; return the kind of the writer's answer.

    about: the game that the letter itself is about, if any.
    """
    for number, part in work.outcome.by_game.items():
        if number is not None and part.confided:
            note_confided(work, work.games.by_number[number])
    _keep_all(work, answers.number)
    _write_to_others(work)
    kind = _answer(work, about, answers)
    _write_to_watchers(work)  # players come first
    return kind


def _answer(work: HandlerContext, about: int | None, answers: InReplyTo) -> Kind:
    copied = [
        work.composer.copy(work.request.player.number, *which, answers) for which in work.outcome.copies
    ]
    if (
        any(copied)
        and not work.outcome.pages
        and not any(part.speaks for part in work.outcome.by_game.values())
    ):
        return "report"  # the copies that were asked for are the answer
    return _write_to_the_writer(work, about, answers)


def tell_others(work: HandlerContext, letter: int) -> None:
    """Store what happened, and write to everybody else who is to hear of it. letter: the one that caused it."""
    _keep_all(work, letter)
    _write_to_others(work)
    _write_to_watchers(work)


def _keep_all(work: HandlerContext, letter: int) -> None:
    for number, part in work.outcome.by_game.items():
        if number is not None and part.events:
            _keep(work, work.games.by_number[number], part.events, letter)


def _write_to_watchers(work: HandlerContext) -> None:
    for number, part in work.outcome.by_game.items():
        if number is not None and part.events and work.games.by_number[number].watchers:
            observers.tell(work, work.games.by_number[number], part.events)


def keep_events(work: HandlerContext, game: Game, events: list[Event], letter: int | None) -> None:
    """Append events to a game's log, update the rows for searching, and write to observers."""
    if game.timed:
        events = [dated(event, work.request.now, work.request.received) for event in events]
    _keep(work, game, events, letter)
    if game.watchers:
        observers.tell(work, game, events)


def _keep(work: HandlerContext, game: Game, events: list[Event], letter: int | None) -> None:
    first = game.last_event - len(events) + 1
    written = [(first + i, *write_event(event)) for i, event in enumerate(events)]
    work.unit.events.append(game.number, written, at=work.request.now, letter=letter)
    if any(isinstance(event, Opened) for event in events):
        for seat, player in game.seats.items():
            work.unit.games.add_seat(game.number, seat, player)
        if game.timed:
            leave.carry_over(work, game)
    for event in events:
        if isinstance(event, Watched | Unwatched):
            work.unit.games.set_watched(game.number, event.player, over=isinstance(event, Unwatched))
    work.unit.games.update(
        game.number,
        status=game.status,
        last_event=game.last_event,
        at=work.request.now,
        outline=write_outline(outline_of(game)),
        turned=any(isinstance(event, Opened | Ruled | TakenBack) for event in events),
        result=end_of(game.result) if game.result else "",
    )
    if game.timed:
        deadlines.keep(work, game, events)


def _write_to_others(work: HandlerContext) -> None:
    """Write to the others. Letters unrelated to the play follow those about it.

    Somebody who first reads of an opponent's leave must not come across the move in passing.
    """
    later = [each for each in work.outcome.others if _moved(work.outcome.by_game.get(each[0], GameOutcome()))]
    _write_besides(work, [each for each in work.outcome.others if each not in later])
    for number, part in work.outcome.by_game.items():
        if number is None or not part.events:
            continue
        game = work.games.by_number[number]
        for seat, player in game.seats.items():
            if player != work.request.player.number and (words := _heard(work, game, seat, part)):
                work.composer.to_player(player, words, game=game, title=work.games.titles[number])
    _write_besides(work, later)


def _write_besides(work: HandlerContext, letters: list[tuple[int, int, LetterContent]]) -> None:
    for about, reader, said in letters:
        work.composer.to_player(
            reader, said, game=work.games.by_number[about], title=work.games.titles[about]
        )


def _heard(work: HandlerContext, game: Game, seat: Seat, part: GameOutcome) -> LetterContent | None:
    """Return what a seat is to hear of the effects of another's letter; None for nothing."""
    kind, news, notes = _told_of_events(work, game, seat, part)
    if kind is None and news:
        kind = _notice_of_offers(work, game, seat, part)
    whispered = [note for whom, note in part.whispers if whom == seat]
    if kind is None and not whispered:
        return None
    kind = kind or "notice"
    notes.extend(whispered)
    shows: list[int] = []
    if any(isinstance(event, Opened) for event in part.events):
        invited = whom_invited(work, game, game.seats[seat])
        notes[:0] = [invited] if invited else []
        shows = [work.request.player.number] if invited else []
    if kind == "report" and game.status == "ended":
        if seat in game.plans:
            notes.append(Note("plan-over"))
        said = tuple(note for note in notes if note.code == "press" or note.code.startswith("plan"))
        return LetterContent(kind="result", news=N_("ended"), notes=said)
    if part.lapsed is not None and part.lapsed.by == seat:
        notes.append(Note("offer-lapsed", {"who": _called(work, game), "end": part.lapsed.end}))
    if kind == "report" or not news:
        news = news_of(game, seat)
    weight: Urgency = "turn" if kind == "report" and seat in game.due else "news"
    if not all(note.code in CAN_WAIT for note in notes):
        weight = "question"
    return LetterContent(
        kind=kind,
        weight=weight,
        by=work.request.player.number,
        newcomers=part.newcomers,
        shows=tuple(shows),
        news=news,
        notes=tuple(notes),
    )


def _told_of_events(
    work: HandlerContext, game: Game, seat: Seat, part: GameOutcome
) -> tuple[Kind | None, str | Phrase, list[Note]]:
    """Return the notes for a seat on each event, with the kind of the letter and its news.

    The kind is None where only a proposal is told.
    """
    kind: Kind | None = None
    news: str | Phrase = ""
    notes: list[Note] = []
    writer = {"who": _called(work, game)}
    offers = [each for each in part.events if isinstance(each, EndOffered | OfferWithdrawn)]
    stood = part.offer_before if part.offer_before and part.offer_before.by != seat else None
    for event in part.events:
        match event:
            case Opened() | Ruled() | Ended():
                kind = "report"
            case EndOffered(end=end) if event is offers[-1]:
                news = N_("draw offered") if end == DRAW else N_("a proposal")
                facts = {**writer, "due": seat in game.due, "end": end, "seat": seat}
                notes.append(Note("was-offered", facts))
            case OfferWithdrawn() if event is offers[-1] and stood is not None:
                news = N_("draw withdrawn") if stood.end == DRAW else N_("proposal withdrawn")
                notes.append(Note("offer-withdrawn", {**writer, "end": stood.end}))
            case Pressed():
                kind = kind or "notice"
                news = news or N_("a message")
                notes.append(_press(work, game, event))
            case PauseOffered():
                kind = kind or "notice"
                news = news or N_("a pause?")
                notes.append(Note("pause-wanted", writer))
            case Paused():
                kind = kind or "notice"
                news = news or N_("a pause")
                notes.append(begun_note(work, game, seat))
            case Resumed(at=at):
                kind = kind or "notice"
                news = news or N_("the pause ends")
                notes.append(ends_note(work, game, seat, work.games.clocks.runs_again(game, at)))
            case Reachable() if work.unit.limits.count(_of_return(game, event.seat), 1, DAY):
                kind = kind or "notice"
                notes.append(Note("reachable", writer))
    return kind, news, notes


def _press(work: HandlerContext, game: Game, event: Pressed) -> Note:
    """Return the note on press for the other player."""
    (written,) = (
        each for each in work.unit.writings.of_kind(game.number, "press") if each.number == event.text
    )
    signed = press_of(game.options) == "named"
    facts = {
        "who": _called(work, game) if signed else event.seat.capitalize(),
        "signed": signed,
        "all": event.to == "all",
        "text": event.text,
        "lines": written.lines,
    }
    return Note("press", facts)


def _notice_of_offers(work: HandlerContext, game: Game, seat: Seat, part: GameOutcome) -> Kind | None:
    """Return the kind of a letter to a seat that is only about the other's proposal, None when there were enough today.

    In that case the next letter about the game states the proposal, and the writer is told so.
    """
    if work.unit.limits.count(_of_offers(game, seat), MOST_OFFERS_TOLD_A_DAY, DAY):
        return "notice"
    who = work.composer.player(game.seats[seat]).name or seat.capitalize()
    part.notes.append(Note("offer-untold", {"who": who, "most": MOST_OFFERS_TOLD_A_DAY}))
    return None


def hears_of_offer(work: HandlerContext, game: Game, seat: Seat) -> bool:
    """Return whether a seat will get a letter about what has happened in a game so far, including a proposal to end it.

    It will if the letter is about more than that, or the day's limit for the other kind is not reached.
    """
    unit = work.unit
    for event in work.outcome.of(game.number).events:
        if isinstance(event, Opened | Ruled | Ended | Pressed):
            return True
        if isinstance(event, Reachable) and unit.limits.allows(_of_return(game, event.seat), 1, DAY):
            return True
    return unit.limits.allows(_of_offers(game, seat), MOST_OFFERS_TOLD_A_DAY, DAY)


def _of_offers(game: Game, seat: Seat) -> str:
    """Return the name under which letters to a seat about proposals are counted."""
    return f"told {seat} of draws in {game.number}"


def _of_return(game: Game, seat: Seat) -> str:
    """Return the name under which letters are counted that say a seat can be reached again."""
    return f"told of {seat} back in {game.number}"


def _called(work: HandlerContext, game: Game) -> str:
    """Return the writer's name in a game, or their colour."""
    return work.request.player.name or (game.seat_of(work.request.player.number) or "").capitalize()


def news_of(game: Game, seat: Seat) -> str | Phrase:
    """Return the subject's news when it is no verdict on the reader's letter: what they have to do now."""
    if game.status == "ended":
        return N_("ended")
    if game.frozen:
        return N_("frozen")
    turn = game.rulebook.rules.turn(game.view(seat))
    return Phrase(N_("your move {turn}") if seat in game.due else N_("turn {turn}"), {"turn": turn})


def _write_to_the_writer(work: HandlerContext, about: int | None, answers: InReplyTo) -> Kind:
    """Write the one answer; and a report for each further game in which the letter was ruled on.

    The answer belongs to the game that the letter was about if it did or asked anything there, otherwise to
    the first that it affected: a challenge in a letter about another game begins a thread of its own. An
    answer that asks for a word to a tag of its own belongs to no game, so that no example of a move
    accompanies it.
    """
    touched = [number for number, part in work.outcome.by_game.items() if number is not None and part.speaks]
    main = about if about in touched or not touched else touched[0]
    of_no_game = work.outcome.by_game.get(None, GameOutcome())
    if not touched and work.request.target_game is None and (of_no_game.understood or work.outcome.pages):
        main = None  # the game was merely likely, and the request is about none
    if work.outcome.reply_tag or work.outcome.about_no_game:
        main = None
    answer = work.outcome.by_game.get(main, GameOutcome())
    for number, part in work.outcome.by_game.items():
        if number == main:
            continue
        if number is not None and _moved(part):
            _write_answer(work, number, part, answers)
        else:
            answer.understood.extend(part.understood)
            answer.faults.extend(part.faults)
            answer.notes.extend(replace(note, about=number) for note in part.notes)
            answer.attachments.extend(part.attachments)
            answer.rescheduled.extend(part.rescheduled)
            answer.shows.extend(part.shows)
            answer.speaks_of.extend(part.speaks_of)
    answer.notes[:0] = _waiting_challenges(work, main, answer.shows)
    return _write_answer(work, main, answer, answers, general=True, elsewhere=main not in touched)


def _waiting_challenges(work: HandlerContext, about: int | None, shows: list[int]) -> list[Note]:
    """Return notes on the challenges that wait for the writer's answer; empty when they have dealt with one.

    They do not belong in a letter that moves in a game, or asks for the list, nor in one about letters
    themselves. A letter about another game is kept as long as that one goes on, so it does not name the
    challenger, who may leave meanwhile.

    about: the game that the answer is about; where nothing else could be meant, the bare word suffices.
    shows: collects players whose address may be shown.
    """
    parts = work.outcome.by_game.values()
    dealt = any(isinstance(event, Opened | Declined | Countered) for part in parts for event in part.events)
    if dealt or work.outcome.listing or any(part.kind or _moved(part) for part in parts):
        return []
    me = work.request.player.number
    waiting = [row for row in work.unit.games.of_player(me, ("proposed",)) if row.proposed_to == me]
    alone = about is None and len(waiting) == 1 and not work.unit.games.of_player(me, ("playing",))
    notes = []
    for row in waiting:
        if row.proposed_by is None:
            continue
        facts = {"game": row.number, "alone": alone or about == row.number, "rulebook": row.rules}
        game = work.games.readable(row.number) if about in (None, row.number) else None
        if game is None:
            told = {"who": "", "countered": False, "options": {}}
        else:
            who = work.composer.player(row.proposed_by).name or address_given(work, game, me)
            told = {"who": who, "countered": game.rounds > 0, "options": terms_of(game)}
            shows.append(row.proposed_by)
        notes.append(Note("challenge-waits", {**facts, **told}))
    return notes


def _moved(part: GameOutcome) -> bool:
    return any(isinstance(event, Opened | Ruled | Ended | Watched) for event in part.events)


def _write_answer(
    work: HandlerContext,
    number: int | None,
    part: GameOutcome,
    answers: InReplyTo,
    *,
    general: bool = False,
    elsewhere: bool = False,
) -> Kind:
    """Write an answer. elsewhere: nothing in it is about that game."""
    game = work.games.readable(number) if number is not None else None
    me = work.request.player.number
    if game is not None and not (game.concerns(me) or work.composer.standpoint(game, me).seat):
        game = None
    if game is not None and any(isinstance(event, Opened) for event in part.events):
        invited = whom_invited(work, game, me)
        part.notes[:0] = [invited] if invited else []
        part.shows.extend(who for who in game.seats.values() if invited and who != me)
    kind = _kind(work, game, part)
    pages = tuple(work.outcome.pages) if general else ()
    if kind == "help" and not pages:
        pages = ("help",)
    words = LetterContent(
        kind=kind,
        watchers=part.watchers,
        newcomers=part.newcomers if part.watchers is None else (),
        shows=tuple(part.shows),
        speaks_of=tuple(part.speaks_of),
        elsewhere=elsewhere,
        news=_verdict(work, game, kind, part),
        notes=tuple(part.notes),
        understood=tuple(sorted(part.understood, key=lambda said: work.outcome.line_of.get(said, 0))),
        faults=tuple(sorted(part.faults, key=_line)),
        pages=pages,
        listing=tuple(work.outcome.listing) if general else (),
        attachments=tuple(part.attachments),
        rescheduled=tuple(filter(None, map(work.games.readable, dict.fromkeys(part.rescheduled)))),
    )
    title = work.games.titles[game.number] if game else ""
    waits = game is not None and game.status == "playing" and not _moved(part)
    seat = game.seat_of(work.request.player.number) if game else None
    if game is not None and waits and seat is not None and seat not in game.due:
        words = replace(words, since=work.unit.events.turn_since(game.number))
    work.composer.to_player(
        work.request.player.number,
        words,
        game=game,
        title=title,
        answers=answers,
        reply_tag=work.outcome.reply_tag if general else "",
    )
    return kind


def _line(fault: Fault) -> tuple[int, int]:
    return (fault.place.line, fault.place.column) if fault.place else (0, 0)


def _waits_for_answer(work: HandlerContext, game: Game | None, part: GameOutcome) -> bool:
    """Return whether the writer's turn is over and its outcome is told only with the next one."""
    begun = any(isinstance(event, Opened) for event in part.events)
    mine = game.seat_of(work.request.player.number) if game is not None else None
    return not begun and mine is not None and part.sealed_by == mine


def _kind(work: HandlerContext, game: Game | None, part: GameOutcome) -> Kind:
    if _moved(part) and game is not None and game.status == "ended":
        return "result"
    if _moved(part) and not (part.shown or _waits_for_answer(work, game, part)):
        return "report"
    if part.shown or (part.understood and any(note.code == "as-it-was" for note in part.notes)):
        return "report"
    if part.understood:
        return "receipt"
    return part.kind or ("refusal" if part.faults else "help")


def _verdict(work: HandlerContext, game: Game | None, kind: Kind, part: GameOutcome) -> str | Phrase:
    """Return the subject's news of an answer: whether the letter was accepted, otherwise what is to be done."""
    if kind == "result":
        return N_("ended")
    if game is not None and game.status == "proposed" and game.proposed_to == work.request.player.number:
        return N_("waits for you")  # "accepted" would read as if they had accepted the challenge
    if any(note.code in ("deed-asked", "case-asked") for note in part.notes):
        return N_("please confirm")
    shown = next((note for note in part.notes if note.code == "case"), None)
    if shown is not None:
        return Phrase(N_("case {case}"), {"case": shown.facts["case"]})
    if any(note.code == "deed-gone" for note in part.notes):
        return N_("not accepted")
    if any(fault.code != PASSED_OVER for fault in part.faults):
        return N_("partly accepted") if part.understood else N_("not accepted")
    if kind == "help":
        return N_("help")
    if any(note.code == "overseen" for note in part.notes):
        return N_("how your events stand")
    told = next((note.facts for note in part.notes if note.code == "leave"), None)
    if told is not None and not _moved(part) and (news := leave.news_of(told)) is not None:
        return news
    if any(isinstance(event, Countered) for event in part.events):
        return N_("other terms")  # "accepted" would read as if the challenge had been accepted
    seat = game.seat_of(work.request.player.number) if game else None
    done = [event for event in part.events if not isinstance(event, CheckedIn | Reachable)]
    if done and not any(isinstance(event, Opened) for event in done):
        if (
            game is not None
            and seat in game.due
            and seat is not None
            and kind == "report"
            and not game.frozen
        ):
            return listed(
                (Phrase(N_("accepted")), news_of(game, seat))
            )  # the letter begins with their turn, too
        return N_("accepted")
    me = work.request.player.number
    if game and (me in game.watchers or work.composer.standpoint(game, me).by_office):
        return observers.news_of(game, work.composer.standpoint(game, work.request.player.number))
    return news_of(game, seat) if game and seat else N_("accepted")
