"""Covers: bands of MinHash values of feature sets, the methods lsh, lsh-s and lsh-p.

Compared against: planted pairs and 1 - (1 - s^k)^l. Run: pytest tests/unit/methods.
"""

import numpy as np
import pyarrow as pa
import pytest

from quchong import kernels
from quchong.candidates import Bands
from quchong.candidates.keyed import rows_as_keys
from quchong.errors import UsageError
from quchong.methods.signatures.lsh import Lsh, LshP, LshS
from quchong.seam import Documents


def planted(shared, own, pairs, seed):
    """Pairs of sets with `shared` common hashes and `own` more on each side."""
    rng = np.random.default_rng(seed)
    draws = rng.integers(0, 2**63, (pairs, shared + 2 * own), dtype=np.uint64)
    both = np.concatenate([draws[:, : shared + own], draws[:, :shared], draws[:, shared + own :]], axis=1).reshape(-1)
    return kernels.sets.feature_sets(both, np.arange(2 * pairs + 1) * (shared + own))


def met(sets, rows=6, bands=32, seed=1, **how):
    mins = kernels.sketch.set_mins(sets, rows * bands, seed)
    keys = kernels.sets.feature_sets(*rows_as_keys(Bands(bands, rows).keys(mins), sets.lengths > 0))
    return kernels.sets.meet_sets(keys, 1e-9, **how)


@pytest.mark.parametrize(
    ("shared", "own", "theory"), [(60, 20, 0.783), (50, 25, 0.396), (70, 15, 0.982), (40, 30, 0.123)]
)
def test_planted_pairs_are_caught_as_the_theory_says(shared, own, theory):
    """Jaccard exactly 0.6 (0.5, 0.7, 0.4), 1,000 trials, k = 6, l = 32."""
    pairs = 1000
    found = met(planted(shared, own, pairs, 6))
    right = found.right[found.left + 1 == found.right]
    caught = (right % 2 == 1).sum() / pairs
    assert Bands(32, 6).recall(shared / (shared + 2 * own)) == pytest.approx(theory, abs=0.001)
    assert abs(caught - theory) < 0.05


def test_identical_sets_are_always_caught():
    found = met(planted(80, 0, 1000, 9))
    assert found.right.tolist() == list(range(1, 2000, 2))
    assert found.left.tolist() == list(range(0, 2000, 2))


def test_empty_sets_meet_nobody_and_scope_and_references_are_kept():
    sets = kernels.sets.feature_sets(np.array([5, 7, 5, 7, 5, 7], np.uint64), np.array([0, 0, 2, 2, 4, 6], np.int64))
    assert met(sets).left.tolist() == [1, 1, 3]
    assert met(sets, references=4).right.tolist() == [4, 4]
    assert met(sets, scope=np.array([0, 1, 0, 2, 1], np.uint64)).right.tolist() == [4]
    capped = met(sets, cap=1)
    assert capped.capped > 0 and capped.left.tolist() == [1, 1]


def test_what_each_compares():
    page = "市政府召开了新闻发布会。会议很成功。市长出席了会议。记者提出了问题。"
    other = page.replace("记者", "市民").replace("提出", "回答")
    documents = Documents.from_texts(pa.array([page, other, ""], pa.large_string()))
    left, right = np.array([0, 0, 2], np.uint32), np.array([1, 2, 2], np.uint32)
    periods = LshP().score(documents, left, right, 1)
    assert periods["evidence"].tolist() == [3 / 5, 0, 0]
    assert periods["features_left"].tolist() == [4, 4, 0]
    spots = LshS(antecedents="了", stop_words="none", chain=2, min_features=1).score(documents, left, right, 1)
    assert spots["evidence"].tolist() == [1, 0, 0]
    shingles = Lsh(ngram_size=2).score(documents, left, right, 1)
    a, b = ({t[i : i + 2] for i in range(len(t) - 1)} for t in (page.replace("。", ""), other.replace("。", "")))
    assert shingles["evidence"][0] == pytest.approx(len(a & b) / len(a | b))


def test_repeated_spots_count_as_often_as_they_stand_there():
    once, twice = "他是老师。" * 3, "他是老师。" * 6
    documents = Documents.from_texts(pa.array([once, twice], pa.large_string()))
    method = LshS(antecedents="是", stop_words="none", chain=2, min_features=1)
    found = method.evidence_of(documents, np.array([0]), np.array([1]))
    assert (found["features_left"][0], found["features_right"][0], found["evidence"][0]) == (3, 6, 0.5)


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        (Lsh, {"rows": 0}), (Lsh, {"rows": 100, "bands": 100}), (Lsh, {"min_features": 0}), (Lsh, {"seed": 2**64}),
        (Lsh, {"ngram_size": 0}), (LshS, {"chain": 0}), (LshP, {"tail": 0}), (LshP, {"threshold": 2}),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused(kind, wrong):
    with pytest.raises(UsageError):
        kind(**wrong)
