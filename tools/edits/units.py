"""Edits of units, and of figures beside which something is put in: other facts. An amount in another unit and a new clause are none."""

from __future__ import annotations

import random
import re

from anatomy import with_both
from draw import Both, Draw

MEASURES = (
    ("全程约{}。", "米 公里 里 厘米 毫米 英里 海里 微米"),
    ("每次用量为{}。", "克 毫克 微克 公斤 斤 两 吨"),
    ("每瓶净含量为{}。", "升 毫升 微升 立方米"),
    ("占地面积为{}。", "平方米 平方公里 亩 公顷 平方厘米"),
    ("装机容量为{}。", "瓦 千瓦 兆瓦 吉瓦"),
    ("当日用电{}。", "千瓦时 千瓦 兆瓦时"),
    ("额定电压为{}。", "伏 千伏"),
    ("工作频率为{}。", "千赫 兆赫 吉赫 赫兹"),
    ("延迟约为{}。", "秒 毫秒 微秒 分钟 小时"),
    ("活动为期{}。", "个月 天 周 年 小时"),
    ("气压为{}。", "千帕 百帕 兆帕"),
    ("热量为{}。", "千卡 千焦 焦耳"),
    ("总投资{}。", "元 万元 亿元 美元 万美元 角"),
    ("孩子今年{}。", "岁 个月"),
    ("包装规格为{}。", "mg g kg ml l μg"),
    ("导线长{}。", "mm cm m km nm"),
    ("存储空间为{}。", "kb mb gb tb"),
    ("功率为{}。", "kW MW GW kWh W"),
    ("频率为{}。", "kHz MHz GHz"),
    ("比上年增加{}。", "% ‰ 倍 成 个百分点"),
)
"""Sentences, and units of which one stands in the place of another."""
TURNS = (
    ("产量翻了{}番。", "一 两 三"),
    ("同比增长{}倍。", "一 两 三"),
    ("同比提高{}成。", "一 两 三"),
    ("全场打{}折。", "七 八 六 五"),
    ("会议定于5月{}旬举行。", "上 中 下"),
    ("施工将于3{}结束。", "月 日"),
    ("项目建设用了三{}。", "年 月 天"),
    ("每天服用{}片。", "一 两 三"),
    ("每次服用{}粒。", "两 三 四"),
    ("列车{}到站。", "3:05 3:50 13:05"),
    ("第{}季度完成。", "一 二 三"),
    ("最早在{}季度完成。", "一 二 三"),
    ("比原来快{}秒。", "3 5"),
    ("会期{}周。", "两 三"),
    ("用时{}。", "5分 5秒 5小时"),
)
"""Sentences, and words of which one stands in the place of another."""
EQUAL = (
    ("全程约{}。", "5公里 5千米 5000米 5km 5 km"),
    ("每次用量为{}。", "5克 5g 5 g 5000毫克"),
    ("每箱重{}。", "5公斤 5千克 5kg 5 kg 5000克 10斤 5000g"),
    ("每瓶净含量为{}。", "500毫升 500ml 0.5升 500 mL 0.5L"),
    ("占地面积为{}。", "2公顷 30亩 20000平方米 2万平方米 20000㎡"),
    ("装机容量为{}。", "3兆瓦 3000千瓦 3MW 3000kW"),
    ("当日用电{}。", "800千瓦时 800kWh 0.8兆瓦时"),
    ("活动时长为{}。", "2小时 120分钟 两小时"),
    ("总投资{}。", "3.5亿元 35000万元 3.5亿"),
    ("成本降低{}。", "三成 30% 3成"),
    ("产量翻了{}番。", "一 1"),
    ("用药剂量为{}。", "0.25毫克 0.25mg 250微克 250μg"),
    ("存储空间为{}。", "2GB 2048MB 2 GB"),
    ("会议将开{}。", "14天 两周 2周"),
)
"""Sentences, and amounts that say the same."""
BALANCES = (
    ("账户余额为{}元", "，其中{}元只可用于抵扣通话费以外的其他各项消费，{}元将于月底到期"),
    ("本次扣款{}元", "，含手续费{}元和上一期未结清的滞纳金{}元，明细可在柜面查询"),
    ("共有{}人报名", "，其中{}人来自外地各个县区的学校，另有{}人因为材料不全没有通过初审"),
    ("仓库存有大米{}吨", "，其中{}吨已经由下游的几家企业预订，其余{}吨存放在二号库房"),
    ("线路全长{}公里", "，其中地下段{}公里由两家单位分别施工，高架段{}公里已经全部完工"),
    ("当天接待游客{}人次", "，其中{}人次通过网上预约入园，现场购票入园的有{}人次左右"),
)
"""A statement with a figure, and a clause with figures of its own that may follow it."""


