"""Covers: spot signatures, their lists, SpotSigs from texts to pairs.

Compared against: worked examples, tests/twins/features.py. Run: pytest tests/unit/methods.
"""

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import features as ref

import quchong as qc
from quchong import kernels
from quchong.engines.local.joins import meet
from quchong.errors import UsageError
from quchong.features.feature_sets import normalised_idf, occurrences
from quchong.features.spot_signatures import Spots
from quchong.features.stopwords import ANTECEDENTS, STOP_WORDS, Words, words_of
from quchong.methods.sets.spotsigs import SpotSigs
from quchong.seam import Documents
from quchong.similarity.paper_rules import set_evidence
from quchong.text import form

SENTENCE = (
    "at a rally to kick off a weeklong campaign for the south carolina primary obama tried to set the record straight from "
    "an attack circulating widely on the internet that is designed to play into prejudices against muslims and fears of "
    "terrorism"
)
EXAMPLE = Spots(
    "a,an,the,is", "a,an,the,is,at,to,off,for,from,on,that,into,against,and,of", chain=2, distance=1
)  # fmt: skip


def docs_of(*texts):
    return Documents.from_texts(pa.array(texts, pa.large_string()))


def test_the_papers_sentence_has_exactly_seven_signatures():
    stop = {(w,) for w in words_of(EXAMPLE.stop_words, "stop_words")}
    found = ref.spots(SENTENCE.split(), {"a", "an", "the", "is"}, stop, 1, 2)
    assert [":".join(s) for s in found] == [
        "a:rally:kick", "a:weeklong:campaign", "the:south:carolina", "the:record:straight", "an:attack:circulating",
        "the:internet:designed", "is:designed:play",
    ]  # fmt: skip
    wanted = sorted(ref.spot_hash([kernels.text.word_name(w) for w in s]) for s in found)
    sets = EXAMPLE.sets(form(), pa.array([SENTENCE], pa.large_string()))
    assert sets.values.tolist() == wanted and sets.sizes.tolist() == [7]


words = st.lists(st.integers(0, 7), max_size=25)


@settings(max_examples=400, deadline=None)
@given(
    st.lists(words, max_size=4), st.sets(st.integers(0, 7), min_size=1, max_size=3),
    st.sets(st.lists(st.integers(0, 7), min_size=1, max_size=3).map(tuple), max_size=4), st.integers(1, 3),
    st.integers(1, 3), st.booleans(),
)  # fmt: skip
def test_signatures_equal_the_twin(documents, antecedents, stop_words, distance, chain, with_antecedent):
    offsets = np.cumsum([0, *(len(d) for d in documents)]).astype(np.int64)
    docs = kernels.arrays.Ragged(np.array([t for d in documents for t in d], np.uint32), offsets)
    spots = Spots(chain=chain, distance=distance, with_antecedent=with_antecedent)
    values, ends = spots.signatures(docs, Words.from_tokens([[a] for a in antecedents], [list(w) for w in stop_words]))
    assert [values[a:b].tolist() for a, b in pairwise(ends.tolist())] == [
        [ref.spot_hash(s, with_antecedent) for s in ref.spots(d, antecedents, stop_words, distance, chain)]
        for d in documents
    ]


def test_chinese_stop_words_of_several_characters_hide_the_antecedents_in_them():
    """In 但是 the character 是 is no antecedent, and no part of 但是 is in a chain."""
    spots = Spots("是", "但是,因为", chain=2)
    found = spots.sets(form(), pa.array(["他是老师但是因为生病", "但是因为生病"], pa.large_string()))
    assert found.sizes.tolist() == [1, 0]
    assert found.values.tolist() == [ref.spot_hash([ord(c) for c in "是老师"])]


@pytest.mark.parametrize("name", [*ANTECEDENTS, "standard", "zh-ten+en-paper"])
def test_every_list_of_antecedents_serves(name):
    assert len(Spots(name, "none").words(form()).antecedents) == len(set(words_of(name, "antecedents")))


def test_lists_are_what_they_say():
    assert words_of("en-reference", "antecedents") == tuple(ANTECEDENTS["en-reference"].split())
    assert len(words_of("en-reference", "antecedents")) == 24
    assert words_of("zh-ten", "antecedents") == tuple("的了是在和有也就都而")
    assert words_of("的，了, 的", "antecedents") == ("的", "了")
    assert set(words_of("standard", "stop_words")) == set((STOP_WORDS["zh"] + " " + STOP_WORDS["en"]).split())


def test_normalised_idf_is_the_references():
    assert normalised_idf(np.array([1, 3]), 3).tolist() == pytest.approx([1, np.log(4 / 3) / np.log(4)])


def test_multiset_jaccard_equals_the_jaccard_of_occurrences():
    sets = EXAMPLE.sets(form(), pa.array([SENTENCE + " " + SENTENCE, SENTENCE], pa.large_string()))
    one, other = np.array([0]), np.array([1])
    as_bags = set_evidence(sets, one, other, jaccard=True)["evidence"]
    flat = occurrences(sets)
    assert flat.lengths.tolist() == sets.sizes.tolist()
    assert set_evidence(flat, one, other, jaccard=True)["evidence"].tolist() == as_bags.tolist()
    assert as_bags[0] == pytest.approx(7 / sets.sizes[0])


def test_without_enough_signatures_a_text_is_near_to_nothing():
    method = SpotSigs(idf_low=0.0, min_signatures=8, antecedents=EXAMPLE.antecedents, chain=2)
    texts = docs_of(SENTENCE, SENTENCE + " indeed", "the end", "")
    evidence = method.evidence_of(texts, np.array([0, 2, 2]), np.array([1, 3, 2]))["evidence"]
    assert evidence.tolist() == [0, 0, 0]
    assert not len(meet(method.candidates, texts, None, 0).left)
    enough = SpotSigs(idf_low=0.0, min_signatures=4, antecedents=EXAMPLE.antecedents, chain=2)
    assert enough.evidence_of(texts, np.array([0]), np.array([0]))["evidence"][0] == 1


def test_published_pruning_is_offered_and_loses_only(edited):
    safe = qc.dedup(edited, method="spotsigs", recall_sample=0)
    published = qc.dedup(edited, method="spotsigs", pruning="paper", recall_sample=0)
    pairs = [{(p["left_id"], p["right_id"]) for p in r.pairs.to_pylist()} for r in (safe, published)]
    assert pairs[1] <= pairs[0] and len(pairs[1]) > 15


@pytest.mark.parametrize(
    "wrong",
    [
        {"pruning": "none"}, {"antecedents": "klingon"}, {"antecedents": "因为,所以"}, {"antecedents": ","}, {"chain": 0},
        {"distance": 0}, {"idf_low": 0.9, "idf_high": 0.2}, {"min_signatures": 0}, {"partition_range": 0},
        {"stop_words": "unknown"}, {"threshold": 0}, {"verify": "never"},
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused(wrong):
    with pytest.raises(UsageError):
        SpotSigs(**wrong)
