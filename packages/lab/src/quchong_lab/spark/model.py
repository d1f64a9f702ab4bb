"""Model of the cost of a run on Spark, stage by stage, fitted to measured runs in order to predict larger ones and more cores.

The model, whose every number is measured:

    executor seconds of a stage = fixed + slope * x         x: pages, or candidate pairs where it reads pairs (`PAIRED`)
    bytes it shuffles           = slope * x                 slope: of the largest run fitted
    wall seconds of a stage     = overhead + executor seconds / cores
    wall seconds of a run       = start + sum over its stages

Fixed parts, slopes and overheads are not negative. Pairs for each page stay as in the largest run fitted. Smaller runs say
too little about bytes, because a small side of a join is broadcast to every executor, and only larger ones are shuffled.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from quchong.errors import UsageError
from quchong_lab.spark.medians import Middle
from quchong_lab.spark.runs import Stage

PAIRED = frozenset(
    {"verify", "edges", "edges both ways", "hubs", "components", "components of documents", "components of pairs", "decide",
     "ledger with passages", "write ledger", "write pairs", "write clusters"}
)  # fmt: skip
"""Stages whose cost depends on the number of candidate pairs: those that shuffle or write pairs, or documents of pairs. The cost of
all others (search for candidates, writing of rows, counts) depends on the number of pages."""
SMALL = 1e-3
"""Share of the largest value below which values are weighted by absolute error, not by relative error."""


@dataclass(frozen=True, slots=True)
class Line:
    """Straight line y = fixed + slope * x."""

    fixed: float
    slope: float

    def at(self, x: float) -> float:
        """Return the value of the line at x."""
        return self.fixed + self.slope * x

    @staticmethod
    def through(xs: Sequence[float], ys: Sequence[float]) -> Line:
        """Fit a line with neither part negative and the least sum of squared relative errors.

        Raises:
            UsageError: fewer than two different x.
        """
        from scipy.optimize import nnls  # here: it takes long to import

        if len(set(xs)) < 2:
            raise UsageError("a line needs runs of two sizes or more; there are {}", len(set(xs)))
        x, y = np.asarray(xs, float), np.asarray(ys, float)
        if not y.any():
            return Line(0.0, 0.0)
        weight = 1 / np.maximum(y, SMALL * y.max())
        columns = np.stack([weight, x * weight], 1)
        scale = columns.max(0)
        both, _ = nnls(columns / scale, y * weight)
        return Line(*map(float, both / scale))


@dataclass(frozen=True, slots=True)
class Local:
    """Model of the local engine: wall seconds and peak bytes, over pages."""

    seconds: Line
    memory: Line

    def fits(self, bytes_: float) -> float:
        """Return the number of pages at which memory reaches this many bytes; infinite if memory does not grow."""
        return max(0.0, bytes_ - self.memory.fixed) / self.memory.slope if self.memory.slope else math.inf


@dataclass(frozen=True, slots=True)
class StageModel:
    """Model of one stage: whether its cost depends on pages or pairs, and its cost."""

    name: str
    by: Literal["pages", "pairs"]
    executor: Line
    shuffle: Line
    overhead: float


@dataclass(frozen=True, slots=True)
class Machines:
    """Cluster: executors, cores of each, and Gbit/s of each one's network."""

    executors: int
    cores: int
    gigabits: float

    @property
    def all_cores(self) -> int:
        """Number of cores of all executors."""
        return self.executors * self.cores

    def __str__(self) -> str:
        return f"{self.executors} executors x {self.cores} cores, {self.gigabits:g} Gbit/s each"


@dataclass(frozen=True, slots=True)
class Cost:
    """Cost of a stage or a run on a cluster: executor seconds, bytes shuffled, wall seconds, and the part of these spent on the network."""

    executor_seconds: float
    shuffle_bytes: float
    seconds: float
    network_seconds: float


