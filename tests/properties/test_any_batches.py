"""Covers: what engines ask of a method, held to it for every method: documents and pairs cut into batches in any way, in any order,
give the same digests, keys, sets, signatures, prefixes, measures, differences, relations and rules as all of them at once.

Spark is given nothing else of a method: what is made here of batches of documents is made by the Spark engine's own function, of
the plan as its workers receive it. Compared against: one batch. Run: pytest tests/properties/test_any_batches.py (no Java).
"""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from answer_corpus import small_corpus
from hypothesis import example, given, settings
from hypothesis import strategies as st
from spark_options import EACH, MORE
from word_hash_tables import forget_tables

from quchong.decision.differing import looked_at
from quchong.plan.catalogue import METHODS, build
from quchong.plan.request import make_plan
from quchong.seam import Documents, SetJoin, engines_of, with_statistics
from quchong.text import normalise

pytest.importorskip("pyspark", reason="pyspark is not installed: pip install 'quchong[spark]'")
from pyspark import cloudpickle

from quchong.engines.spark.documents import COLUMN, DESCRIBED, ID, SCOPE, TEXT, described
from quchong.engines.spark.rows import columns_of
from quchong.engines.spark.scores import measures_of

ON_SPARK = [*EACH.items(), *MORE]
ELSEWHERE = [(name, {}) for name in METHODS if name not in dict(ON_SPARK)]
NOTICES = [f"订单 q{i * 7919 % 9973} 已发货，包裹 {i * 104729 % 99991} 由 carrier{i % 5} 承运。" for i in range(8)]
ROWS = [row | {"id": f"{c}-{row['id']}"} for c in (5, 8) for row in small_corpus(c)]
ROWS += [{"id": f"n{i}", "text": text} for i, text in enumerate([*NOTICES, NOTICES[3] + "请查收"])]
BY_KEYS = ("hybrid", "minhash", "short-text")
ALONE = "alone"
"""Instead of a seed: every one is a batch of its own."""


