"""Argument checks in front of the compiled kernels.

Every function here has a twin of the same name in `quchong.kernels.reference`, which says in plain Python what it
computes. Arrays are NumPy, one-dimensional and contiguous; texts are an Arrow large_string array without nulls.
All kernels release the GIL and give the same result for any number of threads.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa

try:
    import _quchong
except ImportError as error:  # pragma: no cover - only without a build
    raise ImportError(
        "quchong's native core is missing: reinstall with `pip install .` (needs a C++20 compiler and CMake)"
    ) from error

if TYPE_CHECKING:
    from numpy.typing import NDArray

    U8 = NDArray[np.uint8]
    U32 = NDArray[np.uint32]
    U64 = NDArray[np.uint64]
    I64 = NDArray[np.int64]
    F64 = NDArray[np.float64]
    Ints = NDArray[np.integer[Any]]

if TYPE_CHECKING:

    class TextTables:
        """Lookup tables of the text kernels, opaque to Python."""

    class Stop:
        """Given to a long kernel and set by another thread, it ends it early; what comes back then is worth nothing."""

        def set(self) -> None:
            """Ends the kernel."""

        def is_set(self) -> bool:
            """Was it set?"""
else:
    TextTables = _quchong.TextTables
    Stop = _quchong.Stop
MAX_NGRAM = 63  # the last coefficient marks texts shorter than a shingle


class Ragged(NamedTuple):
    """Token sequences one after another: document i owns tokens[offsets[i]:offsets[i + 1]]."""

    tokens: U32
    offsets: I64

    @property
    def lengths(self) -> I64:
        """Tokens per document, int64."""
        return np.diff(self.offsets)


class Form(NamedTuple):
    """How text becomes tokens: the tables, `full` normalisation or plain NFKC, single characters or runs."""

    tables: TextTables
    full: bool = True
    characters: bool = False


class Fingerprints(NamedTuple):
    """Per text: tokens and one-character tokens (uint32), digest of the normal form, winnowing anchors."""

    tokens: U32
    singles: U32
    high: U64
    low: U64
    offsets: I64
    anchors: U64


class Tokenised(NamedTuple):
    """Tokens of texts, one-character tokens per text, and (where asked) each token's characters in its text."""

    docs: Ragged
    singles: U32
    start: U32
    end: U32


class Candidates(NamedTuple):
    """Pairs of documents that share keys: left < right, sorted by right, then left."""

    left: Ints
    right: Ints
    shared: U32
    capped_keys: int
    largest_key: int
    bounded: int  # documents that met more others than `most`


def threads_of(workers: int | None) -> int:
    """The number of threads to use; None or 0 means the processors this process may run on."""
    if workers:
        return max(1, workers)
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


class Texts(NamedTuple):
    """UTF-8 texts where they lie: address and length in bytes of each, and the Arrow arrays that hold them."""

    address: U64
    length: I64
    owners: tuple[pa.Array, ...]

    def __len__(self) -> int:
        return len(self.address)

    def take(self, index: Ints) -> Texts:
        """Some of the texts in another order; nothing is copied."""
        return Texts(self.address[index], self.length[index], self.owners)


AnyTexts: TypeAlias = "pa.Array | Texts"
"""Texts as a large_string array, or as views into several."""


def texts_of(arrays: Sequence[pa.Array]) -> Texts:
    """The texts of large_string arrays without nulls, one array after another."""
    address: list[U64] = [np.zeros(0, np.uint64)]
    length: list[I64] = [np.zeros(0, np.int64)]
    for array in arrays:
        if array.type != pa.large_string():
            raise TypeError(f"texts must be large_string, got {array.type}")
        if array.null_count:
            raise ValueError("texts must hold no nulls")
        if not len(array):
            continue
        _, places, data = array.buffers()
        offsets = np.frombuffer(places, np.int64)[array.offset : array.offset + len(array) + 1]
        base = data.address if data is not None else 0
        address.append((offsets[:-1] + base).astype(np.uint64))
        length.append(np.diff(offsets))
    return Texts(np.concatenate(address), np.concatenate(length), tuple(arrays))


def _text(texts: AnyTexts) -> tuple[U64, I64]:
    view = texts if isinstance(texts, Texts) else texts_of([texts])
    return np.ascontiguousarray(view.address, np.uint64), np.ascontiguousarray(view.length, np.int64)


def _u32(a: object) -> U32:
    return np.ascontiguousarray(a, dtype=np.uint32)


