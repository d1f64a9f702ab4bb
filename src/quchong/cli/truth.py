"""Options of commands that take labels."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from quchong.errors import shell_word
from quchong.languages import Message
from quchong.patterns import lazy_pattern
from quchong.report.visible import Shown

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


LABEL_FILE = lazy_pattern(r"\.(?:jsonl|ndjson|json|csv|tsv|parquet|xlsx)$", re.IGNORECASE)
"""Ending of the name of a file that people give as one of labels; not all of them can be read as such."""


class _LabelNames(click.ParamType):  # type: ignore[type-arg] # click 8.1 has no argument to give
    """Names of labels; a file of labels is refused, because another option names it."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the names as they were typed."""
        if LABEL_FILE.search(str(value)):
            said = Message(
                "{} is the name of a file; give a file of labels with {}",
                value,
                Shown(f"--truth {shell_word(value)}"),
            )
            self.fail(said.translation(), param, ctx)
        return value


def truth_options(*, required: bool) -> Decorator:
    """Return a decorator that adds the options for a file of labels and its columns."""
    options: tuple[Decorator, ...] = (
        click.option("--truth", type=click.Path(path_type=Path), metavar="FILE", required=required,
                     help="Labels: .jsonl, .csv, .tsv or .parquet, of pairs or of clusters."),
        click.option("--complete", is_flag=True, help="Count every pair that is not in the labels as different."),
        click.option("--labels", type=_LabelNames(), is_eager=True, metavar="NAMES", default="same,contained", show_default=True,
                     help="Labels of pairs that a run should find; pairs with another label are not counted."),
        click.option("--truth-keys", metavar="NAMES", help=(
            "Names of the label columns, if not as usual: left=a,right=b,label=kind."
        )),
        click.option("--truth-words", metavar="WORDS", help=(
            "Names of the labels, if they are not the usual ones: dup=same,other=different."
        )),
    )  # fmt: skip

    def added(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return added
