"""Covers: which edits are asked whether they lie in page furniture. Compared against: every edit asked, by the text of its two documents.

Run: pytest tests/unit/differences/test_furniture_shortcuts.py
"""

from __future__ import annotations

import random

import numpy as np
import pyarrow as pa

from quchong.differences.framing import _Framed, _in_furniture
from quchong.differences.hinted_documents import HintedDocuments
from quchong.differences.stretches import Stretches
from quchong.seam import Documents

PIECES = (
    "阅读 1234|Published May 3, 2021 at 4:05 pm|© 2023 The Daily|3 days ago|版权所有|来源：新华社|编辑：王明|the river |河水上涨。|他说“好”|年。|\n|\n| | "
    "|完全一样的话|Ended.|！|评论 3|么|並|置"
).split("|")


def plainly(mine: str, theirs: str, places: list[int]) -> bool:
    a, b, c, d = places
    while a < b and c < d and mine[a] == theirs[c]:
        a, c = a + 1, c + 1
    while a < b and c < d and mine[b - 1] == theirs[d - 1]:
        b, d = b - 1, d - 1
    return _Framed(mine).in_furniture(a, b) and _Framed(theirs).in_furniture(c, d)


def test_edits_are_furniture_as_if_every_one_were_asked():
    rng = random.Random(11)
    texts = ["".join(rng.choices(PIECES, k=rng.randint(1, 7))) for _ in range(300)]
    texts += ["并置公务员部分怎么", "並置公务员部分怎么"]
    pairs = [(rng.randrange(len(texts)), rng.randrange(len(texts))) for _ in range(1500)] + [(300, 301)]
    places = []
    for one, other in pairs:
        ends = [sorted(rng.randint(0, len(texts[k])) for _ in range(2)) for k in (one, other)]
        # Many edits reach the end or the beginning of a text.
        if rng.random() < 0.5:
            ends = [[a, len(texts[k])] for k, (a, _) in zip((one, other), ends, strict=True)]
        elif rng.random() < 0.5:
            ends = [[0, b] for _, b in ends]
        places.append([*ends[0], *ends[1]])
    places[-1] = [8, 9, 8, 9]
    sides = [
        pa.array([texts[pair[k]][at[2 * k] : at[2 * k + 1]] for pair, at in zip(pairs, places, strict=True)], pa.large_string())
        for k in range(2)
    ]  # fmt: skip
    left, right = (np.array([pair[k] for pair in pairs]) for k in range(2))
    told = _in_furniture(
        left, right, np.arange(len(pairs)), np.ones(len(pairs), bool), Stretches(np.array(places), *sides),
        HintedDocuments(Documents.from_texts(pa.array(texts, pa.large_string()))),
    )  # fmt: skip
    wanted = [plainly(texts[a], texts[b], at) for (a, b), at in zip(pairs, places, strict=True)]
    assert told.tolist() == wanted
    assert 50 < sum(wanted) < 1450
    assert wanted[-1]
