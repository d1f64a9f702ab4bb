"""Run folder on any file system that Spark reaches, staged as on one machine (`quchong.outputs.staging`).

On a local file system it is the same code. Elsewhere there are no locks: an owner process is known by its record alone.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from quchong.engines.spark.hadoop import REMEDY, Hadoop
from quchong.engines.spark.hadoop import local_path as _here
from quchong.errors import OutputError, Param
from quchong.outputs import MANIFEST, Place, begins_run, in_a_run, local, staged
from quchong.outputs.owner import Mark
from quchong.outputs.protocol import (
    NEW,
    OLD,
    OWNER,
    Next,
    after_stop,
    check_ended,
    clearing,
    half_swapped,
    prefix_for,
    token_of,
)
from quchong.runs.layout import check_folder_name
from quchong.runs.own_files import foreign


def places(files: Hadoop, paths: Iterable[str], option: str = "") -> list[Place]:
    """Return the locations of paths for `quchong.outputs.check_apart`: local files as for a local run, others by URI."""
    found: list[Place] = []
    for path in paths:
        for one in files.matches(path):
            uri = files.resolved(one)
            if (here := _here(uri)) is not None:
                (place,) = local([here])
                found.append(replace(place, said=f"{option} {path}".strip()))
            else:
                above: set[Hashable] = set()
                folder = uri
                while "/" in folder.removeprefix(f"{urlsplit(uri).scheme}://"):
                    folder = folder.rpartition("/")[0]
                    above.add(folder)
                found.append(Place(f"{option} {path}".strip(), uri, frozenset(above)))
    return found


@contextlib.contextmanager
def fresh_folder(files: Hadoop, out: str, *, overwrite: bool) -> Iterator[str]:
    """Yield a new folder to write a run in; it is renamed to `out` when the block ends without error, else removed.

    Raises:
        OutputError: `out` exists (and is not a run to overwrite), another run is writing it, or it cannot be written.
    """

    def check() -> None:
        if files.exists(out):
            _check_replaceable(out, files.names(out), overwrite)

    if not files.exists(out):
        check_folder_name(out)
    uri = files.resolved(out)
    here = _here(uri)
    if here is None:
        _check_in_no_run(files, out, uri)
        with _staged(files, uri, check) as new:
            yield new
    else:
        with staged(Path(os.path.realpath(here)), check, REMEDY) as staging:
            staging.mkdir()
            yield f"file://{staging}"


def _check_in_no_run(files: Hadoop, out: str, uri: str) -> None:
    """Raise OutputError if a path on a remote file system is inside the folder of another run."""
    folder = uri.rpartition("/")[0]
    while "/" in folder.removeprefix(f"{urlsplit(uri).scheme}://"):
        if files.exists(f"{folder}/{MANIFEST}") and begins_run(files.read(f"{folder}/{MANIFEST}").encode()):
            raise in_a_run(out, folder)
        folder = folder.rpartition("/")[0]


def _check_replaceable(out: str, names: list[str], overwrite: bool) -> None:
    if not overwrite:
        raise OutputError(
            "{} exists: choose another folder, or replace that run with {}", out, Param("overwrite", True)
        )
    if MANIFEST not in names:
        raise OutputError(
            "{} is not a run folder of quchong, so {} does not replace it: choose another folder",
            out,
            Param("overwrite", True),
        )
    if other := foreign(names):
        raise OutputError(
            "{} contains {}, which quchong did not write, so {} does not replace the folder: move that file "
            "elsewhere, or choose another folder",
            out,
            other,
            Param("overwrite", True),
        )


@contextlib.contextmanager
def _staged(files: Hadoop, place: str, check: Callable[[], None]) -> Iterator[str]:
    """Stage a folder as `quchong.outputs.staged` does, on a file system without locks."""
    folder, _, name = place.rpartition("/")
    _settle(files, place)
    check()
    token = secrets.token_hex(4)
    stage = f"{folder}/{prefix_for(name)}{token}"
    # The names and the order of steps are those of `quchong.outputs.protocol`; `owner` is written first, so that any
    # rest is recognised.
    placed = putting = False
    try:
        files.write(f"{stage}/{OWNER}", Mark.for_this_process(token, name).text())
        yield f"{stage}/{NEW}"
        check()
        # From here on an error may leave the old run aside: `_undone` moves it back.
        putting = True
        if files.exists(place):
            files.move(place, f"{stage}/{OLD}")
        files.move(f"{stage}/{NEW}", place)
        placed = True
    except BaseException as error:
        with contextlib.suppress(OutputError, OSError):
            placed = putting and _undone(files, stage, place)
        if not (placed and isinstance(error, KeyboardInterrupt)):  # too late to be stopped: it is all there
            raise
    finally:
        with contextlib.suppress(OutputError, OSError):
            _drop(files, stage)


def _undone(files: Hadoop, stage: str, place: str) -> bool:
    """After an error, restore the earlier run unless the new one is already in place; return True if it is."""
    if files.exists(place):
        return not files.exists(f"{stage}/{NEW}")
    if files.exists(f"{stage}/{OLD}"):
        files.move(f"{stage}/{OLD}", place)
    return False


def _drop(files: Hadoop, stage: str) -> None:
    """Remove a staging folder, its owner record last; a half-finished swap is left for the next run to complete."""
    names = files.names(stage)
    if half_swapped(names):
        return
    for name in clearing(names):
        files.remove(f"{stage}/{name}")
    files.remove(stage)


def _settle(files: Hadoop, place: str) -> None:
    """Complete or remove what killed processes left for a path; raise OutputError if one is alive, or if that cannot be known."""
    folder, _, name = place.rpartition("/")
    for one in files.names(folder):
        token, stage = token_of(one, name), f"{folder}/{one}"
        if token is None:
            continue
        staged = set(files.names(stage))
        if not {OWNER} <= staged <= {OWNER, NEW, OLD}:
            continue
        mark = Mark.read(files.read(f"{stage}/{OWNER}"))
        if mark is None or (mark.token, mark.place) != (token, name):
            continue
        check_ended(mark, mark.has_ended, place, stage)
        if after_stop(files.exists(place), staged) is Next.PLACE:
            files.move(f"{stage}/{NEW}", place)
        _drop(files, stage)
