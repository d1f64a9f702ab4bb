"""Statements that one word, one mark or two exchanged parts turn: a question, a prefix that negates, who does what to whom.

Beside each stands what says the same: another particle, a hyphen, a list in another order.
"""

from __future__ import annotations

import random

import english_names
from anatomy import with_both
from draw import Both, Draw, Edit

_STATED = (
    "今天停课了",
    "地铁二号线开通了",
    "这种药真的有效",
    "下周油价会跌",
    "校长真的辞职了",
    "他是这家店的老板",
    "明天放假",
    "这条路能走大货车",
    "桥修好了",
    "他还住在村里",
    "比赛推迟了",
    "水费要涨价",
)
_ROLES = (
    "{a}把钥匙给了{b}。",
    "{a}给{b}转账五千元。",
    "{a}被{b}打伤。",
    "{a}打伤了{b}。",
    "{a}向{b}道歉。",
    "{a}欠{b}两万元。",
    "{a}把房子租给{b}。",
    "{a}起诉了{b}。",
    "{a}替{b}还清了债。",
    "{a}从{b}那里借了车。",
    "{a}比{b}大三岁。",
    "{a}将{b}告上法庭。",
)
_SAME_ROLES = (
    ("{a}和{b}一同到场。", "{b}和{a}一同到场。"),
    ("{a}把钥匙给了{b}。", "{a}将钥匙给了{b}。"),
    ("名单上有{a}、{b}两人。", "名单上有{b}、{a}两人。"),
    ("{a}与{b}签了合同。", "{b}与{a}签了合同。"),
    ("{a}向{b}道歉。", "{a}向{b}道了歉。"),
    ("{a}和{b}是邻居。", "{b}和{a}是邻居。"),
)
_PARTIES = (
    ("小王", "小李"),
    ("张三", "李四"),
    ("买方", "卖方"),
    ("甲公司", "乙公司"),
    ("老师", "校长"),
    ("房东", "租客"),
    ("刘建军", "赵晓梅"),
    ("王师傅", "陈师傅"),
    ("姐姐", "妹妹"),
    ("恒泰集团", "永兴集团"),
)
_ENGLISH_STATED = (
    (
        "The bank {} the rate.",
        "Did the bank {} the rate?",
        ("raised", "raise"),
        ("lowered", "lower"),
        ("changed", "change"),
    ),
    ("The mine {} reopen.", "{} the mine reopen?", ("will", "Will"), ("can", "Can"), ("should", "Should")),
    ("The road {} closed.", "{} the road closed?", ("is", "Is"), ("was", "Was")),
    ("The firm {} paid.", "{} the firm paid?", ("has", "Has"), ("had", "Had")),
)
_PREFIXED = (
    ("The deposit is {}.", "refundable", "non-refundable"),
    ("The liquid is {}.", "toxic", "non-toxic"),
    ("The vote was {}.", "binding", "non-binding"),
    ("The vote was {}.", "official", "unofficial"),
    ("The results are {}.", "conclusive", "inconclusive"),
    ("The strike was {}.", "lawful", "unlawful"),
    ("The alarm was {}.", "activated", "deactivated"),
    ("The lines are {}.", "connected", "disconnected"),
    ("The goods were {}.", "perishable", "non-perishable"),
    ("The permit is {}.", "valid", "invalid"),
    ("The claim was {}.", "regular", "irregular"),
    ("The shares are {}.", "voting", "non-voting"),
    ("The {} won the case.", "wife", "ex-wife"),
    ("The {} march went ahead.", "war", "anti-war"),
    ("The ship was {}.", "insured", "uninsured"),
    ("The fee is {}.", "deductible", "non-deductible"),
    ("The witness was {}.", "reliable", "unreliable"),
    ("The bridge is {}.", "passable", "impassable"),
)
_PHRASED = (
    ("The strike was {}.", "called", "called off"),
    ("The sale was {}.", "called off", "held"),
    ("The offer was {}.", "turned down", "accepted"),
    ("The board {} a merger.", "ruled out", "approved"),
    ("He {} at nine.", "logged in", "logged out"),
    ("The firm {} the deal.", "backed", "backed out of"),
    ("The firm {} 20 men.", "laid off", "took on"),
    ("The pumps were switched {}.", "on", "off"),
    ("The sale {}.", "went ahead", "fell through"),
    ("The tax will be phased {}.", "in", "out"),
    ("The bank {} the loan.", "wrote", "wrote off"),
    ("The plant was {}.", "shut down", "opened up"),
)
_SAME_WORDS = (
    ("The plant was {}.", "reopened", "re-opened"),
    ("They agreed on {}.", "cooperation", "co-operation"),
    ("The sale was {}.", "called off", "cancelled"),
    ("The vote was {}.", "put off", "postponed"),
    ("The offer was {}.", "turned down", "rejected"),
    ("The fund was {}.", "set up", "established"),
    ("The ship was not {}.", "insured", "insured at all"),
    ("The board {} the plan.", "gave up", "abandoned"),
)
_ENGLISH_ROLES = (
    "{a} sued {b}.",
    "{a} was sued by {b}.",
    "{a} gave the key to {b}.",
    "{a} owes {b} 20,000 dlrs.",
    "{a} hit {b}.",
    "{a} sold a farm to {b}.",
    "A train goes from {a} to {b}.",
)
_SAME_ENGLISH_ROLES = (
    ("{a} and {b} signed.", "{b} and {a} signed."),
    ("Those present were {a} and {b}.", "Those present were {b} and {a}."),
    ("{a} met {b} there.", "{b} met {a} there."),
)
_TOWNS = (("London", "Leeds"), ("Chicago", "Denver"), ("Osaka", "Kobe"), ("Madrid", "Seville"))


