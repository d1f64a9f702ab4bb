"""Covers: a run in parts writes the bytes of a run without, for any number of parts, any format and several methods; a part that was killed
goes on; parts of different runs are not put together; nothing foreign is removed. Compared against: the same run without parts.
"""

import json
import os
import shutil
import signal
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from answer_corpus import small_corpus
from matrices import each_once
from test_resume import content
from test_resume_formats import FORMATS

import quchong as qc
import quchong.io.columnar.parquet
import quchong.io.records.csv_file
import quchong.io.records.file
import quchong.io.records.jsonl
import quchong.io.warc.file
from quchong.api import part_runs
from quchong.engines.local import examine, scores, segments
from quchong.errors import InputChanged, OutputError, RunError, UsageError
from quchong.io import records
from quchong.io.files.input_file import InputFile
from quchong.outputs import only_one
from quchong.work import part_folder


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch):
    """Blocks of files, segments and groups of pairs so small that parts share each of them."""
    monkeypatch.setattr(segments.Segments.__init__, "__defaults__", (1 << 12,))
    monkeypatch.setattr(scores, "BLOCK_PAIRS", 20)
    places = records.file.RecordFile.__init__
    monkeypatch.setattr(places, "__defaults__", (None, 1 << 11, *places.__defaults__[2:]))
    lines = records.jsonl.JsonLines.__init__
    monkeypatch.setattr(lines, "__defaults__", (None, 1 << 11, *lines.__defaults__[2:]))


def written(folder):
    """The corpus in files of several formats and sizes, with bad records among them."""
    rows = small_corpus(1)
    folder.mkdir()
    third = len(rows) // 3
    lines = [json.dumps(row, ensure_ascii=False) for row in rows[:third]]
    lines[3:3], lines[40:40] = ["no record"], ['{"id": "x"}']
    (folder / "0.jsonl").write_text("\n".join([*lines, "no record"]) + "\n", "utf-8")
    table = pa.Table.from_pylist([{name: str(value) for name, value in row.items()} for row in rows[third : 2 * third]])
    pq.write_table(table, folder / "1.parquet", row_group_size=25)
    (folder / "2.json").write_text(json.dumps(rows[2 * third :], ensure_ascii=False), "utf-8")
    (folder / "3.jsonl").write_text("", "utf-8")
    return sorted(folder.iterdir())


def in_parts(data, out, count, steps=("read",), **options):
    """The run folder of a run in parts, which are read in turn."""
    for step in steps:
        for number in reversed(range(1, count + 1)):
            qc.dedup_part(data, part=f"{number}/{count}", out=out, step=step, **options)
    return qc.dedup(data, out=out, join=count, **options).folder


@pytest.mark.parametrize(("count", "method"), each_once([1, 2, 3, 7], ["hybrid", "minhash", "spotsigs"]))
def test_parts_write_the_bytes_of_the_whole_run(tmp_path, method, count):
    files = written(tmp_path / "in")
    options = {"method": method, "recall_sample": 20, "keep": "source:a>b,longest"}
    plain = qc.dedup(files, out=tmp_path / "plain", **options)
    assert content(in_parts(files, tmp_path / "read", count, **options)) == content(plain.folder)
    both = in_parts(files, tmp_path / "both", count, ("read", "verify"), work=tmp_path / "work", **options)
    assert content(both) == content(plain.folder)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["both", "in", "plain", "read", "work"]
    assert not list((tmp_path / "work").iterdir())


@pytest.mark.parametrize("name", FORMATS)
def test_parts_of_any_format(tmp_path, name):
    FORMATS[name](tmp_path / name)
    options = {"method": "minhash", "recall_sample": 20}  # what decides is no matter of the format: see the test above
    plain = qc.dedup(tmp_path / name, out=tmp_path / "plain", **options)
    assert content(in_parts(tmp_path / name, tmp_path / "out", 3, **options)) == content(plain.folder)


def test_blocks_of_one_file_are_divided(tmp_path):
    files = written(tmp_path / "in")[:1]
    read = [qc.dedup_part(files, part=f"{number}/3", out=tmp_path / "out").documents for number in (1, 2, 3)]
    assert all(read) and sum(read) == qc.dedup(files).counts["read"]


