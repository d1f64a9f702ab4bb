"""Covers: a run against the folder of an earlier one is the run against the rows that one kept, whether it kept its work or not.

Compared against: the same run with the files of kept rows named. For methods of every join, with workers 1 and 2, with work and without.
"""

import json
import os
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from answer_corpus import small_corpus
from matrices import some_of
from stopped_work import Stopped, stop_at

import quchong as qc
from quchong.engines.local import segments
from quchong.engines.local import stored_source as known
from quchong.runs.manifest import TIMED

METHODS = some_of(
    ["hybrid", "two-stage", "ppjoin", "ccdet", "cluster", "exact", "minhash", "simhash", "short-text", "shingling"], 6
)


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch):
    monkeypatch.setattr(segments.Segments.__init__, "__defaults__", (1 << 12,))


@pytest.fixture
def reads(monkeypatch):
    """Sources whose kept work was taken, in order."""
    taken = []
    read = known.KnownSource.read

    def watched(self, plan, pages):
        found = read(self, plan, pages)
        taken.append(self.name)
        return found

    monkeypatch.setattr(known.KnownSource, "read", watched)
    return taken


def rows_of(part, of=3):
    """A part of the corpus; ids repeat over the parts, and some records have none."""
    rows = [dict(row) for row in small_corpus(1)[part::of]]
    for place, row in enumerate(rows):
        row["id"] = f"d{place}"
        if place % 7 == 3:
            del row["id"]
    return rows


def written(path, rows):
    path.parent.mkdir(exist_ok=True, parents=True)
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("\n".join([*lines[:4], "no record", *lines[4:]]) + "\n", "utf-8")
    return path


def content(run, without=()):
    """All files of a run folder but its work and the manifest, and of that what does not tell of time and memory."""
    files = (path for path in run.rglob("*") if path.is_file() and "work" not in path.relative_to(run).parts)
    out = {path.relative_to(run).as_posix(): path.read_bytes() for path in files}
    about = json.loads(out.pop("run.json"))
    timed = (*TIMED, "command", *without)
    about["counts"].pop("peak_memory_bytes", None)
    for one in about["against"]:
        one.pop("work", None)
    return out, {name: value for name, value in about.items() if name not in timed}


@pytest.mark.parametrize("method", METHODS)
def test_against_a_run_is_against_its_kept_rows(tmp_path, method, reads):
    old, new = written(tmp_path / "old.jsonl", rows_of(0)), written(tmp_path / "new.jsonl", rows_of(1))
    qc.dedup(old, method=method, out=tmp_path / "bare", recall_sample=20)
    qc.dedup(old, method=method, out=tmp_path / "kept", recall_sample=20, keep_work=True, workers=1)
    qc.dedup(
        old, method=method, out=tmp_path / "worked", recall_sample=20, keep_work=True, work=tmp_path / "w", workers=2
    )
    assert content(tmp_path / "bare") == content(tmp_path / "kept", ["work"]) == content(tmp_path / "worked", ["work"])
    for k, folder in enumerate(["bare", "kept", "worked"]):
        named = qc.dedup(
            new, method=method, against=tmp_path / folder / "kept.jsonl", out=tmp_path / f"n{k}", recall_sample=20
        )
        assert not reads
        for workers in (1, 2):
            out, work = tmp_path / f"r{k}-{workers}", {"work": tmp_path / "w"} if workers == 2 else {}
            found = qc.dedup(
                new, method=method, against=str(tmp_path / folder), out=out, workers=workers, recall_sample=20, **work
            )
            assert content(found.folder) == content(named.folder), (folder, workers)
            assert ("work" in found.manifest["against"][0]) == (folder != "bare")
        assert len(reads) == (0 if folder == "bare" else 2)
        reads.clear()
    assert not list((tmp_path / "w").iterdir())


