"""An index of pages of 2 kB as it grows: documents a second, one question, one addition, bytes, memory, opening.

    python benchmarks/index/scale.py --sizes 100000,1000000 --work FOLDER
    python benchmarks/index/scale.py --sizes 10000000 --work FOLDER          about 30 GB of disk
    python benchmarks/index/scale.py --sizes 1000000 --method minhash --store features --work FOLDER

Pages are those of make_posts.py: 333 to 1,000 Chinese characters, a tenth exact repeats, a fifth edited copies within 250,000. Asked about
are pages of another seed (new), pages of the index, and these with one character in 200 changed. One JSON line a size.

Pages are made by a process of their own, which waits while they are added, so that memory is that of the process that writes: `own`, which
only it can give back, and `mapped`, pages of files of the index, which the system takes back when it needs them.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

sys.path.insert(0, str(Path(__file__).parents[1]))

from make_posts import PIECE, SEED, piece

import quchong

SHORTEST, LONGEST = 333, 1000
BATCH, ASKED = 25_000, 1000
OTHER_SEED = 77


def make_pages(asked: Connection) -> None:
    """Answer each ((count, seed), first, end) with these of as many pages as bytes of an Arrow file, until there is no further one."""
    known: tuple[int, int] | None = None
    while (one := asked.recv()) is not None:
        made, first, end = one
        if made != known:
            known, pages = made, piece(*made, SHORTEST, LONGEST)
        sink = pa.BufferOutputStream()
        some = pa.concat_arrays([pages.slice(first, end - first)])
        with pa.ipc.new_file(sink, pa.schema([("text", some.type)])) as writer:
            writer.write_table(pa.table({"text": some}))
        asked.send_bytes(memoryview(sink.getvalue()))


class Pages:
    """Pages that a process of its own makes, and that come in batches."""

    def __init__(self) -> None:
        start = multiprocessing.get_context("spawn")
        self._asking, theirs = start.Pipe()
        self._maker = start.Process(target=make_pages, args=(theirs,), daemon=True)
        self._maker.start()

    def make(self, count: int, seed: int, first: int = 0, end: int | None = None) -> pa.Array:
        """Return pages `first` to `end` of as many as are made from a seed."""
        self._asking.send(((count, seed), first, count if end is None else end))
        return pa.ipc.open_file(pa.py_buffer(self._asking.recv_bytes())).read_all()["text"].combine_chunks()

    def batches(self, first: int, end: int) -> Iterator[pa.Table]:
        """Yield pages by number in batches, with an id that is not in the order of numbers."""
        for start in range(first - first % PIECE, end, PIECE):
            for at in range(max(first, start), min(end, start + PIECE), BATCH):
                last = min(end, start + PIECE, at + BATCH)
                some = self.make(PIECE, SEED + 10 * (start // PIECE), at - start, last - start)
                ids = pa.array([f"p{(n * 7919) % 1_000_003:07}-{n}" for n in range(at, last)])
                yield pa.table({"id": ids, "text": some})

    def close(self) -> None:
        """End the process."""
        self._asking.send(None)
        self._maker.join()


class Memory:
    """Memory of this process, looked at ten times a second, in megabytes."""

    def __init__(self) -> None:
        self._most = {"own": 0, "mapped": 0, "both": 0}
        threading.Thread(target=self._watch, daemon=True).start()

    @staticmethod
    def now() -> dict[str, int]:
        """Return what the process has now: of its own, of mapped files, and both."""
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        told = {
            name: int(value.split()[0]) // 1000
            for name, _, value in (one.partition(":") for one in lines)
            if name.startswith("Rss")
        }
        own, mapped = told["RssAnon"] + told["RssShmem"], told["RssFile"]
        return {"own": own, "mapped": mapped, "both": own + mapped}

    def most(self) -> dict[str, int]:
        """Return the most of each since the last call."""
        most, self._most = self._most, {"own": 0, "mapped": 0, "both": 0}
        return most

    def _watch(self) -> None:
        while True:
            time.sleep(0.1)
            most = self._most
            for name, value in self.now().items():
                most[name] = max(most[name], value)


def asked(pages: Pages, known: pa.Array, seed: int) -> dict[str, list[str]]:
    """Return texts by kind: new ones 70 of 100, exact copies 10, edited copies 20."""
    rng = np.random.default_rng(seed)
    drawn = known.take(pa.array(rng.integers(0, len(known), ASKED * 3 // 10))).to_pylist()
    edited = [
        "".join("改" if hit else c for c, hit in zip(t, rng.random(len(t)) < 1 / 200, strict=True)) for t in drawn
    ]
    new = pages.make(ASKED, SEED + OTHER_SEED + 100_000 * seed).to_pylist()
    return {"new": new[: ASKED * 7 // 10], "exact": drawn[: ASKED // 10], "edited": edited[ASKED // 10 :]}


def timed(call: Any, texts: dict[str, list[str]]) -> dict[str, dict[str, list[float]]]:
    """Return median and 99th percentile in milliseconds of clock and processor, by kind and of all; kinds come in turn."""
    mixed = [(kind, text) for kind, some in texts.items() for text in some]
    order = np.random.default_rng(3).permutation(len(mixed))
    kinds, times = [], np.empty((len(mixed), 2))
    for k, at in enumerate(order.tolist()):
        kind, text = mixed[at]
        cpu, start = time.process_time(), time.perf_counter()
        call(text)
        times[k] = time.perf_counter() - start, time.process_time() - cpu
        kinds.append(kind)
    out = {}
    for kind in ("all", *texts):
        mine = times if kind == "all" else times[np.array(kinds) == kind]
        out[kind] = {
            name: [round(float(np.percentile(mine[:, c], p)) * 1000, 2) for p in (50, 99)]
            for c, name in enumerate(("clock", "cpu"))
        }
    return out


def grow(index: quchong.Index, pages: Pages, first: int, end: int) -> dict[str, Any]:
    """Add documents in batches, and return the speed of all and of the last tenth."""
    spent, cpu, marks, done = 0.0, 0.0, [], first
    for batch in pages.batches(first, end):
        before, start = time.process_time(), time.perf_counter()
        index.add(batch)
        spent, cpu = spent + time.perf_counter() - start, cpu + time.process_time() - before
        done += len(batch)
        marks.append((done, spent))
    last = [(count, seconds) for count, seconds in marks if count >= end - max(BATCH, (end - first) // 10)]
    speed = (last[-1][0] - last[0][0]) / (last[-1][1] - last[0][1]) if len(last) > 1 else 0.0
    return {"seconds": round(spent, 1), "cpu": round(cpu, 1), "a_second": round((end - first) / spent), "last_tenth": round(speed),
            "a_cpu_second": round((end - first) / cpu)}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", required=True, help="documents at which it is measured, growing, with commas")
    parser.add_argument("--work", type=Path, required=True, help="folder for the index, deleted before and after")
    parser.add_argument("--method", default="hybrid")
    parser.add_argument("--store", default="text")
    parser.add_argument("--sync", default="each")
    args = parser.parse_args()
    folder = args.work / "seen"
    shutil.rmtree(folder, ignore_errors=True)
    args.work.mkdir(parents=True, exist_ok=True)
    pages, memory = Pages(), Memory()
    index, count, added = quchong.Index.create(folder, method=args.method, store=args.store, sync=args.sync), 0, 0
    for round_number, size in enumerate(int(one) for one in args.sizes.split(",")):
        out: dict[str, Any] = {
            "documents": size,
            "method": args.method,
            "store": args.store,
            "batches": grow(index, pages, count, size),
        }
        count = size
        out["most_mb"], out["mb"] = memory.most(), memory.now()
        index.close()
        start = time.perf_counter()
        index = quchong.Index(folder)
        out["open_ms"] = round((time.perf_counter() - start) * 1000, 1)
        index.query("打开以后的第一个问题。")
        out["first_query_ms"] = round((time.perf_counter() - start) * 1000 - out["open_ms"], 1)
        known = next(pages.batches(max(0, size - BATCH), size))["text"].combine_chunks()
        out["query"] = timed(index.query, asked(pages, known, 2 * round_number))
        out["add"] = timed(index.add, asked(pages, known, 2 * round_number + 1))
        added += ASKED
        figures = index.stats()
        out["bytes_a_document"] = {name: round(value / (size + added), 1) for name, value in figures.bytes.items()}
        out |= {
            "segments": figures.segments,
            "unsealed": figures.unsealed,
            "pairs": figures.pairs,
            "reopened_mb": memory.now(),
        }
        memory.most()
        print(json.dumps(out), flush=True)
    index.close()
    pages.close()
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
