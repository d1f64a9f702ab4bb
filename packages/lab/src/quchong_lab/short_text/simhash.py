"""Gao 2014, section 5.2, and questions it leaves open: SimHash on short texts, its time, its recall by length, weights.

Source: Gao 2014, section 5.2, figure 6.
"""

from __future__ import annotations

import time
from math import comb
from typing import Any

import numpy as np
import pyarrow as pa

from quchong import kernels
from quchong.candidates import HammingIndex
from quchong.features.simhash import SimHash
from quchong.features.statistics import FeatureStatistics
from quchong.kernels.sketch import Signatures
from quchong.kernels.sorting import distinct
from quchong.text import form
from quchong_lab.cells import cell
from quchong_lab.experiment import Claim, Experiment, Findings, Plot, Scale
from quchong_lab.short_text.posts import edited, originals

DISTANCE = 4
"""The paper's threshold: fewer than 5 bits differ."""
ALL_PAIRS_UP_TO = 100_000
PLAIN = form("plain", "char")


def _documents(texts: pa.Array) -> kernels.arrays.Ragged:
    return kernels.text.tokenise(PLAIN, texts).docs


def _keys(left: np.ndarray, right: np.ndarray, count: int) -> np.ndarray:
    low, high = np.minimum(left, right).astype(np.int64), np.maximum(left, right).astype(np.int64)
    keys: np.ndarray = distinct(low * count + high)
    return keys


def _roads(count: int, seed: int) -> list[dict[str, Any]]:
    """Return the seconds of each search algorithm over `count` texts."""
    rows: list[dict[str, Any]] = []
    texts = edited(count, 0.3, seed).texts
    start = time.perf_counter()
    signatures = SimHash(bits=64, ngram=2).sign(_documents(texts))
    signing = time.perf_counter() - start
    every: np.ndarray | None = None
    for road in ("all pairs", "5 blocks", "6 blocks", "7 blocks"):
        if road == "all pairs" and count > ALL_PAIRS_UP_TO:
            continue
        index = HammingIndex(bits=64, distance=DISTANCE, blocks=None if road == "all pairs" else int(road[0]))
        start = time.perf_counter()
        found = index.pairs(signatures, all_pairs=road == "all pairs")
        seconds = time.perf_counter() - start
        keys = _keys(found.left, found.right, count)
        every = keys if road == "all pairs" else every
        rows.append(
            {
                "texts": count, "road": road, "sign_seconds": signing, "pair_seconds": seconds, "pairs": len(keys),
                "missing": None if every is None else len(np.setdiff1d(every, keys)),
            }
        )  # fmt: skip
    return rows


def _pair_time(scale: Scale, seed: int) -> Findings:
    sizes = {
        "quick": [100, 500],
        "paper": [100, 500, 1_000, 2_000, 10_000],
        "full": [100, 500, 1_000, 2_000, 10_000, 100_000, 1_000_000],
    }[scale]
    rows: list[dict[str, Any]] = []
    for count in sizes:
        rows += cell(f"{count}", _roads, count, seed)
    lost = sum(row["missing"] or 0 for row in rows)
    timed = {(row["texts"], row["road"]): row["pair_seconds"] for row in rows}
    largest = max(count for count, road in timed if road == "all pairs")
    best = min((seconds, road) for (count, road), seconds in timed.items() if count == largest and road != "all pairs")
    return Findings(
        pa.Table.from_pylist(rows),
        (
            f"Pairs the block tables miss: {lost}.",
            f"At {largest:,} texts comparing all pairs takes {timed[largest, 'all pairs'] / best[0]:.1f} times as long as {best[1]}.",
        ),
    )


def chance_of_a_flip(features: int, changed: int) -> float:
    """Return the probability that a bit of the signature changes when `changed` of `features` features of weight 1 do.

    Assumes ideal hashing: the counter is a sum of independent signs; the bit is 1 if it is positive, 0 at a tie.
    """

    def signs(count: int) -> tuple[np.ndarray, np.ndarray]:
        ways = np.array([comb(count, k) / 2**count for k in range(count + 1)])
        return np.arange(-count, count + 1, 2), ways

    common, weight = signs(features - changed)
    own, chance = signs(changed)
    positive = common[:, None] + own[None, :] > 0
    share = (positive * chance).sum(1)
    return float((weight * 2 * share * (1 - share)).sum())


def chance_of_being_caught(features: int, changed: int, distance: int = DISTANCE, bits: int = 64) -> float:
    """Return the probability that at most `distance` of `bits` independent bits change."""
    p = chance_of_a_flip(features, changed)
    return sum(comb(bits, k) * p**k * (1 - p) ** (bits - k) for k in range(distance + 1))


def caught_in_theory(length: int, ngram: int) -> float:
    """Return the probability that a text is found again after one character at a random position is replaced."""
    features = length - ngram + 1
    covering = [min(at, length - ngram) - max(0, at - ngram + 1) + 1 for at in range(length)]
    return sum(chance_of_being_caught(features, n) * covering.count(n) for n in set(covering)) / length


