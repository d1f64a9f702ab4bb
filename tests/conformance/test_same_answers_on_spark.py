"""Covers: the relation of a pair on a cluster is the one `compare` gives and the one a run on one machine gives, for every method
that runs there.

Compared against: `tests/promises/test_same_answers.py`'s corpora; both of these roads.
"""

import importlib.util
import sys

import pytest
from spark_rows import ROOT

import quchong as qc
from quchong.api import fit_statistics
from quchong.parameters import parameters_of
from quchong.plan.catalogue import METHODS

COLUMNS = ("id", "text", "title", "blocks", "url", "site")
METHODS_THERE = [name for name, kind in METHODS.items() if "spark" in kind.traits.engines]


@pytest.fixture(scope="module")
def records():
    folder = ROOT / "tests" / "promises"
    sys.path.insert(0, str(folder))  # its corpora import each other
    try:
        spec = importlib.util.spec_from_file_location("answer_corpus", folder / "answer_corpus.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(folder))
    return module.small_corpus(5)


@pytest.mark.parametrize("name", METHODS_THERE)
def test_a_cluster_says_what_the_others_say(spark, records, name):
    import quchong.spark

    options = {"method": name}
    if "statistics" in parameters_of(METHODS[name]):
        options["statistics"] = fit_statistics(records, method=name)
    if name == "ccdet":
        options["prune"] = "none"
    schema = ", ".join(f"{c} string" for c in COLUMNS)
    frame = spark.createDataFrame([tuple(r[c] for c in COLUMNS) for r in records], schema).repartition(2)
    found = {(p["left_id"], p["right_id"]): p.asDict() for p in quchong.spark.pairs(frame, **options).collect()}
    local = {(p["left_id"], p["right_id"]): p for p in qc.dedup(records, recall_sample=0, **options).pairs.to_pylist()}
    assert found == local and found
    first: dict[str, str] = {}  # of the exact copies of each, by which a pair is compared
    for left, right in sorted(pair for pair, p in found.items() if p["relation"] == "exact"):
        first[right] = first.get(left, left)
    by_id = {r["id"]: r for r in records}
    for pair, p in found.items():
        ends = [first.get(i, i) for i in pair]
        if p["relation"] != "exact" and ends == sorted(ends):
            told = qc.compare(*(by_id[i] for i in ends), **options)
            assert (told.relation, told.rule) == (p["relation"], p["rule"]), (name, pair)
