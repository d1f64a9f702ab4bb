"""Covers: scam: the relative frequency model, who meets, importance of words.

Compared against: worked examples, the definition in plain Python on every pair. Run: pytest tests/unit/methods/terms/test_scam.py
"""

import math
import random
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quchong as qc
from quchong import kernels
from quchong.api import fit_statistics
from quchong.engines.local.joins import meet
from quchong.errors import UsageError
from quchong.methods.terms.scam import Scam
from quchong.seam import Documents, with_statistics
from quchong.similarity.frequencies import subset_measures, widest_ratio

words = st.text("abcdef", max_size=25)


def by_definition(r, s, epsilon, importance=lambda w: 1):
    """subset(R, S) over words with their frequencies."""
    f, g = Counter(r), Counter(s)
    dot = sum(importance(w) * f[w] * g[w] for w in f.keys() & g.keys() if f[w] / g[w] + g[w] / f[w] < epsilon)
    norm = sum(importance(w) * n * n for w, n in f.items())
    return dot / norm if norm else 0.0


def heavy(word):
    return ord(word) % 7 + 1


def multisets(*documents):
    offsets = np.cumsum([0, *map(len, documents)]).astype(np.int64)
    return kernels.sets.feature_sets(
        np.array([ord(c) for d in documents for c in d], np.uint64), offsets, weighted=True
    )


@pytest.mark.parametrize(
    ("other", "there", "back"),
    [("ab", 2 / 3, 1), ("abc", 1, 1), ("abcdefgh", 1, 0.375), ("aab", 1 / 3, 0.2), ("aa", 0, 0), ("", 0, 0)],
)
def test_the_worked_example(other, there, back):
    """abc against others, epsilon 2.5: a word twice as frequent there does not count."""
    found = subset_measures(multisets("abc", other), np.array([0]), np.array([1]), 2.5)
    assert [float(x[0]) for x in found] == pytest.approx([there, back])
    assert widest_ratio(2.5) == 2.0


@settings(max_examples=150, deadline=None)
@given(st.lists(words, min_size=2, max_size=6), st.floats(2.01, 6))
def test_shares_are_those_of_the_definition(documents, epsilon):
    sets = multisets(*documents)
    importance = (sets.values % np.uint64(7) + np.uint64(1)).astype(np.uint32)
    n = len(documents)
    left, right = (x.ravel() for x in np.meshgrid(np.arange(n), np.arange(n)))
    there, back = subset_measures(sets, left, right, epsilon, importance)
    for i, (a, b) in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
        assert there[i] == pytest.approx(by_definition(documents[a], documents[b], epsilon, heavy))
        assert back[i] == pytest.approx(by_definition(documents[b], documents[a], epsilon, heavy))


def test_pairs_in_several_blocks_are_counted_as_in_one(monkeypatch):
    rng = random.Random(3)
    sets = multisets(*("".join(rng.choices("abcdefghij", k=rng.randrange(60))) for _ in range(30)))
    left, right = (x.ravel() for x in np.meshgrid(np.arange(30), np.arange(30)))
    whole = subset_measures(sets, left, right, 2.5)
    monkeypatch.setattr("quchong.similarity.frequencies.BLOCK", 7)
    assert all(np.array_equal(a, b) for a, b in zip(whole, subset_measures(sets, left, right, 2.5), strict=True))


def corpus(seed, n=80):
    rng = random.Random(seed)
    vocabulary = [f"w{i}" for i in range(60)]
    weights = [1 / (i + 1) for i in range(60)]
    texts = []
    for _ in range(n):
        if texts and rng.random() < 0.5:
            own = rng.choice(texts).split()
            own = [w for w in own if rng.random() < 0.85] + rng.choices(vocabulary, weights, k=rng.randrange(40))
        else:
            own = rng.choices(vocabulary, weights, k=rng.randrange(8, 90))
        texts.append(" ".join(own))
    return texts


@pytest.mark.parametrize("how", [{}, {"weights": "unit"}, {"epsilon": 4.0}, {"least": 0.3, "epsilon": 2.05}])
def test_every_pair_the_rule_accepts_meets(how):
    """Lossless: the share of squares that documents must have in common to meet is no more than any accepted pair has."""
    for seed in range(3):
        documents = Documents.from_texts(pa.array(corpus(seed), pa.large_string()))
        method = with_statistics(Scam(most=0, **how), documents)
        left, right = np.triu_indices(len(documents), 1)
        measures = method.evidence_of(documents, left, right)
        accepted = method.rule.floor(measures)
        met = meet(method.candidates, documents, None, 0)
        true = set(zip(left[accepted].tolist(), right[accepted].tolist(), strict=True))
        assert true <= set(zip(met.left.tolist(), met.right.tolist(), strict=True)) and len(true) > 10
        assert max(measures["covered_left"].max(), measures["covered_right"].max()) <= 1


