"""Covers: documents that arrive one at a time, or in batches, find the pairs that a join of all of them finds, with cap, share and most on.

Every method but the eight that search by themselves, with postings in memory and in a folder, which are sealed, merged and opened again at
moments of chance. Compared against: the join of all documents in the order of arrival, as the local
engine makes it (`join_keys`, `met_by`, `near_signatures`), and `quchong.dedup`.
Run: pytest tests/properties.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from functools import cache

import numpy as np
import pyarrow as pa
import pytest
from index_records import EN, ZH, edited_copy
from matrices import each_once

import quchong as qc
from quchong import kernels
from quchong.candidates import arrivals
from quchong.candidates.arrivals import can_arrive, candidates_of, represent
from quchong.candidates.postings import MemoryPostings
from quchong.candidates.set_join import met_by
from quchong.decision.differing import looked_at
from quchong.engines.index.segments import SegmentPostings
from quchong.engines.local.joins import meet
from quchong.outputs import OwnFolder
from quchong.plan.catalogue import METHODS, build
from quchong.seam import CROWD, Documents, HammingJoin, KeyJoin, SetJoin, with_statistics
from quchong.seam import batches as batches_of_the_seam

NEVER = {"cluster", "codet", "dscam", "koala", "lsh-forest", "spotsigs", "yap3"}
UNITED = {"tree-feature-string"}
"""Method that searches by itself in a run, and by united sets on arrival: its pairs are compared in tests/promises."""
LIMITS = {"cap": 4, "most": 2}
SMALL = {"min_features": 1, "min_length": 4, "min_terms": 1, "idf_low": 0.05, "idf_high": 1.0}
"""Parameters by which short texts are compared at all."""


@cache
def texts(seed, equal=5):
    """Two families of edited copies in two languages, one sentence dropped, changed or moved at a time, in an order of chance."""
    draw = random.Random(seed)
    out = []
    for base, cut in ((ZH, "。"), (EN, ". ")):
        sentences = [s + cut for s in base.split(cut) if s]
        others = [s[::-1] for s in sentences]
        out += [base + "！" * marks for marks in range(equal)]  # equal to most methods
        for _ in range(12):
            out.append(edited_copy(sentences, others, draw, 0))
    out += ["".join(draw.sample("甲乙丙丁戊己庚辛壬癸子丑寅卯", 10)) for _ in range(4)]
    out = list(dict.fromkeys(out))
    draw.shuffle(out)
    return out


@cache
def documents(seed):
    some = texts(seed)
    n = len(some)
    columns = {
        "title": [t[:8] for t in some], "url": [f"http://site{i % 3}.com/{i % 2}" for i in range(n)],
        "site": [f"site{i % 3}.com" for i in range(n)], "blocks": ["1p"] * n,
    }  # fmt: skip
    made = {name: pa.array(values, pa.large_string()) for name, values in columns.items()}
    return Documents.from_texts(pa.array(some, pa.large_string()), **made)


def fitted(name, seed, **more):
    known = {f.name for f in METHODS[name].__dataclass_fields__.values()}
    limits = {} if name in PREFIXED else {"cap": 2} if name in SIGNED else LIMITS  # no others are theirs
    parameters = {k: v for k, v in (limits | SMALL | more).items() if k in known}
    return with_statistics(build(name, parameters), documents(seed), 1)


class Sealing:
    """Postings in a folder that are sealed, merged and opened again at moments of chance."""

    def __init__(self, path, words, seed=4):
        self._draw, self._folder, self._words = random.Random(seed), OwnFolder.made(path), words
        self._it = SegmentPostings(self._folder, words=words)
        self.lookup = self._it.lookup

    def append(self, documents):
        numbers = self._it.append(documents)
        if self._draw.random() < 0.3:
            self._it.seal()
        if self._draw.random() < 0.3 and (due := self._it.merge_due()):
            self._it.merge(due)
        if self._draw.random() < 0.1 and (records := self._it.records):
            start = self._draw.randrange(len(records))
            self._it.merge(records[start : start + self._draw.randint(1, 3)])
        if self._draw.random() < 0.1:
            self._it.seal()
            self._it = SegmentPostings(self._folder, self._it.records, words=self._words)
        self.lookup = self._it.lookup
        return numbers


@pytest.fixture(params=["memory", "folder"])
def made(request, tmp_path):
    """Makes postings of a kind: words of a signature -> postings."""
    if request.param == "memory":
        return MemoryPostings
    count = itertools.count()
    return lambda words: Sealing(tmp_path / f"postings-{next(count)}", words)


def arriving(made, method, docs, batches, **how):
    """Pairs (earlier, later) of documents that are asked for and then added, or added and then asked for, batch by batch."""
    join, known = how.pop("join", method.candidates), [represent(method, docs.take(b), workers=1) for b in batches]
    postings = made(known[0].signatures.shape[1])
    pairs, bounded = [], []
    for batch, one in zip(batches, known, strict=True):
        if len(batch) == 1:
            found, numbers = candidates_of(join, one, postings, workers=1, **how), None
            numbers = postings.append(one)
        else:
            numbers = postings.append(one)
            found = candidates_of(join, one, postings, before=numbers, workers=1, **how)
        pairs += list(zip(found.document.tolist(), numbers[found.asking].tolist(), strict=True))
        bounded += numbers[found.bounded].tolist()
    return pairs, bounded


def joined(method, docs):
    """Pairs of all documents in their order, by the joins of whole corpora; those of a `meet` are those of its sets."""
    match method.candidates:
        case KeyJoin(keys=keys_of, limits=limits):
            keys = keys_of(method.represent(docs.texts, 1))
            met = kernels.join.join_keys(
                keys.values, keys.offsets, size=keys.size, window=keys.window, cap=limits.cap, min_shared=limits.min_shared,
                share=limits.share, most=limits.most, few=limits.few, crowd=CROWD, workers=1,
            )  # fmt: skip
        case SetJoin(prefixes=None) as join:
            sets = join.sets(docs, 1)
            if join.noise is not None and join.noise.noise is not None:
                sets = join.noise.noise.without(sets, docs.column("site"))
            met = met_by(sets, join.limits, None, 0, 1)
        case join:
            met = meet(join, docs, workers=1)
    return list(zip(met.left.tolist(), met.right.tolist(), strict=True))


def decided(method, docs, pairs):
    """Relation of each listed pair, scored among all documents."""
    left, right = (np.array([p[k] for p in pairs], np.uint32) for k in (0, 1))
    measures = method.score(docs, left, right, 1)
    listed = np.flatnonzero(method.rule.floor(measures))
    some = {k: v[listed] for k, v in measures.items()}
    some, _ = looked_at(method, docs, left[listed], right[listed], some, 1, {}, np.arange(len(docs)))
    relation, rule = method.rule.decide(some)
    return {
        (int(a), int(b)): (str(r), str(s))
        for a, b, r, s in zip(left[listed], right[listed], relation, rule, strict=True)
    }


def decided_on_arrival(method, docs, pairs):
    """The same, each document scored with its own candidates alone."""
    out = {}
    for later in sorted({b for _, b in pairs}):
        mine = [a for a, b in pairs if b == later]
        here = docs.take(np.array([*mine, later]))
        found = decided(method, here, [(i, len(mine)) for i in range(len(mine))])
        out |= {(mine[i], later): told for (i, _), told in found.items()}
    return out


def singly(n):
    return [np.array([i]) for i in range(n)]


def in_batches(n, seed):
    draw = random.Random(seed)
    cuts = sorted(draw.sample(range(1, n), 4))
    return [np.arange(a, b) for a, b in zip([0, *cuts], [*cuts, n], strict=True)]


JOINED = sorted(name for name in METHODS if name not in NEVER | UNITED)
SIGNED = {name for name in JOINED if isinstance(build(name, {}).candidates, HammingJoin)}
NARROW = {name for name in SIGNED if build(name, {}).candidates.bits <= 128}
PREFIXED = {name for name in JOINED if getattr(build(name, {}).candidates, "prefixes", None) is not None}


def test_every_method_but_those_that_search_by_themselves_can():
    assert {name for name in METHODS if not can_arrive(build(name, {}).candidates)} == NEVER
    assert len(JOINED) == 37
    with pytest.raises(TypeError, match="searches by itself"):
        represent(build("spotsigs", {}), documents(1))


@pytest.mark.parametrize(
    ("name", "seed"), each_once([name for name in JOINED if name not in NARROW | PREFIXED], [1, 2])
)
def test_documents_that_arrive_find_the_pairs_of_the_join(name, seed, made):
    docs, method = documents(seed), fitted(name, seed)
    whole = joined(method, docs)
    found, bounded = arriving(made, method, docs, singly(len(docs)))
    assert found == whole
    assert arriving(made, method, docs, in_batches(len(docs), seed)) == (found, bounded)
    told = decided(method, docs, whole)
    assert decided_on_arrival(method, docs, found) == told
    if isinstance(method.candidates, SetJoin) and method.candidates.meet is not None:  # drops what scoring drops anyway
        met = meet(method.candidates, docs, workers=1)
        of_meet = list(zip(met.left.tolist(), met.right.tolist(), strict=True))
        assert set(of_meet) <= set(found)
        assert decided(method, docs, of_meet) == told
    assert whole or name == "exact"  # which finds its pairs as classes
    assert bounded or name == "exact"  # the limits were on


class Whole:
    """Postings that return whole lists, whatever is asked for."""

    def __init__(self, words):
        self._it = MemoryPostings(words)
        self.append = self._it.append

    def lookup(self, keys, **_):
        looked = self._it.lookup(keys)
        return looked._replace(lengths=np.zeros(len(keys), np.int64))  # a list is as long as it is


@pytest.mark.parametrize("name", [name for name in JOINED if name not in SIGNED | PREFIXED])
def test_the_fronts_of_lists_give_the_candidates_of_whole_lists(name, made):
    docs, method = documents(1), fitted(name, 1)
    for batches in (singly(len(docs)), in_batches(len(docs), 1)):
        assert arriving(made, method, docs, batches) == arriving(Whole, method, docs, batches)


@pytest.mark.parametrize("name", ["hybrid", "minhash", "short-text"])
def test_a_crowd_is_told_by_the_whole_list(name, made, monkeypatch):
    docs, method, found = documents(1), fitted(name, 1), []
    limits = replace(method.candidates.limits, cap=4, most=4, share=0.0)
    join = replace(method.candidates, limits=limits)
    monkeypatch.setattr(batches_of_the_seam, "FEW", 1)
    for crowd in (8, 1000):
        monkeypatch.setattr(arrivals, "CROWD", crowd)
        for batches in (singly(len(docs)), in_batches(len(docs), 1)):
            found.append(arriving(made, method, docs, batches, join=join)[0])
            assert found[-1] == arriving(Whole, method, docs, batches, join=join)[0]
    assert found[0] == found[1] != found[2] == found[3]


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", sorted(PREFIXED))
def test_the_exact_join_decides_the_same_pairs(name, seed, made):
    docs, method = documents(seed), fitted(name, seed)
    told = decided(method, docs, joined(method, docs))
    for batches in (singly(len(docs)), in_batches(len(docs), seed)):
        found, _ = arriving(made, method, docs, batches)
        assert set(joined(method, docs)) <= set(found)
        assert decided_on_arrival(method, docs, found) == told
    assert told


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", sorted(NARROW))
@pytest.mark.parametrize("distance", [3, 9])
def test_signatures_that_arrive_meet_the_first_ones_within_the_distance(name, seed, distance, made):
    docs = documents(seed)
    near = {}
    for cap in (3, 1000):
        method = fitted(name, seed, cap=cap, distance=distance)
        signed, within = method.candidates.sign(docs, 1), method.candidates.distance
        n = len(docs)
        pairs = [
            (a, b)
            for b in range(n)
            for a in [
                a for a in range(b)
                if signed.defined[a] and signed.defined[b]
                and sum((int(x) ^ int(y)).bit_count() for x, y in zip(signed.words[a], signed.words[b], strict=True)) <= within
            ][:cap]
        ]  # fmt: skip
        near[cap] = pairs
        assert arriving(made, method, docs, singly(n))[0] == pairs
        assert arriving(made, method, docs, in_batches(n, seed))[0] == pairs
        met = meet(method.candidates, docs, workers=1)
        if not met.bounded:  # the run had to bound nothing
            assert pairs == list(zip(met.left.tolist(), met.right.tolist(), strict=True))
            told = decided(method, docs, pairs)
            assert decided_on_arrival(method, docs, pairs) == told
        assert bool(met.bounded) == (cap == 3)
    assert len(near[3]) < len(near[1000])


@pytest.mark.parametrize("name", ["hybrid", "minhash", "short-text", "shingling", "winnowing"])
def test_a_run_over_ids_that_rise_lists_the_pairs_found_on_arrival(name, made):
    """The policy is by id here, so that both orders of a run are that of arrival."""
    some = texts(3, 0)  # a run joins one document of equal ones
    docs = Documents.from_texts(pa.array(some, pa.large_string()))
    known = {f.name for f in METHODS[name].__dataclass_fields__.values()}
    method = with_statistics(build(name, {k: v for k, v in LIMITS.items() if k in known}), docs, 1)
    found, bounded = arriving(made, method, docs, singly(len(docs)))
    rows = [{"id": f"{i:04d}", "text": text} for i, text in enumerate(some)]
    run = qc.dedup(rows, method=method, recall_sample=0, keep="first").pairs.to_pylist()
    listed = {(int(p["left_id"]), int(p["right_id"])): p["relation"] for p in run}
    told = decided_on_arrival(method, docs, found)
    equal = {(a, b) for (a, b), relation in listed.items() if relation == "exact"}  # found by their digest
    assert {tuple(sorted(pair)) for pair in listed} - equal == set(told) - equal
    assert bounded
    assert told
