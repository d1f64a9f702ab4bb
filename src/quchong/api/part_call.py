"""One part of a run: `dedup_part` reads and fingerprints a share of the inputs, which `dedup(join=...)` takes over."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature
from pathlib import Path
from typing import Any, Literal

from quchong.api.deduplication import dedup, planned_call
from quchong.api.part_runs import check_divisible, check_shared_files, do_part
from quchong.api.public_calls import public
from quchong.engines.local.part_reading import PartRead
from quchong.engines.local.part_shares import PartNumber
from quchong.errors import Param, UsageError
from quchong.plan.sources import Data
from quchong.progress import LoggedRun
from quchong.runs.layout import check_free


@public("tokens")
def dedup_part(
    data: Data,
    *,
    part: str,
    out: str | Path,
    step: Literal["read", "verify"] = "read",
    storage_options: Mapping[str, Any] | None = None,
    **options: Any,
) -> PartRead:
    """Run one part of a run into a folder next to `out`, from which `dedup(..., join=...)` reads it.

    The parts of a run may be read at the same time, by any machines that share the disk. A part that was stopped goes on when it is read
    again; one that is complete is not read again.

    Args:
        data: paths, as in `dedup`; each part is given all of them.
        part: number of the part, from 1, and the number of all, such as "3/32".
        out: the run folder that `dedup(..., join=...)` will write, or with `work` the name by which the parts know each other.
        step: "read" reads and fingerprints a share of the data. "verify", when all parts have been read, finds all candidate pairs and
            compares a share of them; it may be left out, for all parts or for some.
        storage_options: as in `dedup`.
        **options: other arguments of `dedup`, the same for all parts and for `join`, but for `workers`, `memory`, `fresh` and `progress`.

    Returns:
        What the part has done.

    Raises:
        UsageError, InputError: as `dedup`; or the data is in memory.
        OutputError: `out` exists (without `overwrite`); another process is at work on this part; there is no room.
        RunError: step "verify" before all parts have been read.
    """
    one = PartNumber.from_text(part)
    if step not in ("read", "verify"):
        raise UsageError("{} must be one of {}, not {!r}", Param("step"), "read, verify", step)
    whole = signature(dedup)
    if "join" in options:
        raise UsageError("{} is for the run that joins the parts: leave out the option", Param("join"))
    bound = whole.bind(data, out=out, **options)
    bound.apply_defaults()
    given = {
        name: value for name, value in bound.arguments.items() if name not in ("data", "storage_options", "parameters")
    }
    plan, reading, output, stages = planned_call(data, **given, **bound.arguments["parameters"])
    assert output.folder is not None
    check_shared_files(reading.data, reading.against)
    check_divisible("part", one.count, output.folder, keep_work=output.keep_work)
    check_free(output.folder, overwrite=output.overwrite)
    with (
        LoggedRun("dedup part", method=plan.method.name, out=str(output.folder)) as logged,
        reading.open_inputs(plan) as inputs,
    ):
        read = do_part(
            inputs, inputs.plan or plan, one, output.folder, stages, step, within=output.work, fresh=output.fresh, memory=output.memory
        )  # fmt: skip
        logged.finish({"documents": read.documents, "skipped": read.bad}, [], stages.sampler.whole.private)
    return read
