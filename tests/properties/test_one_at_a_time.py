"""Covers: what `quchong.seam.joins` says of asking one document at a time: lists kept in a dictionary find the pairs that a run finds.

Compared against: `quchong.dedup` of the same texts, without bounds on lists and meetings.
"""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quchong as qc
from quchong.plan.catalogue import build
from quchong.seam import Documents, HammingJoin, KeyJoin, SetJoin

WORDS = "今天 下午 市政府 召开 新闻 发布会 介绍 地铁 四号线 的 建设 情况 。 预计 明年 三月 通车 ， 票价 两元 起步 ！ 居民 表示 欢迎".split()
ALL = {"cap": 10**6, "most": 0}


@st.composite
def corpora(draw):
    """Different texts, many of them edits of one another, of enough tokens to be scored."""
    seeds = draw(st.lists(st.lists(st.sampled_from(WORDS), min_size=14, max_size=40), min_size=1, max_size=4))
    texts = {"".join(s) for s in seeds}
    for _ in range(draw(st.integers(2, 10))):
        words = list(draw(st.sampled_from(seeds)))
        for _ in range(draw(st.integers(1, 5))):
            words[draw(st.integers(0, len(words) - 1))] = draw(st.sampled_from(WORDS))
        texts.add("".join(words))
    return sorted(texts)


def keys_of(join, method, text):
    """The keys of one document, made of it alone."""
    match join:
        case KeyJoin():
            keys = join.keys(method.represent(text, 1))
            return set(keys.values.tolist())
        case SetJoin():
            return set(join.sets(Documents.of(text), 1).values.tolist())
        case HammingJoin():
            signed = join.sign(Documents.of(text), 1)
            return int(signed.words[0, 0]) if signed.defined[0] else None


def met_one_by_one(method, texts):
    """Pairs (earlier, later) by lists that grow with every document."""
    join, lists, signatures, pairs = method.candidates, defaultdict(list), [], []
    for later, text in enumerate(texts):
        mine = keys_of(join, method, pa.array([text], pa.large_string()))
        if isinstance(join, HammingJoin):
            near = [e for e, other in signatures if mine is not None and (mine ^ other).bit_count() <= join.distance]
            signatures += [(later, mine)] if mine is not None else []
        else:
            met = Counter(e for key in mine for e in lists[key])
            near = [e for e, n in met.items() if n >= join.limits.min_shared]
            for key in mine:
                lists[key].append(later)
        pairs += [(e, later) for e in near]
    return np.array(pairs, np.int64).reshape(-1, 2)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("hybrid", ALL | {"share": 0.0}),
        ("shingling", ALL | {"threshold": 0.3}),
        ("lsh", ALL),
        ("two-stage", {"cap": 10**6, "distance": 9}),
    ],
)
@settings(max_examples=25)
@given(texts=corpora())
def test_lists_that_grow_find_what_a_run_finds(name, parameters, texts):
    method = build(name, parameters)
    met = met_one_by_one(method, texts)
    documents = Documents.of(pa.array(texts, pa.large_string()))
    measures = method.score(documents, met[:, 0].astype(np.uint32), met[:, 1].astype(np.uint32), 1)
    listed = {tuple(pair) for pair in met[method.rule.floor(measures)].tolist()}
    rows = [{"id": f"{i:04d}", "text": text} for i, text in enumerate(texts)]
    found = qc.dedup(rows, method=method, recall_sample=0).pairs.to_pylist()
    pairs = {(*sorted((int(p["left_id"]), int(p["right_id"]))), p["relation"]) for p in found}
    equal = {(a, b) for a, b, relation in pairs if relation == "exact"}  # found by their digest
    assert {(a, b) for a, b, _ in pairs} - equal == listed - equal
