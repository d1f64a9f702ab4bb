"""Aligns pairs and says what each difference is."""

from __future__ import annotations

import difflib

import numpy as np
import pyarrow as pa

from quchong.kernels.text import Form
from quchong.seam import Differences, Documents, Measures
from quchong.tables import DIFFERENCES


def find_differences(
    form: Form, documents: Documents, left: np.ndarray, right: np.ndarray, measures: Measures, workers: int | None = None
) -> Differences:  # fmt: skip
    """Differences of pairs, as indices into documents (a stand-in by difflib)."""
    offsets, kind, conflict, places, lefts, rights, shares = [0], [], [], [], [], [], []
    for i, j in zip(left.tolist(), right.tolist(), strict=True):
        a, b = documents.texts.text(i), documents.texts.text(j)
        matcher = difflib.SequenceMatcher(None, a, b, autojunk=False)
        same = sum(m.size for m in matcher.get_matching_blocks())
        shares.append((same / max(len(a), 1), same / max(len(b), 1)))
        for op, i0, i1, j0, j1 in matcher.get_opcodes():
            if op == "equal":
                continue
            figure = a[i0:i1].isdigit() and b[j0:j1].isdigit()
            kind.append(DIFFERENCES.index("figure" if figure else "wording"))
            conflict.append(figure)
            places.append((i0, i1, j0, j1))
            lefts.append(a[i0:i1])
            rights.append(b[j0:j1])
        offsets.append(len(kind))
    share = np.array(shares, float).reshape(-1, 2)
    return Differences(
        np.array(offsets, np.int64), np.array(kind, np.uint8), np.array(conflict, bool),
        np.array(places, np.int64).reshape(-1, 4), pa.array(lefts, pa.large_string()), pa.array(rights, pa.large_string()),
        share[:, 0], share[:, 1], np.zeros(len(left), np.uint32),
    )  # fmt: skip
