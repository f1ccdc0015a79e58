"""`referee doctor`: checks everything that can be stuck, and reports it with its cure.

Nothing is changed, and no letter is sent. `referee init` proves by a letter that mail comes and goes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from referee.common.clock import Clock, SystemClock
from referee.common.errors import Contested, RefereeError, StoreUnreachable
from referee.common.timestamps import for_people
from referee.mail.inbox.imap import ImapMailbox
from referee.mail.inbox.maildir import MaildirMailbox
from referee.mail.outbox.maildir import MaildirPost
from referee.mail.outbox.transport import PostClosed
from referee.rulebooks.catalogue import all_unusable
from referee.service.bootstrap import open_application
from referee.service.dns import Records, ask_resolver, look_up
from referee.service.mail_connections import open_mailbox, open_post
from referee.service.mail_probe import try_mailbox, try_post
from referee.service.settings import Settings, warnings_about
from referee.store.database import Store
from referee.store.migrations import HEAD
from referee.store.values import CLOCK_SKEW_TOLERANCE, Standing, Stuck

Level = Literal["ok", "warning", "problem"]

SETTLED_WITHIN = timedelta(minutes=5)
"""A letter that waits longer than this shows that no process is running."""
POSTED_WITHIN = timedelta(minutes=15)
"""The same for an outgoing letter."""
LOOKED_AT_WITHIN = timedelta(minutes=15)
"""The same for a player's clock."""
MOST_CLAIMS = 5
"""Most claims that are named."""
SCARCE, ENOUGH = 100_000_000, 1_000_000_000
"""Free bytes on the disk: fewer than the first are a problem, fewer than the second a warning."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One check. text: sentences, with the cure where the level is not "ok"."""

    about: str
    level: Level
    text: str


def examine(
    settings: Settings,
    *,
    offline: bool = False,
    clock: Clock | None = None,
    records: Records = ask_resolver,
) -> list[Diagnosis]:
    """Check everything. A check that fails is a diagnosis too.

    offline: leave the servers alone; an outgoing Maildir is checked, since it is none.
    records: queries the DNS.
    Raises SettingsError for impossible settings.
    """
    clock = clock or SystemClock()
    found = [Diagnosis("settings", "warning", text) for text in warnings_about(settings)]
    if not settings.service.operator:
        found.append(
            Diagnosis(
                "settings",
                "warning",
                "[service] operator is not set, so that nobody gets a letter when something is stuck; put your own "
                "address there.",
            )
        )
    if offline and settings.outbox.kind == "maildir":
        found += _look_at("sender", _sender, settings, clock)
    found += [
        Diagnosis("rules", "problem", f"The rules {name} cannot be used: {reason}; see `referee rulebooks`.")
        for name, reason in all_unusable()
    ]
    if not offline:
        found += [
            *_look_at("mailbox", _mailbox, settings, clock),
            *_look_at("sender", _sender, settings, clock),
            *(
                Diagnosis("domain", "ok" if each.good else "warning", each.text)
                for each in look_up(settings.service.address, records)
            ),
        ]
    return found + _look_at("database", _service, settings, clock)


def _look_at(
    about: str, look: Callable[[Settings, Clock], Iterator[Diagnosis]], settings: Settings, clock: Clock
) -> list[Diagnosis]:
    """Run one check; an error that ends it early is the last diagnosis."""
    found: list[Diagnosis] = []
    try:
        found.extend(look(settings, clock))
    except (RefereeError, OSError) as error:
        found.append(Diagnosis(about, "problem", _sentence(str(error))))
    return found


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


# The mailbox and outgoing mail


def _mailbox(settings: Settings, clock: Clock) -> Iterator[Diagnosis]:
    mailbox = open_mailbox(settings.inbox, clock)
    try:
        for tried in try_mailbox(mailbox, settings.inbox):
            yield Diagnosis("mailbox", "ok" if tried.good else "problem", tried.text)
            if tried.blocks:
                return
        if isinstance(mailbox, MaildirMailbox | ImapMailbox):
            lying = f"Letters that lie there: {mailbox.waiting()}"
            since, within = mailbox.waiting_since(), SETTLED_WITHIN + timedelta(seconds=settings.inbox.poll)
            if since is not None and clock.now() - since > within:
                yield Diagnosis(
                    "mailbox",
                    "warning",
                    f"{lying}, the oldest since {for_people(since)}; see that `referee run` is running, and what its "
                    "log says.",
                )
            else:
                yield Diagnosis("mailbox", "ok", f"{lying}.")
    finally:
        mailbox.close()


def _sender(settings: Settings, clock: Clock) -> Iterator[Diagnosis]:
    for tried in try_post(open_post(settings.outbox), settings.outbox):
        yield Diagnosis("sender", "ok" if tried.good else "problem", tried.text)


# The service itself


