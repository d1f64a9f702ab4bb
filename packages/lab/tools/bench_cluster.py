"""CCDet on one machine and on Spark over the number of pages (Wei 2013, figure 10), a run at a time, kept as JSON lines.

    python packages/lab/tools/bench_cluster.py --sizes 3000,30000,100000,300000 --repeats 3 --work scratch --runs runs.jsonl
    python packages/lab/tools/bench_cluster.py --sizes 1000000,2000000 --repeats 1 --work scratch --runs runs.jsonl --resume
    python packages/lab/tools/bench_cluster.py --runs runs.jsonl --report folder     no runs: tables, model and plots of those there are

Every finished run is added to the file at once; --resume goes on where an earlier session stopped, so that a long one can be
cut into pieces (--stop-after: no new run begins later). A run that fails, or needs more memory than --memory allows, is
written down with the reason and not tried again (--again: is). Engines take turns, so that a busy minute hits all of them.
Needs PySpark and Java 17. The same functions make `quchong lab run cluster/scale`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import time
from pathlib import Path

from quchong.errors import QuchongError
from quchong_lab.report import markdown
from quchong_lab.report import write as write_findings
from quchong_lab.spark.pages import pages_in
from quchong_lab.spark.runs import Limits, measure, read, write
from quchong_lab.spark.scale import SCALE, findings, planned_runs


def engine(name: str) -> tuple[str, int]:
    """local, local:1, spark:2 -> engine and cores."""
    kind, _, cores = name.partition(":")
    return kind, int(cores) if cores else os.cpu_count() or 1


def main() -> None:
    cores = os.cpu_count() or 1
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="3000,30000,100000,300000", help="pages")
    parser.add_argument("--engines", default=",".join(dict.fromkeys(("local", "spark:1", f"spark:{cores}"))))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument(
        "--first-repeat", type=int, default=0, help="number of the first repeat, to add to earlier ones"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2, help="processes that write pages")
    parser.add_argument(
        "--work", type=Path, default=Path("bench-cluster"), help="folder for pages and runs, on a local disk"
    )
    parser.add_argument("--runs", type=Path, default=Path("cluster-runs.jsonl"), help="JSON lines, added to")
    parser.add_argument("--resume", action="store_true", help="leave out runs the file has")
    parser.add_argument("--again", action="store_true", help="with --resume: try failed ones again")
    parser.add_argument("--driver-memory", default="4g", help="spark.driver.memory")
    parser.add_argument("--memory", type=float, default=20.0, help="GB a run may have in all; it is ended above")
    parser.add_argument("--timeout", type=float, default=4 * 3600.0, help="seconds a run may take")
    parser.add_argument("--stop-after", type=float, default=float("inf"), help="seconds after which no run begins")
    parser.add_argument("--drop-pages", action="store_true", help="remove the pages of a size after its runs")
    parser.add_argument(
        "--report", type=Path, help="write tables and plots of the runs there are to this folder, and end"
    )
    args = parser.parse_args()
    if args.report:
        found = findings(read(args.runs))
        print(markdown(SCALE, found))
        print("written:", *write_findings(SCALE, found, args.report, "full", args.seed))
        return
    if args.runs.exists() and not args.resume:
        parser.error(f"{args.runs} exists: --resume adds to it, or choose another file")
    args.work = args.work.resolve()
    limits = Limits(args.driver_memory, int(args.memory * 1e9), args.timeout)
    known = {r.key for r in read(args.runs) if not (args.again and r.error)}
    begun = time.monotonic()
    kinds = [engine(name) for name in args.engines.split(",")]
    repeats = range(args.first_repeat, args.first_repeat + args.repeats)
    for size in sorted(int(s) for s in args.sizes.split(",")):
        left = [w for w in planned_runs([size], kinds, repeats, args.seed) if w.key not in known]
        if not left:
            continue
        if time.monotonic() - begun > args.stop_after:
            break
        start = time.perf_counter()
        files = pages_in(args.work, size, args.seed, args.workers)
        print(f"{size:,} pages, {len(files)} files, {time.perf_counter() - start:.0f} s", flush=True)
        for want in left:
            if time.monotonic() - begun > args.stop_after:
                print("stopped; go on with --resume", flush=True)
                return
            found = measure(want, files, args.work, limits)
            write(found, args.runs)
            told = found.error or (
                f"{found.wall:8.1f} s (stages {sum(found.seconds.values()):.1f}), peak {found.peak_bytes / 1e6:,.0f} MB, "
                f"{found.pairs:,} candidates, {found.counts['pairs']:,} pairs"
            )
            print(f"{size:>10,} {want.name:10} {want.repeat}: {told}", flush=True)
        if args.drop_pages:
            shutil.rmtree(files[0].parent)


if __name__ == "__main__":
    signal.signal(
        signal.SIGTERM, lambda *_: sys.exit("bench_cluster: stopped; go on with --resume")
    )  # ends the run with it
    try:
        main()
    except QuchongError as error:
        sys.exit(f"bench_cluster: {error}")
    except KeyboardInterrupt:
        sys.exit("bench_cluster: stopped; go on with --resume")
