"""Covers: one relation for a pair, whoever asks: `compare`, a run over two or over many, a run against another corpus, and
`rethreshold`, which is a new run or refused. For every method.

Compared against: each other. What a method counts on a corpus is given to all of them alike, but for pairs alone, where each
counts on the two. Of exact copies (with one address, where a method looks at that) the first by id is compared for all: so a
pair's relation is that of the first ones, and an exact copy of a document of the other corpus is not compared with others
there. A method that is not lossless may miss what it does not remove; `cluster` compares members of one cluster only.
"""

import functools
import itertools
import random

import pyarrow as pa
import pytest
from answer_corpus import small_corpus
from method_kinds import of_each_kind

import quchong as qc
from quchong.api import fit_statistics
from quchong.pages import sites
from quchong.parameters import parameters_of
from quchong.plan.catalogue import METHODS
from quchong.relations import ACCEPTED, EXACT, MIRROR

WIDE = {
    "hybrid": {"threshold": 0.35}, "minhash": {"threshold": 0.4}, "two-stage": {"distance": 7}, "short-text": {"threshold": 0.5},
    "shingling": {"threshold": 0.4, "containment": 0.7}, "ccdet": {"threshold": 0.3}, "lsh": {"threshold": 0.4},
    "lsh-s": {"threshold": 0.4}, "lsh-p": {"threshold": 0.3}, "koala": {"least": 0.1},
    "simhash": {"threshold": 0.75}, "random-projection": {"threshold": 0.75}, "henzinger": {"threshold": 0.6, "rows": 3},
}  # fmt: skip
"""Parameters of the runs that are decided again: wide ones."""
WEIGHED = {"simhash": {"weights": "idf"}, "henzinger": {"weights": "tf-idf"}}
"""Parameters without which a method takes no statistics."""
CHANGES = (
    *({"threshold": t} for t in (0.2, 0.5, 0.65, 0.8, 0.95)), {"containment": 0.75}, {"containment": 0.95}, {"verify": "exact"},
    {"distance": 3}, {"distance": 9}, {"ratio": 0.9}, {"agree": 5}, {"least": 0.35}, {"least": 0.05},
    {"verify": "exact", "threshold": 0.8}, {"threshold": 0.7, "containment": 0.9},
)  # fmt: skip


@functools.cache
def corpus(seed):
    return small_corpus(seed)


@functools.cache
def frozen(name, seed):
    """Parameters under which nothing is left to count on a corpus."""
    if name == "ccdet":
        return {"prune": "none"}
    if name == "two-stage":
        return {"weights": "idf", "statistics": fit_statistics([r["text"] for r in corpus(seed)])}
    weighed = WEIGHED.get(name, {})
    if "statistics" in parameters_of(METHODS[name]):
        return {**weighed, "statistics": fit_statistics(corpus(seed), method=name, **weighed)}
    return {}


def relations(table):
    """Relation and rule by pair of ids, the smaller one first."""
    found = {}
    for p in table.to_pylist():
        left, right = (p[side].removeprefix("against/") for side in ("left_id", "right_id"))
        relation = p["relation"] if left < right else MIRROR.get(p["relation"], p["relation"])
        found[min(left, right), max(left, right)] = relation, p["rule"]
    return found


def firsts(name, seed, found, order):
    """The document that is compared for each: the first of its exact copies that agree in what the method sees beside the text."""
    rows = {r["id"]: r for r in corpus(seed)}
    urls = pa.array([r["url"] for r in rows.values()], pa.large_string())
    site = sites(pa.array([r["site"] for r in rows.values()], pa.large_string()), urls).to_pylist()
    known = {i: dict(r, site=s) for (i, r), s in zip(rows.items(), site, strict=True)}
    needs = METHODS[name].traits.needs
    first = {}
    for pair, (relation, _) in found.items():
        if relation == EXACT and all(known[pair[0]][n] == known[pair[1]][n] for n in needs):
            least = min(pair, key=order)
            for i in pair:
                first[i] = min(first.get(i, least), least, key=order)
    return first


class Question:
    """Relations by `compare`, of each pair once."""

    def __init__(self, name, seed):
        self.seed, self.rows, self.known = seed, {r["id"]: r for r in corpus(seed)}, {}
        self.options = {"method": name, **frozen(name, seed)}

    def __call__(self, left, right):
        pair = min(left, right), max(left, right)
        if pair not in self.known:
            told = qc.compare(*(self.rows[i] for i in pair), **self.options)
            self.known[pair] = (told.relation, told.rule)
        return self.known[pair]


ALL = pytest.param(10**6, marks=pytest.mark.campaign)
"""A campaign asks about every pair that a run found; the suite about some of them."""


