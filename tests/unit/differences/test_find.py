"""Covers: differences of pairs: kinds, places, what stands there, facts, aligned shares, noise, moved parts, pairs not looked at.

Compared against: the texts at the places told, and what the sentences mean.
"""

import numpy as np
import pyarrow as pa
import pytest

from quchong.differences import find_differences
from quchong.differences.find import COVERED
from quchong.seam import Documents
from quchong.similarity import PRESETS
from quchong.tables import DIFFERENCES, FACTS
from quchong.text import form

HEAD = "云河市的老城改造工程进展顺利，沿街的店铺陆续开张，住在附近的居民说生活方便了许多。"
TAIL = "工作人员介绍说，河边的步道还在修建，等到完工之后，大家就能沿着河岸散步了。"


def find(pairs, looked=None, workers=1):
    texts = pa.array([text for pair in pairs for text in pair], pa.large_string())
    left = 2 * np.arange(len(pairs))
    mask = np.ones(len(pairs), bool) if looked is None else np.array(looked, bool)
    found = find_differences(form(), Documents.from_texts(texts), left, left + 1, mask, mask, workers)
    assert found.offsets[0] == 0 and found.offsets[-1] == len(found.kind) == len(found.conflict) == len(found.places)
    for k, pair in enumerate(found.pair.tolist()):
        a0, a1, b0, b1 = found.places[k].tolist()
        assert found.left[k].as_py() == pairs[pair][0][a0:a1] and found.right[k].as_py() == pairs[pair][1][b0:b1]
    return found


def told(*pairs):
    """Kind, whether it conflicts, and both sides of every difference."""
    found = find(pairs)
    rows = list(zip(
        (DIFFERENCES[k] for k in found.kind.tolist()), found.conflict.tolist(), found.left.to_pylist(), found.right.to_pylist(),
        strict=True,
    ))  # fmt: skip
    return [rows[a:b] for a, b in zip(found.offsets, found.offsets[1:], strict=False)]


def within(left, right):
    """The differences of two sentences within the same text, which are the same the other way round."""
    there, back = told((HEAD + left + TAIL, HEAD + right + TAIL), (HEAD + right + TAIL, HEAD + left + TAIL))
    assert [(kind, conflict) for kind, conflict, _, _ in there] == [(kind, conflict) for kind, conflict, _, _ in back]
    return there


