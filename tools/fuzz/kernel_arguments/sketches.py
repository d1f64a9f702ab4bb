"""Arguments of the kernels of MinHash and SimHash, of Hamming distances and weighted vectors."""

from __future__ import annotations

from typing import Any

import numpy as np
from dice import Dice, ragged_of
from twins import sets as ref_sets
from twins import sketch as ref_sketch

from kernel_arguments.call import Call, codes, docs_of, each_pair, forms, idf, kernel, marks
from quchong import kernels
from quchong.kernels.arrays import Ragged
from quchong.kernels.sets import Vectors


@kernel
def k_mins(d: Dice) -> Call:
    docs, ngram, many, seed = d.ragged(), d.randint(1, 5), d.choice([1, 8, 17, 64]), d.getrandbits(64)
    return Call(
        kernels.sketch.k_mins, {"docs": docs, "ngram": ngram, "num_perm": many, "seed": seed, "workers": 1},
        lambda out: out.tolist() == [ref_sketch.k_mins(x, ngram, many, seed) for x in docs_of(docs)],
    )  # fmt: skip


@kernel
def one_permutation(d: Dice) -> Call:
    docs, ngram, many, seed = d.ragged(), d.randint(1, 5), d.choice([1, 8, 17, 64]), d.getrandbits(64)
    return Call(
        kernels.sketch.one_permutation, {"docs": docs, "ngram": ngram, "num_perm": many, "seed": seed, "workers": 1},
        lambda out: out.tolist() == [ref_sketch.one_permutation(x, ngram, many, seed) for x in docs_of(docs)],
    )  # fmt: skip


@kernel
def band_keys(d: Dice) -> Call:
    n, bands, rows = d.some(4), d.randint(1, 4), d.randint(1, 4)
    signatures = (
        d.values(n * (bands * rows + 1), np.uint32).reshape(n, -1) if n else np.zeros((0, bands * rows), np.uint32)
    )
    return Call(
        kernels.sketch.band_keys, {"signatures": signatures, "bands": bands, "rows": rows, "workers": 1},
        lambda out: out.tolist() == [ref_sketch.band_keys(s, bands, rows) for s in signatures.tolist()],
    )  # fmt: skip


@kernel
def feature_weights(d: Dice) -> Call:
    n = d.some(20)

    def used(features: Any, weights: Any, unknown: Any) -> Any:
        return kernels.sketch.simhash(
            Ragged(np.arange(9, dtype=np.uint32), np.array([0, 9])),
            2,
            64,
            kernels.sketch.feature_weights(features, weights, unknown),
            1,
        )

    return Call(used, {"features": d.values(n), "weights": d.values(n, np.uint32), "unknown": d.randint(0, 9)})


@kernel
def simhash(d: Dice) -> Call:
    docs, ngram, bits = d.choice([d.ragged, d.names])(), d.randint(1, 4), d.choice([64, 128])
    return Call(
        kernels.sketch.simhash, {"docs": docs, "ngram": ngram, "bits": bits, "weights": d.choice([None, idf()]), "workers": 1}, None
    ) if d.random() < 0.5 else Call(
        kernels.sketch.simhash, {"docs": docs, "ngram": ngram, "bits": bits, "workers": 1},
        lambda out: out.tolist() == [ref_sketch.simhash(x, ngram, bits) for x in docs_of(docs)],
    )  # fmt: skip


@kernel
def simhash_texts(d: Dice) -> Call:
    return Call(kernels.sketch.simhash_texts, {
        "form": d.choice(forms()), "texts": d.texts(), "ngram": d.randint(1, 4), "bits": d.choice([64, 128]),
        "weights": d.choice([None, idf()]), "workers": 1,
    })  # fmt: skip


@kernel
def count_features(d: Dice) -> Call:
    docs, ngram = d.choice([d.ragged, d.names])(), d.randint(1, 4)
    return Call(
        kernels.sketch.count_features, {"docs": docs, "ngram": ngram, "workers": 1},
        lambda out: each_pair(*out) == ref_sketch.count_features(docs_of(docs), ngram),
    )  # fmt: skip


def _signatures(d: Dice, most: int = 8) -> np.ndarray:
    n, width = d.some(most), d.randint(1, 2)
    base = d.getrandbits(64)
    words = [
        base ^ (1 << d.randrange(64)) ^ (1 << d.randrange(64)) if d.random() < 0.8 else d.getrandbits(64)
        for _ in range(n * width)
    ]
    return np.array(words, np.uint64).reshape(n, width)


@kernel
def hamming_distances(d: Dice) -> Call:
    words = _signatures(d)
    left, right = d.pairs(len(words))
    rows = words.tolist()
    return Call(
        kernels.sketch.hamming_distances, {"words": words, "left": left, "right": right, "workers": 1},
        lambda out: out.tolist() == [ref_sketch.hamming_distances(rows[a], rows[b]) for a, b in each_pair(left, right)],
    )  # fmt: skip


@kernel
def hamming_pairs(d: Dice) -> Call:
    words = _signatures(d)
    n, distance = len(words), d.randint(0, 4)
    blocks, cap, references = d.choice([0, distance + 1, distance + 3]), d.choice([0, 0, 1, 3]), d.randint(0, n)
    defined, scope = marks(d, n), codes(d, n)

    def wanted() -> Any:
        return ref_sketch.hamming_pairs(
            words.tolist(), distance, defined=None if defined is None else [bool(x) for x in defined],
            scope=None if scope is None else scope.tolist(), references=references,
        )  # fmt: skip

    return Call(
        kernels.sketch.hamming_pairs,
        {"words": words, "distance": distance, "blocks": blocks, "defined": defined, "scope": scope, "cap": cap,
         "references": references, "split": d.choice([2, 256]), "leaders": d.choice([1, 1024]), "workers": 1},
        None if cap else lambda out: list(zip(out.left.tolist(), out.right.tolist(), out.distance.tolist(), strict=True)) == wanted(),
    )  # fmt: skip


def _vectors(d: Dice) -> tuple[Vectors, list[dict[int, float]]]:
    bags = [
        {t: float(d.randint(1, 9)) for t in sorted({d.randrange(9) for _ in range(d.some(6))})}
        for _ in range(d.some(6))
    ]
    values, offsets = ragged_of([list(b) for b in bags], np.uint64)
    weights = np.array([w for b in bags for w in b.values()], np.float64)
    return kernels.sets.unit_vectors(values, weights, offsets), bags


@kernel
def unit_vectors(d: Dice) -> Call:
    _, bags = _vectors(d)
    values, offsets = ragged_of([list(b) for b in bags], np.uint64)
    weights = np.array([w for b in bags for w in b.values()], np.float64)
    return Call(kernels.sets.unit_vectors, {"values": values, "weights": weights, "offsets": offsets})


@kernel
def dots(d: Dice) -> Call:
    vectors, bags = _vectors(d)
    left, right = d.pairs(len(bags))
    units = [ref_sets.unit_vector(b) for b in bags]
    return Call(
        kernels.sets.dots, {"vectors": vectors, "left": left, "right": right, "workers": 1},
        lambda out: np.allclose(out, [ref_sets.dot(units[a], units[b]) for a, b in each_pair(left, right)]),
    )  # fmt: skip


@kernel
def single_pass(d: Dice) -> Call:
    vectors, bags = _vectors(d)
    return Call(
        kernels.sets.single_pass,
        {"vectors": vectors, "threshold": d.choice([0.2, 0.5, 0.9, 1.0]), "scope": codes(d, len(bags))},
    )
