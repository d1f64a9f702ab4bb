"""Marks on tokens by which edits are classified without reading the text, which suffices for most."""

from __future__ import annotations

from functools import cache
from itertools import chain

import numpy as np

from quchong.differences.dictionaries import classes_of, confusions, negations, words
from quchong.differences.figures import stating
from quchong.differences.loaded_once import loaded_once
from quchong.differences.meaning import LISTS, lexicon
from quchong.differences.numerals import FINANCIAL, TENS
from quchong.differences.symbols import WRITTEN, is_symbol
from quchong.differences.windows import native_digits
from quchong.kernels.differences import MarkTables
from quchong.kernels.sorting import distinct
from quchong.kernels.text import TextTables, word_hash
from quchong.patterns import lazy_pattern
from quchong.text.normalise import NUMBER_WORDS

NEGATION, SURNAME, NUMERAL, RELATIVE, SUFFIX, FOREIGN, NUMBER, SYMBOL = (1 << k for k in range(8))
"""Marks of a character by what it may be part of. NUMBER is of figures: the character after a Chinese numeral may be its unit."""
UNITS_BESIDE = "美欧日港英公海负元里斤吨米时毫微厘纳兆吉平立翻番分顷升克安秒伏瓦帕赫卡焦尺寸亩镑基"
"""Characters that change the unit or sign of a neighbouring figure (元, 美元), and prefixes that units share: 毫米, 毫升."""
_WORD_TOKEN, _FIGURE = 0x80000000, 0x40000000  # as in cpp/text/text.hpp
_CHARACTERS = 0x10000
_PARTS = lazy_pattern(r"[a-z\d]+")


_FOREIGN = (
    "阿埃艾安昂奥巴贝本比宾波伯勃博布查茨达戴丹德登狄迪蒂杜多尔法菲费芬弗福夫盖冈格葛贡哈海汉赫亨霍基吉加嘉杰金卡凯坎考科克肯库拉莱兰朗劳勒雷里利林卢鲁伦罗"
    "洛马玛迈曼梅蒙米密莫默姆穆拿纳娜内尼涅宁纽诺欧帕佩彭皮平普契乔琼让萨塞桑沙舍圣史斯索苏塔泰坦汤特腾提廷图托瓦万威维韦温沃乌西希夏肖谢辛雅亚延伊因英尤约扎泽詹芝治朱兹"
)
"""Characters used to write foreign names."""


@loaded_once
def mark_tables(tables: TextTables) -> MarkTables:
    """Return the tables of token marks for `quchong.kernels.differences.reasons`; words are keyed by their hash in `tables`."""
    return MarkTables(_of_characters(), _lexicon_table(tables))


_MAY_BE_SYMBOLS = (range(0x80, 0x3400), range(0x4DC0, 0x4E00), range(0xA000, 0xAC00), range(0xF900, _CHARACTERS))
"""Characters of the basic plane among which there are symbols: all but Han, Hangul, surrogates and those of private use."""


