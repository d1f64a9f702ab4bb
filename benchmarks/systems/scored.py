"""Pairs of a peer held to the truth of a set, by the same halves and the same measures as our methods."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from quchong.evaluation.claims import Claims
from quchong.evaluation.estimates import f_measure, share
from quchong.evaluation.label_halves import REPORTED, TUNED, halves
from quchong.evaluation.label_reader import read_truth
from quchong.evaluation.labelled_pairs import judge, placed
from quchong.relations import DUPLICATE, RELATIONS

CODE = RELATIONS.index(DUPLICATE)


def scored(ids: list[str], truth: Path, tried: Iterable[dict]) -> dict:
    """The setting of the highest F1 on one half, the first of equal ones, and what it does on the other."""
    known = placed(read_truth(truth).mark_complete(True), ids)
    half = halves(known, ids)
    best: tuple[float, dict, dict] | None = None
    for one in tried:
        pairs = np.array(one["pairs"], np.int64).reshape(-1, 2)
        judged = judge(claimed(ids, pairs), known)
        side, _ = half.owned(judged.left, judged.right)
        on = {}
        for name in (TUNED, REPORTED):
            found, right, group = (x[side == name] for x in (judged.found, judged.right_pair, judged.group))
            on[name] = {
                "precision": share(right[found], group[found]).describe(), "recall": share(found[right], group[right]).describe(),
                "f1": f_measure(found, right, group).describe(),
            }  # fmt: skip
        f1 = on[TUNED]["f1"]["value"] or 0.0
        if best is None or f1 > best[0]:
            best = f1, {key: one[key] for key in ("n", "at") if key in one}, on[REPORTED]
    assert best is not None
    return {"parameters": best[1], "held": best[2]}


def claimed(ids: list[str], pairs: np.ndarray) -> Claims:
    """A system that says of pairs that they are copies, and no more."""
    n = len(ids)
    pairs = np.unique(np.sort(pairs, axis=1), axis=0)
    nothing, place = np.zeros(n, bool), np.arange(n)
    return Claims(
        ids,
        pairs[:, 0],
        pairs[:, 1],
        np.full(len(pairs), CODE, np.uint8),
        nothing,
        nothing,
        nothing,
        place,
        place,
        place,
        (CODE,),
        nothing,
    )
