"""What records on one template cost: seconds, memory, files, and what was foretold, by their number.

Covers: `quchong dedup FILE -o RUN` and `--plan` over notices of 46 characters that all differ in a code and a place (the shape `notices` of
tools/memory), in processes of their own. Compared against: itself, for time and memory a notice must not grow with their number.
Run: `python benchmarks/bench_families.py [--sizes 1000 5000 50000] [--memory 2G] [--method hybrid] [-- further options of dedup]`.
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


HEAD = (
    "notices", "pairs each", "seconds", "CPU s", "CPU us each", "private MB", "written MB", "run folder MB", "CPU s of verify",
    "pairs judged", "plan CPU s", "foretold s", "foretold MB",
)  # fmt: skip


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--sizes", type=int, nargs="+", default=[1_000, 5_000, 50_000])
    asked.add_argument("--memory", default="2G")
    asked.add_argument("--method", default="hybrid")
    asked.add_argument("options", nargs="*", help="further options of dedup, after --")
    given = asked.parse_args()
    print("| " + " | ".join(HEAD) + " |\n|" + "---|" * len(HEAD))
    for size in given.sizes:
        with tempfile.TemporaryDirectory(prefix="quchong-families-") as folder:
            row = row_of(size, Path(folder), given.method, given.memory, given.options)
        print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
