"""A database of before drafts were held (0003), with a game in it that was played by mail, goes on in this release."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import create_engine, inspect

from referee.cli.demo import sample_game
from referee.common.errors import SchemaError
from referee.store import migrations
from referee.store.database import Store
from tests.store.scenery import clock_at_noon
from tests.support.playing import Club, furnish, new_database
from tests.transcripts.stories_of_cards import anna_and_bert

REVISION = "0003"
UNDO = (
    "DROP TABLE heard",
    "DROP INDEX ix_letter_words",
    "ALTER TABLE letter DROP COLUMN words",
    "DROP INDEX ix_letter_digest",
    "CREATE INDEX ix_letter_digest ON letter (digest)",
    "DROP TABLE held_draft",
    "ALTER TABLE player DROP COLUMN hold",
    "ALTER TABLE outgoing DROP COLUMN claimed_by",
    f"UPDATE alembic_version SET version_num = '{REVISION}'",
)
"""What makes a database of this release one of that revision."""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.servers)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database with tables."""
    on_sqlite = request.param == "sqlite"
    return new_database(tmp_path) if on_sqlite else furnish(request.getfixturevalue("postgres_url"))


@pytest.fixture
def club(url: str) -> Iterator[Club]:
    """Anna and Bert, who have begun two games; their database is one of before."""
    club = Club(url)
    anna, bert = club.member("Anna"), club.member("Bert")
    sample = sample_game()
    club.starts({"white": anna, "yellow": bert}, first=sample.first, deal=sample.deal)
    club.starts({"white": bert, "red": anna}, rules="spies", first="white")
    plays(club)
    club.store.close()
    engine = create_engine(url)
    with engine.begin() as connection:
        for statement in UNDO:
            connection.exec_driver_sql(statement)
    engine.dispose()
    yield club
    club.close()


def plays(club: Club) -> None:
    """Let whoever is to move in the first game make the next move of the sample game."""
    game, moves = club.game(1), sample_game().moves
    (seat,) = game.due
    who = club.reader(f"{'anna' if seat == 'white' else 'bert'}@example.net")
    who.replies(moves[seat][len(game.orders) // 2], to=who.last_about(1))


def columns(url: str) -> dict[str, list[str]]:
    engine = create_engine(url)
    looked = inspect(engine)
    found = {
        table: [each["name"] for each in looked.get_columns(table)] for table in looked.get_table_names()
    }
    engine.dispose()
    return found


def upgrade(url: str) -> None:
    store = Store(url, clock_at_noon())
    store.upgrade()
    store.close()


def events(club: Club) -> list[tuple[int, int, str, str]]:
    with club.store.reading() as lookup:
        return [
            (game, each.number, each.kind, repr(each.body))
            for game in (1, 2)
            for each in lookup.events.of_game(game)
        ]


def test_it_is_one_as_that_revision_made_it(club: Club, tmp_path: Path) -> None:
    """So the other tests here are of a true one."""
    engine = create_engine(f"sqlite:///{tmp_path}/third.db")
    with engine.begin() as connection:
        known = migrations.settings()
        known.attributes["connection"] = connection
        command.upgrade(known, REVISION)
    engine.dispose()
    assert columns(club.url) == columns(f"sqlite:///{tmp_path}/third.db")


def test_it_is_refused_until_it_is_migrated(club: Club) -> None:
    store = Store(club.url, clock_at_noon())
    with pytest.raises(SchemaError, match=rf"older release \(revision {REVISION}, .*referee init"):
        store.open(create=False)
    store.close()


def test_its_games_go_on_and_its_players_wait_an_hour(club: Club) -> None:
    upgrade(club.url)
    club.open_house()
    with club.store.reading() as lookup:
        assert [lookup.players.find(number).hold for number in (1, 2)] == ["1h", "1h"]
    before = events(club)
    plays(club)
    assert set(before) < set(events(club))
    assert len(club.game(1).orders) == 2


def test_a_letter_of_before_is_known_again_however_it_comes(club: Club) -> None:
    """As it was, after UIDVALIDITY has changed, or with another Message-ID, as somebody may send it in once more."""
    ruled = club.exchanges[-1].raw
    assert ruled is not None
    sent_in_again = re.sub(rb"Message-ID: .*", b"Message-ID: <another@evil.example>", ruled)
    assert sent_in_again != ruled
    upgrade(club.url)
    club.open_house()
    before = club.game(1).happenings
    for content in (ruled, sent_in_again):
        settled = club.take(club.raw(content, uidvalidity=2)).settled
        assert settled is not None and settled.outcome == "ignored"
    assert club.game(1).happenings == before
    plays(club)
    assert club.game(1).happenings != before


def test_a_battle_is_fought_in_it_and_a_turn_is_held_and_carried_out(club: Club) -> None:
    upgrade(club.url)
    club.open_house()
    anna, _, game = anna_and_bert(club)
    anna.replies("MV RI1 A20", "MV RI9 A20", to=anna.last_about(game))
    assert club.carries_drafts_out() == ()
    club.later(timedelta(hours=1))
    assert {letter.kind for letter in club.carries_drafts_out()} == {"report"}
    assert "blue" in club.game(game).due
