"""What the processes that run tests share, so that not each of them works it out anew."""

from __future__ import annotations

import importlib
from contextlib import suppress
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemBytecodeCache

from referee.common.i18n import translations
from referee.reports import renderer as typesetting


def import_from_another_place(tests: Path, number: int, processes: int) -> None:
    """Import all modules of tests, each process from another one on, before they are collected.

    pytest compiles a module of tests when it is first imported, which takes most of the time of collecting; so the
    processes find compiled what others have come to before, and do not all compile everything at the same time.
    """
    paths = sorted(tests.rglob("test_*.py"))
    start = len(paths) * number // processes
    for path in (*paths[start:], *paths[:start]):
        with suppress(Exception):  # collecting comes to it once more, and tells
            importlib.import_module(".".join(path.relative_to(tests.parent).with_suffix("").parts))


def keep_compiled_templates(folder: Path) -> None:
    """Let a template be compiled once a run. folder: of this run and no other, for a template's words may change.

    What filters make of constants is compiled into a template: there is a folder for each language and medium, and
    none while a test has put another catalogue in the place of a language's.
    """
    make = typesetting._environment.__wrapped__

    @cache
    def environment(medium: str, language: str) -> Environment:
        made = make(medium, language)
        if vars(typesetting)["translations"] is translations:
            (place := folder / f"{medium}-{language}").mkdir(exist_ok=True)
            made.bytecode_cache = FileSystemBytecodeCache(str(place))
        return made

    typesetting._environment = environment
