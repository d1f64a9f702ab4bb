"""Checks the parameters of the public functions, by one table.

A name means the same in every function that has it, so `dedup`, `compare`, `passages`, `align`, `fit_statistics`, `load` and
what they return share the table. Parameters of methods are checked against the fields of their dataclasses
(`quchong.plan.catalogue`).
"""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quchong.cluster.survivors import REMOVABLE
from quchong.errors import Param, UsageError, meant
from quchong.kernels.checked import MOST_WORKERS
from quchong.pages import BODIES
from quchong.text import SOCIAL_STEPS, STRIP_PATTERNS


class _Wrong(Exception):
    """A value that is not of its kind."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a parameter takes.

    Attributes:
        words: in words, to follow "wants".
        read: the value in its plain form.
        none: whether None is taken too.
        names: the words there are to choose from, for "did you mean".
    """

    words: str
    read: Callable[[Any], Any]
    none: bool = False
    names: tuple[str, ...] = ()

    def __call__(self, name: str, value: Any) -> Any:
        """The value in its plain form.

        Raises:
            UsageError: it is not of this kind.
        """
        if value is None and self.none:
            return None
        try:
            return self.read(value)
        except _Wrong:
            guess = meant(value, self.names) if isinstance(value, str) else ""
            raise UsageError(Param(name), f" wants {self.words}, got {_shown(value)}{guess}") from None


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"a {type(value).__name__}"


def word(value: Any) -> str:
    """A str."""
    if not isinstance(value, str):
        raise _Wrong
    return value


def whether(value: Any) -> bool:
    """A truth value; no word or number stands for one."""
    if type(value).__name__ not in ("bool", "bool_"):  # NumPy's, under both of its names
        raise _Wrong
    return bool(value)


def finite_number(value: Any) -> float | int:
    """A number that can be compared: no truth value, no NaN, not infinite. A whole one stays one."""
    if isinstance(value, bool | str | bytes):
        raise _Wrong
    try:
        if not math.isfinite(value):
            raise _Wrong
        return value if isinstance(value, int) else float(value)
    except (TypeError, OverflowError, ValueError):
        raise _Wrong from None


def whole_number(value: Any) -> int:
    """A whole number that 64 bits hold."""
    return _whole(-(2**63), 2**64 - 1)(value)


def _whole(least: int, most: int = 2**63 - 1) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        try:
            number = operator.index(value)
        except TypeError:
            raise _Wrong from None
        if isinstance(value, bool) or not least <= number <= most:
            raise _Wrong
        return number

    return read


def _names(value: Any) -> tuple[str, ...]:
    """Names with commas between them, or one by one; each once."""
    items = value.split(",") if isinstance(value, str) else value
    if isinstance(items, bytes | Mapping) or not isinstance(items, Iterable):
        raise _Wrong
    items = list(items)
    if not all(isinstance(item, str) for item in items):
        raise _Wrong
    return tuple(dict.fromkeys(item.strip() for item in items if item.strip()))


def _rules(value: Any) -> str:
    """A policy, as one text or rule by rule."""
    return value if isinstance(value, str) else ",".join(_names(value))


def _path(value: Any) -> Path:
    if not isinstance(value, str | os.PathLike):
        raise _Wrong
    path = os.fspath(value)
    if not isinstance(path, str):
        raise _Wrong
    return Path(path)


def _paths(value: Any) -> tuple[Path, ...]:
    if isinstance(value, str | os.PathLike):
        return (_path(value),)
    if isinstance(value, bytes | Mapping) or not isinstance(value, Iterable):
        raise _Wrong
    return tuple(_path(item) for item in value)


