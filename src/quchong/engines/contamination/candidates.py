"""Candidate documents of parts: by n-grams in common, found by hash in a batch of documents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from quchong.engines.contamination.item_parts import ItemParts, leak_form
from quchong.engines.contamination.rules import CONTAINMENT, COVERED, NGRAM13, Rule
from quchong.kernels.features import ragged_shingles
from quchong.kernels.text import names


@dataclass(frozen=True, slots=True)
class Candidate:
    """Pair of a document and a part that may be in it.

    Attributes:
        part: number of the part.
        position, offset, times: of each n-gram in common its token in the document and in the part, and how often the part has it.
    """

    part: int
    position: np.ndarray
    offset: np.ndarray
    times: np.ndarray


def find_candidates(
    texts: pa.Array, parts: ItemParts, rule: Rule, seen: np.ndarray, workers: int | None
) -> dict[int, list[Candidate]]:
    """Return the parts that may be in each prepared text of a batch, by document; `seen` is set to True for every n-gram found.

    Cost: O(characters), and a sort of the n-grams in common. They are few, because frames are left out.
    """
    tokens = names(leak_form(), texts, workers=workers).docs
    hashes, ends = ragged_shingles(tokens, rule.width, workers)
    place, key = parts.grams.lookup(hashes)
    if not len(place):
        return {}
    document = np.searchsorted(ends, place, side="right") - 1
    whole = tokens.lengths[document] >= rule.width  # a shorter document has one shingle all the same
    place, key, document = place[whole], key[whole], document[whole]
    seen[key] = True
    # Every n-gram in common, once for each part that has it.
    grams = parts.grams
    count = grams.start[key + 1] - grams.start[key]
    posting = np.repeat(grams.start[key] - np.cumsum(count) + count, count) + np.arange(int(count.sum()))
    position = np.repeat(place - ends[document], count)
    document = np.repeat(document, count)
    part, offset, times = grams.part[posting], grams.offset[posting], grams.times[posting]
    order = np.lexsort((position, offset, part, document))
    document, part, offset, position, times = (a[order] for a in (document, part, offset, position, times))
    pair_start = np.r_[True, (document[1:] != document[:-1]) | (part[1:] != part[:-1])]
    first = pair_start | np.r_[True, offset[1:] != offset[:-1]]
    enough = _counts(pair_start, first, offset, times, rule) >= _needed(parts, rule)[part[pair_start]]
    edges = np.r_[np.flatnonzero(pair_start), len(part)]
    found: dict[int, list[Candidate]] = {}
    for pair in np.flatnonzero(enough).tolist():
        mine = slice(int(edges[pair]), int(edges[pair + 1]))
        one = Candidate(int(part[mine.start]), position[mine], offset[mine], times[mine])
        found.setdefault(int(document[mine.start]), []).append(one)
    return found


def _counts(pair_start: np.ndarray, first: np.ndarray, offset: np.ndarray, times: np.ndarray, rule: Rule) -> np.ndarray:
    """Return for each pair how many n-grams of the part are in the document, or for containment how many tokens they cover."""
    if rule.by != CONTAINMENT:
        counts: np.ndarray = np.add.reduceat(np.where(first, times, 0), np.flatnonzero(pair_start))
        return counts
    place = np.flatnonzero(first)
    step = np.full(len(place), rule.width)
    inside = ~pair_start[place[1:]]
    step[:-1] = np.where(inside, np.minimum(np.diff(offset[place]), rule.width), rule.width)
    covered: np.ndarray = np.add.reduceat(step, np.flatnonzero(pair_start[place]))
    return covered


def _needed(parts: ItemParts, rule: Rule) -> np.ndarray:
    """Return for each part the count of `_counts` that a pair must reach."""
    if rule.by == NGRAM13:
        return np.ones(len(parts.counts), np.int64)
    if rule.by == CONTAINMENT:
        return np.maximum(np.ceil(min(COVERED, rule.min_share) * parts.reach), rule.width).astype(np.int64)
    return np.maximum(np.ceil(rule.min_share * parts.counts - 1e-9), 1).astype(np.int64)
