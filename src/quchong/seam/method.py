"""Protocol of a method: nine members, of which candidates, rule, differences and extras are values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass
from typing import Any, ClassVar, Protocol

import numpy as np

from quchong.kernels.arrays import AnyTexts
from quchong.languages import Message
from quchong.seam.batches import Documents, Features, Measures, Spans, Traits
from quchong.seam.differences import DifferenceSteps
from quchong.seam.joins import HammingJoin, Join, Search, SetJoin
from quchong.seam.sights import Gate, Sight


class Method(Protocol):
    """Method of one paper or family: a frozen dataclass whose fields are its parameters."""

    name: ClassVar[str]
    traits: ClassVar[Traits]

    @property
    def form(self) -> Any:
        """Form in which texts become tokens (`quchong.kernels.text.Form`)."""
        ...

    def represent(self, texts: AnyTexts, workers: int | None, keep: bool = False) -> Features:
        """Compute the features of a batch of prepared texts; with `keep`, also their tokens in the method's `form`."""
        ...

    @property
    def candidates(self) -> Join:
        """Join that finds the candidate pairs, as data on which an engine matches; it has the statistics that it needs."""
        ...

    def score(self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None) -> Measures:
        """Measure candidate pairs; left and right index `documents`.

        Jaccard and both containments are exact counts, never estimates by a sketch; `evidence` is the measure of a
        paper's own rule.
        """
        ...

    @property
    def rule(self) -> Rule:
        """Rule that names the relation of a pair from its measures."""
        ...

    @property
    def differences(self) -> DifferenceSteps | None:
        """Steps that examine the differences of listed pairs; None if the method has none."""
        ...

    @property
    def extras(self) -> Extras:
        """Optional steps that few methods have."""
        ...


class Rule(Protocol):
    """Rule of a method: a value that decides pairs from their measures alone.

    A rule without the texts decides saved pairs again, so it must not depend on documents.
    """

    @property
    def thresholds(self) -> Mapping[str, Any]:
        """Thresholds in effect, by name, for run.json."""
        ...

    @property
    def test(self) -> Any:
        """Thresholds of the default method's test (`quchong.similarity.Thresholds`); None if a rule has none."""
        ...

    @property
    def filled(self) -> Mapping[str, Any]:
        """Parameters that the rule fills in when not given, by name; part of the config hash."""
        ...

    @property
    def recall_widths(self) -> tuple[int, int] | None:
        """Shingle widths (default, Chinese texts of 200 tokens and more) at which candidate recall is measured.

        None if the join is exact.

        Recall is measured by comparing a sample of documents with all others.
        """
        ...

    def floor(self, measures: Measures) -> np.ndarray:
        """Return a mask of the candidates at or above the floor; the others are not listed as pairs."""
        ...

    def decide(self, measures: Measures) -> tuple[np.ndarray, np.ndarray]:
        """Return the relation of left to right and the name of the rule that gave it, as arrays of str."""
        ...

    def threshold_used(self, measures: Measures, rule: np.ndarray) -> np.ndarray:
        """Return the threshold applied to each pair, for the ledger; 1 for exact copies."""
        ...

    def lacks(self, other: Any) -> str | None:
        """Return why the rule `other` cannot decide the pairs of this rule again; None if it can."""
        ...


@dataclass(frozen=True, slots=True)
class Extras:
    """Optional steps of a method; None for each one that it does not have.

    Attributes:
        passages: function that returns the passages that the rule counted, of pairs that index documents. Its arguments: documents,
            left, right, workers. Without it, or if it returns None, the engine finds passages on demand.
        sights: function that returns the features that the method compares, for display, computed by the code that a run uses; for two
            documents, it may add features of both together. Its arguments: documents, workers. Without it the values of the join are
            shown.
        gates: function that returns the tests of one pair on the way to the decision, in order. Its arguments: the two documents, the
            measures of the pair, workers. Without it the tests of the default method are shown.
        first_stage: function that creates a new, empty filter through which texts pass before all other stages, in input order. Local
            engine only.
        unconfirmed: rule in the ledger for a text that the first stage reports as seen although no equal text came before it. Such a
            text is removed without a survivor. None if this cannot happen: no filter, or every hit is confirmed.
        roundups: treatment of roundups (`quchong.plan.plan.ROUNDUPS`) in a run that names none; None for that of every run.
    """

    passages: Callable[[Documents, np.ndarray, np.ndarray, int | None], Spans | None] | None = None
    sights: Callable[[Documents, int | None], tuple[Sight, ...]] | None = None
    gates: Callable[[Documents, Measures, int | None], tuple[Gate, ...]] | None = None
    first_stage: Callable[[], FirstSeen] | None = None
    unconfirmed: str | None = None
    roundups: str | None = None

    @staticmethod
    def look_up(method: Any) -> Extras:
        """Look up the optional steps that a class defines, by their names."""
        return Extras(**{one.name: getattr(method, one.name, None) for one in fields(Extras)})


def active_differences(method: Method) -> DifferenceSteps | None:
    """Return the steps that examine differences; None if the method has none, or its parameters switch them off."""
    steps = method.differences
    return steps if steps is not None and steps.active else None


def engines_of(method: Method) -> tuple[str, ...]:
    """Return the engines that can run a method: those of its join, without any to which its traits do not restrict it."""
    able = ("local",) if isinstance(method.candidates, Search) else ("local", "spark")
    return tuple(engine for engine in able if engine in (method.traits.engines or able))


def candidates_described(method: Method) -> Message:
    """Return in words how a method finds candidate pairs, such as "keys" for equal keys."""
    match method.candidates:
        case SetJoin(prefixes=steps) if steps is not None:
            return Message("an exact join of sets by prefixes, without a cap")
        case SetJoin():
            return Message("an inverted index of the values of sets; exact within the limits cap and most")
        case HammingJoin():
            return Message("signatures within a Hamming distance; the result is exact up to the cap")
        case Search():
            return Message("a search with the method's own code, on one machine")
    return Message("keys")


def settings_of(method: Method) -> dict[str, Any]:
    """Return all parameters as a dict for JSON; they are part of the config hash. Statistics are represented by their digest."""
    known: Any = method  # a frozen dataclass, whichever it is
    return {one.name: _for_json(getattr(known, one.name)) for one in fields(known)} | dict(method.rule.filled)


def _for_json(value: Any) -> Any:
    digest = getattr(value, "digest", None)
    if digest is not None:
        return digest
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


def with_statistics(method: Method, documents: Documents, workers: int | None = None) -> Method:
    """Return the method with the statistics of its join counted on documents; the same method if none are needed.

    The statistics are part of the config hash.
    """
    statistics = method.candidates.statistics
    if statistics is None or statistics.count is None:
        return method
    counted: Method = statistics.count(documents, workers)
    return counted


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
        """Number of texts that the filter has tested."""
        ...

    @property
    def seen_count(self) -> int:
        """Number of texts reported as seen before."""
        ...

    @property
    def count(self) -> int:
        """Number of texts that were added to the filter."""
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

    def seen_before(self, texts: Any, workers: int | None = None) -> np.ndarray:
        """Return a mask (bool) of the texts seen before, including earlier ones of the batch, and add the new ones."""
        ...

    def settings(self) -> dict[str, Any]:
        """Return all parameters as a dict for JSON."""
        ...
