"""Arguments of the kernels of sets and their joins."""

from __future__ import annotations

from typing import Any

import numpy as np
from dice import Dice, ragged_of
from twins import features as ref_features
from twins import join as ref_join
from twins import sets as ref_sets
from twins import sketch as ref_sketch

from kernel_arguments.call import Call, bags_of, codes, docs_of, each_pair, feature_bags, kernel, parts, scope_list
from quchong import kernels
from quchong.kernels.join import OrderedSets


@kernel
def feature_sets(d: Dice) -> Call:
    bags = d.bags()
    values, offsets = ragged_of(bags, np.uint64)
    return Call(
        kernels.sets.feature_sets, {"values": values, "offsets": offsets, "weighted": True, "workers": 1},
        lambda out: bags_of(out) == ref_sets.feature_sets(bags),
    )  # fmt: skip


@kernel
def shared_sets(d: Dice) -> Call:
    sets = feature_bags(d)
    left, right = d.pairs(len(sets))
    bags = bags_of(sets)
    return Call(
        kernels.sets.shared_sets, {"sets": sets, "left": left, "right": right, "workers": 1},
        lambda out: each_pair(*out) == [ref_sets.shared_sets(bags[a], bags[b]) for a, b in each_pair(left, right)],
    )  # fmt: skip


@kernel
def meet_sets(d: Dice) -> Call:
    sets = feature_bags(d)
    n, threshold, jaccard, least = len(sets), d.choice([0.05, 0.3, 0.5, 0.8, 1.0]), d.random() < 0.5, d.randint(1, 3)
    scope, references, cap = codes(d, n), d.randint(0, n), d.choice([None, None, 1, 3])
    most = d.choice([0, 0, 1, 3])

    def wanted() -> Any:
        return ref_sets.meet_sets(bags_of(sets), threshold, jaccard, least, scope_list(scope, n), references)

    return Call(
        kernels.sets.meet_sets,
        {"sets": sets, "threshold": threshold, "jaccard": jaccard, "min_shared": least, "cap": cap, "scope": scope,
         "references": references, "most": most, "workers": 1},
        None if cap or most else lambda out: each_pair(out.left, out.right) == wanted(),
    )  # fmt: skip


@kernel
def meet_contained(d: Dice) -> Call:
    sets = feature_bags(d)
    n, threshold = len(sets), d.choice([0.05, 0.3, 0.5, 0.8, 1.0])
    scope, references, cap = codes(d, n), d.randint(0, n), d.choice([None, None, 1, 3])

    def wanted() -> Any:
        return ref_sets.meet_contained(bags_of(sets), threshold, scope_list(scope, n), references)

    return Call(
        kernels.sets.meet_contained,
        {"sets": sets, "threshold": threshold, "cap": cap, "scope": scope, "references": references, "workers": 1},
        None if cap else lambda out: each_pair(out.left, out.right) == wanted(),
    )  # fmt: skip


@kernel
def meet_spots(d: Dice) -> Call:
    sets = feature_bags(d)
    n, threshold = len(sets), d.choice([0.3, 0.44, 0.5, 0.85, 1.0])
    scope, references, cap = codes(d, n), d.randint(0, n), d.choice([None, None, 1, 3])

    def wanted() -> Any:
        return ref_sets.meet_spots(bags_of(sets), threshold, scope_list(scope, n), references)

    paper = d.random() < 0.3
    return Call(
        kernels.sets.meet_spots,
        {"sets": sets, "threshold": threshold, "ends": [], "paper": paper, "cap": cap, "scope": scope, "references": references,
         "workers": 1},
        None if cap or paper else lambda out: each_pair(out.left, out.right) == wanted(),
    )  # fmt: skip


def _records(d: Dice) -> tuple[OrderedSets, list[list[int]]]:
    records = kernels.join.order_sets(feature_bags(d), workers=1)
    return records, parts(records.tokens, records.offsets)


@kernel
def count_tokens(d: Dice) -> Call:
    sets, least = feature_bags(d), d.randint(1, 3)
    return Call(
        kernels.join.count_tokens, {"sets": sets, "least": least, "workers": 1},
        lambda out: each_pair(*out) == ref_join.count_tokens([set(b) for b in bags_of(sets)], least),
    )  # fmt: skip


