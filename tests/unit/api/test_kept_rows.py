"""Tests of what a result gives back to other libraries: numbers of rows, and data sets of Hugging Face with their features."""

from __future__ import annotations

import json
import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest

import quchong as qc

TEXT = "The council said that the new bridge will open in March, and that drivers pay less toll in the first year."
ROWS = [
    {"id": "z", "text": TEXT},
    {"id": "y", "text": "Another note that nobody has copied."},
    {"id": "a", "text": TEXT},
]


def test_kept_rows_are_the_numbers_of_the_rows_that_stay(tmp_path):
    result = qc.dedup(ROWS)
    assert result.kept_rows.tolist() == [1, 2] and result.removed_rows.tolist() == [0]
    assert result.kept_rows.dtype == np.int64
    assert result.kept.to_pylist() == [ROWS[k] for k in result.kept_rows]
    saved = result.save(tmp_path / "run")
    assert qc.load(saved).kept_rows.tolist() == [1, 2]
    assert qc.dedup(ROWS[:2], against=ROWS[2:]).kept_rows.tolist() == [1]


def test_several_inputs_have_rows_of_their_own(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, ROWS)))
    with pytest.raises(qc.UsageError, match="several inputs"):
        _ = qc.dedup(tmp_path, id="id").kept_rows


class _Set:
    """Stands for a data set of Hugging Face: an Arrow stream, and features with a schema."""

    __module__ = "datasets.arrow_dataset"

    def __init__(self, table):
        self.table = table
        kinds = {
            "text": {"dtype": "string", "_type": "Value"},
            "label": {"names": ["no", "yes"], "_type": "ClassLabel"},
        }
        metadata = {"huggingface": json.dumps({"info": {"features": kinds}})}
        self.features = SimpleNamespace(arrow_schema=table.schema.with_metadata(metadata))

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def test_features_of_a_data_set_go_through_a_run_and_its_folder(monkeypatch, tmp_path):
    made = _Set(pa.table({"text": [TEXT, TEXT, "Another note that nobody has copied."], "label": [0, 1, 1]}))
    fake = ModuleType("datasets")
    fake.Features = SimpleNamespace(
        from_dict=lambda kinds: SimpleNamespace(kinds=kinds, arrow_schema=made.table.schema)
    )
    fake.Dataset = lambda table: table
    monkeypatch.setitem(sys.modules, "datasets", fake)
    result = qc.dedup(made)
    assert result.to_dataset().to_pylist() == made.table.take([0, 2]).to_pylist()
    assert result.to_dataset(removed=True)["label"].to_pylist() == [1]
    loaded = qc.load(result.save(tmp_path / "run"))
    assert b"huggingface" in loaded.kept.schema.metadata and loaded.to_dataset().schema == made.table.schema


def test_without_the_package_the_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(qc.UsageError, match="pip install datasets"):
        qc.dedup(ROWS).to_dataset()


def test_data_sets_scanners_readers_and_iterators_of_batches_are_read(tmp_path):
    table = pa.Table.from_pylist(ROWS)
    path = tmp_path / "a.parquet"
    pq.write_table(table, path, row_group_size=1)
    asked = qc.dedup(table).ledger.to_pylist()
    opened = pa.dataset.dataset(path)
    for given in (
        opened, opened.scanner(), opened.to_batches(), pq.ParquetFile(path).iter_batches(), table.to_batches(max_chunksize=2),
        pa.RecordBatchReader.from_batches(table.schema, table.to_batches()), pq.ParquetFile(path).iter_batches(batch_size=1),
    ):  # fmt: skip
        assert qc.dedup(given).ledger.to_pylist() == asked
    assert qc.passages(opened.to_batches()).table.num_rows == qc.passages(table).table.num_rows
    other = pa.Table.from_pylist([{"text": "x"}])
    with pytest.raises(qc.UsageError, match="batch 3 does not have the columns or types of the first"):
        qc.dedup([*table.to_batches(max_chunksize=1), *other.to_batches()])
