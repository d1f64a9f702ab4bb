"""Prepared texts and features of kept documents, stored in a run folder, so that a later run against it need not read them again."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np

from quchong.engines.local.batch_kinds import READ_KINDS
from quchong.engines.local.outcome import Outcome
from quchong.engines.local.segments import SEGMENT_BYTES, ReadBatch, read_in, some_of
from quchong.engines.local.stage_store import give_back
from quchong.engines.local.stored_source import KeptOf, extra_of, is_known, key_of, terms_of
from quchong.errors import OutputError, Param, UsageError, reason_of
from quchong.io import Source
from quchong.io.formats import SHEETS
from quchong.kernels.sorting import distinct
from quchong.languages import Message
from quchong.outputs import OwnFolder, is_file_beneath, open_folder, stands_beneath
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.results.row_outputs import WrittenRows
from quchong.results.shards import shard_name
from quchong.runs.own_files import KEPT_WORK
from quchong.runs.reader import encoding_of
from quchong.work import Work
from quchong.work.values import write_value

FORMAT = 2


class _Shelf:
    """Writer of the stored batches of one file of rows; a file is written whenever it reaches its size."""

    def __init__(self, folder: OwnFolder, number: int, bound: int) -> None:
        self._folder, self._number, self._bound = folder, number, bound
        self._open: list[ReadBatch] = []
        self._held = 0
        self.seen = self.documents = self.bytes = 0
        self.files: list[str] = []

    def add(self, batch: ReadBatch) -> None:
        """Add a batch; a batch without documents is stored only as the first one, for its types."""
        if not len(batch.texts) and (self._open or self.files):
            return
        self._open.append(batch)
        self.documents += len(batch.texts)
        self._held += batch.nbytes
        if self._held >= self._bound:
            self.close()

    def close(self) -> None:
        """Write the batches that are still in memory to a file."""
        if self._open:
            name = f"{self._number:05}-{len(self.files):05}.value"
            self.bytes += write_value(self._folder, name, self._open, READ_KINDS, permissions=0o666)
            self.files.append(name)
            self._open, self._held = [], 0
            give_back()


def keep_work(
    outcome: Outcome, work: Work, folder: Path, written: WrittenRows, plan: Plan, stages: Stages,
    bound: int = SEGMENT_BYTES,
) -> dict[str, Any]:  # fmt: skip
    """Store prepared texts and features of the kept documents below the run folder; return the entry for run.json.

    Columns and edits are stored too. One segment is in memory at a time.

    Args:
        outcome: a decided run.
        work: intermediate results of its reading.
        folder: folder of the run, with its rows.
        written: the files of rows, as `write_rows` returns them; each file with kept rows gets batches of its own.
        plan: the plan as requested; that of the outcome also has statistics.
        bound: bytes of a file, and of memory.

    Raises:
        OutputError: there is no room, or `work` belongs to another run.
    """
    corpus, place = outcome.corpus, folder / KEPT_WORK
    place.mkdir()
    opened = OwnFolder(place, open_folder(place))
    # Documents that this run read itself; those of references with stored features were not read.
    read = np.flatnonzero(~np.array([is_known(source) for source in corpus.sources], bool)[corpus.source])
    names, of_document = _kept_files(outcome, written)
    shelves = [_Shelf(opened, number, bound) for number in range(len(names))]
    annotated = any("annotated" in sides for sides in written.files.values())
    at = 0
    with stages.stage("keep work", len(read)) as progress:
        try:
            for batch in read_in(work):
                # Batches come in the order of reading. Their row numbers prove that the work is that of this run.
                here = read[at : at + len(batch.texts)]
                at += len(batch.texts)
                if not np.array_equal(batch.columns["row"].to_numpy(), corpus.row[here]):
                    raise _not_whole(work)
                numbers = of_document[here]
                for number in distinct(numbers[numbers >= 0]).tolist():
                    _shelve(shelves[number], batch, numbers == number, ~outcome.fate.removed[here], annotated)
                progress.advance(len(here))
            for shelf in shelves:
                shelf.close()
        except OSError as error:
            raise OutputError(
                "cannot write {}: {}; make room or choose another place", place, reason_of(error)
            ) from error
        # Fewer documents than the run read: the work is incomplete.
        if at != len(read):
            raise _not_whole(work)
        filled = [shelf.documents > 0 or written.parts is None for shelf in shelves]
        rows = [_file_entry(folder, name, shelf) for name, shelf in compress(zip(names, shelves, strict=True), filled)]
    terms = terms_of(plan)
    return {
        "format": FORMAT, "key": key_of(terms), "terms": terms, "extra": list(extra_of(plan.wanted_columns)),
        "bytes": sum(shelf.bytes for shelf in shelves), "rows": rows,
    }  # fmt: skip


def check_keepable(inputs: Sequence[Source]) -> None:
    """Raise UsageError for inputs whose kept rows would not be read as they were: lists of paths, and workbooks."""
    for source in inputs:
        if source.suffix == ".txt" or source.suffix in SHEETS:
            what = Message("a workbook") if source.suffix in SHEETS else Message("made of texts in separate files")
            raise UsageError(
                "{}: {} is {}, so later runs could not use its stored data: leave out the option, or give the "
                "texts as JSONL or Parquet",
                Param("keep_work", True), source.name, what,
            )  # fmt: skip


def _kept_files(outcome: Outcome, written: WrittenRows) -> tuple[list[str], np.ndarray]:
    """Return the names of the files with kept rows, and the index of the file of each document, removed ones too; -1 for references."""
    corpus = outcome.corpus
    sides = [written.files[source.name] for source in corpus.sources[outcome.reference_sources :]]
    if written.parts is None:
        names = [side.get("annotated") or side["kept"] for side in sides]
        return names, np.maximum(corpus.source.astype(np.int64) - outcome.reference_sources, -1)
    side = "annotated" if "annotated" in sides[0] else "kept"
    suffix = sides[0][side].partition("*")[2]
    return [shard_name(side, k, suffix) for k in range(written.about["shards"]["count"])], written.parts


def _shelve(shelf: _Shelf, batch: ReadBatch, mine: np.ndarray, stays: np.ndarray, annotated: bool) -> None:
    """Add the kept documents of a batch that are in the file of the shelf (`mine`), with their row numbers in that file.

    The file has the kept rows alone, or all rows if `annotated`.
    """
    there, kept = mine if annotated else mine & stays, mine & stays
    place = np.cumsum(there) - 1
    shelf.add(some_of(batch, kept, shelf.seen + place[kept]))
    shelf.seen += int(there.sum())


def _file_entry(folder: Path, file: str, shelf: _Shelf) -> dict[str, Any]:
    """Return the entry of a file of rows for run.json: its stored files, and its size, time and digest."""
    path = folder / file
    with path.open("rb") as opened:
        digest = hashlib.file_digest(opened, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
    stat = path.stat()
    return {
        "file": file, "documents": shelf.documents, "files": shelf.files,
        "bytes": stat.st_size, "mtime_ns": stat.st_mtime_ns, "blake2b": digest,
    }  # fmt: skip


def _not_whole(work: Work) -> OutputError:
    return OutputError(
        "the unfinished work in {} does not belong to this run: start again with {}", work.folder, Param("fresh", True)
    )


def kept_of(folder: Path, manifest: Mapping[str, Any]) -> dict[str, KeptOf]:
    """Return the stored features of a run by file of rows; empty if it has none, or if its run.json describes them in another format."""
    about = manifest.get("work")
    try:
        if not isinstance(about, dict) or about["format"] != FORMAT or about["key"] != key_of(about["terms"]):
            return {}
        return {
            str(one["file"]): KeptOf(
                folder, tuple(_value(folder, name) for name in one["files"]), int(one["documents"]),
                about["terms"], tuple(about["extra"]), _rows(manifest, one),
            )
            for one in about["rows"]
        }  # fmt: skip
    except (KeyError, TypeError, ValueError, AttributeError):
        return {}


def _value(folder: Path, name: str) -> Path:
    """Return the path of a stored file of values; a missing file is reported when it is opened.

    Raises:
        ValueError: the name is no file of values.
    """
    file = f"{KEPT_WORK}/{name}"
    if "/" in name or (stands_beneath(folder, file) and not is_file_beneath(folder, file)):
        raise ValueError(f"{name!r} is no file of work")
    return folder / KEPT_WORK / name


def _rows(manifest: Mapping[str, Any], one: Mapping[str, Any]) -> dict[str, Any]:
    """Return the description of a file of rows, as a source describes itself."""
    said = {name: one[name] for name in ("bytes", "mtime_ns", "blake2b")}
    encoding = encoding_of(manifest, str(one["file"]))
    chosen = {"kept_rows": one["documents"]} if manifest["mode"] == "annotate" else {}
    return said | chosen | ({"encoding": encoding} if encoding else {})
