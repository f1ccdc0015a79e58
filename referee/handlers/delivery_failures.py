"""Letters that bounce: the unreachable player's opponents are told, until the player writes again.

A single bounce may be a mistake, or forged by somebody who has seen the letter, so the letter is sent again
after a day. When that bounces as well, or another letter that is a day younger than the first bounce, the
player counts as unreachable. Only what a mail host says of the address counts against a player; what it says
of the service or of the letter is for the operator (mail.message.refusals), and a letter that is too large is
sent again in a smaller form.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from referee.common.durations import DAY
from referee.games.events import Reachable, Unreachable, Unwatched
from referee.handlers import former_addresses, observers, replies
from referee.handlers.handler_context import HandlerContext
from referee.handlers.letter_content import LetterContent
from referee.handlers.resending import MOST_COPIES
from referee.mail.message.refusals import Refusal
from referee.mail.outbox.retry import pause_by_age
from referee.reports.report import Note
from referee.store.unit_of_work import UnitOfWork
from referee.store.values import SentLetter, address_key

MOST_LOST_AN_HOUR = 20
"""When more players than this seem unreachable within an hour, the fault is with this service."""
TRY_AGAIN_AFTER = DAY
"""When a letter that bounced is sent again.

Another letter's bounce also counts only if that letter was written this much later than the first bounce.
"""


def came_back(
    work: HandlerContext,
    sent: SentLetter,
    refusal: Refusal,
    *,
    letter: int | None = None,
    given_up: bool = False,
) -> str:
    """Record that a letter to the player will not be delivered; return what that means, for the log.

    letter: the bounce.
    given_up: delivery was tried for days.
    """
    if not work.unit.deliveries.mark_returned(sent.message_id):
        return "told before"
    player, status = work.request.player, refusal.status
    about = name_letter(sent)
    if not player.address:
        return f"{about}, who has left"
    if address_key(sent.recipient) != address_key(player.address):
        return f"{about}, at an address that is not the player's main one"
    if refusal.matter == "size" and letter is not None and (form := work.composer.smaller_copy(sent)):
        return f"{about}, too large for the mail host there; sent once more, {form}"
    if refusal.matter != "address":
        work.composer.to_operator(_refused(about, refusal))
        return f"{about}, for no fault of the address"
    if work.unit.outbox.has_written_since(player.number, sent.message_id):
        return f"{about}, who has written since"
    first = work.unit.players.count_return(player.number)
    if player.unreachable:
        return f"{about}, who is out of reach"
    proved = given_up or sent.created >= first + TRY_AGAIN_AFTER
    if not proved and work.unit.outbox.has_written(player.number):
        return f"{about}, {'again within the day' if player.returns else 'for the first time'}"
    if second := work.unit.addresses.get(player.number, "second"):
        _fall_back(work, second.address, sent.message_id)
        return f"{about}, whose letters go to the second address now"
    lately = work.unit.limits.count(f"player {player.number} out of reach", 1, DAY)
    if lately and not work.unit.limits.count("player out of reach", MOST_LOST_AN_HOUR, timedelta(hours=1)):
        work.composer.to_operator(_refused(about, refusal))
        return f"{about}; so many at once look like a fault of this side"
    work.unit.players.mark_unreachable(player.number)
    for game in observers.watched_games(work):  # nobody waits for them there
        left = observers.leave(work, game)
        replies.keep_events(work, left, [Unwatched(player.number)], letter)
    _tell_others(work, letter)
    work.composer.to_operator(Note("player-unreachable", {"player": player.number, "status": status}))
    return f"{about}, who counts as out of reach now"


def name_letter(sent: SentLetter) -> str:
    """Return the name of a letter to a player, for the service's operator."""
    of_game = f" of game {sent.game}" if sent.game else ""
    return f"letter {sent.number}{of_game} to player {sent.player}"


def notice_came_back(unit: UnitOfWork, operator: str, sent: SentLetter, now: datetime) -> bool:
    """Record that a letter to no player was not delivered; return whether it is tried again.

    A notice to the service's operator is, for days, since it may be about the very cause.

    operator: that address, "" for none.
    """
    pause = pause_by_age(max(now - sent.created, timedelta(0)))
    if not operator or address_key(sent.recipient) != address_key(operator) or pause is None:
        unit.deliveries.mark_returned(sent.message_id)
        return False
    unit.deliveries.post_again(sent.message_id, now + pause)
    return True


