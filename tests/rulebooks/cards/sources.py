"""What the code of the rulebook says happens, found in its source, so that no sentence for it is forgotten."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

from referee.rulebooks import cards

ROOM = Path(cards.__file__).parent


def calls(name: str, *but: str) -> Iterator[tuple[ModuleType, ast.Call]]:
    """Go through the calls of a function or class by its name. but: modules that are left out."""
    for path in sorted((*ROOM.glob("*.py"), *ROOM.glob("record_text/*.py"))):
        if path.stem in but:
            continue
        found = [node for node in _calls(path) if name in (_called(node), getattr(node.func, "attr", ""))]
        if found:
            parts = path.relative_to(ROOM).with_suffix("").parts
            module = importlib.import_module(".".join((cards.__name__, *parts)))
            yield from ((module, node) for node in found)


@cache
def _calls(path: Path) -> tuple[ast.Call, ...]:
    return tuple(node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call))


def _called(call: ast.Call) -> str:
    return getattr(call.func, "id", "")


def value(module: ModuleType, node: ast.expr) -> str | None:
    """Return the text that an argument is; None where that hangs on more than the module's constants."""
    match node:
        case ast.Constant(value=str(said)):
            return said
        case ast.Name(id=name):
            constant = getattr(module, name, None)
            return constant if isinstance(constant, str) else None
    return None


def codes() -> set[str]:
    """Return the codes of all that can happen."""
    happened = {value(module, call.args[2]) for module, call in calls("happened") if len(call.args) > 2}
    plain = {value(module, call.args[0]) for module, call in calls("Happening", "trials") if call.args}
    return {code for code in happened | plain if code}


def refusals() -> set[str]:
    """Return the codes of all reasons for which an order is not carried out."""
    return {code for module, call in calls("Refusal") if (code := value(module, call.args[0]))} | {
        f"guard-{kind}" for kind in ("won", "lost")
    }
