"""Texts: their normal form, tokens, fingerprints and sentences.

The twins are in tests/twins/text.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import _quchong
import numpy as np
import pyarrow as pa

from quchong.kernels import checked
from quchong.kernels.arrays import AnyTexts, Names, Ragged, ragged_columns, text_columns
from quchong.kernels.checked import MOST_I32, MOST_U32, threads_of
from quchong.kernels.offsets import prefix_sums

if TYPE_CHECKING:
    from quchong.kernels.checked import I64, U8, U32, U64, Ints

HASH_BITS = 30
"""Bits of a word's hash in a token."""
HASH = np.uint32((1 << HASH_BITS) - 1)
"""Mask of the hash in a token, without its mark."""
TextTables = _quchong.TextTables
"""Lookup tables of the text kernels; an opaque native type."""


class Form(NamedTuple):
    """Form in which text becomes tokens: the tables, `full` normalisation or plain NFKC, single characters or runs."""

    tables: TextTables
    full: bool = True
    characters: bool = False


class KeptWords(NamedTuple):
    """Distinct words of a batch whose tokens are stored, one entry each, by `numbers` ascending.

    Attributes:
        numbers: uint32, its token in this batch.
        hashes: uint32, its token as a hash of its letters.
        high, low: uint64, its name of 128 bits, which identifies it among words of other batches.
    """

    numbers: U32
    hashes: U32
    high: U64
    low: U64

    @property
    def moved(self) -> MovedWords:
        """Words whose token is not their hash."""
        some = self.numbers != self.hashes
        return MovedWords(self.numbers[some], self.hashes[some])


class Fingerprints(NamedTuple):
    """Fingerprints of texts: counts of tokens and one-character tokens (uint32), digest of the normal form, winnowing anchors.

    `docs` and `words` are the tokens and the distinct words among them if they are stored, else None.
    """

    tokens: U32
    singles: U32
    high: U64
    low: U64
    offsets: I64
    anchors: U64
    docs: Ragged | None = None
    words: KeptWords | None = None


class MovedWords(NamedTuple):
    """Words whose token is not the hash of their letters: `numbers` (uint32, ascending) are their tokens, `hashes` their hashes."""

    numbers: U32
    hashes: U32

    def hashed(self, tokens: U32) -> U32:
        """Return tokens with hashes of letters in place of numbers, for lookup in word lists. Different words may have one hash."""
        if not len(self.numbers):
            return tokens
        # Numbers below their marks are few and small, tokens are not: nearly all are told by two comparisons.
        highest = (self.numbers & HASH).max()
        some = np.flatnonzero((tokens >= self.numbers[0]) & ((tokens & HASH) <= highest))
        out: U32 = tokens.copy()
        at = np.minimum(np.searchsorted(self.numbers, tokens[some]), len(self.numbers) - 1)
        out[some] = np.where(self.numbers[at] == tokens[some], self.hashes[at], tokens[some])
        return out

    @staticmethod
    def none() -> MovedWords:
        """Return an empty list of moved words."""
        return MovedWords(np.zeros(0, np.uint32), np.zeros(0, np.uint32))


class Tokenised(NamedTuple):
    """Tokens of texts, number of one-character tokens per text, and (if requested) each token's character range in its text.

    Two tokens of one call are equal if and only if their letters are. `moved` contains the words whose token is not the hash of their
    letters, because another word has that hash.
    """

    docs: Ragged
    singles: U32
    start: U32
    end: U32
    moved: MovedWords


class TokenPlaces(NamedTuple):
    """Offsets of tokens in their texts, two bytes a token; those of text i are entries offsets[i] to offsets[i + 1].

    Attributes:
        steps: uint8, characters from the start of the token before it (of the text, for the first) to its start; 255 for a token in `far`.
        lengths: uint8, its characters in the text; 255 for a token in `far`.
        far: int64, flat: number, start and end of each token whose step or length is not 0 to 254, by number ascending.
        offsets: int64, of the texts.
    """

    steps: U8
    lengths: U8
    far: I64
    offsets: I64


