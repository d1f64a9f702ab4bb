"""Options of commands that take labels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def truth_options(*, required: bool) -> Decorator:
    """Return a decorator that adds the options for a file of labels and its columns."""
    options: tuple[Decorator, ...] = (
        click.option("--truth", type=click.Path(path_type=Path), metavar="FILE", required=required,
                     help="Labels: .jsonl, .csv, .tsv or .parquet, of pairs or of clusters."),
        click.option("--complete", is_flag=True, help="Every pair that the labels do not list counts as different."),
        click.option("--labels", metavar="NAMES", default="same,contained", show_default=True,
                     help="Labels of pairs that a run should find; pairs with any other label are not counted."),
        click.option("--truth-keys", metavar="NAMES", help="Other names of columns, such as left=a,right=b,label=kind."),
        click.option("--truth-words", metavar="WORDS", help="Other words for labels, such as dup=same,other=different."),
    )  # fmt: skip

    def added(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return added
