"""Covers: check: trees of sections and their keywords, comparison from the top down, sentences, who meets.

Compared against: the worked example, trees walked in plain Python. Run: pytest tests/unit/methods/trees/test_check.py
"""

import itertools
import math
import random
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quchong as qc
from quchong import kernels
from quchong.engines.local.joins import meet
from quchong.errors import UsageError
from quchong.methods.trees.check import Check
from quchong.seam import Documents

PLAIN = {"stop_words": "none", "min_words": 1, "min_features": 1}


def documents(*rows):
    """Documents of (text, blocks, title)."""
    texts, blocks, titles = zip(
        *[(*r, None, None)[:3] if isinstance(r, tuple) else (r, None, None) for r in rows], strict=True
    )
    columns = {"blocks": pa.array(blocks, pa.large_string()), "title": pa.array(titles, pa.large_string())}
    return Documents.from_texts(pa.array(texts, pa.large_string()), **columns)


def walked(method, *rows):
    s = method.sections(documents(*rows))
    return s, method.compared(s, np.array([0]), np.array([1]))


def test_the_worked_example():
    """{bank 3, loan 2, rate 1} and {bank 2, loan 2, goal 1}: 0.891, descend; and {goal 3, team 2}: 0, no sentence is compared."""
    bank, other = "bank loan bank. rate bank loan.", "bank loan goal. loan bank."
    method = Check(**PLAIN)
    s, found = walked(method, bank, other)
    assert float(kernels.sets.dots(s.vectors, s.roots[:1], s.roots[1:2])[0]) == pytest.approx(0.891, abs=5e-4)
    assert found.compared.tolist() == [4]
    s, found = walked(method, bank, "goal team goal. team goal.")
    assert float(kernels.sets.dots(s.vectors, s.roots[:1], s.roots[1:2])[0]) == 0
    assert found.compared.tolist() == [0]


def test_a_section_under_another_subject_is_found_without_the_root():
    section = (
        "1. spring tides\nthe spring tide rises over the old harbour wall.\nfishers tie the boats twice in spring."
    )
    one = ("harbour notes\n" + section, None)
    rest = "\n".join(
        f"budget {w} rises and the council votes on the budget for {w}." for w in "roads schools parks trains".split()
    )
    other = (f"budget notes\n{rest}\n{section}", None)
    strict = walked(Check(root=0.6, **PLAIN), one, other)[1]
    loose = walked(Check(root=0.6, skip_root=True, **PLAIN), one, other)[1]
    assert strict.compared.tolist() == [0] and len(strict.pair) == 0
    assert len(loose.pair) >= 2


def test_sentences_belong_to_the_nodes_of_their_lines():
    text = "Tides\n1. Spring\nrise early. rise late.\n2. Autumn\nfall early.\n\n...\nfall late."
    s = Check(**PLAIN).sections(documents((text, None, "Tides")))
    assert s.offsets.tolist() == [0, 6]  # the root and five lines; the title is the root
    own = [len(s.own[a:b]) for a, b in itertools.pairwise(s.own_offsets)]
    children = [s.children[a:b].tolist() for a, b in itertools.pairwise(s.child_offsets)]
    assert own[0] == 1 and sum(own) == len(s.sentences.start)
    assert children == [[1, 3], [2], [], [4, 5], [], []]
    assert s.distinct.tolist() == [9]


def lines_of(text, title):
    """Lines with a word, the title's told apart, as (depth 1 and 2 by numbers) trees of plain text: (words of sentences, children)."""
    root = {"own": [], "below": []}
    head = root
    for line in text.split("\n"):
        sentences = [w for w in (x.split() for x in line.split(".")) if w]
        if not sentences:
            continue
        if title is not None and line == title and root is head and not root["below"]:
            root["own"] += sentences
            continue
        node = {"own": sentences, "below": []}
        if line[:1] in "一二三":
            root["below"].append(node)
            head = node
        else:
            head["below"].append(node)
    return root


def words_of(node):
    return sum((Counter(s) for s in node["own"]), Counter()) + sum((words_of(c) for c in node["below"]), Counter())


def cosine(a, b):
    dot = sum(a[w] * b[w] for w in a)
    return dot / math.sqrt(sum(x * x for x in a.values()) * sum(x * x for x in b.values())) if a and b else 0.0


def walk(a, b, limit, inner, share, found, counter):
    if cosine(words_of(a), words_of(b)) < limit - 1e-9:
        return
    for i, x in enumerate(a["own"]):
        for j, y in enumerate(b["own"]):
            counter[0] += 1
            if len(set(x) & set(y)) >= share * max(len(set(x)), len(set(y))) - 1e-9:
                found.add((id(a["own"][i]), id(b["own"][j])))
    if a["below"] or b["below"]:
        for x in a["below"] or [a]:
            for y in b["below"] or [b]:
                walk(x, y, inner, inner, share, found, counter)


