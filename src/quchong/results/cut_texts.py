"""Texts without the lines or paragraphs that are cut, and the table of these, made batch by batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from quchong.decision.equality import unit_digests
from quchong.decision.units import FLOOR, REASONS, ListedUnits
from quchong.engines.local.text_store import FoundKeeper, TextKeeper
from quchong.engines.local.units import UnitsFound
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.sorting import distinct, ordered
from quchong.results.new_texts import KeptRuns, NewTexts
from quchong.tables import UNITS
from quchong.text.units import Units, bytes_of, split_units

ROWS = 1 << 18
"""Rows of the table that are made at once."""


@dataclass(slots=True)
class CutCorpus:
    """New texts of all documents that lose a unit and are kept, and the rows of the table of units.

    Attributes:
        texts: the new texts, in the order of documents.
        documents: int64, document of each.
        cut_units, cut_words: int64 (documents of the corpus,), what each loses.
        pieces: columns of the table of units by batch: document, unit from 0 in the corpus, start, end, words, copies, documents,
            reason, cut, document that keeps it, unit there.
        runs: what of the old texts is left in the new ones, by batch.
    """

    texts: list[pa.Array]
    documents: np.ndarray
    cut_units: np.ndarray
    cut_words: np.ndarray
    pieces: list[list[np.ndarray]] = field(default_factory=list)
    runs: list[KeptRuns] = field(default_factory=list)

    def of_source(self, found: UnitsFound, source: int) -> NewTexts:
        """Return the new texts of the rows of a source."""
        return NewTexts.of_source(found.corpus, source, self.documents, self.texts, self.runs)


def cut_corpus(found: UnitsFound, texts: TextKeeper, keeper: FoundKeeper) -> CutCorpus:
    """Cut the units of a run out of all texts; return the new texts (stored in `texts`) and the table's rows (in `keeper`)."""
    n = len(found.corpus)
    made = CutCorpus([], np.zeros(0, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64))
    documents = [made.documents]
    for begin, batch in found.batches():
        end = begin + len(batch)
        if not found.changed[begin:end].any() and not len(found.of_documents(begin, end)):
            continue
        units, listed = split_units(batch, found.rule.unit), found.of_documents(begin, end)
        cut = np.zeros(len(units), bool)
        cut[listed.number[listed.cut] - found.first[begin]] = True
        gone = found.gone[begin:end]
        cut |= gone[units.text]
        some = np.flatnonzero(found.changed[begin:end] & ~gone)
        held, offsets = bytes_of(batch)
        left, runs = _cut_batch(held, offsets, units, cut, some)
        made.texts.append(texts.keep(left))
        made.runs.append(KeptRuns(*keeper.arrays(runs.columns())))
        documents.append(some + begin)
        piece = _rows(found, begin, held, offsets, units, listed)
        document, words, lost = piece[0], piece[4], piece[8].astype(bool)
        np.add.at(made.cut_units, document[lost], 1)
        np.add.at(made.cut_words, document[lost], words[lost])
        made.pieces.append(keeper.arrays(piece))
    made.documents = np.concatenate(documents)
    return made


def _cut_batch(
    held: np.ndarray, offsets: np.ndarray, units: Units, cut: np.ndarray, some: np.ndarray
) -> tuple[pa.Array, KeptRuns]:
    """Return the texts `some` of a batch without cut units, and the ranges of the old texts that they are made of.

    A text whose last unit is cut ends with as many bytes of line breaks as it did, at most.
    """
    wanted = np.zeros(len(offsets) - 1, bool)
    wanted[some] = True
    stays = ~cut & wanted[units.text]
    stop = units.stop.copy()
    # The last unit that stays gives up what line breaks it has more than the text had at its end.
    last = np.maximum.accumulate(np.where(stays, np.arange(len(units)), -1))
    final = units.first[some + 1] - 1
    final = final[cut[final]]
    behind = last[final]
    there = (behind >= 0) & (behind >= units.first[units.text[final]])
    final, behind = final[there], behind[there]
    stop[behind] = np.minimum(stop[behind], units.end[behind] + units.stop[final] - units.end[final])
    # Each unit is two runs of bytes: what stays of it, and what does not.
    lengths = np.stack([np.where(stays, stop - units.start, 0), np.zeros(len(units), np.int64)], axis=1)
    lengths[:, 1] = units.stop - units.start - lengths[:, 0]
    taken = np.repeat(np.tile([True, False], len(units)), lengths.ravel())
    kept = prefix_sums(lengths[:, 0])
    sizes = kept[units.first[some + 1]] - kept[units.first[some]]
    places = prefix_sums(sizes)
    left = pa.LargeStringArray.from_buffers(len(some), pa.py_buffer(places), pa.py_buffer(held[taken].tobytes()))
    return left, _kept_runs(held, offsets, units, stays, stop, some)


