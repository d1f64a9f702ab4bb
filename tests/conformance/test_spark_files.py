"""Covers: runs of the Spark engine over files: rows byte for byte, tables, manifest, bad lines, alarms, errors.

Compared against: the run folder of the local engine over the same files. Run: pytest tests/conformance.
"""

import datetime
import gzip
import json
import subprocess
import sys
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import quchong as qc
from quchong.cli.main import main
from quchong.errors import InputError, OutputError, UsageError
from quchong.outputs.owner import Mark
from quchong.plan.request import make_plan
from quchong.tables import FATES

pytestmark = pytest.mark.filterwarnings("ignore:.*pandas.*")
BAD = [
    b'{"id": "x1", "text": 7}',
    b'{"id": "x2", "text"',
    b'{"id": "x3", "text": "\xff"}',
]


def parts(folder):
    return pq.read_table(folder).to_pylist()


def by_ids(rows):
    return sorted(rows, key=lambda r: (r.get("left_id") or r["id"], r.get("right_id") or ""))


def lines(folder):
    """The lines of all parts, one part after the other."""
    return [line for p in sorted(folder.glob("part-*")) for line in p.read_bytes().split(b"\n") if line]


def fates(folder):
    """documents.parquet without the numbers of parts, in the order of the input as run.json has it."""
    names = [one["name"] for one in json.loads((folder / "run.json").read_text("utf-8"))["inputs"]]
    table = pq.read_table(folder / "documents.parquet").select(FATES.names)
    return sorted(table.to_pylist(), key=lambda r: (names.index(r["source"]), r["row"]))


@pytest.fixture
def jsonl(tmp_path, rows):
    """Two files, one zipped: numbers as ids, a space more here and there, blank lines, CRLF, bad lines, a mark at the start."""
    folder = tmp_path / "in"
    folder.mkdir()
    written = []
    for i, row in enumerate(rows):
        item = {"n": i, **row, "id": 10_000 + i if i % 2 else row["id"], "quality": i % 9}
        written.append(json.dumps(item, ensure_ascii=i % 3 == 0).encode() + [b"", b" ", b"\r"][i % 3])
    first, second = written[:200], written[200:]
    first[50:50] = [*BAD[:2], b"", b"   "]
    (folder / "a.jsonl").write_bytes(b"\xef\xbb\xbf" + b"\n".join(first) + b"\n")
    (folder / "b.jsonl.gz").write_bytes(gzip.compress(b"\n".join([*second, *BAD[2:]])))
    return [str(folder / "a.jsonl"), str(folder / "b.jsonl.gz")]


class SmallSplits:
    """Has the input read in many splits, and nothing else."""

    NAME = "spark.sql.files.maxPartitionBytes"

    def __init__(self, spark):
        self.spark, self.usual = spark, spark.conf.get(self.NAME)

    def stage(self, name, _total, _unit):
        self.spark.conf.set(self.NAME, "9000" if name == "read and fingerprint" else self.usual)


@pytest.fixture
def small_parts(monkeypatch):
    """Rows are written in several parts."""
    monkeypatch.setattr("quchong.engines.spark.places.PART_BYTES", 40_000)


