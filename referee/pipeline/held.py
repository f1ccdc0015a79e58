"""Letters in a player's name that may not be theirs, or not new: stored, asked about, and heard after confirmation."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from referee.commands.command import Command, Confirm, Diary, Order, Preview, Try, Umpire
from referee.commands.grammar import Understanding
from referee.commands.headings import read_headings
from referee.common.durations import DAY
from referee.games.player import Player
from referee.handlers import addresses, reply_tags
from referee.handlers.deadlines import LATE, REPEATED
from referee.handlers.former_addresses import former_address
from referee.handlers.letter_content import LetterContent
from referee.mail.message.message import Letter, Nature
from referee.pipeline import address_confirmation, duplicates
from referee.pipeline.autoresponders import leave_alone
from referee.pipeline.game_resolver import confided_by, resolve_game
from referee.pipeline.held_preview import show_commands
from referee.pipeline.ignored_lines import what_else
from referee.pipeline.letter_context import Disposition, LetterContext, begins_with, commands_for_log
from referee.pipeline.letter_tags import asks_for_fewer
from referee.reports.report import Note
from referee.store.values import HeldLetter, Tag, address_key

ASKED_EVERY = DAY
"""How often, at most, a player is asked about letters in their name that nobody vouches for."""
HELD_LETTER_TTL = timedelta(days=30)
"""How long a held letter can be confirmed, and is asked about."""
MOST_TOLD_A_DAY = 5
"""How many letters without effect, because they came from or went to the wrong address, are reported per day.

