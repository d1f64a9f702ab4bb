"""The passages that documents of a corpus share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, Unpack

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.api.output import only_with_out
from quchong.engines.local.compare import aligned, compare_documents
from quchong.engines.local.memory import record_limit
from quchong.engines.local.passages import Repeating, Shared, find_shared
from quchong.errors import UsageError, meant
from quchong.io import MemorySource, from_object
from quchong.outputs import Place, check_apart, local
from quchong.plan.method_parameters import AlignParameters
from quchong.plan.parameters import checked
from quchong.plan.request import Body, make_plan
from quchong.plan.sources import Data, Spool, places_opened, places_read, read_once, sources_of, spooled
from quchong.progress import Progress, Stages
from quchong.reading.pages import Pages
from quchong.report import Passage
from quchong.results.cutting import TABLE, check_cut, cut_table, describe_shared, originals, write_shared
from quchong.runs.layout import fresh_folder
from quchong.seam import Method


class SharedPassages:
    """Passages that stand in two documents of a corpus. Without `out` nothing is written until `save`."""

    def __init__(self, shared: Shared, stages: Stages, spool: Spool | None = None, read: Sequence[Place] = ()) -> None:
        self._shared = shared
        self._read = read
        self._stages = stages
        self._spool = spool  # what stdin was written to lives as long as the result
        self._manifest: dict[str, Any] | None = None

    @property
    def table(self) -> pa.Table:
        """One row per passage of two documents (`quchong.tables.PASSAGES`), in characters of the original texts."""
        return self._shared.table

    @property
    def boilerplate(self) -> pa.Table:
        """The passages that stand in many documents and make up little of them, each once, the most frequent first."""
        mine = self.table.filter(self.table["boilerplate"])
        return mine.take(pa.array(_first_rows(mine))).sort_by([("documents", "descending"), ("passage", "ascending")])

    def most_frequent(self, n: int = 20) -> list[dict[str, Any]]:
        """The n distinct passages that stand in most documents, longest first among equals: rows of `table` and their `text`."""
        n = checked(n=n)["n"]
        first = _first_rows(self.table)
        once = self.table.take(pa.array(first))
        keys = [("documents", "descending"), ("characters", "descending"), ("passage", "ascending")]
        best = pc.sort_indices(once, keys).slice(0, n)
        rows: list[dict[str, Any]] = once.take(best).to_pylist()
        documents = self._shared.left[first[best.to_numpy()]].tolist()
        texts = dict(originals(self._shared, sorted(set(documents))))
        for row, document in zip(rows, documents, strict=True):
            row["text"] = texts[document][row["left_start"] : row["left_end"]]
        return rows

    @property
    def manifest(self) -> dict[str, object]:
        """What run.json holds where `out` was given; else what it would hold, without files."""
        return describe_shared(self._shared, self._stages) if self._manifest is None else self._manifest

    def cut(self, what: str = "copies", *, at: str = "sentence") -> pa.Table:
        """The rows of data in memory without repeated passages, one copy of each left: see `save`.

        Raises:
            UsageError: the data came from files (use `save`), or the text is made of several columns.
        """
        checked(what=what, at=at)
        check_cut(what, at, self._shared.plan.text)
        sources = [s.inner if isinstance(s, Pages) else s for s in self._shared.corpus.sources]
        if not all(isinstance(s, MemorySource) for s in sources):
            raise UsageError("the data came from files: save(folder, cut=...) writes them without the passages")
        return cut_table(self._shared, what, at)

    def save(self, folder: str | Path, *, cut: str = "none", at: str = "sentence", overwrite: bool = False) -> Path:
        """Writes passages.parquet, skipped.jsonl, run.json, and with `cut` the rows without repeated passages (`cut.*`).

        Args:
            cut: "copies": every passage goes from all documents but the one that comes first by policy;
                "boilerplate": only those that stand in many documents; "none".
            at: "sentence" takes only sentences that stand whole in one passage; "exact" all of it.

        Raises:
            OutputError: the folder exists (without `overwrite`), lies in, over or around what was read, or cannot be written.
            InputChanged: an input file changed since it was read.
            UsageError: a source whose records cannot take another text, such as WARC.
        """
        out: Path = checked(folder=folder, cut=cut, at=at, overwrite=overwrite)["folder"]
        self._check_apart(local([out]))
        with fresh_folder(out, overwrite=overwrite, table=TABLE) as fresh:
            write_shared(self._shared, fresh, cut, at, self._stages)
        return out

    def _check_apart(self, written: list[Place]) -> None:
        check_apart([*self._read, *places_opened(self._shared.corpus.sources)], written)

    def _fill(self, fresh: Path, written: list[Place], cut: str, at: str) -> None:
        """Fills a fresh folder with what was found."""
        self._check_apart(written)
        self._manifest = write_shared(self._shared, fresh, cut, at, self._stages)

    def __repr__(self) -> str:
        c = self._shared.counts
        return f"<quchong.SharedPassages: {c['passages']:,} in {c['documents']:,} of {c['read']:,} documents>"


def _first_rows(table: pa.Table) -> np.ndarray:
    """The first row of each distinct passage, ascending."""
    return np.sort(np.unique(table["passage"].to_numpy(), return_index=True)[1])


def passages(
    data: Data,
    *,
    min_chars: int | None = 60,
    common: int = 10,
    partners: int = 64,
    keep: str | Iterable[str] = "earliest,longest",
    text: str | Iterable[str] = "text",
    id: str | None = None,
    time: str = "time",
    html: str | None = "html",
    body: Body = "main",
    strip: str | Iterable[str] = (),
    format: str | None = None,
    encoding: str | None = None,
    max_record: str | int | None = None,
    workers: int | None = None,
    out: str | Path | None = None,
    cut: Literal["none", "copies", "boilerplate"] = "none",
    cut_at: Literal["sentence", "exact"] = "sentence",
    overwrite: bool = False,
    progress: Progress | None = None,
) -> SharedPassages:
    """Finds every passage that stands in two documents of a corpus, and in how many.

    Args:
        data, text, id, time, html, body, strip, format, encoding, max_record, workers, progress: as for `dedup`.
        min_chars: letters and digits of a passage, in normal form.
        common: documents from which on a passage is boilerplate, if it makes up less than half of them on the average.
        partners: of each place of a document so many earlier places with the passage are listed; all are counted.
        keep: which of two documents comes first, as for `dedup`; by default the earliest, then the longest.
        out, cut, cut_at, overwrite: the folder to write, and what is cut out of the rows: as `SharedPassages.save` with `at`.

    Raises:
        UsageError, InputError: with the file and the remedy. Bad records are counted and listed in skipped.jsonl.
        OutputError, InputChanged: with `out`, as `SharedPassages.save`.

    Deterministic for documents that carry ids, whatever the order of the input and the number of workers.
    """
    most = record_limit(checked(max_record=max_record)["max_record"])
    plan = make_plan(
        method="exact", max_record=most, keep=keep, text=text, id=id, time=time, html=html, body=body, strip=strip, workers=workers,
        recall_sample=0,
    )  # fmt: skip
    given = checked(
        min_chars=min_chars, common=common, partners=partners, format=format, encoding=encoding, progress=progress, out=out, cut=cut,
        cut_at=cut_at, overwrite=overwrite,
    )  # fmt: skip
    repeating = Repeating(given["min_chars"] or 60, given["common"], given["partners"])
    read, stages = places_read(data), Stages(progress)

    def found() -> SharedPassages:
        spool = Spool() if read_once(data) else None
        with spooled(spool.folder if spool else None):
            place = spool.folder if spool else None
            inputs = sources_of(data, plan.wanted, format=format, spool=place, encoding=encoding, max_record=most)
            return SharedPassages(find_shared(inputs, plan, repeating, stages), stages, spool, read)

    if given["out"] is None:
        only_with_out(cut=cut != "none", overwrite=overwrite)
        return found()
    check_cut(cut, cut_at, plan.text)
    written = local([given["out"]], "out")
    check_apart(read, written)
    with fresh_folder(given["out"], overwrite=overwrite, table=TABLE) as fresh:
        result = found()
        result._fill(fresh, written, cut, cut_at)
    return result


def align(
    left: str,
    right: str,
    *,
    min_chars: int | None = None,
    method: str | Method | None = None,
    **parameters: Unpack[AlignParameters],
) -> tuple[Passage, ...]:
    """The passages two texts share: copied ones, and reworked ones with words replaced, put in, left out or moved.

    Args:
        left, right: the texts.
        min_chars: characters a passage has at least on both sides; None: see `quchong.engines.local.compare.aligned`.
        method: the passages that a method counts (such as yap3 or sl-st, or hybrid's equal runs) instead; a name, or a method.
        **parameters: of the method named, but for `min_chars` of method partial: give it a method for that.

    Returns:
        Passages in the order of the left text: start and end in `left`, survivor_start and survivor_end in `right`, in
        characters; kind "exact" where both are equal in normal form from end to end, else "near".
    """
    given = checked(left=left, right=right, min_chars=min_chars)
    min_chars = given["min_chars"]
    if method is None:
        if parameters:
            guess = meant(min(parameters), (*given, "method"))
            raise UsageError("{}: parameters belong to a method, name one{}", ", ".join(sorted(parameters)), guess)
        return aligned(left, right, min_chars)
    plan = make_plan(method=method, social="none", recall_sample=0, workers=1, **parameters)
    found = compare_documents([from_object([left, right], plan.wanted)], plan).passages
    least = min_chars or 0
    return tuple(p for p in found if min(p.end - p.start, p.survivor_end - p.survivor_start) >= least)
