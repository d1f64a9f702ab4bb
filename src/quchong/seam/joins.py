"""Joins: how candidate pairs are found, as data. An engine matches on the join, never on the method."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from quchong.kernels.arrays import FeatureSets
from quchong.seam.batches import Documents, Features, JoinLimits, Keys, Measures, Meetings

Meet = Callable[[Documents, np.ndarray | None, int, int | None], Meetings]
"""Function that returns candidate pairs of documents.

Its arguments: the documents, the best by policy first; a number per document, where only documents with equal numbers
are paired (None pairs all); how many of the first documents are not paired with each other; workers.
"""


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts on a corpus that a join, and the measures of its pairs, depend on.

    Attributes:
        needed: description of what is still to be counted; "" if it is nothing, or if an engine can count it by the rule of the join.
        count: function that returns the method with statistics counted on documents, one per exact class; None if nothing is to be
            counted. Its arguments: documents, workers.
        frozen: statistics that were given or counted before; None if there are none.
        stream: counter of document frequencies for a stream of texts (`ShingleCount` of features.statistics); None if only `count`
            counts.
    """

    needed: str = ""
    count: Callable[[Documents, int | None], Any] | None = None
    frozen: Any = None
    stream: Any = None


@dataclass(frozen=True, slots=True)
class KeyJoin:
    """Join in which documents with equal keys are candidates. The engine joins the keys; only this join supports time windows.

    For a single document that arrives later, `keys` is applied to the features of its text, each key is looked up in
    the posting lists stored so far, `limits` select the candidates, and the document is appended to its lists.

    Attributes:
        keys: function that returns the keys of a batch of features.
        limits: how many equal keys make a candidate pair.
        statistics: counts on the corpus that the method depends on; None for none.
    """

    keys: Callable[[Features], Keys]
    limits: JoinLimits
    statistics: Statistics | None = None

    @property
    def cap(self) -> int:
        """Maximum number of documents of one key that are paired."""
        return self.limits.cap


@dataclass(frozen=True, slots=True)
class SetJoin:
    """Join in which documents whose feature sets share enough values are candidates.

    An engine that never has all sets in one place makes them batch by batch and joins them itself. In lists longer
    than the cap, the documents best by policy are paired.

    A single document that arrives later is joined as in `KeyJoin`, with the values of its set as keys. Counts on a
    corpus (statistics, noise, the order of `prefixes`) must be given beforehand, because the document cannot wait for
    them.

    Attributes:
        sets: function that returns the sets of documents, independent of their batch; weights above 1 are those of multisets.
        limits: how many values in common make a candidate pair.
        noise: steps that find and remove noise from the sets before they are compared; None for no removal.
        prefixes: bounds that make the join exact without cutting a list; None if lists of equal values are joined.
        meet: function that finds the same candidates if all documents are in one place, without pairs that the method rejects at once;
            None if every pair of the join is scored.
        statistics: counts on the corpus that the method depends on; None for none.
    """

    sets: Callable[[Documents, int | None], FeatureSets]
    limits: JoinLimits
    noise: NoiseSteps | None = None
    prefixes: PrefixSteps | None = None
    meet: Meet | None = None
    statistics: Statistics | None = None

    @property
    def cap(self) -> int:
        """Maximum number of documents of one value that are paired."""
        return self.limits.cap


@dataclass(frozen=True, slots=True)
class HammingJoin:
    """Join in which documents whose signatures differ in few bits are candidates.

    The signature of a single document that arrives later is looked up in the block tables
    (`quchong.candidates.HammingIndex`), or compared with all signatures.

    Attributes:
        sign: function that returns the signatures of documents (`quchong.kernels.sketch.Signatures`).
        bits: length of a signature. distance: maximum number of bits that may differ.
        cap: maximum number of near documents paired with a document, the best by policy first.
        all_pairs: True to compare all documents with all others, without tables and cap.
        statistics: counts on the corpus that the method depends on; None for none.
    """

    sign: Callable[[Documents, int | None], Any]
    bits: int
    distance: int
    cap: int
    all_pairs: bool
    statistics: Statistics | None = None


