"""KOALA: few substrings of a document are stored, more are searched for (选择性指纹, 稀有前缀).

Source: Heintze 1996 (KOALA).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from quchong import kernels
from quchong.candidates.set_join import capped_note
from quchong.errors import Param, UsageError
from quchong.features.feature_sets import at_least, batches, concatenate_sets, document_frequency
from quchong.features.located_features import substrings_placed
from quchong.features.statistics import FeatureStatistics
from quchong.features.substrings import Selection, drawn
from quchong.kernels.arrays import FeatureSets, Texts
from quchong.methods.bases import frequencies
from quchong.methods.bases.coverage import OVERLAP_DECIDED, OverlapMethod
from quchong.methods.bases.frequencies import Given
from quchong.methods.bases.method_defaults import corpus_statistics
from quchong.parameters import LEAST, MIN_FEATURES, STATISTICS, THRESHOLD, parameter
from quchong.relations import CONTAINED_IN, DUPLICATE, EXACT, PARTIAL
from quchong.seam import Documents, JoinLimits, Meetings, Sight, Statistics, Traits
from quchong.similarity.coverage import lesser, share
from quchong.text import form

HAN_ALPHA, WORD_ALPHA = 12, 20


@dataclass(frozen=True, slots=True)
class Koala(OverlapMethod):
    """Method on stored fingerprints: the share of one document's stored substrings found among those searched for the other.

    Both roles are used: stored substrings of the left document and searched ones of the right give the share of the left that the right
    contains, and vice versa. Texts of fewer characters than a substring have none and are not compared.
    """

    threshold: float | None = THRESHOLD(
        None,
        "lowest value that both shares must reach for two texts to be duplicates. The defaults of this value and of "
        "`containment` were measured (docs/decisions/0031): at 0.5, five of six pairs of texts from one template would "
        "be duplicates.",
    )
    least: float | None = LEAST(None, "lowest share of a document at which two documents are related.")

    stored: int = parameter(
        100,
        "maximum number of substrings of a document that are stored.",
        least=1,
        most=2**31 - 1,
    )
    searched: int = parameter(
        1000,
        "maximum number of substrings of a document that are used to search.",
        least=1,
        most=2**31 - 1,
    )
    select: str = parameter(
        "rare",
        'choice of substrings. "rare": substrings that begin with the rarest letters. "hash": substrings '
        'with the lowest hash. "random": any substrings, only for comparison, because they find nothing in '
        "long documents (as the paper shows).",
        choices=("rare", "hash", "random"),
    )
    alpha: int | None = parameter(
        None,
        "number of letters and digits of a substring. Default: 12 in Chinese texts (at least half Chinese "
        "characters), 20 in other texts, from which vowels are removed first.",
        least=1,
        most=63,
    )
    prefix: int = parameter(
        2, "in Chinese texts: number of first letters of a substring by which its rarity is measured.", least=1, most=63
    )
    word_prefix: int = parameter(
        5, "in other texts: number of first letters of a substring by which its rarity is measured.", least=1, most=63
    )
    coarse: int = parameter(
        3,
        "width of the rarity classes by which prefixes are sorted: prefixes of a class are in up to 2 ** "
        "coarse times as many documents as prefixes of the class before. Within a class, the smallest hash is "
        "first. 0 sorts by exact counts; prefixes of a single document then displace shared ones.",
        least=0,
        most=32,
    )
    min_features: int = MIN_FEATURES(4, "documents with fewer substrings than this are not compared.")
    statistics: Given = STATISTICS(
        None,
        "document frequencies of prefixes: a file written by `quchong statistics` or "
        "`FeatureStatistics.save`, or a FeatureStatistics object. None: they are counted on the texts "
        "compared.",
    )

    name: ClassVar[str] = "koala"
    usual: ClassVar[float] = 0.6
    inside: ClassVar[float] = 0.7
    traits: ClassVar[Traits] = Traits(
        title=(
            "substrings that begin with rare letters: few are stored, more are used to search; shares are "
            "compared in both directions"
        ),
        paper="Heintze 1996 (KOALA)",
        finds=(EXACT, DUPLICATE, CONTAINED_IN, PARTIAL),
        cost=(
            "time grows linearly with the text length. Each document is sorted once. The number of pairs grows "
            "with the sum of the squared posting-list lengths, but each document is compared with at most 1,000 "
            "earlier ones"
        ),
        lossless=True,
        evidence="features",
        decided_by=OVERLAP_DECIDED,
    )

    def check(self) -> None:
        """Raise UsageError for unusable parameters; read statistics given as a file."""
        OverlapMethod.check(self)
        if self.stored > self.searched:
            raise UsageError(
                "{} must be from 1 to the value of 'searched' ({}), got {}", Param("stored"), self.searched, self.stored
            )
        for alpha, prefix in (self.selection.han, self.selection.words):
            if prefix > alpha:
                raise UsageError(
                    "'prefix' and 'word_prefix' must be from 1 to the value of 'alpha', got {} and {}", prefix, alpha
                )
        object.__setattr__(self, "statistics", frequencies.read(self.statistics, self._counted_as, self.prefix))

    @property
    def selection(self) -> Selection:
        """Lengths of substrings and prefixes."""
        return Selection(
            (self.alpha or HAN_ALPHA, self.prefix), (self.alpha or WORD_ALPHA, self.word_prefix)
        )  # fmt: skip

    @property
    def _counted_as(self) -> dict[str, str]:
        what = f"prefixes of {self.selection.han} characters and {self.selection.words} consonants"
        return frequencies.counted_as(self.normalise, "char", what)

    def _sets(self, documents: Documents, workers: int | None) -> tuple[FeatureSets, FeatureSets]:
        """Return the substrings stored of each document, and those searched for it."""
        known = self.statistics if isinstance(self.statistics, FeatureStatistics) else None
        stored: list[FeatureSets] = []
        searched: list[FeatureSets] = []

        def key(values: np.ndarray, head: np.ndarray, offsets: np.ndarray, role: int) -> np.ndarray:
            if self.select == "random":
                return drawn(values, offsets, role)
            if self.select == "hash" or known is None:
                return np.zeros(len(values), np.uint64)
            frequency = document_frequency(head, known.features, known.frequencies)
            if self.coarse:
                frequency = (np.frexp(frequency)[1] - 1) // self.coarse
            return frequency.astype(np.uint64)

        def made(piece: Texts) -> None:
            values, head, offsets = self.selection.substrings(form(self.normalise, "char"), piece, workers)
            first = key(values, head, offsets, 1)
            more = kernels.features.least_by_key(values, key(values, head, offsets, 2) if self.select == "random" else first, offsets,
                                        self.searched, workers)  # fmt: skip
            few = kernels.features.least_by_key(values, first, offsets, self.stored, workers)
            for out, sets in ((stored, few), (searched, more)):
                out.append(at_least(sets, more.lengths, self.min_features))

        for piece in batches(documents.texts):
            made(piece)
        return concatenate_sets(stored), concatenate_sets(searched)

    @property
    def statistics_used(self) -> Statistics:
        """Statistics given, or to be counted: frequencies of prefixes, for select "rare"."""
        return corpus_statistics(
            self.statistics, "frequencies of prefixes" if self.select == "rare" else "", self.with_counts
        )

    def with_counts(self, documents: Documents, workers: int | None = None) -> Koala:
        """Return the method with the frequencies of prefixes in these texts."""
        sets = self.selection.prefixes(form(self.normalise, "char"), documents.texts, workers)
        return replace(self, statistics=frequencies.count(sets, self._counted_as, self.prefix))

    def meet(
        self, documents: Documents, scope: np.ndarray | None, references: int, workers: int | None = None
    ) -> Meetings:
        """Find the pairs in which enough stored substrings of one are among the searched ones of the other."""
        stored, searched = self._sets(documents, workers)
        n = len(stored)
        met = kernels.sets.meet_sets(
            concatenate_sets([stored, searched]), self.floor, cap=self.cap, references=n, most=self.most, workers=workers,
            scope=None if scope is None else np.concatenate([scope, scope]),
        )  # fmt: skip
        a, b = met.left, met.right - n
        across = (a < n) & (a != b) & (np.maximum(a, b) >= references)
        a, b = a[across], b[across]
        right, left = np.unique(np.stack([np.maximum(a, b), np.minimum(a, b)], axis=1), axis=0).T
        return Meetings(
            left,
            right,
            capped_note(met.capped, met.largest, self.cap) + JoinLimits(self.cap, most=self.most).notes(met.bounded),
            stored.lengths == 0,
        )

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return both shares, the lesser one, and the number of substrings stored of each document."""
        stored, searched = self._sets(documents, workers)
        both, n = concatenate_sets([stored, searched]), len(stored)
        there, _ = kernels.sets.shared_sets(both, left, right.astype(np.int64) + n, workers)
        back, _ = kernels.sets.shared_sets(both, right, left.astype(np.int64) + n, workers)
        a, b = (stored.lengths[side].astype(np.float64) for side in (left, right))
        out = {
            "covered_left": share(there, a),
            "covered_right": share(back, b),
            "features_left": a,
            "features_right": b,
        }
        return out | {"evidence": lesser(out)}

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return every substring as a mark; those stored count."""
        han, words = self.selection.han[0], self.selection.words[0]
        marks = substrings_placed(form(self.normalise, "char"), documents, han, words, vowels=False, workers=workers)
        return (marks.kept_by(self._sets(documents, workers)[0]),)