This keeps anybody from causing many letters to somebody else.
"""
MOST_LISTED = 10
"""The most held letters in one question; HeldQueries.unasked chooses them."""


def hold_letter(
    context: LetterContext,
    letter: Letter,
    player: int,
    tags: Sequence[Tag],
    reason: str,
    *,
    leaked: bool = False,
) -> Disposition:
    """Hold a letter in a player's name without any effect until they confirm that it is theirs.

    tags: see LetterTags.naming.
    leaked: it came from another address to one of the player's, and from nobody with a part in the game: if
        that is certain, somebody has a letter that was meant for the player, or they write from a second
        mailbox of their own. The first such letter gets them another tag.
    """
    work = context.work_for(context.unit.players.find(player))
    read = context.read_commands(letter.lines, work.request.player)
    game, _ = resolve_game(work, letter, tags, headings=read_headings(read.passed_over))
    acts = any(isinstance(command, Umpire) for command in read.commands)
    if acts or any(tag.purpose in ("address", "bye", "deed") for tag in tags):
        game = None
    if leaked and letter.verified and not _is_former(context, player, letter.sender):
        reply_tags.renew(work, tags[0])
    if any(tag.player == player and not tag.revoked for tag in tags):
        context.unit.held.mark_tagged(context.stored.number)
    return Disposition("held", reason, game, commands_for_log(read), held_for=player)


def tell_writer(context: LetterContext, letter: Letter, writer: Player) -> None:
    """Tell a player who certainly wrote to somebody else's reply address that nothing was done.

    This happens a few times a day at most. They are told neither whose address it is nor of which game.
    """
    if not context.unit.limits.count(f"another's tag told to player {writer.number}", MOST_TOLD_A_DAY, DAY):
        return
    words = LetterContent(kind="help", notes=(Note("anothers-tag"),))
    context.composer().to_player(writer.number, words, answers=context.answered(letter))


def _is_former(context: LetterContext, player: int, address: str) -> bool:
    former = former_address(context.unit, player, context.now)
    return former is not None and address_key(former.address) == address_key(address)


# The question


def ask_owner(context: LetterContext, player: int, *, certain: bool = False) -> None:
    """Ask a player about the letters held for them that they were not asked about; at most once a day.

    certain: the player certainly wrote the letter that is held now, and is answered each time.
    """
    unit = context.unit
    if not certain and unit.tags.held_since(player, context.now - ASKED_EVERY):
        return
    letters = unit.held.unasked(player, context.now - HELD_LETTER_TTL, MOST_LISTED)
    if not letters:
        return
    who = unit.players.find(player)
    told = tuple(_told(context, who, each, which) for which, each in enumerate(letters, 1))
    notes = [Note("held", {"letters": told})]
    if elsewhere := [each["number"] for each in told if each["elsewhere"]]:
        notes.append(Note("second-mailbox", {"numbers": tuple(elsewhere) if len(told) > 1 else ()}))
    renewed = dict.fromkeys(each["renewed"] for each in told if each["renewed"])
    notes += [Note("tag-leaked", {"game": game}) for game in renewed]
    composer = context.composer()
    game = letters[0].game if len(letters) == 1 else None
    tag = composer.new_tag("hold", player, game=game, letter=letters[-1].number)
    unit.held.mark_asked([each.number for each in letters], tag)
    composer.to_player(player, LetterContent(kind="notice", notes=tuple(notes)), reply_tag=tag)


def _told(context: LetterContext, player: Player, held: HeldLetter, which: int) -> Mapping[str, Any]:
    """Return what may be told of a held letter.

    Nothing is told that a forger could use as a message, and no moves from another address. That may be the
    opponent's in the same game, and what a player confides, plans or orders is for the referee alone
    (CF-10.8). Nor does a confirmation do what is confided: see `_confides_elsewhere`.

    which: its place in the question, from 1; the service's own number would reveal how much others write.

    Of the result, number is `which`. unreadable: why its text cannot be read. means: what a bare `confirm` in
    it would confirm. address: the address in that question. own: it came to a reply address of the player's.
    elsewhere: from another address than theirs. renewed: the game whose tag was changed because of it, 0 for
    none. why: "repeated" or "late" where it is certain who wrote it, but not that it is new. dated: its Date,
    None for none.
    """
    assert held.content is not None, "what is erased is not asked about"
    letter = context.without_pieces(context.read(held.content), player)
    read = context.read_commands(letter.lines, player)
    tags = context.unit.tags.own(player.number, letter.tags)
    elsewhere = bool(tags) and not _is_in_his_name(context, player, letter)
    elsewhere = elsewhere and not any(tag.purpose == "address" for tag in tags)
    leaked = elsewhere and letter.verified and not _is_former(context, player.number, letter.sender)
    renewed = leaked and held.tagged  # otherwise it went to a tag that had been replaced before
    means, address = _confirms(context, tags) if begins_with(Confirm, letter, read) else ("", "")
    if asks_for_fewer(letter):
        means = "fewer"
    return {
        "number": which,
        "received": held.received,
        "game": held.game,
        "commands": show_commands(
            (_in_record(context, player, held, command) for command in read.commands),
            context.service.rulebooks.values(),
            moves=_is_in_his_name(context, player, letter),
        ),
        "unreadable": letter.reason if letter.nature is Nature.UNREADABLE else "",
        "means": means or ("resign" if held.game and begins_with(Confirm, letter, read) else ""),
        "address": address,
        "own": bool(tags),
        "elsewhere": elsewhere,
        "why": {REPEATED: "repeated", LATE: "late"}.get(held.reason, ""),
        "dated": letter.date,
        "renewed": next((tag.game for tag in tags if renewed and tag.purpose == "seat" and tag.revoked), 0),
    }


def _is_in_his_name(context: LetterContext, player: Player, letter: Letter) -> bool:
    """Return whether a letter claims to come from a player's own address.

    Otherwise only its reply tag, which others may have, makes it the player's.
    """
    found = context.unit.players.by_address(letter.sender)
    return found is not None and found.number == player.number


def _in_record(context: LetterContext, player: Player, held: HeldLetter, command: Command) -> Command:
    """Return a command with its moves by the record's compass, if the player may have used their own."""
    if player.compass != "own" or not isinstance(command, Order | Preview | Try):
        return command
    number = command.game if command.game is not None else held.game
    rows = (row for row in context.unit.games.of_player(player.number, ("playing",)) if row.number == number)
    for row in rows:
        seat = next(seat for seat, who in row.seats.items() if who == player.number)
        oriented = context.service.rulebooks[row.rules].oriented
        text = oriented.from_own(command.text, seat) if oriented is not None else command.text
        return replace(command, text=text)
    return command


def _confirms(context: LetterContext, tags: Sequence[Tag]) -> tuple[str, str]:
    """Return what one of a player's questions asked about, by its tag, and the address that it named."""
    for tag in tags:
        if tag.purpose == "bye":
            return "bye", ""
        for each in context.unit.addresses.of_player(tag.player) if tag.purpose == "address" else ():
            if each.tag == tag.text:
                return each.use, each.address
    return "", ""


# The answer


