"""Segments: posting lists packed into one immutable buffer, searched and merged without unpacking. Layout: docs/index-format.md.

The twin is in tests/twins/segments.py. A buffer may come from anybody: it is checked as it is read, and a damaged one is a ValueError.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import _quchong
import numpy as np

from quchong.kernels import checked
from quchong.kernels.checked import MOST_U32, threads_of
from quchong.kernels.postings import PostingLists

if TYPE_CHECKING:
    from quchong.kernels.checked import I64, U8, U32, U64

BITS = 40
"""Bits by which a segment tells keys apart."""
LEAST_BITS, MOST_BITS = 32, 56
_NOBODY = np.zeros(0, np.uint8)
_ALL = np.zeros(0, np.int64)


class SortedPostings(NamedTuple):
    """Postings sorted by key, then document: uint64, uint32, uint32; one document of a key comes once."""

    keys: U64
    documents: U32
    weights: U32


class SegmentInfo(NamedTuple):
    """Contents of a segment, by its footer.

    Attributes:
        first: number of its first document.
        documents: number of its documents, with those that have no postings.
        postings: number of postings.
        codes: number of lists: keys are told apart by codes.
        bits: bits of a code.
        weighted: True if weights other than 1 are stored.
    """

    first: int
    documents: int
    postings: int
    codes: int
    bits: int
    weighted: bool


def pack_segment(
    keys: U64, documents: U32, weights: U32, *, first: int, count: int, bits: int = BITS, workers: int | None = None
) -> U8:
    """Pack postings in any order into a segment, uint8.

    A key is known by its code, the first `bits` bits of a fixed mixture of it. Two keys of a document with one code are one posting, of the
    greater weight.

    Args:
        keys: uint64, key of each posting. documents: uint32. weights: uint32, 1 at least.
        first: number of the first document of the segment.
        count: number of documents; postings are of documents `first` to `first + count` - 1.
        bits: bits of a code, 32 to 56. A key that is not there finds a list with odds of about (lists / 2**bits).

    Cost: sorts the postings, memory 16 bytes each. Size: bits - log2(postings / count) + 3.4 bits a posting where few keys are equal.

    Raises:
        ValueError: documents outside of the range, a weight of 0, or lengths that do not fit.
    """
    keys = checked.u64(keys, "keys")
    documents, weights = checked.u32(documents, "documents", len(keys)), checked.u32(weights, "weights", len(keys))
    first = checked.number(first, 0, MOST_U32, "first")
    count = checked.number(count, 0, MOST_U32 - first, "count")
    if len(documents) and not first <= int(documents.min()) <= int(documents.max()) < first + count:
        raise ValueError(f"documents must be {first} to {first + count - 1}")
    return _quchong.pack_segment(
        keys, documents, weights, first, count, checked.number(bits, LEAST_BITS, MOST_BITS, "bits"), threads_of(workers)
    )


def segment_info(segment: U8) -> SegmentInfo:
    """Return what a segment contains, by its footer.

    Raises:
        ValueError: it is no segment.
    """
    return SegmentInfo(*_quchong.segment_info(checked.u8(segment, "segment")))


def lookup_segments(
    segments: Sequence[U8], runs: Sequence[SortedPostings], keys: U64, *, gone: U8 | None = None, most: int = 0,
    counted: int = 0, before: I64 | None = None, workers: int | None = None,
) -> tuple[PostingLists, I64]:  # fmt: skip
    """Return the posting list of each key from segments, then in-memory runs; and how many documents of each list were counted.

    Args:
        segments: segments, in the order of their documents.
        runs: postings of later documents, in the order of their documents.
        keys: uint64, in any order; they may repeat.
        gone: uint8, one bit a document by number, the lowest first: documents that are left out; those beyond its end are not.
        most: documents of each list to return, the first ones that are not gone; 0 for all. Others are not read.
        counted: with `most`, documents of each list to count.
        before: int64 for each key: only documents with lesser numbers are returned and counted; None for all.

    Returns:
        The lists, and their lengths (int64): number of documents of each list that are not gone, or max(most, counted) if there are more
        and `most` is not 0.

    Cost: for each key and segment about 33 codes are read, some 0.2 us in memory; a list costs what is returned of it, and if documents are
        gone what is counted.

    Raises:
        ValueError: a segment that is damaged where it was read, or segments and runs out of order.
    """
    keys = checked.u64(keys, "keys")
    bounds = _ALL if before is None else checked.column(before, np.int64, "before", len(keys))
    columns = [checked.u64(run.keys, "keys") for run in runs]
    documents, weights, ends, lengths = _quchong.lookup_segments(
        _buffers(segments), columns,
        [checked.u32(run.documents, "documents", len(run.keys)) for run in runs],
        [checked.u32(run.weights, "weights", len(run.keys)) for run in runs],
        keys, _NOBODY if gone is None else checked.u8(gone, "gone"), checked.number(most, 0, MOST_U32, "most"),
        checked.number(counted, 0, MOST_U32, "counted"), bounds, threads_of(workers),
    )  # fmt: skip
    return PostingLists(documents, weights, ends), lengths


def merge_segments(
    segments: Sequence[U8], *, gone: U8 | None = None, piece: int = 32 << 20, workers: int | None = None
) -> Iterator[U8]:
    """Merge segments into one, without the postings of documents that are gone; yield its bytes (uint8) in order, some at a time.

    Without `gone` it is, bit for bit, the segment of all their postings. The lists of documents that are gone remain out; their numbers are
    not given to others.

    Args:
        segments: segments with equal `bits`, in the order of their documents.
        gone: see `lookup_segments`.
        piece: about so many bytes are made at a time; a list is never parted.

    Cost: linear. Memory: twice a piece, and 8 bytes for about 70 postings.

    Raises:
        ValueError: a segment that is damaged, or segments out of order.
    """
    buffers, bits = _buffers(segments), _NOBODY if gone is None else checked.u8(gone, "gone")
    piece, threads = checked.number(piece, 1, 2**40, "piece"), threads_of(workers)
    last = 1 << int(_quchong.merged_buckets(buffers))
    step = max(1, min(last, last * piece // max(1, sum(map(len, buffers)))))
    ends, size, postings, codes = [], 0, 0, 0
    for first in range(0, last, step):
        stream, stops, some, lists = _quchong.merge_segments(buffers, bits, first, min(first + step, last), threads)
        ends.append(stops + size)
        size, postings, codes = size + len(stream), postings + some, codes + lists
        yield stream
    yield _quchong.merged_tail(buffers, np.concatenate(ends), postings, codes)


def _buffers(segments: Sequence[U8]) -> list[U8]:
    return [checked.u8(segment, "segment") for segment in segments]
