"""Keys of documents as bytes: what the catalogue keeps of a document that no segment has yet, in an index without texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from quchong.candidates.postings import Represented
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.postings import DocumentSizes

_HEAD: np.dtype[Any] = np.dtype(
    [("keys", "<u4"), ("weighted", "<u4"), ("size", "<f8"), ("window", "<u4"), ("time", "<f8"), ("scope", "<u8")]
)


def pack_keys(known: Represented) -> list[bytes]:
    """Return the keys of each document as bytes: sizes, keys, weights if any is not 1, and signature."""
    out: list[bytes] = []
    for i in range(len(known)):
        some = slice(int(known.offsets[i]), int(known.offsets[i + 1]))
        weights = known.weights[some]
        head: Any = np.zeros(1, _HEAD)
        weighted = bool((weights != 1).any())
        head["keys"], head["weighted"] = some.stop - some.start, weighted
        sizes: Any = known.sizes
        for name, values in zip(("size", "window", "time", "scope"), sizes, strict=True):
            head[name] = values[i]
        parts: list[Any] = [head, known.keys[some].astype("<u8"), known.signatures[i].astype("<u8")]
        if weighted:
            parts.append(weights.astype("<u4"))
        out.append(b"".join(part.tobytes() for part in parts))
    return out


def unpack_keys(stored: Sequence[bytes | None], words: int) -> Represented:
    """Return the keys of documents from their bytes; None becomes a document without keys.

    Raises:
        ValueError: the bytes are no keys.
    """
    heads: Any = np.zeros(len(stored), _HEAD)
    heads["window"] = 1
    keys, weights, signatures = (
        [np.zeros(0, np.uint64)],
        [np.zeros(0, np.uint32)],
        np.zeros((len(stored), words), np.uint64),
    )
    for i, one in enumerate(stored):
        if one is None:
            continue
        if len(one) < _HEAD.itemsize:
            raise ValueError("keys of a document are damaged")
        head: Any = np.frombuffer(one, _HEAD, 1)
        count, weighted = int(head["keys"][0]), bool(head["weighted"][0])
        if len(one) != _HEAD.itemsize + 8 * (count + words) + 4 * count * weighted:
            raise ValueError("keys of a document are damaged")
        heads[i] = head[0]
        rest = np.frombuffer(one, "<u8", count + words, _HEAD.itemsize)
        keys.append(rest[:count].astype(np.uint64))
        signatures[i] = rest[count:]
        weights.append(
            np.frombuffer(one, "<u4", count, _HEAD.itemsize + 8 * (count + words))
            if weighted
            else np.ones(count, np.uint32)
        )
    sizes = DocumentSizes(*(np.ascontiguousarray(heads[name]) for name in ("size", "window", "time", "scope")))
    return Represented(
        np.concatenate(keys),
        np.concatenate(weights).astype(np.uint32),
        prefix_sums(heads["keys"].astype(np.int64)),
        sizes,
        signatures,
    )