def test_a_reference_corpus_and_decided_ids_belong_to_the_parts_too(tmp_path):
    files = written(tmp_path / "in")
    options = {"against": files[1:2], "protect": [small_corpus(1)[3]["id"]], "recall_sample": 0, "facts": "remove"}
    plain = qc.dedup(files[:1] + files[2:], out=tmp_path / "plain", **options)
    out = in_parts(files[:1] + files[2:], tmp_path / "out", 3, ("read", "verify"), **options)
    assert content(out) == content(plain.folder)


def test_some_parts_may_verify_and_others_not(tmp_path):
    files = written(tmp_path / "in")
    plain = qc.dedup(files, out=tmp_path / "plain", recall_sample=0)
    for number in (1, 2, 3):
        qc.dedup_part(files, part=f"{number}/3", out=tmp_path / "out", recall_sample=0)
    assert qc.dedup_part(files, part="2/3", out=tmp_path / "out", step="verify", recall_sample=0).pairs
    assert content(qc.dedup(files, out=tmp_path / "out", join=3, recall_sample=0).folder) == content(plain.folder)


BLOCKS = """
import quchong.io.records.file
import quchong.io.records.jsonl
from quchong.io import records

places = records.file.RecordFile.__init__
places.__defaults__ = (None, 1 << 11, *places.__defaults__[2:])
lines = records.jsonl.JsonLines.__init__
lines.__defaults__ = (None, 1 << 11, *lines.__defaults__[2:])
"""
KILLED = """
import os, signal, sys
from pathlib import Path
import quchong as qc
from quchong.engines.local import segments

segments.Segments.__init__.__defaults__ = (1 << 12,)
put = segments.Work.store

def store(self, name, value):
    kept = put(self, name, value)
    if name == "read-00000":
        os.kill(os.getpid(), signal.SIGKILL)
    return kept

segments.Work.store = store
qc.dedup_part([Path(name) for name in sys.argv[2:]], part="1/2", out=sys.argv[1], recall_sample=20)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process is killed with its children as only POSIX has them")
@pytest.mark.parametrize("alike", [True, False])
def test_a_part_that_was_killed_goes_on(tmp_path, alike):
    files = written(tmp_path / "in")
    plain = qc.dedup(files, out=tmp_path / "plain", recall_sample=20)
    done = subprocess.run(
        [sys.executable, "-c", BLOCKS * alike + KILLED, str(tmp_path / "out"), *map(str, files)], check=False
    )
    assert done.returncode == -signal.SIGKILL
    folder = part_folder(tmp_path / "out", 1, 2)
    before = (folder / "read-00000.value").stat().st_mtime_ns
    qc.dedup_part(files, part="2/2", out=tmp_path / "out", recall_sample=20)
    with pytest.raises(RunError, match=r"1 of 2 parts has not been read completely: 1; .*part=\"1/2\""):
        qc.dedup(files, out=tmp_path / "out", join=2, recall_sample=20)
    qc.dedup_part(files, part="1/2", out=tmp_path / "out", recall_sample=20)
    assert ((folder / "read-00000.value").stat().st_mtime_ns == before) == alike
    assert content(qc.dedup(files, out=tmp_path / "out", join=2, recall_sample=20).folder) == content(plain.folder)


def test_a_part_that_is_complete_is_not_read_again(tmp_path):
    files = written(tmp_path / "in")
    first = qc.dedup_part(files, part="1/1", out=tmp_path / "out")
    folder = part_folder(tmp_path / "out", 1, 1)
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert qc.dedup_part(files, part="1/1", out=tmp_path / "out") == first
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == before


def test_two_processes_do_not_read_one_part(tmp_path):
    files = written(tmp_path / "in")
    folder = part_folder(tmp_path / "out", 1, 2)
    with (
        only_one(folder, lambda *_: "held"),
        pytest.raises(OutputError, match=r"another process .* is running part 1/2"),
    ):
        qc.dedup_part(files, part="1/2", out=tmp_path / "out")
    assert qc.dedup_part(files, part="1/2", out=tmp_path / "out").documents


@pytest.mark.parametrize(
    "free",
    [{"annotate": True}, {"ids_only": True}, {"shard_size": "64K"}, {"compress": "gz"}, {"parquet": "compression=zstd"},
     {"add_columns": "copies,sources,first_seen"}, {"target": 100}, {"recall_sample": 30}],
    ids=lambda free: next(iter(free)),
)  # fmt: skip
def test_options_of_rows_are_those_of_the_join(tmp_path, free):
    files = written(tmp_path / "in")[1:2] if "parquet" in free else written(tmp_path / "in")[:1]
    options = {"recall_sample": 0} | free
    for part in ("1/2", "2/2"):
        qc.dedup_part(files, part=part, out=tmp_path / "out")
    (tmp_path / "out").mkdir()
    plain = qc.dedup(files, out=tmp_path / "plain", **options)
    joined = qc.dedup(files, out=tmp_path / "out", join=2, overwrite=True, **options)
    assert content(joined.folder) == content(plain.folder)


def test_a_join_waits_for_no_part_that_is_at_work_and_leaves_its_folder(tmp_path, monkeypatch):
    files = written(tmp_path / "in")
    plain = qc.dedup(files, out=tmp_path / "plain", recall_sample=0)
    for part in ("1/2", "2/2"):
        qc.dedup_part(files, part=part, out=tmp_path / "out", recall_sample=0)
    folders = [part_folder(tmp_path / "out", number, 2) for number in (1, 2)]
    with (
        only_one(folders[1], lambda *_: "held"),
        pytest.raises(OutputError, match=r"another process .* is running part 2/2"),
    ):
        qc.dedup(files, out=tmp_path / "out", join=2, recall_sample=0)
    assert not (tmp_path / "out").exists() and all(folder.is_dir() for folder in folders)
    # A process that begins to work on a part while the run is joined keeps its folder.
    monkeypatch.setattr(part_runs.JoinedParts, "check_idle", lambda _self: None)
    with only_one(folders[1], lambda *_: "held"):
        assert content(qc.dedup(files, out=tmp_path / "out", join=2, recall_sample=0).folder) == content(plain.folder)
    assert [folder.is_dir() for folder in folders] == [False, True]


@pytest.mark.parametrize("gone", [1, 2])
def test_a_part_whose_run_is_joined_while_it_is_verified_says_so(tmp_path, monkeypatch, gone):
    files = written(tmp_path / "in")
    for part in ("1/2", "2/2"):
        qc.dedup_part(files, part=part, out=tmp_path / "out", recall_sample=0)
    verify = part_runs.verify_part

    def joined_first(*given):
        shutil.rmtree(part_folder(tmp_path / "out", gone, 2))
        return verify(*given)

    monkeypatch.setattr(part_runs, "verify_part", joined_first)
    with pytest.raises(RunError, match=r"part 1/2 was not verified: the run was joined"):
        qc.dedup_part(files, part="1/2", out=tmp_path / "out", step="verify", recall_sample=0)


@pytest.mark.parametrize("changed", [{"threshold": 0.9}, {"keep": "earliest"}, {"method": "minhash"}])
def test_parts_of_another_configuration_are_refused(tmp_path, changed):
    files = written(tmp_path / "in")
    qc.dedup_part(files, part="1/2", out=tmp_path / "out")
    qc.dedup_part(files, part="2/2", out=tmp_path / "out", **changed)
    with pytest.raises(
        RunError, match=rf"part 2/2 belongs to another run, because it differs in .*{next(iter(changed))}"
    ):
        qc.dedup(files, out=tmp_path / "out", join=2)


def test_parts_of_other_inputs_are_refused(tmp_path):
    files = written(tmp_path / "in")
    for part in ("1/2", "2/2"):
        qc.dedup_part(files, part=part, out=tmp_path / "out")
    with files[0].open("a", encoding="utf-8") as file:
        file.write('{"id": "new", "text": "新的一篇"}\n')
    with pytest.raises(RunError, match=r"part 1/2 belongs to another run, because it differs in 0\.jsonl"):
        qc.dedup(files, out=tmp_path / "out", join=2)


@pytest.mark.parametrize(("name", "work"), each_once(["0.jsonl", "1.parquet", "2.json", "folder"], [None, "work"]))
def test_other_bytes_under_the_same_size_and_time_are_noticed(tmp_path, name, work):
    files = written(tmp_path / "in")
    inner = tmp_path / "in" / "folder"
    inner.mkdir()
    for number in range(3):
        (inner / f"{number}.txt").write_text(f"这是第{number}个文件的正文，内容各不相同。", "utf-8")
    files.append(inner)
    pq.write_table(pq.read_table(files[1]), files[1], row_group_size=25, compression="none", use_dictionary=False)
    options = {"out": tmp_path / "out", "recall_sample": 0, "work": None if work is None else tmp_path / work}
    for part in ("1/2", "2/2"):
        qc.dedup_part(files, part=part, **options)
    file = inner / "1.txt" if name == "folder" else tmp_path / "in" / name
    before, raw = file.stat(), bytearray(file.read_bytes())
    at = raw.index("。".encode())
    raw[at : at + 3] = "！".encode()
    file.write_bytes(raw)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(InputChanged, match=rf"{name} now has other contents.*fresh=True"):
        qc.dedup(files, join=2, **options)
    assert not (tmp_path / "out").exists()
    assert part_folder(tmp_path / "out", 1, 2, options["work"]).is_dir()
    for part in ("1/2", "2/2"):
        qc.dedup_part(files, part=part, fresh=True, **options)
    plain = qc.dedup(files, out=tmp_path / "plain", recall_sample=0)
    assert content(qc.dedup(files, join=2, **options).folder) == content(plain.folder)


def some_table():
    return pa.Table.from_pylist([{"id": str(row["id"]), "text": row["text"]} for row in small_corpus(1)])


def batches(path, kind):
    with kind(path, some_table().schema) as writer:
        writer.write_table(some_table(), max_chunksize=3)


def plain_parquet(path, rows):
    pq.write_table(some_table(), path, row_group_size=rows, compression="none", use_dictionary=False)


SHARED = {
    "0.jsonl": None, "2.json": None, "a.csv": FORMATS["a.csv"], "a.warc": FORMATS["a.warc"],
    "groups.parquet": lambda path: plain_parquet(path, 3), "one.parquet": lambda path: plain_parquet(path, 10**6),
    "a.arrow": lambda path: batches(path, pa.ipc.new_file), "stream.arrow": lambda path: batches(path, pa.ipc.new_stream),
}  # fmt: skip
"""Formats of which several parts share a file, with its writer."""


@pytest.mark.parametrize("other", ["1/2", "2/2"])
@pytest.mark.parametrize("name", SHARED)
def test_a_file_that_was_another_one_for_one_part_is_noticed(tmp_path, monkeypatch, name, other):
    """The file has its first bytes again when the parts are joined, and always the same size and time."""
    monkeypatch.setattr(quchong.io.warc.file, "TEXT_BYTES", 1 << 11)
    cells = quchong.io.records.csv_file.CsvFile.__init__
    monkeypatch.setattr(cells, "__defaults__", (None, 1 << 11, *cells.__defaults__[2:]))
    monkeypatch.setattr(quchong.io.columnar.parquet, "_BATCH_BYTES", 1 << 11)
    written(tmp_path / "in")
    if (made := SHARED[name]) is not None:
        made(tmp_path / "in" / name)
    files = [tmp_path / "in" / name]
    options = {"out": tmp_path / "out", "recall_sample": 0, "method": "exact"}
    (file,) = files
    before, first = file.stat(), file.read_bytes()
    changed = first.replace("。".encode(), "！".encode())
    assert changed != first
    read = [(part, changed if part == other else first) for part in ("1/2", "2/2")]
    for part, content_then in (*read, (None, first)):
        file.write_bytes(content_then)
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
        if part is not None:
            assert qc.dedup_part(files, part=part, **options).documents
    with pytest.raises(InputChanged, match=rf"{name} now has other contents.*fresh=True"):
        qc.dedup(files, join=2, **options)
    assert not (tmp_path / "out").exists()


def test_parts_hash_of_a_file_of_row_groups_what_they_read(tmp_path, monkeypatch):
    """Each row group is hashed by the part that reads it, and by no other but the one that hashes the whole file."""
    file, seen = tmp_path / "groups.parquet", []
    plain_parquet(file, 3)
    hashed = InputFile.start_pieces
    monkeypatch.setattr(InputFile, "start_pieces", lambda one, spans: seen.extend(spans) or hashed(one, spans))
    for part in ("1/3", "2/3", "3/3"):
        qc.dedup_part(file, part=part, out=tmp_path / "out")
    size = file.stat().st_size
    groups, footers = [span for span in seen if span[1] < size], [span for span in seen if span[1] == size]
    assert len(set(groups)) == len(groups) > 2 and len(footers) == 2
    assert sum(end - start for start, end in groups) < size
    plain = qc.dedup(file, out=tmp_path / "plain")
    assert content(qc.dedup(file, join=3, out=tmp_path / "out").folder) == content(plain.folder)


def test_missing_parts_are_named(tmp_path):
    files = written(tmp_path / "in")
    qc.dedup_part(files, part="2/3", out=tmp_path / "out")
    with pytest.raises(RunError, match="2 of 3 parts have not been read completely: 1, 3;"):
        qc.dedup_part(files, part="2/3", out=tmp_path / "out", step="verify")
    assert not (tmp_path / "out").exists()


def test_what_others_put_into_the_folder_of_a_part_stays(tmp_path):
    files = written(tmp_path / "in")
    qc.dedup_part(files, part="1/1", out=tmp_path / "out")
    folder = part_folder(tmp_path / "out", 1, 1)
    (folder / "notes.txt").write_text("mine", "utf-8")
    qc.dedup(files, out=tmp_path / "out", join=1)
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("part", ["0/3", "4/3", "3", "a/b", "1/5000", "-1/2"])
def test_what_is_no_part_is_refused(tmp_path, part):
    with pytest.raises(UsageError, match="part"):
        qc.dedup_part(written(tmp_path / "in"), part=part, out=tmp_path / "out")


def test_what_a_run_in_parts_cannot_have_is_refused(tmp_path):
    files = written(tmp_path / "in")
    out = tmp_path / "out"
    with pytest.raises(UsageError, match="can read only files"):
        qc.dedup_part([{"id": "a", "text": "b"}], part="1/2", out=out)
    with pytest.raises(UsageError, match="a run in parts cannot store data for later runs; leave out"):
        qc.dedup_part(files, part="1/2", out=out, keep_work=True)
    with pytest.raises(UsageError, match="a run in parts cannot store data for later runs; leave out"):
        qc.dedup(files, join=2, out=out, keep_work=True)
    with pytest.raises(UsageError, match="join"):
        qc.dedup(files, join=2)
    with pytest.raises(UsageError, match="1 to 4,096 parts"):
        qc.dedup(files, join=0, out=out)
    with pytest.raises(UsageError, match="join is for the run that joins the parts: leave out the option"):
        qc.dedup_part(files, part="1/2", out=out, join=2)
    with pytest.raises(UsageError, match="read, verify"):
        qc.dedup_part(files, part="1/2", out=out, step="write")
    (out / "x").mkdir(parents=True)
    with pytest.raises(OutputError):
        qc.dedup_part(files, part="1/2", out=out)


def test_what_parts_have_verified_is_not_compared_again(tmp_path, monkeypatch):
    files = written(tmp_path / "in")
    for step in ("read", "verify"):
        for part in ("1/2", "2/2"):
            qc.dedup_part(files, part=part, out=tmp_path / "out", step=step, recall_sample=0)
    compared = []
    monkeypatch.setattr(examine.Examiner, "_compared", lambda _self, _found, pairs: compared.append(pairs))
    monkeypatch.setattr(scores, "examined_later", lambda *_: compared.append("scored"))
    assert qc.dedup(files, out=tmp_path / "out", join=2, recall_sample=0).counts["removed"]
    assert not compared