def _kept_runs(
    held: np.ndarray, offsets: np.ndarray, units: Units, stays: np.ndarray, stop: np.ndarray, some: np.ndarray
) -> KeptRuns:
    """Return the ranges of the texts `some` whose units are kept; adjacent units form one range."""
    there = np.flatnonzero(stays)
    text, start, end = units.text[there], units.start[there], stop[there]
    begins = np.ones(len(there), bool)
    begins[1:] = (text[1:] != text[:-1]) | (start[1:] != end[:-1])
    first = np.flatnonzero(begins)
    last = np.append(first[1:], len(there))[: len(first)] - 1
    text, start, end = text[first], start[first], end[last]
    opening, start, end = _characters_before(held, (offsets[text], start, end))
    counts = np.bincount(text, minlength=len(offsets) - 1)[some] if len(text) else np.zeros(len(some), np.int64)
    return KeptRuns(prefix_sums(counts), start - opening, end - opening)


def _rows(
    found: UnitsFound, begin: int, held: np.ndarray, offsets: np.ndarray, units: Units, listed: ListedUnits
) -> list[np.ndarray]:
    """Return the columns of the table of units for a batch: listed units, and all units of documents removed entirely."""
    base = int(found.first[begin])
    known = np.zeros(len(units), bool)
    known[listed.number - base] = True
    rest = np.flatnonzero(found.gone[begin + units.text] & ~known & (units.end > units.start))
    local = np.concatenate([listed.number - base, rest])
    order = ordered(local) if len(local) else local
    document = begin + units.text[local]
    cut = np.concatenate([listed.cut, np.ones(len(rest), bool)])
    none = np.full(len(rest), -1, np.int64)
    reason = np.concatenate([listed.reason, np.full(len(rest), FLOOR, np.uint8)])
    kept = np.concatenate([listed.kept, none])
    kept_document = np.concatenate([listed.kept_document, none])
    lost_too = (kept_document >= 0) & found.gone[np.maximum(kept_document, 0)]
    kept[lost_too] = kept_document[lost_too] = -1
    # Characters begin at bytes that are no continuation of one.
    where = found.corpus.texts.texts.part_views(
        begin + units.text[rest], units.start[rest] - offsets[units.text[rest]], (units.end - units.start)[rest]
    )
    words = unit_digests(found.plan.exact, where, found.plan.workers)[2]
    asked = (offsets[units.text[local]], units.start[local], units.end[local])
    opening, start, end = _characters_before(held, asked)
    columns = [
        document, local + base, start - opening, end - opening,
        np.concatenate([listed.words, words]), np.concatenate([listed.copies, none]),
        np.concatenate([listed.documents, none]), reason, cut, kept_document, kept,
    ]  # fmt: skip
    return [column[order] for column in columns]


def _characters_before(held: np.ndarray, asked: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return for each byte offset the number of characters before it, int64, in arrays as given."""
    edges = distinct(np.concatenate([np.zeros(1, np.int64), *asked]))
    begins = np.append((held & 0xC0) != 0x80, False)  # an offset may be the end
    counts = np.add.reduceat(begins, edges, dtype=np.int64)
    before = prefix_sums(counts)[:-1]
    return [before[np.searchsorted(edges, one)] for one in asked]


def unit_table(found: UnitsFound, made: CutCorpus) -> Iterator[pa.Table]:
    """Yield the table of units in parts of `ROWS` rows, sorted by id and number; one part at least."""
    sizes = prefix_sums([len(piece[0]) for piece in made.pieces])
    total = int(sizes[-1])
    rank = found.corpus.documents.id_rank
    document = np.concatenate([np.zeros(0, np.int64), *(piece[0] for piece in made.pieces)])
    number = np.concatenate([np.zeros(0, np.int64), *(piece[1] for piece in made.pieces)])
    order = ordered(rank[document], number)
    del document, number
    for start in range(0, max(total, 1), ROWS):
        index = order[start : start + ROWS]
        which = np.searchsorted(sizes, index, side="right") - 1
        columns = []
        for k in range(11):
            column = np.zeros(len(index), made.pieces[0][k].dtype if made.pieces else np.int64)
            for one in np.unique(which).tolist():
                mine = which == one
                column[mine] = made.pieces[one][k][index[mine] - sizes[one]]
            columns.append(column)
        yield _table(found, columns)


def _table(found: UnitsFound, columns: list[np.ndarray]) -> pa.Table:
    document, number, start, end, words, copies, documents, reason, cut, kept_document, kept = columns
    ids = found.corpus.documents.shown_ids(document)
    nowhere = kept_document < 0
    kept_ids = found.corpus.documents.shown_ids(np.maximum(kept_document, 0)) if len(ids) else ids
    kept_unit = kept - found.first[np.maximum(kept_document, 0)] + 1 if len(ids) else kept
    values = [
        ids, number - found.first[document] + 1, start, end, words, pa.array(copies, mask=copies < 0),
        pa.array(documents, mask=documents < 0), pa.array([REASONS[code] for code in reason.tolist()], pa.string()),
        pa.array(cut.astype(bool)), _nulls(kept_ids, nowhere), pa.array(kept_unit, mask=nowhere),
    ]  # fmt: skip
    schema = pa.schema([one.with_type(ids.type) if one.name in ("id", "kept_id") else one for one in UNITS])
    arrays = [value if isinstance(value, pa.Array) else pa.array(value) for value in values]
    return pa.table([one.cast(kind.type) for one, kind in zip(arrays, schema, strict=True)], schema=schema)


def _nulls(values: pa.Array, mask: np.ndarray) -> pa.Array:
    """Return the values with null under the mask."""
    index = pa.array(np.arange(len(values)), mask=mask)
    return values.take(index)
