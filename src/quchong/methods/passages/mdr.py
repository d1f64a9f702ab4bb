"""MDR: common passages of characters, by matching statistics (匹配统计量; 后缀树, 后缀自动机, 后缀数组).

Source: Monostori 2000 (MatchDetectReveal); Monostori 2002 (suffix vector); Chang 1994.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quchong import kernels
from quchong.features.located_features import runs_placed, tokens_placed
from quchong.features.passage_characters import spans_of, word_starts
from quchong.features.winnowed import lossless_widths, winnowed_sets
from quchong.kernels.arrays import AnyTexts, FeatureSets
from quchong.kernels.runs import SharedRuns
from quchong.kernels.text import Tokenised
from quchong.methods.bases.coverage import OVERLAP_DECIDED, OverlapMethod
from quchong.methods.bases.papers import BySets
from quchong.parameters import CAP, MOST, THRESHOLD, parameter
from quchong.relations import CONTAINED_IN, DUPLICATE, EXACT, PARTIAL
from quchong.seam import Documents, JoinLimits, Sight, Spans, Traits
from quchong.similarity.coverage import lesser, share
from quchong.text import form

LONGEST = 10_000


@dataclass(frozen=True, slots=True)
class Mdr(BySets, OverlapMethod):
    """Method on common passages (重叠片段): the share of each document's letters and digits that they cover.

    For every position of one document the longest match in the other is computed; matches of `min_length` characters and more cover it. A
    shorter document is not compared.
    """

    threshold: float | None = THRESHOLD(
        None, "lowest mutual coverage (the smaller of both shares) at which two texts are duplicates."
    )

    cap: int = CAP(
        256,
        "maximum number of documents with the same fingerprint that are compared with others; the policy "
        "chooses which. A passage that more documents have is boilerplate; copies also share other passages.",
    )
    most: int = MOST(128)
    min_length: int = parameter(60, "minimum number of letters and digits of a common run.", least=1, most=10_000)
    starts: str = parameter(
        "every",
        'positions at which a match may begin. "every": any letter. "word": the beginning of a word in both '
        "texts (the paper's variant); a Chinese character is a word.",
        choices=("every", "word"),
    )
    structure: str = parameter(
        "automaton",
        'suffix structure: "automaton", "array" (suffix array with LCP) or "vector" (the paper\'s suffix vector, '
        "which needs the least memory). All give the same results.",
        choices=kernels.runs.STRUCTURES,
    )

    name: ClassVar[str] = "mdr"
    usual: ClassVar[float] = 0.8
    traits: ClassVar[Traits] = Traits(
        title="common runs of characters, found with a suffix structure: coverage and exact passages",
        paper="Monostori 2000 (MDR)",
        finds=(EXACT, DUPLICATE, CONTAINED_IN, PARTIAL),
        cost=(
            "time per pair grows linearly with the lengths of both texts. Candidate pairs are found with "
            "winnowed fingerprints. Each document is compared with at most 128 earlier ones"
        ),
        lossless=True,
        evidence="features",
        decided_by=OVERLAP_DECIDED,
    )

    def join_limits(self) -> JoinLimits:
        """Return the limits of the join: one equal fingerprint, which all pairs have that share a passage of `min_length`."""
        return JoinLimits(self.cap, most=self.most)

    def sets_of(self, documents: Documents, workers: int | None = None) -> FeatureSets:
        """Return the fingerprints of each document, of which every run of min_length contains one."""
        how, widths = form(self.normalise, "char"), lossless_widths(self.min_length)
        return winnowed_sets(how, documents.texts, *widths, workers=workers)

    def _shared_runs(
        self, texts: AnyTexts, left: np.ndarray, right: np.ndarray, workers: int | None
    ) -> tuple[Tokenised, SharedRuns]:
        """Return the characters of texts with their offsets, and the passages that pairs share."""
        found = kernels.text.tokenise(form(self.normalise, "char"), texts, places=True, workers=workers)
        starts = None
        if self.starts == "word":
            starts = word_starts(found, kernels.text.tokenise(self.form, texts, places=True, workers=workers))
        return found, kernels.runs.shared_runs(
            found.docs, left, right, self.min_length, starts=starts, structure=self.structure, workers=workers
        )

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return by name the share of each document's characters in common passages, and the lesser of both shares.

        `features_left` and `features_right` are its characters, 0 for a document too short to be compared.
        """
        found, runs = self._shared_runs(documents.texts, left, right, workers)
        size = found.docs.lengths
        compared = np.where(size >= self.min_length, size, 0).astype(np.float64)
        out = {
            "covered_left": share(runs.covered_left, size[left]),
            "covered_right": share(runs.covered_right, size[right]),
            "features_left": compared[left],
            "features_right": compared[right],
        }
        return out | {"evidence": lesser(out)}

    def passages(self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None) -> Spans:
        """Return the common passages of each pair, each with its first position in the right document; they may overlap."""
        found, runs = self._shared_runs(documents.texts, left, right, workers)
        return spans_of(found, left, right, runs.offsets, runs.runs)

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return the fingerprints by which candidates are found; decisions use the passages around them."""
        how = form(self.normalise, "char")
        found = tokens_placed(how, documents, workers)
        ngram, window = lossless_widths(self.min_length)
        values, at, offsets = kernels.features.window_minima(found.docs, ngram, window, workers)
        return (runs_placed("fingerprints", found, values, offsets, at, ngram),)
