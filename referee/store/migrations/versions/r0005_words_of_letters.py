"""Letters are known by their words, whatever their Message-ID says, and by when they were written."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from referee.store.content_hash import Written

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)
TOGETHER = 200
"""Letters that are read at a time."""


def upgrade() -> None:
    """Add what is needed to the tables."""
    op.add_column("letter", sa.Column("words", sa.Text, nullable=False, server_default=""))
    _know_letters_by_their_words()
    op.create_index("ix_letter_words", "letter", ["words", "outcome"])
    op.drop_index("ix_letter_digest", "letter")
    op.create_index("ix_letter_digest", "letter", ["digest", "outcome"])
    op.create_table(
        "heard",
        sa.Column("letter", sa.Integer, nullable=False),
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("dated", TIME, nullable=True),
        sa.Column("lines", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("letter", "game", name="pk_heard"),
        sa.ForeignKeyConstraint(["letter"], ["letter.number"], name="fk_heard_letter_letter"),
        sa.ForeignKeyConstraint(["game"], ["game.number"], name="fk_heard_game_game"),
        sa.ForeignKeyConstraint(["player"], ["player.number"], name="fk_heard_player_player"),
    )
    op.create_index("ix_heard_dated", "heard", ["player", "game", "dated"])
    op.create_index("ix_heard_lines", "heard", ["player", "game", "lines", "dated"])


def _know_letters_by_their_words() -> None:
    """Keep what the words of each letter come to whose bytes are kept; those that were erased stay known by their own
    digest, when they come again as they were."""
    connection = op.get_bind()
    letter = sa.table("letter", sa.column("number"), sa.column("words"))
    content = sa.table("letter_content", sa.column("letter"), sa.column("content", sa.LargeBinary))
    asked = sa.select(content).where(content.c.letter > sa.bindparam("after"))
    asked = asked.order_by(content.c.letter).limit(TOGETHER)
    known = (
        sa.update(letter)
        .where(letter.c.number == sa.bindparam("which"))
        .values(words=sa.bindparam("its_words"))
    )
    after = 0
    while rows := connection.execute(asked, {"after": after}).all():
        found = [
            {"which": number, "its_words": Written(_octets(written)).words()} for number, written in rows
        ]
        connection.execute(known, found)
        after = rows[-1].letter


def _octets(written: bytes | str) -> bytes:
    """Return what was kept as bytes, whatever SQLite was given for them."""
    return written.encode() if isinstance(written, str) else bytes(written)
