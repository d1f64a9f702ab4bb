"""Pages with one address (基于 URL 去重): the first of the three traditional classes Ya 2013 names.

No content is compared: only what one page was fetched as twice is found, and mirrors under other hosts are not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong import kernels
from quchong.features.feature_sets import string_hashes
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.offsets import prefix_sums
from quchong.methods.bases.papers import BySets, PaperMethod
from quchong.methods.bases.rules import PaperRule
from quchong.pages import canonical, host_of
from quchong.parameters import CAP
from quchong.relations import DUPLICATE, EXACT
from quchong.seam import Documents, JoinLimits, Sight, TextValues, Traits


@dataclass(frozen=True, slots=True)
class Url(BySets, PaperMethod):
    """Method on canonical addresses, see `quchong.pages.canonical`: equal addresses make duplicates.

    A value that is no address (no host with a dot: "N/A", a path alone) counts as missing, and a document without an address has no
    candidates. One document represents all exact copies of a text, so that another address of a copy is not seen. The evidence is 1.
    """

    cap: int = CAP(
        100,
        "maximum number of documents with the same address that are compared with each other document; the "
        "policy chooses which.",
    )

    name: ClassVar[str] = "url"
    rule_name: ClassVar[str] = "equal address"
    usual: ClassVar[float] = 1.0
    traits: ClassVar[Traits] = Traits(
        title="pages with one canonical address, whatever their text",
        paper="Ya 2013 (traditional class)",
        finds=(EXACT, DUPLICATE),
        cost="time grows linearly with the text length. Each document is compared with at most 100 others",
        lossless=True,
        evidence="features",
        decided_by=("verify",),
        needs=("url",),
    )

    def join_limits(self) -> JoinLimits:
        """Return the limits of the join: two documents are candidates if their addresses are equal."""
        return JoinLimits(self.cap, most=self.most)

    def sets_of(self, documents: Documents, workers: int | None = None) -> FeatureSets:
        """Return the address of each document, if it has one, as a set."""
        code = addresses(documents.column("url"))
        return kernels.sets.feature_sets(code[code > 0], prefix_sums(code > 0))

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return evidence 1 for equal addresses, else 0."""
        code = addresses(documents.column("url"))
        return {"evidence": ((code[left] > 0) & (code[left] == code[right])).astype(np.float64)}

    @property
    def rule(self) -> PaperRule:
        """Rule of equal addresses, which reads no text."""
        return self.rule_of(PaperRule, reads=False)

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return the canonical address of each document."""
        return (
            TextValues(
                "address",
                tuple(canonical(u) if u and _is_address(u) else None for u in documents.column("url").to_pylist()),
            ),
        )


def addresses(url: pa.Array) -> np.ndarray:
    """Return a hash of each document's canonical address (uint64), 0 for none."""
    encoded = pc.dictionary_encode(url)
    made = [canonical(u) if _is_address(u) else None for u in encoded.dictionary.to_pylist()]
    return string_hashes(pa.array(made, pa.large_string()).take(encoded.indices))


def _is_address(url: str) -> bool:
    host = host_of(url)
    return "." in host or ":" in host or host == "localhost"
