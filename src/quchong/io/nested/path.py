"""Names of values within the values of a column, such as content.text, messages[].content and messages[role=assistant].content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from quchong.patterns import lazy_pattern

_PART = lazy_pattern(r"(?:^|\.)([^.\[\]]+)((?:\[[^\[\]]*\])*)")
_BRACKET = lazy_pattern(r"\[([^\[\]]*)\]")
_INDEX = lazy_pattern(r"-?[0-9]{1,6}")


@dataclass(frozen=True, slots=True)
class Key:
    """Step to the value of a key of an object, or of a field of a struct."""

    name: str


@dataclass(frozen=True, slots=True)
class Each:
    """Step to every element of a list; with `key` to those objects only whose value of this key is `value`."""

    key: str | None = None
    value: str = ""


@dataclass(frozen=True, slots=True)
class Index:
    """Step to one element of a list, counted from 0, or from the end by a negative number; nothing if there is none."""

    number: int


Step = Key | Each | Index


@dataclass(frozen=True, slots=True)
class ColumnPath:
    """Path from a column to values within it.

    Attributes:
        root: name of the column.
        steps: what follows, at least one step.
    """

    root: str
    steps: tuple[Step, ...]

    @property
    def is_many(self) -> bool:
        """True if a record may have several values at the path."""
        return any(isinstance(step, Each) for step in self.steps)


@cache
def parse_path(name: str) -> ColumnPath | None:
    """Return the path that a name spells; None for a name that is none, such as one without a dot or bracket.

    >>> parse_path("meta.id")
    ColumnPath(root='meta', steps=(Key(name='id'),))
    >>> parse_path("messages[role=user].content").steps[0]
    Each(key='role', value='user')
    >>> parse_path("text") is None and parse_path("a..b") is None
    True
    """
    if "." not in name and "[" not in name:
        return None
    at, root = 0, ""
    steps: list[Step] = []
    while at < len(name):
        part = _PART.match(name, at) if at == 0 or name[at] == "." else None
        if part is None:
            return None
        if at:
            steps.append(Key(part[1]))
        else:
            root = part[1]
        for inner in _BRACKET.findall(part[2]):
            key, equals, value = inner.partition("=")
            if not inner:
                steps.append(Each())
            elif equals and key:
                steps.append(Each(key, value))
            elif _INDEX.fullmatch(inner):
                steps.append(Index(int(inner)))
            else:
                return None
        at = part.end()
    return ColumnPath(root, tuple(steps)) if steps else None


def root_of(name: str) -> str:
    """Return the column that a name begins with: the root of a path, or the name itself."""
    path = parse_path(name)
    return name if path is None else path.root


def name_before(name: str, steps: Sequence[Step]) -> str:
    """Return the name of the value from which the last steps of a path begin.

    >>> name_before("messages[role=user].content", parse_path("messages[role=user].content").steps)
    'messages'
    """
    written = "".join(
        f".{step.name}"
        if isinstance(step, Key)
        else f"[{step.number}]"
        if isinstance(step, Index)
        else f"[{step.key}={step.value}]"
        if step.key
        else "[]"
        for step in steps
    )
    return name.removesuffix(written)
