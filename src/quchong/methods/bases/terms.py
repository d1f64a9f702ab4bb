"""Terms and their document frequencies, for methods that weigh words.

There is no segmenter of words among the dependencies: a term is two neighbouring Han characters, or a Latin word
(docs/decisions/0027).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from quchong import kernels
from quchong.errors import UsageError
from quchong.features.feature_sets import frequencies, places
from quchong.features.statistics import FeatureStatistics
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.sketch import WEIGHT_ONE, FeatureWeights
from quchong.kernels.tree import Outline
from quchong.seam import Documents
from quchong.text import NORMALISER_VERSION, form


def term_form(normalise: str) -> dict[str, str]:
    """Return the settings by which terms are made, by name; statistics fit texts only if these are equal."""
    return {"normalise": normalise, "terms": "han pairs and words", "normaliser": NORMALISER_VERSION}


def known_terms(statistics: str | Path | FeatureStatistics, normalise: str) -> FeatureStatistics:
    """Return statistics of terms, given or read from the file of that path, after a check that they were counted as this method needs.

    Raises:
        UsageError: counted on texts prepared otherwise, or on something else than terms.
    """
    found = statistics if isinstance(statistics, FeatureStatistics) else FeatureStatistics.load(statistics)
    if dict(found.form) != term_form(normalise):
        raise UsageError(
            "the statistics were counted on texts prepared as {}, but this method needs texts prepared as {}: "
            "make new statistics",
            dict(found.form),
            term_form(normalise),
        )
    return found


def outlines(
    documents: Documents, normalise: str, workers: int | None, *, cuts: int = 0
) -> Iterator[tuple[np.ndarray, Outline]]:
    """Yield, batch by batch, the row numbers of documents and their structure trees (`outline_of`)."""
    for index in places(documents.texts):
        yield index, outline_of(documents.take(index), normalise, workers, cuts=cuts)


def outline_of(documents: Documents, normalise: str, workers: int | None, *, cuts: int = 0) -> Outline:
    """Return the structure trees of documents: the title is the root, headings and paragraphs (column `blocks`) are nodes.

    Args:
        documents: texts with the columns `blocks` (one character a line: "1" to "6" a heading, "b" bold, else a paragraph) and `title`.
        cuts: marks that end a sentence in addition to full stops and the like, as bits of `quchong.kernels.tree.MARKS`; 0 for none.
    """
    return kernels.tree.outline(
        form(normalise), documents.texts, documents.column("blocks"), documents.column("title"), cuts=cuts, workers=workers
    )  # fmt: skip


def concat_ragged(parts: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Concatenate batches of ragged arrays, each a pair of values and offsets, into one such pair."""
    lengths = [np.diff(offsets) for _, offsets in parts]
    return (
        np.concatenate([np.zeros(0, np.uint64), *(values for values, _ in parts)]),
        prefix_sums(np.concatenate([np.zeros(0, np.int64), *lengths])),
    )


class TermCount:
    """Counter of the document frequencies of terms, fed batch by batch."""

    def __init__(self, normalise: str) -> None:
        self._form = term_form(normalise)
        self._parts: list[FeatureStatistics] = []

    def add(self, outline: Outline, workers: int | None = None) -> None:
        """Count the terms of a batch of documents; a document without terms does not count."""
        sets = kernels.sets.feature_sets(*outline.terms(title=True), workers=workers)
        values, counts, documents = frequencies(sets)
        self._parts.append(FeatureStatistics(documents, values, counts, 2, self._form))
        while len(self._parts) > 1 and 2 * len(self._parts[-1].features) > len(self._parts[-2].features):
            self._parts[-2:] = [self._parts[-2].merge(self._parts[-1])]

    def total(self) -> FeatureStatistics:
        """Return the statistics of all batches."""
        out = FeatureStatistics(0, np.zeros(0, np.uint64), np.zeros(0, np.uint32), 2, self._form)
        for part in reversed(self._parts):
            out = part.merge(out)
        return out


def count_terms(documents: Documents, normalise: str, workers: int | None = None) -> FeatureStatistics:
    """Count the document frequencies of terms of these documents, titles included."""
    count = TermCount(normalise)
    for _, outline in outlines(documents, normalise, workers):
        count.add(outline, workers)
    return count.total()


def idf_table(statistics: FeatureStatistics | None) -> FeatureWeights:
    """Return the idf weights of terms by hash, 1 + ln((N + 1) / (df + 1)) in units of 1/65536; all 1 without statistics.

    Never 0: in a small corpus of copies the terms they have in common must count too.
    """
    if statistics is None:
        return kernels.sketch.feature_weights(np.zeros(0, np.uint64), np.zeros(0, np.uint32), WEIGHT_ONE)
    known = statistics.__dict__.get("_idf")
    if known is None:
        frequency, index = np.unique(statistics.frequencies, return_inverse=True)
        weights = np.array([WEIGHT_ONE + statistics.weight(f) for f in frequency.tolist()], np.uint32)
        known = kernels.sketch.feature_weights(statistics.features, weights[index], WEIGHT_ONE + statistics.weight(0))
        statistics.__dict__["_idf"] = known
    out: FeatureWeights = known
    return out