Hear = Callable[[LetterContext], Disposition]
"""Processes a player's held letter by the remaining stages; see LetterContext.for_held."""


def release_letter(
    context: LetterContext, letter: Letter, tag: Tag, hear: Hear, *, besides: bool = False
) -> Disposition | None:
    """Process held letters when the player who was asked answers `confirm`, or `confirm 2` for one of several.

    The question went to the player's registered address alone, and its tag counts only as long as that is
    theirs, so the answer proves that they read that mailbox; no other vouching is needed, unless it comes
    from their second address. `confirm` must be the first thing they wrote, since the question itself, which
    they may quote below, contains the word too.

    besides: the letter also goes to another tag of theirs, so that without the word it is no answer: None.
    """
    unit = context.unit
    player = unit.players.find(tag.player)
    said = _confirmed(letter, context.read_commands(letter.lines, player))
    if besides and not said:
        return None
    asked = unit.held.asked_about(tag)
    if not context.is_his(letter, player):
        if said and asked and tag.is_within(HELD_LETTER_TTL, context.now):
            _tell_confirmed_elsewhere(context, letter, player, tag, asked)
        return Disposition("ignored", "a held letter's tag came from another address")
    waiting = {which: each for which, each in enumerate(asked, 1) if each.is_held}
    chosen = [each for which, each in waiting.items() if which in said or (len(asked) == 1 and None in said)]
    meant = said & {None, *range(1, len(asked) + 1)} if chosen else said
    context.effects.besides = what_else(
        context, letter, tag, lambda command: isinstance(command, Confirm) and command.game in meant
    )
    if not waiting or not tag.is_within(HELD_LETTER_TTL, context.now):
        return _answer(context, letter, player, Note("held-no-more"), "the held letter is no longer there")
    if not chosen:
        numbers = tuple(waiting) if len(asked) > 1 else ()
        old = any(each.reason in (REPEATED, LATE) for each in waiting.values())
        note = Note("not-confirmed", {"numbers": numbers, "may_be_old": old})
        return _answer(context, letter, player, note, "a held letter was not confirmed", tag.text)
    heard, left = _release_each(context, chosen, player, hear)
    if len(chosen) == len(waiting):
        unit.tags.revoke(tag.text)
    return _tell_released(context, letter, player, heard, left)


def _release_each(
    context: LetterContext, chosen: Sequence[HeldLetter], player: Player, hear: Hear
) -> tuple[Sequence[HeldLetter], int]:
    """Process the held letters that a player has confirmed, until they leave by one.

    Return which were processed, and how many were left out because they confide what may be another's.
    """
    heard, left = [], 0
    conclude = context.unit.letters.conclude
    for each in chosen:
        if earlier := _heard_meanwhile(context, each):
            conclude(each.number, outcome="ignored", reason=f"the same letter as number {earlier}")
        elif not context.effects.erased and _confides_elsewhere(context, each, player):
            reason = "confirmed, but another address wrote it, and it confides what may be somebody else's"
            conclude(each.number, outcome="ignored", reason=reason)
            left += 1
        elif not context.effects.erased:
            _hear_held(context, each, player, hear)
            heard.append(each)
    return heard, left


def _tell_released(
    context: LetterContext, letter: Letter, player: Player, heard: Sequence[HeldLetter], left: int
) -> Disposition:
    """Tell a player what the answers to the letters that they confirmed have not said.

    Return the outcome of the confirming letter. left: how many were left out.
    """
    effects = context.effects
    if left and not effects.erased:
        note = Note("held-elsewhere", {"count": left})
        told = _answer(context, letter, player, note, "it came from elsewhere")
        if not heard:
            return told
    if not heard:
        reason = "the held letter came again and was heard"
        return _answer(context, letter, player, Note("held-no-more"), reason)
    if effects.besides and not effects.erased:
        _tell_besides(context, letter, player)
    numbers = ", ".join(str(each.number) for each in heard)
    reason = f"confirmed letter{'s' if len(heard) > 1 else ''} {numbers}"
    return Disposition("answered", reason, heard[-1].game, ("confirm",))


