"""Scope of a run: which documents may be compared with each other, as values of each document."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.errors import Param, UsageError
from quchong.io.arrays import as_strings
from quchong.plan.plan import Scope
from quchong.policy.times import times


@dataclass(frozen=True, slots=True)
class ScopeColumns:
    """Values of each document by which a scope decides; without codes and times all documents may be compared.

    Attributes:
        codes: int64 for each document; only documents with equal codes are compared. None if the scope names no column.
        seconds: float64 for each document; only documents at most `within` apart are compared, and one at infinity with none. None
            without a time window.
        within: the window in seconds; None without one.
    """

    codes: np.ndarray | None = None
    seconds: np.ndarray | None = None
    within: float | None = None

    def code(self, count: int) -> np.ndarray:
        """Return the scope codes of `count` documents: all 0 if the scope names no column."""
        return np.zeros(count, np.int64) if self.codes is None else self.codes

    def allows(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Return a mask of the pairs of documents that the scope allows to be compared."""
        mask = np.ones(len(left), bool)
        if self.codes is not None:
            mask &= self.codes[left] == self.codes[right]
        if self.seconds is not None and self.within is not None:
            with np.errstate(invalid="ignore"):  # infinity less infinity
                mask &= np.abs(self.seconds[left] - self.seconds[right]) <= self.within
        return mask


def scope_columns(scope: Scope, columns: pa.Table, time_key: str) -> ScopeColumns:
    """Compute the scope values of documents from their columns; `time_key` names the column of times.

    Raises:
        UsageError: there is a time window, but no value can be read as a time.
    """
    return ScopeColumns(_codes(scope, columns), _seconds(scope, columns, time_key), scope.within)


def _codes(scope: Scope, columns: pa.Table) -> np.ndarray | None:
    """Return a number for each combination of the scope's column values, or None if the scope names no column.

    A missing value is a value of its own: documents without one are compared with each other, but not with those that have an empty one.
    """
    names = [name for name, asked in ((scope.per, scope.per is not None), ("site", scope.same_site)) if asked]
    out: np.ndarray | None = None
    for name in names:
        encoded = pc.dictionary_encode(as_strings(columns[name]), null_encoding="encode")
        code = np.asarray(encoded.indices).astype(np.int64)
        out = code if out is None else out * len(encoded.dictionary) + code
    return out


def _seconds(scope: Scope, columns: pa.Table, time_key: str) -> np.ndarray | None:
    """Return the time of each document in seconds, infinity if unknown; None without a time window."""
    if scope.within is None:
        return None
    known = times(columns[time_key])
    if len(known) and np.isnan(known).all():
        raise UsageError(
            "{}: no value of {!r} can be read as a time; one value is {!r}. Write times as 2026-03-05T08:30:00 "
            "(ISO 8601) or as seconds since 1970",
            Param("within"),
            time_key,
            columns[time_key][0].as_py(),
        )
    return np.where(np.isnan(known), np.inf, known)
