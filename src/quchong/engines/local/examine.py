"""Examination of the differences of scored pairs, block by block."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from itertools import count

import numpy as np

from quchong.decision.classes import Classes
from quchong.decision.examination import Examined, examine_deciding
from quchong.decision.expansion import ClassPairs
from quchong.engines.local.corpus import Corpus
from quchong.engines.local.examining import Examining
from quchong.engines.local.examining_process import Pairs
from quchong.engines.local.group_scores import Examinations
from quchong.engines.local.scores import Block, Blocks
from quchong.engines.local.text_store import FoundKeeper
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.seam import Differences, Documents
from quchong.work import Work

BLOCK_BYTES = 3 << 20
"""Bytes of text in a block: few enough that threads and processes end at about the same time."""
PIECES = 4
"""Least number of blocks of one examination, so that several processors have some."""


@dataclass
class Examiner:
    """Examination of the differences of pairs of classes; each result is stored in `work` under the next number.

    Attributes:
        corpus, plan, parts: documents, method, and the classes that are compared.
        stages: record of times.
        work, keeper: storage, as of `quchong.engines.local.scores.score`.
        name: name of the stored values.
        known: examinations of before; None without any.
        beside: processes that examine blocks too; None without any.
    """

    corpus: Corpus
    plan: Plan
    parts: Classes
    stages: Stages
    work: Work | None = None
    keeper: FoundKeeper | None = None
    name: str = "examined"
    known: Examinations | None = None
    beside: Examining | None = None
    _numbers: count[int] = field(default_factory=count)

    def examine(self, found: ClassPairs, pairs: np.ndarray) -> Examined:
        """Examine the pairs of classes `pairs` (indices into `found`); pairs known from before are not compared again."""
        if self.known is not None:
            return self.known.completed(found, pairs, lambda rest: self._compared(found, rest))
        return self._compared(found, pairs)

    def _compared(self, found: ClassPairs, pairs: np.ndarray) -> Examined:
        plan, names = self.plan, tuple(Differences.none(0).measures)
        left, right = found.left[pairs], found.right[pairs]
        measures = {name: values[pairs] for name, values in found.measures.items()}

        examining = self.beside or Examining(plan)

        def compare(documents: Documents, one: np.ndarray, other: np.ndarray, docs: np.ndarray, where: slice) -> Block:
            here = {name: values[where] for name, values in measures.items()}
            told, lists = examining.examined(Pairs(documents, one, other, here, docs, self.corpus.edits))
            return left[where], right[where], {name: told[name] for name in names}, lists

        blocks = Blocks(
            self.corpus,
            plan,
            self.parts,
            self.work or Work(),
            self.keeper,
            None,
            examining.processes,
            BLOCK_BYTES,
            PIECES,
        )
        with self.stages.stage("verify", len(pairs), "pairs") as progress:
            made = blocks.compared(left, right, compare, self._name_of(left, right), progress)
        return Examined(
            {name: np.concatenate([block[2][name] for block in made]) for name in names},
            [block[3] for block in made if block[3] is not None],
        )

    def _name_of(self, left: np.ndarray, right: np.ndarray) -> str:
        """Return the name under which the next examination is stored, made from its number and its pairs."""
        pairs = hashlib.blake2b(left.tobytes(), digest_size=8)
        pairs.update(right.tobytes())
        return f"{self.name}-{next(self._numbers)}-{pairs.hexdigest()}"

    def with_deciding(self, classes: Classes, found: ClassPairs) -> ClassPairs:
        """Return the pairs of classes with those examined on which the fate of a document depends (`examine_deciding`)."""
        return examine_deciding(
            self.corpus.documents, self.plan, classes, self.parts, found, lambda pairs: self.examine(found, pairs)
        )
