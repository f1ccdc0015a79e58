"""What is measured, against which goal, and how rounds become one figure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Literal, Protocol

Measure = Literal["ratio", "difference", "value"]
"""What is compared with the goal: measured / floor, measured - floor, or what was measured itself."""

Progress = Callable[[str], None]
"""Told, in a few words, what is being done."""


@dataclass(frozen=True, slots=True)
class Goal:
    """What a figure must reach, and what it aims at. more: larger is better."""

    measure: Measure
    must: float
    aim: float
    more: bool = False

    def met(self, found: float) -> bool:
        """Return whether a figure is good enough."""
        return found >= self.must if self.more else found <= self.must

    def written(self) -> str:
        """Return the goal in signs: "<= 12, aim 6"."""
        return f"{'>=' if self.more else '<='} {self.must:g}, aim {self.aim:g}"


@dataclass(frozen=True, slots=True)
class Reading:
    """One round's result. floor: None for what is only counted."""

    name: str
    unit: str
    goal: Goal
    measured: float
    floor: float | None = None

    @property
    def found(self) -> float:
        """What is compared with the goal."""
        if self.goal.measure == "value" or self.floor is None:
            return self.measured
        if self.goal.measure == "ratio":
            return self.measured / self.floor
        return self.measured - self.floor


class Benchmark(Protocol):
    """Something that can be measured round by round. once: one round is enough."""

    name: str
    once: bool

    def prepare(self, folder: Path, progress: Progress) -> None:
        """Make what all rounds need, below `folder`, which is empty."""
        ...

    def measure(self, progress: Progress) -> Sequence[Reading]:
        """Measure one round, what is to be measured beside its floor."""
        ...


@dataclass(frozen=True, slots=True)
class Figure:
    """The readings of one name over all rounds."""

    readings: tuple[Reading, ...]

    @property
    def name(self) -> str:
        return self.readings[0].name

    @property
    def unit(self) -> str:
        return self.readings[0].unit

    @property
    def goal(self) -> Goal:
        return self.readings[0].goal

    @property
    def measured(self) -> float:
        """The median of what was measured."""
        return median(each.measured for each in self.readings)

    @property
    def floor(self) -> float | None:
        """The median of the floors."""
        floors = [each.floor for each in self.readings if each.floor is not None]
        return median(floors) if floors else None

    @property
    def found(self) -> tuple[float, ...]:
        """What is compared with the goal, round by round."""
        return tuple(each.found for each in self.readings)

    @property
    def met(self) -> bool:
        """Whether the median over the rounds reaches the goal."""
        return self.goal.met(median(self.found))


def figures_of(readings: Sequence[Reading]) -> list[Figure]:
    """Gather readings by name, in the order of their first appearance."""
    by_name: dict[str, list[Reading]] = {}
    for reading in readings:
        by_name.setdefault(reading.name, []).append(reading)
    return [Figure(tuple(each)) for each in by_name.values()]
