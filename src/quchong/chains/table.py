"""Table of chains, with the changes of each copy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from quchong.chains.chain import Row, chains
from quchong.chains.trees import NONE
from quchong.differences.find import find_differences
from quchong.findings import Difference
from quchong.relations import EQUAL
from quchong.report.change_wording import changes_in_words
from quchong.seam import Documents
from quchong.tables import CHAINS, CHANGE, DIFFERENCES, FACTS, table_of
from quchong.text import form


@dataclass(frozen=True, slots=True)
class Members:
    """Documents that may be in a chain, with their texts, times and publishers; sorted by id as text.

    Attributes:
        ids: ids as in the tables of the run. texts: large_string, null if unreadable.
        seconds: float64, time of publication; NaN if unknown.
        publishers, titles: large_string.
    """

    ids: pa.Array
    texts: pa.Array
    seconds: np.ndarray
    publishers: pa.Array
    titles: pa.Array


def chain_table(members: Members, pairs: pa.Table, workers: int | None = None) -> pa.Table:
    """Build the table CHAINS: one row for each member of a chain, with the document it was most likely copied from, null if none is known.
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
    words = [_words(row, own) for row, own in zip(rows, changes, strict=True)]
    at = np.array([row.document for row in rows], np.int64)
    stamps = np.where(np.isnan(members.seconds), 0, np.round(np.nan_to_num(members.seconds) * 1e6)).astype(np.int64)
    texts_of_ids = members.ids.cast(pa.large_string()).to_pylist()

    def take_ids(places: Sequence[int]) -> pa.Array:
        return members.ids.take(pa.array([None if p == NONE else p for p in places], pa.int64()))

    without = [row.source == NONE for row in rows]
    columns = {
        "chain_id": take_ids([chain[0].document for chain in found for _ in chain]),
        "position": pa.array([k for chain in found for k in range(1, len(chain) + 1)], pa.int32()),
        "id": take_ids([row.document for row in rows]),
        "role": pa.array([row.role for row in rows], pa.string()),
        "published": pa.array(stamps[at], mask=np.isnan(members.seconds[at])).cast(pa.timestamp("us", "UTC")),
        "publisher": members.publishers.take(pa.array(at)),
        "title": members.titles.take(pa.array(at)),
        "source_id": take_ids([row.source for row in rows]),
        "relation": pa.array([row.relation or None for row in rows], pa.string()),
        "basis": pa.array([row.basis for row in rows], pa.string()),
        "choices": pa.array([row.choices for row in rows], pa.int32()),
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


def _changes(
    rows: Sequence[Row], texts: pa.Array, workers: int | None
) -> tuple[list[list[Difference]], list[list[str]]]:
    """Return for each row of chains how the document differs from its source (`left` is the source), and the kinds of facts in which both
    conflict.
    """
    some = [k for k, row in enumerate(rows) if row.source != NONE and row.relation not in EQUAL]
    out: list[list[Difference]] = [[] for _ in rows]
    kinds: list[list[str]] = [[] for _ in rows]
    if not some:
        return out, kinds
    source, copy = (np.array([getattr(rows[k], name) for k in some], np.int64) for name in ("source", "document"))
    docs, index = np.unique(np.concatenate([source, copy]), return_inverse=True)
    every = np.ones(len(some), bool)
    named = Documents.of(texts.take(pa.array(docs)))
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


def _words(row: Row, changes: Sequence[Difference]) -> tuple[str, str] | tuple[None, None]:
    if row.source == NONE:
        return None, None
    return str(changes_in_words(changes)), str(changes_in_words(changes, "zh"))


def _as_change(c: Difference) -> dict[str, object]:
    values = (
        c.kind, c.conflict, c.right, c.left, c.right_start, c.right_end, c.left_start, c.left_end,
    )  # fmt: skip
    return dict(zip((f.name for f in CHANGE), values, strict=True))
