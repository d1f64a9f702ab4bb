"""Command `quchong statistics`: count document frequencies for IDF weights."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quchong.cli.options import counting_options, named_files
from quchong.cli.parameters import MethodCommand, method_options
from quchong.cli.reporting import progress_option, quiet_option

if TYPE_CHECKING:
    from quchong.plan.request import Body

NAMES = ("ngram_size", "tokens", "normalise")
GROUPS = {
    "Input": ("text", "html", "body", "format", "encoding", "max_record", "strip"),
    "What is counted": ("method", *NAMES, "settings"),
    "Output": ("out", "overwrite", "quiet", "progress"),
    "Environment": ("workers",),
}


@click.command(cls=MethodCommand, groups=GROUPS, short_help="Count document frequencies for --weights idf.")
@click.argument("inputs", nargs=-1, required=True)
@click.option("-o", "--output", "out", type=click.Path(path_type=Path), required=True, help="File to write (Parquet).")
@click.option("--method", metavar="NAME", default="two-stage", show_default=True,
              help="The method for which documents are counted (two-stage, imatch, tree-key-sentence, ...).")  # fmt: skip
@click.option(
    "--strip",
    metavar="NAMES",
    default="",
    help="Parts not to count: dateline, source, editor, comments, licences.",
)
@click.option("--workers", type=int, metavar="N", help="Threads.  [default: all]")
@click.option("--overwrite", is_flag=True, help="Replace an earlier file of statistics.")
@quiet_option
@progress_option
@counting_options
@method_options(*NAMES)
def command(
    inputs: tuple[str, ...],
    out: Path,
    method: str,
    strip: str,
    workers: int | None,
    overwrite: bool,
    quiet: bool,
    progress: bool,
    text: str,
    html: str,
    body: Body,
    format: str | None,
    encoding: str | None,
    max_record: str | None,
    parameters: dict[str, Any],
) -> None:
    """Counts in how many documents of INPUTS each shingle occurs, for `dedup --method two-stage --weights idf`.

    With --method, the command counts the statistics that the method needs. On Spark, statistics must be given with
    --statistics. Use a corpus without copies, such as the kept rows of a run, because every copy is counted again.
    """
    from quchong.api import fit_statistics
    from quchong.cli.printing import say
    from quchong.cli.progress import watcher
    from quchong.plan.catalogue import build

    watch = watcher(quiet, lines=progress)
    try:
        found = fit_statistics(
            named_files(inputs), text=text, html=html, body=body, format=format, encoding=encoding, max_record=max_record,
            method=build(method, parameters), strip=strip, workers=workers, out=out, overwrite=overwrite, progress=watch,
        )  # fmt: skip
    finally:
        watch.close()
    if quiet:
        return
    say("{:,} documents, {:,} features, digest {}; written to {}",
        found.documents, len(found.features), found.digest, out)  # fmt: skip