def _service(settings: Settings, clock: Clock) -> Iterator[Diagnosis]:
    with open_application(settings, create=False, clock=clock) as application:
        store = application.store
        yield _database(store)
        yield from _writing(store)
        yield from _disk(store)
        standing = store.status.standing(settings.service.operator)
        now = clock.now()
        yield _clock(standing, now)
        yield from _letters_in(standing, now)
        yield from _letters_out(standing, now, _why_shut(settings))
        yield from _reaching_nobody(standing)
        yield from _players(standing)
        yield from _claims(store)
        yield from _clocks(store, now)
        for game in standing.frozen:
            yield Diagnosis(
                "games",
                "warning",
                f"Game {game.which} is frozen ({game.why}); `referee thaw {game.which}` lets it go on.",
            )


def _database(store: Store) -> Diagnosis:
    damage = store.status.damage()
    if damage:
        return Diagnosis(
            "database",
            "problem",
            f"The database {store.place} is damaged ({damage}); stop the service and restore the last backup.",
        )
    return Diagnosis(
        "database", "ok", f"The database {store.place} is sound, and of this release (revision {HEAD})."
    )


def _writing(store: Store) -> Iterator[Diagnosis]:
    try:
        store.check_writing()
    except (StoreUnreachable, Contested) as error:
        yield Diagnosis("database", "problem", _sentence(str(error)))


def _disk(store: Store) -> Iterator[Diagnosis]:
    room = store.status.room()
    if room is None:
        return  # PostgreSQL's disk is on its own server
    free, size = room
    text = f"{free / 1e9:,.1f} GB are free where the database lies, which has {size / 1e6:,.1f} MB"
    if free < SCARCE:
        yield Diagnosis("disk", "problem", f"{text}; free some space: without it no letter can be taken in.")
    elif free < max(ENOUGH, 2 * size):
        yield Diagnosis(
            "disk", "warning", f"{text}; free some space: a backup needs twice the database's size."
        )
    else:
        yield Diagnosis("disk", "ok", f"{text}.")


def _clock(standing: Standing, now: datetime) -> Diagnosis:
    told = f"It is {now:%Y-%m-%d %H:%M:%S} UTC by this machine's clock"
    if standing.newest is None:
        return Diagnosis("clock", "ok", f"{told}; nothing is in the database yet to compare it with.")
    newest = f"{standing.newest:%Y-%m-%d %H:%M:%S} UTC"
    if standing.newest > now + CLOCK_SKEW_TOLERANCE:
        return Diagnosis(
            "clock",
            "problem",
            f"{told}, but the newest entry of the database is of {newest}; set the clock right (`timedatectl`).",
        )
    return Diagnosis("clock", "ok", f"{told}, and the newest entry of the database is of {newest}.")


def _letters_in(standing: Standing, now: datetime) -> Iterator[Diagnosis]:
    waiting = f"Letters that wait to be settled: {standing.waiting}"
    if standing.waiting_since is not None and now - standing.waiting_since > SETTLED_WITHIN:
        yield Diagnosis(
            "letters",
            "problem",
            f"{waiting}, the oldest since {for_people(standing.waiting_since)}; see that `referee run` is running, "
            "and what its log says.",
        )
    else:
        yield Diagnosis("letters", "ok", f"{waiting}.")
    for process in standing.standing_still:
        yield Diagnosis(
            "letters",
            "problem",
            f"A process stands still in the midst of its work, {process.why}, and letters wait for it: "
            f"{process.which}. "
            "Let it go on or end it; the database ends what it was doing after a minute.",
        )
    for letter in standing.suspects:
        yield Diagnosis(
            "letters",
            "warning",
            f"Letter {letter.which} was in hand when the service ended uncleanly ({letter.why}), so it is heard last, "
            "and later letters of its game and its writer wait for it; look at the log and at `referee letters show "
            f"{letter.which}`. If the service ends by it again and again, it is set aside; to give it up at once, use "
            f"`referee letters drop {letter.which}`.",
        )
    for letter in standing.failing:
        yield Diagnosis(
            "letters",
            "warning",
            f"Letter {letter.which} makes the service fail ({letter.why}); it is tried again, and set aside in the "
            "end.",
        )
    if standing.set_aside:
        named = _named(standing.set_aside_newest, standing.set_aside)
        yield Diagnosis(
            "letters",
            "warning",
            f"Letters set aside: {standing.set_aside}, {named}; look at each with "
            "`referee letters show N`, then `referee letters retry N` or `referee letters drop N`.",
        )
    yield Diagnosis(
        "letters", "ok", f"Letters held this week until their senders confirm them: {standing.held}."
    )
    if standing.unchecked:
        yield Diagnosis(
            "letters",
            "warning",
            f"Letters this week that no host named in the settings has checked: {standing.unchecked}; they were held, "
            "or ignored where their sender had never written. See that [trust] authserv_id is the first word after "
            "Authentication-Results: in a letter that came in.",
        )


def _why_shut(settings: Settings) -> str:
    """Return why the outgoing Maildir cannot be written, as a sentence; "" where it can, or there is none."""
    post = open_post(settings.outbox) if settings.outbox.kind == "maildir" else None
    try:
        if isinstance(post, MaildirPost):
            post.probe()
    except PostClosed as error:
        return _sentence(str(error))
    return ""


