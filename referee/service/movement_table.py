"""The operator's own movement table, for new games of Confusion and of its spies."""

from __future__ import annotations

from pathlib import Path

from referee.common.errors import SettingsError
from referee.common.files import read_file
from referee.rulebooks.catalogue import Rulebooks
from referee.rulebooks.confusion import Confusion
from referee.rulebooks.confusion.table import LARGEST_TABLE, MovementTable, read_table
from referee.rulebooks.spies import Spies


def rulebooks_with(table: Path) -> Rulebooks:
    """Return the rulebooks with the movement table of a file. Raises SettingsError for an unusable one."""
    movements = _movements(table)
    return Rulebooks(Confusion(movements), Spies(movements))


def _movements(path: Path) -> MovementTable:
    try:
        return read_table(read_file(path, 4 * LARGEST_TABLE, "a movement table").decode("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"rules.confusion.table: {path} cannot be read: {error}") from error
    except SettingsError as error:
        raise SettingsError(f"rules.confusion.table: {path}: {error}") from error
