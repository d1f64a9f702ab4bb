"""Verification of a finished run: its removals decided again, a sample of them to read, and survivors worse than their copies."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.decision.intervals import wilson
from quchong.errors import UsageError
from quchong.parameters.explained_arguments import explains_arguments
from quchong.parameters.other_attributes import SuggestsNames
from quchong.parameters.truth_values import NoTruthValue
from quchong.results.memory import MemoryRun
from quchong.results.replay import replayed
from quchong.results.run_table import RunTable
from quchong.results.saved import SavedRun
from quchong.results.worse import worse_survivors

SAMPLE = 20
"""Removals that are drawn to be read, by default."""


@explains_arguments
@dataclass(frozen=True, slots=True)
class Verification(NoTruthValue, SuggestsNames):
    """Result of verifying a run.

    Attributes:
        removals: removed documents. replayed: those that were decided again from the texts.
        mismatches: table of the values that are another ones now (`quchong.results.replay.MISMATCH`); empty for a sound run.
        left_out: removals that could not be decided again, by reason.
        sample: rows of the ledger drawn at random, to be read.
        worse: kept documents that are worse than a copy removed for them (`quchong.results.worse.WORSE`).
    """

    _ASKED = "verification.sound"

    removals: int
    replayed: int
    mismatches: pa.Table
    left_out: dict[str, int]
    sample: RunTable
    worse: pa.Table

    @property
    def sound(self) -> bool:
        """True if every removal that was decided again is as in the ledger."""
        return len(self.mismatches) == 0

    def precision_at_least(self, wrong: int = 0) -> float:
        """Return the share of right removals that is exceeded with 95% confidence if `wrong` of the sample are wrong; 0 without sample.

        >>> import quchong as qc
        >>> text = "今天天气很好，适合出门散步，也适合在公园里看书。"
        >>> found = qc.dedup([{"id": str(k), "text": text} for k in range(40)]).verify(sample=30)
        >>> found.sound, len(found.sample), round(found.precision_at_least(), 3)
        (True, 30, 0.886)
        """
        drawn = len(self.sample)
        return wilson(drawn - wrong, drawn)[0] if 0 <= wrong <= drawn else 0.0

    @property
    def worse_by_reason(self) -> dict[str, int]:
        """Number of rows of `worse` by reason."""
        return dict(sorted(Counter(self.worse["reason"].to_pylist()).items()))

    def as_dict(self) -> dict[str, Any]:
        """Return everything as a dictionary for JSON."""
        return {
            "removals": self.removals, "replayed": self.replayed, "sound": self.sound, "left_out": self.left_out,
            "mismatches": self.mismatches.to_pylist(), "worse": self.worse.to_pylist(),
            "sample": self.sample.select(["id", "survivor_id", "relation", "rule", "jaccard"]).to_pylist(),
            "precision_at_least": self.precision_at_least(),
        }  # fmt: skip


def verify(run: MemoryRun | SavedRun, sample: int, seed: int, quality: str | None) -> Verification:
    """Verify a run, see `quchong.api.result.Result.verify`.

    Raises:
        UsageError: the run depends on data that is not in its folder, or is in a mode without rows; or `quality` is no column of numbers.
        RunError: texts have moved or changed.
    """
    try:
        outcome = run.outcome
    except UsageError:
        if not isinstance(run, SavedRun):
            raise
        outcome = run.counted  # statistics are counted again
    found = replayed(outcome)
    ledger = run.table("ledger")
    drawn = np.sort(np.random.default_rng(seed).choice(len(ledger), min(sample, len(ledger)), replace=False))
    return Verification(
        found.removals, found.replayed, found.mismatches, found.left_out,
        RunTable(ledger.take(pa.array(drawn, pa.int64())), "ledger", run), worse_survivors(run, quality),
    )  # fmt: skip