@pytest.mark.parametrize("suffix", ["jsonl", "parquet", "csv"])
def test_several_runs_files_and_runs_that_were_against_others(tmp_path, suffix, reads):
    def file(part):
        path = written(tmp_path / f"in{part}.jsonl", rows_of(part, 5))
        if suffix == "jsonl":
            return path
        table = qc.dedup(path, method="exact", relations="exact", protect=()).kept
        changed = path.with_suffix(f".{suffix}")
        if suffix == "parquet":
            pq.write_table(table, changed)
        else:
            from pyarrow import csv

            csv.write_csv(table, changed)
        return changed

    parts = [file(part) for part in range(5)]
    first = qc.dedup(parts[0], out=tmp_path / "a" / "r0", keep_work=True)
    second = qc.dedup(parts[1:3], out=tmp_path / "a" / "r1", against=first.folder, keep_work=True)
    assert len(second.manifest["work"]["rows"]) == 2 and len(reads) == 1
    folders = [first.folder, second.folder]
    files = [
        first.folder / f"kept.{suffix}", *(second.folder / one["file"] for one in second.manifest["work"]["rows"])
    ]  # fmt: skip
    plain = qc.dedup(parts[4], out=tmp_path / "plain", against=[*files, parts[3]])
    reads.clear()
    for k, order in enumerate([[*folders, parts[3]], [str(tmp_path / "a" / "r*")]]):
        compared = plain if k == 0 else qc.dedup(parts[4], out=tmp_path / "two", against=files)
        found = qc.dedup(parts[4], out=tmp_path / f"found{k}", against=order if k == 0 else order[0])
        assert content(found.folder) == content(compared.folder)
        assert len(reads) == 3 * (k + 1)
    one = next(i for i in found.documents["id"].to_pylist() if str(i).startswith("against/"))
    assert str(qc.load(tmp_path / "found0").explain(one))


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_a_run_that_kept_nothing(tmp_path, suffix):
    rows = [{"id": f"d{k}", "text": row["text"]} for k, row in enumerate(rows_of(0)) if row.get("text")]
    path = tmp_path / f"in.{suffix}"
    if suffix == "parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    else:
        written(path, rows)
    first = qc.dedup(path, out=tmp_path / "r1", keep_work=True)
    second = qc.dedup(path, out=tmp_path / "r2", against=first.folder, keep_work=True)
    assert len(second.kept) == 0 and second.removed.num_rows == len(second.documents) - len(first.kept)
    third = qc.dedup(path, out=tmp_path / "r3", against=[first.folder, second.folder], keep_work=True)
    assert third.ledger.equals(second.ledger) and len(third.kept) == 0


def test_an_annotated_run_stands_for_the_rows_that_stayed(tmp_path, reads):
    old, new = written(tmp_path / "old.jsonl", rows_of(0)), written(tmp_path / "new.jsonl", rows_of(1))
    split = qc.dedup(old, out=tmp_path / "split")
    plain = qc.dedup(new, against=split.folder)
    for keep in (False, True):
        noted = qc.dedup(old, out=tmp_path / f"noted{keep}", annotate=True, keep_work=keep)
        found = qc.dedup(new, against=noted.folder, out=tmp_path / f"found{keep}")
        assert len(reads) == keep
        for name in ("ledger", "pairs", "clusters"):
            ours, theirs = getattr(found, name), getattr(plain, name)
            ids = [column for column in ours.column_names if column.endswith("id")]
            made = [i for i in ours[ids[0]].to_pylist() if "#" in i]
            assert len(ours) == len(theirs) and (made or ours.equals(theirs))
        assert found.counts["reference"] == split.counts["kept"]
        higher = qc.load(found.folder).rethreshold(0.95)
        assert higher.ledger.num_rows <= found.ledger.num_rows
    assert content(tmp_path / "foundFalse")[0] == content(tmp_path / "foundTrue")[0]


class Listening:
    def __init__(self):
        self.said = []

    def stage(self, *_): ...
    def advance(self, *_): ...

    def remark(self, message):
        self.said.append(str(message))


def fits_not(tmp_path, message, against, **options):
    """A run that reads the rows says why, in one line, and has the answer of the run against them."""
    told, new = Listening(), written(tmp_path / "new.jsonl", rows_of(1))
    out = tmp_path / f"found{len(list(tmp_path.iterdir()))}"
    found = qc.dedup(new, against=against, out=out, progress=told, **options)
    assert len(told.said) == 1 and message in told.said[0], told.said
    assert found.manifest["remarks"] == told.said and "work" not in found.manifest["against"][0]
    plain = qc.dedup(new, against=against / "kept.jsonl", out=out.with_name(out.name + "plain"), **options)
    assert content(found.folder, ["remarks"]) == content(plain.folder)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "exact"}, "the data was stored by method hybrid, but this run uses exact"),
        ({"ngram_size": 4}, "the data was stored with ngram_size"),
        ({"social": "all"}, "another value of social"),
        ({"per": "title"}, "the earlier run did not read the column 'title'"),
        ({"id": "text"}, "another value of id"),
        ({"time": "site"}, "another value of time_key"),
    ],
)
def test_what_was_kept_for_another_plan_is_read(tmp_path, options, message):
    first = qc.dedup(written(tmp_path / "old.jsonl", rows_of(0)), out=tmp_path / "r", keep_work=True)
    fits_not(tmp_path, message, first.folder, **options)


def test_what_only_decides_may_differ(tmp_path, reads):
    first = qc.dedup(written(tmp_path / "old.jsonl", rows_of(0)), out=tmp_path / "r", keep_work=True, per="site")
    new = written(tmp_path / "new.jsonl", rows_of(1))
    options = {"threshold": 0.8, "containment": 0.9, "relations": "exact", "keep": "shortest"}
    found = qc.dedup(new, against=first.folder, out=tmp_path / "found", **options)
    plain = qc.dedup(new, against=first.folder / "kept.jsonl", out=tmp_path / "plain", **options)
    assert len(reads) == 1 and content(found.folder) == content(plain.folder)


