"""Covers: changes and chains in words (`quchong.report.change_wording`, `quchong.report.chains`)."""

from datetime import UTC, datetime

import pytest

from quchong.report import Difference
from quchong.report.chains import chain_lines, counted, not_listed, untimed
from quchong.report.change_wording import changes_in_words


def change(left, right, kind="wording", conflict=False):
    return Difference(kind, conflict, left, right, 0, len(left), 0, len(right))


def row(**known):
    nothing = dict.fromkeys(
        ("published", "publisher", "title", "source_id", "relation", "runner_up_id", "runner_up_confidence", "shared", "changed",
         "changed_zh")
    )  # fmt: skip
    return {
        **nothing,
        "chain_id": "a",
        "role": "first",
        "basis": "time",
        "choices": 0,
        "confidence": 1.0,
        "certainty": None,
        "link": None,
        "parts": [],
        **known,
    }


def test_facts_come_first_long_stretches_are_counted_and_repeats_told_once():
    found = [
        change("老", "旧"),
        change("甲" * 40, ""),
        change("老", "旧"),
        change("5", "6", "figure", True),
        change("", "乙" * 30),
    ]
    assert changes_in_words(found) == (
        "figure 5 → 6; “老” → “旧”; the same in 1 more place; adds 30 characters in 1 place; leaves out 40 characters in 1 place"
    )
    assert changes_in_words(found, "zh") == "数字 5 → 6；“老” → “旧”；另有1处相同；增加1处共30字；删去1处共40字"


def test_without_changes_it_says_so():
    assert changes_in_words([]) == "the words are the same" and changes_in_words([], "zh") == "文字未改"
    assert changes_in_words([change("a\n", "a ")]) == "the words are the same"


def test_control_characters_of_changes_are_shown():
    assert "\x1b" not in changes_in_words([change("a", "b\x1b[31m")])


@pytest.mark.parametrize("first", [{}, {"published": datetime(2026, 3, 1, tzinfo=UTC), "basis": "text"}])
def test_nobody_is_said_to_have_published_first_where_times_do_not_tell(first):
    rows = [row(id="a", position=1, **first), row(id="b", position=2, role="copy", source_id="a", relation="exact", shared=1.0,
                                                  choices=1, certainty="likely", basis="text")]  # fmt: skip
    for language, word in (("en", "published"), ("zh", "首发")):
        assert word not in " ".join(str(line) for _, line in chain_lines(rows, language))
    assert str(next(chain_lines(rows))[1]) == "a is first, 1 document follows"


def test_a_chain_is_listed_under_its_sources():
    moment = datetime(2026, 3, 1, 8, 30, tzinfo=UTC)
    rows = [
        row(id="a", position=1, published=moment, publisher="日报", title="题目"),
        row(id="b\x07", position=2, role="copy", source_id="a", relation="variant", choices=1, shared=0.95, certainty="likely", changed="figure 5 → 6",
            changed_zh="数字 5 → 6"),
        row(id="c", position=3, role="copy", source_id="b\x07", relation="exact", basis="equal", choices=2, shared=1.0,
            certainty="undecided", confidence=0.5, runner_up_id="a", runner_up_confidence=0.5, changed="the words are the same"),
        row(id="d", position=4, role="roundup", source_id="a", relation="contains", choices=1, shared=0.4, certainty="likely", parts=["a", "x"],
            changed="adds 90 characters in 1 place"),
    ]  # fmt: skip
    assert [f"{' ' * indent}{line}" for indent, line in chain_lines(rows)] == [
        "a published first, 3 documents follow",
        "  1. a  2026-03-01 08:30  日报  题目",
        "     published first",
        "    2. b\\x07",
        "       copied from a (likely, the only earlier document): with other facts, 95% of the text is from the source",
        "       changed (source → copy): figure 5 → 6",
        "      3. c",
        "         copied from b\\x07 (unclear; 2 earlier documents have the same text): a copy; equally likely: a",
        "    4. d",
        "       a roundup of 2 articles: a, x",
        "       uses text of a (likely, the only earlier document): extended, 40% of the text is from the source",
        "       changed (source → copy): adds 90 characters in 1 place",
    ]
    chinese = [str(line) for _, line in chain_lines(rows, "zh")]
    assert chinese[0] == "a 首发，3 篇跟进" and "首发" in chinese and "改动（来源 → 本篇）：数字 5 → 6" in chinese
    assert "汇编，收录 2 篇文章：a、x" in chinese
    assert not any(word in " ".join(chinese) for word in ("from", "likely", "changed"))


