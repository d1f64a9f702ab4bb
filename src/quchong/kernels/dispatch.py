"""The compiled kernels on texts, tokens, keys and signatures, with their arguments checked (`checked.py`).

Every function here has a twin of the same name in `quchong.kernels.reference`, which says in plain Python what it
computes. Arrays are NumPy, one-dimensional and contiguous; texts are an Arrow large_string array without nulls.
All kernels release the GIL and give the same result for any number of threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa

try:
    import _quchong
except ImportError as error:  # pragma: no cover - only without a build
    raise ImportError(
        "quchong's native core is missing: reinstall with `pip install .` (needs a C++20 compiler and CMake)"
    ) from error

from quchong.kernels import checked
from quchong.kernels.checked import MAX_NGRAM, MOST_I32, MOST_U32, threads_of

if TYPE_CHECKING:
    from quchong.kernels.checked import F64, I64, U8, U32, U64, Ints

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


class Texts(NamedTuple):
    """UTF-8 texts where they lie: address and length in bytes of each, and the Arrow arrays that hold them.

    Made by `texts_of`, which looks at the arrays: kernels read what stands at these addresses.
    """

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
        if not isinstance(array, pa.Array):
            raise TypeError(f"texts must be an Arrow array, got {type(array).__name__}")
        if array.type != pa.large_string():
            raise TypeError(f"texts must be large_string, got {array.type}")
        if array.null_count:
            raise ValueError("texts must hold no nulls")
        if not len(array):
            continue
        _, places, data = array.buffers()
        offsets = np.frombuffer(places, np.int64)[array.offset : array.offset + len(array) + 1]
        size = data.size if data is not None else 0
        if (
            len(offsets) != len(array) + 1 or offsets[0] < 0 or offsets[-1] > size or (offsets[1:] < offsets[:-1]).any()
        ):  # fmt: skip
            raise ValueError("a damaged array of texts: its offsets point outside its bytes")
        base = data.address if data is not None else 0
        address.append((offsets[:-1] + base).astype(np.uint64))
        length.append(np.diff(offsets))
    return Texts(np.concatenate(address), np.concatenate(length), tuple(arrays))


def text_columns(texts: AnyTexts) -> tuple[U64, I64]:
    """Addresses and lengths of texts, as kernels take them. Whoever calls holds the texts while a kernel runs."""
    view = texts if isinstance(texts, Texts) else texts_of([texts])
    address = checked.u64(view.address, "addresses")
    lengths: I64 = checked.column(view.length, np.int64, "lengths", len(address))
    if len(lengths) and lengths.min() < 0:
        raise ValueError("a text has no negative length")
    return address, lengths


def ragged_columns(docs: Ragged) -> tuple[U32, I64]:
    """Tokens and offsets of documents, as kernels take them; they may be a part of the tokens."""
    return checked.ragged(docs.tokens, docs.offsets, whole=False)  # type: ignore[no-any-return]


def text_tables(folds: U32, step1: U32, step2: U32, number_words: U32) -> TextTables:
    """Builds the lookup tables of the text kernels (see cpp/unicode.hpp for the flat formats).

    Raises:
        ValueError: an odd number of folds, a character beyond Unicode, or a step that is no list of phrases.
    """
    pairs = checked.indices(folds, 0x110000, "folds", what="character")
    if len(pairs) % 2:
        raise ValueError(f"folds are pairs of characters, got {len(pairs)}")
    steps = [_phrases(step) for step in (step1, step2)]
    built: TextTables = _quchong.TextTables(pairs, *steps, checked.u32(number_words, "number words"))
    return built


def _phrases(flat: object) -> U32:
    """One step of conversion: the lengths of a phrase and of what it becomes, both themselves, and so on."""
    step: U32 = checked.indices(flat, 0x110000, "a step", what="character")
    numbers, at = step.tolist(), 0
    while at < len(numbers):
        if at + 2 > len(numbers) or numbers[at] < 1:
            raise ValueError(f"a phrase has lengths and at least one character: it has not at {at}")
        at += 2 + numbers[at] + numbers[at + 1]
    if at != len(numbers):
        raise ValueError(f"phrases end at {at}, and there are {len(numbers)} numbers")
    return step


def values_of(num_perm: int) -> int:
    """Values of a MinHash signature."""
    return checked.number(num_perm, 1, 4096, "num_perm")


def seed_of(seed: int) -> int:
    """A seed of hash functions."""
    return checked.number(seed, 0, 2**64 - 1, "seed")


def cells_of(max_cells: int) -> int:
    """Most token cells of a pair that is compared cell by cell."""
    return checked.number(max_cells, 0, 2**62, "max_cells")


def _window(window: int, name: str = "window") -> int:
    return checked.number(window, 1, MOST_I32, name)


def _widths(ngram: object, length: int, least: int = 1) -> U8:
    """Tokens of a shingle, one number each."""
    widths = checked.u8(ngram, "ngram", length)
    if len(widths) and not least <= int(widths.min()) <= int(widths.max()) <= MAX_NGRAM:
        raise ValueError(f"ngram must be {least} to {MAX_NGRAM}")
    return widths


def word_hash(word: str) -> int:
    """The 30-bit hash of a word's characters, as tokens carry it."""
    return int(_quchong.word_hash(np.array([ord(c) for c in word], np.uint32)))