def _u8(a: object) -> U8:
    return np.ascontiguousarray(a, dtype=np.uint8)


def _check_ngram(ngram: int) -> None:
    if not 1 <= ngram <= MAX_NGRAM:
        raise ValueError(f"ngram must be 1 to {MAX_NGRAM}, got {ngram}")


def _pairs(left: object, right: object, documents: int) -> tuple[U32, U32]:
    a, b = _u32(left), _u32(right)
    if len(a) != len(b):
        raise ValueError(f"left and right differ in length: {len(a)} and {len(b)}")
    if len(a) and int(max(a.max(), b.max())) >= documents:
        raise ValueError(f"a pair names a document beyond the {documents} given")
    return a, b


def _ragged(docs: Ragged) -> tuple[U32, I64]:
    tokens, offsets = _u32(docs.tokens), np.ascontiguousarray(docs.offsets, dtype=np.int64)
    if len(offsets) == 0 or offsets[0] < 0 or offsets[-1] > len(tokens) or (np.diff(offsets) < 0).any():
        raise ValueError("offsets must rise from 0 and end within the tokens")
    return tokens, offsets


def text_tables(folds: U32, step1: U32, step2: U32, number_words: U32) -> TextTables:
    """Builds the lookup tables of the text kernels (see cpp/unicode.hpp for the flat formats)."""
    built: TextTables = _quchong.TextTables(_u32(folds), _u32(step1), _u32(step2), _u32(number_words))
    return built


def word_hash(word: str) -> int:
    """The 30-bit hash of a word's characters, as tokens carry it."""
    return int(_quchong.word_hash(np.array([ord(c) for c in word], np.uint32)))


def composing_ranges() -> list[tuple[int, int]]:
    """Ranges of characters that may compose with the character before them (Unicode 14.0)."""
    flat = _quchong.composing_ranges().tolist()
    return list(zip(flat[::2], flat[1::2], strict=True))


def composes(tables: TextTables, texts: AnyTexts, workers: int | None = None) -> U8:
    """1 for every text holding a character that may compose with the one before it."""
    return _quchong.composes(tables, *_text(texts), threads_of(workers))  # type: ignore[no-any-return]


def fingerprints(
    form: Form,
    texts: AnyTexts,
    *,
    ngram: int = 5,
    short_window: int = 4,
    long_window: int = 16,
    long_tokens: int = 200,
    anchors: bool = True,
    workers: int | None = None,
) -> Fingerprints:
    """Digest, lengths and winnowing anchors of every text in one pass; nothing else is kept.

    Cost: O(characters); memory 8 bytes an anchor, about 2 / (window + 1) anchors a token.
    """
    _check_ngram(ngram)
    if min(short_window, long_window) < 1:
        raise ValueError("windows must be at least 1")
    return Fingerprints(
        *_quchong.fingerprints(
            form.tables, *_text(texts), form.full, form.characters,
            ngram, short_window, long_window, long_tokens, anchors, threads_of(workers),
        )
    )  # fmt: skip


def tokenise(form: Form, texts: AnyTexts, *, places: bool = False, workers: int | None = None) -> Tokenised:
    """Tokens of every text; with `places` also where each stands, in characters of its text."""
    tokens, offsets, singles, start, end = _quchong.tokenise(
        form.tables, *_text(texts), form.full, form.characters, places, threads_of(workers)
    )
    return Tokenised(Ragged(tokens, offsets), singles, start, end)


def equal_forms(form: Form, texts: AnyTexts, left: Ints, right: Ints, workers: int | None = None) -> U8:
    """1 where two texts have the same normal form, compared character by character."""
    a, b = _pairs(left, right, len(texts))
    return _quchong.equal_forms(  # type: ignore[no-any-return]
        form.tables, *_text(texts), form.full, form.characters, a, b, threads_of(workers)
    )


def passages(
    form: Form, texts: AnyTexts, left: Ints, right: Ints, ngram: U8, shortest: Ints, workers: int | None = None
) -> tuple[I64, I64]:
    """Passages pairs of texts share: offsets per pair, and (n, 4) places left start, end, right start, end."""
    a, b = _pairs(left, right, len(texts))
    offsets, places = _quchong.passages(
        form.tables, *_text(texts), form.full, form.characters, a, b, _u8(ngram), _u32(shortest), threads_of(workers)
    )
    return offsets, places.reshape(-1, 4)


