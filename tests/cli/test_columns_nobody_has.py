"""Covers: an option that names a column which no record has is told, whatever the option, the reader and the command."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import quchong as qc

ROWS = [
    {"id": "a", "text": "今天上午市政府召开新闻发布会介绍进展"},
    {"id": "b", "text": "省教育厅发布通知要求按时开学"},
]
PAGE = "<html><body><p>今天天气很好，我们去公园玩，回来的路上吃了晚饭。</p></body></html>"
KEYS = ("text", "html", "id", "time", "source")
OPTIONS = {
    "dedup --dry-run": KEYS,
    "passages --corpus": KEYS,
    "statistics -o {out}": ("text", "html"),
    "decontaminate --against {items}": ("text", "html", "id"),
}


@pytest.fixture
def files(tmp_path):
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS)
    (tmp_path / "rows.jsonl").write_text(lines, encoding="utf-8")
    (tmp_path / "items.jsonl").write_text(lines, encoding="utf-8")
    (tmp_path / "rows.csv").write_text(
        "id,text\n" + "".join(f"{row['id']},{row['text']}\n" for row in ROWS), encoding="utf-8"
    )
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "rows.parquet")
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text(ROWS[0]["text"], encoding="utf-8")
    (tmp_path / "texts" / "b.html").write_text(PAGE, encoding="utf-8")
    (tmp_path / "paged.jsonl").write_text(
        json.dumps(ROWS[0]) + "\n" + json.dumps({"id": "p", "page": PAGE}) + "\n", encoding="utf-8"
    )
    return tmp_path


@pytest.mark.parametrize("data", ["rows.jsonl", "rows.csv", "rows.parquet", "texts"])
@pytest.mark.parametrize(("call", "keys"), OPTIONS.items())
def test_a_column_nobody_has_is_an_error(command, files, call, keys, data):
    words = call.format(out=files / "out", items=files / "items.jsonl").split()
    for key in keys:
        ran = command(words[0], files / data, *words[1:], f"--{key}-key", "nope")
        assert ran.code in (2, 3) and f"--{key}-key" in ran.line and ("nope" in ran.line or data == "texts"), (
            key,
            ran,
        )


def test_a_column_of_pages_that_some_have_is_read(command, files):
    for call in ("dedup --dry-run", "passages --corpus", "filter"):
        ran = command(*call.split(), files / "paged.jsonl", "--html-key", "page")
        assert ran.code == 0 and "page" not in ran.err
    with pytest.raises(
        qc.UsageError, match="html needs the column 'nope', but no record has it; columns are 'id', 'text'"
    ):
        qc.dedup(ROWS, html="nope")
    assert qc.dedup(ROWS, html=None).counts["read"] == 2


def test_a_filter_and_an_index_note_it(command, files):
    """Later records of a stream may have pages, so that this is no error there."""
    ran = command("filter", files / "rows.jsonl", "--html-key", "nope")
    assert ran.code == 0 and "note: --html-key needs the column 'nope', but no record has it" in ran.err
    assert command("filter", files / "texts", "--text-key", "nope").code == 2
    for name, noted in (("rows.jsonl", True), ("rows.csv", True), ("paged.jsonl", False)):
        index = files / f"index-{name}"
        assert command("index", "create", index, "--html-key", "page").code == 0
        ran = command("index", "add", index, files / name)
        assert ran.code == 0 and ("the column 'page', but no record has it" in ran.err) == noted
        assert "no record has it" not in command("index", "add", index, files / "paged.jsonl").err


def test_the_column_of_sources_orders_passages(command, files):
    rows = [
        {"id": "b", "text": ROWS[0]["text"] * 9, "媒体名": "乙"},
        {"id": "a", "text": ROWS[0]["text"] * 9, "媒体名": "甲"},
    ]
    (files / "media.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    for first in ("甲", "乙"):
        ran = command(
            "passages", files / "media.jsonl", "--keep", f"source:{first}", "--source-key", "媒体名", "--json"
        )
        found = json.loads(ran.out)["passages"][0]
        assert found["left_id"] == {"甲": "a", "乙": "b"}[first], found


def test_parts_of_a_run_know_whether_one_had_a_page(command, files):
    for column, code in (("page", 0), ("nope", 2)):
        call = ("dedup", files / "paged.jsonl", "-o", files / column, "--html-key", column, "-q")
        (files / "paged.jsonl").write_text(
            "".join(json.dumps({**ROWS[0], "id": str(i)}) + "\n" for i in range(9))
            + json.dumps({"id": "p", "text": "x" if code else None, "page": PAGE}) + "\n",
            encoding="utf-8",
        )  # fmt: skip
        for part in ("1/2", "2/2"):
            assert command(*call, "--part", part).code == 0
        ran = command(*call, "--join", "2")
        assert ran.code == code and ("'nope'" in ran.err) == bool(code), ran
