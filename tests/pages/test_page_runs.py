"""Covers: rows of pages in whole runs: what is filled in, what is skipped, what goes where. Run: pytest tests/pages/test_page_runs.py."""

import gzip
import json
import random

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from page_files import answer, article, crawl, info, members, packed, page, request

import quchong as qc
from quchong.api import fit_statistics
from quchong.errors import InputError, UsageError
from quchong.io import WantedColumns, from_object, open_inputs
from quchong.io import page_documents as pages_module
from quchong.io.page_documents import PageReader, Pages
from quchong.pages import PagesBatch, read_page
from quchong.plan.plan import Plan

EXTRA = ("title", "url", "time", "blocks", "site")


@pytest.fixture
def read_pages(monkeypatch):
    """Pages of plain text: "title|url|time|text"; what begins with ! cannot be read."""
    asked = []

    def read_pages(html, body="main", content_type=None, workers=None, most=None):
        assert not html.null_count and (content_type is None or len(content_type) == len(html))
        texts = [one.decode() if isinstance(one, bytes) else one for one in html.to_pylist()]
        asked.append((texts, body, None if content_type is None else content_type.to_pylist()))
        cells = [[None] * 4 if text.startswith("!") else [cell or None for cell in text.split("|")] for text in texts]
        title, url, time, text = (pa.array([row[i] for row in cells], pa.large_string()) for i in range(4))
        blocks = pa.array([None if row[3] is None else "p" for row in cells], pa.large_string())
        reasons = {i: f"no page: {text}" for i, text in enumerate(texts) if text.startswith("!")}
        return PagesBatch(text, blocks, title, url, time, reasons)

    monkeypatch.setattr(pages_module, "read_pages", read_pages)
    return asked


def test_what_a_row_has_of_its_own_wins(read, read_pages):
    rows = [
        {"id": "a", "html": "题|http://p/|2026-01-02|文一"},
        {"id": "b", "html": "题|http://p/|2026-01-02|文二", "title": "自己的", "url": "", "time": "2020"},
        {"id": "c", "text": "文三", "html": "题|http://p/|2026-01-02|不", "title": None, "url": ""},
        {"id": "d", "html": "|||文四", "content_type": "text/html; charset=gbk"},
    ]
    source = Pages(from_object(rows, WantedColumns(instead="html")), PageReader("all"))
    found, bad = read(source, WantedColumns(extra=EXTRA, instead="html"))
    assert not bad and all("html" not in row and "content_type" not in row for row in found)
    assert [[row[name] for name in ("id", "text", "title", "url", "time", "blocks")] for row in found] == [
        ["a", "文一", "题", "http://p/", "2026-01-02", "p"],
        ["b", "文二", "自己的", "http://p/", "2020", "p"],
        ["c", "文三", None, "", None, None],
        ["d", "文四", None, None, None, "p"],
    ]
    assert read_pages == [
        ([rows[0]["html"], rows[1]["html"], rows[3]["html"]], "all", [None, None, rows[3]["content_type"]])
    ]
    again = source.fetch([3, 0], WantedColumns(id=None, instead="html"))
    assert again["text"].to_pylist() == ["文四", "文一"] and again.column_names == ["row", "id", "text"]


def test_times_of_pages_beside_a_column_of_timestamps(read, read_pages):
    table = pa.table(
        {"html": ["||2026-01-02|一", "||2026-01-03|二"], "time": pa.array([None, 86400], pa.timestamp("s"))}
    )
    found, _ = read(
        Pages(from_object(table, WantedColumns(instead="html")), PageReader()),
        WantedColumns(extra=("time",), instead="html"),
    )
    assert [row["time"] for row in found] == ["2026-01-02", "1970-01-02 00:00:00"]