def test_json_lines(spark, jsonl, rows, tmp_path, small_parts):
    from quchong.engines.spark.files import dedup_files

    options = {"keep": "column:quality desc,longest", "per": "site"}
    local = tmp_path / "local"
    protected = [r["id"] for i, r in enumerate(rows) if r["id"].startswith("many") and i % 2 == 0][:2]
    (tmp_path / "ids").write_text("\n".join(protected))
    asked = [
        "--keep",
        options["keep"],
        "--per",
        "site",
        "--protect",
        str(tmp_path / "ids"),
        "--recall-sample",
        "0",
        "-q",
    ]
    run_main(["dedup", *jsonl, "-o", str(local), *asked])
    out = tmp_path / "out"
    manifest = dedup_files(spark, jsonl, str(out), make_plan(**options), protect=protected, progress=SmallSplits(spark))
    assert manifest == json.loads((out / "run.json").read_text("utf-8"))
    theirs = json.loads((local / "run.json").read_text("utf-8"))
    assert manifest["config_hash"] == theirs["config_hash"] and manifest["config"] == theirs["config"]
    same = ("read", "kept", "removed", "removed_by_relation", "skipped", "unscored", "distinct", "candidates", "pairs")
    assert [manifest["counts"][k] for k in same] == [theirs["counts"][k] for k in same]
    assert manifest["counts"]["skipped"] == len(BAD)
    for name in ("ledger", "pairs", "clusters"):
        assert by_ids(parts(out / f"{name}.parquet")) == by_ids(parts(local / f"{name}.parquet")), name
    for side in ("kept", "removed"):
        mine = lines(out / side)
        files = [(local / side / "a.jsonl").read_bytes(), gzip.decompress((local / side / "b.jsonl.gz").read_bytes())]
        theirs_side = [line for f in files for line in f.removeprefix(b"\xef\xbb\xbf").split(b"\n") if line.strip()]
        assert mine == theirs_side, side
        assert len(list((out / side).glob("part-?????.jsonl"))) > 2
        assert manifest["files"]["a.jsonl"][side] == manifest["files"]["b.jsonl.gz"][side] == f"{side}/*.jsonl"
    skipped = [json.loads(line) for line in lines(out / "skipped")]
    assert skipped == [json.loads(line) for line in (local / "skipped.jsonl").read_bytes().splitlines()]
    assert [s["line"] for s in skipped] == [51, 52, len(rows) - 200 + 1]
    assert fates(out) == fates(local)
    alarms = json.loads(json.dumps(theirs["alarms"]).replace("skipped.jsonl", "skipped/"))
    assert manifest["alarms"] == [a for a in alarms if a["kind"] != "source nearly emptied"]
    giant = [a["figures"]["documents"] for a in manifest["alarms"] if a["kind"] == "giant cluster"]
    assert manifest["biggest_clusters"][0]["documents"] == max(giant) > 50 and manifest["counts"]["hot_keys"] == 0
    assert manifest["partitions"] == 2 and manifest["versions"]["spark"] == spark.version
    assert manifest["seconds"]["verify"] > 0 and not (out / "_stages").exists()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["ids", "in", "local", "out"]
    with pytest.raises(OutputError, match="exists"):
        dedup_files(spark, jsonl, str(out), make_plan())
    opened, there = qc.load(out), qc.load(local)
    assert opened.kept.equals(there.kept) and opened.removed.equals(there.removed) and opened.skipped == there.skipped
    gone = there.ledger["id"].to_pylist()[5]
    assert opened.explain(gone) == there.explain(gone) and opened.explain(gone).text
    assert opened.explain("x2") == there.explain("x2")
    assert opened.chains().num_rows and opened.chains().equals(there.chains())
    assert "published first" in opened.report(lang="en").html
    again, expected = (one.rethreshold(0.9) for one in (opened, there))
    assert again.ledger.to_pylist() == expected.ledger.to_pylist() and len(again.ledger) != len(opened.ledger)
    for one in (opened, there):
        one.restore([gone])
    assert opened.kept.equals(there.kept) and lines(out / "kept").count(b"") == 0
    assert fates(out) == fates(local)
    theirs_ids = [str(row["id"]) for row in spark.read.json(str(out / "kept")).collect()]
    assert sorted(theirs_ids) == sorted(map(str, opened.kept["id"].to_pylist()))  # Spark still reads what was restored
    with pytest.raises(OutputError, match=r"in contains the input .*a\.jsonl"):
        dedup_files(spark, jsonl, str(tmp_path / "in"), make_plan(), overwrite=True)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.doc").touch()
    with pytest.raises(OutputError, match="not a run folder"):
        dedup_files(spark, jsonl, str(tmp_path / "mine"), make_plan(), overwrite=True)
    (tmp_path / "empty.jsonl").touch()
    before = fates(out)
    with pytest.raises(InputError, match=r"nothing was read: .*; the earlier run in .* was not replaced"):
        dedup_files(spark, [str(tmp_path / "empty.jsonl")], str(out), make_plan(), overwrite=True)
    assert fates(out) == before


