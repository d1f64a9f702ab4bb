"""Pairs of signatures within a Hamming distance, by permuted block tables.

Source: Manku 2007. The bits are cut into z blocks, more than the k bits that may differ. For every choice of z - k blocks a table groups
the signatures that agree in them, and every pair of a group is verified, so that the result is exact for any z.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np

from quchong import kernels
from quchong.errors import Param, UsageError
from quchong.kernels.sketch import HammingPairs, Signatures

TABLE_COST, PAIR_COST = 25.0, 1.0
"""Nanoseconds for each signature in a table, and for each pair compared (measured, docs/decisions/0014)."""
USEFUL_BITS = 0.8
"""Effective share of key bits: bits of real signatures are not independent, and a key of b bits separates them like 0.8 b fair coins."""
MOST_TABLES, LEAST_BITS = 4000, 3
"""Most tables and least key bits of a cut; beyond these, comparing all pairs is no worse."""


@dataclass(frozen=True, slots=True)
class Tables:
    """Layout of the block tables: `blocks` z, `tables` C(z, k), `key_bits` of the smallest key."""

    blocks: int
    tables: int
    key_bits: int


def choose_blocks(signatures: int, bits: int, distance: int) -> Tables:
    """Return the layout with the least expected work for this number of signatures.

    Work of a cut: tables * (n * TABLE_COST + n^2 / 2^(1 + USEFUL_BITS * key bits) * PAIR_COST). More blocks give more
    tables with longer keys, which pays as n grows: k = 4 of 64 bits takes 5 tables of 12 bits up to some 100,000
    signatures, 15 of 20 bits up to millions, then 35 of 27.

    Raises:
        UsageError: a distance that leaves no sensible cut.
    """
    best: tuple[float, Tables] | None = None
    for blocks in range(distance + 1, min(63, bits) + 1):
        tables = comb(blocks, distance)
        if tables > MOST_TABLES:
            break
        shortest = (blocks - distance) * (bits // blocks)
        if shortest < LEAST_BITS:
            continue
        cost = tables * (signatures * TABLE_COST + signatures**2 / 2 ** (1 + USEFUL_BITS * shortest) * PAIR_COST)
        if best is None or cost < best[0]:
            best = cost, Tables(blocks, tables, shortest)
    if best is None:
        raise UsageError(
            "no block tables exist for a distance of {} in {} bits: compare all pairs ({})",
            distance,
            bits,
            Param("all_pairs", True),
        )
    return best[1]


@dataclass(frozen=True, slots=True)
class HammingIndex:
    """Index that finds signatures within a Hamming distance.

    Args:
        bits: 64 or 128.
        distance: bits that may differ.
        blocks: pieces the bits are cut into; None chooses by `choose_blocks`.
    """

    bits: int = 64
    distance: int = 4
    blocks: int | None = None

    def __post_init__(self) -> None:
        if self.bits not in (64, 128):
            raise UsageError("{} must be 64 or 128, got {}", Param("bits"), self.bits)
        if not 0 <= self.distance <= self.bits:
            raise UsageError("{} must be 0 to {}, got {}", Param("distance"), self.bits, self.distance)
        if self.blocks is not None and not self.distance < self.blocks <= min(63, self.bits):
            raise UsageError("'blocks' must be {} to {}, got {}", self.distance + 1, min(63, self.bits), self.blocks)

    def tables(self, signatures: int) -> Tables:
        """Return the layout of the tables for this number of signatures."""
        if self.blocks is None:
            return choose_blocks(signatures, self.bits, self.distance)
        keyed = self.blocks - self.distance
        return Tables(self.blocks, comb(self.blocks, self.distance), keyed * (self.bits // self.blocks))

    def pairs(
        self,
        signatures: Signatures | np.ndarray,
        *,
        scope: np.ndarray | None = None,
        references: int = 0,
        all_pairs: bool = False,
        workers: int | None = None,
    ) -> HammingPairs:
        """Return every pair at most `distance` bits apart, each once: left < right, sorted by right, then left.

        Equal signatures are looked up once, but all their pairs are listed: a dense corpus has a quadratic answer, for
        which `candidates` is there. `all_pairs` compares all with all instead (the paper's way, for comparison). `scope` and
        `references`: see `quchong.kernels.sketch.hamming_pairs`.
        """
        return self._run(signatures, 0, scope, references, all_pairs, workers)

    def candidates(
        self,
        signatures: Signatures | np.ndarray,
        *,
        cap: int = 64,
        scope: np.ndarray | None = None,
        references: int = 0,
        all_pairs: bool = False,
        workers: int | None = None,
    ) -> HammingPairs:
        """Return pairs within the distance, at most `cap` earlier ones for each signature; the best by policy come first.

        Each signature is paired with the first `cap` of those before it within the distance; a group of more than `cap` equal ones is
        represented by its first. Near-equal signatures beyond what tables can separate are paired with chosen leaders, which are near to no
        earlier leader. The result counts what was bounded. `scope` and `references`: see `quchong.kernels.sketch.hamming_pairs`. Work and
        memory grow with signatures * cap, not with their square.
        """
        if not 1 <= cap < 2**31:
            raise UsageError("'cap' must be at least 1, and less than 2**31")
        return self._run(signatures, cap, scope, references, all_pairs, workers)

    def _run(
        self,
        signatures: Signatures | np.ndarray,
        cap: int,
        scope: np.ndarray | None,
        references: int,
        all_pairs: bool,
        workers: int | None,
    ) -> HammingPairs:
        defined: np.ndarray | None = None
        if isinstance(signatures, Signatures):
            words, defined = signatures.words, signatures.defined
        else:
            words = signatures
        if words.ndim == 1:
            words = words[:, None]
        if 64 * words.shape[1] != self.bits:
            raise UsageError("signatures of {} bits do not fit an index of {} bits", 64 * words.shape[1], self.bits)
        blocks = 0 if all_pairs else self.tables(len(words)).blocks
        return kernels.sketch.hamming_pairs(
            words, self.distance, blocks, defined=defined, scope=scope, cap=cap, references=references, workers=workers
        )
