"""Structure trees compared by sentences with keywords (基于正文结构树和关键句).

Source: Ya 2013, chapter 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quchong.families.trees import TreeMethod
from quchong.features.trees import Comparison
from quchong.kernels.tree import Keywords, Outline
from quchong.parameters import parameter
from quchong.seam import Traits
from quchong.tables import CONTAINED_IN, DUPLICATE, EXACT


@dataclass(frozen=True, slots=True)
class TreeKeySentence(TreeMethod):
    """Nodes match that have enough key sentences in common; how many a node has grows with its length."""

    rate: int = parameter(20, "characters of a node for each of its key sentences.", least=1)
    share: float = parameter(0.5, "share of the smaller node's key sentences that both must have.", least=0, most=1)

    name: ClassVar[str] = "tree-key-sentence"
    keyed: ClassVar[bool] = True
    index_shared: ClassVar[int] = 2
    rule: ClassVar[str] = "layers of key sentences"
    traits: ClassVar[Traits] = Traits(
        title="structure tree, sentences with keywords of each paragraph, layer by layer",
        paper="Ya 2013, chapter 3",
        finds=(EXACT, DUPLICATE, CONTAINED_IN),
        cost="linear in text, document frequencies first; "
        "pairs the sum of squares of an index's lists, at most 128 a document; nodes of a pair",
        lossless=False,
        evidence="features",
        engines=("local", "spark"),
        candidates="its own: inverted index of sentences of nodes",
        decided_by=("threshold", "verify"),
        needs=("title", "blocks"),
    )

    @property
    def comparison(self) -> Comparison:
        """Nodes need a share of their sentences in common."""
        return Comparison(share=self.share, layer=self.layer, dice=self.measure == "dice")

    @property
    def index_share(self) -> float:
        """Few nodes may hold most sentences: lower than the share of nodes."""
        return max(self.layer / 3, 0.01)

    def nodes(self, outline: Outline, keywords: Keywords, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Hashes of the key sentences of each node."""
        return outline.key_sentences(which, keywords, self.rate)
