"""Covers: brief texts that occur word for word in one up to twice as long (decision 0323). Compared against: relations decided by hand.

Run: pytest tests/unit/similarity/test_word_for_word.py
"""

import pytest

import quchong as qc
from quchong.similarity.relations import WHOLE_WORDS

ADVERT = "Wanted: inkwell, used but in working order, near Vienna. Will collect."
PROMPT = "Write a short sketch about canals and bridges for readers aged twelve, and end it with a question."
WORDS = "amber basil cedar delta ember frost grove heath inlet jetty knoll ledge".split()


def relation(one, other, **options):
    return qc.compare(one, other, **options).relation


@pytest.mark.parametrize("line", ["(Source: our own desk)", "Source: compiled from the web", "[reposted]"])
def test_a_record_is_contained_in_itself_with_a_line_added(line):
    for text in (ADVERT, PROMPT):
        assert relation(text, f"{text}\n{line}") in ("contained_in", "duplicate")
        assert relation(f"{line}\n{text}", text) in ("contains", "duplicate")


def test_too_much_added_for_a_duplicate_is_contained_although_both_shares_are_high():
    # 18 words in 22: of the longer text four fifths of the shingles are shared.
    found = qc.compare(PROMPT, f"{PROMPT}\nVia the community board")
    assert min(found.containment_left, found.containment_right) >= 0.8
    assert (found.relation, found.rule) == ("contained_in", "containment")
    # With one word more it remains a duplicate.
    assert qc.compare(PROMPT, f"{PROMPT} Via").rule == "short, only added"


@pytest.mark.parametrize("count", range(WHOLE_WORDS - 2, WHOLE_WORDS + 3))
def test_fewer_words_are_contained_in_no_text_of_like_size(count):
    text, more = " ".join(WORDS[:count]), " ".join([*WORDS[:count], "when", "the", "rain", "comes"])
    assert relation(text, more) == ("contained_in" if count >= WHOLE_WORDS else "partial")


def test_a_text_in_one_more_than_twice_as_long_needs_twenty_tokens():
    more = " ".join(f"w{k}" for k in range(len(WORDS) + 1))
    assert relation(" ".join(WORDS), f"{' '.join(WORDS)} {more}") == "partial"


def test_a_word_in_between_is_no_occurrence_word_for_word():
    assert (
        relation(" ".join(WORDS[:10]), " ".join([*WORDS[:5], "quite", *WORDS[5:10], "as", "ever", "it"])) == "partial"
    )


def test_a_text_that_repeats_itself_is_not_contained():
    assert relation("ha " * 9, "ha " * 9 + "ho ho no no") == "partial"


def test_facts_and_posts_are_judged_as_before():
    assert relation("The bridge over the river will open on Monday.", "The bridge over the river will not open on Monday.") == "variant"  # fmt: skip
    assert relation(ADVERT, f"{ADVERT}\n[reposted]", method="short-text") == "variant"
    assert relation("苹果手机壳防摔透明硅胶", "苹果手机壳防摔透明硅胶软壳新款") == "partial"
    assert relation("苹果手机壳防摔透明硅胶软", "苹果手机壳防摔透明硅胶软壳新款") == "contained_in"
