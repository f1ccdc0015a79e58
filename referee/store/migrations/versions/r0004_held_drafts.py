"""Turns that were drafted and wait to be carried out, and how long a player's wait."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what is needed to the tables."""
    op.add_column("player", sa.Column("hold", sa.Text, nullable=False, server_default="1h"))
    op.create_table(
        "held_draft",
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("seat", sa.Text, nullable=False),
        sa.Column("due", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("game", "seat", name="pk_held_draft"),
        sa.ForeignKeyConstraint(["game"], ["game.number"], name="fk_held_draft_game_game"),
    )
    op.create_index("ix_held_draft_due", "held_draft", ["due"])
