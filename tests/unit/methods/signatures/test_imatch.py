"""Covers: signatures of sets, lexicon randomisation, idf bands, the methods imatch, imatch-s and imatch-p.

Compared against: worked examples, plain Python, 1 - (1 - p^d)^K. Run: pytest tests/unit/methods.
"""

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins.hashing import mix64 as mix64_twin

import quchong as qc
from quchong import kernels
from quchong.engines.local.joins import meet
from quchong.errors import UsageError
from quchong.features.set_signature import SetSignature
from quchong.kernels.hashing import mix64
from quchong.methods.signatures.imatch import IMatch, IMatchP, IMatchRandom, IMatchS
from quchong.seam import Documents, with_statistics

EXAMPLE = ["the cat sat mat", "the mat cat sat", "the cat sat mat dog"]


def agreeing(method, texts):
    documents = Documents.from_texts(pa.array(texts, pa.large_string()))
    fitted = with_statistics(method, documents)
    left, right = np.triu_indices(len(texts), 1)
    found = fitted.evidence_of(documents, left, right)["evidence"]
    pairs = meet(fitted.candidates, documents, None, 0)
    assert {(a, b) for a, b, e in zip(left, right, found, strict=True) if e} == set(
        zip(pairs.left, pairs.right, strict=True)
    )
    return {(int(a), int(b)): int(e) for a, b, e in zip(left, right, found, strict=True)}


def test_the_worked_example():
    wide = IMatch(idf_low=0.1, idf_high=0.9)
    assert agreeing(wide, EXAMPLE) == {(0, 1): 1, (0, 2): 1, (1, 2): 1}
    with_rare = IMatch(idf_low=0.1, idf_high=1.0)
    assert agreeing(with_rare, EXAMPLE) == {(0, 1): 1, (0, 2): 0, (1, 2): 0}


def test_too_few_terms_make_no_signature():
    assert agreeing(IMatch(idf_low=0.1, idf_high=0.9, min_terms=5), EXAMPLE) == {(0, 1): 0, (0, 2): 0, (1, 2): 0}
    # Four of 44 terms are in the lexicon: 0.09 of them.
    rare = [" ".join(f"w{i}x{k}" for k in range(40)) for i in range(3)]
    texts = [f"{common} {r}" for common, r in zip(EXAMPLE, rare, strict=True)]
    assert set(agreeing(IMatch(idf_low=0.1, idf_high=0.9), texts).values()) == {0}
    assert agreeing(IMatch(idf_low=0.1, idf_high=0.9, min_ratio=0.05), texts)[0, 1] == 1


sets_of = st.lists(st.sets(st.integers(0, 12), max_size=8), min_size=2, max_size=6)


def built(documents):
    values = [[mix64_twin(v + 1) for v in sorted(d)] for d in documents]
    offsets = np.cumsum([0, *map(len, values)]).astype(np.int64)
    return kernels.sets.feature_sets(np.array([v for d in values for v in d], np.uint64), offsets)


@settings(max_examples=200, deadline=None)
@given(sets_of, st.integers(0, 4), st.integers(1, 3))
def test_signatures_agree_where_sets_do_in_that_lexicon(documents, lexicons, least):
    how = SetSignature(lexicons, 0.4, least)
    sets = built(documents)
    signed = how.sign(sets)
    keeps = [how._lexicon(sets.values, k) for k in range(lexicons + 1)]
    restricted = [
        [
            frozenset(sets.values[a:b][keep[a:b]].tolist())
            for a, b in zip(sets.offsets[:-1], sets.offsets[1:], strict=True)
        ]
        for keep in keeps
    ]
    left, right = np.triu_indices(len(documents), 1)
    wanted = [sum(len(r[i]) >= least and r[i] == r[j] for r in restricted) for i, j in zip(left, right, strict=True)]
    assert signed.agreeing(left, right).tolist() == wanted
    keys, offsets = signed.keys()
    own = [set(keys[a:b].tolist()) for a, b in pairwise(offsets.tolist())]
    assert [len(own[i] & own[j]) for i, j in zip(left, right, strict=True)] == wanted


def test_coordinates_never_agree_across():
    """A set that only lexicon 1 shortens has one signature twice, and no key of one coordinate is a key of another."""
    signed = SetSignature(50, 0.33, 1).sign(built([{1, 2, 3, 4, 5, 6}]))
    keys, _ = signed.keys()
    assert len(set(keys.tolist())) == 51
    assert len({(h, low) for h, low in zip(signed.high[0].tolist(), signed.low[0].tolist(), strict=True)}) < 51


