"""Measurement of candidate recall: a sample of documents is compared exactly with all others."""

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
from quchong.decision.headers import rests_of_pairs
from quchong.decision.intervals import wilson
from quchong.engines.local.corpus import Corpus
from quchong.engines.local.scores import BLOCK_BYTES, cut
from quchong.kernels.arrays import Ragged
from quchong.kernels.sorting import distinct
from quchong.plan.plan import Plan
from quchong.relations import BY_NAME, SEARCHED
from quchong.seam import active_differences
from quchong.similarity.thresholds import LONG_TOKENS
from quchong.text.normalise import tables

LARGEST = 200_000
"""Maximum tokens of a sampled document: longer ones are not sampled (but compared in the run), because a book would cost minutes."""

MEETINGS = 50_000
"""Approximate limit of compared pairs: in a family of near-equal documents each sampled one would be compared with all others."""
MET_BYTES, MET_TIMES = 256 << 20, 16
"""Approximate limit of the bytes of text in compared pairs: MET_BYTES, or MET_TIMES the bytes of all documents if that is more. Long texts
that are all alike cost their length for each pair.
"""
FIRST = 16
"""Sampled documents that are compared with each other first; the number is doubled while the expected cost is within the limits."""
AT_ONCE = 1 << 15
"""Pairs judged at once: their differences take up to 2 KB each meanwhile."""


@dataclass(frozen=True, slots=True)
class Recall:
    """Share of the true pairs of a sample that became candidates, by relation.

    `sampled` documents were compared exactly with all others, fewer than were asked for where they have too much in common
    (`MEETINGS`, `MET_BYTES`); `rows` gives relation -> (found, true).
    """

    sampled: int
    rows: dict[str, tuple[int, int]]

    def describe(self) -> dict[str, Any]:
        """Return the recall as a dictionary for JSON: by relation found, true, recall (None without true pairs), 95% Wilson interval."""
        out: dict[str, Any] = {"sampled_documents": self.sampled}
        for relation, (found, true) in self.rows.items():
            low, high = wilson(found, true)
            out[relation] = {
                "found": found,
                "true": true,
                "recall": round(found / true, 4) if true else None,
                "interval_95": [round(low, 4), round(high, 4)],
            }
        return out


def choose(corpus: Corpus, classes: Classes, count: int) -> np.ndarray:
    """Choose the sample: the classes of the `count` documents with the least hashes of their ids.

    Documents with too few tokens to compare, or more than LARGEST, are left out. The choice depends on ids alone, not on the order
    of the input, workers or time.
    """
    tokens = corpus.documents.tokens[classes.first]
    enough = np.flatnonzero((tokens >= SCORED_TOKENS) & (tokens <= LARGEST))
    if len(enough) == 0:
        return enough
    ids = corpus.documents.ids.take(pa.array(classes.first[enough]))
    form = kernels.text.Form(tables(), full=False, characters=True)
    hashed = kernels.text.fingerprints(form, ids, anchors=False).high
    chosen: np.ndarray = enough[np.argsort(hashed, kind="stable")[:count]]
    return chosen


def affordable(met: np.ndarray, documents: int) -> int:
    """Return how many documents of the sample, from its start, can be compared with all documents within the limit of pairs.

    The limit is MEETINGS, or twice the number of all documents if that is more.

    Args:
        met: for each sampled document the number of sampled documents that it is paired with, itself included.
        documents: number of all documents.
    """
    return _affordable_prefix(np.maximum(met - 1, 0), documents, max(MEETINGS, 2 * documents))


def affordable_bytes(read: np.ndarray, documents: int, size: int) -> int:
    """Return how many documents of the sample, from its start, can be compared with all documents within the limit of bytes.

    The limit is MET_BYTES, or MET_TIMES the bytes of all texts if that is more.

    Args:
        read: for each sampled document the bytes of the texts in its pairs with other sampled documents.
        documents, size: number of all documents, and bytes of their texts.
    """
    return _affordable_prefix(read, documents, max(MET_BYTES, MET_TIMES * size))


def _affordable_prefix(cost: np.ndarray, documents: int, most: int) -> int:
    """Return the length of the longest prefix of the sample whose expected cost with all documents is at most `most`.

    Args:
        cost: for each sampled document its cost within the sample, which is scaled up to `documents`.
    """
    expected = np.cumsum(cost * (documents / max(len(cost), 1)))
    return int(np.searchsorted(expected, most, side="right"))


