"""Texts: their normal form, tokens, fingerprints and sentences.

The twins stand in tests/twins/text.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import _quchong
import numpy as np
import pyarrow as pa

from quchong.kernels import checked
from quchong.kernels.arrays import AnyTexts, Names, Ragged, ragged_columns, text_columns
from quchong.kernels.checked import MOST_I32, MOST_U32, threads_of

if TYPE_CHECKING:
    from quchong.kernels.checked import I64, U8, U32, U64, Ints

TextTables = _quchong.TextTables
"""Lookup tables of the text kernels, opaque to Python."""


class Form(NamedTuple):
    """How text becomes tokens: the tables, `full` normalisation or plain NFKC, single characters or runs."""

    tables: TextTables
    full: bool = True
    characters: bool = False


class KeptWords(NamedTuple):
    """The different words of a batch whose tokens are kept, one entry each, by `numbers` ascending.

    Attributes:
        numbers: uint32, its token in this batch.
        hashes: uint32, its token as a hash of its letters.
        high, low: uint64, its name of 128 bits, by which it is told from words of other batches.
    """

    numbers: U32
    hashes: U32
    high: U64
    low: U64

    @property
    def moved(self) -> MovedWords:
        """The words whose token is not their hash."""
        some = self.numbers != self.hashes
        return MovedWords(self.numbers[some], self.hashes[some])


class Fingerprints(NamedTuple):
    """Per text: tokens and one-character tokens (uint32), digest of the normal form, winnowing anchors; the tokens themselves
    and the different words among them where they are kept.
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
    """Words whose token is not the hash of their letters: `numbers` (uint32, ascending) are their tokens, `hashes` what their hash is."""

    numbers: U32
    hashes: U32

    def hashed(self, tokens: U32) -> U32:
        """Tokens as hashes of letters: what lists of words are looked up by. Different words may have one hash."""
        if not len(self.numbers):
            return tokens
        at = np.minimum(np.searchsorted(self.numbers, tokens), len(self.numbers) - 1)
        out: U32 = np.where(self.numbers[at] == tokens, self.hashes[at], tokens)
        return out

    @staticmethod
    def none() -> MovedWords:
        """No words."""
        return MovedWords(np.zeros(0, np.uint32), np.zeros(0, np.uint32))


class Tokenised(NamedTuple):
    """Tokens of texts, one-character tokens per text, and (where asked) each token's characters in its text.

    Two tokens of one call are equal if and only if their letters are. Words whose token is not the hash of their letters, because
    another word has that hash, stand in `moved`.
    """

    docs: Ragged
    singles: U32
    start: U32
    end: U32
    moved: MovedWords


class Named(NamedTuple):
    """Names of the tokens of texts, one-character tokens per text, and (where asked) each token's characters in its text.

    A name (uint64) depends on the letters of a token and on nothing else, so features made of names may be compared across calls. A
    one-character token is its own name. A word has its token, a hash of 30 bits with a mark, below, and 32 bits of another hash above.
    """

    docs: Names
    singles: U32
    start: U32
    end: U32


HASH_BITS = 30
"""Bits of a word's hash, as tokens carry it."""


def text_tables(folds: U32, step1: U32, step2: U32, number_words: U32, hash_bits: int = HASH_BITS) -> TextTables:
    """Builds the lookup tables of the text kernels (see cpp/text/unicode.hpp for the flat formats).

    Args:
        number_words: words that count as numbers, each its length and its characters.
        hash_bits: bits of a word's hash, 1 to 30. Tests take few, so that many words have one hash; no decision depends on it.

    Raises:
        ValueError: an odd number of folds, a character beyond Unicode, a step that is no list of phrases, or words that end early.
    """
    pairs = checked.indices(folds, 0x110000, "folds", what="character")
    if len(pairs) % 2:
        raise ValueError(f"folds are pairs of characters, got {len(pairs)}")
    bits = checked.number(hash_bits, 1, HASH_BITS, "hash_bits")
    return TextTables(pairs, _phrases(step1), _phrases(step2), _words(number_words), bits)


def _words(flat: object) -> U32:
    """A list of words: the length of each, at least 1, and its characters."""
    words = checked.indices(flat, 0x110000, "number words", what="character")
    numbers, at = words.tolist(), 0
    while at < len(numbers):
        if numbers[at] < 1 or at + numbers[at] >= len(numbers):
            raise ValueError(f"a word has a length and so many characters: it has not at {at}")
        at += 1 + numbers[at]
    return words


def _phrases(flat: object) -> U32:
    """One step of conversion: the lengths of a phrase and of what it becomes, both themselves, and so on."""
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
    """The hash of a word's characters, 30 bits, as tokens carry it. Different words may have one."""
    return int(_quchong.word_hash(tables, np.array([ord(c) for c in word], np.uint32)))


def word_name(word: str) -> int:
    """The name of a word that is no number (`Named`)."""
    return int(_quchong.word_name(np.array([ord(c) for c in word], np.uint32)))


def composing_ranges() -> list[tuple[int, int]]:
    """Ranges of characters that may compose with the character before them (Unicode 14.0)."""
    flat = _quchong.composing_ranges().tolist()
    return list(zip(flat[::2], flat[1::2], strict=True))


