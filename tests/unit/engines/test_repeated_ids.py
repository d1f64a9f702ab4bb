"""Covers: ids that repeat. Compared against: the rule said with sets and sorted lists."""

import hashlib
import random

import numpy as np
import pyarrow as pa
import pytest

import quchong as qc
from quchong.engines.local.ids import unique


def expected(ids, ranks):
    """By the rule: those of one id in order of their ranks; numbers whose ids were given are passed over."""
    taken, out = set(ids), list(ids)
    for base in sorted(set(ids)):
        mine = sorted((i for i, one in enumerate(ids) if one == base), key=lambda i: ranks[i])
        number = 2
        for i in mine[1:]:
            while f"{base}~{number}" in taken:
                number += 1
            out[i] = f"{base}~{number}"
            taken.add(out[i])
    return out


@pytest.mark.parametrize("seed", range(30))
def test_ids_are_numbered_by_the_rule(seed):
    r = random.Random(seed)
    names = ["a", "a~2", "a~3", "a~02", "a~2~2", "b", "~", "b~", "x~9999999999999999999999", "中\n~2", "中\n"]
    ids = [r.choice(names) for _ in range(r.randint(1, 40))]
    ranks = np.array(r.sample(range(len(ids)), len(ids)))
    found, renamed, rank = unique(
        pa.array(ids, pa.large_string()), lambda documents, group: np.lexsort((ranks[documents], group))
    )
    assert found.to_pylist() == expected(ids, ranks)
    changed = {i: ids[i] for i, one in enumerate(found.to_pylist()) if one != ids[i]}
    assert dict(zip(renamed["document"].to_pylist(), renamed["given"].to_pylist(), strict=True)) == changed
    assert rank.tolist() == np.argsort(np.argsort(np.array(found.to_pylist(), object))).tolist()


@pytest.mark.parametrize("seed", range(5))
def test_no_order_of_the_input_changes_which_row_has_which_id(seed, tmp_path):
    """Rows of one id that differ in text, in a column that is read, in one that is not, or in nothing."""
    rows = [
        {"id": "same", "text": t, "source": s, "more": m} for t in ("u", "v") for s in ("x", None) for m in (1, 2, 2)
    ]
    random.Random(seed).shuffle(rows)
    result = qc.dedup(rows, relations="variant", recall_sample=0)
    named = dict(zip(result.documents["id"].to_pylist(), rows, strict=True))
    found = sorted((name, tuple(map(str, row.values()))) for name, row in named.items())
    ordered = sorted(
        rows,
        key=lambda row: (
            hashlib.blake2b(row["text"].encode(), digest_size=16).digest(),
            str({"id": "same", "source": row["source"], "time": None}),
        ),
    )
    assert len(found) == 12
    names = ["same", *(f"same~{n}" for n in range(2, 13))]
    assert [(named[name]["text"], named[name]["source"]) for name in names] == [
        (r["text"], r["source"]) for r in ordered
    ]
    assert result.alarms[0]["kind"] == "repeated ids" and result.alarms[0]["figures"]["documents"] == 11
    again = qc.dedup(rows[::-1], relations="variant", recall_sample=0)
    assert found == sorted(
        (name, tuple(map(str, row.values())))
        for name, row in zip(again.documents["id"].to_pylist(), rows[::-1], strict=True)
    )


def test_every_row_that_came_with_a_protected_id_is_protected():
    rows = [{"id": "same", "text": "床前明月光，疑是地上霜。举头望明月"}] * 3
    assert qc.dedup(rows, recall_sample=0).counts["removed"] == 2
    assert qc.dedup(rows, recall_sample=0, protect="same").counts["removed"] == 0