def composing_ranges() -> list[tuple[int, int]]:
    """Ranges of characters that may compose with the character before them (Unicode 14.0)."""
    flat = _quchong.composing_ranges().tolist()
    return list(zip(flat[::2], flat[1::2], strict=True))


def composes(tables: TextTables, texts: AnyTexts, workers: int | None = None) -> U8:
    """1 for every text holding a character that may compose with the one before it."""
    return _quchong.composes(tables, *text_columns(texts), threads_of(workers))  # type: ignore[no-any-return]


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
    return Fingerprints(
        *_quchong.fingerprints(
            form.tables, *text_columns(texts), form.full, form.characters,
            checked.ngram_of(ngram), _window(short_window, "short_window"), _window(long_window, "long_window"),
            checked.number(long_tokens, 0, MOST_U32, "long_tokens"), anchors, threads_of(workers),
        )
    )  # fmt: skip


def tokenise(form: Form, texts: AnyTexts, *, places: bool = False, workers: int | None = None) -> Tokenised:
    """Tokens of every text; with `places` also where each stands, in characters of its text."""
    tokens, offsets, singles, start, end = _quchong.tokenise(
        form.tables, *text_columns(texts), form.full, form.characters, places, threads_of(workers)
    )
    return Tokenised(Ragged(tokens, offsets), singles, start, end)


def equal_forms(form: Form, texts: AnyTexts, left: Ints, right: Ints, workers: int | None = None) -> U8:
    """1 where two texts have the same normal form, compared character by character."""
    a, b = checked.pairs(left, right, len(texts))
    return _quchong.equal_forms(  # type: ignore[no-any-return]
        form.tables, *text_columns(texts), form.full, form.characters, a, b, threads_of(workers)
    )


def passages(
    form: Form, texts: AnyTexts, left: Ints, right: Ints, ngram: U8, shortest: Ints, workers: int | None = None
) -> tuple[I64, I64]:
    """Passages pairs of texts share: offsets per pair, and (n, 4) places left start, end, right start, end."""
    a, b = checked.pairs(left, right, len(texts))
    offsets, places = _quchong.passages(
        form.tables, *text_columns(texts), form.full, form.characters, a, b, _widths(ngram, len(a)),
        checked.u32(shortest, "shortest", len(a)), threads_of(workers),
    )  # fmt: skip
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
    return _quchong.sample_overlaps(  # type: ignore[no-any-return]
        form.tables, *text_columns(texts), form.full, form.characters, *ragged_columns(sample),
        checked.u8(sample_long, "sample_long", len(sample.offsets) - 1), checked.ngram_of(w_short, "w_short"),
        checked.ngram_of(w_long, "w_long"), checked.number(long_tokens, 0, MOST_U32, "long_tokens"),
        checked.real(least, "least", 0), threads_of(workers), stop,
    )  # fmt: skip