def test_parquet_with_times(spark, rows, tmp_path, small_parts):
    from quchong.engines.spark.files import dedup_files

    start = datetime.datetime(2026, 3, 1, tzinfo=datetime.UTC)
    table = pa.table(
        {
            "nr": pa.array(range(len(rows))),
            "title": pa.array([None if i % 3 else "标题" for i in range(len(rows))]),
            "text": pa.array([r["text"] for r in rows]),
            "time": pa.array(
                [start + datetime.timedelta(hours=i * 37 % 97) for i in range(len(rows))], pa.timestamp("us", "UTC")
            ),
        }
    )
    pq.write_table(table, tmp_path / "in.parquet")
    options = {
        "method": "exact",
        "keep": "latest,shortest",
        "id": "nr",
        "text": "title,text",
    }  # it is files that matter
    local = qc.dedup(tmp_path / "in.parquet", recall_sample=0, **options)
    out = tmp_path / "out"
    dedup_files(spark, [str(tmp_path / "in.parquet")], str(out), make_plan(**options))
    assert by_ids(parts(out / "ledger.parquet")) == by_ids(local.ledger.to_pylist())
    assert len(list((out / "kept").glob("part-*.parquet"))) > 1
    opened = qc.load(out)
    assert opened.kept.to_pylist() == local.kept.to_pylist() and len(local.removed) > 50
    assert opened.removed.to_pylist() == local.removed.to_pylist()
    for name in ("ledger", "pairs", "clusters"):
        assert getattr(opened, name).to_pylist() == getattr(local, name).to_pylist(), name
    assert opened.documents.select(FATES.names).equals(local.documents)
    gone = local.ledger["id"].to_pylist()[3]
    assert opened.explain(gone) == local.explain(gone)
    opened.restore(everything=True)
    assert qc.load(out).kept.to_pylist() == pq.read_table(tmp_path / "in.parquet").to_pylist()
    with pytest.raises(InputError, match="cannot be read"):
        dedup_files(spark, [str(tmp_path / "nothing.parquet")], str(tmp_path / "other"), make_plan())


def test_a_run_that_fails_leaves_nothing(spark, tmp_path):
    from quchong.engines.spark.files import dedup_files

    (tmp_path / "in.jsonl").write_text('{"id": "a", "words": "x"}\n{"id": "b", "words": "y"}\n')
    with pytest.raises(InputError, match="no record has a text"):
        dedup_files(
            spark, [str(tmp_path / "in.jsonl")], str(tmp_path / "out"), make_plan(), work=str(tmp_path / "work")
        )
    assert not (tmp_path / "out").exists() and not any((tmp_path / "work").iterdir())


def run_main(argv):
    before = sys.argv
    sys.argv = ["quchong", *argv]
    try:
        main()
    finally:
        sys.argv = before


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--engine", "spark", "--master", "local[1]"], "no output folder"),
        (["--engine", "spark", "-o", "out", "--within", "7d", "--dry-run"], "--dry-run, --within"),
        (["--engine", "spark", "-o", "out", "--spark-conf", "x"], "--spark-conf 'x'"),
        (["--engine", "spark", "-o", "out", "--format", "docx"], "'docx' is not one of"),
        (["-o", "out", "--master", "local[1]"], "only available with --engine spark"),
    ],
)
def test_options_that_do_not_go_together(options, said, capsys, monkeypatch):
    pytest.importorskip("pyspark")
    monkeypatch.delenv("PYSPARK_GATEWAY_PORT", raising=False)
    with pytest.raises(SystemExit) as left:
        run_main(["dedup", "in.jsonl", *options])
    assert left.value.code == UsageError.exit_code and said in capsys.readouterr().err


