"""Covers: what a plan tells of the bytes of a run folder, measured on its sample (`quchong.engines.local.table_sizes`).

Compared against: the run folder. Run: pytest tests/unit/engines/test_table_sizes.py.
"""

import json
import random

import pytest

import quchong as qc
from quchong.engines.local.table_sizes import FIXED, TableSizes

HAN = [chr(0x4E00 + i) for i in range(3000)]


def notices(r, n):
    """Records on one template: many pairs, none with differences."""
    return [
        f"您的快递已到达{r.choice('东西南北')}门驿站，取件码{r.randrange(10**8):08d}，请于今晚九点前领取，逾期将退回寄件人。"
        for _ in range(n)
    ]


def near_copies(r, n):
    """One family of near-copies: pairs with differences."""
    base = r.choices(HAN, k=60)
    return ["".join(r.choice(HAN) if r.random() < 0.04 else one for one in base) for _ in range(n)]


def different(r, n):
    """Texts without pairs."""
    return ["".join(r.choices(HAN, k=60)) for _ in range(n)]


@pytest.mark.parametrize("make", [notices, near_copies, different])
def test_the_folder_is_told_within_a_third(tmp_path, make):
    r = random.Random(5)
    path = tmp_path / "in.jsonl"
    rows = [{"id": f"document-{k}", "text": text} for k, text in enumerate(make(r, 1500))]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    told = qc.estimate(path, out=tmp_path / "run").output
    qc.dedup(path, out=tmp_path / "run", recall_sample=0)
    measured = sum(one.stat().st_size for one in (tmp_path / "run").rglob("*"))
    assert 0.7 < told / measured < 1.3


def test_rows_are_counted_by_kind():
    assert TableSizes(2.0, 3.0, 5.0).folder(10, 100, 4.0) == FIXED + 20 + 300 + 20
