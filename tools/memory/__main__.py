"""Runs quchong dedup on inputs of every shape under a budget, and watches the kernel's own figures of its memory.

    python tools/memory                                     every shape, budgets 500M and 1G
    python tools/memory --shapes near,one-id --budgets 500M some of them
    python tools/memory --quick                             tiny sizes under 240M: a minute; the test runs a few of them
    python tools/memory --list                              the shapes
    python tools/memory --report docs/results/memory.md     also write what was found as a page

Exit code 1 when a run held more than 1.2 times its budget, wrote more than 20 times its input (and more than 200 MB), failed, or took
processor time that grows faster than n^1.2 with the bytes n of its input.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import campaign
import report
from shapes import SHAPES
from watching import reason_not_to_run


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python tools/memory", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--shapes", default=",".join(SHAPES), help="names with commas between them")
    parser.add_argument("--budgets", help="sizes with commas between them (default 500M,1G; quick: 240M)")
    parser.add_argument("--quick", action="store_true", help="tiny sizes, one of each shape")
    parser.add_argument(
        "--seconds", type=float, default=300, help="of processors, after which a run is ended (default 300)"
    )
    parser.add_argument(
        "--folder", type=Path, help="where inputs and outputs lie meanwhile (default: a temporary folder)"
    )
    parser.add_argument("--report", type=Path, help="write a page of what was found")
    parser.add_argument("--list", action="store_true", help="list the shapes")
    asked = parser.parse_args()
    if asked.list:
        for name, shape in SHAPES.items():
            print(f"{name}: {shape.half:,} and {shape.full:,} {shape.unit}")
        return 0
    if reason := reason_not_to_run():
        print(f"memory cannot be watched here: {reason}")
        return 77
    names = asked.shapes.split(",")
    if unknown := sorted(set(names) - set(SHAPES)):
        parser.error(f"no shapes {', '.join(unknown)}; see --list")
    budgets = (asked.budgets or ("240M" if asked.quick else "500M,1G")).split(",")
    found = []
    for trial in campaign.trials(names, budgets, quick=asked.quick, seconds=asked.seconds, folder=asked.folder):
        print(report.line(trial), flush=True)
        found.append(trial)
    wrong = [(trial, why) for trial in found for why in trial.wrong]
    for trial, why in wrong:
        print(f"wrong: {trial.name} at {trial.budget}: {why}")
    if asked.report:
        report.write(asked.report, found, quick=asked.quick)
    print(f"{len(found)} runs, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
