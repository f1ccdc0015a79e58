"""One letter's way through all rooms, in one transaction. Read this first.

A letter was taken from the mailbox and recorded (pipeline.processor); `process_letter` then brings it to exactly one
outcome:

1. a machine's letter is recorded with the reason, and never answered (mail.message.classification);
2. who wrote follows from the sender and what their mail host vouches for (mail.message.authentication). A letter in
   somebody's name that nobody vouches for is held, and the person it speaks for is asked (pipeline.held). A letter that
   came before is heard once; one that may have come before, or was written before what has happened since, is held, too
   (pipeline.duplicates, pipeline.old_letters). Where the writer has a part in the game, another's reply tag names that
   game and nobody; elsewhere it says in whose name they write. A former tag does so, too;
3. which game it is about follows from tag, thread, subject and headings, which must agree (pipeline.game_resolver);
4. its own lines become commands (commands.grammar), and each is handled (handlers.dispatcher);
5. events, outgoing letters and the letter's own outcome are committed together, or not at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.commands.command import Appeal, Cancel, Command, Confirm, Umpire
from referee.commands.framed import within_frame
from referee.commands.grammar import Understanding
from referee.commands.headings import read_headings
from referee.common.faults import Fault
from referee.games.events import CheckedIn, Ruled
from referee.games.player import Player
from referee.handlers import (
    account,
    account_deletion,
    conditional_orders,
    drafts,
    private_orders,
    replies,
    umpire,
    unseen,
)
from referee.handlers.composer import InReplyTo
from referee.handlers.delivery_failures import welcome_back
from referee.handlers.dispatcher import dispatch
from referee.handlers.former_addresses import CONFIRMED_WITHIN, former_address
from referee.handlers.handler_context import HandlerContext
from referee.handlers.parts import has_part
from referee.mail.message.message import Letter, Nature, OwnLine
from referee.mail.message.mime_parts import header_alone
from referee.pipeline import duplicates, old_letters
from referee.pipeline.address_confirmation import confirm_address, hear_too_late, take_address_back
from referee.pipeline.autoresponders import leave_alone
from referee.pipeline.bounces import process_bounce
from referee.pipeline.game_resolver import confided_by, contradicted, framed_in, orders_of, resolve_game
from referee.pipeline.held import hold_letter, release_letter, tell_writer
from referee.pipeline.ignored_lines import for_the_last_time, not_done, word_of
from referee.pipeline.letter_context import (
    Disposition,
    LetterContext,
    asks_for_fewer,
    begins_with,
    commands_for_log,
)
from referee.pipeline.rate_limit import check_rate_limit
from referee.pipeline.unregistered import process_unregistered_sender
from referee.reports.report import Note
from referee.store import letter_ordering
from referee.store.values import Outcome, Tag

NOT_ABOUT_A_GAME = ("games-disagree", "not-your-game", "anothers-letter", "lost-address")
"""Reasons for which nothing of a letter is done, whatever it says, and which may lie in what was put over it on its
way: whoever has got a copy can hand it in before the letter itself arrives, which counts all the same."""


def process_letter(hearing: LetterContext) -> Disposition:
    """Settle a letter."""
    stored = hearing.stored
    if stored.content is None:
        why = f" ({stored.reason})" if stored.reason else ""
        return Disposition("set-aside", f"the mailbox does not hand it over{why}; it is asked for again")
    hearing.letter = letter = hearing.read(stored.content)
    if left := _left_meanwhile(hearing, letter):
        return left
    hearing.unit.reserve(letter_ordering.writer(letter.sender))
    outcomes: tuple[Outcome, ...] = ("ruled", "answered")
    if stored.too_large:
        outcomes = (*outcomes, "set-aside")  # it will not be smaller the second time
    if stored.repeated:
        if earlier := duplicates.same_letter(hearing, stored.number, letter, outcomes, NOT_ABOUT_A_GAME):
            hearing.repeats, certain = earlier
            if certain:
                return _again(hearing.repeats)
        hearing.refused_before = hearing.unit.letters.duplicate(stored.number, outcomes)
    if letter.nature is Nature.BOUNCE:
        return process_bounce(hearing, letter)
    pressed = letter.nature is Nature.AUTO_REPLY and asks_for_fewer(letter)
    if letter.nature not in (Nature.PERSON, Nature.UNREADABLE) and not pressed:
        return Disposition("ignored", str(letter.reason) or letter.nature.value)
    if not letter.sender:
        return Disposition("ignored", letter.sender_fault)
    if stored.too_large:
        limit = f"{hearing.service.size_limit / 1_000_000:g} MB"
        reason = f"too large to be read: {stored.size:,} octets"
        return _set_aside(hearing, letter, reason, Note("too-large", {"limit": limit}))
    if no_more := check_rate_limit(hearing, letter):
        return no_more
    hearing.letter = letter = hearing.without_pieces(letter)
    return _hear_person(hearing, letter)


def _again(earlier: int) -> Disposition:
    return Disposition("ignored", f"the same letter as number {earlier}")


def give_up(hearing: LetterContext, reason: str, *, tell: bool, read: bool = True) -> Disposition:
    """Set a letter aside that has made the house fail. tell: say so to a player who certainly wrote it. Only its header
    is read, since it may be the reading of the rest that fails; with read=False not even that."""
    if hearing.stored.content is None or not read:
        return Disposition("set-aside", reason)
    hearing.letter = letter = hearing.read(header_alone(hearing.stored.content))
    if left := _left_meanwhile(hearing, letter):
        return left
    if not tell or letter.nature is not Nature.PERSON:
        return Disposition("set-aside", reason)
    return _set_aside(hearing, letter, reason, Note("set-aside", {"received": hearing.stored.received}))


def _left_meanwhile(hearing: LetterContext, letter: Letter) -> Disposition | None:
    """Hear nothing of a letter whose writer has left by a later one, and keep nothing of it; None for others."""
    left = hearing.unit.partings.of_address(letter.sender)
    if left is None or hearing.stored.number >= left.letter:
        return None
    hearing.erased = True
    hearing.unit.letters.erase(hearing.stored.number)
    return Disposition("ignored", "its writer has left meanwhile")


def _set_aside(hearing: LetterContext, letter: Letter, reason: str, note: Note) -> Disposition:
    """Do nothing of a letter; a player who certainly wrote it is told so."""
    player = hearing.unit.players.by_address(letter.sender)
    if player is None or not letter.verified or hearing.told_often(player.address):
        return Disposition("set-aside", reason)
    work = hearing.work(player)
    game, _ = resolve_game(work, letter, hearing.tags_naming(letter, player))
    work.part(None).notes.append(note)
    replies.save_and_reply(work, game, hearing.answered(letter))
    return Disposition("set-aside", reason, game)


# Who wrote


def _hear_person(hearing: LetterContext, letter: Letter) -> Disposition:
    """Settle who wrote: taken, held, or a stranger.

    Whoever has a part in the game speaks for himself, whosever reply tag he answers: in a letter that was forwarded to
    him he finds his opponent's, and what he confides by it is not for its owner (CF-10.8), who is neither asked nor
    told. That tag does not change for it, either, since its owner could tell by that who has written.
    """

    def hear(
        meant: Letter, who: Player, tags: Sequence[Tag], held: int | None = None, asked: int | None = None
    ) -> Disposition:
        return _hear_player(hearing, meant, who, tags, held, asked)

    player = hearing.unit.players.by_address(letter.sender)
    tags = hearing.tags_used(letter, player)
    mine = [tag for tag in tags if player is not None and tag.player == player.number]
    himself = player is not None and (bool(mine) or not tags or _speaks_for_himself(hearing, letter, player))
    for tag in mine or tags:
        match tag.purpose if not tag.revoked else "":
            case "hold" if mine or not himself:
                if released := release_letter(hearing, letter, tag, hear, besides=len(mine) > 1):
                    return released
            case "address" if mine or not himself or _begins(hearing, letter, tag, Confirm):
                confirmed = confirm_address(hearing, letter, tag)
                return confirmed or hold_letter(hearing, letter, tag.player, (tag,), letter.verdict)
            case "former" if mine or not himself or _begins(hearing, letter, tag, Cancel):
                return take_address_back(hearing, letter, tag)
    if all(tag.revoked for tag in tags) and (late := hear_too_late(hearing, letter)):
        return late
    if tags and not himself:
        reason = "the reply tag is another player's"
        held_back = Disposition("ignored", reason)
        if hearing.unit.players.find(
            tags[0].player
        ).address:  # else he has left, and there is nobody to be asked
            held_back = hold_letter(
                hearing, letter, tags[0].player, tags[:1], reason, leaked=not tags[0].revoked
            )
        if player is not None and letter.verified:
            tell_writer(hearing, letter, player)
        return held_back
    if player is None:
        if letter.verified and (silenced := next(iter(hearing.silencing_tags(letter)), None)):
            if silenced.revoked or not hearing.unit.players.find(silenced.player).address:
                return Disposition("ignored", "asked for fewer letters, by an address that counts no more")
            return hold_letter(
                hearing,
                letter,
                silenced.player,
                (silenced,),
                "asked for fewer letters, from an unknown address",
            )
        if letter.verified:
            return process_unregistered_sender(hearing, letter, hear)
        return Disposition("ignored", f"unknown sender, {letter.verdict}")
    if not letter.verified:
        if not (mine or player.name or hearing.unit.outbox.has_written(player.number)):
            # Whoever was only invited is not to be written to on account of what others write in his name.
            return Disposition("ignored", f"{letter.verdict}, and that player never wrote")
        return hold_letter(
            hearing, letter, player.number, hearing.tags_naming(letter, player), letter.verdict
        )
    # Settled before, and now once more: the game may have gone on since it came in.
    held = hearing.stored.number if hearing.stored.again else None
    return hear(letter, player, hearing.tags_naming(letter, player), held)


def _begins(hearing: LetterContext, letter: Letter, tag: Tag, word: type[Command]) -> bool:
    """Return whether a letter begins with the word that a question asks for, in its player's language."""
    return begins_with(
        word, letter, hearing.read_commands(letter.lines, hearing.unit.players.find(tag.player))
    )


