"""Covers: passages that documents share with a reference corpus (`passages --against`). Compared against: each pair of one document and
one reference alone, and the whole corpus searched without references.
"""

import json

import forked
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from promise_corpus import article, make_corpus
from test_row_outputs import write

import quchong as qc

COLUMNS = ("left_start", "left_end", "right_start", "right_end", "kind", "characters")


def spans(table):
    return sorted(tuple(row[name] for name in COLUMNS) for row in table.to_pylist())


def split(rows, rng):
    rows = [row | {"id": str(row["id"])} for row in rows]
    rng.shuffle(rows)
    cut = len(rows) // 3
    return rows[cut:], rows[:cut]


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 500), st.randoms(use_true_random=False), st.integers(1, 3))
def test_each_pair_of_document_and_reference_has_what_both_have_alone(seed, rng, workers):
    data, references = split(make_corpus(seed, originals=8), rng)
    found = qc.passages(data, against=references, min_chars=25, workers=workers)
    pairs = {}
    for row in found.table.to_pylist():
        pairs.setdefault((row["left_id"], row["right_id"]), []).append(tuple(row[name] for name in COLUMNS))
    for one in data:
        for other in references:
            alone = qc.passages([one], against=[other], min_chars=25)
            assert sorted(pairs.get((f"against/{other['id']}", one["id"]), [])) == spans(alone.table)
    assert {left.startswith("against/") for left, _ in pairs} <= {True}
    assert not any(right.startswith("against/") for _, right in pairs)
    counts = found.manifest["counts"]
    assert (counts["read"], counts["reference"]) == (len(data), len(references))
    assert counts["documents"] == len({right for _, right in pairs})


def test_a_pair_is_the_one_that_the_whole_corpus_has():
    data, references = [{"id": "d", "text": "开头。" + TEXT + "结尾。"}], [{"id": "t", "text": "考题：" + TEXT}]
    (row,) = qc.passages(data, against=references).table.to_pylist()
    (both,) = qc.passages([*references, *data], keep="first").table.to_pylist()
    assert [row[name] for name in COLUMNS] == [both[name] for name in COLUMNS]
    assert row["left_id"] == "against/t"
    # The documents of the reference corpus are the left ones, whatever the policy prefers.
    assert qc.passages(data, against=references, keep="longest").table["left_id"].to_pylist() == ["against/t"]


TEXT = "这是一道应用题，请把算式和单位都写清楚。小明在云河地铁四号线的青岚站上车，经过七站以后在北屿站下车，每站之间需要三分钟，停车时间不计，请问他一共坐了多少分钟？"


def test_copies_within_the_corpus_hide_no_reference():
    """A passage of two documents of the corpus that is longer than the one with the reference leaves that one listed."""
    longer = (
        "前面一段两篇都有的话，说的是春天的茶叶和江边的码头。" + TEXT + "后面一段也是两篇都有，说的是秋天的图书馆。"
    )
    data = [{"id": str(k), "text": longer} for k in range(80)]
    found = qc.passages(data, against=[{"id": "t", "text": TEXT}])
    assert found.table["right_id"].to_pylist() == sorted(str(k) for k in range(80))
    assert not found.manifest["alarms"]


def test_what_is_cut_is_cut_from_the_corpus_alone(tmp_path):
    data = [{"id": "d", "text": "开头一句。" + TEXT + "结尾一句。"}, {"id": "e", "text": "别的内容。"}]
    tests = [{"id": "t", "text": TEXT}]
    cut = qc.passages(data, against=tests).cut()
    assert cut["text"].to_pylist() == ["开头一句。结尾一句。", "别的内容。"]
    corpus, exam = write(tmp_path / "train.jsonl", data), write(tmp_path / "exam.jsonl", tests)
    before = exam.read_bytes()
    ran = forked.run("passages", str(corpus), "--against", str(exam), "-o", str(tmp_path / "p"), "--cut", "copies")
    assert ran.returncode == 0, ran.stderr
    assert "1 passage is also in the reference corpus (1 document). Documents with such a passage: 1 of 2" in ran.stdout
    assert exam.read_bytes() == before
    assert sorted(path.name for path in (tmp_path / "p").iterdir()) == [
        "cut.jsonl", "passages.parquet", "run.json", "skipped.jsonl",
    ]  # fmt: skip
    lines = [json.loads(line)["text"] for line in (tmp_path / "p" / "cut.jsonl").read_text("utf-8").splitlines()]
    assert lines == cut["text"].to_pylist()
    told = json.loads((tmp_path / "p" / "run.json").read_text("utf-8"))
    assert [len(told[name]) for name in ("inputs", "against")] == [1, 1]


@pytest.mark.parametrize("what", ["copies", "boilerplate"])
def test_boilerplate_of_both_is_cut_from_the_corpus_alone(tmp_path, what):
    from random import Random

    rng = Random(2)
    foot = "版权所有，未经书面许可不得转载，违者将依法追究法律责任，联系电话请见本站首页下方的说明。"
    data = [{"id": f"d{k}", "text": article(rng, 8) + foot} for k in range(12)]
    tests = [{"id": f"t{k}", "text": article(rng, 8) + foot} for k in range(3)]
    corpus, exam = write(tmp_path / "train.jsonl", data), write(tmp_path / "exam.jsonl", tests)
    found = qc.passages(corpus, against=exam, min_chars=30, out=tmp_path / "p", cut=what)
    assert found.boilerplate.num_rows
    texts = [json.loads(line)["text"] for line in (tmp_path / "p" / "cut.jsonl").read_text("utf-8").splitlines()]
    assert len(texts) == 12
    assert not any(foot in text for text in texts)


def test_a_run_folder_and_several_references_are_taken(tmp_path):
    first = write(tmp_path / "a.jsonl", [{"id": "t", "text": TEXT}])
    run = qc.dedup(
        write(tmp_path / "b.jsonl", [{"id": "u", "text": "另一道题。" + TEXT[::-1]}]), out=tmp_path / "run"
    ).folder
    data = [{"id": "d", "text": TEXT}, {"id": "e", "text": TEXT[::-1]}]
    found = qc.passages(data, against=[first, run]).table.to_pylist()
    assert [(row["left_id"].split("/")[-1], row["right_id"]) for row in found] == [("t", "d"), ("u", "e")]


def test_two_inputs_with_a_reference_are_one_corpus_and_wrong_calls_are_refused(tmp_path):
    one, two = (write(tmp_path / name, [{"id": name, "text": TEXT}]) for name in ("a.jsonl", "b.jsonl"))
    ran = forked.run("passages", str(one), str(two), "--against", str(one), "--json")
    assert len(json.loads(ran.stdout)["passages"]) == 2
    ran = forked.run("passages", "a text of some words", "another text", "--against", str(tmp_path / "no.jsonl"))
    assert ran.returncode == 3
