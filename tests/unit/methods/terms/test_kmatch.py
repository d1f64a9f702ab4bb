"""Covers: kmatch: noise words out, shingles of the others to meet, keywords to decide.

Compared against: worked examples, sets of words in plain Python, 1 - (1 - s^k)^l. Run: pytest tests/unit/methods/terms/test_kmatch.py
"""

import math
import random
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

import quchong as qc
from quchong import kernels
from quchong.api import fit_statistics
from quchong.engines.local.joins import meet
from quchong.errors import UsageError
from quchong.features.words import best_words, windows
from quchong.kernels.arrays import FeatureSets
from quchong.methods.terms.kmatch import KMatch
from quchong.seam import Documents, with_statistics
from quchong.similarity.paper_rules import set_evidence


def documents(*texts):
    return Documents.from_texts(pa.array(texts, pa.large_string()))


def evidence(method, texts, left=0, right=1):
    """The overlap of keywords, whether both would meet or not."""
    keywords = method.keyword_sets(method.without_noise(documents(*texts)))
    return float(set_evidence(keywords, np.array([left]), np.array([right]))["evidence"][0])


def test_only_a_pair_that_agrees_in_a_band_has_evidence():
    texts = ["a1 b1 c1 d1 e1 f1", "f1 e1 d1 c1 b1 a1", "a1 b1 c1 d1 e1 f1 g1"]
    method = KMatch(stop_words="none", min_features=1)
    found = method.evidence_of(documents(*texts), np.array([0, 0]), np.array([1, 2]))["evidence"]
    assert evidence(method, texts) == 1 and found[0] == 0  # the same words in another order
    assert found[1] == 1


def test_the_worked_example():
    """The best 2 of {rain 3, river 2, bank 1} and of {rain 2, river 1, town 2}: one in common."""
    texts = ["rain river rain bank rain river", "rain town rain town river"]
    plain = {"stop_words": "none", "min_features": 1}
    assert evidence(KMatch(keywords=2, **plain), texts) == 1 / 2
    assert evidence(KMatch(keywords=3, **plain), texts) == 2 / 3
    assert evidence(KMatch(keywords=20, **plain), texts) == 2 / 3


def test_noise_is_taken_out_before_shingles_are_made():
    """Words of every text lie below the band: what stood beside them become neighbours."""
    texts = [f"says {a} says {b} says" for a, b in ("xy", "yx", "zw", "vu", "ts", "rq", "po", "nm")]
    words = {"tokens": "word", "stop_words": "none", "min_features": 1}
    fitted = with_statistics(KMatch(idf_low=0.2, **words), documents(*texts))
    left = fitted.without_noise(documents(*texts))
    assert np.diff(left.offsets).tolist() == [2] * 8
    assert fitted.shingles(left).lengths.tolist() == [1] * 8
    whole = with_statistics(KMatch(idf_low=0.0, **words), documents(*texts)).without_noise(documents(*texts))
    assert np.diff(whole.offsets).tolist() == [5] * 8


def test_keywords_are_the_best_of_plain_python():
    rng = random.Random(2)
    vocabulary = [f"w{i}" for i in range(40)]
    texts = [" ".join(rng.choices(vocabulary, [1 / (i + 1) for i in range(40)], k=80)) for _ in range(12)]
    method = with_statistics(KMatch(stop_words="none", idf_low=0.0, keywords=7), documents(*texts))
    counts = [Counter(t.split()) for t in texts]
    df = Counter(w for c in counts for w in c)

    chosen = []
    for c in counts:
        weight = {w: n * (1 + math.log((len(texts) + 1) / (df[w] + 1))) for w, n in c.items()}
        ranked = sorted(weight, key=weight.__getitem__, reverse=True)
        tied = abs(weight[ranked[6]] - weight[ranked[7]]) < 1e-3  # the lower hash would decide
        chosen.append(None if tied else set(ranked[:7]))
    pairs = [(i, j) for i in range(12) for j in range(i) if chosen[i] and chosen[j]]
    assert len(pairs) > 10
    for i, j in pairs:
        assert evidence(method, texts, i, j) == pytest.approx(len(chosen[i] & chosen[j]) / 7)


