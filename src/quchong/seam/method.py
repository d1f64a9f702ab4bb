"""Protocol of a method: four pure steps, and its candidates as data."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol

import numpy as np

from quchong.kernels.arrays import AnyTexts
from quchong.seam.batches import Documents, Features, Measures, Spans, Traits
from quchong.seam.differences import Differences
from quchong.seam.joins import Join
from quchong.seam.sights import Gate, Sight


class Method(Protocol):
    """Method of one paper or family: a frozen dataclass whose fields are its parameters."""

    name: ClassVar[str]
    traits: ClassVar[Traits]

    @property
    def form(self) -> Any:
        """Form in which texts become tokens (`quchong.kernels.text.Form`)."""
        ...

    @property
    def thresholds(self) -> Any:
        """Thresholds that pairs must reach (`quchong.similarity.Thresholds`)."""
        ...

    @property
    def recall_widths(self) -> tuple[int, int] | None:
        """Shingle widths (default, Chinese texts of 200 tokens and more) at which candidate recall is measured.

        None if the join is exact.

        Recall is measured by comparing a sample of documents with all others.
        """
        ...

    @property
    def complete_from(self) -> float:
        """Least Jaccard from which candidates are meant to be complete; pairs below it cannot be decided again."""
        ...

    def features(self, texts: AnyTexts, workers: int | None, keep: bool = False) -> Features:
        """Compute the features of a batch of prepared texts; with `keep`, also their tokens in the method's `form`."""
        ...

    @property
    def candidates(self) -> Join:
        """Join that finds the candidate pairs, as data on which an engine matches."""
        ...

    @property
    def statistics_needed(self) -> str:
        """Description of the statistics that `fitted` would still count on the corpus.

        It is "" if there are none, or if an engine counts them by the rule of the join.
        """
        ...

    @property
    def counting(self) -> Any:
        """Counter of document frequencies for a stream of texts (`quchong.features.statistics.ShingleCount`).

        It is None if nothing is counted, or if only `fitted` or the join counts, during a run.
        """
        ...

    def fitted(self, documents: Documents, workers: int | None) -> Any:
        """Return the method with statistics counted on documents, one per exact class, or itself; they are part of the config hash."""
        ...

    def score(self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None) -> Measures:
        """Measure candidate pairs; left and right index `documents`.

        Jaccard and both containments are exact counts, never estimates by a sketch; `evidence` is the measure of a
        paper's own rule.
        """
        ...

    def above_floor(self, measures: Measures) -> np.ndarray:
        """Return a mask of the candidates at or above the floor; the others are not listed as pairs."""
        ...

    @property
    def tells_differences(self) -> bool:
        """True if the method examines the differences of pairs."""
        ...

    def differences(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, measures: Measures, workers: int | None
    ) -> Differences | None:
        """Find the differences of listed pairs, given their measures; None if the method does not examine them.

        The measures of each pair (`Differences.measures`) are added to the others before `decide`.
        """
        ...

    @property
    def facts_mode(self) -> str:
        """Treatment of variants: "keep", or "remove", which adds them to the relations that remove a document."""
        ...

    def decide(self, measures: Measures) -> tuple[np.ndarray, np.ndarray]:
        """Return the relation of left to right and the rule that named it, as arrays of str."""
        ...

    def threshold_used(self, measures: Measures, rule: np.ndarray) -> np.ndarray:
        """Return the threshold applied to each pair, for the ledger; 1 for exact copies."""
        ...

    def held_to(self) -> dict[str, Any]:
        """Return the thresholds in effect by name, with defaults filled in, for run.json."""
        ...

    def lacks(self, other: Any) -> str | None:
        """Return the reason why `other` cannot decide the pairs of this method again, or None if it can."""
        ...

    def passages(self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None) -> Spans | None:
        """Return the passages that the rule counted, of pairs that index `documents`; None if the engine finds passages on demand."""
        ...

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return the features that the method compares, for display, computed by the code that a run uses.

        For two documents, it may add features of both together.
        """
        ...

    def gates(self, documents: Documents, measures: Measures, workers: int | None = None) -> tuple[Gate, ...]:
        """Return the tests of one pair on the way to `decide`, in order.

        `documents` are the two of the pair, `measures` its measures.
        """
        ...

    @property
    def unconfirmed(self) -> str | None:
        """Rule in the ledger for a text that the first stage reports as seen although no equal text came before it.

        Such a text is removed without a survivor. None if this cannot happen: no filter, or every hit is confirmed.
        """
        ...

    def first_stage(self) -> FirstSeen | None:
        """Create a new, empty filter through which texts pass before all other stages, in input order; None for no filter.

        Local engine only.
        """
        ...

    def settings(self) -> dict[str, Any]:
        """Return all parameters as a dict for JSON; they are part of the config hash."""
        ...


class FirstSeen(Protocol):
    """Filter of exact repeats in a stream: Bloom filter, digit trie, digest set (`quchong.filters`).

    It answers in order and adds new texts; answers do not depend on how the stream is split into batches. A text that
    was added is always reported as seen. `expected_wrongly_removed` estimates how many of the texts reported as seen
    are new; it is almost 0 if the filter is exact or confirmed.
    """

    @property
    def name(self) -> str:
        """Name of the filter, for the summary."""
        ...

    @property
    def form(self) -> Any:
        """Form in which texts are compared (`quchong.kernels.elements.Element`)."""
        ...

    @property
    def tested(self) -> int:
        """Number of texts tested."""
        ...

    @property
    def found(self) -> int:
        """Number of texts reported as seen before."""
        ...

    @property
    def count(self) -> int:
        """Number of texts added."""
        ...

    @property
    def memory_bytes(self) -> int:
        """Memory of the filter's contents, in bytes."""
        ...

    @property
    def expected_wrongly_removed(self) -> float:
        """Expected number of new texts among those reported as seen."""
        ...

    @property
    def refuted(self) -> int | None:
        """Number of hits that a second check found wrong; None if hits are not checked again."""
        ...

    def seen(self, texts: Any, workers: int | None = None) -> np.ndarray:
        """Return a mask (bool) of the texts seen before, including earlier ones of the batch, and add the new ones."""
        ...

    def settings(self) -> dict[str, Any]:
        """Return all parameters as a dict for JSON."""
        ...
