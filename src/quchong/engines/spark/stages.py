"""Stages of a run on Spark: stores, names and times each result, and translates errors of executors."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
import uuid
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from py4j.protocol import Py4JError, Py4JJavaError, Py4JNetworkError
from pyspark.errors import PySparkException

from quchong import errors
from quchong.errors import QuchongError, UsageError
from quchong.patterns import lazy_pattern
from quchong.progress import Progress, Silent
from quchong.progress.logged import log_stage_end, log_stage_start

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_MARKS = ("spark.jobGroup.id", "spark.job.description")
_NO_PACKAGE = lazy_pattern(r"ModuleNotFoundError: No module named '(\w+)'")
OURS = lazy_pattern(r"quchong\.errors\.(\w+): (.*)")


@contextmanager
def executor_errors() -> Iterator[None]:
    """Raise our errors from executors as they are; leave errors of Spark unchanged."""
    try:
        yield
    except (PySparkException, Py4JJavaError) as error:
        found = OURS.search(str(error))
        kind = getattr(errors, found.group(1), None) if found else None
        if found is not None and isinstance(kind, type) and issubclass(kind, QuchongError):
            raise kind(found.group(2).strip()) from error
        if lacks := _NO_PACKAGE.search(str(error)):
            raise UsageError(
                "the Python of the workers has no module {}: before the session starts, set PYSPARK_PYTHON to a "
                "Python that has quchong, or ship the package (docs/guide/spark.md)",
                lacks.group(1),
            ) from error
        raise
    except (ConnectionError, Py4JNetworkError) as error:
        raise QuchongError("the Java process of Spark ended; the reason is in its log") from error


def _same_python(session: SparkSession) -> None:
    """Let workers of a local session run this Python, unless another was asked for; Spark would run the first `python3`."""
    context: Any = session.sparkContext
    asked = os.environ.get("PYSPARK_PYTHON") or context.getConf().get("spark.pyspark.python", None)
    if not asked and _on_one_machine(session):
        context.pythonExec = sys.executable


def _on_one_machine(session: SparkSession) -> bool:
    master = session.sparkContext.master or ""
    return master == "local" or master.startswith("local[")


@dataclass(slots=True)
class Spent:
    """Cost of a stage: seconds by the clock, seconds of all its tasks together, bytes written for a shuffle, number of tasks."""

    seconds: float = 0.0
    executor_seconds: float = 0.0
    shuffle_bytes: int = 0
    tasks: int = 0

    def described(self) -> dict[str, float | int]:
        """Return the cost as run.json lists it."""
        return {
            "seconds": round(self.seconds, 3), "executor_seconds": round(self.executor_seconds, 3),
            "shuffle_bytes": self.shuffle_bytes, "tasks": self.tasks,
        }  # fmt: skip


class Stages:
    """Store of stage results: a lost executor costs its part of one stage only.

    Results are files, not `localCheckpoint`: that one keeps estimates of size, which every join multiplies, until the numbers
    themselves do not fit the driver.

    Args:
        session: the session of the run.
        work: a folder every executor sees (HDFS, S3, a shared disk), in which the run makes one of its own. None, for a
            session on one machine, is a temporary folder, removed when the session ends.
        progress: receives the name of each stage as it begins.

    Attributes:
        spent: cost of each stage, in order.

    Raises:
        UsageError: no such folder for executors on other machines, or a session of Spark Connect.
    """

    def __init__(self, session: SparkSession, work: str | None, progress: Progress | None = None) -> None:
        if not hasattr(session, "_jsc"):
            raise UsageError("Spark Connect is not supported: use a classic session (SparkSession.builder.master(...))")
        self.session = session
        _same_python(session)
        self.spent: dict[str, Spent] = {}
        self._progress: Progress = progress or Silent()
        if work is None and not _on_one_machine(session):
            raise UsageError(
                "executors of {} run on other machines: set work to a folder that every executor can reach, "
                "such as hdfs:///tmp/quchong. If an executor is then lost, only its part is repeated",
                session.sparkContext.master,
            )
        if work is None:
            folder = tempfile.mkdtemp(prefix="quchong-")
            weakref.finalize(session, shutil.rmtree, folder, ignore_errors=True)
            work = Path(folder).as_uri()
        self.work = f"{work.rstrip('/')}/quchong-{uuid.uuid4().hex[:12]}"

    def __call__(self, df: DataFrame, name: str) -> DataFrame:
        """Compute a DataFrame, store it under the name of the stage, and return the stored rows."""
        with self.stage(name), executor_errors():
            path = f"{self.work}/{name.replace(' ', '-')}"
            df.write.mode("overwrite").parquet(path)
            return self.session.read.schema(df.schema).parquet(path)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time the jobs started in the block; they carry the name of the stage in Spark's UI."""
        self._progress.stage(name, None, "rows")
        log_stage_start(name, None, "rows")
        context = self.session.sparkContext
        before = {key: context.getLocalProperty(key) for key in _MARKS}
        group = uuid.uuid4().hex
        for key, value in zip(_MARKS, (group, f"quchong: {name}"), strict=True):
            context.setLocalProperty(key, value)
        start, failed = time.perf_counter(), True
        try:
            with executor_errors():
                yield
            failed = False
        finally:
            spent = self.spent.setdefault(name, Spent())
            seconds = time.perf_counter() - start
            spent.seconds += seconds
            log_stage_end(name, 0, "rows", seconds, failed=failed)
            with suppress(Py4JError, ConnectionError, TypeError):  # Spark is gone, or keeps its figures elsewhere
                for key, old in before.items():
                    context.setLocalProperty(key, old)  # type: ignore[arg-type]
                self._add_tasks(spent, group)

    def _add_tasks(self, spent: Spent, group: str) -> None:
        """Add the cost of the tasks of a group of jobs, read from the figures Spark keeps for its UI."""
        context: Any = self.session.sparkContext
        scala, tracker = context._jsc.sc(), context.statusTracker()
        scala.listenerBus().waitUntilEmpty()
        jobs = (tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(group))
        for number in sorted({stage for job in jobs if job is not None for stage in job.stageIds}):
            done = scala.statusStore().lastStageAttempt(number)
            spent.executor_seconds += done.executorRunTime() / 1000
            spent.shuffle_bytes += done.shuffleWriteBytes()
            spent.tasks += done.numCompleteTasks()

    def clear(self) -> None:
        """Remove the run's folder of stages, once all results are written elsewhere."""
        jvm, conf = self.session._jvm, self.session._jsc.hadoopConfiguration()
        path = jvm.org.apache.hadoop.fs.Path(self.work)  # type: ignore[union-attr]
        path.getFileSystem(conf).delete(path, True)
