"""Covers: a reference corpus on Spark as on one machine: an index, an exported index and files, row by row, for joins of every kind.

Compared against: `quchong.dedup` of the same rows against the same references. Run: pytest tests/conformance (needs pyspark and Java; else skipped).
"""

import json
import random
import shutil
import sqlite3
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from spark_folders import by_ids
from spark_rows import COLUMNS, mixed_rows

import quchong as qc
from quchong.cli.main import main
from quchong.cli.options import PathArgument
from quchong.engines.local.inputs import RunInputs
from quchong.engines.local.run import run as run_locally
from quchong.errors import InputError, QuchongError, RunError, UsageError
from quchong.plan.column_choice import with_usual_columns
from quchong.plan.request import make_plan
from quchong.plan.sources import sources_of
from quchong.results.spark_references import SparkReferences
from quchong.tables import FATES

pytestmark = pytest.mark.filterwarnings("ignore:.*pandas.*")
TABLES = ("pairs", "ledger", "clusters", "templates")
COUNTS = ("read", "reference", "kept", "removed", "distinct", "candidates", "pairs", "unscored", "without_text")
ALARMS = ("candidates bounded", "many without text", "giant cluster", "kept rows changed")


def in_campaign(*values):
    """Values of a test that `make campaign` runs, and the suite does not."""
    return pytest.param(*values, marks=pytest.mark.campaign)


