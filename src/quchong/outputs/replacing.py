"""Check of files that a command or a call may replace: those of the same kind, and only when it was asked to."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from quchong.errors import OutputError, Param
from quchong.languages import Message
from quchong.outputs.free_names import free_file


def check_replaceable_file(
    path: Path, kind: Message, is_ours: Callable[[Path], bool], *, overwrite: bool, shown: Path | None = None
) -> None:
    """Raise OutputError if a file is there that may not be replaced; the error names a file that is not there.

    Args:
        path: the file; kind: what the caller writes, such as "a report of quchong".
        is_ours: function that recognises such a file.
        overwrite: True if the caller asked to replace one.
        shown: the path as messages name it; None for `path`.
    """
    if not os.path.lexists(path):
        return
    named = shown or path
    if not is_ours(path):
        raise OutputError(
            "{} exists and is not {}, so it is not replaced: choose another file, such as {}",
            named,
            kind,
            free_file(named),
        )
    if not overwrite:
        raise OutputError(
            "{} exists: choose another file, such as {}, or replace it with {}",
            named,
            free_file(named),
            Param("overwrite", True),
        )
