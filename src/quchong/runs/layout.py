"""Layout of the run folder, and the conditions for replacing one."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from quchong.errors import Call, InPython, OutputError, Param, RunError, reason_of, shell_word
from quchong.io.files.addresses import address_of
from quchong.languages import Message
from quchong.outputs import MANIFEST as MANIFEST
from quchong.outputs import check_settled, is_file_beneath, manifest_of, spell_names, staged, stands_beneath
from quchong.outputs.free_names import free_name, name_that_is
from quchong.patterns import lazy_pattern
from quchong.runs.manifest import check_manifest
from quchong.runs.near_runs import run_advice
from quchong.runs.nothing_read import check_replaces
from quchong.runs.own_files import foreign_file
from quchong.runs.reader import TABLES, table_in
from quchong.runs.remote_runs import sent_folder
from quchong.runs.tables import check_tables

FORMAT = 1
INDEX = "index.json"
"""File by which an index is recognised (`quchong.engines.index.settings`), which is no run folder."""
KEPT_IDS = "kept_ids.parquet"
"""File of the ids of kept rows, of a run that writes no rows."""
DECISIONS = "decisions.jsonl"
"""File of the removals that a person had overturned before the run, as the run applied them."""
_ELSEWHERE = lazy_pattern(r"[A-Za-z][A-Za-z0-9+.-]+:/")
"""Beginning of a URI of a folder that Spark knows, such as hdfs://."""


def is_run(folder: Path, table: str = "ledger") -> bool:
    """Return True if this is a finished run folder of quchong with that table."""
    return is_file_beneath(folder, MANIFEST) and stands_beneath(folder, f"{table}.parquet")


@contextmanager
def fresh_folder(out: Path, *, overwrite: bool = False, table: str = "ledger") -> Iterator[Path]:
    """Yield a new folder to fill; it is renamed to `out` if the block ends without error, else removed.

    A run that is overwritten stays complete until then (`quchong.outputs.staging`). One at an address is made on this machine and sent
    whole (`quchong.runs.remote_runs`). `table` is the table by which a run that may be overwritten is recognised.

    Raises:
        OutputError: `out` exists (and is not a run to overwrite), cannot be made, or another run is writing it.
        InputError: the new run read no document, and the one that it would replace did.
    """
    if (address := address_of(out)) is not None:
        check_folder_name(address)
        with sent_folder(address, overwrite=overwrite, table=table) as new:
            yield new
        return
    if str(out) == "-":
        raise OutputError(
            "{} is standard output, but a run is a folder of several files: give a folder, such as {}; its "
            "kept rows are in a file that other programs can read",
            out,
            free_name("run"),
        )
    if not out.name or out.name == "..":
        raise OutputError("{} cannot become a run folder: name a new folder, such as run/", out)
    if not os.path.lexists(out):
        check_folder_name(str(out))
    shown = str(out)
    try:
        out = Path(os.path.realpath(out))
    except ValueError as error:  # a NUL, half a character
        raise OutputError("{!r} cannot be the name of a folder ({}): choose another name", str(out), error) from error

    with staged(
        out,
        partial(check_free, out, overwrite=overwrite, table=table, shown=shown),
        Message("make room or choose another place"),
    ) as new:
        new.mkdir()
        yield new
        if made := readable_manifest(new):
            check_replaces(made, readable_manifest(out), shown)


def readable_manifest(folder: Path) -> dict[str, Any]:
    """Return the content of run.json in anybody's folder; an empty dict if the file is missing or cannot be read."""
    with contextlib.suppress(OSError, ValueError, RunError):
        return manifest_of(folder)
    return {}


def check_free(out: Path, *, overwrite: bool = False, table: str = "ledger", shown: str | None = None) -> None:
    """Raise OutputError if the place of a run is taken and may not be overwritten; `shown` is the place as the user gave it."""
    if os.path.lexists(out) and (not out.is_dir() or any(out.iterdir())):
        _check_replaceable(out, overwrite, table, str(out) if shown is None else shown)


_OF_FILES = (
    ".jsonl",
    ".json",
    ".csv",
    ".tsv",
    ".parquet",
    ".arrow",
    ".feather",
    ".ipc",
    ".xlsx",
    ".txt",
    ".html",
    ".gz",
    ".zst",
)
"""Suffixes of files of rows, which a folder is not given on purpose."""


def check_folder_name(out: str) -> None:
    """Raise OutputError if the output has the name of a file, because a run is a folder with several files."""
    base, suffix = os.path.splitext(out.rstrip("/"))  # noqa: PTH122 - may be an address
    if suffix.lower() in _OF_FILES:
        raise OutputError(
            "{} is the name of a file, but a run is a folder of several files, one of which has the kept rows: give a folder, such as {}{}",
            out,
            f"{base}/",
            InPython("; for a table of the kept rows alone, use result.kept"),
        )


def _check_replaceable(out: Path, overwrite: bool, table: str, shown: str) -> None:
    """Raise OutputError unless the path is a run that may be overwritten, and contains only files that a run wrote."""
    if not out.is_dir():
        raise OutputError("{} is a file, but a run is written to a folder: choose another name, such as {}", shown,
                          free_name(out.stem))  # fmt: skip
    ours = is_run(out, table)
    other = foreign_file(out) if ours else None
    if not overwrite and (not ours or other):
        raise OutputError(
            "{} exists and was not written by this command: choose another folder, such as {}",
            shown,
            free_name(out.name),
        )
    if not overwrite:
        raise OutputError(
            "{} exists: choose another folder, such as {}, or replace that run with {}",
            shown, free_name(out.name), Param("overwrite", True),
        )  # fmt: skip
    if not ours:
        raise OutputError(
            "{} is not a run folder of quchong, so {} does not replace it: choose another folder, such as {}",
            shown, Param("overwrite", True), free_name(out.name),
        )  # fmt: skip
    if other:
        raise OutputError(
            "{} contains {}, which quchong did not write, so {} does not replace the folder: move that file "
            "elsewhere, or choose another folder, such as {}", shown, other, Param("overwrite", True), free_name(out.name),
        )  # fmt: skip