@kernel
def order_sets(d: Dice) -> Call:
    sets = feature_bags(d)
    known = None
    if d.random() < 0.3:
        values = np.array(sorted({d.randrange(9) for _ in range(4)}), np.uint64)
        known = (values, np.array([d.randint(0, 5) for _ in values], np.uint32))
    twin = None if known is None else dict(zip(*(k.tolist() for k in known), strict=True))
    return Call(
        kernels.join.order_sets, {"sets": sets, "known": known, "workers": 1, "wave": d.choice([1, 5, 1 << 20])},
        lambda out: parts(out.tokens, out.offsets) == ref_join.order_sets([set(b) for b in bags_of(sets)], twin),
    )  # fmt: skip


@kernel
def join_sets(d: Dice) -> Call:
    records, lists = _records(d)
    n, threshold, depth, least = len(lists), d.choice([0.05, 0.3, 0.5, 0.8, 1.0]), d.randint(0, 3), d.randint(1, 3)
    scope, references = codes(d, n), d.randint(0, n)

    def wanted() -> Any:
        return ref_join.brute_force(lists, threshold, least, None if scope is None else scope.tolist(), references)

    return Call(
        kernels.join.join_sets,
        {"records": records, "threshold": threshold, "suffix_depth": depth, "min_size": least, "scope": scope,
         "references": references, "workers": 1},
        lambda out: each_pair(out.left, out.right) == wanted(),
    )  # fmt: skip


@kernel
def screen_pairs(d: Dice) -> Call:
    records, lists = _records(d)
    left, right = d.pairs(len(lists))
    threshold, depth = d.choice([0.05, 0.3, 0.5, 0.8, 1.0]), d.randint(0, 3)

    def right_one(out: Any) -> bool:
        first = [
            None if f == kernels.join.NO_TOKEN else lists[a][f]
            for a, f in zip(left.tolist(), out.first.tolist(), strict=True)
        ]
        found = list(zip([kernels.join.STAGES[s] for s in out.stage.tolist()], first, strict=True))
        return found == ref_join.screen_pairs(lists, each_pair(left, right), threshold, depth)

    apart = not (left == right).any() and not any(not lists[i] for i in {*left.tolist(), *right.tolist()})
    return Call(
        kernels.join.screen_pairs,
        {"records": records, "left": left, "right": right, "threshold": threshold, "suffix_depth": depth, "min_size": 1, "workers": 1},
        right_one if apart and (left < right).all() else None,
    )  # fmt: skip


@kernel
def path_sets(d: Dice) -> Call:
    docs = d.names()
    sentence = np.array(d.choices((0, 0, 1), k=len(docs.tokens)), np.uint32)
    weight, depth = np.array([d.randint(0, 9) for _ in sentence], np.uint32), d.randint(1, 6)
    columns = [parts(c, docs.offsets) for c in (docs.tokens, sentence, weight)]
    return Call(
        kernels.features.path_sets, {"docs": docs, "sentence": sentence, "weight": weight, "depth": depth, "workers": 1},
        lambda out: bags_of(out) == [ref_features.path_sets(*one, depth) for one in zip(*columns, strict=True)],
    )  # fmt: skip


@kernel
def ragged_shingles(d: Dice) -> Call:
    docs, ngram = d.choice([d.ragged, d.names])(), d.choice([1, 2, 5, 63])
    return Call(
        kernels.features.ragged_shingles, {"docs": docs, "ngram": ngram, "workers": 1},
        lambda out: parts(*out) == ref_features.ragged_shingles(docs_of(docs), ngram),
    )  # fmt: skip


@kernel
def set_mins(d: Dice) -> Call:
    sets, many, seed = feature_bags(d), d.choice([1, 8, 17, 64]), d.getrandbits(64)
    return Call(
        kernels.sketch.set_mins, {"sets": sets, "num_perm": many, "seed": seed, "workers": 1},
        lambda out: out.tolist() == [ref_sketch.set_mins(v, many, seed) for v in parts(sets.values, sets.offsets)],
    )  # fmt: skip
