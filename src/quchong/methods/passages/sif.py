"""sif: similar files by fingerprints of long substrings (近似指纹).

Source: Manber 1994 (sif).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quchong.errors import Param, UsageError
from quchong.features.feature_sets import at_least
from quchong.features.located_features import substrings_placed
from quchong.features.substrings import SubstringRule, anchor_tokens
from quchong.kernels.arrays import FeatureSets
from quchong.methods.bases.coverage import OVERLAP_DECIDED, OverlapMethod
from quchong.methods.bases.papers import BySets
from quchong.parameters import LEAST, MIN_FEATURES, THRESHOLD, parameter
from quchong.relations import CONTAINED_IN, DUPLICATE, EXACT, PARTIAL
from quchong.seam import Documents, JoinLimits, Sight, Traits
from quchong.similarity.coverage import set_coverage
from quchong.text import form

HAN, WORDS = 20, 50
ANCHORS = "的,在,了,和,是,有,tion,ther,with,ment,here,ould,ight,able"
"""Frequent strings: one begins at about every nineteenth character of Chinese news, at every 78th of English web texts."""


@dataclass(frozen=True, slots=True)
class Sif(BySets, OverlapMethod):
    """Method on fingerprints of long substrings: the share of each document's fingerprints found in the other.

    A fingerprint is the hash of a substring of letters and digits. A text shorter than the substring has none and is not compared.
    """

    threshold: float | None = THRESHOLD(
        None, "lowest value that both shares must reach for two texts to be duplicates."
    )
    least: float | None = LEAST(
        None, "lowest share of a document at which a pair is listed; a quarter is already significant (Manber)."
    )

    length: int | None = parameter(
        None,
        "length of a substring in characters; the default is 20 in Chinese texts (at least half Han), 50 in others.",
        least=1,
        most=63,
    )
    select: str = parameter(
        "mod",
        'choice of substrings. "mod": substrings whose hash ends in `bits` zero bits. "anchors": '
        "substrings that begin with an anchor.",
        choices=("mod", "anchors"),
    )
    bits: int = parameter(
        4,
        'number of zero bits for `select` "mod": one substring in 2 ** bits is used. The paper uses 8, for files '
        "that are longer than articles.",
        least=0,
        most=32,
    )
    anchors: str = parameter(
        ANCHORS, ('strings at which substrings begin, separated by commas; used only with `select` "anchors".')
    )
    min_features: int = MIN_FEATURES(3, "documents with fewer fingerprints than this are not compared.")

    name: ClassVar[str] = "sif"
    usual: ClassVar[float] = 0.8
    worth: ClassVar[float] = 0.25
    traits: ClassVar[Traits] = Traits(
        title=(
            "hashes of long substrings, either a sample or substrings that follow frequent strings; the "
            "measures are shares in both directions"
        ),
        paper="Manber 1994 (sif)",
        finds=(EXACT, DUPLICATE, CONTAINED_IN, PARTIAL),
        cost=(
            "time grows linearly with the text length. The number of pairs grows with the sum of the squared "
            "posting-list lengths, but each document is compared with at most 1,000 earlier ones"
        ),
        lossless=True,
        evidence="features",
        decided_by=OVERLAP_DECIDED,
    )

    def check(self) -> None:
        """Raise UsageError for unusable parameters."""
        OverlapMethod.check(self)
        if self.select == "anchors" and not anchor_tokens(form(self.normalise, "char"), self.anchors):
            raise UsageError(
                "{} contains {!r}, which is not a string: separate strings by commas", Param("anchors"), self.anchors
            )

    def sets_of(self, documents: Documents, workers: int | None = None) -> FeatureSets:
        """Return the distinct fingerprints of each document; none for a document with too few."""
        kept = SubstringRule(
            self.length or HAN, self.length or WORDS, self.bits, self.anchors if self.select == "anchors" else None
        )
        sets = kept.sets(form(self.normalise, "char"), documents.texts, workers)
        return at_least(sets, sets.lengths, self.min_features)

    def join_limits(self) -> JoinLimits:
        """Return the limits of the join: the least share of the document with fewer fingerprints."""
        return JoinLimits(self.cap, 1, self.floor, self.most)

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return both shares, and the lesser one."""
        return set_coverage(self.sets_of(documents, workers), left, right, workers=workers)

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return every substring as a mark; selected ones count."""
        marks = substrings_placed(
            form(self.normalise, "char"), documents, self.length or HAN, self.length or WORDS, workers=workers
        )
        return (marks.kept_by(self.sets_of(documents, workers)),)
