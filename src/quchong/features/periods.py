"""Features of full stops (句号特征), and the pruning of text that a site repeats (倒排索引剪切).

Source: Wei 2013 (CCDet), feature rules 1 to 3 and the pruning of the inverted index.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong import kernels
from quchong.errors import UsageError, check_choice
from quchong.features.feature_sets import among, check_band, in_batches, normalised_idf, string_hashes
from quchong.kernels.arrays import AnyTexts, FeatureSets, Texts
from quchong.kernels.elements import strings
from quchong.kernels.hashing import GOLDEN, mix64
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.sorting import distinct
from quchong.kernels.text import Form

PRUNE, SCOPE = ("site", "idf", "none"), ("site", "list")
COPIES = 64
"""Most pages of one site with a feature that is used to recognise copies of one text; a more frequent one is template text, and would make
short pages with little else look like copies.
"""


def period_sets(
    texts: AnyTexts, tail: int = 10, workers: int | None = None, *, after: int = 0, normal: Form | None = None
) -> FeatureSets:
    """Return the features of each text: up to `tail` characters before every 。 and up to `after` characters after it.

    A feature reaches back at most to the previous 。 and on at most to the next one. Its characters are those of the text without white
    space; with a form, the letters and digits of the normal form, so that script and width make no difference.
    """
    if normal is None:
        return kernels.sets.feature_sets(
            *kernels.features.period_features(texts, tail, after, workers), workers=workers
        )
    form = Form(normal.tables, normal.full, characters=True)
    return in_batches(
        texts,
        lambda piece: kernels.sets.feature_sets(*_normal_features(form, piece, tail, after, workers), workers=workers),
    )


def _normal_features(
    form: Form, texts: Texts, before: int, after: int, workers: int | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return features of full stops in letters of a form, as `quchong.kernels.features.period_features` does for the text itself."""
    parts = pc.split_pattern_regex(pa.array(strings(texts), pa.large_string()), "[。｡]")
    ends = parts.offsets.to_numpy().astype(np.int64)
    letters = kernels.text.names(form, parts.flatten(), workers=workers).docs
    stops = letters.lengths > 0
    stops[ends[1:] - 1] = False  # behind the last part of a text is no full stop
    at = np.flatnonzero(stops)
    tokens, end = letters.tokens.astype(np.uint64), letters.offsets[at + 1]
    value = np.full(len(at), 0x3002, np.uint64)
    with np.errstate(over="ignore"):
        for k in range(before, 0, -1):
            has = end - k >= letters.offsets[at]
            value[has] = mix64(value[has] * GOLDEN + tokens[end[has] - k])
        if after:
            value = mix64(value * GOLDEN + np.uint64(0x3002))
            for k in range(after):
                has = end + k < letters.offsets[at + 2]
                value[has] = mix64(value[has] * GOLDEN + tokens[end[has] + k])
    owner = np.repeat(np.arange(len(texts)), np.diff(ends))
    return value, prefix_sums(np.bincount(owner[at], minlength=len(texts)))


@dataclass(frozen=True)
class Noise:
    """Features that are not compared: everywhere, or on the pages of one site only.

    Attributes:
        everywhere: values, ascending.
        of_site: keys of a value on a site (`_on_site`), ascending.
    """

    everywhere: np.ndarray
    of_site: np.ndarray

    def without(self, sets: FeatureSets, site: pa.Array) -> FeatureSets:
        """Return the sets without noise; `site` is the site of each document."""
        keep = np.ones(len(sets.values), bool)
        if len(self.everywhere):
            keep &= ~among(sets.values, self.everywhere)
        if len(self.of_site):
            keep &= ~among(site_keys(sets, site), self.of_site)
        return sets.select_values(keep)

    @cached_property
    def digest(self) -> str:
        """Digest (blake2b-128) of both lists, for the config hash."""
        return noise_digest((len(part), [part]) for part in (self.everywhere, self.of_site))


def noise_digest(lists: Iterable[tuple[int, Iterable[np.ndarray]]]) -> str:
    """Return `Noise.digest` of two lists, each given by its length and in batches."""
    hashed = hashlib.blake2b(digest_size=16)
    for length, pieces in lists:
        hashed.update(length.to_bytes(8, "little"))
        for piece in pieces:
            hashed.update(np.ascontiguousarray(piece, "<u8").tobytes())
    return hashed.hexdigest()


@dataclass(frozen=True)
class TakenOut:
    """Noise that an engine has removed from the sets already, identified only by its digest."""

    digest: str

    def without(self, sets: FeatureSets, site: pa.Array) -> FeatureSets:
        """Return the sets unchanged."""
        return sets


