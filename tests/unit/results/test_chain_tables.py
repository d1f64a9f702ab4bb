"""Covers: chains as tables for people (`quchong.report.reprints`, `quchong.results.chain_files`): .xlsx, .csv, the summary by medium."""

import csv
import json
from datetime import datetime
from pathlib import Path

import openpyxl
import pytest

import quchong as qc
from quchong.errors import OutputError
from quchong.languages import speaking
from quchong.report.reprints import exchanges, media
from quchong.results.chain_files import flat

EXAMPLES = Path(__file__).parents[3] / "examples" / "news.jsonl"


@pytest.fixture(scope="module")
def result():
    return qc.dedup(EXAMPLES, recall_sample=0)


@pytest.fixture(scope="module")
def rows(result):
    return flat(result.chains())


def table(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_a_workbook_has_a_row_for_each_reprint_and_a_summary_by_medium(result, rows, tmp_path):
    with speaking("zh"):
        result.chains(out=tmp_path / "链.xlsx")
    book = openpyxl.load_workbook(tmp_path / "链.xlsx")
    assert book.sheetnames == ["转载", "媒体", "系列通报"]
    head, *cells = book["转载"].iter_rows(values_only=True)
    assert head[:8] == (
        "首发媒体", "首发时间", "转载媒体", "时间", "间隔（小时）", "标题", "链接", "改动（来源 → 本篇）",
    )  # fmt: skip
    copies = [row for row in rows if row["source_id"] is not None]
    assert len(cells) == len(copies)
    one = next(cell for cell in cells if cell[12] == "n006")
    assert one[:5] == ("云河日报", datetime(2026, 3, 5, 8, 30), "城事早知道", datetime(2026, 3, 5, 9, 12), 0.7)
    assert one[10] == "唯一更早的一篇" and one[6].startswith("https://")
    assert sum(cell[3] for cell in list(book["媒体"].iter_rows(values_only=True))[1:]) == len({r["id"] for r in copies})
    assert book["系列通报"].max_row == 1 + sum(row["role"] == "series" for row in rows)


def test_the_csv_says_the_same_and_has_the_media_beside_it(result, rows, tmp_path):
    result.chains(out=tmp_path / "c.csv")
    assert (tmp_path / "c.csv").read_bytes().startswith("\ufeffFirst publisher,".encode())
    found = table(tmp_path / "c.csv")
    assert [row["ID"] for row in found] == [row["id"] for row in rows if row["source_id"] is not None]
    assert found[0]["First time"].startswith("2026-03-0") and "+" not in found[0]["First time"]
    beside = {row["Publisher"]: row for row in table(tmp_path / "c.media.csv")}
    assert {name: int(row["Originals"]) for name, row in beside.items()} == {
        name: one.originals for name, one in media(rows).items()
    }


def test_files_of_chains_are_replaced_and_others_left_alone(result, tmp_path):
    for name in ("c.xlsx", "c.csv"):
        out = tmp_path / name
        result.chains(out=out)
        before = out.read_bytes()
        with pytest.raises(OutputError, match="exists"):
            result.chains(out=out)
        result.chains(out=out, overwrite=True)
        assert out.read_bytes() == before
    (tmp_path / "c.media.csv").write_text("mine\n", "utf-8")
    with pytest.raises(OutputError, match="so it is not replaced: choose another file"):
        result.chains(out=tmp_path / "c.csv", overwrite=True)
    assert (tmp_path / "c.media.csv").read_text("utf-8") == "mine\n"


def test_a_text_like_a_formula_is_no_formula(tmp_path):
    text = json.loads(EXAMPLES.read_text("utf-8").splitlines()[4])["text"]
    rows = [
        {"id": f"a{k}", "text": text, "title": "=1+1", "source": "@x", "time": f"2026-03-0{k + 1}"} for k in range(2)
    ]
    result = qc.dedup(rows, recall_sample=0)
    result.chains(out=tmp_path / "c.csv")
    assert table(tmp_path / "c.csv")[0]["Title"] == "'=1+1"
    result.chains(out=tmp_path / "c.xlsx")
    cell = openpyxl.load_workbook(tmp_path / "c.xlsx").worksheets[0]["F2"]
    assert (cell.value, cell.data_type, cell.quotePrefix) == ("=1+1", "s", True)


def test_media_are_counted_without_series_and_undecided_sources(rows):
    found, undecided = exchanges(rows)
    decided = [row for row in rows if row["certainty"] in ("only", "likely")]
    assert sum(map(len, found.values())) == len(decided)
    assert undecided == len([row for row in rows if row["certainty"] == "undecided"]) > 0
    assert media(rows)["北屿晚报"].issues == 4 and sum(one.originals for one in media(rows).values()) == 34