def shingle_hashes(tokens: U32, ngram: int) -> U64:
    """Hashes of all shingles of one document in order; one for a document shorter than `ngram`."""
    return _quchong.shingle_hashes(checked.u32(tokens, "tokens"), checked.ngram_of(ngram))  # type: ignore[no-any-return]


def winnow(hashes: U64, window: int) -> U64:
    """Least hash of every window in order, neighbours that repeat dropped (Schleimer 2003)."""
    return _quchong.winnow(checked.u64(hashes, "hashes"), _window(window))  # type: ignore[no-any-return]


def distinct_shingles(docs: Ragged, ngram: U8, workers: int | None = None) -> U32:
    """Distinct shingles of every document at its own width; width 0 leaves a document out (0)."""
    widths = _widths(ngram, len(docs.offsets) - 1, least=0)
    return _quchong.distinct_shingles(*ragged_columns(docs), widths, threads_of(workers))  # type: ignore[no-any-return]


def shared_shingles(docs: Ragged, left: Ints, right: Ints, ngram: U8, workers: int | None = None) -> U32:
    """Distinct shingles each pair shares, at the pair's width. Fastest with equal lefts side by side."""
    a, b = checked.pairs(left, right, len(docs.offsets) - 1)
    widths = _widths(ngram, len(a))
    return _quchong.shared_shingles(*ragged_columns(docs), a, b, widths, threads_of(workers))  # type: ignore[no-any-return]


def compare_numbers(docs: Ragged, left: Ints, right: Ints, workers: int | None = None) -> U32:
    """(pairs, 5): slots in both, of these with another number, numbers in common, numbers left, numbers right."""
    a, b = checked.pairs(left, right, len(docs.offsets) - 1)
    return _quchong.compare_numbers(*ragged_columns(docs), a, b, threads_of(workers)).reshape(-1, 5)  # type: ignore[no-any-return]


def repeated_swaps(docs: Ragged, left: Ints, right: Ints, max_cells: int, workers: int | None = None) -> U8:
    """1 where the same replacement occurs twice; pairs of more than `max_cells` token cells are left at 0."""
    a, b = checked.pairs(left, right, len(docs.offsets) - 1)
    cells = cells_of(max_cells)
    return _quchong.repeated_swaps(*ragged_columns(docs), a, b, cells, threads_of(workers))  # type: ignore[no-any-return]


def disjoint_places(docs: Ragged, left: Ints, right: Ints, names: Ragged, workers: int | None = None) -> U8:
    """1 where both documents hold names of the list and none in common; at every token the longest name counts."""
    a, b = checked.pairs(left, right, len(docs.offsets) - 1)
    return _quchong.disjoint_places(*ragged_columns(docs), a, b, *ragged_columns(names), threads_of(workers))  # type: ignore[no-any-return]


def added_only(docs: Ragged, left: Ints, right: Ints, workers: int | None = None) -> U8:
    """1 where a pair differs by few pure insertions or deletions: at most max(2, longer // 6) tokens."""
    a, b = checked.pairs(left, right, len(docs.offsets) - 1)
    return _quchong.added_only(*ragged_columns(docs), a, b, threads_of(workers))  # type: ignore[no-any-return]


