"""Covers: pairs of brief texts whose gists are not taken because of their characters. Compared against: `same_gist` of every pair.

Run: pytest tests/unit/differences/test_gist_letters.py
"""

from __future__ import annotations

import random

import numpy as np
import pyarrow as pa
import pytest

from quchong import kernels
from quchong.differences.edits import edits_of
from quchong.differences.gist import same_gist
from quchong.differences.gist_letters import have_other_letters
from quchong.differences.windows import dictionary_forms
from quchong.seam import Documents
from quchong.text import form

SAME = (
    ("因", "由于", "受"), ("应当", "应", "须"), ("立即", "马上"), ("如", "若", "如果"), ("所有", "全部"), ("饭店", "餐馆"), ("10个", "十个"), ("叁元", "3元"),
    ("提高", "提升"), ("毁谤", "诽谤"), ("污蔑", "诬蔑"), ("涂抹", "涂敷"), ("树林", "森林"), ("叁拾元", "30元"), ("医院", "醫院"), ("账户", "帐户"), ("和", "与"), ("今天", "今日"), ("美职篮", "NBA"), ("了", ""), ("吧", ""), ("的", ""), ("", ""),
)  # fmt: skip
"""Words that say the same, at least beside some others."""
OTHERS = "湖 签 监 会议 国 国家 人民 大会 中 研究 张伟 道路 x k9 hotel 开 发 展 发展 一 ， 。 “ ”".split()
ODD = "砾 鹉 莜 谧 犁 戟 垡 钗 萘 铝".split()
"""Characters that make no word with those beside them."""


def sentence(rng):
    """Words of one text, and of another that says the same or nearly so."""
    words = [rng.choice(SAME) if rng.random() < 0.35 else (rng.choice(OTHERS),) for _ in range(rng.randint(3, 14))]
    one, other = ([rng.choice(some) for some in words] for _ in range(2))
    if rng.random() < 0.5:  # something else too, or a part elsewhere
        at = rng.randrange(len(other))
        other[at : at + rng.randint(0, 2)] = rng.choices((*OTHERS, *ODD), k=rng.randint(0, 2))
    if rng.random() < 0.2:  # a clause elsewhere
        at = rng.randrange(len(other))
        one, other = [*one[:at], "，", *one[at:]], [*other[at:], "，", *other[:at]]
    return "".join(one), "".join(other)


@pytest.mark.parametrize("seed", range(4))
def test_texts_that_are_ruled_out_have_different_gists(seed):
    rng = random.Random(seed)
    pairs = [sentence(rng) for _ in range(2500)]
    texts = [text for pair in pairs for text in pair]
    documents = Documents.from_texts(pa.array(texts, pa.large_string()))
    docs, _ = documents.tokenised(form(), 1)
    left = np.arange(0, len(texts), 2)
    right = left + 1
    found = kernels.align.edits(docs, left.astype(np.uint32), right.astype(np.uint32), workers=1)
    edits = edits_of(docs, left, right, found)
    every = np.ones(len(left), bool)
    out = have_other_letters(documents.hashed(form(), 1), left, right, edits, every)
    forms = dictionary_forms(texts)
    same = np.array([same_gist(forms[a], forms[b]) for a, b in zip(left.tolist(), right.tolist(), strict=True)])
    wrong = [pairs[k] for k in np.flatnonzero(out & same)]
    assert not wrong, wrong[:5]
    assert same.sum() > 400
    assert out.sum() > 40, "the shortcut rules out nothing"
    few = every.copy()
    few[::3] = False
    some = have_other_letters(documents.hashed(form(), 1), left, right, edits, few)
    assert (some == (out & few)).all(), "a pair is told by itself"


def test_no_pairs():
    documents = Documents.from_texts(pa.array(["国家", "国家"], pa.large_string()))
    docs, _ = documents.tokenised(form(), 1)
    at = np.zeros(1, np.int64)
    edits = edits_of(
        docs, at, at + 1, kernels.align.edits(docs, at.astype(np.uint32), at.astype(np.uint32) + 1, workers=1)
    )
    assert not have_other_letters(documents.hashed(form(), 1), at, at + 1, edits, np.ones(1, bool)).any()
    assert not have_other_letters(documents.hashed(form(), 1), at, at + 1, edits, np.zeros(1, bool)).any()
