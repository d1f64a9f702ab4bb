"""Covers: the Spark engine finds what the local one finds: pairs, relations, clusters, survivors, ledger, row by row.

Compared against: `quchong.dedup` of the same rows, and `compare` of the pairs of the smaller corpus. Run: pytest tests/conformance (needs pyspark and Java; else skipped).
"""

import itertools
import os
import random
import signal
import sys
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from spark_options import EACH, PRUNING
from spark_rows import COLUMNS, hold_to_compare, mixed_rows, small_rows

import quchong as qc
from quchong.engines.local.inputs import RunInputs
from quchong.engines.local.run import run as run_locally
from quchong.errors import InputError, UsageError
from quchong.plan.catalogue import METHODS, build
from quchong.plan.column_choice import with_usual_columns
from quchong.plan.request import make_plan
from quchong.plan.sources import sources_of
from quchong.seam import engines_of
from quchong_lab.web.pages import WebRecipe, web_corpus

pytestmark = pytest.mark.filterwarnings("ignore:.*pandas.*")
TABLES = ("pairs", "ledger", "clusters")


def in_campaign(*values):
    """Values of a test that `make campaign` runs, and the suite does not."""
    return pytest.param(*values, marks=pytest.mark.campaign)


@pytest.fixture(scope="module")
def rows():
    """Both corpora of rows."""
    return [*mixed_rows(), *small_rows()]


@pytest.fixture(scope="module")
def pages():
    """200 generated pages of several sites, with boilerplate, exact copies, pages without a site, and short ones."""
    table = web_corpus(WebRecipe(pages=150, seed=5, html=False, batch=150)).pages.to_pylist()
    out = [
        {c: row.get(c) for c in COLUMNS} | {"quality": str(i * 37 % 101), "half": "ab"[i % 7 > 2]}
        for i, row in enumerate(table)
    ]
    out += [dict(out[i], id=f"copy{i}", url=f"http://copy.example/{i}", site=None) for i in (3, 50, 120)]
    out += [dict(out[i], id=f"alone{i}", url=None, site=None) for i in (4, 60)]
    out += [dict(out[i], id=f"again{i}", text=out[i]["text"] + "\n" + out[i]["text"][:80]) for i in range(20, 40)]
    return [
        *out,
        *small_rows(),
        {**dict.fromkeys(COLUMNS), "id": "s1", "text": "短。"},
        {**dict.fromkeys(COLUMNS), "id": "s3", "text": ""},
    ]


def frame(spark, rows, partitions):
    schema = ", ".join(f"{c} string" for c in COLUMNS)
    some = [tuple(None if r[c] is None else str(r[c]) for c in COLUMNS) for r in rows]
    return spark.createDataFrame(random.Random(partitions).sample(some, len(some)), schema).repartition(partitions)


def typed(rows):
    """The rows as the same strings for the local engine."""
    return pa.table({c: pa.array([None if r[c] is None else str(r[c]) for r in rows], pa.string()) for c in COLUMNS})


def as_rows(found):
    """Rows as one likes to compare them: dictionaries by what identifies them."""
    rows = found.to_pylist() if hasattr(found, "to_pylist") else [r.asDict(True) for r in found.collect()]
    return sorted(rows, key=lambda r: (r.get("left_id") or r["id"], r.get("right_id") or ""))


def hold_equal(spark, rows, partitions, **options):
    """Runs both and holds every table equal; returns the results."""
    import quchong.spark

    protect = options.pop("protect", ())
    local = qc.dedup(typed(rows), recall_sample=0, protect=protect, **options)
    found = quchong.spark.dedup(frame(spark, rows, partitions), protect=protect, **options)
    same(found, local)
    return found, local


def equal_tables(found, local):
    rows = {name: as_rows(getattr(found, name)) for name in TABLES}
    for name in TABLES:
        assert rows[name] == as_rows(getattr(local, name)), name
    assert len(local.pairs) > 20 and len(local.ledger) > 5
    return rows


def same(found, local):
    equal_tables(found, local)
    for name in ("kept", "removed"):
        assert sorted(r["id"] for r in getattr(found, name).select("id").collect()) == sorted(
            getattr(local, name)["id"].to_pylist()
        )


@pytest.mark.parametrize("partitions", [in_campaign(1), in_campaign(8)])
def test_the_default_method(spark, rows, partitions):
    found, local = hold_equal(spark, rows, partitions)
    assert any(r["relation"] == "variant" for r in as_rows(local.pairs))
    hold_to_compare(local.pairs.to_pylist(), found.plan)
    assert found.plan.config_hash() == local.manifest["config_hash"]


