"""Covers: rows written in shards, packed, or as ids alone. Compared against: the run that writes one file an input."""

import csv
import gzip
import io
import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from promise_corpus import make_corpus

import quchong as qc
from quchong.engines.local.stored_source import KnownSource
from quchong.errors import InputError, QuchongError, UsageError
from quchong.results.saved import SavedRun

LIMIT = 64 << 10
ROWS = [
    {"id": f"{seed}-{row['id']}", "text": row["text"], "time": row["time"], "source": row["site"], "n": seed, "tags": ["a", row["site"]]}
    for seed in range(6) for row in make_corpus(seed)
]  # fmt: skip
USUAL = {"recall_sample": 0}
LIGHT = USUAL | {"method": "minhash"}
"""Of runs whose rows are of interest, not what decides: a fifth of the time of the default method."""
PEAK = {"peak_memory_bytes": 0}
"""Not compared: the most that the process ever took, whatever ran in it before."""


def lines(rows):
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def cells(rows):
    out = io.StringIO()
    writer = csv.DictWriter(out, ["id", "text", "time", "source"], extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def write(path, rows):
    name = path.name
    if name.endswith(".parquet"):
        pq.write_table(pa.Table.from_pylist(rows), path, compression="none" if name.startswith("plain") else "snappy")
    elif name.endswith((".arrow", ".feather")):
        table = pa.Table.from_pylist(rows)
        new = pa.ipc.new_stream if name.startswith("stream") else pa.ipc.new_file
        with new(path, table.schema) as writer:
            writer.write_table(table, max_chunksize=7 if name.startswith("small") else None)
    elif name.endswith(".csv"):
        path.write_bytes(
            cells(rows).encode(
                "gb18030" if name.startswith("gbk") else "utf-16" if name.startswith("wide") else "utf-8"
            )
        )
    elif name.endswith(".json"):
        path.write_text(json.dumps(rows, ensure_ascii=False, indent=1), "utf-8")
    else:
        path.write_bytes(gzip.compress(lines(rows), mtime=0) if name.endswith(".gz") else lines(rows))
    return path


def files_of(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "run.json"
    }


def tables_of(folder):
    return {name: table for name, table in SavedRun(folder).tables.items()}


def assert_same_decisions(shards, whole):
    here, there = tables_of(shards), tables_of(whole)
    assert here.pop("documents").drop_columns(["part"]).equals(there.pop("documents"))
    assert all(here[name].equals(there[name]) for name in there)


def asked_of(name):
    """The options of a run over a file: the default method for one format; for the others one that takes a fifth of its time, as rows
    are read and written alike whatever decides.
    """
    return USUAL if name == "a.jsonl" else LIGHT


FORMATS = ["a.jsonl", "a.jsonl.gz", "a.csv", "gbk.csv", "wide.csv", "a.json", "a.parquet", "plain.parquet", "a.arrow",
           "stream.arrow", "small.arrow", "a.feather"]  # fmt: skip


def dealt_out(turn):
    """All formats; the suite tries JSON lines and every third other one, so that three tests in turn have met each of them."""
    return [
        pytest.param(name, marks=[pytest.mark.campaign] * bool(place and place % 3 != turn))
        for place, name in enumerate(FORMATS)
    ]


@pytest.mark.parametrize("name", dealt_out(0))
def test_shards_are_whole_files_within_the_limit_and_read_as_one(tmp_path, name):
    file, usual = write(tmp_path / name, ROWS), asked_of(name)
    whole = qc.dedup(file, out=tmp_path / "whole", **usual)
    found = qc.dedup(file, out=tmp_path / "shards", shard_size=LIMIT, **usual)
    assert found.manifest["shards"]["size"] == LIMIT and found.manifest["shards"]["count"] > 2
    kept = sorted((tmp_path / "shards" / "kept").iterdir())
    assert [path.name.partition(".")[0] for path in kept] == [f"part-{k:05d}" for k in range(len(kept))]
    for side in ("kept", "removed"):
        assert all(path.stat().st_size <= LIMIT for path in (tmp_path / "shards" / side).iterdir())
    assert_same_decisions(tmp_path / "shards", tmp_path / "whole")
    loaded = qc.load(tmp_path / "shards")
    assert loaded.kept.to_pylist() == whole.kept.to_pylist() and loaded.removed.to_pylist() == whole.removed.to_pylist()
    ids = whole.documents["id"].to_pylist()
    assert loaded.texts(ids) == whole.texts(ids)
    removed = whole.ledger["id"][0].as_py()
    assert str(loaded.explain(removed)) == str(whole.explain(removed))
    # A run over the folder, and one against it, read what the kept rows of the whole run are.
    for options in ({}, {"against": tmp_path / "whole"}):
        given = {k: tmp_path / "shards" for k in options}
        again, other = qc.dedup(tmp_path / "shards", **given, **usual), qc.dedup(tmp_path / "whole", **options, **usual)
        assert again.counts | PEAK == other.counts | PEAK
        assert again.kept.to_pylist() == other.kept.to_pylist()
        assert [one["kind"] for one in again.alarms] == [one["kind"] for one in other.alarms]


@pytest.mark.parametrize("name", dealt_out(1))
def test_shards_of_all_rows_annotated_are_the_annotated_files(tmp_path, name):
    """Two inputs with bad records; the same rows, tables, texts and answers as with one file an input, and as a reference corpus."""
    (tmp_path / "b").mkdir()
    inputs = [write(tmp_path / name, ROWS[::2]), write(tmp_path / "b" / name, ROWS[1::2])]
    if name == "a.jsonl":
        inputs[0].write_bytes(b"no json\n" + inputs[0].read_bytes() + b"{\n")
    asked = {"annotate": True, "add_columns": "copies", **asked_of(name)}
    whole = qc.dedup(inputs, out=tmp_path / "whole", **asked)
    found = qc.dedup(inputs, out=tmp_path / "shards", shard_size=LIMIT, **asked)
    shards = sorted((tmp_path / "shards" / "annotated").iterdir())
    assert found.manifest["shards"] == {"size": LIMIT, "count": len(shards)} and len(shards) > 2
    assert all(path.stat().st_size <= LIMIT for path in shards) and not (tmp_path / "shards" / "kept").exists()
    assert_same_decisions(tmp_path / "shards", tmp_path / "whole")
    if name == "a.jsonl":
        parts = [path.read_bytes() for path in (tmp_path / "whole" / "annotated").rglob("*.jsonl")]
        assert sorted(b"".join(path.read_bytes() for path in shards).splitlines()) == sorted(
            b"".join(parts).splitlines()
        )
    one, other = qc.load(tmp_path / "shards"), qc.load(tmp_path / "whole")
    for side in ("kept", "removed"):
        assert getattr(one, side).to_pylist() == getattr(other, side).to_pylist()
    assert one.kept.num_rows == whole.counts["kept"] and "quchong_copies" in one.kept.column_names
    ids = whole.documents["id"].to_pylist()
    assert one.texts(ids[::7]) == other.texts(ids[::7]) == whole.texts(ids[::7])
    removed = whole.ledger["id"][0].as_py()
    assert str(one.explain(removed)) == str(other.explain(removed))
    here, there = (qc.dedup(ROWS[::3], against=tmp_path / folder, **asked_of(name)) for folder in ("shards", "whole"))
    assert here.ledger["id"].equals(there.ledger["id"]) and here.counts["removed"] > 50
    shards[1].unlink()
    with pytest.raises(QuchongError, match=shards[1].name):
        qc.load(tmp_path / "shards").kept  # noqa: B018 - read when it is asked for


@pytest.mark.parametrize("name", ["a.jsonl", "small.arrow"])
def test_work_kept_beside_annotated_shards_serves_a_run_against_them(tmp_path, monkeypatch, name):
    file = write(tmp_path / name, ROWS)
    asked = {"annotate": True, "shard_size": LIMIT, **USUAL}
    plain, found = (qc.dedup(file, out=tmp_path / out, keep_work=out == "kept", **asked) for out in ("plain", "kept"))
    read = []
    known = KnownSource.read
    monkeypatch.setattr(KnownSource, "read", lambda *given: read.append(known(*given)) or read[-1])
    again = qc.dedup(ROWS[::2], against=found.folder, **USUAL)
    monkeypatch.undo()
    assert len(read) == len(found.manifest["work"]["rows"]) > 2
    assert again.ledger.equals(qc.dedup(ROWS[::2], against=plain.folder, **USUAL).ledger)


def test_pages_are_annotated_in_a_table_that_has_no_shards(tmp_path):
    page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>" + ROWS[0]["text"].encode()
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/\r\nContent-Length: {len(page)}\r\n"
    head += "Content-Type: application/http; msgtype=response\r\n\r\n"
    (tmp_path / "a.warc").write_bytes(head.encode() + page + b"\r\n\r\n")
    with pytest.raises(UsageError, match=r"a\.warc is annotated in one table \(\.csv\)"):
        qc.dedup(tmp_path / "a.warc", out=tmp_path / "r", annotate=True, shard_size=LIMIT)


@pytest.mark.parametrize("name", dealt_out(2))
def test_restoring_shards_gives_the_input_back(tmp_path, name):
    file, usual = write(tmp_path / name, ROWS), asked_of(name)
    found = qc.dedup(file, out=tmp_path / "shards", shard_size=LIMIT, **usual)
    ids = found.ledger["id"].to_pylist()
    found.restore(ids[:2])
    assert found.counts["removed"] == len(ids) - 2
    found.restore(everything=True)
    shards = sorted((tmp_path / "shards" / "kept").iterdir())
    assert found.removed.num_rows == 0
    if name in ("a.jsonl", "a.csv", "gbk.csv"):
        head = file.read_bytes().partition(b"\n")[0] + b"\n" if name.endswith(".csv") else b""
        rows = [path.read_bytes() for path in shards]
        assert all(one.startswith(head) for one in rows)
        assert head + b"".join(one.removeprefix(head) for one in rows) == file.read_bytes()
    else:
        assert found.kept.to_pylist() == qc.dedup(file, protect=[row["id"] for row in ROWS], **usual).kept.to_pylist()


@pytest.mark.parametrize("name", ["a.jsonl", "gbk.csv", "a.parquet", "small.arrow"])
def test_work_kept_beside_shards_serves_a_run_against_them(tmp_path, monkeypatch, name):
    (tmp_path / "b").mkdir()
    file, other = write(tmp_path / name, ROWS), write(tmp_path / "b" / name, ROWS[::3])
    usual = asked_of(name)
    qc.dedup([file, other], out=tmp_path / "plain", shard_size=LIMIT, **usual)
    found = qc.dedup([file, other], out=tmp_path / "shards", shard_size=LIMIT, keep_work=True, **usual)
    assert found.manifest["shards"]["count"] > 3
    kept = {path.relative_to(found.folder).as_posix() for path in (found.folder / "kept").iterdir()}
    entries = {one["file"]: one["documents"] for one in found.manifest["work"]["rows"]}
    assert set(entries) <= kept and sum(entries.values()) == found.counts["kept"]
    read = []
    known = KnownSource.read
    monkeypatch.setattr(
        KnownSource, "read", lambda *given: read.append(known(*given)) or read[-1]
    )  # noted unless it raises
    again = qc.dedup(ROWS[::2], against=found.folder, **usual)
    monkeypatch.undo()
    assert len(read) == len(entries)
    plain = qc.dedup(ROWS[::2], against=tmp_path / "plain", **usual)
    assert again.ledger.equals(plain.ledger) and again.pairs.equals(plain.pairs) and again.counts["removed"] > 50
    # What is put back changes shards, whose work does not fit any more: their rows are read.
    for folder in (found.folder, tmp_path / "plain"):
        qc.load(folder).restore(found.ledger["id"].to_pylist()[:5])
    again, plain = (qc.dedup(ROWS[::2], against=one, **usual) for one in (found.folder, tmp_path / "plain"))
    assert again.ledger.equals(plain.ledger)


def test_shards_of_several_inputs_join_them_and_can_be_decided_again(tmp_path):
    (tmp_path / "in").mkdir()
    for k in range(6):
        write(tmp_path / "in" / f"{k}.jsonl", ROWS[k::6])
    reference = write(tmp_path / "reference.jsonl", [row | {"id": f"r{row['id']}"} for row in ROWS[:9]])
    options = {"against": reference, "threshold": 0.8} | USUAL
    whole = qc.dedup(tmp_path / "in", out=tmp_path / "whole", **options)
    found = qc.dedup(tmp_path / "in", out=tmp_path / "shards", shard_size=LIMIT, **options)
    assert len(list((tmp_path / "shards" / "kept").iterdir())) == found.manifest["shards"]["count"] < 6
    assert_same_decisions(tmp_path / "shards", tmp_path / "whole")
    assert b"".join(path.read_bytes() for path in sorted((tmp_path / "shards" / "kept").iterdir())) == b"".join(
        (tmp_path / "whole" / "kept" / f"{k}.jsonl").read_bytes() for k in range(6)
    )
    qc.load(tmp_path / "shards").rethreshold(0.9).save(tmp_path / "a")
    qc.load(tmp_path / "whole").rethreshold(0.9).save(tmp_path / "b")
    assert files_of(tmp_path / "a") == files_of(tmp_path / "b")
    assert qc.load(tmp_path / "shards").verify(sample=1).mismatches.num_rows == 0
    assert whole.counts | PEAK == found.counts | PEAK


@pytest.mark.parametrize("name", ["a.jsonl", "a.parquet"])
def test_shards_are_the_same_bytes_for_any_workers_and_memory(tmp_path, name):
    file = write(tmp_path / name, ROWS)
    runs = [
        qc.dedup(file, out=tmp_path / f"{k}", shard_size=LIMIT, workers=workers, memory=memory, **USUAL).folder
        for k, (workers, memory) in enumerate([(1, None), (2, "64M"), (3, None)])
    ]
    assert files_of(runs[0]) == files_of(runs[1]) == files_of(runs[2])


def test_a_record_above_the_limit_has_a_shard_of_its_own(tmp_path):
    big = [{"id": f"big{k}", "text": f"{k}" + "长文" * 30_000} for k in range(3)]
    small = [{"id": f"s{k}", "text": f"第{k}篇短文，各说各的事情，没有相同的地方{k * k}。"} for k in range(3)]
    file = write(tmp_path / "a.jsonl", [small[0], big[0], small[1], big[1], big[2], small[2]])
    qc.dedup(file, out=tmp_path / "r", shard_size=LIMIT, relations=["exact"], **USUAL)
    shards = [path.read_bytes() for path in sorted((tmp_path / "r" / "kept").iterdir())]
    assert b"".join(shards) == file.read_bytes()
    assert [len(one) > LIMIT for one in shards] == [False, True, False, True, True, False]
    assert all(one.count(b"\n") == 1 for one in shards)


def test_empty_sides_have_one_empty_shard_or_none(tmp_path):
    file = write(tmp_path / "a.jsonl", [{"id": "a", "text": "只有一篇"}])
    found = qc.dedup(file, out=tmp_path / "r", shard_size=LIMIT)
    assert found.removed.num_rows == 0 and (tmp_path / "r" / "removed" / "part-00000.jsonl").read_bytes() == b""
    reference = write(tmp_path / "b.jsonl", [{"id": "b", "text": "只有一篇"}])
    found = qc.dedup(file, against=reference, out=tmp_path / "s", shard_size=LIMIT)
    assert found.kept.num_rows == 0 and (tmp_path / "s" / "kept" / "part-00000.jsonl").read_bytes() == b""
    found.restore(everything=True)
    assert (tmp_path / "s" / "kept" / "part-00000.jsonl").read_bytes() == file.read_bytes()


def test_a_missing_shard_is_named_and_never_passed_over(tmp_path):
    file = write(tmp_path / "a.jsonl", ROWS)
    folder = qc.dedup(file, out=tmp_path / "r", shard_size=LIMIT, **USUAL).folder
    (folder / "kept" / "part-00001.jsonl").unlink()
    for data, options in ((folder, {}), (file, {"against": folder})):
        with pytest.raises(InputError, match=r"part-00001\.jsonl is missing"):
            qc.dedup(data, **options, **USUAL)


def test_compression_and_parquet_options_change_files_and_no_row(tmp_path):
    file = write(tmp_path / "a.jsonl", ROWS)
    whole = qc.dedup(file, out=tmp_path / "whole", **LIGHT)
    for packing in ("gz", "zst", "bz2", "none"):
        found = qc.dedup(file, out=tmp_path / packing, compress=packing, **LIGHT)
        end = "" if packing == "none" else f".{packing}"
        assert sorted(path.name for path in (tmp_path / packing).glob("*.jsonl*")) == sorted(
            [f"kept.jsonl{end}", f"removed.jsonl{end}", "skipped.jsonl"]
        )
        assert found.kept.equals(whole.kept)
        found.restore(everything=True)
        assert qc.load(tmp_path / packing).kept.num_rows == len(ROWS)
    packed = write(tmp_path / "b.jsonl.gz", ROWS)
    qc.dedup(packed, out=tmp_path / "opened", compress="none", annotate=True, **LIGHT)
    assert (tmp_path / "opened" / "annotated.jsonl").read_bytes().startswith(b'{"id": "')
    table = write(tmp_path / "a.parquet", ROWS * 4)
    qc.dedup(table, out=tmp_path / "p", parquet="compression=zstd,level=19,row-group=64K", **LIGHT)
    about = pq.read_metadata(tmp_path / "p" / "kept.parquet")
    assert about.num_row_groups > 1 and about.row_group(0).column(0).compression == "ZSTD"
    memory = qc.dedup(pa.Table.from_pylist(ROWS), out=tmp_path / "m", parquet={"compression": "gzip"}, **LIGHT)
    assert pq.read_metadata(tmp_path / "m" / "kept.parquet").row_group(0).column(0).compression == "GZIP"
    assert memory.kept.num_rows == whole.kept.num_rows


@pytest.mark.parametrize("roundups", ["cut"])
def test_rows_of_cut_roundups_are_written_in_the_same_form(tmp_path, roundups):
    parts = [{"id": f"p{k}", "text": row["text"]} for k, row in enumerate(ROWS[:40]) if len(row["text"]) > 120][:3]
    roundup = {
        "id": "all",
        "text": "\n".join(row["text"] for row in parts) + "\n编者按：以上三篇今天见报，读者可以各自比较。",
    }
    file = write(tmp_path / "a.jsonl", [*parts, roundup])
    plain = qc.dedup(file, roundups=roundups, **USUAL)
    found = qc.dedup(file, roundups=roundups, out=tmp_path / "r", compress="zst", **USUAL)
    assert found.cut.to_pylist() == plain.cut.to_pylist() != []
    assert (tmp_path / "r" / "cut.jsonl.zst").exists()


def test_ids_alone_name_the_kept_rows_and_explain_from_the_input(tmp_path):
    file = write(tmp_path / "a.jsonl", ROWS)
    whole = qc.dedup(file, out=tmp_path / "whole", **LIGHT)
    found = qc.dedup(file, out=tmp_path / "ids", ids_only=True, **LIGHT)
    assert sorted(path.name for path in found.folder.iterdir()) == sorted(
        ["kept_ids.parquet", "run.json", "skipped.jsonl"]
        + [f"{name}.parquet" for name in tables_of(tmp_path / "whole")]
    )
    kept = pq.read_table(tmp_path / "ids" / "kept_ids.parquet")
    assert (
        kept["id"].to_pylist() == whole.kept["id"].to_pylist() and kept["row"].to_pylist() == whole.kept_rows.tolist()
    )
    assert set(kept["source"].to_pylist()) == {"a.jsonl"}
    here, there = tables_of(tmp_path / "ids"), tables_of(tmp_path / "whole")
    assert all(here[name].equals(there[name]) for name in there)
    loaded, removed = qc.load(tmp_path / "ids"), whole.ledger["id"][0].as_py()
    assert str(loaded.explain(removed)) == str(whole.explain(removed))
    ids = whole.documents["id"].to_pylist()
    assert loaded.texts(ids) == whole.texts(ids)
    assert loaded.verify(sample=1).mismatches.num_rows == 0
    loaded.rethreshold(0.9).save(tmp_path / "again")
    assert qc.load(tmp_path / "again").counts | PEAK == whole.rethreshold(0.9).counts | PEAK
    loaded.report(tmp_path / "page.html")
    loaded.save(tmp_path / "copy")
    assert (tmp_path / "copy" / "kept_ids.parquet").exists()
    with pytest.raises(UsageError, match="has only the ids of kept rows"):
        _ = loaded.kept
    with pytest.raises(UsageError, match="so no row can be put back"):
        loaded.restore(everything=True)
    with pytest.raises(InputError, match="ids of kept rows"):
        qc.dedup(file, against=tmp_path / "ids", **LIGHT)
    file.write_bytes(lines(ROWS[1:]))
    gone = qc.load(tmp_path / "ids")
    assert gone.texts(ids[:1]) == [None] and "outside the run folder. They were not read, because" in gone.left_alone[0]


def test_ids_are_those_of_the_input_and_rows_number_the_others(tmp_path):
    rows = [
        {"id": 7, "text": "第一篇文章，讲的是水库。"},
        {"id": 7, "text": "另一篇文章，讲的是码头上的工人。"},
        {"id": 8, "text": "第一篇文章，讲的是水库。"},
    ]
    qc.dedup(rows, out=tmp_path / "numbers", ids_only=True)
    kept = pq.read_table(tmp_path / "numbers" / "kept_ids.parquet").to_pylist()
    assert [(one["id"], one["row"]) for one in kept] == [("7", 0), ("7", 1)] or [
        (one["id"], one["row"]) for one in kept
    ] == [(7, 0), (7, 1)]
    qc.dedup([row["text"] for row in rows], out=tmp_path / "none", ids_only=True)
    kept = pq.read_table(tmp_path / "none" / "kept_ids.parquet").to_pylist()
    assert [(one["id"], one["row"]) for one in kept] == [(None, 0), (None, 1)]


@pytest.mark.parametrize(
    "options",
    [
        {"ids_only": True, "annotate": True}, {"ids_only": True, "shard_size": "1M"},
        {"ids_only": True, "keep_work": True}, {"shard_size": "1K"}, {"compress": "rar"},
        {"parquet": "compression=zstd"}, {"parquet": "level=3"}, {"parquet": "compression=zstd,level=99"}, {"parquet": "speed=1"},
    ],
)  # fmt: skip
def test_options_that_cannot_be_are_refused_before_anything_is_written(tmp_path, options):
    file = write(tmp_path / "a.jsonl", ROWS[:9])
    with pytest.raises(UsageError):
        qc.dedup(file, out=tmp_path / "r", **options)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl"]


@pytest.mark.parametrize(
    "option", [{"ids_only": True}, {"shard_size": "1M"}, {"compress": "gz"}, {"parquet": "compression=zstd"}]
)
def test_options_of_writing_need_a_place_to_write_to(option):
    with pytest.raises(UsageError, match="needs an output: name it with"):
        qc.dedup(["a", "b"], **option)


@pytest.mark.parametrize("other", ["b.parquet", "b.csv", "wide.csv", "b.txt"])
def test_shards_of_inputs_that_cannot_share_a_file_are_refused(tmp_path, other):
    first = write(tmp_path / ("a.csv" if other.endswith(".csv") else "a.jsonl"), ROWS[:9])
    second = tmp_path / other
    if other == "b.csv":
        second.write_text("id,text,more\n1,abc,d\n", "utf-8")
    elif other == "b.txt":
        second.write_text("一篇文章", "utf-8")
    else:
        write(second, ROWS[:9])
    with pytest.raises(UsageError, match="shard_size"):
        qc.dedup([first, second], out=tmp_path / "r", shard_size=LIMIT)


KILLED = """
import os, signal, sys
import quchong as qc
from quchong.results import shards

begin = shards.ShardWriter._begin
def stop(self, source):
    if self.count == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    begin(self, source)
shards.ShardWriter._begin = stop
qc.dedup(sys.argv[1], out=sys.argv[2], shard_size=64 << 10, recall_sample=0)
"""


def test_a_run_killed_between_shards_leaves_nothing_and_is_run_again(tmp_path):
    file, out = write(tmp_path / "a.jsonl", ROWS), tmp_path / "r"
    done = subprocess.run([sys.executable, "-c", KILLED, str(file), str(out)], capture_output=True, check=False)
    assert done.returncode == -9 and not out.exists()
    found = qc.dedup(file, out=out, shard_size=LIMIT, **USUAL)
    whole = qc.dedup(file, out=tmp_path / "other", shard_size=LIMIT, **USUAL)
    assert files_of(Path(found.folder)) == files_of(Path(whole.folder))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl", "other", "r"]