def _speaks_for_himself(hearing: LetterContext, letter: Letter, player: Player) -> bool:
    """Return whether a player who has written to others' reply tags can be meant himself: he has a part in the game, or
    plays any with their owner."""
    work = hearing.work(player)
    tags = hearing.tags_used(letter, player)
    if any(has_part(work, tag.game) for tag in tags if tag.game is not None):
        return True
    playing = hearing.unit.games.of_player(player.number)
    return any(row.concerns(tag.player) for row in playing for tag in tags)


# What a player's letter asks for


def _hear_player(
    hearing: LetterContext,
    letter: Letter,
    player: Player,
    tags: Sequence[Tag],
    held: int | None,
    asked: int | None,
) -> Disposition:
    """Read the letter's commands and do them. tags: see LetterContext.tags_naming. held: see HandlerContext. asked:
    see find_game."""
    if asks_for_fewer(letter):
        return _silence(hearing, letter, player)
    lines = hearing.own_lines(letter, player, tags)
    work = hearing.work(player, lines, held, letter.thread)
    work.no_guess = asked == 0
    work.others_question = any(
        tag.purpose != "seat" for tag in hearing.tags_used(letter, player) if tag.player != player.number
    )
    answered = hearing.answered(letter)
    read = hearing.read_commands(lines, player)
    if read.empty and hearing.told_often(player.address):
        return Disposition("ignored", "nothing to read, and told so often enough today")
    if held is None and (left_alone := leave_alone(hearing, letter, player, read)):
        return left_alone
    if _leaves(hearing, letter, read, tags):
        hearing.besides += not_done(
            _as_meant(hearing, work, read, lines, None), word_of(Confirm, letter, read)
        )
        account_deletion.leave(work, answered, for_the_last_time(hearing.take_besides()))
        hearing.erased = True
        hearing.games.update(work.games)
        return Disposition("answered", "has left")
    if (deed := _confirmed_deed(hearing, letter, player, read, tags, held)) is not None:
        meant = _as_meant(hearing, work, read, lines, None)
        hearing.besides = not_done(meant, word_of(Confirm, letter, meant))
        return _do_deed(hearing, work, deed, answered, read)
    confirmed: list[Command] = []
    if any(tag.purpose == "deed" for tag in tags):
        confirms = [each for each in read.commands if isinstance(each, Confirm) and each.game is None]
        for each in confirms:
            umpire.confirm_nothing(work, each)
        if confirms and len(confirms) == len(read.commands) and not read.faults:
            hearing.refused = replies.save_and_reply(work, None, answered) == "refusal"
            return Disposition("answered", "", None, commands_for_log(read))
        confirmed += confirms
        read = _without(read, confirmed)
    besides = [command.game for command in read.commands if command.game]
    if read.commands and all(isinstance(command, Umpire) for command in read.commands):
        # An officer need not play in the game that his letter is about: each line names its own.
        work.unit.take_turn(besides)
        game, fault = None, None
    else:
        lost = hearing.names_a_lost_tag(letter)
        headings = read_headings(read.passed_over)
        game, fault = resolve_game(work, letter, tags, besides, lost=lost, asked=asked, headings=headings)
        if game is not None and (slip := contradicted(work, game, headings)) is not None:
            _check_in(work, game)
            return _refuse(hearing, work, slip, game, answered, read)
    left: int | None = None
    if fault is not None and fault.code == "not-your-game" and _only_appeals(read):
        # Whoever has lost his seat answers a letter of when he had it, and means that game, whatever else he plays.
        left, game, fault = int(str(fault.facts["game"])), None, None
    if held is None and fault is None:
        about = [*besides, *([] if game is None else [game])]
        if old := old_letters.hold_if_old(hearing, work, letter, tags, about, lines, read.commands):
            return old
    if player.returns:
        welcome_back(work)
    if fault is not None and (earlier := hearing.refused_before or hearing.repeats):
        return _again(earlier)
    if fault is not None:
        return _refuse(hearing, work, fault, None, answered, read)
    read = _without(_as_meant(hearing, work, read, lines, game), confirmed)
    read = within_frame(read, framed_in(work, game))
    if left is not None:
        read = _about_game(read, left)
    if read.empty and hearing.told_often(player.address):
        return Disposition("ignored", "nothing to read, and told so often enough today")
    if game is not None:
        _check_in(work, game)
    if letter.reason and not lines:
        work.part(None).notes.append(Note("unreadable", {"reason": letter.reason}))
    elif read.empty:
        passed_over = tuple(line.text for line in read.passed_over)
        work.part(None).notes.append(Note("nothing-read", {"lines": passed_over}))
    for fault in read.faults:
        work.fault(fault)
    commands = private_orders.as_orders(work, read.commands, game)
    for command in private_orders.confided_first(work, commands, game):
        dispatch(work, command, game)
    drafts.carry_out(work)
    conditional_orders.go_on(work)
    if held is None:  # else it was written before the game went on, and answered a letter of that time
        unseen.send_again(work)
    _finish(hearing, work, game, answered)
    old_letters.keep_done(work, held or hearing.stored.number, letter, lines)
    hearing.moves += sum(isinstance(event, Ruled) for part in work.parts.values() for event in part.events)
    reason = str(letter.reason) if read.empty and not lines else ""
    return Disposition("ruled" if hearing.moves else "answered", reason, game, commands_for_log(read))