@pytest.mark.parametrize("partitions", [in_campaign(1), in_campaign(8)])
def test_ccdet(spark, pages, partitions):
    found, local = hold_equal(spark, pages, partitions, method="ccdet", keep="earliest")
    assert found.plan.config_hash() == local.manifest["config_hash"]
    assert found.plan.method.noise.digest == local.manifest["config"]["parameters"]["noise"]
    clr = [row["size_ratio"] for row in as_rows(found.pairs) if row["relation"] != "exact"]
    assert None not in clr and min(clr) < 0.5 < max(clr)


@pytest.mark.parametrize(
    "options",
    [in_campaign(one) for one in PRUNING],
    ids=lambda o: "-".join(map(str, o.values())),
)
def test_ccdet_however_it_prunes(spark, pages, options):
    keep = "column:quality desc,longest"
    found, local = hold_equal(spark, pages, 3, method="ccdet", keep=keep, protect=["copy3"], **options)
    if options == {"prune": "none"}:
        hold_to_compare(local.pairs.to_pylist(), found.plan)
    bounded = [a["figures"]["cap"] for a in local.manifest["alarms"] if a["kind"] == "candidates bounded"]
    assert bounded == [c for k, c in options.items() if k == "cap"]


@pytest.mark.parametrize(
    "options",
    [
        in_campaign({"method": "minhash", "threshold": 0.5}),
        in_campaign({"method": "exact"}),
        in_campaign(
            {
                "strip": "dateline,editor",
                "per": "site",
                "protect": ["many7", "many8", "near1"],
                "keep": "column:quality desc",
            }
        ),
        {"same_site": True, "relations": "exact,duplicate", "cap": 3, "keep": "source:b>a,shortest", "source": "site"},
    ],
    ids=lambda o: o.get("method") or o.get("keep"),
)
def test_other_methods_and_options(spark, rows, options):
    found, local = hold_equal(spark, rows, 1 if "strip" in options else 3, **options)
    assert found.plan.config_hash() == local.manifest["config_hash"]
    if "method" in options:
        hold_to_compare(local.pairs.to_pylist(), found.plan)


@pytest.mark.campaign  # in the suite crowds are bounded, by keys, sets and signatures
def test_families_are_bounded_alike(spark, rows):
    from quchong.spark import found_alarms

    base = next(r["text"] for r in rows if r["text"] and len(r["text"]) > 100)[:90]
    family = [{**rows[0], "id": f"f{i:02d}", "text": base[:i] + "卍" + base[i + 1 :]} for i in range(30)]
    found, local = hold_equal(spark, family, 3, method="minhash", most=5, threshold=0.5)
    said = [a.message for a in found_alarms(found) if a.kind == "candidates bounded"]
    assert said and said == [a["message"] for a in local.manifest["alarms"] if a["kind"] == "candidates bounded"]


