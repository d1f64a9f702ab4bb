"""Covers: the N best of each cluster stay (`keep_per_cluster`). Compared against: the definition applied to the run that keeps one
document of each cluster, and other ways of making the same run.
"""

import json
import random

import forked
import pyarrow.parquet as pq
import pytest
from answer_corpus import small_corpus
from hypothesis import given, settings
from hypothesis import strategies as st
from promise_corpus import make_corpus
from test_row_outputs import write
from test_runs_in_parts import in_parts

import quchong as qc
from quchong.errors import UsageError
from quchong.tables import ROUNDUP, TOP

TABLES = ("ledger", "pairs", "clusters", "documents")
POLICIES = ["longest,earliest", "earliest", "shortest", "source:b>a,latest", "column:id desc"]


def options(**given):
    return {"source": "site", "recall_sample": 0, **given}


def tables(result, names=TABLES):
    return {name: sorted(map(repr, getattr(result, name).to_pylist())) for name in names}


def decided(result):
    """The tables that a decision of saved pairs makes; it examines more pairs than a run."""
    return tables(result, ("ledger", "clusters", "documents"))


def cut_in(rows, size):
    return [rows[start : start + size] for start in range(0, len(rows), size)]


def expected_top(one, n):
    """The definition: of the documents removed for one survivor that is no reference, the n - 1 that the policy ranks best."""
    known = {row["id"]: row for row in one.documents.to_pylist()}
    clusters = {}
    for row in one.ledger.to_pylist():
        if row["survivor_id"] is not None and row["rule"] != ROUNDUP and not known[row["survivor_id"]]["reference"]:
            clusters.setdefault(row["survivor_id"], []).append(row["id"])
    return {
        name: survivor
        for survivor, names in clusters.items()
        for name in sorted(names, key=lambda name: known[name]["priority"])[: n - 1]
    }


def check(one, several, n):
    """Compare a run that keeps n of each cluster with the one that keeps one of each."""
    top = expected_top(one, n)
    before, after = ({row["id"]: row for row in run.documents.to_pylist()} for run in (one, several))
    assert {name for name, row in after.items() if row["policy"] == TOP} == set(top)
    for name, row in after.items():
        assert row["removed"] == (before[name]["removed"] and name not in top)
    # No other removal changes, and every survivor is a kept document that the pair of both is listed with.
    assert [row for row in one.ledger.drop_columns(["config_hash"]).to_pylist() if row["id"] not in top] == (
        several.ledger.drop_columns(["config_hash"]).to_pylist()
    )
    assert not any(after[row["survivor_id"]]["removed"] for row in several.ledger.to_pylist() if row["survivor_id"])
    assert one.pairs.to_pylist() == several.pairs.to_pylist()
    expected = [row | {"survivor_id": row["id"]} if row["id"] in top else row for row in one.clusters.to_pylist()]
    assert several.clusters.to_pylist() == expected
    assert several.counts["kept_beside"] == len(top)
    assert several.counts["kept"] == one.counts["kept"] + len(top)


@settings(deadline=None, max_examples=25)
@given(
    st.integers(0, 500), st.integers(2, 5), st.sampled_from(POLICIES),
    st.sampled_from(["keep", "whole", "remove", "cut"]), st.sampled_from(["keep", "remove"]),
)  # fmt: skip
def test_the_best_removed_of_each_cluster_stay_and_nothing_else_changes(seed, n, keep, roundups, facts):
    rows = make_corpus(seed, originals=14)
    given = options(keep=keep, roundups=roundups, facts=facts)
    one, several = qc.dedup(rows, **given), qc.dedup(rows, keep_per_cluster=n, **given)
    check(one, several, n)
    assert decided(one.rethreshold(keep_per_cluster=n)) == decided(several)
    assert decided(several.rethreshold(keep_per_cluster=1)) == decided(one)