def test_what_is_missing_is_said(capsys, monkeypatch, tmp_path):
    monkeypatch.delenv("PYSPARK_GATEWAY_PORT", raising=False)
    pytest.importorskip("pyspark")
    asked = ["dedup", "in.jsonl", "-o", str(tmp_path / "out"), "--engine", "spark"]
    with pytest.raises(SystemExit):
        run_main(asked)
    assert "no Spark cluster is named: give --master" in capsys.readouterr().err
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(SystemExit):
        run_main([*asked, "--master", "local[1]"])
    assert "needs Java 17" in capsys.readouterr().err
    for name in [m for m in sys.modules if m.startswith(("quchong.spark", "quchong.engines.spark"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(SystemExit):
        run_main(asked)
    assert "pip install 'pyspark<5,>=4'" in capsys.readouterr().err


def test_another_file_system_than_the_local_one(spark, jsonl, rows, tmp_path):
    """Inputs, stages and the run folder on a file system that only Hadoop knows the way to, as with HDFS and S3: a viewfs mount."""
    from quchong.engines.spark.files import dedup_files
    from quchong.engines.spark.formats import format_of

    conf = spark._jsc.hadoopConfiguration()
    conf.set("fs.viewfs.mounttable.pile.link./data", tmp_path.as_uri())
    names = [f"viewfs://pile/data/in/{path.rsplit('/', 1)[1]}" for path in jsonl]
    plan = make_plan(method="exact", id="id", keep="longest", recall_sample=0)  # it is files that matter
    manifest = dedup_files(spark, names, "viewfs://pile/data/out/run", plan)
    for place in ("viewfs://pile/data/in", "viewfs://pile/data/i*/*"):
        assert format_of([place], None) is None and format_of([place], None, spark) == "jsonl"
    assert [one["path"] for one in manifest["inputs"]] == names
    assert [one["records"] for one in manifest["inputs"]] == [202, len(rows) - 200 + 1]
    local = qc.dedup(str(tmp_path / "in"), method="exact", id="id", keep="longest", recall_sample=0)
    out = tmp_path / "out" / "run"
    assert by_ids(parts(out / "ledger.parquet")) == by_ids(local.ledger.to_pylist())
    assert by_ids(parts(out / "pairs.parquet")) == by_ids(local.pairs.to_pylist())
    assert json.loads((out / "run.json").read_text("utf-8"))["counts"] == manifest["counts"]
    assert not (out / "_stages").exists()
    with pytest.raises(OutputError, match="exists"):
        dedup_files(spark, names, "viewfs://pile/data/out/run", plan)
    with pytest.raises(InputError, match="cannot be read"):
        dedup_files(spark, ["viewfs://pile/data/in/none.jsonl"], "viewfs://pile/data/out/none", plan)
    assert not (tmp_path / "out" / "none").exists()


def small(path, ids):
    """An input of some texts and a copy."""
    path.write_text(
        "".join(json.dumps({"id": i, "text": "一次很长的会议今天在北京举行" + i[0] * 40}) + "\n" for i in ids)
    )
    return str(path)


def killed(owner, token, place):
    """The mark of a process of this machine that is no more."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    owner.write_text(replace(Mark.for_this_process(token, place), pid=gone.pid).text())


@pytest.mark.parametrize("locks", [pytest.param(True, marks=pytest.mark.campaign), False])
def test_outputs_and_what_a_killed_run_left(spark, tmp_path, locks, monkeypatch):
    """On a local file system, and on one without locks, as HDFS and S3 are: here the same one, reached through Hadoop alone."""
    from quchong.engines.spark.files import dedup_files

    if not locks:
        monkeypatch.setattr("quchong.engines.spark.folder._here", lambda _uri: None)
    folder = tmp_path / "新闻 a%20b#c"  # signs that mean something in a URI: Hadoop takes names as they are
    folder.mkdir()
    base, plan = str(folder), make_plan(method="exact", recall_sample=0)
    first = [small(folder / "a.jsonl", ["a1", "a2", "b1"]).replace(str(folder), base)]
    dedup_files(spark, first, f"{base}/run", plan)
    assert len(qc.load(folder / "run").kept) == 2
    assert [p.name for p in tmp_path.iterdir()] == [folder.name]
    before = {p: p.read_bytes() for p in (folder / "run").rglob("*") if p.is_file()}

    for inputs, out, said in [
        ([f"{base}/run/kept"], "run", "contains the input .*run/kept"),
        ([f"{base}/r*/kept"], "run", r"contains the input .*r\*/kept"),
        (first, "a.jsonl", "is the same as the input .*a.jsonl"),
        ([f"{base}/run/kept"], "run/kept/new", "is inside the input .*run/kept"),
    ]:
        with pytest.raises(OutputError, match=said):
            dedup_files(spark, inputs, f"{base}/{out}", plan, format="jsonl", overwrite=True)
    with pytest.raises(InputError):  # a run that fails costs nothing of the old one
        dedup_files(spark, [f"{base}/none.jsonl"], f"{base}/run", plan, overwrite=True)
    (folder / "run" / "notes.txt").write_text("mine")
    with pytest.raises(OutputError, match=r"contains notes\.txt, which quchong did not write"):
        dedup_files(spark, first, f"{base}/run", plan, overwrite=True)
    (folder / "run" / "notes.txt").unlink()
    assert {p: p.read_bytes() for p in (folder / "run").rglob("*") if p.is_file()} == before

    stage = folder / ".run.quchong-0123abcd"  # killed between its two names: the new one is whole
    (stage / "new").mkdir(parents=True)
    (stage / "new" / "run.json").write_text("{}")
    (folder / "run").rename(stage / "old")
    killed(stage / "owner", "0123abcd", "run")
    with pytest.raises(OutputError, match="exists"):
        dedup_files(spark, first, f"{base}/run", plan)
    assert (folder / "run" / "run.json").read_text() == "{}" and not stage.exists()

    (stage / "new" / "_stages").mkdir(parents=True)  # killed while it worked
    killed(stage / "owner", "0123abcd", "run")
    foreign = folder / ".run.quchong-99999999"
    foreign.mkdir()
    (foreign / "mine").touch()
    manifest = dedup_files(spark, first, f"{base}/run", plan, overwrite=True)
    assert manifest["counts"]["removed"] == 1 and (foreign / "mine").exists()
    shown = {p.name for p in folder.iterdir() if not p.name.endswith(".crc")}
    assert shown == {"a.jsonl", "run", foreign.name}

    (stage / "new").mkdir(parents=True)
    (stage / "owner").write_text(replace(Mark.for_this_process("0123abcd", "run"), host="elsewhere").text())
    if not locks:
        with pytest.raises(OutputError, match=r"process \d+ on elsewhere was writing .* delete .*0123abcd"):
            dedup_files(spark, first, f"{base}/run", plan, overwrite=True)
        (stage / "owner").write_text(Mark.for_this_process("0123abcd", "run").text())
        with pytest.raises(OutputError, match=r"another run .process .* is writing"):
            dedup_files(spark, first, f"{base}/run", plan, overwrite=True)
        assert (stage / "new").exists()


def test_an_address_that_spark_does_not_know_says_what_to_do(spark, tmp_path):
    from quchong.engines.spark.files import dedup_files
    from quchong.engines.spark.hadoop import java_words

    with pytest.raises(InputError, match="Spark does not know this kind of address") as told:
        dedup_files(spark, ["nowhere://bucket/news.jsonl"], str(tmp_path / "out"), make_plan())
    assert "java" not in str(told.value).replace("spark.jars", "") and not (tmp_path / "out").exists()
    stack = "An error occurred while calling o1.x.\n: java.io.IOException: no route\n\tat a.b(C.java:1)\nCaused by: java.net.X$Y: down\n\t... 3 more"
    assert java_words(stack) == "down" and java_words(stack.partition("Caused")[0]) == "no route"