def equal_runs(left: Ints, right: Ints, ngram: int, shortest: int) -> U32:
    """(n, 3): left place, right place and length in tokens of the runs two documents share."""
    a, b = checked.u32(left, "left"), checked.u32(right, "right")
    least = checked.number(shortest, 0, MOST_U32, "shortest")
    return _quchong.equal_runs(a, b, checked.ngram_of(ngram), least).reshape(-1, 3)  # type: ignore[no-any-return]


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
    flat, ends = checked.ragged(keys, offsets, np.uint64, "keys", whole=False)
    chosen = (
        np.arange(len(ends) - 1)
        if order is None
        else checked.indices(order, len(ends) - 1, "order", np.int64, what="document")
    )
    n = len(chosen)
    if (share > 0 and (size is None or window is None)) or (within is not None and time is None):
        raise ValueError("share needs size and window; within needs time")
    return Candidates(
        *_quchong.join_keys(
            flat, ends, chosen,
            np.zeros(n, np.uint32) if size is None else checked.u32(size, "size", n),
            np.ones(n, np.uint32) if window is None else checked.u32(window, "window", n),
            np.zeros(n) if time is None else checked.finite(time, "time", n),
            checked.number(cap, 0, MOST_U32, "cap"), checked.number(min_shared, 0, MOST_U32, "min_shared"),
            checked.real(share, "share"), checked.number(most, 0, MOST_U32, "most"), checked.number(references, 0, n, "references"),
            -1.0 if within is None else checked.real(within, "within", 0), checked.number(wave, 1, 2**62, "wave"),
            threads_of(workers),
        )
    )  # fmt: skip


def k_mins(docs: Ragged, ngram: int, num_perm: int, seed: int, workers: int | None = None) -> U32:
    """(documents, num_perm) signatures: the least of each of `num_perm` functions (Broder 1997a).

    An empty document is all 2**32 - 1. Standard error of the estimate sqrt(j * (1 - j) / num_perm).
    """
    how = checked.ngram_of(ngram), values_of(num_perm), seed_of(seed)
    return _quchong.k_mins(*ragged_columns(docs), *how, threads_of(workers)).reshape(-1, num_perm)  # type: ignore[no-any-return]


def one_permutation(docs: Ragged, ngram: int, num_perm: int, seed: int, workers: int | None = None) -> U32:
    """(documents, num_perm) one-permutation signatures with optimal densification (Shrivastava 2017)."""
    how = checked.ngram_of(ngram), values_of(num_perm), seed_of(seed)
    flat = _quchong.one_permutation(*ragged_columns(docs), *how, threads_of(workers))
    return flat.reshape(-1, num_perm)  # type: ignore[no-any-return]


def band_keys(signatures: U32, bands: int, rows: int, workers: int | None = None) -> U64:
    """(documents, bands) keys; band b hashes values [b * rows, (b + 1) * rows) and its own number."""
    values = np.asarray(signatures)
    if values.ndim != 2:
        raise ValueError(f"signatures must have two dimensions, got shape {values.shape}")
    n, num_perm = values.shape
    if (
        min(checked.number(bands, 1, MOST_I32, "bands"), checked.number(rows, 1, MOST_I32, "rows")) * max(bands, rows)
        > num_perm
    ):
        raise ValueError(f"{bands} bands of {rows} rows need {bands * rows} values, the signature has {num_perm}")
    flat = checked.u32(values.reshape(-1), "signatures")
    return _quchong.band_keys(flat, num_perm, bands, rows, threads_of(workers)).reshape(n, bands)  # type: ignore[no-any-return]


def survivors(loser: Ints, winner: Ints, priority: I64, forced: U8) -> U8:
    """1 for every node that stays: see quchong.cluster.survivors for the rule."""
    a, b = checked.pairs(loser, winner, len(priority), "node")
    order = checked.column(priority, np.int64, "priority")
    return _quchong.survivors(a, b, order, checked.u8(forced, "forced", len(order)))  # type: ignore[no-any-return]


def loops() -> str:
    """The instruction set the tight loops run with: baseline, avx2 or avx512."""
    return str(_quchong.loops())
