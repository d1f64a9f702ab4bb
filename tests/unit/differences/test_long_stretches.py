"""What is long is told by its beginning: memory of what pairs differ in does not grow with their texts."""

import random

import pytest

import quchong as qc
from quchong.findings import Difference
from quchong.report.change_wording import changes_in_words
from quchong.report.differing import in_words

HAN = "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经"


def rows(long):
    rng = random.Random(1)
    whole = "".join(rng.choices(HAN, k=900))
    return [{"id": "a", "text": whole[:400]}, {"id": "b", "text": whole[:400] + long + whole[400:]}]


def test_a_long_addition_is_told_by_its_first_tokens_and_its_whole_place():
    long = "".join(random.Random(2).choices(HAN, k=5000))
    (pair,) = qc.dedup(rows(long), recall_sample=0).pairs.to_pylist()
    (one,) = pair["differences"]
    text = rows(long)[1]["text"]
    assert (one["left"], one["left_start"], one["left_end"]) == ("", 400, 400)
    assert (one["right_start"], one["right_end"]) == (400, len(text))
    assert one["right"] == text[400:600]


def test_a_token_as_long_as_a_text_is_cut_too():
    (pair,) = qc.dedup(rows("x" * 50_000), recall_sample=0).pairs.to_pylist()
    assert all(len(one["left"]) <= 800 and len(one["right"]) <= 800 for one in pair["differences"])
    assert max(one["right_end"] - one["right_start"] for one in pair["differences"]) >= 50_000


@pytest.mark.parametrize(
    ("language", "told", "changed"),
    [
        ("en", "(and 4,970 more characters)", "adds 5,000 characters in 1 place"),
        ("zh", "（另有4,970字）", "增加1处共5000字"),
    ],
)
def test_words_say_how_much_more_there_is(language, told, changed):
    one = Difference("wording", False, "", "的" * 200, 400, 400, 400, 5400)
    assert told in in_words([one], language)
    assert changed in changes_in_words([one], language)
    whole = Difference("wording", False, "", "的" * 199, 400, 400, 400, 599)
    assert "more characters" not in in_words([whole], language)


def test_lists_of_nested_beginnings_cost_no_texts():
    """60 beginnings of one text of 24,000 characters: 1,770 pairs, whose additions are 14 million characters."""
    whole = "".join(random.Random(3).choices(HAN, k=24_000))
    texts = [{"id": f"p{i:02d}", "text": whole[: 400 * (i + 1)]} for i in range(60)]
    pairs = qc.dedup(texts, most=0, recall_sample=0).pairs
    assert len(pairs) > 1000
    assert pairs["differences"].nbytes < 5_000_000
