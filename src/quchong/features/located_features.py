"""Features with their offsets in the text, for display: hashed by the same kernels as compared features.

Each function returns `quchong.seam.Marks` that all count; `Marks.kept_by` selects those that a method keeps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from quchong import kernels
from quchong.features.periods import period_sets
from quchong.features.sentences import Sentences
from quchong.features.spot_signatures import Spots
from quchong.features.substrings import VOWELS, mostly_han, windows, without_vowels
from quchong.features.winnowed import by_mask
from quchong.kernels.arrays import FeatureSets, Ragged, texts_of
from quchong.kernels.elements import strings
from quchong.kernels.hashing import COEFFICIENTS, mix64
from quchong.kernels.offsets import positions_in_items, prefix_sums
from quchong.kernels.text import Form, Tokenised, TokenNames
from quchong.seam import Documents, Marks, Values

STOPS = "。｡"
WORD_TOKEN, NUMBER_TOKEN = np.uint32(0x80000000), np.uint32(0xC0000000)
"""Marks of tokens, as in cpp/text/text.hpp."""


def tokens_placed(form: Form, documents: Documents, workers: int | None = None) -> TokenNames:
    """Return the tokens of documents, of which features are made, by name and with their offsets."""
    return kernels.text.names(form, documents.texts, places=True, workers=workers)


def runs_placed(
    what: str,
    found: TokenNames | Tokenised,
    values: np.ndarray,
    offsets: np.ndarray,
    at: np.ndarray,
    width: np.ndarray | int,
) -> Marks:
    """Convert sequences of tokens, such as shingles, to marks with offsets in characters.

    Args:
        found: tokens with their offsets.
        values, offsets: the hash of each sequence; document i owns those from offsets[i] to offsets[i + 1].
        at: the first token of each sequence, within its document.
        width: tokens of each sequence; one that would reach beyond its document ends there.
    """
    document = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    first = found.docs.offsets[document] + at.astype(np.int64)
    last = np.minimum(first + width, found.docs.offsets[document + 1]) - 1
    places = np.stack([found.start[first], found.end[last]], 1).astype(np.int64) if len(first) else _none()
    return Marks(what, offsets.astype(np.int64), places.reshape(-1, 2), values, np.ones(len(values), bool))


def shingles_placed(what: str, form: Form, documents: Documents, ngram: int, workers: int | None = None) -> Marks:
    """Return every shingle of `ngram` tokens of each document as a mark; a document with fewer tokens is one shingle."""
    found = tokens_placed(form, documents, workers)
    values, offsets = kernels.features.ragged_shingles(found.docs, ngram, workers)
    at = positions_in_items(np.diff(offsets))
    return runs_placed(what, found, values, offsets, at, ngram)


def _hashed_shingles(what: str, form: Form, documents: Documents, ngram: int, workers: int | None) -> Marks:
    """Return every shingle of `ngram` tokens of each document as a mark, hashed by letters alone as candidate keys are."""
    found = kernels.text.tokenise(form, documents.texts, places=True, workers=workers)
    docs = Ragged(found.moved.hashed(found.docs.tokens), found.docs.offsets)
    values, offsets = kernels.features.ragged_shingles(docs, ngram, workers)
    at = positions_in_items(np.diff(offsets))
    return runs_placed(what, found, values, offsets, at, ngram)


def words_placed(
    what: str,
    found: TokenNames,
    values: np.ndarray,
    offsets: np.ndarray,
    tokens: Sequence[np.ndarray],
    documents: Documents,
) -> Marks:
    """Return features made of single tokens of a document as marks, from first to last token; `tokens` are their token numbers.

    The label of a mark is its tokens joined by dots.
    """
    texts = [str(t) for t in strings(documents.texts)]
    document = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    places = [(int(found.start[t[0]]), int(found.end[t[-1]])) for t in tokens]
    said = [
        "·".join(texts[d][int(found.start[k]) : int(found.end[k])] for k in t.tolist())
        for d, t in zip(document.tolist(), tokens, strict=True)
    ]
    where = np.array(places, np.int64).reshape(-1, 2)
    return Marks(what, offsets.astype(np.int64), where, values, np.ones(len(values), bool), words=said, listed=True)


def spots_placed(form: Form, spots: Spots, documents: Documents, workers: int | None = None) -> Marks:
    """Return spot signatures as marks: the antecedent and the words of its chain."""
    found = tokens_placed(form, documents, workers)
    words = spots.words(form)
    values, offsets = spots.signatures(found.docs, words)
    return words_placed("spots", found, values, offsets, spots.chains(found.docs, words), documents)


def periods_placed(
    documents: Documents, before: int, after: int = 0, normal: Form | None = None, workers: int | None = None
) -> Marks:
    """Return the text before and after every full stop as marks, one for each stop, with its value by `period_sets`.

    A feature reaches back as far as the stop before it, and on as far as the next: the text between these two stops gives the same
    feature as the whole text. (The stop at its beginning has nothing before it, and gives none.)
    """
    pieces: list[str] = []
    places: list[tuple[int, int]] = []
    offsets = [0]
    for text in map(str, strings(documents.texts)):
        stops = [i for i, c in enumerate(text) if c in STOPS]
        for k, stop in enumerate(stops):
            since = stops[k - 1] if k else 0
            until = stops[k + 1] if k + 1 < len(stops) else len(text)
            pieces.append(text[since : until if after else stop + 1])
            begin = _back(text, since + (k > 0), stop, before, normal)
            places.append((begin, min(until, stop + 1 + after)))
        offsets.append(len(pieces))
    found = period_sets(texts_of([pa.array(pieces, pa.large_string())]), before, workers, after=after, normal=normal)
    has = found.lengths > 0
    ends = prefix_sums(has)
    where = np.array(places, np.int64).reshape(-1, 2)[has]
    values = found.values[found.offsets[:-1][has]]
    return Marks(
        "stops", ends[np.array(offsets)].astype(np.int64), where, values, np.ones(len(values), bool), listed=True
    )


def _back(text: str, since: int, stop: int, count: int, normal: Form | None) -> int:
    """Return the offset `count` characters before a stop; blanks, or with a form all but letters, are not counted."""
    at, left = stop, count
    while at > since and left:
        at -= 1
        left -= text[at].isalnum() if normal is not None else not text[at].isspace()
    while at < stop and text[at].isspace():
        at += 1
    return at


def sentences_placed(what: str, sentences: Sentences, values: np.ndarray, counted: np.ndarray, why: str) -> Marks:
    """Return sentences as marks, each with its number of terms."""
    places = np.stack([sentences.start, sentences.end], 1).astype(np.int64)
    figures = {"terms": sentences.length.astype(np.int64)}
    return Marks(what, sentences.offsets.astype(np.int64), places, values, counted, why, figures, listed=True)


def _none() -> np.ndarray:
    return np.zeros((0, 2), np.int64)


def keys_placed(
    what: str, form: Form, documents: Documents, ngram: int, keys: FeatureSets, workers: int | None = None
) -> tuple[Marks] | tuple[Marks, Values]:
    """Return keys that are shingles as marks, and other keys, if any, as values without an offset."""
    marks = _hashed_shingles(what, form, documents, ngram, workers).kept_by(keys)
    placed = np.zeros(len(keys.values), bool)
    for i in range(len(keys)):
        here = slice(int(keys.offsets[i]), int(keys.offsets[i + 1]))
        placed[here] = np.isin(keys.values[here], marks.values[marks.rows_of(i)])
    return (marks,) if placed.all() else (marks, Values("other keys", keys.select_values(~placed)))


def substrings_placed(
    form: Form, documents: Documents, han: int, words: int, vowels: bool = True, workers: int | None = None
) -> Marks:
    """Return every substring of letters and digits as marks: `han` characters long in Chinese texts, else `words`.

    In other texts vowels are dropped first if `vowels` says so.
    """
    found = tokens_placed(form, documents, workers)
    chinese = mostly_han(found.docs)
    kept = np.arange(len(found.docs.tokens))
    docs = found.docs
    if not vowels:
        docs = without_vowels(docs, ~chinese)
        other = np.repeat(~chinese, found.docs.lengths)
        kept = np.flatnonzero(~(np.isin(found.docs.tokens, VOWELS) & other))
    (a, of_han), (b, of_words) = windows(docs, han, workers), windows(docs, words, workers)
    offsets, (values,) = by_mask(chinese, (of_han, (a,)), (of_words, (b,)))
    document = np.repeat(np.arange(len(documents)), np.diff(offsets))
    first = np.arange(len(values)) - offsets[document] + docs.offsets[document]
    last = first + np.where(chinese, han, words)[document] - 1
    places = np.stack([found.start[kept[first]], found.end[kept[last]]], 1).astype(np.int64)
    return Marks("substrings", offsets, places.reshape(-1, 2), values, np.ones(len(values), bool))


def terms_placed(form: Form, documents: Documents, known: FeatureSets, workers: int | None = None) -> Marks:
    """Return terms as marks: two neighbouring characters of a script without spaces, or a word.

    `known` are the terms of each document; pairs that cross the end of a sentence are not among them and are left out.
    """
    found = tokens_placed(form, documents, workers)
    names, lengths = found.docs.tokens, found.docs.lengths
    tokens = names.astype(np.uint32)  # a name has the token below
    document = np.repeat(np.arange(len(lengths)), lengths)
    word = (tokens >= WORD_TOKEN) & (tokens < NUMBER_TOKEN)
    pair = np.zeros(len(tokens), bool)
    if len(tokens):
        pair[:-1] = (tokens[:-1] < WORD_TOKEN) & (tokens[1:] < WORD_TOKEN) & (document[1:] == document[:-1])
    after = np.append(names[1:], np.zeros(min(1, len(names)), np.uint64))
    with np.errstate(over="ignore"):
        total = names * COEFFICIENTS[0]
        values = mix64(np.where(pair, total + after * COEFFICIENTS[1], total))
    at = np.flatnonzero(word | pair)
    ends = np.where(pair[at], found.end[np.minimum(at + 1, max(0, len(tokens) - 1))], found.end[at])
    places = np.stack([found.start[at], ends], 1).astype(np.int64).reshape(-1, 2)
    offsets = np.searchsorted(document[at], np.arange(len(lengths) + 1)).astype(np.int64)
    return only_counted(Marks("terms", offsets, places, values[at], np.ones(len(at), bool)).kept_by(known))


def only_counted(marks: Marks) -> Marks:
    """Return only the marks whose `counted` is True."""
    kept = prefix_sums(marks.counted)
    keep = marks.counted
    words = None if marks.words is None else [w for w, k in zip(marks.words, keep.tolist(), strict=True) if k]
    return replace(
        marks, offsets=kept[marks.offsets], places=marks.places[keep], values=marks.values[keep], counted=keep[keep],
        figures={k: v[keep] for k, v in marks.figures.items()}, words=words,
    )  # fmt: skip
