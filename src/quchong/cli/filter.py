"""quchong filter: drop exact repeats from a stream."""

from __future__ import annotations

import os
import select
import signal
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from quchong.cli.interrupt import INTERRUPTED, noticed
from quchong.cli.options import body_option, html_option
from quchong.cli.printing import say
from quchong.errors import InputError, OutputError, UsageError

if TYPE_CHECKING:
    from quchong.io.files.streams import Output
    from quchong.stream.filtering import Decided, Stream

PIECE = 4 << 20
SHOWN = 20
"""Bad records told of one by one; the others are only counted."""
SAVE_SECONDS = 30.0
"""How often a long stream's state is saved: what came since is let through again after a kill -9, never lost."""
_TABLES = {".csv", ".tsv", ".parquet", ".pq", ".arrow", ".feather", ".ipc", ".warc"}


class Stop:
    """Ctrl-C, SIGTERM and SIGHUP, held back while a batch is decided and written, so that state and output agree."""

    def __init__(self) -> None:
        self.waiting = self.asked = self.forced = False

    def __call__(self, _number: int, _frame: FrameType | None) -> None:
        """The signal handler. A second signal is not held back."""
        noticed()
        self.forced = self.asked and not self.waiting
        if self.waiting or self.asked:
            raise KeyboardInterrupt
        self.asked = True

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Here a signal counts at once."""
        self.waiting = True
        try:
            if self.asked:
                raise KeyboardInterrupt
            yield
        finally:
            self.waiting = False

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Takes the signals, and gives them back."""
        numbers = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]
        before = [signal.signal(number, self) for number in numbers]
        try:
            yield
        finally:
            for number, handler in zip(numbers, before, strict=True):
                signal.signal(number, handler)


def _pieces(path: str, stop: Stop) -> Iterator[bytes]:
    """Bytes of an input as they come: whatever is there now, at most `PIECE`; never waits for more."""
    from quchong.io.files.disk import DiskFile, reading
    from quchong.io.files.streams import COMPRESSIONS, reader

    if path == "-":
        number = sys.stdin.buffer.fileno()
        while True:
            with stop.listening():
                parts = [os.read(number, PIECE)]
                size = len(parts[0])
                while parts[-1] and size < PIECE and _more(number):
                    parts.append(os.read(number, PIECE - size))
                    size += len(parts[-1])
            if not size:
                return
            yield b"".join(parts)
            if not parts[-1]:
                return
    place = Path(path)
    with reading(place), reader(DiskFile(place), COMPRESSIONS.get(place.suffix)) as read:
        while True:
            with stop.listening():
                piece = read(PIECE)
            if not piece:
                return
            yield bytes(piece)


def _more(number: int) -> bool:
    """Can more be read at once?"""
    return os.name == "posix" and bool(select.select([number], [], [], 0)[0])


@click.command(short_help="Remove exact repeats from a stream of short texts.")
@click.argument("inputs", nargs=-1)
@click.option("--filter", "filter_name", type=click.Choice(["bloom", "trie", "digest"]),
              help="bloom: small, errs at --error-rate. trie: the digit trie of Gao 2014. digest: exact.  [default: bloom]")  # fmt: skip
@click.option(
    "--capacity", type=int, help="Texts that the Bloom filter is made for; it grows beyond.  [default: 1000000]"
)
@click.option("--error-rate", type=float, help="Maximum chance that a new text is removed.  [default: 1e-06]")
@click.option("--confirm", is_flag=True, help="Check every hit by digest, so that no text is removed by mistake.")
@click.option("--form", type=click.Choice(["strict", "loose", "raw"]),
              help="What counts as equal. strict: all but width, case and white space. loose: the same letters and digits. "
              "raw: the same bytes.  [default: strict]")  # fmt: skip
@click.option(
    "--bits",
    type=int,
    help="Use the Bloom filter of Gao 2014 with this many bits (50000 in the paper); it never grows.",
)
@click.option("--rule", type=click.Choice(["all", "any", "end-mark", "literal"]),
              help="How the filters of Gao 2014 answer. Bloom: all or any of its bits. Trie: end-mark, or literal as printed.")  # fmt: skip
