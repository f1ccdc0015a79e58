"""A game that is played to its end while its players write everything else that can be written."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import timedelta

from tests.secrecy.table import A_PLAN, THE_GAME, Sitting, Table
from tests.secrecy.words_used import (
    OPEN_TALKS,
    PRIVATE_TALKS,
    Aside,
    holds_move,
    open_asides,
    private_asides,
    watching_asides,
)

AT_ONCE = 6
"""Letters beside the moves that may be written between two of them."""
PLANNED = 0.3
"""How often somebody leaves a plan before the other moves."""


def says(one: Sitting, lines: Aside) -> Iterator[None]:
    """Write one letter, one that holds a move when it cannot be meant for the turn, and one with a plan that is taken
    back again when its `cancel` can mean nothing else."""
    while (one.is_due and (holds_move(lines) or any(map(one.would_try, lines)))) or (
        one.offers_draw() and any(map(A_PLAN.match, lines))
    ):
        yield
    one.writes(*lines, desk=lines == ("bye",) or lines[0].startswith("register"))


def plans(one: Sitting) -> None:
    """Leave a plan, just before the other moves."""
    if plan := one.table.plan(one):
        one.writes(f"try {plan}", "status")


def watches(table: Table) -> Iterator[None]:
    """Watch the game from its beginning, and ask about it in every way."""
    table.third.writes(f"watch {THE_GAME}")
    asides = watching_asides()
    table.random.shuffle(asides)
    for lines in asides:
        yield
        about = [each for each in table.third.letters if each.game == THE_GAME]
        if about and table.random.random() < 0.5:
            table.third.replies(*lines, to=table.random.choice(about))
        else:
            table.third.writes(*lines)


def chores(one: Sitting, only: Collection[str] | None = None, part: float = 1.0) -> list[Iterator[None]]:
    """Return all that one player is going to write. only: words of the desk; then single letters in which a line begins
    with one. part: so much of the single letters."""
    random = one.table.random
    asides = [*private_asides(random, one.other.seat), *open_asides(one.me.name)]
    if only is not None:
        asides = [lines for lines in asides if any(each.partition(" ")[0] in only for each in lines)]
    singly = [says(one, lines) for lines in random.sample(asides, round(part * len(asides)))]
    return singly if only is not None else [*singly, *(talk(one) for talk in (*PRIVATE_TALKS, *OPEN_TALKS))]


def play(
    table: Table,
    *,
    first: Aside = (),
    only: Collection[str] | None = None,
    between: timedelta = timedelta(0),
    others: float = 1.0,
) -> None:
    """Play the table's game to its end. first: what the watched player begins with. only: see chores. between: what
    passes before each move. others: so much the other player writes of what takes single letters."""
    random, turns = table.random, table.told.turns
    table.watched.writes("set reports json", *first)
    table.other.writes("set reports text")
    going = [*chores(table.watched, only), *chores(table.other, only, others)]
    if only is None or "watch" in only:
        going.append(watches(table))
    random.shuffle(going)
    share = max(1, min(AT_ONCE, -(-len(going) // max(1, len(turns)))))
    while (made := table.made) < len(turns):
        for _ in range(random.randint(share, share + 2)):
            advance(table, going)
        if random.random() < 0.3:
            table.third_moves()
        table.passes(between)
        if table.made == made:
            seat, move = turns[made]
            mover = table.sittings[seat]
            if (only is None or "try" in only) and random.random() < PLANNED:
                plans(mover.other)
            table.move(mover, move)
        if made in (len(turns) // 2, len(turns) - 1):
            table.look()
    for _ in range(10 * len(going)):
        advance(table, going)
    end(table)


def advance(table: Table, going: list[Iterator[None]]) -> None:
    """Let somebody write the next letter that is not a move."""
    if not going:
        return
    one = table.random.choice(going)
    if next(one, going) is going:
        going.remove(one)


def end(table: Table) -> None:
    """End the game, and write what can be written behind the end."""
    table.passes(timedelta(days=1))
    if table.game.status == "playing":
        table.other.writes("resign")
    if table.game.status == "playing":  # something else of his letter was read
        table.other.writes("resign", desk=True)
    if not table.beside:
        table.club.close()
        return
    table.watched.writes(f"rematch {THE_GAME}", "games", "status 3", desk=True)
    rematch = table.newest_game
    table.other.writes(f"accept {rematch} option sheets=off", desk=True)
    table.watched.writes(f"decline {rematch}", desk=True)
    table.watched.writes(
        "preview K-N1", "try K-N1", "diary too late", "press Thank you.", "why K", "record", "draw"
    )
    table.passes(timedelta(days=1))
    table.club.close()
