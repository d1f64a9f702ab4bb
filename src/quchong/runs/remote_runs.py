"""Runs on other machines: made here and sent whole, `run.json` last; fetched whole to be read.

A folder of a store has no rename, so that a reader must be able to tell a run from the files of a stopped upload: a run has `run.json`,
which is sent last and, when a run is replaced, removed first. The file `SENDING` names the files of an upload from its beginning to its
end; by it a later call goes on where another was stopped.
"""

from __future__ import annotations

import json
import secrets
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from quchong.errors import InputError, OutputError, Param, RunError, reason_of
from quchong.io.files.addresses import address_of
from quchong.io.files.archives import is_member
from quchong.io.files.fetching import fetched_folder, private_folder
from quchong.io.files.remote_file import RemoteFile
from quchong.io.files.stores import CutShort, StoreError, protocol_of, store_call
from quchong.io.remote_inputs import folder_files
from quchong.languages import Message
from quchong.outputs import MANIFEST, begins_run, manifest_of
from quchong.runs.command_line import command_line
from quchong.runs.nothing_read import check_replaces
from quchong.runs.own_files import foreign_names

SENDING = "quchong-sending.json"
"""File at the top of a run's folder while the run is being sent."""

_made: dict[str, tuple[str, Path]] = {}
"""Local folders of runs that this process sent or fetched, with the version of their `run.json`."""


@contextmanager
def sent_folder(address: str, *, overwrite: bool, table: str) -> Iterator[Path]:
    """Yield a new local folder to fill; when the block ends without error, it is sent to the address whole.

    Args:
        address: of the run.
        overwrite: replace an earlier run there.
        table: table by which a run that may be replaced is recognised.

    Raises:
        OutputError: something else is at the address, or it cannot be written to; the message says how to go on.
        InputError: the new run read no document, and the one that it would replace did.
    """
    if protocol_of(address) == "memory" and command_line():
        raise OutputError(
            "{} will not exist any more when this command ends: name a folder of this machine or of a bucket", address
        )
    try:
        target = RunTarget(address)
    except InputError as error:  # of its protocol
        raise OutputError("{}", error) from error
    target.check(overwrite, table)
    folder = Path(tempfile.mkdtemp(dir=private_folder()))
    new = folder / (address.rpartition("/")[2] or "run")
    new.mkdir()
    try:
        yield new
        target.check(overwrite, table)
        check_replaces(manifest_of(new), target.manifest(), address)
        target.send(new)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    _made[address] = target.version(), new


def local_run(path: Path) -> Path:
    """Return a path of this machine unchanged, and for an address a private folder with a copy of the run there.

    The copy is data from outside like any run folder of somebody else. A run that this process sent or fetched, and that has not changed
    since, is not fetched again.

    Raises:
        RunError: there is no run, an upload was stopped there, or it cannot be read.
    """
    address = address_of(path)
    if address is None:
        return path
    try:
        target = RunTarget(address)
        names = target.names()
        version = target.version()
        if address in _made and _made[address][0] == version and _made[address][1].is_dir():
            return _made[address][1]
        if MANIFEST not in names:
            if SENDING in names:
                raise RunError(
                    "the upload of the run in {} was stopped: give the command that made the run again, or "
                    "delete the folder",
                    address,
                )
            raise RunError("{} is not a run folder: it has no {}", address, MANIFEST)
        copy = fetched_folder({name: file for name, file in names.items() if name != SENDING}, address)
    except InputError as error:
        raise RunError("{}", error) from error
    if target.version() != version:
        raise RunError("{} changed while it was read; try again when no program writes to it", address)
    _made[address] = version, copy
    return copy


def send_back(address: str, folder: Path) -> None:
    """Send a run changed in its local copy to the address it was fetched from, in place of the old one.

    Raises:
        OutputError: it cannot be written.
        RunError: the run there has changed since it was fetched.
    """
    target = RunTarget(address)
    if address not in _made or target.version() != _made[address][0]:
        raise RunError("{} was changed after it was read, so nothing was written: try again", address)
    target.send(folder)
    _made[address] = target.version(), folder