def _two(words: str, rng: random.Random) -> list[str]:
    # One word a blank; a sign apart from its figure is two.
    return rng.sample(re.findall(r"[\d.]+ [A-Za-z]+(?![\w])|\S+", words), 2)


def _amount(rng: random.Random) -> str:
    return rng.choice([str(rng.randint(2, 9)), str(rng.randint(11, 98)), f"{rng.randint(1, 9)}.{rng.randint(1, 9)}"])


def unit(text: str, draw: Draw) -> Both | None:
    """One amount has another unit."""
    rng = draw.rng
    sentence, units = rng.choice(MEASURES)
    one, other = _two(units, rng)
    amount = _amount(rng) if one not in ("岁", "个月") else str(rng.randint(2, 9))
    space = " " * (one.isascii() and other.isascii() and one.isalpha() and rng.random() < 0.3)
    return with_both(text, *(sentence.format(amount + space + u) for u in (one, other)), rng)


def turn(text: str, draw: Draw) -> Both | None:
    """A period, a doubling, a part of the month or a count is another one."""
    sentence, words = draw.rng.choice(TURNS)
    return with_both(text, *(sentence.format(word) for word in _two(words, draw.rng)), draw.rng)


def same_amount(text: str, draw: Draw) -> Both | None:
    """One amount stands in another unit, and is the same."""
    sentence, amounts = draw.rng.choice(EQUAL)
    return with_both(text, *(sentence.format(amount) for amount in _two(amounts, draw.rng)), draw.rng)


def _balance(forms: tuple[tuple[str, str], ...], rng: random.Random, stop: str, another: bool) -> tuple[str, str]:
    """A statement, and the same or another one with a clause behind it."""
    statement, clause = rng.choice(forms)
    mine, theirs, *inner = (str(n) for n in rng.sample(range(120, 990), 4))
    if rng.random() < 0.4:
        mine, theirs = mine + ".8", theirs + ".3"
    return statement.format(mine) + stop, statement.format(theirs if another else mine) + clause.format(*inner) + stop


def figure_beside(text: str, draw: Draw) -> Both | None:
    """One amount is another, and a clause with amounts of its own follows it."""
    both = with_both(text, *_balance(BALANCES, draw.rng, "。", another=True), draw.rng)
    return both if draw.rng.random() < 0.5 else both[::-1]


def clause_beside(text: str, draw: Draw) -> Both | None:
    """The amount stays, and a clause with amounts of its own follows it."""
    both = with_both(text, *_balance(BALANCES, draw.rng, "。", another=False), draw.rng)
    return both if draw.rng.random() < 0.5 else both[::-1]


