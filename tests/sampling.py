"""Cases of which the quick tests take the first ones, and the full tests all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def sample(cases: Iterable[Any], quick: int = 1) -> list[Any]:
    """Return the cases for `parametrize`, all but the first `quick` ones marked as full."""
    return [
        case
        if number < quick
        else pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.full)
        for number, case in enumerate(cases)
    ]
