"""Covers: files of records that one task of Spark reads whole (CSV, TSV, JSON arrays, Arrow, workbooks), whole run folders.

Compared against: the run folder of the local engine over the same files, byte for byte where rows are copied. Run: pytest tests/conformance.
"""

import csv
import gzip
import io
import json
from datetime import UTC, datetime, timedelta

import pyarrow as pa
import pyarrow.ipc as ipc
import pyarrow.parquet as pq
import pytest
from spark_folders import fates, hold_folders_equal, page_files

import quchong as qc
from quchong.errors import InputError, UsageError
from quchong.plan.request import make_plan

pytestmark = pytest.mark.filterwarnings("ignore:.*pandas.*")
made = page_files()


def records(n, first=0, ids=str):
    """Records of which every fourth is a copy of one before it, with a time, a number and a source."""
    start = datetime(2026, 3, 1, 8, tzinfo=UTC)
    return [
        {
            "id": ids(first + i), "text": made.article((i if i % 4 else i // 4) + 1, 120) + ("" if i % 3 else "（来源：本报）"),
            "time": (start + timedelta(hours=(i * 7) % 50)).isoformat(), "quality": (i * 5) % 9, "source": f"报{i % 3}",
        }
        for i in range(n)
    ]  # fmt: skip


def csv_bytes(rows, delimiter=",", names=None):
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\r\n")
    writer.writerow(names or rows[0])
    writer.writerows(list(row.values()) for row in rows)
    return text.getvalue()


def write_arrow(path, table):
    with pa.OSFile(str(path), "wb") as file, ipc.new_file(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=11)


def write_all(folder):
    """A folder of files of six formats, with broken and repeated records, and a note that no reader takes."""
    folder.mkdir()
    one = records(24)
    one[5] |= {"id": "3"}  # an id that another record has
    broken = csv_bytes(one) + 'x,"没有结尾\r\n'
    (folder / "a.csv").write_bytes(broken.encode("gb18030"))
    (folder / "b.tsv.gz").write_bytes(gzip.compress(csv_bytes(records(9, 30), "\t").encode(), mtime=0))
    rows = json.dumps(records(12, 40), ensure_ascii=False, indent=1)
    (folder / "c.json").write_text(rows.replace('"time": "2026', '"time": 2026,"x": "', 1), "gb18030")
    table = pa.Table.from_pylist(records(14, 60, int))
    write_arrow(
        folder / "d.arrow",
        table.set_column(2, "time", pa.array([datetime.fromisoformat(t) for t in table["time"].to_pylist()])),
    )
    pq.write_table(pa.Table.from_pylist(records(8, 80)), folder / "e.parquet")
    (folder / "f.jsonl").write_text("".join(json.dumps(row) + "\n" for row in records(6, 90)) + "{\n", "utf-8")
    (folder / "LIESMICH").write_text("no data")
    return folder


def hold_same(spark, data, tmp_path, pairs=3, **options):
    """Run both engines over the same files and compare the run folders, and what is opened of them; return that of Spark."""
    from quchong.engines.spark.files import dedup_files

    out, local = tmp_path / "out", tmp_path / "local"
    qc.dedup(data, out=local, recall_sample=0, **options)
    names = [str(one) for one in (data if isinstance(data, list) else [data])]
    dedup_files(spark, names, str(out), make_plan(recall_sample=0, **options))
    manifest, other = hold_folders_equal(out, local, pairs=pairs)
    assert manifest["files"] == other["files"]
    for sides in other["files"].values():
        for file in sides.values():
            if not file.endswith(".xlsx"):
                assert (out / file).read_bytes() == (local / file).read_bytes(), file
    assert fates(out) == fates(local)
    opened, there = qc.load(out), qc.load(local)
    assert opened.skipped == there.skipped
    gone = there.ledger["id"].to_pylist()
    assert gone
    for one in gone[:2]:
        assert opened.explain(one) == there.explain(one) and opened.explain(one).text
    return out


def test_a_folder_of_six_formats(spark, tmp_path):
    out = hold_same(spark, write_all(tmp_path / "in"), tmp_path, pairs=10, keep="column:quality desc,earliest")
    manifest = json.loads((out / "run.json").read_text("utf-8"))
    assert [one["name"] for one in manifest["inputs"]] == [
        "a.csv",
        "b.tsv.gz",
        "c.json",
        "d.arrow",
        "e.parquet",
        "f.jsonl",
    ]
    assert manifest["counts"]["skipped"] >= 2


def test_a_workbook_with_usual_names_of_columns(spark, tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["编号", "正文", "发布时间", "媒体"])
    for row in records(16, 1, int):
        book.active.append([row["id"], row["text"], row["time"][:19].replace("T", " "), row["source"]])
    book.save(tmp_path / "稿件.xlsx")
    out = hold_same(spark, tmp_path / "稿件.xlsx", tmp_path, method="exact", keep="earliest")
    told = json.loads((out / "run.json").read_text("utf-8"))
    (note,) = [alarm for alarm in told["alarms"] if alarm["kind"] == "columns"]
    assert "正文" in note["message"] and "发布时间" in note["message"]


@pytest.mark.campaign  # in the suite the workbook and an Arrow file have whole numbers as ids
def test_whole_numbers_as_ids(spark, tmp_path):
    (tmp_path / "a.json").write_text(json.dumps(records(20, 0, int)), "utf-8")
    hold_same(spark, tmp_path / "a.json", tmp_path, method="exact")


def test_records_without_ids(spark, tmp_path):
    rows = [{"text": row["text"]} for row in records(20)]
    (tmp_path / "b.csv").write_text(csv_bytes(rows), "utf-8")
    hold_same(spark, tmp_path / "b.csv", tmp_path, method="exact")


def test_files_that_only_hadoop_reaches(spark, tmp_path):
    """A viewfs mount, as HDFS and S3 are: executors read copies, the driver writes what they made."""
    from quchong.engines.spark.files import dedup_files

    (tmp_path / "in").mkdir()
    for name, first in (("a.csv", 0), ("b.csv", 40)):
        rows = [{"正文": row["text"], "编号": row["id"]} for row in records(20, first)]
        (tmp_path / "in" / name).write_text(csv_bytes(rows), "utf-8")
    qc.dedup(tmp_path / "in", out=tmp_path / "local", method="exact", recall_sample=0)
    spark._jsc.hadoopConfiguration().set("fs.viewfs.mounttable.cells.link./data", tmp_path.as_uri())
    dedup_files(
        spark, ["viewfs://cells/data/in"], "viewfs://cells/data/out", make_plan(method="exact", recall_sample=0)
    )
    manifest, other = hold_folders_equal(tmp_path / "out", tmp_path / "local")
    assert manifest["files"] == other["files"]
    for sides in other["files"].values():
        for file in sides.values():
            assert (tmp_path / "out" / file).read_bytes() == (tmp_path / "local" / file).read_bytes(), file


def test_what_is_refused(spark, tmp_path):
    from quchong.engines.spark.files import dedup_files
    from quchong.engines.spark.formats import format_of

    plan, out = make_plan(method="exact", recall_sample=0), str(tmp_path / "out")
    (tmp_path / "a.csv").write_text(csv_bytes(records(4)), "utf-8")
    (tmp_path / "a.html").write_text("<p>一页", "utf-8")
    (tmp_path / "b.xlsx").write_bytes(b"PK no workbook")
    with pytest.raises(UsageError, match="all inputs must be files of records"):
        dedup_files(spark, [str(tmp_path / "a.csv"), str(tmp_path / "a.html")], out, plan)
    with pytest.raises(UsageError, match="unknown format 'docx'"):
        dedup_files(spark, [str(tmp_path / "a.csv")], out, plan, format="docx")
    with pytest.raises(InputError, match=r"b\.xlsx"):
        dedup_files(spark, [str(tmp_path / "b.xlsx")], out, plan)
    with pytest.raises(UsageError, match="has no rows in which a text could be replaced"):
        dedup_files(spark, [str(tmp_path / "a.html")], out, make_plan(roundups="cut", recall_sample=0))
    assert not (tmp_path / "out").exists()
    assert format_of(["a.csv", "b.parquet"], None) == "records" and format_of(["a.parquet"], None) == "parquet"
    assert format_of(["a.jsonl.xz"], None) == "records" and format_of(["x"], "csv.gz") == "records"


def roundups(nested=False):
    """Articles, and digests of two or three of them that come later and say something of their own."""
    articles = [made.article(k + 1, 60) for k in range(12)]
    digests = [
        f"{made.article(90 + k, 40)}\n{articles[3 * k]}\n{articles[3 * k + 1]}\n{made.article(70 + k, 30)}"
        for k in range(4)
    ]
    rows = [
        {"id": f"r{k:02}", "text": text, "time": f"2026-03-{k + 1:02}"} for k, text in enumerate([*articles, *digests])
    ]
    if nested:
        return [
            {"id": row["id"], "content": {"text": row["text"], "n": k}, "time": row["time"]}
            for k, row in enumerate(rows)
        ]
    return rows


def files_of(folder, rows):
    """The rows in files of five formats, dealt out."""
    folder.mkdir()
    (folder / "a.csv").write_bytes(csv_bytes(rows[::5]).encode("gb18030"))
    (folder / "b.json").write_text(json.dumps(rows[1::5], ensure_ascii=False, indent=1), "utf-16")
    write_arrow(folder / "c.arrow", pa.Table.from_pylist(rows[2::5]))
    (folder / "d.jsonl").write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows[3::5]), "utf-8")
    pq.write_table(pa.Table.from_pylist(rows[4::5]), folder / "e.parquet")
    return folder


