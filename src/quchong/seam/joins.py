"""How candidates are found, as data: an engine matches on the value, never on the method."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from quchong.kernels.arrays import FeatureSets
from quchong.seam.batches import Documents, Features, JoinLimits, Keys, Measures, Meetings

Meet = Callable[[Documents, np.ndarray | None, int, int | None], Meetings]
"""Documents (the best by policy first), a number each of which only equal ones meet (or None), how many of the first are not
paired with each other, workers; gives the candidates.
"""


@dataclass(frozen=True, slots=True)
class KeyJoin:
    """Documents with equal keys are candidates. The engine joins the keys; time windows are known to this join alone.

    Asked one document at a time: its keys alone are made (`keys` of the features of one text), each is looked up in the lists kept
    so far, and `limits` say of whom enough was found; then it goes to the end of its lists.

    Attributes:
        keys: the keys of a batch of features.
        limits: how many equal keys make a candidate.
    """

    keys: Callable[[Features], Keys]
    limits: JoinLimits

    @property
    def cap(self) -> int:
        """Documents of one value that meet."""
        return self.limits.cap


@dataclass(frozen=True, slots=True)
class SetJoin:
    """Documents whose feature sets share enough are candidates.

    An engine that never has all sets in one place makes them batch by batch and joins them itself. Policy orders lists longer
    than the cap.

    Asked one document at a time: as `KeyJoin`, with the values of its set for keys. What a method counts on a corpus (statistics,
    noise, the order of `prefixes`) has to be given then, for a document cannot wait for it.

    Attributes:
        sets: the sets of documents, the same in any batch; weights above 1 are those of multisets.
        limits: how many values in common make a candidate.
        noise: what is taken out of the sets before they are compared; None for nothing.
        prefixes: bounds by which the join is exact and no list is cut; None where lists of equal values are joined.
        meet: the same candidates where all documents are in one place, less those the method refuses at once; None where every
            pair of the join is scored.
    """

    sets: Callable[[Documents, int | None], FeatureSets]
    limits: JoinLimits
    noise: NoiseSteps | None = None
    prefixes: PrefixSteps | None = None
    meet: Meet | None = None

    @property
    def cap(self) -> int:
        """Documents of one value that meet."""
        return self.limits.cap


@dataclass(frozen=True, slots=True)
class HammingJoin:
    """Documents whose signatures differ in few bits are candidates.

    Asked one document at a time: its signature is looked up in the block tables (`quchong.index.HammingIndex`), or held to all.

    Attributes:
        sign: the signatures of documents (`quchong.kernels.sketch.Signatures`).
        bits, distance: of a signature, and how many of them may differ.
        cap: near documents a document is a candidate with, the best by policy first.
        all_pairs: all are compared with all, without tables and cap.
    """

    sign: Callable[[Documents, int | None], Any]
    bits: int
    distance: int
    cap: int
    all_pairs: bool


@dataclass(frozen=True, slots=True)
class Search:
    """The escape: the method searches by itself, on one machine. It cannot be asked one document at a time.

    Attributes:
        meet: who meets whom.
        cap: of the lists it looks through.
    """

    meet: Meet
    cap: int


Join = KeyJoin | SetJoin | HammingJoin | Search


class NoiseSteps(Protocol):
    """What is too common to be compared, and how it is found. An engine may take it out itself, and then gives the method the
    sets to score by.
    """

    @property
    def counted_by(self) -> str:
        """What noise is counted by: "site", "frequency" of a value, or "" where there is none, or is known already."""
        ...

    @property
    def noise(self) -> Any:
        """What is known of noise already; None for nothing."""
        ...

    def site_keys(self, sets: FeatureSets, documents: Documents) -> np.ndarray:
        """The key of each value on the site of its document, uint64."""
        ...

    def noise_of(self, sets: FeatureSets, documents: Documents, workers: int | None) -> tuple[np.ndarray, np.ndarray]:
        """NoiseSteps, of all documents of some sites: values that are it everywhere, and keys that are on their site (uint64)."""
        ...

    def noise_by_frequency(self, frequency: np.ndarray, documents: int) -> np.ndarray:
        """Mask of the values that are noise by how many of so many documents have them."""
        ...

    def pruned(self, digest: str) -> Any:
        """The method for sets from which noise was taken; `digest` (`quchong.features.periods.noise_digest`) tells which."""
        ...

    def weight(self, whole: np.ndarray, kept: np.ndarray) -> np.ndarray:
        """The size of each set that counts, of its values before and after noise was taken out; float64."""
        ...

    def score_sets(
        self, documents: Documents, sets: FeatureSets, size: np.ndarray, left: np.ndarray, right: np.ndarray,
        workers: int | None,
    ) -> Measures:  # fmt: skip
        """As `Method.score`, with the sets and their sizes given."""
        ...


class PrefixSteps(Protocol):
    """Sets joined exactly by their prefixes, in one order of values, rare ones first (前缀过滤). No list is cut.

    An engine that never has all sets in one place orders them by frequencies it counts itself, or by those the method was
    given; the order changes what the join costs, never its pairs.
    """

    def known_frequency(self, values: np.ndarray) -> np.ndarray | None:
        """In how many documents values (uint64) stand by the statistics given, int64; None where there are none."""
        ...

    def order_digest(self, documents: int, pieces: Iterable[np.ndarray]) -> str:
        """The digest of an order counted elsewhere: values that two of so many documents have or more (uint64, ascending), then
        in how many each stands (uint32), in pieces one after another.
        """
        ...

    def ordered(self, digest: str) -> Any:
        """The method for prefixes made in that order."""
        ...

    def prefixes(self, sets: FeatureSets, frequency: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The prefix of each set, rarest first: values (uint64) and offsets (int64); none of a set that takes no part."""
        ...

    def may_reach(
        self, left_size: np.ndarray, left_position: np.ndarray, right_size: np.ndarray, right_position: np.ndarray
    ) -> np.ndarray:
        """Mask of the pairs that can be alike by their sizes and the places, from 1, of the first value both prefixes have."""
        ...

    def screened(self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None) -> np.ndarray:
        """Mask of the pairs whose sets reach the threshold, by all filters and the exact count."""
        ...
