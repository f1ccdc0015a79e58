"""Further addresses of a player, letters of ours that came back, and what was sent again unasked."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Add what is needed to the tables; nothing that lies in them changes."""
    op.add_column("person", sa.Column("returns", sa.Integer, nullable=False, server_default="0"))
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
    op.add_column("thread", sa.Column("resent", sa.Integer, nullable=False, server_default="0"))
    op.add_column("outgoing", sa.Column("returned", TIME, nullable=True))
    _open_index("ix_outgoing_refused", "outgoing", ["id"], "state = 'refused' AND returned IS NULL")
    _open_index("ix_outgoing_returned", "outgoing", ["player", "id"], "returned IS NOT NULL")
    op.drop_index("ix_outgoing_player", "outgoing")
    op.create_index("ix_outgoing_player", "outgoing", ["player", "id"])
    op.create_index("ix_outgoing_numbered", "outgoing", ["player", "game", "number"])
    _open_index("ix_letter_set_aside", "letter", ["number"], "outcome = 'set-aside'")
    op.drop_index("ix_letter_sender", "letter")
    op.create_index("ix_letter_sender", "letter", ["sender", "received"])


def _open_index(name: str, table: str, columns: list[str], where: str, *, unique: bool = False) -> None:
    condition = sa.text(where)
    op.create_index(name, table, columns, unique=unique, sqlite_where=condition, postgresql_where=condition)
