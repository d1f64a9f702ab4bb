"""Command `quchong filter`: drop exact repeats from a stream."""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import click

from quchong.cli.interrupt import INTERRUPTED
from quchong.cli.options import LocalPath, OneName, body_option, html_option
from quchong.cli.parameters import filter_options
from quchong.cli.pieces import folder_texts, is_one_text, pieces
from quchong.cli.printing import say, say_note
from quchong.cli.sinks import Sinks, print_tally, written_on
from quchong.cli.stopping import Stop
from quchong.errors import InputError, OutputError, Param, UsageError, shell_word
from quchong.languages import Message
from quchong.outputs import Busy
from quchong.report.visible import Shown

SAVE_SECONDS = 30.0
"""Seconds between two saves of a long stream's state. After a kill -9, texts since the last save are written once more, never lost."""
_SHARED = {"text": "--text-key", "html": "--html-key", "body": "--body", "max_record": "--max-record"}
"""Options that `quchong dedup` has too, by their names in Python."""


def _shared_options() -> list[str]:
    """Return those of the options of the command line that `quchong dedup` has too, with their values."""
    ctx = click.get_current_context()
    typed = [name for name in _SHARED if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE]
    return [word for name in typed for word in (_SHARED[name], str(ctx.params[name]))]


_TABLES = {".csv", ".tsv", ".parquet", ".pq", ".arrow", ".feather", ".ipc", ".warc"}


@click.command(short_help="Remove exact repeats from a stream of short texts.")
@click.argument("inputs", nargs=-1)
@filter_options
@click.option("--lines", is_flag=True, help="Each line is a plain text, not a JSON object.")
@click.option("--text-key", "--text", "text", cls=OneName, default="text", show_default=True,
              help="Key of the text; the texts of several keys, separated by commas, are joined.")  # fmt: skip
@html_option("Key of web pages, read if there is no text.")
@body_option
@click.option(
    "--removed",
    type=LocalPath(path_type=Path),
    help="File for the removed records; with --state, records are appended to it.",
)
@click.option(
    "--skipped",
    type=LocalPath(path_type=Path),
    help="File for records that cannot be read; with --state, records are appended to it.",
)
@click.option("--state", type=LocalPath(path_type=Path),
              help=(
                  "File that stores the filter between runs. It is loaded if it exists, and saved every 30 s, "
                  "at the end and on Ctrl-C."
              ))  # fmt: skip
@click.option("--max-record", metavar="SIZE",
              help="Largest record, such as 64M: larger ones are skipped.  [default: 256M]")  # fmt: skip