@pytest.fixture(scope="module")
def sides():
    """Rows of an input and of a reference corpus: copies across both and within each, ids of both, and blank texts with one id."""
    rows = mixed_rows()
    random.Random(6).shuffle(rows)
    known, new = rows[: len(rows) // 2], rows[len(rows) // 2 :]
    text = next(row["text"] for row in known if row["text"] and len(row["text"]) > 200)
    both = [
        {**known[0], "id": "both", "text": text},
        {**known[0], "id": "blank", "text": "  "},
        {**known[0], "id": "zz", "text": text[:-30]},
    ]
    mine = [
        {**new[0], "id": "both", "text": text + "另有一段话是后来补上的。"},
        {**new[0], "id": "blank", "text": "  "},
        {**new[0], "id": "equal", "text": text},
    ]
    return [*new, *mine], [*known, *both]


def table(rows):
    return pa.table({c: pa.array([None if r[c] is None else str(r[c]) for r in rows], pa.string()) for c in COLUMNS})


def frame(spark, rows, partitions=3):
    schema = ", ".join(f"{c} string" for c in COLUMNS)
    some = [tuple(None if r[c] is None else str(r[c]) for c in COLUMNS) for r in rows]
    return spark.createDataFrame(random.Random(partitions).sample(some, len(some)), schema).repartition(partitions)


def as_rows(found):
    rows = found.to_pylist() if hasattr(found, "to_pylist") else [r.asDict(True) for r in found.collect()]
    for row in rows:
        row.pop("template", None)
    return sorted(rows, key=lambda r: (str(r.get("left_id") or r.get("id") or r), r.get("right_id") or ""))


def hold_equal(found, local, counts=COUNTS, alarms=ALARMS):
    from quchong.spark import counts_of, found_alarms

    for name in TABLES:
        assert as_rows(getattr(found, name)) == as_rows(getattr(local, name)), name
    told = counts_of(found)
    assert {k: told[k] for k in counts} == {k: local.counts[k] for k in counts}
    mine = [a.message for a in found_alarms(found) if a.kind in alarms]
    assert mine == [a.message for a in local.alarms if a.kind in alarms]
    assert any(str(r["survivor_id"]).startswith("against/") for r in as_rows(local.ledger))


def planned(rows, method="hybrid", **options):
    """The plan of a method, with what it counts on a corpus counted on some rows."""
    plan = make_plan(method=method, id="id", recall_sample=0, **options)
    statistics = plan.method.candidates.statistics
    if statistics is None or not statistics.needed:
        return plan
    return replace(plan, method=run_locally(RunInputs(opened(rows, plan)), plan).plan.method)


def opened(rows, plan):
    return sources_of(table(rows), plan.wanted_columns)


@pytest.mark.parametrize(
    "options",
    [
        in_campaign({}),  # the default is that of `test_an_index`
        {"method": "minhash", "threshold": 0.5, "most": 2},
        in_campaign({"method": "tree-long-sentence"}),
        in_campaign({"method": "short-text"}),
        in_campaign({"method": "ppjoin", "threshold": 0.5}),
        in_campaign({"method": "two-stage"}),
        in_campaign({"method": "ccdet", "keep": "earliest", "cap": 3}),
        in_campaign({"only_against": True, "keep": "column:quality desc", "templates": "payload"}),
        in_campaign({"only_against": True, "method": "minhash", "threshold": 0.5, "most": 2}),
    ],
    ids=lambda o: "-".join(map(str, o.values())) or "hybrid",
)
def test_a_table_of_references(spark, sides, options):
    from quchong.engines.spark.dedup import run

    new, known = sides
    data = frame(spark, new)
    plan = with_usual_columns(planned(known, **options), data.columns)
    local = run_locally(RunInputs(opened(new, plan), opened(known, plan)), plan)
    found = run(data, plan, references=SparkReferences(frame(spark, known)))
    # The exact join by prefixes counts what passes its filters, the search on one machine what reaches the threshold.
    counts = [k for k in COUNTS if k != "candidates" or options.get("method") != "ppjoin"]
    # Lists of features that are cut are told in other words on Spark.
    hold_equal(found, local, counts, ALARMS[1:] if "cap" in options else ALARMS)
    assert found.plan.config_hash() == local.plan.config_hash()


def run_main(monkeypatch, spark, argv):
    """The command, in the session of the tests."""
    monkeypatch.setattr("quchong.engines.spark.files.session", lambda _master, _settings: spark)
    monkeypatch.setattr("quchong.engines.spark.files.end", lambda _spark: None)
    monkeypatch.setattr(sys, "argv", ["quchong", *map(str, argv), "-q"])
    main()


@pytest.fixture
def files(tmp_path, sides):
    """An input, and an index of a run of the other rows; some of its documents are deleted, others expired, others added later."""
    new, known = sides
    path, before = tmp_path / "new.jsonl", tmp_path / "known.jsonl"
    for file, rows in ((path, new[::2] + new[-3:]), (before, known[:-3])):
        lines = [json.dumps({k: v for k, v in row.items() if v is not None}, ensure_ascii=False) for row in rows]
        file.write_text("\n".join(dict.fromkeys(lines)) + "\n", "utf-8")
    qc.dedup(before, out=tmp_path / "run", recall_sample=0)
    with qc.Index.create(tmp_path / "seen", from_run=tmp_path / "run") as index:
        index.add([{k: v for k, v in row.items() if v is not None} for row in known[-3:]])
        old = {"id": "old", "text": known[-3]["text"], "time": "2001-01-01"}
        index.add([old])
        kept = qc.load(tmp_path / "run").kept["id"].to_pylist()
        assert index.delete([kept[0], kept[7]]) == 2
        assert index.expire("3650d") > 0
    return path, tmp_path / "seen"


def entries(folder):
    """What run.json tells of the references, without the place of a copy that is there no more."""
    told = json.loads((folder / "run.json").read_text("utf-8"))["against"]
    return [{k: v for k, v in one.items() if k != "path" or Path(v).exists()} for one in told]


def fates(folder):
    told = json.loads((folder / "run.json").read_text("utf-8"))
    names = [one["name"] for one in [*told["against"], *told["inputs"]]]
    table = pq.read_table(folder / "documents.parquet").select(FATES.names)
    return sorted(table.to_pylist(), key=lambda r: (not r["reference"], names.index(r["source"]), r["row"]))


def hold_folders_equal(out, local):
    for name in ("ledger", "pairs", "clusters"):
        assert by_ids(out / f"{name}.parquet") == by_ids(local / f"{name}.parquet"), name
    assert fates(out) == fates(local)
    assert entries(out) == entries(local)
    mine, theirs = (json.loads((folder / "run.json").read_text("utf-8")) for folder in (out, local))
    assert {k: mine["counts"][k] for k in COUNTS} == {k: theirs["counts"][k] for k in COUNTS}
    assert mine["config"] == theirs["config"] and mine["config_hash"] == theirs["config_hash"]
    assert mine["counts"]["reference"] > 0
    assert qc.load(out).kept.equals(qc.load(local).kept) and qc.load(out).removed.equals(qc.load(local).removed)
    by_reference = [r["id"] for r in by_ids(out / "ledger.parquet") if r["survivor_id"].startswith("against/")]
    assert by_reference
    return by_reference


def test_an_index(spark, files, tmp_path, monkeypatch, capsys):
    path, seen = files
    local, out = tmp_path / "local", tmp_path / "out"
    qc.dedup(path, against=seen, out=local, recall_sample=0)
    run_main(monkeypatch, spark, ["dedup", path, "--against", seen, "-o", out, "--engine", "spark"])
    gone = hold_folders_equal(out, local)
    assert {r["id"] for r in fates(out) if r["reference"]} >= {"against/both", "against/blank", "against/zz"}
    assert not {"against/old"} & {r["id"] for r in fates(out)} and "both" in {r["id"] for r in fates(out)}
    mine, theirs = qc.load(out), qc.load(local)
    assert [mine.explain(one).text for one in gone[:5]] == [theirs.explain(one).text for one in gone[:5]]
    told = []
    for one in (mine, theirs):
        with pytest.raises(RunError, match="the copy of an index") as error:
            one.rethreshold(0.9)
        told.append(str(error.value))
    assert told[0] == told[1]
    assert mine.report(lang="en").html
    assert not [p for p in tmp_path.iterdir() if p.name.startswith(".")]


def test_an_exported_index(spark, files, tmp_path, monkeypatch):

    path, seen = files
    with qc.Index(seen) as index:
        index.export(tmp_path / "exported")
    local, out = tmp_path / "local", tmp_path / "out"
    qc.dedup(path, method="minhash", against=tmp_path / "exported", out=local, recall_sample=0)
    argv = ["dedup", path, "--method", "minhash", "--against", tmp_path / "exported", "-o", out, "--engine", "spark"]
    run_main(monkeypatch, spark, argv)
    gone = hold_folders_equal(out, local)
    again, expected = (qc.load(folder).rethreshold(0.9) for folder in (out, local))
    assert again.ledger.to_pylist() == expected.ledger.to_pylist() and again.kept.equals(expected.kept)
    mine, theirs = qc.load(out), qc.load(local)
    assert [mine.explain(one).text for one in gone[:5]] == [theirs.explain(one).text for one in gone[:5]]
    for one in (mine, theirs):
        one.restore(gone[:1])
    assert fates(out) == fates(local) and mine.kept.equals(theirs.kept)


def test_references_at_an_address_that_only_hadoop_knows(spark, files, tmp_path):
    """A viewfs mount, as HDFS and S3: executors read the kept rows of the exported index; it is files that matter."""
    from quchong.engines.spark.files import dedup_files

    path, seen = files
    with qc.Index(seen) as index:
        index.export(tmp_path / "exported")
    spark._jsc.hadoopConfiguration().set("fs.viewfs.mounttable.known.link./data", tmp_path.as_uri())
    options = {"method": "exact", "id": "id", "recall_sample": 0}
    local = qc.dedup(path, against=tmp_path / "exported", out=tmp_path / "local", **options)
    references = SparkReferences([PathArgument("viewfs://known/data/exported")])
    out = tmp_path / "out"
    manifest = dedup_files(spark, [str(path)], str(out), make_plan(**options), references=references)
    assert by_ids(out / "pairs.parquet") == by_ids(tmp_path / "local" / "pairs.parquet")
    assert by_ids(out / "ledger.parquet") == by_ids(tmp_path / "local" / "ledger.parquet")
    assert [(one["name"], one["path"]) for one in manifest["against"]] == [
        ("kept.parquet", "viewfs://known/data/exported/kept.parquet")
    ]
    assert fates(out) == fates(tmp_path / "local")
    assert manifest["counts"]["reference"] == local.manifest["counts"]["reference"] > 50


def test_changed_rows_of_an_earlier_run_are_told(spark, tmp_path, monkeypatch):
    text = "今天下午三点，市体育馆举行的比赛因大雨改期到下周六上午十点。"
    new, known = tmp_path / "new.jsonl", tmp_path / "known.jsonl"
    new.write_text("".join(json.dumps({"id": i, "text": text + str(i) * 9}) + "\n" for i in range(3)))
    known.write_text("".join(json.dumps({"id": i, "text": text * 2 + str(i) * 30}) + "\n" for i in range(4)))
    qc.dedup(known, method="exact", out=tmp_path / "run")
    kept = tmp_path / "run" / "kept.jsonl"
    kept.write_text(
        "".join(kept.read_text().splitlines(True)[1:]) + json.dumps({"id": 0, "text": text + "0" * 9}) + "\n"
    )
    asked = {"method": "exact", "recall_sample": 0}
    local = qc.dedup(new, against=tmp_path / "run", out=tmp_path / "local", **asked)
    argv = [
        "dedup",
        new,
        "--against",
        tmp_path / "run",
        "-o",
        tmp_path / "out",
        "--engine",
        "spark",
        "--method",
        "exact",
    ]
    run_main(monkeypatch, spark, argv)
    hold_folders_equal(tmp_path / "out", tmp_path / "local")
    told = json.loads((tmp_path / "out" / "run.json").read_text("utf-8"))["alarms"]
    expected = [one for one in local.manifest["alarms"] if one["kind"] == "kept rows changed"]
    assert expected and [one for one in told if one["kind"] == "kept rows changed"] == expected
    types = [pq.read_table(tmp_path / side / "ledger.parquet").schema.field("id").type for side in ("out", "local")]
    assert types == [pa.int64(), pa.int64()]


def test_variants_of_references_are_counted_where_ids_are_whole_numbers(spark, tmp_path, monkeypatch):
    """Pairs have strings there, because a reference has a name and no number; the ledger has numbers."""
    text = "市政府昨天召开新闻发布会，介绍地铁四号线的建设情况，预计投资350万元，明年三月通车，沿线居民表示欢迎，也有人担心票价。"
    new, known = tmp_path / "new.jsonl", tmp_path / "known.jsonl"
    rows = [
        (1, text.replace("350万元", "380万元")),
        (2, text),
        (3, text.replace("350万元", "390万元") + "他说不会延期。"),
    ]
    new.write_text("".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in rows))
    known.write_text("".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in [(1734, text), (1735, text[::-1])]))
    local = qc.dedup(new, against=known, out=tmp_path / "local", recall_sample=0)
    argv = ["dedup", new, "--against", known, "-o", tmp_path / "out", "--engine", "spark"]
    run_main(monkeypatch, spark, argv)
    hold_folders_equal(tmp_path / "out", tmp_path / "local")
    told = json.loads((tmp_path / "out" / "run.json").read_text("utf-8"))["counts"]["variants"]
    assert told == local.manifest["counts"]["variants"]
    assert told["kept_pairs"] > 1


