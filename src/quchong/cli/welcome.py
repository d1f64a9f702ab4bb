"""Text that `quchong` prints without arguments: three things to do, with commands that work in the current folder."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable
from contextlib import suppress

from quchong.cli.preview import free_folder
from quchong.languages import Message
from quchong.report.visible import Shown, shown_name

_DATA = (".jsonl", ".csv", ".parquet", ".xlsx", ".json", ".tsv", ".jsonl.gz", ".warc.gz", ".arrow")
"""Endings of files that are suggested, the likeliest first."""
_LOOKED_AT = 1000
"""Number of entries of the current folder that are looked at."""


def _nearby() -> tuple[str | None, str | None]:
    """Return the name of a data file and of a run folder in the current folder; None for one that is missing."""
    files, runs = [], []
    with suppress(OSError), os.scandir() as entries:
        for _, entry in zip(range(_LOOKED_AT), entries, strict=False):
            name = entry.name
            if name.startswith((".", "-")) or shown_name(name) != name:
                continue
            if entry.is_dir() and os.path.isfile(os.path.join(name, "run.json")):  # noqa: PTH118
                runs.append(name)
            files += [(rank, name) for rank, end in enumerate(_DATA) if name.lower().endswith(end) and entry.is_file()]
    return min(files)[1] if files else None, min(runs) if runs else None


def first_commands() -> list[tuple[Message, str]]:
    """Return three things that one can do, each with its command, which names a file and a run of the current folder if there are some.

    Without a file, texts are piped in, so that the commands work anywhere.
    """
    file, run = _nearby()
    out = free_folder([])
    texts = (
        Message("The ferry leaves at nine."),
        Message("The ferry leaves, at nine."),
        Message("Tickets at the pier."),
    )
    pair = (Message("The ferry leaves the old harbour at nine in the morning."),
            Message("The ferry leaves the old harbour at ten in the morning."))  # fmt: skip
    if file is not None or sys.platform == "win32":
        dedup = f"quchong dedup {shlex.quote(file or 'news.jsonl')} -o {out}"
    else:
        dedup = f"""printf '{{"text":"%s"}}\\n' {_quoted(texts)} | quchong dedup - -o {out}"""
    return [
        (Message("Remove the copies in a file, and record why:"), dedup),
        (Message("Look at the removed documents in a web page:"), f"quchong report {shlex.quote(run or out)}"),
        (Message("Compare two texts:"), f"quchong compare {_quoted(pair)}"),
    ]


def _quoted(texts: Iterable[Message]) -> str:
    return " ".join(f'"{text.translation()}"' for text in texts)


def print_welcome() -> None:
    """Print what quchong does, three commands to begin with, and where the rest is."""
    from quchong.cli.printing import pad, say
    from quchong.cli.wrapping import width

    say("quchong finds copies in text: exact copies, near-duplicates and contained documents.")
    for words, line in first_commands():
        say("\n{}", words)
        say("  {}", Shown(line))
    say("{}", Shown(""))
    rest = [(Message("all commands"), "--help"), (Message("how to use one command"), "dedup --help"), (Message("methods"), "methods"),
            (Message("what is installed"), "doctor")]  # fmt: skip
    widest = max(width(pad(words, 0)) for words, _ in rest)
    for words, line in rest:
        say("{}  {}", pad(words, widest), Shown(f"quchong {line}"))
