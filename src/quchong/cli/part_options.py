"""Options of `dedup` for runs in parts, and the command that reads one part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from quchong.errors import UsageError
from quchong.languages import join_names

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

PARTS = ("part", "step", "join")
"""Parameters of runs in parts, in the order of a help."""
_OPTIONS: tuple[Decorator, ...] = (
    click.option("--part", metavar="K/N", help="Process only part K of N; --join N joins the parts later."),
    click.option(
        "--step",
        type=click.Choice(["read", "verify"]),
        default="read",
        help="Step to run for a part: read first, then verify.",
    ),
    click.option("--join", type=int, metavar="N", help="Join the N parts, and finish the run."),
)
_RUNS = {"dry_run": "--dry-run", "show_plan": "--plan"}
_WHOLE = _RUNS | {"profile": "--profile", "as_json": "--json"}
"""Options of a whole run, by parameter: the first ones do not go with --join either."""


def part_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options in `PARTS` to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def check_part_options(ctx: click.Context) -> str | None:
    """Return the part that is to be read; None if the whole run is asked for, or the one that joins parts.

    Raises:
        UsageError: other options do not go with parts.
    """
    from quchong.cli.spark import given_of

    given = ctx.params
    asked = [f"--{name}" for name in ("part", "join") if given[name] is not None]
    if given["step"] != "read" and given["part"] is None:
        raise UsageError("--step chooses a step of one part: name the part with --part, such as --part 3/32")
    if not asked:
        return None
    if len(asked) > 1:
        raise UsageError("--part runs one part and --join joins all parts: leave out one of the two")
    if given["engine"] == "spark":
        raise UsageError("{}: Spark divides its work itself; leave out {}", asked[0], "--engine spark")
    if wrong := given_of(ctx, _RUNS if given["part"] is None else _WHOLE):
        raise UsageError("{}: leave out {}: it is for a run that is not in parts", asked[0], join_names(wrong))
    if given["out"] is None:
        raise UsageError("{}: all parts need the same output: give it with -o, such as -o run/", asked[0])
    part: str | None = given["part"]
    return part


def print_part(read: Any, part: str, printed: str) -> None:
    """Print in one line what a part has read, unless nothing is to be printed."""
    if printed == "none":
        return
    from quchong.cli.printing import say

    if read.pairs is None:
        say(
            "part {} has been read: documents {:,}, inputs {:,}, bad records {:,}",
            part,
            read.documents,
            read.inputs,
            read.bad,
        )
    else:
        say("part {} has verified its share of all {:,} candidate pairs", part, read.pairs)