def test_an_id_that_only_marks_tell_apart_from_that_of_a_reference(spark):
    """On one machine the second one is renamed; rows of a DataFrame have no order by which it could be."""
    import quchong.spark

    text = "今天下午三点，市体育馆举行的比赛因大雨改期到下周六上午十点。"
    new, known = (spark.createDataFrame([(one, text)], "id string, text string") for one in ("against/1", "1"))
    with pytest.raises(InputError, match="the id 'against/1' occurs in 2 rows"):
        quchong.spark.dedup(new, against=known, method="exact")


def test_columns_of_two_types_become_text(spark):
    """Times with a zone in UTC, whatever the zone of the session; other columns keep their types, and missing ones are null."""
    from quchong.engines.spark.unions import united

    before = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", "Asia/Shanghai")
    try:
        one = spark.sql("select 'a' as id, timestamp '2026-03-05 10:00:00' as `column_a time`, 7 as column_n")
        other = spark.sql("select 'b' as id, '2026-03-05' as `column_a time`, 8L as column_n, true as more")
        found = sorted(map(tuple, united([one, other]).collect()))
    finally:
        spark.conf.set("spark.sql.session.timeZone", before)
    assert found == [("a", "2026-03-05 02:00:00.000000Z", "7", None), ("b", "2026-03-05", "8", True)]


