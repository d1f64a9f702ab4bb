"""Covers: runs by lines and paragraphs with a reference corpus (`--unit line --against`) and protected documents. Compared against: the
definition in Python.
"""

import json
from pathlib import Path

import forked
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_row_outputs import write

import quchong as qc
from quchong.errors import UsageError

LINES = [f"这是第{word}行，内容与别的行都不相同。" for word in "一二三四五六"] + ["短", "分享到"]
lines_of = st.lists(st.sampled_from(LINES), min_size=1, max_size=6)
corpora = st.lists(lines_of, max_size=6)


def rows(documents, mark):
    return [{"id": f"{mark}{k}", "text": "\n".join(lines)} for k, lines in enumerate(documents)]


def by_hand(data, references, protected):
    """The lines that each document keeps: none that a reference or a document before it has; protected documents come first, and keep all."""
    kept, seen = {}, {line for lines in references for line in lines}
    for k in sorted(range(len(data)), key=lambda k: (k not in protected, k)):
        short = {line for line in data[k] if len(line) < 4}
        kept[k] = data[k] if k in protected else [line for line in data[k] if line in short or line not in seen]
        seen |= set(data[k])
    return [kept[k] for k in range(len(data))]


@settings(deadline=None, max_examples=60)
@given(corpora.filter(len), corpora, st.sets(st.integers(0, 5)), st.integers(1, 3))
def test_lines_of_the_reference_and_of_protected_documents_are_cut_from_all_others(
    data, references, protected, workers
):
    protected = {k for k in protected if k < len(data)}
    found = qc.dedup_units(
        rows(data, "d"),
        against=rows(references, "t") or None,
        protect=[f"d{k}" for k in protected],
        unit_floor=0,
        workers=workers,
    )
    expected = by_hand(data, references, protected)
    assert [row["text"].splitlines() for row in found.kept.to_pylist()] == expected
    assert [row["id"] for row in found.documents.to_pylist()] == [f"d{k}" for k in range(len(data))]
    counts = found.counts
    assert counts["read"] == counts["kept"] == len(data)
    assert counts.get("reference", 0) == len(references)
    assert counts["units"] == sum(map(len, data))
    assert counts["cut"] == sum(map(len, data)) - sum(map(len, expected))
    assert not {row["id"] for row in found.units.to_pylist() if row["cut"]} & {f"d{k}" for k in protected}
    for row in found.units.to_pylist():
        assert row["id"].startswith("d")
        if row["cut"]:
            mark, _, name = row["kept_id"].rpartition("/")
            document = (references if mark else data)[int(name[1:])]
            assert document[row["kept_unit"] - 1] == data[int(row["id"][1:])][row["unit"] - 1]


def test_a_written_run_is_explained_and_restored(tmp_path):
    data, references = [LINES[:4], LINES[2:6], LINES[:2]], [LINES[1:3]]
    corpus, exam = write(tmp_path / "a.jsonl", rows(data, "d")), write(tmp_path / "t.jsonl", rows(references, "t"))
    before = exam.read_bytes()
    ran = forked.run("dedup", str(corpus), "--unit", "line", "--against", str(exam), "-o", str(tmp_path / "r"))
    assert ran.returncode == 0, ran.stderr
    assert "compared with 1 document," in ran.stdout
    assert exam.read_bytes() == before
    assert sorted(path.name for path in (tmp_path / "r").iterdir() if path.suffix == ".jsonl") == [
        "kept.jsonl", "removed.jsonl", "skipped.jsonl",
    ]  # fmt: skip
    told = json.loads((tmp_path / "r" / "run.json").read_text("utf-8"))
    assert [len(told[name]) for name in ("inputs", "against")] == [1, 1]
    assert "against/t0" in forked.run("explain", str(tmp_path / "r"), "d0").stdout
    assert forked.run("restore", str(tmp_path / "r"), "--all").returncode == 0
    assert (tmp_path / "r" / "kept.jsonl").read_bytes() == corpus.read_bytes()


def test_protected_ids_come_from_a_file_and_must_be_there(tmp_path):
    corpus = write(tmp_path / "a.jsonl", rows([LINES[:4], LINES[:4]], "d"))
    (tmp_path / "ids.txt").write_text("d1\n", "utf-8")
    ran = forked.run(
        "dedup", str(corpus), "--unit", "line", "--protect", str(tmp_path / "ids.txt"), "-o", str(tmp_path / "r")
    )
    assert ran.returncode == 0, ran.stderr
    assert [json.loads(line)["id"] for line in Path(tmp_path / "r" / "kept.jsonl").read_text("utf-8").splitlines()] == [
        "d1"
    ]
    with pytest.raises(UsageError, match="no document has"):
        qc.dedup_units(rows([LINES[:4]], "d"), protect=["x"])


def test_common_units_and_a_reference_are_refused_together():
    with pytest.raises(UsageError, match="unit_common"):
        qc.dedup_units(rows([LINES], "d"), against=rows([LINES], "t"), unit_common=2)
