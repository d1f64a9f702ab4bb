"""Segments: posting lists packed into one immutable buffer, searched and merged without unpacking. Layout: docs/index-format.md.

The twin is in tests/twins/segments.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from quchong.kernels import checked
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.postings import PostingLists

if TYPE_CHECKING:
    from quchong.kernels.checked import I64, U8, U32, U64


class SortedPostings(NamedTuple):
    """Postings sorted by key, then document: uint64, uint32, uint32; one document of a key comes once."""

    keys: U64
    documents: U32
    weights: U32


class SegmentInfo(NamedTuple):
    """Contents of a segment: documents from `first` to `first + documents` - 1, and their postings.

    `bits` is the number of bits by which keys are told apart, `weighted` True if a weight is not 1.
    """

    first: int
    documents: int
    postings: int
    bits: int
    weighted: bool


def pack_segment(
    keys: U64, documents: U32, weights: U32, *, first: int, count: int, bits: int = 40, workers: int | None = None
) -> U8:
    head = np.array([first, count, len(keys), bits, int((np.asarray(weights) != 1).any())], np.int64)
    order = np.lexsort((documents, keys))
    return np.concatenate([x.view(np.uint8) for x in (head, keys[order], documents[order], weights[order])])


def segment_info(segment: U8) -> SegmentInfo:
    first, count, n, bits, weighted = segment[:40].view(np.int64).tolist()
    return SegmentInfo(first, count, n, bits, bool(weighted))


def _run(segment: U8) -> SortedPostings:
    n = segment_info(segment).postings
    a = segment[40:]
    return SortedPostings(a[: 8 * n].view(np.uint64), a[8 * n : 12 * n].view(np.uint32), a[12 * n :].view(np.uint32))


def lookup_segments(
    segments: Sequence[U8], runs: Sequence[SortedPostings], keys: U64, *, gone: U8 | None = None, most: int = 0,
    counted: int = 0, before: I64 | None = None, workers: int | None = None,
) -> tuple[PostingLists, I64]:  # fmt: skip
    documents, weights, lengths, ends = [], [], [], []
    bits = np.unpackbits(gone, bitorder="little") if gone is not None else np.zeros(0, np.uint8)
    for i, key in enumerate(keys.tolist()):
        d, w = [np.zeros(0, np.uint32)], [np.zeros(0, np.uint32)]
        for run in [*map(_run, segments), *runs]:
            a, b = np.searchsorted(run.keys, np.uint64(key)), np.searchsorted(run.keys, np.uint64(key), side="right")
            d.append(run.documents[a:b])
            w.append(run.weights[a:b])
        dd, ww = np.concatenate(d), np.concatenate(w)
        living = ~np.append(bits, np.zeros(int(dd.max(initial=0)) + 1, np.uint8))[dd].astype(bool)
        if before is not None:
            living &= dd < before[i]
        dd, ww = dd[living], ww[living]
        lengths.append(len(dd) if not most else min(len(dd), max(most, counted)))
        documents.append(dd[:most] if most else dd)
        weights.append(ww[:most] if most else ww)
        ends.append(len(documents[-1]))
    empty = [np.zeros(0, np.uint32)]
    lists = PostingLists(
        np.concatenate(documents or empty), np.concatenate(weights or empty), prefix_sums(np.array(ends, np.int64))
    )
    return lists, np.array(lengths, np.int64)


def merge_segments(
    segments: Sequence[U8], *, gone: U8 | None = None, piece: int = 32 << 20, workers: int | None = None
) -> Iterator[U8]:
    infos = [segment_info(s) for s in segments]
    keys, documents, weights = (np.concatenate(c) for c in zip(*map(_run, segments), strict=True))
    if gone is not None:
        bits = np.append(np.unpackbits(gone, bitorder="little"), np.zeros(int(documents.max(initial=0)) + 1, np.uint8))
        living = bits[documents] == 0
        keys, documents, weights = keys[living], documents[living], weights[living]
    first, last = infos[0].first, infos[-1].first + infos[-1].documents
    yield pack_segment(keys, documents, weights, first=first, count=last - first, bits=infos[0].bits)
