"""What every method is, and what some know beside: where two documents agree, and a first stage of exact repeats."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np

from quchong.kernels.arrays import AnyTexts
from quchong.seam.batches import Documents, Features, JoinRule, Keys, Measures, Spans, Traits


@runtime_checkable
class Method(Protocol):
    """One paper or family: a frozen dataclass whose fields are its parameters."""

    name: str
    traits: Traits

    @property
    def form(self) -> Any:
        """How texts become tokens (`quchong.kernels.text.Form`)."""
        ...

    @property
    def thresholds(self) -> Any:
        """What pairs are held to (`quchong.similarity.Thresholds`)."""
        ...

    @property
    def complete_from(self) -> float:
        """Least Jaccard from which on its candidates are meant to be complete: pairs below cannot be decided again."""
        ...

    def features(self, texts: AnyTexts, workers: int | None) -> Features:
        """What a batch of prepared texts is known by."""
        ...

    def keys(self, features: Features) -> Keys:
        """Who meets whom."""
        ...

    def join(self) -> JoinRule:
        """How many keys in common make a candidate."""
        ...

    def judge(self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None) -> Measures:
        """What candidates have in common; left and right index `documents`. Jaccard and both containments are exact
        counts, never a sketch; `evidence` is what a paper's own rule looks at.
        """
        ...

    def listed(self, measures: Measures) -> np.ndarray:
        """Mask of the candidates at or above the floor: the others are not pairs."""
        ...

    def decide(self, measures: Measures) -> tuple[np.ndarray, np.ndarray]:
        """Relation of left to right and the rule that named it, as arrays of str."""
        ...

    def threshold_used(self, measures: Measures, rule: np.ndarray) -> np.ndarray:
        """The threshold each pair was held to, for the ledger; 1 for exact copies."""
        ...

    def settings(self) -> dict[str, Any]:
        """All parameters, as JSON; part of the config hash."""
        ...


@runtime_checkable
class PassageFinder(Protocol):
    """A method that knows where two documents agree. For others passages are computed on demand."""

    def passages(self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None) -> Spans:
        """The passages its rule counted, of pairs as indices into `documents`."""
        ...


@runtime_checkable
class FirstSeen(Protocol):
    """A stream filter of exact repeats: Bloom filter, digit trie, digest set (`quchong.sketches`).

    It answers in order and takes in what is new; answers do not depend on how the stream is cut into batches. A text
    that was there is always found; `expected_wrongly_removed` states how many new ones are to be expected among those
    found, and is next to nothing where the filter is exact or confirmed.
    """

    @property
    def form(self) -> Any:
        """The form in which texts are compared (`quchong.kernels.elements.Element`)."""
        ...

    @property
    def tested(self) -> int:
        """Texts asked about."""
        ...

    @property
    def found(self) -> int:
        """Texts said to have been there before."""
        ...

    @property
    def count(self) -> int:
        """Texts taken in."""
        ...

    @property
    def memory_bytes(self) -> int:
        """Memory of the contents."""
        ...

    @property
    def expected_wrongly_removed(self) -> float:
        """New texts to be expected among those found."""
        ...

    def seen(self, texts: Any, workers: int | None = None) -> np.ndarray:
        """Mask (bool) of the texts that were there before, earlier in the batch included."""
        ...

    def settings(self) -> dict[str, Any]:
        """All parameters, as JSON."""
        ...


@runtime_checkable
class Staged(Protocol):
    """A method whose texts pass a stream filter of exact repeats before anything else, in the order of the input.

    Local engine only. A text the filter calls seen though nothing equal came before goes without a survivor.
    """

    @property
    def unconfirmed(self) -> str | None:
        """The ledger's rule for such a text; None where there can be none: no filter, or every hit confirmed."""
        ...

    def first_stage(self) -> FirstSeen | None:
        """A new, empty filter; None for none."""
        ...
