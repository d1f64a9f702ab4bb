"""Edits of content words: another word in the place of one; and a synonym, a slip or another form, after which one can go.

These kinds are judged with `--facts any`. Another word is drawn from other texts, so that no list of the product makes it.
"""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

from anatomy import Word, boilerplate, spliced, words
from draw import Both, Draw

NOUNS, VERBS = ("n",), ("v", "vn")
GENERAL = frozenset(
    "人 时候 问题 情况 方面 工作 记者 时间 单位 部门 进行 表示 认为 指出 介绍 发生 出现 有关 开展 成为 来自 称 人员 人士 消息 活动 时期 "
    "方式 形式 方法 办法 过程 基础 条件 作用 水平 程度 原因 结果 内容 领域 地方 事情 东西 能力 力量 意义 价值 机会 个人 群众 大家 "
    "人们".split()
)
"""Words too general to tell texts apart."""


@cache
def _known() -> frozenset[str]:
    """Words that have synonyms in the list of the truth; none is put in the place of another one."""
    return frozenset((Path(__file__).parent / "words/synonyms.txt").read_text("utf-8").split())


def _free(text: str, tags: tuple[str, ...]) -> list[Word]:
    """Content words of two characters or more with one of the tags, outside bylines."""
    taken = boilerplate(text)
    return [
        w for w in words(text)
        if w.tag in tags and len(w.text) > 1 and w.text not in GENERAL and all(w.end <= a or b <= w.start for a, b in taken)
    ]  # fmt: skip


def _replaced(text: str, draw: Draw, tags: tuple[str, ...]) -> Both | None:
    mine = _free(text, tags)
    if not mine:
        return None
    one = draw.rng.choice(mine)
    for _ in range(3):
        others = [
            w.text for w in _free(draw.other(), (one.tag,))
            if w.text not in text and w.text not in _known() and not set(w.text) & set(one.text)
        ]  # fmt: skip
        if others:
            other = draw.rng.choice(others)
            return text, spliced(text, [(w.start, w.end, other) for w in words(text) if w.text == one.text])
    return None


def noun(text: str, draw: Draw) -> Both | None:
    """A noun is another one, wherever it is."""
    return _replaced(text, draw, NOUNS)


def verb(text: str, draw: Draw) -> Both | None:
    """A verb is another one."""
    return _replaced(text, draw, VERBS)


CLASSES = tuple(
    tuple(line.split())
    for line in (
        "感冒 肺炎 胃炎 肝炎 痛风 贫血 哮喘 腹泻 糖尿病 高血压 冠心病 湿疹 中风 结核病 白血病 骨折",
        "盗窃 诈骗 抢劫 贪污 受贿 走私 绑架 赌博 纵火 行贿 挪用公款",
        "小麦 玉米 水稻 大豆 棉花 花生 土豆 油菜 甘蔗 茶叶",
        "苹果 香蕉 葡萄 西瓜 橙子 草莓 梨子 荔枝 芒果",
        "牛肉 羊肉 猪肉 鸡肉 鸭肉 鱼肉 虾仁 豆腐",
        "火车 汽车 轮船 飞机 摩托车 自行车 卡车 客车",
        "地震 洪水 台风 火灾 泥石流 雪崩 干旱 冰雹",
        "铜矿 铁矿 煤矿 金矿 锡矿 油田",
        "电视 冰箱 空调 洗衣机 手机 电脑 相机 音响",
        "篮球 足球 排球 网球 乒乓球 羽毛球 游泳 举重",
        "肝脏 肾脏 心脏 胃部 肺部 脾脏",
    )
)
_SENTENCES = (
    "当地这次的事情与{}有关。", "报告里专门写了{}。", "大家最关心的还是{}。", "其中谈得最多的是{}。", "会上还说到了{}。",
    "他们为此查了{}的来历。",
)  # fmt: skip


def of_class(text: str, draw: Draw) -> Both | None:
    """A word of a class is another one of it: a disease, a crime, a crop. A sentence that has one is put in where the text has none."""
    places = [(w, group) for w in words(text) for group in CLASSES if w.text in group]
    if places:
        one, group = draw.rng.choice(places)
        other = draw.rng.choice([w for w in group if w != one.text])
        return text, spliced(text, [(w.start, w.end, other) for w in words(text) if w.text == one.text])
    group = draw.rng.choice(CLASSES)
    first, second = draw.rng.sample(group, 2)
    said = draw.rng.choice(_SENTENCES)
    at = re.search("[。！？]", text)
    end = at.end() if at else len(text)
    return tuple(text[:end] + said.format(w) + text[end:] for w in (first, second))  # type: ignore[return-value]


