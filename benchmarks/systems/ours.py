"""One method of quchong on one set, in a process of its own.

`tune` finds its thresholds (`tune-first` the first alone), `time` runs it with them, `losses` says where it loses.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
from held import index_mb, relation_accuracy
from losses import losses

import quchong as qc
from quchong.evaluation.values import tunable
from quchong.plan.catalogue import build


def tune(method: str, texts: Path, truth: Path, fixed: dict, *, first: bool = False) -> dict:
    """All thresholds of a method, or the first alone."""
    parameter = tunable(build(method)).name if first else None
    found = qc.tune(pq.read_table(texts), truth, method=method, parameter=parameter, complete=True, **fixed)
    told = found.as_dict()
    chosen = {one.parameter: one.value for one in (found, *found.further) if one.value is not None}
    return {
        "setting": ", ".join(f"{k} {v:g}" for k, v in chosen.items()) or "default", "parameters": fixed | chosen,
        "held": told["reported"], "before": told["before"], "swept_by": told["swept_by"], "notes": told["notes"],
        "thresholds": [one.parameter for one in (found, *found.further)],
    }  # fmt: skip


def once(method: str, texts: Path, truth: Path) -> dict:
    """A method without a threshold, on the half that others are reported by."""
    from quchong.api.tuning import bench_of
    from quchong.evaluation.label_reader import read_truth
    from quchong.evaluation.labels import COPIES
    from quchong.evaluation.sweep import Sweep, claims_of_run
    from quchong.evaluation.tuning import REPORTED, Sides
    from quchong.evaluation.values import Tunable

    bench = bench_of(pq.read_table(texts), method, {})
    outcome = bench.run(bench.plan.method)
    moved = Tunable("", False, None, False, ())
    swept = Sweep(moved, bench.plan.method, {None: claims_of_run(outcome)}, {}, False, outcome, bench.run, {None})
    held = Sides(swept, read_truth(truth).mark_complete(True), COPIES).half_at(None, REPORTED).tried(None).describe()
    return {"setting": "no threshold", "parameters": {}, "held": held, "before": held, "swept_by": "runs", "notes": []}


def timed(method: str, texts: Path, truth: Path, parameters: dict) -> dict:
    table = pq.read_table(texts)
    start, used = time.perf_counter(), time.process_time()
    result = qc.dedup(table, method=method, differences="all", recall_sample=0, **parameters)
    seconds, cpu = time.perf_counter() - start, time.process_time() - used
    told = {"seconds": seconds, "cpu": cpu, "peak_mb": peak_mb(), "pairs": len(result.pairs)}
    return told | {"relation": relation_accuracy(result, truth), "index_mb": index_mb(result)}


def peak_mb() -> float:
    """Most memory of this process, of which what `resource` tells may be the parent's."""
    with Path("/proc/self/status").open(encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:")) * 1.024e-3


def main() -> None:
    step, method, texts, truth, parameters = (
        *sys.argv[1:3],
        Path(sys.argv[3]),
        Path(sys.argv[4]),
        json.loads(sys.argv[5]),
    )
    if step == "time":
        print(json.dumps(timed(method, texts, truth, parameters)))
        return
    if step == "losses":
        print(json.dumps(losses(pq.read_table(texts), truth, method, parameters)))
        return
    try:
        told = tune(method, texts, truth, parameters, first=step == "tune-first")
    except qc.UsageError as error:
        if "has no threshold" not in str(error):
            raise
        told = once(method, texts, truth)
    print(json.dumps(told))


if __name__ == "__main__":
    main()
