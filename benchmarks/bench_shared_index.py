"""An index in PostgreSQL asked and filled by one process and by several: documents a second, and the time of one answer.

Run: python benchmarks/bench_shared_index.py CORPUS.parquet ADDRESS [--processes 1,4] (the server runs; the address names no index yet),
or with a folder in place of the address for an index that one process has. Times are of this machine, with the server on it.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing as mp
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

import quchong as qc

BATCH = 100


def documents(corpus: Path, start: int, count: int) -> list[dict[str, Any]]:
    texts = pq.read_table(corpus, columns=["text"]).slice(start, count)["text"].to_pylist()
    return [{"id": f"a{start + i}", "text": text} for i, text in enumerate(texts)]


def work(where: str, corpus: Path, what: str, start: int, count: int, barrier: Any, out: Any) -> None:
    """Ask about documents, or add them, one by one or in batches; send the times."""
    some = documents(corpus, start, count + 20)
    with qc.Index(where, read_only=what == "query", workers=1) as index:
        for one in some[count:]:  # dictionaries are read, statements prepared
            index.query(one)
        some = some[:count]
        units: list[Any] = [some[i : i + BATCH] for i in range(0, count, BATCH)] if what == "batches" else some
        call = index.query if what == "query" else index.add
        server = server_of(index)
        barrier.wait()
        begin, cpu, served, times = time.time(), time.process_time(), seconds_of(server), []
        for unit in units:
            before = time.perf_counter()
            call(unit)
            times.append(time.perf_counter() - before)
        out.put((begin, time.time(), time.process_time() - cpu, seconds_of(server) - served, times))


def server_of(index: qc.Index) -> int:
    """The number of the process of the server that this one talks to; 0 for an index in a folder."""
    if isinstance(index.folder, Path):
        return 0
    return index._open.catalogue.select("SELECT pg_backend_pid()")[0][0]


def seconds_of(process: int) -> float:
    """Processor seconds of a process of this machine, so far."""
    if not process:
        return 0.0
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measured(where: str, corpus: Path, what: str, start: int, count: int, processes: int) -> dict[str, Any]:
    context = mp.get_context("spawn")
    barrier, out = context.Barrier(processes), context.Queue()
    share = count // processes
    some = [
        context.Process(target=work, args=(where, corpus, what, start + k * share, share, barrier, out))
        for k in range(processes)
    ]
    for one in some:
        one.start()
    found = [out.get() for _ in some]
    for one in some:
        one.join()
    spent = max(end for _, end, *_ in found) - min(begin for begin, *_ in found)
    times = np.concatenate([one[-1] for one in found])
    return {
        "what": what, "processes": processes, "documents": share * processes, "documents/s": round(share * processes / spent, 1),
        "p50 ms": round(1e3 * float(np.percentile(times, 50)), 1), "p99 ms": round(1e3 * float(np.percentile(times, 99)), 1),
        "processor ms a document": round(1e3 * sum(one[2] for one in found) / (share * processes), 2),
        "of the server": round(1e3 * sum(one[3] for one in found) / (share * processes), 2),
    }  # fmt: skip


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("corpus", type=Path)
    asked.add_argument("where", help="address of an index, or a folder")
    asked.add_argument("--documents", type=int, default=20_000)
    asked.add_argument("--processes", default="1,4")
    asked.add_argument("--asked", type=int, default=1_000)
    asked.add_argument("--filled", action="store_true", help="the index is there already; it is filled further")
    given = asked.parse_args()
    with qc.Index(given.where) if given.filled else qc.Index.create(given.where) as index:
        first, start, cpu = len(index), time.perf_counter(), time.process_time()
        server = server_of(index)
        served = seconds_of(server)
        for at in range(first, given.documents, 1_000):
            index.add(documents(given.corpus, at, 1_000))
        filled = max(1, given.documents - first)
        size = {part: round(size / len(index)) for part, size in index.stats().bytes.items()}
        print(json.dumps({
            "filled": filled, "documents/s": round(filled / (time.perf_counter() - start)),
            "processor ms a document": round(1e3 * (time.process_time() - cpu) / filled, 2),
            "of the server": round(1e3 * (seconds_of(server) - served) / filled, 2), "bytes a document": size,
        }), flush=True)  # fmt: skip
    at = given.documents
    for processes in map(int, given.processes.split(",")):
        for what in ("query", "single", "batches"):
            print(json.dumps(measured(given.where, given.corpus, what, at, given.asked, processes)), flush=True)
            at += given.asked + 20


if __name__ == "__main__":
    main()