def _without(read: Understanding, done: Sequence[Command]) -> Understanding:
    """Return what a letter asks for beside what is done already."""
    return replace(read, commands=tuple(each for each in read.commands if each not in done))


def _refuse(
    hearing: LetterContext,
    work: HandlerContext,
    fault: Fault,
    game: int | None,
    answered: InReplyTo,
    read: Understanding,
) -> Disposition:
    """Do nothing of a letter, and say why. game: that it is about, None where that is not clear."""
    work.fault(fault, game)
    _finish(hearing, work, game, answered)
    return Disposition("answered", fault.code, game, commands_for_log(read))


def _finish(hearing: LetterContext, work: HandlerContext, game: int | None, answered: InReplyTo) -> None:
    """Keep and tell what a letter has brought about."""
    if hearing.besides and not work.part(None).speaks and work.part(None).kind is None:
        work.part(None).kind = "notice"
    about_the_letter = work.part(None).notes
    about_the_letter += hearing.take_besides()
    if hearing.cut_below:
        about_the_letter.insert(0, Note("cut", {"line": hearing.cut_below}))
    if hearing.last_of_its_kind:
        about_the_letter.insert(0, Note("last-answer"))
    hearing.refused = replies.save_and_reply(work, game, answered) == "refusal"
    hearing.games.update(work.games)


