"""What was written is on the disk; folders that came to nothing go."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def unmake(parents: list[Path]) -> None:
    """Folders that were made for a run that came to nothing."""
    with contextlib.suppress(OSError):
        for folder in parents:
            folder.rmdir()


def sync_all(path: Path) -> None:
    """What was written to a file, or to all files in a folder, is on the disk afterwards."""
    if not path.is_dir():
        sync(path)
        return
    for base, _, names in os.walk(path):
        for name in names:
            sync(Path(base, name))
        sync_folder(Path(base))


def sync(path: Path) -> None:
    """What was written to a file is on the disk afterwards."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """New names in a folder are on the disk, where the file system can be asked for that."""
    with contextlib.suppress(OSError):
        sync(folder)