CONFUSABLE = (
    ("货款", "贷款"), ("食用", "使用"), ("权利", "权力"), ("法制", "法治"), ("定金", "订金"), ("必需", "必须"),
    ("处方", "处分"), ("交代", "交待"), ("受害", "受益"), ("买家", "卖家"), ("工事", "公事"), ("事故", "事态"),
    ("商标", "商品"), ("合同", "合作"), ("原料", "原因"), ("施工", "竣工"), ("经纪", "经济"), ("会议", "会谈"), ("教练",
    "教师"), ("地税", "国税"),
    ("血压", "血糖"), ("肝癌", "肺癌"), ("肠炎", "肺炎"), ("中医", "中药"), ("车祸", "车展"), ("股票", "股权"), ("学费",
    "学位"), ("电力", "电子"),
)  # fmt: skip
_OTHER = {
    w: o for a, b in CONFUSABLE for w, o in ((a, b), (b, a)) if (a, b) not in (("交代", "交待"), ("必需", "必须"))
}


def confusable(text: str, draw: Draw) -> Both | None:
    """One character makes another word: 货款 → 贷款."""
    places = [w for w in words(text) if w.text in _OTHER]
    if places:
        one = draw.rng.choice(places)
        return text, spliced(text, [(one.start, one.end, _OTHER[one.text])])
    first = draw.rng.choice(sorted(_OTHER))
    said = draw.rng.choice(_SENTENCES)
    at = re.search("[。！？]", text)
    end = at.end() if at else len(text)
    return tuple(text[:end] + said.format(w) + text[end:] for w in (first, _OTHER[first]))  # type: ignore[return-value]


_STOP = frozenset(
    "said says would could about after before their there which while where other these those from with that this have been were they than "
    "also more most some such only into over under last next year years month months week weeks million billion company companies share "
    "shares quarter spokesman statement analysts today per will well still between against through because during both each".split()
)


_NOUN = re.compile(r"\b(?:a|the) (?P<noun>[a-z]{4,})(?= (?:of|in|for|to|and|is|was|has)\b)")


def _english_nouns(text: str) -> list[tuple[int, str]]:
    """The words between an article and a word of grammar, with their places."""
    return [(m.start("noun"), m["noun"]) for m in _NOUN.finditer(text) if m["noun"] not in _STOP]


def english_term(text: str, draw: Draw) -> Both | None:
    """A word behind an article is another word that another text has behind one."""
    mine = _english_nouns(text)
    if not mine:
        return None
    at, one = draw.rng.choice(mine)
    for _ in range(3):
        theirs = [noun for _, noun in _english_nouns(draw.other()) if noun[:4] != one[:4]]
        if theirs:
            return text, text[:at] + draw.rng.choice(theirs) + text[at + len(one) :]
    return None


ENGLISH_SAME = {
    "firm": "company", "buy": "purchase", "purchase": "buy", "help": "aid", "begin": "start", "big": "large", "large": "big",
    "fall": "decline",
    "drop": "decline", "increase": "rise", "plan": "scheme", "deal": "agreement", "agreement": "accord", "accord": "agreement",
    "talks": "negotiations",
    "shareholders": "stockholders", "stockholders": "shareholders", "car": "automobile", "cars": "automobiles", "workers": "employees",
    "loss": "losses", "costs": "cost", "purchases": "purchase", "government": "governments", "aid": "assistance", "attempt": "effort",
    "annual": "yearly", "sufficient": "adequate", "major": "big", "total": "entire", "show": "demonstrate", "need": "require",
    "prices": "price", "rates": "rate", "exports": "export", "talk": "talks", "decision": "decisions", "offer": "offering",
}  # fmt: skip
"""English words and a synonym or another form."""


def english_same_term(text: str, draw: Draw) -> Both | None:
    """A content word is a synonym or another form of it, or misspelt."""
    places = [m for m in re.finditer(r"\b[a-z]+\b", text) if m.group() in ENGLISH_SAME]
    if places and draw.number % 2:
        one = draw.rng.choice(places)
        return text, text[: one.start()] + ENGLISH_SAME[one.group()] + text[one.end() :]
    long = [m for m in re.finditer(r"\b[a-z]{6,}\b", text)]
    if not long:
        return None
    one = draw.rng.choice(long)
    return text, text[: one.start()] + _misspelt(one.group(), draw.rng) + text[one.end() :]


def _misspelt(word: str, rng: random.Random) -> str:
    k = rng.randrange(1, len(word) - 2)
    return rng.choice(
        [word[:k] + word[k + 1 :], word[:k] + word[k + 1] + word[k] + word[k + 2 :], word[:k] + "x" + word[k + 1 :]]
    )
