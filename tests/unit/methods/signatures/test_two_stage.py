"""Covers: the method two-stage from texts to ledger, its statistics, recall by length beside the theory of C3.

Compared against: the Python twin's signatures, brute force, a table of simulated figures.
Run: pytest tests/unit/methods.
"""

import json
from math import comb

import numpy as np
import pyarrow as pa
import pytest
from twins import sketch as ref

import quchong as qc
from quchong import kernels
from quchong.api import fit_statistics
from quchong.candidates import HammingIndex, choose_blocks
from quchong.errors import InputError, UsageError
from quchong.features.simhash import SimHash
from quchong.features.statistics import FeatureStatistics
from quchong.methods.signatures.two_stage import TwoStage
from quchong.plan.catalogue import build
from quchong.seam import HammingJoin, KeyJoin, settings_of
from quchong.text import form

NUMERALS = "〇一二三四五六七八九十百千万亿两零"
EVERY = [chr(c) for c in range(0x4E00, 0x9FA5) if chr(c) not in NUMERALS]
HAN = [  # characters the normal form leaves as they are
    c
    for c, t in zip(
        EVERY, kernels.text.names(form(), pa.array(EVERY, pa.large_string())).docs.tokens.tolist(), strict=True
    )
    if ord(c) == t
][:3000]


def random_texts(n, length, rng):
    return ["".join(t) for t in np.array(HAN)[rng.integers(0, len(HAN), (n, length))]]


def one_replaced(text, rng):
    at = int(rng.integers(len(text)))
    return text[:at] + "龘" + text[at + 1 :]


@pytest.fixture(scope="module")
def posts():
    """60 texts of 400 characters with an edited copy each, exact copies of ten, three too short to score."""
    rng = np.random.default_rng(5)
    texts = random_texts(60, 400, rng)
    rows = [{"id": f"a{i:02}", "text": t} for i, t in enumerate(texts)]
    rows += [{"id": f"b{i:02}", "text": one_replaced(t, rng)} for i, t in enumerate(texts)]
    rows += [{"id": f"c{i:02}", "text": t + "！"} for i, t in enumerate(texts[:10])]
    return [*rows, {"id": "s1", "text": "甲乙"}, {"id": "s2", "text": "甲乙丙"}, {"id": "s3", "text": "。"}]


def test_pairs_are_those_of_the_twin_s_signatures(posts):
    result = qc.dedup(posts, method="two-stage", recall_sample=0)
    docs = [p for p in posts if p["id"][0] in "ab"]
    signed = [ref.simhash([ord(c) for c in p["text"]], 2) for p in docs]
    want = {(docs[i]["id"], docs[j]["id"], float(d)) for i, j, d in ref.hamming_pairs(signed, 4)}
    near = [p for p in result.pairs.to_pylist() if p["rule"] == "hamming"]
    found = {(p["left_id"], p["right_id"], p["evidence"]) for p in near if "c" not in p["left_id"] + p["right_id"]}
    assert found == want and len(found) > 30
    assert all(p["relation"] == "duplicate" and p["jaccard"] > 0.95 for p in near)
    exact = [p for p in result.pairs.to_pylist() if p["relation"] == "exact"]
    assert len(exact) == 10 and all(p["evidence"] == 0 for p in exact)
    for row in result.ledger.to_pylist():
        hamming = row["relation"] == "duplicate"
        assert (row["rule"], row["threshold"]) == (("hamming", 4.0) if hamming else ("equal normal form", 1.0))
    assert {"s1", "s2", "s3"} == set(result.unscored)


def test_all_pairs_finds_the_same(posts):
    tables = qc.dedup(posts, method="two-stage", distance=6, recall_sample=0)
    brute = qc.dedup(posts, method="two-stage", distance=6, all_pairs=True, recall_sample=0)
    assert tables.pairs.equals(brute.pairs) and len(tables.pairs) > 50


def test_all_pairs_has_no_cap():
    rows = [{"id": f"f{i:03}", "text": "同一句话重复很多遍的帖子" * (i + 5)} for i in range(80)]
    brute = qc.dedup(rows, method="two-stage", distance=4, all_pairs=True, recall_sample=0)
    signed = [ref.simhash([ord(c) for c in r["text"]], 2) for r in rows]
    want = {(f"f{i:03}", f"f{j:03}") for i, j, _ in ref.hamming_pairs(signed, 4)}
    assert {(p["left_id"], p["right_id"]) for p in brute.pairs.to_pylist()} == want
    assert len(want) > 64 * len(rows) / 2  # so some text is near to more than the cap of 64


