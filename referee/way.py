"""One letter's way through all rooms, in one transaction. Read this first.

A letter was taken from the mailbox and recorded (`take_in`); `settle` then brings it to exactly one outcome:

1. a machine's letter is recorded with the reason, and never answered (letters.screening);
2. who wrote is settled from the sender and what his mail host vouches for; a letter in somebody's name that nobody
   vouches for is held, and the person it speaks for is asked (byways). One that came before is heard once; one that may
   have come before, or was written before what has happened since, is held, too (byways.again, byways.late). To whoever
   has a part in the game, another's reply tag names that game and nobody; of anybody else it says in whose name he
   writes. A former one does so, too;
3. which game it is about is settled from tag, thread, subject and headings, which must agree (which_game);
4. its own lines become commands (commands.grammar), and each does its work (desk);
5. events, outgoing letters and the letter's own outcome are committed together, or not at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.byways import again, late
from referee.byways.besides import for_the_last_time, not_done, word_of
from referee.byways.held import hold, release, tell_writer
from referee.byways.moved import confirm_address, hear_too_late, take_address_back
from referee.byways.responders import leave_alone
from referee.byways.returned import hear_bounce
from referee.byways.strangers import hear_stranger
from referee.byways.too_often import hear_no_more
from referee.commands.command import Appeal, Cancel, Command, Confirm, Umpire
from referee.commands.framed import within_frame
from referee.commands.grammar import Understanding
from referee.commands.headings import read_headings
from referee.correspondence import Answered
from referee.desk import answers, confiding, drafts, leaving, planning, players, umpires, unseen
from referee.desk.attending import attend
from referee.desk.old_addresses import CONFIRMED_WITHIN, former_address
from referee.desk.parts import has_part
from referee.desk.returns import welcome_back
from referee.desk.work import Work
from referee.faults import Fault
from referee.games.events import CheckedIn, Ruled
from referee.games.player import Player
from referee.hearing import Conclusion, Hearing, asks_for_fewer, begins_with, written
from referee.letters.letter import Letter, Nature, OwnLine
from referee.letters.parts import header_alone
from referee.reports.report import Note
from referee.store import turns
from referee.store.records import Outcome, Tag
from referee.which_game import confided_by, contradicted, find_game, framed_in, orders_of

NOT_ABOUT_A_GAME = ("games-disagree", "not-your-game", "anothers-letter", "lost-address")
"""Reasons for which nothing of a letter is done, whatever it says, and which may lie in what was put over it on its
way: whoever has got a copy can hand it in before the letter itself arrives, which counts all the same."""


def walk(hearing: Hearing) -> Conclusion:
    """Settle a letter."""
    stored = hearing.stored
    if stored.content is None:
        why = f" ({stored.reason})" if stored.reason else ""
        return Conclusion("set-aside", f"the mailbox does not hand it over{why}; it is asked for again")
    hearing.letter = letter = hearing.read(stored.content)
    if left := _left_meanwhile(hearing, letter):
        return left
    hearing.unit.reserve(turns.writer(letter.sender))
    outcomes: tuple[Outcome, ...] = ("ruled", "answered")
    if stored.too_large:
        outcomes = (*outcomes, "set-aside")  # it will not be smaller the second time
    if stored.repeated:
        if earlier := again.same_letter(hearing, stored.number, letter, outcomes, NOT_ABOUT_A_GAME):
            hearing.repeats, certain = earlier
            if certain:
                return _again(hearing.repeats)
        hearing.refused_before = hearing.unit.same_letter(stored.number, outcomes)
    if letter.nature is Nature.BOUNCE:
        return hear_bounce(hearing, letter)
    pressed = letter.nature is Nature.AUTO_REPLY and asks_for_fewer(letter)
    if letter.nature not in (Nature.PERSON, Nature.UNREADABLE) and not pressed:
        return Conclusion("ignored", str(letter.reason) or letter.nature.value)
    if not letter.sender:
        return Conclusion("ignored", letter.sender_fault)
    if stored.too_large:
        limit = f"{hearing.service.size_limit / 1_000_000:g} MB"
        reason = f"too large to be read: {stored.size:,} octets"
        return _set_aside(hearing, letter, reason, Note("too-large", {"limit": limit}))
    if no_more := hear_no_more(hearing, letter):
        return no_more
    hearing.letter = letter = hearing.without_pieces(letter)
    return _hear_person(hearing, letter)


def _again(earlier: int) -> Conclusion:
    return Conclusion("ignored", f"the same letter as number {earlier}")


def give_up(hearing: Hearing, reason: str, *, tell: bool, read: bool = True) -> Conclusion:
    """Set a letter aside that has made the house fail. tell: say so to a player who certainly wrote it. Only its header
    is read, since it may be the reading of the rest that fails; with read=False not even that."""
    if hearing.stored.content is None or not read:
        return Conclusion("set-aside", reason)
    hearing.letter = letter = hearing.read(header_alone(hearing.stored.content))
    if left := _left_meanwhile(hearing, letter):
        return left
    if not tell or letter.nature is not Nature.PERSON:
        return Conclusion("set-aside", reason)
    return _set_aside(hearing, letter, reason, Note("set-aside", {"received": hearing.stored.received}))


def _left_meanwhile(hearing: Hearing, letter: Letter) -> Conclusion | None:
    """Hear nothing of a letter whose writer has left by a later one, and keep nothing of it; None for others."""
    left = hearing.unit.parting(letter.sender)
    if left is None or hearing.stored.number >= left.letter:
        return None
    hearing.erased = True
    hearing.unit.erase_letter(hearing.stored.number)
    return Conclusion("ignored", "its writer has left meanwhile")


def _set_aside(hearing: Hearing, letter: Letter, reason: str, note: Note) -> Conclusion:
    """Do nothing of a letter; a player who certainly wrote it is told so."""
    player = hearing.unit.player_by_address(letter.sender)
    if player is None or not letter.verified or hearing.told_often(player.address):
        return Conclusion("set-aside", reason)
    work = hearing.work(player)
    game, _ = find_game(work, letter, hearing.tags_naming(letter, player))
    work.part(None).notes.append(note)
    answers.finish(work, game, hearing.answered(letter))
    return Conclusion("set-aside", reason, game)


# Who wrote


def _hear_person(hearing: Hearing, letter: Letter) -> Conclusion:
    """Settle who wrote: taken, held, or a stranger.

    Whoever has a part in the game speaks for himself, whosever reply tag he answers: in a letter that was forwarded to
    him he finds his opponent's, and what he confides by it is not for its owner (CF-10.8), who is neither asked nor
    told. That tag does not change for it, either, since its owner could tell by that who has written.
    """

    def hear(
        meant: Letter, who: Player, tags: Sequence[Tag], held: int | None = None, asked: int | None = None
    ) -> Conclusion:
        return _hear_player(hearing, meant, who, tags, held, asked)

    player = hearing.unit.player_by_address(letter.sender)
    tags = hearing.tags_used(letter, player)
    mine = [tag for tag in tags if player is not None and tag.player == player.number]
    himself = player is not None and (bool(mine) or not tags or _speaks_for_himself(hearing, letter, player))
    for tag in mine or tags:
        match tag.purpose if not tag.revoked else "":
            case "hold" if mine or not himself:
                if released := release(hearing, letter, tag, hear, besides=len(mine) > 1):
                    return released
            case "address" if mine or not himself or _begins(hearing, letter, tag, Confirm):
                confirmed = confirm_address(hearing, letter, tag)
                return confirmed or hold(hearing, letter, tag.player, (tag,), letter.verdict)
            case "former" if mine or not himself or _begins(hearing, letter, tag, Cancel):
                return take_address_back(hearing, letter, tag)
    if all(tag.revoked for tag in tags) and (late := hear_too_late(hearing, letter)):
        return late
    if tags and not himself:
        reason = "the reply tag is another player's"
        held_back = Conclusion("ignored", reason)
        if hearing.unit.player(tags[0].player).address:  # else he has left, and there is nobody to be asked
            held_back = hold(hearing, letter, tags[0].player, tags[:1], reason, leaked=not tags[0].revoked)
        if player is not None and letter.verified:
            tell_writer(hearing, letter, player)
        return held_back
    if player is None:
        if letter.verified and (silenced := next(iter(hearing.silencing_tags(letter)), None)):
            if silenced.revoked or not hearing.unit.player(silenced.player).address:
                return Conclusion("ignored", "asked for fewer letters, by an address that counts no more")
            return hold(
                hearing,
                letter,
                silenced.player,
                (silenced,),
                "asked for fewer letters, from an unknown address",
            )
        if letter.verified:
            return hear_stranger(hearing, letter, hear)
        return Conclusion("ignored", f"unknown sender, {letter.verdict}")
    if not letter.verified:
        if not (mine or player.name or hearing.unit.has_written(player.number)):
            # Whoever was only invited is not to be written to on account of what others write in his name.
            return Conclusion("ignored", f"{letter.verdict}, and that player never wrote")
        return hold(hearing, letter, player.number, hearing.tags_naming(letter, player), letter.verdict)
    # Settled before, and now once more: the game may have gone on since it came in.
    held = hearing.stored.number if hearing.stored.again else None
    return hear(letter, player, hearing.tags_naming(letter, player), held)


def _begins(hearing: Hearing, letter: Letter, tag: Tag, word: type[Command]) -> bool:
    """Tell whether a letter begins with the word that a question asks for, in its player's language."""
    return begins_with(word, letter, hearing.read_commands(letter.lines, hearing.unit.player(tag.player)))