def test_what_is_counted_in_both_languages():
    rows = [row(id="a", position=1), row(id="b", position=2, role="digest"), row(id="b", position=1, role="digest")]
    assert counted(rows) == "1 chain, 2 documents, 1 digest, 2 without a time"
    assert counted(rows, "zh") == "1条转载链，2篇文档，摘编1篇，2篇没有时间"
    assert counted([]) == "0 chains"
    issues = [
        row(id="x", chain_id="x", position=1, role="series"),
        row(id="y", chain_id="x", position=2, role="series"),
    ]
    assert counted([*rows, *issues]).startswith("1 chain, 2 documents, 1 series,")
    assert "--time-key" in untimed("date") and "--time-key" in untimed("date", "zh")
    assert not_listed(3, 9).startswith("... and 3 more") and "3 条" in not_listed(3, 9, "zh")


def test_a_series_is_listed_without_sources():
    issues = [row(id=k, chain_id="x", position=n, role="series", title=f"第{n}期") for n, k in enumerate("xy", 1)]
    assert [str(line) for _, line in chain_lines(issues)] == [
        "2 documents of a series on one template; none is a copy of another",
        "1. x  第1期",
        "2. y  第2期",
    ]
    assert next(chain_lines(issues, "zh"))[1] == "同一模板的系列，2篇，互不转载"


LEFT = "《城市规划意见》近日印发，路网密度提高。会议要求，严格落实各项措施（记者王立）。"


def of_texts(left, right, *spans):
    """Changes of two texts, by the stretches of each that differ."""
    return changes_in_words(
        [Difference("wording", False, left[a:b], right[c:d], a, b, c, d) for a, b, c, d in spans], texts=(left, right)
    )


def test_changes_within_a_clause_are_told_by_the_whole_clause():
    right = LEFT.replace("》近日", "》（下称《意见》）近日")
    at = LEFT.index("》近日")
    assert of_texts(LEFT, right, (at, at, at, at + 7)) == (
        "“《城市规划意见》近日印发” → “《城市规划意见》（下称《意见》）近日印发”"
    )


def test_whole_clauses_and_brackets_are_added_or_removed():
    added = LEFT.replace("会议要求", "城市居民关心，会议要求")
    at = LEFT.index("会议要求")
    assert of_texts(LEFT, added, (at, at, at, at + 7)) == "added “城市居民关心”"
    at = LEFT.index("记者王立")
    gone = LEFT.replace("（记者王立）", "")
    assert of_texts(LEFT, gone, (at, at + 4, len(gone) - 1, len(gone) - 1)) == "removed “记者王立”"


def test_fragments_are_counted_unless_they_are_all_that_changed():
    right = LEFT.replace("近日", "").replace("严格落实", "切实落实")
    at = LEFT.index("近日")
    one, two = (
        (at, at + 2, at, at),
        (LEFT.index("严格"), LEFT.index("严格") + 2, right.index("切实"), right.index("切实") + 2),
    )
    assert of_texts(LEFT, right, one, two) == (
        "“严格落实各项措施（记者王立）” → “切实落实各项措施（记者王立）”; leaves out 2 characters in 1 place"
    )
    alone = LEFT.replace("近日", "")
    assert of_texts(LEFT, alone, one) == "“《城市规划意见》近日印发” → “《城市规划意见》印发”"
