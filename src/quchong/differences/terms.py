"""Replaced content words: another disease, dish or crime, told from synonyms, slips and short forms."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from quchong.differences.english_terms import english_term
from quchong.differences.exchange import CLAUSES
from quchong.differences.facts import spoken_of
from quchong.differences.names import short_form
from quchong.differences.remembered import Remembered
from quchong.differences.synonyms import are_synonyms, is_listed, same_but_for_cutting
from quchong.differences.windows import Window
from quchong.patterns import lazy_pattern
from quchong.text.words import is_known_word, tagged

NEAR = 6
"""Characters around a difference in which words are cut."""
LONGEST = 12
"""Most characters of a Chinese stretch, extended to whole words, that may be another term; a longer one is rewritten."""
MOST = 3
"""Most content words on either side; more are a rewritten clause."""


class _Word(NamedTuple):
    """A word of a window with its part of speech, and its offsets."""

    text: str
    tag: str
    start: int
    end: int


_CONTENT = ("n", "v", "a", "b", "l", "i", "j", "z", "g", "x")
"""Beginnings of the tags of content words; other words are time, place in a text, pronouns, measures and grammar."""
_NAMED = ("nr", "ns", "nt")
"""Beginnings of the tags of names, which `quchong.differences.names` compares."""
_BUILT = frozenset("桥楼塔坝墙亭庙井碑")
"""Last characters of things that the tagger takes for places: 石桥."""
_LIGHT = frozenset(
    "进行 开展 作出 做出 给予 予以 加以 成为 作为 属于 位于 发生 出现 召开 举行 表示 指出 认为 称 说 说道 介绍 透露 强调 介绍说 进一步 "
    "是 有 没有 可以 能够 应该 应当 需要 必须 可能 要 会 能 使 让 令 到 去 来 就是 还是 也是 有关 相关 等等 一些 方面 情况 问题 工作 时候 "
    "时 后 前 中 内 外 上 下 左右 以上 以下 重大 重要 主要 非常 特别 十分 较大 较好 良好 巨大 明显 显著 不断 持续 大量 大批 大力 努力 认真 "
    "人们 大家 群众 民众 近日 日前 目前 当前 今后 同时 此外 另外 其中 其他 其它 本 该 此 全 各 "
    "分别 各自 完善 健全 实施 施行 推进 推动 加强 强化 开始 继续 得到 获得 具有 拥有 实现 达成 完成 显示 表明 反映 生活 日子 了解 "
    "知晓 称 看到 "
    "重申 说明 着手 须要 难题 具体 详细 部分 范围 区间 条件 前提 我们 他们 这是 那是 前往 赶往 决定 确定 成立 组建 负责人 主管 "
    "单位 机构".split()
)
"""Words so general that one of them in the place of another tells nothing."""


def other_terms(sides: Sequence[Window], pairs: np.ndarray, slips: np.ndarray) -> np.ndarray:
    """Return a mask of the questions in which a content word is replaced by a word that is no synonym.

    Args:
        sides: windows.
        pairs: (n, 2) int64, the windows of each question, left and right.
        slips: bool (n,), True where the difference is of characters that look or sound alike.

    Cost: words are cut in all windows at once, 0.35 s a million characters.
    """
    out = np.zeros(len(pairs), bool)
    chinese = [k for k, (a, b) in enumerate(pairs.tolist()) if _han(sides[a].stretch) and _han(sides[b].stretch)]
    used = np.unique(pairs[chinese]).tolist()
    cut = dict(zip(used, _words([sides[k] for k in used]), strict=True))
    for k in chinese:
        a, b = pairs[k].tolist()
        if _reports(sides[a]) or _reports(sides[b]):
            continue
        out[k] = _chinese_term(cut[a], cut[b], bool(slips[k]))
    han = set(chinese)
    for k in range(len(pairs)):
        if k not in han and not slips[k]:
            a, b = pairs[k].tolist()
            out[k] = english_term(sides[a], sides[b])
    return out


_REPORT = lazy_pattern(
    "记者|通讯员|编辑|编者|本报|本网|消息|报道|获悉|据悉|据知|据了解|日电|制图|摄影|责编|(?:新|日|晚|晨|民|华)[网社报]$"
)
"""Words of datelines, bylines and sources, which name who reports and no term of the text."""


def _reports(window: Window) -> bool:
    """Return True if the differing text names the author or the source of the report, or goes beyond one clause."""
    stretch = window.stretch.strip()
    return "@" in stretch or bool(CLAUSES.search(stretch) or _REPORT.search(stretch)) or spoken_of(window)


def _han(text: str) -> bool:
    return any("\u3400" <= c <= "\u9fff" for c in text)


class _Cut(NamedTuple):
    """Window around a difference, and the words of its text."""

    window: Window
    words: list[_Word]


def _words(sides: Sequence[Window]) -> list[_Cut]:
    """Return windows of at most NEAR characters around the differing texts, with their words, which are not to be changed."""
    return _remembered.values_of([w.with_margin(NEAR) for w in sides])


def _cut_words(near: Sequence[Window]) -> list[_Cut]:
    """Cut the words of windows, all in one call, as lines of one text."""
    out: list[_Cut] = [_Cut(w, []) for w in near]
    if not near:
        return out
    which, at, base, end = 0, 0, 0, len(near[0].text)
    for word, tag in tagged("\n".join(w.text.replace("\n", " ") for w in near)):
        # Behind the end of a window is a line break, and then the next window.
        while at > end:
            which, base = which + 1, end + 1
            end = base + len(near[which].text)
        if at < end:
            out[which].words.append(_Word(word, tag, at - base, at - base + len(word)))
        at += len(word)
    return out


_remembered = Remembered(_cut_words)


def whole_terms(sides: Sequence[Window]) -> list[tuple[int, int]]:
    """Return for each window the offsets of the first and the last word that the differing text touches, in the window: 货款 for 货."""
    out = [(side.start, side.end) for side in sides]
    han = [k for k, side in enumerate(sides) if _han(side.stretch)]
    for k, cut in zip(han, _words([sides[k] for k in han]), strict=True):
        shift = sides[k].start - cut.window.start
        touched = [w for w in cut.words if w.start < cut.window.end and w.end > cut.window.start]
        first, last = min(w.start for w in touched), max(w.end for w in touched)
        out[k] = (first + shift, last + shift)
    return out


def _aligned(left: _Cut, right: _Cut) -> tuple[list[_Word], list[_Word]] | None:
    """Return the words that cover the differing text on each side, with equally many characters around; None if there are too many."""
    before = behind = 0
    # A word that is cut on one side is taken whole, and then as much of the other side, until no word is cut.
    for _ in range(4):
        found = []
        for cut in (left, right):
            first, last = cut.window.start - before, cut.window.end + behind
            found.append([w for w in cut.words if w.start < last and w.end > first])
        if not all(found):
            return None
        reach = [
            (max(before, cut.window.start - words[0].start), max(behind, words[-1].end - cut.window.end))
            for cut, words in zip((left, right), found, strict=True)
        ]
        wider = max(r[0] for r in reach), max(r[1] for r in reach)
        if wider == (before, behind):
            x, y = found
            return (x, y) if sum(len(w.text) for w in max(x, y, key=len)) <= LONGEST else None
        before, behind = wider
    return None


def _chinese_term(left: _Cut, right: _Cut, slip: bool) -> bool:
    """Return True if content words differ and are no synonyms; if the edit may be a slip, both must be in the lexicon."""
    if slip and (_another_word(left, right) or _another_word(right, left)):
        return True
    return _other_words(left, right, slip)


def _other_words(left: _Cut, right: _Cut, slip: bool) -> bool:
    """Return True if the tagger's words at the differing text differ in content; if the edit may be a slip, both must be in the lexicon."""
    both = _aligned(left, right)
    if both is None:
        return False
    mine, theirs = ([w for w in side if _is_content(w)] for side in both)
    if not 0 < len(mine) <= MOST or not 0 < len(theirs) <= MOST:
        return False
    x, y = [w.text for w in mine], [w.text for w in theirs]
    if slip:
        return (
            len(x) == len(y) == 1
            and len(x[0]) == len(y[0]) > 1
            and is_listed(x[0])
            and is_listed(y[0])
            and not _same(x[0], y[0])
        )
    rest = _without_counterpart(x, y), _without_counterpart(y, x)
    if (
        not all(rest)
        or short_form("".join(x), "".join(y))
        or same_but_for_cutting(*("".join(w.text for w in some) for some in both))
    ):
        return False
    # Words of one character are often a part of a longer one: they count between nouns that the lexicon has.
    long = [[w for w in some if len(w) > 1] for some in rest]
    if all(long):
        return any(is_known_word(w) for some in long for w in some)
    return (
        len(x) == len(y) == 1
        and all(len(w) == 1 and is_listed(w) for w in x + y)
        and mine[0].tag == theirs[0].tag == "n"
    )


