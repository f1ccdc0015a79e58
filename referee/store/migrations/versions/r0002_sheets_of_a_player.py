"""How a player wants his deduction sheets."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Give every player the grid; the table stays as it is, and so do those beside it."""
    op.add_column("player", sa.Column("sheets", sa.Text, nullable=False, server_default="grid"))
