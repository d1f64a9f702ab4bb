"""Bad input and bad places: a bad record costs only itself, everything else is one clear line and an exit code."""

from __future__ import annotations

import base64
import errno
import gzip
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import forked
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import quchong as qc
from quchong.errors import InputError, OutputError, UsageError

ROOT = hasattr(os, "geteuid") and os.geteuid() == 0

BAD_LINES = {
    "invalid UTF-8": (b'{"id":"x","text":"\xc4\xe3\xba\xc3"}', "invalid UTF-8 at byte 19; if the file is GB18030"),
    "NUL": (b'{"id":"x","text":"a\0b"}', "broken JSON: there is a NUL at byte 20"),
    "broken": (b'{"id":"x","text":"half', "broken JSON: "),
    "two objects": (b'{"id":"x","text":"a"}{"id":"y","text":"b"}', "broken JSON: "),
    "half a surrogate": (
        rb'{"id":"x","text":"\ud800"}',
        "broken JSON: a string has only half of a surrogate pair, at column",
    ),
    "number": (b'{"id":"x","text":12}', "text is a number, not a string"),
    "list": (b'{"id":"x","text":["a",5]}', "text[] is a number, not a string"),
    "object": (b'{"id":"x","text":{"a":"b"}}', "text is an object, not a string"),
    "true": (b'{"id":"x","text":true}', "text is true or false, not a string"),
    "no object": (b'["id","x"]', "not an object"),
    "a bare string": (b'"text"', "not an object"),
    "a bare word": (b"text", "broken JSON: "),
}


def raw_of(record):
    return base64.b64decode(record["raw_base64"]) if "raw_base64" in record else record["raw"].encode()


@pytest.mark.parametrize("kind", BAD_LINES)
def test_a_bad_json_line_costs_only_itself(dedup, jsonl, rows, kind):
    line, reason = BAD_LINES[kind]
    clean = dedup(jsonl("clean/in.jsonl", rows))
    run = dedup(jsonl("dirty/in.jsonl", [rows[0], line, *rows[1:4], b"", line, *rows[4:], line]))
    assert run.found() == clean.found()
    assert (run.folder / "kept.jsonl").read_bytes() == (clean.folder / "kept.jsonl").read_bytes()
    assert (run.folder / "removed.jsonl").read_bytes() == (clean.folder / "removed.jsonl").read_bytes()
    assert [(s["source"], s["row"], s["line"]) for s in run.skipped] == [
        ("in.jsonl", 1, 2), ("in.jsonl", 5, 7), ("in.jsonl", 12, 14),
    ]  # fmt: skip
    assert all(s["reason"].startswith(reason) and raw_of(s) == line for s in run.skipped)
    assert run.counts["skipped"] == 3 and run.counts["read"] == len(rows)
    assert "3 of 13 records cannot be read: the first bad record is " in run.alarms["many bad records"]
    assert clean.skipped == [] and clean.alarms == {}


def test_all_sorts_of_bad_lines_at_once_through_the_api(jsonl, rows, gone):
    path = jsonl("in.jsonl", [line for row, (bad, _) in zip(rows * 2, BAD_LINES.values(), strict=False)
                              for line in ((row, bad) if row in rows else ())][:20])  # fmt: skip
    result = qc.dedup(path, recall_sample=0)
    assert [one["line"] for one in result.skipped] == list(range(2, 21, 2))
    assert set(result.ledger["id"].to_pylist()) == set(gone)
    assert result.kept.num_rows == len(rows) - len(gone) and result.removed.num_rows == len(gone)


def test_every_record_bad(command, opened, jsonl, tmp_path):
    ran = command("dedup", jsonl("in.jsonl", [BAD_LINES["broken"][0]] * 3), "-o", tmp_path / "run", "-q")
    assert (
        ran.code == 3
        and "nothing was read: 3 of 3 records cannot be read: the first bad record is in.jsonl, line 1" in ran.line
    )
    run = opened(tmp_path / "run")
    assert (run.counts["read"], run.counts["skipped"], run.kept, len(run.skipped)) == (0, 3, [], 3)
    assert (run.folder / "kept.jsonl").read_bytes() == b""


def test_no_record_has_the_key(tmp_path, command, jsonl):
    ran = command("dedup", jsonl("in.jsonl", [{"words": "正文", "title": "题"}] * 3), "-o", tmp_path / "run", "-q")
    assert ran.code == 3 and "'text'" in ran.line and "'words', 'title'" in ran.line and "--text-key" in ran.line
    assert not list(tmp_path.glob("run*"))


def test_ids_of_wrong_types(dedup, jsonl, article):
    ids = ["a", 7, 7.0, 2**70, 1.5, None, [1], {"a": 1}, True]
    docs = [{"id": one, "text": article(k)} for k, one in enumerate(ids)]
    run = dedup(jsonl("in.jsonl", docs))
    names = ["a", "7", "7~2", str(2**70), *(f"in.jsonl#{k}" for k in range(4, 9))]
    assert sorted(run.kept) == sorted(names) and run.skipped == []
    run = dedup(jsonl("in.jsonl", docs), "--id-key", "id")
    assert [one["row"] for one in run.skipped] == [4, 5, 6, 7, 8]


