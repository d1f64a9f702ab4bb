"""Messages for commands that need a run folder and got another word: the arguments turned round."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from quchong.errors import shell_word
from quchong.languages import Message
from quchong.report.visible import Shown
from quchong.runs.layout import is_run, is_whole_run
from quchong.runs.near_runs import run_folders


def run_meant(argv: Sequence[str]) -> Message | None:
    """Return the message about a command whose first argument is not the folder of a run; None if no other one is a run either.

    The message has the command with its arguments turned round.

    Args:
        argv: the words of the command line, with the command first.
    """
    words = [word for word in argv[1:] if not word.startswith("-")]
    if not words or os.path.exists(words[0]):
        return None
    behind = {argv[at + 1] for at, word in enumerate(argv[:-1]) if word.startswith("--") and "=" not in word}
    runs = [word for word in words[1:] if word not in behind and is_run(Path(word))]
    if runs:
        others = [shell_word(word) for word in argv[1:] if word != runs[0]]
        call = " ".join(["quchong", argv[0], shell_word(runs[0]), *others])
        return Message("{} is not a folder; the run folder must be the first argument: {}", words[0], Shown(call))
    return None


def runs_here() -> list[str]:
    """Return the run folders in the current folder, the latest first, a few at most."""
    return [shell_word(one) for one in run_folders(Path(), is_whole_run)]
