"""Generations of an index: folders with all its contents, of which the settings name the one that counts."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from pathlib import Path

from quchong.decision.frame_models import FrameModels
from quchong.decision.frozen import FrozenStatistics
from quchong.engines.index.catalogue import CATALOGUE, Catalogue
from quchong.engines.index.segment_file import sync_names
from quchong.engines.index.settings import Settings
from quchong.errors import OutputError
from quchong.outputs import OwnFolder
from quchong.patterns import lazy_pattern

STATISTICS, STATISTICS_COPY, TEMPLATES = "statistics", "statistics-copy", "templates"
"""Names of the files of frozen values."""
ASIDE = "kept-aside"
"""Name of the file in a generation that was damaged and is kept beside the repaired one."""
REPAIRED = ".repaired-"
"""Beginning of the name of the folder in which a repair makes its generation; 8 hexadecimal digits follow."""
_NAME = lazy_pattern(r"g[0-9]{6,12}")
_REPAIRED = lazy_pattern(re.escape(REPAIRED) + "[0-9a-f]{8}")
_FILE = lazy_pattern(
    r"\.?(catalogue\.sqlite(-journal|-wal|-shm)?|statistics|statistics-copy|templates|index\.json|first-stage|first-stage-digests"
    r"|[a-z]+\.column|[0-9a-f]+-[0-9a-f]+-[0-9]+\.segment)(\.part)?"
)
"""Names of the files of a generation, complete or begun."""


def make_generation(
    folder: Path, settings: Settings, statistics: FrozenStatistics, templates: FrameModels | None = None
) -> None:
    """Make the folder of a generation without documents.

    Args:
        folder: folder of the index.
        settings: settings of the generation, of which it has a copy of its own.
        statistics: statistics of the method, and headers.
        templates: templates of a corpus; None for none.
    """
    inner = OwnFolder.made(folder / settings.generation)
    save_statistics(inner, statistics)
    if templates is not None:
        templates.save(inner, TEMPLATES)
    made = Catalogue(inner.path, writable=True, make=True)
    made.close()
    settings.save(inner)
    inner.close()


def save_statistics(folder: OwnFolder, statistics: FrozenStatistics) -> None:
    """Write two copies of the statistics durably, because no later document can be read without them."""
    for name in (STATISTICS, STATISTICS_COPY):
        statistics.save(folder, name)
        with folder.open(name, "r+b") as file:
            os.fsync(file.fileno())
    sync_names(folder)


def next_name(folder: Path, name: str) -> str:
    """Return the next name of a generation that is not in use in the folder of an index."""
    number = int(name[1:]) + 1 if name[1:].isdecimal() else 1
    while os.path.lexists(folder / (made := f"g{number:06}")):
        number += 1
    return made


def flush_generation(folder: Path, name: str) -> None:
    """Flush all files of a generation to the disk, and the list of them."""
    inner = OwnFolder.open_path(folder / name)
    try:
        for one in inner.names():
            with inner.open(one) as file:
                os.fsync(file.fileno())
        if inner.descriptor >= 0:
            os.fsync(inner.descriptor)
    finally:
        inner.close()


def is_generation(path: Path) -> bool:
    """Return True if a path is a complete generation: the right name, and a catalogue in it."""
    named = bool(_NAME.fullmatch(path.name)) and path.is_dir() and not path.is_symlink()
    return named and any((path / one).is_file() for one in (CATALOGUE, STATISTICS)) and not (path / "run.json").exists()


def is_begun(path: Path) -> bool:
    """Return True if a path is a generation, perhaps incomplete: the right name, and no foreign files in it."""
    if not _NAME.fullmatch(path.name) or not path.is_dir() or path.is_symlink():
        return False
    return all(_FILE.fullmatch(one.name) and one.is_file() and not one.is_symlink() for one in path.iterdir())


def remove_others(folder: Path, name: str) -> None:
    """Remove all generations of an index except `name`, also unfinished ones of processes that ended.

    Damaged ones that a repair keeps aside stay, and folders with other files.

    What is in use on a system that removes no open file stays until the next call. The caller holds the lock of the index.
    """
    with contextlib.suppress(OSError):
        for other in sorted(folder.iterdir()):
            with contextlib.suppress(OSError, OutputError):
                if other.name != name and (is_generation(other) or is_begun(other)):
                    _remove(other)
                elif _REPAIRED.fullmatch(other.name) and not other.is_symlink():
                    shutil.rmtree(other)


def _remove(generation: Path) -> None:
    inner = OwnFolder.open_path(generation)
    try:
        if ASIDE in inner.names():
            return
        for name in inner.names():
            inner.remove(name)
    finally:
        inner.close()
    generation.rmdir()
