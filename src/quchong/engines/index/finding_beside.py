"""Search beside an addition: candidates of the documents that are added next, found and compared by another thread."""

from __future__ import annotations

import numpy as np

from quchong.candidates.arrivals import candidates_of
from quchong.candidates.postings import Lookup, Represented, with_keys_of
from quchong.decision.documents import SCORED_TOKENS
from quchong.engines.index.arriving import Arrived
from quchong.engines.index.beside import FoundBeside
from quchong.engines.index.finder import Finder
from quchong.engines.index.segments import Moment, SegmentPostings
from quchong.seam import KeyJoin


class _Noted:
    """Postings of a moment whose lookups are noted."""

    def __init__(self, moment: Moment) -> None:
        self.moment, self.looked = moment, dict[tuple[int, int], Lookup]()

    def append(self, documents: Represented) -> np.ndarray:
        return self.moment.append(documents)

    def lookup(self, keys: np.ndarray, *, most: int = 0, counted: int = 0, before: np.ndarray | None = None) -> Lookup:
        found = self.looked[most, counted] = self.moment.lookup(keys, most=most, counted=counted, before=before)
        return found


def find_beside(finder: Finder, arrived: Arrived, end: int) -> FoundBeside | None:
    """Return what is found for documents among those of an index that have numbers below `end`; None if nothing can be found ahead.

    Safe beside a thread that adds to the index. Pairs are compared as `Finder.found_pairs` compares them, but of documents whose digest was
    met before, and of those without an id, whose place in the order of ids is not known yet, none are.

    Cost: that of `Finder.found_pairs`.
    """
    postings, catalogue = finder.postings, finder.catalogue
    if not isinstance(postings, SegmentPostings) or finder.store != "text" or finder.plan.scope.within is not None:
        return None
    noted = _Noted(moment := postings.below(end))
    again, equal = finder.equal_beside(arrived, moment)
    keep = ~again
    join = finder.plan.method.candidates
    if not isinstance(join, KeyJoin):
        keep &= arrived.features.tokens >= SCORED_TOKENS
    known = with_keys_of(arrived.known, keep)
    found = candidates_of(join, known, noted, before=np.full(len(known), end, np.int64), workers=finder.workers)
    named = np.array([one is not None for one in arrived.ids], bool)
    ends = zip(found.asking.tolist(), found.document.tolist(), strict=True)
    met = [(i, number) for i, number in ends if named[i]] if catalogue.measures_note() is not None else []
    compared = finder.compared_beside(arrived, met) if met else {}
    return FoundBeside(postings, moment.deleted, end, known, noted.looked, compared, equal)
