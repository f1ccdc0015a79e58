"""Caches the latest results of functions for the very same argument values.

The truth and both views of a game are folded from the same happenings and share their board; then a letter to
either player asks the same questions about it. Comparing such values would take longer than computing the
answer again, so they are compared by identity: `remembered` is safe only for functions of values that never
change.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def remembered(last: int) -> Callable[[Function], Function]:
    """Cache the `last` results of a function for identical arguments in the same positions.

    The arguments must be values that are never changed in place; strings, such as a seat, need only be equal.
    """

    def decorate(function: Function) -> Function:
        answers: deque[tuple[tuple[Any, ...], Any]] = deque(maxlen=last)

        def ask(*asked: Any) -> Any:
            for arguments, answer in tuple(answers):
                if all(map(_same, arguments, asked)):
                    return answer
            answer = function(*asked)
            answers.appendleft((asked, answer))
            return answer

        ask.__doc__, ask.__name__, ask.__wrapped__ = function.__doc__, function.__name__, function  # type: ignore[attr-defined]
        return ask  # type: ignore[return-value]

    return decorate


def _same(one: Any, other: Any) -> bool:
    return one is other or (isinstance(one, str) and one == other)
