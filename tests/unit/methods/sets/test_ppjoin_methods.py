"""Covers: ppjoin and ppjoin+ from texts to pairs: a worked example, brute force, short texts, frozen statistics, refusals.

Compared against: Jaccard of shingle sets counted in Python over all pairs. Run: pytest tests/unit/methods.
"""

import random
from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest

import quchong as qc
from quchong import kernels
from quchong.engines.local.joins import meet
from quchong.errors import InputError, UsageError
from quchong.features.shingles import shingle_sets
from quchong.features.statistics import FeatureStatistics
from quchong.methods.sets.ppjoin import PPJoin, PPJoinPlus
from quchong.plan.catalogue import build
from quchong.seam import Documents, settings_of, with_statistics
from quchong.text import form

BOTH = pytest.mark.parametrize("kind", [PPJoin, PPJoinPlus])
ALPHABET = "火山石田木禾竹米鱼鸟马牛羊犬花草雨雪日月星天地江河湖海桥梁医院园"
"""Characters that the normal form leaves alone in any order."""


def documents(*texts):
    return Documents.from_texts(pa.array(texts, pa.large_string()))


def edited_texts(seed, n=80):
    """Chinese texts of 20 to 120 characters and copies of some with a few characters changed, in a random order."""
    rng = random.Random(seed)
    out = []
    for _ in range(n):
        if out and rng.random() < 0.5:
            text = list(rng.choice(out))
            for _ in range(rng.randrange(1, 5)):
                text[rng.randrange(len(text))] = rng.choice(ALPHABET)
            out.append("".join(text))
        else:
            out.append("".join(rng.choice(ALPHABET) for _ in range(rng.randrange(20, 120))))
    rng.shuffle(out)
    return out


def shingled(text, n):
    return {text[i : i + n] for i in range(len(text) - n + 1)}


def similar(texts, t, n, references=0, scope=None):
    sets = [shingled(x, n) for x in texts]
    return {
        (a, b): len(sets[a] & sets[b]) / len(sets[a] | sets[b])
        for a, b in combinations(range(len(texts)), 2)
        if b >= references
        and (scope is None or scope[a] == scope[b])
        and len(sets[a] & sets[b]) / len(sets[a] | sets[b]) >= t
    }


@BOTH
@pytest.mark.parametrize(("texts", "shared"), [(("a b c d e", "b c d e f"), 4), (("甲乙丙丁戊", "乙丙丁戊己"), 4)])
def test_the_worked_example(kind, texts, shared):
    given = documents(*texts)
    assert len(meet(kind(ngram_size=1).candidates, given, None, 0).left) == 0
    wide = kind(threshold=0.6, ngram_size=1)
    met = meet(wide.candidates, given, None, 0)
    assert (met.left.tolist(), met.right.tolist(), met.bounded) == ([0], [1], ())
    measures = wide.score(given, met.left, met.right)
    assert measures["evidence"].tolist() == [shared / 6] and measures["features_left"].tolist() == [5]
    relation, rule = wide.rule.decide(measures)
    assert relation.tolist() == ["duplicate"] and rule.tolist() == [kind.name]


