"""Covers: lcs: longest common subsequences and substrings, who meets, passages, texts that are too long.

Compared against: the textbook tables, every pair by hand. Run: pytest tests/unit/methods/passages/test_lcs.py
"""

import random

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quchong as qc
from quchong.engines.local.joins import meet
from quchong.errors import UsageError
from quchong.kernels.arrays import Ragged
from quchong.methods.passages.lcs import Lcs
from quchong.seam import Documents
from quchong.similarity.subsequence import common_subsequence, common_subsequences

tokens = st.lists(st.integers(0, 5), max_size=40)
LEFT, RIGHT = "a b c b d a b", "b d c a b a"


def subsequence_table(a, b):
    row = [0] * (len(b) + 1)
    for x in a:
        diagonal, row = row, [0]
        for j, y in enumerate(b):
            row.append(diagonal[j] + 1 if x == y else max(diagonal[j + 1], row[j]))
    return row[-1]


def substring_table(a, b):
    best, row = 0, [0] * (len(b) + 1)
    for x in a:
        row = [0] + [row[j] + 1 if x == y else 0 for j, y in enumerate(b)]
        best = max(best, *row)
    return best


def shares(method, *texts):
    found = method.evidence_of(Documents.from_texts(pa.array(texts, pa.large_string())), np.array([0]), np.array([1]))
    return tuple(float(found[k][0]) for k in ("covered_left", "covered_right", "evidence"))


def test_the_textbook_example():
    """ABCBDAB and BDCABA: 4 in order (BCBA), 2 in a run (AB, BD)."""
    assert shares(Lcs(), LEFT, RIGHT) == (4 / 7, 4 / 6, 4 / 7)
    assert shares(Lcs(measure="substring"), LEFT, RIGHT) == (2 / 7, 2 / 6, 2 / 7)
    assert shares(Lcs(), "今天下雨了", "今天没下雨") == (4 / 5, 4 / 5, 4 / 5)
    assert shares(Lcs(measure="substring"), "今天下雨了", "今天没下雨") == (2 / 5, 2 / 5, 2 / 5)
    assert shares(Lcs(), "", "今天下雨") == shares(Lcs(measure="substring"), "今天下雨", "！") == (0, 0, 0)


@settings(max_examples=300, deadline=None)
@given(tokens, tokens)
def test_a_subsequence_is_that_of_the_table(a, b):
    x, y = np.array(a, np.uint32), np.array(b, np.uint32)
    assert common_subsequence(x, y) == common_subsequence(y, x) == subsequence_table(a, b)
    both = Ragged(np.concatenate([x, y]), np.array([0, len(a), len(a) + len(b)]))
    assert common_subsequences(both, np.array([0, 1, 0]), np.array([1, 0, 0])).tolist() == [
        subsequence_table(a, b), subsequence_table(a, b), len(a),
    ]  # fmt: skip


def test_long_sequences_over_many_words():
    rng = random.Random(2)
    a = [rng.randrange(50) for _ in range(700)]
    b = [x if rng.random() < 0.7 else rng.randrange(50) for x in a[30:]]
    assert common_subsequence(np.array(a), np.array(b)) == subsequence_table(a, b)


def corpus(seed, n=60):
    """Texts of few words, so that chance finds much in common: copies with gaps, cuts and insertions among them."""
    rng = random.Random(seed)
    texts = []
    for _ in range(n):
        if texts and rng.random() < 0.6:
            words = rng.choice(texts).split()
            if rng.random() < 0.5:
                words = [w for w in words if rng.random() < 0.9]
            else:
                at = rng.randrange(len(words))
                words[at:at] = rng.choices("abcdefgh", k=rng.randrange(30))
        else:
            words = rng.choices("abcdefgh", k=rng.randrange(5, 60))
        texts.append(" ".join(words) or "a")
    return texts


@pytest.mark.parametrize("measure", ["subsequence", "substring"])
@pytest.mark.parametrize("least", [0.8, 0.4])
def test_every_pair_the_rule_accepts_meets(measure, least):
    table = subsequence_table if measure == "subsequence" else substring_table
    for seed in range(3):
        texts = corpus(seed)
        method = Lcs(measure=measure, least=least, most=0)
        documents = Documents.from_texts(pa.array(texts, pa.large_string()))
        met = meet(method.candidates, documents, None, 0)
        left, right = np.triu_indices(len(texts), 1)
        found = method.evidence_of(documents, left, right)
        words = [t.split() for t in texts]
        common = np.array([table(words[a], words[b]) for a, b in zip(left, right, strict=True)])
        size = np.array([len(w) for w in words])
        assert np.array_equal(found["covered_left"], common / size[left])
        assert np.array_equal(found["covered_right"], common / size[right])
        assert np.array_equal(found["evidence"], common / np.maximum(size[left], size[right]))
        wanted = common / np.minimum(size[left], size[right]) >= least
        true = set(zip(left[wanted].tolist(), right[wanted].tolist(), strict=True))
        assert true <= set(zip(met.left.tolist(), met.right.tolist(), strict=True)) and len(true) >= 10


