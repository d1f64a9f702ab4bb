"""Covers: documents that an index is asked about together get the answers that each gets alone, whatever decides them.
Run: pytest tests/promises/test_index_asked_together.py.
"""

from __future__ import annotations

import random

import pytest
from index_records import records

import quchong as qc

DIGEST = "".join(
    f"第{n}条：{place}今天举行{what}，来自各地的代表参加，会议持续{n + 2}天，讨论了多个议题。"
    for n, (place, what) in enumerate(
        [("东山市", "城市建设会议"), ("西湖县", "农业生产展览"), ("南海区", "海洋渔业论坛"), ("北原镇", "冬季体育比赛")]
    )
)


def with_roundups():
    """Records of families, their parts and the digests that contain several of these."""
    some = records(11, families=4)
    parts = [part + "。" for part in DIGEST.split("。") if part]
    texts = [*parts, DIGEST, DIGEST + "以上是今天的全部消息。", parts[0] + parts[1], parts[2] + parts[3]]
    some += [
        {"id": f"p{k}", "text": text, "title": "", "url": "", "site": "", "source": f"s{k % 4}", "time": f"2026-02-{1 + k:02}"}
        for k, text in enumerate(texts)
    ]  # fmt: skip
    random.Random(3).shuffle(some)
    return some


@pytest.mark.parametrize("keep", ["longest,earliest", "earliest,longest", "column:source desc", "column:rank"])
def test_documents_asked_together_are_answered_as_each_alone(tmp_path, keep):
    some = with_roundups()
    for k, one in enumerate(some):
        one["rank"] = (
            str(k * 7 % 13) if k % 3 else "none"
        )  # as text: an order of numbers alone, and of texts beside another
    with qc.Index.create(tmp_path / "seen", keep=keep) as index:
        index.add(some[: len(some) // 2])
        asked = [*some[len(some) // 2 :], *some[:20], *some[-5:]]
        together = index.query(asked)
        alone = [index.query(one) for one in asked]
    assert [one.as_dict() for one in together] == [one.as_dict() for one in alone]
    assert {one.removed for one in alone} == {True, False}
    assert {one.relation for one in alone} >= {"exact", "duplicate"}
