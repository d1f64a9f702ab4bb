"""Covers: dscam: summaries of databases, the bound, the pairs of scam.

Compared against: the worked example, the greater share of every document of a database, scam. Run: pytest tests/unit/methods/terms/test_dscam.py
"""

import random

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quchong as qc
from quchong import kernels
from quchong.engines.local.joins import meet
from quchong.errors import UsageError
from quchong.methods.terms.dscam import Dscam
from quchong.methods.terms.scam import Scam
from quchong.seam import Documents, with_statistics
from quchong.similarity.databases import Summaries, greater_shares
from quchong.similarity.frequencies import subset_measures

words = st.text("abcdef", max_size=20)


def multisets(*documents):
    offsets = np.cumsum([0, *map(len, documents)]).astype(np.int64)
    return kernels.sets.feature_sets(
        np.array([ord(c) for d in documents for c in d], np.uint64), offsets, weighted=True
    )


def bounds(sets, database, importance, epsilon):
    made = Summaries.from_sets(sets, database, importance)
    out = np.zeros((len(sets), len(made)))
    for piece, bound in made.bounds(sets, importance, epsilon):
        out[piece] = bound
    return out


def test_the_worked_example():
    """Database 0: aab and abb; 1: cc. For abc only a and b of 0 are near (c stands twice in 1): u = 1 * 2 + 1 * 2."""
    sets = multisets("aab", "abb", "cc", "abc")
    one = np.ones(len(sets.values), np.uint32)
    made = Summaries.from_sets(sets, np.array([0, 0, 1, 2]), one)
    assert [made.least[:2].tolist(), made.most[:2].tolist(), made.documents[:2].tolist()] == [[1, 1], [2, 1], [2, 1]]
    assert made.norm.tolist() == [5, 4, 3]
    bound = bounds(sets, np.array([0, 0, 1, 2]), one, 2.5)
    assert bound[3].tolist() == [1.0, 0.0, 1.0]  # (2 + 2) / 3 and (2 + 2) / 5; c cannot count; itself
    assert bound[2].tolist() == [0.0, 1.0, 0.0]


@settings(max_examples=150, deadline=None)
@given(st.lists(words, min_size=2, max_size=9), st.floats(2.01, 6), st.randoms())
def test_no_share_is_above_its_bound(documents, epsilon, rng):
    sets = multisets(*documents)
    importance = (sets.values % np.uint64(7) + np.uint64(1)).astype(np.uint32)
    database = np.unique([rng.randrange(3) for _ in documents], return_inverse=True)[1]
    bound = bounds(sets, database, importance, epsilon)
    left, right = (x.ravel() for x in np.meshgrid(np.arange(len(sets)), np.arange(len(sets))))
    there, back = subset_measures(sets, left, right, epsilon, importance)
    greatest = np.minimum(1, np.maximum(there, back))
    assert (greatest <= bound[left, database[right]] + 1e-9).all()
    assert (greatest <= bound[right, database[left]] + 1e-9).all()


@settings(max_examples=80, deadline=None)
@given(st.lists(words, min_size=2, max_size=8), st.floats(2.01, 6), st.randoms())
def test_what_a_database_answers_is_the_greater_share(documents, epsilon, rng):
    sets = multisets(*documents)
    importance = (sets.values % np.uint64(7) + np.uint64(1)).astype(np.uint32)
    database = np.array([rng.randrange(3) for _ in documents])
    queries, asked = (x.ravel() for x in np.meshgrid(np.arange(len(sets)), np.unique(database)))
    found = {}
    for left, right, share in greater_shares(sets, database, importance, epsilon, queries, asked):
        found |= {(a, b): s for a, b, s in zip(left.tolist(), right.tolist(), share.tolist(), strict=True)}
    left, right = np.triu_indices(len(sets), 1)
    there, back = subset_measures(sets, left, right, epsilon, importance)
    true = {
        (a, b): s for a, b, s in zip(left.tolist(), right.tolist(), np.maximum(there, back).tolist(), strict=True) if s
    }
    assert found == pytest.approx(true)