@click.option("--hash", type=click.Choice(["h64", "bkdr"]), help="Hash of the trie.  [default: h64]")
@click.option("--unit", type=click.Choice(["utf8", "utf16"]), help="What the hashes of Gao 2014 read.  [default: utf8]")
@click.option("--lines", is_flag=True, help="Each line is a text, not a JSON object.")
@click.option("--text-key", "text", default="text", show_default=True,
              help="Key of the text; several, separated by commas, are joined.")  # fmt: skip
@html_option("Key")
@body_option
@click.option(
    "--removed",
    type=click.Path(path_type=Path),
    help="File for the removed records; appended to with --state.",
)
@click.option(
    "--skipped",
    type=click.Path(path_type=Path),
    help="File for the records that cannot be read; appended to with --state.",
)
@click.option("--state", type=click.Path(path_type=Path),
              help="File that holds the filter between runs: loaded if it exists, saved every 30 s, at the end and on Ctrl-C.")  # fmt: skip
@click.option("--workers", type=int, help="Threads.  [default: all]")
@click.option("-q", "--quiet", is_flag=True, help="No summary.")
def command(
    inputs: tuple[str, ...],
    filter_name: str | None,
    lines: bool,
    text: str,
    removed: Path | None,
    skipped: Path | None,
    state: Path | None,
    workers: int | None,
    quiet: bool,
    html: str,
    body: str,
    **choice: Any,
) -> None:
    """Reads INPUTS (JSON lines; standard input by default) and writes the records whose text is new to stdout.

    Works on streams of any length: each record is written as soon as it is read (tail -f posts.jsonl | quchong filter), byte
    for byte. For folders and web pages (.html) the paths are written, one a line. Finds exact repeats only; see
    quchong dedup for near-duplicates.
    """
    from quchong.families.filters import FilterChoice
    from quchong.outputs import only_one
    from quchong.pages import check_body
    from quchong.plan.request import names_of
    from quchong.reading.pages import PageReader
    from quchong.stream.filtering import Stream

    for path in inputs:
        suffixes = set(Path(path).suffixes[-2:])
        if suffixes & _TABLES:
            raise UsageError(
                f"{path}: quchong filter reads JSON lines, plain lines with --lines, and folders; see quchong dedup"
            )
    check_body(body)
    chosen = FilterChoice(filter_name, **choice)
    keys = names_of(text)
    if not lines and not keys:
        raise UsageError("--text-key names no key")
    if state is not None and not os.path.isdir(state.parent):  # noqa: PTH112 - never raises
        raise UsageError(f"--state {state}: there is no folder {state.parent}")
    if sys.stdout is None:
        raise OutputError("standard output is closed: redirect it to a file or a pipe")
    _apart(inputs, removed, skipped, state)
    stop, code = Stop(), 0
    with _told(state), ExitStack() as stack:
        if state is not None:
            stack.enter_context(only_one(state, f"another filter ({{owner}}) uses --state {state}: wait for it"))
        made = chosen.open(state) if state is not None and os.path.exists(state) else chosen.build()  # noqa: PTH110
        pages = PageReader(body, None if html in keys else html or None, workers=workers)
        stream = Stream(made, None if lines else keys, workers, pages)
        saved, before = time.monotonic(), made.expected_wrongly_removed
        sinks = Sinks(
            *(stack.enter_context(_written_on(p, state is not None)) if p else None for p in (removed, skipped))
        )
        stack.enter_context(stop.installed())
        try:
            for path in inputs or ("-",):
                if not lines and _one_a_file(path):
                    for decided in _folder(stream, path, stop):
                        sinks.take(decided)
                    continue
                stream.begin("stdin" if path == "-" else path)
                for piece in _pieces(path, stop):
                    sinks.take(stream.feed(piece))
                    if state is not None and time.monotonic() - saved > SAVE_SECONDS:
                        made.save(state)
                        saved = time.monotonic()
                sinks.take(stream.finish())
            with stop.listening():
                pass
        except KeyboardInterrupt:
            if stop.forced:  # in the middle of a batch: what was decided has not gone out
                _untouched(state, "stopped twice")
                sys.exit(INTERRUPTED)
            code = INTERRUPTED
        except BrokenPipeError:
            _untouched(state, "the output was closed")
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what the interpreter flushes
            sys.exit(0)  # here, as click would make it 1
        except InputError:
            if state is not None and stream.tally.read:
                made.save(state)  # what was let through has gone out
            raise
        if state is not None:
            made.save(state)
    if not quiet:
        _summary(stream, before, state)
    if code:
        sys.exit(code)


