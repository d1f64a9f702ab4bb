"""Reference corpus of a run: files, data in memory, and rows that earlier runs kept."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from quchong.engines.index.settings import is_index, no_settings, read_settings
from quchong.engines.local.stored_source import KeptOf, KnownSource
from quchong.errors import InputError, RunError
from quchong.io import FileBeneath, Source, WantedColumns, open_file
from quchong.io.formats import suffix_of
from quchong.io.found_inputs import kept_files
from quchong.io.selected_rows import ChosenRows
from quchong.outputs import has_index_contents, is_file_beneath, manifest_of, stands_beneath
from quchong.plan.sources import Data, paths_of, sources_of
from quchong.results.kept_work import kept_of
from quchong.runs.layout import is_run, read_manifest
from quchong.runs.reader import encoding_of, own_files, table_in
from quchong.runs.restore import check_restored
from quchong.runs.row_ranges import annotated_files

_LISTS = (".txt", ".html")


def references_of(
    data: Data, wanted: WantedColumns, *, format: str | None = None, spool: Path | None = None, known: bool = True,
    max_record: int | None = None, choose: Callable[[Sequence[str]], WantedColumns] | None = None,
) -> list[Source]:  # fmt: skip
    """Return the sources of a reference corpus; a run folder, alone or among other paths, means the rows it kept.

    Args:
        data: as in `sources_of`; the folder of an index means its documents, which are copied to the spool.
        wanted: columns to read of each record.
        format: format of files outside of run folders.
        spool: folder into which standard input and pipes are copied.
        max_record: most bytes of a record.
        choose: returns for the columns of data in memory those that are wanted of it.
        known: use the features that a run stored, if they fit the plan; else its rows are read.

    Raises:
        InputError, UsageError: as `sources_of`; or a run has no rows that can be read.
        RunError: a damaged run folder in annotate mode.
    """
    paths = [run for path in paths_of(data) for run in _expanded(path)]
    for path in paths:
        if not is_index(Path(path)) and has_index_contents(Path(path)):
            raise no_settings(Path(path))
    if spool is not None and any(is_index(Path(path)) for path in paths):
        paths = [str(_documents_of(Path(path), spool, wanted)) if is_index(Path(path)) else path for path in paths]
        data = [Path(path) for path in paths]
    runs = {os.fspath(run) for run in runs_among(data)}
    if not runs:
        in_memory = None if paths else choose
        return sources_of(data, wanted, format=format, spool=spool, max_record=max_record, choose=in_memory)
    # Replace each run folder by its files of kept rows, and note what is known of each file by its real path.
    rows: dict[str, _Rows] = {}
    named: list[str] = []
    for path in paths:
        found = _rows_of(Path(path)) if path in runs else {path: None}
        named += found
        rows.update({os.path.realpath(file): one for file, one in found.items() if one is not None})
    sources = sources_of([Path(path) for path in named], wanted, format=format, spool=spool, max_record=max_record)
    # The sources keep the names and the order that `sources_of` gives; those of a run get its encoding, kept rows and
    # features.
    out: list[Source] = []
    for number, source in enumerate(sources):
        one = rows.get(os.path.realpath(source.path)) if source.path is not None else None
        out.append(source if one is None else one.open_source(source, f"known-{number:05}", known))
    return out


def indexes_among(data: Data) -> list[Path]:
    """Return the folders of indexes among the paths of a reference corpus."""
    return [Path(path) for path in paths_of(data) if is_index(Path(path))]


def _documents_of(index: Path, spool: Path, wanted: WantedColumns) -> Path:
    """Write the documents of an index to a file of the spool, with the text and the id under the names wanted; return its path.

    Raises:
        RunError: it is damaged.
        UsageError: it keeps no texts.
    """
    # Here: they bring SQLite and the reading of an index along, and few runs have one as a reference.
    from quchong.engines.index.catalogue import Catalogue
    from quchong.engines.index.documents import check_texts_kept, write_documents
    from quchong.engines.index.opening import naming

    settings = read_settings(index)
    check_texts_kept(settings.store)
    spool.mkdir(parents=True, exist_ok=True)
    path = spool / f"{index.resolve().name}.parquet"
    catalogue = Catalogue(index / settings.generation, writable=False)
    try:
        with naming(index):
            write_documents(catalogue, settings.plan, path, wanted.text, wanted.id)
    finally:
        catalogue.close()
    return path


def runs_among(data: Data) -> list[Path]:
    """Return the run folders among the paths of a reference corpus, each once."""
    paths = dict.fromkeys(run for path in paths_of(data) for run in _expanded(path))
    return [Path(path) for path in paths if is_run(Path(path))]


def _is_manifest(folder: Path) -> bool:
    """Return True if run.json is a JSON object; if it is not, opening the folder raises the error."""
    try:
        manifest_of(folder)
    except (OSError, ValueError, RunError):
        return False
    return True


class _Rows:
    """File of rows in a run folder, with the information needed to read its kept rows as a source.

    Args:
        folder, file: the run folder, and the name of the file in it.
        kept: features that the run stored for these rows; None if there are none.
        chosen: the kept rows, in a file of all rows; None for a file of kept rows.
        encoding: encoding of the file, None for UTF-8; some encodings cannot be detected.
    """

    def __init__(
        self, folder: Path, file: str, kept: KeptOf | None, chosen: np.ndarray | None, encoding: str | None
    ) -> None:
        self._file = FileBeneath(folder, file)
        self._kept, self._chosen, self._encoding = kept, chosen, encoding

    def open_source(self, source: Source, label: str, known: bool) -> Source:
        """Open the file as a source in place of `source`, with its encoding, its kept rows and, if `known`, its stored features."""
        assert source.path is not None
        usual = source.suffix == suffix_of(source.path.name)  # not read as something else by force
        format = None if usual else source.suffix[1:]
        source = open_file(self._file, format, self._encoding if usual else None, source.name)
        if self._chosen is not None:
            source = ChosenRows(source, self._chosen)
        return KnownSource(source, self._kept, label) if known and usual and self._kept is not None else source


def _expanded(path: str) -> Iterable[str]:
    """Return the folders that a glob matches if all of them are runs, else the path itself."""
    if not os.path.lexists(path) and glob.has_magic(path):
        found = sorted(glob.glob(path, recursive=True))  # noqa: PTH207 - may be absolute
        if found and all(is_run(Path(one)) for one in found):
            return found
    return [path]


def _rows_of(folder: Path) -> Mapping[str, _Rows | None]:
    """Return the files of kept rows of a run, by path; None for a folder that is not read as a run."""
    check_restored(folder)
    try:
        manifest: dict[str, Any] = read_manifest(folder)
    except RunError:  # reported when the folder is opened
        if stands_beneath(folder, "ledger.parquet") and _is_manifest(folder):
            raise
        return {str(folder): None}
    kept = kept_of(folder, manifest)
    if manifest["mode"] != "annotate":
        if "shards" in manifest:
            files = [file.path.relative_to(folder).as_posix() for file in kept_files(folder) or ()]
        else:
            files = sorted((sides["kept"] for sides in manifest["files"].values() if "kept" in sides), key=Path)
        if not files or any(
            "*" in file or not is_file_beneath(folder, file) or file.endswith(_LISTS) for file in files
        ):
            return {str(folder): None}  # parts of Spark; or lists of paths, which are refused there
        return {
            str(folder / file): _Rows(folder, file, kept.get(file), None, encoding_of(manifest, file)) for file in files
        }
    found: dict[str, _Rows | None] = {}
    documents = table_in(folder, "documents")
    removed = documents["removed"].to_numpy(zero_copy_only=False).astype(bool)
    for entry in manifest["inputs"]:
        if "annotated" not in manifest["files"].get(entry["name"], {}) or "path" in entry:
            raise InputError(
                "{} is a run folder, but its rows have no texts: give the input of that run instead", folder
            )
    for file, mine in annotated_files(manifest, documents):
        # a link or a pipe is refused here: `sources_of` would follow the one, and wait for the other
        with own_files(folder, [file]) as (own,), own.open():
            pass
        stays = ~removed[mine]
        found[str(folder / file)] = _Rows(
            folder, file, kept.get(file), np.flatnonzero(stays), encoding_of(manifest, file)
        )
    return found
