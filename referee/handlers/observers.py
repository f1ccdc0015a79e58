"""Watching: whoever does not play hears of a game what every player hears, at once or some turns late.

The players agree to it beforehand (games.game_options). Those who watch are told in the transaction in which it
happens; who hears late is told of a turn when it lies so far back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.commands.command import Watch
from referee.common.i18n import N_, Phrase
from referee.games.events import Ended, Event, Pressed, Ruled, SealOpened, TakenBack, Unwatched, Watched
from referee.games.game import Game
from referee.games.game_options import press_of, watchers_of
from referee.handlers.game_faces import Perspective
from referee.handlers.handler_context import HandlerContext
from referee.handlers.letter_content import LetterContent
from referee.handlers.notices import of_an_order
from referee.handlers.standing_actions import standing_note
from referee.handlers.take_back_notices import back_note
from referee.reports.report import Note
from referee.rulebooks.branches import TAKEN_BACK
from referee.rulebooks.rulebook import Seat
from referee.store.values import Thread, Writing

MOST_WATCHED = 20
"""Games that one player may watch at a time."""
MOST_WATCHERS = 50
"""Players who may watch one game."""


def watch(work: HandlerContext, command: Watch, number: int | None) -> None:
    """Begin to watch a game, or watch it no more.

    What cannot be watched is answered alike, whether there is such a game or not.
    """
    if command.off:
        _stop(work, command, number)
        return
    me, named = work.player.number, str(number)
    game = work.readable(number) if number is not None else None
    delay = watchers_of(game.options) if game is not None and game.status == "playing" else None
    if game is not None and game.seat_of(me) is not None:
        message = "you play in game {game} yourself, and hear more of it than anybody who watches"
        work.wrong(command, "plays-himself", message, about=number, game=named)
    elif game is None or delay is None:
        message = "there is no game {game} that others may watch"
        work.wrong(command, "not-to-be-watched", message, game=named)
    elif not work.player.name:
        message = "the players will want to know who watches: write `register YOUR NAME` first"
        work.wrong(command, "no-name", message)
    elif me in game.watchers:
        message = "you watch game {game} already"
        work.wrong(command, "watches-already", message, about=number, game=named)
    elif len(_watched(work)) >= MOST_WATCHED:
        message = "you watch {most} games, and one may not watch more at a time"
        work.wrong(command, "watches-many", message, most=str(MOST_WATCHED))
    elif len(game.watchers) >= MOST_WATCHERS:
        message = "{most} players watch game {game}, and there is room for no more"
        work.wrong(command, "watched-by-many", message, most=str(MOST_WATCHERS), game=named)
    else:
        # Whom an umpire lets hear later than was agreed does not hear sooner by beginning anew.
        late = max(delay, game.delays.get(me, 0))
        work.happen(game, Watched(me, late))
        work.took(command, game.number, standing_note(work, game) if not late else None)


def _watched(work: HandlerContext) -> set[int]:
    """Return the games that the writer watches, as this very letter leaves them."""
    me = work.player.number
    numbers = {row.number for row in work.unit.games.watched_by(me)}
    for number, game in work.games.items():
        (numbers.add if me in game.watchers and game.status == "playing" else numbers.discard)(number)
    return numbers


def _stop(work: HandlerContext, command: Watch, number: int | None) -> None:
    watched, me = _watched(work), work.player.number
    about = work.readable(number) if number is not None else None
    if command.game is None and (about is None or me not in about.watchers):
        if len(watched) != 1:
            message = "you watch several games, {games}: say which" if watched else "you watch no game"
            suggestion = f"watch off {min(watched)}" if watched else ""
            games = ", ".join(map(str, sorted(watched)))
            work.wrong(command, "which-watched", message, suggestion=suggestion, games=games)
            return
        (number,) = watched
    game = work.readable(number) if number is not None else None
    if game is None or me not in game.watchers:
        work.wrong(command, "not-watched", "you do not watch game {game}", game=str(number))
        return
    leave(work, game)
    work.took(command, note=Note("unwatched", {"game": game.number}))


def leave(work: HandlerContext, game: Game) -> Game:
    """Let the writer watch a game no more; the reply tag of his letters about it counts for nothing."""
    me = work.player.number
    thread = work.unit.threads.get(me, game.number)
    if thread.tag:
        work.unit.tags.revoke(thread.tag)
        work.unit.threads.save(replace(thread, tag=""))
    return work.happen(game, Unwatched(me))


def watched_games(work: HandlerContext) -> list[Game]:
    """Return the games that the writer watches and that can be read."""
    return [
        game for row in work.unit.games.watched_by(work.player.number) if (game := work.readable(row.number))
    ]


def tell(work: HandlerContext, game: Game, events: Sequence[Event]) -> None:
    """Write to those who watch a game what they are to hear, now that these events have happened."""
    moved = any(isinstance(event, Ruled | SealOpened | Ended | TakenBack) for event in events)
    said = {event.text for event in events if isinstance(event, Pressed) and event.to == "all"}
    if not (moved or said):
        return
    press = [each for each in work.unit.writings.of_kind(game.number, "press") if each.number in game.to_all]
    for player, delay in game.watchers.items():
        here = work.post.standpoint(game, player)
        thread = work.unit.threads.get(player, game.number)
        if moved and delay:
            waiting = work.unit.news.texts(player, game.number)
            heard = [each for each in _press_by_now(game, here, thread, press) if each.number not in waiting]
        else:
            heard = [each for each in press if each.number in said and not here.late]
        notes = (
            *_returns(work, game, here, thread),
            *(_in_a_name(work, game, events) if not delay else ()),
            *(_overheard(work, game, each) for each in heard),
        )
        words = _words(game, here, thread, notes, moved=moved)
        if words is not None:
            work.post.to_player(player, words, game=game, title=work.titles[game.number])


def _in_a_name(work: HandlerContext, game: Game, events: Sequence[Event]) -> list[Note]:
    """Return notes on orders that an umpire gave in a seat's name, where he has not corrected one."""
    if any(isinstance(event, TakenBack) for event in events):
        return []
    return [
        of_an_order(game, event, work.post.player(event.by).name if event.by else "")
        for event in events
        if isinstance(event, Ruled) and event.by is not None
    ]


