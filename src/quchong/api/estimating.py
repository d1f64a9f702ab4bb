"""Estimates of runs: `estimate`."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from quchong.api.public_calls import public
from quchong.engines.local.estimate import Estimate
from quchong.engines.local.estimate import estimate as reckon
from quchong.engines.local.memory import Room, record_limit
from quchong.errors import Param, UsageError
from quchong.io.files.addresses import address_of
from quchong.plan.parameters import checked, run_place
from quchong.plan.request import make_plan
from quchong.plan.sources import Data, read_once
from quchong.results.input_options import InputOptions
from quchong.results.kept_rows import counts_unlike_kept

_OF_RUNS = ("keep", "relations", "only_against", "text", "id", "time", "source", "html", "body", "within", "per", "same_site", "strip",
            "social", "boilerplate", "differences", "templates", "roundups", "exact", "mix", "mix_seed", "keep_per_cluster",
            "recall_sample", "workers")  # fmt: skip
_LATER = ("protect", "decisions", "overwrite", "annotate", "fresh", "keep_work", "progress", "ids_only", "shard_size", "compress",
          "parquet", "add_columns")  # fmt: skip


@public(*_OF_RUNS, *_LATER, "tokens")
def estimate(
    data: Data,
    *,
    method: Any = "hybrid",
    against: Data | None = None,
    format: str | None = None,
    encoding: str | None = None,
    max_record: str | int | None = None,
    out: str | Path | None = None,
    memory: str | int | None = None,
    work: str | Path | None = None,
    storage_options: Mapping[str, Any] | None = None,
    **options: Any,
) -> Estimate:
    """Estimate the cost of `dedup` with the same arguments, from the first documents: seconds, memory, bytes in files.

    Args:
        data, method, against, format, encoding, max_record, memory, work, storage_options: as in `dedup`.
        out: the run folder; nothing is written there.
        **options: other options of `dedup`, and parameters of the method.

    Raises:
        UsageError, InputError: as in `dedup`; or the data can be read only once.

    Cost: a run over 20,000 documents, about a second. Deterministic but for the seconds.

    Example:
        >>> import quchong as qc
        >>> qc.estimate([{"text": "一则新闻，说的是同一件事。"}] * 3).documents
        3
    """
    if any(read_once(one) or isinstance(one, Iterator) for one in (data, against)):
        raise UsageError(
            "an input that can be read only once cannot be estimated before the run: pass files as {}", Param("data")
        )
    of_plan = {name: options.pop(name) for name in _OF_RUNS if name in options}
    for name in _LATER:
        options.pop(name, None)
    sizes = checked(memory=memory, max_record=max_record)
    most = record_limit(sizes["max_record"], sizes["memory"])
    plan = make_plan(method=method, max_record=most, **of_plan, **options)
    given = checked(memory=memory, work=work) | {"out": run_place(out=out)}
    reading = InputOptions.of_call(data, plan, against=against, format=format, encoding=encoding)
    goes = None if out is None else _existing_folder(_made_in(given["out"]))
    room = Room(given["memory"], goes if work is None else _existing_folder(given["work"].absolute()))
    with reading.open_inputs(plan, known=False) as inputs:
        alarms = counts_unlike_kept(against, inputs.references) if against is not None else []
        found = reckon(inputs, inputs.plan or plan, room, out=goes)
    return replace(found, alarms=tuple(alarm.describe() for alarm in alarms))


def _made_in(out: Path) -> Path:
    """Return the folder in which a run is made before it is moved or sent to its place."""
    return out.absolute().parent if address_of(out) is None else Path(tempfile.gettempdir())


def _existing_folder(place: Path) -> Path:
    """Return the folder if it exists, else the innermost existing folder around it."""
    while not place.exists():
        place = place.parent
    return place