def sample_overlaps(
    form: Form,
    texts: AnyTexts,
    sample: Ragged,
    sample_long: U8,
    *,
    w_short: int,
    w_long: int,
    long_tokens: int,
    least: float,
    workers: int | None = None,
    stop: Stop | None = None,
) -> tuple[U32, U32, U32, U32]:
    """Exact overlaps of every text with every sample document: text, sample, shared shingles, shingles of the text.

    Only overlaps of at least `least` times the smaller document's shingles are returned.
    """
    _check_ngram(w_short)
    _check_ngram(w_long)
    return _quchong.sample_overlaps(  # type: ignore[no-any-return]
        form.tables, *_text(texts), form.full, form.characters, *_ragged(sample), _u8(sample_long),
        w_short, w_long, long_tokens, least, threads_of(workers), stop,
    )  # fmt: skip


def shingle_hashes(tokens: U32, ngram: int) -> U64:
    """Hashes of all shingles of one document in order; one for a document shorter than `ngram`."""
    _check_ngram(ngram)
    return _quchong.shingle_hashes(_u32(tokens), ngram)  # type: ignore[no-any-return]


def winnow(hashes: U64, window: int) -> U64:
    """Least hash of every window in order, neighbours that repeat dropped (Schleimer, Wilkerson, Aiken 2003)."""
    if window < 1:
        raise ValueError("window must be at least 1")
    return _quchong.winnow(np.ascontiguousarray(hashes, np.uint64), window)  # type: ignore[no-any-return]


def distinct_shingles(docs: Ragged, ngram: U8, workers: int | None = None) -> U32:
    """Distinct shingles of every document at its own width; width 0 leaves a document out (0)."""
    return _quchong.distinct_shingles(*_ragged(docs), _u8(ngram), threads_of(workers))  # type: ignore[no-any-return]


def shared_shingles(docs: Ragged, left: Ints, right: Ints, ngram: U8, workers: int | None = None) -> U32:
    """Distinct shingles each pair shares, at the pair's width. Fastest with equal lefts side by side."""
    a, b = _pairs(left, right, len(docs.offsets) - 1)
    return _quchong.shared_shingles(*_ragged(docs), a, b, _u8(ngram), threads_of(workers))  # type: ignore[no-any-return]


def compare_numbers(docs: Ragged, left: Ints, right: Ints, workers: int | None = None) -> U32:
    """(pairs, 5): slots in both, of these with another number, numbers in common, numbers left, numbers right."""
    a, b = _pairs(left, right, len(docs.offsets) - 1)
    return _quchong.compare_numbers(*_ragged(docs), a, b, threads_of(workers)).reshape(-1, 5)  # type: ignore[no-any-return]


def repeated_swaps(docs: Ragged, left: Ints, right: Ints, max_cells: int, workers: int | None = None) -> U8:
    """1 where the same replacement occurs twice; pairs of more than `max_cells` token cells are left at 0."""
    a, b = _pairs(left, right, len(docs.offsets) - 1)
    return _quchong.repeated_swaps(*_ragged(docs), a, b, max_cells, threads_of(workers))  # type: ignore[no-any-return]


def disjoint_places(docs: Ragged, left: Ints, right: Ints, names: Ragged, workers: int | None = None) -> U8:
    """1 where both documents hold names of the list and none in common; at every token the longest name counts."""
    a, b = _pairs(left, right, len(docs.offsets) - 1)
    return _quchong.disjoint_places(*_ragged(docs), a, b, *_ragged(names), threads_of(workers))  # type: ignore[no-any-return]


def added_only(docs: Ragged, left: Ints, right: Ints, workers: int | None = None) -> U8:
    """1 where a pair differs by few pure insertions or deletions: at most max(2, longer // 6) tokens."""
    a, b = _pairs(left, right, len(docs.offsets) - 1)
    return _quchong.added_only(*_ragged(docs), a, b, threads_of(workers))  # type: ignore[no-any-return]


def equal_runs(left: Ints, right: Ints, ngram: int, shortest: int) -> U32:
    """(n, 3): left place, right place and length in tokens of the runs two documents share."""
    _check_ngram(ngram)
    return _quchong.equal_runs(_u32(left), _u32(right), ngram, shortest).reshape(-1, 3)  # type: ignore[no-any-return]


