"""The steps of the work at which the process can end, by name."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, event


class Step(NamedTuple):
    """A point in the work. kind: what is done, such as "settle: insert event"; which: the letter, and so on."""

    kind: str
    which: str


class Steps:
    """Knows where the work has come to, and ends the process at the first step that none has ended at before.

    ended: the steps at which earlier processes were ended. tell: hears of the step, before it is too late; None: the
    process lives on whatever the step.
    """

    def __init__(self, ended: Collection[Step] = (), tell: Callable[[Step], None] | None = None) -> None:
        self._ended = ended
        self._tell = tell
        self._doing = self._which = ""
        self._writes = 0

    def reach(self, kind: str, which: str) -> None:
        """Come to a step: the last one, unless a process was ended there before."""
        step = Step(kind, which)
        if self._tell is not None and step not in self._ended:
            self._tell(step)
            os.kill(os.getpid(), signal.SIGKILL)

    @contextmanager
    def within(self, doing: str, which: str) -> Iterator[None]:
        """Do something that writes into the database, perhaps within something else; its statements are steps of it,
        and so is its end."""
        around = self._doing, self._which, self._writes
        self._doing, self._which, self._writes = doing, which, 0
        try:
            yield
            self.reach(f"{doing}: done", which)
        finally:
            self._doing, self._which, self._writes = around

    def watch(self) -> None:
        """Count as steps from now on: each statement that writes, each commit, each renaming of a file."""
        event.listen(Engine, "after_cursor_execute", self._wrote)
        event.listen(Engine, "commit", self._commits)
        sys.addaudithook(self._renames)

    def _wrote(
        self, connection: Connection, cursor: Any, statement: str, parameters: Any, context: Any, many: bool
    ) -> None:
        if not self._doing or not (context.isinsert or context.isupdate or context.isdelete):
            return
        self._writes += 1
        verb = "insert" if context.isinsert else "update" if context.isupdate else "delete"
        table = context.compiled.statement.table.name
        self.reach(f"{self._doing}: {verb} {table}", f"{self._which}, {self._writes}")

    def _commits(self, connection: Connection) -> None:
        if self._doing and self._writes:
            self.reach(f"{self._doing}: before the commit", self._which)

    def _renames(self, what: str, about: tuple[Any, ...]) -> None:
        if what == "os.rename":
            source, target = (Path(os.fsdecode(each)) for each in about[:2])
            self.reach(f"before a file goes from {source.parent.name} to {target.parent.name}", source.name)