def _speaks_for_himself(hearing: Hearing, letter: Letter, player: Player) -> bool:
    """Tell whether a player who has written to others' reply tags can be meant himself: he has a part in the game, or
    plays any with their owner."""
    work = hearing.work(player)
    tags = hearing.tags_used(letter, player)
    if any(has_part(work, tag.game) for tag in tags if tag.game is not None):
        return True
    playing = hearing.unit.games_of(player.number)
    return any(row.concerns(tag.player) for row in playing for tag in tags)


# What a player's letter asks for


def _hear_player(
    hearing: Hearing,
    letter: Letter,
    player: Player,
    tags: Sequence[Tag],
    held: int | None,
    asked: int | None,
) -> Conclusion:
    """Read the letter's commands and do them. tags: see Hearing.tags_naming. held: see Work. asked: see find_game."""
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
        return Conclusion("ignored", "nothing to read, and told so often enough today")
    if held is None and (left_alone := leave_alone(hearing, letter, player, read)):
        return left_alone
    if _leaves(hearing, letter, read, tags):
        hearing.besides += not_done(
            _as_meant(hearing, work, read, lines, None), word_of(Confirm, letter, read)
        )
        leaving.leave(work, answered, for_the_last_time(hearing.take_besides()))
        hearing.erased = True
        hearing.games.update(work.games)
        return Conclusion("answered", "has left")
    if (deed := _confirmed_deed(hearing, letter, player, read, tags, held)) is not None:
        meant = _as_meant(hearing, work, read, lines, None)
        hearing.besides = not_done(meant, word_of(Confirm, letter, meant))
        return _do_deed(hearing, work, deed, answered, read)
    confirmed: list[Command] = []
    if any(tag.purpose == "deed" for tag in tags):
        confirms = [each for each in read.commands if isinstance(each, Confirm) and each.game is None]
        for each in confirms:
            umpires.confirm_nothing(work, each)
        if confirms and len(confirms) == len(read.commands) and not read.faults:
            hearing.refused = answers.finish(work, None, answered) == "refusal"
            return Conclusion("answered", "", None, written(read))
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
        game, fault = find_game(work, letter, tags, besides, lost=lost, asked=asked, headings=headings)
        if game is not None and (slip := contradicted(work, game, headings)) is not None:
            _check_in(work, game)
            return _refuse(hearing, work, slip, game, answered, read)
    left: int | None = None
    if fault is not None and fault.code == "not-your-game" and _only_appeals(read):
        # Whoever has lost his seat answers a letter of when he had it, and means that game, whatever else he plays.
        left, game, fault = int(str(fault.facts["game"])), None, None
    if held is None and fault is None:
        about = [*besides, *([] if game is None else [game])]
        if old := late.hold_if_old(hearing, work, letter, tags, about, lines, read.commands):
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
        return Conclusion("ignored", "nothing to read, and told so often enough today")
    if game is not None:
        _check_in(work, game)
    if letter.reason and not lines:
        work.part(None).notes.append(Note("unreadable", {"reason": letter.reason}))
    elif read.empty:
        passed_over = tuple(line.text for line in read.passed_over)
        work.part(None).notes.append(Note("nothing-read", {"lines": passed_over}))
    for fault in read.faults:
        work.fault(fault)
    commands = confiding.as_orders(work, read.commands, game)
    for command in confiding.confided_first(work, commands, game):
        attend(work, command, game)
    drafts.carry_out(work)
    planning.go_on(work)
    if held is None:  # else it was written before the game went on, and answered a letter of that time
        unseen.send_again(work)
    _finish(hearing, work, game, answered)
    late.keep_done(work, held or hearing.stored.number, letter, lines)
    hearing.moves += sum(isinstance(event, Ruled) for part in work.parts.values() for event in part.events)
    reason = str(letter.reason) if read.empty and not lines else ""
    return Conclusion("ruled" if hearing.moves else "answered", reason, game, written(read))


