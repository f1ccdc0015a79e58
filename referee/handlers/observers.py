"""Watching: observers hear of a game what every player hears, at once or some turns later.

The players agree to it beforehand (games.game_options). Observers are told in the transaction in which
something happens; with a delay they are told of a turn once it is that far back.
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
"""The most games that one player may watch at a time."""
MOST_WATCHERS = 50
"""The most players who may watch one game."""


def watch(work: HandlerContext, command: Watch, number: int | None) -> None:
    """Begin or stop watching a game.

    A game that cannot be watched has the same answer as one that does not exist.
    """
    if command.off:
        _stop(work, command, number)
        return
    me, named = work.request.player.number, str(number)
    game = work.games.readable(number) if number is not None else None
    delay = watchers_of(game.options) if game is not None and game.status == "playing" else None
    if game is not None and game.seat_of(me) is not None:
        message = "you play in game {game} yourself, and hear more of it than anybody who watches"
        work.outcome.reject(command, "plays-himself", message, about=number, game=named)
    elif game is None or delay is None:
        message = "there is no game {game} that others may watch"
        work.outcome.reject(command, "not-to-be-watched", message, game=named)
    elif not work.request.player.name:
        message = "the players will want to know who watches: write `register YOUR NAME` first"
        work.outcome.reject(command, "no-name", message)
    elif me in game.watchers:
        message = "you watch game {game} already"
        work.outcome.reject(command, "watches-already", message, about=number, game=named)
    elif len(_watched(work)) >= MOST_WATCHED:
        message = "you watch {most} games, and one may not watch more at a time"
        work.outcome.reject(command, "watches-many", message, most=str(MOST_WATCHED))
    elif len(game.watchers) >= MOST_WATCHERS:
        message = "{most} players watch game {game}, and there is room for no more"
        work.outcome.reject(command, "watched-by-many", message, most=str(MOST_WATCHERS), game=named)
    else:
        # A longer delay set by an umpire cannot be avoided by watching again.
        late = max(delay, game.delays.get(me, 0))
        work.apply_events(game, Watched(me, late))
        work.outcome.accept(command, game.number, standing_note(work, game) if not late else None)


def _watched(work: HandlerContext) -> set[int]:
    """Return the games that the writer watches, including the effects of this letter."""
    me = work.request.player.number
    numbers = {row.number for row in work.unit.games.watched_by(me)}
    for number, game in work.games.by_number.items():
        (numbers.add if me in game.watchers and game.status == "playing" else numbers.discard)(number)
    return numbers


def _stop(work: HandlerContext, command: Watch, number: int | None) -> None:
    watched, me = _watched(work), work.request.player.number
    about = work.games.readable(number) if number is not None else None
    if command.game is None and (about is None or me not in about.watchers):
        if len(watched) != 1:
            message = "you watch several games, {games}: say which" if watched else "you watch no game"
            suggestion = f"watch off {min(watched)}" if watched else ""
            games = ", ".join(map(str, sorted(watched)))
            work.outcome.reject(command, "which-watched", message, suggestion=suggestion, games=games)
            return
        (number,) = watched
    game = work.games.readable(number) if number is not None else None
    if game is None or me not in game.watchers:
        work.outcome.reject(command, "not-watched", "you do not watch game {game}", game=str(number))
        return
    leave(work, game)
    work.outcome.accept(command, note=Note("unwatched", {"game": game.number}))


def leave(work: HandlerContext, game: Game) -> Game:
    """Stop the writer watching a game, and revoke the reply tag of their letters about it."""
    me = work.request.player.number
    thread = work.unit.threads.get(me, game.number)
    if thread.tag:
        work.unit.tags.revoke(thread.tag)
        work.unit.threads.save(replace(thread, tag=""))
    return work.apply_events(game, Unwatched(me))


def watched_games(work: HandlerContext) -> list[Game]:
    """Return the games that the writer watches and that can be read."""
    return [
        game
        for row in work.unit.games.watched_by(work.request.player.number)
        if (game := work.games.readable(row.number))
    ]


def tell(work: HandlerContext, game: Game, events: Sequence[Event]) -> None:
    """Write to a game's observers what they are to hear after these events."""
    moved = any(isinstance(event, Ruled | SealOpened | Ended | TakenBack) for event in events)
    said = {event.text for event in events if isinstance(event, Pressed) and event.to == "all"}
    if not (moved or said):
        return
    press = [each for each in work.unit.writings.of_kind(game.number, "press") if each.number in game.to_all]
    for player, delay in game.watchers.items():
        here = work.composer.standpoint(game, player)
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
            work.composer.to_player(player, words, game=game, title=work.games.titles[game.number])


