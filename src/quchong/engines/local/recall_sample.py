"""Sample of recall: some documents, and the documents that each of them meets.

Work is bounded: a document that has much in common with very many others meets only a share of all documents, which are drawn by the
hashes of their ids (docs/decisions/0154). Every pair has a weight, the number of pairs that it stands for, so that what is estimated
does not depend on these limits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from quchong import kernels
from quchong.decision.classes import Classes
from quchong.decision.documents import SCORED_TOKENS
from quchong.decision.expansion import ClassPairs
from quchong.engines.local.corpus import Corpus
from quchong.engines.local.recall_pairs import MetPairs
from quchong.kernels.hashing import mix64
from quchong.kernels.machine import Stop
from quchong.kernels.offsets import first_of_runs
from quchong.kernels.sorting import among, ordered
from quchong.plan.plan import Plan
from quchong.similarity.thresholds import LONG_TOKENS
from quchong.text.normalise import tables

LARGEST = 200_000
"""Maximum tokens of a sampled document: longer ones are not sampled (but compared in the run), because a book would cost minutes."""
TOKENS = 20_000_000
"""Maximum tokens of all sampled documents together, which are held in an index."""
MET = 1 << 18
"""Approximate maximum of the pairs that are met, which have enough in common to be listed; each sampled document has its part of them."""
MET_BYTES, MET_TIMES = 256 << 20, 4
"""Approximate maximum of the bytes of text in these pairs: MET_BYTES, or MET_TIMES the bytes of all documents if that is more."""
FIRST, GROWTH = 256, 16
"""Documents that every sampled one meets first, fewer if the sample is long; their number grows GROWTH times in each round."""


def choose(corpus: Corpus, classes: Classes, count: int) -> np.ndarray:
    """Choose the sampled classes: those with the `count` least hashes of ids among documents of at most TOKENS tokens.

    Documents with too few tokens to compare, or more than LARGEST, are left out. The choice depends on ids alone, not on the order
    of the input, workers or time.
    """
    tokens = corpus.documents.tokens[classes.first]
    enough = np.flatnonzero((tokens >= SCORED_TOKENS) & (tokens <= LARGEST))
    if len(enough) == 0:
        return enough
    firsts = classes.first[enough]
    chosen = enough[ordered(_hashes(corpus, firsts)[0], corpus.documents.id_rank[firsts])[:count]]
    fits = np.cumsum(tokens[chosen], dtype=np.int64) <= TOKENS
    fits[0] = True
    some: np.ndarray = chosen[fits]
    return some


def _hashes(corpus: Corpus, documents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return two hashes of the id of each document, uint64, which are independent of each other."""
    form = kernels.text.Form(tables(), full=False, characters=True)
    found = kernels.text.fingerprints(form, corpus.documents.ids.take(pa.array(documents)), anchors=False)
    return found.high, found.low


