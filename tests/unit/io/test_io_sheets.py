"""Covers: quchong.io.columnar.sheets, cells and sheet_writer: workbooks in and out.

Compared against: openpyxl, which writes the inputs and reads the outputs. Run: pytest tests/unit/io/test_io_sheets.py.
"""

import datetime as dt
import json
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import quchong as qc
from quchong.errors import InputError, OutputError, UsageError
from quchong.io import open_inputs
from quchong.io.columnar import sheets
from quchong.io.columnar.cells import column_of, common_type
from quchong.io.columnar.sheet_writer import SheetWriter
from quchong.io.source import KEEP, REMOVE, WantedColumns

openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed (test group)")
pytest.importorskip("python_calamine", reason="python-calamine is not installed (extra report)")

EXAMPLES = Path(__file__).parents[3] / "examples" / "news.jsonl"
TEXT = "今天天气很好，我们一起去公园散步，晚上回家吃饭。"


@pytest.fixture
def book(tmp_path):
    """A workbook of these sheets, each rows of cells."""

    def book(name="in.xlsx", **rows):
        made = openpyxl.Workbook()
        made.remove(made.active)
        for title, cells in rows.items():
            sheet = made.create_sheet(title)
            for row in cells:
                sheet.append(row)
        made.save(tmp_path / name)
        return tmp_path / name

    return book


def cells_of(path):
    return [[cell.value for cell in row] for row in openpyxl.load_workbook(path).active.iter_rows()]


def test_types_are_those_of_all_cells_of_a_column(book):
    when, day = dt.datetime(2026, 3, 1, 8, 30), dt.date(2026, 3, 2)
    path = book(
        a=[
            ["id", "text", "whole", "part", "mixed", "day", "when", "yes", "clock", "none", "sum"],
            [1, "x", 5, 1.5, 7, day, when, True, dt.time(1, 2, 3), None, "=1+1"],
            [2, "y", None, 2, "z", None, day, False, dt.time(4, 5), None, "=2+2"],
        ]
    )
    source = open_inputs([path])[0]
    table = source.table_of(np.ones(2, bool))
    kinds = {field.name: str(field.type) for field in table.schema}
    assert kinds == {
        "id": "int64", "text": "large_string", "whole": "int64", "part": "double", "mixed": "large_string", "day": "date32[day]",
        "when": "timestamp[us]", "yes": "bool", "clock": "large_string", "none": "null", "sum": "null",
    }  # fmt: skip
    assert table.to_pylist()[0] == {
        "id": 1, "text": "x", "whole": 5, "part": 1.5, "mixed": "7", "day": day, "when": when, "yes": True, "clock": "01:02:03",
        "none": None, "sum": None,  # openpyxl stores no values with formulas
    }  # fmt: skip


def test_values_of_formulas_are_those_stored(tmp_path):
    xlsxwriter = pytest.importorskip("xlsxwriter")
    with xlsxwriter.Workbook(tmp_path / "f.xlsx") as made:
        sheet = made.add_worksheet()
        sheet.write_row(0, 0, ["text", "n", "bad"])
        sheet.write_formula(1, 0, '="a"&"b"', None, "ab")
        sheet.write_formula(1, 1, "=1+1", None, 2)
        sheet.write_formula(1, 2, "=NA()", None, "#N/A")
    table = open_inputs([tmp_path / "f.xlsx"])[0].table_of(np.ones(1, bool))
    assert table.to_pylist() == [{"text": "ab", "n": 2, "bad": None}]


def test_rows_and_sheets_are_named_in_errors_and_empty_rows_are_none(book, read):
    path = book(
        一月=[[], ["id", " text "], ["a", TEXT], [], ["b", None], ["c", TEXT + "。"]],
        二月=[["id", "text"], ["d", None], ["e", "另一篇完全不同的文章。"]],
        说明=[["看这里"], ["不是数据"]],
    )
    source = open_inputs([path])[0]
    got = read(source)
    assert got.ids == ["a", "c", "e"] and got.rows == [0, 2, 4]
    assert [(one.line, one.reason) for one in got.bad] == [
        (5, "text is null (sheet '一月', row 5)"), (2, "text is null (sheet '二月', row 2)"),
    ]  # fmt: skip
    assert source.fingerprint()["sheets_passed_over"] == ["说明"]
    assert [(row, line) for row, line, _ in source.whole_records([1, 3])] == [(1, 5), (3, 2)]
    said = qc.dedup(path, recall_sample=0).summary()
    assert "sheets skipped" in said and "说明 in in.xlsx" in said