ROW_GROUP = 1 << 20
"""Rows of a row group of a table's file, the default of PyArrow."""
PAIR_GROUP = 1 << 15
"""Rows of a row group of pairs.parquet: a pair with its differences takes up to 1 KB of memory while it is written."""


def write_table(table: pa.Table, path: Path) -> None:
    """Write a table as a Parquet file, zstd; the same table gives the same bytes."""
    write_parts([table], path)


def write_parts(parts: Iterable[pa.Table], path: Path, group: int = ROW_GROUP) -> None:
    """Write a table that is given in one or more parts as one Parquet file, with row groups of `group` rows.

    Parts of `group` rows give the bytes of the whole table.

    Raises:
        OutputError: the file cannot be written.
    """
    try:
        rest = iter(parts)
        first = next(rest)
        with (
            pa.OSFile(os.fsencode(path), "wb") as file,
            pq.ParquetWriter(file, first.schema, compression="zstd", compression_level=1) as writer,
        ):
            for part in chain([first], rest):
                writer.write_table(part, group)
    except OSError as error:
        raise OutputError("cannot write {}: {}; make room or choose another place", path, reason_of(error)) from error


def write_json(value: dict[str, Any], path: Path) -> None:
    """Write an indented JSON file."""
    try:
        path.write_text(json.dumps(spell_names(value), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise OutputError("cannot write {}: {}; make room or choose another place", path, reason_of(error)) from error


def export_call(index: str | Path) -> Call:
    """Return the call that writes the documents of an index as a run, to a folder that nothing has yet."""
    free = free_name("run")
    return Call(f"qc.Index({str(index)!r}).export({free!r})", f"quchong index export {shell_word(index)} -o {free}")


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read and check run.json of a run folder.

    Raises:
        RunError: the path is no folder or no run, or a later version wrote it.
    """
    if not os.path.isdir(folder):  # noqa: PTH112 - never raises
        check_settled(folder)
        if _ELSEWHERE.match(str(folder)):
            raise RunError(
                "{} is on a file system that quchong cannot read: copy the folder to this machine, or mount it", folder
            )
        if os.path.exists(folder) and is_run(folder.absolute().parent):  # noqa: PTH110 - never raises
            raise RunError("{} is a file of a run: give the folder {}", folder, folder.parent)
        if os.path.exists(folder):  # noqa: PTH110 - never raises
            free = free_name("run")
            made = Call(f"qc.dedup({str(folder)!r}, out={free!r})", f"quchong dedup {shell_word(folder)} -o {free}")
            if there := name_that_is("run", is_run):
                raise RunError(
                    "{} is a file, not a run folder: give a run folder, such as {}, or deduplicate the file with {}",
                    folder, there, made,
                )  # fmt: skip
            raise RunError("{} is a file, not a run folder: deduplicate the file first, with {}", folder, made)
        raise RunError("{} is not a folder: {}", folder, run_advice(folder, is_whole_run))
    with contextlib.suppress(OSError, ValueError):
        manifest = manifest_of(folder)
        if manifest.get("format", 0) > FORMAT:
            raise RunError(
                "{} was written by a later version of quchong ({}): upgrade quchong", folder, manifest.get("quchong")
            )
        if is_run(folder):
            return check_manifest(manifest, folder / MANIFEST)
    if is_file_beneath(folder, INDEX):
        raise RunError(
            "{} is an index, not a run folder: to write its documents as a run, use {}", folder, export_call(folder)
        )
    if is_run(folder, "units"):
        raise RunError(
            "{} is the folder of a run that compares lines or paragraphs: use quchong explain or quchong "
            "restore, or give it to dedup as input",
            folder,
        )
    if is_run(folder, "matches"):
        raise RunError(
            "{} is a folder of quchong decontaminate: use quchong explain or quchong restore, or give it to "
            "dedup as input",
            folder,
        )
    if lost := _lost_of_run(folder):
        raise RunError(
            "{} is a damaged run: {} is missing or cannot be read; restore that file from a copy, or make the run again in another "
            "folder, such as {}", folder, lost, free_name("run"),
        )  # fmt: skip
    raise RunError(
        "{} is not a run folder: it has no readable run.json and ledger.parquet; {}",
        folder,
        run_advice(folder, is_whole_run),
    )


def is_whole_run(folder: Path) -> bool:
    """Return True for a run folder whose run.json can be read."""
    return is_run(folder) and _lost_of_run(folder) is None


def _lost_of_run(folder: Path) -> str | None:
    """Return the name of the file that a run folder lacks, or whose contents are not JSON; None for a folder that is no run."""
    ledger = stands_beneath(folder, "ledger.parquet")
    try:
        manifest = manifest_of(folder)
    except (OSError, ValueError):
        return MANIFEST if ledger else None
    return "ledger.parquet" if not ledger and "quchong" in manifest else None


def read_tables(folder: Path, manifest: Mapping[str, Any]) -> dict[str, pa.Table]:
    """Read the tables of a run folder by name: ledger, pairs, clusters, documents.

    If kept and removed rows are folders of parts, documents has one more column (`quchong.tables.PART`).

    Raises:
        RunError: a table is missing or damaged, or the tables contradict each other.
    """
    parts = manifest.get("parts", {})
    tables = {name: table_in(folder, name, parts.get(f"{name}.parquet")) for name in TABLES}
    check_tables(tables, manifest, folder)
    return tables
