"""Covers: web pages on Spark: rows with a page instead of a text, and WARC files, whole run folders.

Compared against: the run folder of the local engine over the same files. Run: pytest tests/conformance.
"""

import json
import os
import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from spark_folders import fates, hold_folders_equal, page_files

import quchong as qc
from quchong.errors import InputError
from quchong.plan.request import make_plan

pytestmark = pytest.mark.filterwarnings("ignore:.*pandas.*")


made = page_files()


def site_pages(n=48):
    """Pages of three sites, each site with a frame of its own, some of them copies on another site."""
    rows = []
    for i in range(n):
        site, of = i % 3, i if i % 5 else i // 5
        frame = f"<p>{made.article(1000 + site, 60)}。</p>"
        html = made.page(of, extra="").decode().replace("<footer>", frame + f"<p>第{i}页</p><footer>")
        rows.append({"id": f"p{i}", "html": html, "url": f"http://www.s{site}.example.com/{i}.html", "n": i})
    return rows


def test_lines_of_pages_by_ccdet(spark, tmp_path):
    """Whole pages with site pruning; rows with texts of their own, a page that is none, one without anything."""
    from quchong.engines.spark.files import dedup_files

    rows = site_pages()
    rows[7] |= {"html": "<b>" * 300_001}
    rows[9] = {"id": "own", "text": made.article(3), "html": "<p>not read", "url": None}
    rows[10] = {"id": "blank", "text": " ", "html": rows[3]["html"], "url": rows[3]["url"], "title": "自己的"}
    rows[11] = {"id": "nothing"}
    rows[12] = {"id": "number", "html": 5}
    text = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows[:20]) + "\n{\n"
    (tmp_path / "a.jsonl").write_text(text, "utf-8")
    (tmp_path / "b.jsonl").write_text("\n".join(json.dumps(row) for row in rows[20:]), "utf-8")
    names = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    options = {"method": "ccdet", "body": "all", "prune": "site", "min_site_docs": 5}
    qc.dedup(names, out=tmp_path / "local", recall_sample=0, **options)
    dedup_files(spark, list(map(str, names)), str(tmp_path / "out"), make_plan(recall_sample=0, **options))
    manifest, _ = hold_folders_equal(tmp_path / "out", tmp_path / "local", pairs=5)
    assert manifest["counts"]["skipped"] == 3
    opened, there = qc.load(tmp_path / "out"), qc.load(tmp_path / "local")
    assert opened.kept.equals(there.kept) and opened.removed.equals(there.removed) and opened.skipped == there.skipped
    gone = there.ledger["id"][0].as_py()
    assert opened.explain(gone) == there.explain(gone) and "<p>" not in opened.explain(gone).text
    assert opened.explain("p7") == there.explain("p7")


def test_columns_of_pages(spark, tmp_path):
    """Parquet: bytes in GBK, their header beside them, no column of texts; the time is the page's own; ids are numbers."""
    from quchong.engines.spark.files import dedup_files

    rng, rows = random.Random(3), []
    for i in range(40):
        told = f'<meta property="article:published_time" content="2026-03-{1 + rng.randrange(28):02d}T08:00:00+08:00">'
        html = made.page(i % 9, "gbk" if i % 2 else "utf-8", extra=told)
        rows.append(
            {"id": 100 + i, "html": html, "content_type": "text/html; charset=" + ("gbk" if i % 2 else "utf-8")}
        )
    rows[5]["html"] = b"\x89PNG" + bytes(range(30)) * 9
    rows[6]["html"] = None
    table = pa.Table.from_pylist(
        rows, pa.schema([("id", pa.int64()), ("html", pa.binary()), ("content_type", pa.string())])
    )
    pq.write_table(table, tmp_path / "pages.parquet")
    options = {"method": "exact", "keep": "earliest", "body": "main"}  # it is pages that matter
    qc.dedup(tmp_path / "pages.parquet", out=tmp_path / "local", recall_sample=0, **options)
    out = tmp_path / "out"
    dedup_files(spark, [str(tmp_path / "pages.parquet")], str(out), make_plan(recall_sample=0, **options))
    manifest, _ = hold_folders_equal(out, tmp_path / "local", pairs=20)
    assert manifest["counts"]["skipped"] == 1 and manifest["counts"]["without_text"] == 1
    opened, there = qc.load(out), qc.load(tmp_path / "local")
    assert opened.kept.equals(there.kept) and opened.removed.equals(there.removed)
    gone = there.ledger["id"][0].as_py()
    assert opened.explain(gone) == there.explain(gone) and opened.explain(gone).text