@pytest.mark.parametrize("only", [False, in_campaign(True)])
def test_an_empty_index(spark, tmp_path, only):
    """Nothing is compared with it; ids stay whole numbers."""
    import quchong.spark

    qc.Index.create(tmp_path / "seen").close()
    text = "今天下午三点，市体育馆举行的比赛因大雨改期到下周六上午十点。"
    rows = [(i, text + "甲" * (i // 2)) for i in range(4)]
    df = spark.createDataFrame(rows, "id bigint, text string")
    found = quchong.spark.dedup(df, against=tmp_path / "seen", method="exact", only_against=only)
    data = [{"id": i, "text": t} for i, t in rows]
    local = qc.dedup(data, against=tmp_path / "seen", method="exact", only_against=only, recall_sample=0)
    assert as_rows(found.ledger) == as_rows(local.ledger) and as_rows(found.pairs) == as_rows(local.pairs)
    assert dict(found.ledger.dtypes)["survivor_id"] == "bigint"
    assert quchong.spark.counts_of(found)["reference"] == local.manifest["counts"]["reference"] == 0


def test_copies_of_references_have_the_ids_of_one_machine(tmp_path):
    """Without Spark: what is stored for executors; ids that repeat within a file and across files, and an id~2 that was given."""
    pytest.importorskip("pyspark")
    from quchong.engines.spark.reference_copies import _read_positions, _written, together

    rng = random.Random(3)
    rows = [
        {
            "id": rng.choice("aabbcd"),
            "text": f"第{rng.randrange(3)}条新闻",
            "site": rng.choice(["s", "t", None]),
            "n": rng.randrange(2),
        }
        for _ in range(60)
    ]
    rows += [{"text": "没有名字的一条"}, {"id": "a~2", "text": "自己就叫这个名字"}, {"id": "c~3", "text": "  "}]
    rng.shuffle(rows)
    first, second, third = (tmp_path / name for name in ("x.jsonl", "y.parquet", "z.jsonl"))
    for path, some in ((first, rows[:25]), (third, rows[45:])):
        path.write_text("".join(json.dumps({k: v for k, v in one.items() if v is not None}) + "\n" for one in some))
    pq.write_table(
        pa.Table.from_pylist(
            rows[25:45], pa.schema([("id", "string"), ("text", "string"), ("site", "string"), ("n", "uint8")])
        ),
        second,
    )
    plan = make_plan(keep="column:n", recall_sample=0)
    references = SparkReferences([first, second, third])
    sources = references(plan)
    written = list(_written(sources, plan, tmp_path))
    copies = together([pq.read_table(path) for path in written])
    names = ["id", "text", *(name for name in copies.column_names if name.startswith("column_"))]
    about = copies.select(["id", "quchong_start", "quchong_record"])
    new = references.rename(sources, plan, about, partial(_read_positions, written, names))
    ids = [new.get(k, one) for k, one in enumerate(copies["id"].to_pylist())]
    qc.dedup(
        [{"id": "new", "text": "另一条", "n": 1}],
        against=[first, second, third],
        keep="column:n",
        out=tmp_path / "out",
        recall_sample=0,
    )
    known = [one for one in fates(tmp_path / "out") if one["reference"]]
    mine = zip(ids, copies["quchong_file"].to_pylist(), copies["quchong_record"].to_pylist(), strict=True)
    assert sorted(mine, key=lambda one: one[1:]) == [(one["id"], one["source"], one["row"]) for one in known]
    assert len(new) > 30 and len(set(ids)) == len(ids) == len(rows)


def damaged(folder, tmp_path):
    """Folders that are no usable index, by what is wrong with each."""
    made = {}
    for name in ("no settings", "foreign settings", "wrong sum", "damaged text", "no texts"):
        made[name] = tmp_path / name.replace(" ", "-")
        if name == "no texts":
            with qc.Index.create(made[name], store="none") as index:
                index.add(["今天下午三点，市体育馆举行的比赛因大雨改期。"])
            continue
        shutil.copytree(folder, made[name])
    (made["no settings"] / "index.json").unlink()
    (made["foreign settings"] / "index.json").write_text('{"kind": "another"}')
    told = json.loads((made["wrong sum"] / "index.json").read_text("utf-8"))
    (made["wrong sum"] / "index.json").write_text(json.dumps({**told, "keep": "longest"}))
    (catalogue,) = made["damaged text"].rglob("*.sqlite*")
    with sqlite3.connect(catalogue) as file:
        names = [row[0] for row in file.execute("select name from sqlite_master where type = 'table'")]
        columns = {n: [row[1] for row in file.execute(f"pragma table_info({n})")] for n in names}
        name = next(n for n in names if "text" in columns[n])
        file.execute(f"update {name} set text = ?", (b"not what was stored",))
    return made


@pytest.mark.parametrize("wrong", ["no settings", "foreign settings", "wrong sum", "damaged text", "no texts"])
def test_what_is_wrong_with_an_index_is_said_as_on_one_machine(tmp_path, wrong):
    """Without Spark: the references are opened by the same code, before anything else is done."""
    text = "今天下午三点，市体育馆举行的比赛因大雨改期到下周六上午十点。"
    with qc.Index.create(tmp_path / "seen") as index:
        index.add([{"id": "a", "text": text}])
    folder = damaged(tmp_path / "seen", tmp_path)[wrong]
    plan = make_plan(id="id")
    with pytest.raises(QuchongError) as here:
        SparkReferences(folder)(plan)
    with pytest.raises(QuchongError) as there:
        qc.dedup([{"id": "b", "text": text}], against=folder)
    assert (type(here.value), str(here.value)) == (type(there.value), str(there.value))


def test_references_that_cannot_be_opened(tmp_path):
    with pytest.raises(UsageError, match="give either addresses or paths"):
        SparkReferences([PathArgument("hdfs:///a.parquet"), tmp_path])
    with pytest.raises(UsageError, match="the Spark engine does not read standard input"):
        SparkReferences("-")
    address = "postgresql://x@127.0.0.1:1/news?index=seen"
    with pytest.raises(QuchongError) as here:
        SparkReferences(address)(make_plan())
    with pytest.raises(QuchongError) as there:
        qc.dedup([{"id": "b", "text": "x"}], against=address)
    assert str(here.value) == str(there.value)
