"""Letters in a player's name that nobody vouches for: kept, the player asked, and heard when he says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from referee.byways import moved
from referee.commands.command import Challenge, Confirm, Help, Open, Register, SetAddress, SetPreference
from referee.commands.grammar import Understanding
from referee.correspondence import Words
from referee.desk import tags as reply_tags
from referee.games.player import Player
from referee.hearing import A_DAY, Conclusion, Hearing, begins_with, written
from referee.letters.letter import Letter
from referee.reports.report import Note
from referee.store.lookup import address_key
from referee.store.records import StoredLetter, Tag
from referee.which_game import find_game

HOLD_NOTICE_EVERY = A_DAY
"""How often, at most, a player is asked about letters in his name that nobody vouches for."""


def hold(
    hearing: Hearing, letter: Letter, player: int, tags: Sequence[Tag], reason: str, *, leaked: bool = False
) -> Conclusion:
    """Do nothing of what a letter says in a player's name; ask him, at most once a day.

    tags: his own. leaked: it came from another address than his, to one of them: if that is certain, somebody has a
    letter that was meant for him, or he writes from a second mailbox of his own. The first gets him another tag.
    """
    unit = hearing.unit
    read = hearing.grammar.read(letter.lines)
    work = hearing.work(unit.player(player))
    game, _ = find_game(work, letter, tags)
    if not unit.held_since(player, hearing.now - HOLD_NOTICE_EVERY):
        tag = hearing.draws.tag()
        unit.add_tag(tag, "hold", player=player, game=game, letter=hearing.stored.number)
        facts = {"commands": _shown(read), "received": hearing.stored.received, "game": game}
        notes = [Note("held", facts)]
        if leaked and letter.verified:
            notes.append(Note("second-mailbox"))
            renewed = None if _is_former(hearing, player, letter.sender) else reply_tags.renew(work, tags[0])
            notes += [renewed] if renewed else []
        hearing.post().to_player(player, Words(kind="notice", notes=tuple(notes)), reply_tag=tag)
    return Conclusion("held", reason, game, written(read))


def _is_former(hearing: Hearing, player: int, address: str) -> bool:
    former = hearing.unit.further_address(player, "former")
    return former is not None and address_key(former.address) == address_key(address)


Hear = Callable[[Letter, Player, Sequence[Tag], datetime], Conclusion]
"""What hears a player's letter that came in at some time."""


def release(hearing: Hearing, letter: Letter, tag: Tag, hear: Hear) -> Conclusion:
    """Hear a held letter after all, when the player to whom the question went answers `confirm`.

    The question went to his registered address alone and its tag is used once, so that his answer proves that he
    reads that mailbox; no other vouching is asked for, unless it comes from his second address. `confirm` must be
    the first thing he wrote, since the question itself, which he may quote below, holds the word too.
    """
    unit = hearing.unit
    player = unit.player(tag.player)
    read = hearing.grammar.read(letter.lines)
    if not hearing.is_his(letter, player):
        return Conclusion("ignored", "a held letter's tag came from another address")
    held = unit.letter(tag.letter, decided=True) if tag.letter else None
    if held is None or held.content is None or held.outcome != "held":
        return Conclusion("ignored", "the held letter is no longer there", None, written(read))
    if not begins_with(Confirm, letter, read):
        if not hearing.told_often(player.address):
            words = Words(kind="help", notes=(Note("not-confirmed"),))
            answered = hearing.answered(letter)
            hearing.post().to_player(player.number, words, answers=answered, reply_tag=tag.text)
        return Conclusion("answered", "a held letter was not confirmed", None, written(read))
    unit.revoke_tag(tag.text)
    if earlier := unit.same_letter(held.number):
        return Conclusion("ignored", f"the held letter came again and was heard as number {earlier}")
    end, sender = _hear_held(hearing, held, held.content, player, hear)
    if hearing.erased:
        unit.erase_letter(held.number)
    unit.conclude(
        held.number,
        outcome=end.outcome,
        reason=f"confirmed by letter {hearing.stored.number}",
        game=end.game,
        commands=end.commands,
        sender="" if hearing.erased else sender,
    )
    return replace(end, outcome="answered", reason=f"confirmed letter {held.number}", commands=("confirm",))


def _hear_held(
    hearing: Hearing, held: StoredLetter, content: bytes, player: Player, hear: Hear
) -> tuple[Conclusion, str]:
    """Hear a letter that was held as the player's own; return its end, and whose it is for the records."""
    came = hearing.read(content)
    mine = [each for each in hearing.tags(came) if each.player == player.number]
    if asked := next((each for each in mine if each.purpose == "address"), None):
        end = moved.confirm_address(hearing, replace(came, verified=True), asked)
        assert end is not None, "it counts as vouched for"
        return end, came.sender
    meant = replace(came, sender=player.address, verified=True)
    return hear(meant, player, mine, held.received), player.address


def _shown(read: Understanding) -> tuple[str, ...]:
    """Return a held letter's commands as they may be shown: no text of a forger's own, which could be a message."""
    free = (Register, Challenge, Open, SetPreference, SetAddress, Help)
    return tuple(
        f"{command.word} ..." if isinstance(command, free) else command.write() for command in read.commands
    )
