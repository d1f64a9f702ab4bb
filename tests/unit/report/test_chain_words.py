"""Covers: changes and chains in words (`quchong.report.change_wording`, `quchong.report.chains`)."""

from datetime import UTC, datetime

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
        "figure 5 → 6; wording 老 → 旧; adds 30 characters in 1 place; leaves out 40 characters in 1 place"
    )
    assert changes_in_words(found, "zh") == "数字 5 → 6；措辞 老 → 旧；增加1处共30字；删去1处共40字"


def test_without_changes_it_says_so():
    assert changes_in_words([]) == "the words are the same" and changes_in_words([], "zh") == "文字未改"
    assert changes_in_words([change("a\n", "a ")]) == "the words are the same"


def test_control_characters_of_changes_are_shown():
    assert "\x1b" not in changes_in_words([change("a", "b\x1b[31m")])


def test_a_chain_is_listed_under_its_sources():
    moment = datetime(2026, 3, 1, 8, 30, tzinfo=UTC)
    rows = [
        row(id="a", position=1, published=moment, publisher="日报", title="题目"),
        row(id="b\x07", position=2, role="copy", source_id="a", relation="variant", choices=1, shared=0.95, changed="figure 5 → 6",
            changed_zh="数字 5 → 6"),
        row(id="c", position=3, role="copy", source_id="b\x07", relation="exact", basis="equal", choices=2, shared=1.0,
            confidence=0.5, runner_up_id="a", runner_up_confidence=0.5, changed="the words are the same"),
        row(id="d", position=4, role="roundup", source_id="a", relation="contains", choices=1, shared=0.4, parts=["a", "x"],
            changed="adds 90 characters in 1 place"),
    ]  # fmt: skip
    assert [f"{' ' * indent}{line}" for indent, line in chain_lines(rows)] == [
        "a, and 3 documents after it",
        "  1. a  2026-03-01 08:30  日报  题目",
        "     published first",
        "    2. b\\x07",
        "       from a, with other facts: the only one before it; 95% of it is there; confidence 100%",
        "       changed: figure 5 → 6",
        "      3. c",
        "         from b\\x07, a copy: of 2 before it with one text the earliest; 100% of it is there; confidence 50%, then a (50%)",
        "    4. d",
        "       a roundup of 2 articles: a, x",
        "       from a, extended: the only one before it; 40% of it is there; confidence 100%",
        "       changed: adds 90 characters in 1 place",
    ]
    chinese = [str(line) for _, line in chain_lines(rows, "zh")]
    assert chinese[0] == "a 及其后的3篇文档" and "首发" in chinese and "改动：数字 5 → 6" in chinese
    assert "综述，收入2篇文章：a、x" in chinese
    assert not any(word in " ".join(chinese) for word in ("from", "confidence", "changed"))


def test_what_is_counted_in_both_languages():
    rows = [row(id="a", position=1), row(id="b", position=2, role="digest"), row(id="b", position=1, role="digest")]
    assert counted(rows) == "1 chain, 2 documents, 0 roundups, 1 digest, 2 without a time"
    assert counted(rows, "zh") == "1条转载链，2篇文档；综述0篇，摘编1篇；2篇没有时间"
    assert "--time-key" in untimed("date") and "--time-key" in untimed("date", "zh")
    assert not_listed(3, 9).startswith("... and 3 more") and "3 条" in not_listed(3, 9, "zh")
