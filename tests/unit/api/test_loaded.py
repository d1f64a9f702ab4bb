"""`qc.load` gives the result that was saved, with all that one has."""

from __future__ import annotations

import csv
import json
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import quchong as qc
from quchong.errors import InputError

A = "去年全市新增就业岗位三十二万个，比上年增长百分之四点五，其中服务业占了一半以上，制造业也有回升的迹象。"
NEAR = "去年全市新增就业岗位三十二万个，比上年增长百分之四点五，其中服务业占了一半以上，制造业则有明显的回升。"
B = "昨夜一场大雪让北方多个机场的航班延误，铁路部门加开了二十趟列车疏散旅客，明天气温还要下降。"
ROWS = [{"id": 1, "text": A, "n": "x"}, {"id": 2, "text": A, "n": "y"}, {"id": 3, "text": NEAR, "n": "z"},
        {"id": 4, "text": B, "n": "x"}, {"id": 5, "text": "短", "n": "x"}]  # fmt: skip
TABLES = ("ledger", "pairs", "clusters", "documents", "kept", "removed")


def written(kind, folder):
    path = folder / f"in.{kind}"
    if kind == "jsonl":
        path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in ROWS) + "{broken\n")
    elif kind == "csv":
        with path.open("w", newline="") as file:
            out = csv.DictWriter(file, ["id", "text", "n"])
            out.writeheader()
            out.writerows(ROWS)
    else:
        pq.write_table(pa.Table.from_pylist(ROWS), path)
    return path


@pytest.fixture(params=["jsonl", "csv", "parquet"])
def both(request, tmp_path):
    """A result, and the same saved and loaded."""
    result = qc.dedup(str(written(request.param, tmp_path)), recall_sample=0)
    return result, qc.load(result.save(tmp_path / "run"))


def test_a_loaded_result_has_all_that_the_result_has(both):
    result, loaded = both
    assert isinstance(loaded, qc.Result)
    for name in TABLES:
        assert getattr(loaded, name).equals(getattr(result, name)), name
    for name in ("skipped", "unscored", "counts", "alarms"):
        assert getattr(loaded, name) == getattr(result, name), name
    assert repr(loaded) == repr(result) and loaded.least_similar(1).equals(result.least_similar(1))
    assert loaded.manifest["config"] == result.manifest["config"] and "kept" in loaded.summary()
    gone = result.ledger["id"][0].as_py()
    assert loaded.explain(gone) == result.explain(gone) and loaded.compare(1, 3) == result.compare(1, 3)
    public = {name for name in dir(qc.Result) if not name.startswith("_")}
    assert public <= set(dir(loaded))


def test_it_is_decided_again_from_the_folder_alone(both, tmp_path):
    result, loaded = both
    for path in tmp_path.glob("in.*"):
        path.unlink()
    fresh = result.rethreshold(0.99, relations="duplicate")
    again = loaded.rethreshold(0.99, relations="duplicate")
    for name in ("ledger", "pairs", "clusters", "documents"):
        assert getattr(again, name).equals(getattr(fresh, name)), name
    assert again.counts["kept"] > loaded.counts["kept"]
    assert again.kept["id"].to_pylist() == [1, 2, 3, 4, 5] or again.kept["id"].to_pylist() == ["1", "2", "3", "4", "5"]
    out = again.save(tmp_path / "again")
    assert qc.load(out).ledger.equals(again.ledger) and qc.load(out).kept.equals(again.kept)


def test_rows_are_moved_both_ways_byte_for_byte(tmp_path):
    path = written("jsonl", tmp_path)
    strict = qc.dedup(str(path), relations="exact", recall_sample=0)
    loaded = qc.load(strict.save(tmp_path / "strict"))
    wider = loaded.rethreshold(0.3, relations="duplicate,contained_in")
    assert wider.ledger["id"].to_pylist() != strict.ledger["id"].to_pylist() != []
    out = wider.save(tmp_path / "wider")
    lines = path.read_text().splitlines()[:-1]
    sides = [(out / f"{side}.jsonl").read_text().splitlines() for side in ("kept", "removed")]
    gone = set(wider.ledger["id"].to_pylist())
    assert sides[1] == [line for line in lines if json.loads(line)["id"] in gone]
    assert sides[0] == [line for line in lines if json.loads(line)["id"] not in gone]


def test_a_copy_of_the_folder_is_a_run(both, tmp_path):
    _, loaded = both
    copy = qc.load(loaded.save(tmp_path / "copy"))
    assert copy.ledger.equals(loaded.ledger) and copy.kept.equals(loaded.kept) and copy.manifest == loaded.manifest
    with pytest.raises(qc.OutputError, match="exists"):
        loaded.save(tmp_path / "copy")
    with pytest.raises(qc.QuchongError):
        loaded.save(tmp_path / "run")
    assert qc.load(loaded.save(tmp_path / "copy", overwrite=True)).ledger.equals(loaded.ledger)


