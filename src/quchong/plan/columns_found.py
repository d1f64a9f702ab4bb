"""Columns found under usual names, where the data has none of our own names and the caller named none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from quchong.languages import Message
from quchong.report.stored_alarms import columns_told


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
        return columns_told(dict(self.found), dict(self.unsure))

    def describe(self) -> dict[str, Any]:
        """Return the columns found and the unsure ones as JSON values."""
        return {"found": dict(self.found), "unsure": {name: list(columns) for name, columns in self.unsure}}