def crawls(folder):
    """Three WARC files: members one a record, unpacked with a broken record, and all records in one member."""
    folder.mkdir()
    first = made.crawl(9)
    again = "http://site0.example.com/0.html"  # crawled again, twice the same and once another page
    first += [
        made.answer(made.page(0), again, 50),
        made.answer(made.page(0), again, 50),
        made.answer(made.page(77), again, 51),
    ]
    (folder / "a.warc.gz").write_bytes(made.packed(first))
    second = [made.info(), *(made.answer(made.page(n % 4 + 1), f"http://b.example.com/{n}", 60 + n) for n in range(6))]
    second[3] = second[3].replace(b"Content-Length: ", b"Content-Length: 9")
    second.append(made.answer(b"%PDF-1.4 " + b"\x01" * 300, "http://b.example.com/pdf", 80))
    second.append(made.answer(made.page(8), None, 81))
    (folder / "sub").mkdir()
    (folder / "sub" / "b.warc").write_bytes(b"".join(second))
    third = [made.answer(made.page(n), f"http://c.example.com/{n}", 90 + n) for n in range(3)]
    (folder / "sub" / "c.warc.gz").write_bytes(made.gzip.compress(b"".join(third), mtime=0))
    (folder / "README").write_text("no crawl")
    return folder


def hold_sides_equal(out, local, manifest, other):
    assert manifest["files"] == other["files"]
    for sides in other["files"].values():
        for file in sides.values():
            assert (out / file).read_bytes() == (local / file).read_bytes(), file


def test_warc_files(spark, tmp_path):
    """A folder: repeated addresses, a broken record, a page that is none, a record without an address."""
    from quchong.engines.spark.files import dedup_files

    folder = crawls(tmp_path / "in")
    options = {"keep": "earliest,longest", "time": "crawl_time", "same_site": False}
    local, out = tmp_path / "local", tmp_path / "out"
    qc.dedup(str(folder), out=local, recall_sample=0, **options)
    dedup_files(spark, [str(folder)], str(out), make_plan(recall_sample=0, **options))
    manifest, other = hold_folders_equal(out, local, pairs=10)
    hold_sides_equal(out, local, manifest, other)
    assert manifest["counts"]["skipped"] >= 2
    assert [a for a in manifest["alarms"] if a["kind"] == "repeated ids"] == [
        a for a in other["alarms"] if a["kind"] == "repeated ids"
    ] != []  # fmt: skip
    opened, there = qc.load(out), qc.load(local)
    assert opened.kept.equals(there.kept) and opened.removed.equals(there.removed) and opened.skipped == there.skipped
    gone = there.ledger["id"].to_pylist()
    for one in gone[:3]:
        assert opened.explain(one) == there.explain(one) and opened.explain(one).text
    again, expected = (one.rethreshold(0.99) for one in (opened, there))
    assert again.ledger.to_pylist() == expected.ledger.to_pylist()
    for one in (opened, there):
        one.restore(gone[:2])
    hold_sides_equal(out, local, manifest, other)
    assert fates(out) == fates(local)


def test_a_warc_file_that_only_hadoop_reaches(spark, tmp_path):
    """Input, stages and run folder on a viewfs mount, as on HDFS and S3: the executor sets the file down, the driver writes."""
    from quchong.engines.spark.files import dedup_files

    crawls(tmp_path / "in")
    spark._jsc.hadoopConfiguration().set("fs.viewfs.mounttable.crawl.link./data", tmp_path.as_uri())
    plan = make_plan(method="exact", recall_sample=0)  # it is files that matter
    qc.dedup(str(tmp_path / "in" / "a.warc.gz"), out=tmp_path / "local", method="exact", recall_sample=0)
    dedup_files(spark, ["viewfs://crawl/data/in/*.gz"], "viewfs://crawl/data/out", plan)
    manifest, other = hold_folders_equal(tmp_path / "out", tmp_path / "local")
    hold_sides_equal(tmp_path / "out", tmp_path / "local", manifest, other)


@pytest.mark.shared
@pytest.mark.campaign
def test_the_samples_of_other_projects(spark, tmp_path):
    from quchong.engines.spark.files import dedup_files

    shared = Path(
        os.environ.get("QUCHONG_SHARED", Path(__file__).resolve().parents[3] / "shared"), "data", "warc_samples"
    )
    if not shared.is_dir():
        pytest.skip(f"the shared data sets are absent: no {shared} (set QUCHONG_SHARED to the folder above data/)")
    names = sorted(path for path in shared.iterdir() if ".warc" in path.name)
    options = {"method": "ccdet", "body": "all", "prune": "site"}
    qc.dedup(names, out=tmp_path / "local", recall_sample=0, **options)
    dedup_files(spark, list(map(str, names)), str(tmp_path / "out"), make_plan(recall_sample=0, **options))
    manifest, other = hold_folders_equal(tmp_path / "out", tmp_path / "local", pairs=10)
    hold_sides_equal(tmp_path / "out", tmp_path / "local", manifest, other)