class TokenNames(NamedTuple):
    """Names of the tokens of texts, number of one-character tokens per text, and (if requested) each token's character range in its text.

    A name (uint64) depends on the letters of a token and on nothing else, so features made of names may be compared across calls. A
    one-character token is its own name. A word has its token, a hash of 30 bits with a mark, below, and 32 bits of another hash above.
    """

    docs: Names
    singles: U32
    start: U32
    end: U32


def text_tables(
    folds: U32,
    step1: U32,
    step2: U32,
    number_words: U32,
    hash_bits: int = HASH_BITS,
    *,
    symbols: bool = True,
    code: bool = False,
) -> TextTables:
    """Build the lookup tables of the text kernels (see cpp/text/unicode.hpp for the flat formats).

    Args:
        number_words: words that count as numbers, each its length and its characters.
        hash_bits: bits of a word's hash, 1 to 30. Tests take few, so that many words have one hash; no decision depends on it.
        symbols: True for symbols that carry meaning as tokens (cpp/text/symbols.hpp); False for letters and digits alone.
        code: True for texts that are source code: every ASCII mark is a token, `_` and `$` are letters, and the case of ASCII letters
            counts.

    Raises:
        ValueError: an odd number of folds, a character beyond Unicode, a step that is no list of phrases, or words that end early.
    """
    pairs = checked.indices(folds, 0x110000, "folds", what="character")
    if len(pairs) % 2:
        raise ValueError(f"folds are pairs of characters, got {len(pairs)}")
    bits = checked.number(hash_bits, 1, HASH_BITS, "hash_bits")
    return TextTables(pairs, _phrases(step1), _phrases(step2), _words(number_words), bits, bool(symbols), bool(code))


def _words(flat: object) -> U32:
    """Return a checked list of words: the length of each, at least 1, and its characters."""
    words = checked.indices(flat, 0x110000, "number words", what="character")
    numbers, at = words.tolist(), 0
    while at < len(numbers):
        if numbers[at] < 1 or at + numbers[at] >= len(numbers):
            raise ValueError(f"a word has a length and so many characters: it has not at {at}")
        at += 1 + numbers[at]
    return words


def _phrases(flat: object) -> U32:
    """Return one checked step of conversion: lengths of a phrase and its conversion, then both, and so on."""
    step = checked.indices(flat, 0x110000, "a step", what="character")
    numbers, at = step.tolist(), 0
    while at < len(numbers):
        if at + 2 > len(numbers) or numbers[at] < 1:
            raise ValueError(f"a phrase has lengths and at least one character: it has not at {at}")
        at += 2 + numbers[at] + numbers[at + 1]
    if at != len(numbers):
        raise ValueError(f"phrases end at {at}, and there are {len(numbers)} numbers")
    return step


def _window(window: int, name: str = "window") -> int:
    return checked.number(window, 1, MOST_I32, name)


def word_hash(tables: TextTables, word: str) -> int:
    """Return the hash of a word's characters, 30 bits, as in tokens. Different words may have the same hash."""
    return int(_quchong.word_hash(tables, np.array([ord(c) for c in word], np.uint32)))


def word_name(word: str) -> int:
    """Return the name of a word that is no number (`TokenNames`)."""
    return int(_quchong.word_name(np.array([ord(c) for c in word], np.uint32)))


def composing_ranges() -> list[tuple[int, int]]:
    """Return ranges of characters that may compose with the character before them (Unicode 14.0)."""
    flat = _quchong.composing_ranges().tolist()
    return list(zip(flat[::2], flat[1::2], strict=True))


def composes(tables: TextTables, texts: AnyTexts, workers: int | None = None) -> U8:
    """Return 1 for every text with a character that may compose with the one before it."""
    return _quchong.composes(tables, *text_columns(texts), threads_of(workers))


