"""Transliterations: two ways to write one foreign name in Chinese, compared by their sound (撒切尔, 柴契尔)."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from quchong.differences.dictionaries import readings

_CLASSES = {
    "b": "b", "p": "b", "m": "m", "f": "f", "w": "f", "d": "d", "t": "d", "n": "n", "l": "l", "r": "l", "g": "g", "k": "g", "h": "h",
    "j": "s", "q": "s", "x": "s", "z": "s", "c": "s", "s": "s",
}  # fmt: skip
"""Class of the first consonant of a syllable; consonants of a class stand for each other, because mainland, Taiwan and Hong Kong differ."""
FOREIGN = frozenset(
    "阿埃艾安昂奥巴贝本比宾波伯勃博布查茨达戴丹德登狄迪蒂杜多尔法菲费芬弗福夫盖冈格葛贡哈海汉赫亨霍基吉加嘉杰金卡凯坎考科克肯库拉莱兰朗劳勒雷里利林卢鲁伦罗"
    "洛马玛迈曼梅蒙米密莫默姆穆拿纳娜内尼涅宁纽诺欧帕佩彭皮平普契乔琼让萨塞桑沙舍圣史斯索苏塔泰坦汤特腾提廷图托瓦万威维韦温沃乌西希夏肖谢辛雅亚延伊因英尤约扎泽詹芝治朱兹"
    "恩胡昆耶齐曼豪撒瑟瑞森登顿逊邦鲍彼毕仓楚道丁凡范冯高戈根古瓜果何洪华怀基江津凯珀奇乔切钦丘热仁荣什施斯泰通温文武锡香休雪逊扬叶义易永于宰赞泽祖佐奎邓埔颇喀拓"
)
"""Characters used to write foreign names."""
_LEAST = 3
"""Least length of the longer name; of two characters too many different names sound alike."""
_SHARE = 0.75
"""Least share of the longer name's consonants that both have in order."""


def is_foreign(name: str) -> bool:
    """Return True if every character of a name is one of those used to write foreign names; dots between its parts do not count."""
    return bool(name) and all(c in FOREIGN or c == "·" for c in name)


@lru_cache(4096)
def sound_alike(a: str, b: str) -> bool:
    """Return True if two names may write one foreign name: the first consonants agree, and nearly all others in order.

    One of them must be written in characters of foreign names alone, because Chinese names of one surname sound alike as well.
    """
    if (
        a == b
        or max(len(a), len(b)) < _LEAST
        or min(len(a), len(b)) < _LEAST - 1
        or not (is_foreign(a) or is_foreign(b))
    ):
        return a == b
    x, y = consonants(a), consonants(b)
    if not x or not y or x[0] != y[0]:
        return False
    shared = _in_order(x, y)
    return shared >= 2 and shared >= _SHARE * max(len(x), len(y))


@lru_cache(4096)
def consonants(name: str) -> str:
    """Return the classes of the first consonants of a name's characters; one that begins with a vowel is left out, 尔 and 儿 are l."""
    known = readings()
    out = []
    for character in name:
        syllable = known.get(character, "")
        out.append("l" if syllable == "er" else _CLASSES.get(syllable[:1], ""))
    return "".join(out)


def _in_order(x: str, y: str) -> int:
    """Return the length of the longest common subsequence of two short strings."""
    row = [0] * (len(y) + 1)
    for a in x:
        new = [0]
        for (before, above), b in zip(pairwise(row), y, strict=True):
            new.append(before + 1 if a == b else max(above, new[-1]))
        row = new
    return row[-1]


def foreign_run(text: str, start: int, end: int) -> str:
    """Return the stretch text[start:end] with the characters of foreign names on both sides of it."""
    while start > 0 and text[start - 1] in FOREIGN:
        start -= 1
    while end < len(text) and text[end] in FOREIGN:
        end += 1
    return text[start:end]
