"""CHECK: documents as trees of sections, keywords compared from the top down, then sentences (结构特征).

Source: Si 1997 (CHECK).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quchong import kernels
from quchong.candidates.set_join import met_by
from quchong.features.sections import Matched, Sections, compare_sections
from quchong.features.sentences import SentenceTerms
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.offsets import prefix_sums
from quchong.methods.bases.coverage import OVERLAP_DECIDED, OverlapMethod
from quchong.methods.bases.ordered_words import WORDS, word_terms
from quchong.methods.bases.papers import BySets
from quchong.methods.bases.sentences import slices, spans
from quchong.methods.bases.terms import outline_of
from quchong.parameters import CONTAINMENT, LEAST, MIN_FEATURES, STOP_WORDS, THRESHOLD, parameter
from quchong.relations import CONTAINED_IN, DUPLICATE, EXACT, PARTIAL
from quchong.seam import Documents, Join, JoinLimits, Meetings, SetJoin, Spans, Traits
from quchong.similarity.coverage import lesser, share
from quchong.text import form


@dataclass(frozen=True, slots=True)
class Check(BySets, OverlapMethod):
    """Method on section trees: the share of words in common sentences, compared only below similar sections.

    Texts on different subjects are separated by their keywords alone: none of their sentences is compared.
    """

    threshold: float | None = THRESHOLD(
        None, "lowest mutual coverage (the smaller of both shares) at which two texts are duplicates."
    )
    containment: float | None = CONTAINMENT(
        None,
        "lowest share of a document's words in common sentences at which it is contained in the other; if both "
        "documents reach it, they are duplicates.",
    )
    least: float | None = LEAST(None, "lowest share of a document's words at which a pair is listed as partial.")

    keywords: int = parameter(20, "number of most frequent words that represent a section.", least=1, most=10_000)
    root: float = parameter(
        0.3, "the comparison of two documents ends below this cosine of their keywords.", above=0, most=1
    )
    inner: float = parameter(
        0.5,
        "nothing inside two sections or paragraphs is compared below this cosine of their keywords.",
        above=0,
        most=1,
    )
    skip_root: bool = parameter(
        False,
        "True to compare documents whatever their keywords are, to find a copied section in a document on "
        "another subject.",
    )
    share: float = parameter(
        0.8,
        "lowest value of words in common / the larger number of words at which two sentences are the same.",
        above=0,
        most=1,
    )
    min_words: int = parameter(4, "sentences with fewer distinct words than this are not compared.", least=1)
    min_features: int = MIN_FEATURES(4, "documents with fewer distinct words than this are not compared.")
    tokens: str = WORDS("word")
    stop_words: str = STOP_WORDS(
        "standard", 'words that are left out (see `quchong.features.stopwords`); "none" leaves out no word.'
    )

    name: ClassVar[str] = "check"
    usual: ClassVar[float] = 0.6
    inside: ClassVar[float] = 0.8
    worth: ClassVar[float] = 0.1
    traits: ClassVar[Traits] = Traits(
        title="trees of sections; keywords are compared from the top down, then sentences",
        paper="Si 1997 (CHECK)",
        finds=(EXACT, DUPLICATE, CONTAINED_IN, PARTIAL),
        cost=(
            "time grows linearly with the text length. Candidate pairs are found with an index of document "
            "keywords. Each document is compared with at most 1,000 earlier ones. In the worst case, every "
            "section of one document is compared with every section of the other"
        ),
        lossless=True,
        evidence="features",
        decided_by=OVERLAP_DECIDED,
        needs=("title", "blocks"),
    )

    def check(self) -> None:
        """Raise UsageError for unusable parameters."""
        OverlapMethod.check(self)
        self.terms  # noqa: B018 - raises

    @property
    def terms(self) -> SentenceTerms:
        """Settings by which texts become sentences of words."""
        return word_terms(self.normalise, self.tokens, self.stop_words)

    def sections(self, documents: Documents, workers: int | None = None) -> Sections:
        """Return the section trees of documents."""
        outline = outline_of(documents, self.normalise, workers)
        found = self.terms.sentences_and_terms(documents.texts, workers)
        return Sections.from_outline(documents.texts, outline, form(self.normalise), found, self.keywords, workers)

    @property
    def candidates(self) -> Join:
        """Join of keywords; on one machine pairs that the rule rejects are dropped at once."""
        return SetJoin(self.sets_of, self.join_limits(), meet=self.meet, statistics=self.statistics_used)

    def join_limits(self) -> JoinLimits:
        """Return the limits of the join: two documents are candidates if they share one keyword, without which their cosine is 0."""
        return JoinLimits(self.cap, most=self.most)

    def sets_of(self, documents: Documents, workers: int | None = None) -> FeatureSets:
        """Return the keywords of each document; with `skip_root` those of the sections directly below the root."""
        return self._indexed(self.sections(documents, workers), workers)

    def _indexed(self, s: Sections, workers: int | None) -> FeatureSets:
        top = np.zeros(len(s.keywords), bool)
        top[s.roots] = True
        if self.skip_root:
            below = np.diff(s.child_offsets)
            for_one = np.repeat(top, below)
            top[s.roots[below[s.roots] > 0]] = False
            top[s.children[for_one]] = True
        enough = s.distinct >= self.min_features
        keep = np.repeat(top & np.repeat(enough, np.diff(s.offsets)), s.keywords.lengths)
        kept = s.keywords.select_values(keep)
        return kernels.sets.feature_sets(kept.values, kept.offsets[s.offsets], workers=workers)

    def compared(self, s: Sections, left: np.ndarray, right: np.ndarray, workers: int | None = None) -> Matched:
        """Return the sentences that pairs share, and the number of comparisons."""
        return compare_sections(
            s, left, right, root=0.0 if self.skip_root else self.root, inner=self.inner, share=self.share, least=self.min_words,
            workers=workers,
        )  # fmt: skip

    def meet(
        self, documents: Documents, scope: np.ndarray | None, references: int, workers: int | None = None
    ) -> Meetings:
        """Find the pairs that share enough, among those with a common keyword."""
        s = self.sections(documents, workers)
        met = met_by(self._indexed(s, workers), self.join_limits(), scope, references, workers)
        kept = [np.zeros(0, bool)]
        kept += [
            self.rule.floor(self._measures(s, left, right, workers)) for left, right in slices(met.left, met.right)
        ]
        keep = np.concatenate(kept)
        return Meetings(met.left[keep], met.right[keep], met.bounded, met.unseen)

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return the share of each document's words in common sentences, the lesser one, and the words of both."""
        return self._measures(self.sections(documents, workers), left, right, workers)

    def _measures(self, s: Sections, left: np.ndarray, right: np.ndarray, workers: int | None) -> dict[str, np.ndarray]:
        left, right = left.astype(np.int64), right.astype(np.int64)
        found = self.compared(s, left, right, workers)
        length = s.sentences.length.astype(np.float64)
        total = prefix_sums(length)[s.sentences.offsets]
        size = np.where(s.distinct >= self.min_features, np.diff(total), 0.0)
        fit = (size[left] > 0) & (size[right] > 0)
        out = {}
        for side, at, of in (("left", found.left, left), ("right", found.right, right)):
            once = np.unique(np.stack([found.pair, at], 1), axis=0)
            words = np.bincount(once[:, 0], length[once[:, 1]], minlength=len(left))
            out[f"covered_{side}"] = share(np.where(fit, words, 0), size[of])
        return out | {"features_left": size[left], "features_right": size[right], "evidence": lesser(out)}

    def passages(self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None) -> Spans:
        """Return the common sentences, each of the left document with the first equal one of the right."""
        s = self.sections(documents, workers)
        found = self.compared(s, left.astype(np.int64), right.astype(np.int64), workers)
        first = np.unique(np.stack([found.pair, found.left], 1), axis=0, return_index=True)[1]
        pair, i, j = found.pair[first], found.left[first], found.right[first]
        t = s.sentences
        places = np.stack([t.start[i], t.end[i], t.start[j], t.end[j]], 1).astype(np.int64)
        return spans(len(left), pair, places, t.whole[i] == t.whole[j])
