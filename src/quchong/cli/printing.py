"""Summaries and alarms for people."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

import click

from quchong.report import summary


def width(text: str) -> int:
    """Columns a text takes on a terminal: wide characters take two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def pad(text: str, columns: int) -> str:
    """The text with spaces up to so many columns."""
    return text + " " * max(0, columns - width(text))


def print_summary(manifest: Mapping[str, Any], biggest: list[tuple[str, int]], *, err: bool = False) -> None:
    """The summary table, then alarms."""
    groups = summary(manifest, biggest)
    columns = max((width(label) for _, rows in groups for label, _ in rows), default=0)
    for title, rows in groups:
        click.secho(title, bold=True, err=err)
        for label, value in rows:
            click.echo(f"  {pad(label, columns)}  {value}", err=err)
    for alarm in manifest["alarms"]:
        click.secho(f"alarm: {alarm['kind']}: {alarm['message']}", fg="yellow", err=err)


def table(rows: Sequence[Sequence[str]]) -> None:
    """Rows in columns; the first is the head."""
    widths = [max(width(row[k]) for row in rows) for k in range(len(rows[0]))]
    for i, row in enumerate(rows):
        line = "  ".join(pad(cell, w) for cell, w in zip(row, widths, strict=True)).rstrip()
        click.secho(line, bold=i == 0)


def highlight() -> Any:
    """How shared passages are marked: colour on a terminal, brackets elsewhere."""
    from quchong.report.explanation import bracketed

    return (lambda text: click.style(text, fg="green")) if sys.stdout.isatty() else bracketed
