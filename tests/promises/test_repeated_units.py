"""Covers: repeated lines and paragraphs: the same for any order, shards, workers and memory; given back byte for byte; nothing half."""

import json
import random
import signal
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import quchong as qc
from quchong.engines.local import unit_runs, units
from quchong.errors import QuchongError
from quchong.runs.unit_restore import restore_units

NAVIGATION = ["首页 新闻 财经 体育 娱乐", "Subscribe to our daily newsletter today"]
LICENCE = "Permission is granted to copy this text.\nIt comes without any warranty at all.\nSee the file named licence."
REFRAIN = "And the river runs on to the sea"


def made_rows(count=60):
    """Rows with navigation lines, a licence paragraph, poems with a refrain, and lines of their own."""
    draw = random.Random(38)
    rows = []
    for k in range(count):
        lines = [
            f"第{k}篇文章的第{n}行写的是{draw.choice('甲乙丙丁')}{draw.randrange(10**6)}号的事情" for n in range(4)
        ]
        lines = [NAVIGATION[k % 2], *lines, "}", "广告"] if k % 3 else [*lines, "", LICENCE]
        if k % 10 == 7:
            lines = [f"Verse {k} of a song about rivers", REFRAIN, f"Another verse {k} of this song", REFRAIN]
        rows.append({"id": f"n{k:03}", "text": "\n".join(lines), "time": f"2024-{1 + k % 9:02}-01", "extra": k})
    return rows


def losses(found):
    """What a run says that does not depend on the order of the input."""
    kept = sorted(found.kept.to_pylist(), key=lambda row: row["id"])
    return (
        kept,
        found.units.to_pylist(),
        sorted((r["id"], r["cut_words"], r["removed"]) for r in found.documents.to_pylist()),
    )


@pytest.mark.parametrize(
    "options", [{}, {"unit": "paragraph"}, {"unit_floor": 0.8}, {"unit_common": 3, "unit_repeats": "cut"}]
)
def test_order_workers_and_memory_change_nothing(monkeypatch, options):
    rows = made_rows()
    expected = losses(qc.dedup_units(rows, **options))
    mixed = random.Random(1).sample(rows, len(rows))
    assert losses(qc.dedup_units(mixed, workers=1, **options)) == expected
    # Each part of the digests in a file of its own, texts of one document a batch.
    monkeypatch.setattr(units, "SORTING", 1 << 20)
    monkeypatch.setattr(units, "BATCH", 64)
    seen = []
    add = unit_runs.UnitRuns.add
    monkeypatch.setattr(unit_runs.UnitRuns, "add", lambda self, found: (seen.append(self.parts), add(self, found)))
    assert losses(qc.dedup_units(mixed, memory="64M", **options)) == expected
    assert max(seen) > 1


def written(rows, path):
    """Write rows in the format of a path."""
    table = pa.Table.from_pylist(rows)
    if path.suffix == ".parquet":
        pq.write_table(table, path, row_group_size=7)
    elif path.suffix == ".csv":
        import csv

        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\r\n")
            writer.writeheader()
            writer.writerows(rows)
    else:
        lines = [json.dumps(row, ensure_ascii=bool(k % 2)) for k, row in enumerate(rows)]
        path.write_bytes("\r\n".join(lines).encode() + b"\n")
    return path


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
@pytest.mark.parametrize("floor", [1, 0.9])
def test_the_input_is_given_back(tmp_path, suffix, floor):
    rows = made_rows(40)
    files = [written(rows[:25], tmp_path / f"a{suffix}"), written(rows[25:], tmp_path / f"b{suffix}")]
    found = qc.dedup_units(files, unit_floor=floor, out=tmp_path / "run")
    assert found.counts["changed"] and found.counts["removed"] == (0 if floor == 1 else found.counts["removed"])
    lost = [row["id"] for row in found.documents.to_pylist() if row["cut_units"]]
    assert restore_units(tmp_path / "run", (lost[0],)).ids == (lost[0],)
    assert restore_units(tmp_path / "run", everything=True).ids == tuple(lost[1:])
    for file in files:
        back = tmp_path / "run" / "kept" / file.name
        if suffix == ".parquet":
            assert pq.read_table(back).equals(pq.read_table(file), check_metadata=True)
        else:
            assert back.read_bytes() == file.read_bytes()
    assert pq.read_table(tmp_path / "run" / "units.parquet").num_rows == sum(
        not row["cut"] for row in found.units.to_pylist() if row["id"] not in lost
    )


