"""Parts of run.json that are the same for every engine."""

from __future__ import annotations

import datetime
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.plan.plan import Plan
from quchong.progress import Stages, peak_memory
from quchong.runs.command_line import command_line
from quchong.runs.layout import FORMAT
from quchong.runs.seal import seal_of


def memory_of(stages: Stages) -> dict[str, int]:
    """Return the memory peaks of a run for run.json, in bytes.

    `peak_memory_bytes` is the kernel's own figure of the whole process since its start, pages of mapped files included;
    `peak_private_bytes` and `peak_mapped_bytes` are sampled separately during the run (`quchong.progress.Sampler`), and left out if the
    system does not report them.
    """
    whole = stages.sampler.whole
    sampled = {"peak_private_bytes": whole.private, "peak_mapped_bytes": whole.mapped} if whole.private else {}
    return {"peak_memory_bytes": peak_memory()} | sampled


def describe(
    plan: Plan, *, mode: str, inputs: Sequence[Mapping[str, Any]], files: Mapping[str, Mapping[str, str]],
    counts: Mapping[str, Any], alarms: Sequence[Mapping[str, Any]], seconds: Mapping[str, float],
    against: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:  # fmt: skip
    """Build the manifest of a run.

    Args:
        plan: the plan of the run.
        mode: remove, annotate, or memory for a run that is not written.
        inputs, against: each with its `name`, and what else is known of it.
        files: names of row files in the run folder, by input and side. `kept/*.jsonl` is a folder of parts; `part` in documents.parquet
            gives the part of each row.
        counts, alarms, seconds: figures of the run, from the engine.
    """
    about = {
        "format": FORMAT,
        "quchong": version("quchong"),
        "created": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "config_hash": plan.config_hash(),
        "config": plan.describe(),
        "thresholds": dict(plan.method.rule.thresholds),
        "id": plan.id,
        "mode": mode,
        "inputs": list(inputs),
        "against": list(against),
        "files": dict(files),
        "counts": counts,
        "recall": None,
        "alarms": list(alarms),
        "seconds": {name: round(spent, 4) for name, spent in seconds.items()},
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "pyarrow": pa.__version__},
    } | command_line()
    return about if mode == "memory" else about | seal_of(about)
