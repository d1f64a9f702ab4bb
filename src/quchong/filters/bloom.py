"""Bloom filters of exact repeats: the one Gao 2014 prints, and one for use.

Source: Bloom 1970; Gao 2014 (`PrintedBloom`); Almeida 2007 and Putze 2007 (`Bloom`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log1p
from typing import Any, ClassVar, Literal

import numpy as np

from quchong.errors import UsageError
from quchong.filters.bloom_layout import Layout, layout
from quchong.filters.first_seen import FirstSeenFilter, Mask, form_settings
from quchong.kernels import filters as native
from quchong.kernels.arrays import Texts
from quchong.kernels.elements import STRICT, Digests, Element, Unit, element_digests, element_hashes


@dataclass(frozen=True, eq=False)
class PrintedBloom(FirstSeenFilter):
    """The Bloom filter of Gao 2014 (布隆过滤器, section 4.1): BKDR and AP hash, two bits a text.

    Args:
        bits: size m; the paper's default is 50,000.
        filter_mode: "all": a text was there when both bits are set, which is what its figures fit; "any": when one of them is,
            as its text has it (a slip: see docs/decisions/0012), for the reproduction only.
        unit: what is hashed: "utf8" bytes, or "utf16" code units as in the paper's C#.
        form: the form in which texts are compared.

    Never grows. Expected error at n texts, mode "all": (1 - e^(-2n/m))^2; "any": 1 - (1 - p)^2 at a fill of p.
    """

    bits: int = 50_000
    filter_mode: Literal["all", "any"] = "all"
    unit: Unit = "utf8"
    form: Element = STRICT
    _native: Any = field(init=False, repr=False)

    name: ClassVar[str] = "bloom-printed"

    def __post_init__(self) -> None:
        self.check(self.bits)
        if self.filter_mode not in ("all", "any"):
            raise UsageError("unknown filter_mode {!r}: use all, or any as in the text of the paper", self.filter_mode)
        if self.unit not in ("utf8", "utf16"):
            raise UsageError("unknown unit {!r}: use utf8 or utf16", self.unit)
        object.__setattr__(self, "_native", native.PrintedBloom(self.bits))

    @staticmethod
    def check(bits: int | None = None) -> None:
        """Raise UsageError for a size that no filter can have; nothing is allocated."""
        if bits is not None and not 1 <= bits <= 2**40:
            raise UsageError("'bits' must be 1 to 2**40, got {}", bits)

    def _answer(self, texts: Texts, workers: int | None) -> Mask:
        hashes = element_hashes(self.form, texts, self.unit, workers)
        return self._native.seen_before(hashes.bkdr, hashes.ap, hashes.empty, self.filter_mode == "any")  # type: ignore[no-any-return]

    @property
    def count(self) -> int:
        """Number of texts added: those that were called new."""
        return self._native.count  # type: ignore[no-any-return]

    @property
    def bits_set(self) -> int:
        """Number of bits that are 1."""
        return self._native.bits_set  # type: ignore[no-any-return]

    @property
    def memory_bytes(self) -> int:
        """Size of the bit vector in bytes."""
        return (self.bits + 7) // 8

    @property
    def current_error(self) -> float:
        """Probability that a new text is taken for a known one now, from the bits that are set."""
        fill = self.bits_set / self.bits
        return fill**2 if self.filter_mode == "all" else 1 - (1 - fill) ** 2

    @property
    def expected_wrongly_removed(self) -> float:
        """Sum of the error rates before each new text; at most the number of texts tested.

        The number of new texts follows from the bits set, so true repeats do not count. Mode "all": the sum over texts t = 0 .. T of (1 -
        e^(-2t/m))^2 with 1 - e^(-2T/m) = p; mode "any": m/2 added texts fill it without an accident, and each waits for 1 / (1 - p)^2 on
        average.
        """
        m, fill = self.bits, min(self.bits_set / self.bits, 1 - 0.5 / self.bits)
        if self.filter_mode == "all":
            wrong = -m / 2 * log1p(-fill) - m * fill + m / 4 * (1 - (1 - fill) ** 2)
        else:
            wrong = m / 2 * (1 / (1 - fill) - 1) - self.count
        return min(max(wrong, 0.0), float(self.tested))

    def settings(self) -> dict[str, Any]:
        """Return all parameters of the filter."""
        return {"bits": self.bits, "filter_mode": self.filter_mode, "unit": self.unit, **form_settings(self.form)}

    def _contents(self) -> tuple[dict[str, Any], list[np.ndarray]]:
        return {"count": self.count, "bits_set": self.bits_set}, [self._native.words()]

    @classmethod
    def _check_sizes(cls, settings: dict[str, Any], sections: Sequence[np.ndarray]) -> None:
        if settings["bits"] > 8 * sections[0].nbytes:
            raise ValueError(f"it has not the {settings['bits']} bits it claims")

    def _refill(self, numbers: dict[str, Any], sections: list[np.ndarray]) -> None:
        self._native.restore(sections[0], numbers["count"], numbers["bits_set"])


@dataclass(frozen=True, eq=False)
class Bloom(FirstSeenFilter):
    """A Bloom filter made for a number of texts and an error rate, which it keeps when more come.

    Args:
        capacity: texts it is made for.
        error_rate: probability, at most, that a new text is taken for a known one, however many have come.
        form: the form in which texts are compared.

    Blocks of 64 bytes (docs/decisions/0013): one text, one cache line a slice. The first slice has half the error rate;
    when it is full a second of twice the capacity and half of its error rate follows, and so on (scalable Bloom filters;
    Almeida 2007), so that all slices together stay below `error_rate`.
    Memory at capacity: about 12, 17, 24 and 42 bits a text for error rates of 1e-2, 1e-3, 1e-4 and 1e-6.
    """

    capacity: int = 1_000_000
    error_rate: float = 1e-6
    form: Element = STRICT
    _native: Any = field(init=False, repr=False)
    _layouts: list[Layout] = field(default_factory=list, init=False, repr=False)
    _merged: dict[str, Any] = field(default_factory=lambda: {"expected": 0.0, "starts": []}, init=False, repr=False)

    name: ClassVar[str] = "bloom"

    def __post_init__(self) -> None:
        self.check(self.capacity, self.error_rate)
        object.__setattr__(self, "_native", native.BlockedBloom())
        self._grow()

    @staticmethod
    def check(capacity: int | None = None, error_rate: float | None = None) -> None:
        """Raise UsageError for a capacity or error rate that no filter can have; nothing is allocated."""
        if capacity is not None and not 1 <= capacity <= 2**40:
            raise UsageError("'capacity' must be 1 to 2**40 texts, got {}", capacity)
        if error_rate is not None and not 1e-12 <= error_rate <= 0.5:
            raise UsageError(
                "error rate must be 1e-12 to 0.5, got {}: for no errors, use the digest filter", error_rate
            )

    def _grow(self) -> None:
        number = len(self._layouts)
        made = layout(self.capacity << number, self.error_rate / 2 ** (number + 1))
        self._native.add_slice(made.blocks, made.hashes, made.capacity)
        self._layouts.append(made)

    def _answer(self, texts: Texts, workers: int | None) -> Mask:
        return self._seen_mask(element_digests(self.form, texts, workers))

    def seen_digests(self, digests: Digests) -> Mask:
        """Return the mask of `seen_before` for texts given by the digests of their elements."""
        return self._tallied(self._seen_mask(digests))

    def _seen_mask(self, digests: Digests) -> Mask:
        parts: list[Mask] = []
        done = 0
        while done < len(digests.high):
            rest = (column[done:] for column in digests)
            if parts:
                self._grow()  # the last slice is full, and another text comes
            step, mask = self._native.seen_before(*rest)
            parts.append(mask)
            done += step
        return np.concatenate(parts) if parts else np.zeros(0, bool)

    def merge(self, other: Bloom) -> None:
        """Add the contents of another filter of equal parameters, so that this one finds the texts of both.

        Counts are added, so a text of both counts twice. If a slice then holds more than it was made for, the stated error rate is no
        longer kept; see `current_error`.

        Raises:
            UsageError: the other one's parameters differ.
        """
        if self.settings() != other.settings():
            raise UsageError(
                "only filters with equal parameters can be merged: one has {}, the other has {}",
                self.settings(),
                other.settings(),
            )
        expected = self.expected_wrongly_removed + other.expected_wrongly_removed
        while len(self._layouts) < len(other._layouts):
            self._grow()
        self._native.merge(other._native)
        self._merged.update(expected=expected, starts=self.slice_counts)
        self._tally[0] += other._tally[0]
        self._tally[1] += other._tally[1]

    @property
    def slice_counts(self) -> list[int]:
        """Number of texts in each slice."""
        return self._native.counts  # type: ignore[no-any-return]

    @property
    def count(self) -> int:
        """Number of texts added to the filter."""
        return sum(self.slice_counts)

    @property
    def memory_bytes(self) -> int:
        """Size of all slices in bytes."""
        return sum(made.bytes for made in self._layouts)

    @property
    def current_error(self) -> float:
        """Probability that a new text is taken for a known one now."""
        rates = [made.tries(n)[1] for made, n in zip(self._layouts, self.slice_counts, strict=True)]
        return float(1 - np.prod([1 - rate for rate in rates]))

    @property
    def expected_wrongly_removed(self) -> float:
        """Sum of the error rates before each new text; at most the number of texts tested.

        The number of new texts is computed from the texts added, so true repeats do not count.
        """
        total, passing = float(self._merged["expected"]), 1.0  # the share of new texts that earlier slices let pass
        starts = [*self._merged["starts"], *[0] * len(self._layouts)]
        for made, start, end in zip(self._layouts, starts, self.slice_counts, strict=False):
            came, rate = made.tries(end)
            total += (came - made.tries(start)[0]) / passing - (end - start)
            passing *= 1 - rate
        return min(total, float(self.tested))

    def settings(self) -> dict[str, Any]:
        """Return all parameters of the filter."""
        return {"capacity": self.capacity, "error_rate": self.error_rate, **form_settings(self.form)}

    def _contents(self) -> tuple[dict[str, Any], list[np.ndarray]]:
        words = [self._native.words(i) for i in range(len(self._layouts))]
        return {"counts": self.slice_counts, "merged": dict(self._merged)}, words

    @classmethod
    def _check_sizes(cls, settings: dict[str, Any], sections: Sequence[np.ndarray]) -> None:
        cls.check(settings["capacity"], settings["error_rate"])
        if not sections:
            raise ValueError("it has no slice")
        for number, section in enumerate(sections):
            made = layout(settings["capacity"] << number, settings["error_rate"] / 2 ** (number + 1))
            if made.bytes != section.nbytes:
                raise ValueError(f"slice {number} has {section.nbytes} bytes and not {made.bytes}")

    def _refill(self, numbers: dict[str, Any], sections: list[np.ndarray]) -> None:
        while len(self._layouts) < len(sections):
            self._grow()
        for i, (words, count) in enumerate(zip(sections, numbers["counts"], strict=True)):
            self._native.restore(i, words, count)
        merged = numbers["merged"]
        expected, starts = float(merged["expected"]), [int(start) for start in merged["starts"]]
        if not 0 <= expected < math.inf or any(start < 0 for start in starts) or len(starts) > len(sections):
            raise ValueError("its counts make no sense")
        self._merged.update(expected=expected, starts=starts)