def tell_of_act(work: HandlerContext, game: Game, note: Note) -> None:
    """Write to those who hear at once what an umpire has done that is no move; others do not hear what they would have
    to hear late."""
    for player, delay in game.watchers.items():
        if not delay or game.status != "playing":
            words = LetterContent(kind="notice", weight="news", news=N_("the umpire"), notes=(note,))
            work.post.to_player(player, words, game=game, title=work.titles[game.number])


def _words(
    game: Game, here: Perspective, thread: Thread, notes: tuple[Note, ...], *, moved: bool
) -> LetterContent | None:
    """Return what somebody who watches is to hear; None when it is nothing for now."""
    if moved and game.status == "ended":
        return LetterContent(kind="result", news=N_("ended"), notes=notes)
    if len(here.heard) > thread.told:
        return LetterContent(kind="report", weight="news", news=news_of(game, here), notes=notes)
    if notes:
        return LetterContent(kind="notice", weight="news", news=N_("a message"), notes=notes)
    return None


def _returns(work: HandlerContext, game: Game, here: Perspective, thread: Thread) -> list[Note]:
    """Return notes on what was taken back, as far as somebody hears of it now."""
    backs = [place for place, each in enumerate(here.heard) if each.code == TAKEN_BACK]
    notes = []
    for branch, place in enumerate(backs):
        if place >= thread.told and thread.letters:
            by = game.branches[branch].back.by
            notes.append(back_note(game, branch, who=work.post.player(by).name if by is not None else ""))
    return notes


def _press_by_now(
    game: Game, here: Perspective, thread: Thread, press: Sequence[Writing]
) -> Sequence[Writing]:
    """Return the press that was written before the last that somebody hears of now, and not before what he had heard
    by his last letter. (Turns do not tell that: they come again where some were taken back.)"""
    if not thread.told:
        return ()
    heard = {each.number: game.to_all[each.number] for each in press}
    return [
        each
        for each in press
        if thread.told <= heard[each.number] and (not here.late or heard[each.number] < len(here.heard))
    ]


def _overheard(work: HandlerContext, game: Game, written: Writing) -> Note:
    """Return what somebody who watches reads of the players' press."""
    seat = game.seat_of(written.player) or Seat("")
    signed = press_of(game.options) == "named"
    name = work.post.player(written.player).name if signed else ""
    facts = {
        "who": name or seat.capitalize(),
        "signed": signed,
        "text": written.number,
        "lines": written.lines,
    }
    return Note("overheard", facts)


def news_of(game: Game, here: Perspective) -> str | Phrase:
    """Return the subject's news for somebody who watches: which turn he hears of."""
    if game.status == "ended":
        return N_("ended")
    return Phrase(N_("turn {turn}"), {"turn": game.rulebook.rules.turn(here.view)})
