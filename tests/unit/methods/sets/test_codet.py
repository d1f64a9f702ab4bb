"""Covers: paths of the corpus tree, their weights, the method codet.

Compared against: a worked example, plain Python. Run: pytest tests/unit/methods.
"""

import math

import numpy as np
import pyarrow as pa
import pytest
from twins import features as ref

import quchong as qc
from quchong import kernels
from quchong.errors import UsageError
from quchong.features.paths import ONE, Paths, word_values
from quchong.methods.sets.codet import CoDet
from quchong.seam import Documents, with_statistics
from quchong.text import form

LEFT, RIGHT = np.array([0], np.uint32), np.array([1], np.uint32)


def docs_of(*texts):
    return Documents.from_texts(pa.array(texts, pa.large_string()))


def test_the_worked_example():
    method = CoDet(weights="unit", depth=3, min_paths=1, stop_words="none")
    found = method.score(docs_of("x y", "x y z"), LEFT, RIGHT, 1)
    assert (found["features_left"][0], found["features_right"][0]) == (3, 6)
    assert found["evidence"][0] == 1.0  # contain(A -> B)
    assert found["evidence"][0] * 3 / 6 == 0.5  # contain(B -> A)
    assert method.rule.decide(found)[0] == ["contained_in"]
    assert CoDet(weights="unit", depth=3, min_paths=1, threshold=0.5).rule.decide(found)[0] == ["duplicate"]


def test_paths_stop_at_sentence_ends_and_pass_over_stop_words():
    texts = pa.array(["天气的好。明天 下雨 3.5 mm. it rained", "天气好。明", "天。气好"], pa.large_string())
    sets = Paths(depth=3, stop_words="的,it").sets(form(), texts, None)
    docs = kernels.text.names(form(), texts).docs

    def wanted(*sentences):
        return sorted(
            {
                ref.path_hash(s[i:j])
                for s in sentences
                for i in range(len(s))
                for j in range(i + 1, min(i + 3, len(s)) + 1)
            }
        )

    words = [t.tolist() for t in np.split(docs.tokens, docs.offsets[1:-1])]
    first = words[0]
    assert sets.values[: sets.offsets[1]].tolist() == wanted([*first[:2], first[3]], first[4:10], first[11:])
    assert sets.values[sets.offsets[1] : sets.offsets[2]].tolist() == wanted(words[1][:3], words[1][3:])
    assert sets.values[sets.offsets[2] :].tolist() == wanted(words[2][:1], words[2][1:])


def test_a_path_weighs_the_idf_of_its_words_in_whole_numbers():
    documents = docs_of("甲乙", "甲丙", "甲丁", "")
    method = with_statistics(CoDet(min_paths=1, stop_words="none"), documents)
    assert method.statistics.documents == 3
    assert method.statistics.features.tolist() == sorted(
        word_values(np.array([ord(c) for c in "甲乙丙丁"], np.uint32)).tolist()
    )
    found = method.evidence_of(documents, np.array([0, 0]), np.array([1, 3]))
    common, rare = round(ONE * math.log(4 / 3)), round(ONE * math.log(4 / 1))
    whole = common + rare + (common + rare)
    assert found["features_left"].tolist() == [whole / ONE, whole / ONE]
    assert found["evidence"].tolist() == [common / whole, 0]


def test_unit_weights_are_what_two_texts_by_themselves_are_compared_by():
    text = "今天上午九点市政府召开了新闻发布会，市长出席并回答了记者提出的十二个问题"
    found = qc.compare(text, text + "。会后大家参观了新建的图书馆和车站广场", method="codet")
    assert found.relation == "contained_in" and found.measures["evidence"] == 1


def test_short_texts_are_not_compared():
    method = CoDet(weights="unit", min_paths=7, depth=3)
    found = method.evidence_of(docs_of("x y", "x y z"), LEFT, RIGHT, 1)
    assert found["evidence"].tolist() == [0]


def test_directions_are_told(edited):
    result = qc.dedup(edited, method="codet", recall_sample=0)
    for p in result.pairs.to_pylist():
        if p["relation"] == "contains":
            assert p["features_right"] < p["features_left"]
            assert p["evidence"] >= 0.8 > p["evidence"] * p["features_right"] / p["features_left"]
        if p["relation"] == "duplicate":
            small, large = sorted([p["features_left"], p["features_right"]])
            assert p["evidence"] * small / large >= 0.8 - 1e-9


@pytest.mark.parametrize(
    "wrong",
    [
        {"weights": "tf"}, {"depth": 0}, {"depth": 17}, {"min_paths": 0}, {"stop_words": "zh-nothing"}, {"threshold": 1.2},
        {"weights": "unit", "statistics": "file"},
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused(wrong):
    with pytest.raises(UsageError):
        CoDet(**wrong)
