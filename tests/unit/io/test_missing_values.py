"""Covers: empty cells of pandas in lists, series, arrays and records are documents without text, never the text "nan"."""

import numpy as np
import pandas as pd
import pytest

import quchong as qc

TEXT = "去年全市新增就业岗位三十二万个，比前年多出一成。"
CELLS = [TEXT, float("nan"), None, np.float32("nan"), pd.NA, pd.NaT, TEXT]
EMPTY = len(CELLS) - 2


@pytest.mark.parametrize("made", [
    list, tuple, iter, pd.Series, lambda cells: np.array(cells, object), lambda cells: pd.Series(cells, index=list("abcdefg")),
    lambda cells: pd.DataFrame({"text": cells}).to_dict("records"),
    lambda cells: [*pd.DataFrame({"text": cells}).to_dict("records"), {"text": ["a", "b"]}],
], ids=["list", "tuple", "iterator", "series", "array", "series with ids", "records", "records with lists"])  # fmt: skip
def test_an_empty_cell_is_an_empty_text(made):
    result = qc.dedup(made(CELLS), recall_sample=0)
    assert result.ledger.num_rows == 1 and result.counts["without_text"] == EMPTY


@pytest.mark.parametrize("call", [qc.passages, qc.estimate, qc.distinct, lambda data: qc.decontaminate(data, [TEXT])])
def test_every_call_that_takes_texts_takes_empty_cells(call):
    call(CELLS)


def test_a_series_with_empty_cells_keeps_its_ids():
    result = qc.dedup(pd.Series([TEXT, np.nan, TEXT], index=["a", "b", "c"]), recall_sample=0)
    assert result.ledger["id"].to_pylist() == ["c"] and list(result.kept.index) == ["a", "b"]


@pytest.mark.parametrize("data", [[1.5, float("nan"), 1.5], ["1.5", pd.NA, 1.5]])
def test_the_advice_for_numbers_makes_no_text_of_an_empty_cell(data):
    with pytest.raises(qc.UsageError) as raised:
        qc.dedup(data)
    code = str(raised.value).partition("texts: ")[2]
    assert eval(code, {"data": data, "pandas": pd}) == ["1.5", None, "1.5"]