def test_unreadable_pages_are_bad_records_in_order(tmp_path, read, read_pages):
    lines = ['{"id": "a", "html": "!one"}', "{", '{"id": "b", "html": "|||x"}', '{"html": "!two"}', '{"text": "y"}']
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    source = Pages(open_inputs([tmp_path / "a.jsonl"])[0], PageReader())
    found, bad = read(source)
    assert [row["row"] for row in found] == [2, 4]
    assert [(one.row, one.reason) for one in bad] == [
        (0, "a: no page: !one"), (1, "broken JSON: unexpected end of data at column 2"), (3, "no page: !two"),
    ]  # fmt: skip
    qc.dedup(tmp_path / "a.jsonl").save(tmp_path / "run")
    skipped = [json.loads(line) for line in (tmp_path / "run" / "skipped.jsonl").read_text().splitlines()]
    assert [(one["line"], one["raw"]) for one in skipped] == [(1, lines[0]), (2, lines[1]), (4, lines[3])]
    assert (tmp_path / "run" / "kept.jsonl").read_text() == "\n".join([lines[2], lines[4]])


def test_rows_with_texts_read_no_page(read, read_pages):
    rows = [{"text": "a", "html": "<p>"}, {"text": "b", "html": None}]
    found, _ = read(Pages(from_object(rows, WantedColumns(instead="html")), PageReader()))
    assert [row["text"] for row in found] == ["a", "b"] and not read_pages


def test_a_column_of_pages_can_be_what_is_compared(read_pages):
    rows = [{"id": "a", "html": "<p>" + article(1)}, {"id": "b", "html": "<p>" + article(1)}]
    assert qc.dedup(rows, text="html").ledger["id"].to_pylist() == ["b"]
    assert qc.dedup([{"id": "a", "text": "x", "html": 3}], html=None).counts["kept"] == 1
    assert not read_pages


def test_the_plan_says_how_pages_are_read():
    assert Plan().describe()["body"] == "main" and Plan().describe()["html"] == "html"
    assert Plan(body="all").config_hash() != Plan().config_hash() != Plan(html=None).config_hash()
    with pytest.raises(UsageError, match=r"body must be .* got 'best'"):
        qc.dedup([], body="best")
    with pytest.raises(UsageError, match="html='id': that column is the id"):
        Plan(html="id")


