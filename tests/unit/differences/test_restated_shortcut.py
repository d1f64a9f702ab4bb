"""Covers: which edits of brief Chinese texts are read for whether they say the same. Compared against: `says_the_same` of every edit.

Run: pytest tests/unit/differences/test_restated_shortcut.py
"""

from __future__ import annotations

import random

import pytest

from quchong.differences.restated import may_say_the_same, says_the_same
from quchong.differences.windows import windows

PIECES = (
    "三 叁 百 佰 二十 一百二十 年 5 日 亿 元 第 半 不 没有 未 非 无 必须 不必 无需 可以 能 将 已经 应当 和 与 在 于 饭店 餐馆 手术 可能 不可能 "
    "监 签 湖 书 公司 a b 会 要 去 不可 同意 反对 不反对 壹 拾 〇 今天 今日 星期日 周日 增加 减少 未增加"
).split()


@pytest.mark.parametrize("seed", range(4))
def test_edits_that_are_not_read_do_not_say_the_same(seed):
    rng = random.Random(seed)
    told = rejected = 0
    for _ in range(4000):
        sides = []
        before, behind = ("".join(rng.choices(PIECES, k=rng.randint(0, 3))) for _ in range(2))
        for _ in range(2):
            stretch = "".join(rng.choices(PIECES, k=rng.randint(0, 2)))
            sides.append((before + stretch + behind, len(before), len(before) + len(stretch)))
        left, right = windows([t for t, _, _ in sides], [0, 1], [a for _, a, _ in sides], [b for _, _, b in sides])
        same = says_the_same(left, right)
        # A pair of stretches is told as they are written, without what stands around them.
        may = may_say_the_same(sides[0][0][sides[0][1] : sides[0][2]], sides[1][0][sides[1][1] : sides[1][2]])
        assert may or not same, sides
        told, rejected = told + same, rejected + (not may)
    assert told > 10
    assert rejected > 200
