"""Ids of a run's documents: as given or made up, unique, and ranked."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.compute as pc

from quchong.engines.local.texts import TextStore
from quchong.io.arrays import as_strings
from quchong.io.columnar.raw import raw_row
from quchong.io.source import Source

REFERENCE_PREFIX = "against/"
"""Ids of the reference corpus, so that both corpora may use the same ids."""

PIECE = 1 << 20
"""Ids compared at once."""

Contents = Callable[[np.ndarray], list[tuple[bytes, str, bytes]]]
"""What a document is ranked by among those of its id."""


def given_ids(
    given: pa.ChunkedArray, sources: Sequence[Source], source: np.ndarray, row: np.ndarray, references: int
) -> pa.Array:
    """Ids as given; file#row where there is none; the reference corpus under its prefix."""
    ids = as_strings(given)
    if ids.null_count:
        names = pa.array([s.name for s in sources], pa.large_string()).take(pa.array(source))
        made = pc.binary_join_element_wise(names, pc.cast(pa.array(row), pa.large_string()), _large("#"))
        ids = pc.coalesce(ids, made)
    if references:
        prefixed = pc.binary_join_element_wise(_large(REFERENCE_PREFIX), ids.slice(0, references), _large(""))
        ids = pa.concat_arrays([as_strings(prefixed), ids.slice(references)])
    return ids


def _large(text: str) -> pa.Scalar:
    return pa.scalar(text, pa.large_string())


def unique(ids: pa.Array, contents: Contents) -> tuple[pa.Array, dict[int, str], np.ndarray]:
    """Ids made unique (later ones in order of `contents` become id~2, ...), what changed, and ranks."""
    order = pc.sort_indices(ids).to_numpy().astype(np.int64)
    same = np.zeros(len(ids), bool)
    for start in range(1, len(ids), PIECE):
        ordered = ids.take(pa.array(order[start - 1 : start + PIECE]))
        equal = pc.equal(ordered.slice(1), ordered.slice(0, len(ordered) - 1))
        same[start : start + len(equal)] = equal.to_numpy(zero_copy_only=False)
    renamed: dict[int, str] = {}
    if same.any():
        group = np.cumsum(~same) - 1
        repeated = np.flatnonzero(np.bincount(group)[group] > 1)
        numbers, documents = group[repeated].tolist(), order[repeated]
        rank = sorted(zip(numbers, contents(documents), documents.tolist(), strict=True))
        given = dict(zip(documents.tolist(), ids.take(pa.array(documents)).to_pylist(), strict=True))
        taken = set(ids.filter(pc.match_substring(ids, "~")).to_pylist())  # all that a new id could meet
        number, last, names = 2, -1, {}
        for of, _, i in rank:
            if of != last:  # the first keeps the id
                base, number, last = given[i], 2, of
                continue
            while f"{base}~{number}" in taken:
                number += 1
            renamed[i] = base
            names[i] = f"{base}~{number}"
            taken.add(names[i])
        other = np.zeros(len(ids), bool)
        other[list(names)] = True
        ids = pc.replace_with_mask(ids, pa.array(other), pa.array([names[i] for i in sorted(names)], pa.large_string()))
        order = pc.sort_indices(ids).to_numpy().astype(np.int64)
    rank_of = np.empty(len(ids), np.int64)
    rank_of[order] = np.arange(len(ids))
    return ids, renamed, rank_of


def contents_of(
    documents: np.ndarray, texts: TextStore, columns: pa.Table, sources: Sequence[Source], source: np.ndarray,
    row: np.ndarray,
) -> list[tuple[bytes, str, bytes]]:  # fmt: skip
    """What documents hold, whatever the order of the input: the digest of the text, the columns that were read, and, where
    these do not tell two apart, the digest of the whole record as it stands in its source.

    Cost: one more pass over the sources of records with equal texts and columns.
    """
    digests = [_digest(texts.text(i).encode("utf-8", "surrogatepass")) for i in documents.tolist()]
    read = _values(columns.drop_columns(["row"]), documents)
    times = Counter(zip(digests, read, strict=True))
    alike = documents[[times[key] > 1 for key in zip(digests, read, strict=True)]]
    whole: dict[int, bytes] = {}
    for s in np.unique(source[alike]).tolist():
        here = alike[source[alike] == s]
        places = dict(zip(row[here].tolist(), here.tolist(), strict=True))
        for place, _, record in sources[s].whole(sorted(places)):  # none of a folder: its records are their texts
            whole[places[place]] = _digest(_plain(record))
    ends = [whole.get(i, b"") for i in documents.tolist()]
    return list(zip(digests, read, ends, strict=True))


def _values(columns: pa.Table, documents: np.ndarray) -> list[str]:
    """Each of these rows in words of its own."""
    try:
        return [str(values) for values in columns.take(pa.array(documents)).to_pylist()]
    except (
        pa.ArrowException,
        ValueError,
        OverflowError,
        KeyError,
    ):  # times that Python has no word for, zones nobody knows
        rows = (columns.slice(i, 1).combine_chunks().to_batches()[0] for i in documents.tolist())
        return [raw_row(row).decode() for row in rows]


def _plain(record: bytes) -> bytes:
    """A record of JSON with its keys in order and without nulls, so that neither decides; others as they stand."""
    try:
        known = orjson.loads(record)
    except orjson.JSONDecodeError:
        return record
    if isinstance(known, dict):
        known = {key: value for key, value in known.items() if value is not None}
    return orjson.dumps(known, option=orjson.OPT_SORT_KEYS)


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=16).digest()