def as_jsonl(folder, pages):
    lines = [json.dumps({"id": name, "html": html.decode()}, ensure_ascii=False) for name, html in pages.items()]
    (folder / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return folder / "a.jsonl"


def as_parquet(folder, pages):
    pq.write_table(
        pa.table({"id": list(pages), "html": pa.array(list(pages.values()), pa.binary())}), folder / "a.parquet"
    )
    return folder / "a.parquet"


def as_folder(folder, pages):
    (folder / "pages").mkdir()
    for name, html in pages.items():
        (folder / "pages" / name).write_bytes(html)
    return folder / "pages"


def as_warc(folder, pages):
    records = [
        answer(html, name, n, headers="Content-Encoding: gzip\r\n") for n, (name, html) in enumerate(pages.items())
    ]
    (folder / "a.warc.gz").write_bytes(packed(records))
    return folder / "a.warc.gz"


FORMS = {"jsonl": as_jsonl, "parquet": as_parquet, "folder": as_folder, "warc": as_warc}


@pytest.mark.parametrize("form", FORMS)
def test_the_same_pages_give_the_same_result_in_every_form_and_order(tmp_path, form):
    pages = {f"{n}.html": page(n % 7, extra=f"<!-- {n} -->") for n in range(20)}
    names, expected = list(pages), None
    for seed in range(3):
        random.Random(seed).shuffle(names)
        folder = tmp_path / str(seed)
        folder.mkdir()
        path = FORMS[form](folder, {name: pages[name] for name in names})
        result = qc.dedup(path, workers=1 + seed % 2, recall_sample=0)
        found = [
            t.drop_columns([c for c in ("config_hash",) if c in t.column_names]).to_pylist()
            for t in (result.ledger, result.pairs, result.clusters)
        ]
        assert result.counts["kept"] == 7 and result.counts["removed"] == 13
        expected = expected or found
        assert found == expected
    assert (
        expected[0]
        == qc.dedup([{"id": n, "html": h} for n, h in pages.items()], recall_sample=0)
        .ledger.drop_columns(["config_hash"])
        .to_pylist()
    )


@pytest.mark.parametrize("form", FORMS)
def test_a_run_can_be_explained_and_nothing_is_lost(tmp_path, form):
    pages = {f"{n}.html": page(n % 4, title="同") for n in range(6)}
    path = FORMS[form](tmp_path, pages)
    run = qc.dedup(path).save(tmp_path / "run")
    saved = qc.load(run)
    explained = saved.explain("5.html")
    assert (
        explained.survivor_id == "1.html"
        and explained.text == explained.survivor_text == read_page(pages["5.html"]).text
    )
    [place] = explained.passages
    shared = explained.text[place.start : place.end]
    assert shared == explained.survivor_text[place.survivor_start : place.survivor_end]
    assert len(shared) > 0.9 * len(explained.text)
    files = {
        side: (run / name).read_bytes()
        for side, name in saved.manifest["files"][saved.manifest["inputs"][0]["name"]].items()
    }
    if form == "folder":
        assert sorted((files["kept"] + files["removed"]).decode().split()) == sorted(pages)
    if form == "warc":
        assert sorted(members(files["kept"]) + members(files["removed"])) == sorted(members(path.read_bytes()))
    if form == "jsonl":
        assert sorted((files["kept"].strip() + b"\n" + files["removed"].strip()).split(b"\n")) == sorted(
            path.read_bytes().split(b"\n")
        )


def test_earliest_goes_by_the_time_the_page_tells(tmp_path):
    stamp = '<meta property="article:published_time" content="2026-0{}-01T00:00:00+08:00">'
    pages = [{"id": str(n), "html": page(1, extra=stamp.format(n)).decode()} for n in (3, 1, 2)]
    result = qc.dedup(pages, keep="earliest")
    assert result.kept["id"].to_pylist() == ["1"]


def test_earliest_goes_by_the_time_of_the_page(read_pages):
    text = article(1)
    rows = [{"id": str(n), "html": f"||2026-0{n}-01|{text}"} for n in (3, 1, 2)] + [
        {"id": "0", "text": text, "time": "2026-01-15"}
    ]
    assert qc.dedup(rows, keep="earliest").kept["id"].to_pylist() == ["1"]
    assert qc.dedup(rows, keep="earliest", time="when").kept["id"].to_pylist() == ["1"]
    assert qc.dedup(rows, keep="latest").kept["id"].to_pylist() == ["3"]


def test_sites_come_from_addresses_of_pages(tmp_path):
    (tmp_path / "a.warc").write_bytes(
        b"".join(
            answer(page(1), f"http://{host}/", n) for n, host in enumerate(["a.sina.com.cn", "b.sina.com.cn", "qq.com"])
        )
    )
    result = qc.dedup(tmp_path / "a.warc", same_site=True)
    assert result.counts["removed"] == 1
    assert set(result.ledger["id"].to_pylist()) < {"http://a.sina.com.cn/", "http://b.sina.com.cn/"}
    assert qc.dedup(tmp_path / "a.warc", per="site").ledger["id"].to_pylist() == result.ledger["id"].to_pylist()


def test_a_misspelt_one_of_several_texts_is_told_though_there_are_pages():
    rows = [{"title": "题", "html": page(1)}, {"html": page(2)}]
    with pytest.raises(InputError, match="no column 'boddy'"):
        qc.dedup(rows, text="title,boddy")
    assert qc.dedup([{"title": "题", "body": None, "html": page(1)}, *rows], text="title,body").counts["read"] == 3


def test_restore_puts_pages_of_a_warc_back(tmp_path):
    data = packed(crawl(9))
    (tmp_path / "a.warc.gz").write_bytes(data)
    run = qc.dedup(tmp_path / "a.warc.gz").save(tmp_path / "run")
    saved = qc.load(run)
    gone = saved.tables["ledger"]["id"].to_pylist()
    assert len(gone) == 2
    saved.restore(gone[:1])
    pages = [record["id"] for record in open_pages(run / "kept.warc.gz")]
    everything = [record["id"] for record in open_pages(tmp_path / "a.warc.gz")]
    assert pages == [one for one in everything if one != gone[1]]
    assert [record["id"] for record in open_pages(run / "removed.warc.gz")] == gone[1:]
    both = b"".join((run / f"{side}.warc.gz").read_bytes() for side in ("kept", "removed"))
    assert sorted(members(both)) == sorted(members(data))
    assert qc.load(run).explain(gone[0]).text == qc.load(run).explain(gone[1]).survivor_text


def test_all_pages_of_a_warc_gone_and_put_back(tmp_path):
    (tmp_path / "a.warc.gz").write_bytes(packed(crawl(3)))
    run = qc.dedup(tmp_path / "a.warc.gz", against=tmp_path / "a.warc.gz").save(tmp_path / "run")
    assert not open_pages(run / "kept.warc.gz")
    qc.load(run).restore(everything=True)
    assert len(open_pages(run / "kept.warc.gz")) == 3 and (run / "removed.warc.gz").read_bytes() == b""
    assert sorted(members((run / "kept.warc.gz").read_bytes())) == sorted(packed([one]) for one in crawl(3))


@pytest.mark.parametrize("one_member", [False, True])
def test_shards_of_a_warc_are_whole_files_and_can_be_put_back(tmp_path, one_member):
    records = [info()]
    for n in range(300):
        records += [
            request(f"http://a/{n}", 1_000 + n),
            answer(page(n % 200, extra=f"<!-- {n} -->"), f"http://a/{n}", n),
        ]
    records.append(request("http://a/last", 5_000))
    data = gzip.compress(b"".join(records), mtime=0) if one_member else packed(records)
    (tmp_path / "a.warc.gz").write_bytes(data)
    whole = qc.dedup(tmp_path / "a.warc.gz", out=tmp_path / "whole")
    found = qc.dedup(tmp_path / "a.warc.gz", out=tmp_path / "run", shard_size=1 << 16)
    assert found.manifest["shards"]["count"] > 3 and found.ledger.equals(whole.ledger)
    kept = sorted((tmp_path / "run" / "kept").iterdir())
    assert all(path.stat().st_size <= 1 << 16 for path in kept)
    assert [r["id"] for path in kept for r in open_pages(path)] == [
        r["id"] for r in open_pages(tmp_path / "whole" / "kept.warc.gz")
    ]
    assert qc.load(tmp_path / "run").restore(everything=True)
    expected = open_pages(tmp_path / "a.warc.gz")
    assert [row["html"] for path in kept for row in open_pages(path)] == [row["html"] for row in expected]


def open_pages(path):
    bad = []
    rows = [
        row
        for batch in open_inputs([path])[0].documents(WantedColumns(instead="html"), bad)
        for row in batch.to_pylist()
    ]
    assert not bad
    return rows


@pytest.mark.parametrize("form", FORMS)
def test_annotate_says_what_became_of_each_page(tmp_path, form):
    pages = {f"{n}.html": page(n % 2) for n in range(3)}
    run = qc.dedup(FORMS[form](tmp_path, pages)).save(tmp_path / "run", mode="annotate")
    [file] = [path for path in run.iterdir() if path.name.startswith("annotated")]
    assert file.suffix == {"jsonl": ".jsonl", "parquet": ".parquet", "folder": ".csv", "warc": ".csv"}[form]
    assert qc.load(run).explain("2.html").text == read_page(pages["2.html"]).text


def test_tables_of_a_result(tmp_path):
    (tmp_path / "a.warc.gz").write_bytes(packed(crawl(5)))
    result = qc.dedup(tmp_path / "a.warc.gz")
    assert result.removed["url"].to_pylist() == ["http://site1.example.com/1.html"]
    assert set(result.kept.column_names) == {"id", "url", "record_id", "crawl_time", "content_type", "html"}
    rows = [{"id": n, "html": page(1), "more": n} for n in range(3)]
    assert qc.dedup(rows).kept["more"].to_pylist() == [0]


def test_a_page_of_20_mb_and_one_of_nothing(tmp_path, work):
    """They are read or skipped with a reason, by bounded work; the others are compared as ever."""
    big = (
        b"<html><body>"
        + b"".join(b"<p>%s</p>" % article(n, 300).encode() for n in range(1000, 1200)) * 110
        + b"</body></html>"
    )
    assert len(big) > 19 << 20
    rows = {"big": big, "nothing": b"", "nul": b"\0" * 5000, "a": page(1), "b": page(1)}
    records = [answer(html, name, n) for n, (name, html) in enumerate(rows.items())]
    (tmp_path / "a.warc.gz").write_bytes(packed(records))
    with work() as done:
        result = qc.dedup(tmp_path / "a.warc.gz", recall_sample=0)
    assert done.calls < 1_000_000
    counts = result.counts
    assert counts["read"] + counts["skipped"] == 5 and result.ledger["id"].to_pylist() == ["b"]
    assert all(one["reason"] for one in result.skipped)


def test_statistics_count_the_texts_of_pages():
    rows = [{"html": page(n)} for n in range(3)] + [{"text": article(4)}]
    assert fit_statistics(rows).documents == 4


def test_batches_stay_bounded(tmp_path):
    """Pages are read some 16 MB at a time, however many there are."""
    html = [b"<p>" + bytes(64 << 10) for _ in range(600)]
    pq.write_table(pa.table({"html": pa.array(html, pa.binary())}), tmp_path / "a.parquet")
    (tmp_path / "a.warc").write_bytes(b"".join(answer(one, f"http://x/{n}", n) for n, one in enumerate(html)))
    (tmp_path / "a.jsonl").write_text("\n".join(json.dumps({"html": "<p>" + "x" * (64 << 10)}) for _ in range(600)))
    for name in ("a.parquet", "a.warc", "a.jsonl"):
        sizes = [
            pc.sum(pc.binary_length(batch.column("html"))).as_py()
            for batch in open_inputs([tmp_path / name])[0].documents(WantedColumns(instead="html"), [])
        ]
        assert max(sizes) <= 17 << 20 and sum(sizes) == 600 * (3 + (64 << 10)), name


def test_compressed_jsonl_of_bytes_that_are_no_utf8_is_said_so(tmp_path):
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(b'{"html": "<p>\xc4\xe3"}\n{"html": "<p>x"}\n'))
    result = qc.dedup(tmp_path / "a.jsonl.gz")
    assert result.counts["read"] == 1 and "invalid UTF-8" in result.skipped[0]["reason"]


def test_pages_do_not_touch_the_order_of_rows(tmp_path):
    rows = [{"id": n, "text": article(n)} if n % 2 else {"id": n, "html": page(n).decode()} for n in range(9)]
    result = qc.dedup(rows)
    assert result.kept["id"].to_pylist() == list(range(9))
    assert np.array_equal(result.documents["row"].to_numpy(), np.arange(9))


def test_notes_on_a_folder_are_a_csv_by_name_too(tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    for i in range(3):
        (folder / f"{i}.html").write_bytes(page(i % 2))
    run = qc.dedup(folder, recall_sample=0).save(tmp_path / "run", mode="annotate")
    assert (run / "annotated.csv").read_text("utf-8").startswith('"path"')
