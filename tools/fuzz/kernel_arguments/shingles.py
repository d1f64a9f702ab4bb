"""Arguments of the kernels of tokens and shingles."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from dice import Dice, ragged_of
from twins import align as ref_align
from twins import features as ref_features
from twins import hashing as ref_hashing
from twins import pairs as ref_pairs

from kernel_arguments.call import Call, docs_of, each_pair, kernel, parts, with_pairs
from quchong import kernels
from quchong.kernels.arrays import Ragged


@kernel
def shingle_hashes(d: Dice) -> Call:
    tokens, ngram = d.tokens(), d.choice([1, 2, 3, 5, 63])
    return Call(
        kernels.text.shingle_hashes, {"tokens": np.array(tokens, np.uint32), "ngram": ngram},
        lambda out: out.tolist() == ref_hashing.shingle_hashes(tokens, ngram),
    )  # fmt: skip


@kernel
def winnow(d: Dice) -> Call:
    hashes, window = d.values(d.some(30)), d.randint(1, 9)
    return Call(
        kernels.text.winnow, {"hashes": hashes, "window": window},
        lambda out: out.tolist() == ref_hashing.winnow(hashes.tolist(), window),
    )  # fmt: skip


@kernel
def distinct_shingles(d: Dice) -> Call:
    docs = d.ragged()
    widths = np.array([d.choice([0, 1, 2, 5, 63]) for _ in range(len(docs.offsets) - 1)], np.uint8)

    def wanted() -> Any:
        return [
            ref_pairs.distinct_shingles(x, w) if w else 0 for x, w in zip(docs_of(docs), widths.tolist(), strict=True)
        ]

    return Call(
        kernels.pairs.distinct_shingles,
        {"docs": docs, "ngram": widths, "workers": 1},
        lambda out: out.tolist() == wanted(),
    )


@kernel
def shared_shingles(d: Dice) -> Call:
    docs = d.ragged()
    left, right = d.pairs(len(docs.offsets) - 1)
    left.sort()
    widths = np.array([d.choice([1, 2, 5, 63]) for _ in left], np.uint8)
    lists = docs_of(docs)
    return Call(
        kernels.pairs.shared_shingles, {"docs": docs, "left": left, "right": right, "ngram": widths, "workers": 1},
        lambda out: out.tolist() == [
            ref_pairs.shared_shingles(lists[a], lists[b], w) for (a, b), w in zip(each_pair(left, right), widths.tolist(), strict=True)
        ],
    )  # fmt: skip


@kernel
def covered_tokens(d: Dice) -> Call:
    docs, width, run = d.ragged(), d.choice([1, 2, 5]), d.choice([1, 5, 12])
    known = np.sort(d.values(d.some(30)))
    hashes = set(known.tolist())

    def wanted() -> list[int]:
        # Tokens before the first document and behind the last are in no document, and nothing covers them.
        mask = np.zeros(len(docs.tokens), np.uint8)
        for begin, end in pairwise(docs.offsets.tolist()):
            mask[begin:end] = ref_pairs.covered_tokens(docs.tokens[begin:end].tolist(), hashes, width, run)
        return mask.tolist()

    return Call(
        kernels.pairs.covered_tokens,
        {"docs": docs, "known": known, "width": width, "run": run, "workers": 1},
        lambda out: out.tolist() == wanted(),
    )


@kernel
def says_other(d: Dice) -> Call:
    docs, how = d.ragged(), (d.choice([0, 1, 2]), d.choice([0, 3, 8]), d.choice([1, 3]))
    rest, other = d.pairs(len(docs.offsets) - 1)
    lists = docs_of(docs)
    names = {"gap": how[0], "shift": how[1], "pieces": how[2]}
    return Call(
        kernels.pairs.says_other, {"docs": docs, "rest": rest, "other": other, **names, "workers": 1},
        lambda out: out.tolist() == [ref_pairs.says_other(lists[a], lists[b], *how) for a, b in each_pair(rest, other)],
    )  # fmt: skip


@kernel
def compare_numbers(d: Dice) -> Call:
    return with_pairs(kernels.pairs.compare_numbers, d, ref_pairs.compare_numbers)


@kernel
def repeated_swaps(d: Dice) -> Call:
    return with_pairs(kernels.pairs.repeated_swaps, d, ref_pairs.repeated_swaps, max_cells=d.choice([0, 20, 10_000]))


@kernel
def added_only(d: Dice) -> Call:
    return with_pairs(kernels.pairs.added_only, d, ref_pairs.added_only)


@kernel
def replaced_words(d: Dice) -> Call:
    return with_pairs(kernels.pairs.replaced_words, d, ref_pairs.replaced_words, max_cells=d.choice([0, 20, 10_000]))


@kernel
def disjoint_places(d: Dice) -> Call:
    docs = d.ragged()
    names = [x for x in d.lists(3) if x]
    left, right = d.pairs(len(docs.offsets) - 1)
    lists = docs_of(docs)
    return Call(
        kernels.pairs.disjoint_places, {"docs": docs, "left": left, "right": right, "names": Ragged(*ragged_of(names)), "workers": 1},
        lambda out: out.tolist() == [ref_pairs.disjoint_places(lists[a], lists[b], names) for a, b in each_pair(left, right)],
    )  # fmt: skip


@kernel
def equal_runs(d: Dice) -> Call:
    a, b, ngram, shortest = d.tokens(30), d.tokens(30), d.randint(1, 4), d.randint(0, 4)
    return Call(
        kernels.align.equal_runs, {"left": np.array(a, np.uint32), "right": np.array(b, np.uint32), "ngram": ngram, "shortest": shortest},
        lambda out: list(map(tuple, out.tolist())) == ref_align.equal_runs(a, b, ngram, shortest),
    )  # fmt: skip


@kernel
def short_keys(d: Dice) -> Call:
    docs, common = d.ragged(), d.values(d.some(4), np.uint32)
    longest, lacking = d.choice([0, 5, 40]), d.choice([0, 1, 4, 60])
    known = set(common.tolist())
    return Call(
        kernels.features.short_keys, {"docs": docs, "common": common, "longest": longest, "lacking": lacking, "workers": 1},
        lambda out: [set(x) for x in parts(*out)] == [ref_features.short_keys(x, known, longest, lacking) for x in docs_of(docs)],
    )  # fmt: skip