def _answer(
    context: LetterContext, letter: Letter, player: Player, note: Note, reason: str, tag: str = ""
) -> Disposition:
    """Tell the player that nothing was confirmed; a few times a day at most."""
    if context.told_often(player.address):
        return Disposition("ignored", reason)
    if left_alone := leave_alone(context, letter, player):
        return left_alone
    notes = (note, *context.take_besides(), *((Note("last-answer"),) if context.last_of_its_kind else ()))
    words = LetterContent(kind="help", notes=notes)
    context.composer().to_player(player.number, words, answers=context.answered(letter), reply_tag=tag)
    return Disposition("answered", reason)


def _tell_besides(context: LetterContext, letter: Letter, player: Player) -> None:
    """Tell the player what else was in the answer that released held letters, where none of their answers said so."""
    words = LetterContent(kind="help", notes=context.take_besides())
    context.composer().to_player(player.number, words, answers=context.answered(letter))


def _tell_confirmed_elsewhere(
    context: LetterContext, letter: Letter, player: Player, tag: Tag, asked: Sequence[HeldLetter]
) -> None:
    """Tell a player that their question was answered from an unknown address, which confirms nothing.

    Reply only to where the question went: the tag holder may be someone else. If a held letter came from that
    address too, it may be the player's new one and is offered as such.
    """
    if not context.unit.limits.count(
        f"confirmed elsewhere, told to player {player.number}", MOST_TOLD_A_DAY, DAY
    ):
        return
    wrote = any(each.sender and address_key(each.sender) == address_key(letter.sender) for each in asked)
    if (
        wrote
        and letter.verified
        and addresses.offer(context.work_for(player), letter.sender, context.stored.number)
    ):
        return
    words = LetterContent(kind="help", notes=(Note("confirmed-elsewhere"),))
    context.composer().to_player(player.number, words, reply_tag=tag.text)


def _confirmed(letter: Letter, read: Understanding) -> set[int | None]:
    """Return the numbers after `confirm` in the lines that a letter begins with, None for a bare one."""
    confirms = [command for command in read.commands if isinstance(command, Confirm)]
    said = {(command.line.number, command.line.text) for command in confirms}
    leading = set(itertools.takewhile(said.__contains__, ((line.number, line.text) for line in letter.lines)))
    return {command.game for command in confirms if (command.line.number, command.line.text) in leading}


def _heard_meanwhile(context: LetterContext, held: HeldLetter) -> int | None:
    """Return the number of the heard letter that a held one certainly repeats; None for none."""
    assert held.content is not None, "it is held"
    earlier = duplicates.same_letter(context, held.number, context.read(held.content))
    return earlier[0] if earlier and earlier[1] else None


def _confides_elsewhere(context: LetterContext, held: HeldLetter, player: Player) -> bool:
    """Return whether another address than the player's wrote a held letter that confides anything to the referee.

    The player may have confirmed what is not theirs. They would read the effect of it in the answer, and thus
    what their opponent intends, by means of a second mailbox and a reply address that was forwarded to them
    (CF-10.8). A move that is not secret is done: both players are told, and it costs the player who confirmed
    it their turn.
    """
    assert held.content is not None, "it is held"
    letter = context.without_pieces(context.read(held.content), player)
    if not held.sender or _is_in_his_name(context, player, letter):
        return False  # or from an address that was proved to be theirs
    if any(tag.purpose == "address" for tag in context.letter_tags.naming(letter, player)):
        return False
    read = context.read_commands(letter.lines, player)
    confided = confided_by(context.work_for(player))
    return any(isinstance(each, Diary) for each in read.commands) or any(
        confided(line.text) for line in letter.lines
    )


def _hear_held(context: LetterContext, held: HeldLetter, player: Player, hear: Hear) -> None:
    """Process a letter that was held as the player's own, and store its outcome."""
    assert held.content is not None, "it is held"
    came = context.without_pieces(context.read(held.content), player)
    tags = context.letter_tags.naming(came, player)
    if asked := next((each for each in tags if each.purpose == "address"), None):
        sender = came.sender
        end = address_confirmation.confirm_address(context, replace(came, verified=True), asked)
        assert end is not None, "it counts as vouched for"
    else:
        sender = player.address
        his = replace(came, sender=sender, verified=True)
        end = hear(context.for_held(his, player, tags, held.number, held.game or 0))
    if context.effects.erased:
        context.unit.letters.erase(held.number)
    context.unit.letters.conclude(
        held.number,
        outcome=end.outcome,
        reason=f"confirmed by letter {context.stored.number}",
        game=end.game,
        commands=end.commands,
        sender="" if context.effects.erased else sender,
    )