@pytest.mark.parametrize(
    ("left", "right", "kind", "stretches"),
    [
        ("票价5元。", "票价6元。", "figure", ("5元", "6元")), ("客流变化-5.3%，", "客流变化5.3%，", "figure", ("-5.3%", "5.3%")),
        ("游客达到1.2万人次。", "游客达到1.3万人次。", "figure", ("1.2万", "1.3万")), ("第25届灯会开幕。", "第26届灯会开幕。", "figure", ("第25", "第26")),
        ("客流多了三成。", "客流多了40%。", "figure", ("三成", "40%")), ("票价5美元。", "票价5欧元。", "figure", ("5美元", "5欧元")),
        ("修了3-5天。", "修了3-6天。", "figure", ("5天", "6天")), ("来了三名游客。", "来了两名游客。", "figure", ("三", "两")),
        ("The fair had five guests.", "The fair had six guests.", "figure", ("five", "six")),
        ("灯会在3月5日开幕。", "灯会在3月6日开幕。", "date", ("3月5日", "3月6日")), ("灯会在上午10时开幕。", "灯会在22时开幕。", "date", ("上午10时", "22时")),
        ("灯会于二〇二〇年开幕。", "灯会于2021年开幕。", "date", ("二〇二〇年", "2021年")), ("灯会在今日开幕。", "灯会在明日开幕。", "date", ("今日", "明日")),
        ("The fair opened on March 5.", "The fair opened on March 6.", "date", ("March 5", "March 6")),
        ("航班是CA1832。", "航班是CA1833。", "code", ("CA1832", "CA1833")), ("车牌是云A12345。", "车牌是云B12345。", "code", ("A12345", "B12345")),
        ("电话是010-62345678。", "电话是010-62345679。", "code", ("010-62345678", "010-62345679")), ("版本是1.2.3。", "版本是1.2.4。", "code", ("1.2.3", "1.2.4")),
        ("市长李建国出席了活动。", "市长王志强出席了活动。", "person", ("李建国", "王志强")), ("副市长何平到场。", "副市长陈平到场。", "person", ("何平", "陈平")),
        ("展览在上海举行。", "展览在北京举行。", "place", ("上海", "北京")), ("展览在法国举行。", "展览在德国举行。", "place", ("法国", "德国")),
        ("展览在广州市天河区举行。", "展览在广州市越秀区举行。", "place", ("天河区", "越秀区")),
        ("The show opened in Paris today.", "The show opened in London today.", "place", ("Paris", "London")),
        ("项目由教育部负责。", "项目由财政部负责。", "organisation", ("教育部", "财政部")),
        ("项目由华为负责。", "项目由中兴负责。", "organisation", ("华为", "中兴")), ("项目由工商银行负责。", "项目由建设银行负责。", "organisation", ("工商银行", "建设银行")),
        ("市民同意这个方案。", "市民不同意这个方案。", "negation", ("", "不")), ("市民已同意方案。", "市民未同意方案。", "negation", ("已", "未")),
        ("He did attend the fair.", "He did not attend the fair.", "negation", ("", "not")),
        ("房价上涨明显。", "房价下跌明显。", "opposite", ("上涨", "下跌")), ("10人以上参加。", "10人以下参加。", "opposite", ("以上", "以下")),
        ("The price rose sharply.", "The price fell sharply.", "opposite", ("rose", "fell")),
    ],
)  # fmt: skip
def test_facts_that_conflict(left, right, kind, stretches):
    assert within(left, right) == [(kind, True, *stretches)]


@pytest.mark.parametrize(
    ("left", "right", "kinds"),
    [
        ("游客达到1.2万人次。", "游客达到12000人次。", ["figure"]), ("客流多了3成。", "客流多了30%。", ["figure"]), ("票价5美元。", "票价$5。", ["figure"]),
        ("票价5元。", "票价五元。", ["figure"]), ("灯会在3月5日开幕。", "灯会在三月五日开幕。", ["date"]), ("灯会在3月5日开幕。", "灯会在5日开幕。", ["date"]),
        ("灯会在5日开幕。", "灯会在昨日开幕。", ["date"]), ("灯会在下午3点开幕。", "灯会在15时开幕。", ["date"]),
        ("On March 5 the fair opened.", "On 5 March the fair opened.", ["date"]),
        ("展览在上海举行。", "展览在上海市举行。", ["wording"]), ("项目由环保部负责。", "项目由环境保护部负责。", ["wording"]),
        ("活动由王丽主持。", "活动由她主持。", ["wording"]), ("市民不断提出意见。", "市民提出意见。", ["wording"]), ("市民赞成方案。", "市民同意方案。", ["wording"]),
        ("修了3-5天。", "修了3至5天。", ["wording"]), ("（记者李建国）活动结束。", "（记者王志强）活动结束。", ["boilerplate"]),
        ("责任编辑：李建国。", "责任编辑：王志强。", ["boilerplate"]), ("据新华社报道，活动结束。", "据中新社报道，活动结束。", ["wording"]),
        ("新华社上海3月5日电。", "新华社北京3月6日电。", ["boilerplate", "date"]), ("帐户已经开了。", "账户已经开了。", ["noise"]),
        ("晴天来了很多人。", "睛天来了很多人。", ["noise"]), ("网页去重的方法。", "网页去虫的方法。", ["noise"]),
    ],
)  # fmt: skip
def test_differences_without_conflict(left, right, kinds):
    assert [(kind, conflict) for kind, conflict, _, _ in within(left, right)] == [(kind, False) for kind in kinds]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("票价５元。", "票价5元！"), ("網頁去重與軟體。", "网页去重与软件。"), ("气温是25℃。", "气温是25°C。"), ("灯会于二〇二〇年开幕。", "灯会于2020年开幕。"),
        ("变化−5.3%。", "变化-5.3%。"), ("第25届灯会。", "第二十五届灯会。"), ("见http://a.b/c。", "见。"),
    ],
)  # fmt: skip
def test_texts_of_one_normal_form_do_not_differ(left, right):
    assert within(left, right) == []


