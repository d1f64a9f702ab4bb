"""Sources that the parts of a run have read: their stored batches take the place of reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableSequence, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.engines.local.part_checks import DONE, check_part
from quchong.engines.local.segments import ReadBatch, read_in
from quchong.engines.local.stored_source import KnownSource
from quchong.errors import RunError
from quchong.io.bad_records import sort_by_row
from quchong.io.found_properties import check_found, check_same_bytes, set_found_properties
from quchong.io.page_documents import Pages
from quchong.io.source import Bad, Source
from quchong.io.wrapped_source import SourceAround
from quchong.work import Work


class StoredParts:
    """Batches and bad records that all parts of a run have stored, by index of the source.

    Args:
        openers: functions that open the work of each part, in order; the caller has checked that they belong to the run.
        names: names of these parts, for messages.
    """

    def __init__(self, openers: Sequence[Callable[[], Work]], names: Sequence[str]) -> None:
        self._openers, self._names = openers, names

    @cached_property
    def entries(self) -> Mapping[int, list[tuple[dict[str, Any], list[ReadBatch]]]]:
        """Entries and batches of a source that the parts of a run read, mapped from their files.

        Raises:
            RunError: the work of a part is damaged.
        """
        out: dict[int, list[tuple[dict[str, Any], list[ReadBatch]]]] = {}
        for open_work, name in zip(self._openers, self._names, strict=True):
            work = open_work()
            try:
                told = work.get(DONE, check_part)
                batches = read_in(work)
                for entry in told[0] if told else ():
                    mine = [next(batches, None) for _ in range(len(entry["counts"]))]
                    if [-1 if one is None else len(one.texts) for one in mine] != entry["counts"].tolist():
                        raise _damaged(name)
                    out.setdefault(entry["source"], []).append((entry, [one for one in mine if one is not None]))
                if told is None or next(batches, None) is not None:
                    raise _damaged(name)
            finally:
                work.close()
        return out

    def batches(self, source: int) -> list[ReadBatch]:
        """Return all batches of a source in order of its rows; without documents one empty batch for its columns."""
        found = [batch for _, some in self.entries.get(source, ()) for batch in some]
        some = [batch for batch in found if len(batch.texts)]
        return sorted(some, key=lambda batch: int(batch.columns["row"][0].as_py())) or found[:1]


class JoinedSource(SourceAround):
    """Source that parts of a run have read; its rows are fetched from the wrapped source.

    Args:
        inner: the source.
        parts: what was stored.
        index: of the source among all of the run.
        state: identity of the stored values, for `RunInputs.state`.
    """

    def __init__(self, inner: Source, parts: StoredParts, index: int, state: str) -> None:
        super().__init__(inner)
        self.label, self.state = f"joined-{index:06}", state
        self._parts, self._index = parts, index

    def expected(self) -> int | None:
        """Return None: the number of documents is found when the stored batches are mapped."""
        return None

    @property
    def numbers(self) -> bool:
        """True if all ids were whole numbers in the input."""
        return all(entry["numbers"] for entry, _ in self._parts.entries.get(self._index, ()))

    @property
    def has_pages(self) -> bool:
        """True if a part has read a page instead of a text."""
        return any(entry["pages"] for entry, _ in self._parts.entries.get(self._index, ()))

    def batches(self) -> list[ReadBatch]:
        """Return the stored batches in the order of the rows."""
        return self._parts.batches(self._index)

    def texts(self) -> list[pa.Array]:
        """Return the texts of `batches`, one array a batch."""
        return [batch.texts for batch in self.batches()]

    def _first(self) -> dict[str, Any] | None:
        """Return the entry of the part that read the first block of the source; it has the file's digest. None if no part did."""
        return next((entry["found"] for entry, _ in self._parts.entries.get(self._index, ()) if entry["first"]), None)

    def check_bytes(self) -> None:
        """Raise InputChanged if a source no longer has the bytes that the parts read; the whole source is read to check this."""
        if (first := self._first()) is not None:
            entries = [entry for entry, _ in self._parts.entries.get(self._index, ())]
            for entry in entries:
                check_same_bytes(self.inner, first, entry["found"])
            check_found(self.inner, first, [piece for entry in entries for piece in entry["pieces"]])

    def take_over(self, bad: MutableSequence[Bad]) -> None:
        """Add the bad records to `bad`, and set on the wrapped source everything that reading it would have found."""
        entries = [entry for entry, _ in self._parts.entries.get(self._index, ())]
        before = len(bad)
        for entry in entries:
            bad.extend(entry["bad"])
        sort_by_row(bad, before)
        if (first := self._first()) is None:
            return
        found = dict(first)
        if "_bad_rows" in found:
            found["_bad_rows"] = np.unique(np.concatenate([entry["bad_rows"] for entry in entries]))
        try:
            set_found_properties(self.inner, found)
        except ValueError as error:
            raise _damaged(self.name) from error


def take_joined(
    sources: list[Source], references: int, bad: MutableSequence[Bad], reference_bad: MutableSequence[Bad], work: Work
) -> tuple[dict[int, list[ReadBatch]], bool]:
    """Return the stored batches of the sources that parts have read, by index, and True if the ids of all inputs are whole numbers.

    These sources are replaced in `sources` by those within them, in the state after reading.

    Args:
        sources: of a corpus, as pages; the first `references` are the reference corpus.
        bad, reference_bad: receive the bad records of inputs and references.
        work: learns the texts, so that values refer to them.
    """
    found: dict[int, list[ReadBatch]] = {}
    numbers = True
    for s, source in enumerate(sources):
        if not isinstance(source, Pages) or not isinstance(one := source.inner, JoinedSource):
            continue
        found[s] = one.batches()
        work.remember(one.label, [batch.texts for batch in found[s]])
        one.take_over(bad if s >= references else reference_bad)
        numbers = numbers and (s < references or one.numbers)
        if one.has_pages:
            source.reader.met.add(one.name)
        sources[s] = Pages(one.inner, source.reader)
    return found, numbers


def with_parts(sources: Sequence[Source], first: int, parts: StoredParts, state: str) -> list[Source]:
    """Return the sources such that what the parts read of them is not read again; `first` is the index of the first one."""
    return [
        one if isinstance(one, KnownSource) else JoinedSource(one, parts, first + number, state)
        for number, one in enumerate(sources)
    ]


def check_joined(sources: Sequence[Source], workers: int | None) -> None:
    """Raise InputChanged unless the sources have the bytes that the parts have read, several files at once.

    A file can be changed and get back its size and time. So this is called after the last pass over the files: what that pass found is
    what the parts found.
    """
    joined = [one for one in sources if isinstance(one, JoinedSource)]
    with ThreadPoolExecutor(workers, "quchong-digest") as pool:
        for _ in pool.map(JoinedSource.check_bytes, joined):
            pass


def _damaged(name: str) -> RunError:
    return RunError("part {} is damaged: remove its folder, and read this part again", name)
