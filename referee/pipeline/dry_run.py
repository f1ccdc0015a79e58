"""Reads a letter without acting on it or using a database, for `referee read`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from referee.commands.command import Command, Order
from referee.commands.command_table import TOPICS
from referee.commands.framed import within_frame
from referee.commands.grammar import Grammar
from referee.common.faults import Fault
from referee.handlers.service_config import ServiceConfig
from referee.mail.message.message import Nature
from referee.mail.message.reader import read_letter
from referee.rulebooks.rulebook import OrderLine, Rulebook


@dataclass(frozen=True, slots=True)
class DryRun:
    """The keys of `referee read --json`. reason: why the outcome is not "commands"."""

    sender: str
    verified: bool
    outcome: Literal["commands", "ignored", "bounce", "nothing", "refused"]
    reason: str
    commands: tuple[str, ...]
    passed_over: tuple[str, ...]
    faults: tuple[str, ...]


def dry_run(content: bytes, service: ServiceConfig, rules: str, language: str = "") -> DryRun:
    """Read a letter. Trust comes from its headers and the settings alone; the tag is not looked up.

    English words are always read. Without hosts that vouch for senders (no settings) nobody can be verified,
    and that alone refuses nothing.

    language: its writer's; "" for the service's.
    """
    letter = read_letter(
        content,
        service_address=service.address,
        aliases=service.aliases,
        authserv_ids=service.authserv_ids,
        trust=service.trust,
    )
    rulebook = service.rulebooks[rules]
    grammar = Grammar(
        rulebook.notation.looks_like_order, tuple(service.rulebooks), TOPICS, language or service.language
    )
    read = within_frame(grammar.read(letter.lines), lambda command: rulebook.drafts is not None)
    commands: list[str] = []
    faults = list(read.faults)
    for command in read.commands:
        written = _write(command, rulebook)
        if isinstance(written, Fault):
            faults.append(written)
        else:
            commands.append(written)
    faults.sort(key=lambda fault: fault.place.line if fault.place else 0)
    outcome: Literal["commands", "ignored", "bounce", "nothing", "refused"]
    if letter.nature is Nature.BOUNCE:
        outcome, reason = "bounce", str(letter.reason)
    elif letter.nature is Nature.UNREADABLE:
        outcome, reason = "refused", str(letter.reason)
    elif letter.nature is not Nature.PERSON:
        outcome, reason = "ignored", str(letter.reason) or letter.nature.value
    elif not letter.sender:
        outcome, reason = "refused", letter.sender_fault
    elif not letter.verified and service.authserv_ids:
        outcome, reason = "refused", letter.verdict
    elif commands:
        outcome, reason = "commands", ""
    elif faults:
        outcome, reason = "refused", faults[0].sentence()
    else:
        outcome, reason = "nothing", "no line is a command"
    heard = outcome in ("commands", "nothing") or (outcome == "refused" and letter.nature is Nature.PERSON)
    return DryRun(
        sender=letter.sender,
        verified=letter.verified,
        outcome=outcome,
        reason=reason,
        commands=tuple(commands) if heard else (),
        passed_over=tuple(line.text for line in read.passed_over) if heard else (),
        faults=tuple(fault.sentence() for fault in faults) if heard else (),
    )


def _write(command: Command, rulebook: Rulebook) -> str | Fault:
    """Return a command in canonical text; for an order the rulebook's text, or its fault."""
    if not isinstance(command, Order):
        return command.write()
    order = rulebook.notation.read(OrderLine(command.line.number, command.text))
    if isinstance(order, Fault):
        return order
    text = rulebook.notation.write(order)
    return text if command.game is None else f"{command.game}: {text}"