def _of_characters() -> np.ndarray:
    """Return the marks of every character of the basic plane, uint8 bits."""
    out = np.zeros(_CHARACTERS, np.uint8)

    def mark(characters: str, bit: int) -> None:
        for c in set(characters):
            if ord(c) < _CHARACTERS:
                out[ord(c)] |= bit

    mark("不没未无非否别勿莫毋甭禁难休副免", NEGATION)
    mark("".join(w for w in words("surnames")), SURNAME)
    mark("".join(w[-1] for w in words("organisations") if not w.isascii()), SUFFIX)
    mark(_FOREIGN, FOREIGN)
    mark(WRITTEN + "".join(filter(is_symbol, map(chr, chain(*_MAY_BE_SYMBOLS)))), SYMBOL)
    mark("零〇一二两三四五六七八九十百千万亿半几数成第%" + "".join((*FINANCIAL, *TENS)) + UNITS_BESIDE, NUMERAL)
    mark("最今昨明前后去本上下这近当来日天年月周季晚早夜晨午傍凌底末初正腊每", RELATIVE)
    mark("二两三四五六七八九十百千万亿" + "".join((*FINANCIAL, *TENS)), NUMBER)
    mark("".join(native_digits()), NUMERAL | NUMBER)
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
    latin: dict[str, int] = {}
    chinese: list[str] = []
    lists: list[int] = []
    bits = {names: sum(1 << k for k, name in enumerate(LISTS) if name in names) for names in set(lexicon().values())}
    for word, names in lexicon().items():
        if word[0].isascii():
            for part in word.replace("'", " ").replace("-", " ").split():
                latin[part] = latin.get(part, 0) | bits[names]
        else:
            chinese.append(word)
            lists.append(bits[names])
    lengths = np.fromiter(map(len, chinese), np.int64, len(chinese))
    characters, which = _characters_of("".join(chinese)), np.repeat(np.array(lists, np.uint8), lengths)
    last = np.zeros(len(characters), bool)
    last[np.cumsum(lengths) - 1] = True
    # Two characters in a row, unless the first ends its word; and the words of one character.
    pairs, alone = np.flatnonzero(~last), np.cumsum(lengths)[lengths == 1] - 1
    # Months and numerals are figures among the tokens: may, which is a word of modality too, and one, which both excludes.
    words_of_one = np.array(
        [word_hash(tables, part) | _WORD_TOKEN | (_FIGURE if part in NUMBER_WORDS else 0) for part in latin],
        np.uint32,
    )
    for a, b, marks in (
        (characters[pairs], characters[pairs + 1], which[pairs]),
        (characters[alone], np.zeros(len(alone), np.uint32), which[alone]),
        (words_of_one, np.zeros(len(words_of_one), np.uint32), np.array(list(latin.values()), np.uint8)),
    ):
        np.bitwise_or.at(table, slot(a, b), marks)
    # Latin words that negate or state a fact, in addition to the lists.
    english = [
        part for w in negations()[0] if w.isascii() for part in _PARTS.findall(w.split()[0]) if w.split()[0] != "by"
    ]
    # Verbs that negate the verb behind them, exemption from a duty.
    for name in ("denying_to", "denying_ing", "nearly"):
        english += [part for word in classes_of("denials")[name] for part in word.split()[:1]]
    english += [
        *classes_of("denials")["prefixes"],
        *classes_of("ranks")["english"],
        "exempt",
        "exempted",
        "against",
        "used",
    ]
    for bit, marked in ((NEGATES, english), (STATES, [*sorted(stating()), "m"])):
        tokens = np.array([word_hash(tables, word) | _WORD_TOKEN for word in marked], np.uint32)
        table[slot(tokens, np.zeros(len(tokens), np.uint32))] |= bit
    return table


def _characters_of(text: str) -> np.ndarray:
    return np.frombuffer(text.encode("utf-32-le"), "<u4").astype(np.uint32)


GROUPS = 4
"""Most groups of look-alikes and sound-alikes stored for a character."""


@cache
def _groups() -> np.ndarray:
    """Return the confusion groups of every character of the basic plane, int32 (65,536, GROUPS), highest first, filled with -1."""
    out = np.full((_CHARACTERS, GROUPS), -1, np.int32)
    characters, groups = confusions()
    code = _characters_of(characters).astype(np.int64)
    code, groups = code[code < _CHARACTERS], groups[code < _CHARACTERS]
    # By character, within one the highest number first; one that is listed twice in a group counts once.
    keys = distinct(code << 32 | (_HIGHEST - groups))
    code, groups = keys >> 32, _HIGHEST - (keys & 0xFFFFFFFF)
    place = np.arange(len(code)) - np.searchsorted(code, code)
    some = place < GROUPS
    out[code[some], place[some]] = groups[some]
    return out


_HIGHEST = 0xFFFFFF
"""Least number above those of all groups."""


def confused(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return a mask of the pairs of tokens a[i] and b[i] that are characters which sound or look alike."""
    table = _groups()
    out = np.zeros(len(a), bool)
    both = ((a < _CHARACTERS) & (b < _CHARACTERS)).nonzero()[0]
    if not len(both):
        return out
    x, y = table[a[both]], table[b[both]]
    out[both] = ((x[:, :, None] == y[:, None, :]) & (x[:, :, None] >= 0)).any((1, 2))
    return out