def test_equal_and_empty_texts():
    found = find([(HEAD, HEAD), ("", ""), ("", HEAD), (HEAD, ""), ("，。", HEAD), ("去", "重")])
    assert found.offsets.tolist() == [0, 0, 0, 1, 2, 3, 4]
    assert found.aligned_left.tolist() == found.aligned_right.tolist() == [1, 0, 0, 0, 0, 0]
    assert not found.conflict.any() and found.facts.tolist() == [0] * 6
    body = HEAD.rstrip("。")
    assert found.left.to_pylist() == ["", body, "", "去"] and found.right.to_pylist() == [body, "", body, "重"]


def test_facts_of_a_pair_are_the_kinds_that_conflict():
    left = HEAD + "票价5元，灯会在3月5日开幕，展览在上海举行，乘坐CA1832航班前往。" + TAIL
    right = HEAD + "票价6元，灯会在3月5日开幕，展览在北京举行，乘坐CA1833航班前往。" + TAIL
    found = find([(left, right), (left, left), (left, left.replace("1832", "1833"))])
    bits = {name: 1 << k for k, name in enumerate(FACTS)}
    assert found.facts.tolist() == [bits["figure"] | bits["place"] | bits["code"], 0, bits["code"]]
    assert found.facts.dtype == np.uint16 and found.kind.dtype == np.uint8
    assert found.measures.keys() == {"facts", "aligned_left", "aligned_right", "unexplained", "told"}


def test_aligned_shares_and_what_is_left_unexplained():
    words = [a + b for a in "bcdfghkmpt" for b in "lrsvwxyzjq"]
    some = "甲乙丙丁戊己庚辛壬癸"
    text, added = " ".join(words), " ".join([*words[:50], some, some, *words[50:]])
    replaced, cut = " ".join([*words[:40], some, *words[50:]]), " ".join(words[:60])
    found = find([(text, added), (added, text), (text, replaced), (text, cut)])
    assert found.aligned_left == pytest.approx([1, 100 / 120, 0.9, 0.6])
    assert found.aligned_right == pytest.approx([100 / 120, 1, 0.9, 1])
    assert found.unexplained.tolist() == [0, 0, 10, 0], "only what stands in the place of something"


def test_slips_count_as_aligned_and_explained():
    left = HEAD + "帐户已经开了，晴天来了很多人。" + TAIL
    right = left.replace("帐", "账").replace("晴", "睛")
    found = find([(left, right)])
    assert [DIFFERENCES[k] for k in found.kind] == ["noise", "noise"]
    assert found.aligned_left.tolist() == found.aligned_right.tolist() == [1] and found.unexplained.tolist() == [0]


def test_a_figure_among_slips_is_still_a_figure():
    left = HEAD + "帐户已经开了，晴天来了5人。" + TAIL
    right = HEAD + "账户已经开了，睛天来了6人。" + TAIL
    assert [row[:2] for row in told((left, right))[0]] == [("noise", False), ("noise", False), ("figure", True)]


def test_parts_that_changed_places_do_not_conflict():
    parts = [
        "甲队在上海比赛，得到了第一名，全队都非常高兴，教练说大家辛苦了。", "乙队去外地集训，每天清早起床跑步，晚上还要看录像学习战术。",
        "丙队正在招收新人，凡是喜欢踢球的少年都可以报名，不收任何费用。",
    ]  # fmt: skip
    found = find([("".join(parts), "".join(parts[::-1]) + "完"), ("".join(parts), "".join(parts))])
    assert found.facts.tolist() == [0, 0]
    assert 0 < found.aligned_left[0] < 0.8


