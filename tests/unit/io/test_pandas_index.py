"""The index that pandas makes up a name for is no column of the user's."""

import pyarrow as pa
import pytest

import quchong as qc

pd = pytest.importorskip("pandas")
ROWS = {
    "id": [7, 8, 9],
    "text": ["去年全市新增就业岗位三十二万个。", "去年全市新增就业岗位三十二万个。", "另一篇完全不同的文章在这里。"],
}


@pytest.mark.parametrize("made", [lambda frame: frame, pa.Table.from_pandas], ids=["frame", "table"])
def test_an_unnamed_index_does_not_come_back(made):
    frame = pd.DataFrame(ROWS)
    part = frame[frame.id != 8]  # its index has a gap, so that pandas hands it over as a column
    result = qc.dedup(made(part), recall_sample=0)
    for rows in (result.kept, result.removed):
        assert list(rows.columns if isinstance(rows, pd.DataFrame) else rows.column_names) == ["id", "text"]
    kept = result.kept
    assert (kept if isinstance(kept, pd.DataFrame) else kept.to_pandas())["id"].tolist() == [7, 9]


def test_an_index_with_a_name_is_a_column():
    frame = pd.DataFrame(ROWS).set_index("id")
    result = qc.dedup(frame, recall_sample=0)
    assert result.kept.index.name == "id" and list(result.kept.columns) == ["text"] and len(result.removed) == 1
    assert result.ledger["id"].to_pylist() == [8]
