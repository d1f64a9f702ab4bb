"""Covers: one row of a table in place of documents, which is refused with the call that is meant, and columns of texts, which never are."""

import collections
import sqlite3

import pandas as pd
import pyarrow as pa
import pytest

import quchong as qc
from quchong.io.single_rows import row_as_dict

ROWS = [{"id": f"n{k}", "title": "A title", "text": f"Text number {k} of all the texts.", "views": k} for k in range(3)]
FRAME = pd.DataFrame(ROWS)
TEXTS = FRAME[["id", "title", "text"]]


def of_database():
    there = sqlite3.connect(":memory:")
    there.row_factory = sqlite3.Row
    return there.execute("SELECT 'n1' AS id, 'a text' AS text").fetchone()


GIVEN = {
    "a row": (FRAME.iloc[0], "row.to_dict()"), "a row of texts": (TEXTS.iloc[1], "row.to_dict()"),
    "a row under an id": (TEXTS.set_index("id", drop=False).iloc[1], "row.to_dict()"),
    "a row of iterrows": (next(TEXTS.iterrows())[1], "row.to_dict()"),
    "a row in Chinese": (pd.DataFrame({"编号": ["甲"], "正文": ["一段文字"]}).iloc[0], "row.to_dict()"),
    "itertuples": (next(TEXTS.itertuples(index=False)), "row._asdict()"), "of a database": (of_database(), "dict(row)"),
}  # fmt: skip


@pytest.mark.parametrize("name", GIVEN)
def test_a_row_is_no_list_of_documents(tmp_path, name):
    row, written = GIVEN[name]
    for call in (qc.dedup, qc.distinct, qc.passages):
        with pytest.raises(qc.UsageError) as raised:
            call(row)
        assert f"[{written}]" in str(raised.value)
    index = qc.Index.create(tmp_path / "seen")
    for call in (index.add, index.query):
        with pytest.raises(qc.UsageError) as raised:
            call(row)
        assert str(raised.value).endswith(f"give {written}")
    assert not list(index.ids())


@pytest.mark.parametrize("row", [("n1", "A title", "A text"), ("n1", "A text", 3)])
def test_a_tuple_is_no_list_of_texts_for_an_index(tmp_path, row):
    index = qc.Index.create(tmp_path / "seen")
    with pytest.raises(qc.UsageError, match=r"list\(texts\)"):
        index.add(row)
    assert not list(index.ids())
    index.add(({"id": "a", "text": "A text"}, {"id": "b", "text": "Another text"}))
    assert list(index.ids()) == ["a", "b"]


COLUMNS = [
    FRAME["text"], FRAME.set_index("id")["text"], pd.Series(["one", "two"]), pd.Series({"text": "one", "other": "two"}),
    pd.Series({"a": "one", "b": None, "c": "two"}, name=1), pd.Series({"id": "one", "title": "two"}, name="body"),
    FRAME.set_index("title")["text"], pd.Series([], dtype=object),
    pd.Series(["one", "two"], index=pd.MultiIndex.from_tuples([("id", "text"), ("a", "b")])),
]  # fmt: skip


@pytest.mark.parametrize("column", COLUMNS, ids=range(len(COLUMNS)))
def test_a_column_of_texts_is_no_row(column):
    assert row_as_dict(column) is None
    assert qc.dedup(column).counts["read"] == len(column)


def test_other_tuples_are_no_rows():
    named = collections.namedtuple("Row", "id text")("n1", "a text")
    assert row_as_dict(("a", "b")) is None and row_as_dict(named) == "row._asdict()"
    assert qc.dedup(("a text", "b text")).counts["read"] == 2


@pytest.mark.parametrize(
    "frame", [FRAME[FRAME.id == "nobody"], FRAME.iloc[:0], FRAME[FRAME.id == "nobody"].astype({"text": str})]
)
def test_a_frame_without_rows_has_no_documents(frame):
    result = qc.dedup(frame)
    assert result.counts["read"] == 0 and list(result.kept.columns) == list(FRAME.columns)


def test_columns_that_have_no_empty_array_are_left_as_they_are():
    union = pa.UnionArray.from_sparse(pa.array([], pa.int8()), [pa.array([], pa.int64())])
    for texts in (pa.nulls(0), pa.array([], pa.string())):
        result = qc.dedup(pa.table({"text": texts, "other": union}))
        assert result.counts["read"] == 0 and result.kept.column_names == ["text", "other"]