@dataclass(frozen=True, slots=True)
class UnitedSets:
    """Join of several sets per document: two documents are candidates if any one of these sets is similar enough.

    Attributes:
        sets: function that returns the sets of documents, one value for each kind of set, independent of their batch.
        least: for each kind the least Dice coefficient, or overlap coefficient, of two sets.
        dice: for each kind True for the Dice coefficient.
        cap: maximum number of documents of one value that are paired, the first ones.
        most: maximum number of documents before it that a document is paired with, the first ones; 0 for no limit.
    """

    sets: Callable[[Documents, int | None], tuple[FeatureSets, ...]]
    least: tuple[float, ...]
    dice: tuple[bool, ...]
    cap: int
    most: int = 0


@dataclass(frozen=True, slots=True)
class Search:
    """Candidates found by the method's own code, on one machine.

    Attributes:
        meet: function that returns the candidate pairs.
        cap: maximum length of the lists it searches.
        statistics: counts on the corpus that the method depends on; None for none.
        arriving: sets by which a single document that arrives later finds at least the pairs of the search; None if it cannot be searched
            for.
    """

    meet: Meet
    cap: int
    statistics: Statistics | None = None
    arriving: UnitedSets | None = None


Join = KeyJoin | SetJoin | HammingJoin | Search


class NoiseSteps(Protocol):
    """Steps that find noise, values too common or too rare to show a copy, and remove it from feature sets before they are compared.

    An engine may remove noise itself, and then passes the remaining sets to `score_sets`.
    """

    @property
    def counted_by(self) -> str:
        """Counts that find noise: "site", "frequency" of a value, or "" if there is no noise or it is known already."""
        ...

    @property
    def noise(self) -> Any:
        """Noise known in advance; None if none is known."""
        ...

    def site_keys(self, sets: FeatureSets, documents: Documents) -> np.ndarray:
        """Return a key (uint64) for each value of a set together with the site of its document."""
        ...

    def noise_of(self, sets: FeatureSets, documents: Documents, workers: int | None) -> tuple[np.ndarray, np.ndarray]:
        """Return the values that are noise, everywhere and on single sites, given the sets of all documents of these sites.

        Returns two uint64 arrays: values that are noise on every site, and keys of `site_keys` that are noise on
        their site only.
        """
        ...

    def noise_by_frequency(self, frequency: np.ndarray, documents: int) -> np.ndarray:
        """Return a mask of the values that are noise because too many or too few of `documents` documents have them."""
        ...

    def pruned(self, digest: str) -> Any:
        """Return the method for sets from which the engine has removed the noise with this digest.

        `digest` identifies it (`quchong.features.periods.noise_digest`).
        """
        ...

    def weight(self, whole: np.ndarray, kept: np.ndarray) -> np.ndarray:
        """Return the size by which each set is scored (float64), from its sizes before and after noise was removed."""
        ...

    def score_sets(
        self, documents: Documents, sets: FeatureSets, size: np.ndarray, left: np.ndarray, right: np.ndarray,
        workers: int | None,
    ) -> Measures:  # fmt: skip
        """Return the measures of pairs as `Method.score` does, computed from sets and sizes that the engine gives."""
        ...


class PrefixSteps(Protocol):
    """Steps of an exact join of sets by their prefixes, in an order of values with rare ones first (前缀过滤). No list is cut.

    An engine that never has all sets in one place sorts values by frequencies that it counts itself, or that the method
    was given; the order changes what the join costs, never its pairs.
    """

    def known_frequency(self, values: np.ndarray) -> np.ndarray | None:
        """Return the document frequency of values (uint64) in the statistics given, int64; None without statistics."""
        ...

    def order_digest(self, documents: int, pieces: Iterable[np.ndarray]) -> str:
        """Return the digest of an order of values that an engine counted.

        `pieces` are arrays in sequence: the values that at least two of `documents` have (uint64, ascending), then
        the document frequency of each (uint32).
        """
        ...

    def ordered(self, digest: str) -> Any:
        """Return the method for prefixes in the order with this digest."""
        ...

    def prefixes(self, sets: FeatureSets, frequency: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the prefix of each set, rarest values first, as values (uint64) and offsets (int64).

        The prefix of a set that is too small is empty.
        """
        ...

    def may_reach(
        self, left_size: np.ndarray, left_position: np.ndarray, right_size: np.ndarray, right_position: np.ndarray
    ) -> np.ndarray:
        """Return a mask of the pairs whose sets can still reach the threshold, judged by the first value that both prefixes share.

        It follows from the sizes of both sets and the positions, from 1, of the first value that both prefixes share.
        """
        ...

    def screened(self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None) -> np.ndarray:
        """Return a mask of the pairs whose sets reach the threshold exactly, counted after cheaper filters."""
        ...