@settings(deadline=None, max_examples=10)
@given(st.integers(0, 500), st.randoms(), st.integers(1, 4))
def test_order_and_workers_do_not_matter(seed, rng, workers):
    rows = make_corpus(seed, originals=14)
    first = qc.dedup(rows, **options(keep_per_cluster=2, workers=1))
    rng.shuffle(rows)
    other = qc.dedup(rows, **options(keep_per_cluster=2, workers=workers))
    for name in ("ledger", "pairs", "clusters"):
        assert getattr(first, name).to_pylist() == getattr(other, name).to_pylist()
    fates = [
        {row["id"]: (row["removed"], row["policy"]) for row in run.documents.to_pylist()} for run in (first, other)
    ]
    assert fates[0] == fates[1]


def test_without_the_option_the_run_is_that_of_before(tmp_path):
    corpus = write(tmp_path / "a.jsonl", small_corpus(1))
    folders = [
        qc.dedup(corpus, out=tmp_path / name, **options(**more)).folder
        for name, more in (("x", {}), ("y", {"keep_per_cluster": 1}))
    ]
    for name in ("ledger", "pairs", "clusters", "documents", "templates"):
        assert (folders[0] / f"{name}.parquet").read_bytes() == (folders[1] / f"{name}.parquet").read_bytes()
    told = [json.loads((folder / "run.json").read_text("utf-8")) for folder in folders]
    assert told[0]["config"] == told[1]["config"]
    assert "keep_per_cluster" not in told[0]["config"]
    assert "kept_beside" not in told[0]["counts"]
    assert told[0]["config_hash"] == told[1]["config_hash"]


def test_equal_texts_count_as_any_others():
    rows = [{"id": str(k), "text": "云河地铁四号线今天开始空载试运行，全线设二十一座车站。"} for k in range(5)]
    for n in range(1, 7):
        result = qc.dedup(rows, keep_per_cluster=n)
        assert result.counts["kept"] == min(n, 5)
        assert [row["id"] for row in result.kept.to_pylist()] == [str(k) for k in range(min(n, 5))]
    assert qc.distinct([row["text"] for row in rows], keep_per_cluster=2).kept == (0, 1)


def test_documents_of_a_reference_corpus_keep_none_beside_them():
    rows = make_corpus(3, originals=14)
    half = len(rows) // 2
    given = options(against=rows[:half])
    one, several = qc.dedup(rows[half:], **given), qc.dedup(rows[half:], keep_per_cluster=3, **given)
    check(one, several, 3)
    reference = {row["id"] for row in several.documents.to_pylist() if row["reference"]}
    removed_for = {row["survivor_id"] for row in several.ledger.to_pylist()}
    assert removed_for & reference
    assert [row for row in one.ledger.to_pylist() if row["survivor_id"] in reference] != []


def test_protected_documents_are_kept_for_themselves():
    rows = make_corpus(5, originals=14)
    protect = [row["id"] for row in qc.dedup(rows, **options()).ledger.to_pylist()][::2]
    one = qc.dedup(rows, protect=protect, **options())
    several = qc.dedup(rows, protect=protect, keep_per_cluster=2, **options())
    check(one, several, 2)
    assert not {row["id"] for row in several.ledger.to_pylist()} & set(protect)


