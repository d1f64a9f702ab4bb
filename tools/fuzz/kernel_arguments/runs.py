"""Arguments of the kernels of shared passages and runs."""

from __future__ import annotations

from typing import Any

import numpy as np
from dice import Dice, ragged_of
from twins import align as ref_align
from twins import features as ref_features
from twins import runs as ref_runs

from kernel_arguments.call import Call, docs_of, each_pair, kernel, marks, parts
from quchong import kernels
from quchong.kernels.runs import Matches, Sequences


@kernel
def matching_statistics(d: Dice) -> Call:
    a, b = d.tokens(20), d.tokens(20)
    mine, theirs = marks(d, len(a)), marks(d, len(b))
    masks = [() if m is None else m.tolist() for m in (mine, theirs)]
    return Call(
        kernels.runs.matching_statistics,
        {"text": np.array(a, np.uint32), "other": np.array(b, np.uint32), "text_starts": mine, "other_starts": theirs,
         "structure": d.choice(list(kernels.runs.STRUCTURES))},
        lambda out: list(zip(out.lengths.tolist(), out.places.tolist(), strict=True)) == ref_runs.matching_statistics(a, b, *masks),
    )  # fmt: skip


@kernel
def shared_runs(d: Dice) -> Call:
    docs, least = d.ragged(), d.randint(1, 4)
    left, right = d.pairs(len(docs.offsets) - 1)
    starts = marks(d, len(docs.tokens))
    lists = docs_of(docs)
    allowed = [()] * len(lists) if starts is None else parts(starts, docs.offsets)

    def right_one(out: Any) -> bool:
        runs = [list(map(tuple, r)) for r in parts(out.runs, out.offsets)]
        found = list(zip(runs, out.covered_left.tolist(), out.covered_right.tolist(), strict=True))
        return found == [
            ref_runs.shared_runs(lists[a], lists[b], least, allowed[a], allowed[b]) for a, b in each_pair(left, right)
        ]

    return Call(
        kernels.runs.shared_runs,
        {"docs": docs, "left": left, "right": right, "least": least, "starts": starts,
         "structure": d.choice(list(kernels.runs.STRUCTURES)), "workers": 1},
        right_one,
    )  # fmt: skip


@kernel
def tiles(d: Dice) -> Call:
    docs = d.ragged()
    left, right = d.pairs(len(docs.offsets) - 1)
    shortest = np.array([d.randint(1, 4) for _ in left], np.uint32)
    lists = docs_of(docs)

    def right_one(out: Any) -> bool:
        found = [list(map(tuple, t)) for t in parts(out[1], out[0])]
        asked = zip(each_pair(left, right), shortest.tolist(), strict=True)
        return found == [ref_runs.tiles(lists[a], lists[b], s) for (a, b), s in asked]

    return Call(
        kernels.runs.tiles, {"docs": docs, "left": left, "right": right, "shortest": shortest, "start": d.choice([1, 3, 20]), "workers": 1},
        right_one,
    )  # fmt: skip


@kernel
def window_minima(d: Dice) -> Call:
    docs, ngram, window = d.choice([d.ragged, d.names])(), d.randint(1, 5), d.randint(1, 6)

    def right(out: Any) -> bool:
        found = [
            list(zip(v, p, strict=True)) for v, p in zip(parts(out[0], out[2]), parts(out[1], out[2]), strict=True)
        ]
        return found == [ref_features.window_minima(x, ngram, window) for x in docs_of(docs)]

    return Call(kernels.features.window_minima, {"docs": docs, "ngram": ngram, "window": window, "workers": 1}, right)


@kernel
def least_by_key(d: Dice) -> Call:
    values, offsets = ragged_of(d.bags(), np.uint64)
    keys, count = (values * np.uint64(7) + np.uint64(d.randrange(9))) % np.uint64(5), d.randint(1, 5)
    return Call(
        kernels.features.least_by_key, {"values": values, "keys": keys, "offsets": offsets, "count": count, "workers": 1},
        lambda out: parts(out.values, out.offsets) == [
            ref_features.least_by_key(v, k, count) for v, k in zip(parts(values, offsets), parts(keys, offsets), strict=True)
        ],
    )  # fmt: skip


