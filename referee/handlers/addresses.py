"""Where a player's letters go, and from where his are taken: `set address`, `set second`, and what confirms them.

Whoever can write in a player's name could take his games away by another address. So a new one counts once the word
comes from there; the old one is told, and can take the change back for some days; and a stranger's address that was
named in jest gets one letter, which he need not answer.
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
"""New addresses that one player can ask for in a day; each of them gets one letter a week, whoever asks."""


def set_address(work: HandlerContext, command: SetAddress) -> None:
    """Ask at a new address whether it is the writer's; or have no second one any more, which takes no asking."""
    if not command.address:
        _drop_second(work)
        work.took(command, note=Note("second-removed"))
    elif _may_ask(work, command):
        told = _is_told(work, command.address)
        tag = work.draws.tag()
        work.unit.tags.add(tag, "address", player=work.player.number)
        use: AddressUse = "asked-main" if command.use == "main" else "asked-second"
        if told or not _is_asked(work, use, command.address):
            work.unit.addresses.add(work.player.number, use, command.address, tag)
        asked = Note("address-asked", {"who": work.player.name, "use": command.use})
        words = LetterContent(kind="notice", notes=(asked,))
        if told and not _is_anothers(work, command.address):  # the answer is the same, to tell nothing of it
            work.post.to_address(command.address, words, player=work.player.number, reply_tag=tag)
        work.took(command, note=Note("address-wanted", {"address": command.address, "use": command.use}))
        work.part(None).kind = "receipt"


def offer(work: HandlerContext, address: str, letter: int) -> bool:
    """Offer the player to have letters go to another address, from which an answer came to a question that went to the
    player's own; tell whether that was done.

    So writes whoever has changed the address of an account, as Gmail lets people do: what goes to the old one still
    comes, and answers come from the new one. But the question may have been forwarded. So this is asked at the old
    address once more, by a tag of its own, and takes the word `confirm` from either; and the old one can take it back.
    letter: the number of that answer.
    """
    unit, me = work.unit, work.player.number
    pending = unit.addresses.get(me, "asked-main")
    if unit.players.by_address(address) is not None or who_left(unit, address, work.now) is not None:
        return False
    if is_unread(address) or (pending is not None and pending.is_within(ADDRESS_CHANGE_TTL, work.now)):
        return False
    if unit.tags.count_since(me, "address", work.now - DAY) >= MOST_ASKED_A_DAY:
        return False
    tag = work.draws.tag()
    unit.tags.add(tag, "address", player=me, letter=letter)
    unit.addresses.add(me, "asked-main", address, tag)
    facts = {"address": address, "days": ADDRESS_CHANGE_TTL.days}
    work.post.to_player(me, LetterContent(kind="notice", notes=(Note("address-new", facts),)), reply_tag=tag)
    return True


def _drop_second(work: HandlerContext) -> None:
    second = work.unit.addresses.get(work.player.number, "second")
    work.unit.addresses.drop(work.player.number, "second")
    work.unit.addresses.drop(work.player.number, "asked-second")
    if second is not None:
        work.unit.letters.unlink_from(second.address, work.player.number)


def _is_anothers(work: HandlerContext, address: str) -> bool:
    """Return whether an address is another player's, or was until lately."""
    unit, me = work.unit, work.player.number
    owner, left = unit.players.by_address(address), who_left(unit, address, work.now)
    if left is not None and left.number != me:
        return True
    return owner is not None and owner.number != me and not is_only_invited(unit, owner)


def _is_asked(work: HandlerContext, use: AddressUse, address: str) -> bool:
    """Return whether the writer's question about an address waits there already, and may still be answered."""
    asked = work.unit.addresses.get(work.player.number, use)
    return asked is not None and address_key(asked.address) == address_key(address)


def _is_told(work: HandlerContext, address: str) -> bool:
    """Return whether a letter may go to an address that is to be the writer's: one of his own, or one that nobody has
    named within the week. Which of the two is missing is nothing that he is told: it would tell of others' doings."""
    owner = work.unit.players.by_address(address)
    mine = owner is not None and owner.number == work.player.number
    return mine or invitation_limits.may_ask_address(work.unit, address)


def _may_ask(work: HandlerContext, command: SetAddress) -> bool:
    """Return whether an address may be written to; note what is wrong if not, and never whose it is."""
    unit, address, me = work.unit, command.address, work.player.number
    if is_service(address, work.service.address):
        work.wrong(command, "address-of-referee", "that is my own address")
        return False
    if is_unread(address):
        work.wrong(command, "unread-address", "nobody reads what comes to {address}", address=address)
        return False
    owner = unit.players.by_address(address)
    mine = owner is not None and owner.number == me
    if mine and (command.use == "second" or address_key(address) == address_key(work.player.address)):
        work.wrong(command, "address-yours", "{address} is an address of yours already", address=address)
        return False
    day_ago = work.now - DAY
    if unit.tags.count_since(me, "address", day_ago) >= MOST_ASKED_A_DAY:
        message = "you have named {most} addresses within a day; write again tomorrow"
        work.wrong(command, "many-addresses", message, most=str(MOST_ASKED_A_DAY))
        return False
    if not invitation_limits.one_more(unit):
        message = "too many people were written to within the hour; name {address} again later"
        work.wrong(command, "many-strangers", message, address=address)
        return False
    return True


def confirm(work: HandlerContext, asked: FurtherAddress, letter: InReplyTo) -> None:
    """Take an address as the player's, since the word has come from there. letter: that said so."""
    work.unit.addresses.drop(work.player.number, asked.use)
    if asked.use == "asked-second":
        _drop_second(work)
        work.unit.addresses.add(work.player.number, "second", asked.address)
        note = Note("second-added", {"address": asked.address})
    else:
        move(work, asked.address)
        note = Note("address-changed", {"address": asked.address, "days": ADDRESS_CHANGE_TTL.days})
    _answer(work, note, letter)


def _answer(work: HandlerContext, note: Note, letter: InReplyTo) -> None:
    """Write to the player where his letters go now; whoever was out of reach is back."""
    if work.player.returns:
        welcome_back(work)
    part = work.part(None)
    part.notes.insert(0, note)
    part.kind = "receipt"
    replies.save_and_reply(work, None, letter)


def take_back(work: HandlerContext, former: FurtherAddress, letter: InReplyTo) -> None:
    """Have the player's letters go to his old address again, since it says so; what was set since is undone, too.

    A second address that was set before stays, and is named: whoever took the letters away may have set that first.
    What came from the other address is kept: somebody may want to know who that was.
    """
    unit, me = work.unit, work.player.number
    for each in unit.addresses.of_player(me):
        if each.created >= former.created:
            unit.addresses.drop(me, each.use)
    work.change_player(address=former.address)
    second = unit.addresses.get(me, "second")
    facts = {"address": former.address, "second": second.address if second else ""}
    _answer(work, Note("address-back", facts), letter)
