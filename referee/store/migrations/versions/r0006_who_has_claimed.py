"""Which process has a letter of ours in hand: a claim holds while that process is at work, not for some time."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; what was claimed until now is nobody's."""
    op.add_column("outgoing", sa.Column("claimed_by", sa.Text, nullable=True))
