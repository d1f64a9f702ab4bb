"""Table of chains, with the changes of each copy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.chains.chain import SUPPORT, TIME, Row, chains
from quchong.chains.trees import NONE
from quchong.differences.find import find_differences
from quchong.findings import Difference
from quchong.relations import EQUAL
from quchong.report.change_wording import changes_in_words
from quchong.seam import Documents
from quchong.tables import CERTAINTIES, CHAINS, CHANGE, DIFFERENCES, FACTS, table_of
from quchong.text import form

LIKELY = 0.8
"""Minimum confidence of a source that is called likely: on made chains, at least 86 of 100 such sources are right."""


@dataclass(frozen=True, slots=True)
class Members:
    """Documents that may be in a chain, with their texts, times and publishers; sorted by id as text.

    Attributes:
        ids: ids as in the tables of the run. texts: large_string, null if unreadable.
        seconds: float64, time of publication as clocks in `zone` show it, in seconds since 1970; NaN if unknown.
        publishers, titles, links: large_string.
        zone: name of the zone in which times are written; None if they have none.
    """

    ids: pa.Array
    texts: pa.Array
    seconds: np.ndarray
    publishers: pa.Array
    titles: pa.Array
    links: pa.Array
    zone: str | None = None


def chain_table(members: Members, pairs: pa.Table, workers: int | None = None) -> pa.Table:
    """Build the table CHAINS: one row for each member of a chain, with its likeliest source, null if none is known.

    `members` are the documents of pairs called copies or variants, and digests with their parts.

    Deterministic and independent of the input order. Cost: one alignment for every pair within a chain, and the
        differences of every copy. Source: docs/guide/chains.md.

    Args:
        members: the documents that may be in a chain: those of pairs that are copies or variants, and digests with their parts.
        pairs: the table PAIRS of their run.
    """
    texts = members.texts.fill_null("")
    found = chains(members.ids.cast(pa.large_string()), texts, members.seconds, members.publishers, pairs, workers)
    rows = [row for chain in found for row in chain]
    changes, kinds = _changes(rows, texts, workers)
    words = [_words(row, own, texts) for row, own in zip(rows, changes, strict=True)]
    at = np.array([row.document for row in rows], np.int64)
    texts_of_ids = members.ids.cast(pa.large_string()).to_pylist()

    def take_ids(places: Sequence[int]) -> pa.Array:
        return members.ids.take(pa.array([None if p == NONE else p for p in places], pa.int64()))

    without = [row.source == NONE for row in rows]
    columns = {
        "chain_id": take_ids([chain[0].document for chain in found for _ in chain]),
        "position": pa.array([k for chain in found for k in range(1, len(chain) + 1)], pa.int32()),
        "id": take_ids([row.document for row in rows]),
        "role": pa.array([row.role for row in rows], pa.string()),
        "published": _published(members, at),
        "publisher": members.publishers.take(pa.array(at)),
        "title": members.titles.take(pa.array(at)),
        "link": members.links.take(pa.array(at)),
        "source_id": take_ids([row.source for row in rows]),
        "relation": pa.array([row.relation or None for row in rows], pa.string()),
        "basis": pa.array([row.basis for row in rows], pa.string()),
        "choices": pa.array([row.choices for row in rows], pa.int32()),
        "certainty": pa.array([certainty(row, bool(own)) for row, own in zip(rows, kinds, strict=True)], pa.string()),
        "confidence": pa.array([row.confidence for row in rows], pa.float64()),
        "runner_up_id": take_ids([row.second for row in rows]),
        "runner_up_confidence": pa.array(
            [None if r.second == NONE else r.second_confidence for r in rows], pa.float64()
        ),
        "shared": pa.array([None if none else r.shared for r, none in zip(rows, without, strict=True)], pa.float64()),
        "source_shared": pa.array(
            [None if n else r.source_shared for r, n in zip(rows, without, strict=True)], pa.float64()
        ),
        "facts": pa.array(kinds, pa.list_(pa.string())),
        "changes": pa.array([[_as_change(c) for c in own] for own in changes], pa.list_(CHANGE)),
        "changed": pa.array([one[0] for one in words], pa.large_string()),
        "changed_zh": pa.array([one[1] for one in words], pa.large_string()),
        "parts": pa.array([[texts_of_ids[p] for p in row.parts] for row in rows], pa.list_(pa.large_string())),
    }
    return table_of(columns, CHAINS)


def _published(members: Members, at: np.ndarray) -> pa.Array:
    """Return the times of documents as timestamps, in the zone of the members or without one; null where unknown."""
    known = np.isfinite(members.seconds[at])
    stamps = np.round(np.where(known, members.seconds[at], 0.0) * 1e6).astype(np.int64)
    plain = pa.array(stamps, mask=~known).cast(pa.timestamp("us"))
    if members.zone is None:
        return plain
    # hours that a change of clocks repeats or leaves out
    return pc.assume_timezone(plain, members.zone, ambiguous="earliest", nonexistent="earliest")


def _changes(
    rows: Sequence[Row], texts: pa.Array, workers: int | None
) -> tuple[list[list[Difference]], list[list[str]]]:
    """Return for each row of chains its differences from its source (`left`), and the kinds of facts in which the two conflict."""
    some = [k for k, row in enumerate(rows) if row.source != NONE and row.relation not in EQUAL]
    out: list[list[Difference]] = [[] for _ in rows]
    kinds: list[list[str]] = [[] for _ in rows]
    if not some:
        return out, kinds
    source, copy = (np.array([getattr(rows[k], name) for k in some], np.int64) for name in ("source", "document"))
    docs, index = np.unique(np.concatenate([source, copy]), return_inverse=True)
    every = np.ones(len(some), bool)
    named = Documents.from_texts(texts.take(pa.array(docs)))
    found = find_differences(form(), named, index[: len(some)], index[len(some) :], every, every, workers)
    left, right = found.left.to_pylist(), found.right.to_pylist()
    places, kind, conflict, offsets = found.places.tolist(), found.kind.tolist(), found.conflict.tolist(), found.offsets
    for i, k in enumerate(some):
        out[k] = [
            Difference(DIFFERENCES[kind[j]], conflict[j], left[j], right[j], *places[j])
            for j in range(int(offsets[i]), int(offsets[i + 1]))
        ]
        told = {c.kind for c in out[k] if c.conflict}
        kinds[k] = [name for name in FACTS if name in told]
    return out, kinds


def certainty(row: Row, conflict: bool) -> str | None:
    """Return how certain the source of a row is, one of `quchong.tables.CERTAINTIES`; None without a source.

    A single earlier document is the only one here, whatever is outside of the run; of several, one that explains the text far better
    than the others is likely. Facts in conflict, and a source in which less than half of the document is found, make it less certain.

    >>> certainty(Row(1, "copy", 0, "duplicate", TIME, 1, shared=0.9), False), certainty(Row(0, "first"), False)
    ('only', None)
    """
    if row.source == NONE:
        return None
    level = 0 if row.basis == TIME and row.choices == 1 else 1 if row.confidence >= LIKELY else 2
    weak = conflict or row.shared < SUPPORT
    return CERTAINTIES[min(level + weak, 2)]


def _words(row: Row, changes: Sequence[Difference], texts: pa.Array) -> tuple[str, str] | tuple[None, None]:
    if row.source == NONE:
        return None, None
    both = (texts[row.source].as_py(), texts[row.document].as_py()) if changes else None
    return str(changes_in_words(changes, texts=both)), str(changes_in_words(changes, "zh", texts=both))


def _as_change(c: Difference) -> dict[str, object]:
    values = (
        c.kind, c.conflict, c.right, c.left, c.right_start, c.right_end, c.left_start, c.left_end,
    )  # fmt: skip
    return dict(zip((f.name for f in CHANGE), values, strict=True))
