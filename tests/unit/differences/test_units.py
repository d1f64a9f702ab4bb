"""Covers: units, parts of the calendar, doublings and counted things at an edit: every unit against every other one of its measure, as a word,
as a sign, joined to its figure or not; and the same amounts, which are no conflict.

Compared against: the factors of the units, worked out here pair by pair.
"""

import re
from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest

import quchong as qc
from quchong.differences import find_differences
from quchong.differences.units import _OTHER_WORD, LATIN, UNIT, UNITS
from quchong.seam import Documents
from quchong.tables import DIFFERENCES
from quchong.text import form

CHINESE = "{}。请各位居民提前安排好出行，注意安全，听从现场工作人员的引导，共同维护好公共秩序，欢迎前来参与。"
ENGLISH = "{} Residents are asked to plan their trips ahead and to follow the directions of the staff on the spot, so that order is kept."
MEASURES = {
    "length": "1 米 m|1000 公里 千米 km|0.01 厘米 公分 cm|0.001 毫米 mm|1e-6 微米 um|500 里|1609.344 英里",
    "weight": "1 克|1000 公斤 千克 kg|0.001 毫克 mg|1e-6 微克 ug μg mcg|500 斤|50 两|1e6 吨",
    "volume": "1 升|0.001 毫升 ml|1e-6 微升|1000 立方米",
    "area": "1 平方米 平米 ㎡|1e6 平方公里 km2|1e4 公顷|1e-4 平方厘米",
    "power": "1 瓦 瓦特|1000 千瓦 kw|1e6 兆瓦 mw|1e9 吉瓦",
    "work": "1000 千瓦时 kwh|1e6 兆瓦时",
    "tension": "1 伏|1000 千伏 kv",
    "pressure": "100 百帕 hpa|1000 千帕 kpa|1e6 兆帕 mpa",
    "frequency": "1 赫兹 hz|1000 千赫 khz|1e6 兆赫 mhz|1e9 吉赫 ghz",
    "data": "1 字节|1024 kb|1048576 mb 兆字节|1073741824 gb",
    "time": "1 秒 秒钟|0.001 毫秒 ms|1e-6 微秒|60 分钟|3600 小时|86400 天|604800 周",
    "age": "1 个月|12 岁 年",
    "growth": "1 % |0.1 ‰|10 成|100 倍",
    "money": "1 元|0.1 角|10000 万元|1e8 亿元",
}
WRITTEN = [
    (float(factor), word, measure)
    for measure, rows in MEASURES.items()
    for factor, *words in (row.split() for row in rows.split("|"))
    for word in words
]
ACROSS = "千瓦 千瓦时|平方米 立方米|米 平方米|毫安 毫安时|千卡 千焦|% 个百分点|kW kWh|mg mmol|mg ml|岁 天|元 美元|毫米 毫升|公里 公斤".split(
    "|"
)


def conflicts(pairs, frame=CHINESE):
    """The kinds in conflict of each pair of sentences in one frame, as names; the same the other way round."""
    texts = pa.array([frame.format(text) for pair in pairs for text in pair], pa.large_string())
    left, every = 2 * np.arange(len(pairs)), np.ones(len(pairs), bool)
    out = []
    for a, b in ((left, left + 1), (left + 1, left)):
        found = find_differences(form(), Documents.from_texts(texts), a, b, every, every, 1)
        named = [set() for _ in pairs]
        for pair, kind in zip(found.pair[found.conflict].tolist(), found.kind[found.conflict].tolist(), strict=True):
            named[pair].add(DIFFERENCES[kind])
        out.append(named)
    assert out[0] == out[1]
    return out[0]


@pytest.mark.parametrize("number", ["5", "0.5", "12", "三", "五"])
def test_another_unit_of_a_measure_is_another_figure(number):
    pairs, same = [], []
    for (factor, one, measure), (other_factor, other, measure_) in combinations(WRITTEN, 2):
        if measure == measure_ and not (number in "三五" and (one.isascii() or other.isascii() or "‰" in one + other)):
            (pairs if factor != other_factor else same).append((f"总共有{number}{one}", f"总共有{number}{other}"))
    assert len(pairs) > 60 and len(same) > 2
    told = dict(zip(pairs, conflicts(pairs), strict=True))
    assert {pair: kinds for pair, kinds in told.items() if not kinds & {"figure", "code"}} == {}
    told = dict(zip(same, conflicts(same), strict=True))
    assert {pair: kinds for pair, kinds in told.items() if kinds} == {}


def test_the_same_amount_in_another_unit_is_no_other_figure():
    pairs = []
    for (factor, one, measure), (other_factor, other, measure_) in combinations(WRITTEN, 2):
        amount = 6 * factor / other_factor
        if measure == measure_ and 1 <= amount <= 1e9 and abs(amount - round(amount)) < 1e-9 and factor != other_factor:
            pairs.append((f"总共有6{one}", f"总共有{round(amount)}{other}"))
    assert len(pairs) > 40
    told = dict(zip(pairs, conflicts(pairs), strict=True))
    assert {pair: kinds for pair, kinds in told.items() if kinds} == {}


@pytest.mark.parametrize("pair", ACROSS)
def test_another_measure_is_another_figure(pair):
    one, other = pair.split()
    (kinds,) = conflicts([(f"总共有5{one}", f"总共有5{other}")])
    assert kinds & {"figure", "code"}


SIGNS = "mg g|kg g|km m|cm m|ml l|kW W|kWh kW|MW GW|GHz MHz|MB GB|ms s|ft in|kV V|mm cm|ng mg"


