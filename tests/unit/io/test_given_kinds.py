"""Kinds of data in Python: splits, texts by id, series; kept rows come back in the kind that was given."""

import pickle

import pyarrow as pa
import pytest

import quchong as qc
from quchong.errors import UsageError

ONE, TWO = "今天天气很好，适合出门散步，也适合读书。", "第二段文字讲的是另一件事，与天气无关。"
ROWS = [{"id": "a", "text": ONE}, {"id": "b", "text": ONE}, {"id": "c", "text": TWO}]


def test_frames_of_pandas_keep_their_index_and_types():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ROWS, index=[7, 8, 9]).astype({"id": "category"})
    result = qc.dedup(frame)
    frame.drop(index=7, inplace=True)
    assert type(result.kept) is pandas.DataFrame
    assert result.kept.index.tolist() == [7, 9] and str(result.kept["id"].dtype) == "category"
    assert result.removed["id"].tolist() == ["b"]
    assert isinstance(pickle.loads(pickle.dumps(result)).kept, pa.Table)


def test_the_index_of_a_series_is_its_ids():
    pandas = pytest.importorskip("pandas")
    result = qc.dedup(pandas.Series([ONE, ONE, TWO], index=["x", "y", "z"]))
    assert result.ledger.to_pylist()[0]["id"] == "y" and result.kept.to_dict() == {"x": ONE, "z": TWO}
    repeated = qc.dedup(pandas.Series([ONE, ONE, TWO], index=["x", "x", "z"]))
    assert repeated.ledger.to_pylist()[0]["id"] == "memory:1" or repeated.ledger.num_rows == 1
    assert repeated.kept.tolist() == [ONE, TWO]


def test_polars():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(ROWS)
    assert qc.dedup(frame).kept.equals(frame[[0, 2]])
    assert qc.dedup(frame["text"]).kept.to_list() == [ONE, TWO]
    assert qc.dedup(frame.lazy()).kept.equals(frame[[0, 2]])


def test_other_tables_and_lists_give_arrow():
    assert isinstance(qc.dedup(ROWS).kept, pa.Table) and isinstance(qc.dedup(pa.Table.from_pylist(ROWS)).kept, pa.Table)


@pytest.mark.parametrize("keys", [("a", "b", "c"), (3, 1, 2)])
def test_texts_by_id(keys):
    data = dict(zip(keys, (ONE, ONE, TWO), strict=True))
    result = qc.dedup(data, keep="first")
    assert result.ledger.to_pylist()[0]["id"] == keys[1]
    assert result.kept == {keys[0]: ONE, keys[2]: TWO} and result.removed == {keys[1]: ONE}


def test_one_record_is_no_corpus():
    with pytest.raises(UsageError, match="from dict: a single record was given; give a list of records"):
        qc.dedup({"id": "a", "text": ONE})


def test_splits_have_the_split_as_source():
    data = {"train": pa.Table.from_pylist(ROWS[:2]), "test": pa.Table.from_pylist(ROWS[1:])}
    data["test"] = data["test"].set_column(0, "id", pa.array(["t1", "t2"]))
    result = qc.dedup(data, keep="source:test>train")
    assert {(row["id"], row["survivor_id"]) for row in result.ledger.to_pylist()} == {("a", "t1"), ("b", "t1")}
    assert result.kept["split"].to_pylist() == ["test", "test"]
    assert "split is read as the source" in str(result.alarms)


def test_data_sets_of_hugging_face_come_back():
    datasets = pytest.importorskip("datasets", reason="datasets is not installed: pip install datasets")
    features = datasets.Features({"id": datasets.Value("string"), "text": datasets.Value("string"),
                                  "label": datasets.ClassLabel(names=["no", "yes"])})  # fmt: skip
    train = datasets.Dataset.from_list([row | {"label": 1} for row in ROWS[:2]], features=features)
    test = datasets.Dataset.from_list([{"id": "t", "text": ONE, "label": 0}], features=features)
    kept = qc.dedup(train).kept
    assert isinstance(kept, datasets.Dataset) and kept.features == features and kept["id"][:] == ["a"]
    both = datasets.DatasetDict({"train": train, "test": test})
    result = qc.dedup(both, keep="source:test>train")
    assert isinstance(result.kept, datasets.DatasetDict)
    assert result.kept.num_rows == {"train": 0, "test": 1} and result.removed.num_rows == {"train": 2, "test": 0}
    assert result.kept["test"].features == features