line = st.lists(
    st.lists(st.sampled_from(["ax", "bx", "cx", "dx", "ex"]), min_size=1, max_size=4).map(" ".join), max_size=3
).map(". ".join)
text_ = st.lists(st.tuples(st.sampled_from(["", "", "一、zx "]), line).map("".join), min_size=1, max_size=7).map(
    "\n".join
)


@settings(max_examples=120, deadline=None)
@given(text_, text_, st.floats(0.05, 0.9), st.floats(0.05, 0.9), st.floats(0.3, 1))
def test_what_is_compared_is_what_a_walk_compares(one, other, root, inner, share):
    _, found = walked(Check(root=root, inner=inner, share=share, keywords=10_000, tokens="auto", **PLAIN), one, other)
    a, b = (lines_of(t.replace("一、", "一 "), None) for t in (one, other))
    pairs, counter = set(), [0]
    walk(a, b, root, inner, share, pairs, counter)
    assert found.compared.tolist() == [counter[0]]
    assert len(found.pair) == len(pairs)


def corpus(seed, n=40):
    rng = random.Random(seed)
    vocabulary = [f"w{i}" for i in range(120)]

    def sentence():
        k = rng.randrange(4) * 30
        return " ".join(rng.choices(vocabulary[k : k + 30], k=rng.randrange(5, 9))) + "."

    made = []
    for _ in range(n):
        if made and rng.random() < 0.6:
            lines = rng.choice(made).split("\n")
            lines = [x if rng.random() < 0.8 else " ".join(sentence() for _ in range(2)) for x in lines]
            made.append("\n".join(lines[rng.randrange(3) :]))
        else:
            made.append("\n".join(" ".join(sentence() for _ in range(3)) for _ in range(6)))
    return made


@pytest.mark.parametrize("how", [{}, {"skip_root": True}, {"root": 0.7, "least": 0.3}, {"keywords": 5, "inner": 0.2}])
def test_every_pair_the_rule_accepts_meets(how):
    for seed in range(2):
        texts = documents(*corpus(seed))
        method = Check(most=0, **how)
        left, right = np.triu_indices(len(texts), 1)
        accepted = method.rule.floor(method.evidence_of(texts, left, right))
        met = meet(method.candidates, texts, None, 0)
        true = set(zip(left[accepted].tolist(), right[accepted].tolist(), strict=True))
        assert true == set(zip(met.left.tolist(), met.right.tolist(), strict=True)) and len(true) > 5


def test_subjects_that_differ_cost_no_sentence():
    """Far fewer comparisons of sentences than every sentence with every other."""
    texts = documents(*corpus(5, 30))
    method = Check()
    s = method.sections(texts)
    left, right = np.triu_indices(30, 1)
    spoken = s.sentences.counts
    made, all_ = method.compared(s, left, right).compared.sum(), (spoken[left] * spoken[right]).sum()
    assert 0 < made < all_ / 5


def test_pieces_change_nothing(monkeypatch):
    texts = documents(*corpus(9, 20))
    method, (left, right) = Check(), np.triu_indices(20, 1)
    whole = method.evidence_of(texts, left, right)
    monkeypatch.setattr("quchong.features.sections.BLOCK", 7)
    again = method.evidence_of(texts, left, right)
    assert all(np.array_equal(whole[k], again[k]) for k in whole) and whole["evidence"].max() > 0.3


def test_sentences_in_common_are_the_passages():
    a = "云河地铁四号线开始空载试运行，列车不载客。各个系统都要检验，看它能否长时间稳定运行。市民关心票价和开通的日子。"
    b = a.replace("各个系统", "所有系统")
    found = qc.compare(a, b, method="check", share=0.6)
    assert found.relation == "duplicate" and found.measures["covered_left"] == 1
    kinds = [(a[p.start : p.end], p.kind) for p in found.passages]
    assert len(kinds) == 3 and [k for _, k in kinds] == ["exact", "near", "exact"]


@pytest.mark.parametrize(
    "wrong",
    [{"root": 0}, {"inner": 1.5}, {"share": 0}, {"keywords": 0}, {"min_words": 0}, {"least": 0.9}, {"tokens": "bytes"},
     {"stop_words": "nolist"}],
)  # fmt: skip
def test_what_cannot_be_used_is_refused(wrong):
    with pytest.raises(UsageError):
        Check(**wrong)
