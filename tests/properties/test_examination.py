"""Covers: differences examined only where they decide.

Compared against: the survivors of a graph decided with all pairs known, for any order in which arcs become known; the relations that a rule
gives under any outcome of an examination; and runs that examine every pair, document by document.

Run: pytest tests/properties/test_examination.py
"""

import random

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matrices import two_of_each
from twins.graph import strong_components as components_twin
from twins.graph import survivors as survivors_twin

import quchong as qc
from quchong.decision import hypotheses
from quchong.decision.hypotheses import decided, possible_relations, relation_codes
from quchong.kernels import graph
from quchong.plan.catalogue import build
from quchong.plan.plan import Plan
from quchong.policy.survivors import arcs
from quchong.relation_codes import RANK, codes_of
from quchong.relations import RELATIONS


@st.composite
def open_graphs(draw):
    n = draw(st.integers(1, 8))
    node = st.integers(0, n - 1)
    ends = draw(st.lists(st.tuples(node, node, st.integers(0, 2)), max_size=20))
    priority = draw(st.permutations(range(n)))
    forced = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    return ends, np.array(priority, np.int64), np.array(forced, np.uint8)


def columns(ends):
    made = np.array(ends, np.uint32).reshape(-1, 3)
    return [np.ascontiguousarray(made[:, k]) for k in range(3)]


@settings(deadline=None, max_examples=300)
@given(open_graphs(), st.randoms())
def test_what_is_known_of_a_graph_holds_however_its_open_arcs_turn_out(graphed, dice):
    ends, priority, forced = graphed
    loser, winner, kind = columns(ends)
    component = graph.strong_components(len(priority), loser, winner)
    unsure = ((kind == 0) & (component[loser] != component[winner])).astype(np.uint8)
    known = graph.survivors(loser, winner, priority, forced, unsure)
    for _ in range(6):
        real = np.array([not one or dice.random() < 0.5 for one in unsure.tolist()], bool)
        truth = survivors_twin(loser[real], winner[real], priority, forced)
        decided = known != graph.UNDECIDED
        assert (truth[decided] == known[decided]).all()
    if not unsure.any():
        assert (known != graph.UNDECIDED).all()


@given(open_graphs())
def test_strong_components_equal_their_twin(graphed):
    ends, priority, _ = graphed
    loser, winner, _ = columns(ends)
    found = graph.strong_components(len(priority), loser, winner)
    twin = components_twin(len(priority), loser.tolist(), winner.tolist())
    assert [[a == b for b in found.tolist()] for a in found.tolist()] == [[a == b for b in twin] for a in twin]


share = st.floats(0, 1, width=32).map(lambda x: round(x, 3))


@st.composite
def measured(draw):
    """Measures of pairs as the default method scores them, and what an examination of each may find."""
    n = draw(st.integers(1, 12))

    def drawn(values, kind):
        return np.array(draw(st.lists(values, min_size=n, max_size=n)), kind)

    counted = {
        "jaccard": drawn(share, float), "containment_left": drawn(share, float), "containment_right": drawn(share, float),
        "ngram_size": drawn(st.sampled_from([2, 3, 5]), np.uint8), "tokens_left": drawn(st.sampled_from([4, 11, 14, 24, 40, 100, 900]), np.uint32),
        "tokens_right": drawn(st.sampled_from([4, 12, 15, 24, 40, 130, 900]), np.uint32), "han": drawn(st.booleans(), bool),
        "shared_numbers": drawn(st.integers(0, 9), np.uint32), "conflicting_numbers": drawn(st.integers(0, 3), np.uint32),
        "number_overlap": drawn(share, float), "name_swap": drawn(st.sampled_from([0, 1]), np.int8),
        "edits_only_added": drawn(st.booleans(), bool),
    }  # fmt: skip
    told = drawn(st.booleans(), bool)
    examined = {
        "facts": drawn(st.sampled_from([0, 0, 1, 8, 128]), np.uint16), "unexplained": drawn(st.sampled_from([0, 1, 5, 60, 800]), np.uint32),
        "aligned_left": drawn(st.sampled_from([0.0, 0.5, 0.9, 0.95, 1.0]) | share, float),
        "aligned_right": drawn(st.sampled_from([0.0, 0.5, 0.9, 0.95, 1.0]) | share, float), "told": told,
    }  # fmt: skip
    # A pair whose differences are not reported has none, and its aligned shares are 0 (`quchong.differences.find_differences`).
    for name in ("facts", "unexplained", "aligned_left", "aligned_right"):
        examined[name] = np.where(told, examined[name], 0).astype(examined[name].dtype)
    return counted, examined


def deciding_methods():
    facts = ("keep", "remove", "figure,date")
    presets = ("strict", "balanced", "lenient", "training")
    return [build("hybrid", {"facts": f, "preset": p}) for f in facts for p in presets] + [
        build("short-text", {"facts": f}) for f in facts
    ]


@settings(deadline=None, max_examples=40)
@given(case=measured(), size=st.integers(1, 4), method=st.sampled_from(deciding_methods()))
def test_pairs_decided_a_few_at_a_time_are_decided_alike(case, size, method):
    measures = case[0] | case[1]
    relation, rule = method.rule.decide(measures)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hypotheses, "AT_ONCE", size)
        codes, rules = decided(method.rule, measures)
        assert relation_codes(method.rule, measures).tolist() == codes.tolist()
    assert codes.tolist() == codes_of(relation).tolist()
    assert rules.tolist() == rule.tolist()