def test_a_written_run_is_verified_explained_and_decided_again(tmp_path):
    corpus = write(tmp_path / "a.jsonl", make_corpus(7))
    ran = forked.run("dedup", str(corpus), "-o", str(tmp_path / "r"), "--source-key", "site", "--keep-per-cluster", "2")
    assert ran.returncode == 0, ran.stderr
    assert "the best of their clusters after the survivors" in ran.stdout
    run = qc.load(tmp_path / "r")
    check(qc.dedup(corpus, source="site"), run, 2)
    checked = run.verify()
    assert checked.replayed == len(run.ledger) > 0
    assert not len(checked.mismatches)
    name = next(row["id"] for row in run.documents.to_pylist() if row["policy"] == TOP)
    assert "and this document is one of the best" in forked.run("explain", str(tmp_path / "r"), name).stdout
    assert run.explain(name).reason == TOP
    assert decided(run.rethreshold(threshold=0.9)) == decided(
        qc.dedup(corpus, source="site", keep_per_cluster=2, threshold=0.9)
    )
    run.report(tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size


def test_parts_shards_columns_and_targets_agree_with_one_run(tmp_path):
    corpus = [write(tmp_path / f"{k}.jsonl", rows) for k, rows in enumerate(cut_in(small_corpus(1), 40))]
    given = {"keep_per_cluster": 2, "recall_sample": 0}
    whole = qc.dedup(corpus, out=tmp_path / "whole", **given)
    in_parts(corpus, tmp_path / "joined", 3, **given)
    joined = qc.load(tmp_path / "joined")
    shards = qc.dedup(corpus, out=tmp_path / "shards", shard_size="64K", add_columns="copies", mix={"*": 1.5}, **given)
    for other in (joined, shards):
        assert tables(whole) == {
            name: sorted(map(repr, getattr(other, name).drop_columns("part").to_pylist() if name == "documents" and "part" in
                             other.documents.column_names else getattr(other, name).to_pylist()))
            for name in TABLES
        }  # fmt: skip
    copies = {row["id"]: row["quchong_copies"] for row in shards.kept.to_pylist()}
    assert sum(copies.values()) == len(whole.ledger)
    target = whole.rethreshold(threshold=0.9).counts["kept"]
    found = qc.dedup(corpus, target=target, **given)
    assert found.counts["kept"] <= target
    assert decided(found) == decided(whole.rethreshold(target=target))


def test_decisions_of_people_and_restored_rows_stay(tmp_path):
    corpus = write(tmp_path / "a.jsonl", make_corpus(11))
    run = qc.dedup(corpus, out=tmp_path / "r", **options(keep_per_cluster=2))
    name = run.ledger["id"][0].as_py()
    run.restore([name])
    again = qc.load(tmp_path / "r")
    assert name not in again.ledger["id"].to_pylist()
    assert {row["id"] for row in again.documents.to_pylist() if row["policy"] == TOP} == {
        row["id"] for row in run.documents.to_pylist() if row["policy"] == TOP
    }


def test_annotated_rows_say_kept(tmp_path):
    rows = make_corpus(7)
    random.Random(1).shuffle(rows)
    run = qc.dedup(write(tmp_path / "a.jsonl", rows), out=tmp_path / "r", annotate=True, **options(keep_per_cluster=2))
    top = {row["id"] for row in run.documents.to_pylist() if row["policy"] == TOP}
    lines = [json.loads(line) for line in (tmp_path / "r" / "annotated.jsonl").read_text("utf-8").splitlines()]
    assert top
    assert {line["quchong_fate"] for line in lines if line["id"] in top} == {"kept"}
    assert pq.read_table(tmp_path / "r" / "documents.parquet").num_rows == len(rows)


@pytest.mark.parametrize("value", [0, -1, 1.5, "two", True])
def test_other_values_are_refused(value):
    with pytest.raises(UsageError, match="keep_per_cluster"):
        qc.dedup([{"text": "a"}], keep_per_cluster=value)


def test_an_index_and_a_search_for_thresholds_refuse_it(tmp_path):
    with pytest.raises(UsageError, match="one document of each cluster"):
        qc.Index.create(tmp_path / "i", keep_per_cluster=2)
    corpus = write(tmp_path / "a.jsonl", make_corpus(7))
    qc.dedup(corpus, out=tmp_path / "r", keep_per_cluster=2)
    with pytest.raises(UsageError, match="one document of each cluster"):
        qc.Index.create(tmp_path / "i", from_run=tmp_path / "r")
    assert not (tmp_path / "i").exists()
    with pytest.raises(UsageError, match="has no effect in tune"):
        qc.tune(corpus, [{"left_id": "a", "right_id": "b", "label": "same"}], keep_per_cluster=2)


def test_a_run_with_loose_copies_is_decided_again_from_its_folder(tmp_path):
    corpus = write(tmp_path / "a.jsonl", make_corpus(7))
    run = qc.dedup(corpus, out=tmp_path / "r", exact="loose", recall_sample=0)
    again = qc.load(tmp_path / "r").rethreshold(threshold=0.9)
    assert decided(again) == decided(qc.dedup(corpus, exact="loose", recall_sample=0, threshold=0.9))
    assert run.verify().replayed == len(run.ledger)
