"""Features of documents: shingles, keys of short documents, features of full stops, paths of words.

The twins are in tests/twins/features.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import _quchong
import numpy as np

from quchong.kernels import checked
from quchong.kernels.arrays import AnyTexts, FeatureSets, Names, Ragged, name_columns, ragged_columns, text_columns
from quchong.kernels.checked import MOST_I32, MOST_U32, threads_of

if TYPE_CHECKING:
    from quchong.kernels.checked import I64, U32, U64

MAX_DEPTH = 16


def ragged_shingles(docs: Ragged | Names, ngram: int, workers: int | None = None) -> tuple[U64, I64]:
    """Return hashes of all shingles of every document in order (uint64), and int64 offsets; for `feature_sets`.

    A document shorter than `ngram` is one shingle, an empty one has none. Cost: O(tokens * ngram), 8 bytes a shingle.
    """
    how = checked.ngram_of(ngram), threads_of(workers)
    if isinstance(docs, Names):
        values, offsets = _quchong.ragged_shingles_named(*name_columns(docs), *how)
    else:
        values, offsets = _quchong.ragged_shingles(*ragged_columns(docs), *how)
    return values, offsets


def window_minima(docs: Ragged | Names, ngram: int, window: int, workers: int | None = None) -> tuple[U64, U32, I64]:
    """Return the least hash of every window of `window` shingles, with positions: winnowing (Schleimer 2003).

    Returns hashes (uint64), the places of their shingles in the document (uint32, ascending) and int64 offsets. Of equal
    hashes the rightmost is taken. With fewer shingles than a window it is the least of all; a document of fewer than
    `ngram` tokens has none. Two documents that share a run of window + ngram - 1 tokens share a hash. Cost: O(tokens).
    """
    how = checked.ngram_of(ngram), checked.number(window, 1, MOST_I32, "window"), threads_of(workers)
    if isinstance(docs, Names):
        values, places, offsets = _quchong.window_minima_named(*name_columns(docs), *how)
    else:
        values, places, offsets = _quchong.window_minima(*ragged_columns(docs), *how)
    return values, places, offsets


def least_by_key(values: U64, keys: U64, offsets: I64, count: int, workers: int | None = None) -> FeatureSets:
    """Return for every document the `count` distinct values that come first by key, then by value, as sets.

    `keys` (uint64) has one key for each value, equal for a value that is repeated in a document. A document with fewer values keeps all.
    Cost: a sort a document.

    Raises:
        ValueError: keys of another length, offsets that do not rise from 0 to the number of values, or a count below 1.
    """
    v, o = checked.ragged64(values, offsets, "values")
    k, count = checked.u64(keys, "keys", len(v)), checked.number(count, 1, MOST_I32, "count")
    kept, places = _quchong.least_by_key(v, k, o, count, threads_of(workers))
    return FeatureSets(kept, np.ones(len(kept), np.uint32), places)


def short_keys(
    docs: Ragged, common: U32, *, longest: int = 40, lacking: int = 4, workers: int | None = None
) -> tuple[U64, I64]:
    """Return keys of short documents, uint64, and int64 offsets: sets of two or three of a document's rarest bigrams.

    Two documents of at most `longest` tokens have a key in common if they share at least two distinct bigrams, at least half of each one's,
    and all but `lacking` of each one's; or if both have one bigram only, the same. (A bigram is two neighbouring tokens; a text of one
    token is one bigram.) A bigram is rare if few of its tokens are numbers or in `common`. Documents that are empty or longer have no keys.

    Cost: O(tokens log tokens); at most 35 keys a document with `lacking` 4, of p = lacking + 3 bigrams p(p-1)(p-2)/6.
    Source: Bayardo 2007 (prefix filter); Wang 2012 (with several in common).
    """
    bounds = checked.number(longest, 0, MOST_U32, "longest"), checked.number(lacking, 0, 60, "lacking")
    keys, offsets = _quchong.short_keys(
        *ragged_columns(docs), checked.u32(common, "common"), *bounds, threads_of(workers)
    )
    return keys, offsets


def period_features(texts: AnyTexts, before: int = 10, after: int = 0, workers: int | None = None) -> tuple[U64, I64]:
    """Return hashes of the text around each Chinese full stop 。: uint64 values, int64 offsets.

    A feature is the `before` characters before the mark, at most back to the previous mark, and with `after` as many after it, at most up
    to the next mark. White space, and closing quotes and brackets right after a mark, are removed first; all other characters count. Two
    marks with nothing between give no feature. Repeated features are returned repeatedly.

    Source: Wei 2013 (CCDet), 句号特征; with `after` the feature code of the traditional class, 特征码.
    """
    reach = checked.number(before, 1, 1000, "before"), checked.number(after, 0, 1000, "after")
    values, offsets = _quchong.period_features(*text_columns(texts), *reach, threads_of(workers))
    return values, offsets


def path_sets(docs: Names, sentence: U32, weight: U32, depth: int, workers: int | None = None) -> FeatureSets:
    """Return the distinct runs of 1 to `depth` tokens inside a sentence, as sets weighted by the sum over the tokens.

    Args:
        docs: names of tokens.
        sentence: uint32 a token; a path ends where the number changes.
        weight: uint32 a token, less than 2**32 / depth.
        depth: tokens of the longest path, 1 to 16.

    These are the nodes a document passes in CoDet's corpus tree. Cost: O(tokens * depth), 12 bytes a path.
    """
    tokens, offsets = name_columns(docs)
    s, w = checked.u32(sentence, "sentence", len(tokens)), checked.u32(weight, "weight", len(tokens))
    depth = checked.number(depth, 1, MAX_DEPTH, "depth")
    if len(w) and int(w.max()) * depth >= 2**32:
        raise ValueError("weights are too large for the depth")
    return FeatureSets(*_quchong.path_sets(tokens, offsets, s, w, depth, threads_of(workers)))