def test_ties_go_to_the_lower_hash_whatever_the_order():
    sets = FeatureSets(np.array([5, 9, 2, 9], np.uint64), np.array([1, 1, 3, 3], np.uint32), np.array([0, 2, 4]))
    kept = best_words(sets, sets.weights.astype(float), 1)
    assert kept.values.tolist() == [5, 2] and kept.offsets.tolist() == [0, 1, 2]


def test_windows_are_runs_in_order():
    values, offsets = windows(np.array([1, 2, 3, 2, 1, 7], np.uint64), np.array([0, 3, 5, 6]), 2)
    assert offsets.tolist() == [0, 2, 3, 3]
    one, two, back = values.tolist()
    assert len({one, two, back}) == 3
    assert windows(np.array([1, 2], np.uint64), np.array([0, 2]), 2)[0].tolist() == [one]


@pytest.mark.parametrize(("shared", "of"), [(40, 120), (60, 120), (90, 120)])
def test_a_pair_meets_as_often_as_bands_say(shared, of):
    """Shingle Jaccard s of planted pairs: 1 - (1 - s^rows)^bands within four standard errors."""
    method, trials = KMatch(stop_words="none", idf_low=0.0, ngram_size=1, seed=3), 400
    texts = []
    for t in range(trials):
        common = [f"c{t}x{i}" for i in range(shared)]
        for side in "ab":
            texts.append(" ".join([*common, *(f"{side}{t}x{i}" for i in range((of - shared) // 2))]))
    found = documents(*texts)
    keys = method.sets_of(found)
    pairs = np.arange(0, 2 * trials, 2)
    met = int((kernels.sets.shared_sets(keys, pairs, pairs + 1)[1] > 0).sum()) / trials
    p = 1 - (1 - (shared / of) ** method.rows) ** method.bands
    assert abs(met - p) <= 4 * math.sqrt(p * (1 - p) / trials) + 1e-9


def test_who_met_is_held_to_the_threshold():
    found = documents(*[f"{'alpha beta gamma delta epsilon zeta ' * 3} n{i}" for i in range(4)])
    method = with_statistics(KMatch(stop_words="none", idf_low=0.0, keywords=3), found)
    met = meet(method.candidates, found, None, 0)
    assert len(met.left) == 6
    score = method.score(found, met.left, met.right)
    assert method.rule.floor(score).all() and set(method.rule.decide(score)[0]) == {"duplicate"}


def test_statistics_that_would_be_counted_can_be_given(edited, tmp_path):
    compared = [r for r in edited if r["id"][0] in "abc"]  # what exact classes leave
    path = fit_statistics(compared, method="kmatch").save(tmp_path / "df.parquet")
    counted, given = (qc.dedup(edited, method="kmatch", recall_sample=0, **o) for o in ({}, {"statistics": str(path)}))
    assert given.pairs.equals(counted.pairs) and len(counted.pairs) > 20
    assert given.manifest["config_hash"] == counted.manifest["config_hash"]
    with pytest.raises(UsageError, match="make new statistics"):
        KMatch(statistics=str(path), stop_words="none")


@pytest.mark.parametrize(
    "wrong",
    [{"keywords": 0}, {"idf_low": 0.9, "idf_high": 0.1}, {"rows": 200, "bands": 200}, {"tokens": "letters"}, {"stop_words": "zhx"},
     {"ngram_size": 0}, {"threshold": 0}, {"statistics": "nothing.parquet"}],
)  # fmt: skip
def test_what_cannot_be_used_is_refused(wrong):
    with pytest.raises((UsageError, qc.InputError)):
        KMatch(**wrong)
