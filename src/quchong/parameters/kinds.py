"""What a parameter takes: a value read into its plain form, or an error that says what it wants."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from quchong.errors import InPython, Param, UsageError, meant
from quchong.languages import Message


class Wrong(Exception):
    """A value that is not of its kind; may say why, as a message, where the kind alone does not tell."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a parameter takes.

    Attributes:
        words: in words, to follow "wants".
        read: the value in its plain form; raises `Wrong`.
        none: what None stands for, in words to follow those, such as "or None"; "" where it is not taken.
        names: the words there are to choose from, for "did you mean".
    """

    words: str
    read: Callable[[Any], Any]
    none: str = ""
    names: tuple[str, ...] = ()

    def __call__(self, name: str | Param, value: Any) -> Any:
        """The value in its plain form.

        Raises:
            UsageError: it is not of this kind.
        """
        if value is None and self.none:
            return None
        try:
            return self.read(value)
        except Wrong as error:
            if error.args:
                raise UsageError(
                    "{}: {!r} cannot be used, {}", Param(name) if isinstance(name, str) else name, value, error.args[0]
                ) from None
            guess = meant(value, self.names) if isinstance(value, str) else ""
            named = Param(name) if isinstance(name, str) else name
            raise UsageError(
                "{} wants {}{}, got {}{}",
                named,
                self.words,
                InPython(self.none and f", {self.none}"),
                _shown(value),
                guess,
            ) from None


def either(words: Sequence[str]) -> Message:
    """The words as a choice: "a", "a or b", "a, b or c"."""
    return Message("{} or {}", ", ".join(words[:-1]), words[-1]) if len(words) > 1 else Message("{}", *words)


def _shown(value: Any) -> str:
    items = value if isinstance(value, list | tuple) else [value]
    if any(type(one).__module__.startswith("pyarrow.") for one in items):  # may be damaged, and `repr` would look at it
        return Message("a {}", type(value).__name__)
    text = repr(value)
    return text if len(text) <= 60 else Message("a {}", type(value).__name__)


def word(value: Any) -> str:
    """A str."""
    if not isinstance(value, str):
        raise Wrong
    return value


def whether(value: Any) -> bool:
    """A truth value; no word or number stands for one."""
    if type(value).__name__ not in ("bool", "bool_"):  # NumPy's, under both of its names
        raise Wrong
    return bool(value)


def finite_number(value: Any) -> float | int:
    """A number that can be compared: no truth value, no NaN, not infinite. A whole one stays one."""
    if isinstance(value, bool | str | bytes):
        raise Wrong
    try:
        if not math.isfinite(value):
            raise Wrong
        return value if isinstance(value, int) else float(value)
    except (TypeError, OverflowError, ValueError):
        raise Wrong from None


def whole(least: int, most: int = 2**63 - 1) -> Callable[[Any], int]:
    """Reads a whole number within bounds."""

    def read(value: Any) -> int:
        try:
            number = operator.index(value)
        except TypeError:
            raise Wrong from None
        if isinstance(value, bool) or not least <= number <= most:
            raise Wrong
        return number

    return read


def whole_number(value: Any) -> int:
    """A whole number that 64 bits hold."""
    return whole(-(2**63), 2**64 - 1)(value)