def test_columns_without_a_name_are_called_by_their_letters(book):
    path = book(
        a=[["id", None, "text", None, "extra"], ["a", "left", "x", None, None], ["b", None, "y", None, 1, "far"]]
    )
    assert open_inputs([path])[0].table_of(np.ones(2, bool)).column_names == ["id", "B", "text", "extra", "F"]


def test_rows_go_out_as_cells_of_their_sort_and_text_stays_text(book, read, tmp_path):
    when = dt.datetime(2026, 3, 1, 8, 30)
    rows = [
        ["id", "text", "n", "when", "yes"],
        [1, "+1+1", 1.5, when, True],
        [2, "@cmd\n二", None, None, False],
        [3, "z", 3, when, None],
    ]
    source = open_inputs([book(数据=rows)])[0]
    read(source)
    kept, removed, again = (tmp_path / f"{name}.xlsx" for name in ("kept", "removed", "again"))
    source.split(np.array([KEEP, REMOVE, KEEP], np.uint8), kept, removed)
    assert cells_of(kept) == [rows[0], rows[1], rows[3]] and cells_of(removed) == [rows[0], rows[2]]
    sheet = openpyxl.load_workbook(kept).active
    assert sheet.title == "数据" and sheet["B2"].data_type in ("s", "inlineStr") and sheet["B2"].quotePrefix
    source.split(np.array([KEEP, REMOVE, KEEP], np.uint8), again, None)
    assert again.read_bytes() == kept.read_bytes()
    notes = pa.table({"fate": ["kept", "removed", "kept"], "share": [0.5, None, 1.0]})
    source.annotate(notes, again)
    assert cells_of(again)[2] == [*rows[2], "removed", None]
    source.rewrite({0: "neu"}, "text", again)
    assert [row[1] for row in cells_of(again)] == ["text", "neu", "@cmd\n二", "z"]


def test_a_run_over_a_workbook_is_the_run_over_its_lines(book, tmp_path):
    rows = [json.loads(line) for line in EXAMPLES.read_text("utf-8").splitlines()]
    cells = [[*row.values(), k if k % 2 else None] for k, row in enumerate(rows)]
    path = book("news.xlsx", 稿件=[[*rows[0], "n"], *cells[:50]], 续=[[*rows[0], "n"], *cells[50:]])
    mine = qc.dedup(path, out=tmp_path / "run", recall_sample=0)
    plain = qc.dedup(EXAMPLES, recall_sample=0)
    assert mine.ledger["id"].equals(plain.ledger["id"])
    loaded = qc.load(tmp_path / "run")
    assert str(loaded.explain("n009")) == str(plain.explain("n009"))
    assert loaded.chains().equals(plain.chains())
    loaded.restore("n009")
    assert len(cells_of(tmp_path / "run" / "kept.xlsx")) == 61
    loaded.restore(everything=True)
    assert cells_of(tmp_path / "run" / "kept.xlsx") == [[*rows[0], "n"], *cells]
    assert cells_of(tmp_path / "run" / "removed.xlsx") == [[*rows[0], "n"]]


def test_sides_that_were_typed_apart_are_put_together(book, tmp_path):
    """Kept rows hold whole numbers and dates without a time of day, removed ones others: one column all the same."""
    day = dt.datetime(2026, 3, 1)
    rows = [
        ["id", "text", "n", "when"],
        ["a", TEXT + "更长一些。", 1, day],
        ["b", TEXT + "更长一些。", 2.5, day + dt.timedelta(hours=3)],
    ]
    qc.dedup(book(a=rows), out=tmp_path / "run", recall_sample=0)
    qc.load(tmp_path / "run").restore(everything=True)
    assert cells_of(tmp_path / "run" / "kept.xlsx") == rows


def test_a_full_sheet_goes_on_in_another(tmp_path, monkeypatch, read):
    monkeypatch.setattr("quchong.io.columnar.sheet_writer.ROWS", 2)
    table = pa.table({"id": ["a", "b", "c", "d", "e"], "text": list("vwxyz")})
    with SheetWriter(tmp_path / "many.xlsx", table.schema, "数据") as writer:
        for batch in table.to_batches():
            writer.write(batch)
    assert openpyxl.load_workbook(tmp_path / "many.xlsx").sheetnames == ["数据", "数据 2", "数据 3"]
    assert read(open_inputs([tmp_path / "many.xlsx"])[0]).ids == list("abcde")


def test_no_text_becomes_a_formula_a_link_or_a_number(tmp_path):
    texts = ["=1+1", "+1", "-1", "@x", "https://a.example", "12", "\tx", "_x0041_", "a\x01b\ud83d"]
    table = pa.table({"text": [t.encode("utf-8", "replace").decode() for t in texts]})
    with SheetWriter(tmp_path / "out.xlsx", table.schema, "a") as writer:
        writer.write(table.to_batches()[0])
    sheet = openpyxl.load_workbook(tmp_path / "out.xlsx").active
    assert all(cell.data_type in ("s", "inlineStr") and not cell.hyperlink for (cell,) in sheet.iter_rows(min_row=2))
    assert (
        open_inputs([tmp_path / "out.xlsx"])[0]
        .table_of(np.ones(9, bool))["text"]
        .equals(table["text"].cast(pa.large_string()))
    )


