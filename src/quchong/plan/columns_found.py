"""Columns found under usual names, where the data has none of our own names and the caller named none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from quchong.languages import COMMA, NAMES, Message, join_messages

ROLES = {
    "text": Message("the text"), "id": Message("the id"), "time": Message("the time"), "source": Message("the source"),
}  # fmt: skip
"""Words for the columns that are found by usual names, by the parameter that names each."""


@dataclass(frozen=True, slots=True)
class FoundColumns:
    """Columns found under usual names.

    Attributes:
        found: parameter and column, for each that was found.
        unsure: parameter and columns, for each of which several columns may be meant, so that none is read.
    """

    found: tuple[tuple[str, str], ...] = ()
    unsure: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def remarks(self) -> list[Message]:
        """Return a sentence about the columns found, and one for each parameter for which several may be meant."""
        out = []
        if self.found:
            read = [Message("{} is read as {}", column, ROLES[name]) for name, column in self.found]
            out.append(join_messages(read, COMMA))
        for name, columns in self.unsure:
            out.append(
                Message(
                    "{} may each be {}: none of them is read; name the one meant",
                    join_messages(columns, NAMES),
                    ROLES[name],
                )
            )
        return out

    def describe(self) -> dict[str, Any]:
        """Return both as JSON values."""
        return {"found": dict(self.found), "unsure": {name: list(columns) for name, columns in self.unsure}}
