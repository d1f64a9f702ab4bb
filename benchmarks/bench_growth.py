"""How seconds and memory grow with the number of documents: one corpus of posts, and the first half, quarter, ... of it.

Covers: `quchong dedup`, Parquet in, run folder out, without measured recall (it looks at a sample, whatever the size). Compared against:
itself at half the size. Run: `python benchmarks/bench_growth.py --work FOLDER` (16 million posts take about 10 GB of disk and 5 minutes).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow.parquet as pq

MILLION = 1_000_000


def run(corpus: Path, work: Path, method: str, memory: str) -> dict[str, float]:
    """One run: seconds by the clock, of the processor, and the most memory, pages of files among it."""
    out = Path(tempfile.mkdtemp(dir=work)) / "run"
    command = [
        sys.executable,
        "-m",
        "quchong",
        "dedup",
        str(corpus),
        "-o",
        str(out),
        "--method",
        method,
        "--memory",
        memory,
    ]
    start, before = time.perf_counter(), os.times()
    subprocess.run([*command, "--recall-sample", "0", "-q", "--json"], check=True, stdout=subprocess.DEVNULL)
    seconds, after = time.perf_counter() - start, os.times()
    told = json.loads((out / "run.json").read_text())
    shutil.rmtree(out.parent)
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return {"seconds": seconds, "cpu": cpu, "bytes": told["peak_memory_bytes"]}


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--work", type=Path, required=True, help="a folder for corpora and runs; corpora stay there")
    asked.add_argument("--millions", type=int, nargs="+", default=[1, 2, 4, 8, 16])
    asked.add_argument("--method", default="two-stage")
    asked.add_argument("--memory", default="2G")
    asked.add_argument("--reps", type=int, default=1)
    given = asked.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    rows = []
    for millions in given.millions:
        count, corpus = millions * MILLION, given.work / f"posts-{millions}m.parquet"
        if not corpus.exists():
            made = corpus.with_suffix(".part")
            subprocess.run(
                [sys.executable, str(Path(__file__).with_name("make_posts.py")), str(count), str(made)], check=True
            )
            made.rename(corpus)
        assert pq.read_metadata(corpus).num_rows == count
        runs = [run(corpus, given.work, given.method, given.memory) for _ in range(given.reps)]
        one = {name: statistics.median(each[name] for each in runs) for name in runs[0]}
        rows.append((millions, one))
        print(f"{millions} million: {one['seconds']:.1f} s", file=sys.stderr, flush=True)
    print("| million posts | seconds | us a post | CPU us a post | peak MB | bytes a post |\n|---|---|---|---|---|---|")
    for millions, one in rows:
        count = millions * MILLION
        print(
            f"| {millions} | {one['seconds']:.1f} | {one['seconds'] / count * 1e6:.2f} | {one['cpu'] / count * 1e6:.2f} "
            f"| {one['bytes'] / 1e6:,.0f} | {one['bytes'] / count:,.0f} |"
        )


if __name__ == "__main__":
    main()