def test_texts_of_fewer_than_four_tokens_are_compared_for_equality_alone():
    rows = [{"id": f"l{n}", "text": "哈" * n} for n in (2, 3, 4, 5)] + [{"id": "m3", "text": "哈哈哈！"}]
    found = qc.dedup(rows, method="two-stage", recall_sample=0)
    near = {(p["left_id"], p["right_id"]): p["relation"] for p in found.pairs.to_pylist()}
    assert near == {("l4", "l5"): "duplicate", ("l3", "m3"): "exact"}
    assert set(found.unscored) == {"l2", "l3", "m3"}


@pytest.mark.parametrize("how", [{"bits": 128, "distance": 8}, {"weights": "idf"}, {"tokens": "auto", "ngram_size": 3}])
def test_order_and_workers_change_nothing(posts, how):
    one = qc.dedup(posts, method="two-stage", workers=1, **how)
    other = qc.dedup(posts[::-1], method="two-stage", workers=2, **how)
    assert len(one.pairs) > 20
    assert one.pairs.equals(other.pairs) and one.ledger.equals(other.ledger)
    assert one.manifest["recall"]["duplicate"]["recall"] == 1.0
    assert one.manifest["config_hash"] == other.manifest["config_hash"]


def test_a_smaller_distance_is_decided_again_and_a_larger_one_is_not(posts, tmp_path):
    wide = qc.dedup(posts, method="two-stage", distance=6, recall_sample=0)
    narrow = qc.dedup(posts, method="two-stage", distance=3, recall_sample=0)
    again = wide.rethreshold(distance=3)
    assert again.ledger.drop_columns(["passages"]).equals(narrow.ledger.drop_columns(["passages"]))
    assert again.pairs.equals(narrow.pairs)
    rules = {(p["rule"], p["evidence"] <= 3) for p in again.pairs.to_pylist()}
    assert rules == {("hamming", True), ("equal normal form", True)}
    with pytest.raises(UsageError, match="for a distance of 4, run again"):
        narrow.rethreshold(distance=4)
    with pytest.raises(UsageError, match="bits of method two-stage also changes which pairs"):
        wide.rethreshold(bits=128)
    with pytest.raises(UsageError, match="verify='exact'"):
        wide.rethreshold(0.8)
    strict = wide.rethreshold(0.995, verify="exact")
    assert {p["relation"] for p in strict.pairs.to_pylist()} > {"partial"}
    assert len(strict.ledger) < len(wide.ledger)
    saved = qc.load(wide.save(tmp_path / "run"))
    gone = next(r for r in wide.ledger.to_pylist() if r["rule"] == "hamming")
    told = saved.explain(gone["id"])
    assert (told.evidence, told.threshold) == (gone["evidence"], 6.0)
    assert f"rule: hamming ({gone['evidence']:g}, threshold 6)" in str(told)


def test_verify_exact_holds_pairs_to_the_default_s_test_too():
    template = "".join(random_texts(1, 600, np.random.default_rng(2)))
    figures = [(31, 120, 77), (56, 350, 98)]
    rows = [
        {"id": str(i), "text": f"{template[:200]}共{a}人{template[200:400]}收{b}元{template[400:]}住{c}天"}
        for i, (a, b, c) in enumerate(figures)
    ]
    by_rule = qc.dedup(rows, method="two-stage", distance=8, recall_sample=0).pairs.to_pylist()
    exact = qc.dedup(rows, method="two-stage", distance=8, verify="exact", recall_sample=0).pairs.to_pylist()
    assert [(p["relation"], p["rule"]) for p in by_rule] == [("duplicate", "hamming")]
    assert [(p["relation"], p["rule"]) for p in exact] == [("variant", "numbers differ")]
    copies = [{"id": "a", "text": template}, {"id": "b", "text": template + "完"}]
    (pair,) = qc.dedup(copies, method="two-stage", distance=8, verify="exact", recall_sample=0).pairs.to_pylist()
    assert (pair["relation"], pair["rule"]) == ("duplicate", "hamming, jaccard")


def test_scope_and_references(posts):
    rows = [p | {"user": p["id"][0]} for p in posts]
    assert not len(qc.dedup(rows, method="two-stage", per="user", recall_sample=0).pairs)
    new, old = [p for p in posts if p["id"][0] == "b"], [p for p in posts if p["id"][0] == "a"]
    whole = qc.dedup(new + old, method="two-stage", recall_sample=0)
    against = qc.dedup(new, against=old, method="two-stage", only_against=True, recall_sample=0)
    crossing = [p for p in whole.pairs.to_pylist() if {p["left_id"][0], p["right_id"][0]} == {"a", "b"}]
    assert len(against.pairs) == len(crossing) == against.counts["removed"] > 30
    with pytest.raises(UsageError, match="has no time window"):
        qc.dedup(rows, method="two-stage", within="7d")


