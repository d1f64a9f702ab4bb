"""Wei 2013, figure 10: CCDet on one machine and on a cluster, over the number of pages and of cores.

Source: Wei 2013, section 5. Each run is a process of its own (`runs`) over generated pages (`pages`). Long series are measured in
parts by packages/lab/tools/bench_cluster.py, which makes the same tables of its runs (`findings`).
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa

from quchong.errors import UsageError, install
from quchong_lab.cells import cell
from quchong_lab.experiment import Claim, Experiment, Findings, Plot, Scale
from quchong_lab.spark.medians import Middle, middles
from quchong_lab.spark.model import Cluster, Local, fit_cluster, fit_local
from quchong_lab.spark.pages import pages_in
from quchong_lab.spark.runs import Limits, Run, measure, of_row
from quchong_lab.spark.summary import crossings, larger, remarks, stages

SIZES: dict[Scale, tuple[int, ...]] = {
    "quick": (1_000, 3_000),
    "paper": (3_000, 30_000, 100_000, 300_000),
    "full": (3_000, 30_000, 100_000, 300_000, 1_000_000, 2_000_000),
}
COUNTED = ("read", "kept", "removed", "distinct", "candidates", "pairs")
REMOVED_AS = ("exact", "duplicate", "contained_in")
"""Relations by which a run removes documents. They and COUNTED are the counts of a run that do not depend on time."""
REPEATS: dict[Scale, int] = {"quick": 1, "paper": 3, "full": 3}


def engines(scale: Scale) -> list[tuple[str, int]]:
    """Return pairs of engine and cores: local on all cores, Spark on one core (not at the quick scale) and on all."""
    cores = os.cpu_count() or 1
    return [("local", cores), *(("spark", k) for k in sorted({1, cores}) if k == cores or scale != "quick")]


def planned_runs(sizes: Sequence[int], kinds: Sequence[tuple[str, int]], repeats: range, seed: int) -> list[Run]:
    """Return the runs to make, by size; engines alternate, so that a busy minute affects all of them."""
    return [Run(n, seed, kind, cores, repeat) for n in sorted(sizes) for repeat in repeats for kind, cores in kinds]


def held_out(found: Sequence[Middle], cores: int) -> tuple[Cluster, Middle] | None:
    """Fit the model to all sizes but the largest; return it and the largest, or None if fewer than two sizes remain."""
    found = sorted((m for m in found if m.engine == "spark" and m.cores == cores), key=lambda m: m.pages)
    return (fit_cluster(found[:-1], cores), found[-1]) if len(found) > 2 else None


def _measured_in(run: Run, work: Path) -> dict[str, Any]:
    return asdict(measure(run, pages_in(work, run.pages, run.seed), work, Limits()))


def findings(runs: Sequence[Run]) -> Findings:
    """Build table, model and remarks from measured runs.

    Raises:
        UsageError: the local engine, or Spark on the most cores, has runs of fewer than two sizes that ended well.
    """
    found = middles(runs)
    cores = sorted({m.cores for m in found if m.engine == "spark"})
    local: Local = fit_local(found)
    cluster = fit_cluster(found, cores[-1] if cores else os.cpu_count() or 1)
    alone = {m.pages: m.wall for m in found if m.engine == "spark" and m.cores == 1}
    rows = [_measured(m, alone) for m in found]
    tried = [t for t in (held_out(found, k) for k in cores) if t]
    rows += [_predicted(*t) for t in tried]
    beyond = larger(cluster)
    more = {
        "stages": stages(cluster),
        **({"larger": beyond} if len(beyond) else {}),
        "crossing": crossings(local, cluster),
    }
    failed = [run for run in runs if run.error]
    return Findings(pa.Table.from_pylist(rows), remarks(found, local, cluster, tried, failed), more)


def _measured(m: Middle, alone: dict[int, float]) -> dict[str, Any]:
    spark = m.engine == "spark"
    return {
        "what": "measured", "engine": m.name, "pages": m.pages, "runs": m.runs, "seconds": m.wall, "spread": m.spread,
        "outside_stages": m.wall - m.seconds,
        "executor_seconds": sum(s.executor_seconds for s in m.stages.values()) if spark else None,
        "shuffle_mb": sum(s.shuffle_bytes for s in m.stages.values()) / 1e6 if spark else None,
        "peak_mb": m.peak_bytes / 1e6, "candidates": m.pairs, "pairs": m.found, "ms_a_page": 1000 * m.wall / m.pages,
        "times_one_core": alone[m.pages] / m.wall if spark and m.pages in alone else None, "error": None,
    }  # fmt: skip


def _predicted(model: Cluster, largest: Middle) -> dict[str, Any]:
    seconds, n = model.seconds(largest.pages), largest.pages
    return {
        "what": "predicted", "engine": largest.name, "pages": n, "runs": 0, "seconds": seconds, "spread": None,
        "outside_stages": model.start, "executor_seconds": model.executor_seconds(n), "shuffle_mb": model.shuffle_bytes(n) / 1e6,
        "peak_mb": None, "candidates": round(model.pairs_per_page * n), "pairs": None, "ms_a_page": 1000 * seconds / n,
        "times_one_core": None, "error": seconds / largest.wall - 1,
    }  # fmt: skip


def _scale(scale: Scale, seed: int) -> Findings:
    if importlib.util.find_spec("pyspark") is None or not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        raise UsageError("this experiment runs Spark: {}, and put Java 17 on the path", install("spark"))
    runs = []
    with tempfile.TemporaryDirectory(prefix="quchong-lab-") as folder:
        work = Path(folder)
        for run in planned_runs(SIZES[scale], engines(scale), range(REPEATS[scale]), seed):
            name = f"{run.engine} {run.cores} {run.pages} {run.repeat}"
            runs.append(of_row(cell(name, _measured_in, run, work)))
    return findings(runs)


def counted(runs: Sequence[Run]) -> pa.Table:
    """Return the counts of runs that depend on neither engine nor machine: one row for each size, more if two runs disagree."""
    rows: dict[tuple[int, ...], dict[str, int]] = {}
    for run in runs:
        relations = run.counts.get("removed_by_relation", {})
        row = {"pages": run.pages, **{name: int(run.counts.get(name, 0)) for name in COUNTED}}
        row |= {name: int(relations.get(name, 0)) for name in REMOVED_AS}
        rows[tuple(row.values())] = row
    return pa.Table.from_pylist([rows[key] for key in sorted(rows)])


def _counts(scale: Scale, seed: int) -> Findings:
    """Count the results of the local engine, in seconds; tests require the same counts of Spark.

    Raises:
        UsageError: a run failed.
    """
    with tempfile.TemporaryDirectory(prefix="quchong-lab-") as folder:
        work, runs = Path(folder), []
        for pages in SIZES[scale]:
            run = measure(Run(pages, seed, "local", os.cpu_count() or 1), pages_in(work, pages, seed), work, Limits())
            if run.error:
                raise UsageError("{}, {:,} pages: {}", run.name, pages, run.error)
            runs.append(run)
        return Findings(counted(runs))


SCALE = Experiment(
    "cluster/scale",
    "CCDet on one machine and on a cluster: seconds over pages and cores, and what they cost on larger ones",
    "Wei 2013, figure 10",
    (
        Claim("fig. 10", "CCDet on MapReduce, 3,000 to 2,000,000 pages", "time grows nearly linearly", "figures lost; its pages "
              "too: ours are made, 4 kB of text each"),
        Claim("fig. 10", "one machine against the cluster", "one machine is faster below about 300,000 pages, then deteriorates "
              "sharply", "its machine and number of nodes are not known"),
        Claim("5", "more nodes", "run time falls almost linearly", "here: cores of one machine"),
    ),
    (Plot("pages", "seconds", ("engine", "what"), log_x=True, log_y=True),
     Plot("pages", "peak_mb", ("engine", "what"), log_x=True, log_y=True)),
    _scale,
    repeats=False,
    counts=_counts,
)  # fmt: skip