def measure_recall(
    corpus: Corpus,
    plan: Plan,
    classes: Classes,
    found: ClassPairs,
    stop: kernels.machine.Stop | None = None,
) -> Recall | None:
    """Compare a sample with all classes, and count how many of its true pairs are among the found candidates.

    Returns None if the method misses no pair by design, or if the sample is switched off. `stop`, set from another thread, ends the
    measurement early; the returned value is then meaningless.
    """
    method, widths = plan.method, plan.method.rule.recall_widths
    if plan.recall_sample <= 0 or widths is None:
        return None
    form, thresholds = method.form, method.rule.test
    least = min(thresholds.floor_containment, 2 * thresholds.floor_jaccard / (1 + thresholds.floor_jaccard))
    how: dict[str, Any] = {
        "w_short": widths[0], "w_long": widths[1], "long_tokens": LONG_TOKENS, "least": least, "workers": plan.workers,
        "stop": stop,
    }  # fmt: skip

    def sample_documents(sample: np.ndarray) -> tuple[Ragged, np.ndarray, np.ndarray]:
        documents = corpus.take(classes.first[sample])
        docs, singles = documents.tokenised(form, plan.workers)
        if corpus.tokens is None:  # compared with texts that are read one by one, whose words have their hashes alone
            docs = documents.hashed(form, plan.workers)
        is_long = (docs.lengths >= LONG_TOKENS) & (2 * singles.astype(np.int64) >= docs.lengths)
        return docs, singles, is_long.astype(np.uint8)

    # Double the sample until its expected cost reaches the limit of bytes or all of it is used, then cut it to both limits.
    sample, count, all_sizes = choose(corpus, classes, plan.recall_sample), FIRST, corpus.texts.bytes[classes.first]
    while True:
        part = sample[:count]
        docs, singles, is_long = sample_documents(part)
        one, other, _, _ = kernels.pairs.kept_overlaps(docs, singles, np.arange(len(part)), docs, is_long, **how)
        if stop is not None and stop.is_set():
            return None
        both = np.where(one != other, all_sizes[part[one]] + all_sizes[part[other]], 0)
        read = np.bincount(other, both, len(part))
        fewer = affordable_bytes(read, len(classes.first), int(all_sizes.sum()))
        if fewer < len(part) or len(part) == len(sample):
            break
        count *= 2
    fewer = min(fewer, affordable(np.bincount(other, minlength=len(part)), len(classes.first)))
    if fewer < len(part):
        part = part[:fewer]
        docs, singles, is_long = sample_documents(part)
    sample = part
    # Compare the sample with all classes: pairs with enough shared shingles for the floor of the thresholds.
    overlaps = (
        partial(kernels.pairs.sample_overlaps, form, corpus.texts.take(classes.first))
        if corpus.tokens is None
        else partial(kernels.pairs.kept_overlaps, corpus.tokens.docs, corpus.tokens.singles, classes.first)
    )
    text, other, _, _ = overlaps(docs, is_long, **how)
    left, right = text.astype(np.int64), sample[other]
    # Each pair once, smaller class first, without pairs of a class with itself and pairs that the run may not compare.
    left, right = np.minimum(left, right), np.maximum(left, right)
    keep = left != right
    pair = distinct(left[keep] * len(classes.first) + right[keep])
    left, right = pair // len(classes.first), pair % len(classes.first)
    a, b = classes.first[left], classes.first[right]
    may = corpus.documents.compared(a, b, plan.only_against) & corpus.documents.scope.allows(a, b)
    left, right = left[may], right[may]
    rows = _count(corpus, plan, classes, found, left, right, stop)
    return Recall(len(sample), rows)


def _count(
    corpus: Corpus,
    plan: Plan,
    classes: Classes,
    found: ClassPairs,
    left: np.ndarray,
    right: np.ndarray,
    stop: kernels.machine.Stop | None,
) -> dict[str, tuple[int, int]]:
    """Return by relation the number of true pairs that were found and the number of all true pairs, as the method itself decides.

    About AT_ONCE pairs are decided at once. Pairs with equal digests are left out, because they are always found.
    """
    apart = ~corpus.documents.same(classes.first[left], classes.first[right])  # equal ones are found by their digest
    left, right = left[apart], right[apart]
    known = distinct(found.left * len(classes.first) + found.right)
    rows = dict.fromkeys(SEARCHED, (0, 0))
    size = corpus.texts.bytes[classes.first[left]] + corpus.texts.bytes[classes.first[right]]
    for piece in cut(np.arange(len(left)), np.maximum(size, BLOCK_BYTES // AT_ONCE)):
        if stop is not None and stop.is_set():
            break
        relation = _pair_relations(corpus, plan, classes, left[piece], right[piece], found.headers)
        hit = np.isin(left[piece] * len(classes.first) + right[piece], known)
        counted = np.array([BY_NAME[name].either if name else "" for name in relation.tolist()], object)
        for name, (met, true) in rows.items():
            here = counted == name
            rows[name] = met + int(hit[here].sum()), true + int(here.sum())
    return rows


def _pair_relations(
    corpus: Corpus, plan: Plan, classes: Classes, left: np.ndarray, right: np.ndarray, headers: np.ndarray | None
) -> np.ndarray:
    """Return the relation of each pair of classes by name, "" for a pair below the floor."""
    docs, index = np.unique(np.concatenate([left, right]), return_inverse=True)
    documents = corpus.take(classes.first[docs], plan.method.traits.needs)
    a, b = index[: len(left)].astype(np.uint32), index[len(left) :].astype(np.uint32)
    measures = plan.method.score(documents, a, b, plan.workers)
    listed = plan.method.rule.floor(measures)
    a, b = a[listed], b[listed]
    measures = {name: values[listed] for name, values in measures.items()}
    if headers is not None and len(headers):
        measures |= rests_of_pairs(plan.method, documents, headers, a, b, measures, plan.workers)
    steps = active_differences(plan.method)
    differing = None if steps is None else steps.find(documents, a, b, measures, plan.workers)
    relation = np.full(len(left), "", object)
    relation[listed], _ = plan.method.rule.decide(measures | (differing.measures if differing else {}))
    return relation
