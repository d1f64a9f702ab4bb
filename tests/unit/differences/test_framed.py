"""Covers: names that no list has, told by what stands around them; other names of one thing. Compared against: whom they name."""

import pytest

from quchong.differences.exchange import names_turned
from quchong.differences.framed import firm_in_frame, named_apart_in_frame, person_in_frame
from quchong.differences.rearranged import _same_clauses
from quchong.differences.same_names import same_name
from quchong.differences.transliterations import consonants, foreign_run, is_foreign, sound_alike
from quchong.differences.windows import windows


def at(text):
    before, _, rest = text.partition("[")
    stretch, _, after = rest.partition("]")
    return windows([before + stretch + after], [0], [len(before)], [len(before) + len(stretch)])[0]


def sides(text, other):
    return at(text), at(f"{text.partition('[')[0]}[{other}]{text.partition(']')[2]}")


@pytest.mark.parametrize(
    ("text", "other", "kind"),
    [
        ("外交部长[舒敬之]随后到场。", "龙大鹏", "person"), ("当日会议由[万二虎]主持。", "宁书瑶", "person"), ("项目负责人为[牛浩然]。", "葛静宜", "person"),
        ("评审组组长由[卢]立新担任。", "袁", "person"), ("据联合创始人[奥昆库沃]介绍，", "恩多耶", "person"), ("。[普京]强调，", "吴仪", None),
        ("通知由[凯龙环保]有限公司发出。", "银轮化工", "organisation"), ("数据由[启明]能源（集团）股份有限公司提供。", "汇川", "organisation"),
        ("设备从[华鑫食品]采购。", "光正生物", "organisation"), ("该项目由[双环]通信负责。", "长信", "organisation"),
        ("通知由华鑫[有限责任]公司发出。", "股份有限", None), ("大力发展[现代]科技的", "先进", None), ("白宫[周三]表示，", "周四", None),
        ("他[左右为难]，", "万分焦急", None), ("[白宫]表示，", "国会", None), ("设备从[华鑫科技]采购。", "华鑫科技股份有限公司", None),
    ],
)  # fmt: skip
def test_names_told_by_their_surroundings(text, other, kind):
    left, right = sides(text, other)
    assert named_apart_in_frame(left, right) == named_apart_in_frame(right, left) == kind


def test_a_name_reaches_beyond_the_stretch():
    assert person_in_frame(at("评审组组长由[卢]立新担任。")) == "卢立新"
    assert person_in_frame(at("总统卢卡[斯]表示，")) == "卢卡斯"
    assert firm_in_frame(at("中标方是[新北]新材料集团有限")) == "新北新材料集团有限"


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("代表团前往[印尼]访问。", "印度尼西亚"), ("总统[特朗普]发表讲话。", "川普"), ("代表团前往[朝鲜]访问。", "北韓"), ("今年对克罗[地]亚出口", "埃西"),
        ("报道提到[撒切]尔的言论。", "柴契"), ("总统[内塔尼亚]胡发表讲话。", "纳坦雅"), ("当事人名叫裴[凯旋]。", "女士"), ("获奖者是牟[光耀]。", "某某"),
        ("今年对[尼日]利亚出口", "奈及"), ("获奖者是[戈尔巴乔夫]。", "戈巴契夫"),
    ],
)  # fmt: skip
def test_one_thing_by_two_names(text, other):
    left, right = sides(text, other)
    assert same_name(left, right) and same_name(right, left)


@pytest.mark.parametrize(
    ("text", "other"),
    [("代表团前往[印尼]访问。", "印度"), ("总统[普京]发表讲话。", "拜登"), ("总统[卡斯特罗]发表讲话。", "卡扎菲")],
)
def test_two_things(text, other):
    assert not same_name(*sides(text, other))


def test_sounds_of_foreign_names():
    assert consonants("撒切尔") == consonants("柴契尔") == "ssl" and consonants("埃") == ""
    assert (
        sound_alike("撒切尔", "柴契尔") and sound_alike("泽连斯基", "泽伦斯基") and not sound_alike("撒切尔", "克林顿")
    )
    assert not sound_alike("李志强", "李志祥"), "Chinese names of one surname"
    assert is_foreign("克林顿") and is_foreign("本·拉登") and not is_foreign("王建国") and not is_foreign("")
    assert foreign_run("总统克林顿说", 3, 4) == "克林顿"


@pytest.mark.parametrize(
    ("one", "other", "turned"),
    [
        ("Helen Carter. Scott Navarro", "Scott Navarro. Helen Carter", True), ("Carter. Dr. Silva", "Silva. Dr. Carter", True),
        ("Smith, Jones", "Jones, Smith", False), ("Smith and Jones", "Jones and Smith", False), ("it rained. Then", "Then. it rained", False),
    ],
)  # fmt: skip
def test_names_over_the_end_of_a_sentence(one, other, turned):
    assert names_turned(one, other) is turned


def test_a_quotation_and_who_said_it_are_one_part():
    one, other = (
        "“桥梁是安全的。”赖天翼说。“今年收成不好。”关承泽说。",
        "“桥梁是安全的。”关承泽说。“今年收成不好。”赖天翼说。",
    )
    assert not _same_clauses(one, other)
    assert _same_clauses(one, "“今年收成不好。”关承泽说。“桥梁是安全的。”赖天翼说。")
