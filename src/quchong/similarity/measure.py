"""Exact measurement of pairs by counts over both texts."""

from __future__ import annotations

import numpy as np

from quchong import kernels
from quchong.kernels.sorting import distinct
from quchong.kernels.text import Form
from quchong.seam import Documents
from quchong.similarity.guards import UNSEEN, guard_columns
from quchong.similarity.thresholds import FEW, LONG_TOKENS, Thresholds


def widths_of(ngram: int | None = None) -> tuple[int, int]:
    """Return the shingle widths of most pairs, and of Chinese texts of 200 tokens and more: 3 and 5, or `ngram` for both."""
    return (3, 5) if ngram is None else (ngram, ngram)


def pair_widths(tokens: np.ndarray, han: np.ndarray, ngram: int | None) -> np.ndarray:
    """Return the shingle width of each pair (`widths_of`), uint8."""
    short, long = widths_of(ngram)
    return np.where(han & (tokens >= LONG_TOKENS), long, short).astype(np.uint8)


def measure(
    form: Form,
    documents: Documents,
    left: np.ndarray,
    right: np.ndarray,
    thresholds: Thresholds,
    ngram: int | None = None,
    workers: int | None = None,
    *,
    words: bool = False,
) -> dict[str, np.ndarray]:
    """Compute all columns of PAIRS except ids, relation and rule.

    Args:
        form: how texts become tokens.
        documents: each once.
        left, right: pairs as indices into documents; pairs with the same left side by side are fastest.
        thresholds: only the floor is used: guards are computed for pairs at or above it; below, numbers are 0
            and names unseen (`quchong.similarity.guards`).
        ngram: shingle width; None takes 5 or 3 by length and script.
        workers: threads.
        words: in Chinese pairs the guards count Latin words, codes and long numbers as figures: names of things, phone numbers, trains.
            (Otherwise long numbers do not count, because copies of spam differ in them.) Below 60 tokens a word replaced by another,
            or moved, is a name swap.

    Returns:
        Arrays aligned with the pairs. A pair with an empty side has Jaccard and containments 0.

    Cost: texts are tokenised once, where their tokens were not kept; per pair O(tokens). Source: docs/methods/hybrid.md.
    """
    docs, singles = documents.tokenised(form, workers)
    few = _counts_of_few(form, docs, singles, left, right, ngram, workers) if len(left) <= FEW else None
    counted = few or _counts(form, docs, singles, left, right, ngram, workers)
    out: dict[str, np.ndarray] = counted | {
        "shared_numbers": np.zeros(len(left), np.uint32),
        "conflicting_numbers": np.zeros(len(left), np.uint32),
        "number_overlap": np.ones(len(left)),
        "name_swap": np.full(len(left), UNSEEN, np.int8),
        "edits_only_added": np.zeros(len(left), bool),
    }
    # The guards cost more than counting: compute them only for pairs that will be listed.
    at = above_floor(out, thresholds).nonzero()[0]
    if not len(at):
        return out
    whole = len(at) == len(left)
    for name, values in guard_columns(
        docs,
        left[at],
        right[at],
        out if whole else {k: v[at] for k, v in out.items()},
        thresholds,
        workers,
        words=words,
    ).items():
        out[name][at] = values
    return out


def _counts(
    form: Form, docs: kernels.arrays.Ragged, singles: np.ndarray, left: np.ndarray, right: np.ndarray, ngram: int | None,
    workers: int | None,
) -> dict[str, np.ndarray]:  # fmt: skip
    """Return the shares of common shingles of each pair, and its lengths, shingle width and script."""
    # A text is Chinese if at least half of its tokens are single characters, and a pair if both texts are.
    n = docs.lengths.astype(np.uint32)
    han_doc = np.ones(len(n), bool) if form.characters else 2 * singles.astype(np.int64) >= n
    shorter, han = np.minimum(n[left], n[right]), han_doc[left] & han_doc[right]
    # Count the distinct shingles of each text once for each width in use, then the shared ones of each pair.
    width = pair_widths(shorter, han, ngram)
    sizes = {w: _sizes(docs, left, right, width, w, workers) for w in distinct(width).tolist()}
    size_left = _pick(sizes, width, left)
    size_right = _pick(sizes, width, right)
    shared = kernels.pairs.shared_shingles(docs, left, right, width, workers).astype(np.float64)
    return {
        "jaccard": _shares(shared, size_left + size_right - shared),
        "containment_left": _shares(shared, size_left),
        "containment_right": _shares(shared, size_right),
        "ngram_size": width,
        "tokens_left": n[left],
        "tokens_right": n[right],
        "han": han,
    }


