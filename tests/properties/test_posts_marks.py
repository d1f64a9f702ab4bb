"""Covers: the marks of posts. Compared against: tests/twins/posts.py. Run: pytest tests/properties."""

import sys
from functools import cache

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import posts as ref_posts

from quchong.kernels.posts import fold_posts, post_tables
from quchong.text import SOCIAL_STEPS
from quchong.text.social import BESIDE_CONTENT, BESIDE_MARKS, EMOJI_CODES, MARK_WORDS, fold_marks

SAID = "今天这里下了一场很大的雨"
PIECES = [
    "转发微博", "轉發", "转发", "转", "轉", "RT", "rt", "Fw", "FWD", "Repost", "扩散", "求转", "转自", "轉自", "来自", "分享自", "via", "vıa", "回复", "回復",
    "//", "/", "@甲乙", "@", "@a-b·c_", "@" + "名" * 30, "@" + "名" * 31, ":", "：", "（", "）", "(", ")", "【", "】", "[", "]", "「", "」", "图", "圖", "12图",
    "123圖", "٣图", "组图", "組圖", "高清组图", "GIF", "gıf", "视频", "荐", "http://", "https://a.b/c#d@e", "httpſ:", "HTTP:", "www.a", "www.", "t.cn/aB1",
    ".", "#", "#话题一二#", "#短#", "#" + "长" * 40 + "#", "#" + "长" * 41 + "#", "#abcd", "[哈哈]", "[Good]", "[lt切克闹]", "[哈", "[霹", "[停课]", "😀", "👍🏽", "❶",
    "\u200d", "Ⓐⓐ", "!!", "。。。", "……", "——", ",", "，", "、", "～", "~", "!", "！", " ", "\n", "\u3000", "\x1c", "_", "%", "+", "-", "a", "9", "ſ", "\u212a",
    "e\u0301\u0301", "\u200b\u200b", "今天", SAID,
]  # fmt: skip
posts = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=10).map("".join)
steps_given = st.one_of(st.just(set(SOCIAL_STEPS)), st.sets(st.sampled_from(SOCIAL_STEPS)))


def native(texts, steps, **how):
    """What changes in each text, and the texts that are left."""
    found = fold_marks(pa.array(texts, pa.large_string()), tuple(steps), **how)
    changes = {
        i: [
            (int(a), int(b), chr(c))
            for a, b, c in zip(found.start[p:q], found.end[p:q], found.put[p:q], strict=True)
        ]
        for i, p, q in zip(found.which.tolist(), found.offsets[:-1], found.offsets[1:], strict=True)
    }  # fmt: skip
    return changes, dict(zip(found.which.tolist(), found.texts.to_pylist(), strict=True))


@cache
def pattern(steps):
    return ref_posts.folding(steps)


def told(texts, steps):
    """The same by the patterns."""
    changes = {i: ref_posts.fold_posts(text, pattern(steps)) if steps else [] for i, text in enumerate(texts)}
    return {i: some for i, some in changes.items() if some}


def rewritten(text, changes):
    for a, b, new in reversed(changes):
        text = text[:a] + new + text[b:]
    return text


@settings(max_examples=500, deadline=None)
@given(st.lists(posts.map(lambda s: s.encode("utf-8", "ignore").decode()), max_size=4), steps_given)
def test_marks_are_those_the_patterns_find(texts, steps):
    steps = tuple(step for step in SOCIAL_STEPS if step in steps)
    wanted = told(texts, steps)
    got, left = native(texts, steps, workers=2)
    assert got == wanted
    assert left == {i: rewritten(texts[i], some) for i, some in wanted.items()}


@pytest.mark.skipif(
    ref_posts.unicode_version() != "14.0.0", reason="the kernel knows Unicode 14.0, as the rest of the normal form does"
)
def test_characters_at_the_borders_of_their_classes_count_as_the_patterns_count_it():
    """Each in places where its class decides: in a name, before and behind words, twice, as white space and as a letter of a link."""
    kinds = [
        (c.isalnum(), c.isdecimal(), c.isspace(), c.lower() == c, c.upper() == c)
        for c in map(chr, range(sys.maxunicode + 1))
    ]
    every = [
        chr(c)
        for c in range(sys.maxunicode + 1)
        if c < 0x300 or kinds[c] != kinds[c - 1] or kinds[c] != kinds[min(c + 1, sys.maxunicode)]
    ]
    every = [c for c in every if not 0xD800 <= ord(c) < 0xE000]
    for made in (
        lambda c: f"{SAID}{c}{c}@a{c}b//@a{c}",
        lambda c: f"{c}转:{SAID}({c}图)www.{c}",
        lambda c: f"{SAID}{c}www.ab{c}RT @a:{c}t.cn/a{c}",
        lambda c: f"{c * 10}!!",
    ):
        texts = [made(c) for c in every]
        got, _ = native(texts, SOCIAL_STEPS, workers=2)
        assert got == told(texts, SOCIAL_STEPS)


def test_long_rows_of_marks_cost_as_much_as_they_are_long():
    """Each of these was as slow as the square of its length where every mark began the row anew."""
    for text in (
        "x" + "#abcd#" * 60_000 + "y",
        "x " + "@ab " * 90_000 + "y",
        "(转) " * 90_000 + "y",
        "http:" * 70_000,
        "[" * 400_000,
        "//" * 200_000,
    ):
        changes, _ = native([text], SOCIAL_STEPS, workers=1)
        assert len(changes.get(0, [])) < len(text)


def test_texts_beside_which_nothing_remains_keep_their_marks():
    assert native(["", "转发微博", "@小明 @小红", "[怒][怒]"], SOCIAL_STEPS) == ({}, {})
    assert native([f"{SAID}！！！"], SOCIAL_STEPS)[1] == {0: f"{SAID}！"}


def test_wrong_arguments_are_refused():
    tables = post_tables({**MARK_WORDS, "codes": EMOJI_CODES})
    texts = pa.array(["a"], pa.large_string())
    beside = {"beside_content": BESIDE_CONTENT, "beside_marks": BESIDE_MARKS}
    with pytest.raises(ValueError, match="smileys"):
        fold_posts(tables, texts, ["smileys"], **beside)
    with pytest.raises(ValueError, match="beside_marks"):
        fold_posts(tables, texts, [], beside_content=1, beside_marks=-1)
    with pytest.raises(ValueError, match="words"):
        post_tables({"words": ["a"]})
    with pytest.raises(ValueError, match="empty"):
        post_tables({"tags": [""]})
