"""Structure trees compared by longest sentences (基于正文结构树和长句提取).

Source: Huang 2010; the baseline of Ya 2013.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quchong.families.trees import TreeMethod
from quchong.kernels.tree import Keywords, Outline
from quchong.parameters import parameter
from quchong.seam import Traits
from quchong.tables import CONTAINED_IN, DUPLICATE, EXACT


@dataclass(frozen=True, slots=True)
class TreeLongSentence(TreeMethod):
    """Nodes match that have a longest sentence in common, letter for letter but for figures and marks."""

    sentences: int = parameter(1, "longest sentences of a node.", least=1)
    more_from: int = parameter(0, "nodes of more characters than this give one sentence more; 0 for none.", least=0)
    least: int = parameter(1, "characters a sentence must have to say anything.", least=1)

    name: ClassVar[str] = "tree-long-sentence"
    rule: ClassVar[str] = "layers of long sentences"
    traits: ClassVar[Traits] = Traits(
        title="structure tree, longest sentence of each paragraph, layer by layer",
        paper="Huang 2010; Ya 2013",
        finds=(EXACT, DUPLICATE, CONTAINED_IN),
        cost="linear in text; pairs the sum of squares of an index's lists, at most 128 a document; nodes of a pair",
        lossless=False,
        evidence="features",
        engines=("local", "spark"),
        candidates="its own: inverted index of sentences of nodes",
        decided_by=("threshold", "verify"),
        needs=("title", "blocks"),
    )

    def nodes(self, outline: Outline, keywords: Keywords, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Hashes of the longest sentences of each node."""
        return outline.long_sentences(which, self.sentences, self.more_from, self.least)
