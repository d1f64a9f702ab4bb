"""One method of quchong on one set, in a process of its own: `tune` finds its threshold, `time` runs it with that."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq

import quchong as qc


def tune(method: str, texts: Path, truth: Path) -> dict:
    found = qc.tune(pq.read_table(texts), truth, method=method, complete=True)
    told = found.as_dict()
    return {
        "setting": "default" if found.value is None else f"{found.parameter} {found.value:g}",
        "parameters": {} if found.value is None else {found.parameter: found.value},
        "held": told["reported"], "before": told["before"], "swept_by": told["swept_by"], "notes": told["notes"],
    }  # fmt: skip


def once(method: str, texts: Path, truth: Path) -> dict:
    """A method without a threshold, on the half that others are reported by."""
    from quchong.api.tuning import bench_of
    from quchong.evaluation.labels import COPIES
    from quchong.evaluation.reading import read_truth
    from quchong.evaluation.sweep import Sweep, claims_of_run
    from quchong.evaluation.tuning import REPORTED, Sides
    from quchong.evaluation.values import Tunable

    bench = bench_of(pq.read_table(texts), method, {})
    outcome = bench.run(bench.plan.method)
    moved = Tunable("", False, None, False, ())
    swept = Sweep(moved, bench.plan.method, {None: claims_of_run(outcome)}, {}, False, outcome, bench.run, {None})
    held = Sides(swept, read_truth(truth).whole(True), COPIES).of(None, REPORTED).tried(None).describe()
    return {"setting": "no threshold", "parameters": {}, "held": held, "before": held, "swept_by": "runs", "notes": []}


def timed(method: str, texts: Path, parameters: dict) -> dict:
    table = pq.read_table(texts)
    start, used = time.perf_counter(), time.process_time()
    result = qc.dedup(table, method=method, recall_sample=0, **parameters)
    seconds, cpu = time.perf_counter() - start, time.process_time() - used
    peak = peak_mb()
    return {"seconds": seconds, "cpu": cpu, "peak_mb": peak, "pairs": len(result.pairs)}


def peak_mb() -> float:
    """Most memory of this process, of which what `resource` tells may be the parent's."""
    with Path("/proc/self/status").open(encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:")) * 1.024e-3


def main() -> None:
    step, method, texts = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    if step == "time":
        print(json.dumps(timed(method, texts, json.loads(sys.argv[4]))))
        return
    try:
        told = tune(method, texts, Path(sys.argv[4]))
    except qc.UsageError as error:
        if "has no threshold" not in str(error):
            raise
        told = once(method, texts, Path(sys.argv[4]))
    print(json.dumps(told))


if __name__ == "__main__":
    main()
