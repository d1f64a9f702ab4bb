"""What records on one template cost: seconds, memory, files, and what was foretold, by their number.

Covers: `quchong dedup FILE -o RUN` and `--plan` over notices of 46 characters that all differ in a code and a place (the shape `notices` of
tools/memory), in processes of their own; with `--families` over families of benchmarks/decisions (all: `--families all`), with what is lost
of their records and present of their copies. Compared against: itself, for time and memory a record must not grow with their number.
Run: `python benchmarks/bench_families.py [--sizes 1000 5000 50000] [--families en_calls zh_receipt] [--memory 2G] [--method hybrid]
[-- further options of dedup]`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools" / "memory"))
sys.path.insert(0, str(Path(__file__).resolve().parent / "decisions"))

import pyarrow.parquet as pq
from corpora import family_rows
from families import FAMILIES
from making import write_rows
from scoring import score
from shapes import SHAPES

CHILD = """
import json, resource, sys
from quchong.cli.main import main
try:
    main()
finally:
    used, lines = resource.getrusage(resource.RUSAGE_SELF), open("/proc/self/io").read().splitlines()
    written = int(dict(line.split(":") for line in lines)["wchar"])
    print("cost " + json.dumps({"cpu": used.ru_utime + used.ru_stime, "written": written}), file=sys.stderr)
"""


def cost_of(arguments: list[str]) -> dict[str, Any]:
    """Run the command; return its seconds by the clock and of the processor, bytes written, and what it printed."""
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", CHILD, *arguments], capture_output=True, text=True, check=False)
    seconds, told = time.perf_counter() - start, [x for x in done.stderr.splitlines() if x.startswith("cost ")]
    if done.returncode or not told:
        raise SystemExit(done.stderr)
    cost: dict[str, Any] = json.loads(told[-1].removeprefix("cost "))
    return cost | {"seconds": seconds, "out": done.stdout}


def size_of(folder: Path) -> int:
    """Return the bytes of all files in a folder."""
    return sum(one.stat().st_size for one in folder.rglob("*") if one.is_file())


def row_of(size: int, folder: Path, method: str, memory: str, options: list[str]) -> list[str]:
    """Return the row of one size: made, foretold, run."""
    made, out = SHAPES["notices"].make(folder, size), folder / "run"
    given = ["dedup", str(made), "-o", str(out), "--method", method, "--memory", memory, *options]
    plan = cost_of([*given, "--plan", "--json"])
    took = cost_of([*given, "-q"])
    run, foretold = json.loads((out / "run.json").read_text("utf-8")), json.loads(plan["out"])
    return [
        f"{size:,}", f"{run['counts']['candidates'] / size:.1f}", f"{took['seconds']:.1f}", f"{took['cpu']:.1f}",
        f"{took['cpu'] / size * 1e6:,.0f}", f"{run['peak_private_bytes'] / 1e6:,.0f}", f"{took['written'] / 1e6:,.0f}",
        f"{size_of(out) / 1e6:,.1f}", f"{run['cpu_seconds'].get('verify', 0):.1f}", f"{(run['recall'] or {}).get('judged_pairs', 0):,}",
        f"{plan['cpu']:.1f}", f"{foretold['seconds']:.1f}", f"{foretold['memory'] / 1e6:,.0f}",
    ]  # fmt: skip


FAMILY_HEAD = (
    "family", "records", "rows", "pairs each", "seconds", "CPU s", "CPU s of verify", "of templates", "of headers", "private MB", "lost %",
    "present %",
)  # fmt: skip


def family_row(name: str, size: int, folder: Path, method: str, memory: str, options: list[str]) -> list[str]:
    """Return the row of a family: made, run, scored. Its lists may allow fewer records than asked for."""
    rows, made, out = family_rows(name, size), folder / "family.jsonl", folder / "run"
    write_rows(made, rows)
    took = cost_of(["dedup", str(made), "-o", str(out), "--method", method, "--memory", memory, *options, "-q"])
    run = json.loads((out / "run.json").read_text("utf-8"))
    ledger = pq.read_table(out / "ledger.parquet", columns=["id", "survivor_id"])
    (scored,) = score(rows, dict(zip(*(ledger[column].to_pylist() for column in ledger.column_names), strict=True)))
    spent = [f"{run['cpu_seconds'].get(stage, 0):.1f}" for stage in ("verify", "templates", "headers")]
    return [
        f"`{name}`", f"{scored.records:,}", f"{len(rows):,}", f"{run['counts']['candidates'] / len(rows):.1f}", f"{took['seconds']:.1f}",
        f"{took['cpu']:.1f}", *spent, f"{run['peak_private_bytes'] / 1e6:,.0f}", f"{100 * scored.lost_share:.2f}",
        f"{100 * scored.present_share:.1f}",
    ]  # fmt: skip


HEAD = (
    "notices", "pairs each", "seconds", "CPU s", "CPU us each", "private MB", "written MB", "run folder MB", "CPU s of verify",
    "pairs judged", "plan CPU s", "foretold s", "foretold MB",
)  # fmt: skip


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--sizes", type=int, nargs="+", default=[1_000, 5_000, 50_000])
    asked.add_argument("--memory", default="2G")
    asked.add_argument("--method", default="hybrid")
    asked.add_argument(
        "--families", nargs="+", choices=["all", *FAMILIES], default=[], help="families in place of notices"
    )
    asked.add_argument("options", nargs="*", help="further options of dedup, after --")
    given = asked.parse_args()
    head = FAMILY_HEAD if given.families else HEAD
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for name in FAMILIES if "all" in given.families else given.families:
        for size in given.sizes:
            with tempfile.TemporaryDirectory(prefix="quchong-families-") as folder:
                row = family_row(name, size, Path(folder), given.method, given.memory, given.options)
            print("| " + " | ".join(row) + " |", flush=True)
    for size in () if given.families else given.sizes:
        with tempfile.TemporaryDirectory(prefix="quchong-families-") as folder:
            row = row_of(size, Path(folder), given.method, given.memory, given.options)
        print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
