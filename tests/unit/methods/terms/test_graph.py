"""Covers: graph: nodes, edges, synonyms, who meets.

Compared against: the worked example, graphs in plain Python on every pair. Run: pytest tests/unit/methods/terms/test_graph.py
"""

import random
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quchong as qc
from quchong.engines.local.joins import meet
from quchong.errors import InputError, UsageError
from quchong.features.synonyms import Synonyms
from quchong.methods.terms.graph import Graph
from quchong.seam import Documents, settings_of


def documents(*texts):
    return Documents.from_texts(pa.array(texts, pa.large_string()))


def every_pair(n):
    return np.triu_indices(n, 1)


def graph_of(text, window, directed):
    nodes, edges = set(), Counter()
    for sentence in text.split("."):
        words = sentence.split()
        nodes |= set(words)
        for i, word in enumerate(words):
            for other in words[i + 1 : i + window]:
                edges[(word, other) if directed else tuple(sorted((word, other)))] += 1
    return nodes, edges


def by_definition(one, other, share):
    (a, e), (b, f) = one, other
    common, whole = sum((e & f).values()), sum((e | f).values())
    between = common / whole if whole else 0.0
    return (share * len(a & b) / len(a | b) + (1 - share) * between) if between else 0.0


def test_the_worked_example():
    """4 edges each, 3 in common: Jaccard 0.6; the nodes are the same."""
    texts = documents("the cat chased the mouse", "the mouse chased the cat")
    found = Graph(stop_words="none").evidence_of(texts, np.array([0]), np.array([1]))
    assert float(found["evidence"][0]) == pytest.approx(0.3 * 1.0 + 0.7 * 0.6)
    assert [float(found[f"covered_{s}"][0]) for s in ("left", "right")] == [0.75, 0.75]
    alone = Graph(stop_words="none", nodes=0).evidence_of(texts, np.array([0]), np.array([1]))
    assert float(alone["evidence"][0]) == pytest.approx(0.6)


texts_ = st.lists(st.lists(st.sampled_from("abcdefg."), max_size=25).map(" ".join), min_size=2, max_size=6)


@settings(max_examples=80, deadline=None)
@given(texts_, st.integers(2, 4), st.booleans(), st.floats(0, 0.4))
def test_likeness_is_that_of_the_definition(texts, window, directed, share):
    method = Graph(stop_words="none", window=window, directed=directed, nodes=share, min_features=1)
    left, right = every_pair(len(texts))
    found = method.evidence_of(documents(*texts), left, right)
    graphs = [graph_of(t, window, directed) for t in texts]
    for k, (i, j) in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
        assert found["evidence"][k] == pytest.approx(by_definition(graphs[i], graphs[j], share))
        common = sum((graphs[i][1] & graphs[j][1]).values())
        assert found["covered_left"][k] == pytest.approx(common / max(1, graphs[i][1].total()))


def corpus(seed, n=70):
    rng = random.Random(seed)
    vocabulary = [f"w{i}" for i in range(30)]
    texts = []
    for _ in range(n):
        if texts and rng.random() < 0.6:
            own = rng.choice(texts).split()
            own = [w if rng.random() < 0.85 else rng.choice(vocabulary) for w in own][rng.randrange(20) :]
        else:
            own = rng.choices(vocabulary, k=rng.randrange(10, 60))
        texts.append(" ".join(own))
    return texts


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"nodes": 0.0, "threshold": 0.3},
        {"window": 4, "least": 0.05},
        {"least": 0.5, "nodes": 0.45},
        {"directed": False},
    ],
)
def test_every_pair_the_rule_accepts_meets(how):
    for seed in range(3):
        texts = documents(*corpus(seed))
        method = Graph(stop_words="none", most=0, **how)
        left, right = every_pair(len(texts))
        accepted = method.rule.floor(method.evidence_of(texts, left, right))
        met = meet(method.candidates, texts, None, 0)
        true = set(zip(left[accepted].tolist(), right[accepted].tolist(), strict=True))
        assert true <= set(zip(met.left.tolist(), met.right.tolist(), strict=True)) and len(true) > 10


def test_synonyms_are_one_node(tmp_path):
    a = "昨天他在城里买了一辆红色的汽车，花了三万元，又开车去海边看望父母。"
    b = "昨天他在城里购买了一辆红色的轿车，花了三万元，又开车去海边看望父母。"
    file = tmp_path / "synonyms.txt"
    file.write_text("﻿汽车 轿车\n\n买，购买\n", "utf-8")
    without = qc.compare(a, b, method="graph").measures["evidence"]
    one, other = (
        qc.compare(a, b, method="graph", synonyms=given).measures["evidence"]
        for given in ("汽车=轿车,买=购买", str(file))
    )
    assert without < 0.9 and one == other == 1.0
    assert (
        settings_of(Graph(synonyms=str(file)))["synonyms"] == "汽车=轿车,买=购买"
    )  # no path in what a run is known by


@pytest.mark.parametrize(
    ("given", "said"),
    [("汽车=轿车,车=汽车", "has '汽车', which group 1 already has"), ("汽车=", "has only the word"), ("nowhere.txt", "cannot be read")],
)  # fmt: skip
def test_wrong_synonyms_are_named(given, said):
    with pytest.raises((UsageError, InputError), match=said):
        Synonyms.parse(given)


def test_wrong_lines_of_a_file_are_named(tmp_path):
    file = tmp_path / "s.txt"
    file.write_text("big large\nhouse\n", "utf-8")
    with pytest.raises(UsageError, match="line 2 has only the word 'house'"):
        Graph(synonyms=str(file))
    file.write_bytes(b"\xff\xfe\x00big")
    with pytest.raises(InputError, match="UTF-8"):
        Graph(synonyms=str(file))


@pytest.mark.parametrize(
    "wrong",
    [{"nodes": 0.5}, {"threshold": 0.2}, {"window": 1}, {"least": 0.9}, {"nodes": 1.0}, {"tokens": "bytes"}, {"min_features": 0},
     {"stop_words": "nolist"}],
)  # fmt: skip
def test_what_cannot_be_used_is_refused(wrong):
    with pytest.raises(UsageError):
        Graph(**wrong)


def test_neighbours_are_of_one_sentence():
    found = Graph(stop_words="none", min_features=1).sets_of(
        documents("rain fell. town slept.", "rain fell town slept")
    )
    assert found.lengths.tolist() == [2, 3]