ENGLISH_MEASURES = (
    ("Each tablet has {}.", "mg g mcg kg"),
    ("The pipe is {} long.", "mm cm m km feet inches yards miles"),
    ("The bottle holds {}.", "ml litres gallons pints"),
    ("The plant has {}.", "kW MW GW watts"),
    ("It used {} last week.", "kWh MWh kW"),
    ("The radio works at {}.", "kHz MHz GHz Hz"),
    ("The disk has {}.", "KB MB GB TB"),
    ("The estate covers {}.", "acres hectares square_feet square_metres sq_km sq_miles"),
    ("The delay was {}.", "ms seconds minutes hours"),
    ("The pause takes {}.", "days weeks months hours"),
    ("The line carries {}.", "volts kilovolts"),
    ("The box weighs {}.", "kg lbs ounces grams tonnes"),
    ("The rate rose by {}.", "percent percentage_points basis_points"),
)
ENGLISH_TURNS = (
    ("Output was {} that of last year.", "twice thrice four_times"),
    ("The price {} within a year.", "doubled tripled halved"),
    ("The train leaves at {}.", "3:05 3:50 5:03"),
    ("A {} of it is sold.", "quarter third fifth"),
    ("Take {} tablets a day.", "two three four"),
)
ENGLISH_EQUAL = (
    ("Each tablet has {}.", "500_mg 500mg 0.5_g 500_milligrams"),
    ("The pipe is {} long.", "5_km 5km 5,000_m 5_kilometres 5000m"),
    ("The box weighs {}.", "5_kg 5kg 5_kilograms 5000_grams"),
    ("The plant has {}.", "3_MW 3MW 3,000_kW 3_megawatts"),
    ("The pause takes {}.", "2_weeks 14_days two_weeks"),
    ("The delay was {}.", "2_hours 120_minutes two_hours"),
    ("The estate covers {}.", "3_sq_km 3_square_kilometres 300_hectares"),
    ("The disk has {}.", "2_GB 2GB 2048MB 2_gigabytes"),
)
ENGLISH_BALANCES = (
    (
        "The balance of the account is {} dollars",
        ", of which {} dollars can only be used for calls within the country and {} dollars run out at the end of the year",
    ),
    (
        "A total of {} people signed up",
        ", of whom {} came from schools in other parts of the country and {} were turned away for want of papers",
    ),
    (
        "The line is {} km long",
        ", of which {} km run below the ground and are built by two firms and {} km on the old track are in use",
    ),
)
_STOP = re.compile(r"(?<=[a-z)][.!?])\s+(?=[A-Z])")


def _put(text: str, left: str, right: str, rng: random.Random) -> Both:
    """The text twice, with one sentence or the other behind the same one."""
    ends = [m.start() for m in _STOP.finditer(text)] + [len(text)]
    at = rng.choice(ends)
    return f"{text[:at]} {left}{text[at:]}", f"{text[:at]} {right}{text[at:]}"


def _spoken(words: str, rng: random.Random) -> list[str]:
    return [w.replace("_", " ") for w in rng.sample(words.split(), 2)]


def english_unit(text: str, draw: Draw) -> Both | None:
    """One amount has another unit, as a word or a sign, which a blank parts from the figure or not; or happens another number of times."""
    rng = draw.rng
    if rng.random() < 0.25:
        sentence, words = rng.choice(ENGLISH_TURNS)
        return _put(text, *(sentence.format(w) for w in _spoken(words, rng)), rng)
    sentence, units = rng.choice(ENGLISH_MEASURES)
    one, other = _spoken(units, rng)
    joined = max(len(one), len(other)) <= 3 and "percent" not in one + other and rng.random() < 0.5
    amount = _amount(rng) + " " * (not joined)
    return _put(text, sentence.format(amount + one), sentence.format(amount + other), rng)


def english_same_amount(text: str, draw: Draw) -> Both | None:
    """One amount stands in another unit, and is the same."""
    sentence, amounts = draw.rng.choice(ENGLISH_EQUAL)
    return _put(text, *(sentence.format(w) for w in _spoken(amounts, draw.rng)), draw.rng)


def english_figure_beside(text: str, draw: Draw) -> Both | None:
    """One amount is another, and a clause with amounts of its own follows it."""
    both = _put(text, *_balance(ENGLISH_BALANCES, draw.rng, ".", another=True), draw.rng)
    return both if draw.rng.random() < 0.5 else both[::-1]


def english_clause_beside(text: str, draw: Draw) -> Both | None:
    """The amount stays, and a clause with amounts of its own follows it."""
    both = _put(text, *_balance(ENGLISH_BALANCES, draw.rng, ".", another=False), draw.rng)
    return both if draw.rng.random() < 0.5 else both[::-1]
