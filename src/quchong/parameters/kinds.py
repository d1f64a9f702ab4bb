"""Kinds of parameters: each converts a value into its plain form, or raises an error that says what it accepts."""

from __future__ import annotations

import math
import operator
import os
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from quchong.errors import InPython, Param, UsageError, meant
from quchong.languages import Message, join_names


class Wrong(Exception):
    """Error for a value that is not of its kind.

    Its arguments, if any: a message with the reason, if the kind does not explain it; and the text by which the value is told, if it is
    not to be told as it is.
    """


@dataclass(frozen=True, slots=True)
class Kind:
    """Kind of a parameter: the values that it accepts.

    Attributes:
        words: description of the values, to follow "wants".
        read: function that returns the value in its plain form; raises `Wrong`.
        none: description of None, to follow those words, such as ", or None"; "" if None is not accepted.
        names: words to choose from, for "did you mean".
        guess: function of a text that is not accepted, which returns "; did you mean ...?", or an empty message; None for none.
    """

    words: str
    read: Callable[[Any], Any]
    none: str = ""
    names: tuple[str, ...] = ()
    guess: Callable[[str], Message] | None = None

    def __call__(self, name: str | Param, value: Any) -> Any:
        """Return the value in its plain form.

        Raises:
            UsageError: the value is not of this kind.
        """
        if value is None and self.none:
            return None
        try:
            return self.read(value)
        except Wrong as error:
            if error.args:
                raise UsageError(
                    "{}: {} cannot be used, {}",
                    Param(name) if isinstance(name, str) else name,
                    _given_text(error.args[1] if error.args[1:] else value),
                    error.args[0],
                ) from None
            listed = (
                ",".join(value)
                if isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)
                else value
            )
            guess = meant(listed, self.names) if isinstance(listed, str) else Message("")
            if self.guess is not None and isinstance(value, str):
                guess = self.guess(value)
            if not guess and (
                "share" in self.words or (isinstance(value, str) and "bytes" not in self.words)
            ):  # a share of a size is none
                guess = percent_hint(value)
            named = Param(name) if isinstance(name, str) else name
            raise UsageError(
                "{} must be {}{}, got {}{}",
                named,
                self.words,
                InPython(self.none),
                _shown(value),
                guess,
            ) from None


_LEAST_PERCENT = 5
"""Number at or above which a share above 1 is taken for a percentage."""


def percent_hint(value: Any) -> Message:
    """Return "; 80% is 0.8" for a percentage as text, or for a number above 1 that is one; else nothing.

    >>> print(percent_hint("80%"), percent_hint(80))
    ; 80% is 0.8 ; 80% is 0.8
    """
    text = unicodedata.normalize("NFKC", str(value)).strip()
    number = (
        re.fullmatch(r"(\d+(?:\.\d+)?) *%", text) if isinstance(value, str) else re.fullmatch(r"(\d+(?:\.\d+)?)", text)
    )
    least = 0 if isinstance(value, str) else _LEAST_PERCENT
    if number is None or not least < float(number[1]) <= 100:
        return Message("")
    return Message("; {:g}% is {:g}", float(number[1]), float(number[1]) / 100)


def either(words: Sequence[str]) -> Message:
    """Join words as a choice: "a", "a or b", "a, b or c"."""
    return Message("{} or {}", join_names(words[:-1]), words[-1]) if len(words) > 1 else Message("{}", *words)


def _given_text(value: Any) -> str:
    """Return a value as Python writes it, a path as the text that it is made of; a message about a value is returned unchanged."""
    return value if isinstance(value, Message) else repr(os.fspath(value) if isinstance(value, os.PathLike) else value)


def _shown(value: Any) -> str:
    items = value if isinstance(value, list | tuple) else [value]
    if any(type(one).__module__.startswith("pyarrow.") for one in items):  # may be damaged, and `repr` would look at it
        return Message("a {}", type(value).__name__)
    text = _given_text(value)
    return text if len(text) <= 60 else Message("a {}", type(value).__name__)


def word(value: Any) -> str:
    """Return a str unchanged; raise `Wrong` for any other type."""
    if not isinstance(value, str):
        raise Wrong
    return value


def span_word(value: Any) -> str:
    """Return a str unchanged; raise `Wrong` for any other type, with what to write for a timedelta."""
    if (span := span_of_delta(value)) is not None:
        raise Wrong(Message("write it as a text: {!r}", span))
    return word(value)


def span_of_delta(value: Any) -> str | None:
    """Return a timedelta as parameters take a span of time; None for other values, and for one that is not above 0.

    >>> from datetime import timedelta
    >>> span_of_delta(timedelta(days=7)), span_of_delta(timedelta(minutes=90)), span_of_delta(timedelta(0)), span_of_delta("7d")
    ('7d', '90m', None, None)
    """
    asked = getattr(value, "total_seconds", None)
    seconds = float(asked()) if callable(asked) else 0.0
    if seconds <= 0:
        return None
    letter, unit = next(((one, size) for one, size in _SPANS if seconds % size == 0), ("s", 1))
    return f"{seconds / unit:g}{letter}"


_SPANS = (("d", 86400), ("h", 3600), ("m", 60), ("s", 1))


def whether(value: Any) -> bool:
    """Return a truth value as bool; raise `Wrong` for words and numbers."""
    if type(value).__name__ not in ("bool", "bool_"):  # NumPy's, under both of its names
        raise Wrong
    return bool(value)


def finite_number(value: Any) -> float | int:
    """Return a number that can be compared, integers as int; raise `Wrong` for truth values, NaN and infinity."""
    if isinstance(value, bool | str | bytes):
        raise Wrong
    try:
        if not math.isfinite(value):
            raise Wrong
        return value if isinstance(value, int) else float(value)
    except (TypeError, OverflowError, ValueError):
        raise Wrong from None


def integer_between(least: int, most: int = 2**63 - 1) -> Callable[[Any], int]:
    """Return a function that reads a whole number within bounds, both included."""

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
    """Return a whole number that fits into 64 bits; raise `Wrong` otherwise."""
    return integer_between(-(2**63), 2**64 - 1)(value)
