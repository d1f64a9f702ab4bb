"""Flushing of written files to the disk, and removal of folders made for a failed run."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def unmake(parents: list[Path]) -> None:
    """Remove empty folders that were made for a failed run."""
    with contextlib.suppress(OSError):
        for folder in parents:
            folder.rmdir()


def sync_all(path: Path) -> None:
    """Flush a file, or all files in a folder, to the disk."""
    if not path.is_dir():
        sync(path)
        return
    for base, _, names in os.walk(path):
        for name in names:
            sync(Path(base, name))
        sync_folder(Path(base))


def sync(path: Path) -> None:
    """Flush a file to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Flush new names in a folder to the disk, if the file system supports that."""
    with contextlib.suppress(OSError):
        sync(folder)