@pytest.mark.parametrize(
    ("differing", "lexicons", "theory"),
    [
        (1, 1, 0.33),
        (1, 5, 0.865),
        (1, 10, 0.982),
        (2, 1, 0.109),
        (2, 5, 0.438),
        (2, 10, 0.684),
        (3, 5, 0.167),
        (3, 10, 0.307),
    ],
)
def test_randomised_lexicons_catch_as_the_theory_says(differing, lexicons, theory):
    pairs, terms = 1000, 60
    rng = np.random.default_rng(12)
    draws = rng.integers(0, 2**63, (pairs, terms), dtype=np.uint64)
    values = np.concatenate([draws, draws[:, differing:]], axis=1).reshape(-1)
    offsets = np.cumsum([0, *([terms, terms - differing] * pairs)]).astype(np.int64)
    how = SetSignature(lexicons, 0.33, 4)
    signed = how.sign(kernels.sets.feature_sets(values, offsets))
    caught = (signed.agreeing(np.arange(0, 2 * pairs, 2), np.arange(1, 2 * pairs, 2)) > 0).mean()
    assert how.recall(differing) == pytest.approx(theory, abs=0.001)
    assert abs(caught - theory) < 4 * np.sqrt(theory * (1 - theory) / pairs)


def test_the_hash_on_arrays_is_the_core_s():
    values = np.array([0, 1, 2**64 - 1, 0x9E3779B97F4A7C15], np.uint64)
    assert mix64(values).tolist() == [mix64_twin(v) for v in values.tolist()]


@pytest.mark.parametrize(
    ("differing", "dropped", "lexicons"), [(1, 0.33, 5), (2, 0.33, 10), (3, 0.33, 10), (2, 0.6, 3)]
)
def test_imatch_random_meets_as_the_theory_says(differing, dropped, lexicons):
    """Pairs of texts that differ in d terms of the lexicon: 1 - (1 - p^d)^K within four standard errors, none found by imatch."""
    trials, texts = 500, []
    for t in range(trials):
        common = " ".join(f"c{t}x{k}" for k in range(30))
        texts += [common, " ".join([common, *(f"d{t}x{k}" for k in range(differing))])]
    documents = Documents.from_texts(pa.array(texts, pa.large_string()))
    how = {"idf_low": 0.0, "idf_high": 1.0}
    left = np.arange(0, 2 * trials, 2)
    found = (
        IMatchRandom(lexicons=lexicons, dropped=dropped, **how).evidence_of(documents, left, left + 1)["evidence"] > 0
    )
    assert not IMatch(**how).evidence_of(documents, left, left + 1)["evidence"].any()
    theory = 1 - (1 - dropped**differing) ** lexicons
    assert abs(found.mean() - theory) <= 4 * np.sqrt(theory * (1 - theory) / trials)


def test_imatch_random_is_imatch_with_lexicons(edited):
    one = qc.dedup(edited, method="imatch-random", recall_sample=0)
    other = qc.dedup(edited, method="imatch", lexicons=10, recall_sample=0)
    columns = [c for c in one.pairs.column_names if c != "rule"]
    assert one.pairs.select(columns).equals(other.pairs.select(columns))
    with pytest.raises(UsageError, match="lexicons"):
        IMatchRandom(lexicons=0)


def test_one_differing_term_is_what_randomised_lexicons_are_for():
    rng = np.random.default_rng(3)
    words = [f"word{i}" for i in range(400)]
    rows = []
    for i in range(30):
        chosen = rng.choice(words, 60, replace=False).tolist()
        rows += [{"id": f"a{i}", "text": " ".join(chosen)}, {"id": f"b{i}", "text": " ".join([*chosen[1:], words[i]])}]
    plain = qc.dedup(rows, method="imatch", recall_sample=0)
    random = qc.dedup(rows, method="imatch", lexicons=10, recall_sample=0)
    assert len(plain.pairs) <= 2 and 20 <= len(random.pairs) <= 30
    assert all(p["left_id"][1:] == p["right_id"][1:] for p in random.pairs.to_pylist())
    assert {p["threshold"] for p in random.ledger.to_pylist()} == {1.0}


def test_the_variants_take_their_own_features():
    page = "市政府召开了新闻发布会。会议很成功。市长出席了会议。记者提出了问题。"
    shuffled = "会议很成功。市政府召开了新闻发布会。记者提出了问题。市长出席了会议。"
    other = page.replace("很成功", "不成功")
    whole = {"idf_low": 0.0, "idf_high": 1.0}
    assert agreeing(IMatchP(**whole), [page, shuffled, other]) == {(0, 1): 1, (0, 2): 0, (1, 2): 0}
    spots = IMatchS(antecedents="了", stop_words="none", chain=2, min_terms=3, **whole)
    assert agreeing(spots, [page, page.replace("市政府", "县政府"), page.replace("新闻", "旧闻")]) == {
        (0, 1): 1, (0, 2): 0, (1, 2): 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        (IMatch, {"threshold": 0.5}), (IMatch, {"lexicons": -1}), (IMatch, {"dropped": 0.0}), (IMatch, {"min_terms": 0}),
        (IMatch, {"min_ratio": 2}), (IMatch, {"idf_low": 0.5, "idf_high": 0.4}), (IMatch, {"ngram_size": 0}),
        (IMatchS, {"antecedents": "nothing"}), (IMatchP, {"tail": 0}), (IMatchP, {"cap": 0}),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused(kind, wrong):
    with pytest.raises(UsageError):
        kind(**wrong)