def test_a_run_in_annotate_mode(tmp_path):
    result = qc.dedup(str(written("jsonl", tmp_path)), recall_sample=0)
    loaded = qc.load(result.save(tmp_path / "run", mode="annotate"))
    assert loaded.kept.equals(result.kept) and loaded.removed.equals(result.removed)
    with pytest.raises(qc.UsageError, match="annotate mode"):
        loaded.rethreshold(0.99)


def test_a_split_run_is_annotated(tmp_path):
    result = qc.dedup(str(written("parquet", tmp_path)), recall_sample=0)
    loaded = qc.load(result.save(tmp_path / "run"))
    out, same = loaded.save(tmp_path / "notes", mode="annotate"), result.save(tmp_path / "same", mode="annotate")
    assert pq.read_table(out / "annotated.parquet").equals(pq.read_table(same / "annotated.parquet"))


def test_several_inputs_and_another_corpus(tmp_path):
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    first.write_text("".join(json.dumps(r) + "\n" for r in ROWS[:3]))
    second.write_text("".join(json.dumps(r) + "\n" for r in ROWS[3:]))
    other = tmp_path / "c.jsonl"
    other.write_text(json.dumps({"id": 9, "text": A}) + "\n")
    result = qc.dedup([first, second], against=str(other), recall_sample=0)
    loaded = qc.load(result.save(tmp_path / "run"))
    assert loaded.kept.equals(result.kept) and loaded.removed.equals(result.removed)
    assert loaded.rethreshold(0.99).ledger.equals(result.rethreshold(0.99).ledger)
    other.unlink()
    moved = qc.load(tmp_path / "run")
    assert moved.ledger.equals(result.ledger) and len(moved.kept)
    with pytest.raises(qc.RunError, match=r"c\.jsonl.*no longer exists"):
        moved.rethreshold(0.99)


def test_texts_that_have_moved(tmp_path):
    texts = tmp_path / "texts"
    texts.mkdir()
    for row in ROWS:
        (texts / f"{row['id']}.txt").write_text(row["text"])
    result = qc.dedup(str(texts), recall_sample=0)
    loaded = qc.load(result.save(tmp_path / "run"))
    assert loaded.rethreshold(0.99, relations="duplicate").ledger.equals(
        result.rethreshold(0.99, relations="duplicate").ledger
    )
    shutil.move(texts, tmp_path / "elsewhere")
    moved = qc.load(tmp_path / "run")
    gone = moved.ledger["id"][0].as_py()
    assert moved.explain(gone).text is None and moved.kept.equals(loaded.kept)
    with pytest.raises(qc.RunError, match="no longer exists"):
        moved.rethreshold(0.99)


def test_what_was_given_to_the_run_and_is_not_in_its_folder(tmp_path):
    foot = tmp_path / "foot.txt"
    foot.write_text("本文来源：新华社\n")
    loaded = qc.load(qc.dedup(ROWS, boilerplate=foot, recall_sample=0).save(tmp_path / "run"))
    with pytest.raises(qc.UsageError, match="used data that is not in its folder"):
        loaded.rethreshold(0.99)


def test_rows_put_back_are_seen_at_once(tmp_path):
    loaded = qc.load(qc.dedup(ROWS, recall_sample=0).save(tmp_path / "run"))
    before = len(loaded.ledger)
    loaded.rethreshold(0.99)
    assert loaded.restore(loaded.ledger["id"][0].as_py()).ids == (loaded.tables["documents"]["id"][1].as_py(),)
    assert len(loaded.ledger) == before - 1 and loaded.counts["removed"] == before - 1 == len(loaded.removed)
    assert loaded.rethreshold(0.99).counts["read"] == len(ROWS)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda r: r.explain(None), "doc_id must be an id"),
        (lambda r: r.explain(1.5), "doc_id must be an id"),
        (lambda r: r.explain(99), "no document has the id '99'"),
        (lambda r: r.compare(1, None), "other_id must be an id"),
        (lambda r: r.compare(1, 1), "give two different documents"),
        (lambda r: r.least_similar("5"), "n must be a whole number"),
        (lambda r: r.least_similar(-1), "n must be a whole number"),
        (lambda r: r.rethreshold("0.9"), "threshold must be a number"),
        (lambda r: r.rethreshold(float("nan")), "threshold must be a number"),
        (lambda r: r.rethreshold(relations=5), "relations must be one or more of"),
        (lambda r: r.rethreshold(0.9, ngram_size=2), "ngram_size of method hybrid also changes which pairs are found"),
        (lambda r: r.save(None), "folder must be a path"),
        (lambda r: r.save("x", mode="move"), "mode must be remove or annotate"),
        (lambda r: r.save("x", overwrite="yes"), "overwrite must be True or False"),
    ],
)
def test_odd_calls_of_a_result(call, said, tmp_path):
    result = qc.dedup(ROWS, recall_sample=0)
    for one in (result, qc.load(result.save(tmp_path / "run"))):
        with pytest.raises(qc.QuchongError, match=said):
            call(one)