@contextmanager
def _told(state: Path | None) -> Iterator[None]:
    """A second Ctrl-C, while the state is saved or let go of: what was let through has gone out all the same."""
    try:
        yield
    except KeyboardInterrupt:
        _untouched(state, "stopped twice")
        sys.exit(INTERRUPTED)


def _one_a_file(path: str) -> bool:
    """A folder, or a web page by itself."""
    from quchong.io.folder import PAGES

    return path != "-" and (os.path.isdir(path) or Path(path).suffix.lower() in PAGES)  # noqa: PTH112


def _folder(stream: Stream, path: str, stop: Stop) -> Iterator[Decided]:
    """Decides the files of a folder, or one file."""
    from quchong.io import open_inputs
    from quchong.io.folder import TextFolder

    sources = open_inputs([path])
    if not all(isinstance(source, TextFolder) for source in sources):
        raise UsageError(f"{path} holds data files: give them by name, e.g. '{path}/*.jsonl'; see also quchong dedup")
    root = Path(path) if os.path.isdir(path) else Path(path).parent  # noqa: PTH112
    for source in sources:
        yield from _heard(stream.documents(source, lambda name: str(root / name)), stop)


def _heard(decided: Iterator[Decided], stop: Stop) -> Iterator[Decided]:
    """The same; a signal counts between two."""
    for one in decided:
        yield one
        with stop.listening():
            pass


def _apart(inputs: tuple[str, ...], removed: Path | None, skipped: Path | None, state: Path | None) -> None:
    """No file is read and written, or written twice: one would erase the other."""
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
        if path is not None and state is None and os.path.isfile(path) and path.stat().st_size:  # noqa: PTH113
            raise OutputError(f"{path} exists: move it aside, or go on with --state, which writes on")


def _written_on(path: Path, append: bool) -> Output:
    """An output file; one that is written on begins a new line, even where the last one was cut off by a kill."""
    from quchong.io.files.disk import reading
    from quchong.io.files.streams import Output

    cut = False
    if append and os.path.isfile(path):  # noqa: PTH113
        with reading(path), path.open("rb") as file:
            if file.seek(0, os.SEEK_END):
                file.seek(-1, os.SEEK_END)
                cut = file.read(1) != b"\n"
    output = Output(path, append=append)
    if cut:
        output.write(b"\n")
    return output


def _untouched(state: Path | None, why: str) -> None:
    if state is not None:
        say("quchong: {}: {} was left as it was", why, state, err=True)


class Sinks:
    """Where decided records go."""

    def __init__(self, removed: Output | None, skipped: Output | None) -> None:
        self.removed, self.skipped = removed, skipped
        self.told = 0

    def take(self, decided: Decided | None) -> None:
        """Writes, and flushes what goes to stdout."""
        from quchong.io.skipped import skipped_line

        if decided is None:
            return
        if decided.passed:
            sys.stdout.buffer.write(decided.passed)
            sys.stdout.buffer.flush()
        if self.removed is not None and decided.removed:
            self.removed.write(decided.removed)
        for one in decided.bad:
            if self.skipped is not None:
                self.skipped.write(skipped_line(one))
            if self.told < SHOWN:
                say("quchong: {}, line {}: {}", one.source, one.line, one.reason, err=True)
            elif self.told == SHOWN:
                say("quchong: further bad records are only counted; --skipped FILE writes all of them", err=True)
            self.told += 1


def _summary(stream: Stream, before: float, state: Path | None) -> None:
    tally, made = stream.tally, stream.filter
    wrong = made.expected_wrongly_removed - before
    rows = [
        ("read", f"{tally.read:,}"),
        ("passed", f"{tally.passed:,}"),
        ("removed", f"{tally.removed:,}"),
    ]
    if tally.skipped:
        rows.append(("could not be read", f"{tally.skipped:,}"))
    rows.append(("expected wrongly removed", f"{wrong:.3g}" if wrong >= 1e-9 else "0"))
    refuted = getattr(made, "refuted", None)
    if refuted is not None:
        rows.append(("wrong hits found", f"{refuted:,}"))
    rows.append(("filter", f"{made.count:,} texts in {made.memory_bytes / 1e6:,.1f} MB"))
    if state is not None:
        rows.append(("state", str(state)))
    for name, value in rows:
        say("{:<26}{}", name, value, err=True)