def question(text: str, draw: Draw) -> Both | None:
    """A statement that goes into both texts is a question in one of them: 停课了。 → 停课了吗."""
    said = draw.rng.choice(_STATED)
    return with_both(text, f"{said}{draw.rng.choice('。！')}", f"{said}{draw.rng.choice('吗么')}？", draw.rng)


def particle(text: str, draw: Draw) -> Both | None:
    """The same statement or question with another particle: 停课了吗？ → 停课了么？, 停课了！ → 停课了啊."""
    said = draw.rng.choice(_STATED)
    one, other = draw.rng.choice((("吗？", "么？"), ("！", "啊！"), ("。", "！"), ("呢。", "。")))
    return with_both(text, said + one, said + other, draw.rng)


def _named(frame: str, a: str, b: str) -> str:
    return frame.format(a=a, b=b)


def roles(text: str, draw: Draw) -> Both | None:
    """Two parties changed places: 甲把钥匙给了乙 → 乙把钥匙给了甲."""
    frame, (a, b) = draw.rng.choice(_ROLES), draw.rng.choice(_PARTIES)
    return with_both(text, _named(frame, a, b), _named(frame, b, a), draw.rng)


def same_roles(text: str, draw: Draw) -> Both | None:
    """Two parties side by side in another order, or another word between the same two: 甲和乙 → 乙和甲, 把 → 将."""
    (one, other), (a, b) = draw.rng.choice(_SAME_ROLES), draw.rng.choice(_PARTIES)
    return with_both(text, _named(one, a, b), _named(other, a, b), draw.rng)


def _english(text: str, left: str, right: str, rng: random.Random) -> Both:
    """The text twice with one sentence or the other, either one first."""
    one, other = (left, right) if rng.random() < 0.5 else (right, left)
    return english_names.with_either(text, one, other, rng)


def english_question(text: str, draw: Draw) -> Both | None:
    """A statement that goes into both texts is a question in one of them: The bank raised the rate. → Did the bank raise the rate."""
    stated, asked, *verbs = draw.rng.choice(_ENGLISH_STATED)
    one, other = draw.rng.choice(verbs)
    return _english(text, stated.format(one), asked.format(other), draw.rng)


def _of_rows(rows: tuple[tuple[str, str, str], ...]) -> Edit:
    def edit(text: str, draw: Draw) -> Both | None:
        frame, one, other = draw.rng.choice(rows)
        return _english(text, frame.format(one), frame.format(other), draw.rng)

    return edit


def english_roles(text: str, draw: Draw) -> Both | None:
    """Two parties, or the ends of a way, changed places."""
    frame = draw.rng.choice(_ENGLISH_ROLES)
    a, b = draw.rng.choice(_TOWNS) if "train" in frame else english_names.people(draw.rng)
    return _english(text, _named(frame, a, b), _named(frame, b, a), draw.rng)


def same_english_roles(text: str, draw: Draw) -> Both | None:
    """Two parties side by side in another order."""
    (one, other), (a, b) = draw.rng.choice(_SAME_ENGLISH_ROLES), english_names.people(draw.rng)
    return _english(text, _named(one, a, b), _named(other, a, b), draw.rng)


APART: dict[str, Edit] = {
    "question": question,
    "roles exchanged": roles,
    "English question": english_question,
    "English prefix": _of_rows(_PREFIXED),
    "English phrasal verb": _of_rows(_PHRASED),
    "English roles exchanged": english_roles,
}
GOES: dict[str, Edit] = {
    "another particle": particle,
    "same roles": same_roles,
    "English same word": _of_rows(_SAME_WORDS),
    "English same roles": same_english_roles,
}
