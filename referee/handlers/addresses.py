"""Addresses that a player's letters go to and come from: `set address`, `set second`, and their confirmation.

Somebody who can write in a player's name could take over their games with another address. A new address
therefore counts only once the word comes from there; the old one is told, and can reverse the change for some
days. A stranger's address that was named as a joke gets one letter, which needs no answer.
"""

from __future__ import annotations

from referee.commands.command import SetAddress
from referee.common.durations import DAY
from referee.handlers import invitation_limits, replies
from referee.handlers.delivery_failures import welcome_back
from referee.handlers.former_addresses import ADDRESS_CHANGE_TTL, move, who_left
from referee.handlers.giving_way import is_only_invited
from referee.handlers.handler_context import HandlerContext
from referee.handlers.letter_content import InReplyTo, LetterContent
from referee.mail.message.addresses import is_service, is_unread
from referee.reports.report import Note
from referee.store.values import AddressUse, FurtherAddress, address_key

MOST_ASKED_A_DAY = 3
"""How many new addresses a player can name in a day; each of them gets one letter a week from all players."""


def set_address(work: HandlerContext, command: SetAddress) -> None:
    """Ask at a new address whether it is the writer's; or remove the second one, which needs no question."""
    if not command.address:
        _drop_second(work)
        work.outcome.accept(command, note=Note("second-removed"))
    elif _may_ask(work, command):
        told = _is_told(work, command.address)
        tag = work.composer.new_tag("address", work.request.player.number)
        use: AddressUse = "asked-main" if command.use == "main" else "asked-second"
        if told or not _is_asked(work, use, command.address):
            work.unit.addresses.add(work.request.player.number, use, command.address, tag)
        asked = Note("address-asked", {"who": work.request.player.name, "use": command.use})
        words = LetterContent(kind="notice", notes=(asked,))
        if told and not _is_anothers(
            work, command.address
        ):  # the answer to the writer is the same, so that it reveals nothing
            work.composer.to_address(command.address, words, player=work.request.player.number, reply_tag=tag)
        work.outcome.accept(
            command, note=Note("address-wanted", {"address": command.address, "use": command.use})
        )
        work.outcome.of(None).kind = "receipt"


def offer(work: HandlerContext, address: str, letter: int) -> bool:
    """Offer to change the player's address to one that answered a question sent to their own.

    Return whether this was done. It happens when a player's mail account has a new address, as Gmail allows:
    mail to the old one still arrives, and answers come from the new one. But the question may have been
    forwarded. So the old address is asked again, by a tag of its own that accepts `confirm` from either, and
    the old one can reverse it.

    letter: the number of that answer.
    """
    unit, me = work.unit, work.request.player.number
    pending = unit.addresses.get(me, "asked-main")
    if unit.players.by_address(address) is not None or who_left(unit, address, work.request.now) is not None:
        return False
    if is_unread(address) or (
        pending is not None and pending.is_within(ADDRESS_CHANGE_TTL, work.request.now)
    ):
        return False
    if unit.tags.count_since(me, "address", work.request.now - DAY) >= MOST_ASKED_A_DAY:
        return False
    tag = work.composer.new_tag("address", me, letter=letter)
    unit.addresses.add(me, "asked-main", address, tag)
    facts = {"address": address, "days": ADDRESS_CHANGE_TTL.days}
    work.composer.to_player(
        me, LetterContent(kind="notice", notes=(Note("address-new", facts),)), reply_tag=tag
    )
    return True


def _drop_second(work: HandlerContext) -> None:
    second = work.unit.addresses.get(work.request.player.number, "second")
    work.unit.addresses.drop(work.request.player.number, "second")
    work.unit.addresses.drop(work.request.player.number, "asked-second")
    if second is not None:
        work.unit.letters.unlink_from(second.address, work.request.player.number)


