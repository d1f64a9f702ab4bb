"""Covers: words replaced by a text that says it corrects another one, with the same words beside it in texts that say nothing of the kind.
Compared against: what the texts say of themselves.

Run: pytest tests/unit/differences/test_corrections.py
"""

import pytest

import quchong

ENGLISH = (
    "The company said it agreed to buy a stake in a mine in Idaho from a unit of the group. The shaft cut a vein that holds silver and {}, and the "
    "two firms will share the cost of the work over the coming year, a spokesman told reporters.{}"
)
CHINESE = "公司昨天表示，已同意从该集团的子公司手中买下矿山的部分股份。竖井打到的矿脉含有白银和{}，两家企业将分担明年的施工费用，发言人在会上这样说。{}"


@pytest.mark.parametrize(
    ("frame", "words", "note"),
    [
        (ENGLISH, ("zinc", "lead"), " Corrects last assay result to lead from zinc."),
        (ENGLISH, ("zinc", "copper"), " CORRECTION - copper, not zinc."),
        (CHINESE, ("石膏", "石英"), "更正：是石英。"),
        (CHINESE, ("石膏", "石英"), "特此更正。"),
    ],
)
def test_a_word_that_a_correction_replaces_keeps_both(frame, words, note):
    first, second = frame.format(words[0], ""), frame.format(words[1], note)
    for pair in ((first, second), (second, first)):
        assert quchong.compare(*pair).facts == ("opposite",)
    # Without the note, or with it in both, it is another term, which decides nothing by default.
    assert quchong.compare(first, frame.format(words[1], "")).facts == ("term",)
    assert quchong.compare(frame.format(words[0], note), second).facts == ("term",)


@pytest.mark.parametrize(
    ("frame", "added"),
    [
        (ENGLISH, " The law corrects an old mistake."),
        (CHINESE, "政府表示会纠正错误。"),
        (ENGLISH, " He was right, the answer is correct."),
    ],
)
def test_a_text_about_mistakes_is_no_correction(frame, added):
    words = ("zinc", "lead") if frame is ENGLISH else ("石膏", "石英")
    assert quchong.compare(frame.format(words[0], ""), frame.format(words[1], added)).facts == ("term",)


def test_a_correction_of_nothing_else_is_still_a_copy():
    text = ENGLISH.format("zinc", "")
    assert quchong.compare(text, text + " Corrects spelling in the last paragraph.").relation in (
        "contained_in",
        "duplicate",
    )
