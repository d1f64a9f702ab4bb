"""Edits of amounts, signs, dates and codes: another fact, so both texts must stay."""

from __future__ import annotations

import random
import re
import string

from anatomy import Span, dates, figures, spliced, with_both
from draw import Both, Draw

WIDE = str.maketrans(string.digits, "０１２３４５６７８９")
NARROW = str.maketrans("０１２３４５６７８９．", "0123456789.")
HAN_DIGITS = "二三四五六七八九"
SIGNED = re.compile(r"(?<=[为达至是到率长幅了])([0-9０-９]+(?:[.．][0-9０-９]+)?)(?=[%％‰℃])")
SIGNS = ("-", "−", "－")
SIGNED_SENTENCES = (
    "同比变动幅度为{}%。", "当日涨跌幅为{}%。", "夜间最低气温{}℃。", "全年利润增速为{}%。", "当月净流入为{}亿元。", "环比变化{}个百分点。",
    "地区价格指数变动{}‰。", "当季账户余额为{}万元。",
)  # fmt: skip
DATE_SENTENCES = (
    "活动定于{}举行。",
    "报名截止时间为{}。",
    "新规定自{}起施行。",
    "相关线路{}恢复运行。",
    "复试安排在{}进行。",
)
WEEK = "一二三四五六日"


def number(text: str, rng: random.Random) -> str:
    """Another amount, as long and in the same digits."""
    if not any(c.isdigit() and c not in HAN_DIGITS + "十百千" for c in text):
        at = rng.choice([i for i, c in enumerate(text) if c in HAN_DIGITS])
        return text[:at] + rng.choice([c for c in HAN_DIGITS if c != text[at]]) + text[at + 1 :]
    plain = text.translate(NARROW)
    while True:
        places = [i for i, c in enumerate(plain) if c.isdigit()]
        changed = list(plain)
        for i in rng.sample(places, rng.choice([1, len(places)])):
            changed[i] = rng.choice("0123456789")
        found = "".join(changed)
        whole = found.split(".")[0]
        if float(found) != float(plain) and (len(whole) == 1 or whole[0] != "0") and float(found):
            return found.translate(WIDE).replace(".", "．") if text != plain else found


def _changed(text: str, places: list[Span], rng: random.Random) -> Both:
    return text, spliced(text, [(a, b, number(text[a:b], rng)) for a, b in places])


def one_figure(text: str, draw: Draw) -> Both | None:
    """One amount is another."""
    found = figures(text)
    return _changed(text, draw.rng.sample(found, 1), draw.rng) if found else None


def two_figures(text: str, draw: Draw) -> Both | None:
    """Two amounts are others."""
    found = figures(text)
    return _changed(text, draw.rng.sample(found, 2), draw.rng) if len(found) > 1 else None


def all_figures(text: str, draw: Draw) -> Both | None:
    """All amounts are others: three or more, two in a text of 30 characters."""
    found = figures(text)
    return _changed(text, found, draw.rng) if len(found) > (1 if draw.length < 80 else 2) else None


def sign(text: str, draw: Draw) -> Both | None:
    """A minus before an amount; where the text has none that can bear one, a sentence with an amount goes into both."""
    rng = draw.rng
    outside = figures(text)
    found = [m.start() for m in SIGNED.finditer(text) if m.span() in outside]
    minus = rng.choice(SIGNS)
    if found:
        at = rng.choice(found)
        return text, text[:at] + minus + text[at:]
    if not draw.insert:
        return None
    amount = f"{rng.randint(1, 28)}.{rng.randint(1, 9)}"
    sentence = rng.choice(SIGNED_SENTENCES)
    both = with_both(text, sentence.format(rng.choice(["", "", "+"]) + amount), sentence.format(minus + amount), rng)
    return both if rng.random() < 0.5 else both[::-1]


def _other_date(found: str, rng: random.Random) -> str:
    if found[-1] in WEEK and found[-2] in "期周":
        return found[:-1] + rng.choice([c for c in WEEK if c != found[-1]])
    if found[0] in "一二" and found.endswith("年"):
        return found[:-2] + rng.choice([c for c in "一三五六七八九" if c != found[-2]]) + "年"
    parts = list(re.finditer(r"([0-9０-９]+)([年月日号])", found))
    m = rng.choice(parts)
    plain = m[1].translate(NARROW)
    last = {"月": 12, "日": 28, "号": 28}.get(m[2])
    choices = (
        [str(n) for n in range(1, last + 1)]
        if last
        else [str(int(plain) + n).zfill(len(plain)) for n in (-3, -2, -1, 1, 2)]
    )
    new = rng.choice([c for c in choices if int(c) != int(plain) and int(c) >= 0])
    new = new.zfill(len(plain)) if plain[0] == "0" else new
    new = new.translate(WIDE) if plain != m[1] else new
    return found[: m.start(1)] + new + found[m.end(1) :]


def date(text: str, draw: Draw) -> Both | None:
    """Another day, month, year or day of the week; where there is none a sentence with a date goes into both."""
    rng = draw.rng
    found = dates(text)
    if found:
        a, b = rng.choice(found)
        return text, spliced(text, [(a, b, _other_date(text[a:b], rng))])
    if not draw.insert:
        return None
    day = rng.choice(
        [f"{rng.randint(1, 12)}月{rng.randint(1, 28)}日", f"本月{rng.randint(1, 28)}日", f"下周{rng.choice(WEEK)}"]
    )
    sentence = rng.choice(DATE_SENTENCES)
    return with_both(text, sentence.format(day), sentence.format(_other_date(day, rng)), rng)


CODES = (
    ("咨询电话：{}。", "0571-8NNNNNNN"), ("联系电话：{}。", "13NNNNNNNNN"), ("订单号：{}。", "20260NNNNNNNNN"), ("验证码为{}。", "NNNNNN"),
    ("车牌号为{}。", "浙A·NNNNN"), ("肇事车辆车牌为{}。", "京NNNNN"), ("请升级到{}版本。", "vN.N.N"), ("快递单号{}。", "SFNNNNNNNNNNNN"),
    ("航班号{}。", "CANNNN"), ("案件编号：{}。", "（2026）0N刑初NNN号"), ("客服QQ：{}。", "3NNNNNNNN"), ("列车车次为{}。", "GNNNN"),
)  # fmt: skip


def code(text: str, draw: Draw) -> Both | None:
    """A telephone, order, plate, version or verification number goes into both, with one digit or all of them another."""
    rng = draw.rng
    sentence, form = rng.choice(CODES)
    left = [rng.choice("123456789") if c == "N" else c for c in form]
    right = list(left)
    free = [i for i, c in enumerate(form) if c == "N"]
    for i in free if rng.random() < 0.5 else [rng.choice(free)]:
        right[i] = rng.choice([c for c in "123456789" if c != left[i]])
    return with_both(text, sentence.format("".join(left)), sentence.format("".join(right)), rng)