def test_two_figures_that_changed_places_in_a_sentence_conflict():
    rows = within("甲队来了5人，乙队来了9人。", "甲队来了9人，乙队来了5人。")
    assert rows == [("figure", True, "5", "9"), ("figure", True, "9", "5")]


def test_long_rewritten_passages_state_nothing_against_each_other():
    left = "展览开放了5天，门票一共卖出了很多，市民们排着长队等候入场参观，上海也有人来。"
    right = "天气逐渐转凉，6个公园的菊花都已经盛开，北京游人络绎不绝地前往观赏拍照留念。"
    assert not any(conflict for _, conflict, _, _ in within(left, right))


def test_pairs_nobody_looks_at_have_no_differences():
    one = (HEAD + "票价5元。", HEAD + "票价6元。")
    found = find([one, one, one], looked=[False, True, False])
    assert found.offsets.tolist() == [0, 0, 1, 1] and found.facts.tolist() == [0, 1, 0]
    assert found.aligned_left[[0, 2]].tolist() == found.aligned_right[[0, 2]].tolist() == [0, 0]
    assert found.aligned_left[1] > 0.9
    none = find([one, one], looked=[False, False])
    assert none.offsets.tolist() == [0, 0, 0] and none.facts.tolist() == [0, 0] and len(none.left) == 0
    assert find([]).offsets.tolist() == [0]


def test_places_are_those_of_the_text_given():
    left, right = "😀" + HEAD + "ＣＡ１８３２航班，票價㈱５元。" + TAIL, HEAD + "ＣＡ１８３３航班，票價㈱６元。" + TAIL
    assert told((left, right)) == [
        [("symbol", False, "😀", ""), ("code", True, "ＣＡ１８３２", "ＣＡ１８３３"), ("figure", True, "５元", "６元")]
    ]


def test_workers_and_other_pairs_change_nothing():
    pairs = [
        (
            HEAD + f"票价{k}元，展览在上海举行。" + TAIL,
            TAIL * (k % 3) + HEAD + f"票价{k + k % 2}元，展览在北京举行。" + TAIL,
        )
        for k in range(150)
    ]
    one, four = find(pairs, workers=1), find(pairs, workers=4)
    assert all(
        np.array_equal(getattr(one, name), getattr(four, name)) for name in ("offsets", "kind", "conflict", "places")
    )
    alone = [told(pair)[0] for pair in pairs[:5]]
    assert alone == told(*pairs)[:5]


def test_a_preset_asks_for_no_less_than_is_told():
    assert min(thresholds.aligned for thresholds in PRESETS.values()) == COVERED


def test_parts_of_a_sentence_in_each_others_place_conflict():
    one = HEAD + "决赛当晚，蓝队的孩子以三比二战胜了老师们。"
    other = HEAD + "决赛当晚，老师们以三比二战胜了蓝队的孩子。"
    assert [(kind, conflict) for kind, conflict, _, _ in told((one, other))[0]] == [("opposite", True)] * 2
    longer = TAIL * 6
    assert [(kind, conflict) for kind, conflict, _, _ in told((one + longer, other + longer))[0]] == [
        ("opposite", True)
    ] * 2


def test_parts_of_two_clauses_of_a_long_text_may_change_places():
    """In a long text a word and its synonym often change places between clauses."""
    one, other = "工程进度加快，预算执行提速。", "工程进度提速，预算执行加快。"
    assert not any(conflict for _, conflict, *_ in told((HEAD + one + TAIL * 6, HEAD + other + TAIL * 6))[0])


def test_clauses_in_another_order_are_the_same_text():
    one, other = "老城改造进展顺利，沿街店铺陆续开张。", "沿街店铺陆续开张，老城改造进展顺利。"
    found = find([(one, other)])
    assert found.aligned_left.tolist() == [1.0] and found.unexplained.tolist() == [0] and not found.conflict.any()
