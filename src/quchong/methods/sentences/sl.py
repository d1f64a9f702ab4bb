"""SL: windows of sentence lengths as features (句级特征, 句长).

Source: Wang 2009 (SL).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quchong import kernels
from quchong.features.feature_sets import at_least
from quchong.features.located_features import sentences_placed
from quchong.kernels.arrays import FeatureSets, Ragged
from quchong.methods.bases.coverage import OVERLAP_DECIDED
from quchong.methods.bases.papers import BySets
from quchong.methods.bases.sentences import SentenceMethod
from quchong.parameters import CONTAINMENT, N_TERMS, STOP_WORDS, THRESHOLD, TOKENS, parameter
from quchong.relations import CONTAINED_IN, DUPLICATE, EXACT, PARTIAL
from quchong.seam import Documents, JoinLimits, Marks, Sight, Traits
from quchong.similarity.coverage import set_coverage


@dataclass(frozen=True, slots=True)
class Sl(BySets, SentenceMethod):
    """Method on windows of sentence lengths: the windows that two texts share."""

    threshold: float | None = THRESHOLD(None, "lowest Jaccard of the windows at which two texts are duplicates.")
    containment: float | None = CONTAINMENT(
        None, "minimum share of a text's windows that must be in another text for the text to be contained in it."
    )
    n_terms: int = N_TERMS(2, fixed="the method counts only the words of a sentence, not which words")

    tokens: str = TOKENS(
        "auto",
        'terms of a text. "word": words, Chinese ones by a dictionary; "auto": Chinese characters, and words of '
        'other scripts; "char": characters; "code": identifiers and signs of source code.',
        choices=("word", "auto", "char", "code"),
    )
    stop_words: str = STOP_WORDS(
        "none", 'words that are not terms (see `quchong.features.stopwords`); "none" uses all words as terms.'
    )
    width: int = parameter(
        3,
        "n: number of sentences in a window. A text with fewer sentences is one window, however short it is.",
        least=1,
        most=63,
    )
    min_sentences: int = parameter(
        4,
        "texts with fewer sentences than this are not compared. A text of up to 3 sentences has only one "
        "window, and many texts have the same one. With a minimum of 4 sentences, no text was wrongly removed "
        "in our test news.",
        least=1,
    )

    name: ClassVar[str] = "sl"
    rule_name: ClassVar[str] = "sentence lengths"
    usual: ClassVar[float] = 0.5
    traits: ClassVar[Traits] = Traits(
        title="windows of sentence lengths, not words",
        paper="Wang 2009 (SL)",
        finds=(EXACT, DUPLICATE, CONTAINED_IN, PARTIAL),
        cost=(
            "time grows linearly with the text length. The number of pairs grows with the sum of the squared "
            "posting-list lengths, but each document is compared with at most 1,000 earlier ones"
        ),
        lossless=True,
        evidence="features",
        decided_by=OVERLAP_DECIDED,
    )

    def sets_of(self, documents: Documents, workers: int | None = None) -> FeatureSets:
        """Return the windows of each text; none for a text with too few sentences."""
        s = self.sentences(documents, workers)
        windows = kernels.features.ragged_shingles(Ragged(s.length, s.offsets), self.width, workers)
        return at_least(kernels.sets.feature_sets(*windows, workers=workers), s.counts, self.min_sentences)

    def join_limits(self) -> JoinLimits:
        """Return the limits of the join: the least share of the text with fewer windows."""
        return JoinLimits(self.cap, 1, self.floor, self.most)

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return the Jaccard of the windows, the share of each text's windows found in the other, and their numbers."""
        return set_coverage(self.sets_of(documents, workers), left, right, jaccard=True, workers=workers)

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return sentences with their lengths, and the windows of successive lengths."""
        s = self.sentences(documents, workers)
        values, offsets = kernels.features.ragged_shingles(Ragged(s.length, s.offsets), self.width, workers)
        document = np.repeat(np.arange(len(documents)), np.diff(offsets))
        first = np.arange(len(values)) - offsets[document] + s.offsets[document]
        last = np.minimum(first + self.width, s.offsets[document + 1]) - 1
        places = np.stack([s.start[first], s.end[last]], 1).astype(np.int64).reshape(-1, 2)
        windows = Marks("windows", offsets, places, values, np.ones(len(values), bool))
        every = np.ones(len(s.start), bool)
        return (
            sentences_placed("lengths", s, s.length.astype(np.uint64), every, ""),
            windows.kept_by(self.sets_of(documents, workers), "few sentences"),
        )
