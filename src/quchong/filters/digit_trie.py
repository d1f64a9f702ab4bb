"""Filters of exact repeats by a digit trie (Gao 2014) and by digests."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from quchong.errors import UsageError
from quchong.filters.first_seen import FirstSeenFilter, Mask, form_settings
from quchong.kernels import filters as native
from quchong.kernels.arrays import Texts
from quchong.kernels.elements import STRICT, Digests, Element, Unit, element_digests, element_hashes


@dataclass(frozen=True, eq=False)
class DigitTrie(FirstSeenFilter):
    """The improved digit trie of Gao 2014 (改进的数字 Trie, section 4.2): decimal digits of squared hashes, ten ways.

    Args:
        hash: "h64": 32 bits of a fast hash, signed as in C#; "bkdr": the BKDR hash, 31 bits.
        end_mark: numbers have an end; without it (the paper's literal rule) a number that begins another one counts as
            present.
        unit: what BKDR hashes: "utf8" bytes or "utf16" code units.
        form: the form in which texts are compared.

    Not exact, whatever the paper says: hashes collide, and squaring makes k and -k one, so among n texts n^2 / 2^32 pairs are expected to
    be taken for one (2.5 million: 1,455). `DigestSet` is exact. Only digits that distinguish numbers become nodes: about 20 to 30 bytes a
    text instead of 500.
    """

    hash: Literal["h64", "bkdr"] = "h64"
    end_mark: bool = True
    unit: Unit = "utf8"
    form: Element = STRICT
    _native: Any = field(init=False, repr=False)

    name: ClassVar[str] = "trie"

    def __post_init__(self) -> None:
        if self.hash not in ("h64", "bkdr"):
            raise UsageError("unknown hash {!r}: use h64 or bkdr", self.hash)
        if self.unit not in ("utf8", "utf16"):
            raise UsageError("unknown unit {!r}: use utf8 or utf16", self.unit)
        object.__setattr__(self, "_native", native.DigitTrie(self.end_mark))

    def _answer(self, texts: Texts, workers: int | None) -> Mask:
        if self.hash == "bkdr":
            hashes = element_hashes(self.form, texts, self.unit, workers)
            return self._native.seen_before(hashes.bkdr, hashes.empty)  # type: ignore[no-any-return]
        digests = element_digests(self.form, texts, workers)
        signed = (digests.high & np.uint64(0xFFFFFFFF)).astype(np.uint32).view(np.int32)
        return self._native.seen_before(signed, digests.empty)  # type: ignore[no-any-return]

    @property
    def count(self) -> int:
        """Number of texts added to the trie."""
        return self._native.count  # type: ignore[no-any-return]

    @property
    def memory_bytes(self) -> int:
        """Size of nodes and leaves in bytes."""
        return self._native.memory  # type: ignore[no-any-return]

    @property
    def printed_nodes(self) -> int:
        """Number of nodes in the paper's trie, which spells out every digit; ten references each."""
        return self._native.printed_nodes  # type: ignore[no-any-return]

    @property
    def expected_wrongly_removed(self) -> float:
        """Expected number of collisions among the added texts; at most the number of texts tested."""
        return min(self.count**2 / 2**32, float(self.tested))

    def settings(self) -> dict[str, Any]:
        """Return all parameters of the trie."""
        return {"hash": self.hash, "end_mark": self.end_mark, "unit": self.unit, **form_settings(self.form)}

    def _contents(self) -> tuple[dict[str, Any], list[np.ndarray]]:
        return {}, [self._native.dump()]

    def _refill(self, numbers: dict[str, Any], sections: list[np.ndarray]) -> None:
        if self._native.seen_before(sections[0].astype(np.int64), None).any():
            raise ValueError("a number stands twice")


@dataclass(frozen=True, eq=False)
class DigestSet(FirstSeenFilter):
    """Exact repeats by digests of 128 bits: among a billion texts the chance of one mistake is about 1e-21.

    Args:
        form: the form in which texts are compared.

    Memory: 16 bytes a text in a table that is 53 to 80% full. The digest does not resist someone who looks for
    collisions on purpose.
    """

    form: Element = STRICT
    _native: Any = field(init=False, repr=False)

    name: ClassVar[str] = "digest"

    def __post_init__(self) -> None:
        object.__setattr__(self, "_native", native.DigestTable())

    def _answer(self, texts: Texts, workers: int | None) -> Mask:
        return self._native.seen_before(*element_digests(self.form, texts, workers))  # type: ignore[no-any-return]

    def seen_digests(self, digests: Digests) -> Mask:
        """Return the mask of `seen_before` for texts given by the digests of their elements."""
        return self._tallied(self._native.seen_before(*digests))

    @property
    def count(self) -> int:
        """Number of texts added to the set."""
        return self._native.count  # type: ignore[no-any-return]

    @property
    def memory_bytes(self) -> int:
        """Size of the table in bytes."""
        return self._native.memory  # type: ignore[no-any-return]

    @property
    def expected_wrongly_removed(self) -> float:
        """Expected number of collisions, n^2 / 2^129; at most the number of texts tested."""
        return min(self.count**2 / 2**129, float(self.tested))

    def settings(self) -> dict[str, Any]:
        """Return all parameters of the set."""
        return form_settings(self.form)

    def _contents(self) -> tuple[dict[str, Any], list[np.ndarray]]:
        return {}, [self._native.dump()]

    def _refill(self, numbers: dict[str, Any], sections: list[np.ndarray]) -> None:
        high, low = sections[0].reshape(-1, 2).T
        if self._native.seen_before(high, low, None).any():
            raise ValueError("a digest stands twice")
