"""Covers: slips inside English words: which words are known, which pairs of words are slips, alone and many at once, and in texts.

Run: pytest tests/unit/differences/test_slips.py
"""

import pyarrow as pa
import pytest

import quchong as qc
from quchong.differences.dictionaries import words as listed
from quchong.differences.english import are_english, is_english
from quchong.differences.slips import CERTAIN, DOUBTFUL, NONE, WIDEST, slip, slip_answers

TEXT = (
    "The ministry said on Tuesday that the bridge across the northern harbour will be closed to lorries for the whole of the winter, because "
    "engineers found deep cracks in two of the pillars during a routine inspection in September and want to repair them before the spring."
)


@pytest.mark.parametrize(
    "word", ["eight", "prices", "stopped", "carries", "is", "not", "mln", "billion", "thursday", "chinese"]
)
def test_words_of_all_lists_are_known(word):
    assert is_english(word)
    assert are_english([word, "xq", word]).tolist() == [True, False, True]


@pytest.mark.parametrize("word", ["ejght", "fivo", "tbe", "", "m1n"])
def test_other_strings_are_not(word):
    assert not is_english(word)


CASES = [
    ("eight", "ejght", CERTAIN),
    ("the", "tbe", CERTAIN),
    ("billion", "billkion", CERTAIN),
    ("negotiations", "negtiation", CERTAIN),  # two letters of a long word
    ("turned", "tumed", CERTAIN),  # rn looks like m
    ("bonds", "bends", DOUBTFUL),  # both are words
    ("form", "from", CERTAIN),  # one of them is a word of grammar
    ("the", "toe", CERTAIN),
    ("will", "wilt", CERTAIN),
    ("in", "if", DOUBTFUL),  # both are
    ("for", "four", DOUBTFUL),  # a figure
    ("and", "end", DOUBTFUL),  # a word of a list of opposites
    ("not", "now", DOUBTFUL),
    ("hansen", "hanson", DOUBTFUL),  # short names
    ("hobeywel", "hobeywell", CERTAIN),  # long ones
    ("total", "tota1", CERTAIN),
    ("b51", "b58", NONE),  # codes
    ("bank", "company", NONE),
    ("mln", "bln", DOUBTFUL),
    ("bank", "banque", NONE),
    ("15", "16", NONE),
    ("naïve", "naive", NONE),
]


@pytest.mark.parametrize(("one", "other", "told"), CASES)
def test_slips(one, other, told):
    assert slip(one, other) == slip(other, one) == told


def test_many_at_once_are_answered_as_one_by_one():
    some = sorted(entry.partition("/")[0] for entry in listed("english"))[::197]
    words = [*(w for w, _, _ in CASES), *some, *some, *some, "x" * (WIDEST + 1), "", "Tota1"]
    others = [
        *(w for _, w, _ in CASES),
        *(w[1:] for w in some),
        *(w[:-2] + "rn" for w in some),
        *(w[:-3] + w[:-4:-1] for w in some),
        "x" * WIDEST,
        "",
        "TOTAL",
    ]
    told = slip_answers(pa.array([*words, *others], pa.large_string()))
    alone = [
        slip(a.lower(), b.lower()) if max(len(a), len(b)) <= WIDEST else NONE
        for a, b in zip(words, others, strict=True)
    ]
    # Only where both are letters of one word at most: an empty word has no letters.
    assert [t for t, a, b in zip(told.tolist(), words, others, strict=True) if a != b and a and b] == [
        t for t, a, b in zip(alone, words, others, strict=True) if a != b and a and b
    ]


def test_a_digit_in_a_brief_word_of_grammar_is_a_slip_and_in_a_code_is_none():
    pairs = [
        ("it", "1t"),
        ("0f", "of"),
        ("is", "i5"),
        ("it", "1f"),
        ("b1", "b5"),
        ("kb", "k8"),
        ("at", "8t"),
    ]
    told = slip_answers(pa.array([one for one, _ in pairs] + [other for _, other in pairs])).tolist()
    assert told == [CERTAIN, CERTAIN, CERTAIN, NONE, NONE, NONE, NONE]
    assert (
        qc.compare(TEXT, TEXT.replace(" of the winter", " 0f the winter").replace("in two", "1n two")).relation
        == "duplicate"
    )


def test_a_scan_is_a_copy():
    scan = (
        TEXT.replace("closed", "clozed")
        .replace("winter", "vvinter")
        .replace("pillars", "piliars")
        .replace("spring", "sprjng")
    )
    found = qc.compare(TEXT, scan)
    assert found.relation == "duplicate"
    assert {d.kind for d in found.differences} == {"noise"}


@pytest.mark.parametrize(("old", "new"), [("will be", "will not be"), ("two", "five"), ("September", "October")])
def test_a_fact_in_a_scan_stays(old, new):
    scan = TEXT.replace("closed", "clozed").replace("lorries", "lorrjes").replace("spring", "sprjng").replace(old, new)
    assert qc.compare(TEXT, scan).relation == "variant"


def test_one_letter_that_makes_another_word_is_another_term():
    found = qc.compare(TEXT, TEXT.replace("deep", "deer"))
    assert [d.kind for d in found.differences] == ["term"]
    noisy = TEXT.replace("deep", "deer").replace("closed", "clozed").replace("pillars", "piliars")
    assert {d.kind for d in qc.compare(TEXT, noisy).differences} == {"noise"}
