"""Covers: `--against` with other names of columns than the data."""

import json

import pytest

import quchong as qc
from quchong.errors import InputError

TEXTS = [f"第{word}篇文章讲的是{thing}，与别的文章都不相同，也没有人抄过这一篇。" for word, thing in
         zip("一二三四五六", ("种田", "打铁", "织布", "行船", "烧窑", "养蚕"), strict=True)]  # fmt: skip


def write(path, rows):
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


def nested(texts, mark="n"):
    return [{"id": f"{mark}{k}", "content": {"text": text}} for k, text in enumerate(texts)]


@pytest.mark.parametrize("names", [("正文", "编号"), ("text", "id"), ("content", "doc_id"), ("article", "uuid")])
@pytest.mark.parametrize("own", [("text", "id"), ("body", "_id")])
def test_a_reference_is_read_by_its_own_columns(tmp_path, names, own):
    """Covers: every pair of usual names on the two sides gives the answer of equal names; files, rows in memory, and the run decided anew."""
    data = [{own[1]: f"d{k}", own[0]: text} for k, text in enumerate(TEXTS)]
    other = [{names[1]: f"r{k}", names[0]: text} for k, text in enumerate(TEXTS[:3])]
    same = [{own[1]: f"r{k}", own[0]: text} for k, text in enumerate(TEXTS[:3])]
    expected = qc.dedup(data, against=same).ledger.to_pylist()
    assert [row["survivor_id"] for row in expected] == ["against/r0", "against/r1", "against/r2"]
    assert qc.dedup(data, against=other).ledger.to_pylist() == expected
    data_file, other_file = write(tmp_path / "data.jsonl", data), write(tmp_path / "other.jsonl", other)
    found = qc.dedup(data_file, against=other_file, out=tmp_path / "run")
    assert [(row["id"], row["survivor_id"]) for row in found.ledger.to_pylist()] == [
        (row["id"], row["survivor_id"]) for row in expected
    ]
    again = qc.load(tmp_path / "run")
    assert again.rethreshold(threshold=0.9).ledger.num_rows == 3
    assert qc.passages(data_file, against=other_file, min_chars=20).table.num_rows == 3
    assert qc.dedup_units(data_file, against=other_file, unit_floor=0).counts["cut"] == 3


def test_a_reference_run_is_read_by_the_columns_of_its_run(tmp_path):
    qc.dedup(write(tmp_path / "nested.jsonl", nested(TEXTS[:2])), text="content.text", out=tmp_path / "earlier")
    data = [{"id": f"d{k}", "text": text} for k, text in enumerate(TEXTS)]
    found = qc.dedup(data, against=tmp_path / "earlier")
    assert [row["survivor_id"] for row in found.ledger.to_pylist()] == ["against/n0", "against/n1"]


def test_two_columns_that_may_be_the_text_of_a_reference_ask_for_one(tmp_path):
    other = write(tmp_path / "other.jsonl", [{"正文": TEXTS[0], "摘要": "", "content": TEXTS[1]}])
    with pytest.raises(InputError, match="each of these columns may be the text: '正文', 'content'"):
        qc.dedup([{"id": "a", "text": TEXTS[0]}], against=other)
