"""Texts of documents without the passages that are cut out of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, repeat

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong import kernels
from quchong.differences.passage_cutting import covered, unwrapped, whole_pieces, without
from quchong.engines.local.corpus import Corpus
from quchong.engines.local.memory import budget
from quchong.engines.local.own_texts import original_texts
from quchong.engines.local.passages import TEXTS, Shared
from quchong.engines.local.text_store import FoundKeeper, TextKeeper
from quchong.kernels.offsets import first_of_runs
from quchong.kernels.sorting import ordered
from quchong.results.new_texts import KeptRuns, NewTexts

BATCH, REREAD = 16 << 20, 4
"""Bytes of texts that are cut at once, and times as much of texts that are read again for it."""


@dataclass(frozen=True, slots=True)
class CutPassages:
    """New texts of the documents that lose passages, and counts of what was cut.

    Attributes:
        documents: int64, index in the corpus of each new text.
        texts: the new texts in batches, large_string.
        taken: documents changed, characters, documents with no letter left (`emptied`); and of the passages in documents other
            than the first that has them, those cut whole (`passages_whole`), in part (`passages_part`) or not at all
            (`passages_left`: parts of sentences), and those not equal from end to end, which are never cut (`passages_near`).
        runs: what of the old texts is left in the new ones, by batch.
    """

    documents: np.ndarray
    texts: list[pa.Array]
    taken: dict[str, int]
    runs: list[KeptRuns]

    def of_source(self, corpus: Corpus, source: int) -> NewTexts:
        """Return the new texts of the rows of a source."""
        return NewTexts.of_source(corpus, source, self.documents, self.texts, self.runs)


def cut_passages(shared: Shared, cut: str, at: str) -> CutPassages:
    """Cut passages out of the texts of a corpus, batch by batch; beyond the memory limit new texts are in unnamed files.

    Of every passage the copy in the document that comes first by policy stays. A cut never parts a character.

    Args:
        cut: "copies" takes out every passage, "boilerplate" those in many documents.
        at: "sentence" takes only sentences that stand whole in one passage, "exact" all of it.
    """
    room, corpus = shared.room, shared.corpus
    may = budget(room.memory)
    changed = [np.zeros(0, np.int64)]
    batches: list[pa.Array] = []
    runs: list[KeptRuns] = []
    taken = dict.fromkeys(("documents", "characters", "emptied"), 0)
    parts = dict.fromkeys(("whole", "part", "left"), 0)
    with (
        TextKeeper(room.spill, None if may is None else may // (2 * TEXTS)) as keeper,
        FoundKeeper(room.spill, room.result_limit) as places,
    ):
        spans = _copies(shared) if cut == "copies" else _common(shared)
        documents, first = np.unique(spans[0], return_index=True)
        edges = np.append(first, len(spans[0]))
        for some in _batches_of(corpus, documents, BATCH if may is None else min(BATCH, may // 64)):
            docs, new = [], []
            where = dict(zip(documents[some].tolist(), some.tolist(), strict=True))
            read = list(original_texts(corpus, shared.plan, documents[some].tolist()))
            sentences = _sentences([text for _, text in read], shared.plan.workers) if at == "sentence" else repeat([])
            for (doc, text), pieces in zip(read, sentences, strict=at == "sentence"):
                mine = slice(edges[where[doc]], edges[where[doc] + 1])
                found = list(zip(spans[1][mine].tolist(), spans[2][mine].tolist(), strict=True))
                if at == "exact":
                    parts["whole"] += len(found)
                else:
                    given, found = found, whole_pieces(text, found, unwrapped(text, pieces))
                    for how, count in covered(text, given, found).items():
                        parts[how] += count
                if found and (left := without(text, found)) != text:
                    docs.append(doc)
                    new.append(left)
                    taken["characters"] += len(text) - len(left)
                    taken["emptied"] += not any(c.isalnum() for c in left)
            if docs:
                changed.append(np.array(docs, np.int64))
                batches.append(keeper.keep(pa.array(new, pa.large_string())))
                runs.append(KeptRuns(*places.arrays(KeptRuns.from_lists(new).columns())))
        made = np.concatenate(changed)
        taken |= {"documents": len(made)} | {f"passages_{how}": count for how, count in parts.items()}
        return CutPassages(made, batches, taken | {"passages_near": _near(shared, cut)}, runs)


def _batches_of(corpus: Corpus, documents: np.ndarray, most: int) -> Iterator[np.ndarray]:
    """Yield indices in `documents` in batches whose texts have about `most` bytes.

    Texts that preparing changed are read again from their source, which may be read from its beginning for that: so they are batches
    of their own, of `REREAD` times as much.
    """
    edited = np.isin(documents, np.fromiter(corpus.edits, np.int64, len(corpus.edits)))
    for mine, size in ((np.flatnonzero(~edited), most), (np.flatnonzero(edited), most * REREAD)):
        if len(mine):
            batch = np.cumsum(corpus.texts.bytes[documents[mine]]) // size
            yield from np.split(mine, np.flatnonzero(np.diff(batch)) + 1)


def _sentences(texts: list[str], workers: int | None) -> Iterator[list[tuple[int, int]]]:
    """Yield the spans of the sentences of each text (`quchong.text.sentences`)."""
    start, end, offsets = kernels.text.sentence_places(pa.array(texts, pa.large_string()), workers)
    for a, b in pairwise(offsets.tolist()):
        yield list(zip(start[a:b].tolist(), end[a:b].tolist(), strict=True))


def _copies(shared: Shared) -> list[np.ndarray]:
    """Return every passage as it is in the later of its two documents, each once, sorted: document, start, end."""
    some = np.flatnonzero(_exact(shared))
    return _each_once(
        [shared.right[some], *(shared.table[name].to_numpy()[some] for name in ("right_start", "right_end"))]
    )


def _each_once(places: list[np.ndarray]) -> list[np.ndarray]:
    """Return passages (document, start, end) sorted and without repeats."""
    order = ordered(*places)
    places = [column[order] for column in places]
    first = first_of_runs(*places)
    return [column[first] for column in places]


def _exact(shared: Shared) -> np.ndarray:
    """Mask of the passages that are equal from end to end; only these are cut."""
    mask: np.ndarray = pc.equal(shared.table["kind"], "exact").to_numpy()
    return mask


def _common(shared: Shared) -> list[np.ndarray]:
    """Return boilerplate in every document but the first that has it, in the form of `_copies`.

    Documents stand on either side of its pairs: what two near-copies have in common is a longer passage, but each of them has
    the boilerplate alone in common with the others.
    """
    mine = np.flatnonzero(shared.table["boilerplate"].to_numpy() & _exact(shared))
    table = shared.table.take(pa.array(mine))
    number = table["passage"].to_numpy()
    left, right = shared.left[mine], shared.right[mine]
    reference = shared.corpus.documents.reference  # of which nothing is written
    first = np.full(int(number.max(initial=-1)) + 1, len(shared.rank))
    np.minimum.at(first, number, shared.rank[left])  # left comes before right
    found: list[list[np.ndarray]] = [[], [], []]
    for docs, side in ((left, "left"), (right, "right")):
        there = np.flatnonzero((shared.rank[docs] > first[number]) & ~reference[docs])
        columns = (docs, *(table[f"{side}_{end}"].to_numpy() for end in ("start", "end")))
        for one, column in zip(found, columns, strict=True):
            one.append(column[there])
    return _each_once([np.concatenate(column) for column in found])


def _near(shared: Shared, cut: str) -> int:
    """Return the number of passages that are not cut because they are reworked, counted in the later document."""
    mask = ~_exact(shared)
    if cut == "boilerplate":
        mask &= shared.table["boilerplate"].to_numpy()
    table = shared.table.filter(pa.array(mask))
    places = [shared.right[mask], *(table[name].to_numpy() for name in ("right_start", "right_end"))]
    return len(_each_once(places)[0])