def _counts_of_few(
    form: Form, docs: kernels.arrays.Ragged, singles: np.ndarray, left: np.ndarray, right: np.ndarray, ngram: int | None,
    workers: int | None,
) -> dict[str, np.ndarray] | None:  # fmt: skip
    """Return what `_counts` returns for a few pairs, computed on Python values; None for several shingle widths or no pairs."""
    short, long = widths_of(ngram)
    lengths = docs.lengths
    sides = [(lengths[side].tolist(), singles[side].tolist()) for side in (left, right)]
    (n_left, ones_left), (n_right, ones_right) = sides
    han = [
        form.characters or (2 * a >= n and 2 * b >= m)
        for n, a, m, b in zip(n_left, ones_left, n_right, ones_right, strict=True)
    ]
    width = [
        long if chinese and min(n, m) >= LONG_TOKENS else short
        for chinese, n, m in zip(han, n_left, n_right, strict=True)
    ]
    if len({*width}) != 1:
        return None
    wanted, widths = np.zeros(len(lengths), np.uint8), np.array(width, np.uint8)
    wanted[left] = wanted[right] = width[0]
    sizes = kernels.pairs.distinct_shingles(docs, wanted, workers)
    shared = kernels.pairs.shared_shingles(docs, left, right, widths, workers).tolist()
    counts = [*zip(shared, sizes[left].tolist(), sizes[right].tolist(), strict=True)]
    shares = [
        (both / (a + b - both) if a + b > both else 0.0, both / a if a else 0.0, both / b if b else 0.0)
        for both, a, b in counts
    ]
    jaccard, one, other = (np.array(values, np.float64) for values in zip(*shares, strict=True))
    return {
        "jaccard": jaccard,
        "containment_left": one,
        "containment_right": other,
        "ngram_size": widths,
        "tokens_left": np.array(n_left, np.uint32),
        "tokens_right": np.array(n_right, np.uint32),
        "han": np.array(han, bool),
    }


def above_floor(measures: dict[str, np.ndarray], thresholds: Thresholds) -> np.ndarray:
    """Return a mask of the pairs worth listing: Jaccard or the larger containment reaches its floor."""
    larger = np.maximum(measures["containment_left"], measures["containment_right"])
    listed: np.ndarray = (measures["jaccard"] >= thresholds.floor_jaccard) | (larger >= thresholds.floor_containment)
    return listed


def _sizes(
    docs: kernels.arrays.Ragged, left: np.ndarray, right: np.ndarray, width: np.ndarray, w: int, workers: int | None
) -> np.ndarray:
    wanted = np.zeros(len(docs.offsets) - 1, np.uint8)
    here = width == w
    wanted[left[here]] = w
    wanted[right[here]] = w
    return kernels.pairs.distinct_shingles(docs, wanted, workers)


def _pick(sizes: dict[int, np.ndarray], width: np.ndarray, index: np.ndarray) -> np.ndarray:
    if len(sizes) == 1:
        (only,) = sizes.values()
        picked: np.ndarray = only[index].astype(np.float64)
        return picked
    out = np.zeros(len(index))
    for w, size in sizes.items():
        np.copyto(out, size[index], where=width == w)
    return out


def _shares(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Return part / whole, float64; 0 where `part` and `whole` are 0."""
    out: np.ndarray = np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
    return out