CSV_BAD = {
    "invalid UTF-8": (
        b'x,"\xc4\xe3",1',
        "invalid UTF-8 at byte 4; if the file has another encoding, give that encoding",
    ),
    "too few": (b"x", "1 field, but the header has 3"),
    "too many": (b"x,y,1,2", "4 fields, but the header has 3"),
    "unclosed": (b'x,"never closed,1', "unclosed quote"),
}


@pytest.mark.parametrize("kind", CSV_BAD)
def test_a_bad_csv_record_costs_only_itself(tmp_path, dedup, rows, kind):
    line, reason = CSV_BAD[kind]
    good = [f'{row["id"]},"{row["text"]}",{row["n"]}\r\n'.encode() for row in rows]
    for name, records in (("clean", good), ("dirty", [*good[:4], line + b"\r\n", *good[4:]])):
        (tmp_path / name).mkdir()
        (tmp_path / name / "in.csv").write_bytes(b"id,text,n\r\n" + b"".join(records))
    clean, run = dedup(tmp_path / "clean" / "in.csv"), dedup(tmp_path / "dirty" / "in.csv")
    assert run.found() == clean.found()
    for side in ("kept.csv", "removed.csv"):
        assert (run.folder / side).read_bytes() == (clean.folder / side).read_bytes()
    (skipped,) = run.skipped
    assert (skipped["source"], skipped["row"], skipped["line"], raw_of(skipped)) == ("in.csv", 4, 6, line)
    assert skipped["reason"].startswith(reason)


def test_nul_bytes_in_csv_and_escaped_in_json_are_text(tmp_path, dedup, jsonl, article):
    texts = [article(1)[:50] + "\0" + article(1)[50:], article(1), article(2) + "\0"]
    run = dedup(jsonl("in.jsonl", [{"id": str(k), "text": text} for k, text in enumerate(texts)]))
    assert run.skipped == [] and len(run.removed) == 1 and "2" in run.kept
    (tmp_path / "in.csv").write_bytes(b"id,text\n" + "".join(f"{k},{t}\n" for k, t in enumerate(texts)).encode())
    assert dedup(tmp_path / "in.csv").removed == run.removed


def test_bad_files_of_a_folder(tmp_path, dedup, rows):
    for name in ("clean", "dirty"):
        (tmp_path / name).mkdir()
        for row in rows:
            (tmp_path / name / f"{row['id']}.txt").write_text(row["text"], encoding="utf-8")
    (tmp_path / "dirty" / "b0.txt").write_bytes(b"a\0b")
    (tmp_path / "dirty" / "zz.txt").write_bytes(b"a\xff\xfeb")
    (tmp_path / "dirty" / "link.txt").symlink_to(tmp_path / "nowhere")
    clean, run = dedup(tmp_path / "clean"), dedup(tmp_path / "dirty")
    assert run.found() == clean.found()
    assert (run.folder / "kept.txt").read_bytes() == (clean.folder / "kept.txt").read_bytes()
    assert [(s["source"], s["row"], s["reason"].split(";")[0]) for s in run.skipped] == [
        ("dirty", 2, "b0.txt: the file looks like binary data: there is a NUL at byte 2"),
        ("dirty", 7, "link.txt: cannot be read: No such file or directory"),
        ("dirty", 12, "zz.txt: invalid UTF-8 at byte 2"),
    ]


def test_bad_values_in_parquet(tmp_path, dedup, rows):
    raw = pa.array([b"\xc4\xe3"])
    wrong = pa.Array.from_buffers(pa.string(), 1, raw.buffers())
    ids, texts = ([row[key] for row in rows] for key in ("id", "text"))
    dirty = pa.table({
        "id": [*ids[:3], "wrong", *ids[3:]],
        "text": pa.chunked_array([pa.array(texts[:3]), wrong, pa.array(texts[3:])]),
    })  # fmt: skip
    for name, table in (("clean", pa.table({"id": ids, "text": texts})), ("dirty", dirty)):
        (tmp_path / name).mkdir()
        pq.write_table(table, tmp_path / name / "in.parquet")
    clean, run = dedup(tmp_path / "clean" / "in.parquet"), dedup(tmp_path / "dirty" / "in.parquet")
    assert run.found() == clean.found()
    assert pq.read_table(run.folder / "kept.parquet").equals(pq.read_table(clean.folder / "kept.parquet"))
    assert [(s["source"], s["row"], s["line"], s["reason"].split(" at ")[0]) for s in run.skipped] == [
        ("in.parquet", 3, None, "text is invalid UTF-8"),
    ]


def test_columns_that_will_not_do(tmp_path, command):
    pq.write_table(pa.table({"id": [1], "text": [2]}), tmp_path / "in.parquet")
    ran = command("dedup", tmp_path / "in.parquet", "-o", tmp_path / "run", "-q")
    assert ran.code == 3 and "'text' is int64, not text" in ran.line
    (tmp_path / "in.csv").write_text("id,words\n1,a\n")
    ran = command("dedup", tmp_path / "in.csv", "-o", tmp_path / "run", "-q")
    assert (
        ran.code == 3
        and "no column 'text'; it has these columns: 'id', 'words'. Name the column of the text with --text-key"
        in ran.line
    )