def test_hundreds_of_thousands_of_near_equal_texts_stay_linear():
    """A template with one figure in it: 20,000 texts, all within a few bits of each other or equal in signature."""
    template = random_texts(1, 300, np.random.default_rng(8))[0]
    rows = [{"id": f"{n:05}", "text": f"{template}{n}"} for n in range(20_000)]
    result = qc.dedup(rows, method="two-stage", distance=4, cap=16, recall_sample=0, tokens="auto")
    assert result.counts["candidates"] <= 16 * len(rows)
    assert result.counts["kept"] < 20
    assert "candidates bounded" in {a["kind"] for a in result.manifest["alarms"]}


def flipped(features, changed):
    """Probability that a bit differs when `changed` of `features` shingles are others: sums of fair signs, exactly."""

    def signs(n):
        return {2 * up - n: comb(n, up) / 2**n for up in range(n + 1)}

    both = 0.0
    for common, p in signs(features - changed).items():
        up = sum(q for own, q in signs(changed).items() if common + own > 0)
        both += p * 2 * up * (1 - up)
    return both


def theory(length):
    """Share caught and mean distance when one character is replaced: at either end one shingle changes, else two."""
    caught = mean = 0.0
    for changed, share in ((1, 2 / length), (2, 1 - 2 / length)):
        p = flipped(length - 1, changed)
        mean += share * 64 * p
        caught += share * sum(comb(64, d) * p**d * (1 - p) ** (64 - d) for d in range(5))
    return caught, mean


def test_recall_by_length_is_the_theory_s():
    """One character replaced, two-character shingles. Simulation gives 7.5%, 36%, 61%, 75%, 98% caught."""
    rng = np.random.default_rng(2014)
    trials = 2000
    for length, stated in ((20, 0.075), (50, 0.36), (100, 0.61), (140, 0.75), (500, 0.98)):
        texts = random_texts(trials, length, rng)
        signed = TwoStage().sign(pa.array(texts + [one_replaced(t, rng) for t in texts], pa.large_string()))
        distance = signed.distances(np.arange(trials), np.arange(trials) + trials)
        caught, mean = theory(length)
        assert abs((distance < 5).mean() - caught) < 4 * np.sqrt(caught * (1 - caught) / trials)
        assert abs(distance.mean() - mean) < 4 * distance.std() / np.sqrt(trials)
        assert abs(caught - stated) < 0.06, (length, caught)  # the figures were simulated; this is exact


def docs_of(texts):
    return kernels.text.names(TwoStage().form, pa.array(texts, pa.large_string())).docs


def test_statistics_do_not_depend_on_batches_and_survive_the_disk(tmp_path):
    texts = [*random_texts(300, 30, np.random.default_rng(1)), "", "今天天气很好"]
    whole = FeatureStatistics.fit([docs_of(texts)])
    parts = FeatureStatistics.fit([docs_of(texts[i : i + 37]) for i in range(0, len(texts), 37)], workers=2)
    assert whole.documents == parts.documents == 301 and whole.digest == parts.digest
    counted = ref.count_features([[ord(c) for c in t] for t in texts], 2)
    assert list(zip(whole.features.tolist(), whole.frequencies.tolist(), strict=True)) == counted
    read = FeatureStatistics.load(whole.save(tmp_path / "s.parquet"))
    assert read.digest == whole.digest
    weights = {f: whole.weight(n) for f, n in counted}
    assert weights[counted[0][0]] == round(65536 * np.log(302 / (counted[0][1] + 1)))
    signed = SimHash(128, 2, read).sign(docs_of(texts))
    want = [ref.simhash([ord(c) for c in t], 2, 128, weights, whole.weight(0)) for t in texts]
    assert signed.words.tolist() == want
    assert signed.defined.tolist() == [bool(t) for t in texts]


def test_idf_weights_from_a_file_change_the_run_and_its_hash(posts, tmp_path):
    statistics = fit_statistics([p["text"] for p in posts])
    path = str(statistics.save(tmp_path / "s.parquet"))
    unit = qc.dedup(posts, method="two-stage", recall_sample=0)
    given = qc.dedup(posts, method="two-stage", weights="idf", statistics=path, recall_sample=0)
    fitted = qc.dedup(posts, method="two-stage", weights="idf", recall_sample=0)
    hashes = {r.manifest["config_hash"] for r in (unit, given, fitted)}
    assert len(hashes) == 3
    assert given.manifest["config"]["parameters"]["statistics"] == statistics.digest
    assert tmp_path.name not in json.dumps(given.manifest["config"])
    assert given.rethreshold(distance=2).manifest["config"]["parameters"]["statistics"] == statistics.digest
    assert (
        qc.compare(
            "今天天气很好啊朋友们", "今天天气真好啊朋友们", method="two-stage", weights="idf", statistics=path
        ).measures["evidence"]
        > 0
    )


