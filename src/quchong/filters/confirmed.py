"""Filter that confirms every hit, so that no text is removed by mistake."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from quchong.errors import UsageError
from quchong.filters.bloom import Bloom, PrintedBloom
from quchong.filters.digit_trie import DigestSet, DigitTrie
from quchong.filters.first_seen import FirstSeenFilter, Mask
from quchong.filters.state_file import State
from quchong.kernels.arrays import Texts
from quchong.kernels.elements import Element, element_digests

INNER: dict[str, type[FirstSeenFilter]] = {kind.name: kind for kind in (Bloom, PrintedBloom, DigitTrie)}


@dataclass(frozen=True, eq=False)
class Confirmed(FirstSeenFilter):
    """A Bloom filter or trie with the digests of all added texts: a hit counts only if both agree.

    `refuted` is the number of wrong hits, which the filter alone would have removed. Memory: that of a `DigestSet` in addition to the
    filter.
    """

    filter: FirstSeenFilter
    _digests: DigestSet = field(init=False, repr=False)
    _refuted: list[int] = field(default_factory=lambda: [0], init=False, repr=False)

    name: ClassVar[str] = "confirmed"

    def __post_init__(self) -> None:
        if type(self.filter) not in INNER.values():
            raise UsageError("a {} filter does not need confirmation: it is exact", self.filter.name)
        object.__setattr__(self, "_digests", DigestSet(self.filter.form))

    @property
    def form(self) -> Element:
        """Form in which texts are compared."""
        return self.filter.form

    def _answer(self, texts: Texts, workers: int | None) -> Mask:
        digests = element_digests(self.form, texts, workers)
        hits = (
            self.filter.seen_digests(digests)
            if isinstance(self.filter, Bloom)
            else self.filter.seen_before(texts, workers)
        )
        there = self._digests.seen_digests(digests)
        self._refuted[0] += int((hits & ~there).sum())
        return hits & there

    @property
    def refuted(self) -> int:
        """Number of hits of the filter that the digests refuted."""
        return self._refuted[0]

    @property
    def count(self) -> int:
        """Number of texts added to the filter."""
        return self._digests.count

    @property
    def memory_bytes(self) -> int:
        """Size of filter and digests in bytes."""
        return self.filter.memory_bytes + self._digests.memory_bytes

    @property
    def expected_wrongly_removed(self) -> float:
        """Expected number of wrong removals of the digests alone, which is about 0."""
        return self._digests.expected_wrongly_removed

    def settings(self) -> dict[str, Any]:
        """Return all parameters of the inner filter, and its kind."""
        return {"filter": self.filter.name, **self.filter.settings()}

    def _contents(self) -> tuple[dict[str, Any], list[np.ndarray]]:
        inner, digests = self.filter.state(), self._digests.state()
        numbers = {"inner": inner.numbers, "digests": digests.numbers, "refuted": self.refuted}
        return numbers, [*digests.sections, *inner.sections]

    @classmethod
    def _check_sizes(cls, settings: dict[str, Any], sections: Sequence[np.ndarray]) -> None:
        INNER[settings.pop("filter")]._check_sizes(settings, sections[1:])

    @classmethod
    def _build(cls, settings: dict[str, Any], form: Element) -> Self:
        kind = INNER[settings.pop("filter")]
        return cls(kind._build(settings, form))

    def _refill(self, numbers: dict[str, Any], sections: list[np.ndarray]) -> None:
        for part, told, arrays in (
            (self._digests, numbers["digests"], sections[:1]),
            (self.filter, numbers["inner"], sections[1:]),
        ):
            made = part.from_state(State(part.name, part.settings(), told, arrays), "the state", self.form)
            object.__setattr__(self, "_digests" if part is self._digests else "filter", made)
        self._refuted[0] = int(numbers["refuted"])
