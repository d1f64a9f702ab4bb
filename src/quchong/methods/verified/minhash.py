"""MinHash with bands; every candidate is verified by exact counts.

Source: Broder 1997a (k-mins); Li 2012; Shrivastava 2017 (one permutation, optimal densification);
Indyk 1998 (bands).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quchong.candidates import Bands, choose_bands
from quchong.errors import Param, UsageError
from quchong.features import equal_keys
from quchong.features.located_features import shingles_placed
from quchong.features.minhash import MinHash
from quchong.kernels.arrays import AnyTexts
from quchong.kernels.text import Form
from quchong.methods.bases.bands import band_features
from quchong.methods.bases.method_defaults import MethodDefaults
from quchong.methods.bases.rules import JaccardRule
from quchong.parameters import BANDS, CAP, MOST, NGRAM_SIZE, NORMALISE, ROWS, SEED, THRESHOLD, TOKENS, parameter
from quchong.relations import DUPLICATE, EXACT, PARTIAL
from quchong.seam import Documents, Features, Gate, Join, JoinLimits, KeyJoin, Keys, Measures, Sight, Signature, Traits
from quchong.similarity import measure, widths_of
from quchong.similarity.gates import floor_gates, reaching
from quchong.text import form

_MOST_VALUES = 4096
"""Most values of a signature."""


@dataclass(frozen=True, slots=True)
class MinHashBands(MethodDefaults):
    """Method on the Jaccard alone, with a stated recall at the threshold."""

    threshold: float = THRESHOLD(0.7, "lowest exact Jaccard at which a pair is a duplicate.")
    recall: float = parameter(
        0.99,
        "probability that a pair exactly at the threshold becomes a candidate; the number of bands follows from it.",
        above=0,
        below=1,
    )
    num_perm: int = parameter(128, "number of values in a signature.", least=8, most=_MOST_VALUES)
    sketch: str = parameter(
        "one-permutation", "rule by which a signature is computed.", choices=("one-permutation", "k-mins")
    )
    bands: int | None = BANDS(
        None,
        (
            "number of bands; give it together with `rows`. By default quchong chooses both. Other tools call "
            "bands buckets."
        ),
    )
    rows: int | None = ROWS(
        None, "number of values in a band; give it together with `bands`. Other tools call it hashes per bucket."
    )
    ngram_size: int = NGRAM_SIZE(5)
    normalise: str = NORMALISE("standard")
    tokens: str = TOKENS("auto")
    seed: int = SEED(1)
    cap: int = CAP(64, "maximum number of documents compared under one band key, the first in id order.")
    most: int = MOST(
        128,
        "maximum number of earlier documents with which a document is compared: one half are the first in the "
        "order of ids, the other half share the most keys with the document. 0 means all.",
    )

    name: ClassVar[str] = "minhash"
    traits: ClassVar[Traits] = Traits(
        title="MinHash signatures in bands, every candidate verified",
        paper="Broder 1997a; Shrivastava 2017; Indyk 1998",
        finds=(EXACT, DUPLICATE, PARTIAL),
        cost=(
            "time grows linearly with the text length. A document has 20 to 40 keys. In a family of near-copies, "
            "the number of pairs grows quadratically until each document has 128 partners, then linearly"
        ),
        lossless=False,
        evidence="text",
        features_by=("threshold",),  # which chooses the bands
    )

    def check(self) -> None:
        """Raise UsageError for unusable parameters."""
        if (self.bands is None) != (self.rows is None):
            raise UsageError("give {} and {} together, or neither", Param("bands"), Param("rows"))
        if self.bands is not None and self.rows is not None and self.bands * self.rows > self.num_perm:
            raise self._too_many_rows(self.bands, self.rows)
        self.banding  # noqa: B018 - raises where no bands reach the recall

    def _too_many_rows(self, bands: int, rows: int) -> UsageError:
        """Return the error about bands that need more values than a signature has."""
        needed, told = bands * rows, (Param("bands", bands), Param("rows", rows), bands * rows)
        if needed > _MOST_VALUES:
            return UsageError("{} × {} = {:,}, but a signature can have at most {:,} values: give fewer bands or rows",
                              *told, _MOST_VALUES)  # fmt: skip
        return UsageError("{} × {} = {}, which is more than {}: give {} or more, or fewer bands or rows",
                          *told, Param("num_perm", self.num_perm), Param("num_perm", needed))  # fmt: skip

    @property
    def sketcher(self) -> MinHash:
        """Settings of the MinHash signature."""
        return MinHash(self.num_perm, self.sketch, self.ngram_size, self.seed)  # type: ignore[arg-type]

    @property
    def banding(self) -> Bands:
        """Bands of the signature, chosen or given."""
        if self.bands is not None and self.rows is not None:
            return Bands(self.bands, self.rows)
        return choose_bands(self.num_perm, self.threshold, self.recall)

    @property
    def form(self) -> Form:
        """Form in which texts become tokens."""
        return form(self.normalise, self.tokens)

    @property
    def rule(self) -> JaccardRule:
        """Rule on the Jaccard alone; candidates are complete from the threshold on, for which the bands are chosen."""
        return JaccardRule.from_threshold(self.threshold, widths_of(self.ngram_size))

    def represent(self, texts: AnyTexts, workers: int | None = None, keep: bool = False) -> Features:
        """Return digest, lengths and band keys of a batch of texts."""
        return band_features(self.banding, self.sketcher, self.form, texts, workers, keep)

    def keys(self, features: Features) -> Keys:
        """Return band keys; every document has the same weight."""
        return equal_keys(features)

    @property
    def candidates(self) -> Join:
        """Join of the keys: one common band."""
        return KeyJoin(self.keys, JoinLimits(self.cap, most=self.most))

    def score(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return exact Jaccard and containments."""
        return measure(self.form, documents, left, right, self.rule.test, self.ngram_size, workers)

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return shingles, and the values of the signature in their bands."""
        docs = documents.hashed(self.form, workers)  # signatures cross batches
        signed = self.sketcher.sign(docs, workers).astype(np.uint64)
        return (
            shingles_placed("shingles", self.form, documents, self.ngram_size, workers),
            Signature("minhash", signed, docs.lengths > 0, band=self.banding.rows),
        )

    def gates(self, documents: Documents, measures: Measures, workers: int | None = None) -> tuple[Gate, ...]:
        """Return the gates of the floor, then of the Jaccard alone."""
        return (*floor_gates(measures, self.rule.test), reaching("jaccard", "jaccard", measures, self.threshold))
