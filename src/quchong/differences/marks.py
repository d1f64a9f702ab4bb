"""Marks on tokens, by which edits are sorted before anything is read: most need no reading."""

from __future__ import annotations

from functools import cache

import numpy as np

from quchong.differences.dictionaries import confusions, negations, opposites, words
from quchong.kernels.text import word_hash

NEGATION, OPPOSITE, SURNAME, TITLE, NUMERAL, RELATIVE, PLACE, SUFFIX, FOREIGN, NUMBER, WORD, HAN = (
    1 << k for k in range(12)
)
_WORD_TOKEN, _NUMBER_TOKEN = 0x80000000, 0xC0000000  # marks of tokens, as in cpp/text/text.hpp
_CHARACTERS = 0x10000


_FOREIGN = (
    "阿埃艾安昂奥巴贝本比宾波伯勃博布查茨达戴丹德登狄迪蒂杜多尔法菲费芬弗福夫盖冈格葛贡哈海汉赫亨霍基吉加嘉杰金卡凯坎考科克肯库拉莱兰朗劳勒雷里利林卢鲁伦罗"
    "洛马玛迈曼梅蒙米密莫默姆穆拿纳娜内尼涅宁纽诺欧帕佩彭皮平普契乔琼让萨塞桑沙舍圣史斯索苏塔泰坦汤特腾提廷图托瓦万威维韦温沃乌西希夏肖谢辛雅亚延伊因英尤约扎泽詹芝治朱兹"
)
"""Characters that foreign names are written with."""


@cache
def _of_characters() -> np.ndarray:
    """The marks of every character of the basic plane."""
    out = np.zeros(_CHARACTERS, np.uint16)
    out[0x3400:0xA000] |= HAN

    def mark(characters: str, bit: int) -> None:
        for c in set(characters):
            if ord(c) < _CHARACTERS:
                out[ord(c)] |= bit

    mark("不没未无非否别勿莫毋甭禁难休", NEGATION)
    mark("".join(w for w in opposites() if not w.isascii()), OPPOSITE)
    mark("".join(w for w in words("surnames")), SURNAME)
    mark("".join(w for w in words("titles") if not w.isascii()), TITLE)
    mark("".join(w for w in words("places") if not w.isascii()), PLACE)
    mark("".join(w[-1] for w in words("organisations") if not w.isascii()), SUFFIX)
    mark(_FOREIGN, FOREIGN)
    mark("零〇一二两三四五六七八九十百千万亿半成第%", NUMERAL)
    mark("今昨明前后去本上下近当来日天", RELATIVE)
    return out


@cache
def _negating() -> np.ndarray:
    """The tokens of English words that negate."""
    english = [w for w in negations()[0] if w.isascii() and "_" not in w]
    return np.array([word_hash(part) | _WORD_TOKEN for w in english for part in w.split("'")[:1] if part], np.uint32)


def marks_of(tokens: np.ndarray) -> np.ndarray:
    """The marks of tokens, uint16."""
    out = _of_characters()[np.minimum(tokens, _CHARACTERS - 1)]
    latin = np.flatnonzero(tokens >= _WORD_TOKEN)
    of_words = np.where(tokens[latin] >= _NUMBER_TOKEN, NUMBER, WORD)
    out[latin] = of_words | np.where(np.isin(tokens[latin], _negating()), NEGATION, 0)
    marks: np.ndarray = out.astype(np.uint16)
    return marks


def either(tokens: np.ndarray, first: np.ndarray, last: np.ndarray) -> np.ndarray:
    """The marks that some token of each stretch has, uint16; stretches are half open places in `tokens`."""
    lengths = np.maximum(last - first, 0)
    out = np.zeros(len(first), np.uint16)
    some = np.flatnonzero(lengths)
    if not len(some):
        return out
    starts = np.concatenate([[0], np.cumsum(lengths[some])[:-1]])
    index = np.arange(int(lengths[some].sum())) - np.repeat(starts - first[some], lengths[some])
    out[some] = np.bitwise_or.reduceat(marks_of(tokens[index]), starts)
    return out


GROUPS = 4
"""Groups of look-alikes and sound-alikes a character stands in, at most."""


@cache
def _groups() -> np.ndarray:
    out = np.full((_CHARACTERS, GROUPS), -1, np.int32)
    for c, groups in confusions().items():
        if ord(c) < _CHARACTERS:
            chosen = sorted(groups, reverse=True)[:GROUPS]
            out[ord(c), : len(chosen)] = chosen
    return out


def confused(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Mask of the pairs of tokens that are characters which sound or look alike."""
    table = _groups()
    out = np.zeros(len(a), bool)
    both = np.flatnonzero((a < _CHARACTERS) & (b < _CHARACTERS))
    x, y = table[a[both]], table[b[both]]
    out[both] = ((x[:, :, None] == y[:, None, :]) & (x[:, :, None] >= 0)).any((1, 2))
    return out
