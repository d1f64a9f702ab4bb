"""Copies wanted of each kept document, by the weight of its source and a draw from its id; counts of them by source."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.errors import UsageError
from quchong.io.arrays import as_strings
from quchong.plan.mix import OTHERS, Mix
from quchong.policy.times import plain_column

_BITS = 53


def source_names(column: Any, n: int, instead: Any) -> pa.Array:
    """Return the source of each document as text; null and blank ones get the value of `instead` (the name of the input).

    Args:
        column: the source column, or None without one.
        n: number of documents.
        instead: names of the inputs of the documents.

    Raises:
        UsageError: the column has values of a nested type.
    """
    missing = pa.nulls(n, pa.large_string())
    texts = missing if column is None else as_text(column)
    blank = pc.fill_null(pc.equal(pc.utf8_trim_whitespace(texts), ""), True)
    other = instead if isinstance(instead, pa.Array) else as_strings(instead)
    return pc.if_else(blank, other, texts)


def as_text(column: Any) -> pa.Array:
    """Return a column as text; raise UsageError for a nested one."""
    plain = plain_column(column)
    if pa.types.is_nested(plain.type):
        raise UsageError("a column of type {} can be neither source nor time: name another column", plain.type)
    return plain.cast(pa.large_string())


def copies_wanted(mix: Mix, ids: Any, sources: pa.Array, kept: np.ndarray) -> np.ndarray:
    """Return how often training is to read each document, int64: the whole part of the weight of its source, and one more if it is drawn.

    A document is drawn with the probability of the fraction, by a hash of its id and the seed alone, whatever order and format.
    With a greater fraction the same documents are drawn, and more.

    Args:
        ids: text by document.
        sources: as `source_names` returns them.
        kept: bool by document; the others are wanted 0 times.

    Cost: about 1 us for each kept document with a fraction.
    """
    weight = _weights(mix, sources)
    whole = np.floor(weight)
    drawn = np.flatnonzero(kept & (weight > whole))
    wanted = np.where(kept, whole, 0).astype(np.int64)
    key = mix.seed.to_bytes(8, "little")
    names = as_strings(ids).take(pa.array(drawn)).to_pylist()
    hashes = (hashlib.blake2b(name.encode(), digest_size=8, key=key).digest() for name in names)
    value = np.frombuffer(b"".join(hashes), "<u8") >> np.uint64(64 - _BITS)
    wanted[drawn] += value.astype(np.float64) / (1 << _BITS) < (weight - whole)[drawn]
    return wanted


def mix_counts(mix: Mix, sources: pa.Array, kept: np.ndarray, wanted: np.ndarray) -> dict[str, Any]:
    """Return the entry `mix` of run.json: documents kept and wanted, together and by each source that is named; `OTHERS` has the others."""
    named = list(mix.by_source)
    code = _codes(mix, sources)
    counts = [np.bincount(code, amounts, len(named) + 1).astype(np.int64).tolist() for amounts in (kept, wanted)]
    weights = [*mix.by_source.values(), mix.others]
    rows = {
        name: {"weight": weight, "kept": have, "wanted": want}
        for name, weight, have, want in zip([*named, OTHERS], weights, *counts, strict=True)
    }
    return {"kept": int(kept.sum()), "wanted": int(wanted.sum()), "sources": rows}


def sources_without_documents(mix: Mix, sources: pa.Array) -> list[str]:
    """Return the sources that have a weight and no document."""
    there = set(np.unique(_codes(mix, sources)).tolist())
    return [name for k, name in enumerate(mix.by_source) if k not in there]


def _codes(mix: Mix, sources: pa.Array) -> np.ndarray:
    """Return the index of each document's source among the named sources; their number for any other source."""
    found = pc.index_in(sources, pa.array(list(mix.by_source), sources.type))
    return np.asarray(pc.fill_null(found, len(mix.by_source)).to_numpy(zero_copy_only=False)).astype(np.int64)


def _weights(mix: Mix, sources: pa.Array) -> np.ndarray:
    weights: np.ndarray = np.array([*mix.by_source.values(), mix.others])[_codes(mix, sources)]
    return weights