def join_keys(
    keys: U64,
    offsets: I64,
    order: I64 | None = None,
    *,
    size: U32 | None = None,
    window: U32 | None = None,
    time: F64 | None = None,
    cap: int = 64,
    min_shared: int = 1,
    share: float = 0.0,
    most: int = 0,
    references: int = 0,
    within: float | None = None,
    wave: int = 32 << 20,
    workers: int | None = None,
) -> Candidates:
    """Pairs of documents with enough keys in common.

    Document d of the join is number order[d] of the input, which owns keys[offsets[order[d]]:offsets[order[d] + 1]];
    without `order` it is number d. `size`, `window`, `time` and the result speak of documents of the join. A document
    meets the first `cap` documents of each of its keys (none is skipped). It is a candidate with those it shares
    `min_shared` keys with and at least `share` of the keys expected of the shorter one,
    min(size) * 2 / (max(window) + 1), sizes scaled by the share of a document's keys that are distinct. Documents
    below `references` are met but not paired with each other, under a cap of their own. With `within`, `time`
    (ascending beyond the references) bounds who meets whom.

    With `most`, a document is paired with at most so many references and so many others: half of them the first in
    document order, half those that share most keys (the first of equals). So a family of near-equal documents has pairs
    that grow with its size, and all of it meets the same first documents.

    Keys are sorted into lists about `wave` at a time, which changes nothing but time and memory: each wave reads them
    all once more.

    Cost: O(keys + sum over documents of postings met); memory 12 bytes a key of a wave, and 12 for each key that stands
    in two documents or more.
    """
    chosen = np.arange(len(offsets) - 1) if order is None else order
    n = len(chosen)
    if n and (int(chosen.min()) < 0 or int(chosen.max()) >= len(offsets) - 1 or int(offsets[-1]) > len(keys)):
        raise ValueError("order or offsets point outside the keys")
    if (share > 0 and (size is None or window is None)) or (within is not None and time is None):
        raise ValueError("share needs size and window; within needs time")
    return Candidates(
        *_quchong.join_keys(
            np.ascontiguousarray(keys, np.uint64), np.ascontiguousarray(offsets, np.int64),
            np.ascontiguousarray(chosen, np.int64),
            _u32(np.zeros(n) if size is None else size), _u32(np.ones(n) if window is None else window),
            np.ascontiguousarray(np.zeros(n) if time is None else time, np.float64),
            cap, min_shared, share, most, references, -1.0 if within is None else within, wave,
            threads_of(workers),
        )
    )  # fmt: skip


def k_mins(docs: Ragged, ngram: int, num_perm: int, seed: int, workers: int | None = None) -> U32:
    """(documents, num_perm) signatures: the least of each of `num_perm` functions (Broder 1997).

    An empty document is all 2**32 - 1. Standard error of the estimate sqrt(j * (1 - j) / num_perm).
    """
    _check_ngram(ngram)
    return _quchong.k_mins(*_ragged(docs), ngram, num_perm, seed, threads_of(workers)).reshape(-1, num_perm)  # type: ignore[no-any-return]


def one_permutation(docs: Ragged, ngram: int, num_perm: int, seed: int, workers: int | None = None) -> U32:
    """(documents, num_perm) one-permutation signatures with optimal densification (Shrivastava 2017)."""
    _check_ngram(ngram)
    flat = _quchong.one_permutation(*_ragged(docs), ngram, num_perm, seed, threads_of(workers))
    return flat.reshape(-1, num_perm)  # type: ignore[no-any-return]


def band_keys(signatures: U32, bands: int, rows: int, workers: int | None = None) -> U64:
    """(documents, bands) keys; band b hashes values [b * rows, (b + 1) * rows) and its own number."""
    n, num_perm = signatures.shape
    if bands * rows > num_perm:
        raise ValueError(f"{bands} bands of {rows} rows need {bands * rows} values, the signature has {num_perm}")
    return _quchong.band_keys(  # type: ignore[no-any-return]
        np.ascontiguousarray(signatures).reshape(-1), num_perm, bands, rows, threads_of(workers)
    ).reshape(n, bands)


def survivors(loser: Ints, winner: Ints, priority: I64, forced: U8) -> U8:
    """1 for every node that stays: see quchong.cluster.survivors for the rule."""
    a, b = _pairs(loser, winner, len(priority))
    if len(forced) != len(priority):
        raise ValueError("priority and forced differ in length")
    return _quchong.survivors(a, b, np.ascontiguousarray(priority, np.int64), _u8(forced))  # type: ignore[no-any-return]


def loops() -> str:
    """The instruction set the tight loops run with: baseline, avx2 or avx512."""
    return str(_quchong.loops())