@kernel
def repeated_passages(d: Dice) -> Call:
    docs, shortest = d.ragged(), d.randint(2, 4)
    lists = docs_of(docs)

    def right(out: Any) -> bool:
        held = zip(out.documents[out.passage].tolist(), out.share[out.passage].tolist(), strict=True)
        columns = (out.doc, out.other, out.start, out.other_start, out.length)
        found = [
            (*row, n, round(s, 9))
            for row, (n, s) in zip(zip(*(c.tolist() for c in columns), strict=True), held, strict=True)
        ]
        return found == [(*row[:6], round(row[6], 9)) for row in ref_align.repeated_passages(lists, shortest)]

    return Call(
        kernels.align.repeated_passages,
        {"docs": docs, "shortest": shortest, "partners": 64, "tries": 4096, "compared": 1_000_000, "workers": 1},
        right,
    )  # fmt: skip


def _symbols(d: Dice) -> list[int]:
    return [x % 5 for x in d.tokens(20)]


@kernel
def maximal_runs(d: Dice) -> Call:
    a, b, shortest = _symbols(d), _symbols(d), d.randint(1, 4)
    return Call(
        kernels.runs.maximal_runs,
        {"left": np.array(a, np.uint64), "right": np.array(b, np.uint64), "shortest": shortest, "limit": 1 << 20,
         "road": d.choice(["size", "suffixes", "places"])},
        lambda out: list(map(tuple, out[0].tolist())) == ref_runs.maximal_runs(a, b, shortest) and not out[1],
    )  # fmt: skip


@kernel
def matched_blocks(d: Dice) -> Call:
    lists = [_symbols(d) for _ in range(d.some(4))]
    symbols, offsets = ragged_of(lists, np.uint64)
    checks = d.choice([None, np.array(d.choices((0, 1, 1, 1), k=len(symbols)), np.uint64)])
    left, right = d.pairs(len(lists))
    shortest = d.randint(1, 3)
    tests = [[0] * len(x) for x in lists] if checks is None else parts(checks, offsets)

    def right_one(out: Any) -> bool:
        found = [list(map(tuple, b)) for b in parts(out.blocks, out.offsets)]
        return found == [
            ref_runs.matched_blocks(lists[a], lists[b], (tests[a], tests[b]), shortest)
            for a, b in each_pair(left, right)
        ]

    return Call(
        kernels.runs.matched_blocks,
        {"documents": Sequences(symbols, offsets), "left": left, "right": right, "checks": checks, "shortest": shortest,
         "limit": 1 << 20, "workers": 1},
        right_one if checks is not None or shortest == 1 else None,
    )  # fmt: skip


@kernel
def value_matches(d: Dice) -> Call:
    values, offsets = ragged_of(d.bags(), np.uint64)
    places = d.values(len(values), np.uint32)
    left, right = d.pairs(len(offsets) - 1)
    repeats = d.randint(1, 3)
    lists = [list(zip(v, p, strict=True)) for v, p in zip(parts(values, offsets), parts(places, offsets), strict=True)]

    def right_one(out: Any) -> bool:
        found = [
            list(zip(x, y, strict=True))
            for x, y in zip(parts(out.left, out.offsets), parts(out.right, out.offsets), strict=True)
        ]
        return found == [ref_runs.value_matches(lists[a], lists[b], repeats) for a, b in each_pair(left, right)]

    return Call(
        kernels.runs.value_matches,
        {"values": values, "places": places, "offsets": offsets, "left": left, "right": right, "repeats": repeats, "workers": 1},
        right_one,
    )  # fmt: skip


@kernel
def diagonal_runs(d: Dice) -> Call:
    lists = [sorted({(d.randrange(12), d.randrange(12)) for _ in range(d.some(12))}) for _ in range(d.some(4))]
    offsets = np.cumsum([0, *map(len, lists)]).astype(np.int64)
    left, right = (np.array([m[k] for one in lists for m in one], np.uint32) for k in (0, 1))
    gap, drift = d.randint(0, 3), d.randint(0, 3)
    return Call(
        kernels.runs.diagonal_runs, {"matches": Matches(left, right, offsets), "gap": gap, "drift": drift, "workers": 1},
        lambda out: parts(out, offsets) == [ref_runs.diagonal_runs(one, gap, drift) for one in lists],
    )  # fmt: skip
