"""Folders that `save_to_disk` of datasets made, read without that library: a data set, splits, damaged descriptions."""

import json

import pyarrow as pa
import pytest

import quchong as qc
from quchong.errors import InputError

TEXT = "同一段文字，足够长，可以比较，来自两个部分"


def saved(folder, rows, files=2):
    """Write what `Dataset.save_to_disk` writes: streams of Arrow, and two descriptions."""
    folder.mkdir(parents=True)
    table = pa.Table.from_pylist(rows)
    names = [f"data-{number:05}-of-{files:05}.arrow" for number in range(files)]
    size = -(-len(table) // files)
    for number, name in enumerate(names):
        with pa.ipc.new_stream(folder / name, table.schema) as out:
            out.write_table(table.slice(number * size, size))
    state = {"_data_files": [{"filename": name} for name in names], "_split": None, "_format_columns": None}
    (folder / "state.json").write_text(json.dumps(state))
    (folder / "dataset_info.json").write_text(json.dumps({"features": {}}))
    return folder


def splits(folder):
    saved(folder / "train", [{"id": "a", "text": TEXT}, {"id": "b", "text": "另一段"}])
    saved(folder / "test", [{"id": "c", "text": TEXT}], 1)
    (folder / "dataset_dict.json").write_text(json.dumps({"splits": ["train", "test"]}))
    return folder


def test_a_data_set(tmp_path):
    rows = [{"id": i, "text": TEXT if i % 2 else f"第{i}段，与别的不同"} for i in range(6)]
    result = qc.dedup(saved(tmp_path / "ds", rows))
    assert result.manifest["counts"]["read"] == 6 and not result.skipped
    assert [row["id"] for row in result.ledger.to_pylist()] == [3, 5]


def test_a_data_set_of_splits_has_the_split_as_source(tmp_path):
    folder = splits(tmp_path / "ds")
    run = tmp_path / "run"
    result = qc.dedup(folder, keep="source:test>train", out=run)
    assert [(row["id"], row["survivor_id"]) for row in result.ledger.to_pylist()] == [("a", "c")]
    assert "split is read as the source" in str(result.alarms)
    assert result.kept.column_names == ["id", "text"]
    assert sorted(one.name for one in (run / "kept" / "train").iterdir()) == [
        "data-00000-of-00002.arrow", "data-00001-of-00002.arrow",
    ]  # fmt: skip
    one = qc.dedup(folder / "train")
    assert one.manifest["counts"]["read"] == 2 and not one.ledger.num_rows


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("state.json", "{"),
        ("state.json", '{"_data_files": []}'),
        ("state.json", '{"_data_files": [{"filename": "../../etc/passwd"}]}'),
        ("state.json", '{"_data_files": [{"filename": "data-00009-of-00002.arrow"}]}'),
        ("state.json", "[]"),
    ],
)
def test_damaged_descriptions(tmp_path, name, text):
    folder = saved(tmp_path / "ds", [{"text": TEXT}, {"text": TEXT}])
    (folder / name).write_text(text)
    with pytest.raises(InputError, match=rf"ds is a data set saved to disk, but its {name} is damaged"):
        qc.dedup(folder)


def test_the_library_writes_such_folders(tmp_path):
    datasets = pytest.importorskip("datasets", reason="datasets is not installed: pip install datasets")
    train = datasets.Dataset.from_list([{"id": "a", "text": TEXT}, {"id": "b", "text": "另一段"}])
    both = datasets.DatasetDict({"train": train, "test": datasets.Dataset.from_list([{"id": "c", "text": TEXT}])})
    both.save_to_disk(tmp_path / "ds")
    result = qc.dedup(tmp_path / "ds", keep="source:test>train")
    assert [(row["id"], row["survivor_id"]) for row in result.ledger.to_pylist()] == [("a", "c")]
    train.save_to_disk(tmp_path / "one")
    assert qc.dedup(tmp_path / "one").manifest["counts"]["read"] == 2