@dataclass(frozen=True, slots=True)
class Pruning:
    """Rules by which features of a corpus count as noise.

    Args:
        kind: "site": features on at least `min_site_docs` pages of one site and at least `min_site_ratio` of its pages; "idf": features
            outside the band of normalised idf (I-Match's own band, 0.2 to 0.85, is for words: it drops features of only two pages, and with
            them the copies); "none".
        scope: "site" prunes the pages of that site only, "list" the feature everywhere.
        same_text: Jaccard of features at or above which pages of one site count as one text, with what connects them: copies
            of an article under several addresses of its site are no template. 1 counts only equal sets as one.
            An article on `min_site_docs` pages of one site that agree less loses what they share.
        each_page: every page counts, whatever it shares with others, and `same_text` is ignored.

    A page without a site is a site of its own.
    """

    kind: str = "site"
    scope: str = "site"
    min_site_docs: int = 3
    min_site_ratio: float = 0.0
    idf_low: float = 0.5
    idf_high: float = 1.0
    same_text: float = 0.8
    each_page: bool = False

    def __post_init__(self) -> None:
        check_choice("prune", self.kind, PRUNE, method=True)
        check_choice("scope", self.scope, SCOPE, method=True)
        if self.min_site_docs < 2:
            raise UsageError("min_site_docs must be at least 2, got {}", self.min_site_docs)
        if not 0 < self.same_text <= 1:
            raise UsageError("same_text must be above 0 and at most 1, got {}", self.same_text)
        if not 0 <= self.min_site_ratio <= 1:
            raise UsageError("min_site_ratio must be between 0 and 1, got {}", self.min_site_ratio)
        check_band(self.idf_low, self.idf_high)

    def noise(self, sets: FeatureSets, site: pa.Array, workers: int | None = None) -> Noise:
        """Return the noise features of a corpus; `site` is the site of each document, null if it has none.

        Independent of the order of the documents. Cost: O(features log features).
        """
        none = np.zeros(0, np.uint64)
        if self.kind == "none" or not len(sets.values):
            return Noise(none, none)
        if self.kind == "idf":
            values, df = np.unique(sets.values, return_counts=True)
            return Noise(values[self.outside_band(df, len(sets))], none)
        hashed = string_hashes(site)
        key, document = _on_site(sets, hashed), sets.document
        order = np.argsort(key)
        ordered = key[order]
        head = np.diff(ordered, prepend=~ordered[:1]) != 0
        starts, group = np.flatnonzero(head), np.cumsum(head) - 1  # one for each feature on a site
        pages = np.diff(np.append(starts, len(order)))
        mine = document[order]
        if not self.each_page:
            pages = self._texts_of(sets, hashed, order, starts, group, pages, workers)
        of_site = np.bincount(code := np.unique(hashed, return_inverse=True)[1])
        on = mine[starts]
        many = (pages >= self.min_site_docs) & (pages >= self.min_site_ratio * of_site[code[on]]) & (hashed[on] != 0)
        if self.scope == "list":
            return Noise(distinct(sets.values[order[starts[many]]]), none)
        return Noise(none, ordered[starts[many]])

    def outside_band(self, frequency: np.ndarray, documents: int) -> np.ndarray:
        """Return a mask of the document frequencies, out of `documents`, whose idf is outside the band."""
        idf = normalised_idf(frequency, documents)
        mask: np.ndarray = (idf < self.idf_low) | (idf > self.idf_high)
        return mask

    def _texts_of(
        self, sets: FeatureSets, hashed: np.ndarray, order: np.ndarray, starts: np.ndarray, group: np.ndarray, pages: np.ndarray,
        workers: int | None,
    ) -> np.ndarray:  # fmt: skip
        """Return for each feature of a site the number of different texts that have it."""
        few = np.empty(len(order), bool)
        few[order] = pages[group] <= COPIES
        text = self._texts(sets, hashed, few, workers)
        mine = sets.document[order]
        again = np.zeros(len(starts), bool)
        again[group[text[mine] != mine]] = True  # features of pages that are one text
        part = np.flatnonzero(again[group])
        pairs = np.unique(np.stack([group[part], text[mine[part]]], 1), axis=0)[:, 0]
        out = pages.copy()
        out[again] = np.bincount(pairs, minlength=len(starts))[again]
        return out

    def _texts(self, sets: FeatureSets, hashed: np.ndarray, few: np.ndarray, workers: int | None) -> np.ndarray:
        """Return a number for each page, equal for pages of one site that are one text; `few` masks the features to compare."""
        own = sets.select_values((hashed[sets.document] != 0) & few)
        of_site = kernels.sets.feature_sets(_on_site(own, hashed), own.offsets, workers=workers)
        met = kernels.sets.meet_sets(of_site, self.same_text, jaccard=True, workers=workers)
        return kernels.graph.components(len(sets), met.left, met.right)


def site_keys(sets: FeatureSets, site: pa.Array) -> np.ndarray:
    """Return the key of each value on the site of its document, as in `Noise.of_site`, uint64."""
    return _on_site(sets, string_hashes(site))


def _on_site(sets: FeatureSets, hashed: np.ndarray) -> np.ndarray:
    """Return a key of each value together with its document's site, uint64; for documents without site the key is unused."""
    with np.errstate(over="ignore"):
        mixed = (sets.values ^ (hashed[sets.document] * GOLDEN)) * np.uint64(0xBF58476D1CE4E5B9)
    return mixed ^ (mixed >> np.uint64(29))
