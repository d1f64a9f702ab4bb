"""A fact in the last or first words is compared although one text has sentences more behind or before it."""

import pytest

import quchong as qc

BODY = (
    "The committee met on Thursday to discuss the plans for the new harbour bridge, which engineers have studied since the spring floods "
    "damaged the old one. Residents asked many questions about costs and noise. "
)
TAILS = (
    " All rights.",
    " Write to us.\nAll rights reserved and this material may not be published or sent to anybody else.",
)
LEAD = "Special report from our own correspondents in the region and beyond it this week. "
CHINESE = (
    "委员会星期四开会讨论新港大桥的规划，工程师从春天洪水冲坏旧桥以来一直在研究这个问题。居民就费用和噪音提了许多问题，"
    "市政府答应下个月再作答复。"
)
LONGER = (
    CHINESE
    + "出席会议的还有沿岸各镇的代表，他们希望施工期间保留渡船。会议决定成立专门小组，负责征求商户意见，并在年底前提出方案。"
)
CHINESE_TAILS = ("请转告。", "本报记者编辑整理报道，未经书面授权不得转载或者摘编使用。")
CHINESE_LEAD = "本报特派记者从现场发回的综合报道如下内容供读者参考。"
FACTS = [
    ("Shares rose.", "Shares fell."), ("It will not open.", "It will open."), ("The firm is based in London.", "The firm is based in Paris."),
    ("It opens on Monday.", "It opens on Tuesday."), ("The mayor is Robert Brown.", "The mayor is Helen Navarro."),
    ("The price is 12 dollars.", "The price is 15 dollars."),
]  # fmt: skip
CHINESE_FACTS = [
    ("水价将上涨。", "水价将下跌。"), ("会议在北京召开。", "会议在上海召开。"), ("副局长王建国说。", "副局长李志强说。"), ("会议不召开。", "会议召开。"),
    ("会期3天。", "会期5天。"),
]  # fmt: skip
LEADING = [
    ("Shares rose.", "Shares fell."),
    ("London will pay.", "Paris will pay."),
    ("Robert Brown is mayor.", "Helen Navarro is mayor."),
]
CHINESE_LEADING = [("王建国说，", "李志强说，"), ("水价上涨。", "水价下跌。"), ("北京市消息。", "上海市消息。")]


def relation(left: str, right: str) -> str:
    return str(qc.compare(left, right).relation)


@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize(("one", "other"), FACTS)
def test_a_fact_before_added_sentences_counts(one: str, other: str, tail: str) -> None:
    assert relation(BODY + one, BODY + other + tail) == "variant"
    assert relation(BODY + one + tail, BODY + other) == "variant"


@pytest.mark.parametrize("tail", CHINESE_TAILS)
@pytest.mark.parametrize(("one", "other"), CHINESE_FACTS)
def test_a_fact_before_added_chinese_sentences_counts(one: str, other: str, tail: str) -> None:
    assert relation(CHINESE + one, CHINESE + other + tail) == "variant"
    assert relation(CHINESE + one + tail, CHINESE + other) == "variant"


@pytest.mark.parametrize(
    ("body", "lead", "one", "other"),
    [(f" {BODY}", LEAD, *pair) for pair in LEADING] + [(CHINESE, CHINESE_LEAD, *pair) for pair in CHINESE_LEADING],
)
def test_a_fact_behind_added_sentences_counts(body: str, lead: str, one: str, other: str) -> None:
    assert relation(one + body, lead + other + body) == "variant"
    assert relation(lead + one + body, other + body) == "variant"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (BODY + "Shares rose.", BODY + "Shares went up." + TAILS[1]),
        (BODY + "It will open.", BODY + "It will open." + TAILS[1]),
        (f"It will open. {BODY}", f"{LEAD}It will open. {BODY}"),
        (CHINESE + "水价将上涨。", CHINESE + "水价将会上涨。" + CHINESE_TAILS[1]),
        (CHINESE + "会期3天。", CHINESE + "会期三天。" + CHINESE_TAILS[1]),
        ("标题说的是新桥的规划\n中新社4月3日电 " + LONGER, "2020年4月2日，" + LONGER),
    ],
)
def test_other_words_before_added_sentences_make_no_variant(left: str, right: str) -> None:
    assert relation(left, right) in ("duplicate", "contains", "contained_in")


def test_a_negation_in_another_sentence_did_not_move() -> None:
    """不 in 不得转载 is not the 不 of 不召开."""
    found = qc.compare(CHINESE + "会议不召开。", CHINESE + "会议召开。" + CHINESE_TAILS[1])
    assert (found.differences[0].kind, found.differences[0].conflict) == ("negation", True)