def hold(name, found, asked, sample, most, order=str):
    """Every pair found, or as many as are asked about, is what `compare` says of the first ones, and every other one of the sample is nothing to it."""
    first = firsts(name, asked.seed, found, order)
    drawn = random.Random(1).sample(sorted(found), min(most, len(found)))
    for pair in sorted({*drawn, *sample}):
        left, right = (first.get(i, i) for i in pair)
        if left == right:
            assert found[pair][0] == EXACT, pair
            continue
        wanted = asked(left, right)
        if (left < right) != (pair[0] < pair[1]):
            wanted = MIRROR.get(wanted[0], wanted[0]), wanted[1]
        if pair in found:
            assert found[pair] == wanted, (name, pair)
        elif METHODS[name].traits.lossless:
            assert wanted[0] == "none", (name, pair, wanted)
        elif name != "cluster":
            assert wanted[0] not in ACCEPTED, (name, pair, wanted)


@pytest.mark.parametrize("most", [10, ALL])
@pytest.mark.parametrize("name", METHODS)
def test_compare_says_what_a_run_says(name, most):
    seed = 1 + len(name) % 2
    rows, options = corpus(seed), {"method": name, "recall_sample": 0, "workers": 1, **frozen(name, seed)}
    found = relations(qc.dedup(rows, **options).examined_pairs)
    every = list(itertools.combinations(sorted(r["id"] for r in rows), 2))
    asked, sample = Question(name, seed), random.Random(seed).sample(every, min(20, most))
    hold(name, found, asked, sample, most)
    # against another corpus: pairs of one of each
    mine, theirs = rows[::2], rows[1::2]
    ids = {r["id"] for r in theirs}
    across = relations(qc.dedup(mine, against=theirs, only_against=True, **options).examined_pairs)
    assert all(len(ids.intersection(pair)) == 1 for pair in across)
    within = {p: r for p, r in found.items() if r[0] == EXACT}
    known = {i for p in within if ids.intersection(p) for i in p} - ids  # stand in the other corpus
    sample = [p for p in found if len(ids.intersection(p)) == 1 and not known.intersection(p)]
    hold(name, within | across, asked, sample[:most], most, lambda i: (i not in ids, i))


@pytest.mark.parametrize("most", [3, pytest.param(8, marks=pytest.mark.campaign)])
@pytest.mark.parametrize("name", of_each_kind())
def test_two_documents_are_a_corpus(name, most):
    rows = corpus(3)
    found = relations(qc.dedup(rows, method=name, recall_sample=0).examined_pairs)
    rng = random.Random(4)
    pairs = rng.sample(sorted(found), min(most, len(found))) + [
        rng.sample([r["id"] for r in rows], 2) for _ in range(most // 3 + 1)
    ]
    by_id = {r["id"]: r for r in rows}
    for pair in pairs:
        two = [by_id[i] for i in sorted(pair)]
        told = qc.compare(*two, method=name)
        turned = qc.compare(*reversed(two), method=name)
        run = list(relations(qc.dedup(two, method=name, recall_sample=0).examined_pairs).values())
        if run:
            assert run[0] == (told.relation, told.rule), (name, pair)
        else:
            may = ("none",) if METHODS[name].traits.lossless else ("none", "partial", "variant")
            assert told.relation in may, (name, pair, told.rule)
        assert MIRROR.get(turned.relation, turned.relation) == told.relation, (name, pair)


def same_tables(again, fresh, *, more=False):
    """All tables are equal, but for names that only one of them looked at; with `more` there may be further pairs."""
    pairs = [{(p["left_id"], p["right_id"]): p for p in r.pairs.to_pylist()} for r in (again, fresh)]
    assert set(pairs[1]) <= set(pairs[0]) if more else set(pairs[1]) == set(pairs[0])
    for key, new in pairs[1].items():
        old = pairs[0][key]
        if old["name_swap"] is None or new["name_swap"] is None:
            old, new = ({k: v for k, v in p.items() if k != "name_swap"} for p in (old, new))
        assert old == new
    if not more:
        columns = [c for c in fresh.ledger.column_names if c != "config_hash"]
        assert again.ledger.select(columns).equals(fresh.ledger.select(columns))
        assert again.clusters.equals(fresh.clusters)
        assert again.counts["removed"] == fresh.counts["removed"] and again.counts["pairs"] == fresh.counts["pairs"]


@pytest.mark.parametrize("name", of_each_kind(also=WIDE))
def test_rethreshold_is_a_new_run_or_refused(name):
    rows, wide = corpus(2), {"method": name, "recall_sample": 0, "workers": 1, **WIDE.get(name, {})}
    once, done = qc.dedup(rows, **wide), 0
    known = parameters_of(METHODS[name])
    for change in CHANGES:
        if not set(change) <= set(known):
            continue
        try:
            again = once.rethreshold(**change)
        except qc.UsageError:
            continue
        same_tables(again, qc.dedup(rows, differences="all", **wide | change), more=name == "minhash")
        done += 1
    assert done or name == "exact"


def test_clusters_grow_by_their_threshold():
    rows = corpus(2)
    wide = qc.dedup(rows, method="cluster", threshold=0.1, recall_sample=0)
    for threshold in (0.05, 0.1, 0.6):
        with pytest.raises(qc.UsageError, match="so a new run is needed"):
            wide.rethreshold(threshold)
    same_tables(
        wide.rethreshold(verify="exact"),
        qc.dedup(rows, method="cluster", threshold=0.1, verify="exact", recall_sample=0),
    )
