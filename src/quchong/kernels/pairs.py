"""Comparison of pairs of texts: shared shingles, numbers, and words replaced by others.

The twins are in tests/twins/pairs.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import _quchong
import numpy as np

from quchong.kernels import checked
from quchong.kernels.arrays import AnyTexts, Ragged, ragged_columns, text_columns
from quchong.kernels.checked import MOST_U32, threads_of
from quchong.kernels.machine import Stop
from quchong.kernels.text import Form

if TYPE_CHECKING:
    from quchong.kernels.checked import U8, U32, U64, Ints

LONG = 4096
"""Tokens of a pair, on average, at or above which it is looked how pairs can be ordered so that less is read."""


def sample_overlaps(
    form: Form,
    texts: AnyTexts,
    sample: Ragged,
    sample_long: U8,
    *,
    w_short: int,
    w_long: int,
    long_tokens: int,
    least: float,
    workers: int | None = None,
    stop: Stop | None = None,
) -> tuple[U32, U32, U32, U32]:
    """Return aligned text numbers, sample numbers, shared shingles and shingles of the text, for texts that share enough with a sample.

    Only overlaps of at least `least` times the smaller document's shingles are returned.
    """
    return _quchong.sample_overlaps(
        form.tables, *text_columns(texts), form.full, form.characters, *ragged_columns(sample),
        checked.u8(sample_long, "sample_long", len(sample.offsets) - 1), checked.ngram_of(w_short, "w_short"),
        checked.ngram_of(w_long, "w_long"), checked.number(long_tokens, 0, MOST_U32, "long_tokens"),
        checked.real(least, "least", 0), threads_of(workers), stop,
    )  # fmt: skip


def kept_overlaps(
    docs: Ragged,
    singles: U32,
    index: Ints,
    sample: Ragged,
    sample_long: U8,
    *,
    w_short: int,
    w_long: int,
    long_tokens: int,
    least: float,
    workers: int | None = None,
    stop: Stop | None = None,
) -> tuple[U32, U32, U32, U32]:
    """Return what `sample_overlaps` returns, for the stored documents `index` in place of texts.

    `singles` are the numbers of their one-character tokens; the returned text numbers are positions in `index`.
    """
    n = len(docs.offsets) - 1
    return _quchong.kept_overlaps(
        *ragged_columns(docs), checked.u32(singles, "singles", n), checked.indices(index, n, "index"), *ragged_columns(sample),
        checked.u8(sample_long, "sample_long", len(sample.offsets) - 1), checked.ngram_of(w_short, "w_short"),
        checked.ngram_of(w_long, "w_long"), checked.number(long_tokens, 0, MOST_U32, "long_tokens"),
        checked.real(least, "least", 0), threads_of(workers), stop,
    )  # fmt: skip


def distinct_shingles(docs: Ragged, ngram: U8, workers: int | None = None) -> U32:
    """Return the number of distinct shingles of every document at its own width; 0 for width 0."""
    widths = checked.widths_of(ngram, len(docs.offsets) - 1, least=0)
    return _quchong.distinct_shingles(*ragged_columns(docs), widths, threads_of(workers))


def shared_shingles(docs: Ragged, left: Ints, right: Ints, ngram: U8, workers: int | None = None) -> U32:
    """Return the number of distinct shingles that both documents of each pair have, uint32; `ngram` is each pair's width.

    Pairs of long documents are sorted so that the longer document is read once for many pairs, where less is read so.
    """
    columns = ragged_columns(docs)
    a, b = checked.pairs(left, right, len(docs.offsets) - 1)
    widths = checked.widths_of(ngram, len(a))
    order, a, b = _least_read(docs.lengths, a, b, widths)
    found = _quchong.shared_shingles(*columns, a, b, widths if order is None else widths[order], threads_of(workers))
    if order is None:
        return found
    back = np.empty_like(found)
    back[order] = found
    return back


def covered_tokens(docs: Ragged, known: U64, width: int, run: int, workers: int | None = None) -> U8:
    """Return 1 for tokens covered by shingles (of `width` tokens, hashes in `known`) in runs of at least `run` tokens, else 0.

    The known hashes ascend. The hash of a shingle is that of `quchong.similarity.headers.hashed_shingles`.
    """
    hashes = checked.u64(known, "known")
    if (hashes[1:] < hashes[:-1]).any():
        raise ValueError("known must ascend")
    return _quchong.covered_tokens(
        *ragged_columns(docs),
        hashes,
        checked.ngram_of(width, "width"),
        checked.number(run, 1, 1 << 30, "run"),
        threads_of(workers),
    )


def says_other(
    docs: Ragged, rest: Ints, other: Ints, gap: int, shift: int, pieces: int, workers: int | None = None
) -> U8:
    """Return 1 for pairs in which the other text has missing or replaced tokens in comparison with the rest of the first, else 0.

    A block is what stands between two tokens `gap`. Its tokens are looked for two by two where most of the block stands in the other text,
    give or take `shift` tokens.
    """
    a, b = checked.pairs(rest, other, len(docs.offsets) - 1)
    order = np.argsort(b, kind="stable")  # a text is prepared once for all its pairs
    how = (
        checked.number(gap, 0, MOST_U32, "gap"), checked.number(shift, 0, 1 << 20, "shift"), checked.number(pieces, 1, 1 << 20, "pieces"),
    )  # fmt: skip
    out = np.empty(len(a), np.uint8)
    out[order] = _quchong.says_other(*ragged_columns(docs), a[order], b[order], *how, threads_of(workers))
    return out


def _least_read(lengths: Ints, left: U32, right: U32, widths: U8) -> tuple[Ints | None, U32, U32]:
    """Return an order of pairs in which the kernel reads fewer tokens, and the pairs in it; None and the given pairs if it saves little.

    The kernel reads the left document of pairs that follow each other once and each right one once a pair. Nested beginnings, sorted by
    the shorter one, would have every longer one read for every pair.
    """
    if not len(left) or int(lengths[left].sum() + lengths[right].sum()) < LONG * len(left):
        return None, left, right
    swaps = lengths[left] < lengths[right]
    longer, shorter = np.where(swaps, right, left), np.where(swaps, left, right)
    order = np.lexsort((shorter, widths, longer))
    a, b = longer[order], shorter[order]
    if _read(lengths, a, b, widths[order]) >= _read(lengths, left, right, widths):
        return None, left, right
    return order, a, b


def _read(lengths: Ints, left: U32, right: U32, widths: U8) -> int:
    """Return the number of tokens that the kernel reads if pairs are compared in this order."""
    begins = np.append(True, (left[1:] != left[:-1]) | (widths[1:] != widths[:-1]))
    return int(lengths[left[begins]].sum() + lengths[right].sum())


def compare_numbers(docs: Ragged, left: Ints, right: Ints, workers: int | None = None) -> U32:
    """Compare the numbers in both texts of each pair; return uint32 (pairs, 5): slots in common, slots that differ, and three counts.

    Slots and numbers are counted as multisets.
    """
    a, b = checked.pairs(left, right, len(docs.offsets) - 1)
    return _quchong.compare_numbers(*ragged_columns(docs), a, b, threads_of(workers)).reshape(-1, 5)


def repeated_swaps(docs: Ragged, left: Ints, right: Ints, max_cells: int, workers: int | None = None) -> U8:
    """Return 1 for each pair in which one replacement of a word occurs twice, else 0; 0 above `max_cells` cells of alignment."""
    a, b = checked.pairs(left, right, len(docs.offsets) - 1)
    cells = _cells(max_cells)
    return _quchong.repeated_swaps(*ragged_columns(docs), a, b, cells, threads_of(workers))


def disjoint_places(docs: Ragged, left: Ints, right: Ints, names: Ragged, workers: int | None = None) -> U8:
    """Return for each pair 1 if both documents contain place names of the list `names` but none in common, else 0.

    At every token the longest name counts.
    """
    a, b = checked.pairs(left, right, len(docs.offsets) - 1)
    return _quchong.disjoint_places(*ragged_columns(docs), a, b, *ragged_columns(names), threads_of(workers))


def added_only(docs: Ragged, left: Ints, right: Ints, workers: int | None = None) -> U8:
    """Return 1 for each pair in which one text is the other with at most max(2, longer // 6) tokens inserted, else 0."""
    a, b = checked.pairs(left, right, len(docs.offsets) - 1)
    return _quchong.added_only(*ragged_columns(docs), a, b, threads_of(workers))


def replaced_words(docs: Ragged, left: Ints, right: Ints, max_cells: int, workers: int | None = None) -> U32:
    """Return the most one-character tokens on both sides of one replacement or move for each pair, uint32; 0 for additions only.

    A replacement is what only the left has against what only the right has, between two tokens of one longest common
    subsequence, or at an end. Moved is what only the left has in one place and only the right in
    another. Pairs of more than `max_cells` token cells are left at 0. Cost: O(cells / 64).
    """
    a, b = checked.pairs(left, right, len(docs.offsets) - 1)
    out: U32 = _quchong.replaced_words(*ragged_columns(docs), a, b, _cells(max_cells), threads_of(workers))
    return out


def _cells(max_cells: int) -> int:
    """Return the checked limit of token cells of a pair."""
    return checked.number(max_cells, 0, 2**62, "max_cells")
