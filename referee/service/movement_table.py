"""The operator's own movement table, for new games by the rulebooks that have one."""

from __future__ import annotations

from pathlib import Path

from referee.common.errors import SettingsError
from referee.common.files import read_file
from referee.rulebooks.catalogue import Rulebooks, with_movements
from referee.rulebooks.limits import LARGEST_TABLE


def rulebooks_with(table: Path, key: str) -> Rulebooks:
    """Return the rulebooks with the movement table of a file.

    key: the setting that names the file, for the error.
    Raises SettingsError for an unusable table.
    """
    try:
        text = read_file(table, 4 * LARGEST_TABLE, "a movement table").decode("utf-8")
        return Rulebooks(*with_movements(text))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{key}: {table} cannot be read: {error}") from error
    except SettingsError as error:
        raise SettingsError(f"{key}: {table}: {error}") from error
