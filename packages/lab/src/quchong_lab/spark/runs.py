"""Runs of `quchong dedup --method ccdet` on one machine and on Spark, measured from outside and stored as JSON lines.

Source: Wei 2013, figure 10. Each run is a process of its own, because memory and start-up are measured too. The lab uses only the
command line and run.json of the cluster engine.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from quchong.errors import InputError, UsageError
from quchong_lab.spark.monitor import RunFailed, run

PARTITION = 20_000
"""Pages of a part of a shuffle, about; a core has at least two parts."""
NUMBERED = re.compile(r" \d+$")


@dataclass(frozen=True, slots=True)
class Stage:
    """Cost of a stage of Spark: wall-clock seconds, seconds of all its tasks, bytes shuffled (written), tasks."""

    seconds: float = 0.0
    executor_seconds: float = 0.0
    shuffle_bytes: int = 0
    tasks: int = 0

    def __add__(self, other: Stage) -> Stage:
        return Stage(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(Stage)))


@dataclass(frozen=True, slots=True)
class Run:
    """Run of one engine on one corpus, with its measured cost.

    Attributes:
        pages, seed: the corpus.
        engine: local or spark.
        cores: threads of the local engine; k of local[k].
        repeat: 0 for the first run of its kind.
        wall: seconds of the whole process, start and end among them.
        peak_bytes: memory of the process and all it starts.
        seconds: seconds of each stage, as in run.json.
        stages: cost of each stage of Spark; steps of one loop ("components 3") are added up. Empty for the local engine.
        counts: documents read, kept, candidates, pairs and so on, as run.json has them.
        text_bytes: bytes of the Parquet files (compressed).
        partitions: number of partitions of shuffles; 0 for the local engine.
        error: reason why the run has no figures; empty if it ended well.
    """

    pages: int
    seed: int
    engine: str
    cores: int
    repeat: int = 0
    wall: float = 0.0
    peak_bytes: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)
    stages: Mapping[str, Stage] = field(default_factory=dict)
    counts: Mapping[str, Any] = field(default_factory=dict)
    text_bytes: int = 0
    partitions: int = 0
    error: str = ""

    @property
    def name(self) -> str:
        """Engine with its cores: local, spark[2]."""
        return "local" if self.engine == "local" else f"{self.engine}[{self.cores}]"

    @property
    def key(self) -> tuple[int, int, str, int, int]:
        """Identity of a run: a run with the key of a measured one need not be made again."""
        return (self.pages, self.seed, self.engine, self.cores, self.repeat)

    @property
    def pairs(self) -> int:
        """Number of candidate pairs that were scored."""
        return int(self.counts.get("candidates", 0))


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a run: memory of Spark's driver (which contains its executor), bytes in all, seconds."""

    driver_memory: str = "4g"
    bytes: int = 20_000_000_000
    seconds: float = 4 * 3600.0


def measure(wanted: Run, files: Sequence[Path], work: Path, limits: Limits | None = None) -> Run:
    """Carry out a run; its output is read and removed. A failed run is returned with `error`.

    Args:
        wanted: pages, seed, engine, cores and repeat of the run.
        files: files of the corpus.
        work: a folder for the output, Spark's files and the log of the command (log.txt, of the last run).
        limits: limits of the run; None for the defaults.

    Raises:
        UsageError: no such engine.
    """
    limits = limits or Limits()
    _clear(work)
    (work / "spark").mkdir(parents=True)
    about = asdict(wanted) | {"text_bytes": sum(file.stat().st_size for file in files)}
    if wanted.engine == "spark":
        about["partitions"] = max(2 * (os.cpu_count() or 1), 2 * wanted.cores, wanted.pages // PARTITION)
    try:
        ended = run(
            command(wanted, files, work, limits, about["partitions"]), work / "log.txt", limits.bytes, limits.seconds
        )
        manifest = json.loads((work / "run" / "run.json").read_text("utf-8"))
        stages = together((name, Stage(**stage)) for name, stage in manifest.get("stages", {}).items())
    except RunFailed as error:
        return Run(**about | {"error": str(error)})
    finally:
        _clear(work)
    return Run(
        **about | {"wall": ended.seconds, "peak_bytes": ended.peak_bytes, "seconds": manifest["seconds"], "stages": stages,
                   "counts": manifest["counts"]}
    )  # fmt: skip


def _clear(work: Path) -> None:
    for name in ("run", "run.partial", "spark"):  # run.partial: of a run that was ended
        shutil.rmtree(work / name, ignore_errors=True)


def command(wanted: Run, files: Sequence[Path], work: Path, limits: Limits, partitions: int) -> list[str]:
    """Return the command line of a run.

    Raises:
        UsageError: no such engine.
    """
    given = [sys.executable, "-m", "quchong.cli.main", "dedup", *map(str, files), "-o", str(work / "run"),
             "--method", "ccdet", "--quiet"]  # fmt: skip
    if wanted.engine == "local":
        return [*given, "--recall-sample", "0", "--workers", str(wanted.cores)]
    if wanted.engine != "spark":
        raise UsageError("engines are local and spark, not {!r}", wanted.engine)
    settings = {
        "spark.driver.memory": limits.driver_memory, "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": partitions, "spark.sql.files.maxPartitionBytes": "32m",
        "spark.local.dir": work / "spark",
    }  # fmt: skip
    given += ["--engine", "spark", "--master", f"local[{wanted.cores}]"]
    return [*given, *(part for name, value in settings.items() for part in ("--spark-conf", f"{name}={value}"))]


def together(stages: Iterable[tuple[str, Stage]]) -> dict[str, Stage]:
    """Add up the costs of stages by name; steps of one loop ("components 0", "components 1") are one stage."""
    out: dict[str, Stage] = {}
    for name, stage in stages:
        short = NUMBERED.sub("", name)
        out[short] = out.get(short, Stage()) + stage
    return out


def write(run_: Run, path: Path) -> None:
    """Append a run to a file of JSON lines, and flush it to the disk."""
    with path.open("a", encoding="utf-8") as out:
        out.write(json.dumps(asdict(run_), ensure_ascii=False) + "\n")
        out.flush()
        os.fsync(out.fileno())


def of_row(row: Mapping[str, Any]) -> Run:
    """Build a run from the dict that `asdict` returns, or that was read from its JSON."""
    return Run(**{**row, "stages": {name: Stage(**stage) for name, stage in row["stages"].items()}})


def read(path: Path) -> list[Run]:
    """Read the runs of a file of JSON lines in order; an empty list if there is no file.

    Raises:
        InputError: a line is no run.
    """
    if not path.exists():
        return []
    out = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            out.append(of_row(json.loads(line)))
        except (ValueError, TypeError, KeyError) as error:
            raise InputError("{}, line {} is not a run of this experiment: {}", path, number, error) from error
    return out