@pytest.mark.parametrize(
    ("crowd", "posts"),
    [(30, 60), in_campaign(40, 80)],
    ids=["lists within the cap", "lists beyond the cap"],
)
def test_crowds_follow_survivors_alike(spark, rows, monkeypatch, crowd, posts):
    """Posts with one to three characters changed, the longest of them late by id: those compared first go for their sake."""
    import quchong.engines.local.candidates
    import quchong.engines.spark.candidates
    from quchong.spark import found_alarms

    monkeypatch.setattr(quchong.engines.local.candidates, "CROWD", crowd)
    monkeypatch.setattr(quchong.engines.spark.candidates, "CROWD", crowd)
    rng = random.Random(7)
    base = "今天下午三点在市体育馆举行的比赛因大雨改期到下周六上午十点请大家互相转告谢谢各位的理解和支持"
    family = []
    for i in range(posts):
        text = list(base)
        for _ in range(rng.randint(1, 3)):
            text[rng.randrange(len(base))] = rng.choice("卍龘靐齉爩鱻麤龗灪")
        family.append({**rows[0], "id": f"f{i:03d}", "text": "".join(text) + "好" * (i > posts * 5 // 6)})
    found, local = hold_equal(spark, family, 3)
    said = [a["message"] for a in local.manifest["alarms"] if a["kind"] == "candidates bounded"]
    assert said and "similar documents. Each was compared with only" in said[0]
    assert said == [a.message for a in found_alarms(found) if a.kind == "candidates bounded"]
    assert found.candidates.filter("met is null").count() > 0  # survivors were followed
    assert found.candidates.count() == local.manifest["counts"]["candidates"]


@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("lsh", {"cap": 12}),
        in_campaign("mdr", {}),
        in_campaign("shingling", {"cap": 9}),
        in_campaign("winnowing", {"keep": "longest"}),
    ],
)
def test_sets_are_bounded_alike(spark, rows, method, options):
    from quchong.spark import found_alarms

    rng = random.Random(6)
    base = ["".join(rng.choices("天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏", k=30)) + "。" for _ in range(8)]
    family = [
        {**rows[0], "id": f"f{i:02d}", "quality": str(i * 37 % 101), "title": None,
         "text": "\n".join([*base[: i % 8], base[i % 7][::-1] + str(i), *base[i % 8 :]])}
        for i in range(40)
    ]  # fmt: skip
    options = {"keep": "column:quality desc"} | options
    found, local = hold_equal(spark, family, 3, method=method, most=5, **options)
    said = [a.message for a in found_alarms(found) if "of these: the first and the most similar ones" in a.message]
    assert said and said == [
        a["message"]
        for a in local.manifest["alarms"]
        if "of these: the first and the most similar ones" in a["message"]
    ]


@pytest.mark.parametrize("bits", [in_campaign(64), 128])
def test_signatures_are_bounded_alike(spark, rows, bits):
    """A family of more near texts than a text may meet, in an order that ids do not have; texts without a word meet nobody."""
    from quchong.spark import found_alarms

    base = "今天下午三点在市体育馆举行的比赛因大雨改期到下周六上午十点请大家互相转告谢谢各位的理解和支持"
    family = [
        {**rows[0], "id": f"f{i:02d}", "quality": str(i * 37 % 101), "text": base[:i] + "卍" + base[i + 1 :]}
        for i in range(40)
    ]
    silent = [{**rows[0], "id": f"s{i}", "text": text} for i, text in enumerate(["！！！", "。", "好的好的"])]
    options = {"bits": bits, "distance": 12, "cap": 5, "keep": "column:quality desc"}
    found, local = hold_equal(spark, [*family, *silent], 3, method="two-stage", **options)
    said = [a.message for a in found_alarms(found) if a.kind == "candidates bounded"]
    assert said and said == [a["message"] for a in local.manifest["alarms"] if a["kind"] == "candidates bounded"]


@pytest.mark.parametrize("method", ["hybrid", in_campaign("ccdet"), "ppjoin"])
def test_hot_keys_are_spread(spark, rows, pages, method, monkeypatch):
    from quchong.engines.spark import components, decisions, sets, skew

    monkeypatch.setattr(components, "FEW", 0)
    monkeypatch.setattr(skew, "HOT", 3)
    monkeypatch.setattr(decisions, "TOGETHER", 40)
    monkeypatch.setattr(sets, "TOGETHER", 40)
    options = {"ccdet": PRUNING[-1], "ppjoin": {"threshold": 0.4}}.get(method, {})
    found, local = hold_equal(spark, rows if method == "hybrid" else pages, 3, method=method, **options)
    assert found.lists.filter("documents > 3").count() > 10  # there were such keys
    bounded = [a["figures"]["cap"] for a in local.manifest["alarms"] if a["kind"] == "candidates bounded"]
    if method == "hybrid":
        assert any(r["relation"] == "variant" for r in as_rows(local.pairs))
        hold_to_compare(local.pairs.to_pylist(), found.plan)
    if method == "ccdet":
        assert bounded == [options["cap"]]
        assert found.plan.method.noise.digest == local.manifest["config"]["parameters"]["noise"]


IN_SUITE = ("tree-long-sentence",)
"""Of `EACH`, what the suite runs: with hybrid, ccdet, lsh, two-stage and ppjoin, a method of each kind of join. The engine uses nothing of a method but what
its kind of join names, and that is held for every method in tests/properties/test_any_batches.py; a campaign runs all."""


def frozen(rows, method, **options):
    """The plan of a method, with what it counts on a corpus counted on half of the rows."""
    plan = make_plan(method=method, id="id", recall_sample=0, **options)
    statistics = plan.method.candidates.statistics
    if (statistics is None or not statistics.needed) and not method.startswith("ppjoin"):
        return plan
    other = run_locally(RunInputs(sources_of(typed(rows[:150]), plan.wanted_columns)), plan)
    return replace(plan, method=other.plan.method)


@pytest.mark.parametrize("method", [m if m in IN_SUITE else in_campaign(m) for m in EACH])
def test_each_other_method(spark, pages, method):
    from quchong.engines.spark.dedup import run

    data = frame(spark, pages, 3)
    plan = with_usual_columns(frozen(pages, method, **EACH[method]), data.columns)
    local = run_locally(RunInputs(sources_of(typed(pages), plan.wanted_columns)), plan)
    found = run(data, plan)
    assert found.plan.config_hash() == plan.config_hash() == local.plan.config_hash()
    hold_to_compare(equal_tables(found, local)["pairs"], plan)


def kind_of_join(name):
    """The kind of join, and what an engine does beside it."""
    join = build(name).candidates
    counted = join.statistics is not None
    steps = [step for step in ("noise", "prefixes") if getattr(join, step, None) is not None]
    return type(join).__name__, *steps, "counted" * counted, "parted" * bool(METHODS[name].traits.needs)


def test_the_suite_runs_every_kind_of_join():
    """Joins and their steps; methods that count on a corpus, and those by whose columns exact classes are parted."""
    on_spark = [name for name in METHODS if "spark" in engines_of(build(name))]
    met = [kind_of_join(name) for name in ("hybrid", "ccdet", "lsh", "two-stage", "ppjoin", *IN_SUITE)]
    assert {part for name in on_spark for part in kind_of_join(name)} == {part for kind in met for part in kind}
    assert {kind_of_join(name)[0] for name in on_spark} == {"KeyJoin", "SetJoin", "HammingJoin"}


def test_frozen_noise(spark, pages):
    from quchong.engines.spark.dedup import run

    data = frame(spark, pages, 3)
    plan = with_usual_columns(make_plan(method="ccdet", id="id", recall_sample=0), data.columns)
    other = run_locally(RunInputs(sources_of(typed(pages[:150]), plan.wanted_columns)), plan)
    frozen = replace(plan, method=other.plan.method)
    assert len(frozen.method.noise.of_site) > 0
    local = run_locally(RunInputs(sources_of(typed(pages), plan.wanted_columns)), frozen)
    equal_tables(run(data, frozen), local)


def test_a_worker_killed_in_mid_job_costs_only_time(spark, rows, tmp_path):
    """The process of Python that reads a certain text is killed at it, once, and its task is done again."""
    import quchong.spark

    met = tmp_path / "met"

    def killed(text):
        if text and "云河" in text:
            try:
                os.close(os.open(met, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                return text
            os.kill(os.getpid(), signal.SIGKILL)
        return text

    some = rows[:60]
    df = frame(spark, some, 2)
    from pyspark.sql.functions import udf

    found = quchong.spark.dedup(df.withColumn("text", udf(killed)("text")))
    assert met.exists()
    equal_tables(found, qc.dedup(typed(some), recall_sample=0))


@pytest.mark.parametrize("few", [0, in_campaign(200_000)])
def test_components_of_chains_and_stars(spark, few, monkeypatch):
    """By rounds on Spark, and by the driver alone."""
    from quchong import kernels
    from quchong.engines.spark import components as module
    from quchong.engines.spark.components import components
    from quchong.engines.spark.stages import Stages

    monkeypatch.setattr(module, "FEW", few)
    rng = random.Random(3)
    order = rng.sample(range(400), 400)
    chain = list(itertools.pairwise(order[:200]))
    star = [(order[200], n) for n in order[201:260]]
    tree = [(order[260 + i], order[260 + rng.randrange(i)]) for i in range(1, 100)]
    edges = [*chain, *star, *tree, (order[380], order[381])]
    names = [(f"n{a:03d}", f"n{b:03d}") for a, b in edges]
    found = components(spark.createDataFrame(names, "left string, right string").repartition(3), Stages(spark, None))
    left, right = (np.array([e[k] for e in edges]) for k in (0, 1))
    label = kernels.graph.components(400, left, right)
    nodes = sorted({n for e in edges for n in e})
    least = {c: min(n for n in nodes if label[n] == c) for c in {label[n] for n in nodes}}
    assert {r["node"]: r["component"] for r in found.collect()} == {
        f"n{n:03d}": f"n{least[label[n]]:03d}" for n in nodes
    }


def test_errors_say_what_to_do(spark, rows):
    import quchong.spark

    df = frame(spark, rows[:20], 2)
    for options, said in [
        ({"method": "koala"}, "one machine only"),
        ({"method": "imatch"}, "needs statistics of the corpus"),
        ({"method": "two-stage", "stage1": "bloom"}, "stage1='digest'"),
        ({"within": "7d"}, "not available with the Spark engine"),
        ({"recall_sample": 10}, "not available with the Spark engine"),
        ({"keep": "first"}, "no order"),
        ({"per": "lagn"}, "'lagn'"),
        ({"protect": ["nobody"]}, "'nobody'"),
        ({"threshold": 7.0}, "threshold"),
    ]:
        with pytest.raises(UsageError, match=said):
            quchong.spark.dedup(df, **options)
    with pytest.raises(InputError, match="no column 'body'"):
        quchong.spark.dedup(df, text="body")
    again = frame(spark, [*rows[:20], rows[3]], 2)
    with pytest.raises(InputError, match=rf"the id '{rows[3]['id']}' occurs in 2 rows"):
        quchong.spark.dedup(again)
    with pytest.raises(InputError, match="no id"):
        quchong.spark.dedup(frame(spark, [*rows[:20], {**rows[0], "id": None}], 2))


def test_an_error_on_an_executor_names_the_record(spark, rows):
    from quchong.engines.spark.arrow import mapped
    from quchong.engines.spark.stages import Stages

    def broken(batch):
        if "orig" in " ".join(batch.column("id").to_pylist()):
            raise ValueError("cannot work on this")
        return batch

    df = frame(spark, rows[:20], 2).select("id")
    first = {r["id"] for r in rows[:20] if r["id"].startswith("orig")}
    with pytest.raises(InputError, match="ValueError: cannot work on this") as caught:
        Stages(spark, None)(df.mapInArrow(mapped(broken, "id"), "id string"), "broken")
    assert any(repr(i) in str(caught.value) for i in first)


def test_pairs_alone(spark, rows, tmp_path):
    import quchong.spark

    some = [*rows[:60], {**rows[0], "id": "null", "text": None}]
    work = tmp_path / "work"
    local = qc.dedup(typed(some), recall_sample=0).pairs
    assert as_rows(quchong.spark.pairs(frame(spark, some, 2), work=str(work))) == as_rows(local) and len(local)
    assert any(work.iterdir())


def test_other_data_than_a_spark_data_frame_and_texts_that_are_none(spark, rows):
    import quchong.spark

    df = frame(spark, rows[:20], 2)
    for data in ("news.jsonl", rows[:3], df.toPandas()):
        with pytest.raises(UsageError, match=r"takes a Spark DataFrame, not \w+; .* use quchong\.dedup"):
            quchong.spark.dedup(data)
    with pytest.raises(UsageError, match=r"use quchong\.spark\.dedup"):
        qc.dedup(df)
    with pytest.raises(InputError, match="column 'nr' has the type bigint, not text"):
        quchong.spark.dedup(df.selectExpr("id", "cast(1 as bigint) as nr"), text="nr")


def test_workers_run_the_same_python(spark, monkeypatch):
    from quchong.engines.spark.stages import Stages, executor_errors
    from quchong.errors import QuchongError

    monkeypatch.delenv("PYSPARK_PYTHON")
    monkeypatch.setattr(spark.sparkContext, "pythonExec", "python-of-nobody")
    Stages(spark, None)
    assert spark.sparkContext.pythonExec == sys.executable
    monkeypatch.setenv("PYSPARK_PYTHON", "theirs")
    monkeypatch.setattr(spark.sparkContext, "pythonExec", "theirs")
    Stages(spark, None)
    assert spark.sparkContext.pythonExec == "theirs"
    monkeypatch.setattr(spark.sparkContext, "pythonExec", sys.executable)
    with pytest.raises(UsageError, match=r"has no module no_such_module: .* PYSPARK_PYTHON"), executor_errors():
        spark.range(1).mapInArrow(lambda batches: __import__("no_such_module"), "id long").collect()
    with (
        pytest.raises(QuchongError, match="the Java process of Spark ended; the reason is in its log"),
        executor_errors(),
    ):
        raise ConnectionRefusedError("Connection refused")


def test_what_a_run_says_of_itself_and_rows_without_text(spark, rows, tmp_path):
    """Of a run by digests alone, all of which is what the local one finds."""
    import quchong.spark

    some = [*rows, *({**rows[0], "id": f"none{n}", "text": text} for n, text in enumerate(["", " \n", None]))]
    local = qc.dedup(typed(some), recall_sample=0, method="exact")
    found = quchong.spark.dedup(frame(spark, some, 2), method="exact", work=str(tmp_path / "work"))
    same(found, local)
    assert found.skipped.collect() == [] and "none2" in local.kept["id"].to_pylist()
    assert repr(found).startswith("<quchong.spark.SparkResult: method exact")
    counts = quchong.spark.counts_of(found)
    assert {
        k: local.counts[k]
        for k in ("read", "kept", "removed", "removed_by_relation", "distinct", "records", "without_text")
    }.items() <= counts.items()
    hold_to_compare(local.pairs.to_pylist(), found.plan)
    assert [a.kind for a in quchong.spark.found_alarms(found)] == [a["kind"] for a in local.manifest["alarms"]]
    assert any((tmp_path / "work").iterdir())
    found.stages.clear()
    assert not any((tmp_path / "work").iterdir())
