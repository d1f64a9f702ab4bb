"""Places that no list has, recognised by their form: a name before 镇, 乡, 村, 街道, 县, 市 and the like, 平安镇 and 永和镇."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

from quchong.differences.edits import ANCHORED, WORD_TOKEN, Edits
from quchong.differences.meaning import are_unrelated
from quchong.differences.names import short_form, surnames
from quchong.differences.synonyms import is_listed
from quchong.differences.windows import Window
from quchong.kernels.arrays import Ragged
from quchong.kernels.sorting import among
from quchong.text.words import is_known_word, tagged

_SUFFIX = re.compile(
    "街道(?![上两旁边中清保改狭里])|镇(?![静定痛压守里内上])|乡(?![村镇亲下音愁土情间里思绅邻党民企贤试])|村(?![落镇庄里内口头外中子上级办企])"
    "|县(?![城级域])|市(?![场民值面价况占集井售容郊级内区])|区(?![域别分间块位划号段长内])|州(?![长际])|旗(?![帜舰下杆袍手号])"
    "|[庄屯寨](?![稼严园重户家子里])"
)
"""What the name of a place by form ends with, and does not go on to another word with the character behind it."""
_KINDS = "街镇乡村县市区州旗庄屯寨"
"""First characters of these."""
_LEAST = {"村": 1, "庄": 1, "屯": 1, "寨": 1}
"""Fewest characters before a suffix, 2 where this does not say."""
_NAME = 4
"""Most characters before a suffix."""
_GRAMMAR = frozenset(
    "的了着过是在于由从对把被将及或各每该本此我你他她它这那某几数多两个第所有其哪些为并也都又即等时当年月日号共全另别向往"
)
"""Characters that names of places do not have."""
_COUNTED = frozenset("一二三四五六七八九十百千万0123456789")
_GIVEN = frozenset(
    "胜利 丰收 团结 解放 建设 前进 跃进 奋斗 奋进 平安 幸福 和平 红旗 东风 向阳 光明 友谊 永安 富强 文化 新华 人民 复兴 振兴 繁荣 兴旺 长征 红星 红光 卫星 "
    "火箭 曙光 朝阳 先锋 光荣 民主 自由 民族 勤俭 勤劳 联合 合作 互助 同心 同乐 太平 安定 安宁 吉祥 如意 双喜 勇敢 爱国 爱民 拥军 拥政 进步 创新 创业 "
    "发展 发扬 开放 改革 共和 共荣 共青 五星 东方 西方 南方 北方".split()
)
"""Ordinary words after which many places are called."""
_DESCRIBING = frozenset(
    "贫困 示范 重点 文明 中心 试点 特色 旅游 生态 美丽 富裕 历史 专业 先进 落后 后进 薄弱 小康 工业 农业 主要 城市 农村 乡村 城镇 附近 周边 周围 部分 老旧 "
    "商业 居民 全国 全省 当地 本地 外地 邻近 相邻 沿海 沿江 沿线 内陆 内地 山区 平原 牧区 老区 灾区 革命 民俗 行政 自然 度假 移民 安置 搬迁 电商 淘宝 整个 任何 "
    "有关 相关 其他 其它 其余 部门 省级 县级 市级 国家 地级 副省 直辖 中小 大型 小型 中型 大中 超大 特大 省会 首府 首都 中央 地方 区域 特别 重要 普通 一般 一些 "
    "资源 文化 智慧 数字 海绵 森林 园林 卫生 健康 绿色 低碳 宜居 枢纽 港口 口岸 边境 边陲 少数 多数 大多 不少 许多 很多 众多 各地 上述 下列 以上 以下 前述 "
    "受灾 重灾 疫情 深度 脱贫 产粮 百强 亿元 科技 教育 体育 影视 动漫 足球 篮球 长寿 光棍 空心 留守 华侨 茶叶 水果 花卉 蔬菜 偏远 偏僻 边远 高原 丘陵 古老 现代 "
    "国际 世界 东部 西部 南部 北部 中部 周末 早晚 临时 综合 批发 房地 二手 人才 劳务 证券 期货 债券 股票 资本 金融 货币 消费 农贸 菜篮 夜间 广大 全体 所属 "
    "异国 梦想 人生 第二 心灵 温柔 革新 主城 中心城 老城 新城 核心 管辖 下辖 代管 地区 小区 社区 校区 园区 历年".split()
)
"""Words that say of what sort a place is, and are no name of it."""
_BEFORE = frozenset("大小上下前后东西南北中新老古高长内外白黑红黄青金银铜铁石土山水河江湖海沙泉溪沟桥井塘柳梅松竹桃李杏枣槐榆桑麻龙凤虎牛马羊")
"""Characters besides surnames with which the name of a place begins."""


_NO_VILLAGE = frozenset("古新老小大渔")
"""Characters that make no name of a village by themselves, though surnames: 古村."""


@lru_cache(1 << 12)
def place_by_form(window: Window) -> tuple[str, str] | None:
    """Return a place that the stretch is or is a part of, as its name and its suffix; None where the words are no such name.

    The stretch may end with the suffix or stand before it; between a stretch of one character and the suffix may be another one: [李]家村.

    Example:
        >>> place_by_form(Window("记者从平安镇政府获悉", 3, 5)), place_by_form(Window("记者从城市居民处获悉", 3, 4))
        (('平安', '镇'), None)
    """
    text, start, end = window.text, window.start, window.end
    if not 0 < end - start <= _NAME + 2 or not all("\u3400" <= c <= "\u9fff" for c in text[start:end]):
        return None
    alone = end - start == 1
    for at in (end - 2, end - 1, end, end + 1):
        if at <= start or (at > end and not alone):
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
    """Return True if a name may begin at an offset: with a surname or a character of landscapes, which makes no word with the one before."""
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
    if name in _GIVEN:
        return True
    # A word that ends in the suffix: 山村, 校区; but 青山 and 村 part between the two.
    if name in _DESCRIBING or name[-2:] in _DESCRIBING or (is_listed(name[-1] + suffix) and not is_known_word(name)):
        return False
    found = tagged(name)
    if len(found) == 1:
        tag = found[0][1]
        return tag.startswith(_NAMED if suffix in "区州旗" else "n") or (tag == "b" and not is_listed(name))
    return all(len(word) == 1 or tag.startswith("n") for word, tag in found)


_NAMED = ("nr", "ns", "nz")
"""Beginnings of the tags of names; before 区 other nouns say what an area is for: 商务区."""


def places_apart(left: Window, right: Window) -> bool:
    """Return True if both stretches are, by their form, places of different names, neither of which is a form of the other."""
    mine, theirs = place_by_form(left), place_by_form(right)
    if mine is None or theirs is None:
        return False
    return are_unrelated({mine[0], "".join(mine)}, {theirs[0], "".join(theirs)}) and not short_form(mine[0], theirs[0])


SCATTERED = 5
"""Characters replaced one by one from which on a pair is a noisy copy, in which one character is no name."""
_SUFFIX_TOKENS = np.array(sorted(map(ord, _KINDS)), np.uint32)


def may_be_places(docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, noise: np.ndarray) -> np.ndarray:
    """Return a mask of the edits of one to four Chinese characters with the suffix of a place at most one character behind them on both
    sides, by their tokens alone; no slips (`noise`), and single ones not in a noisy copy.

    Cost: linear in the edits.
    """
    out = np.zeros(len(edits.pair), bool)
    single = (edits.a == 1) & (edits.b == 1)
    few = np.bincount(edits.pair[single], minlength=len(left)) < SCATTERED
    short = (np.minimum(edits.a, edits.b) > 0) & (np.maximum(edits.a, edits.b) <= _NAME)
    some = (
        short & (noise == 0) & (edits.after > 0) & (edits.before + edits.after >= ANCHORED) & (few[edits.pair] | ~single)
    ).nonzero()[0]
    for side, column in ((left, 0), (right, 2)):
        if not len(some):
            return out
        pair = side[edits.pair[some]]
        first, last = (docs.offsets[pair] + edits.places[some, column + k] for k in (0, 1))
        behind = [docs.tokens[np.minimum(last + k, docs.offsets[pair + 1] - 1)] for k in (0, 1)]
        suffixed = among(behind[0], _SUFFIX_TOKENS) | among(behind[1], _SUFFIX_TOKENS)
        some = some[suffixed & (docs.tokens[first] < WORD_TOKEN)]
    out[some] = True
    return out
