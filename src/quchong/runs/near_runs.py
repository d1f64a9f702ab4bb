"""Run folders near a folder that is not one, for messages."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from quchong.errors import Call, shell_word
from quchong.languages import Message, join_names
from quchong.outputs.free_names import free_name

_ENTRIES = 500
"""Number of entries of a folder that are looked at."""
_NAMED = 3
"""Number of run folders that a message names at most."""


def run_advice(folder: Path, is_run: Callable[[Path], bool]) -> Message:
    """Return what to do about a path that is not a run folder: runs in it or in the current folder, else how a run is made.

    Args:
        folder: the path; is_run: function that recognises a run folder.
    """
    if within := run_folders(folder, is_run):
        return Message(
            "the folder contains the runs {}: give one of these runs", join_names(str(folder / one) for one in within)
        )
    if folder.suffix and is_run(beside := folder.with_suffix("")):  # the page of a run has its name
        return Message("did you mean {}?", shell_word(beside))
    if here := run_folders(Path(), is_run):
        return Message("give a run folder; the current folder contains {}", join_names(map(shell_word, here)))
    free = free_name("run")
    made = Call(f"qc.dedup('news.jsonl', out={free!r})", f"quchong dedup news.jsonl -o {free}")
    return Message("give a run folder, or make a run first, such as with {}", made)


def run_folders(folder: Path, is_run: Callable[[Path], bool]) -> list[str]:
    """Return the names of the run folders in a folder, the latest first, a few at most; none if it cannot be listed."""
    try:
        with os.scandir(folder) as entries:
            folders = [entry for _, entry in zip(range(_ENTRIES), entries, strict=False) if entry.is_dir()]
            found = sorted((one for one in folders if is_run(Path(one.path))), key=lambda one: -one.stat().st_mtime)
    except (OSError, ValueError):
        return []
    return [one.name for one in found[:_NAMED]]
