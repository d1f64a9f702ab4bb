"""Covers: the rule `other words`: short Chinese texts whose words stand for others. Run: pytest tests/unit/similarity/test_other_words.py."""

import quchong as qc

BODY = (
    "昨天傍晚六点多，云河市望江门菜市场门口有一位老人走失，身穿灰色棉袄，背着蓝布书包，说话带外地口音，记不清家里地址和电话。"
    "市场管理处已经报警，现在由派出所照看，请家人尽快联系"
)
FRAMES = (
    ("今日紧急寻亲！", "。好心人帮忙转一下吧，先谢谢大家了"),
    ("请各位扩散消息：", "。您随手一转，老人就能早些回家过年"),
)


def framed(body):
    return [before + body + after for before, after in FRAMES]


def test_a_post_in_another_frame_is_a_copy():
    found = qc.compare(*framed(BODY))
    measures = found.measures
    assert 0.6 <= found.jaccard < 0.75 and 5 * measures["unexplained"] > min(
        measures["tokens_left"], measures["tokens_right"]
    )
    assert (found.relation, found.rule) == ("duplicate", "jaccard")


def test_a_fact_that_differs_still_keeps_both():
    one, _ = framed(BODY)
    two = one.replace("六点多", "八点多").replace(*(after for _, after in FRAMES))
    found = qc.compare(one, two)
    assert (found.relation, found.rule) == ("variant", "facts differ")


def test_short_text_keeps_the_stricter_rule():
    assert qc.compare(*framed(BODY), method="short-text").relation != "duplicate"


def test_below_a_jaccard_of_point_six_one_other_word_is_enough():
    one, two = framed(BODY[:40])
    found = qc.compare(one, two)
    assert found.jaccard < 0.6 and found.relation == "partial"
