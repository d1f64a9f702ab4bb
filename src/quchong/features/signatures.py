"""Signatures of sentences, which nearly equal sentences share (句子签名).

Source: Zhang 2010, step 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quchong import kernels
from quchong.errors import UsageError, check_choice
from quchong.features.feature_sets import document_frequency
from quchong.features.sentences import Sentences, Terms, sequence_hashes
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.hashing import mix64
from quchong.kernels.offsets import first_of_runs, positions_in_items

STRATEGIES = ("kth_in_sentence", "0_mod_p", "winnowing", "idf")
_MOST = np.uint64(2**64 - 1)

Known = tuple[np.ndarray, np.ndarray, int]
"""Terms (uint64, ascending), their document frequencies, and the number of documents."""


@dataclass(frozen=True, slots=True)
class Signatures:
    """Settings by which sentences are signed.

    Args:
        strategy: "kth_in_sentence": one signature, the terms at fixed places (the first `n_terms`); "0_mod_p": runs of `n_terms`
            terms whose hash is 0 mod `modulus`; "winnowing": the run of `n_terms` terms with the least hash of every `window` in
            a row; "idf": one signature, the `n_terms` terms of highest idf.
        n_terms: terms of a signature. A sentence that has fewer is signed with those it has.
        modulus, window: see `strategy`.
    """

    strategy: str = "kth_in_sentence"
    n_terms: int = 4
    modulus: int = 4
    window: int = 4

    def __post_init__(self) -> None:
        check_choice("signature", self.strategy, STRATEGIES, method=True)
        if min(self.n_terms, self.modulus, self.window) < 1:
            raise UsageError(
                "'n_terms', 'modulus' and 'window' must be at least 1, got {}, {}, {}",
                self.n_terms,
                self.modulus,
                self.window,
            )

    def sentence_signatures(
        self, sentences: Sentences, terms: Terms, known: Known | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return signatures (uint64) and the sentence of each (int64, ascending), none twice in a sentence.

        Args:
            known: document frequencies of terms; without them every term is as rare as another.
        """
        if self.strategy == "kth_in_sentence":
            return sequence_hashes(terms.value, terms.sentence, self.n_terms), np.arange(len(sentences.start))
        if self.strategy == "idf":
            return self._rarest(terms, known), np.arange(len(sentences.start))
        value, owner = self._runs(terms)
        if self.strategy == "0_mod_p":
            keep = value % np.uint64(self.modulus) == 0
            return _distinct(value[keep], owner[keep])
        return _distinct(*self._least(value, owner))

    def _rarest(self, terms: Terms, known: Known | None) -> np.ndarray:
        frequency = (
            np.ones(len(terms.value), np.int64) if known is None else document_frequency(terms.value, *known[:2])
        )
        order = np.lexsort((mix64(terms.value), frequency, terms.sentence))
        owner, value = terms.sentence[order], terms.value[order]
        new = first_of_runs(owner, value)
        owner, value = owner[new], value[new]  # a term counts once
        edges = np.flatnonzero(first_of_runs(owner))
        kept = np.arange(len(owner)) - edges[owner] < self.n_terms
        owner, value = owner[kept], value[kept]
        again = np.lexsort((value, owner))
        return sequence_hashes(value[again], owner[again])

    def _runs(self, terms: Terms) -> tuple[np.ndarray, np.ndarray]:
        """Return the hashes of all runs of n_terms terms within sentences, and the sentence of each; a shorter sentence is one run."""
        n = np.bincount(terms.sentence)
        starts = np.cumsum(n) - n
        place = np.arange(len(terms.value)) - np.repeat(starts, n)
        rest = np.repeat(n, n) - place
        head = np.flatnonzero((rest >= self.n_terms) | (place == 0))
        count = np.minimum(rest[head], self.n_terms)
        owner = np.repeat(np.arange(len(head)), count)
        within = positions_in_items(count)
        return sequence_hashes(terms.value[head[owner] + within], owner), terms.sentence[head]

    def _least(self, value: np.ndarray, owner: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the least of every `window` successive values of a sentence, of all if it has fewer, and its sentence."""
        n = np.bincount(owner)
        place = positions_in_items(n)
        rest = np.repeat(n, n) - place
        least = value.copy()
        for step in range(1, min(self.window, int(n.max(initial=0)))):
            later = np.append(value[step:], np.full(step, _MOST))
            least = np.where(rest > step, np.minimum(least, later), least)
        keep = (rest >= self.window) | (place == 0)
        return least[keep], owner[keep]


def term_sets(sentences: Sentences, terms: Terms, workers: int | None = None) -> FeatureSets:
    """Return the distinct terms of each text."""
    offsets = np.searchsorted(terms.sentence, sentences.offsets).astype(np.int64)
    return kernels.sets.feature_sets(terms.value, offsets, workers=workers)


def _distinct(value: np.ndarray, owner: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    order = np.lexsort((value, owner))
    value, owner = value[order], owner[order]
    new = first_of_runs(value, owner)
    return value[new], owner[new]
