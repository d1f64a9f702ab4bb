"""Base class of methods that compare sentences."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from quchong.features.sentences import Sentences, SentenceTerms
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.runs import Matches
from quchong.methods.bases.coverage import OverlapMethod
from quchong.methods.bases.ordered_words import WORDS, word_terms
from quchong.parameters import N_TERMS, STOP_WORDS
from quchong.seam import Documents, Spans

HELD = 1 << 20
"""Candidates, or sentences of candidates, tested by the rule at once."""


@dataclass(frozen=True, slots=True)
class SentenceMethod(OverlapMethod):
    """Base class of methods that compare sentences."""

    tokens: str = WORDS("word")
    stop_words: str = STOP_WORDS(
        "standard", 'words that are not terms (see `quchong.features.stopwords`); "none" uses all words as terms.'
    )
    n_terms: int = N_TERMS(2)

    worth: ClassVar[float] = 0.3

    def check(self) -> None:
        """Raise UsageError for unusable parameters."""
        OverlapMethod.check(self)
        self.terms  # noqa: B018 - raises

    @property
    def terms(self) -> SentenceTerms:
        """Settings by which texts become sentences of terms."""
        return replace(word_terms(self.normalise, self.tokens, self.stop_words), first=self.n_terms)

    def sentences(self, documents: Documents, workers: int | None) -> Sentences:
        """Split documents into sentences; return offsets, numbers of terms and hashes as flat arrays. Nothing is cached."""
        return self.terms.split_sentences(documents.texts, workers)


def slices(left: np.ndarray, right: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Split pairs into batches of at most HELD; no batch for no pairs."""
    return [(left[a : a + HELD], right[a : a + HELD]) for a in range(0, len(left), HELD)]


def summed(values: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Return the sum of each range values[offsets[i]:offsets[i + 1]], float64."""
    total = prefix_sums(values)
    out: np.ndarray = (total[offsets[1:]] - total[offsets[:-1]]).astype(np.float64)
    return out


def run_ends(matches: Matches, run: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return pair, first match, last match and number of matches of each run, and the run of each match, all int64."""
    n, pair = len(run), matches.pair
    filled = matches.offsets[:-1][np.diff(matches.offsets) > 0]
    runs = np.zeros(len(matches.offsets) - 1, np.int64)
    runs[pair[filled]] = np.maximum.reduceat(run, filled).astype(np.int64) + 1 if n else 0
    member = (np.cumsum(runs) - runs)[pair] + run
    count = np.bincount(member, minlength=int(runs.sum()))
    first, last = np.empty(len(count), np.int64), np.empty(len(count), np.int64)
    last[member] = np.arange(n)  # of one run the last assignment stays
    first[member[::-1]] = np.arange(n)[::-1]
    return pair[first], first, last, count, member


def spans(pairs: int, pair: np.ndarray, places: np.ndarray, exact: np.ndarray | bool) -> Spans:
    """Return the passages of `pairs` pairs, sorted by pair, from rows of pair, four offsets, and exactness."""
    order = np.lexsort((*places.T[::-1], pair))
    offsets = prefix_sums(np.bincount(pair, minlength=pairs))
    kind = np.broadcast_to(np.asarray(exact, bool), len(places))[order]
    return Spans.from_offsets(offsets, places[order].astype(np.int64), kind)