def _letters_out(standing: Standing, now: datetime, shut: str) -> Iterator[Diagnosis]:
    """Yield the state of outgoing letters. shut: why none can go, "" where unknown."""
    untried = f"Letters that wait to be posted: {standing.untried}"
    if standing.untried_since is not None and shut:
        yield Diagnosis(
            "outbox", "problem", f"{untried}, the oldest since {for_people(standing.untried_since)}. {shut}"
        )
    elif standing.untried_since is not None and now - standing.untried_since > POSTED_WITHIN:
        yield Diagnosis(
            "outbox",
            "problem",
            f"{untried}, the oldest since {for_people(standing.untried_since)}; see that `referee run` is running and "
            "that the sender can be reached.",
        )
    else:
        yield Diagnosis("outbox", "ok", f"{untried}.")
    if standing.delayed_since is not None:
        named = _named(standing.delayed_newest, standing.delayed)
        yield Diagnosis(
            "outbox",
            "warning",
            f"Letters that were refused for now: {standing.delayed}, the oldest of "
            f"{for_people(standing.delayed_since)}, {named}; they are tried again for five days.",
        )
    if standing.refused:
        named = _named(standing.refused_newest, standing.refused)
        yield Diagnosis(
            "outbox",
            "warning",
            f"Letters that were refused for good this week: {standing.refused}, {named}; "
            "ask these players by another way.",
        )


def _reaching_nobody(standing: Standing) -> Iterator[Diagnosis]:
    """Yield what those concerned cannot know: games that stand still, and undelivered notices to the operator."""
    if standing.unreached:
        named = _named(standing.unreached[-MOST_CLAIMS:], len(standing.unreached))
        yield Diagnosis(
            "games",
            "problem",
            f"Games whose newest letters reached none of their players, so that they stand still: "
            f"{len(standing.unreached)}, {named}; mend what is said there, then ask these players by another way to "
            "write: any letter of theirs is answered with how the game stands.",
        )
    if standing.notices:
        named = _named(standing.notices, len(standing.notices))
        yield Diagnosis(
            "outbox",
            "problem",
            f"Notices to whoever runs this service that did not arrive this week: {named}; see that [service] operator "
            "is an address that takes letters from here. They are tried again for five days; all that is stuck is "
            "told here, too.",
        )


def _players(standing: Standing) -> Iterator[Diagnosis]:
    if standing.unreachable:
        named = _named(standing.unreachable_newest, standing.unreachable)
        yield Diagnosis(
            "players",
            "warning",
            f"Players whose letters come back: {standing.unreachable}, {named}; their games wait. Ask them by another "
            "way; any letter of theirs lets the games go on.",
        )


def _claims(store: Store) -> Iterator[Diagnosis]:
    with store.reading() as lookup:
        waiting = [each for each in lookup.cases.claims() if each.case.duty]
        unread = [each.game for each in lookup.cases.waiting(None).unread]
        events = [each.kept for each in lookup.tournaments.all() if each.unread]
    for game in unread:
        text = f"The cases of game {game} cannot be read, and one may wait; see `referee show {game}`."
        yield Diagnosis("claims", "problem", text)
    for event in events:
        yield Diagnosis("events", "problem", _sentence(str(event)))
    if waiting:
        named = ", ".join(f"{each.game}/{each.number}" for each in waiting[-MOST_CLAIMS:])
        yield Diagnosis(
            "claims",
            "warning",
            f"Claims that wait for an umpire: {len(waiting)}, the newest {named}; `referee claims` shows them, and "
            "`referee claims --settle GAME/CLAIM --answer TEXT` answers one.",
        )


def _clocks(store: Store, now: datetime) -> Iterator[Diagnosis]:
    with store.reading() as lookup:
        stuck = lookup.clocks.stuck(now - LOOKED_AT_WITHIN)
    for game in dict.fromkeys(each.game for each in stuck if each.why):
        why = next(each.why for each in stuck if each.game == game and each.why)
        if why.isdigit():
            yield Diagnosis(
                "clocks",
                "problem",
                f"Somebody's time is up in game {game}, and letter {why}, which came in before and was not heard, may "
                f"hold his move: no time is up there until it is; see `referee letters show {why}`.",
            )
            continue
        yield Diagnosis(
            "clocks",
            "problem",
            f"The clocks of game {game} cannot be looked at ({why}), so that no time is up there; "
            f"`referee show {game}` says more. It is tried again each hour.",
        )
    waiting = [each for each in stuck if not each.why]
    if waiting:
        first = min(waiting, key=lambda each: each.due)
        yield Diagnosis(
            "clocks",
            "warning",
            f"Clocks that nobody has looked at: {len(waiting)}, the first, of game {first.game}, since "
            f"{for_people(first.due)}; see that `referee run` is running. No time runs meanwhile.",
        )


def _named(newest: Sequence[Stuck], count: int) -> str:
    """Name the newest of several, each with its reason."""
    named = ", ".join(f"{each.which} ({each.why or 'no reason given'})" for each in newest)
    return named if len(newest) == count else f"the newest of them {named}"