@click.option("--workers", type=int, help="Threads.  [default: all]")
@click.option("-q", "--quiet", is_flag=True, help="Print no summary.")
def command(  # noqa: C901 - one step for each way in which input and output are given
    inputs: tuple[str, ...],
    lines: bool,
    text: str,
    removed: Path | None,
    skipped: Path | None,
    state: Path | None,
    max_record: str | None,
    workers: int | None,
    quiet: bool,
    html: str,
    body: str,
    **choice: Any,
) -> None:
    """Reads INPUTS (JSON lines; standard input by default) and writes the records whose text is new to stdout.

    Works on streams of any length: each record is written as soon as it is read, byte for byte (tail -f posts.jsonl
    | quchong filter). For folders and web pages (.html), paths are written, one per line. The filter finds only
    exact repeats; quchong dedup finds near-duplicates.
    """
    from quchong.cli.filter_input import check_lines, is_plain_text, no_table
    from quchong.engines.stream import Stream
    from quchong.io.files.addresses import is_address
    from quchong.io.foreign_formats import check_not_foreign
    from quchong.io.found_inputs import checked_name
    from quchong.io.limits import LARGEST
    from quchong.io.missing_columns import no_columns
    from quchong.io.page_documents import PageReader, lacks_pages
    from quchong.io.records.other_form import TableGiven
    from quchong.methods.bases.stream_filters import FilterChoice
    from quchong.outputs import only_one
    from quchong.pages import check_body
    from quchong.plan.parameters import checked
    from quchong.plan.request import names_of
    from quchong.runs.nothing_read import check_stream

    for path in map(checked_name, inputs):
        if is_address(path):
            raise UsageError(
                "{}: quchong filter reads files of this machine and standard input; for other inputs, use "
                "quchong dedup",
                path,
            )
        suffixes = set(Path(path).suffixes[-2:])
        if suffixes & _TABLES:
            raise no_table(path, options=_shared_options())
        if not lines:
            check_not_foreign(path)
        if not lines and is_plain_text(path):
            raise UsageError("{} contains plain text, not JSON lines: if each line is a text, use {}", path,
                             Shown(f"quchong filter --lines {shell_word(path)}"))  # fmt: skip
    check_body(body)
    chosen = FilterChoice(**choice)
    keys = names_of(text)
    if not lines and not keys:
        raise UsageError("--text-key does not name a key: give a key, such as --text-key text")
    if lines and text != "text":
        raise UsageError(
            "--lines reads each line as one text, and {} names a key of a record: give only one of them",
            Param("text", text),
        )
    if text != "text" and inputs and not lines and all(map(is_one_text, inputs)):
        raise no_columns("text", inputs[0])
    if state is not None and not os.path.isdir(state.parent):
        raise UsageError("--state {}: there is no folder {}; create it first", state, state.parent)
    for name, file in (("removed", removed), ("skipped", skipped)):
        if file is not None and str(file) == "-":
            raise UsageError(
                "--{} -: standard output is used for the records that pass; name a file, such as {}.jsonl", name, name
            )
    if sys.stdout is None:
        raise OutputError("standard output is closed: redirect it to a file or a pipe")
    _refuse_shared_files(inputs, removed, skipped, state)
    stop, code = Stop(), 0
    with _report_second_interrupt(state), ExitStack() as stack:
        if state is not None:
            stack.enter_context(only_one(state, _uses(state)))
        made = chosen.open(state) if state is not None and os.path.exists(state) else chosen.build()
        pages = PageReader(body, None if html in keys else html or None, workers=workers)
        most = checked(max_record=max_record)["max_record"] or LARGEST
        stream = Stream(made, None if lines else keys, workers, pages, most=most)
        saved, before = time.monotonic(), made.expected_wrongly_removed
        sinks = Sinks(
            *(stack.enter_context(written_on(p, state is not None)) if p else None for p in (removed, skipped))
        )
        stack.enter_context(stop.installed())
        try:
            for path in inputs or ("-",):
                if not lines and is_one_text(path):
                    for decided in folder_texts(stream, path, stop, most):
                        sinks.take(decided)
                    continue
                stream.begin("stdin" if path == "-" else path)
                for piece in pieces(path, stop):
                    sinks.take(stream.feed(piece))
                    if state is not None and time.monotonic() - saved > SAVE_SECONDS:
                        made.save(state)
                        saved = time.monotonic()
                sinks.take(stream.finish())
            with stop.listening():
                pass
        except KeyboardInterrupt:
            if stop.forced:  # in the middle of a batch: what was decided has not gone out
                _untouched(state, Message("stopped twice"))
                sys.exit(INTERRUPTED)
            code = INTERRUPTED
        except BrokenPipeError:
            _untouched(state, Message("the program that read the output has closed it"))
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what the interpreter flushes
            sys.exit(0)  # here, as click would make it 1
        except InputError as refused:
            if state is not None and stream.tally.read:
                made.save(state)  # what was let through has gone out
            if isinstance(refused, TableGiven):
                raise no_table(path, refused.format, _shared_options()) from None
            raise
        if state is not None:
            made.save(state)
    if not quiet:
        if not lines and (error := lacks_pages(pages, stream.tally.read)):  # a stream may bring pages later
            say_note(error)
        print_tally(stream, before, state)
    if code:
        sinks.report_held()
        sys.exit(code)
    check_lines(stream.tally.read, stream.tally.skipped, sinks.broken_json, page=sinks.page)
    sinks.report_held()
    check_stream(stream.tally.read, stream.tally.skipped)


def _uses(state: Path) -> Busy:
    return lambda owner, _place: Message("another filter ({}) is using --state {}: wait until it ends", owner, state)


@contextmanager
def _report_second_interrupt(state: Path | None) -> Iterator[None]:
    """Report a second Ctrl-C while the state is saved or unlocked: records that passed have been written, the state is unchanged."""
    try:
        yield
    except KeyboardInterrupt:
        _untouched(state, Message("stopped twice"))
        sys.exit(INTERRUPTED)


def _refuse_shared_files(
    inputs: tuple[str, ...], removed: Path | None, skipped: Path | None, state: Path | None
) -> None:
    """Refuse a file that is both read and written, or written twice, because one would erase the other."""
    from quchong.outputs import Place, check_apart, local
    from quchong.plan.sources import places_read

    written: list[Place] = []
    for name, path in (("state", state), ("removed", removed), ("skipped", skipped)):
        if path is not None:
            written += local([path], name)
    with suppress(OSError, ValueError):
        about = os.fstat(sys.stdout.fileno())
        if stat.S_ISREG(about.st_mode):
            written.append(Place("standard output", (about.st_dev, about.st_ino), frozenset()))
    check_apart(places_read([Path(path) for path in inputs or ("-",)]), written)
    for path in (removed, skipped):
        if path is not None and state is None and os.path.isfile(path) and path.stat().st_size:
            raise OutputError("{} exists: move it aside, or continue it with --state", path)


def _untouched(state: Path | None, why: str) -> None:
    if state is not None:
        say("quchong: {}: {} was not changed", why, state, err=True)