def test_relations_and_the_passage_of_a_substring():
    whole = "市政府今天召开了新闻发布会介绍今年的各项工作记者提出了许多问题市长逐个作了回答会议开得很成功"
    assert len(whole) == 46
    rows = [{"id": "a", "text": whole}, {"id": "b", "text": whole[:9] + "，另外，" + whole[9:]},
            {"id": "c", "text": whole[5:25]}, {"id": "d", "text": "会" + whole[20:25] + "另行通知"}]  # fmt: skip
    for measure, told in (
        ("subsequence", {("a", "b"): "duplicate", ("a", "c"): "contains", ("b", "c"): "contains"}),
        ("substring", {("a", "b"): "contained_in", ("a", "c"): "contains", ("b", "c"): "contains"}),  # 37 of 46, of 48
    ):
        found = qc.dedup(rows, method="lcs", measure=measure, recall_sample=0)
        assert {(p["left_id"], p["right_id"]): p["relation"] for p in found.pairs.to_pylist()} == told
    one = qc.compare(rows[0]["text"], rows[1]["text"], method="lcs", measure="substring")
    (passage,) = one.passages
    assert whole[passage.start : passage.end] == whole[9:] and one.measures["covered_left"] == 37 / 46


def test_the_longest_run_of_several_and_none():
    texts = ["云河 a b c d e f g h 天地", "x a b c y c d e f g h", "q w e r t z u i"]
    method = Lcs(measure="substring", tokens="auto")
    documents = Documents.from_texts(pa.array(texts, pa.large_string()))
    spans = method.passages(documents, np.array([0, 0, 1]), np.array([1, 2, 0]))
    assert [texts[0][a:b] for a, b, _, _ in spans.places[spans.pair == 0]] == ["c d e f g h"]
    assert [texts[0][c:d] for _, _, c, d in spans.places[spans.pair == 2]] == ["c d e f g h"]
    assert [texts[2][c:d] for _, _, c, d in spans.places[spans.pair == 1]] == ["e"]


def test_texts_that_are_too_long_are_named():
    text = "市政府今天召开了新闻发布会介绍今年的十项工作记者提出了十二个问题"
    rows = [{"id": "a", "text": text}, {"id": "b", "text": text + "了"}, {"id": "c", "text": text[:25]},
            {"id": "d", "text": text + "！"}]  # fmt: skip
    result = qc.dedup(rows, method="lcs", longest=30, recall_sample=0)
    assert [(p["left_id"], p["right_id"], p["relation"]) for p in result.pairs.to_pylist()] == [("a", "d", "exact")]
    alarm, unseen = result.manifest["alarms"]
    assert unseen["kind"] == "many without features" and result.unscored == ["a", "b", "d"]
    assert (
        alarm["figures"] == {"documents": 2, "longest": 30}
        and "such documents were only checked for equality" in alarm["message"]
    )


@pytest.mark.parametrize("measure", ["subsequence", "substring"])
def test_a_text_that_is_too_long_is_no_evidence(measure):
    short, long = "a b c d e f", " ".join("abcdefghijkl")
    documents = Documents.from_texts(pa.array([short, long, long], pa.large_string()))
    left, right = np.array([0, 1]), np.array([1, 2])
    found = Lcs(measure=measure, longest=11).evidence_of(documents, left, right)
    assert found["evidence"].tolist() == [0, 0] and found["covered_left"].tolist() == [0, 0]
    assert Lcs(measure=measure, longest=12).evidence_of(documents, left, right)["covered_left"].tolist() == [1, 1]


@pytest.mark.parametrize(
    "wrong",
    [{"measure": "sequence"}, {"longest": 0}, {"least": 0.9}, {"threshold": 0}, {"containment": 1.5}, {"tokens": "word"},
     {"most": -1}],
)  # fmt: skip
def test_what_cannot_be_used_is_refused(wrong):
    with pytest.raises(UsageError):
        Lcs(**wrong)
