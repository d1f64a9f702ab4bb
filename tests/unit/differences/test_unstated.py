"""Covers: quchong.differences.unstated, and what facts make of it: figures at an edit that state nothing.

Compared against: pairs written by hand, with their neighbours that do differ. Run: pytest tests/unit/differences/test_unstated.py.
"""

import pytest

import quchong as qc

FRAME = (
    "据介绍，这次会议由市里有关部门主办，来自各地的代表就农业生产和水利建设交换了意见，并参观了沿江的新建设施。一位居民反映，{}前率先约谈数家企业，"
    "办法总比困难多。"
)
LIST = "交通新规如下。1 闯红灯记6分罚100元。2 酒驾记12分5年内不得再考取驾照。3 不系安全带记3分罚100元。4 行驶中拨打手机记3分罚100元。{}"


def conflicts(a, b, frame=FRAME):
    found = qc.compare(frame.format(a), frame.format(b))
    return [(one.kind, one.left, one.right) for one in found.differences if one.conflict]


@pytest.mark.parametrize(
    ("whole", "scanned"),
    [
        ("11月22日", "11月2黄日"), ("完成147.48万元", "完成147.4影万元"), ("签约3762人", "签约37义2人"), ("完善了100公里", "完善了1求0公里"),
        ("增长37.3%", "增长37.决%"), ("提高94.5%", "提高94.九%"),
    ],
)  # fmt: skip
def test_a_character_in_the_place_of_a_digit_is_damage_and_no_other_figure(whole, scanned):
    assert conflicts(whole, scanned) == conflicts(scanned, whole) == []


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("签约3762人", "签约3752人"), ("签约3762人", "签约37502人"), ("在52楼", "在5号楼"), ("增长37.3%", "增长37成"), ("11月22日", "11月2日"),
        ("约35人", "约3万人"), ("历时15天", "历时1个天"),
    ],
)  # fmt: skip
def test_another_figure_stays_one(a, b):
    assert conflicts(a, b)


def test_behind_a_missing_item_the_numbers_of_a_list_are_one_off():
    more = "5 有意遮挡号牌记12分，顶额处罚。6 超速驾驶记6分。7 副驾驶有不满14周岁乘坐的记6分罚300元。"
    fewer = "5 超速驾驶记6分。6 副驾驶有不满14周岁乘坐的记6分罚300元。"
    assert conflicts(more, fewer, LIST) == conflicts(fewer, more, LIST) == []


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("6 人死亡，现场混乱。", "7 人死亡，现场混乱。"),
        ("5 超速驾驶记6分。", "9 超速驾驶记6分。"),
        ("超速驾驶记6分。", "超速驾驶记7分。"),
    ],
)
def test_what_counts_things_and_what_is_further_off_is_no_number_of_an_item(a, b):
    assert conflicts(a, b, LIST)
