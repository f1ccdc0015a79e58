"""What alembic runs to migrate: it is given an open transaction, and works in it."""

from __future__ import annotations

from alembic import context

# batch: SQLite cannot alter most of a table in place, so a changed table is copied
context.configure(connection=context.config.attributes["connection"], render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