def _caught(trials: int, ngram: int, length: int, seed: int) -> dict[str, Any]:
    """Measure how often texts of this length are found again after one character is replaced."""
    texts = originals(trials, seed + length, length, length)
    fresh = originals(trials, seed + 1_000 + length, 1, 1).to_pylist()
    rng = np.random.default_rng(seed)
    changed = []
    for text, new in zip(texts.to_pylist(), fresh, strict=True):
        at = int(rng.integers(length))
        changed.append(text[:at] + new + text[at + 1 :])
    both = pa.concat_arrays([texts, pa.array(changed, pa.large_string())])
    signatures = SimHash(bits=64, ngram=ngram).sign(_documents(both))
    apart = signatures.distances(np.arange(trials), np.arange(trials, 2 * trials))
    return {
        "shingle": ngram, "length": length, "mean_distance": float(apart.mean()),
        "caught": float((apart <= DISTANCE).mean()), "theory": caught_in_theory(length, ngram),
    }  # fmt: skip


def _recall_by_length(scale: Scale, seed: int) -> Findings:
    trials = 200 if scale == "quick" else 5_000 if scale == "paper" else 50_000
    rows: list[dict[str, Any]] = []
    for ngram in (2, 3):
        for length in (10, 20, 30, 50, 70, 100, 140, 200, 300, 500):
            rows.append(cell(f"{ngram} {length}", _caught, trials, ngram, length, seed))
    return Findings(
        pa.Table.from_pylist(rows),
        (
            "One character is replaced, anywhere; caught: fewer than 5 of 64 bits differ. Theory: ideal hashing, every "
            "shingle once; real texts repeat shingles.",
        ),
    )


def _scores(signatures: Signatures, origin: np.ndarray, distance: int) -> dict[str, Any]:
    found = HammingIndex(bits=64, distance=distance).pairs(signatures)
    keys = _keys(found.left, found.right, len(origin))
    right = int((origin[keys // len(origin)] == origin[keys % len(origin)]).sum())
    _, sizes = np.unique(origin, return_counts=True)
    true = int((sizes * (sizes - 1) // 2).sum())
    precision, recall = right / max(len(keys), 1), right / max(true, 1)
    return {
        "pairs": len(keys), "precision": precision, "recall": recall,
        "f1": 2 * precision * recall / max(precision + recall, 1e-12),
    }  # fmt: skip


def _weights(scale: Scale, seed: int) -> Findings:
    count = 2_000 if scale == "quick" else 50_000 if scale == "paper" else 200_000
    made = edited(count, 0.3, seed)
    docs = _documents(made.texts)
    rows: list[dict[str, Any]] = []
    for weights in ("unit", "idf"):
        signatures = SimHash(statistics=FeatureStatistics.fit([docs], 2) if weights == "idf" else None).sign(docs)
        for distance in (2, 3, 4, 6, 8, 10):
            rows.append(
                {
                    "weights": weights,
                    "distance": distance,
                    **cell(f"{weights} {distance}", _scores, signatures, made.origin, distance),
                }
            )
    best = {w: max((r for r in rows if r["weights"] == w), key=lambda r: float(r["f1"])) for w in ("unit", "idf")}
    return Findings(
        pa.Table.from_pylist(rows),
        tuple(f"Best F1, {w} weights: {float(r['f1']):.3f} at distance {r['distance']}." for w, r in best.items()),
    )


SIMHASH_TIME = Experiment(
    "short-text/simhash-time",
    "SimHash: all pairs against permuted block tables",
    "Gao 2014, 5.2, figure 6",
    (
        Claim("5.2", "64 bits, distance < 5, no weights, n = 100", "about 2 s", "all pairs, on a machine of 2013"),
        Claim(
            "5.2", "the same, n = 1,000", "about 1 min", "30 times as long for 10 times as many: less than n squared"
        ),
    ),
    (
        Plot(
            "texts",
            "pair_seconds",
            ("road",),
            log_x=True,
            log_y=True,
            paper=((100, 2.0, "n = 100"), (1_000, 60.0, "n = 1,000")),
        ),
    ),
    _pair_time,
)
SIMHASH_RECALL = Experiment(
    "short-text/simhash-recall",
    "SimHash: how often a text with one character replaced is caught, by length",
    "Gao 2014, 4.3 (threshold 5), not measured there",
    (
        Claim("4.3", "threshold 5", "nothing: the paper gives no recall",
              "the column theory is ours: ideal hashing, every shingle once"),
    ),
    (Plot("length", "caught", ("shingle",)),),
    _recall_by_length,
)  # fmt: skip
SIMHASH_WEIGHTS = Experiment(
    "short-text/simhash-weights",
    "SimHash: unit against IDF weights",
    "Gao 2014, 6 (left as future work)",
    (Claim("6", "weights from a corpus", "left to those who follow", "no figure to compare with"),),
    (Plot("recall", "precision", ("weights",)),),
    _weights,
)