def test_a_text_longer_than_a_cell_is_refused(tmp_path):
    table = pa.table({"text": ["😀" * 16_384]})
    with (
        pytest.raises(OutputError, match=r"column 'text' has more than 32,767 characters.*as CSV"),
        SheetWriter(tmp_path / "long.xlsx", table.schema, "a") as writer,
    ):
        writer.write(table.to_batches()[0])


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "the file is empty"), (b"PK\x03\x04 nonsense", "not a workbook, or is damaged"),
        (b"\xd0\xcf\x11\xe0 old", "is an old Excel file, or encrypted: save it in Excel as .xlsx or CSV"),
        (b'[{"text": "x"}]', "the file does not begin like a workbook"),
    ],
)  # fmt: skip
def test_what_is_no_workbook_is_named(tmp_path, raw, said):
    (tmp_path / "in.xlsx").write_bytes(raw)
    with pytest.raises(InputError, match=said):
        qc.dedup(tmp_path / "in.xlsx")


def test_damage_of_every_sort_is_an_error(book, tmp_path):
    path = book(a=[["id", "text"], ["a", TEXT], ["b", TEXT]])
    whole = path.read_bytes()
    for at in range(0, len(whole), 97):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x5A]) + whole[at + 1 :])
        try:
            found = qc.dedup(path, recall_sample=0)
        except InputError:
            continue
        assert found.counts["read"] <= 2, at
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("xl/workbook.xml", "<workbook/>")
    with pytest.raises(InputError, match=r"in\.xlsx"):
        qc.dedup(path)


def test_sizes_are_bounded_by_what_unpacks_not_by_what_is_claimed(book, tmp_path, monkeypatch):
    path = book(a=[["id", "text"], *([k, TEXT * 20] for k in range(300))])
    monkeypatch.setattr(sheets, "UNPACKED", 20_000)
    monkeypatch.setattr(sheets, "_PIECE", 1000)
    with pytest.raises(InputError, match="unpacks to more than"):
        open_inputs([path])[0].table_of(np.ones(300, bool))


def test_no_cell_no_column_and_wrong_names_are_told(book):
    with pytest.raises(InputError, match="has no cell with a value"):
        qc.dedup(book(a=[], b=[]))
    with pytest.raises(InputError, match="has no column 'text'; it has these columns: 'id', '说明'"):
        qc.dedup(book(a=[["id", "说明"], [1, TEXT]]))
    with pytest.raises(InputError, match="2 columns named 'text'"):
        qc.dedup(book(a=[["text", "text"], [TEXT, TEXT]]))


def test_without_the_extra_the_remedy_is_said(book, monkeypatch):
    import builtins

    path, real = book(a=[["id", "text"]]), builtins.__import__

    def without(name, *rest, **more):
        if name == "python_calamine":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(UsageError, match="python-calamine and written by XlsxWriter: pip install"):
        open_inputs([path])


def test_columns_of_cells():
    assert column_of([1.0, 2.5, ""]).to_pylist() == [1.0, 2.5, None]
    assert column_of([2.0**53, 1.0]).type == pa.float64(), "beyond what doubles hold exactly"
    assert column_of([dt.date(2026, 1, 1), dt.datetime(2026, 1, 2, 3)]).to_pylist() == [
        dt.datetime(2026, 1, 1), dt.datetime(2026, 1, 2, 3),
    ]  # fmt: skip
    assert column_of([dt.date(2026, 1, 1), 5.0, False, 1.5]).to_pylist() == ["2026-01-01", "5", "false", "1.5"]
    assert column_of(["", ""]).type == pa.null() and column_of([]).type == pa.null()
    assert common_type([pa.null(), pa.int64(), pa.float64()]) == pa.float64()
    assert common_type([pa.date32(), pa.timestamp("us")]) == pa.timestamp("us")
    assert common_type([pa.bool_(), pa.int64()]) == pa.large_string() and common_type([]) == pa.null()


def test_wanted_columns_are_read(book, read):
    path = book(a=[["url", "text", "time"], ["u", TEXT, dt.datetime(2026, 3, 1, 8)]])
    got = read(open_inputs([path])[0], WantedColumns(id="url", extra=("time",)))
    assert got.ids == ["u"] and got.table["time"].to_pylist() == [dt.datetime(2026, 3, 1, 8)]