def test_statistics_that_do_not_fit_are_refused(tmp_path):
    texts = random_texts(5, 30, np.random.default_rng(1))
    path = fit_statistics(texts).save(tmp_path / "s.parquet")
    idf = {"weights": "idf", "statistics": str(path)}
    for wrong, match in (
        ({"statistics": str(path)}, "needs weights='idf'"),
        (idf | {"ngram_size": 3}, "ngram_size=2"),
        (idf | {"tokens": "auto"}, "make new statistics"),
        (idf | {"normalise": "plain"}, "make new statistics"),
    ):
        with pytest.raises(UsageError, match=match):
            build("two-stage", wrong)
    with pytest.raises(UsageError, match="needs statistics"):
        TwoStage(weights="idf").sign(pa.array(["甲"], pa.large_string()))
    with pytest.raises(InputError, match="cannot be read"):
        build("two-stage", {"weights": "idf", "statistics": str(tmp_path / "none")})
    pa.parquet.write_table(pa.table({"a": [1]}), tmp_path / "other.parquet")
    with pytest.raises(InputError, match="has no statistics"):
        build("two-stage", {"weights": "idf", "statistics": str(tmp_path / "other.parquet")})
    table = pa.parquet.read_table(path)
    for meta, match in (({"version": 9}, "version 9"), ({"documents": 77}, "damaged")):
        head = json.loads(table.schema.metadata[b"quchong.feature_statistics"]) | meta
        changed = table.replace_schema_metadata({b"quchong.feature_statistics": json.dumps(head)})
        pa.parquet.write_table(changed, tmp_path / "changed.parquet")
        with pytest.raises(InputError, match=match):
            build("two-stage", idf | {"statistics": str(tmp_path / "changed.parquet")})
    with pytest.raises(UsageError, match="statistics can be added only if their shingles and normal forms are equal"):
        fit_statistics(texts).merge(fit_statistics(texts, ngram_size=3))
    with pytest.raises(InputError, match="no text to count"):
        fit_statistics(["", " "])


@pytest.mark.parametrize(
    "wrong",
    [{"bits": 32}, {"distance": -1}, {"distance": 65}, {"ngram_size": 0}, {"weights": "tf"}, {"stage1": "sieve"},
     {"verify": "maybe"}, {"cap": 0}, {"threshold": 0.5}, {"distance": 40}, {"tokens": "word"}],
)  # fmt: skip
def test_parameters_are_checked(wrong):
    with pytest.raises(UsageError):
        build("two-stage", wrong)


def test_a_distance_without_tables_is_left_to_all_pairs():
    assert settings_of(build("two-stage", {"distance": 40, "all_pairs": True}))["distance"] == 40
    assert isinstance(build("two-stage").candidates, HammingJoin) and isinstance(build("hybrid").candidates, KeyJoin)


def test_tables_are_chosen_by_size():
    chosen = [choose_blocks(10**e, 64, 4) for e in (3, 6, 7)]
    assert [(t.blocks, t.tables, t.key_bits) for t in chosen] == [(5, 5, 12), (6, 15, 20), (7, 35, 27)]
    assert choose_blocks(10**6, 128, 4).tables == 5
    with pytest.raises(UsageError, match="all_pairs=True"):
        choose_blocks(10, 64, 60)


def test_the_index_alone():
    rng = np.random.default_rng(4)
    words = rng.integers(0, 2**64, 500, dtype=np.uint64)
    words[100:200] = words[:100] ^ np.uint64(0b1011 << 20)
    index = HammingIndex(64, 4)
    found = index.pairs(words)
    assert found.left.tolist() == list(range(100)) and found.right.tolist() == list(range(100, 200))
    assert set(found.distance.tolist()) == {3}
    assert [a.tolist() for a in index.pairs(words, all_pairs=True)[:3]] == [a.tolist() for a in found[:3]]
    for wrong in ({"bits": 32}, {"distance": 99}, {"blocks": 4}):
        with pytest.raises(UsageError):
            HammingIndex(**{"bits": 64, "distance": 4} | wrong)
    with pytest.raises(UsageError, match="of 64 bits do not fit an index of 128"):
        HammingIndex(128).pairs(words)
    with pytest.raises(UsageError, match="cap"):
        index.candidates(words, cap=0)
