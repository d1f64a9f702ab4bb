"""Headers as they were counted, suspect by suspect, and the shingles by which all of them are known.

A notice is told by two carriers where there are no more. Two carriers may end alike above it by chance, and in a family of thousands some
do: of a notice that others have told with more carriers such a suspect tells nothing (docs/decisions/0316).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from quchong.kernels.sorting import among, distinct

KNOWN = 0.2
"""Share of the shingles of a header that others know, at or above which it is one of theirs."""


@dataclass(frozen=True, slots=True)
class CountedHeaders:
    """Shingles of headers, each with the suspect (document) in which it was found.

    Attributes:
        suspect: int64, number of the document in which the header was found.
        shingle: uint64, hash of the shingle.
        few: bool, True if few carriers have the header: it is one by its words.
    """

    suspect: np.ndarray
    shingle: np.ndarray
    few: np.ndarray

    @staticmethod
    def none() -> CountedHeaders:
        """Return no headers."""
        return CountedHeaders(np.zeros(0, np.int64), np.zeros(0, np.uint64), np.zeros(0, bool))

    def known_shingles(self) -> np.ndarray:
        """Return the shingles by which the headers are known (uint64, ascending, distinct); independent of the order of the suspects.

        Cost: a sort of the shingles.
        """
        told = distinct(self.shingle[~self.few])
        few = np.flatnonzero(self.few)
        suspects, group = np.unique(self.suspect[few], return_inverse=True)
        shared = np.bincount(group, among(self.shingle[few], told), len(suspects))
        new = shared < KNOWN * np.bincount(group, minlength=len(suspects))
        return distinct(np.concatenate([told, self.shingle[few[new[group]]]]))


def together(parts: Iterable[CountedHeaders]) -> CountedHeaders:
    """Return several counts of headers as one; suspects are numbered anew."""
    every = [CountedHeaders.none(), *parts]
    return CountedHeaders(
        np.concatenate([one.suspect for one in every]),
        np.concatenate([one.shingle for one in every]),
        np.concatenate([one.few for one in every]),
    )
