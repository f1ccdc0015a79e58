"""Harnesses that are programs of their own, run from a test."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any


def figures_of(module: str, *arguments: str) -> Any:
    """Run a harness in a process of its own (one forks, the other starts servers); return its figures."""
    ran = subprocess.run(
        [sys.executable, "-m", module, "--json", *arguments],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout, ran.stderr
    return json.loads(ran.stdout)
