"""A game in which one player does a great deal that nobody else is to know, or nothing of it.

Everything that others may hear of happens at the same hours in both. Moves do, too, whichever way they come to be made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from random import Random

from tests.secrecy.comparing import hold_against_each_other
from tests.secrecy.playing_on import says
from tests.secrecy.table import THE_GAME, Heard, Sitting, Table
from tests.secrecy.truths import CONFUSION
from tests.secrecy.words_used import PRIVATE_TALKS, is_not_vouched_for, open_asides, private_asides
from tests.support.playing import START, Delivered

SLOT = timedelta(hours=4)
"""From one thing that others hear of to the next."""
APART = timedelta(minutes=4)
"""From one thing that is done in private to the next."""
AT_ONCE = 4


class Afternoon:
    """A table by the clock. privately: whether the player who is not watched does anything of his own."""

    def __init__(self, table: Table, seed: int, *, privately: bool) -> None:
        self.table = table
        self.privately = privately
        self._open, self.own = Random(seed), Random(f"{seed} in private")
        self._slot = 0
        self._planned = False
        """A plan was left, which is not to be taken back before it comes to its turn."""
        other = table.other
        table.random = self.own
        doings = [says(other, lines) for lines in private_asides(self.own, other.other.seat)]
        self._doings = [*doings, *(talk(other) for talk in PRIVATE_TALKS)]
        self.own.shuffle(self._doings)

    @property
    def hour(self) -> datetime:
        """When the next thing happens that others hear of."""
        return START + timedelta(days=1) + self._slot * SLOT

    def openly(self) -> Random:
        """Come to the next hour at which something happens that others may hear of, and let the service do what it does
        unasked; return the dice for it."""
        if not self._planned:
            self._do_in_private()
        self._planned = False
        self._slot += 1
        self.table.club.clock.at = self.hour - SLOT / 4
        self.table.passes(timedelta(0))
        self.table.club.clock.at = self.hour
        self.table.random = self._open
        return self._open

    def _do_in_private(self) -> None:
        self.table.random = self.own
        for number in range(AT_ONCE if self.privately else 0):
            if self._doings:
                self.table.club.clock.at = self.hour + APART * (1 + 2 * number)
                one = self.own.choice(self._doings)
                if next(one, self._doings) is self._doings:
                    self._doings.remove(one)

    def in_own_way(self, who: Sitting, move: str) -> None:
        """Let a move be made at this hour in one of the ways that look alike to everybody else."""
        table, made = self.table, self.table.made
        table.random = self.own
        turn = CONFUSION.rules.turn(table.game.view(who.seat))
        if self.privately:
            asked: Sequence[Delivered] = self._held(who, move) if self.own.random() < 0.2 else ()
            if asked:
                who.answers("confirm", to=asked)
            else:
                ways: tuple[tuple[str, ...], ...] = (
                    (f"try {move}",),
                    (f"try {move}; if lost (K-N9; if yes A-N1)", "status"),
                    (f"try {move}; then K-N9", "preview K-N1"),
                    (f"try {move}; if yes K-N9; if yes A-N1", "diary That was planned."),
                    (move, "preview K-N1", "mute", "mute off", "set compass own", "why K", "help try"),
                    (f"{move} @{turn}", "new tag", "resend"),
                    ("set compass own", CONFUSION.oriented.to_own(move, who.seat)),
                    ("set language fr", f"essayer {move}; puis K-N9", "état", "régler langue anglais"),
                )
                who.writes(*self.own.choice(ways))
        table.club.clock.at = self.hour
        if table.made == made:
            who.writes(move)
        assert table.made > made or table.game.status == "ended"

    def _held(self, who: Sitting, move: str) -> Sequence[Delivered]:
        """Write the move an hour before, when nobody vouches for it; return the question whether it was he."""
        self.table.club.clock.at = self.hour - SLOT / 8
        asked = [each for each in who.writes(move, vouched=False) if not each.game]
        self.table.club.clock.at = self.hour
        return asked

    def leave_plan(self, who: Sitting, move: str) -> None:
        """Leave a plan for the coming turn: the same order in both, in private behind others and with more to it."""
        self.table.random = self.own
        if self.privately:
            self.table.club.clock.at = self.hour + SLOT / 2
            who.writes("try A-N1; if no (K-S1; if yes K-N1)")
            who.writes("cancel", "try K-N1; then A-N1", "status")
        self.table.club.clock.at = self.hour + SLOT / 2 + timedelta(minutes=30)
        more = "; if lost (K-N9; then A-N1); if z K-N9" if self.privately else ""
        who.writes(f"try {move}{more}")
        self._planned = True


def play_privately(table: Table, seed: int, *, privately: bool) -> None:
    """Play the table's game; see Afternoon."""
    day = Afternoon(table, seed, privately=privately)
    table.random = Random(seed)
    turns = table.told.turns
    watched, other = table.watched, table.other
    table.third.writes(f"watch {THE_GAME}")
    watched.writes("set reports json", "status")
    other.writes("status")
    asks = [is_not_vouched_for(watched), *_asks(watched, Random(seed))]
    says_openly = [says(other, lines) for lines in open_asides(other.me.name)]
    while (made := table.made) < len(turns):
        dice = day.openly()
        next(dice.choice(asks), None)
        if dice.random() < 0.4 and says_openly:
            day.openly()
            table.random = day.own  # which of his letters he answers is his own affair
            next(says_openly.pop(), None)
        mover, move = turns[made]
        if mover == watched.seat and made + 1 < len(turns) and dice.random() < 0.4:
            day.leave_plan(other, turns[made + 1][1])
        dice = day.openly()
        if table.made > made:
            continue
        if mover == watched.seat:
            watched.writes(move)
        else:
            day.in_own_way(other, move)
        if made % 3 == 0:
            table.club.clock.at = day.hour + SLOT / 4
            table.look()
    day.openly()
    if table.game.status == "playing":
        table.watched.writes("resign")
    table.club.close()