def test_a_word_weighs_the_square_of_its_rarity():
    """Against plain Python: (1 + ln((N + 1) / (df + 1))) squared beside each square of a frequency."""
    texts = ["alpha alpha beta gamma", "alpha beta beta delta", "alpha gamma epsilon zeta", "alpha alpha eta theta"]
    documents = Documents.from_texts(pa.array(texts, pa.large_string()))
    method = with_statistics(Scam(min_features=1), documents)
    left, right = np.triu_indices(4, 1)
    found = method.evidence_of(documents, left, right)
    counted = [Counter(t.split()) for t in texts]
    df = Counter(w for c in counted for w in c)

    def weight(word):
        return (1 + math.log(5 / (df[word] + 1))) ** 2

    for k, (i, j) in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
        wanted = [min(1, by_definition(texts[a].split(), texts[b].split(), 2.5, weight)) for a, b in ((i, j), (j, i))]
        assert [found["covered_left"][k], found["covered_right"][k]] == pytest.approx(wanted, rel=0.01)


def test_common_words_decide_only_with_unit_weights():
    rng = random.Random(5)
    stop = "the of and to in a is that for it was on are as with his they at be this".split()
    rows = [
        {"id": f"t{i}", "text": " ".join(stop * 4 + [f"n{rng.randrange(10**6)}" for _ in range(60)])} for i in range(12)
    ]
    rows.append({"id": "u", "text": rows[0]["text"] + " and more"})
    unit, idf = (qc.dedup(rows, method="scam", weights=w, recall_sample=0) for w in ("unit", "idf"))
    assert len(unit.removed) == 12
    assert [(r["id"], r["survivor_id"]) for r in idf.ledger.to_pylist()] in ([("t0", "u")], [("u", "t0")])


def test_a_frequency_beyond_255_counts_as_it_is():
    """A word used 600 times in one text and 255 times in the other does not count: the ratio 2.35 is above 2."""
    own = " ".join(f"w{i}" for i in range(4))
    documents = Documents.from_texts(pa.array([f"{'b ' * n}{own}" for n in (600, 255, 400)], pa.large_string()))
    left, right = np.array([0, 0]), np.array([1, 2])
    found = Scam(weights="unit").evidence_of(documents, left, right)
    texts = [[*"b" * n, *own.split()] for n in (600, 255, 400)]
    wanted = [min(1, by_definition(texts[a], texts[b], 2.5)) for a, b in ((0, 1), (0, 2))]
    assert found["covered_left"].tolist() == pytest.approx(wanted) and wanted[0] < 1e-4 < 0.6 < wanted[1]


@pytest.mark.parametrize("how", [{"weights": "unit"}, {}])
def test_pairs_of_very_frequent_words_meet(how):
    """Squared frequencies beyond 32 bits: candidates are still those that the rule accepts."""
    rng = random.Random(8)
    texts = [
        " ".join(["b"] * rng.choice([60, 70_000, 80_000, 90_000]) + [f"n{rng.randrange(40)}" for _ in range(30)])
        for _ in range(12)
    ]
    documents = Documents.from_texts(pa.array(texts, pa.large_string()))
    method = with_statistics(Scam(most=0, **how), documents)
    left, right = np.triu_indices(12, 1)
    accepted = method.rule.floor(method.evidence_of(documents, left, right))
    met = meet(method.candidates, documents, None, 0)
    true = set(zip(left[accepted].tolist(), right[accepted].tolist(), strict=True))
    assert true <= set(zip(met.left.tolist(), met.right.tolist(), strict=True)) and len(true) > 10


def test_the_order_of_words_says_nothing_and_a_part_is_contained():
    rows = [
        {"id": "a", "text": "rain fell on the lower town for three days and nights until a river rose over its banks"}
    ]
    rows += [
        {"id": "b", "text": " ".join(reversed(rows[0]["text"].split()))},
        {"id": "c", "text": " ".join(rows[0]["text"].split()[:9])},
    ]
    found = qc.dedup(rows, method="scam", weights="unit", recall_sample=0)
    told = {(p["left_id"], p["right_id"]): p["relation"] for p in found.pairs.to_pylist()}
    assert told == {("a", "b"): "duplicate", ("a", "c"): "contains", ("b", "c"): "contains"}


def test_statistics_that_would_be_counted_can_be_given(edited, tmp_path):
    compared = [r for r in edited if r["id"][0] in "abc"]  # what exact classes leave
    path = fit_statistics(compared, method="scam").save(tmp_path / "df.parquet")
    counted, given_ = (qc.dedup(edited, method="scam", recall_sample=0, **o) for o in ({}, {"statistics": str(path)}))
    assert given_.pairs.equals(counted.pairs) and len(counted.pairs) > 20
    assert given_.manifest["config_hash"] == counted.manifest["config_hash"]


@pytest.mark.parametrize(
    "wrong",
    [{"epsilon": 2.0}, {"epsilon": 2000}, {"weights": "tf"}, {"weights": "unit", "statistics": "df.parquet"}, {"least": 0.9},
     {"min_features": 0}, {"threshold": 1.1}],
)  # fmt: skip
def test_what_cannot_be_used_is_refused(wrong):
    with pytest.raises(UsageError):
        Scam(**wrong)
