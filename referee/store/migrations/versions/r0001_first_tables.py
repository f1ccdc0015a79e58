"""The first tables, and the triggers that keep events as they were written."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create everything."""
    op.create_table(
        "player",
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("zone", sa.Text, nullable=False),
        sa.Column("form", sa.Text, nullable=False),
        sa.Column("joined", TIME, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_player"),
    )
    op.create_table(
        "person",
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("name_key", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("address_key", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("player", name="pk_person"),
        sa.ForeignKeyConstraint(["player"], ["player.number"], name="fk_person_player_player"),
        sa.UniqueConstraint("address_key", name="uq_person_address_key"),
    )
    op.create_index("ix_person_name_key", "person", ["name_key"])

    op.create_table(
        "game",
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("last_event", sa.Integer, nullable=False),
        sa.Column("proposed_by", sa.Integer, nullable=True),
        sa.Column("proposed_to", sa.Integer, nullable=True),
        sa.Column("created", TIME, nullable=False),
        sa.Column("ended", TIME, nullable=True),
        sa.PrimaryKeyConstraint("number", name="pk_game"),
        sa.ForeignKeyConstraint(["proposed_by"], ["player.number"], name="fk_game_proposed_by_player"),
        sa.ForeignKeyConstraint(["proposed_to"], ["player.number"], name="fk_game_proposed_to_player"),
    )
    _open_index("ix_game_proposed_by", "game", ["proposed_by"], "status = 'proposed'")
    _open_index("ix_game_proposed_to", "game", ["proposed_to"], "status = 'proposed'")
    _open_index("ix_game_challenges", "game", ["proposed_by", "created"], "proposed_to IS NOT NULL")
    op.create_table(
        "seat",
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("seat", sa.Text, nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("done", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("game", "seat", name="pk_seat"),
        sa.ForeignKeyConstraint(["game"], ["game.number"], name="fk_seat_game_game"),
        sa.ForeignKeyConstraint(["player"], ["player.number"], name="fk_seat_player_player"),
    )
    op.create_index("ix_seat_player", "seat", ["player"])
    _open_index("ix_seat_playing", "seat", ["player", "game"], "NOT done", sqlite="done = 0")
    op.create_table(
        "thread",
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("letters", sa.Integer, nullable=False),
        sa.Column("told", sa.Integer, nullable=False),
        sa.Column("tag", sa.Text, nullable=False),
        sa.Column("root", sa.Text, nullable=False),
        sa.Column("last", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("player", "game", name="pk_thread"),
        sa.ForeignKeyConstraint(["player"], ["player.number"], name="fk_thread_player_player"),
    )

    op.create_table(
        "letter",
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("mailbox", sa.Text, nullable=False),
        sa.Column("uidvalidity", sa.BigInteger, nullable=False),
        sa.Column("uid", sa.Text, nullable=False),
        sa.Column("received", TIME, nullable=False),
        sa.Column("recorded", TIME, nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("sender", sa.Text, nullable=False),
        sa.Column("outcome", sa.Text, nullable=True),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("game", sa.Integer, nullable=True),
        sa.Column("commands", sa.Text, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_letter"),
        sa.ForeignKeyConstraint(["game"], ["game.number"], name="fk_letter_game_game"),
        sa.UniqueConstraint("mailbox", "uidvalidity", "uid", name="uq_letter_mailbox_uidvalidity_uid"),
    )
    op.create_index("ix_letter_digest", "letter", ["digest"])
    op.create_index("ix_letter_sender", "letter", ["sender"])
    _open_index("ix_letter_waiting", "letter", ["number"], "outcome IS NULL")
    op.create_table(
        "letter_content",
        sa.Column("letter", sa.Integer, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("letter", name="pk_letter_content"),
        sa.ForeignKeyConstraint(["letter"], ["letter.number"], name="fk_letter_content_letter_letter"),
    )

    op.create_table(
        "event",
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("letter", sa.Integer, nullable=True),
        sa.PrimaryKeyConstraint("game", "number", name="pk_event"),
        sa.ForeignKeyConstraint(["game"], ["game.number"], name="fk_event_game_game"),
        sa.ForeignKeyConstraint(["letter"], ["letter.number"], name="fk_event_letter_letter"),
    )

    op.create_table(
        "outgoing",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("message_id", sa.Text, nullable=False),
        sa.Column("renamed", sa.Text, nullable=True),
        sa.Column("sender", sa.Text, nullable=False),
        sa.Column("recipient", sa.Text, nullable=False),
        sa.Column("reader", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("game", sa.Integer, nullable=True),
        sa.Column("player", sa.Integer, nullable=True),
        sa.Column("seat", sa.Text, nullable=True),
        sa.Column("number", sa.Integer, nullable=True),
        sa.Column("answers", sa.Integer, nullable=True),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("uncertain", sa.Integer, nullable=False),
        sa.Column("next_try", TIME, nullable=False),
        sa.Column("claimed_at", TIME, nullable=True),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("created", TIME, nullable=False),
        sa.Column("sent", TIME, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_outgoing"),
        sa.ForeignKeyConstraint(["game"], ["game.number"], name="fk_outgoing_game_game"),
        sa.ForeignKeyConstraint(["player"], ["player.number"], name="fk_outgoing_player_player"),
        sa.ForeignKeyConstraint(["answers"], ["letter.number"], name="fk_outgoing_answers_letter"),
        sa.UniqueConstraint("message_id", name="uq_outgoing_message_id"),
    )
    op.create_index("ix_outgoing_reader", "outgoing", ["reader", "kind", "created"])
    op.create_index("ix_outgoing_player", "outgoing", ["player"])
    _open_index("ix_outgoing_due", "outgoing", ["next_try", "id"], "state = 'queued'")
    _open_index("ix_outgoing_claimed", "outgoing", ["claimed_at"], "state = 'claimed'")
    _open_index("ix_outgoing_pending", "outgoing", ["reader", "id"], "state IN ('queued', 'claimed')")
    _open_index("ix_outgoing_renamed", "outgoing", ["renamed"], "renamed IS NOT NULL")
    op.create_table(
        "outgoing_content",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_outgoing_content"),
        sa.ForeignKeyConstraint(["id"], ["outgoing.id"], name="fk_outgoing_content_id_outgoing"),
    )

    op.create_table(
        "tag",
        sa.Column("tag", sa.Text, nullable=False),
        sa.Column("purpose", sa.Text, nullable=False),
        sa.Column("game", sa.Integer, nullable=True),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("letter", sa.Integer, nullable=True),
        sa.Column("created", TIME, nullable=False),
        sa.Column("revoked", TIME, nullable=True),
        sa.PrimaryKeyConstraint("tag", name="pk_tag"),
        sa.ForeignKeyConstraint(["game"], ["game.number"], name="fk_tag_game_game"),
        sa.ForeignKeyConstraint(["player"], ["player.number"], name="fk_tag_player_player"),
        sa.ForeignKeyConstraint(["letter"], ["letter.number"], name="fk_tag_letter_letter"),
    )
    op.create_index("ix_tag_player", "tag", ["player", "purpose", "created"])
    op.create_table(
        "house",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_house"),
    )
    if op.get_bind().dialect.name == "sqlite":
        _guard_events_in_sqlite()
    else:
        _guard_events_in_postgresql()


def _open_index(name: str, table: str, columns: list[str], where: str, *, sqlite: str | None = None) -> None:
    """Create an index of only the rows that `where` picks; `sqlite` says it for SQLite where it differs."""
    op.create_index(
        name,
        table,
        columns,
        sqlite_where=sa.text(sqlite or where),
        postgresql_where=sa.text(where),
    )


def _guard_events_in_sqlite() -> None:
    """Refuse every change of an event, and a gap before one.

    INSERT OR REPLACE removes a row without asking its triggers, so it is met at its insert.
    """
    refusal = "SELECT RAISE(ABORT, 'events are append only')"
    op.execute(f"CREATE TRIGGER event_stays BEFORE UPDATE ON event BEGIN {refusal}; END")
    op.execute(f"CREATE TRIGGER event_remains BEFORE DELETE ON event BEGIN {refusal}; END")
    op.execute(
        "CREATE TRIGGER event_follows BEFORE INSERT ON event "
        "WHEN NEW.number <> 1 + (SELECT coalesce(max(number), 0) FROM event WHERE game = NEW.game) "
        "BEGIN SELECT RAISE(ABORT, 'an event follows the last one of its game'); END"
    )


def _guard_events_in_postgresql() -> None:
    """Refuse every change of an event, TRUNCATE included, and a gap before one."""
    op.execute(
        "CREATE FUNCTION event_refuses() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'events are append only'; END $$"
    )
    op.execute(
        "CREATE TRIGGER event_stays BEFORE UPDATE OR DELETE ON event "
        "FOR EACH ROW EXECUTE FUNCTION event_refuses()"
    )
    op.execute(
        "CREATE TRIGGER event_remains BEFORE TRUNCATE ON event "
        "FOR EACH STATEMENT EXECUTE FUNCTION event_refuses()"
    )
    op.execute(
        "CREATE FUNCTION event_follows() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "IF NEW.number <> 1 + (SELECT coalesce(max(number), 0) FROM event WHERE game = NEW.game) THEN "
        "RAISE EXCEPTION 'an event follows the last one of its game' USING ERRCODE = 'unique_violation'; "
        "END IF; RETURN NEW; END $$"
    )
    op.execute(
        "CREATE TRIGGER event_follows BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION event_follows()"
    )
