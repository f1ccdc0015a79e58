"""Each benchmark runs in its smallest form, so that none ends in a traceback when its figures are wanted."""

from __future__ import annotations

import pytest

from tests.benchmarks.__main__ import NAMES, SERVED
from tests.support.harnesses import figures_of

SMALLEST = (
    *("--rounds", "1"),
    *("--moves", "2"),
    *("--backlog", "2"),
    *("--counted", "2"),
    *("--letters", "1"),
    *("--archived", "100"),
    *("--running", "2"),
    *("--handled", "20"),
    *("--games", "20000"),
    *("--published", "2"),
    *("--played", "20"),
    *("--club", "12"),
)


@pytest.mark.full
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_gives_its_figures(name: str, request: pytest.FixtureRequest) -> None:
    if name in SERVED:
        request.getfixturevalue("mail_servers")
    figures = figures_of("tests.benchmarks", *SMALLEST, "--only", name)
    assert figures or name == "picture", "it needs a rasteriser for its floor"
    assert all(figure["measured"] and figure["unit"] for figure in figures)
