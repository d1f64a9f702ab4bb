"""Columns that earlier runs read, for inputs that are their folders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from quchong.io.files.addresses import address_of
from quchong.outputs import stands_beneath
from quchong.runs.layout import readable_manifest

_TABLES = ("ledger", "units", "matches", "passages")
_ROLES = {"time": "time_key", "source": "source_key"}


def columns_of_run(folder: Path) -> dict[str, tuple[str, ...]]:
    """Return the columns that the run of a folder read, by the parameter that names each; {} if it is no run folder of this machine.

    The text may be several columns. A run.json that cannot be read, or names no columns, has none: the run's rows are then read as any
    other file, and what is wrong with the folder is told there.
    """
    if address_of(folder) is not None or not any(stands_beneath(folder, f"{name}.parquet") for name in _TABLES):
        return {}
    manifest = readable_manifest(folder)
    config = manifest.get("config")
    config = config if isinstance(config, dict) else {}
    found = {name: config.get(key) for name, key in _ROLES.items()} | {
        "id": manifest.get("id"),
        "text": config.get("text"),
    }
    return {name: names for name, value in found.items() if (names := _names(value))}


def columns_of_runs(paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the columns that the runs of some paths read, as `columns_of_run`; {} if one path is no run, or they read others."""
    found = [columns_of_run(Path(path)) if path != "-" else {} for path in paths]
    return found[0] if found and all(one == found[0] for one in found) else {}


def _names(value: Any) -> tuple[str, ...]:
    """Return the names of columns in an untrusted value of run.json; () if it has none."""
    names = [value] if isinstance(value, str) else value
    usable = isinstance(names, list) and all(isinstance(name, str) and name and name.isprintable() for name in names)
    return tuple(names) if usable else ()


Earlier = Mapping[str, tuple[str, ...]]
"""Columns of an earlier run by parameter, as `columns_of_run` returns them."""
