"""Covers: the social-text normaliser: what each step folds, what it leaves, and the way back. Run: pytest tests/unit/text."""

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quchong
from quchong.errors import UsageError
from quchong.text import SOCIAL_STEPS, Preparer, social_steps

SAID = "今天这里下了一场很大的雨"  # enough beside anything


def folded(text, *steps):
    """A post as it is compared, white space joined."""
    return " ".join(
        Preparer(social=steps or SOCIAL_STEPS).prepare(pa.array([text], pa.large_string())).texts[0].as_py().split()
    )


@pytest.mark.parametrize(
    ("step", "text", "want"),
    [
        ("forwards", f"{SAID}//@小明:说得对//@李-四：是的", f"{SAID} 说得对 是的"),
        ("forwards", f"回复@小明:{SAID}", SAID),
        ("forwards", f"RT @abc: {SAID}", SAID),
        ("forwards", f"{SAID} via @abc", SAID),
        ("forwards", f"转发微博 //@小明：{SAID}", SAID),
        ("forwards", f"【转】{SAID}（转发）", SAID),
        ("forwards", f"转：{SAID}", SAID),
        ("forwards", f"{SAID}，请转发给朋友", f"{SAID}，请转发给朋友"),  # part of what is said
        ("tags", f"{SAID}(组图)", SAID),
        ("tags", f"{SAID}（图）", SAID),
        ("tags", f"组图：{SAID}", SAID),
        ("tags", f"{SAID}(3图)", SAID),
        ("tags", f"{SAID}（辟谣）", f"{SAID}（辟谣）"),  # says something
        ("links", f"{SAID}http://t.cn/zHcpATO", SAID),
        ("links", f"{SAID} www.a.cn/b?c=1 t.cn/abc", SAID),
        ("hashtags", f"#今天天气##武汉下雨#{SAID}#暴雨来了# http://t.cn/abc", f"{SAID} http://t.cn/abc"),
        ("hashtags", f"#广州#{SAID}", f"#广州#{SAID}"),  # a place, not a topic
        ("hashtags", f"我在#武汉#看到{SAID}", f"我在#武汉#看到{SAID}"),  # inside a sentence
        ("emoji", f"{SAID}[哈哈][good]😀👍🏽", SAID),
        ("emoji", f"{SAID}[哈哈][霹雳", SAID),
        ("emoji", f"[停课]{SAID}[北京]", f"[停课]{SAID}[北京]"),  # facts
        ("emoji", f"{SAID}[卖出", f"{SAID}[卖出"),
        ("emoji", f"{SAID}[1][2018年]", f"{SAID}[1][2018年]"),  # notes, not emoji
        ("names", f"@小明 @李_四{chr(32)}{SAID}", SAID),
        ("names", f"{SAID} @小明 @李_四", SAID),
        ("names", f"恭喜@张三 {SAID}", f"恭喜@张三 {SAID}"),  # part of what is said
        ("names", f"a@b.com {SAID}", f"a@b.com {SAID}"),  # an address
        ("punctuation", f"{SAID}！！！。。。", f"{SAID}！。"),
    ],
)
def test_a_step_folds_what_it_says_and_nothing_without_it(step, text, want):
    assert folded(text, step) == want
    others = tuple(s for s in SOCIAL_STEPS if s != step and s not in ("links",))
    if want != text and step not in ("links", "forwards"):
        assert folded(text, *others) != want
    assert Preparer().prepare(pa.array([text], pa.large_string())).texts[0].as_py() == text


@pytest.mark.parametrize(
    "text",
    [
        "转发微博",
        "[怒][怒][怒]",
        "@小明 @小红",
        "#宋朝0202生日快乐#",
        "http://t.cn/zHcpATO",
        "（图）",
        "",
        "看[怒]",
        "😀",
    ],
)
def test_nothing_is_folded_where_that_was_the_content(text):
    assert folded(text) == text


def test_names_and_topics_need_more_beside_them_than_marks_do():
    assert folded("@小明 生日快乐啊") == "@小明 生日快乐啊"
    assert folded("#北京#下雨了啊") == "#北京#下雨了啊"
    assert folded("生日快乐啊[蛋糕]（图）") == "生日快乐啊"


def test_posts_that_differ_in_marks_are_exact_and_the_output_is_the_original():
    posts = [f"{SAID}，明天还要下", f"转发微博 //@小明:{SAID}，明天还要下！！[哈哈]"]
    result = quchong.dedup(posts, method="short-text")
    assert result.ledger["relation"].to_pylist() == ["exact"]
    assert sorted(result.kept["text"].to_pylist() + result.removed["text"].to_pylist()) == sorted(posts)
    assert not len(quchong.dedup(posts, method="short-text", social="none").ledger)
    assert (
        "exact" not in quchong.dedup(posts).ledger["relation"].to_pylist()
    )  # the default method folds nothing unasked


def test_passages_lead_back_to_the_original_text():
    left, right = f"回复@小明:[哈哈]{SAID}，明天还要下", f"{SAID}，明天还要下雪"
    found = quchong.compare(left, right, method="short-text")
    (place,) = found.passages
    assert left[place.start : place.end] == right[place.survivor_start : place.survivor_end]
    assert left[place.start : place.end].startswith(SAID)
    assert quchong.compare(left, right, method="short-text", social="none").jaccard < found.jaccard


pieces = st.sampled_from(
    ["转发微博", "//@甲乙:", "回复@丙：", "[哈哈]", "[good]", "😀", "#话题#", "（图）", "(组图)", "！！", "。。。", "http://a.cn/b", "@丁 ",
     "今天天气", "很好啊真的", "é", "e\u0301", " ", "\n", "转：", "RT @x: "]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(pieces, max_size=9).map("".join), st.sets(st.sampled_from(SOCIAL_STEPS)))
def test_every_character_compared_stands_where_its_edit_says(text, steps):
    import unicodedata

    prepared = Preparer(social=tuple(sorted(steps))).prepare(pa.array([text], pa.large_string()))
    new, edit = prepared.texts[0].as_py(), prepared.edits.get(0)
    if edit is None:
        assert new == text
        return
    before = 0
    for i, c in enumerate(new):
        a, b = edit.back(i, i + 1)
        assert before <= a < b <= len(text)
        before = a
        assert c in text[a:b] or c == " " or c in unicodedata.normalize("NFKC", text[a:b])
    said = [c for c in text if c.isalnum()]
    assert not said or any(c.isalnum() for c in new)  # never to nothing


def test_steps_are_read_as_the_option_gives_them():
    assert social_steps("all") == SOCIAL_STEPS
    assert social_steps("none") == social_steps("") == ()
    assert social_steps("emoji, forwards") == ("forwards", "emoji")
    for wrong in ("smileys", "all,emoji", "none,emoji"):
        with pytest.raises(UsageError, match="social"):
            social_steps(wrong)
    with pytest.raises(UsageError, match="social"):
        quchong.dedup(["a"], social="smileys")


def test_the_config_hash_tells_what_was_folded():
    posts = [SAID]
    hashes = {
        quchong.dedup(posts, method="short-text", social=s).manifest["config_hash"] for s in (None, "none", "emoji")
    }
    assert len(hashes) == 3
