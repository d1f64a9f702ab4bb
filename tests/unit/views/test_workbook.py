"""Covers: quchong.views.workbook: the removals as a sheet, text that looks like a formula.

Compared against: the ledger; openpyxl reads what XlsxWriter wrote. Run: pytest tests/unit/views/test_workbook.py.
"""

import sys
import zipfile
from datetime import datetime

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import quchong as qc
from quchong.errors import OutputError, UsageError
from quchong.views.workbook import COLUMNS

openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed (test group)")
pytest.importorskip("xlsxwriter", reason="XlsxWriter is not installed (extra report)")


def sheets(path):
    book = openpyxl.load_workbook(path)
    return book, list(book.worksheets[0].iter_rows())


def test_every_removal_has_a_row_with_its_reason(saved, tmp_path):
    book, (head, *rows) = sheets(saved.report(tmp_path / "removed.xlsx", lang="en"))
    assert [cell.value for cell in head] == [
        "ID", "Document kept instead", "Title", "Title of the kept document", "Relation", "Reason", "Jaccard", "Contained", "Threshold",
        "Facts in conflict", "What differs (removed → kept)", "Time", "Time of the kept one", "Source", "Source of the kept one",
        "Link", "Link of the kept document", "Begins", "The kept one begins",
    ]  # fmt: skip
    ledger = saved.ledger.to_pylist()
    for row, told in zip(rows, ledger, strict=True):
        values = [cell.value for cell in row]
        assert values[:2] == [told["id"], told["survivor_id"]]
        assert values[2] and values[4] == told["relation"].replace("_", " ") and values[5] == told["rule"]
        assert isinstance(values[11], datetime) and values[15].startswith("https://")
        assert values[6:9] == pytest.approx([told["jaccard"], told["containment"], told["threshold"]])
        assert saved.explain(told["id"]).text.split()[0][:20] in values[17].replace("…", "") or values[17]
    assert ("Removed", "45") in [(a.value, b.value) for a, b in book["About"].iter_rows()]
    assert book.sheetnames == ["Removed", "Reprints", "Clusters", "Media", "Series", "About"]
    assert book["Clusters"].max_row == 1 + len(saved.clusters)


def test_the_workbook_speaks_chinese(saved, tmp_path):
    book, (head, *rows) = sheets(saved.report(tmp_path / "zh.xlsx", lang="zh"))
    assert [cell.value for cell in head][:4] == ["ID", "保留的文档", "标题", "保留稿标题"] and len(head) == len(COLUMNS)
    assert {row[4].value for row in rows} == {"完全重复", "近似重复", "包含于"}
    assert book.sheetnames == ["已删文档", "转载", "重复簇", "媒体", "系列通报", "说明"]


FORMULAS = [
    "=1+1",
    '=HYPERLINK("http://x","y")',
    "+1+1",
    "-2+3",
    "@SUM(A1)",
    "\t=1+1",
    "\r=1",
    "=cmd|' /C calc'!A0",
    "https://example.org/",
]


def test_what_looks_like_a_formula_is_text(tmp_path):
    rows = []
    for k, start in enumerate(FORMULAS):
        body = f"{start} 第{k}篇文章讲的是{'春夏秋冬东南西北中'[k]}边的第{k * 7}件事，与别的都不一样。"
        rows += [{"id": f"{start}{side}", "text": body, "source": start, "time": start} for side in "ab"]
    run = qc.dedup(rows)
    assert run.counts["removed"] == len(FORMULAS)
    path = run.report(tmp_path / "formulas.xlsx", lang="en")
    _, (_, *found) = sheets(path)
    assert len(found) == len(FORMULAS)
    for row in found:
        for cell in row:
            assert cell.data_type in ("s", "n", "inlineStr") and not cell.hyperlink
            if isinstance(cell.value, str) and cell.value.startswith(("=", "+", "-", "@", "\t", "\r")):
                assert cell.quotePrefix, cell.value
    with zipfile.ZipFile(path) as packed:
        assert not [name for name in packed.namelist() if b"<f>" in packed.read(name)]
        assert not [name for name in packed.namelist() if "external" in name or "vba" in name.lower()]


def test_odd_characters_and_long_cells(tmp_path):
    rows = [
        {
            "id": f"i\x00\x1b\u202e{'x' * 40_000}{k}",
            "text": "今天天气很好，我们一起去公园散步。" + "😀" * 40_000,
            "source": "s" * 70_000,
        }
        for k in range(2)
    ]
    _, (_, row) = sheets(qc.dedup(rows).report(tmp_path / "odd.xlsx"))
    assert all(len(str(cell.value or "")) <= 32_767 for cell in row)
    assert row[0].value.startswith("i")


def test_nothing_is_overwritten_but_a_workbook_of_ours(saved, tmp_path):
    path = saved.report(tmp_path / "a.xlsx")
    with pytest.raises(OutputError, match="exists"):
        saved.report(path)
    saved.report(path, overwrite=True)
    other = tmp_path / "other.xlsx"
    openpyxl.Workbook().save(other)
    before = other.read_bytes()
    with pytest.raises(OutputError, match="not a report of quchong"):
        saved.report(other, overwrite=True)
    assert other.read_bytes() == before


def test_a_missing_library_is_told(saved, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    with pytest.raises(UsageError, match="XlsxWriter: pip install"):
        saved.report(tmp_path / "a.xlsx")
    assert not list(tmp_path.iterdir())


def test_an_empty_run_has_a_workbook(tmp_path):
    _, rows = sheets(qc.dedup(["今天天气很好"]).report(tmp_path / "none.xlsx"))
    assert len(rows) == 1


def test_an_empty_id_is_no_empty_cell(tmp_path):
    rows = [
        {"id": "", "text": "a text that is copied, and longer"},
        {"id": "b", "text": "a text that is copied, and longer"},
    ]
    result = qc.dedup(rows, keep="first", recall_sample=0)
    assert result.ledger["survivor_id"].to_pylist() == [""]
    _, (_, row) = sheets(result.report(tmp_path / "removed.xlsx", lang="en"))
    assert [cell.value for cell in row[:2]] == ["b", '""']
    _, (_, row) = sheets(qc.dedup(rows, keep="shortest,column:id desc", recall_sample=0).report(tmp_path / "b.xlsx"))
    assert [cell.value for cell in row[:2]] == ['""', "b"]
    assert '["b","\\"\\""]' in result.report(lang="en").html.replace(" ", "")


def test_a_figure_that_is_none_leaves_its_cell_empty(tmp_path):
    rows = [{"id": str(i), "text": "公园里的樱花盛开，吸引大批市民前往观赏。"} for i in range(3)]
    qc.dedup(rows, out=tmp_path / "run")
    path = tmp_path / "run" / "ledger.parquet"
    table = pq.read_table(path)
    place = table.schema.get_field_index("threshold")
    strange = pa.array([float("nan"), float("inf")], pa.float64())
    pq.write_table(table.set_column(place, table.schema.field(place), strange), path)
    _, (head, *found) = sheets(qc.load(tmp_path / "run").report(tmp_path / "strange.xlsx", lang="en"))
    at = [cell.value for cell in head].index("Threshold")
    assert len(found) == 2
    assert [row[at].value for row in found] == [None, None]
