"""Search for all passages that two documents of a corpus share."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong import kernels
from quchong.decision.alarms import Alarm, bad_input, columns_by_usual_names
from quchong.decision.passages import kinds, original
from quchong.engines.local.columns import check_page_column
from quchong.engines.local.corpus import Corpus, load
from quchong.engines.local.inputs import RunInputs
from quchong.engines.local.memory import Room, budget
from quchong.engines.local.text_store import FoundKeeper, TextKeeper
from quchong.errors import Param, UsageError
from quchong.io.bad_records import BadRecords
from quchong.io.source import Bad, Source
from quchong.kernels.align import Repeats
from quchong.kernels.arrays import Ragged
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.sorting import distinct
from quchong.languages import Message
from quchong.plan.plan import Plan
from quchong.progress import Stages, peak_memory
from quchong.tables import PASSAGES, table_of
from quchong.text import form

TEXTS = 4
"""Share of the memory limit, as a divisor, that the texts of a corpus may take before they are stored in a file."""
PIECE = 32 << 20
"""Bytes of texts whose letters are found at once."""
PARTNERS = 64
"""Earlier occurrences with which an occurrence of a passage is paired; the documents of a passage are all counted anyway."""


@dataclass(frozen=True, slots=True)
class Repeating:
    """Settings of a search for repeated passages.

    Args:
        min_chars: minimum letters and digits of a passage, in normal form (so that marks, spaces and width do not count).
        common: minimum number of documents with a passage for it to be boilerplate. It must also make up less than half of these
            documents on average, so that a whole reprint is not boilerplate.
        partners: maximum number of earlier occurrences with which each occurrence of a passage is listed.
    """

    min_chars: int = 60
    common: int = 10
    partners: int = PARTNERS

    def __post_init__(self) -> None:
        if not 2 <= self.min_chars < 2**31:
            raise UsageError("{} must be at least 2, got {}", Param("min_chars"), self.min_chars)
        if self.common < 2 or self.partners < 1:
            raise UsageError(
                "{} must be at least 2 and {} at least 1: {}, {}",
                Param("common"),
                Param("partners"),
                self.common,
                self.partners,
            )


@dataclass(frozen=True, slots=True)
class Shared:
    """Shared passages of a corpus, before any file is written.

    Attributes:
        room: the memory budget of the search, and the folder for data beyond it.
        table: the PASSAGES table.
        left, right: the two documents of each row, as indices in the corpus.
        rank: rank of each document by policy, 0 for the first.
        bad, counts, alarms: records that could not be read; counts and alarms of the search.
        references: number of the sources, at the beginning, that are a reference corpus; their documents are `left` alone, all others
            `right` alone.
    """

    plan: Plan
    repeating: Repeating
    room: Room
    corpus: Corpus
    table: pa.Table
    left: np.ndarray
    right: np.ndarray
    rank: np.ndarray
    bad: Sequence[Bad]
    counts: dict[str, Any]
    alarms: list[Alarm]
    references: int = 0

    @property
    def sources(self) -> Sequence[Source]:
        """Sources of the corpus, without the reference corpus."""
        return self.corpus.sources[self.references :]


def find_shared(inputs: RunInputs, plan: Plan, repeating: Repeating, stages: Stages, room: Room) -> Shared:
    """Read a corpus and find its shared passages; of two documents `left` comes first by the plan's policy.

    With a reference corpus only passages that a document shares with it are returned; `left` is the document of the reference corpus.
    All passages are found, except those beyond a limit that an alarm reports (see `quchong.kernels.align.repeated_passages`). For
    documents with ids the result does not depend on the order of the input, the number of workers or the memory. Memory: the texts, 4
    bytes for each letter or digit, and a few more; texts, letters, anchors and tables beyond the limit of `room` are in unnamed files.
    """
    with stages.watching(), room.spilling(stages), FoundKeeper(room.spill, room.result_limit) as keeper:
        return _find_shared(inputs, plan, repeating, stages, room, keeper)


def _find_shared(
    inputs: RunInputs, plan: Plan, repeating: Repeating, stages: Stages, room: Room, keeper: FoundKeeper
) -> Shared:
    bad = BadRecords(keep=keeper.table)
    may = budget(room.memory)
    corpus, _ = load(inputs, plan, bad, stages, TextKeeper(room.spill, None if may is None else may // TEXTS))
    bad.finish()
    check_page_column(corpus.sources, len(corpus))
    corpus = replace(corpus, tokens=None)
    pa.default_memory_pool().release_unused()
    # Rank the documents by policy, so that the earlier one of a pair is `left`.
    rank = corpus.documents.under(plan.policy, corpus.columns, np.zeros(len(corpus), bool), plan.time_key).priority
    order = np.argsort(rank, kind="stable")
    with stages.stage("passages", len(corpus)):
        # Find repeated passages of letters (characters of the normal form) over all texts.
        docs = _letters(corpus, order, plan.workers)
        found = kernels.align.repeated_passages(
            docs, repeating.min_chars, partners=repeating.partners, workers=plan.workers
        )  # fmt: skip
        letters = int(docs.offsets[-1])
        del docs
        if inputs.references:
            found = _across(found, corpus.documents.reference[order])
    with stages.stage("places", len(found.doc)):
        # Trim each passage to whole tokens, and lead its offsets back from the prepared texts to the originals.
        left, right = order[found.other], order[found.doc]
        places, lengths, exact = kernels.align.whole_runs(
            form(), corpus.texts.texts, left, right, found.other_start, found.start, found.length, plan.workers
        )
        places = original(corpus.edits, left, right, np.arange(len(left) + 1), places)
        # Sort by ids and offsets, and drop passages that are too short as whole tokens.
        rows = np.lexsort(
            (places[:, 0], corpus.documents.id_rank[left], places[:, 2], corpus.documents.id_rank[right])
        )  # fmt: skip
        rows = rows[lengths[rows] >= repeating.min_chars]
        named = corpus.documents.shown_ids
        made = _table(repeating, found, rows, (named(left[rows]), named(right[rows])), places, lengths, exact)
        table, (left, right) = keeper.table(made), keeper.arrays([left[rows], right[rows]])
        bounded = found.bounded
        del found, made, places, lengths, exact, rows
    counts = _counts(corpus, table, right, bad, letters)
    alarms = bad_input(len(corpus.renamed), len(bad), len(corpus), 0, first=bad[0] if bad else None)
    alarms += columns_by_usual_names(plan.columns_found)
    if bounded and (not inputs.references or corpus.documents.references > repeating.partners):
        alarms.append(
            Alarm(
                "passages bounded",
                Message(
                    "{:,} positions have the same text as more than {} earlier positions; for each, only the "
                    "passages shared with the first few of these are listed",
                    bounded,
                    repeating.partners,
                ),
                {"places": bounded, "partners": repeating.partners},
            )
        )
    return Shared(plan, repeating, room, corpus, table, left, right, rank, bad, counts, alarms, len(inputs.references))


def _letters(corpus: Corpus, order: np.ndarray, workers: int | None) -> Ragged:
    """Return the letters and digits of the texts in normal form, one ragged row each, in the order `order`."""
    letter = form("standard", "char")
    sizes = prefix_sums(corpus.texts.bytes[order])
    edges = [0, *(np.flatnonzero(np.diff(sizes[:-1] // PIECE)) + 1).tolist(), len(order)]
    pieces: deque[np.ndarray] = deque()
    counts = [np.zeros(0, np.int64)]
    for start, end in pairwise(edges):
        docs = kernels.text.tokenise(letter, corpus.texts.take(order[start:end]), workers=workers).docs
        pieces.append(docs.tokens)
        counts.append(np.diff(docs.offsets))
    offsets = prefix_sums(np.concatenate(counts))
    if len(pieces) == 1:
        return Ragged(pieces.pop(), offsets)
    tokens, at = np.empty(int(offsets[-1]), np.uint32), 0
    while pieces:
        piece = pieces.popleft()
        tokens[at : at + len(piece)] = piece
        at += len(piece)
    return Ragged(tokens, offsets)


def _across(found: Repeats, reference: np.ndarray) -> Repeats:
    """Return the passages between a document of the reference corpus and one that is not; `reference` is a mask in the order of `found`.

    The reference corpus comes first in that order, so that no limit of earlier occurrences leaves it out for other documents.
    """
    some = np.flatnonzero(reference[found.other] & ~reference[found.doc])
    names = ("doc", "other", "start", "other_start", "length", "passage")
    return found._replace(**{name: getattr(found, name)[some] for name in names})


def _table(
    repeating: Repeating, found: Repeats, rows: np.ndarray, ids: tuple[pa.Array, pa.Array], places: np.ndarray,
    lengths: np.ndarray, exact: np.ndarray,
) -> pa.Table:  # fmt: skip
    """Return the PASSAGES table of the repeated passages `rows`, in their order; distinct passages are numbered by first appearance."""
    old = found.passage[rows]
    first = np.unique(old, return_index=True)[1]
    number = np.empty(len(found.documents), np.int64)
    number[old[np.sort(first)]] = np.arange(len(first))
    documents, share = found.documents[old].astype(np.int64), found.share[old]
    values = [
        number[old], ids[0], places[rows, 0], places[rows, 1],
        ids[1], places[rows, 2], places[rows, 3], kinds(exact[rows]),
        lengths[rows], documents, share, (documents >= repeating.common) & (share < 0.5),
    ]  # fmt: skip
    columns = {f.name: pa.array(v) for f, v in zip(PASSAGES, values, strict=True)}
    return table_of(columns, PASSAGES)


def _counts(corpus: Corpus, table: pa.Table, right: np.ndarray, bad: Sequence[Bad], letters: int) -> dict[str, Any]:
    common = table.filter(table["boilerplate"])
    return {
        "read": len(corpus) - corpus.documents.references,
        **({"reference": corpus.documents.references} if corpus.documents.references else {}),
        "skipped": len(bad),
        "letters": letters,
        "passages": len(table),
        "distinct": pc.count_distinct(table["passage"]).as_py(),
        "documents": len(distinct(right)),
        "boilerplate": pc.count_distinct(common["passage"]).as_py(),
        "peak_memory_bytes": peak_memory(),
    }
