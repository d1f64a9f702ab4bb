"""Covers: one `Run` with two carriers (`quchong.results.run`), and the index of its ids (`quchong.decision.id_index`).
Compared against: the other carrier, and dictionaries."""

import pickle
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import quchong as qc
from quchong.decision.id_index import FEW, IdIndex
from quchong.results.document_columns import TEXT
from quchong.results.saved import SavedRun
from quchong.runs.reader import TABLES

NEWS = Path(__file__).parents[3] / "examples" / "news.jsonl"


@pytest.fixture(scope="module")
def memory():
    return qc.dedup(NEWS, recall_sample=0)


@pytest.fixture(scope="module", params=["remove", "annotate"])
def folder(request, memory, tmp_path_factory):
    return qc.load(memory.save(tmp_path_factory.mktemp("run") / "run", mode=request.param))


def test_both_carriers_answer_the_same(memory, folder):
    one, other = memory._run, folder._run
    for name in TABLES:
        assert one.table(name).equals(other.table(name)), name
    assert one.ids.names == other.ids.names and one.keys == other.keys
    assert one.counts["removed"] == other.counts["removed"]
    for removed in (False, True):
        (places, rows), (again, found) = one.rows(removed), other.rows(removed)
        assert places.tolist() == again.tolist() and rows.equals(found)
        assert [one.ids.names[i] for i in places] == rows["id"].to_pylist()


def test_texts_and_columns_are_in_the_order_asked_for(memory, folder):
    places = np.array([40, 3, 77, 12, 5, 60])
    rows = pa.concat_tables([memory.kept, memory.removed])
    texts, titles = (
        dict(zip(rows["id"].to_pylist(), rows[name].to_pylist(), strict=True)) for name in ("text", "source")
    )
    for run in (memory._run, folder._run):
        names = [run.ids.names[i] for i in places]
        read = run.columns(places, ("time", "source"))
        assert read[TEXT].to_pylist() == [texts[name] for name in names]
        assert read["source"].to_pylist() == [titles[name] for name in names]
        asked = [names[2], "no such id", names[0], names[2], "\ud800"]
        assert run.texts(asked) == [texts[names[2]], None, texts[names[0]], texts[names[2]], None]


def test_a_text_that_cannot_be_read_spoils_no_other(memory, tmp_path):
    folder = memory.save(tmp_path / "run")
    first, second, *rest = (folder / "kept.jsonl").read_text("utf-8").splitlines(keepends=True)
    (folder / "kept.jsonl").write_text("".join([second, first, *rest]), "utf-8")
    saved = SavedRun(folder)
    kept = memory.kept["id"].to_pylist()
    assert [text is None for text in saved.texts(kept[:3])] == [True, True, False]
    assert "has the id" in str(saved.files.left_alone[0])


def test_documents_too_short_are_listed_after_another_decision(tmp_path):
    rows = [
        {"id": name, "text": text}
        for name, text in (("b", "一"), ("a", ""), ("c", "今天天气很好，我们一起去公园散步。"))
    ]
    result = qc.dedup(rows)
    assert result.unscored == ["a", "b"]
    loaded = qc.load(result.save(tmp_path / "run"))
    assert loaded.unscored == loaded.rethreshold(0.9).unscored == ["a", "b"]
    numbers = qc.dedup([{"id": 10, "text": "一"}, {"id": 7, "text": "二"}], against=rows)
    assert numbers.unscored == qc.load(numbers.save(tmp_path / "numbers")).unscored == [10, 7]


@pytest.mark.parametrize("asked", [3, 3 * FEW, 500])
def test_an_index_knows_few_and_many_ids(asked):
    ids = [f"d{i}" for i in range(100)]
    index = IdIndex(pa.chunked_array([ids[:40], ids[40:]]))
    names = [f"d{(7 * i) % 120}" for i in range(asked)] + [None]
    place = {name: i for i, name in enumerate(ids)}
    want = [place.get(name, -1) for name in names]
    for given in (names, pa.array(names), pa.chunked_array([names[:1], names[1:]])):
        found = index.places(given)
        assert found.dtype == np.int64 and found.tolist() == want
    assert pickle.loads(pickle.dumps(index)).places(names).tolist() == want
    assert IdIndex(pa.array([], pa.string())).places(["d1", None]).tolist() == [-1, -1]


def test_whole_numbers_are_known_by_their_digits():
    for index in (IdIndex(pa.array([10, 7, 5])), IdIndex(pa.array(["10", "7", "5"]), numbers=True)):
        assert index.places([5, "7", "007", "x", 8]).tolist() == [2, 1, 1, -1, -1]
        with pytest.raises(qc.UsageError, match="no document has the id 'x'"):
            index.known_places(["7", "x"])
    assert IdIndex(pa.array(["10", "7"])).places(["007", 7]).tolist() == [-1, 1]
