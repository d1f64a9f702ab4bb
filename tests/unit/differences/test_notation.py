"""Covers: figures in words and other notations, and what tells two of them apart. Compared against: what they mean."""

import unicodedata

import pytest

import quchong as qc
from quchong.differences.counting import _bounds
from quchong.differences.figures import mentions
from quchong.differences.notation import page_number, roman
from quchong.differences.windows import Window, dictionary_forms, native_digits

MERGED = ("exact", "duplicate", "contains", "contained_in")
CHINESE = "市水务局今天上午发布通知，望江门一带的供水管道正在检修，{}，请居民提前储水，维修期间临时供水点照常开放，咨询请打热线电话。"
ENGLISH = (
    "The council said on Friday that the final plan drawn up by the engineers of the city had been approved, {} and that residents may "
    "apply from spring once the papers are in order."
)
APART = """
每次服用两片|每次服用三片
只用了半小时|只用了一小时
来了几个人|来了十几个人
来了十几个人|来了二十几个人
主队以3-1获胜|主队以1-3落败
主队3-1胜出|主队1-3胜出
主队3:1胜出|主队1:3胜出
主队三比一胜出|主队一比三胜出
主队3比1胜出|主队1比3胜出
配备8GB内存，硬盘128GB|配备16GB内存，硬盘128GB
含量为5毫克|含量为5克
容量为5毫升|容量为5升
长5厘米|长5米
含量5mg|含量5g
下降5个基点|下降5个百分点
孩子今年5岁|孩子今年5个月
距离5公里|距离5里
将于3月恢复|将于3日恢复
将于上午恢复|将于晚间恢复
将于清晨恢复|将于傍晚恢复
将于一季度恢复|将于三季度恢复
涉及近五千户|涉及逾五千户
产量翻一番|产量翻两番
货款壹拾贰万元整|货款壹拾叁万元整
距今卅年|距今廿年
启动Ⅲ级响应|启动Ⅱ级响应
启动A级响应|启动B级响应
启动III级响应|启动II级响应
春分恢复供水|秋分恢复供水
子时恢复供水|午时恢复供水
民国元年恢复|民国二年恢复
前天恢复供水|昨天恢复供水
下礼拜恢复供水|这礼拜恢复供水
six of them came|seven of them came
the Phase II study begins|the Phase III study begins
a dozen eggs came|two dozen eggs came
it ends at noon|it ends at midnight
升级到微信 8.0.1 版本|升级到微信 9.0.1 版本
第๑๒号|第๑๓号
共१२件|共१३件
确诊Ⅰ型糖尿病|确诊Ⅱ型糖尿病
确诊2型糖尿病|确诊Ⅰ型糖尿病
ended with World War I that year|ended with World War II that year
it is in class A of the list|it is in class B of the list
they had hepatitis B before|they had hepatitis C before
half a dozen eggs came|a dozen eggs came
走了两三天|走了三四天
花了二三十块钱|花了七八十块钱
他今年十七八岁|他今年二十七八岁
民国二年三月五日立|民国二年三月六日立
民国二年立|民国三年立
一号楼停水|二号楼停水
选择甲方案|选择乙方案
坐3路车|坐13路车
住在三〇二室|住在三〇三室
共有三十多人|共有四十多人
得了九分|得了十分
该片共三集|该片共四集
二〇二四年|二〇二三年
A股上涨|B股上涨
小A同学|小B同学
选A项|选C项
评为AAA级景区|评为AAAA级景区
评为3A级景区|评为4A级景区
指数报<b>2930.8</b>点|指数报<b>2931.8</b>点
共有<b>3</b>人|共有四人
"""
SAME = """
货款壹拾贰万元整|货款12万元整
距今卅年|距今三十年
启动Ⅲ级响应|启动三级响应
民国三十八年恢复|1949年恢复
下礼拜恢复供水|下周恢复供水
each got 14 million dollars|each got 14m dollars
each got 1,400,000 dollars|each got 1.4m dollars
each got 5k dollars|each got 5,000 dollars
it serves 14 million households|it serves 14m households
it serves 1,400,000 households|it serves 1.4m households
it serves 5k households|it serves 5,000 households
售价5元/公斤|售价每公斤5元
a rate of 0.50|a rate of 1/2
six of them came|6 of them came
the Phase II study begins|the Phase 2 study begins
a dozen eggs came|12 eggs came
指数报<b>2930.8</b>点|指数报2930.8点
欢迎加微信 abc123 咨询|欢迎加微信 xyz789 咨询
公众号：hello2020|公众号：world99
确诊2型糖尿病|确诊Ⅱ型糖尿病
half a dozen eggs came|six eggs came
it starts at noon|it starts at 12 noon
走了两三天|走了几天
走了两三天|走了两天
花了二三十块钱|花了几十块钱
来了三五个人|来了几个人
他今年十七八岁|他今年十几岁
是一个重要的节点|是重要的节点
是一座大桥|是座大桥
上午9时开始|9时开始
早上9时开始|上午9时开始
晚上8点开始|20:00开始
晚上8点开始|20点开始
五百多人参加|500余人参加
五百多人参加|五百人参加
近500人参加|近五百人参加
超过500人参加|500余人参加
首先是一要抓紧|首先是二要抓紧
（一）加强管理|（二）加强管理
一、加强管理|二、加强管理
三人小组成立|3人小组成立
住在三〇二室|住在302室
共有三十多人|共有三十余人
十分重视这件事|万分重视这件事
有几分道理|有十分道理
千方百计保障供水|想方设法保障供水
四面八方来客|五湖四海来客
再三要求|一再要求
三番五次要求|多次要求
一时难以恢复|短时难以恢复
两岸同胞|海峡两岸同胞
下发了第3号令|下发了第三号令
下个月开始|下月开始
本周五开始|这周五开始
昨日开始|昨天开始
夜里恢复|晚上恢复
约5万元|约五万元
二零二四年|2024年
买了1.5k只|买了1500只
T台走秀|台上走秀
评为3A级景区|评为AAA级景区
指数报<b>2930.8</b>点，下跌<b>0.5%</b>|指数报2930.8点，下跌0.5%
指数报<b>2930.8</b>点|指数报2930.80点
The index stood at <b>2930.8</b> points|The index stood at 2930.8 points
共有<b>3</b>人|共有三人
- 3 - 共有三人|共有三人
"""