@pytest.fixture(scope="module", autouse=True)
def few_bits():
    """Hashes of words have 4 bits: what is made of a batch's own numbers of words, instead of their letters, is then seen."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(normalise, "HASH_BITS", 4)
        forget_tables()
        yield
    forget_tables()


@dataclass
class Frame:
    """As much of a Spark DataFrame as `described` needs; keeps the function instead of running it."""

    columns: list[str]
    made: Any = None

    @property
    def schema(self):
        return self

    @property
    def fields(self):
        return []

    def mapInArrow(self, made, _schema):
        self.made = made
        return self


def named(case):
    name, options = case
    return "-".join([name, *map(str, options.values())])


def as_table(rows, plan):
    """The input of `described`; every second document is of one scope."""
    given = {
        ID: [r["id"] for r in rows],
        TEXT: [r["text"] for r in rows],
        SCOPE: [str(i % 2) for i in range(len(rows))],
    }
    more = {COLUMN + c: [None if r.get(c) is None else str(r[c]) for r in rows] for c in columns_of(plan)}
    return pa.table({name: pa.array(values, pa.string()) for name, values in (given | more).items()})


def documents_of(rows, plan):
    prepared = plan.preparer.prepare(pa.array([r["text"] for r in rows], pa.large_string()), 1).texts
    columns = {name: pa.array([r.get(name) for r in rows], pa.large_string()) for name in plan.method.traits.needs}
    return Documents.from_texts(prepared, **columns)


@cache
def planned(name, options):
    """The plan of a method, which knows what it counts on a corpus, as a worker of Spark receives it."""
    plan = make_plan(method=name, id="id", recall_sample=0, **dict(options))
    statistics = plan.method.candidates.statistics
    if (statistics is not None and statistics.needed) or name.startswith("ppjoin"):
        plan = replace(plan, method=with_statistics(plan.method, documents_of(ROWS, plan), 1))
    return cloudpickle.loads(cloudpickle.dumps(plan))


def batches(n, seed):
    """All of range(n), in some order, cut into batches, one of them of one."""
    if seed == ALONE:
        return [[i] for i in range(n)]
    rng = random.Random(seed)
    order = rng.sample(range(n), n)
    cuts = sorted({1, *rng.sample(range(2, n), rng.randint(1, 7))})
    return [order[a:b] for a, b in itertools.pairwise([0, *cuts, n])]


def frozen(options):
    return tuple(sorted(options.items()))


@cache
def all_described(name, options):
    """The function of a worker, its input, and what it makes of all of that at once."""
    plan = planned(name, options)
    table = as_table(ROWS, plan).combine_chunks().to_batches()[0]
    made = described(Frame(table.schema.names), plan).made
    return made, table, pa.Table.from_batches(made([table]))


@pytest.mark.parametrize("case", ON_SPARK, ids=named)
@settings(max_examples=3)
@example(seed=ALONE)
@given(seed=st.integers(0, 2**32))
def test_documents_are_described_alike_in_any_batches(case, seed):
    name, options = case
    made, table, whole = all_described(name, frozen(options))
    cut = batches(len(table), seed)
    found = pa.Table.from_batches([one for some in cut for one in made([table.take(pa.array(some))])])
    back = np.argsort(list(itertools.chain(*cut)))
    found = found.take(pa.array(back))
    for column in whole.column_names:
        assert found[column].combine_chunks().equals(whole[column].combine_chunks()), column
    assert whole.num_rows == len(ROWS) and {f.name for f in DESCRIBED} <= {*whole.column_names}


@pytest.mark.parametrize("case", [case for case in ON_SPARK if case[0] in BY_KEYS], ids=named)
@settings(max_examples=3)
@given(seed=st.integers(0, 2**32))
def test_keys_are_alike_in_any_batches_and_where_tokens_are_kept(case, seed):
    """On one machine features are made with the tokens, which later steps use."""
    plan = planned(case[0], frozen(case[1]))
    texts = documents_of(ROWS, plan).texts

    def keys(some, keep):
        found = plan.method.candidates.keys(plan.method.represent(texts.take(np.array(some)), 1, keep))
        weights = zip(found.size.tolist(), found.window.tolist(), strict=True)
        return list(
            zip((found.values[a:b].tolist() for a, b in itertools.pairwise(found.offsets)), weights, strict=True)
        )

    whole = keys(range(len(ROWS)), False)
    assert keys(range(len(ROWS)), True) == whole
    for some in batches(len(ROWS), seed):
        assert keys(some, True) == [whole[i] for i in some]


def test_such_descriptions_say_something():
    """Of each method some documents have keys, and near-copies have keys in common; equal digests are all that `exact` needs."""
    for name, options in ON_SPARK:
        if name == "exact":
            continue
        keys = all_described(name, frozen(options))[2]["keys"].to_pylist()
        lists = list(itertools.chain(*(set(some) for some in keys)))
        assert len(lists) > len(set(lists)) > 1, (name, options)


PAIRS = [(a, b) for a, b in itertools.combinations(range(len(ROWS)), 2) if b - a < 4]
"""Neighbours, among which are the members of a family."""


def judged(plan, documents, left, right):
    """All that a run keeps of pairs, in columns, and what it says of those it lists."""
    method, join = plan.method, plan.method.candidates
    left, right = np.asarray(left, np.uint32), np.asarray(right, np.uint32)
    out = {}
    if isinstance(join, SetJoin) and join.prefixes is not None:
        out["screened"] = join.prefixes.screened(documents, left, right, 1)
    if isinstance(join, SetJoin) and join.noise is not None:  # as an engine does that took the noise out itself
        whole = join.sets(documents, 1)
        known = join.noise.noise
        kept = whole if known is None else known.without(whole, documents.column("site"))
        measures = join.noise.score_sets(
            documents, kept, join.noise.weight(whole.lengths, kept.lengths), left, right, 1
        )
    else:
        measures = method.score(documents, left, right, 1)
    out |= {name: np.asarray(values) for name, values in measures.items()}
    out["listed"] = method.rule.floor(measures)
    listed = np.flatnonzero(out["listed"])
    measures = {name: values[listed] for name, values in measures.items()}
    measures, lists = looked_at(
        method, documents, left[listed], right[listed], measures, 1, {}, np.arange(len(documents))
    )
    relation, rule = method.rule.decide(measures)
    said = {name: measures[name] for name in set(measures) - set(out)}
    said |= {"relation": relation, "rule": rule, "threshold": method.rule.threshold_used(measures, rule)}
    told = [None] * len(listed) if lists is None else lists.to_pylist()
    find = method.extras.passages
    passages = None if find is None else find(documents, left[listed], right[listed], 1)
    if passages is not None:
        told = list(
            zip(told, (passages.places[a:b].tolist() for a, b in itertools.pairwise(passages.offsets)), strict=True)
        )
    return out, listed, said, told


@cache
def all_judged(name, options):
    plan = planned(name, options)
    documents = documents_of(ROWS, plan)
    if getattr(plan.method.candidates, "noise", None) is not None:
        plan = replace(plan, method=with_statistics(plan.method, documents, 1))
    return plan, documents, judged(plan, documents, *zip(*PAIRS, strict=True))


def equal(a, b):
    """Bit for bit, and of one type."""
    return a.dtype == b.dtype and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")


@pytest.mark.parametrize("case", [*ON_SPARK, *ELSEWHERE], ids=named)
@settings(max_examples=3)
@given(seed=st.integers(0, 2**32))
def test_pairs_are_judged_alike_in_any_batches(case, seed):
    """A batch has the documents of its pairs, in the order in which its pairs name them, and no others."""
    name, options = case
    plan, documents, (whole, listed, said, told) = all_judged(name, frozen(options))
    place = {int(i): k for k, i in enumerate(listed)}
    met = 0
    for some in batches(len(PAIRS), seed):
        sides = [i for side in (0, 1) for i in (PAIRS[k][side] for k in some)]
        own = list(dict.fromkeys(sides))
        at = [own.index(i) for i in sides]
        mine = documents.take(np.array(own, np.int64))
        out, here, words, lists = judged(plan, mine, at[: len(some)], at[len(some) :])
        for column, values in out.items():
            assert equal(values, whole[column][some]), column
        rows = [place[some[i]] for i in here]
        for column, values in words.items():
            assert values.tolist() == said[column][rows].tolist(), column
        assert lists == [told[i] for i in rows]
        met += len(here)
    nothing = (
        name == "exact" or options.get("scope") == "list"
    )  # whose noise are the copies on a site: two of them suffice
    assert met == len(listed) and (met or nothing)


@pytest.mark.parametrize("case", ON_SPARK, ids=named)
def test_measures_are_named_and_typed_before_any_pair_is_scored(case):
    """Spark is told the columns of a stage before it runs."""
    plan, _, (whole, _, said, _) = all_judged(case[0], frozen(case[1]))
    kinds = measures_of(plan)
    found = {**whole, **said}
    assert {name: found[name].dtype for name in kinds} == kinds
    assert {*found} - {*kinds} <= {"screened", "listed", "relation", "rule", "threshold"}


@pytest.mark.parametrize("case", [case for case in ON_SPARK if case[0].startswith("ppjoin")], ids=named)
@settings(max_examples=6)
@example(seed=ALONE)
@given(seed=st.integers(0, 2**32))
def test_prefixes_are_alike_in_any_batches(case, seed):
    plan = planned(case[0], frozen(case[1]))
    steps, sets = plan.method.candidates.prefixes, plan.method.candidates.sets(documents_of(ROWS, plan), 1)

    def prefixes(some):
        values, offsets = steps.prefixes(some, steps.known_frequency(some.values))
        return [values[a:b].tolist() for a, b in itertools.pairwise(offsets)]

    whole = prefixes(sets)
    assert sum(map(bool, whole)) > 20
    for some in batches(len(sets), seed):
        assert prefixes(sets.take(np.array(some))) == [whole[i] for i in some]


def test_every_method_that_says_so_is_here():
    tested = dict(ON_SPARK)
    assert {name for name in METHODS if "spark" in engines_of(build(name))} == {*tested}
