"""Shared passages of the documents of a corpus: `passages`, and of two texts: `align`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, Unpack

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.api.public_calls import public
from quchong.engines.local.compare import aligned, compare_documents
from quchong.engines.local.memory import Room, record_limit
from quchong.engines.local.own_texts import original_texts
from quchong.engines.local.passages import Repeating, Shared, find_shared
from quchong.errors import UsageError, meant
from quchong.findings import Passage
from quchong.io import MemorySource, from_object
from quchong.io.files.addresses import here_among
from quchong.io.page_documents import Pages
from quchong.languages import filled, join_names
from quchong.outputs import Place, check_apart, local
from quchong.parameters.explained_arguments import explains_arguments
from quchong.parameters.made_by_calls import MadeByCall
from quchong.parameters.other_attributes import SuggestsNames
from quchong.plan.method_parameters import AlignParameters
from quchong.plan.mistaken_data import check_no_file_name
from quchong.plan.parameters import checked, only_with_out, run_place
from quchong.plan.request import Body, make_plan
from quchong.plan.sources import Data, Spool, places_opened
from quchong.progress import Progress, Stages
from quchong.results.cutting import TABLE, check_cut, cut_table, describe_shared, write_shared
from quchong.results.input_options import InputOptions
from quchong.runs.layout import fresh_folder
from quchong.seam import Method


@explains_arguments
class SharedPassages(SuggestsNames, metaclass=MadeByCall):
    """Passages that occur in two or more documents of a corpus. Without `out` nothing is written before `save` is called."""

    _MADE_BY = "qc.passages('news.jsonl')"
    _LOOPED = "found.table.to_pylist()"
    _OTHER_NAMES = MappingProxyType(
        {
            "table": "passages matches pairs df result",
            "save": "write to_csv to_json",
        }
    )

    def __init__(self, shared: Shared, stages: Stages, spool: Spool | None = None, read: Sequence[Place] = ()) -> None:
        self._shared = shared
        self._read = read
        self._stages = stages
        self._spool = spool  # what stdin was written to lives as long as the result
        self._manifest: dict[str, Any] | None = None

    @property
    def table(self) -> pa.Table:
        """Table with one row for each passage of two documents (`quchong.tables.PASSAGES`); offsets are in original characters."""
        return self._shared.table

    @property
    def boilerplate(self) -> pa.Table:
        """Passages that occur in many documents and make up little of them, each once, the most frequent first."""
        mine = self.table.filter(self.table["boilerplate"])
        return mine.take(pa.array(_first_rows(mine))).sort_by([("documents", "descending"), ("passage", "ascending")])

    def most_frequent(self, n: int = 20) -> list[dict[str, Any]]:
        """Return the n distinct passages in most documents, of equal ones the longest first: rows of `table`, and their `text`."""
        n = checked(n=n)["n"]
        first = _first_rows(self.table)
        once = self.table.take(pa.array(first))
        keys = [("documents", "descending"), ("characters", "descending"), ("passage", "ascending")]
        best = pc.sort_indices(once, keys).slice(0, n)
        rows: list[dict[str, Any]] = once.take(best).to_pylist()
        documents = self._shared.left[first[best.to_numpy()]].tolist()
        texts = dict(original_texts(self._shared.corpus, self._shared.plan, sorted(set(documents))))
        for row, document in zip(rows, documents, strict=True):
            row["text"] = texts[document][row["left_start"] : row["left_end"]]
        return rows

    @property
    def manifest(self) -> dict[str, object]:
        """Contents of run.json if `out` was given, else its future contents, without files."""
        return describe_shared(self._shared, self._stages) if self._manifest is None else self._manifest

    def cut(self, what: str = "copies", *, at: str = "sentence") -> pa.Table:
        """Return the rows of data in memory without repeated passages, except one copy of each: see `save`.

        Raises:
            UsageError: the data is from files (use `save`), or the text is made of several columns.
        """
        checked(what=what, at=at)
        check_cut(what, at, self._shared.plan.text)
        sources = [s.inner if isinstance(s, Pages) else s for s in self._shared.sources]
        if not all(isinstance(s, MemorySource) for s in sources):
            raise UsageError("the data came from files: save(folder, cut=...) writes their rows without the passages")
        return cut_table(self._shared, what, at)

    def save(self, folder: str | Path, *, cut: str = "none", at: str = "sentence", overwrite: bool = False) -> Path:
        """Write passages.parquet, skipped.jsonl, run.json, and with `cut` the rows without repeated passages (`cut.*`).

        Args:
            cut: "copies" removes every passage from all documents except the first by policy; "boilerplate" only passages that
                occur in many documents; "none" nothing.
            at: "sentence" removes only sentences that are contained whole in one passage; "exact" all of a passage.

        Raises:
            OutputError: the folder exists (without `overwrite`), overlaps an input, or cannot be written.
            InputChanged: an input file changed since it was read.
            UsageError: the text of records cannot be replaced in a source of this format, such as WARC.
        """
        checked(cut=cut, at=at, overwrite=overwrite)
        out: Path = run_place(folder=folder)
        self._check_apart(local(here_among(out)))
        with fresh_folder(out, overwrite=overwrite, table=TABLE) as fresh:
            write_shared(self._shared, fresh, cut, at, self._stages)
        return out

    def _check_apart(self, written: list[Place]) -> None:
        check_apart([*self._read, *places_opened(self._shared.corpus.sources)], written)

    def _fill(self, fresh: Path, written: list[Place], cut: str, at: str) -> None:
        """Write the passages into a new folder."""
        self._check_apart(written)
        self._manifest = write_shared(self._shared, fresh, cut, at, self._stages)

    def __repr__(self) -> str:
        c = self._shared.counts
        values = c["passages"], c["documents"], c["read"]
        return filled("<quchong.SharedPassages: {:,} in {:,} of {:,} documents>", values)


def _first_rows(table: pa.Table) -> np.ndarray:
    """Return the first row of each distinct passage, ascending."""
    return np.sort(np.unique(table["passage"].to_numpy(), return_index=True)[1])


@public()
def passages(
    data: Data,
    *,
    min_chars: int | None = 60,
    common: int = 10,
    partners: int = 64,
    keep: str | Iterable[str] = "earliest,longest",
    against: Data | None = None,
    text: str | Iterable[str] = "text",
    id: str | None = None,
    time: str = "time",
    source: str = "source",
    html: str | None = "html",
    body: Body = "main",
    strip: str | Iterable[str] = (),
    format: str | None = None,
    encoding: str | None = None,
    max_record: str | int | None = None,
    workers: int | None = None,
    memory: str | int | None = None,
    out: str | Path | None = None,
    cut: Literal["none", "copies", "boilerplate"] = "none",
    cut_at: Literal["sentence", "exact"] = "sentence",
    overwrite: bool = False,
    storage_options: Mapping[str, Any] | None = None,
    progress: Progress | bool | None = None,
) -> SharedPassages:
    """Find every passage that occurs in two or more documents of a corpus, and count its documents.

    With `against` find every passage that a document shares with a document of that corpus, such as a set of test texts, and no other.
    In the table the document of that corpus is the left one and the document of `data` the right one.

    Args:
        data, text, id, time, source, html, body, strip, format, encoding, max_record, workers, memory, storage_options, progress: as for
            `dedup`.
        min_chars: least letters and digits of a passage, in normal form.
        common: number of documents at or above which a passage is boilerplate, if it makes up less than half of them on average.
        partners: most earlier occurrences of a passage that are listed for each of its occurrences; all are counted.
        keep: policy that orders documents, as for `dedup`; by default the earliest, then the longest comes first.
        against: a reference corpus, as for `dedup`; its passages are cut from `data`, and it is never changed.
        out, cut, cut_at, overwrite: the folder to write, and the passages to remove from rows: as in `SharedPassages.save`, where
            `cut_at` is `at`.

    Raises:
        UsageError, InputError: a parameter or input cannot be used; the message names the file and a remedy. Bad records are
            counted and listed in skipped.jsonl.
        OutputError, InputChanged: with `out`, as `SharedPassages.save`.

    Documents with ids give the same result for any order of the input, any number of workers and any memory.
    """
    sizes = checked(memory=memory, max_record=max_record)
    most = record_limit(sizes["max_record"], sizes["memory"])
    plan = make_plan(
        method="exact", max_record=most, keep=keep, text=text, id=id, time=time, source=source, html=html, body=body, strip=strip,
        workers=workers, recall_sample=0,
    )  # fmt: skip
    given = checked(
        min_chars=min_chars, common=common, partners=partners, format=format, encoding=encoding, progress=progress, cut=cut,
        cut_at=cut_at, overwrite=overwrite,
    ) | {"out": run_place(out=out)}  # fmt: skip
    repeating = Repeating(given["min_chars"] or 60, given["common"], given["partners"])
    reading, stages = (
        InputOptions.of_call(data, plan, against=against, format=format, encoding=encoding),
        Stages(given["progress"], logs=True),
    )

    def find_passages(room: Room) -> SharedPassages:
        with reading.open_inputs(plan, known=False) as inputs:
            found = find_shared(inputs, inputs.plan or plan, repeating, stages, room)
            return SharedPassages(found, stages, inputs.spool, reading.places)

    if given["out"] is None:
        only_with_out(cut=cut != "none", overwrite=overwrite)
        return find_passages(Room(sizes["memory"]))
    check_cut(cut, cut_at, plan.text)
    written = local(here_among(given["out"]), "out")
    check_apart(reading.places, written, makes_folder=True)
    with fresh_folder(given["out"], overwrite=overwrite, table=TABLE) as fresh:
        result = find_passages(Room(sizes["memory"], fresh))
        result._fill(fresh, written, cut, cut_at)
    return result


@public("tokens")
def align(
    left: str,
    right: str,
    *,
    min_chars: int | None = None,
    method: str | Method | None = None,
    **parameters: Unpack[AlignParameters],
) -> tuple[Passage, ...]:
    """Find the passages that two texts share: copied ones, and reworked ones with words replaced, inserted, removed or moved.

    Args:
        left, right: the texts.
        min_chars: least characters of a passage on both sides; None: see `quchong.engines.local.compare.aligned`.
        method: a name or a method (such as yap3 or sl-st) whose own passages are returned instead.
        **parameters: parameters of the named method, except `min_chars` of method partial: give a method object to set that.

    Returns:
        Passages in the order of the left text: start and end in `left`, survivor_start and survivor_end in `right`, in
        characters; kind "exact" where both are equal in normal form from end to end, else "near".
    """
    for one in (left, right):
        check_no_file_name(one, takes_paths=False)
    return align_texts(left, right, min_chars, method, parameters)


def align_texts(
    left: str, right: str, min_chars: int | None, method: str | Method | None, parameters: AlignParameters
) -> tuple[Passage, ...]:
    """Return what `align` returns, for texts that may be the names of files."""
    min_chars = checked(left=left, right=right, min_chars=min_chars)["min_chars"]
    if method is None:
        if parameters:
            guess = meant(min(parameters), ("left", "right", "min_chars", "method"))
            raise UsageError(
                "{}: these are parameters of a method: choose a method{}", join_names(sorted(parameters)), guess
            )
        return aligned(left, right, min_chars)
    plan = make_plan(method=method, social="none", recall_sample=0, workers=1, **parameters)
    found = compare_documents([from_object([left, right], plan.wanted_columns)], plan).passages
    least = min_chars or 0
    return tuple(p for p in found if min(p.end - p.start, p.survivor_end - p.survivor_start) >= least)