def test_roundups_are_cut_in_every_format(spark, tmp_path):
    from quchong.engines.spark.files import dedup_files

    data, out, local = files_of(tmp_path / "in", roundups()), tmp_path / "out", tmp_path / "local"
    plain = qc.dedup(data, out=local, recall_sample=0, roundups="cut")
    dedup_files(spark, [str(data)], str(out), make_plan(recall_sample=0, roundups="cut"))
    found = json.loads((out / "run.json").read_text())
    assert found["cut"] == plain.manifest["cut"] and len(found["cut"]["files"]) == 4
    for name in (
        *found["cut"]["files"].values(),
        *(one for sides in found["files"].values() for one in sides.values()),
    ):
        assert (out / name).read_bytes() == (local / name).read_bytes(), name
    assert qc.load(out).cut.to_pylist() == qc.load(local).cut.to_pylist()


@pytest.mark.parametrize("kind", ["jsonl", pytest.param("parquet", marks=pytest.mark.campaign)])
def test_roundups_within_columns_are_cut_where_they_stand(spark, tmp_path, kind):
    from quchong.engines.spark.files import dedup_files

    rows, out = roundups(nested=True), tmp_path / "out"
    data = tmp_path / f"in.{kind}"
    if kind == "jsonl":
        data.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    else:
        pq.write_table(pa.Table.from_pylist(rows), data)
    asked = {"roundups": "cut", "text": ("content.text",)}
    plain = qc.dedup(data, out=tmp_path / "local", recall_sample=0, **asked)
    dedup_files(spark, [str(data)], str(out), make_plan(recall_sample=0, **asked))
    cut = qc.load(out).cut.to_pylist()
    assert cut == plain.cut.to_pylist() and len(cut) == 4 and set(cut[0]) == {"id", "content", "time"}