def _as_meant(
    hearing: LetterContext,
    work: HandlerContext,
    read: Understanding,
    lines: Sequence[OwnLine],
    game: int | None,
) -> Understanding:
    """Return what a letter asks for now that it is known which game it is about: in a house with several rulebooks, a
    line that would be an order of another game is prose in this one."""
    if len(hearing.service.rulebooks) < 2:
        return read
    return hearing.read_commands(lines, work.player, orders_of(work, game), confided_by(work))


def _only_appeals(read: Understanding) -> bool:
    """Return whether a letter asks for nothing but appeals."""
    return bool(read.commands) and all(isinstance(each, Appeal) for each in read.commands)


def _about_game(read: Understanding, number: int) -> Understanding:
    """Return what a letter asks for, with the game that it is about where a line names none."""
    commands = (each if each.game is not None else replace(each, game=number) for each in read.commands)
    return replace(read, commands=tuple(commands))


def _leaves(hearing: LetterContext, letter: Letter, read: Understanding, tags: Sequence[Tag]) -> bool:
    """Return whether a letter confirms that its writer leaves: it answers the question, not too late, and no old
    address can take back that he has another."""
    asked = next((each for each in tags if each.purpose == "bye"), None)
    if asked is None or not asked.is_within(CONFIRMED_WITHIN, hearing.now):
        return False
    if former_address(hearing.unit, asked.player, hearing.now) is not None:
        return False
    return begins_with(Confirm, letter, read)


