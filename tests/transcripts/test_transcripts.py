"""Given these letters, when the referee reads them, then it writes those: pages in `transcripts/`, each a story."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from referee.commands.command_table import WORDS
from tests.support.playing import Club, new_database
from tests.transcripts import shown
from tests.transcripts.index import GROUPS, write_index
from tests.transcripts.shown import WORD_OF, language_of, name_of, place_of
from tests.transcripts.stories import STORIES, Story
from tests.transcripts.transcribing import FOLDER, write_page


@pytest.mark.telling(
    "confusion/two-strangers",
    "confusion/deux-inconnus",
    "confusion/a-plan",
    "confusion/a-forged-sender",
    "spies/two-strangers-play-spies",
    "cards/two-strangers-fight-a-battle",
)
@pytest.mark.parametrize("story", STORIES, ids=place_of)
def test_a_story_reads_as_it_was_reviewed(
    story: Story, tmp_path: Path, hold_against: Callable[[str, str], None]
) -> None:
    club = Club(new_database(tmp_path))
    story(club)
    club.close()
    page = write_page(name_of(story), language_of(story), story.__doc__ or "", club.exchanges)
    hold_against(place_of(story), page)


def test_every_page_has_its_story() -> None:
    """A page that no story writes would be believed for ever."""
    pages = {f"{path.parent.name}/{path.stem}" for path in FOLDER.glob("*/*.txt")}
    assert pages == set(map(place_of, STORIES))
    assert len({name_of(story) for story in STORIES}) == len(STORIES), "two pages have one name"


@pytest.fixture(scope="module")
def pages() -> Sequence[shown.Page]:
    return shown.pages()


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_word_is_written_in_a_story_in_every_way_it_can_be_written(
    pages: Sequence[shown.Page], language: str
) -> None:
    """With a game's number and without, each value of each setting; in French with French words."""
    written = set().union(*(page.forms[language] for page in pages))
    assert set(WORD_OF.values()) == {word.name for word in WORDS}
    assert sorted(set(WORD_OF) - written) == [], "no story's letters write these"


def test_a_word_in_french_counts_for_french_alone() -> None:
    lines = "mute off 2", "sourdine non 2", "essayer V-NW2 ; puis V-N1", "try V-NW2; if no V-N1", "V-NW2"
    said = shown.written_in([*lines], "fr")
    assert said["en"] == {"mute off GAME": 1, "try MOVE; if no MOVE": 1}
    assert said["fr"] == {"mute off GAME": 1, "try MOVE; then MOVE": 1}
    assert shown.written_in(["pause"], "fr")["fr"] == {"pause": 1}, "it is the same in both"


def test_the_index_lists_every_story(pages: Sequence[shown.Page], request: pytest.FixtureRequest) -> None:
    path, index = FOLDER / "README.md", write_index(pages)
    if request.config.getoption("--rewrite-transcripts"):
        path.write_text(index, "utf-8")
    assert path.read_text("utf-8") == index
    assert all(index.count(f"]({place_of(story)}.txt)") == 1 for story in STORIES)
    assert {name for names in GROUPS.values() for name in names} <= {page.name for page in pages}
