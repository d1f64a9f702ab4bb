"""Preview of a `dedup` without an output: the summary without writing, and the command that keeps the run."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from quchong.errors import UsageError
from quchong.outputs.free_names import free_name
from quchong.report.visible import Shown, shown_name

_OF_SCRIPTS = (
    "overwrite", "mode", "ids_only", "shard_size", "compress", "parquet", "add_columns", "as_json", "quiet", "summary", "log_file",
    "fail_on", "keep_work", "fresh", "work", "profile",
)  # fmt: skip
"""Options by which a call is no first try: it wants an output, or nobody reads its summary."""
LARGE = 64 << 20
"""Bytes of input at or above which the run is estimated before it is previewed."""
LONG = 60
"""Seconds of a run at or above which a preview is the estimate alone."""


def is_preview(ctx: click.Context) -> bool:
    """Return True if a call without an output is answered by a preview.

    Raises:
        UsageError: an option was given that only a run with an output has a use for.
    """
    given = ctx.params
    if given["out"] is not None or given["dry_run"] or given["show_plan"]:
        return False
    unset = (ParameterSource.DEFAULT, ParameterSource.DEFAULT_MAP)
    if any(ctx.get_parameter_source(name) not in unset for name in _OF_SCRIPTS if name in given):
        raise no_output()
    return True


def no_output() -> UsageError:
    """Return the error of a call that lacks an output."""
    return UsageError("no output folder: give one with -o, such as -o run/, or use --dry-run to write nothing")


def takes_long(inputs: Any, options: dict[str, Any]) -> bool:
    """Return True if a run over large files is estimated to take more than LONG seconds; cost: about a second, or none for small files."""
    from quchong.plan.sources import places_read

    if _bytes(place.said for place in places_read(inputs)) < LARGE:
        return False
    from quchong.api import estimate

    seconds = estimate(inputs, **options).seconds
    return seconds is not None and seconds > LONG


def _bytes(paths: Iterable[str]) -> int:
    """Return the bytes of files, and of the files below folders, counted up to LARGE."""
    total = 0
    for path in map(Path, paths):
        for one in path.rglob("*") if path.is_dir() else [path]:
            total += one.stat().st_size if one.is_file() else 0
            if total >= LARGE:
                return total
    return total


def free_folder(inputs: Sequence[str]) -> str:
    """Return an unused name for a run folder, in the current folder, or next to an input that contains the current folder."""
    here = Path.cwd()
    folders = [Path(one).resolve() for one in inputs if os.path.isdir(one)]
    around = [one for one in folders if here.is_relative_to(one)]
    start = os.path.relpath(min(around, key=lambda one: len(one.parts)).parent, here) if around else ""
    return free_name("run", start)


def print_how_to_keep(ctx: click.Context) -> None:
    """Print on standard error that nothing was written, and the command line with an output."""
    from quchong.cli.printing import say

    words = sys.argv[1:]
    line = f"quchong {shlex.join(words)} -o {shlex.quote(free_folder(ctx.params['inputs']))}"
    if (
        "--" in words or shown_name(line, 100_000) != line
    ):  # behind -- an option would be an input; a name may not be printable
        say(
            "\nnothing was written; to write the result, run the same command with -o and a folder, such as -o run/",
            err=True,
        )
    elif "-" in ctx.params["inputs"]:
        say("\nnothing was written; to write the result, run with the same standard input:  {}", Shown(line), err=True)
    else:
        say("\nnothing was written; to write the result, run:  {}", Shown(line), err=True)
        _print_how_to_replace(ctx.params["inputs"], words)


def _print_how_to_replace(inputs: Sequence[str], words: Sequence[str]) -> None:
    """Print the command that writes to a run folder given as the last input, in case its -o was forgotten."""
    from quchong.cli.printing import say
    from quchong.runs.layout import is_run

    if len(inputs) < 2 or not is_run(Path(inputs[-1])) or words.count(inputs[-1]) != 1:
        return
    others = [word for word in words if word != inputs[-1]]
    line = f"quchong {shlex.join(others)} -o {shlex.quote(inputs[-1])} --overwrite"
    say("{} was read as an input; if it is the output, run:  {}", inputs[-1], Shown(line), err=True)