def meet(
    corpus: Corpus, plan: Plan, classes: Classes, found: ClassPairs, sample: np.ndarray, least: float, stop: Stop | None
) -> MetPairs | None:
    """Return the pairs of sampled classes with others in which the smaller text shares at least `least` of its shingles.

    Each sampled document meets all documents in the order of a hash of their ids. One that would have more than its part of MET or
    MET_BYTES ends early; then all candidates of the run that it has are among its pairs, and the weight of the others is
    the inverse of the share of documents that it met.

    Returns:
        None if `stop` was set. Pairs that the run may not compare are left out.

    Cost: the shingles of all documents looked up once in an index of the sample, and O(MET) pairs.
    """
    n, size = len(classes.first), corpus.texts.bytes[classes.first]
    index = _SampleIndex.build(corpus, plan, classes, sample, least, stop)
    hashed = _hashes(corpus, classes.first)[1]
    order = ordered(hashed, corpus.documents.id_rank[classes.first])
    # (1) Rounds of more and more documents, until all are met, or every sampled document has met its part.
    most, most_bytes = MET / max(len(sample), 1), max(MET_BYTES, MET_TIMES * int(size.sum())) / max(len(sample), 1)
    met = np.zeros(len(sample), np.int64)
    pairs, read = np.zeros(len(sample)), np.zeros(len(sample))
    active, start = np.arange(len(sample)), 0
    end = int(min(n, max(8, min(FIRST, MET_BYTES // max(int(size[sample].sum()), 1)))))
    rows: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    while len(active) and start < n:
        here = np.sort(order[start:end])
        text, mine, share = index.overlaps(here, active)
        if stop is not None and stop.is_set():
            return None
        other = here[text]
        real = other != sample[mine]
        other, mine, share = other[real], mine[real], share[real]
        rows.append((other, mine, share))
        pairs += np.bincount(mine, minlength=len(sample))
        read += np.bincount(mine, size[other] + size[sample[mine]], len(sample))
        met[active] = end
        start, end = end, min(n, end * GROWTH)
        active = active[np.maximum(pairs[active] / most, read[active] / most_bytes) * end <= start]
    other, mine, share = (np.concatenate([one[k] for one in rows]) for k in range(3))
    # (2) Each pair once, with its weight: the probability that one of both met the other.
    part = np.ones(n)
    part[sample] = met / n
    inside = np.zeros(n, bool)
    inside[sample] = True
    here = sample[mine]
    missed = (1 - part[here]) * np.where(inside[other], 1 - part[other], 1.0)
    left, right = np.minimum(here, other), np.maximum(here, other)
    weight = 1 / (1 - missed)
    # (3) Candidates of documents that ended early, which have the weight 1.
    early = np.zeros(n, bool)
    early[sample[met < n]] = True
    known = np.flatnonzero(inside[found.left] | inside[found.right])
    codes = np.sort(found.left[known] * n + found.right[known])
    if early.any():
        known = known[early[found.left[known]] | early[found.right[known]]]
        more, enough = index.shares(found.left[known], found.right[known])
        known, more = known[enough], more[enough]
        left, right = np.append(left, found.left[known]), np.append(right, found.right[known])
        share, weight = np.append(share, more), np.append(weight, np.ones(len(known)))
    code = left * n + right
    some = ordered(code, weight)
    some = some[first_of_runs(code[some])] if len(some) else some
    a, b = classes.first[left[some]], classes.first[right[some]]
    may = corpus.documents.compared(a, b, plan.only_against) & corpus.documents.scope.allows(a, b)
    some = some[may & ~corpus.documents.same(a, b)]  # equal ones are found by their digest
    left, right, hit = left[some], right[some], among(code[some], codes)
    weight = np.where(hit & (early[left] | early[right]), 1.0, weight[some])
    return MetPairs(left, right, share[some], hit, weight, mix64(hashed[left] + hashed[right]))


@dataclass(frozen=True, slots=True)
class _SampleIndex:
    """Tokens of the sampled documents, with which documents are compared by shared shingles."""

    corpus: Corpus
    plan: Plan
    classes: Classes
    sample: np.ndarray
    how: dict[str, Any]

    @staticmethod
    def build(
        corpus: Corpus, plan: Plan, classes: Classes, sample: np.ndarray, least: float, stop: Stop | None
    ) -> _SampleIndex:
        """Build the index for the widths of the method's rule."""
        widths = plan.method.rule.recall_widths
        assert widths is not None
        how = {
            "w_short": widths[0], "w_long": widths[1], "long_tokens": LONG_TOKENS, "least": least, "workers": plan.workers,
            "stop": stop,
        }  # fmt: skip
        return _SampleIndex(corpus, plan, classes, sample, how)

    def overlaps(self, some: np.ndarray, active: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Compare the classes `some` with the sampled classes `active`; return index pairs and the shared share of each."""
        corpus, form, firsts = self.corpus, self.plan.method.form, self.classes.first[some]
        documents = corpus.take(self.classes.first[self.sample[active]])
        docs, singles = documents.tokenised(form, self.plan.workers)
        if corpus.tokens is None:  # compared with texts that are read one by one, whose words have their hashes alone
            docs = documents.hashed(form, self.plan.workers)
        is_long = _long(docs.lengths, singles)
        overlaps = (
            partial(kernels.pairs.sample_overlaps, form, corpus.texts.take(firsts))
            if corpus.tokens is None
            else partial(kernels.pairs.kept_overlaps, corpus.tokens.docs, corpus.tokens.singles, firsts)
        )
        text, mine, shared, distinct = overlaps(docs, is_long.astype(np.uint8), **self.how)
        widths = np.where(is_long, self.how["w_long"], self.how["w_short"]).astype(np.uint8)
        own = kernels.pairs.distinct_shingles(docs, widths, self.plan.workers)
        share = np.minimum(shared / np.maximum(np.minimum(distinct, own[mine]), 1), 1.0)
        return text.astype(np.int64), active[mine], share

    def shares(self, left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the shared share of each pair of classes, and a mask of the pairs whose share is enough."""
        docs, place = np.unique(np.concatenate([left, right]), return_inverse=True)
        a, b = place[: len(left)], place[len(left) :]
        tokens, singles = self.corpus.take(self.classes.first[docs]).tokenised(self.plan.method.form, self.plan.workers)
        is_long = _long(tokens.lengths, singles)
        both, w_long, w_short = is_long[a] & is_long[b], self.how["w_long"], self.how["w_short"]
        widths = np.where(both, w_long, w_short).astype(np.uint8)
        shared = kernels.pairs.shared_shingles(tokens, a, b, widths, self.plan.workers)
        sizes = [
            kernels.pairs.distinct_shingles(tokens, np.full(len(docs), width, np.uint8), self.plan.workers)
            for width in (w_short, w_long)
        ]
        smaller = np.where(both, np.minimum(sizes[1][a], sizes[1][b]), np.minimum(sizes[0][a], sizes[0][b]))
        return shared / np.maximum(smaller, 1), (shared >= self.how["least"] * smaller) & (shared > 0)


def _long(lengths: np.ndarray, singles: np.ndarray) -> np.ndarray:
    """Return a mask of the documents compared by long shingles."""
    mask: np.ndarray = (lengths >= LONG_TOKENS) & (2 * singles.astype(np.int64) >= lengths)
    return mask