def relation(pair):
    """How two texts are related that differ in one clause."""
    frame = ENGLISH if pair.isascii() else CHINESE
    return qc.compare(*(frame.format(clause) for clause in pair.split("|"))).relation


@pytest.mark.parametrize("pair", APART.split("\n")[1:-1])
def test_another_figure_keeps_two_texts_apart(pair):
    assert relation(pair) == "variant"


@pytest.mark.parametrize("pair", SAME.split("\n")[1:-1])
def test_the_same_figure_in_another_notation_is_no_other_figure(pair):
    assert relation(pair) in MERGED


@pytest.mark.parametrize("thing", "爿店 羽信鸽 楹屋 庹长 抔土 泓清泉 蓬烟 綹发 瓯茶 阕词 帧照片 畦菜".split())
def test_a_numeral_counts_whatever_follows_it(thing):
    assert relation(f"门前有两{thing}|门前有三{thing}") == "variant"
    assert relation(f"门前有两{thing}|门前有2{thing}") in MERGED


def test_digits_of_every_script_are_figures():
    digits = native_digits()
    assert len(digits) >= 600
    assert all(
        form == str(unicodedata.decimal(digit)) for digit, form in zip(digits, dictionary_forms(digits), strict=True)
    )
    for two, three in (
        ("๒", "๓"),
        ("໒", "໓"),
        ("២", "៣"),
        ("၂", "၃"),
        ("༢", "༣"),
        ("२", "३"),
        ("٢", "٣"),
        ("২", "৩"),
        ("𑄸", "𑄹"),
    ):
        assert relation(f"共有一{two}件|共有一{three}件".replace("一", two)) == "variant"
        (found,) = mentions(dictionary_forms([f"共有{two}{three}件"])[0])
        assert found.value.value == 23


def test_roman_numerals():
    ones = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
    every = [tens + one for tens in ("", "x", "xx") for one in ones]
    assert [roman(text) for text in every[1:]] == list(range(1, 30))
    assert [roman(text) for text in ("", "iiii", "vx", "mix", "ivi", "li")] == [None] * 6


@pytest.mark.parametrize(
    ("count", "bounds"),
    [
        ("几", (2, 9)), ("十几", (10, 19)), ("二十几", (20, 29)), ("几十", (20, 99)), ("数百", (200, 999)), ("半", (0.5, 0.5)),
        ("两", (2, 2)), ("百余", (100, 199)), ("十余万", (100_000, 199_999)), ("卅几", (30, 39)), ("三千多", (3000, 3999)),
        ("3千", (3000, 3000)), ("两三", (2, 3)), ("十七八", (17, 18)), ("三五百", (300, 500)), ("多", None), ("余", None),
    ],
)  # fmt: skip
def test_bounds_of_counts(count, bounds):
    assert _bounds(count) == bounds


def test_a_page_number_between_dashes_is_no_figure():
    for text, stretch, is_page in (
        ("检修\n- 3 -\n请提前", "3", True), ("检修\n— 12 —\n请提前", "12", True), ("检修- 3 -请提前", "3", False),
        ("降至\n- 3 度\n", "3", False),
    ):  # fmt: skip
        at = text.index(stretch)
        assert page_number(Window(text, at, at + len(stretch))) is is_page


REWORDED = (
    ("本期电费共计{}元，请按时缴纳", "经核算本期应缴纳的电费是{}元，里面有31.5元是上期结转的"),
    ("这条公路全长{}公里", "记者了解到，公路的总里程有{}公里左右，当中2.5公里是桥梁"),
)


@pytest.mark.parametrize("clauses", REWORDED)
def test_a_figure_of_the_same_thing_in_a_clause_in_other_words_is_another_one(clauses):
    around = (
        "市水务局今天上午发布通知，供水管道正在检修。{}。请居民提前储水，维修期间临时供水点照常开放，咨询请打热线电话。"
        + "".join(
            f"第{n}处供水点设在{place}，由专人值守。"
            for n, place in enumerate("河坊街 清波门 涌金门 钱塘门 武林门 艮山门 庆春门".split(), 1)
        )
    )
    one, other = clauses
    assert qc.compare(around.format(one.format(62.4)), around.format(other.format(62.4))).relation in MERGED
    assert qc.compare(around.format(one.format(62.4)), around.format(other.format(71.8))).relation == "variant"
