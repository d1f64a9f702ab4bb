"""What a whole run costs by method: documents per processor second, and bytes written per byte of the input.

Covers: `quchong dedup FILE -o RUN` of every method, in a process of its own, start and end among it. Compared against: nothing; it is for
reckoning what a larger corpus takes (docs/results/scale.md).
Run: `python benchmarks/bench_cost.py --corpus FILE.parquet [--methods hybrid,minhash] [--limit 20000] [--reps 3]`.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

CHILD = """
import json, resource, sys, time
from quchong.cli.main import main
begun, code = time.perf_counter(), 0
try:
    main()
except SystemExit as end:
    code = end.code or 0
used = resource.getrusage(resource.RUSAGE_SELF)
lines = dict(line.split(":") for name in ("io", "status") for line in open("/proc/self/" + name).read().splitlines())
found = {"code": code, "seconds": time.perf_counter() - begun, "cpu": used.ru_utime + used.ru_stime,
         "written": int(lines["wchar"]), "peak": int(lines["VmHWM"].split()[0]) * 1024}
print("cost " + json.dumps(found), file=sys.stderr)
"""


def cost_of(path: Path, method: str, options: list[str]) -> dict[str, Any] | None:
    """Return what one run of a method took; None if it refused."""
    with tempfile.TemporaryDirectory() as folder:
        out = str(Path(folder) / "run")
        command = [sys.executable, "-c", CHILD, "dedup", str(path), "-o", out, "--method", method, "-q", *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    told = [line for line in done.stderr.splitlines() if line.startswith("cost ")]
    found: dict[str, Any] = json.loads(told[-1].removeprefix("cost ")) if told else {"code": done.returncode}
    if found["code"]:
        print(f"{method}: {done.stderr.splitlines()[:1]}", file=sys.stderr)
        return None
    return found


def sampled(corpus: Path, limit: int | None, folder: Path) -> tuple[Path, int, int]:
    """Return the file to read, the number of its documents, and the bytes of their texts; with a limit the first so many."""
    table = pq.read_table(corpus)
    path = corpus
    if limit is not None and limit < len(table):
        table, path = table.slice(0, limit), folder / corpus.name
        pq.write_table(table, path)
    texts: pa.ChunkedArray = table["text"]
    return path, len(table), pc.sum(pc.binary_length(texts)).as_py()


def main() -> None:
    from quchong.plan.catalogue import METHODS

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True, help="a Parquet file with the columns id and text")
    parser.add_argument("--methods", help="names with commas; all without it")
    parser.add_argument("--limit", type=int, help="the first so many documents")
    parser.add_argument("--reps", type=int, default=1)
    parser.add_argument("--options", default="", help="further options of dedup")
    args = parser.parse_args()
    names = args.methods.split(",") if args.methods else list(METHODS)
    with tempfile.TemporaryDirectory() as folder:
        path, documents, text = sampled(args.corpus, args.limit, Path(folder))
        print(f"{documents:,} documents, {text / 1e6:,.0f} MB of text, a file of {path.stat().st_size / 1e6:,.0f} MB\n")
        print(
            "| method | documents a processor second | MB of text a processor second | processors busy | written / text | peak MB |"
        )
        print("|---|---|---|---|---|---|")
        for name in names:
            runs = [cost_of(path, name, args.options.split()) for _ in range(args.reps)]
            known = [one for one in runs if one is not None]
            if not known:
                print(f"| {name} | - | - | - | - | - |")
                continue
            took = {key: statistics.median(one[key] for one in known) for key in ("cpu", "seconds", "written", "peak")}
            print(
                f"| {name} | {documents / took['cpu']:,.0f} | {text / took['cpu'] / 1e6:,.1f} | {took['cpu'] / took['seconds']:.2f} | "
                f"{took['written'] / text:.2f} | {took['peak'] / 1e6:,.0f} |", flush=True,
            )  # fmt: skip


if __name__ == "__main__":
    main()
