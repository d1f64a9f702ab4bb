"""Document frequencies and idf bands for methods of papers.

Shared by methods, none of which imports another.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from quchong.errors import Param, UsageError
from quchong.features.sets import document_frequency, frequencies, normalised_idf
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.sketch import WEIGHT_ONE
from quchong.sketches import FeatureStatistics
from quchong.text import NORMALISER_VERSION

Given = str | Path | FeatureStatistics | None
"""A file of `quchong statistics` or of `FeatureStatistics.save`, statistics, or None to count them."""


def counted_as(normalise: str, tokens: str = "auto", features: str = "") -> dict[str, str]:
    """What statistics must agree in with the texts they serve. Of plain terms it is what `quchong statistics` writes."""
    how = {"normalise": normalise, "tokens": tokens, "normaliser": NORMALISER_VERSION}
    return how | {"features": features} if features else how


def read(given: Given, how: Mapping[str, str], ngram: int = 1) -> FeatureStatistics | None:
    """The statistics given, checked; None where none are.

    Raises:
        InputError: a file that cannot be read.
        UsageError: statistics of other features, or of texts prepared otherwise.
    """
    if given is None:
        return None
    known = given if isinstance(given, FeatureStatistics) else FeatureStatistics.load(given)
    if (known.ngram, dict(known.form)) != (ngram, dict(how)):
        raise UsageError(
            "the statistics count features of {} tokens on {}, this method needs {} on {}: fit others, or leave {} out",
            known.ngram,
            dict(known.form),
            ngram,
            dict(how),
            Param("statistics"),
        )
    return known


def count(sets: FeatureSets, how: Mapping[str, str], ngram: int = 1) -> FeatureStatistics:
    """The document frequencies of these sets; documents without a feature are not counted."""
    features, counts, documents = frequencies(sets)
    return FeatureStatistics(documents, features, counts, ngram, dict(how))


def in_band(sets: FeatureSets, known: FeatureStatistics | None, low: float, high: float) -> FeatureSets:
    """The sets without features whose normalised idf lies outside the band. A feature never counted stands in one document.

    Without statistics (two texts compared by themselves) there is no band: nothing is taken out.
    """
    if known is None or (low, high) == (0.0, 1.0):
        return sets
    idf = normalised_idf(document_frequency(sets.values, known.features, known.frequencies), known.documents)
    keep: np.ndarray = (idf >= low) & (idf <= high)
    return sets.where(keep)


def idf(statistics: FeatureStatistics | None, values: np.ndarray) -> np.ndarray:
    """1 + ln((N + 1) / (df + 1)) of each term, float64; 1 without statistics."""
    if statistics is None or not len(values):
        return np.ones(len(values))
    df = document_frequency(values, statistics.features, statistics.frequencies, unknown=0)
    frequency, index = np.unique(df, return_inverse=True)
    weights = np.array([1 + statistics.weight(int(f)) / WEIGHT_ONE for f in frequency])
    out: np.ndarray = weights[index]
    return out
