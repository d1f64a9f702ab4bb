"""Tables and remarks on the model of a cluster: stages, larger corpora, and the size at which Spark is faster."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from quchong_lab.spark.medians import Middle
from quchong_lab.spark.model import Cluster, Local, Machines, crossing, least_cores
from quchong_lab.spark.runs import Run

MACHINES = Machines(100, 8, 10.0)
"""Cluster for which larger corpora are predicted."""
LARGER = (1_000_000_000, 10_000_000_000)
FARTHEST = 100_000
"""Largest ratio of a predicted corpus to the largest measured run."""
MEMORY = 24e9
"""Bytes of memory of the one machine."""
CORES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 800)
HOUR = 3600.0
LEFT_OUT = (
    "The model leaves out: a network slower than its stated speed, stragglers and lost executors; reading and writing over a "
    "network (stages are written down and read back); the cost of starting many tasks on the driver; that lists of pages with a "
    "feature may become longer with the corpus (candidates for each page stay as in the largest run); cores faster or slower "
    "than this machine's, all of them busy."
)


def reckoned(model: Cluster) -> tuple[int, ...]:
    """Return the larger corpora that the model may predict; none after small runs, because these determine too little."""
    return tuple(n for n in LARGER if n <= FARTHEST * model.sizes[-1])


def stages(model: Cluster) -> pa.Table:
    """Return a row for each stage, and one for all: its lines, and hours and terabytes on the larger corpora."""
    costs = {n: model.on(MACHINES, n) for n in reckoned(model)}
    rows = []
    for stage in model.stages:
        row: dict[str, Any] = {
            "stage": stage.name, "goes_with": stage.by, "wall_beside_tasks_s": stage.overhead, "fixed_s": stage.executor.fixed,
            "us_for_each": 1e6 * stage.executor.slope, "shuffle_bytes_for_each": stage.shuffle.slope,
        }  # fmt: skip
        for n in costs:
            row |= _hours(costs[n][stage.name].executor_seconds, costs[n][stage.name].shuffle_bytes, n)
        rows.append(row)
    whole: dict[str, Any] = {
        "stage": "all, for each page", "goes_with": "pages", "wall_beside_tasks_s": sum(s.overhead for s in model.stages),
        "fixed_s": sum(s.executor.fixed for s in model.stages), "us_for_each": 1e6 * model.growth,
        "shuffle_bytes_for_each": model.shuffle_bytes(1) - model.shuffle_bytes(0),
    }  # fmt: skip
    for n in costs:
        whole |= _hours(model.executor_seconds(n), model.shuffle_bytes(n), n)
    return pa.Table.from_pylist([*rows, whole])


def _hours(seconds: float, shuffled: float, pages: int) -> dict[str, float]:
    size = f"{pages / 1e9:g}e9"
    return {f"executor_hours_{size}": seconds / HOUR, f"shuffle_tb_{size}": shuffled / 1e12}


def larger(model: Cluster) -> pa.Table:
    """Return a row for each larger corpus: core hours, wall hours, network hours among these, and terabytes shuffled."""
    rows = []
    for n in reckoned(model):
        costs = model.on(MACHINES, n).values()
        rows.append(
            {"pages": n, "cluster": str(MACHINES), "executor_hours": sum(c.executor_seconds for c in costs) / HOUR,
             "wall_hours": (model.start + sum(c.seconds for c in costs)) / HOUR,
             "network_hours": sum(c.network_seconds for c in costs) / HOUR,
             "shuffle_tb": sum(c.shuffle_bytes for c in costs) / 1e12}
        )  # fmt: skip
    return pa.Table.from_pylist(rows)


def crossings(local: Local, model: Cluster) -> pa.Table:
    """Return a row for some numbers of cores: the number of pages above which Spark is faster by the model, with
    seconds and local memory at that size.

    All three are null if Spark never is faster. `local_fits` says whether the local engine fits 24 GB at that size.
    """
    rows = []
    for cores in sorted({*CORES, model.cores}):
        n = crossing(local, model, cores)
        gb = None if n is None else local.memory.at(n) / 1e9
        rows.append(
            {"cores": cores, "pages": None if n is None else round(n),
             "seconds": None if n is None else local.seconds.at(n), "local_gb": gb,
             "local_fits": None if gb is None else ("yes" if gb <= MEMORY / 1e9 else "no")}
        )  # fmt: skip
    schema = pa.schema([("cores", pa.int64()), ("pages", pa.int64()), ("seconds", pa.float64()), ("local_gb", pa.float64()),
                        ("local_fits", pa.string())])  # fmt: skip
    return pa.Table.from_pylist(rows, schema=schema)


def remarks(
    found: Sequence[Middle],
    local: Local,
    model: Cluster,
    tried: Sequence[tuple[Cluster, Middle]],
    failed: Sequence[Run],
) -> tuple[str, ...]:
    """Return remarks on the measured runs, the models and failed runs."""
    kinds: dict[str, list[Middle]] = {}
    for m in sorted(found, key=lambda m: m.pages):
        kinds.setdefault(m.name, []).append(m)
    out = [_growth(name, of) for name, of in kinds.items() if len(of) > 1]
    out += [_speed_up(kinds, model.cores), *(_held_out(*t) for t in tried)]
    if not tried:
        out.append("No size was predicted: that needs runs of three sizes, the model of the smaller two or more.")
    out += [
        _measured_crossing(kinds, model.cores),
        _crossing(local, model),
        _memory(local),
        _larger(model),
        _fixed(model),
        LEFT_OUT,
    ]
    out += [f"{run.name}, {run.pages:,} pages, run {run.repeat} has no figures: {run.error}" for run in failed]
    return tuple(line for line in out if line)


def _growth(name: str, of: Sequence[Middle]) -> str:
    first, last = of[-2:]
    power = math.log(last.wall / first.wall) / math.log(last.pages / first.pages)
    return (
        f"{name}: from {first.pages:,} to {last.pages:,} pages ({last.pages / first.pages:.3g} times as many) it takes "
        f"{last.wall / first.wall:.3g} times as long: n^{power:.2f}."
    )


def _speed_up(kinds: dict[str, list[Middle]], cores: int) -> str:
    one, all_ = ({m.pages: m for m in kinds.get(f"spark[{k}]", ())} for k in (1, cores))
    both = sorted(set(one) & set(all_))
    if cores == 1 or not both:
        return ""
    n = both[-1]
    return f"Spark on {cores} cores against 1, {n:,} pages: {one[n].wall / all_[n].wall:.2f} times as fast."


def _held_out(model: Cluster, largest: Middle) -> str:
    said = model.seconds(largest.pages)
    sizes = f"{model.sizes[0]:,} to {model.sizes[-1]:,} pages ({len(model.sizes)} sizes)"
    bytes_, shuffled = model.shuffle_bytes(largest.pages), sum(s.shuffle_bytes for s in largest.stages.values())
    share = (
        f"; bytes shuffled {bytes_ / 1e9:,.3g} GB and {shuffled / 1e9:,.3g} GB: {bytes_ / shuffled - 1:+.0%}"
        if shuffled
        else ""
    )
    return (
        f"Prediction: fitted to {sizes} the model of {largest.name} says {said:,.0f} s for {largest.pages:,}; measured, median of "
        f"{largest.runs}, {largest.wall:,.0f} s: {said / largest.wall - 1:+.0%} (aim: within 30%){share}."
    )


def _measured_crossing(kinds: dict[str, list[Middle]], cores: int) -> str:
    ours, theirs = ({m.pages: m.wall for m in kinds.get(name, ())} for name in ("local", f"spark[{cores}]"))
    both = sorted(set(ours) & set(theirs))
    if not both:
        return ""
    faster = [n for n in both if theirs[n] < ours[n]]
    where = f"at {', '.join(f'{n:,}' for n in faster)} pages" if faster else "at no size measured"
    return (
        f"Spark on the {cores} cores of this machine is faster than the local engine on them {where} (paper: from about 300,000 "
        f"on); at {both[-1]:,} pages it takes {theirs[both[-1]] / ours[both[-1]]:.3g} times as long."
    )


def _crossing(local: Local, model: Cluster) -> str:
    least = least_cores(local, model)
    begun = f"A further page costs the local engine {1e3 * local.seconds.slope:.3g} ms and Spark {1e3 * model.growth:.3g} ms of a core"
    if least is None:
        return f"{begun}."
    n = crossing(local, model, MACHINES.all_cores)
    far = "" if n is None else f", on {MACHINES.all_cores} from {n:,.0f} pages on"
    return f"{begun}: by the model Spark is faster for enough pages from {least:,} cores on{far} (network left out)."


def _memory(local: Local) -> str:
    limit = local.fits(MEMORY)
    size = f"The local engine needs {local.memory.slope / 1e3:.3g} kB for each page and {local.memory.fixed / 1e6:,.0f} MB beside"
    if math.isinf(limit):
        return f"{size}."
    return f"{size}: from {limit:,.0f} pages on it no longer fits {MEMORY / 1e9:g} GB, and only a cluster is left."


def _fixed(model: Cluster) -> str:
    n = model.sizes[-1]
    share = model.executor_seconds(0) / model.executor_seconds(n)
    doubt = ", so that what a page costs, and all that is reckoned from it, is uncertain" if share > 0.5 else ""
    return f"Of the executor seconds at {n:,} pages {share:.0%} are fixed costs{doubt}."


def _larger(model: Cluster) -> str:
    rows = larger(model).to_pylist()
    if not rows:
        return f"Larger corpora are not reckoned from runs of {model.sizes[-1]:,} pages and fewer: run a larger scale (--scale paper)."
    parts = [
        f"{r['pages'] / 1e9:g} thousand million pages {r['executor_hours']:,.0f} hours of a core, {r['wall_hours']:,.1f} hours in "
        f"all, {r['shuffle_tb']:,.1f} TB shuffled" for r in rows
    ]  # fmt: skip
    return (
        f"On {MACHINES}, by the model fitted to {model.sizes[0]:,} to {model.sizes[-1]:,} pages on {model.cores} cores: "
        + "; ".join(parts) + f" ({rows[0]['network_hours']:.2g} hours of the first are the network's, at its full speed)."
    )  # fmt: skip