def _without(read: Understanding, done: Sequence[Command]) -> Understanding:
    """Return what a letter asks for beside what is done already."""
    return replace(read, commands=tuple(each for each in read.commands if each not in done))


def _refuse(
    hearing: Hearing, work: Work, fault: Fault, game: int | None, answered: Answered, read: Understanding
) -> Conclusion:
    """Do nothing of a letter, and say why. game: that it is about, None where that is not clear."""
    work.fault(fault, game)
    _finish(hearing, work, game, answered)
    return Conclusion("answered", fault.code, game, written(read))


def _finish(hearing: Hearing, work: Work, game: int | None, answered: Answered) -> None:
    """Keep and tell what a letter has brought about."""
    if hearing.besides and not work.part(None).speaks and work.part(None).kind is None:
        work.part(None).kind = "notice"
    about_the_letter = work.part(None).notes
    about_the_letter += hearing.take_besides()
    if hearing.cut_below:
        about_the_letter.insert(0, Note("cut", {"line": hearing.cut_below}))
    if hearing.last_of_its_kind:
        about_the_letter.insert(0, Note("last-answer"))
    hearing.refused = answers.finish(work, game, answered) == "refusal"
    hearing.games.update(work.games)


def _as_meant(
    hearing: Hearing, work: Work, read: Understanding, lines: Sequence[OwnLine], game: int | None
) -> Understanding:
    """Return what a letter asks for now that it is known which game it is about: in a house with several rulebooks, a
    line that would be an order of another game is prose in this one."""
    if len(hearing.service.rulebooks) < 2:
        return read
    return hearing.read_commands(lines, work.player, orders_of(work, game), confided_by(work))


