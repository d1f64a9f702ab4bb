"""Messages for commands that need a run folder and got another word: the arguments turned round, or the runs that are here."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from quchong.errors import shell_word
from quchong.languages import Message, join_names
from quchong.report.visible import Shown
from quchong.runs.layout import is_run

_ENTRIES = 500
"""Number of entries of the current folder that are looked at."""
_NAMED = 3
"""Number of run folders that a message names at most."""


def run_meant(argv: Sequence[str]) -> Message | None:
    """Return the message about a command whose first argument is not the folder of a run; None if it is a folder or a file.

    The message has the command with its arguments turned round if another one is a run, else the runs in the current folder.

    Args:
        argv: the words of the command line, with the command first.
    """
    words = [word for word in argv[1:] if not word.startswith("-")]
    if not words or os.path.exists(words[0]):  # noqa: PTH110 - never raises
        return None
    runs = [word for word in words[1:] if is_run(Path(word))]
    if runs:
        others = [shell_word(word) for word in argv[1:] if word != runs[0]]
        call = " ".join(["quchong", argv[0], shell_word(runs[0]), *others])
        return Message("{} is not a folder: the folder of a run must be named first: {}", words[0], Shown(call))
    here = runs_here()
    if not here:
        return None
    return Message(
        "{} is not a folder: give the folder that a run was written to; here there is {}", words[0], join_names(here)
    )


def runs_here() -> list[str]:
    """Return the run folders in the current folder, the latest first, a few at most."""
    try:
        with os.scandir() as entries:
            folders = [entry for _, entry in zip(range(_ENTRIES), entries, strict=False) if entry.is_dir()]
            found = sorted((one for one in folders if is_run(Path(one.path))), key=lambda one: -one.stat().st_mtime)
    except OSError:
        return []
    return [shell_word(one.name) for one in found[:_NAMED]]