def test_a_document_removed_whole_takes_no_text_with_it():
    """What a removed document had first is kept by the next one, so that every line of words is somewhere."""
    rows = [
        {"id": "a", "text": "shared words of the first line\nshared words of the second line"},
        {"id": "b", "text": "shared words of the first line\na line of b alone is here\nthe third one of b and c"},
        {"id": "c", "text": "shared words of the first line\nthe third one of b and c\nmuch longer lines are in c\nso that it always remains here"},
    ]  # fmt: skip
    found = qc.dedup_units(rows, keep="first", unit_floor=0.75)
    assert [row["id"] for row in found.documents.to_pylist() if row["removed"]] == ["b"]
    texts = {row["id"]: row["text"] for row in found.kept.to_pylist()}
    assert "the third one of b and c" in texts["c"]
    third = [row for row in found.units.to_pylist() if (row["id"], row["unit"]) == ("b", 3)]
    assert [(row["reason"], row["kept_id"], row["kept_unit"]) for row in third] == [("copy", "c", 2)]


def test_a_refrain_stays_unless_asked():
    rows = made_rows()
    texts = {row["id"]: row["text"] for row in qc.dedup_units(rows).kept.to_pylist()}
    poem = min(row["id"] for row in rows if REFRAIN in row["text"] and row["time"] == "2024-02-01")
    first = min((row for row in rows if REFRAIN in row["text"]), key=lambda row: (row["time"], row["id"]))["id"]
    assert texts[first].count(REFRAIN) == 2
    assert sum(text.count(REFRAIN) for text in texts.values()) == 2
    cut = {row["id"]: row["text"] for row in qc.dedup_units(rows, unit_repeats="cut").kept.to_pylist()}
    assert cut[first].count(REFRAIN) == 1
    assert poem in texts


def test_symbols_count_where_they_carry_meaning():
    rows = ["int total = first + second ;\nx", "int total = first - second ;\ny"]
    assert qc.dedup_units(rows).counts["cut"] == 0
    assert qc.dedup_units(rows, exact="loose").counts["cut"] == 1
    wide = ["版权所有，转载请注明出处。\nx", "版权所有 ,转载请注明出处.\ny"]
    assert qc.dedup_units(wide).counts["cut"] == 1
    assert qc.dedup_units(wide, exact="raw").counts["cut"] == 0


def test_a_killed_run_leaves_nothing_half(tmp_path):
    file = written(made_rows(), tmp_path / "in.jsonl")
    code = (
        "import os, signal, quchong as qc\n"
        "from quchong.results import unit_folder\n"
        "unit_folder.write_json = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        f"qc.dedup_units({str(file)!r}, out={str(tmp_path / 'run')!r})\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -signal.SIGKILL
    assert not (tmp_path / "run").exists()
    qc.dedup_units(file, out=tmp_path / "run")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl", "run"]


@pytest.mark.parametrize(
    "options",
    [
        {"keep": "longest"},
        {"unit_words": 0},
        {"unit_common": 1},
        {"unit_floor": -1},
        {"text": "text,extra"},
        {"unit": "word"},
    ],
)
def test_what_cannot_be_done_is_refused(options):
    with pytest.raises(QuchongError):
        qc.dedup_units(made_rows(4), **options)


def test_a_folder_of_texts_is_refused(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("some text\n", encoding="utf-8")
    with pytest.raises(QuchongError, match=r"text could be replaced"):
        qc.dedup_units(tmp_path / "in")
