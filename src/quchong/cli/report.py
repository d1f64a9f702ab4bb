"""Command `quchong report`: a run as a web page, or as a workbook."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from quchong.cli.index_opening import is_index, open_index
from quchong.cli.options import texts_option
from quchong.cli.reporting import progress_option, quiet_option
from quchong.errors import OutputError, Param, UsageError
from quchong.languages import language


class ReportPath(click.Path):
    """Path of a file: one that ends as that of a folder is refused."""

    def convert(self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path."""
        from quchong.views.written import check_file_name

        check_file_name(value)
        return super().convert(value, param, ctx)


@click.command(short_help="Show a run as a web page, or list its removals in a workbook.")
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", "out", type=ReportPath(path_type=Path), help="File to write.  [default: RUN.html, next to RUN]"
)
@click.option(
    "--xlsx", is_flag=True, help="Write a workbook of the removed documents and their reasons, instead of a page."
)
@click.option("--overwrite", is_flag=True, help="Replace an earlier report; other files are never replaced.")
@texts_option
@quiet_option
@progress_option
def command(
    run: Path, out: Path | None, xlsx: bool, overwrite: bool, texts: tuple[Path, ...], quiet: bool, progress: bool
) -> None:
    """Writes the run folder RUN, or an index, as one HTML file that needs no network. The page has removals by
    relation, source and time, a slider for other thresholds, clusters, time lines of reprints, and documents side
    by side with shared text and differences marked.

    The page contains texts of the run, up to 10 MB, and states what is left out. Readers can switch between Chinese
    and English; --lang sets the language in which the page opens.
    """
    from quchong.api import load
    from quchong.cli.printing import say, say_left_alone
    from quchong.cli.progress import watcher
    from quchong.io.files.addresses import address_of, path_of
    from quchong.outputs import unlinked
    from quchong.views.written import WORKBOOK, is_workbook

    if out is not None and xlsx and not is_workbook(out):
        raise UsageError(
            "--xlsx writes a workbook, and {} does not end in {}: rename it, or leave out --xlsx", out, WORKBOOK
        )
    if out is None and address_of(run) is not None:
        out = unlinked(Path(f"{path_of(run).name}{WORKBOOK if xlsx else '.html'}"), "out")
    if out is None:
        whole = run.resolve()
        out = run.with_name(whole.name) if run.name not in ("", "..") else whole
        suffix = WORKBOOK if xlsx else ".html"
        out = unlinked(out.parent / f"{out.name or 'report'}{suffix}", "out")  # the root folder has no name
    if is_index(run) and out.resolve().is_relative_to(run.resolve()):
        raise OutputError("{} is inside the index {}: name another file", out, run)
    with _as_run(run, texts) as folder:
        result = load(folder, texts=texts)
        watch = watcher(quiet, lines=progress)
        try:
            result.report(out, lang=language(), overwrite=overwrite, progress=watch)
        finally:
            watch.close()
        left_alone = list(result.left_alone)
    if not quiet:
        say("written to {}", out)
        if not out.suffix and out.is_file():
            say("the name has no suffix: rename the file to {}, so that a browser opens it", f"{out}.html")
    say_left_alone(left_alone)


@contextmanager
def _as_run(folder: Path, texts: tuple[Path, ...]) -> Iterator[Path]:
    """Yield the run folder named, or a temporary one with the documents of the index named."""
    if not is_index(folder):
        yield folder
        return
    if texts:
        raise UsageError("{} looks for the texts of a run folder, but {} is an index", Param("texts"), folder)
    with tempfile.TemporaryDirectory(prefix="quchong-") as place:
        with open_index(folder, read_only=True) as index:
            run = index.export(Path(place, folder.resolve().name))
        yield run
