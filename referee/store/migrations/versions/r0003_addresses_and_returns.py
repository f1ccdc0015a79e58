"""Further addresses of a player, letters of ours that came back, and what was sent again unasked; events."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

from referee.games.player_names import folded, skeleton

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Add what is needed to the tables; of what lies in them only the keys of names change."""
    op.add_column("person", sa.Column("returns", sa.Integer, nullable=False, server_default="0"))
    op.add_column("person", sa.Column("returns_since", TIME, nullable=True))
    op.add_column("person", sa.Column("unreachable", TIME, nullable=True))
    _open_index("ix_person_returns", "person", ["player"], "returns > 0")
    op.create_table(
        "address",
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("use", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("address_key", sa.Text, nullable=False),
        sa.Column("tag", sa.Text, nullable=True),
        sa.Column("created", TIME, nullable=False),
        sa.PrimaryKeyConstraint("player", "use", name="pk_address"),
        sa.ForeignKeyConstraint(["player"], ["player.number"], name="fk_address_player_player"),
    )
    _open_index("ix_address_second", "address", ["address_key"], "use = 'second'", unique=True)
    _open_index("ix_address_former", "address", ["address_key"], "use = 'former'")
    op.create_table(
        "parting",
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.Column("letter", sa.Integer, nullable=False),
        sa.Column("played", sa.Boolean, nullable=False),
        sa.Column("letters", sa.Integer, nullable=False),
        sa.Column("challenges", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("who", name="pk_parting"),
    )
    op.create_table(
        "writing",
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_writing"),
        sa.ForeignKeyConstraint(["game"], ["game.number"], name="fk_writing_game_game"),
        sa.ForeignKeyConstraint(["player"], ["player.number"], name="fk_writing_player_player"),
    )
    op.create_index("ix_writing_game", "writing", ["game", "number"])
    op.create_index("ix_writing_player", "writing", ["player"])
    for name, default in (
        ("picture", "on"),
        ("compass", "record"),
        ("letters", "each"),
        ("calendar", "off"),
    ):
        op.add_column("player", sa.Column(name, sa.Text, nullable=False, server_default=default))
    op.add_column("player", sa.Column("digest_at", TIME, nullable=True))
    op.add_column("player", sa.Column("digested", TIME, nullable=True))
    _open_index("ix_player_digest", "player", ["digest_at"], "digest_at IS NOT NULL")
    op.create_table(
        "gathered",
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_gathered"),
        sa.ForeignKeyConstraint(["player"], ["player.number"], name="fk_gathered_player_player"),
        sa.ForeignKeyConstraint(["game"], ["game.number"], name="fk_gathered_game_game"),
    )
    op.create_index("ix_gathered_player", "gathered", ["player", "number"])
    op.create_table(
        "watch",
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("over", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("game", "player", name="pk_watch"),
        sa.ForeignKeyConstraint(["game"], ["game.number"], name="fk_watch_game_game"),
        sa.ForeignKeyConstraint(["player"], ["player.number"], name="fk_watch_player_player"),
    )
    _open_index("ix_watch_going_on", "watch", ["player", "game"], "NOT over", sqlite="over = 0")
    op.create_table(
        "naming",
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("letter", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("player", "letter", name="pk_naming"),
        sa.ForeignKeyConstraint(["player"], ["player.number"], name="fk_naming_player_player"),
        sa.ForeignKeyConstraint(["letter"], ["outgoing.id"], name="fk_naming_letter_outgoing"),
    )
    op.add_column("game", sa.Column("invited", sa.Text, nullable=False, server_default=""))
    op.add_column("thread", sa.Column("resent", sa.Integer, nullable=False, server_default="0"))
    op.add_column("thread", sa.Column("entries", sa.Integer, nullable=False, server_default="0"))
    op.add_column("thread", sa.Column("entered", TIME, nullable=True))
    op.add_column("outgoing", sa.Column("returned", TIME, nullable=True))
    op.add_column("outgoing", sa.Column("told", sa.Integer, nullable=True))
    op.execute(
        "UPDATE outgoing SET returned = created WHERE state = 'refused'"
    )  # nobody waits for these any more
    _open_index("ix_outgoing_refused", "outgoing", ["id"], "state = 'refused' AND returned IS NULL")
    _open_index("ix_outgoing_returned", "outgoing", ["player", "id"], "returned IS NOT NULL")
    op.drop_index("ix_outgoing_player", "outgoing")
    op.create_index("ix_outgoing_player", "outgoing", ["player", "id"])
    op.create_index("ix_outgoing_numbered", "outgoing", ["player", "game", "number"])
    _open_index("ix_letter_set_aside", "letter", ["number"], "outcome = 'set-aside'")
    op.add_column("letter", sa.Column("again", sa.Integer, nullable=True))
    op.add_column("letter", sa.Column("held_for", sa.Integer, nullable=True))
    op.add_column("letter", sa.Column("asked_by", sa.Text, nullable=True))
    op.add_column("letter", sa.Column("tagged", sa.Boolean, nullable=False, server_default=sa.false()))
    op.execute(  # about each letter that was held there was a question, with a tag of its own
        "UPDATE letter SET held_for = (SELECT player FROM tag WHERE tag.letter = letter.number LIMIT 1), asked_by ="
        " (SELECT tag FROM tag WHERE tag.letter = letter.number ORDER BY created DESC LIMIT 1) WHERE outcome = 'held'"
    )
    _open_index("ix_letter_held_for", "letter", ["held_for"], "held_for IS NOT NULL")
    _open_index("ix_letter_asked_by", "letter", ["asked_by"], "asked_by IS NOT NULL")
    _open_index(
        "ix_letter_unasked",
        "letter",
        ["held_for", "tagged", "number"],
        "outcome = 'held' AND asked_by IS NULL",
    )
    op.add_column("letter", sa.Column("interrupted", sa.Integer, nullable=False, server_default="0"))
    _open_index("ix_letter_suspect", "letter", ["number"], "outcome IS NULL AND interrupted >= 3")
    op.drop_index("ix_letter_sender", "letter")
    op.create_index("ix_letter_sender", "letter", ["sender", "received"])
    op.add_column("person", sa.Column("name_folded", sa.Text, nullable=False, server_default=""))
    _name_keys_anew()
    _add_competitions()
    _add_clocks()
    _add_deeds()
    _add_briefs()
    _add_overviews()
    _add_results()


def _add_deeds() -> None:
    """Add what umpires have asked for and have yet to confirm, what is done event by event, and who sat where once."""
    op.create_table(
        "asked_deed",
        sa.Column("tag", sa.Text, nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("line", sa.Text, nullable=False),
        sa.Column("stands", sa.Text, nullable=False),
        sa.Column("newcomer", sa.Integer, nullable=True),
        sa.Column("created", TIME, nullable=False),
        sa.PrimaryKeyConstraint("tag", name="pk_asked_deed"),
        sa.ForeignKeyConstraint(["player"], ["player.number"], name="fk_asked_deed_player_player"),
        sa.ForeignKeyConstraint(["newcomer"], ["player.number"], name="fk_asked_deed_newcomer_player"),
    )
    op.create_index("ix_asked_deed_player", "asked_deed", ["player"])
    op.create_table(
        "errand",
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("competition", sa.Integer, nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("line", sa.Text, nullable=False),
        sa.Column("after", sa.Integer, nullable=False),
        sa.Column("done", sa.Text, nullable=False),
        sa.Column("created", TIME, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_errand"),
        sa.ForeignKeyConstraint(
            ["competition"], ["competition.number"], name="fk_errand_competition_competition"
        ),
        sa.ForeignKeyConstraint(["player"], ["player.number"], name="fk_errand_player_player"),
    )
    op.create_index("ix_errand_player", "errand", ["player"])
    op.create_table(
        "former_seat",
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("seat", sa.Text, nullable=False),
        sa.Column("until", TIME, nullable=False),
        sa.PrimaryKeyConstraint("game", "player", name="pk_former_seat"),
        sa.ForeignKeyConstraint(["game"], ["game.number"], name="fk_former_seat_game_game"),
        sa.ForeignKeyConstraint(["player"], ["player.number"], name="fk_former_seat_player_player"),
    )
    op.create_index("ix_former_seat_player", "former_seat", ["player"])


def _add_briefs() -> None:
    """Add to whom cases were sent; those that are there have gone to whoever runs the service."""
    op.create_table(
        "brief",
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("duty", sa.Text, nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("game", "number", "duty", "player", name="pk_brief"),
        sa.ForeignKeyConstraint(["game"], ["game.number"], name="fk_brief_game_game"),
    )
    op.execute(
        "INSERT INTO brief (game, number, duty, player, place) SELECT game, row_number() OVER (PARTITION BY game ORDER"
        " BY number), 'ruling', 0, 1 FROM event WHERE kind = 'Claimed'"
    )


def _add_competitions() -> None:
    """Add events, their terms and their officers; the games that are there belong to none."""
    op.create_table(
        "competition",
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("name_key", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("created", TIME, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_competition"),
        sa.UniqueConstraint("name_key", name="uq_competition_name_key"),
    )
    op.create_table(
        "terms",
        sa.Column("competition", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("competition", "version", name="pk_terms"),
        sa.ForeignKeyConstraint(
            ["competition"], ["competition.number"], name="fk_terms_competition_competition"
        ),
    )
    op.create_table(
        "officer",
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("competition", sa.Integer, nullable=False),
        sa.Column("office", sa.Text, nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("since", TIME, nullable=False),
        sa.Column("until", TIME, nullable=True),
        sa.PrimaryKeyConstraint("number", name="pk_officer"),
        sa.ForeignKeyConstraint(
            ["competition"], ["competition.number"], name="fk_officer_competition_competition"
        ),
        sa.ForeignKeyConstraint(["player"], ["player.number"], name="fk_officer_player_player"),
    )
    _open_index("ix_officer_office", "officer", ["competition", "office"], "until IS NULL", unique=True)
    op.create_index("ix_officer_player", "officer", ["player", "competition"])
    # Written out, since SQLite takes a reference only together with its column.
    op.execute(
        "ALTER TABLE game ADD COLUMN competition INTEGER"
        " CONSTRAINT fk_game_competition_competition REFERENCES competition (number)"
    )
    _open_index("ix_game_competition", "game", ["competition", "number"], "competition IS NOT NULL")


def _add_clocks() -> None:
    """Add what games with time control need."""
    op.create_table(
        "clock",
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("seat", sa.Text, nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("next", TIME, nullable=True),
        sa.Column("promised", TIME, nullable=True),
        sa.Column("reminded", sa.Text, nullable=False),
        sa.Column("failed", sa.Text, nullable=False, server_default=""),
        sa.PrimaryKeyConstraint("game", "seat", name="pk_clock"),
        sa.ForeignKeyConstraint(["game"], ["game.number"], name="fk_clock_game_game"),
        sa.ForeignKeyConstraint(["player"], ["player.number"], name="fk_clock_player_player"),
    )
    _open_index("ix_clock_next", "clock", ["next"], "next IS NOT NULL")
    op.create_index("ix_clock_player", "clock", ["player"])
    op.create_table(
        "outage",
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("began", TIME, nullable=False),
        sa.Column("ended", TIME, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_outage"),
    )
    op.create_index("ix_outage_ended", "outage", ["ended"])
    op.create_table(
        "leave",
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("competition", sa.Integer, nullable=True),
        sa.Column("first", sa.Text, nullable=False),
        sa.Column("last", sa.Text, nullable=False),
        sa.Column("zone", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_leave"),
        sa.ForeignKeyConstraint(["player"], ["player.number"], name="fk_leave_player_player"),
        sa.ForeignKeyConstraint(
            ["competition"], ["competition.number"], name="fk_leave_competition_competition"
        ),
    )
    op.create_index("ix_leave_player", "leave", ["player"])


def _add_overviews() -> None:
    """Add what an overview of many games is made of; of those that are there it is kept as soon as they go on."""
    op.add_column("game", sa.Column("outline", sa.Text, nullable=False, server_default=""))
    op.add_column("game", sa.Column("turned", TIME, nullable=True))
    op.execute(
        "UPDATE game SET turned = (SELECT max(at) FROM event WHERE event.game = game.number AND event.kind IN"
        " ('Opened', 'Ruled')) WHERE status = 'playing'"
    )
    op.add_column("player", sa.Column("overview", sa.Text, nullable=False, server_default="off"))
    op.add_column("player", sa.Column("overview_at", TIME, nullable=True))
    op.add_column("player", sa.Column("overviewed", TIME, nullable=True))
    _open_index("ix_player_overview", "player", ["overview_at"], "overview_at IS NOT NULL")
    _open_index("ix_event_claimed", "event", ["game"], "kind = 'Claimed'")


def _add_results() -> None:
    """Add how games have ended, and what they are searched by."""
    op.add_column("game", sa.Column("result", sa.Text, nullable=True))
    game = sa.table("game", *map(sa.column, ("number", "status", "result")))
    event = sa.table("event", *map(sa.column, ("game", "number", "kind", "body")))
    connection = op.get_bind()
    over = game.c.status.in_(("ended", "declined", "withdrawn"))
    connection.execute(sa.update(game).where(over).values(result=""))
    said = (
        sa.select(event.c.game, event.c.kind, event.c.body)
        .join_from(event, game, event.c.game == game.c.number)
        .where(game.c.status == "ended", sa.or_(event.c.kind == "Ended", event.c.body.contains('"ended"')))
        .order_by(event.c.game, event.c.number)
    )
    for number, kind, body in connection.execute(said).all():
        for result in _results(kind, body):
            end = "none" if result.get("void") else result.get("winner") or "draw"
            connection.execute(sa.update(game).where(game.c.number == number).values(result=end))
    op.create_index("ix_game_search", "game", ["result", "rules", "number", "created", "competition"])
    op.create_index("ix_game_created", "game", ["created", "number"])


def _results(kind: str, body: str) -> list[dict[str, Any]]:
    """Return the ends that an event of a game tells; none for one that is damaged."""
    try:
        facts = json.loads(body)
        found = [facts["result"]] if kind == "Ended" else []
        found += [each["facts"] for each in facts.get("happenings", ()) if each["code"] == "ended"]
        return [each for each in found if isinstance(each, dict)]
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
        return []


def _name_keys_anew() -> None:
    """Keep of each name what look-alikes have in common by now, and how it is searched; once kept, a name stays,
    whoever it looks like."""
    person = sa.table("person", *map(sa.column, ("player", "name", "name_key", "name_folded")))
    connection = op.get_bind()
    for player, name in connection.execute(sa.select(person.c.player, person.c.name)).all():
        same = person.c.player == player
        keys = {"name_key": skeleton(name), "name_folded": folded(name)}
        connection.execute(sa.update(person).where(same).values(keys))


def _open_index(
    name: str, table: str, columns: list[str], where: str, *, unique: bool = False, sqlite: str = ""
) -> None:
    condition = sa.text(where)
    here = sa.text(sqlite) if sqlite else condition
    op.create_index(name, table, columns, unique=unique, sqlite_where=here, postgresql_where=condition)
