"""Arguments of the kernels of segments of an index."""

from __future__ import annotations

from typing import Any

import numpy as np
from dice import Dice
from twins import segments as ref_segments

from kernel_arguments.call import Call, kernel, parts
from quchong import kernels
from quchong.kernels.segments import SortedPostings


def postings_of(d: Dice, first: int, count: int) -> list[tuple[int, int, int]]:
    """Distinct (key, document, weight), in any order."""
    heavy = d.random() < 0.5
    pairs = {
        (d.choice([d.randrange(9), d.getrandbits(64)]), first + d.randrange(count)) for _ in range(d.some(200)) if count
    }
    some = [(key, document, d.choice([1, 2, 3, 2**32 - 1]) if heavy else 1) for key, document in sorted(pairs)]
    d.shuffle(some)
    return some


def posting_columns(some: list[tuple[int, int, int]]) -> SortedPostings:
    """Postings as columns."""
    kinds = (np.uint64, np.uint32, np.uint32)
    return SortedPostings(*(np.array([one[i] for one in some], kind) for i, kind in enumerate(kinds)))


def bits_of(documents: set[int], end: int) -> np.ndarray:
    """A bit for each document below `end`."""
    return np.packbits(np.isin(np.arange(end), list(documents)), bitorder="little")


@kernel
def pack_segment(d: Dice) -> Call:
    first, count = d.choice([0, 5, 2**32 - 40]), d.some(30)
    columns = posting_columns(postings_of(d, first, count))
    how = {"first": first, "count": count, "bits": d.choice([32, 40, 56])}
    return Call(
        kernels.segments.pack_segment, {**columns._asdict(), **how, "workers": 1},
        lambda out: out.tobytes() == ref_segments.pack_segment(*(c.tolist() for c in columns), **how),
    )  # fmt: skip


def packed_postings(d: Dice, first: int, count: int, bits: int) -> np.ndarray:
    """A segment."""
    return kernels.segments.pack_segment(
        *posting_columns(postings_of(d, first, count)), first=first, count=count, bits=bits, workers=1
    )


@kernel
def segment_info(d: Dice) -> Call:
    segment = packed_postings(d, d.randrange(9), d.some(9), 40)
    return Call(
        kernels.segments.segment_info, {"segment": segment},
        lambda out: tuple(out) == tuple(ref_segments.segment_info(segment.tobytes())),
    )  # fmt: skip


@kernel
def lookup_segments(d: Dice) -> Call:
    a, b, c = (d.some(9) for _ in range(3))
    segments = [packed_postings(d, 0, a, 40), packed_postings(d, a, b, 40)]
    run = sorted(postings_of(d, a + b, c))
    keys = [d.choice([d.randrange(9), d.getrandbits(64), *(p[0] for p in run[:1])]) for _ in range(d.some(6))]
    gone = {d.randrange(a + b + c) for _ in range(d.some(4)) if a + b + c}
    before = d.choice([None, [d.randint(0, a + b + c) for _ in keys]])
    how = {"most": d.choice([0, 1, 4]), "counted": d.choice([0, 2, 9])}

    def used(first: Any, second: Any, run: Any, keys: Any, gone: Any, before: Any, **more: Any) -> Any:
        return kernels.segments.lookup_segments([first, second], [run], keys, gone=gone, before=before, **more)

    def right(out: Any) -> bool:
        lists, lengths = out
        found = zip(
            parts(lists.documents, lists.offsets), parts(lists.weights, lists.offsets), lengths.tolist(), strict=True
        )
        raw = [segment.tobytes() for segment in segments]
        wanted = ref_segments.lookup_segments(raw, [run], keys, gone=gone, before=before, **how)  # type: ignore[arg-type]
        return [(list(zip(x, w, strict=True)), n) for x, w, n in found] == wanted

    return Call(
        used,
        {"first": segments[0], "second": segments[1], "run": posting_columns(run), "keys": np.array(keys, np.uint64),
         "gone": bits_of(gone, a + b + c), "before": None if before is None else np.array(before, np.int64), **how, "workers": 1},
        right,
    )  # fmt: skip


@kernel
def merge_segments(d: Dice) -> Call:
    a, b, bits = d.some(9), d.some(9), d.choice([32, 40])
    segments = [packed_postings(d, 3, a, bits), packed_postings(d, 3 + a, b, bits)]
    gone = {d.randrange(3 + a + b) for _ in range(d.some(4))}

    def used(first: Any, second: Any, **more: Any) -> Any:
        return np.concatenate(list(kernels.segments.merge_segments([first, second], **more)))

    return Call(
        used,
        {"first": segments[0], "second": segments[1], "gone": bits_of(gone, 3 + a + b), "piece": d.choice([1, 500, 2**20]),
         "workers": 1},
        lambda out: out.tobytes() == ref_segments.merge_segments([s.tobytes() for s in segments], gone=gone),
    )  # fmt: skip
