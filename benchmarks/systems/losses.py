"""Where the default loses against a truth: what becomes of the copies it misses, and of what it calls a copy and the truth does not.

Counted on the half that thresholds are chosen by, so that who changes the method after reading it has not seen the other.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

import quchong as qc
from quchong.evaluation.claims import claims_of_tables
from quchong.evaluation.label_halves import TUNED, halves
from quchong.evaluation.label_reader import read_truth
from quchong.evaluation.labelled_pairs import JudgedPairs, judge, placed
from quchong.evaluation.labels import DIFFERENT, LABELS
from quchong.relations import VARIANT
from quchong.tables import FACTS

BELOW = "below the floor"
UNMET = "never compared"


def judged_half(result: qc.Result, truth: Path, half: int) -> tuple[list[str], JudgedPairs, np.ndarray]:
    """Ids, the pairs that count, and the mask of those of one half."""
    claims = claims_of_tables({"documents": result.documents, "pairs": result.pairs, "ledger": result.ledger})
    known = placed(read_truth(truth).mark_complete(True), claims.ids)
    judged = judge(claims, known)
    side, _ = halves(known, claims.ids).owned(judged.left, judged.right)
    return claims.ids, judged, side == half


def losses(table: pa.Table, truth: Path, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Counts of right, missed and wrong pairs by what the method says of them.

    Returns:
        `right`: copies found. `missed`, `wrong`: counts by reason. `facts`: of the missed variants, by the kind of fact that
        differs; a pair may have several. `of`: copies of the half.
    """
    result = qc.dedup(table, method=method, differences="all", recall_sample=0, **parameters)
    ids, judged, mine = judged_half(result, truth, TUNED)
    texts = dict(zip(table["id"].to_pylist(), table["text"].to_pylist(), strict=True))
    rows = {}
    for row in result.pairs.to_pylist():
        rows[frozenset((str(row["left_id"]), str(row["right_id"])))] = row
    missed: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    facts: Counter[str] = Counter()
    for k in np.flatnonzero(mine):
        found, right = judged.found[k], judged.right_pair[k]
        if found == right:
            continue
        a, b = ids[judged.left[k]], ids[judged.right[k]]
        row = rows.get(frozenset((a, b)))
        if row is None:
            reason = unlisted(texts[a], texts[b], method, parameters) if right else "equal normal form"
        else:
            reason = f"{row['relation']}: {row['rule']}"
            if row["relation"] == VARIANT:
                facts.update(kinds(row))
        (missed if right else wrong)[reason] += 1
    label = judged.label[mine] != LABELS.index(DIFFERENT)
    return {
        "of": int(label.sum()), "right": int((judged.found & judged.right_pair & mine).sum()),
        "missed": dict(missed.most_common()), "wrong": dict(wrong.most_common()), "facts": dict(facts.most_common()),
    }  # fmt: skip


def unlisted(a: str, b: str, method: str, parameters: dict[str, Any]) -> str:
    """Why a pair is not listed: it is below the floor, or was never compared."""
    return BELOW if qc.compare(a, b, method=method, **parameters).relation == "none" else UNMET


def kinds(row: dict[str, Any]) -> list[str]:
    """The kinds of facts that differ in a listed pair."""
    bits = row.get("facts") or 0
    if isinstance(bits, list):
        return [str(one) for one in bits]
    return [name for place, name in enumerate(FACTS) if bits >> place & 1]
