"""dSCAM: a document is compared only with databases whose summaries allow a similar one (分布式复制检测).

Source: Garcia-Molina 1996 (dSCAM). A database is a site.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quchong.candidates.nearest import nearest
from quchong.features.feature_sets import string_hashes
from quchong.kernels.sorting import distinct
from quchong.methods.bases.coverage import OVERLAP_DECIDED
from quchong.methods.bases.relative_frequency import RelativeFrequency
from quchong.parameters import CAP, MOST
from quchong.relations import CONTAINED_IN, DUPLICATE, EXACT, PARTIAL
from quchong.seam import Documents, Join, Meetings, Search, Traits
from quchong.similarity.databases import Summaries, greater_shares

FINE = 1 << 30
"""Factor by which shares become whole numbers for ranking."""


@dataclass(frozen=True, slots=True)
class Dscam(RelativeFrequency):
    """Method that finds the pairs of `scam`, each document sent only to the sites that can have a similar one.

    Of a site at first only summaries are known: for each word the number of documents that have it, and its least and greatest frequency in
    one of them. They bound both shares; a site whose bound is too low is skipped. No pair is lost.
    """

    cap: int = CAP(10000, fixed="on each site searched, the method compares all documents that have a word in common")
    most: int = MOST(128)

    name: ClassVar[str] = "dscam"
    traits: ClassVar[Traits] = Traits(
        title="the same pairs as method scam, searched for only on sites whose summaries allow them",
        paper="Garcia-Molina 1996 (dSCAM)",
        finds=(EXACT, DUPLICATE, CONTAINED_IN, PARTIAL),
        cost=(
            "time grows with the number of words of a document times the number of sites that have these "
            "words, and with the lengths of the posting lists of these words on the sites searched"
        ),
        lossless=True,
        evidence="features",
        decided_by=OVERLAP_DECIDED,
        needs=("site",),
    )

    @property
    def candidates(self) -> Join:
        """Search of the sites that documents are sent to."""
        return Search(self.meet, self.cap, self.statistics_used)

    def databases(self, documents: Documents) -> np.ndarray:
        """Return the number of each document's site, int64; documents without a site form one of their own."""
        hashed = string_hashes(documents.column("site"))
        out: np.ndarray = np.unique(hashed, return_inverse=True)[1].astype(np.int64)
        return out

    def destinations(self, documents: Documents, workers: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return pairs of a document and a database (site) that it is sent to, two int64 arrays: those whose bound reaches `least`."""
        sets, database = self.terms_of(documents, workers), self.databases(documents)
        importance = self.importance(sets)
        who, where = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for piece, bound in Summaries.from_sets(sets, database, importance).bounds(sets, importance, self.epsilon):
            at, to = np.nonzero(bound >= self.floor - 1e-9)
            who.append(piece[at])
            where.append(to)
        return np.concatenate(who), np.concatenate(where)

    def meet(
        self, documents: Documents, scope: np.ndarray | None, references: int, workers: int | None = None
    ) -> Meetings:
        """Find for each document the earlier ones, in the databases it is sent to, that the rule accepts."""
        sets, database = self.terms_of(documents, workers), self.databases(documents)
        lefts, rights, shares = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros(0)]
        asked = self.destinations(documents, workers)
        for left, right, greater in greater_shares(sets, database, self.importance(sets), self.epsilon, *asked):
            keep = (greater >= self.floor - 1e-9) & (right >= references)
            if scope is not None:
                keep &= scope[left] == scope[right]
            lefts.append(left[keep])
            rights.append(right[keep])
            shares.append(greater[keep])
        left, right, greater = np.concatenate(lefts), np.concatenate(rights), np.concatenate(shares)
        if not self.most:
            return Meetings(left, right, unseen=sets.lengths == 0)
        side = 2 * right + (left >= references)  # as many references as others
        count, kept = nearest(side, left, np.minimum(greater, 1) * FINE, self.most)
        crowded = len(distinct(right[count > self.most]))
        return Meetings(left[kept], right[kept], self.join_limits().notes(crowded), sets.lengths == 0)
