"""Copies of remote files for readers of small files, such as lists of ids: fetched whole to a private folder of this process."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from quchong.io.files.addresses import address_of
from quchong.io.files.input_file import reading
from quchong.io.files.location import location_of


@cache
def _folder() -> Path:
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
    with reading(location.path), location.whole() as content:
        copy = Path(tempfile.mkdtemp(dir=_folder()), location.path.name or "file")
        with copy.open("xb") as file:
            shutil.copyfileobj(content, file, 1 << 20)
    return copy
