"""Covers: page furniture: lines by their form, heads and feet without lines, and copies that differ in it; lines of content beside.

Run: pytest tests/unit/differences/test_furniture.py
"""

import pytest

import quchong as qc
from quchong.differences.furniture import LONG, foot_of, head_of, is_furniture, line_of_furniture

CHINESE = (
    "云河市水务局通知，望江门一带因管道检修停水，约有一千多户居民受到影响，请大家提前做好储水的准备。抢修工作由市里的施工队负责，"
    "预计需要一整天的时间。居民可以到社区服务站领取桶装水，老人和病人由志愿者送水上门。"
)
ENGLISH = (
    "The council said that the bridge across the river will be open again before the end of the summer, and that drivers will pay less than "
    "they did in the past. Members of the committee asked for a study of noise in the streets beside it."
)


@pytest.mark.parametrize(
    "line",
    [
        "阅读 1234", "浏览次数:5678", "点赞(12)", "已有123人阅读", "9条评论", "赞 12 踩 3 收藏", "2019-09-08 09:30:12 来源: 新京报 举报",
        "发布时间:2021-03-04 10:11", "责任编辑:陈思远", "责编|陈梦莹", "© 2009-2023 某某网", "copyright 2023 morning news", "文章编号:123456",
        "京icp备12345678号", "沪公网安备 31010602000299号", "新闻热线:0571-88776655", "相关阅读:望江门一带停水", "下一篇:明天有雨", "3小时前",
        "12,345 views", "views: 77", "5 comments", "published may 3, 2021 at 4:05 pm", "updated: 2021-03-04 10:11", "3 hours ago",
        "article id: 778899", "read more: a bridge is open again", "read 1,234 times", "第3页 共9页", "- 3 -",
    ],
)  # fmt: skip
def test_lines_of_furniture(line):
    assert is_furniture(line, at_end=True, site=False)


@pytest.mark.parametrize(
    "line",
    [
        "价格:3200元", "联系电话:0571-88776655", "会议时间:2023-05-06 14:00", "苹果 | 33元 | 960斤", "订单编号:123456", "入库流量:1234立方米每秒",
        "2023年5月6日", "price: $3200", "call 0571-88776655 to book.", "order number: 778899", "net profit 33 mln dlrs", "", "x" * 500,
    ],
)  # fmt: skip
def test_lines_of_content(line):
    assert not is_furniture(line, at_end=True, site=False)


def test_dates_alone_and_telephones_of_a_site_depend_on_their_place():
    assert is_furniture("2023-05-06", at_end=True, site=False)
    assert not is_furniture("2023-05-06", at_end=False, site=False)
    assert is_furniture("客服热线:400-800-1234", at_end=True, site=True)
    assert not is_furniture("客服热线:400-800-1234", at_end=True, site=False)


def test_lines_at_an_offset():
    text = f"阅读 1234\n{CHINESE}\n下一篇：明天有雨\n"
    assert line_of_furniture(text, 3, 7)
    assert line_of_furniture(text, len(text) - 4, len(text) - 2)
    assert not line_of_furniture(text, 20, 22)
    assert not line_of_furniture("阅读 1234", 3, 7), "a text that is nothing else"


def test_heads_and_feet_without_lines():
    assert foot_of(CHINESE + "阅读量：1234") == len(CHINESE)
    assert foot_of(CHINESE) == len(CHINESE)
    assert head_of("浏览次数：1234 " + CHINESE) == len("浏览次数：1234")
    assert head_of(CHINESE) == 0
    assert foot_of("") == 0 == head_of("")
    assert len(ENGLISH) >= LONG
    assert foot_of(f"{ENGLISH} © 2023 The Daily Post. All rights reserved.") == len(ENGLISH) + 1


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        (CHINESE, "阅读 1234", "阅读 98"),
        (CHINESE, "2021-03-04 10:11", "2022-05-06 07:08:09"),
        (CHINESE, "新闻热线：0571-88776655", "新闻热线：010-65432100"),
        (CHINESE, "上一篇：王建国当选局长", "上一篇：李志强三月赴杭州"),
        (ENGLISH, "1,234 views", "56 views"),
        (ENGLISH, "© 2021 City Times", "© 2023 City Times"),
    ],
)
def test_copies_that_differ_in_furniture_are_copies(text, one, other):
    for place in ("{1}\n{0}", "{0}\n{1}"):
        found = qc.compare(place.format(text, one), place.format(text, other))
        assert found.relation == "duplicate", found.differing()
        assert {d.kind for d in found.differences} <= {"boilerplate", "noise"}, found.differing()


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        (CHINESE, "价格：3200元", "价格：2800元"),
        (CHINESE, "联系电话：0571-88776655", "联系电话：0571-66554433"),
        (CHINESE, "苹果 | 33元 | 960斤", "苹果 | 27元 | 112斤"),
        (ENGLISH, "Price: $3,200", "Price: $2,800"),
        (ENGLISH, "Order number: 778899", "Order number: 112233"),
    ],
)
def test_copies_that_differ_in_a_line_of_content_are_variants(text, one, other):
    assert qc.compare(f"{text}\n{one}", f"{text}\n{other}").relation == "variant"


REPORT = (
    "Officials said on Monday that the bridge over the river had been reopened to traffic after repairs of two months."
)
NOTICE = "水务局昨日说，河上的大桥经过两个月维修之后已经恢复通行，附近三个村庄的居民出行恢复正常，今后每个季度还将检查一次，结果将向社会公布，今年的维修费用由市财政承担。"


@pytest.mark.parametrize("rest", ["Customer service: {}", "Help line: {}"])
def test_a_telephone_under_a_brief_report_is_that_of_the_site(rest):
    one, other = (f"{REPORT}\n{rest.format(number)}" for number in ("0571-88776655", "010-65432100"))
    assert qc.compare(one, other).relation == "duplicate"
    one, other = (f"{NOTICE}\n客服热线：{number}" for number in ("0571-88776655", "010-65432100"))
    assert qc.compare(one, other).relation == "duplicate"


@pytest.mark.parametrize(
    "text",
    [
        "Two-bedroom flat near the river for rent from May, quiet street, newly painted, no pets, deposit of two months.",
        "Your parcel could not be handed over on Monday, and a fee for its storage will be due from Thursday of this week.",
        "The card of this bank was blocked on Monday after three wrong entries, and it stays so until the owner has been heard.",
    ],
)
def test_a_telephone_under_a_brief_text_that_wants_something_is_its_subject(text):
    one, other = (f"{text}\nCustomer service: {number}" for number in ("0571-88776655", "010-65432100"))
    assert qc.compare(one, other).relation in ("variant", "partial")
    chinese = "急转让河边两居室一套，家电齐全，采光好，交通方便，附近有学校和菜市场，价格面议，周末可以看房，房主长期在外地工作，非中介。"
    one, other = (f"{chinese}\n客服热线：{number}" for number in ("0571-88776655", "010-65432100"))
    assert qc.compare(one, other).relation in ("variant", "partial")


def test_a_changed_text_with_furniture_is_a_variant():
    found = qc.compare(f"{CHINESE}\n阅读 1234", CHINESE.replace("一千多户", "三千多户") + "\n阅读 98")
    assert found.relation == "variant"
    assert found.facts == ("figure",)


def test_cells_in_another_order_are_no_conflict():
    assert qc.compare(f"{CHINESE}\n33元 | 960斤", f"{CHINESE}\n960斤 | 33元").relation != "variant"
