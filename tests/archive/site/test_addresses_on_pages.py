"""No page shows a mail address, whoever has written one into what is published."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from referee.archive.site.pages import for_script, without_addresses
from referee.common.errors import UsageError
from referee.games import umpire_actions
from referee.rulebooks.rulebook import Seat
from tests.archive.site.made_up import published
from tests.support.playing import Club

ADDRESSED = re.compile(rb"[\w.]@[\w.]")


def pages(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.html")}


@pytest.mark.story
def test_what_players_have_written_to_each_other_is_shown_without_addresses(
    club: Club, tmp_path: Path
) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    game = club.starts({"white": anna, "yellow": bert})
    anna.replies("A-S1", "", "press all Write to me: anna@example.net!", to=anna.last_about(game))
    bert.replies("diary She is anna@example.net; \\bert@example.com", to=bert.last_about(game))
    bert.replies("resign", to=bert.last_about(game))
    published(club, tmp_path, writings=("press", "diaries"))
    found = pages(tmp_path)
    assert b"Write to me: (address)!" in found[f"games/{game}.html"]
    assert not any(map(ADDRESSED.search, found.values()))


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Bert, bert@example.com, has won", "Bert, (address), has won"),
        ("a.b+c@mail.example", "(address)"),
        ("<anna@x.example>", "<(address)>"),
        ("\n\\anna@x.example\n", "\n\\(address)\n"),
        ("A-S1 @3, @letter 5, 3 @ 4", "A-S1 @3, @letter 5, 3 @ 4"),
    ],
)
def test_a_script_reads_what_is_left(said: str, shown: str) -> None:
    assert without_addresses(said) == shown
    assert json.loads(str(for_script({"said": ["end", said]}))) == {"said": ["end", shown]}


def test_an_umpire_s_reason_with_an_address_is_not_taken_so_that_no_log_or_record_has_one(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    game = club.starts({"white": anna, "yellow": bert})
    anna.replies("A-S1", to=anna.last_about(game))
    reason = "Bert, bert@example.com, is ill"
    doings = (
        lambda: club.referee.umpire.adjudicate(game, "white", reason),
        lambda: club.referee.umpire.freeze(game, reason),
        lambda: club.referee.umpire.act(game, umpire_actions.TakeBack(1, Seat("white")), reason),
    )
    for doing in doings:
        with pytest.raises(UsageError, match="holds no mail address"):
            doing()
    assert club.game(game).status == "playing" and not club.game(game).frozen
