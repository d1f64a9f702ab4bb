"""Covers: what a notebook shows, piece by piece (`quchong.report.markup`, `words`, `stretches`, `histogram`, `pairview`).

Compared against: counts made one by one; the text itself, read back from the HTML.
"""

import random
import re
import string
from collections import Counter
from xml.etree import ElementTree

import numpy as np
import pyarrow as pa
import pytest

from quchong.languages import language_of_place, page_word
from quchong.relations import BY_NAME, RELATIONS
from quchong.report import Difference, Explanation, PairComparison, Passage, histogram, words
from quchong.report.histogram import BINS, scores
from quchong.report.marked_html import SHOWN, WHOLE, Stretch, text_marked
from quchong.report.markup import Html, escaped, framed, markup

HOSTILE = "<script>alert(1)</script>\"'&\x1b[31m\u202e</div></style>]]>"


def read(html):
    """HTML as a tree: what is not well formed is refused."""
    return ElementTree.fromstring(html)


def text_of(html):
    return "".join(read(html).itertext())


def test_values_are_escaped_whatever_they_hold():
    shown = markup("<b>{}</b>", HOSTILE)
    assert read(shown).text == HOSTILE.replace("\x1b", "\\x1b").replace("\u202e", "⟨U+202E⟩")
    assert markup("{}", Html("<i>x</i>")) == "<i>x</i>"
    assert markup("{:,} {:.1f}", 1200, 0.25) == "1,200 0.2"
    assert "\n" not in markup("{}", "a\nb") and escaped("a\nb") == "a\nb"


def test_formulas_are_not_looked_for():
    classes = read(framed(markup("<p>{}</p>", "$5 and $6"))).get("class").split()
    assert {"tex2jax_ignore", "mathjax_ignore"} <= set(classes)


def test_words_are_there_in_both_languages_and_take_the_same_values():
    def wanted(template):
        fields = [name for _, name, *_ in string.Formatter().parse(template) if name is not None]
        return len(fields)

    for key in words.WORDS:
        english, chinese = (page_word(language, words.WORDS[key]) for language in ("en", "zh"))
        assert wanted(english) == wanted(chinese), key
        assert re.search(r"[\u4e00-\u9fff：（{；、]", chinese), key
        assert not re.search(r"[\u4e00-\u9fff]", english), key