def test_the_bands_of_minhash_are_of_its_threshold(tmp_path):
    old = written(tmp_path / "old.jsonl", rows_of(0))
    first = qc.dedup(old, out=tmp_path / "r", keep_work=True, method="minhash")
    fits_not(
        tmp_path,
        "the data was stored with threshold 0.7, but this run uses 0.9",
        first.folder,
        method="minhash",
        threshold=0.9,
    )


def test_kept_rows_that_changed_are_read(tmp_path, reads):
    first = qc.dedup(written(tmp_path / "old.jsonl", rows_of(0)), out=tmp_path / "r", keep_work=True)
    copy = shutil.copytree(
        first.folder, tmp_path / "copy", copy_function=shutil.copyfile
    )  # other times, the same bytes
    os.utime(copy / "kept.jsonl", ns=(1, 1))
    found = qc.dedup(written(tmp_path / "new.jsonl", rows_of(1)), against=copy, out=tmp_path / "found")
    assert found.manifest["against"][0]["work"] and len(reads) == 1
    qc.load(first.folder).restore(everything=True)
    fits_not(tmp_path, "kept.jsonl was changed after that", first.folder)


@pytest.mark.parametrize("how", ["cut", "gone", "other bytes"])
def test_damaged_work_is_not_used(tmp_path, how):
    first = qc.dedup(written(tmp_path / "old.jsonl", rows_of(0)), out=tmp_path / "r", keep_work=True)
    (file,) = (first.folder / "work").iterdir()
    data = bytearray(file.read_bytes())
    if how == "gone":
        file.unlink()
    else:
        data[len(data) // 2] ^= 1
        file.write_bytes(data[:-100] if how == "cut" else data)
    fits_not(tmp_path, "it is incomplete", first.folder)


@pytest.mark.parametrize("method", ["hybrid", "two-stage"])
def test_a_stopped_run_goes_on_and_keeps_its_work(tmp_path, method, monkeypatch, reads):
    first = qc.dedup(written(tmp_path / "old.jsonl", rows_of(0)), out=tmp_path / "r", keep_work=True, method=method)
    new = written(tmp_path / "new.jsonl", rows_of(1))
    options = {
        "against": first.folder,
        "keep_work": True,
        "method": method,
        "work": tmp_path / "w",
        "recall_sample": 20,
    }
    with monkeypatch.context() as patched:
        count = stop_at(patched, 10**9)
        whole = qc.dedup(new, out=tmp_path / "whole", **options)
    kept = {path.name: path.read_bytes() for path in (whole.folder / "work").iterdir()}
    assert count[0] >= 8 and kept
    for number in range(count[0]):
        out = tmp_path / f"out{number}"
        with monkeypatch.context() as patched:
            stop_at(patched, number)
            with pytest.raises(Stopped):
                qc.dedup(new, out=out, **options)
        found = qc.dedup(new, out=out, **options)
        assert content(found.folder, ["work"]) == content(whole.folder, ["work"]), number
        assert {path.name: path.read_bytes() for path in (found.folder / "work").iterdir()} == kept


def test_a_stopped_run_begins_anew_where_the_earlier_run_has_other_work(tmp_path, monkeypatch):
    old, new = written(tmp_path / "old.jsonl", rows_of(0)), written(tmp_path / "new.jsonl", rows_of(1))
    first = qc.dedup(old, out=tmp_path / "r", keep_work=True)
    options = {"against": first.folder, "out": tmp_path / "out", "work": tmp_path / "w"}
    with monkeypatch.context() as patched:
        stop_at(patched, 5)
        with pytest.raises(Stopped):
            qc.dedup(new, **options)
    (file,) = (first.folder / "work").iterdir()
    os.utime(file, ns=(1, 1))
    plain = content(qc.dedup(new, against=first.folder / "kept.jsonl", out=tmp_path / "plain").folder)
    told = []

    class Resuming(Listening):
        def resumed(self, done):
            told.extend(done)

    assert content(qc.dedup(new, progress=Resuming(), **options).folder) == plain and not told


def test_texts_in_memory_and_standard_input_keep_work(tmp_path, reads):
    import pyarrow as pa

    rows = [row | {"id": f"m{i}"} for i, row in enumerate(rows_of(0))]
    first = qc.dedup(pa.Table.from_pylist(rows), out=tmp_path / "r", keep_work=True)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["r"] and (first.folder / "work").is_dir()
    assert not any(entry.name.startswith(".") for entry in first.folder.iterdir())
    new = written(tmp_path / "new.jsonl", rows_of(1))
    found = qc.dedup(new, against=first.folder, out=tmp_path / "found")
    plain = qc.dedup(new, against=first.folder / "kept.parquet", out=tmp_path / "plain")
    assert reads and content(found.folder) == content(plain.folder)