@BOTH
@pytest.mark.parametrize("n", [1, 2, 3])
def test_pairs_are_those_of_brute_force(kind, n):
    found = 0
    for seed in range(4):
        texts = edited_texts(seed)
        rng = np.random.default_rng(seed)
        references, scope = int(rng.integers(0, 30)), rng.integers(0, 2, len(texts)).astype(np.uint64)
        for t in (0.5, 0.8, 0.9):
            method = kind(threshold=t, ngram_size=n)
            method = with_statistics(method, documents(*texts[: len(texts) // 2])) if seed % 2 else method
            for args in ((None, 0), (scope, references)):
                met = meet(method.candidates, documents(*texts), *args, 2)
                wanted = similar(texts, t, n, args[1], args[0])
                pairs = list(zip(met.left.tolist(), met.right.tolist(), strict=True))
                assert sorted(wanted, key=lambda p: (p[1], p[0])) == pairs
                evidence = method.score(documents(*texts), met.left, met.right, 2)["evidence"]
                assert evidence.tolist() == [wanted[p] for p in pairs]
                found += len(pairs)
    assert found > 100


def test_a_run_removes_what_brute_force_says_in_any_order_with_any_workers():
    rows = [{"id": f"d{i:02d}", "text": text} for i, text in enumerate(edited_texts(9))]
    wanted = {(rows[a]["id"], rows[b]["id"]) for a, b in similar([r["text"] for r in rows], 0.8, 3)}
    runs = [
        qc.dedup(given, method=name, workers=workers, recall_sample=0)
        for name in ("ppjoin", "ppjoin+")
        for given, workers in ((rows, 1), (rows[::-1], 2))
    ]
    for run in runs:
        pairs = run.pairs.to_pylist()
        got = {tuple(sorted((p["left_id"], p["right_id"]))) for p in pairs if p["relation"] == "duplicate"}
        assert got | {tuple(sorted((p["left_id"], p["right_id"]))) for p in pairs if p["relation"] == "exact"} == wanted
        assert run.ledger["id"].equals(runs[0].ledger["id"]) and len(run.ledger) > 10
    assert runs[0].pairs.equals(runs[1].pairs) and runs[2].ledger.equals(runs[3].ledger)


@BOTH
def test_texts_with_few_features_are_compared_for_equality_only(kind):
    texts = ["春眠不觉晓处", "春眠不觉晓处", "春眠不觉晓处处闻", "夜来风雨"]  # 4, 4, 6 and 2 shingles
    method = kind(threshold=0.5, min_features=5)
    assert len(meet(method.candidates, documents(*texts), None, 0).left) == 0
    assert method.score(documents(*texts), np.array([0, 0]), np.array([1, 2]))["evidence"].tolist() == [0, 0]
    assert len(meet(kind(threshold=0.5).candidates, documents(*texts), None, 0).left) == 3
    ledger = qc.dedup(texts, method=kind.name, min_features=5, recall_sample=0).ledger
    assert ledger["relation"].to_pylist() == ["exact"]


@BOTH
def test_the_order_of_tokens_is_frozen_saved_and_part_of_the_configuration(kind, tmp_path):
    texts = dict.fromkeys(edited_texts(4))  # distinct: exact copies are not counted in a run
    rows = [{"id": f"d{i:02d}", "text": text} for i, text in enumerate(texts)]
    compared = documents(*(r["text"] for r in rows))
    known = with_statistics(kind(), compared, 2).statistics
    assert known.documents == len(rows) and known.frequencies.min() >= 2
    counted = qc.dedup(rows, method=kind.name, recall_sample=0)
    path = str(known.save(tmp_path / "order.parquet"))
    given = qc.dedup(rows, method=kind.name, statistics=path, recall_sample=0)
    assert settings_of(build(kind.name, {"statistics": path}))["statistics"] == known.digest
    assert given.pairs.equals(counted.pairs) and given.manifest["config_hash"] == counted.manifest["config_hash"]
    # Of half the corpus, and of all shingles as `quchong statistics` counts them: another order, the same pairs.
    half = with_statistics(kind(), compared.take(np.arange(40)), 2).statistics
    docs = kernels.text.names(form(), compared.texts).docs
    whole = FeatureStatistics.fit([docs], 3, {k: v for k, v in known.form.items() if k != "features"})
    for other in (half, whole):
        again = qc.dedup(rows, method=kind.name, statistics=other, recall_sample=0)
        assert again.pairs.equals(counted.pairs)
        assert again.manifest["config_hash"] != counted.manifest["config_hash"]
    for wrong in ({"ngram_size": 2}, {"normalise": "plain"}):
        with pytest.raises(UsageError, match="make new statistics"):
            kind(statistics=known, **wrong)
    with pytest.raises(InputError, match="cannot be read"):
        kind(statistics=str(tmp_path / "none.parquet"))


def test_records_of_the_counted_order_and_of_the_frozen_one_are_the_same():
    texts = documents(*edited_texts(2))
    method = PPJoin()
    sets = shingle_sets(form(), texts, 3)
    frozen = with_statistics(method, texts).records(sets)
    assert np.array_equal(frozen.tokens, method.records(sets).tokens)


@BOTH
@pytest.mark.parametrize(
    "how",
    [{"threshold": 0.0}, {"threshold": 1.2}, {"ngram_size": 0}, {"min_features": 0}, {"cap": 64}, {"tokens": "none"},
     {"verify": "maybe"}],
)  # fmt: skip
def test_what_cannot_be_used_is_refused(kind, how):
    with pytest.raises(UsageError):
        kind(**how)