def fingerprints(
    form: Form,
    texts: AnyTexts,
    *,
    ngram: int = 5,
    short_window: int = 4,
    long_window: int = 16,
    long_tokens: int = 200,
    anchors: bool = True,
    keep: bool = False,
    workers: int | None = None,
) -> Fingerprints:
    """Return digest, lengths and winnowing anchors of every text in one pass; with `keep` also the tokens, as `tokenise` does.

    Cost: O(characters); memory 8 bytes an anchor, about 2 / (window + 1) anchors a token, and 4 bytes a token kept.
    """
    how = (
        form.tables, *text_columns(texts), form.full, form.characters,
        checked.ngram_of(ngram), _window(short_window, "short_window"), _window(long_window, "long_window"),
        checked.number(long_tokens, 0, MOST_U32, "long_tokens"), anchors, threads_of(workers),
    )  # fmt: skip
    if not keep:
        return Fingerprints(*_quchong.fingerprints(*how))
    made = _quchong.fingerprints_kept(*how)
    tokens, singles, high, low, offsets, values, stream = made[:7]
    ends: I64 = prefix_sums(tokens)
    return Fingerprints(tokens, singles, high, low, offsets, values, Ragged(stream, ends), KeptWords(*made[7:]))


def take_tokens(docs: Ragged, index: Ints, workers: int | None = None) -> Ragged:
    """Return the tokens of some documents, in the order of `index`, which may repeat documents. Cost: a copy."""
    which = checked.indices(index, len(docs.offsets) - 1, "index")
    return Ragged(*_quchong.take_tokens(*ragged_columns(docs), which, threads_of(workers)))


def tokenise(form: Form, texts: AnyTexts, *, places: bool = False, workers: int | None = None) -> Tokenised:
    """Return the tokens of every text; with `places` also the character range of each token.

    They are for comparing these texts with each other: equal tokens have equal letters. A word's token is a hash of its letters, unless
    another word earlier in the call has that hash. Tokens of two calls must not be compared: see `names` and `hashes`.
    """
    tokens, offsets, singles, start, end, *moved = _quchong.tokenise(
        form.tables, *text_columns(texts), form.full, form.characters, places, threads_of(workers)
    )
    return Tokenised(Ragged(tokens, offsets), singles, start, end, MovedWords(*moved))


def tokenise_placed(form: Form, texts: AnyTexts, workers: int | None = None) -> tuple[Tokenised, TokenPlaces]:
    """Return the tokens of every text as `tokenise` does, and their places in a form for `placed_stretches`."""
    tokens, offsets, singles, steps, lengths, far, *moved = _quchong.tokenise_placed(
        form.tables, *text_columns(texts), form.full, form.characters, threads_of(workers)
    )
    none = np.zeros(0, np.uint32)
    return (
        Tokenised(Ragged(tokens, offsets), singles, none, none, MovedWords(*moved)),
        TokenPlaces(steps, lengths, far, offsets),
    )


def names(form: Form, texts: AnyTexts, *, places: bool = False, workers: int | None = None) -> TokenNames:
    """Return the names of the tokens of every text, for features that are compared across calls.

    With `places` the result also has the character range of each token.
    """
    tokens, offsets, singles, start, end = _quchong.name_tokens(
        form.tables, *text_columns(texts), form.full, form.characters, places, threads_of(workers)
    )
    return TokenNames(Names(tokens, offsets), singles, start, end)


def hashes(form: Form, texts: AnyTexts, workers: int | None = None) -> tuple[Ragged, U32]:
    """Return the tokens of every text as hashes of their letters alone, and the number of one-character tokens per text.

    For candidates, sketches and measurements: different words may have one hash of 30 bits.
    """
    tokens, offsets, singles = _quchong.hash_tokens(
        form.tables, *text_columns(texts), form.full, form.characters, threads_of(workers)
    )
    return Ragged(tokens, offsets), singles


class Stretches(NamedTuple):
    """Character ranges of token ranges in texts, each with a window around it.

    `places` (n, 4) are the window's start, the stretch's start and end and the window's end, in characters; `windows` is the text of each
    window.
    """

    places: U32
    windows: pa.Array


