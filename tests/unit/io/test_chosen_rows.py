"""Covers: some rows of a source as a source (`quchong.io.selected_rows`)."""

import json

import numpy as np

from quchong.io import WantedColumns, open_inputs
from quchong.io.selected_rows import ChosenRows


def test_only_the_rows_that_were_chosen_are_documents_and_keep_their_numbers(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps({"id": str(i), "text": f"文本{i}"}) + "\n" for i in range(6)), "utf-8")
    inner = open_inputs([path])[0]
    chosen = ChosenRows(inner, np.array([1, 4]))
    (batch,) = chosen.documents(WantedColumns(), [])
    assert batch.column("row").to_pylist() == [1, 4] and batch.column("id").to_pylist() == ["1", "4"]
    assert chosen.expected() == 2 and chosen.fingerprint() == inner.fingerprint() | {"kept_rows": 2}
    assert chosen.fetch([4], WantedColumns())["text"].to_pylist() == ["文本4"]
    assert [row for row, _, _ in chosen.whole_records([4])] == [4]
    (none,) = ChosenRows(inner, np.zeros(0, np.int64)).documents(WantedColumns(), [])
    assert len(none) == 0
