"""Comparison of two states of the contract, and the lines of the changelog that allow a difference."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Change:
    """Difference of the contract.

    Attributes:
        kind: "gone" and "changed" break what was promised, "new" does not.
        path: where it is, such as ("tables", "ledger", "rule").
        words: what was and what is.
    """

    kind: Literal["gone", "changed", "new"]
    path: tuple[str, ...]
    words: str = ""

    @property
    def name(self) -> str:
        """Name that the changelog has to say: the last part of the path that is a name."""
        return next(part for part in reversed(self.path) if part not in ASPECTS)

    def __str__(self) -> str:
        return f"{self.kind}: {' / '.join(self.path)}{self.words and ': '}{self.words}"


ASPECTS = frozenset(
    {
        "parameters",
        "members",
        "options",
        "arguments",
        "default",
        "returns",
        "kind",
        "place",
        "value",
        "type",
        "optional",
        "choices",
    }
)
"""Parts of a path that say what about a name differs."""


def compare(before: Any, now: Any, path: tuple[str, ...] = ()) -> Iterator[Change]:
    """Yield the differences of two states, in their order; a new parameter without a default breaks callers, and is a change."""
    if isinstance(before, dict) and isinstance(now, dict):
        for key in before:
            if key not in now:
                yield Change("gone", (*path, key))
            else:
                yield from compare(before[key], now[key], (*path, key))
        for key in (one for one in now if one not in before):
            required = (
                path[-1:] == ("parameters",) and "default" not in now[key] and not now[key]["kind"].startswith("any")
            )
            yield (
                Change("changed", (*path, key), "a new parameter that has no default")
                if required
                else Change("new", (*path, key))
            )
    elif isinstance(before, list) and isinstance(now, list):
        yield from (Change("gone", (*path, str(one))) for one in before if one not in now)
        yield from (Change("new", (*path, str(one))) for one in now if one not in before)
    elif before != now:
        yield Change("changed", path, f"{before} before, now {now}")


def accepted_lines(changelog: str) -> list[str]:
    """Return the lines under Changed, Deprecated and Removed of the first section of a changelog."""
    sections = re.split(r"^## ", changelog, flags=re.MULTILINE)
    parts = re.split(r"^### ", sections[1] if len(sections) > 1 else "", flags=re.MULTILINE)
    return [
        line
        for part in parts
        if part.startswith(("Changed", "Removed"))
        for line in part.splitlines()[1:]
        if line.strip()
    ]


def unnamed(changes: Iterable[Change], lines: Iterable[str]) -> list[str]:
    """Return the changes whose name no line has as a word of its own."""
    said = "\n".join(lines)
    return [str(one) for one in changes if not re.search(rf"(?<![\w-]){re.escape(one.name)}(?![\w-])", said)]