@pytest.mark.parametrize(
    ("said", "language"),
    [({"QUCHONG_LANG": "zh"}, "zh"), ({"LANG": "zh_CN.UTF-8"}, "zh"), ({"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, "en"),
     ({"QUCHONG_LANG": "en", "LC_ALL": "zh_TW"}, "en"), ({}, "en")],
)  # fmt: skip
def test_the_language_is_that_of_the_place(monkeypatch, said, language):
    for name in ("QUCHONG_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in said.items():
        monkeypatch.setenv(name, value)
    assert language_of_place() == language


def test_every_relation_and_rule_has_words():
    for relation in RELATIONS:
        assert words.relation_told("zh", relation) != relation and words.message_told(
            "zh", BY_NAME[relation].words.clause, "x"
        )
    assert (
        words.rule_told("zh", "facts differ") == "事实有冲突"
        and words.rule_told("en", "facts differ") == "facts differ"
    )
    assert words.rule_told("zh", "a rule of a package") == "a rule of a package" and words.rule_told("zh", None) == ""


def drawn(seed, length):
    """A text with stretches and differences anywhere, empty ones among them."""
    chance = random.Random(seed)
    text = "".join(chance.choices("云河水<&务局\n ab\"'12", k=length))

    def stretch(most):
        start = chance.randrange(length + 1)
        return start, min(length, start + chance.randrange(most))

    shared = [Stretch(*stretch(12), chance.random() < 0.5) for _ in range(chance.randrange(4))]
    kinds = ("figure", "date", "place", "wording", "noise")
    differences = []
    for _ in range(chance.randrange(6)):
        start, end = stretch(5)
        differences.append(
            Difference(chance.choice(kinds), chance.random() < 0.5, text[start:end], "x", start, end, 0, 1)
        )
    return text, shared, differences


@pytest.mark.parametrize("seed", range(60))
def test_a_marked_text_reads_as_the_text_and_marks_just_its_stretches(seed):
    text, shared, differences = drawn(seed, 40)
    tree = read(text_marked(text, shared, differences, "en"))
    assert "".join(tree.itertext()).replace("‸", "") == text
    assert "".join(tree.itertext()).count("‸") == sum(d.left_start == d.left_end for d in differences)
    covered = {k for one in shared for k in range(one.start, one.end)}
    differing = {k for d in differences for k in range(d.left_start, d.left_end)}
    for tag, places in (("mark", covered), ("ins", differing)):
        marked = "".join("".join(one.itertext()) for one in tree.iter(tag)).replace("‸", "")
        assert marked == "".join(text[k] for k in sorted(places)), tag


def test_marks_tell_the_kind_and_what_stands_on_both_sides():
    one = Difference("figure", True, "120", "<130>", 2, 5, 2, 7)
    (mark,) = read(text_marked("停水120户", [Stretch(0, 2, False)], [one], "zh")).iter("ins")
    assert mark.text == "120" and mark.get("title") == "数字：120 → <130>" and "q-conflict" in mark.get("class")
    assert [
        m.get("class") for m in read(text_marked("停水120户", [Stretch(0, 2, False)], [one], "zh")).iter("mark")
    ] == ["q-near"]


def test_a_long_text_is_cut_around_the_first_fact_in_conflict_and_says_what_is_left_out():
    text = "".join(random.Random(3).choices("云河水务局通知", k=3 * WHOLE))
    one = Difference("date", True, text[4000:4003], "x", 4000, 4003, 0, 1)
    shown = text_of(text_marked(text, [Stretch(10, 30, True)], [one], "en"))
    assert shown.startswith("(3,900 characters before) … ") and text[3900 : 3900 + SHOWN] in shown
    assert shown.endswith(f" … ({3 * WHOLE - 3900 - SHOWN:,} characters more)")
    assert text_of(text_marked(text[:WHOLE], [], [], "en")) == text[:WHOLE]
    assert text_of(text_marked("", [], [], "zh")) == "（空）"


def pairs_of(rows):
    return pa.table(
        {
            "relation": pa.array([r for r, _ in rows], pa.string()),
            "jaccard": pa.array([j for _, j in rows], pa.float64()),
        }
    )


def test_scores_are_counted_by_relation_and_bin():
    chance = random.Random(7)
    rows = [(chance.choice(RELATIONS), chance.randrange(101) / 100) for _ in range(500)]
    found = scores(pairs_of(rows))
    wanted = Counter()
    for relation, jaccard in rows:
        relation = "contained_in" if relation == "contains" else relation
        wanted[relation, min(round(jaccard * 100) // 5, BINS - 1)] += 1
    assert found.copies == sum(n for (r, _), n in wanted.items() if r == "exact")
    for relation in ("duplicate", "contained_in", "variant", "partial"):
        assert found.counts[relation].tolist() == [wanted[relation, k] for k in range(BINS)]
    assert set(found.counts) == set(RELATIONS) - {"exact", "contains"}


def test_bars_are_as_high_as_their_counts_and_stand_on_each_other():
    found = scores(
        pairs_of([("duplicate", 0.82)] * 6 + [("variant", 0.84)] * 3 + [("partial", 0.1)] * 2 + [("exact", 1.0)])
    )
    tree = read(f"<div>{histogram.histogram(found, 'zh')}</div>")
    bars = {r[0].text: r for r in tree.iter("{http://www.w3.org/2000/svg}rect")}
    whole = max(float(b.get("y")) + float(b.get("height")) for b in bars.values()) - min(
        float(b.get("y")) for b in bars.values()
    )
    heights = {said: round(9 * float(b.get("height")) / whole, 2) for said, b in bars.items()}
    assert heights == {"0.80 至 0.85：近似重复 6 对": 6, "0.80 至 0.85：变体 3 对": 3, "0.10 至 0.15：部分重复 2 对": 2}
    lower, upper = bars["0.80 至 0.85：近似重复 6 对"], bars["0.80 至 0.85：变体 3 对"]
    assert float(upper.get("y")) + float(upper.get("height")) == pytest.approx(float(lower.get("y")), abs=0.02)
    assert "1 对完全重复没有画出" in "".join(tree.itertext())


def test_without_a_pair_there_are_words_and_no_picture():
    shown = histogram.histogram(scores(pairs_of([])), "en")
    assert "<svg" not in shown and "There is no pair to draw." in shown
    assert np.all([not n.any() for n in scores(pairs_of([])).counts.values()])


def explanation(**given):
    return Explanation("b", True, "a", "variant", 0.9, 0.95, 0.94, "facts differ", threshold=0.55, **given)


def test_an_explanation_tells_reason_figures_rule_and_differences_facts_first():
    wording = Difference("wording", False, "", "约", 0, 0, 0, 1)
    figure = Difference("figure", True, "120", "130", 2, 5, 3, 6)
    e = explanation(text="停水120户", survivor_text="约停水130户", differences=(wording, figure), facts=("figure",),
                    passages=(Passage(0, 2, 1, 3), Passage(5, 6, 6, 7)), supersedes=True)  # fmt: skip
    shown = text_of(e._repr_html_())
    for said in ("b was removed: it is a variant of a", "Jaccard 0.900; 95.0% of b is in a; 94.0% of a is in b",
                 "rule: facts differ (threshold 0.55)", "This document is newer than the other.", "shared passages: 2"):  # fmt: skip
        assert said in shown
    assert shown.index("figure · conflict: 120 → 130") < shown.index("wording: nothing → 约")
    assert "‸停水120户" in shown and "约停水130户" in shown


def test_what_differs_is_not_marked_over_a_whole_passage():
    whole = Difference("wording", False, "停水通知", "市里的停水通知已发", 0, 4, 0, 9)
    e = Explanation("b", True, "a", "contained_in", 0.3, 1.0, 0.4, "containment", (Passage(0, 4, 3, 7),), "停水通知",
                    "市里的停水通知已发", differences=(whole,))  # fmt: skip
    shown = e._repr_html_()
    assert (
        not list(read(shown).iter("ins")) and len(list(read(shown).iter("mark"))) == 3
    )  # the legend's, and both texts'
    assert "wording: 停水通知 → 市里的停水通知已发" in text_of(shown)


@pytest.mark.parametrize(
    ("e", "said"),
    [(Explanation("b", False, reason="protected", text="x"), "b 已保留：这篇文档受保护，不会删除"),
     (Explanation("b", False, text="x", members=(1, 2), roundup=3), "因它而删的有 2 篇：1、2"),
     (Explanation("b", False, text="x", members=tuple(range(12))), "另有 2 篇"),
     (Explanation("b", True, None, "exact", rule="bloom filter, unconfirmed", text="x"), "没有保留者：布隆过滤器，未经核实"),
     (Explanation("b", False, skipped=({"source": "f.jsonl", "row": 4, "line": 5, "reason": "no JSON"},)), "f.jsonl 第 5 行（第 5 条记录）：no JSON"),
     (Explanation("b", False, skipped=({"source": "f.parquet", "row": 4, "line": None, "reason": "bad"},)), "f.parquet（第 5 条记录）：bad"),
     (explanation(), "读不到正文：文件已移动或改动，或者结果目录里没有存正文"),
     (Explanation("b", True, "a", "contained_in", 0.1, 1.0, 0.1, "containment", reason="overruled", survivor_roundup=4), "收有 4 篇的汇编"),
     (Explanation("b", True, "a", "duplicate", 0.9, 0.9, 0.9, "hamming", evidence=2.0, threshold=3.0), "汉明距离达标（依据 2，阈值 3）"),
     (Explanation("b", True, "a", "a relation to come", 0.9, 0.9, 0.9, "r"), "a relation to come a"),
     (Explanation("b", True, "a", "variant", 0.9, 0.9, 0.9, "r", facts=("figure", "date")), "有冲突的事实：数字、日期"),
     (Explanation("b", False, text="x", near=({"other_id": "c", "relation": "variant", "jaccard": 0.7, "containment": 0.8, "rule": "facts differ",
                                               "facts": ("date",), "differences": ()},)), "变体c0.70080.0%事实有冲突日期")],
)  # fmt: skip
def test_each_case_is_told_in_chinese(monkeypatch, e, said):
    monkeypatch.setenv("QUCHONG_LANG", "zh")
    assert said in text_of(e._repr_html_())


def test_two_documents_beside_each_other():
    b = PairComparison("a", "b", "contains", 0.4, 0.5, 1.0, "containment", (Passage(1, 3, 0, 2),), "约停水户", "停水")
    shown = text_of(b._repr_html_())
    assert "a and b: the first contains the second" in shown and "rule: containment" in shown
    low = text_of(PairComparison("a", "b", None, None, None, None, None, (), "x", "y")._repr_html_())
    assert "not listed as a pair" in low and "Jaccard" not in low


def test_hostile_ids_and_texts_stay_text():
    figure = Difference("figure", True, HOSTILE, "<1>", 0, len(HOSTILE), 0, 3)
    e = Explanation(HOSTILE, True, HOSTILE + "2", "duplicate", 1.0, 1.0, 1.0, HOSTILE, (Passage(0, 5, 0, 5),), HOSTILE, HOSTILE,
                    differences=(figure,))  # fmt: skip
    tree = read(e._repr_html_())
    assert {one.tag for one in tree.iter()} <= {"div", "style", "p", "b", "i", "ul", "li", "span", "ins", "mark"}
    assert not re.search("[\x00-\x08\x0b-\x1f\u202e]", e._repr_html_())
