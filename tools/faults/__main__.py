"""Stops quchong's commands at their file calls, and checks that nothing is lost and nothing untrue.

    python tools/faults --seconds 600                              every kind of stop, drawn until time is up
    python tools/faults --seconds 3600 --seed 7 --cases overwrite  only cases with that in their name
    python tools/faults --case overwrite-jsonl --fault kill@17     one stop again
    python tools/faults --list                                     cases, kinds of stop, situations
    python tools/faults --report docs/results/faults.md            also write what was found as a page
    python tools/faults --report PAGE --logs build/faults/*.jsonl  a page of campaigns that have ended

Exit code 1 when something was wrong; the folder of every such stop is kept. See the README's section.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

import shim

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python tools/faults", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=300, help="when to stop drawing (default 300)")
    parser.add_argument("--seed", type=int, help="of the stops drawn; printed")
    parser.add_argument("--case", nargs="+", help="cases and situations by name")
    parser.add_argument("--fault", help="with --case: NAME@N, the stop at the N-th call")
    parser.add_argument("--cases", default="", help="only cases with this in their name")
    parser.add_argument("--stops", type=int, help="at most so many stops; with --case or --even of each case")
    parser.add_argument(
        "--even", action="store_true", help="no chance: the stops evenly spread over the calls of every case"
    )
    parser.add_argument("--list", action="store_true", help="list cases, kinds of stop and situations")
    parser.add_argument("--report", type=Path, help="write a page of what was found")
    parser.add_argument(
        "--only", choices=["stops", "situations"], help="draw stops alone, or go through the situations alone"
    )
    parser.add_argument("--logs", nargs="+", type=Path, help="with --report: a page of earlier campaigns' logs")
    parser.add_argument(
        "--kept", type=Path, default=Path("build/faults"), help="where the log and the folders of wrong stops are kept"
    )
    parser.add_argument("--quiet", action="store_true", help="print wrong stops and the sums alone")
    asked = parser.parse_args()
    if asked.logs:
        import report

        seeds = ", ".join(path.stem.removeprefix("stops-") for path in asked.logs)
        report.write(asked.report, report.logged(asked.logs), f"seeds {seeds}")
        return 0
    if reason := shim.why_not():
        print(f"faults cannot be injected here: {reason}")
        return 77
    shim.loaded_again(ROOT / "build" / "faults")
    sys.path.insert(0, str(Path(__file__).parent))
    from campaign import Campaign, listing

    if asked.list:
        print(listing())
        return 0
    work = tempfile.mkdtemp(prefix="quchong-faults-")  # no TemporaryDirectory: every child would remove it at its end
    try:
        return Campaign(asked, Path(work).resolve()).run()
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
