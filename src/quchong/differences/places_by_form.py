"""Places that no list has, recognised by their form: a name before 镇, 乡, 村, 街道, 县, 市 and the like, 平安镇 and 永和镇."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from quchong.differences.dictionaries import classes_of
from quchong.differences.edits import ANCHORED, WORD_TOKEN, Edits
from quchong.differences.meaning import are_unrelated
from quchong.differences.names import short_form, surnames
from quchong.differences.synonyms import is_listed
from quchong.differences.windows import Window
from quchong.kernels.arrays import Ragged
from quchong.kernels.sorting import among
from quchong.patterns import lazy_pattern
from quchong.text.words import is_known_word, tagged

_SUFFIX = lazy_pattern(
    "街道(?![上两旁边中清保改狭里])|镇(?![静定痛压守里内上])|乡(?![村镇亲下音愁土情间里思绅邻党民企贤试])|村(?![落镇庄寨里内口头外中子上级办企])"
    "|县(?![城级域])|市(?![场民值面价况占集井售容郊级内区])|区(?![域别分间块位划号段长内])|州(?![长际])|旗(?![帜舰下杆袍手号])"
    "|[庄屯寨](?![稼严园重户家子里])"
)
"""Suffixes of names of places, unless the next character makes another word of the suffix: 镇 of 平安镇, but not of 镇静."""
_KINDS = frozenset("街镇乡村县市区州旗庄屯寨")
"""First characters of these."""
_HOME = "家"
"""Character between the surname of those who founded a village and what its name goes on with."""
_SMALL = "子"
"""Character with which such a name ends: 上[营子]村."""
_LEAST = {"村": 1, "庄": 1, "屯": 1, "寨": 1}
"""Fewest characters before a suffix, 2 where this does not say."""
_NAME = 4
"""Most characters before a suffix."""
_GRAMMAR = frozenset(
    "的了着过是在于由从对把被将及或各每该本此我你他她它这那某几数多两个第所有其哪些为并也都又即等时当年月日号共全另别向往"
)
"""Characters that names of places do not have."""
_COUNTED = frozenset("一二三四五六七八九十百千万0123456789")
_BEFORE = frozenset(
    "大小上下前后东西南北中新老古高长内外白黑红黄青金银铜铁石土山水河江湖海沙泉溪沟桥井塘柳梅松竹桃李杏枣槐榆桑麻龙凤虎牛马羊永兴丰福泰顺德仁义宝双富吉祥清广云天"
)
"""Characters besides surnames with which the name of a place begins."""


_NO_VILLAGE = frozenset("古新老小大渔")
"""Characters that make no name of a village by themselves, though surnames: 古村."""


@lru_cache(1 << 12)
def place_by_form(window: Window) -> tuple[str, str] | None:
    """Return a place that the differing text is or is a part of, as its name and its suffix; None where the words are no such name.

    The stretch may end with the suffix or stand before it; between a stretch of one character and the suffix may be another one, 家 and
    one, or one and 子: [李]家村, [王]家沟村, [上]营子村.

    Example:
        >>> place_by_form(Window("记者从平安镇政府获悉", 3, 5)), place_by_form(Window("记者从城市居民处获悉", 3, 4))
        (('平安', '镇'), None)
    """
    text, start, end = window.text, window.start, window.end
    # Most windows have no suffix at any offset where one is looked for.
    if _KINDS.isdisjoint(text[start + 1 : end + 3]) or not 0 < end - start <= _NAME + 2:
        return None
    if not all("\u3400" <= c <= "\u9fff" for c in text[start:end]):
        return None
    alone = end - start == 1
    for at in (end - 2, end - 1, end, end + 1, end + 2):
        if at <= start or (at > end and not alone):
            continue
        if at > end + 1 and text[end : end + 1] != _HOME and text[end + 1 : end + 2] != _SMALL:
            continue
        suffix = _SUFFIX.match(text, at)
        if suffix is not None and suffix.end() >= end:
            first = start
            # A stretch of one character right before the suffix may be the end of a name: 安[平]镇.
            if at - start == 1 and start and _begins(text, start - 1):
                first -= 1
            name, whole = text[first:at], text[first : suffix.end()]
            if _is_name(name, suffix.group()) and not is_listed(whole) and (not alone or _begins(text, first)):
                return name, suffix.group()
    return None


def _begins(text: str, first: int) -> bool:
    """Return True if the name of a place may begin at offset `first` of a text."""
    if text[first] not in _BEFORE and text[first] not in surnames()[1]:
        return False
    return first == 0 or text[first - 1] in _GRAMMAR or not is_known_word(text[first - 1 : first + 1])


@lru_cache(1 << 12)
def _is_name(name: str, suffix: str) -> bool:
    """Return True if the characters before a suffix may be the name of a place, and are no word that says of what sort it is."""
    if not _LEAST.get(suffix, 2) <= len(name) <= _NAME or (_GRAMMAR | _COUNTED) & set(name):
        return False
    if len(name) == 1:
        return name not in _NO_VILLAGE
    known = classes_of("place_words")
    if name in known["given"]:
        return True
    return not {name, name[-2:]} & set(known["sort"]) and not _goes_on(name, suffix) and _is_tagged(name, suffix)


def _goes_on(name: str, suffix: str) -> bool:
    """Return True if the last character of the name and the suffix form a word (山村), so that the suffix does not end the name."""
    last = name[-1] + suffix
    return (is_listed(last) and not is_known_word(name)) or (name[-1] in _KINDS and is_known_word(last))


def _is_tagged(name: str, suffix: str) -> bool:
    """Return True if the tagger takes the name with its suffix for a name, or knows no word in it."""
    if len(name) == _TWO and name[0] in _SIDED and name[1] in _LANDSCAPE:
        return True  # 下塘 is an abbreviation for the tagger, 后坪 a verb
    found = tagged(name)
    if len(found) == 1:
        if found[0][1].startswith(_NAMED):
            return True
        noun = found[0][1].startswith(("n", "b"))
        return noun and suffix not in "区州旗" and (name[-1] in _LANDSCAPE or not is_listed(name))
    return all(len(word) == 1 or tag.startswith("n") for word, tag in found)


_LANDSCAPE = frozenset("山水河江湖海溪泉沟涧桥塘湾坝坪岭峡谷岗坡洲岛石峰林田滩浦港津渡井潭源原川关口堡庄家店寨屯营头")
"""Last characters of words after which places are called as they are: 绿水市, 大桥乡."""
_SIDED, _TWO = "上下前后内外东西南北中", 2
"""Sides with which the name of a village begins, before a word for a landscape: 下塘."""
_NAMED = ("nr", "ns", "nz")
"""Beginnings of the tags of names; before 区 other nouns say what an area is for: 商务区."""


def places_apart(left: Window, right: Window) -> bool:
    """Return True if both differing texts are, by their form, places of different names, neither of which is a form of the other."""
    if (mine := place_by_form(left)) is None or (theirs := place_by_form(right)) is None:
        return False
    return are_unrelated({mine[0], "".join(mine)}, {theirs[0], "".join(theirs)}) and not short_form(mine[0], theirs[0])


SCATTERED = 5
"""Characters replaced one by one at or above which a pair is a noisy copy, in which one character is no name."""
_SIDES = np.array(sorted(map(ord, "上下前后东西南北大小新老旧内外")), np.uint32)
"""Tokens, each one character, that tell places of one name apart: 上河村 and 下河村."""
_BEHIND = 3
"""Tokens behind an edit among which a suffix is looked for."""
_SUFFIX_TOKENS = np.array(sorted(map(ord, _KINDS)), np.uint32)


def may_be_places(docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, noise: np.ndarray) -> np.ndarray:
    """Return a mask of the edits of one to four Chinese characters followed by the suffix of a place on both sides, by tokens alone.

    Cost: linear in the edits.
    """
    out = np.zeros(len(edits.pair), bool)
    short = (np.minimum(edits.a, edits.b) > 0) & (np.maximum(edits.a, edits.b) <= _NAME)
    short &= (edits.after > 0) & (edits.before + edits.after >= ANCHORED)
    if not np.count_nonzero(short):
        return out
    single = (edits.a == 1) & (edits.b == 1)
    few = np.bincount(edits.pair[single], minlength=len(left)) < SCATTERED
    some = (short & (single | (noise == 0)) & (few[edits.pair] | ~single)).nonzero()[0]
    # 上 and 下 look alike, and are no slips where both are the first character of a village.
    sides = np.ones(len(some), bool)
    for side, column in ((left, 0), (right, 2)):
        first = docs.offsets[side[edits.pair[some]]] + edits.places[some, column]
        sides &= among(docs.tokens[first], _SIDES)
    some = some[sides | (noise[some] == 0)]
    for side, column in ((left, 0), (right, 2)):
        if not len(some):
            return out
        pair = side[edits.pair[some]]
        first, last = (docs.offsets[pair] + edits.places[some, column + k] for k in (0, 1))
        behind = np.minimum(last[:, None] + np.arange(_BEHIND), docs.offsets[pair + 1][:, None] - 1)
        suffixed = among(docs.tokens[behind.ravel()], _SUFFIX_TOKENS).reshape(behind.shape).any(1)
        some = some[suffixed & (docs.tokens[first] < WORD_TOKEN)]
    out[some] = True
    return out
