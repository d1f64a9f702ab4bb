"""Units of amounts and their factors: 5公里 and 5000 m are equal, 5公里 and 5英里 are not."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quchong.differences.metric import LETTERS, metric_units

_TABLE = """
米 1000 公里 kms km/h kmh kph
米 0.01 公分
米 500 里 华里 市里
米 1609.344 英里 mile miles mph
米 1852 海里
米 0.9144 yard yards yd yds
米 0.3048 英尺 foot feet ft
米 0.0254 英寸 inch inches
平方米 1 平方米 平米 m2 sqm sq_m sq._m square_metre square_metres square_meter square_meters
平方米 1e6 平方公里 平方千米 km2 sq_km sq._km square_kilometre square_kilometres square_kilometer square_kilometers
平方米 1e-4 平方厘米 cm2 sq_cm square_centimetre square_centimetres square_centimeter square_centimeters
平方米 1e-6 平方毫米 mm2 sq_mm square_millimetre square_millimetres square_millimeter square_millimeters
平方米 0.09290304 平方英尺 sq_ft sq._ft square_foot square_feet
平方米 2589988.110336 平方英里 sq_mile sq_miles sq._miles square_mile square_miles
平方米 1e4 公顷 hectare hectares ha
平方米 666.6666666666667 亩
平方米 4046.856 英亩 acre acres
公斤 1 公斤 kgs kilo kilos
公斤 0.5 斤
公斤 0.05 两 市两
公斤 1000 吨 公吨 tonne tonnes ton tons
公斤 0.45359237 磅 lb lbs
公斤 0.028349523 盎司 oz ounce ounces
公斤 6.35029318 英石 stone
升 0.001 立方厘米 cm3 cc
升 1000 立方米 m3 cubic_metre cubic_metres cubic_meter cubic_meters
升 1e12 立方公里 立方千米 km3 cubic_kilometre cubic_kilometres cubic_kilometer cubic_kilometers
升 0.56826125 品脱 pint pints
升 3.785411784 加仑 gallon gallons
帕 6894.757 psi
帕 100000 bar
帕 133.322 mmhg 毫米汞柱
桶 1 桶 barrel barrels bpd
分钟 1 分钟 minute minutes min mins
分钟 0.016666666666666666 秒钟 sec secs
分钟 60 小时 hour hours hr hrs
分钟 1440 天 day days
分钟 10080 周 星期 礼拜 week weeks
月 1 月 month months
月 12 年 岁 周岁 year years
工作日 1 工作日 working_day working_days business_day business_days
% 1 % percent pct per_cent
% 0.1 ‰
% 0.01 ‱
% 10 成
% 0.0001 ppm
% 1e-7 ppb
% 100 倍 times
百分点 1 百分点 percentage_point percentage_points
百分点 0.01 基点 bp bps basis_point basis_points
°c 1 °c 摄氏度 degrees_celsius
°f 1 °f 华氏度 degrees_fahrenheit
元 1 元 人民币 yuan rmb cny
元 0.1 角
美元 1 美元 美金 dollar dollars usd dlr dlrs
美元 0.01 美分 cent cents cts
欧元 1 欧元 euro euros eur
英镑 1 英镑 pound pounds gbp stg
日元 1 日元 yen jpy
港元 1 港元 港币 hkd
澳元 1 澳元 aud
加元 1 加元 cad
台币 1 台币 新台币
韩元 1 韩元 krw
卢布 1 卢布 rouble roubles ruble rubles
卢比 1 卢比 rupee rupees inr
瑞郎 1 瑞郎 法郎 franc francs chf
泰铢 1 泰铢 baht
马克 1 马克 marks
套 1 套
户 1 户
栋 1 栋 幢
"""
UNITS = {unit.replace("_", " "): value for unit, value in metric_units().items()} | {
    unit.replace("_", " "): (base, float(factor))
    for base, factor, *written in (line.split() for line in _TABLE.split("\n") if line)
    for unit in written
}
"""Base unit and factor of each unit as texts write it. Measure words that only count (个, 名, 家) are not included."""
MONEY = {
    "us$": "美元", "hk$": "港元", "a$": "澳元", "c$": "加元", "nt$": "台币", "$": "美元", "£": "英镑", "€": "欧元", "¥": "元",
    "usd": "美元", "eur": "欧元", "gbp": "英镑", "jpy": "日元", "cny": "元", "rmb": "元", "hkd": "港元", "aud": "澳元", "cad": "加元",
    "chf": "瑞郎", "inr": "卢比", "rs": "卢比",
}  # fmt: skip
"""Currency signs and short names before an amount."""
_OTHER_WORD = {
    "天": "津河然气文空生坛猫涯下后堂", "年": "级度代轻龄产均初末底会货销检报前后来间终薪夜纪老少青", "秒": "杀表针", "桶": "装",
    "斤": "两", "磅": "礴", "里": "面程头边长斯昂约",
    "周": "边围岁年刊报长转密到末一二三四五六日", "成": "功立员交都果就绩长本熟效名分人年品语", "吨": "位级",
    "升": "级至到高温值降幅入学任起空职", "套": "餐装现路利件用牌", "户": "外籍口型均主部", "克": "拉里服隆兰罗",
    "两": "会岸国地年个名人种者次级方边大学省市条天党院案岁军口", "角": "度色落形斗膜逐", "伏": "天击案笔", "瓦": "房斯解片",
    "岁": "月末", "比特": "币",
    "元": "素旦月宵件首帅老宝",
}  # fmt: skip
"""Characters after a unit of one character that make it another word."""


_BY_LENGTH = sorted(UNITS, key=len, reverse=True)


def _any_of(units: Sequence[str]) -> str:
    """Return the pattern of any of these units; none ends inside a Latin word or begins another word. Longer units come first.

    Units in Latin letters share one look behind them: the pattern is compiled at the start of many commands, and half its cost were looks.
    """
    latin, other = ([u for u in units if (u[0].isascii() and u != "%") is kind] for kind in (True, False))
    words = [re.escape(u) + (f"(?![{_OTHER_WORD[u]}])" if u in _OTHER_WORD else "") for u in other]
    escaped = "|".join(re.escape(u).replace(r"\ ", r"\s") for u in latin)
    return "|".join([rf"(?:{escaped})(?![a-z\d])", *words])


_LETTER = rf"(?:(?<=\s)|(?<=\d\.\d)|(?<=\d\.\d\d))(?:{'|'.join(sorted(set(LETTERS) - set('mas')))})(?![a-z\d'])|(?<=/)(?:l|h|s)(?![a-z\d])"
"""A symbol of one letter that is separate from its number, or follows decimals: 5 g, 0.5g, mg/l. 5g is a code, and 5 a is no unit."""
UNIT = _any_of([u for u in _BY_LENGTH if u not in ("月", "工作日")]) + f"|(?<=个)(?:月|工作日)|{_LETTER}"
"""Pattern of a unit after a figure."""
LATIN = _any_of([u for u in _BY_LENGTH if u.isascii() and u != "%"])
"""Pattern of units in Latin letters: 10km is no code."""
SIGNS = "|".join(re.escape(sign) + (r"\b" if sign.isalpha() else "") for sign in sorted(MONEY, key=len, reverse=True))
"""Pattern of a currency before a figure."""