def _only_appeals(read: Understanding) -> bool:
    """Tell whether a letter asks for nothing but appeals."""
    return bool(read.commands) and all(isinstance(each, Appeal) for each in read.commands)


def _about_game(read: Understanding, number: int) -> Understanding:
    """Return what a letter asks for, with the game that it is about where a line names none."""
    commands = (each if each.game is not None else replace(each, game=number) for each in read.commands)
    return replace(read, commands=tuple(commands))


def _leaves(hearing: Hearing, letter: Letter, read: Understanding, tags: Sequence[Tag]) -> bool:
    """Tell whether a letter confirms that its writer leaves: it answers the question, not too late, and no old
    address can take back that he has another."""
    asked = next((each for each in tags if each.purpose == "bye"), None)
    if asked is None or not asked.is_within(CONFIRMED_WITHIN, hearing.now):
        return False
    if former_address(hearing.unit, asked.player, hearing.now) is not None:
        return False
    return begins_with(Confirm, letter, read)


def _confirmed_deed(
    hearing: Hearing,
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


def _do_deed(hearing: Hearing, work: Work, deed: Tag, letter: Answered, read: Understanding) -> Conclusion:
    """Do what an officer was asked about and has confirmed."""
    umpires.confirm(work, deed, letter)
    _finish(hearing, work, None, letter)
    return Conclusion("answered", "", None, written(read))


def _silence(hearing: Hearing, letter: Letter, player: Player) -> Conclusion:
    """Take a letter to the address for fewer letters: it counts for nothing in any game, and is told so."""
    if not any(tag.player == player.number for tag in hearing.silencing_tags(letter)):
        return Conclusion("ignored", "asked for fewer letters, by an address that is none of his")
    work = hearing.work(player)
    players.fall_silent(work)
    answers.finish(work, None, hearing.answered(letter))
    return Conclusion("answered", "asked for fewer letters")


def _check_in(work: Work, number: int) -> None:
    """Keep that a seat's first letter about a game has arrived."""
    game = work.readable(number)
    seat = game.seat_of(work.player.number) if game else None
    if game is not None and seat is not None and game.status == "playing" and seat not in game.checked_in:
        work.happen(game, CheckedIn(seat))
