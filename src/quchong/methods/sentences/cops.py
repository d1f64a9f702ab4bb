"""COPS: the share of a text's chunks that another contains (抄袭检测, 分块匹配).

Source: Brin 1995 (COPS).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quchong import kernels
from quchong.features.chunks import Chunks
from quchong.features.sentences import Sentences, SentenceTerms
from quchong.kernels.arrays import FeatureSets
from quchong.methods.bases.coverage import OVERLAP_DECIDED, OverlapMethod
from quchong.methods.bases.papers import BySets
from quchong.methods.bases.sentences import run_ends, spans
from quchong.parameters import CAP, CONTAINMENT, LEAST, THRESHOLD, parameter
from quchong.relations import CONTAINED_IN, DUPLICATE, EXACT, PARTIAL
from quchong.seam import Documents, JoinLimits, Marks, Sight, Spans, Traits
from quchong.similarity.coverage import set_coverage


@dataclass(frozen=True, slots=True)
class Cops(BySets, OverlapMethod):
    """Method on chunks of sentences: the share of each text's chunks that the other contains."""

    threshold: float | None = THRESHOLD(
        None, ("lowest Jaccard of the chunks at which two texts are duplicates; each occurrence of a chunk is counted.")
    )
    containment: float | None = CONTAINMENT(
        None, "minimum share of a text's chunks that another must have to contain it (COPS: subset)."
    )
    least: float | None = LEAST(
        None, ("lowest share of a document's chunks at which a pair is listed (COPS: overlap).")
    )
    cap: int = CAP(
        10000,
        ("maximum number of documents with the same chunk that are compared with others; the policy chooses which."),
    )

    chunks: str = parameter(
        "A",
        'chunks of a text. "A": one sentence. "B": k sentences. "C": k sentences, beginning at each '
        'sentence. "D": all sentences up to a sentence whose hash is 0 mod k.',
        choices=("A", "B", "C", "D"),
    )
    k: int = parameter(3, "k. In B and C, the number of sentences in a chunk; in D, the divisor of the hash.", least=1)

    name: ClassVar[str] = "cops"
    rule_name: ClassVar[str] = "chunks"
    usual: ClassVar[float] = 0.5
    worth: ClassVar[float] = 0.3
    traits: ClassVar[Traits] = Traits(
        title="chunks of sentences; share of chunks found in the other text",
        paper="Brin 1995 (COPS)",
        finds=(EXACT, DUPLICATE, CONTAINED_IN, PARTIAL),
        cost=(
            "time grows linearly with the text length. The number of pairs grows with the sum of the squared "
            "posting-list lengths, but each document is compared with at most 1,000 earlier ones"
        ),
        lossless=True,
        evidence="features",
        decided_by=OVERLAP_DECIDED,
    )

    def _chunks(self, documents: Documents, workers: int | None) -> tuple[Sentences, Chunks]:
        sentences = SentenceTerms(self.form, stop_words="none").split_sentences(documents.texts, workers)
        return sentences, Chunks.from_units(sentences.whole, sentences.offsets, self.chunks, self.k)

    def join_limits(self) -> JoinLimits:
        """Return the limits of the join: the least share of the text with fewer chunks."""
        return JoinLimits(self.cap, 1, self.floor, self.most)

    def sets_of(self, documents: Documents, workers: int | None = None) -> FeatureSets:
        """Return the chunks of each text."""
        return self._chunks(documents, workers)[1].sets(workers)

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return the Jaccard of the chunks, the share of each text's chunks found in the other, and their numbers."""
        return set_coverage(self.sets_of(documents, workers), left, right, jaccard=True, workers=workers)

    def passages(self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None) -> Spans:
        """Return the matching chunks, merged if they follow each other on both sides. The k-th of equal chunks matches the k-th."""
        s, c = self._chunks(documents, workers)
        found = kernels.runs.value_matches(c.value, c.place, c.offsets, left, right, repeats=1, workers=workers)
        pair, first, last, _, _ = run_ends(found, kernels.runs.diagonal_runs(found, gap=0, workers=workers))
        places = []
        for side, at in ((left, found.left), (right, found.right)):
            base = c.offsets[side[pair]]
            head, tail = base + at[first], base + at[last]
            places += [s.start[c.first[head]], s.end[c.first[tail] + c.count[tail] - 1]]
        return spans(len(left), pair, np.stack(places, 1), True)

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return the chunks as marks, each from its first sentence to its last."""
        s, c = self._chunks(documents, workers)
        places = np.stack([s.start[c.first], s.end[c.first + c.count - 1]], 1).astype(np.int64).reshape(-1, 2)
        figures = {"sentences": c.count.astype(np.int64)}
        return (Marks("chunks", c.offsets, places, c.value, np.ones(len(c.value), bool), figures=figures, listed=True),)