def _another_word(one: _Cut, other: _Cut) -> bool:
    """Return True if a changed character turns a word of one side into another word of the lexicon on the other: 使用 and 食用酒精."""
    start, end = one.window.start, one.window.end
    if end - start != other.window.end - other.window.start:
        return False
    for word in one.words:
        if word.start <= start and end <= word.end and len(word.text) > end - start:
            first = other.window.start + word.start - start
            another = other.window.text[max(first, 0) : first + len(word.text)]
            whole = any(w.start <= first and first + len(another) <= w.end for w in other.words)
            known = whole and _is_content(word) and is_listed(word.text) and is_listed(another)
            return known and not _same(word.text, another)
    return False


def _is_content(word: _Word) -> bool:
    # The tagger takes 玉米 for a person: names are only what the lexicon does not have.
    if not _han(word.text) or not word.tag.startswith(_CONTENT):
        return False
    if not word.tag.startswith(_NAMED) or is_listed(word.text):
        return True
    return word.tag.startswith("ns") and word.text[-1] in _BUILT


def _without_counterpart(mine: Sequence[str], theirs: Sequence[str]) -> list[str]:
    """Return the words of one side that have no synonym, short or longer form on the other side."""
    return [w for w in mine if not any(_same(w, other) for other in theirs)]


@lru_cache(1 << 14)
def _same(one: str, other: str) -> bool:
    both_light = one in _LIGHT and other in _LIGHT
    return both_light or one in other or other in one or short_form(one, other) or are_synonyms(one, other)
