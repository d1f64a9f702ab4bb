"""Covers: places told by a name and its suffix, wherever the stretch ends; the statements are in statements.txt."""

import pytest

import quchong as qc
from quchong.differences.places_by_form import place_by_form, places_apart
from quchong.differences.windows import Window


def at(marked):
    """The window of a text with its stretch in brackets."""
    start, end = marked.index("["), marked.index("]") - 1
    return Window(marked.replace("[", "").replace("]", ""), start, end)


@pytest.mark.parametrize(
    ("marked", "place"),
    [
        ("记者从[平安]镇政府获悉", ("平安", "镇")),
        ("[李]家村停水", ("李家", "村")),
        ("[王]家沟村停水", ("王家沟", "村")),
        ("在安[平]镇境内", ("安平", "镇")),
        ("在[平安镇]", ("平安", "镇")),
        ("事故发生在[李]家村", ("李家", "村")),
        ("事故发生在[柳]", None),
        ("事故发生在[柳]河", None),
        ("这座[城]市", None),
        ("[全]市停水", None),
        ("[贫困]村停水", None),
        ("[中国]市场", None),
        ("[]村", None),
        ("[plain]村", None),
    ],
)
def test_a_place_is_a_name_and_a_suffix(marked, place):
    assert place_by_form(at(marked)) == place


def test_a_name_and_a_form_of_it_are_one_place():
    assert places_apart(at("在[平安]镇"), at("在[永和]镇"))
    assert not places_apart(at("在[平安]镇"), at("在[安平]镇"))
    assert not places_apart(at("在[平安]镇"), at("在[平安县平安]镇"))
    assert not places_apart(at("在[平安]镇"), at("在[贫困]镇"))


def test_an_ordinary_noun_is_a_name_only_if_it_ends_in_a_landscape():
    assert not places_apart(at("在[软件]市"), at("在[文坪]市"))
    assert places_apart(at("在[绿水]市"), at("在[文坪]市"))


def test_texts_that_end_at_the_stretch_are_judged():
    text = (
        "据气象部门介绍，受较强冷空气影响，本周后半段我省大部分地区将出现大风降温天气，局部地区伴有小到中雨。事故发生在"
    )
    assert qc.compare(text + "平安镇", text + "永和镇").relation == "variant"
    assert qc.compare(text + "李", text + "王").relation == "duplicate"