@pytest.mark.parametrize("method", deciding_methods(), ids=lambda m: f"{m.name}-{m.facts}-{getattr(m, 'preset', '')}")
@settings(deadline=None, max_examples=150)
@given(case=measured(), seed=st.integers(0, 9))
def test_every_outcome_is_among_the_possible_ones(method, case, seed):
    counted, examined = case
    plan, n = Plan(method=method), len(counted["jaccard"])
    real = relation_codes(method.rule, {**counted, **examined})
    assert real.tolist() == codes_of(method.rule.decide({**counted, **examined})[0]).tolist()
    order = np.random.default_rng(seed).permutation(2 * n)

    def arcs_of(codes):
        left, right = np.arange(n), n + np.arange(n)
        loser, _, pair = arcs(left, right, codes, order, frozenset(plan.removing), np.zeros(2 * n, bool))
        return {int(p): (int(v), int(RANK[codes[p]])) for v, p in zip(loser, pair, strict=True)}

    actual = arcs_of(real)
    bits = possible_relations(plan, counted | examined, np.arange(n))
    for pair in range(n):
        codes = [code for code in range(len(RELATIONS)) if bits[pair] >> code & 1]
        some = [arcs_of(np.full(n, code, np.uint8)).get(pair) for code in codes]
        if pair in actual:
            loser, rank = actual[pair]
            assert any(one is not None and one[0] == loser and one[1] <= rank for one in some)
        else:
            assert None in some  # no pair is certain that is none


PLACES = "北京 上海 广州 深圳 杭州 成都 武汉 西安".split()
PARTS = [
    "市政府昨天召开新闻发布会，介绍地铁四号线的建设情况，预计明年三月通车。",
    "居民对票价表示欢迎，认为两元起步比公交车更方便，也有人担心早晚高峰过于拥挤。",
    "沿线十六个车站已经全部封顶，其中三个车站可以换乘一号线和二号线。",
    "专家建议增加站外停车场，并把末班车推迟到晚上十一点半，方便夜间下班的乘客。",
    "建设单位说，工程没有延期，投资约为一百二十亿元，列车由本地工厂制造。",
]


def corpus(seed):
    """Articles with copies, contained parts, figures changed, chains of rewording, and exact copies, in no order."""
    dice = random.Random(seed)
    rows = []
    for family in range(12):
        base = [part.replace("四号线", f"{family + 3}号线") for part in dice.sample(PARTS, 4)]
        for k in range(dice.randint(2, 9)):
            parts = list(base)
            for _ in range(dice.randint(0, 2)):
                how = dice.choice("drop place figure word same".split())
                at = dice.randrange(len(parts))
                if how == "drop" and len(parts) > 1:
                    del parts[at]
                elif how == "place":
                    parts[at] = parts[at].replace("市政府", dice.choice(PLACES) + "市政府")
                elif how == "figure":
                    parts[at] = parts[at].replace("三", dice.choice("四五六"))
                elif how == "word":
                    parts[at] = parts[at].replace("乘客", "旅客").replace("预计", "估计")
            time = f"2026-03-{dice.randint(1, 28):02}"
            rows.append({"id": f"{family}-{k}", "text": "".join(parts), "time": time, "source": dice.choice("ab")})
    dice.shuffle(rows)
    return rows


def fates(found):
    ledger = found.ledger.drop_columns(["config_hash"]) if "config_hash" in found.ledger.column_names else found.ledger
    return ledger, found.clusters, found.documents


RUNS = [
    {}, {"keep": "earliest"}, {"keep": "shortest"}, {"facts": "remove"}, {"preset": "training"}, {"method": "short-text"},
    {"relations": "exact,duplicate"}, {"keep": "source:b>a,latest", "protect": ["3-1", "5-0", "7-1"]}, {"preset": "lenient"},
]  # fmt: skip


@pytest.mark.parametrize(("options", "seed"), two_of_each(RUNS, range(6)))
def test_a_run_that_examines_where_it_decides_removes_what_a_full_one_removes(seed, options):
    rows = corpus(seed)
    few, every = (qc.dedup(rows, differences=which, recall_sample=0, **options) for which in ("deciding", "all"))
    for mine, theirs in zip(fates(few), fates(every), strict=True):
        assert mine == theirs
    # What is examined equals the full run; what is not claims nothing, and is examined when somebody looks.
    names = ["left_id", "right_id", "jaccard"]
    assert few.pairs.select(names) == every.pairs.select(names)
    for mine, theirs in zip(few.pairs.to_pylist(), every.pairs.to_pylist(), strict=True):
        if mine["relation"] == "unexamined":
            assert mine["facts"] is mine["differences"] is mine["aligned_left"] is mine["unexplained"] is None
            assert mine["rule"] == "differences not examined"
        else:
            assert mine == theirs
    shown = few._run.examined_pairs.drop_columns(["differences"])
    assert shown == pa.table(every.pairs.drop_columns(["differences"]))


def test_few_pairs_of_a_family_are_examined():
    text = "".join(PARTS)
    rows = [{"id": f"{k:02}", "text": text[: len(text) - k % 7] + "记者" * (k % 3)} for k in range(40)]
    for options in ({}, {"facts": "remove"}):
        found = qc.dedup(rows, recall_sample=0, **options)
        near = [one["relation"] for one in found.pairs.to_pylist() if one["relation"] != "exact"]
        assert near.count("unexamined") > len(near) / 2
        assert found.counts["removed"] == 39


def test_a_pair_that_removes_whatever_it_is_is_examined_for_the_ledger_alone():
    # Each of these is a copy or a variant, and goes for the longest in either case: one pair of each is examined.
    rows = [
        {"id": f"{k}", "text": "".join(PARTS).replace("三个", f"{'三四五六七八'[k]}个") + "。" * k} for k in range(6)
    ]
    found = qc.dedup(rows, facts="remove", templates="remove", recall_sample=0)
    assert found.counts["removed"] == 5
    assert [one for one in found.pairs["relation"].to_pylist()].count("unexamined") == len(found.pairs) - 5
