"""Stores for the catalogue of an index, in one run: rows a second, bytes a row, look-ups, texts by number, opening.

Run: see README.md in the folder above. Each store runs in a process of its own. Numbers are of this machine; look-ups follow the
writing in the same machine state, so that files lie in the cache of the system where memory allows.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from contenders import Contender, Lmdb, Rocks, SortedFiles, Sqlite
from layered import Layered
from rows import batches, digests_of, ids_of

CONTENDERS: dict[str, Callable[..., Contender]] = {
    "sqlite": Sqlite,
    "lmdb": Lmdb,
    "rocksdict": Rocks,
    "files": SortedFiles,
    "layered": Layered,
}
LOOKUPS = 5000


def options_of(text: str) -> dict[str, Any]:
    """Return the options of a contender from `name=value,name=value`."""
    pairs = (part.split("=") for part in text.split(",") if part)
    return {name: int(value) if value.lstrip("-").isdigit() else value for name, value in pairs}


def percentiles(call: Callable[[Any], Any], asked: list[Any]) -> list[float]:
    """Return the median and the 99th percentile of the call over all that is asked, in microseconds."""
    times = []
    for value in asked:
        start = time.perf_counter_ns()
        call(value)
        times.append(time.perf_counter_ns() - start)
    return [round(float(np.percentile(times, p)) / 1000, 1) for p in (50, 99)]


def measure(
    name: str, options: dict[str, Any], folder: Path, count: int, text_bytes: int, size: int, seconds: float
) -> dict[str, Any]:
    make = CONTENDERS[name]
    store = make(folder, **options)
    share = max(count // 20, size)
    marks, spent, texts, written, waits = [], 0.0, 0, 0, []
    cpu = time.process_time()
    for rows in batches(count, size, text_bytes):
        start = time.perf_counter()
        store.add(rows)
        waits.append(time.perf_counter() - start)
        spent += waits[-1]
        texts += sum(len(r.text) for r in rows)
        written += len(rows)
        if written % share == 0:
            marks.append(spent)
        if spent > seconds and written % share == 0:
            break
    figures: dict[str, Any] = {
        "store": name,
        "options": options,
        "rows": written,
        "seconds": round(spent, 2),
        "cpu": round(time.process_time() - cpu, 1),
    }
    parts = np.diff([0.0, *marks])
    figures["first"], figures["last"] = round(share / parts[0]), round(share / parts[-1])
    figures["batch_ms"] = [round(float(np.percentile(waits, p)) * 1000, 2) for p in (50, 99, 100)]
    start = time.perf_counter()
    store.close()
    figures["close"] = round(time.perf_counter() - start, 2)
    size_all = sum(p.stat().st_blocks * 512 for p in folder.rglob("*") if p.is_file())
    figures["bytes_beyond_text"] = round((size_all - texts) / written, 1)
    start = time.perf_counter()
    store = make(folder, **options)
    store.texts([0])
    figures["open_ms"] = round((time.perf_counter() - start) * 1000, 1)
    drawn = np.random.default_rng(7).integers(0, written, LOOKUPS)
    ids, missing = ids_of(drawn), ids_of(drawn + (1 << 40))
    if options.get("id_index", 1):
        figures["id_hit_us"] = percentiles(store.by_id, ids)
        figures["id_miss_us"] = percentiles(store.by_id, missing)
        assert [store.by_id(i) for i in ids[:100]] == drawn[:100].tolist()
    if options.get("digest", 1):
        high, low = digests_of(drawn)
        figures["digest_hit_us"] = percentiles(lambda d: store.by_digest(*d), list(zip(high, low, strict=True)))
        high, low = digests_of(drawn + (1 << 40))
        figures["digest_miss_us"] = percentiles(lambda d: store.by_digest(*d), list(zip(high, low, strict=True)))
    if text_bytes:
        fives = np.random.default_rng(8).integers(0, written, (LOOKUPS // 5, 5)).tolist()
        figures["five_texts_us"] = percentiles(store.texts, fives)
    new = next(batches(300, 300, text_bytes))
    ones = [[r._replace(number=written + k, id=f"new/{r.id}", high=r.high ^ 1)] for k, r in enumerate(new)]
    figures["add_one_us"] = percentiles(store.add, ones)
    store.close()
    figures["rss_mb"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stores", nargs="+", help="a name, or name:option=value,...: " + ", ".join(CONTENDERS))
    parser.add_argument(
        "--work", type=Path, required=True, help="folder for the stores, each of which is deleted after its run"
    )
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--text-bytes", type=int, default=1300)
    parser.add_argument("--batch", type=int, default=1000)
    parser.add_argument(
        "--seconds", type=float, default=1e9, help="stop writing a store at the next tenth of the rows after so long"
    )
    parser.add_argument("--child", action="store_true")
    args = parser.parse_args()
    if args.child:
        name, _, options = args.stores[0].partition(":")
        print(
            json.dumps(
                measure(name, options_of(options), args.work, args.rows, args.text_bytes, args.batch, args.seconds)
            )
        )
        return
    for store in args.stores:
        folder = args.work / "store"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        command = [sys.executable, __file__, "--child", store, "--work", str(folder), "--rows", str(args.rows),
                   "--text-bytes", str(args.text_bytes), "--batch", str(args.batch),
                   "--seconds", str(args.seconds)]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        print(done.stdout.strip() or f"{store} failed: {done.stderr[-1500:]}", flush=True)
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