def tell_of_delay(work: HandlerContext, sent: SentLetter, refusal: Refusal) -> bool:
    """Tell the operator, once a day, of a letter that is refused temporarily for a reason with a cure.

    Return whether there is a cure. Without the cure it will be refused for good.
    """
    if not refusal.cure:
        return False
    about = name_letter(sent)
    facts = {"letter": about, "status": refusal.status, "cure": refusal.cure}
    work.composer.to_operator(Note("letter-put-off", facts), every=DAY)
    return True


def _refused(about: str, refusal: Refusal) -> Note:
    return Note("letter-refused", {"letter": about, "status": refusal.status, "cure": refusal.cure})


def _fall_back(work: HandlerContext, second: str, lost: str) -> None:
    """Send the player's letters to their confirmed second address, including those that they missed.

    The two addresses are exchanged: if the first accepts mail again, what they write from there is still
    theirs, and as after any change of address it can reverse the change.

    lost: Message-ID of the letter that bounced.
    """
    unit, me, first = work.unit, work.request.player.number, work.request.player.address
    unit.players.mark_reachable(me)
    former_addresses.move(work, second, "address-lost", stays_second=True)
    missed = _missed(work)
    for about, number in missed:
        work.composer.copy(me, about, number, None, lost=lost)
    note = Note("fell-back", {"address": first, "count": len(missed)})
    work.composer.to_player(me, LetterContent(kind="notice", notes=(note,)))


def _tell_others(work: HandlerContext, letter: int | None) -> None:
    """Record in each of the player's games that they are unreachable, and tell those who wait for them."""
    me = work.request.player.number
    for row in work.unit.games.of_player(me, ("playing", "proposed")):
        game = work.games.readable(row.number)
        if game is None:
            continue
        seat = game.seat_of(me)
        if seat is not None and game.status == "playing" and seat not in game.unreachable:
            game = work.apply_events(game, Unreachable(seat))
            replies.keep_events(work, game, [Unreachable(seat)], letter)
            if not work.unit.limits.count(f"told of {seat} out of reach in {game.number}", 1, DAY):
                continue  # frequent changes within a day are reported once
            note = Note("unreachable", {"who": work.request.player.name or seat.capitalize()})
            for other, player in game.seats.items():
                if player != me:
                    news = replies.news_of(game, other)
                    words = LetterContent(kind="notice", weight="news", by=me, news=news, notes=(note,))
                    work.composer.to_player(player, words, game=game, title=work.games.titles[game.number])
        elif game.status == "proposed" and game.proposed_to == me and game.proposed_by is not None:
            words = LetterContent(kind="notice", notes=(Note("challenge-returned", {"game": game.number}),))
            work.composer.to_player(game.proposed_by, words, game=game, title=work.games.titles[game.number])


def welcome_back(work: HandlerContext) -> None:
    """Record that the writer, whose mail bounced, has written: their games continue, and they get letters again."""
    unit, me = work.unit, work.request.player.number
    if work.request.player.unreachable:
        for row in unit.games.of_player(me, ("playing",)):
            game = work.games.readable(row.number)
            seat = game.seat_of(me) if game else None
            if game is not None and seat in game.unreachable:
                assert seat is not None
                work.apply_events(game, Reachable(seat))
    unit.players.mark_reachable(me)
    work.reload_player()
    missed = _missed(work)
    work.outcome.copies.update(dict.fromkeys(missed))
    if missed:
        work.outcome.of(None).notes.append(Note("missed", {"count": len(missed)}))


def _missed(work: HandlerContext) -> list[tuple[int, int]]:
    """Return the letters that bounced and were not sent again to the player: game and number."""
    unit, me = work.unit, work.request.player.number
    missed = []
    for about, number in unit.deliveries.returned(me, MOST_COPIES):
        thread = unit.threads.get(me, about)
        if number > thread.resent:
            missed.append((about, number))
            unit.threads.save(replace(thread, resent=number))
    return missed