@pytest.mark.parametrize(
    "options", [["--per", "lagn"], ["--keep", "column:qualty"], ["--same-site"], ["--within", "7d"]]
)
def test_columns_that_are_nowhere(tmp_path, command, jsonl, rows, options):
    ran = command("dedup", jsonl("in.jsonl", rows), "-o", tmp_path / "run", "-q", *options)
    assert ran.code in (2, 3)


def test_duplicate_ids(tmp_path, dedup, jsonl, article):
    docs = [{"id": "d", "text": article(k)} for k in (1, 2, 3)] + [{"id": "d~2", "text": article(4)}]
    docs.append({"id": "d", "text": article(1)})
    run = dedup(jsonl("in.jsonl", docs))
    assert sorted(row["id"] for row in run.documents) == ["d", "d~2", "d~3", "d~4", "d~5"]
    assert run.alarms == {
        "repeated ids": "3 documents have the same id as an earlier document: they are listed as id~2, id~3, ..."
    }
    assert run.counts["read"] == 5 and len(run.removed) == 1
    names = {row["id"]: docs[row["row"]]["text"] for row in run.documents}
    assert names["d~2"] == article(4)
    again = dedup(jsonl("in.jsonl", list(reversed(docs))))
    assert {row["id"]: list(reversed(docs))[row["row"]]["text"] for row in again.documents} == names
    assert again.found()[:3] == run.found()[:3]


def test_empty_files(tmp_path, command, opened):
    def empty(path):
        """The run of a file without a record: in Python it is complete, the command ends with exit code 3 and writes none."""
        ran = command("dedup", path, "-o", tmp_path / "refused", "-q")
        assert ran.code == 3 and f"nothing was read: {path.name} has no record" in ran.line
        assert not (tmp_path / "refused").exists()
        qc.dedup(path, out=tmp_path / "empty", overwrite=True)
        return opened(tmp_path / "empty")

    for raw in (b"", b"\n\n \r\n", b"\xef\xbb\xbf"):
        (tmp_path / "in.jsonl").write_bytes(raw)
        run = empty(tmp_path / "in.jsonl")
        assert (run.counts["read"], run.counts["removed"], run.ledger, run.pairs) == (0, 0, [], [])
    with gzip.open(tmp_path / "in.jsonl.gz", "wb"):
        pass
    assert empty(tmp_path / "in.jsonl.gz").counts["read"] == 0
    (tmp_path / "head.csv").write_text("id,text\n")
    run = empty(tmp_path / "head.csv")
    assert run.counts["read"] == 0 and (run.folder / "kept.csv").read_text() == "id,text\n"
    for name, message in (("in.csv", "the first line of a CSV file must have the names of its columns"), ("in.parquet", "cannot be read"),
                          ("in.arrow", "cannot be read")):  # fmt: skip
        (tmp_path / name).write_bytes(b"")
        ran = command("dedup", tmp_path / name, "-o", tmp_path / "run", "-q")
        assert ran.code == 3 and message in ran.line and not list(tmp_path.glob("run")), name
    assert qc.dedup([], recall_sample=0).counts["read"] == 0


def test_an_empty_file_among_others(tmp_path, dedup, jsonl, rows, gone):
    jsonl("in/a.jsonl", rows)
    jsonl("in/b.jsonl", [])
    run = dedup(tmp_path / "in")
    assert run.removed == gone and (run.folder / "kept" / "b.jsonl").read_bytes() == b""


def test_empty_texts_are_kept_and_match_nothing(dedup, jsonl, article):
    texts = ["", "", " \n\t", "\u3000", article(1), "\u200b", "", "好", "好", "！", "?"]
    run = dedup(jsonl("in.jsonl", [{"id": f"{k:02}", "text": text} for k, text in enumerate(texts)]))
    assert run.removed == {"08": "07"}  # equal texts are exact copies, however short
    listed = {row["id"] for row in run.documents if row["unscored"]}
    assert listed == {f"{k:02}" for k in range(11)} - {"04"} and run.counts["unscored"] == 10
    assert {i for p in run.pairs for i in (p["left_id"], p["right_id"])} == {"07", "08"}
    assert len((run.folder / "kept.jsonl").read_bytes().splitlines()) == 10
    assert qc.dedup(["", "", ""], recall_sample=0).counts["removed"] == 0


