"""What a deduction sheet costs: all shares exact, against the plain programme that everybody would write first."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from statistics import median

from referee.rulebooks.confusion.assignments import Assignments, count_assignments
from tests.benchmarks.figures import Goal, Progress, Reading

SHEETS = 100
"""Random sheets for each number of types left."""
TIMES = 3
"""How often each is counted in a round; the quickest counts, since other work on the machine only adds."""
GOAL = Goal("ratio", must=0.4, aim=0.3)

Left = tuple[int, ...]


class Sheets:
    """Sheets of 12 and of 13 letters against the forward and backward subset programme in pure Python."""

    name = "sheets"
    once = False

    def prepare(self, folder: Path, progress: Progress) -> None:
        random = Random(2026)
        self._sheets = {
            (letters, left): [drawn(random, letters, left) for _ in range(SHEETS)]
            for letters in (12, 13)
            for left in (4, 8)
        }
        for letters in (12, 13):
            self._sheets[letters, letters] = [((1 << letters) - 1,) * letters]
        for sheets in self._sheets.values():
            for each in sheets[:5]:
                assert plain(each) == count(each), "the two do not count alike"

    def measure(self, progress: Progress) -> Sequence[Reading]:
        readings = []
        for (letters, left), sheets in self._sheets.items():
            heard = "nothing heard" if left == letters else f"{left} types left"
            progress(f"{letters} letters, {heard}")
            ours, floors = zip(*(quickest_of(each) for each in sheets), strict=True)
            # The median sheet of the round is that with the median ratio: both of its times are told.
            middle = sorted(zip(ours, floors, strict=True), key=lambda pair: pair[0] / pair[1])[
                len(ours) // 2
            ]
            readings.append(Reading(f"a sheet of {letters}, {heard}", "ms", GOAL, *middle))
        progress("starting up")
        readings.append(Reading("sheets, start-up", "ms", Goal("value", must=50, aim=25), start_up()))
        return readings


def drawn(random: Random, letters: int, left: int) -> Left:
    """Return a sheet that holds at least one assignment, with so many types left for each letter."""
    deal = random.sample(range(letters), letters)
    sheet = []
    for kind in deal:
        others = random.sample([each for each in range(letters) if each != kind], left - 1)
        sheet.append(1 << kind | sum(1 << each for each in others))
    return tuple(sheet)


def count(left: Left) -> Assignments:
    """Count without the memory of earlier sheets."""
    return count_assignments.__wrapped__(left)


def quickest_of(left: Left) -> tuple[float, float]:
    """Return the milliseconds that a sheet takes, and the plain programme's, each the quickest of some in turn."""
    took: tuple[list[float], list[float]] = ([], [])
    actions: tuple[Callable[[Left], object], ...] = (count, plain)
    for _ in range(TIMES):
        for times, action in zip(took, actions, strict=True):
            begin = time.perf_counter()
            action(left)
            times.append(1000 * (time.perf_counter() - begin))
    return min(took[0]), min(took[1])


def start_up() -> float:
    """Return the milliseconds that the first sheets of both sizes and both methods take in a new process, after its
    imports but for the module that counts, less what they take when they are counted again."""
    script = """
import time, dataclasses, functools
begin = time.perf_counter()
import referee.rulebooks.confusion.assignments as module
loaded = time.perf_counter() - begin
def work():
    begin = time.perf_counter()
    for n in (12, 13):
        full = 2**n - 1
        module.count_packed([full & ~(1 << kind) for kind in range(n)])
        module.count_walking([1 << kind | 1 << (kind + 1) % n for kind in range(n)])
    return time.perf_counter() - begin
import importlib
begin = time.perf_counter()
importlib.reload(module)
alone = time.perf_counter() - begin
print(1000 * (alone + work() - min(work() for _ in range(3))))
"""
    return median(
        float(
            subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout
        )
        for _ in range(3)
    )


def plain(left: Left) -> Assignments:
    """Count by the sets of types used up, letter by letter, forward and then backward: the floor."""
    n = len(left)
    full = (1 << n) - 1
    layers = [{0: 1}]
    for types in left:
        layer: dict[int, int] = {}
        for used, ways in layers[-1].items():
            free = types & ~used
            while free:
                bit = free & -free
                free ^= bit
                layer[used | bit] = layer.get(used | bit, 0) + ways
        layers.append(layer)
    back = {full: 1}
    shares: list[tuple[int, ...]] = []
    for place in reversed(range(n)):
        before: dict[int, int] = {}
        share = [0] * n
        for used, ways in layers[place].items():
            free = left[place] & ~used
            both = 0
            while free:
                bit = free & -free
                free ^= bit
                more = back.get(used | bit, 0)
                if more:
                    both += more
                    share[bit.bit_length() - 1] += ways * more
            if both:
                before[used] = both
        back = before
        shares.append(tuple(share))
    return Assignments(layers[n].get(full, 0), tuple(reversed(shares)))
