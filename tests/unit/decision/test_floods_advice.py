"""Covers: what the note on a flood that differs in a counter advises (`facts=` without figures) keeps one document of each wording."""

import re

import pytest

import quchong as qc


@pytest.mark.parametrize("method", ["hybrid", "short-text"])
@pytest.mark.parametrize(
    "text",
    [
        "#SUPER131黎开# 一起为他加油打气，今天也要元气满满地转发支持哦！#{}",
        "Day {} of asking the station to play our song again, please share this post",
    ],
)
def test_what_the_note_on_a_flood_advises_keeps_one_of_each(method, text):
    rows = [{"id": f"p{i}", "text": text.format(i)} for i in range(700, 740)]
    first = qc.dedup(rows, method=method, recall_sample=0)
    (note,) = [one for one in first.alarms if one["kind"] == "one figure differs"]
    kinds = re.search(r"facts='([a-z,]+)'", note["message"])[1]
    again = qc.dedup(rows, method=method, facts=kinds, recall_sample=0)
    assert (first.kept.num_rows, again.kept.num_rows) == (40, 1)


def test_another_word_beside_another_figure_still_tells_short_posts_apart():
    texts = [
        "一起为他加油打气，今天也要元气满满地转发支持哦！#700",
        "一起为他加班熬夜，今天也要元气满满地转发支持哦！#701",
    ]
    found = qc.dedup(texts, method="short-text", facts="date,person,place", recall_sample=0)
    assert found.kept.num_rows == 2
