"""Parts of run.json that are the same for every engine."""

from __future__ import annotations

import datetime
import platform
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import version
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.io import Source
from quchong.io.formats import suffix_of
from quchong.outputs import spell_path
from quchong.plan.plan import Plan
from quchong.runs.command_line import command_line
from quchong.runs.layout import FORMAT
from quchong.runs.seal import seal_of


@cache
def _own_version() -> str:
    """Return the version of quchong, read once a process, because the metadata of the package are parsed for it."""
    return version("quchong")


def path_entry(source: Source) -> dict[str, Any]:
    """Return the path of a source for run.json, with its format if the file name does not give it; {} for data in memory.

    Texts and pages have no format entry.
    """
    path = source.path
    if path is None:
        return {}
    told = source.suffix == ".txt" or suffix_of(path.name) == source.suffix
    as_what = {} if told else {"format": source.suffix[1:]}
    return {"path": spell_path(path.absolute())} | as_what


def heading(plan: Plan) -> dict[str, Any]:
    """Return the first fields of every run.json: versions of the format and of quchong, the time, and the plan."""
    return {
        "format": FORMAT,
        "quchong": _own_version(),
        "created": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "config_hash": plan.config_hash(),
        "config": plan.describe(),
    }


def describe_cut(documents: int, characters: int, emptied: int, files: Mapping[str, str]) -> dict[str, Any]:
    """Return the entry `cut` of run.json about roundups: what was cut out of them, and the files of their own texts by input.

    Args:
        documents: roundups that have a text of their own. emptied: those that have none. characters: cut out of all of them.
    """
    taken = {"documents": documents, "characters": characters, "emptied": emptied}
    return {"cut": {"what": "roundups", "at": "sentence", "files": dict(files), "taken": taken}}


def describe(
    plan: Plan, *, mode: str, inputs: Sequence[Mapping[str, Any]], files: Mapping[str, Mapping[str, str]],
    counts: Mapping[str, Any], alarms: Sequence[Mapping[str, Any]],
    against: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:  # fmt: skip
    """Build the manifest of a run.

    Args:
        plan: the plan of the run.
        mode: remove, annotate, or memory for a run that is not written.
        inputs, against: each with its `name`, and what else is known of it.
        files: names of row files in the run folder, by input and side. `kept/*.jsonl` is a folder of parts; `part` in documents.parquet
            gives the part of each row.
        counts, alarms: figures of the run, from the engine.
    """
    about = (
        heading(plan)
        | {
            "thresholds": dict(plan.method.rule.thresholds),
            "id": plan.id,
            "mode": mode,
            "inputs": list(inputs),
            "against": list(against),
            "files": dict(files),
            "counts": counts,
            "recall": None,
            "alarms": list(alarms),
            "versions": {"python": platform.python_version(), "numpy": np.__version__, "pyarrow": pa.__version__},
        }
        | command_line()
    )
    return about if mode == "memory" else about | seal_of(about)
