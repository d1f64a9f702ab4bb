"""Documents of an index that keeps no texts: compared by stored tokens, or by their keys alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from quchong.engines.index.arriving import Arrived
from quchong.engines.index.document_store import MOST_RATIO, Row, damaged_document
from quchong.engines.index.stored_texts import compressor
from quchong.errors import Param, UsageError
from quchong.kernels.arrays import Ragged, texts_of
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.text import MovedWords, hashes
from quchong.plan.plan import Plan
from quchong.seam import Documents, KeyJoin, Measures, Method, TokenStreams

_CODEC = pa.Codec("zstd", 1)
_SAMPLE = (
    "云河市于2026年3月5日召开会议，共有200人参加，讨论了城市轨道交通建设和教育改革。 The council met on Monday with 40 guests.",
    "云河市于2026年3月5日召开会议，共有300人参加，讨论了城市轨道交通建设和医疗保障。 The council met on Monday with 50 guests.",
)


def check_store(plan: Plan, store: str) -> None:
    """Raise UsageError if a method cannot compare documents of which an index keeps only what `store` says."""
    method = plan.method
    if store == "features" and not compares_tokens(method):
        raise UsageError(
            "{}: method {} needs texts, not only tokens, so the index must store texts: use {}", Param("store", store), method.name,
            Param("store", "text"),
        )  # fmt: skip
    if store == "none" and not compares_keys(method):
        raise UsageError(
            "{}: method {} needs more than the keys that two documents share, so the index must store texts: use {}",
            Param("store", store), method.name, Param("store", "text"),
        )  # fmt: skip


def compares_tokens(method: Method) -> bool:
    """Return True if a method measures pairs by tokens alone, found by trying it on two texts."""
    form = method.form
    if form is None or method.traits.evidence != "text" or method.traits.needs:
        return False
    whole = Documents.from_texts(pa.array(_SAMPLE, pa.large_string()))
    one, other = np.zeros(1, np.uint32), np.ones(1, np.uint32)
    wanted = method.score(whole, one, other, 1)
    docs, singles = hashes(form, whole.texts, 1)
    found = method.score(of_tokens(method, docs, singles), one, other, 1)
    return wanted.keys() == found.keys() and all(
        np.array_equal(wanted[name], found[name], equal_nan=True) for name in wanted
    )


def compares_keys(method: Method) -> bool:
    """Return True if a method decides by shares that a sample of keys estimates."""
    return isinstance(method.candidates, KeyJoin) and method.rule.test is not None and not method.traits.needs


def of_tokens(method: Method, docs: Ragged, singles: np.ndarray) -> Documents:
    """Return documents made of tokens (uint32, hashes) alone, without texts."""
    count = len(docs.offsets) - 1
    form = method.form
    assert form is not None
    streams = TokenStreams(form, docs, singles.astype(np.uint32), MovedWords.none())
    return Documents(texts_of([pa.array([""] * count, pa.large_string())]), {}, streams, np.arange(count))


def pack_tokens(docs: Ragged) -> list[tuple[bytes, int]]:
    """Return the tokens of each document as stored: bytes, and their size before compression."""
    compress, out = compressor(), list[tuple[bytes, int]]()
    for start, end in zip(docs.offsets[:-1].tolist(), docs.offsets[1:].tolist(), strict=True):
        plain = docs.tokens[start:end].astype("<u4").tobytes()
        out.append((compress(plain), len(plain)))
    return out


def together_by_tokens(plan: Plan, arrived: Arrived | None, rows: Sequence[Row], workers: int | None) -> Documents:
    """Return the documents of a batch followed by those of the index, made of their tokens.

    Raises:
        DamagedRow: a stored document is damaged.
    """
    method = plan.method
    form = method.form
    assert form is not None
    parts, lengths, singles = [np.zeros(0, np.uint32)], [np.zeros(0, np.int64)], [np.zeros(0, np.uint32)]
    if arrived is not None:
        docs, alone = hashes(form, arrived.texts, workers)
        parts.append(docs.tokens)
        lengths.append(docs.lengths)
        singles.append(alone)
    for row in rows:
        row.check()
        if row.text is None or row.size % 4 or row.size > MOST_RATIO * max(1, len(row.text)):
            raise damaged_document(row.number)
        try:
            tokens = np.frombuffer(_CODEC.decompress(row.text, row.size, asbytes=True), "<u4")
        except (OSError, ValueError) as error:  # Arrow's are OSErrors
            raise damaged_document(row.number) from error
        parts.append(tokens.astype(np.uint32))
        lengths.append(np.array([row.size // 4]))
        singles.append(np.array([row.singles], np.uint32))
    offsets = prefix_sums(np.concatenate(lengths))
    return of_tokens(method, Ragged(np.concatenate(parts), offsets), np.concatenate(singles))


def measures_by_keys(
    method: Method, shared: np.ndarray, size: tuple[np.ndarray, np.ndarray], tokens: tuple[np.ndarray, np.ndarray],
    han: np.ndarray,
) -> Measures:  # fmt: skip
    """Return the measures of pairs, estimated from the number of shared keys.

    Args:
        shared: number of keys that both have. size: number of keys of left and right. tokens: number of tokens of left and right.
        han: mask of the pairs of Chinese texts.
    """
    count = len(shared)
    none = np.zeros(0, np.uint32)
    like = method.score(of_tokens(method, Ragged(none, np.zeros(1, np.int64)), none), none, none, 1)
    out = {name: np.zeros(count, values.dtype) for name, values in like.items()}
    left, right = (np.maximum(one.astype(np.float64), 1.0) for one in size)
    some = np.minimum(shared.astype(np.float64), np.minimum(left, right))
    out["jaccard"], out["containment_left"], out["containment_right"] = (
        some / (left + right - some),
        some / left,
        some / right,
    )
    out["tokens_left"], out["tokens_right"], out["han"] = tokens[0].astype(np.uint32), tokens[1].astype(np.uint32), han
    out["number_overlap"], out["ngram_size"] = np.ones(count), np.full(count, 3, np.uint8)
    return out
