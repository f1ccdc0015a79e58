"""Given these letters, when the referee reads them, then it writes those: pages in `transcripts/`, each a story."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.playing import Club, new_database
from tests.transcribing import FOLDER, write_page
from tests.transcripts.stories import STORIES, Story


def name_of(story: Story) -> str:
    return story.__name__.removeprefix("the_").replace("_", "-")


@pytest.mark.parametrize("story", STORIES, ids=name_of)
def test_a_story_reads_as_it_was_reviewed(
    story: Story, tmp_path: Path, hold_against: Callable[[str, str], None]
) -> None:
    club = Club(new_database(tmp_path))
    story(club)
    club.close()
    title, _, shows = (story.__doc__ or "").partition("\n")
    page = write_page(title, " ".join(shows.split()), club.exchanges)
    hold_against(f"confusion/{name_of(story)}", page)


def test_every_page_has_its_story() -> None:
    """A page that no story writes would be believed for ever."""
    pages = {path.stem for path in (FOLDER / "confusion").glob("*.txt")}
    assert pages == set(map(name_of, STORIES))