@pytest.mark.parametrize("pair", SIGNS.split("|"))
@pytest.mark.parametrize("blank", ["", " "])
def test_a_sign_is_read_whether_a_blank_parts_it_from_its_figure(pair, blank):
    one, other = pair.split()
    amounts = [(f"The part has 5{blank}{one} in it.", f"The part has 5{blank}{other} in it.")]
    (kinds,) = conflicts(amounts, ENGLISH)
    assert kinds & {"figure", "code"} or (blank and other in ("s", "in"))
    parted = [(f"The part has 5{unit} in it.", f"The part has 5 {unit} in it.") for unit in (one, other)]
    assert conflicts(parted, ENGLISH) == [set(), set()]


APART = {
    "date": "截至3月|截至3日 截至三月|截至三日 会议定于5月上旬|会议定于5月中旬 会议定于5月下旬|会议定于5月上旬 3月交付|3季度交付 快了5分|快了5秒 3:05到站|3:50到站",
    "figure": "施工三年完成|施工三天完成 会期3年|会期3周 产量翻一番|产量翻两番 产量翻了一番|产量翻了三番 产量翻番|产量翻两番 产量翻两番|产量增长一倍 每次两片|每次三片 每次服一粒|每次服两粒 用了三勺|用了四勺 一季度完成|二季度完成 打八折|打七折 提高一成|提高两成",
}
TOGETHER = """
产量翻一番|产量增长一倍 产量翻番|产量翻一番 产量翻两番|产量增长三倍 产量翻两番|产量增至四倍 截至3日|截至3号 会期3日|会期3天 截至3月|截至3月份 每次二片|每次两片
打8折|打八折 用时5时|用时5点 3月5日开会|3月5月开会 3:05到站|3时05分到站
""".split()
ENGLISH_APART = [
    ("Output was twice that of 2019.", "Output was thrice that of 2019."), ("Output was twice that of 2019.", "Output was three times that of 2019."),
    ("It has 5 square metres.", "It has 5 square kilometres."), ("It has 5 sq km.", "It has 5 sq m."), ("It has 5 volts.", "It has 5 kilovolts."),
    ("It rose 10 basis points.", "It rose 10 percentage points."), ("It takes 5 stone.", "It takes 5 pounds."),
]  # fmt: skip


@pytest.mark.parametrize("kind", APART)
def test_other_periods_doublings_and_counts(kind):
    pairs = [tuple(pair.split("|")) for pair in APART[kind].split()]
    assert conflicts(pairs) == [{kind}] * len(pairs)
    assert all(kinds == {"figure"} for kinds in conflicts(ENGLISH_APART, ENGLISH))


def test_the_same_periods_doublings_and_counts():
    pairs = [tuple(pair.split("|")) for pair in TOGETHER]
    assert dict(zip(pairs, conflicts(pairs), strict=True)) == {pair: set() for pair in pairs}
    assert conflicts([("Output was twice that of 2019.", "Output was two times that of 2019.")], ENGLISH) == [set()]


@pytest.mark.parametrize(
    "text", ["5G网络", "第5代4S店", "4K电视", "5A景区", "2023两会", "年满5岁末", "三伏天", "5里面", "A股", "3角度"]
)
def test_what_is_no_unit_stays_what_it_was(text):
    said = qc.compare(CHINESE.format("当地有" + text), CHINESE.format("当地有一些" + text))
    assert not said.facts


DOSE = "服药说明：成人口服，一次{}，一日三次，饭后服用，疗程不超过七天，服药期间请勿饮酒，如出现皮疹、恶心等不良反应应立即停药并及时就医。"
LONG = DOSE + "本品应置于阴凉干燥处保存，避免儿童接触，过期不得使用，运输途中防止日晒雨淋，包装破损请联系药房更换。" * 8


@pytest.mark.parametrize("frame", [DOSE, LONG, DOSE + "{{}}"])
@pytest.mark.parametrize(
    ("one", "other"), [("5毫克", "5克"), ("5mg", "5g"), ("两片", "三片"), ("5毫升", "5升"), ("0.5g", "0.5mg")]
)
def test_a_dose_with_another_unit_stays_at_every_length(frame, one, other):
    left, right = frame.format(one), frame.format(other)
    if "{}" in left:  # the other one goes on: contained
        left, right = (
            left.format(""),
            right.format("药房每日八时开门，周末照常营业，欢迎来电咨询有关用药的各项问题，也可以到窗口取号排队。" * 2),
        )
    said = qc.compare(left, right)
    assert said.relation == "variant" and said.facts, said
    assert not len(qc.dedup([left, right], recall_sample=0).removed)
    again = frame.format(one) if "{}" not in frame.format(one) else right.replace(other, one)
    assert len(qc.dedup([left, again + "。。"], recall_sample=0).removed) == 1


def test_one_look_behind_all_latin_units_is_as_a_look_behind_each():
    by_length = sorted((u for u in UNITS if u not in ("月", "工作日")), key=len, reverse=True)
    every = [re.escape(u).replace(r"\ ", r"\s") for u in by_length]
    looks = [r"(?![a-z\d])" if u.isascii() and u != "%" else f"(?![{_OTHER_WORD.get(u, '!')}])" for u in by_length]
    plain = re.compile("|".join(a + b for a, b in zip(every, looks, strict=True)))
    unit, latin = re.compile(UNIT), re.compile(LATIN)
    for text in (f"{u}{tail}" for u in UNITS for tail in ("", "a", "s", "1", "/h", " ", "级", "津", "两", "年")):
        found, same = plain.match(text), unit.match(text)
        assert (found and found.span()) == (same and same.span()), text
        if text[0].isascii() and text[0] != "%":
            assert (found and found.span()) == ((same := latin.match(text)) and same.span()), text
