"""Segments of postings at any number of documents: bytes, rates of sealing and merging, times of opening and looking up.

Covers: `SegmentPostings`, filled by documents of uniformly random keys (the worst case for its size: no two keys are equal), sealed every
`--seal` documents and merged as it says. Looked up are the keys of one document at a time, present and absent, as a join of keys does
(the first 64 of a list, and whether it is a crowd); with a tail and deleted documents besides. Rates are of processor seconds of this
process, so that they mean something on a machine with other work; times of a lookup are by the clock and of the processor.
Run: python benchmarks/bench_segments.py FOLDER --documents 1000000 (a folder that does not exist; it is removed again).
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from quchong.candidates.postings import Represented
from quchong.engines.index.columns import ColumnFiles
from quchong.engines.index.segment_file import SegmentRecord, write_segment
from quchong.engines.index.segments import SegmentPostings
from quchong.kernels.postings import DocumentSizes
from quchong.kernels.segments import pack_segment
from quchong.outputs import OwnFolder

FRONT = {"most": 65, "counted": 1000}
"""How a join of keys with a cap of 64 asks."""


def documents(first: int, count: int, keys: int) -> Represented:
    """Documents of random keys, which follow from their numbers."""
    values = np.random.default_rng([3, first]).integers(0, 2**64, count * keys, dtype=np.uint64)
    offsets = np.arange(0, count * keys + 1, keys, dtype=np.int64)
    sizes = DocumentSizes.from_columns(np.full(count, 400.0))
    return Represented(values, np.ones(len(values), np.uint32), offsets, sizes, np.zeros((count, 0), np.uint64))


def fill(folder: Path, total: int, seal: int, keys: int) -> dict[str, Any]:
    """Append, seal and merge until there are `total` documents."""
    own = OwnFolder.made(folder)
    postings = SegmentPostings(own)
    spent = {"append": 0.0, "seal": 0.0, "merge": 0.0}
    merged = 0
    start = time.perf_counter()
    for first in range(0, total, seal):
        some = documents(first, min(seal, total - first), keys)
        before = time.process_time()
        postings.append(some)
        spent["append"] += time.process_time() - before
        before = time.process_time()
        postings.seal()
        spent["seal"] += time.process_time() - before
        if due := postings.merge_due():
            before = time.process_time()
            postings.merge(due)
            spent["merge"] += time.process_time() - before
            merged += sum(record.documents for record in due)
            for record in due:
                own.remove(record.name)
    seconds = time.perf_counter() - start
    return {
        "documents": total, "keys a document": keys, "seal": seal, "segments": len(postings.records),
        "segment bytes a document": sum(record.bytes for record in postings.records) / total,
        "bytes a document with columns": (sum(record.bytes for record in postings.records) + 28 * total) / total,
        "wall seconds": round(seconds, 1), "append documents/s": round(total / spent["append"]),
        "seal postings/s": round(total * keys / spent["seal"]), "merge postings/s": round(merged * keys / max(spent["merge"], 1e-9)),
        "written by merging, times": round(merged / total, 2), "documents/s of all": round(total / sum(spent.values())),
        "peak MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "records": [list(r) for r in postings.records],
    }  # fmt: skip


def fill_directly(folder: Path, total: int, seal: int, keys: int) -> dict[str, Any]:
    """Pack documents without a tail, and merge 16 of 20 segments and 3 of the others: what is there after many seals, in less time."""
    own = OwnFolder.made(folder)
    columns, records, spent = ColumnFiles(own, 0, 0), [], 0.0
    for first in range(0, total, seal):
        some = documents(first, min(seal, total - first), keys)
        end = first + len(some)
        owner = np.repeat(np.arange(first, end, dtype=np.uint32), keys)
        columns.add(some.sizes, some.signatures)
        before = time.process_time()
        packed = pack_segment(some.keys, owner, some.weights, first=first, count=len(some), workers=1)
        sums = columns.write(end, *columns.rows())
        records.append(write_segment(own, f"{first:08x}-{end:08x}-0.segment", [packed], [sums]).record)
        spent += time.process_time() - before
        columns.seal(end)
    postings, merging, merged = SegmentPostings(own, records), 0.0, 0
    many = len(records) * 4 // 5
    for some_records in (records[:many], records[many:-1]):
        before = time.process_time()
        postings.merge(some_records)
        merging += time.process_time() - before
        merged += sum(record.documents for record in some_records)
        for record in some_records:
            own.remove(record.name)
    return {
        "documents": total, "keys a document": keys, "seal": seal, "segments": len(postings.records),
        "segment bytes a document": sum(record.bytes for record in postings.records) / total,
        "seal postings/s": round(total * keys / spent), "merge postings/s": round(merged * keys / merging),
        "peak MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "records": [list(r) for r in postings.records],
    }  # fmt: skip


def ask(folder: Path, records: list[list[Any]], seal: int, keys: int, times: int) -> dict[str, Any]:
    """Open in a new process, and look up one document at a time."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    postings = SegmentPostings(OwnFolder.open_path(folder), [SegmentRecord(*r) for r in records])
    opened = time.perf_counter() - start
    out: dict[str, Any] = {
        "opening ms": round(1000 * opened, 2),
        "opening MB": round((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024, 1),
    }
    total, draw = len(postings), np.random.default_rng(9)
    batches = [documents(first, min(seal, total - first), keys) for first in draw.choice(range(0, total, seal), 3)]

    def measure(name: str, *, present: bool) -> None:
        spent, worked, found = [], [], 0
        for _ in range(times):
            batch = batches[draw.integers(len(batches))]
            one = batch.one(int(draw.integers(len(batch)))).keys
            wanted = one if present else draw.integers(0, 2**64, keys, dtype=np.uint64)
            begun, before = time.perf_counter(), time.thread_time()
            looked = postings.lookup(wanted, **FRONT)
            worked.append(time.thread_time() - before)
            spent.append(time.perf_counter() - begun)
            found += len(looked.lists.documents)
        out[name] = {
            "p50 us": round(1e6 * float(np.percentile(spent, 50)), 1),
            "p99 us": round(1e6 * float(np.percentile(spent, 99)), 1),
            "processor p50 us": round(1e6 * float(np.percentile(worked, 50)), 1),
            "processor p99 us": round(1e6 * float(np.percentile(worked, 99)), 1),
            "documents": round(found / times, 2),
        }

    measure("first (pages are mapped)", present=True)
    measure("present", present=True)
    measure("absent", present=False)
    many = np.concatenate([batch.keys for batch in batches])[:200_000]
    spent = time.process_time()
    postings.lookup(many, **FRONT)
    out["batch, us a key"] = round(1e6 * (time.process_time() - spent) / len(many), 3)
    for i in range(40):
        postings.append(documents(total + 100 * i, 100, keys))
    measure("with a tail of 4,000 documents", present=True)
    postings.mark_gone(draw.integers(0, total, total // 10))
    measure("and a tenth deleted", present=True)
    return out


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--keys", type=int, default=90)
    parser.add_argument("--seal", type=int, default=32_768, help="documents of a seal")
    parser.add_argument("--times", type=int, default=4000, help="documents that are looked up")
    parser.add_argument("--direct", action="store_true", help="pack without a tail, and merge once")
    parser.add_argument("--ask", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    about = args.folder / "bench.json"
    if args.ask:
        known = json.loads(about.read_text("utf-8"))
        print(json.dumps(ask(args.folder, known["records"], known["seal"], known["keys a document"], args.times)))
        return
    try:
        made = (fill_directly if args.direct else fill)(args.folder, args.documents, args.seal, args.keys)
        about.write_text(json.dumps(made), encoding="utf-8")
        command = [sys.executable, __file__, str(args.folder), "--times", str(args.times), "--ask"]
        asked = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ).stdout
        made.pop("records")
        print(json.dumps(made | json.loads(asked), indent=1))
    finally:
        shutil.rmtree(args.folder, ignore_errors=True)


if __name__ == "__main__":
    main()