def test_one_line_of_70_mb_not_200(tmp_path, jsonl, rows, gone):
    """A line of 200 MB takes 7 s and 5 GB, and 15 s more with the recall sample: tried by hand."""
    unit = b'{"id":"long","text":"' + "山河湖海日月星辰".encode() * (70 * 2**20 // 24) + b'"}'
    path = jsonl("in.jsonl", [*rows[:5], unit, *rows[5:]])
    argv = ["dedup", path, "-o", tmp_path / "run", "-q", "--recall-sample", "0"]
    argv = [sys.executable, "-m", "quchong.cli.main", *argv]  # its memory goes with it
    ran = subprocess.run(argv, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr.decode()
    assert {row["id"] for row in pq.read_table(tmp_path / "run" / "ledger.parquet").to_pylist()} == set(gone)
    assert unit + b"\n" in (tmp_path / "run" / "kept.jsonl").read_bytes()
    path.unlink()
    shutil.rmtree(tmp_path / "run")


def test_files_that_cannot_be_read(tmp_path, command, jsonl, rows):
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress(json.dumps(rows).encode() * 50)[:200])
    (tmp_path / "no.jsonl.gz").write_bytes(b"no gzip at all")
    (tmp_path / "no.parquet").write_bytes(b"PAR1 nonsense PAR1")
    (tmp_path / "no.xlsx").write_bytes(b"PK nonsense")
    (tmp_path / "x.docx").write_bytes(b"PK")
    (tmp_path / "none").mkdir()
    for name, message in [
        ("gone.jsonl", "gone.jsonl: no such file"),
        ("folder.jsonl", "is a folder, not a .jsonl file"),
        ("cut.jsonl.gz", "cut.jsonl.gz cannot be read"),
        ("no.jsonl.gz", "no.jsonl.gz cannot be read"),
        ("no.parquet", "no.parquet cannot be read"),
        ("no.xlsx", "is not a workbook, or is damaged"),
        ("x.docx", "x.docx is not read: save the file in Word or WPS as .txt or .html"),
        ("none", "has no file that can be read"),
        ("none/*.jsonl", "no file or folder matches"),
    ]:
        for argv in ([tmp_path / name], [jsonl("good.jsonl", rows), tmp_path / name],
                     [jsonl("good.jsonl", rows), "--against", tmp_path / name]):  # fmt: skip
            ran = command("dedup", *argv, "-o", tmp_path / "run", "-q")
            assert ran.code == 3 and message in ran.line, (name, ran)
            assert not list(tmp_path.glob("run*")), name
        with pytest.raises(InputError):
            qc.dedup(tmp_path / name)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="no /proc here")
def test_a_file_that_opens_and_cannot_be_read(tmp_path, command):
    ran = command("dedup", "/proc/self/mem", "--format", "jsonl", "-o", tmp_path / "run", "-q")
    assert ran.code == 3 and "/proc/self/mem cannot be read: Input/output error" in ran.line
    assert not list(tmp_path.glob("run*"))


@pytest.mark.skipif(ROOT, reason="root may read everything")
def test_a_file_without_permission(tmp_path, command, jsonl, rows):
    path = jsonl("in.jsonl", rows)
    path.chmod(0)
    ran = command("dedup", path, "-o", tmp_path / "run", "-q")
    assert ran.code == 3 and "you may not read this file; change its mode, or run as its owner" in ran.line


def noise(path, megabytes=1):
    """Documents that resemble nothing, half of them twice."""
    half = [os.urandom(300).hex() for _ in range(800 * megabytes)]
    path.write_text("".join(f'{{"id":"{k}","text":"{text}"}}\n' for k, text in enumerate(half + half)))
    return path