def _in_a_name(work: HandlerContext, game: Game, events: Sequence[Event]) -> list[Note]:
    """Return notes on orders that an umpire gave in a seat's name, unless they corrected one."""
    if any(isinstance(event, TakenBack) for event in events):
        return []
    return [
        of_an_order(game, event, work.composer.player(event.by).name if event.by else "")
        for event in events
        if isinstance(event, Ruled) and event.by is not None
    ]


def tell_of_act(work: HandlerContext, game: Game, note: Note) -> None:
    """Write to observers without a delay what an umpire did other than a move; others don't hear it before its time."""
    for player, delay in game.watchers.items():
        if not delay or game.status != "playing":
            words = LetterContent(kind="notice", weight="news", news=N_("the umpire"), notes=(note,))
            work.composer.to_player(player, words, game=game, title=work.games.titles[game.number])


def _words(
    game: Game, here: Perspective, thread: Thread, notes: tuple[Note, ...], *, moved: bool
) -> LetterContent | None:
    """Return what an observer is to hear; None for nothing at present."""
    if moved and game.status == "ended":
        return LetterContent(kind="result", news=N_("ended"), notes=notes)
    if len(here.heard) > thread.told:
        return LetterContent(kind="report", weight="news", news=news_of(game, here), notes=notes)
    if notes:
        return LetterContent(kind="notice", weight="news", news=N_("a message"), notes=notes)
    return None


def _returns(work: HandlerContext, game: Game, here: Perspective, thread: Thread) -> list[Note]:
    """Return notes on take-backs, as far as an observer hears of them now."""
    backs = [place for place, each in enumerate(here.heard) if each.code == TAKEN_BACK]
    notes = []
    for branch, place in enumerate(backs):
        if place >= thread.told and thread.letters:
            by = game.branches[branch].back.by
            notes.append(back_note(game, branch, who=work.composer.player(by).name if by is not None else ""))
    return notes


def _press_by_now(
    game: Game, here: Perspective, thread: Thread, press: Sequence[Writing]
) -> Sequence[Writing]:
    """Return the press since an observer's last letter and before the last happening that they hear of now.

    (Turns do not show that, since they recur after a take-back.)
    """
    if not thread.told:
        return ()
    heard = {each.number: game.to_all[each.number] for each in press}
    return [
        each
        for each in press
        if thread.told <= heard[each.number] and (not here.late or heard[each.number] < len(here.heard))
    ]


def _overheard(work: HandlerContext, game: Game, written: Writing) -> Note:
    """Return the note on a player's press for an observer."""
    seat = game.seat_of(written.player) or Seat("")
    signed = press_of(game.options) == "named"
    name = work.composer.player(written.player).name if signed else ""
    facts = {
        "who": name or seat.capitalize(),
        "signed": signed,
        "text": written.number,
        "lines": written.lines,
    }
    return Note("overheard", facts)


def news_of(game: Game, here: Perspective) -> str | Phrase:
    """Return the subject's news for an observer: the turn they hear of."""
    if game.status == "ended":
        return N_("ended")
    return Phrase(N_("turn {turn}"), {"turn": game.rulebook.rules.turn(here.view)})
