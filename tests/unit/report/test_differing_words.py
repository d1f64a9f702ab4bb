"""Covers: what texts differ in, in words, English and Chinese; explanations and `beside` that say it.

Compared against: the sentences a person expects; the texts themselves.
"""

import json

import pytest

import quchong as qc
from quchong.errors import UsageError
from quchong.languages import speaking
from quchong.report import Difference, Explanation, in_words, render
from quchong.report.differing import counted_in_words, facts_in_words

NOISE = Difference("noise", False, "\u3000", "", 0, 1, 0, 0)
FIGURE = Difference("figure", True, "120", "130", 3, 6, 2, 5)
DATE = Difference("date", True, "3月5日", "3月6日", 9, 13, 8, 12)


def test_facts_come_first_and_five_at_most():
    assert in_words([NOISE, FIGURE, DATE]) == "figure 120 → 130; date 3月5日 → 3月6日; noise left out “\u3000”"
    assert in_words([NOISE, FIGURE, DATE], "zh") == "数字 120 → 130；日期 3月5日 → 3月6日；错字 删：“\u3000”"
    many = [NOISE] * 4 + [FIGURE] * 3
    assert in_words(many) == "; ".join(["figure 120 → 130"] * 3 + ["noise left out “\u3000”"] * 2) + "; and 2 more"
    assert in_words(many, "zh").endswith("；另有2处") and in_words(many[:5]).count(";") == 4
    assert in_words([]) == "" and in_words([FIGURE.turned]) == "figure 130 → 120"
    assert (
        facts_in_words(["figure", "date"]) == "figure, date"
        and facts_in_words(["figure", "date"], "zh") == "数字、日期"
    )
    assert (
        counted_in_words({"figure": 1200, "negation": 1}) == "in figures 1,200, negations 1"
        and counted_in_words({}) == ""
    )


def test_what_a_terminal_would_act_on_is_shown_by_its_code():
    bad = Difference("wording", False, "\x1b[2J\n甲", "乙\u202e" + "长" * 500, 0, 1, 0, 1)
    words = in_words([bad])
    assert "\x1b" not in words and "\n" not in words and "\u202e" not in words
    assert facts_in_words(["\x1b[2J"]) == "\\x1b[2J"
    assert words.startswith("wording \\x1b[2J\\n甲 → 乙⟨U+202E⟩长") and len(words) < 200


TEXT = (
    "第{}号文件说，云河市今天召开会议讨论城市轨道交通建设教育改革和医疗保障等议题，与会代表积极发言提出许多建议，共有{}人参加，花费{}元，"
    "大家认为要加快推进老旧小区改造工作，会后记者采访了几位市民，他们希望公共交通更加方便。"
)
ROWS = [
    {"id": "a", "text": TEXT.format(2, 3, 4), "time": "2020-03-05"},
    {"id": "b", "text": TEXT.format(5, 6, 7), "time": "2020-03-07"},
]
SAID = "figure 第2 → 第5; figure 3 → 6; figure 4元 → 7元"


@pytest.fixture
def removed():
    return qc.dedup(ROWS, recall_sample=0, facts="remove", keep="latest")


def test_why_a_variant_went(removed):
    found = removed.explain("a")
    assert found.facts == ("figure",) and found.supersedes is False
    assert found.differing() == SAID and found.differing("zh").startswith("数字 第2 → 第5；数字 3 → 6")
    assert f"differs (removed → kept): {SAID}\n  this document is not newer than the other" in str(found)
    text, other = ROWS[0]["text"], ROWS[1]["text"]
    for one in found.differences:
        assert (text[one.left_start : one.left_end], other[one.right_start : one.right_end]) == (one.left, one.right)
    assert json.loads(json.dumps(found.as_dict()))["differences"][0]["left"] == "第2"


def test_variants_of_a_document_that_stays():
    kept = qc.dedup(ROWS, recall_sample=0)
    mine, other = kept.explain("a"), kept.explain("b")
    (one,), (turned,) = mine.near, other.near
    assert (one["facts"], one["newer"], turned["newer"]) == (("figure",), False, True)
    assert in_words(one["differences"]) == SAID
    assert in_words(turned["differences"]) == "figure 第5 → 第2; figure 6 → 3; figure 7元 → 4元"
    assert f"    differs (a → b): {SAID}\n    this document is not newer than the other" in str(mine)
    assert "    this document is newer than the other" in str(other)
    assert json.loads(json.dumps(mine.as_dict()))["near"][0]["differences"][2]["right"] == "7元"
    beside = kept.compare("b", "a")
    assert beside.facts == ("figure",) and "differs (b → a): figure 第5 → 第2" in str(beside)


def test_copies_and_runs_folders_say_it_too(tmp_path, removed):
    saved = qc.load(removed.save(tmp_path / "run"))
    assert saved.explain("a") == removed.explain("a")
    rows = [*ROWS, dict(ROWS[1], id="c", text=ROWS[1]["text"].replace("，", ","), time=None)]
    found = qc.dedup(rows, recall_sample=0)
    assert found.explain("c").differences == () and "differs" not in str(found.explain("c")).split("Other listed")[0]
    assert "differs in: figure" in str(found.explain("c"))  # of a further copy only the kinds are known


def test_another_language_is_refused():
    with pytest.raises(UsageError, match="'fr' is not a language of messages: use en or zh"):
        in_words([FIGURE], "fr")


def test_a_contained_text_tells_nothing_of_what_the_other_has_more():
    more = Difference("wording", False, "", "x" * 90, 3, 3, 3, 93)
    known = {"survivor_id": "a", "relation": "contained_in", "containment": 1.0, "rule": "containment"}
    assert "differs" not in str(Explanation("b", True, differences=(more,), **known))
    assert "differs (removed → kept): figure 120" in str(Explanation("b", True, differences=(more, FIGURE), **known))


def test_facts_that_do_not_count_are_named():
    told = {"survivor_id": "a", "relation": "duplicate", "rule": "jaccard", "threshold": 0.55, "facts": ("figure",)}
    e = Explanation("b", True, differences=(FIGURE,), **told)
    assert "differences that this run does not count: figure" in render(e)
    with speaking("zh"):
        assert "本次运行不计的差异：数字" in render(e)


def test_no_threshold_decides_by_facts():
    e = Explanation(
        "b", True, "a", "variant", rule="facts differ", threshold=0.55, facts=("figure",), differences=(FIGURE,)
    )
    assert "rule: facts differ\n" in render(e) and "not counted" not in render(e)