def _is_anothers(work: HandlerContext, address: str) -> bool:
    """Return whether an address is another player's, or recently was."""
    unit, me = work.unit, work.request.player.number
    owner, left = unit.players.by_address(address), who_left(unit, address, work.request.now)
    if left is not None and left.number != me:
        return True
    return owner is not None and owner.number != me and not is_only_invited(unit, owner)


def _is_asked(work: HandlerContext, use: AddressUse, address: str) -> bool:
    """Return whether the writer's question about an address is already open."""
    asked = work.unit.addresses.get(work.request.player.number, use)
    return asked is not None and address_key(asked.address) == address_key(address)


def _is_told(work: HandlerContext, address: str) -> bool:
    """Return whether a letter may go to an address that is to be the writer's.

    It may if the address is theirs, or nobody has named it within the week. The writer is not told which of
    these fails, since that would reveal what others do.
    """
    owner = work.unit.players.by_address(address)
    mine = owner is not None and owner.number == work.request.player.number
    return mine or invitation_limits.may_ask_address(work.unit, address)


def _may_ask(work: HandlerContext, command: SetAddress) -> bool:
    """Return whether an address may be written to; record the fault if not, which never says whose it is."""
    unit, address, me = work.unit, command.address, work.request.player.number
    if is_service(address, work.service.address):
        work.outcome.reject(command, "address-of-referee", "that is my own address")
        return False
    if is_unread(address):
        work.outcome.reject(
            command, "unread-address", "nobody reads what comes to {address}", address=address
        )
        return False
    owner = unit.players.by_address(address)
    mine = owner is not None and owner.number == me
    if mine and (command.use == "second" or address_key(address) == address_key(work.request.player.address)):
        work.outcome.reject(
            command, "address-yours", "{address} is an address of yours already", address=address
        )
        return False
    day_ago = work.request.now - DAY
    if unit.tags.count_since(me, "address", day_ago) >= MOST_ASKED_A_DAY:
        message = "you have named {most} addresses within a day; write again tomorrow"
        work.outcome.reject(command, "many-addresses", message, most=str(MOST_ASKED_A_DAY))
        return False
    if not invitation_limits.one_more(unit):
        message = "too many people were written to within the hour; name {address} again later"
        work.outcome.reject(command, "many-strangers", message, address=address)
        return False
    return True


def confirm(work: HandlerContext, asked: FurtherAddress, letter: InReplyTo) -> None:
    """Accept an address as the player's, since the word has come from there. letter: the one that said so."""
    work.unit.addresses.drop(work.request.player.number, asked.use)
    if asked.use == "asked-second":
        _drop_second(work)
        work.unit.addresses.add(work.request.player.number, "second", asked.address)
        note = Note("second-added", {"address": asked.address})
    else:
        move(work, asked.address)
        note = Note("address-changed", {"address": asked.address, "days": ADDRESS_CHANGE_TTL.days})
    _answer(work, note, letter)


def _answer(work: HandlerContext, note: Note, letter: InReplyTo) -> None:
    """Tell the player where their letters go now; an unreachable player counts as back."""
    if work.request.player.returns:
        welcome_back(work)
    part = work.outcome.of(None)
    part.notes.insert(0, note)
    part.kind = "receipt"
    replies.save_and_reply(work, None, letter)


def take_back(work: HandlerContext, former: FurtherAddress, letter: InReplyTo) -> None:
    """Restore a player's old address at its request, and undo what was set since.

    A second address that was set before remains and is named, since an attacker may have set that first. Mail
    from the other address is kept: somebody may want to know who that was.
    """
    unit, me = work.unit, work.request.player.number
    for each in unit.addresses.of_player(me):
        if each.created >= former.created:
            unit.addresses.drop(me, each.use)
    work.change_player(address=former.address)
    second = unit.addresses.get(me, "second")
    facts = {"address": former.address, "second": second.address if second else ""}
    _answer(work, Note("address-back", facts), letter)