def test_a_full_disk(tmp_path, command, small_disk):
    path, disk = noise(tmp_path / "in.jsonl"), small_disk("4m")
    argv = ["dedup", path, "-q", "--recall-sample", 0, "-o", disk / "run"]
    assert command(*argv).code == 0
    used = 4 * sum(-(-file.stat().st_size // 4096) for file in (disk / "run").iterdir())  # KB, in blocks
    for size in (4, 64, used // 2, used - 200, used - 40, used - 12, used - 4):
        disk = small_disk(f"{size}k")
        ran = command(*argv)
        assert ran.code == 4 and "No space left on device" in ran.line, (size, used, ran)
        assert list(disk.iterdir()) == [], (size, used)


def test_a_full_disk_while_stdin_is_copied(tmp_path, small_disk):
    raw, disk = noise(tmp_path / "in.jsonl").read_bytes(), small_disk("100k")
    argv = [sys.executable, "-m", "quchong.cli.main", "dedup", "-", "-o", disk / "run", "-q"]
    ran = subprocess.run(argv, input=raw, capture_output=True, check=False)
    assert ran.returncode == 4 and b"No space left on device" in ran.stderr and ran.stderr.count(b"\n") == 1
    assert list(disk.iterdir()) == []


@pytest.mark.parametrize(
    "writer",
    ["quchong.io.files.streams.Output.write", "pyarrow.parquet.ParquetWriter.write_table", "pathlib.Path.write_text"],
)
def test_a_disk_that_fills_up_at_any_writer(tmp_path, command, jsonl, rows, monkeypatch, writer):
    path = jsonl("in.jsonl", rows)

    def full(*args, **options):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    result = qc.dedup(path, recall_sample=0)
    monkeypatch.setattr(writer, full)
    ran = command("dedup", path, "-o", tmp_path / "run", "-q", "--recall-sample", 0)
    assert ran.code == 4 and "No space left on device" in ran.line
    assert not list(tmp_path.glob("run*"))
    with pytest.raises(OutputError, match="No space left on device"):
        result.save(tmp_path / "run")
    assert not list(tmp_path.glob("run*"))


def test_places_that_are_taken(tmp_path, command, jsonl, rows):
    path = jsonl("in.jsonl", rows)
    (tmp_path / "file").write_text("mine")
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "thesis.doc").write_text("mine")
    ran = command("dedup", path, "-o", tmp_path / "foreign", "-q")
    assert (
        ran.code == 4
        and "foreign exists and was not written by this command" in ran.line
        and "--overwrite" not in ran.line
    )
    ran = command("dedup", path, "-o", tmp_path / "foreign", "-q", "--overwrite")
    assert ran.code == 4 and "is not a run folder of quchong, so --overwrite does not replace it" in ran.line
    for options in ((), ("--overwrite",)):  # which would not help
        ran = command("dedup", path, "-o", tmp_path / "file", "-q", *options)
        assert ran.code == 4 and "file is a file, but a run is written to a folder: choose another name" in ran.line
    ran = command("dedup", path, "-o", tmp_path / "file" / "run", "-q")
    assert ran.code == 4 and ran.line
    assert (tmp_path / "file").read_text() == (tmp_path / "foreign" / "thesis.doc").read_text() == "mine"
    assert [p.name for p in (tmp_path / "foreign").iterdir()] == ["thesis.doc"]
    (tmp_path / "empty").mkdir()
    assert command("dedup", path, "-o", tmp_path / "empty", "-q").code == 0
    neighbours = [tmp_path / name for name in ("run.partial", "run.old", ".run.quchong-0123abcd", ".run.quchong-")]
    for folder in neighbours:
        folder.mkdir()
        (folder / "note").write_text("mine")
    for _ in range(2):
        assert command("dedup", path, "-o", tmp_path / "run", "-q", "--overwrite").code == 0
    assert all((folder / "note").read_text() == "mine" for folder in neighbours)


def test_a_run_that_is_a_link(tmp_path, command, jsonl, rows):
    path = jsonl("in.jsonl", rows)
    assert command("dedup", path, "-o", tmp_path / "real", "-q", "--relations", "exact").code == 0
    (tmp_path / "link").symlink_to("real")
    assert command("dedup", path, "-o", tmp_path / "link", "-q").code == 4
    assert command("dedup", path, "-o", tmp_path / "link", "-q", "--overwrite").code == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.jsonl", "link", "real"]
    assert (tmp_path / "link").is_symlink() and qc.load(tmp_path / "real").manifest["counts"]["removed"] == 4


def test_places_without_a_name(tmp_path, command, jsonl, rows, monkeypatch):
    path = jsonl("in.jsonl", rows)
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    for place in (".", "", "..", "/"):
        ran = command("dedup", path, "-o", place, "-q")
        told = (
            "cannot become a run folder: name a new folder, such as run/",
            "choose another output",
            "the value is empty: name a file or a folder, or write . for the current folder",
        )
        assert ran.code == (4 if place else 2) and any(words in ran.line for words in told)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["empty", "in.jsonl"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("argv", [["methods"], ["methods", "--json"]])
def test_standard_output_on_a_full_disk(argv):
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run([sys.executable, "-m", "quchong.cli.main", *argv], stdout=full, stderr=subprocess.PIPE,
                             text=True, check=False)  # fmt: skip
    assert (ran.returncode, ran.stderr) == (4, "quchong: standard output cannot be written: No space left on device\n")


def test_overwriting_a_run(tmp_path, command, jsonl, rows):
    path, out = jsonl("in.jsonl", rows), tmp_path / "run"
    assert command("dedup", path, "-o", out, "-q", "--relations", "exact").code == 0
    before = (out / "run.json").read_bytes()
    ran = command("dedup", path, "-o", out, "-q")
    assert ran.code == 4 and "--overwrite" in ran.line and (out / "run.json").read_bytes() == before
    ran = command("dedup", tmp_path / "gone.jsonl", "-o", out, "-q", "--overwrite")
    assert ran.code == 3 and (out / "run.json").read_bytes() == before and (out / "kept.jsonl").exists()
    (out / "notes.txt").write_text("mine")
    ran = command("dedup", path, "-o", out, "-q", "--overwrite")
    assert ran.code == 4 and "contains notes.txt, which quchong did not write" in ran.line
    assert (out / "run.json").read_bytes() == before
    (out / "notes.txt").rename(tmp_path / "notes.txt")
    assert command("dedup", path, "-o", out, "-q", "--overwrite").code == 0
    assert qc.load(out).manifest["counts"]["removed"] == 4
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.jsonl", "notes.txt", "run"]


USAGE = [
    (["--keep", "biggest"], ["'biggest'", "longest", "shortest", "earliest", "column:name"]),
    (["--keep", "source"], ["source:best>second"]),
    (["--keep", "column:"], ["column:name"]),
    (["--relations", "exact,similar"], ["similar", "contained_in", "duplicate", "exact", "partial", "variant"]),
    (["--method", "nonesuch"], ["unknown method 'nonesuch'", "hybrid", "minhash", "exact"]),
    (["--preset", "harsh"], ["harsh", "strict", "balanced", "lenient"]),
    (["--normalise", "none"], ["none", "standard", "plain"]),
    (["--tokens", "words"], ["words", "auto", "char"]),
    (["--facts", "figur"], ["--facts figur", "keep", "remove", "did you mean figure"]),
    (["--mode", "move"], ["move", "remove", "annotate"]),
    (["--strip", "byline"], ["byline", "dateline", "source", "editor"]),
    (["--format", "docx"], ["docx", "jsonl", "parquet"]),
    (["--method", "exact", "--threshold", "0.5"], ["exact does not take --threshold", "--method minhash"]),
    *((["--threshold", value], ["--threshold must be above 0 and at most 1, got"]) for value in ("1.5", "-1")),
    (["--threshold", "nan"], ["--threshold must be a number, got nan"]),
    (["--containment", "2"], ["--containment must be above 0 and at most 1, got 2;"]),
    (["--cap", "0"], ["--cap must be 1 to 2**31 - 1, got"]),
    (["--cap", "99999999999"], ["--cap must be 1 to 2**31 - 1, got"]),
    (["--share", "nan"], ["--share must be a number, got nan"]),
    (["--per", "text"], ["--per text"]),
    (["--method", "minhash", "--bands", "-1", "--rows", "-1"], ["--bands must be 1 to 4096, got -1"]),
    (
        ["--method", "minhash", "--bands", "100", "--rows", "2"],
        ["--bands 100 × --rows 2 = 200, which is more than --num-perm 128: give --num-perm 200 or more"],
    ),
    (["--method", "minhash", "--num-perm", "7"], ["--num-perm must be 8 to 4096, got 7"]),
    (["--threshold", "high"], ["high"]),
    (["--ngram-size", "0"], ["0"]),
    (["--method", "minhash", "--bands", "4"], ["--bands and --rows together"]),
    (["--text-key", " , "], ["--text-key needs at least one column"]),
    (["--nonsense"], ["--nonsense"]),
    *((["--within", span], ["--within", "7d"]) for span in ("soon", "7", "d", "-7d", "nand", "infd", "")),
    (["--within", "7 years"], ["--within", "2555d"]),
    (["--within", "7"], ["--within 7 is", "7d"]),
]


@pytest.mark.parametrize(("options", "said"), USAGE, ids=lambda v: " ".join(v) if isinstance(v, list) else None)
def test_options_that_cannot_be_used(tmp_path, command, jsonl, rows, options, said):
    ran = command("dedup", jsonl("in.jsonl", rows), "-o", tmp_path / "run", "-q", *options)
    assert ran.code == 2 and "Traceback" not in ran.err
    assert all(word in ran.err for word in said), ran.err
    assert not list(tmp_path.glob("run*"))


def test_the_same_through_the_api(rows):
    for options, message in [
        ({"keep": "biggest"}, "longest"),
        ({"relations": "similar"}, "contained_in"),
        ({"method": "nonesuch"}, "hybrid, minhash, exact"),
        ({"preset": "harsh"}, "balanced"),
        ({"normalise": "none"}, "standard or plain"),
        ({"facts": "drop"}, "keep, remove, any, or figure"),
        ({"within": "soon"}, "7d"),
        ({"strip": "byline"}, "dateline"),
        ({"nonsense": 1}, "nonsense"),
        ({"protect": ["nobody"]}, "nobody"),
    ]:
        with pytest.raises(UsageError, match=message):
            qc.dedup(rows, **options)
    for data, error in ((7, UsageError), ([1], UsageError), ({"text": "a"}, UsageError), ([{"words": "a"}], InputError),
                        ([{"text": 7}], UsageError), (["a", 7], UsageError), ([b"a"], UsageError)):  # fmt: skip
        with pytest.raises(error):
            qc.dedup(data)
    with pytest.raises(UsageError, match="remove or annotate"):
        qc.dedup(rows).save("never", mode="move")


def test_missing_things(tmp_path, command, jsonl, rows):
    path, out = jsonl("in.jsonl", rows), ["-o", tmp_path / "run", "-q"]
    ran = command("dedup", path, "-q")
    assert ran.code == 2 and "-o" in ran.line and "--dry-run" in ran.line
    assert command("dedup", *out).code == 2
    for options, code, message in [
        (["--boilerplate", tmp_path / "none"], 3, "boilerplate file"),
        (["--boilerplate", tmp_path], 3, "boilerplate file"),
        (["--protect", tmp_path / "none"], 3, "--protect"),
        (["--protect", tmp_path], 3, "--protect"),
        (["--against", tmp_path / "none.jsonl"], 3, "no such file"),
    ]:
        ran = command("dedup", path, *out, *options)
        assert ran.code == code and message in ran.line
    (tmp_path / "ids").write_text("b\nnobody\nno one\n")
    ran = command("dedup", path, *out, "--protect", tmp_path / "ids")
    assert ran.code == 2 and "--protect has 2 ids that no document has, such as 'no one'" in ran.line
    (tmp_path / "ids").write_bytes("编号".encode("gb18030"))
    assert "UTF-8" in command("dedup", path, *out, "--protect", tmp_path / "ids").line
    assert "UTF-8" in command("dedup", path, *out, "--boilerplate", tmp_path / "ids").line
    assert not list(tmp_path.glob("run*"))


def test_a_file_that_grows_during_the_run(tmp_path, jsonl, rows):
    path = jsonl("in.jsonl", rows)
    result = qc.dedup(path, recall_sample=0)
    with path.open("ab") as file:
        file.write(b'{"text":"more"}\n')
    with pytest.raises(InputError, match="changed while the run read it; run again when no program writes to it"):
        result.save(tmp_path / "run")
    assert not list(tmp_path.glob("run*"))


@pytest.fixture(scope="module")
def big(tmp_path_factory):
    """Some seconds of work: 5,000 documents, all of them in the sample of recall."""
    rng = random.Random(5)
    pool = "".join(
        rng.choices("天地人山水火木金土日月星云风雨雪春夏秋冬东西南北城市乡村道路桥梁学校医院工厂商店", k=100_000)
    )
    path = tmp_path_factory.mktemp("big") / "big.jsonl"
    starts = rng.choices(range(99_900), k=40_000)
    with path.open("w", encoding="utf-8") as file:
        for k in range(5_000):
            text = "".join(pool[a : a + 60] for a in starts[8 * k : 8 * k + 8])
            file.write(f'{{"id":"{k}","text":"{text}"}}\n')
    return path


class Begun:
    """The command in a process of its own, with signals as in a shell; it has begun, or has ended a stage."""

    def __init__(self, path, out, stage, place):
        pipe = place / "told"
        os.mkfifo(pipe)
        reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)  # who writes does not wait
        self.command = forked.Command("dedup", path, "-o", out, "--recall-sample", "5000", "--progress", stderr=pipe)
        os.set_blocking(reading, True)
        self.told, self.pid, self.said = os.fdopen(reading, encoding="utf-8"), self.command.pid, ""
        end = time.monotonic() + 300
        while not list(out.parent.glob(f".{out.name}.quchong-*/new")):
            assert time.monotonic() < end
            assert self.command.running()
            time.sleep(0.01)
        while stage and not self.said.rpartition("\n")[0].rpartition("\n")[2].startswith(stage):
            line = self.told.readline()
            assert line, self.said
            self.said += line

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.command.close()

    def end(self, number):
        """Sends a signal; exit code, and what it said."""
        assert self.command.send(number), self.said
        with self.told:
            self.said += self.told.read()
        return self.command.wait()


@pytest.mark.parametrize(
    ("number", "stage"),
    [
        (signal.SIGINT, ""),
        (signal.SIGINT, "read and fingerprint"),
        (signal.SIGINT, "passages"),
        (signal.SIGTERM, "verify"),
        (signal.SIGHUP, "read and fingerprint"),
    ],
)
def test_stopped_by_hand(tmp_path, tmp_path_factory, big, number, stage):
    with Begun(big, tmp_path / "run", stage, tmp_path_factory.mktemp("told")) as begun:
        ended = begun.end(number)
    assert ended.returncode == 130, begun.said
    assert "stopped; no output was written or changed" in begun.said and "Traceback" not in begun.said
    assert not ended.stdout
    assert list(tmp_path.iterdir()) == []


def test_killed_and_run_again(tmp_path, tmp_path_factory, big, command, jsonl, rows, gone):
    out = tmp_path / "run"
    small = jsonl("in.jsonl", rows)
    with Begun(big, out, "read and fingerprint", tmp_path_factory.mktemp("told")) as begun:
        ran = command("dedup", small, "-o", out, "-q")
        assert ran.code == 4 and f"another run (process {begun.pid}) is writing" in ran.line
        assert begun.end(signal.SIGKILL).returncode == -signal.SIGKILL
    assert sorted(p.name[:13] for p in tmp_path.iterdir()) == [".run.quchong-", "in.jsonl"]
    assert command("dedup", small, "-o", out, "-q").code == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.jsonl", "run"]
    assert set(qc.load(out).tables["ledger"]["id"].to_pylist()) == set(gone)


@pytest.mark.parametrize(
    ("argv", "format", "raw"),
    [
        (["dedup", "-", "--dry-run"], "parquet", b"PAR1 no more"),
        (["dedup", "-", "--dry-run"], "csv", b"a,b\n1,2\n"),
        (["passages", "-"], "parquet", b"PAR1 no more"),
        (["statistics", "-", "-o", "x.parquet"], "arrow", b"ARROW1 no more"),
    ],
)
def test_an_error_of_standard_input_names_it(tmp_path, argv, format, raw):
    code = "from quchong.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, *argv, "-q", "--format", format],
        input=raw,
        capture_output=True,
        check=False,
        cwd=tmp_path,
    )
    said = done.stderr.decode()
    assert "/stdin" not in said and "quchong-" not in said and "Traceback" not in said
    assert done.returncode == 3 and "standard input" in said, said


def test_a_run_folder_stands_for_its_kept_rows(command, dedup, jsonl, rows, gone):
    first = dedup(jsonl("in.jsonl", rows))
    run = dedup(jsonl("more.jsonl", rows[:3]), "--against", first.folder)
    assert run.manifest["counts"]["reference"] == len(rows) - len(gone) and len(run.removed) == 3
    assert {row["id"] for row in dedup(first.folder).documents} == {row["id"] for row in rows} - set(gone)
    annotated = dedup(jsonl("in.jsonl", rows), "--mode", "annotate")
    ran = command("dedup", annotated.folder, "--dry-run")
    assert ran.code == 3 and "annotate" in ran.line


@pytest.mark.parametrize("name", ["in.csv", "in.txt", "in.jsonl"])
def test_many_bad_records_say_what_is_wrong_with_the_first(command, tmp_path, name):
    """A file in no encoding that is found is told with its remedy, and a dry run names no file that it does not write."""
    text = {
        "in.csv": "id,text\n1,au caf\xe9 noir\n".encode("latin-1"),
        "in.txt": "au caf\xe9 noir".encode("latin-1"),
        "in.jsonl": '{"id": 1, "text": "au caf\xe9 noir"}\n'.encode("latin-1"),
    }
    (tmp_path / name).write_bytes(text[name])
    ran = command("dedup", tmp_path / name, "--dry-run", "-q")
    said = ran.out + ran.err
    assert ("iconv -f GB18030" if name == "in.jsonl" else "give that encoding with the option encoding") in said, said
    assert "skipped.jsonl" not in said


def test_a_run_over_csv_in_gbk(tmp_path, dedup, command, rows):
    """Same decisions as in UTF-8; told; sides in GBK; the run folder is explained, put back and decided again in it."""
    lines = [f'{row["id"]},"{row["text"]}"\r\n' for row in rows]
    for name, encoding in (("a", "utf-8"), ("b", "gb18030")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "in.csv").write_bytes(("id,text\r\n" + "".join(lines)).encode(encoding))
    plain, run = dedup(tmp_path / "a" / "in.csv"), dedup(tmp_path / "b" / "in.csv")
    assert run.found() == plain.found() and run.removed and run.skipped == []
    assert run.manifest["inputs"][0]["encoding"] == "gb18030" and "encoding" not in plain.manifest["inputs"][0]
    for side in ("kept.csv", "removed.csv"):
        assert (run.folder / side).read_bytes() == (plain.folder / side).read_bytes().decode("utf-8").encode("gb18030")
    gone = sorted(run.removed)[0]
    assert command("explain", run.folder, gone).out == command("explain", plain.folder, gone).out
    again = qc.load(run.folder)
    assert "read as GB18030" in again.summary() and "in.csv" in again.summary()
    assert again.kept.equals(qc.load(plain.folder).kept)
    peak = {"peak_memory_bytes": 0}  # of the process, whatever ran in it before
    assert again.rethreshold(0.99).counts | peak == qc.load(plain.folder).rethreshold(0.99).counts | peak
    assert command("restore", run.folder, "--all").code == 0
    assert sorted((run.folder / "kept.csv").read_bytes().splitlines()) == sorted(
        (tmp_path / "b" / "in.csv").read_bytes().splitlines()
    )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--encoding", "nonsense"], "this encoding cannot be read"), (["--encoding", "utf-7"], "this encoding cannot be read"),
        (["--encoding", "gbk", "--format", "arrow"], "is not a file of text, CSV or JSON lines"), (["--encoding", "gbk", "--engine", "spark"], "--encoding"),
    ],
)  # fmt: skip
def test_encodings_that_will_not_do(tmp_path, command, given, said):
    (tmp_path / "in.csv").write_text("id,text\n1,a\n")
    ran = command("dedup", tmp_path / "in.csv", "-o", tmp_path / "run", *given)
    assert ran.code == 2 and said in ran.line and "--encoding" in ran.line
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "the first bad record is odd.txt: the file looks like binary data: there is a NUL at byte 2"),
        ("zh", "第一条坏记录是 odd.txt：文件像是二进制数据：第 2 字节处有 NUL"),
    ],
)
def test_a_file_given_by_itself_is_named_once(command, tmp_path, monkeypatch, language, said):
    """In the alarm of `dedup`, and in Chinese with the reason translated in `compare` too."""
    monkeypatch.setenv("QUCHONG_LANG", language)
    (tmp_path / "odd.txt").write_bytes(b"a\0b")
    (tmp_path / "plain.txt").write_text("湖边的渡口又开了船。", encoding="utf-8")
    ran = command("dedup", tmp_path / "odd.txt", "--dry-run")
    assert said in ran.err and ran.err.count("odd.txt") == ran.err.count(said), ran.err
    compared = command("compare", tmp_path / "odd.txt", tmp_path / "plain.txt").err
    assert said.partition("odd.txt")[2][1:].strip() in compared, compared


@pytest.mark.parametrize("argv", [(), ("dedup", "news.jsonl"), ("doctor",), ("compare", "a", "b"), ("methods",)])
@pytest.mark.parametrize(
    ("language", "said"), [("en", "the current folder no longer exists"), ("zh", "当前目录已不存在")]
)
def test_a_current_folder_that_was_removed(command, monkeypatch, tmp_path, argv, language, said):
    """Standard output is not to blame, and Java is not absent."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    monkeypatch.setenv("QUCHONG_LANG", language)
    ran = command(*argv)
    assert said in ran.line and ran.code == 3