def _one_id(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    try:
        return str(operator.index(value))
    except TypeError:
        raise _Wrong from None


def _id(value: Any) -> str:
    if isinstance(value, bool):
        raise _Wrong
    return _one_id(value)


def _ids(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str) or not isinstance(value, Iterable):
        return (_id(value),)
    if isinstance(value, bytes | Mapping):
        raise _Wrong
    return tuple(_id(item) for item in (value.to_pylist() if hasattr(value, "to_pylist") else value))


def _watcher(value: Any) -> Any:
    if not all(callable(getattr(value, name, None)) for name in ("stage", "advance")) or isinstance(value, type):
        raise _Wrong
    return value


def _sound(value: Any) -> str:
    """A text that can be written as UTF-8."""
    try:
        word(value).encode()
    except UnicodeEncodeError:
        raise UsageError(
            "the text holds half a character (a lone surrogate): repair it, such as with "
            "text.encode('utf-8', 'replace').decode()"
        ) from None
    return str(value)


def _document(value: Any) -> Any:
    if isinstance(value, str):
        return _sound(value)
    if not isinstance(value, Mapping | Path):
        raise _Wrong
    return value


def choice(*names: str, none: bool = False) -> Kind:
    """One of some words."""

    def read(value: Any) -> str:
        if value not in names or not isinstance(value, str):
            raise _Wrong
        return value

    return Kind(_or(names), read, none, names)


def some(*names: str, none: bool = False, also: tuple[str, ...] = ()) -> Kind:
    """Some of these words, with commas or one by one."""

    def read(value: Any) -> tuple[str, ...]:
        found = _names(value)
        for name in found:
            if name not in (*names, *also):
                raise _Wrong
        return found

    return Kind(f"some of {', '.join([*names, *also])}", read, none, (*names, *also))


def _or(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


COLUMN = Kind("the name of a column", word)
MAY_BE_COLUMN = Kind("the name of a column, or None", word, none=True)
FLAG = Kind("True or False", whether)
TEXT = Kind("a text (str)", _sound)
DOCUMENT = Kind("a text (str), a record (dict) or a pathlib.Path", _document)
ID = Kind("an id: a str or a whole number", _id)
PATH = Kind("a path", _path)

PARAMETERS: dict[str, Kind] = {
    "method": Kind("the name of a method", word),
    "keep": Kind("rules such as 'longest,earliest', or a list of them", _rules),
    "relations": some(*sorted(REMOVABLE)),
    "variants": choice("keep", "remove"),
    "text": Kind("names of columns: a str, or several of them", _names),
    "id": MAY_BE_COLUMN,
    "time": COLUMN,
    "source": COLUMN,
    "within": Kind("a span of time such as '7d' or '12h', or None", word, none=True),
    "per": MAY_BE_COLUMN,
    "same_site": FLAG,
    "strip": some(*STRIP_PATTERNS),
    "social": some(*SOCIAL_STEPS, none=True, also=("all", "none")),
    "boilerplate": Kind("the path of a file, or several", _paths),
    "only_against": FLAG,
    "recall_sample": Kind("a whole number from 0 (none)", _whole(0)),
    "workers": Kind(
        f"a whole number from 1 to {MOST_WORKERS}, or None for all processors", _whole(1, MOST_WORKERS), none=True
    ),
    "html": MAY_BE_COLUMN,
    "body": choice(*BODIES),
    "format": Kind("a format such as 'jsonl', or None", word, none=True),
    "progress": Kind("an object with the methods stage(name, total, unit) and advance(amount), or None", _watcher, none=True),
    "protect": Kind("ids: a str or a whole number, or several", _ids),
    "min_chars": Kind("a whole number from 1, or None", _whole(1, 2**31 - 1), none=True),
    "common": Kind("a whole number from 2", _whole(2, 2**31 - 1)),
    "partners": Kind("a whole number from 1", _whole(1, 2**31 - 1)),
    "cut": choice("none", "copies", "boilerplate"),
    "what": choice("none", "copies", "boilerplate"),
    "at": choice("sentence", "exact"),
    "cut_at": choice("sentence", "exact"),
    "mode": choice("remove", "annotate"),
    "overwrite": FLAG,
    "folder": PATH,
    "n": Kind("a whole number from 0", _whole(0)),
    "left": TEXT,
    "right": TEXT,
    "doc_id": ID,
    "other_id": ID,
    "ids": Kind("ids: a str or a whole number, or several", _ids),
    "rules": Kind("rules of the ledger, with commas or one by one", _names),
    "everything": FLAG,
}  # fmt: skip
"""Every parameter of the public functions that is no method's."""


def checked(**given: Any) -> dict[str, Any]:
    """The parameters given, each in its plain form: names as a tuple, paths as `Path`, ids as str.

    Raises:
        UsageError: a value of the wrong type, out of range or no choice there is.
    """
    return {name: PARAMETERS[name](name, value) for name, value in given.items()}
