"""Check of a call of `dedup` without running it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from quchong.errors import Param, UsageError
from quchong.plan.parameters import checked
from quchong.plan.request import make_plan
from quchong.plan.sources import Data, read_once
from quchong.results.input_options import InputOptions

CHECKED = 20
"""Most files whose columns are looked at."""


def check_call(data: Data, **options: Any) -> None:
    """Check the options and inputs of a call of `dedup`: everything that can be found wrong before documents are read.

    Args:
        data, **options: as for `dedup`; options of the output are not looked at.

    Raises:
        UsageError, InputError: as `dedup`.
    """
    checked(**{name: options[name] for name in ("memory", "max_record", "work") if options.get(name) is not None})
    of_inputs = {name: options.pop(name) for name in _OF_INPUTS if name in options}
    plan = make_plan(**{name: value for name, value in options.items() if name not in _OF_OUTPUT})
    reading = InputOptions.of_call(data, plan, boilerplate=options.get("boilerplate", ()), **of_inputs)
    if read_once(data) or read_once(of_inputs.get("against")):
        return
    with reading.open_inputs(plan, known=False) as inputs:
        wanted = (inputs.plan or plan).wanted_columns
        for source in islice(inputs.sources, CHECKED):
            next(iter(source.documents(wanted, [])))


_OF_INPUTS = ("against", "format", "encoding", "protect", "decisions")
_OF_OUTPUT = ("work", "memory", "fresh", "keep_work", "ids_only", "shard_size", "compress", "parquet", "add_columns")

_OF_ROWS = ("keep_per_cluster", "mix", "mix_seed")


def check_without_rows(call: str, given: Mapping[str, Any]) -> None:
    """Raise UsageError if options of `dedup` on the rows that are kept were given to a call that keeps none, such as "tune"."""
    if wrong := [name for name in _OF_ROWS if name in given]:
        raise UsageError("{} has no effect in {}: use it with {}", Param(wrong[0]), call, "dedup")
