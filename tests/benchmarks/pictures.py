"""A board's picture, pasted from tiles, against the same board's drawing put through a rasteriser."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.benchmarks.figures import Goal, Progress, Reading
from tests.benchmarks.letters import in_turn
from tests.reports.material import CONFUSION, YELLOW, after, heard_by

RASTERISER = "resvg_py"


def available() -> bool:
    """Tell whether there is a rasteriser to compare with (`uv pip install resvg-py`); the project needs none."""
    return find_spec(RASTERISER) is not None


class Pictures:
    """One picture, in milliseconds."""

    name = "picture"
    once = False

    def prepare(self, folder: Path, progress: Progress) -> None:
        progress("a board is drawn")
        view = CONFUSION.view(heard_by(YELLOW, after(40)), YELLOW)
        drawing = CONFUSION.picture_svg(view)
        rasteriser: Any = importlib.import_module(RASTERISER)
        self._paste = lambda: CONFUSION.picture(view)
        self._rasterise = lambda: rasteriser.svg_to_bytes(svg_string=drawing)

    def measure(self, progress: Progress) -> Sequence[Reading]:
        progress("a picture is made")
        measured, floor = in_turn(self._paste, self._rasterise)
        return [Reading("a picture", "ms", Goal("ratio", must=0.20, aim=0.06), measured, floor)]
