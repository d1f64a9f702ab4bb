"""One pair alone has the differences and the relation that it has among many: steps end early where they have nothing to do."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from quchong.decision.differing import looked_at
from quchong.differences.warming import PAIRS
from quchong.plan.catalogue import build
from quchong.seam import Documents

_EQUAL = "这件事情的经过大家都非常清楚，没有人反对这一决定，会议到此结束"
_OTHERS = (
    (_EQUAL, _EQUAL),
    (_EQUAL, _EQUAL + "，" + _EQUAL[:20]),
    ("今天下午三点开会", "今天下午四点开会"),
    ("春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。", "夜来风雨声，花落知多少。春眠不觉晓，处处闻啼鸟。"),
    ("Nothing of this is in the other text at all", "月亮和太阳都不在这里"),
    ("", "某某"),
)


@pytest.mark.parametrize("method", ["hybrid", "short-text", "minhash"])
def test_a_pair_alone_is_decided_as_among_others(method):
    made = build(method, {})
    pairs = [*PAIRS, *_OTHERS, *((b, a) for a, b in PAIRS)]
    together, lists = _decided(made, pairs)
    for k, pair in enumerate(pairs):
        alone, own = _decided(made, [pair])
        assert {name: values[0] for name, values in alone.items()} == {
            name: values[k] for name, values in together.items()
        }, pair
        assert own is None or lists is None or own[0] == lists[k], pair


def _decided(made, pairs):
    """Return the measures, the relation and the rule of each pair as lists, and its differences."""
    documents = Documents.from_texts(pa.array([text for pair in pairs for text in pair], pa.large_string()))
    left = np.arange(0, 2 * len(pairs), 2)
    measures = made.score(documents, left, left + 1, 1)
    names = np.arange(2 * len(pairs))
    measures, lists = looked_at(made, documents, left, left + 1, measures, 1, {}, names)
    relation, rule = made.rule.decide(measures)
    out = {**measures, "relation": relation, "rule": rule, "listed": made.rule.floor(measures)}
    return {
        name: np.asarray(values).tolist() for name, values in out.items()
    }, None if lists is None else lists.to_pylist()
