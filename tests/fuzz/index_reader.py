"""Reader of damaged and forged indexes: makes variants of an index, and reads, asks, checks and repairs each; only errors of ours may come.

Run by tests/fuzz/test_fuzz_index.py: index_reader.py INDEX FOLDER SEED COUNT. It prints a JSON line for each variant that it has read.
"""

from __future__ import annotations

import hashlib
import json
import random
import resource
import shutil
import sqlite3
import sys
import zlib
from contextlib import closing
from pathlib import Path

import quchong as qc
from quchong.engines.index.segment_file import BLOCK, MARK
from quchong.engines.index.settings import _sum_of

ROOM = 2 << 30
"""Bytes of memory that the process may take beyond what it has: no small file takes more."""
ODD = [
    0,
    -1,
    1,
    2**31,
    2**63 - 1,
    -(2**63),
    10**9,
    1e308,
    "",
    "x",
    "../..",
    "/etc/passwd",
    "\0",
    None,
    [],
    {},
    True,
    "9" * 5000,
]


def damage(folder, draw):
    """Change one file of an index as a disk or a bad copy does; return what was done."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.stat().st_size)
    path = draw.choice(files)
    data, how = (
        bytearray(path.read_bytes()),
        draw.choice(["flip", "flip", "flips", "cut", "zeros", "more", "gone", "other"]),
    )
    at = draw.randrange(len(data))
    if how == "flip":
        data[at] ^= 1 << draw.randrange(8)
    elif how == "flips":
        for _ in range(draw.randint(2, 200)):
            data[draw.randrange(len(data))] = draw.randrange(256)
    elif how == "cut":
        del data[at:]
    elif how == "zeros":
        data[at : at + 512] = bytes(len(data[at : at + 512]))
    elif how == "more":
        data += draw.randbytes(draw.randrange(5000))
    elif how == "other":
        data = bytearray(draw.choice(files).read_bytes())
    path.unlink()
    if how != "gone":
        path.write_bytes(data)
    return f"{how} {path.relative_to(folder)} {at}"


def forge_settings(folder, draw):
    path = folder / "index.json"
    told = json.loads(path.read_text("utf-8"))
    told.pop("sum")
    name = draw.choice(sorted(told))
    inner = told[name]
    if isinstance(inner, dict) and inner and draw.random() < 0.8:
        name = draw.choice(sorted(inner))
        inner[name] = draw.choice(ODD)
    else:
        told[name] = draw.choice(ODD)
    told["sum"] = _sum_of(told)
    path.write_text(json.dumps(told), "utf-8")
    return f"setting {name}"


def forge_rows(folder, draw):
    with closing(sqlite3.connect(folder / "g000001" / "catalogue.sqlite")) as base, base:
        table = draw.choice(["documents", "documents", "pairs", "pairs", "keys", "gone", "segments", "notes"])
        columns = [row[1] for row in base.execute(f"PRAGMA table_info({table})")]
        column = draw.choice(columns)
        value = draw.choice(
            [
                *ODD[:11],
                draw.randbytes(draw.randrange(60)),
                json.dumps(draw.choice(ODD)),
                '[["jaccard","O"]]',
                '[["a","<f8"]]',
            ]
        )
        some = "" if draw.random() < 0.3 else " WHERE rowid % 3 = 1" if table != "pairs" else " WHERE later % 3 = 1"
        try:
            base.execute(f"UPDATE OR REPLACE {table} SET {column} = ?{some}", (value,))
        except (sqlite3.Error, OverflowError):
            return "nothing"
    return f"{table}.{column} = {value!r:.40}"


def forge_segment(folder, draw):
    """Change packed postings and make all sums right: whoever forges can do that."""
    inner = folder / "g000001"
    with closing(sqlite3.connect(inner / "catalogue.sqlite")) as base, base:
        place, record = draw.choice(base.execute("SELECT place, record FROM segments").fetchall())
        name, first, documents, _, _ = json.loads(record)
        data = bytearray((inner / name).read_bytes())
        start = len(data) - 8 - int.from_bytes(data[-8:], "little")
        about = json.loads(data[start:-8])
        packed = data[len(MARK) : len(MARK) + about["packed"]]
        for _ in range(draw.choice([1, 1, 3, 40])):
            packed[draw.randrange(min(len(packed), draw.choice([64, 256, 1 << 30])))] = draw.choice(
                [0, 255, draw.randrange(256)]
            )
        if draw.random() < 0.2:
            del packed[draw.randrange(len(packed)) :]
            about["packed"] = len(packed)
        if draw.random() < 0.3:
            first, documents = draw.choice([(first, documents + 1), (first, 2**32), (0, 0), (first, documents)])
        sums = b"".join(zlib.crc32(packed[k : k + BLOCK]).to_bytes(4, "little") for k in range(0, len(packed), BLOCK))
        tail = json.dumps(about, separators=(",", ":")).encode()
        rest = sums + tail + len(tail).to_bytes(8, "little")
        (inner / name).write_bytes(MARK + packed + rest)
        digest = hashlib.blake2b(MARK + rest, digest_size=16).hexdigest()
        told = json.dumps([name, first, documents, len(MARK) + len(packed) + len(rest), digest])
        base.execute("UPDATE segments SET record = ? WHERE place = ?", (told, place))
    return f"segment {name}"


def forge_column(folder, draw):
    path = draw.choice(sorted((folder / "g000001").glob("*.column")))
    data = bytearray(path.read_bytes())
    for k in range(64, 64 + 8 * 60):
        if draw.random() < 0.3:
            data[k] = draw.choice([0, 255, 127, draw.randrange(256)])
    path.write_bytes(data)
    return f"column {path.name}"


def read(folder, asked):
    """Read everything of an index; return the errors of ours."""
    said = []

    def tried(call):
        try:
            return call()
        except qc.QuchongError as error:
            said.append(str(error))
            return None

    def opened():
        with qc.Index(folder, read_only=True) as index:
            ids = tried(index.ids) or []
            tried(lambda: index.query(asked, passages=True))
            tried(lambda: index.query(asked[0]["text"]))
            for id in ids[:12]:
                tried(lambda id=id: index.text(id))
                tried(lambda id=id: index.matches(id, passages=True))
                tried(lambda id=id: id in index)
            tried(index.stats)
            tried(lambda: len(index))
            return {id: tried(lambda id=id: index.text(id)) for id in ids}

    before = {str(path): (path.lstat().st_size, path.lstat().st_mtime_ns) for path in folder.rglob("*")}
    found = tried(opened)
    problems = tried(lambda: qc.Index.verify_folder(folder))
    after = {str(path): (path.lstat().st_size, path.lstat().st_mtime_ns) for path in folder.rglob("*")}
    assert before == after, "reading wrote"
    tried(lambda: qc.Index.migrate(folder))
    return said, found, problems


def main(index, work, seed, count):
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + ROOM, used + ROOM))
    with qc.Index(index, read_only=True) as first:
        whole = {id: first.text(id) for id in first.ids()}
    asked = [{"id": f"q{k}", "text": text} for k, text in enumerate(list(whole.values())[:20])]
    for k in range(count):
        draw = random.Random(seed * 100_000 + k)
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(index, work)
        made = draw.choice(
            [
                damage,
                damage,
                damage,
                damage,
                forge_settings,
                forge_rows,
                forge_rows,
                forge_segment,
                forge_segment,
                forge_column,
            ]
        )
        what = made(work, draw)
        print(json.dumps({"variant": seed * 100_000 + k, "what": what}), flush=True)
        said, found, problems = read(work, asked)
        if made is damage and not problems and problems is not None:
            assert found == whole and not said, ("damage that was not found", said)
        if made is damage and problems:
            try:
                qc.Index.repair_folder(work)
            except qc.QuchongError as error:
                said.append(str(error))
            else:
                assert qc.Index.verify_folder(work) == [], "repaired, and damaged"
                with qc.Index(work) as again:
                    kept = {id: again.text(id) for id in again.ids()}
                    assert kept.items() <= whole.items()
                    assert len(kept) == len(whole) or "catalogue" in what, "documents were lost"
        print(json.dumps({"read": seed * 100_000 + k, "said": said[:2], "problems": len(problems or [])}), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
