"""Options about what a run prints and logs, and the code it ends with: --summary, --progress, --log-file, --fail-on."""

from __future__ import annotations

import datetime
import json
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from quchong.cli.options import LocalPath
from quchong.errors import InputError, OutputError, UsageError, meant, reason_of
from quchong.languages import Message, join_names

FAILED = 6
"""Exit code of a run in which something happened that --fail-on names; the run is complete."""
KINDS = ("alarm", "bad")
"""What --fail-on can name: alarms, and records that cannot be read."""
_JSON = (".jsonl", ".json", ".ndjson")
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

quiet_option: Decorator = click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
summary_option: Decorator = click.option(
    "--summary",
    type=click.Choice(["none", "short", "full"]),
    metavar="WHICH",
    help="Summary: none, short or full.  [default: full]",
)
progress_option: Decorator = click.option("--progress", is_flag=True, help="Print progress even without a terminal.")
log_option: Decorator = click.option(
    "--log-file", metavar="FILE", type=LocalPath(path_type=Path),
    help="File for a log of stages, memory and alarms; a .jsonl file is written as JSON.",
)  # fmt: skip
fail_option: Decorator = click.option(
    "--fail-on",
    metavar="KINDS",
    default="",
    help=f"End with exit code {FAILED} if any of these occurs: alarm, bad (records).",
)


def kinds_of(given: str, known: tuple[str, ...] = KINDS) -> tuple[str, ...]:
    """Return the kinds that --fail-on names, of those that are known.

    Raises:
        UsageError: another word.
    """
    kinds = tuple(dict.fromkeys(word.strip() for word in given.split(",") if word.strip()))
    for kind in kinds:
        if kind not in known:
            raise UsageError("--fail-on {}: use {}{}", kind, join_names(known), meant(kind, known))
    return kinds


def check_ending(manifest: Mapping[str, Any], fail_on: tuple[str, ...]) -> int:
    """Return the exit code of a complete run: 0, or 6 if an event of --fail-on happened, which is printed on standard error.

    Raises:
        InputError: the run read no document, whose output is complete all the same.
    """
    from quchong.cli.printing import say
    from quchong.runs.nothing_read import why_nothing_was_read

    if (reason := why_nothing_was_read(manifest)) is not None:
        raise InputError("nothing was read: {}", reason)
    bad = manifest["counts"].get("skipped", 0)
    alarms = [alarm for alarm in manifest["alarms"] if alarm.get("level", "alarm") == "alarm"]
    found = [Message("{:,} alarms", len(alarms))] if "alarm" in fail_on and alarms else []
    found += [Message("{:,} records cannot be read", bad)] if "bad" in fail_on and bad else []
    for one in found:
        say("quchong: --fail-on: {}; the output has been written completely", one, err=True)
    return FAILED if found else 0


@contextmanager
def logged_to(path: Path | None) -> Iterator[None]:
    """Append the messages of the logger `quchong` to a file inside the context; without a file do nothing.

    Raises:
        OutputError: the file cannot be written.
    """
    if path is None:
        yield
        return
    if path.parent != Path() and not path.parent.is_dir():
        raise OutputError("cannot write {}: there is no folder {}; make it, or choose another place", path, path.parent)
    try:
        handler = logging.FileHandler(path, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise OutputError("--log-file {} cannot be written: {}; name another file", path, reason_of(error)) from error
    handler.setFormatter(JsonLines() if path.suffix.lower() in _JSON else logging.Formatter(_LINE))
    logger = logging.getLogger("quchong")
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO if before == logging.NOTSET else min(before, logging.INFO))
    try:
        yield
    finally:
        logger.setLevel(before)
        logger.removeHandler(handler)
        handler.close()


_LINE = "%(asctime)s %(levelname)s %(message)s"


class JsonLines(logging.Formatter):
    """Formatter of log records as JSON lines: time, level, message, and the figures of events of quchong."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line of JSON."""
        from quchong.progress.logged import figures_of

        time = datetime.datetime.fromtimestamp(record.created, datetime.UTC).isoformat(timespec="milliseconds")
        told = {"time": time, "level": record.levelname.lower(), "message": record.getMessage(), **figures_of(record)}
        return json.dumps(told, ensure_ascii=False, default=str)
