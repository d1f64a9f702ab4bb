"""Marks on tokens by which edits are classified without reading the text, which suffices for most."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

import numpy as np

from quchong.differences.dictionaries import confusions, negations, words
from quchong.differences.figures import stating
from quchong.differences.meaning import LISTS, RANKS, lexicon
from quchong.differences.numerals import FINANCIAL
from quchong.kernels.differences import MarkTables
from quchong.kernels.text import TextTables, word_hash

NEGATION, SURNAME, NUMERAL, RELATIVE, SUFFIX, FOREIGN, NUMBER = (1 << k for k in range(7))
"""Marks of a character by what it may be part of. NUMBER is of figures: the character after a Chinese numeral may be its unit."""
UNITS_BESIDE = "美欧日港英公海负元里斤吨米时毫微厘纳兆吉平立翻番分顷升克安秒伏瓦帕赫卡焦尺寸亩镑"
"""Characters that change the unit or sign of a neighbouring figure (元, 美元), and prefixes that units share: 毫米, 毫升."""
_WORD_TOKEN = 0x80000000  # as in cpp/text/text.hpp
_CHARACTERS = 0x10000
_PARTS = re.compile(r"[a-z\d]+")


_FOREIGN = (
    "阿埃艾安昂奥巴贝本比宾波伯勃博布查茨达戴丹德登狄迪蒂杜多尔法菲费芬弗福夫盖冈格葛贡哈海汉赫亨霍基吉加嘉杰金卡凯坎考科克肯库拉莱兰朗劳勒雷里利林卢鲁伦罗"
    "洛马玛迈曼梅蒙米密莫默姆穆拿纳娜内尼涅宁纽诺欧帕佩彭皮平普契乔琼让萨塞桑沙舍圣史斯索苏塔泰坦汤特腾提廷图托瓦万威维韦温沃乌西希夏肖谢辛雅亚延伊因英尤约扎泽詹芝治朱兹"
)
"""Characters used to write foreign names."""


@cache
def mark_tables(tables: TextTables) -> MarkTables:
    """Return the tables of token marks for `quchong.kernels.differences.reasons`; words are keyed by their hash in `tables`."""
    return MarkTables(_of_characters(), _lexicon_table(tables))


def _of_characters() -> np.ndarray:
    """Return the marks of every character of the basic plane, uint8 bits."""
    out = np.zeros(_CHARACTERS, np.uint8)

    def mark(characters: str, bit: int) -> None:
        for c in set(characters):
            if ord(c) < _CHARACTERS:
                out[ord(c)] |= bit

    mark("不没未无非否别勿莫毋甭禁难休副", NEGATION)
    mark("".join(w for w in words("surnames")), SURNAME)
    mark("".join(w[-1] for w in words("organisations") if not w.isascii()), SUFFIX)
    mark(_FOREIGN, FOREIGN)
    mark("零〇一二两三四五六七八九十百千万亿半成第%" + "".join(FINANCIAL) + UNITS_BESIDE, NUMERAL)
    mark("今昨明前后去本上下近当来日天年月周季晚早夜晨午傍凌底末初正腊每", RELATIVE)
    mark("二两三四五六七八九十百千万亿" + "".join(FINANCIAL), NUMBER)
    return out


_BITS = 20
_FACTORS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F))


def slot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the slot of two successive tokens in the lexicon's hash table; b is 0 for a word of one token."""
    mixed = a.astype(np.uint64) * _FACTORS[0] + b.astype(np.uint64) * _FACTORS[1]
    out: np.ndarray = (mixed >> np.uint64(64 - _BITS)).astype(np.int64)
    return out


NEGATES, STATES = 16, 32
"""Marks of Latin words in addition to the lists: a part of a negation; a word that states a figure, a unit or a date."""


def _lexicon_table(tables: TextTables) -> np.ndarray:
    """Return the hash table of the lexicon: for each slot the lists and marks of its words, as bits."""
    table = np.zeros(1 << _BITS, np.uint8)
    # Latin words are marked by each of their parts, Chinese words by every two successive characters, so that a slot is found without
    # knowing the whole word.
    for k, name in enumerate(LISTS):
        singles, pairs = [], []
        for word in (word for word, lists in lexicon().items() if name in lists):
            if word[0].isascii():
                parts = word.replace("'", " ").replace("-", " ").split()
                singles += [word_hash(tables, part) | _WORD_TOKEN for part in parts]
            elif len(word) == 1:
                singles.append(ord(word))
            else:
                pairs += [(ord(a), ord(b)) for a, b in pairwise(word)]
        one = np.array(singles, np.uint32)
        table[slot(one, np.zeros(len(one), np.uint32))] |= 1 << k
        two = np.array(pairs, np.uint32).reshape(-1, 2)
        table[slot(two[:, 0], two[:, 1])] |= 1 << k
    # Latin words that negate or state a fact, in addition to the lists.
    english = [
        part for w in negations()[0] if w.isascii() for part in _PARTS.findall(w.split()[0]) if w.split()[0] != "by"
    ]
    english += RANKS
    for bit, marked in ((NEGATES, english), (STATES, [*sorted(stating()), "m"])):
        tokens = np.array([word_hash(tables, word) | _WORD_TOKEN for word in marked], np.uint32)
        table[slot(tokens, np.zeros(len(tokens), np.uint32))] |= bit
    return table


GROUPS = 4
"""Most groups of look-alikes and sound-alikes stored for a character."""


@cache
def _groups() -> np.ndarray:
    out = np.full((_CHARACTERS, GROUPS), -1, np.int32)
    for c, groups in confusions().items():
        if ord(c) < _CHARACTERS:
            chosen = sorted(groups, reverse=True)[:GROUPS]
            out[ord(c), : len(chosen)] = chosen
    return out


def confused(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return a mask of the pairs of tokens that are characters which sound or look alike."""
    table = _groups()
    out = np.zeros(len(a), bool)
    both = np.flatnonzero((a < _CHARACTERS) & (b < _CHARACTERS))
    x, y = table[a[both]], table[b[both]]
    out[both] = ((x[:, :, None] == y[:, None, :]) & (x[:, :, None] >= 0)).any((1, 2))
    return out
