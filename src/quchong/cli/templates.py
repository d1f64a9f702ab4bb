"""Command `quchong templates`: what records share that fill the same slots otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quchong.errors import OutputError, UsageError
from quchong.languages import Message, several

if TYPE_CHECKING:
    from quchong.api.loaded import LoadedResult

LISTED = 10
"""Templates that are listed unless `--limit` says otherwise."""


@click.command(short_help="Show the templates of a run: frames, slots and what fills them.")
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--template", "number", type=click.IntRange(1), metavar="N", help="Show only this template, with all its text."
)
@click.option(
    "--limit", type=click.IntRange(1), metavar="N", help="Number of templates listed.  [default: 10; --json: all]"
)
@click.option("--boilerplate", "out", metavar="FILE", type=click.Path(path_type=Path),
              help=(
                  "Write the frames to a file for dedup --boilerplate; a run with that file does not compare "
                  "the lines of the frames."
              ))  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="JSON, one object per line.")
def command(run: Path, number: int | None, limit: int | None, out: Path | None, as_json: bool) -> None:
    """Shows the templates of the run folder RUN: text that three records or more share, with slots that they fill differently.

    Records on one template that fill a slot differently are not copies, and were kept. Templates with the most
    records come first, with the most frequent fillers of each slot. --boilerplate exports the text between the
    slots; a later run with that file compares only the rest.
    """
    from quchong.api import load
    from quchong.cli.printing import paragraph, say, say_json
    from quchong.report.templates import template_lines

    result = load(run)
    rows = result.templates.to_pylist()
    if number is not None:
        if number > len(rows):
            if rows:
                raise UsageError("{} has no template {}: they are numbered from 1 to {}", run, number, len(rows))
            raise UsageError("{} has no template {}: {}", run, number, _how_many(result, 0))
        rows = [rows[number - 1]]
    if out is not None:
        say("{}", several("{:,} line written to {}", "{:,} lines written to {}", _export(rows, out, result, run), out))
        return
    shown = rows if limit is None and as_json else rows[: limit or LISTED]
    if as_json:
        for row in shown:
            say_json(row)
        return
    if number is None:
        paragraph(_how_many(result, len(rows)))
    for row in shown:
        if number is None:
            say("")
        for indent, line in template_lines(row, whole=number is not None):
            paragraph(line, " " * indent)
    if len(shown) < len(rows):
        say("\n... and {:,} more templates: --limit {}, or --json", len(rows) - len(shown), len(rows))


def _how_many(result: LoadedResult, count: int) -> Message:
    """Return a message with the number of templates of a run; of a run without one, why."""
    config = result.manifest["config"]
    if count:
        records = sum(result.templates["records"].to_pylist())
        return several("{:,} template, with {:,} records", "{:,} templates, with {:,} records", count, records)
    if "templates" not in config:
        return Message(
            "an earlier version of quchong wrote this run and recorded no templates; to find them, run again"
        )
    if config["templates"] == "remove":
        return Message("this run did not look for templates, because of --templates remove")
    return Message("no template was found: no three records share a frame and fill its slots differently")


def _export(rows: list[dict[str, Any]], out: Path, result: LoadedResult, run: Path) -> int:
    """Write the fixed parts of templates to a new file; return the number of lines written."""
    from quchong.outputs import settled, staged_file
    from quchong.outputs.free_names import free_file
    from quchong.report.templates import LEAST, boilerplate_lines

    if not rows:
        raise UsageError("{} has no templates to export: {}", run, _how_many(result, 0))
    lines = boilerplate_lines(rows)
    if not lines:
        raise UsageError(
            "nothing to export: every text between slots is shorter than {} letters or {} Chinese characters",
            LEAST,
            LEAST // 2,
        )
    settled(out)
    if out.exists() or out.is_symlink():
        raise OutputError("{} exists: choose another file, such as {}", out, free_file(out))
    with staged_file(out) as new, new.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)
    return len(lines)
