"""What a method is: four pure steps, and its candidates as data."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol

import numpy as np

from quchong.kernels.arrays import AnyTexts
from quchong.seam.batches import Documents, Features, Measures, Spans, Traits
from quchong.seam.differences import Differences
from quchong.seam.joins import Join
from quchong.seam.sights import Gate, Sight


class Method(Protocol):
    """One paper or family: a frozen dataclass whose fields are its parameters."""

    name: ClassVar[str]
    traits: ClassVar[Traits]

    @property
    def form(self) -> Any:
        """How texts become tokens (`quchong.kernels.text.Form`)."""
        ...

    @property
    def thresholds(self) -> Any:
        """What pairs are held to (`quchong.similarity.Thresholds`)."""
        ...

    @property
    def recall_widths(self) -> tuple[int, int] | None:
        """Shingle widths at which a sample of documents is compared with all others to measure what candidates miss: of most
        pairs, and of Chinese texts of 200 tokens and more. None where nothing can be missed.
        """
        ...

    @property
    def complete_from(self) -> float:
        """Least Jaccard from which on its candidates are meant to be complete: pairs below cannot be decided again."""
        ...

    def features(self, texts: AnyTexts, workers: int | None, keep: bool = False) -> Features:
        """What a batch of prepared texts is known by; with `keep` their tokens in the method's `form` too."""
        ...

    @property
    def candidates(self) -> Join:
        """Who meets whom, as data: what an engine matches on."""
        ...

    @property
    def statistics_needed(self) -> str:
        """What `fitted` would still count on the corpus, in words; "" where nothing, or where an engine counts it by the join's rule."""
        ...

    @property
    def counting(self) -> Any:
        """How document frequencies are counted on texts as they go by (`quchong.sketches.ShingleCount`); None where nothing is
        counted, or only in a run, by `fitted` or the join.
        """
        ...

    def fitted(self, documents: Documents, workers: int | None) -> Any:
        """The method with statistics over the documents that exact classes leave, or itself; part of the config hash."""
        ...

    def score(self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None) -> Measures:
        """What candidates have in common; left and right index `documents`. Jaccard and both containments are exact
        counts, never a sketch; `evidence` is what a paper's own rule looks at.
        """
        ...

    def above_floor(self, measures: Measures) -> np.ndarray:
        """Mask of the candidates at or above the floor: the others are not pairs."""
        ...

    @property
    def tells_differences(self) -> bool:
        """Does it look at what pairs differ in?"""
        ...

    def differences(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, measures: Measures, workers: int | None
    ) -> Differences | None:
        """What listed pairs differ in; `measures` are theirs. None where the method does not look at that.

        Its figures of each pair (`Differences.measures`) join the measures before `decide`.
        """
        ...

    @property
    def facts_mode(self) -> str:
        """What becomes of variants: "keep", or "remove", which adds them to the relations that remove a document."""
        ...

    def decide(self, measures: Measures) -> tuple[np.ndarray, np.ndarray]:
        """Relation of left to right and the rule that named it, as arrays of str."""
        ...

    def threshold_used(self, measures: Measures, rule: np.ndarray) -> np.ndarray:
        """The threshold each pair was held to, for the ledger; 1 for exact copies."""
        ...

    def held_to(self) -> dict[str, Any]:
        """The thresholds that decide, by name, with the usual ones where none was given: what run.json says."""
        ...

    def lacks(self, other: Any) -> str | None:
        """Why pairs found by this method cannot be decided again by `other`; None where they can."""
        ...

    def passages(self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None) -> Spans | None:
        """The passages its rule counted, of pairs as indices into `documents`; None where the engine looks for them on demand."""
        ...

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """What it sees in documents, for people to look at: the features it compares, by the code that makes them.

        Of two documents it may tell what it sees in both together.
        """
        ...

    def gates(self, documents: Documents, measures: Measures, workers: int | None = None) -> tuple[Gate, ...]:
        """The tests of one pair on the way to `decide`, in their order; `documents` are the two, `measures` theirs."""
        ...

    @property
    def unconfirmed(self) -> str | None:
        """The ledger's rule for a text that the first stage calls seen though nothing equal came before: it goes without a
        survivor. None where there can be none: no filter, or every hit confirmed.
        """
        ...

    def first_stage(self) -> FirstSeen | None:
        """A new, empty filter that texts pass before anything else, in the order of the input; None for none. Local engine only."""
        ...

    def settings(self) -> dict[str, Any]:
        """All parameters, as JSON; part of the config hash."""
        ...


class FirstSeen(Protocol):
    """A stream filter of exact repeats: Bloom filter, digit trie, digest set (`quchong.sketches`).

    It answers in order and takes in what is new; answers do not depend on how the stream is cut into batches. A text
    that was there is always found; `expected_wrongly_removed` states how many new ones are to be expected among those
    found, and is next to nothing where the filter is exact or confirmed.
    """

    @property
    def name(self) -> str:
        """What the filter is called, for the summary."""
        ...

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

    @property
    def refuted(self) -> int | None:
        """Hits that were looked at again and were wrong; None where none are looked at again."""
        ...

    def seen(self, texts: Any, workers: int | None = None) -> np.ndarray:
        """Mask (bool) of the texts that were there before, earlier in the batch included."""
        ...

    def settings(self) -> dict[str, Any]:
        """All parameters, as JSON."""
        ...