def test_what_needs_a_look_stands_in_the_repr(tmp_path):
    result = qc.dedup(str(written("jsonl", tmp_path)), recall_sample=0)
    assert "1 skipped" in repr(result) and "alarms: many bad records" in repr(result)
    assert [alarm["kind"] for alarm in result.alarms] == ["many bad records"]
    assert "skipped" not in repr(qc.dedup(ROWS, recall_sample=0))


def test_a_run_folder_as_a_corpus(tmp_path):
    rows = [{"id": str(i), "text": f"第{i % 3}篇稿件的正文写在这里，一共有三篇不同的。"} for i in range(6)]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found = qc.dedup(tmp_path / "rows.jsonl", recall_sample=0)
    run = found.save(tmp_path / "run")
    assert qc.dedup(run, recall_sample=0).counts["read"] == len(found.kept) == 3
    annotated = found.save(tmp_path / "annotated", mode="annotate")
    with pytest.raises(InputError, match="without kept rows"):
        qc.dedup(annotated)
    manifest = (run / "run.json").read_bytes()
    for damaged in (manifest[:50], b"[]", b"[" * 100_000):
        (run / "run.json").write_bytes(damaged)
        for call in (lambda: qc.dedup(run), lambda: qc.dedup(rows, against=run)):
            with pytest.raises(InputError, match=r"its run\.json is damaged: restore run\.json"):
                call()


def test_texts_that_were_changed_since_are_not_decided_again(tmp_path):
    (tmp_path / "in").mkdir()
    for name, text in (("a", A), ("b", A), ("c", A[::-1])):
        (tmp_path / "in" / f"{name}.txt").write_text(text, "utf-8")
    qc.dedup(tmp_path / "in", out=tmp_path / "run", recall_sample=0)
    assert len(qc.load(tmp_path / "run").rethreshold(0.6).ledger) == 1
    (tmp_path / "in" / "b.txt").write_text(A[:-2] + "降。", "utf-8")  # as many tokens as before
    with pytest.raises(qc.QuchongError, match=r"in, from which .*run was made, was changed since then: run again"):
        qc.load(tmp_path / "run").rethreshold(0.6)


def test_rows_of_the_folder_that_were_changed_are_not_decided_again(tmp_path):
    rows = [{"id": "a", "text": A}, {"id": "b", "text": A}, {"id": "c", "text": A[::-1]}]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    qc.dedup(tmp_path / "in.jsonl", out=tmp_path / "run", recall_sample=0)
    (tmp_path / "run" / "removed.jsonl").write_text(json.dumps({"id": "b", "text": "别的"}) + "\n", "utf-8")
    with pytest.raises(qc.QuchongError, match="were changed after the run read them: run again"):
        qc.load(tmp_path / "run").rethreshold(0.6)


def test_what_was_decided_again_is_not_written_over_the_folder_it_reads(tmp_path):
    run = qc.dedup([{"id": "a", "text": A}, {"id": "b", "text": A}], recall_sample=0).save(tmp_path / "run")
    before = {path.name: path.read_bytes() for path in run.iterdir()}
    with pytest.raises(qc.QuchongError, match="run"):
        qc.load(run).rethreshold(0.9).save(run, overwrite=True)
    assert {path.name: path.read_bytes() for path in run.iterdir()} == before


def test_a_corpus_whose_name_does_not_say_its_format_is_found_again(tmp_path):
    other = tmp_path / "old.dat"
    other.write_text(json.dumps({"id": "o", "text": A}) + "\n", "utf-8")
    new = tmp_path / "new.dat"
    new.write_text(json.dumps({"id": "n", "text": A}) + "\n", "utf-8")
    qc.dedup(new, against=other, format="jsonl", out=tmp_path / "run", recall_sample=0)
    loaded = qc.load(tmp_path / "run")
    explained = loaded.explain("n")
    assert explained.survivor_text == A and len(loaded.rethreshold(0.9).ledger) == 1
