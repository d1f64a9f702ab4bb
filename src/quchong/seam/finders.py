"""Methods that find their candidates themselves; and those of them whose sets an engine can make, join and judge in parts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, runtime_checkable

import numpy as np

from quchong.kernels.arrays import FeatureSets
from quchong.seam.batches import Documents, Measures, Meetings
from quchong.seam.method import Method


@runtime_checkable
class Finder(Protocol):
    """A method that finds its candidates itself; without time windows. Local engine only, unless it is a `SetFinder`, too."""

    def fitted(self, documents: Documents, workers: int | None) -> Any:
        """The `Method` with statistics over the documents that exact classes leave, or itself; part of the config hash."""
        ...

    def meet(self, documents: Documents, scope: np.ndarray | None, references: int, workers: int | None) -> Meetings:
        """Who meets whom. Documents come in order of who would be kept, the best first; the first `references` are not
        paired with each other; `scope` (uint64) gives each a number, and only equal ones meet.
        """
        ...

    def lacks(self, other: Method) -> str | None:
        """Why pairs found by this method cannot be decided again by `other`; None where they can."""
        ...


@runtime_checkable
class SetFinder(Protocol):
    """A `Finder` whose documents meet under equal values of one set each, by its `join` rule over sizes of these sets.

    An engine that never has all sets in one place makes them batch by batch, joins them itself and gives candidates to
    `judge`. Policy orders lists longer than the rule's cap.
    """

    @property
    def uncounted(self) -> str:
        """What `fitted` would still count on the corpus, in words; "" where nothing, or where a `NoiseFinder` has it counted."""
        ...

    def sets_of(self, documents: Documents, workers: int | None) -> FeatureSets:
        """The sets under which documents meet, the same in any batch; weights above 1 are those of multisets."""
        ...


@runtime_checkable
class NoiseFinder(SetFinder, Protocol):
    """A `SetFinder` that takes out of its sets what is too common to be compared: `sets_of` gives them before that. An engine
    may do it itself, and then gives the method the sets to judge by.
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
        """Noise, of all documents of some sites: values that are it everywhere, and keys that are on their site (uint64)."""
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

    def judge_sets(
        self, documents: Documents, sets: FeatureSets, size: np.ndarray, left: np.ndarray, right: np.ndarray,
        workers: int | None,
    ) -> Measures:  # fmt: skip
        """As `Method.judge`, with the sets and their sizes given."""
        ...


@runtime_checkable
class PrefixFinder(Protocol):
    """A `Finder` that joins sets exactly by their prefixes, in one order of values, rare ones first (前缀过滤). No list is cut.

    An engine that never has all sets in one place orders them by frequencies it counts itself, or by those the method was
    given; the order changes what the join costs, never its pairs.
    """

    def sets(self, documents: Documents, workers: int | None) -> FeatureSets:
        """The sets that are joined."""
        ...

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