def _asks(one: Sitting, random: Random) -> list[Iterator[None]]:
    """Return what the watched player asks meanwhile."""
    asides = private_asides(random, one.other.seat)
    return [says(one, lines) for lines in random.sample(asides, len(asides)) if lines != ("bye",)]


NAMES = re.compile(rb"tag\d{17}|[0-9a-f]{32}(?=@example\.org)|(?<==_)[0-9a-f]{24}")
"""What is drawn for a letter or made from what it answers: reply tags, Message-IDs, and what parts are set apart by."""


def renamed(heard: Sequence[Heard]) -> list[tuple[str, bytes]]:
    """Return letters, each with its time, in which reply tags and Message-IDs are called by the order in which their
    reader has seen them."""
    seen: dict[bytes, bytes] = {}

    def name(found: re.Match[bytes]) -> bytes:
        return seen.setdefault(found[0], b"%0*d" % (len(found[0]), len(seen)))

    return [(each.letter["Date"], NAMES.sub(name, each.letter.content)) for each in heard]


def compare_privacy(quiet: Table, busy: Table) -> int:
    """Hold what others got against each other where one player did nothing in private, and where he did; return how
    many letters his opponent got. Of the letter that ends the game the time alone: it shows what was noted in diaries.
    """
    readers = (
        (quiet.heard(quiet.watched.me), busy.heard(busy.watched.me)),
        (quiet.heard(quiet.third), busy.heard(busy.third)),
    )
    for ours, theirs in readers:
        ones, others = renamed(ours), renamed(theirs)
        assert [at for at, _ in ones] == [at for at, _ in others], "letters came at other times"
        for each, (_, one), (_, other) in zip(ours, ones, others, strict=True):
            if each.letter.kind != "result":
                hold_against_each_other(each.letter, one, other)
    assert quiet.seen == busy.seen, "an operator was shown something else of the game as the opponent sees it"
    return len(readers[0][0])