def collected(df, *by):
    return sorted((row.asDict(recursive=True) for row in df.collect()), key=lambda row: [row[name] for name in by])


def hold_frames_equal(found, local, pairs):
    for name, by in (("ledger", ("id",)), ("pairs", ("left_id", "right_id")), ("clusters", ("cluster_id", "id"))):
        mine, theirs = collected(getattr(found, name), *by), getattr(local, name)
        assert mine == sorted(theirs.to_pylist(), key=lambda row: [row[one] for one in by]), name
    assert len(local.pairs) >= pairs and len(local.ledger)


@pytest.mark.campaign
def test_a_frame_of_pages(spark):
    """Bytes and texts in one frame: a page that cannot be read, one beside a text of its own, a row without anything."""
    import quchong.spark
    from quchong.engines.spark.pages import table_rows

    rows = [
        {"id": i, "html": row["html"].encode(), "text": None, "url": row["url"]} for i, row in enumerate(site_pages(40))
    ]
    rows[5]["html"] = b"\x89PNG" + bytes(range(30)) * 9
    rows[6] |= {"text": made.article(3), "html": b"<p>not read"}
    rows[7] |= {"html": None, "url": None}
    df = spark.createDataFrame(
        [(r["id"], r["html"], r["text"], r["url"]) for r in rows], "id bigint, html binary, text string, url string"
    ).repartition(3)
    options = {"method": "ccdet", "body": "all", "min_site_docs": 5}
    found = quchong.spark.dedup(df, **options)
    local = qc.dedup(rows, recall_sample=0, **options)
    hold_frames_equal(found, local, pairs=3)
    assert set(found.kept.columns) == set(found.removed.columns) == {"id", "html", "text", "url"}
    for name in ("kept", "removed"):
        ids = getattr(local, name)["id"].to_pylist()
        mine = collected(getattr(found, name), "id")
        assert [row["id"] for row in mine] == sorted(ids)
        assert all(bytes(row["html"] or b"") == (rows[row["id"]]["html"] or b"") for row in mine)
    (skipped,) = found.skipped.collect()
    assert (skipped["id"], skipped["quchong_reason"]) == (5, local.skipped[0]["reason"])
    counts = quchong.spark.counts_of(found)
    assert [counts[k] for k in ("read", "skipped", "without_text")] == [39, 1, 1]
    assert not table_rows(df, make_plan(id="id", html=None)).by_id


def test_ids_of_pages_that_cannot_be_read_are_their_own(spark):
    """There the id stands for the place of a row: one that is repeated, or not there, would lose rows."""
    import quchong.spark

    bad, good = b"\x89PNG" + bytes(range(30)) * 9, made.page(1)
    for ids, said in ((("a", "a"), "rows: make ids unique before the run"), ((None, "a"), "no id")):
        df = spark.createDataFrame(list(zip(ids, (bad, good), strict=True)), "id string, html binary")
        with pytest.raises(InputError, match=said):
            quchong.spark.dedup(df)
    with pytest.raises(InputError, match="no column 'id'"):
        quchong.spark.dedup(spark.createDataFrame([(good,)], "html binary"))


def test_a_folder_of_pages(spark, tmp_path):
    """Files below folders, names with blanks and Chinese characters, endings in capitals; what is no page is passed over."""
    import quchong.spark

    folder = tmp_path / "crawl"
    for i in range(24):
        name = (f"a/{i}.html", f"b c/第{i}页.HTM", f"{i}.xhtml")[i % 3]
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(made.page(i % 7, "gbk" if i % 2 else "utf-8"))
    (folder / "broken.html").write_bytes(b"\x89PNG" + bytes(range(30)) * 9)
    (folder / ".hidden.html").write_bytes(made.page(1))
    df = quchong.spark.pages(spark, str(folder))
    (folder / "notes.css").write_text("p {}", "utf-8")
    found = quchong.spark.dedup(df, method="exact")
    (folder / "notes.css").unlink()
    local = qc.dedup(folder, method="exact", recall_sample=0)
    hold_frames_equal(found, local, pairs=10)
    assert [row["id"] for row in found.skipped.collect()] == ["broken.html"]
    with pytest.raises(InputError, match="cannot be read"):
        quchong.spark.pages(spark, str(tmp_path / "nowhere"))
