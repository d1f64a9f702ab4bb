"""Covers: no pair becomes a copy whose differences nobody asked for, by any rule, preset, threshold, length or road (run, compare,
rethreshold); with facts off nothing of that is asked.

Compared against: the masks of `Differences.told`, and texts that differ in one fact.

Run: pytest tests/properties/test_every_copy_is_told.py
"""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quchong as qc
from quchong.plan.catalogue import build
from quchong.relations import CONTAINED_IN, CONTAINS, DUPLICATE
from quchong.seam import Documents
from quchong.similarity import BIGRAM, PRESETS, Thresholds, decide, worth_aligning
from quchong.similarity.relation_rules import RULES

COPIES = (DUPLICATE, CONTAINED_IN, CONTAINS)
WORDS = (
    "我 不 喜欢 健身 今天 下午 市政府 召开 新闻 发布会 介绍 地铁 四号线 的 建设 情况 。 预计 明年 三月 通车 ， 票价 两元 没有 起步 ！ 居民 表示 "
    "欢迎 5公里 the council did not agree on 3 new lines . 12.5% ,"
).split()
words = st.sampled_from(WORDS)
share = st.floats(0.015625, 1, width=32).map(lambda x: round(x, 2))


@st.composite
def pairs_of_texts(draw):
    """Two texts of 1 to 300 words: words of one replaced, put in or taken away, or a part of it cut out."""
    left = draw(st.lists(words, min_size=1, max_size=draw(st.sampled_from([4, 12, 40, 300]))))
    right = list(left)
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(right)))
        how = draw(st.sampled_from("replace add take cut".split()))
        if how == "add":
            right[at:at] = draw(st.lists(words, min_size=1, max_size=6))
        elif how == "replace":
            right[at : at + 1] = [draw(words)]
        elif how == "take":
            del right[at : at + draw(st.integers(1, 4))]
        else:
            right = right[at // 2 :]
    join = draw(st.sampled_from(["", " "]))
    return join.join(left), join.join(right)


@st.composite
def methods(draw):
    """Every method that tells differences, under any preset and any thresholds and width given."""
    given = {name: draw(share) for name in ("threshold", "containment") if draw(st.booleans())}
    given |= {"ngram_size": draw(st.integers(1, 7))} if draw(st.booleans()) else {}
    given |= {"facts": draw(st.sampled_from(["keep", "remove", "figure", "date,negation"]))}
    if draw(st.booleans()):
        return build("short-text", given)
    return build("hybrid", given | {"preset": draw(st.sampled_from(sorted(PRESETS)))})


@settings(deadline=None, max_examples=150)
@given(st.lists(pairs_of_texts(), min_size=1, max_size=4), methods())
def test_what_is_accepted_was_told(pairs, method):
    documents = Documents.from_texts(pa.array([text for pair in pairs for text in pair], pa.large_string()))
    left, right = (np.arange(side, 2 * len(pairs), 2, dtype=np.uint32) for side in (0, 1))
    measures = method.score(documents, left, right, 1)
    listed = np.flatnonzero(method.rule.floor(measures))
    left, right, measures = left[listed], right[listed], {k: v[listed] for k, v in measures.items()}
    found = method.differences.find(documents, left, right, measures, 1)
    relation, _ = method.rule.decide({**measures, **found.measures})
    copies = np.isin(relation.astype(str), COPIES)
    assert found.told[copies].all()
    # By thresholds alone, before any answer is looked at: what they accept is among what is aligned.
    blind, _ = method.rule.decide({**measures, "told": np.ones(len(left), bool)})
    assert method.differences.examined(measures)[np.isin(blind.astype(str), COPIES)].all()


@st.composite
def figures(draw):
    """Measures no text need have, as `decide` takes them."""
    n = draw(st.integers(1, 20))
    column = lambda kind: np.array(draw(st.lists(kind, min_size=n, max_size=n)))  # noqa: E731
    shares = ("jaccard", "containment_left", "containment_right", "aligned_left", "aligned_right", "number_overlap")
    tokens, flag = st.integers(0, 400), st.booleans()
    return (
        {name: column(st.one_of(share, st.sampled_from([0.0, 1.0]))) for name in shares}
        | {name: column(tokens).astype(np.uint32) for name in ("tokens_left", "tokens_right", "unexplained")}
        | {name: column(flag) for name in ("han", "edits_only_added", "told")}
        | {name: np.zeros(n, np.uint32) for name in ("shared_numbers", "conflicting_numbers")}
        | {"ngram_size": column(st.integers(1, 5)), "name_swap": np.zeros(n, np.int8), "facts": np.zeros(n, np.uint16)}
    )


@st.composite
def limits(draw):
    """Any thresholds there can be, and those of every preset."""
    some = st.builds(Thresholds, *(share for _ in Thresholds.__slots__))
    return draw(st.one_of(st.sampled_from([*PRESETS.values(), BIGRAM]), some))


@settings(deadline=None, max_examples=300)
@given(figures(), limits(), st.booleans())
def test_no_rule_accepts_what_was_not_told(measures, thresholds, strict):
    relation, rule = decide(measures, thresholds, strict=strict)
    copies = np.isin(relation.astype(str), COPIES)
    assert not (copies & ~measures["told"]).any()
    # With alignments that cover nothing, what each rule accepts is what is aligned, and nothing else hangs on `told`.
    bare = measures | {name: np.zeros(len(copies)) for name in ("aligned_left", "aligned_right")}
    relation, rule = decide(bare | {"told": np.ones(len(copies), bool)}, thresholds, strict=strict)
    copies = np.isin(relation.astype(str), COPIES) & (thresholds.aligned > 0)
    assert worth_aligning(bare, thresholds)[1][copies].all()
    assert set(rule.tolist()) <= set(RULES)


DENIED = [
    ("我喜欢健身", "我不喜欢健身"),
    ("他来过", "他没来过"),
    ("今天开会", "今天不开会吗"),
    ("准予通过", "不予准予通过"),
    ("He did come to see us", "He did not come to see us"),
    ("公司下午开会讨论明年计划", "公司下午不开会讨论明年计划"),
    ("公司下午开会讨论明年计划，请各部门准时参加，并带上材料。" * 2, "公司下午不开会讨论明年计划，请各部门准时参加，并带上材料。" * 2),
]  # fmt: skip


@pytest.mark.parametrize(
    "given", [{}, {"preset": "lenient"}, {"threshold": 0.3}, {"containment": 0.3}, {"threshold": 0.1}]
)
@pytest.mark.parametrize("pair", DENIED)
def test_a_denial_stays_at_every_length_and_threshold(pair, given):
    said = qc.compare(*pair, **given)
    assert said.relation not in COPIES, said
    assert not len(qc.dedup([*pair], recall_sample=0, **given).removed)
    for method in ("hybrid", "short-text"):
        assert not len(qc.dedup([*pair], method=method, recall_sample=0).removed)


@pytest.mark.parametrize("threshold", [0.9, 0.55, 0.45, 0.4, 0.3])
def test_deciding_again_asks_what_the_first_run_had_no_need_to(tmp_path, threshold):
    texts = [text for pair in DENIED for text in pair]
    rows = [{"id": f"{i:02}", "text": text} for i, text in enumerate(texts)]
    one = qc.dedup(rows, recall_sample=0)
    fresh = qc.dedup(rows, differences="all", recall_sample=0, threshold=threshold)
    wanted = [{k: v for k, v in row.items() if k != "name_swap"} for row in fresh.pairs.to_pylist()]
    for run in (one, qc.load(one.save(tmp_path / "run")), qc.dedup(rows, recall_sample=0, threshold=0.3)):
        found = run.rethreshold(threshold)
        assert [{k: v for k, v in row.items() if k != "name_swap"} for row in found.pairs.to_pylist()] == wanted
        assert not len(found.removed)


def test_with_guards_off_nothing_is_asked():
    said = qc.compare("我喜欢健身", "我不喜欢健身", guards=False)
    assert (said.relation, said.rule) == ("duplicate", "short, only added")