class RunTarget:
    """Folder of a store that holds a run or receives one.

    Raises:
        OutputError: runs cannot be written there.
    """

    def __init__(self, address: str) -> None:
        if is_member(address) or address.lower().startswith("http"):
            raise OutputError(
                "{}: a run cannot be written to this address; name a folder of this machine or of a bucket", address
            )
        self.address = address
        self._root = RemoteFile(address)

    def names(self) -> dict[str, RemoteFile]:
        """Return the files there by their names below the folder."""
        try:
            found = folder_files(self.address, True, hidden=True)
        except InputError:
            if self._is_missing():
                return {}
            raise
        return {file.name[len(self._root.name.rstrip("/")) + 1 :]: file for file in found}

    def _is_missing(self) -> bool:
        try:
            self._root.info()
        except FileNotFoundError:
            return True
        except OSError:
            return False
        return False

    def version(self) -> str:
        """Return a text that changes whenever the run at the address changes; "" if there is no run."""
        try:
            return self._file(MANIFEST).quick_digest() or ""
        except FileNotFoundError:
            return ""

    def manifest(self) -> dict[str, Any]:
        """Return the content of run.json there; an empty dict if the file is missing or cannot be read."""
        try:
            return _mapping(self._read(MANIFEST))
        except (OSError, InputError):
            return {}

    def _file(self, name: str) -> RemoteFile:
        return RemoteFile(f"{self.address}/{name}")

    def _read(self, name: str) -> bytes:
        with self._file(name).open_stream() as content:
            return content.read()

    def check(self, overwrite: bool, table: str) -> None:
        """Raise OutputError unless nothing is there, or a run that may be replaced, or the rest of a stopped upload."""
        try:
            names = self.names()
            if not names:
                return
            if MANIFEST not in names:
                self._check_rest(set(names))
                return
            manifest = self._read(MANIFEST)
        except InputError as error:
            raise OutputError("{}", error) from error
        if not overwrite:
            raise OutputError(
                "{} exists: choose another folder, or replace that run with {}", self.address, Param("overwrite", True)
            )
        if not begins_run(manifest) or not any(name.split("/")[0] == f"{table}.parquet" for name in names):
            raise OutputError(
                "{} is not a run folder of quchong, so {} does not replace it: choose another folder",
                self.address,
                Param("overwrite", True),
            )
        self._check_own(set(names), _mapping(manifest))

    def _check_rest(self, names: set[str]) -> None:
        """Raise OutputError unless a stopped upload left these files."""
        if SENDING not in names:
            raise OutputError("{} contains other files, such as {}: choose another folder", self.address, min(names))
        told = _mapping(self._read(SENDING)).get("files")
        others = names - {SENDING} - set(told if isinstance(told, list) else ())
        if others:
            raise OutputError("{} contains other files, such as {}: choose another folder", self.address, min(others))

    def _check_own(self, names: set[str], manifest: Mapping[str, Any]) -> None:
        other = foreign_names(names - {SENDING}, manifest)
        if other is not None:
            raise OutputError(
                "{} contains {}, which no run wrote: move it, or choose another folder", self.address, other
            )

    def send(self, folder: Path) -> None:
        """Send all files of a local run folder, `run.json` last; files of the run that was there are removed.

        Raises:
            OutputError: the store refuses or fails; what was sent is no run, and a later call replaces it.
        """
        new = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
        token = secrets.token_hex(8)
        try:
            old = set(self.names())
            told = {"token": token, "files": sorted(old - {SENDING} | set(new))}
            self._send_bytes(SENDING, json.dumps(told).encode())
            if MANIFEST in old:
                self._remove([MANIFEST])
            for name in new:
                if name != MANIFEST:
                    self._send_file(folder / name, name)
            self._remove(sorted(old - set(new) - {SENDING, MANIFEST}))
            if _mapping(self._read(SENDING)).get("token") != token:
                raise StoreError(Message("another process is sending a run to this folder"))
            self._send_file(folder / MANIFEST, MANIFEST)
            self._remove([SENDING])
        except (OSError, InputError) as error:
            reason = error.message if isinstance(error, StoreError | InputError) else Message("{}", reason_of(error))
            raise OutputError(
                "{}: {}; the upload of this run is incomplete, so the folder cannot be opened: give the same "
                "command again to finish it, or delete the folder",
                self.address,
                reason,
            ) from None

    def _send_bytes(self, name: str, content: bytes) -> None:
        file = self._file(name)
        store_call(lambda: file.files.pipe_file(file.name, content))

    def _send_file(self, path: Path, name: str) -> None:
        file, size = self._file(name), path.stat().st_size

        def send_once() -> None:
            file.files.makedirs(file.name.rpartition("/")[0], exist_ok=True)
            file.files.put_file(str(path), file.name)
            found = int(file.files.info(file.name)["size"])
            if found != size:
                raise CutShort(found, size)

        store_call(send_once)

    def _remove(self, names: Iterable[str]) -> None:
        for name in names:
            file = self._file(name)

            def remove(file: RemoteFile = file) -> None:
                if file.files.exists(file.name):
                    file.files.rm_file(file.name)

            store_call(remove)


def _mapping(content: bytes) -> dict[str, Any]:
    """Return the JSON object in `content`; {} for anything else."""
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