def stretches(
    form: Form, texts: AnyTexts, text: Ints, first: Ints, last: Ints, margin: U8, workers: int | None = None
) -> Stretches:
    """Return the character range of each token range first:last in a text, with a window of `margin` tokens on both sides.

    Ranges may come in any order and are returned in the same one; a text is normalised once for all its ranges. An empty range is placed
    before the token after it, or at the end of the text after the last token. Cost: O(characters).
    """
    which, begin, end, wide = _checked_ranges(len(texts), text, first, last, margin)
    address, length = text_columns(texts)
    return _stretches(
        _quchong.stretches(
            form.tables, address, length, form.full, form.characters, which, begin, end, wide, threads_of(workers)
        )
    )


def placed_stretches(
    places: TokenPlaces, texts: AnyTexts, text: Ints, first: Ints, last: Ints, margin: U8, workers: int | None = None
) -> Stretches:
    """Return what `stretches` returns, from stored token offsets, so that texts are not normalised again.

    Cost: O(tokens) of the texts named, and a count of their characters.
    """
    address, length = text_columns(texts)
    steps = checked.u8(places.steps, "steps")
    offsets = checked.offsets_of(places.offsets, len(steps))
    far = checked.column(places.far, np.int64, "far")
    if len(offsets) != len(address) + 1:
        raise ValueError(f"places of {len(offsets) - 1} texts, and there are {len(address)}")
    if len(far) % 3:
        raise ValueError(f"a far token has a number, a start and an end: {len(far)} numbers")
    lengths = checked.u8(places.lengths, "lengths", len(steps))
    which, begin, end, wide = _checked_ranges(len(address), text, first, last, margin)
    return _stretches(
        _quchong.placed_stretches(
            steps, lengths, far, offsets, address, length, which, begin, end, wide, threads_of(workers)
        )
    )


def _checked_ranges(texts: int, text: Ints, first: Ints, last: Ints, margin: U8) -> tuple[U32, U32, U32, U8]:
    """Return texts, first and last tokens and margins of ranges as kernels take them."""
    n = len(np.asarray(text))
    which = checked.indices(text, texts, "text")
    return which, checked.u32(first, "first", n), checked.u32(last, "last", n), checked.u8(margin, "margin", n)


def _stretches(found: tuple[U32, I64, U8]) -> Stretches:
    places, offsets, data = found
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(data)]
    windows = pa.Array.from_buffers(pa.large_string(), len(offsets) - 1, buffers)
    return Stretches(places.reshape(-1, 4), windows)


def equal_forms(form: Form, texts: AnyTexts, left: Ints, right: Ints, workers: int | None = None) -> U8:
    """Return 1 for pairs of texts with the same normal form, compared character by character."""
    a, b = checked.pairs(left, right, len(texts))
    return _quchong.equal_forms(
        form.tables, *text_columns(texts), form.full, form.characters, a, b, threads_of(workers)
    )


def shingle_hashes(tokens: U32, ngram: int) -> U64:
    """Return hashes of all shingles of one document in order; one for a document shorter than `ngram`."""
    return _quchong.shingle_hashes(checked.u32(tokens, "tokens"), checked.ngram_of(ngram))


def winnow(hashes: U64, window: int) -> U64:
    """Return the least hash of every window in order, without successive repeats (Schleimer 2003)."""
    return _quchong.winnow(checked.u64(hashes, "hashes"), _window(window))


def sentence_places(texts: AnyTexts, workers: int | None = None) -> tuple[U32, U32, I64]:
    """Return the spans of the sentences of texts: start and end in characters (uint32), int64 offsets a text.

    See `quchong.text.sentences` for what a sentence is. Cost: O(characters).
    """
    start, end, offsets = _quchong.sentence_places(*text_columns(texts), threads_of(workers))
    return start, end, offsets


def sentence_breaks(texts: AnyTexts, workers: int | None = None) -> tuple[U32, I64]:
    """Return the ends of the sentences of texts: uint32 offsets in characters, int64 offsets a text.

    A break is before the character at its offset. The rule is that of `quchong.text.sentences`; after a run of terminators there are
    several breaks with no letter between. The end of the text is no break.
    """
    places, offsets = _quchong.sentence_breaks(*text_columns(texts), threads_of(workers))
    return places, offsets
