"""Medians of runs of one engine, number of cores and size."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from quchong_lab.spark.runs import Run, Stage


@dataclass(frozen=True, slots=True)
class Middle:
    """Medians of the runs of one engine, number of cores and size.

    Attributes:
        engine, cores, pages: engine, cores and size of the runs.
        runs: number of runs that ended well.
        wall: seconds of the whole process; `spread` is the longest by the shortest.
        peak_bytes: memory of the process and all it starts.
        seconds: seconds of all stages together.
        stages: cost of each stage of Spark, medians of each figure.
        pairs, found: candidate pairs, and those that were accepted.
    """

    engine: str
    cores: int
    pages: int
    runs: int
    wall: float
    spread: float
    peak_bytes: float
    seconds: float
    stages: dict[str, Stage]
    pairs: int
    found: int

    @property
    def name(self) -> str:
        """Engine with its cores: local, spark[2]."""
        return Run(0, 0, self.engine, self.cores).name


def middles(runs: Iterable[Run]) -> list[Middle]:
    """Return medians by engine, cores and size, in this order; failed runs are left out."""
    groups: dict[tuple[str, int, int], list[Run]] = {}
    for run in runs:
        if not run.error:
            groups.setdefault((run.engine, run.cores, run.pages), []).append(run)
    return [_middle(*key, groups[key]) for key in sorted(groups)]


def _middle(engine: str, cores: int, pages: int, runs: Sequence[Run]) -> Middle:
    median = statistics.median
    stages = {}
    for name in dict.fromkeys(name for run in runs for name in run.stages):
        got = [run.stages.get(name, Stage()) for run in runs]
        stages[name] = Stage(
            median(s.seconds for s in got), median(s.executor_seconds for s in got),
            round(median(s.shuffle_bytes for s in got)), round(median(s.tasks for s in got)),
        )  # fmt: skip
    walls = [run.wall for run in runs]
    return Middle(
        engine, cores, pages, len(runs), median(walls), max(walls) / min(walls), median(run.peak_bytes for run in runs),
        median(sum(run.seconds.values()) for run in runs), stages, round(median(run.pairs for run in runs)),
        round(median(run.counts.get("pairs", 0) for run in runs)),
    )  # fmt: skip
