"""A method in the form that the guide had before rules were values; names of `quchong.author` alone."""

from dataclasses import asdict, dataclass, replace
from typing import ClassVar

import numpy as np

from quchong.author import (
    JoinLimits,
    KeyJoin,
    MethodBase,
    Thresholds,
    Traits,
    above_floor,
    digests,
    equal_keys,
    form,
    kernels,
    measure,
    parameter,
)


@dataclass(frozen=True, slots=True)
class OpeningBefore(MethodBase):
    """Documents that begin alike, and whose Jaccard reaches the threshold."""

    width: int = parameter(20, "letters and digits at the beginning that must be equal.", least=1, most=63)
    threshold: float = parameter(0.6, "exact Jaccard from which a pair is a duplicate.", above=0, most=1)
    cap: int = parameter(64, "documents of one beginning that are compared.", least=1)

    name: ClassVar[str] = "opening-before"
    traits: ClassVar[Traits] = Traits(
        title="equal beginnings, then Jaccard",
        paper="none: an example",
        finds=("exact", "duplicate", "partial"),
        cost="linear; one key per document",
        lossless=False,  # copies that begin otherwise are not found
        evidence="text",
        engines=("local", "spark"),
    )

    @property
    def form(self):
        """How texts become tokens: in normal form, one token a character or word."""
        return form("standard", "auto")

    @property
    def thresholds(self):
        """What decides a pair."""
        return Thresholds().at(self.threshold)

    @property
    def complete_from(self):
        """A new run may ask for any threshold from this one up without a new search."""
        return self.threshold

    def features(self, texts, workers=None, keep=False):
        """Represent: the hash of the first `width` letters and digits; none for shorter texts. With `keep` the tokens too."""
        letters = kernels.text.tokenise(form("standard", "char"), texts, workers=workers).docs
        runs, offsets = kernels.features.ragged_shingles(letters, self.width, workers)
        long = letters.lengths >= self.width
        first = np.concatenate([[0], np.cumsum(long)]).astype(np.int64)
        return replace(digests(self.form, texts, workers, keep), offsets=first, values=runs[offsets[:-1][long]])

    @property
    def candidates(self):
        """Candidates: documents with one value in common meet."""
        return KeyJoin(equal_keys, JoinLimits(self.cap, most=128))

    def score(self, documents, left, right, workers=None):
        """Score: exact Jaccard and both containments of each pair."""
        return measure(self.form, documents, left, right, self.thresholds, workers=workers)

    def above_floor(self, measures):
        """The pairs worth listing."""
        return above_floor(dict(measures), self.thresholds)

    def decide(self, measures):
        """Decide: the relation of each pair, and the rule that named it."""
        reached = measures["jaccard"] >= self.threshold
        relation = np.where(reached, "duplicate", "partial").astype(object)
        return relation, np.where(reached, "jaccard", "below the threshold").astype(object)

    def threshold_used(self, measures, rule):
        """The threshold each pair was held to, for the ledger."""
        return np.where(rule == "equal normal form", 1.0, self.threshold)

    def settings(self):
        """All parameters; part of the config hash."""
        return asdict(self)