def composes(tables: TextTables, texts: AnyTexts, workers: int | None = None) -> U8:
    """1 for every text holding a character that may compose with the one before it."""
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
    """Digest, lengths and winnowing anchors of every text in one pass; with `keep` the tokens too, as `tokenise` gives them.

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
    ends: I64 = np.concatenate([[0], np.cumsum(tokens, dtype=np.int64)])
    return Fingerprints(tokens, singles, high, low, offsets, values, Ragged(stream, ends), KeptWords(*made[7:]))


def take_tokens(docs: Ragged, index: Ints, workers: int | None = None) -> Ragged:
    """The tokens of some documents, in the order of `index`, any of them any number of times. Cost: a copy."""
    which = checked.indices(index, len(docs.offsets) - 1, "index")
    return Ragged(*_quchong.take_tokens(*ragged_columns(docs), which, threads_of(workers)))


def tokenise(form: Form, texts: AnyTexts, *, places: bool = False, workers: int | None = None) -> Tokenised:
    """Tokens of every text; with `places` also where each stands, in characters of its text.

    For comparing these texts with each other: equal tokens have equal letters. A word's token is a hash of its letters, but where an
    earlier word of the call has that hash and other letters. Tokens of two calls must not be compared: see `names` and `hashes`.
    """
    tokens, offsets, singles, start, end, *moved = _quchong.tokenise(
        form.tables, *text_columns(texts), form.full, form.characters, places, threads_of(workers)
    )
    return Tokenised(Ragged(tokens, offsets), singles, start, end, MovedWords(*moved))


def names(form: Form, texts: AnyTexts, *, places: bool = False, workers: int | None = None) -> Named:
    """Names of the tokens of every text, for features that are compared across calls; with `places` also where each token stands."""
    tokens, offsets, singles, start, end = _quchong.name_tokens(
        form.tables, *text_columns(texts), form.full, form.characters, places, threads_of(workers)
    )
    return Named(Names(tokens, offsets), singles, start, end)


def hashes(form: Form, texts: AnyTexts, workers: int | None = None) -> tuple[Ragged, U32]:
    """Tokens of every text as hashes of their letters alone, and one-character tokens per text.

    For candidates, sketches and measurements: different words may have one hash of 30 bits.
    """
    tokens, offsets, singles = _quchong.hash_tokens(
        form.tables, *text_columns(texts), form.full, form.characters, threads_of(workers)
    )
    return Ragged(tokens, offsets), singles


class Stretches(NamedTuple):
    """Stretches of tokens in their texts: `places` (n, 4) are the window's start, the stretch's start and end and the window's end,
    in characters; `windows` what is written in each window.
    """

    places: U32
    windows: pa.Array


def stretches(
    form: Form, texts: AnyTexts, text: Ints, first: Ints, last: Ints, margin: U8, workers: int | None = None
) -> Stretches:
    """Where tokens first to last (half open) of texts stand, each with a window of `margin` tokens on both sides.

    They come in any order, and so they are given back: a text is normalised once for all of its own. An empty one stands before the
    token behind it, at the end of the text behind the last token. Cost: O(characters).
    """
    n = len(np.asarray(text))
    which = checked.indices(text, len(texts), "text")
    places, offsets, data = _quchong.stretches(
        form.tables, *text_columns(texts), form.full, form.characters, which, checked.u32(first, "first", n),
        checked.u32(last, "last", n), checked.u8(margin, "margin", n), threads_of(workers),
    )  # fmt: skip
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(data)]
    return Stretches(places.reshape(-1, 4), pa.Array.from_buffers(pa.large_string(), n, buffers))


def equal_forms(form: Form, texts: AnyTexts, left: Ints, right: Ints, workers: int | None = None) -> U8:
    """1 where two texts have the same normal form, compared character by character."""
    a, b = checked.pairs(left, right, len(texts))
    return _quchong.equal_forms(
        form.tables, *text_columns(texts), form.full, form.characters, a, b, threads_of(workers)
    )


def shingle_hashes(tokens: U32, ngram: int) -> U64:
    """Hashes of all shingles of one document in order; one for a document shorter than `ngram`."""
    return _quchong.shingle_hashes(checked.u32(tokens, "tokens"), checked.ngram_of(ngram))


def winnow(hashes: U64, window: int) -> U64:
    """Least hash of every window in order, neighbours that repeat dropped (Schleimer 2003)."""
    return _quchong.winnow(checked.u64(hashes, "hashes"), _window(window))


def sentence_places(texts: AnyTexts, workers: int | None = None) -> tuple[U32, U32, I64]:
    """Where the sentences of texts stand: start and end in characters (uint32), int64 offsets a text.

    See `quchong.text.sentences` for what a sentence is. Cost: O(characters).
    """
    start, end, offsets = _quchong.sentence_places(*text_columns(texts), threads_of(workers))
    return start, end, offsets


def sentence_breaks(texts: AnyTexts, workers: int | None = None) -> tuple[U32, I64]:
    """Where sentences of texts end: uint32 places in characters, int64 offsets. A break stands before that character.

    The rule is that of `quchong.text.sentences`; behind a run of terminators there is more than one break, with no letter
    between. The end of the text is no break.
    """
    places, offsets = _quchong.sentence_breaks(*text_columns(texts), threads_of(workers))
    return places, offsets
