"""Public functions as they may be called: with the names of the command line too, and with progress=True."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from quchong.api.live_progress import live_progress
from quchong.parameters.other_names import names_of, python_names

P = ParamSpec("P")
R = TypeVar("R")


def public(*also: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator of a public function that accepts the names of the command line and `progress=True`.

    A name of the command line (`quchong.parameters.other_names.OPTION_NAMES`) is told once by a warning. `progress=True` shows bars on a
    terminal, and a line for each stage elsewhere, on standard error; they end with the call.

    Args:
        *also: names of parameters that the function takes by `**`.
    """

    def decorated(function: Callable[P, R]) -> Callable[P, R]:
        own = names_of(function, also)

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            given: dict[str, Any] = python_names(kwargs, own)
            if given.get("progress") is not True or "progress" not in own:
                return function(*args, **given)
            shown = live_progress()
            try:
                return function(*args, **(given | {"progress": shown}))
            finally:
                shown.close()

        return call

    return decorated