def _confirmed_deed(
    hearing: LetterContext,
    letter: Letter,
    player: Player,
    read: Understanding,
    tags: Sequence[Tag],
    held: int | None,
) -> Tag | None:
    """Return the tag of the question about an umpire's deed that a letter answers by `confirm`, though it may be done
    by now; None for none. A letter that was held confirms nothing."""
    mine = (*tags, *(each for each in hearing.former_tags(letter) if each.player == player.number))
    asked = next((each for each in mine if each.purpose == "deed"), None)
    return asked if asked is not None and held is None and begins_with(Confirm, letter, read) else None


def _do_deed(
    hearing: LetterContext, work: HandlerContext, deed: Tag, letter: InReplyTo, read: Understanding
) -> Disposition:
    """Do what an officer was asked about and has confirmed."""
    umpire.confirm(work, deed, letter)
    _finish(hearing, work, None, letter)
    return Disposition("answered", "", None, commands_for_log(read))


def _silence(hearing: LetterContext, letter: Letter, player: Player) -> Disposition:
    """Take a letter to the address for fewer letters: it counts for nothing in any game, and is told so."""
    if not any(tag.player == player.number for tag in hearing.silencing_tags(letter)):
        return Disposition("ignored", "asked for fewer letters, by an address that is none of his")
    work = hearing.work(player)
    account.fall_silent(work)
    replies.save_and_reply(work, None, hearing.answered(letter))
    return Disposition("answered", "asked for fewer letters")


def _check_in(work: HandlerContext, number: int) -> None:
    """Keep that a seat's first letter about a game has arrived."""
    game = work.readable(number)
    seat = game.seat_of(work.player.number) if game else None
    if game is not None and seat is not None and game.status == "playing" and seat not in game.checked_in:
        work.happen(game, CheckedIn(seat))