def corpus(seed, subjects=6, n=120):
    """Documents of several subjects, copies among them on any site; sites keep to a subject."""
    rng = random.Random(seed)
    rows = []
    for i in range(n):
        subject = rng.randrange(subjects)
        vocabulary = [f"s{subject}w{k}" for k in range(60)] + [f"all{k}" for k in range(8)]
        own = rng.choices(vocabulary, k=rng.randrange(8, 60))
        if rows and rng.random() < 0.3:
            source = rng.choice(rows)
            own = [w for w in source["text"].split() if rng.random() < 0.9] + rng.choices(vocabulary, k=3)
            subject = source["subject"] if rng.random() < 0.8 else subject
        rows.append(
            {"id": f"r{i:03}", "text": " ".join(own), "site": f"{subject}-{rng.randrange(4)}", "subject": subject}
        )
    return rows


def documents_of(rows):
    site = pa.array([r["site"] for r in rows], pa.large_string())
    return Documents.from_texts(pa.array([r["text"] for r in rows], pa.large_string()), site=site)


@pytest.mark.parametrize("how", [{}, {"weights": "unit"}, {"least": 0.3, "epsilon": 4.0}])
def test_no_pair_of_scam_is_lost_and_most_sites_are_not_asked(how):
    for seed in range(3):
        documents = documents_of(corpus(seed))
        method, other = (with_statistics(kind(most=0, **how), documents) for kind in (Dscam, Scam))
        left, right = np.triu_indices(len(documents), 1)
        measures = other.evidence_of(documents, left, right)
        accepted = other.rule.floor(measures)
        true = set(zip(left[accepted].tolist(), right[accepted].tolist(), strict=True))
        met = meet(method.candidates, documents, None, 0)
        assert set(zip(met.left.tolist(), met.right.tolist(), strict=True)) == true and len(true) > 15
        who, _ = method.destinations(documents)
        databases = len(set(method.databases(documents)))
        assert len(who) < 0.4 * len(documents) * databases


def test_a_run_gives_the_pairs_of_scam():
    rows = corpus(8)
    tables = [qc.dedup(rows, method=m, recall_sample=0, weights="unit").pairs for m in ("scam", "dscam")]
    columns = ["left_id", "right_id", "relation", "evidence", "covered_left", "covered_right"]
    assert tables[0].select(columns).equals(tables[1].select(columns)) and len(tables[0]) > 15


def test_pieces_change_nothing(monkeypatch):
    documents = documents_of(corpus(4))
    method = Dscam(weights="unit", least=0.3)
    whole = meet(method.candidates, documents, None, 0)
    monkeypatch.setattr("quchong.similarity.databases.BLOCK", 50)
    again = meet(method.candidates, documents, None, 0)
    pairs = [sorted(zip(m.left.tolist(), m.right.tolist(), strict=True)) for m in (whole, again)]
    assert pairs[0] == pairs[1] and pairs[0]


def test_documents_without_a_site_are_one_database():
    rows = [{"id": str(i), "text": " ".join(f"w{k}" for k in range(i, i + 30))} for i in range(4)]
    assert len(qc.dedup(rows, method="dscam", weights="unit", recall_sample=0).removed) == 3


def test_spark_refuses_it():
    from quchong.engines.spark.dedup import check
    from quchong.plan.request import make_plan

    with pytest.raises(UsageError, match="one machine only"):
        check(make_plan(method="dscam", id="id"))


@pytest.mark.parametrize("wrong", [{"cap": 5}, {"epsilon": 2.0}, {"weights": "tf"}, {"least": 0.9}])
def test_what_cannot_be_used_is_refused(wrong):
    with pytest.raises(UsageError):
        Dscam(**wrong)
