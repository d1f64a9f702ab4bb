"""Copies of remote files for readers of small files, such as lists of ids: fetched whole to a private folder of this process."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from quchong.errors import InputError
from quchong.io.files.addresses import address_of
from quchong.io.files.input_file import reading
from quchong.io.files.location import Location, location_of
from quchong.io.files.streams import Output
from quchong.outputs import is_plain_name


@cache
def private_folder() -> Path:
    """Return a folder of this process that nobody else reads, which is removed when the process ends."""
    folder = Path(tempfile.mkdtemp(prefix="quchong-fetched-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def local_copy(path: Path) -> Path:
    """Return a path of this machine unchanged, and the path of a fresh copy for an address; the copy is removed when the process ends.

    Raises:
        InputError: the file cannot be read.
    """
    if address_of(path) is None:
        return path
    location = location_of(path)
    with reading(location.path), location.open_stream() as content:
        copy = Path(tempfile.mkdtemp(dir=private_folder()), location.path.name or "file")
        with Output(copy) as file:
            shutil.copyfileobj(content, file, 1 << 20)
    return copy


def fetched_folder(files: Mapping[str, Location], shown: str) -> Path:
    """Return a private folder with copies of remote files, each under its name, which may have folders.

    Raises:
        InputError: a file cannot be read, or a name would lead out of the folder.
    """
    folder = Path(tempfile.mkdtemp(dir=private_folder())) / (shown.rstrip("/").rpartition("/")[2] or "run")
    for name, file in files.items():
        if not is_plain_name(name):
            raise InputError(
                "{} contains a file with the unsafe name {!r}: rename it, or copy the folder without it", shown, name
            )
        with reading(file.path), file.open_stream() as content, Output(folder / name) as copy:
            shutil.copyfileobj(content, copy, 1 << 20)
    return folder
