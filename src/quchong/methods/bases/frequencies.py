"""Document frequencies and idf bands for methods of papers.

Shared by methods, none of which imports another.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from quchong.errors import Param, UsageError
from quchong.features.feature_sets import document_frequency, frequencies, normalised_idf
from quchong.features.statistics import FeatureStatistics
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.sketch import WEIGHT_ONE
from quchong.text import NORMALISER_VERSION

Given = str | Path | FeatureStatistics | None
"""A file written by `quchong statistics` or `FeatureStatistics.save`, statistics, or None to count them."""


def counted_as(normalise: str, tokens: str = "auto", features: str = "") -> dict[str, str]:
    """Return the values in which statistics and the texts they serve must agree; for plain terms as `quchong statistics` writes them."""
    how = {"normalise": normalise, "tokens": tokens, "normaliser": NORMALISER_VERSION}
    return how | {"features": features} if features else how


def read(given: Given, how: Mapping[str, str], ngram: int = 1) -> FeatureStatistics | None:
    """Return the given statistics after checking them, or None if none are given.

    Raises:
        InputError: a file that cannot be read.
        UsageError: statistics of other features, or of texts prepared otherwise.
    """
    if given is None:
        return None
    known = given if isinstance(given, FeatureStatistics) else FeatureStatistics.load(given)
    if (known.ngram, dict(known.form)) != (ngram, dict(how)):
        raise UsageError(
            "the statistics count features of {} tokens in texts prepared as {}, but this method needs {} "
            "tokens in texts prepared as {}: make new statistics, or leave out {}",
            known.ngram,
            dict(known.form),
            ngram,
            dict(how),
            Param("statistics"),
        )
    return known


def count(sets: FeatureSets, how: Mapping[str, str], ngram: int = 1) -> FeatureStatistics:
    """Count the document frequencies of these sets; documents without features do not count."""
    features, counts, documents = frequencies(sets)
    return FeatureStatistics(documents, features, counts, ngram, dict(how))


def in_band(sets: FeatureSets, known: FeatureStatistics | None, low: float, high: float) -> FeatureSets:
    """Return the sets without features whose normalised idf is outside the band; an uncounted feature has document frequency 1.

    Without statistics (two texts compared on their own) there is no band, and nothing is removed.
    """
    if known is None or (low, high) == (0.0, 1.0):
        return sets
    idf = normalised_idf(document_frequency(sets.values, known.features, known.frequencies), known.documents)
    keep: np.ndarray = (idf >= low) & (idf <= high)
    return sets.select_values(keep)


def idf(statistics: FeatureStatistics | None, values: np.ndarray) -> np.ndarray:
    """Return 1 + ln((N + 1) / (df + 1)) of each term, float64; 1 without statistics."""
    if statistics is None or not len(values):
        return np.ones(len(values))
    df = document_frequency(values, statistics.features, statistics.frequencies, unknown=0)
    frequency, index = np.unique(df, return_inverse=True)
    weights = np.array([1 + statistics.weight(int(f)) / WEIGHT_ONE for f in frequency])
    out: np.ndarray = weights[index]
    return out