@dataclass(frozen=True)
class Cluster:
    """Model of Spark, fitted to runs on `cores` cores of one machine."""

    cores: int
    start: float
    stages: tuple[StageModel, ...]
    pairs_per_page: float
    sizes: tuple[int, ...]

    def executor_seconds(self, pages: float) -> float:
        """Return the seconds of all tasks of a run."""
        return sum(stage.executor.at(self._x(stage, pages)) for stage in self.stages)

    def shuffle_bytes(self, pages: float) -> float:
        """Return the bytes that a run shuffles (written)."""
        return sum(stage.shuffle.at(self._x(stage, pages)) for stage in self.stages)

    def seconds(self, pages: float, cores: float | None = None) -> float:
        """Return the wall seconds of a run on this number of cores (default: the cores fitted to), without a network."""
        return self.start + self._overhead + self.executor_seconds(pages) / (cores or self.cores)

    def on(self, machines: Machines, pages: float) -> dict[str, Cost]:
        """Return the cost of each stage on a cluster whose cores have this machine's speed.

        The network's part is a bound: shuffled bytes leave every executor at full speed, while nothing else is done.
        """
        out = {}
        for stage in self.stages:
            x = self._x(stage, pages)
            work, shuffled = stage.executor.at(x), stage.shuffle.at(x)
            network = shuffled * 8 / (machines.executors * machines.gigabits * 1e9)
            out[stage.name] = Cost(work, shuffled, stage.overhead + work / machines.all_cores + network, network)
        return out

    @cached_property
    def growth(self) -> float:
        """Executor seconds that one more page costs."""
        return sum(s.executor.slope * (self.pairs_per_page if s.by == "pairs" else 1) for s in self.stages)

    @cached_property
    def _overhead(self) -> float:
        return sum(stage.overhead for stage in self.stages)

    def _x(self, stage: StageModel, pages: float) -> float:
        return pages * self.pairs_per_page if stage.by == "pairs" else pages


def fit_local(found: Sequence[Middle]) -> Local:
    """Fit the model of the local engine to runs.

    Raises:
        UsageError: runs of fewer than two sizes.
    """
    found = [m for m in found if m.engine == "local"]
    _enough(found, "local")
    pages = [float(m.pages) for m in found]
    return Local(
        Line.through(pages, [m.wall for m in found]), Line.through(pages, [float(m.peak_bytes) for m in found])
    )


def fit_cluster(found: Sequence[Middle], cores: int) -> Cluster:
    """Fit the model of Spark to its runs on this number of cores.

    Raises:
        UsageError: runs of fewer than two sizes.
    """
    found = sorted((m for m in found if m.engine == "spark" and m.cores == cores), key=lambda m: m.pages)
    _enough(found, f"spark[{cores}]")
    stages = []
    for name in dict.fromkeys(name for m in found for name in m.stages):
        got = [m.stages.get(name, Stage()) for m in found]
        by: Literal["pages", "pairs"] = "pairs" if name in PAIRED else "pages"
        xs = [float(m.pairs if by == "pairs" else m.pages) for m in found]
        overhead = statistics.median(s.seconds - s.executor_seconds / cores for s in got)
        stages.append(
            StageModel(name, by, Line.through(xs, [s.executor_seconds for s in got]),
                       Line(0.0, got[-1].shuffle_bytes / xs[-1] if xs[-1] else 0.0), max(0.0, overhead))
        )  # fmt: skip
    # tasks may take longer than their stage by the clock: those seconds are in its line, and not in the start once more
    start = statistics.median(
        m.wall - sum(max(s.seconds, s.executor_seconds / cores) for s in m.stages.values()) for m in found
    )
    last = found[-1]
    return Cluster(cores, max(0.0, start), tuple(stages), last.pairs / last.pages, tuple(m.pages for m in found))


def _enough(found: Sequence[Middle], name: str) -> None:
    if len(found) < 2:
        raise UsageError(
            "the model of {} needs runs of two sizes or more that ended well; there are {}", name, len(found)
        )


def crossing(local: Local, cluster: Cluster, cores: float) -> float | None:
    """Return the number of pages above which Spark on `cores` cores is faster than the local engine; None if it never is."""
    gain = local.seconds.slope - cluster.growth / cores
    behind = cluster.seconds(0, cores) - local.seconds.fixed
    if behind <= 0:
        return 0.0 if gain >= 0 else None
    return behind / gain if gain > 0 else None


def least_cores(local: Local, cluster: Cluster) -> int | None:
    """Return the fewest cores on which Spark is faster than the local engine for some number of pages; None if there are none."""
    if local.seconds.slope <= 0:
        return None
    return math.floor(cluster.growth / local.seconds.slope) + 1
