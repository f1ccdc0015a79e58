"""Pictures of the board and of the sheets, pasted from tiles, against their drawings put through a rasteriser."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.benchmarks.figures import Goal, Progress, Reading
from tests.benchmarks.letters import in_turn
from tests.reports.material import CONFUSION, YELLOW, after, heard_by

RASTERISER = "resvg_py"


def available() -> bool:
    """Return whether there is a rasteriser to compare with (`uv pip install resvg-py`); the project needs none."""
    return find_spec(RASTERISER) is not None


class Pictures:
    """One picture of each kind, in milliseconds."""

    name = "picture"
    once = False

    def prepare(self, folder: Path, progress: Progress) -> None:
        progress("board and sheets are drawn")
        view = CONFUSION.rules.view(heard_by(YELLOW, after(40)), YELLOW)
        drawings = CONFUSION.presentation.picture_svg(view), CONFUSION.sheets.svg(view)
        rasteriser: Any = importlib.import_module(RASTERISER)
        self._paste = (lambda: CONFUSION.presentation.picture(view)), (lambda: CONFUSION.sheets.picture(view))
        self._rasterise = [partial(rasteriser.svg_to_bytes, svg_string=drawing) for drawing in drawings]

    def measure(self, progress: Progress) -> Sequence[Reading]:
        progress("a picture is made")
        board, sheets = (
            in_turn(paste, rasterise) for paste, rasterise in zip(self._paste, self._rasterise, strict=True)
        )
        return [
            Reading("a picture", "ms", Goal("ratio", must=0.20, aim=0.06), *board),
            Reading("a picture of both sheets", "ms", Goal("ratio", must=0.02, aim=0.01), *sheets),
        ]
