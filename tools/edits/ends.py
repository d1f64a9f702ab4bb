"""A fact in the last sentence, behind which one text has a sentence more, and the same fact in other words there."""

from __future__ import annotations

from draw import Both, Draw, Edit

_APART = (
    ("水价将上涨。", "水价将下跌。"), ("会议改在北京召开。", "会议改在上海召开。"), ("工程不停工。", "工程停工。"),
    ("会期3天。", "会期5天。"),
    ("副局长王建国主持。", "副局长李志强主持。"), ("大桥周一通车。", "大桥周二通车。"),
    ("门票免费。", "门票收费。"), ("罚款200元。", "罚款500元。"),
)  # fmt: skip
_SAME = (
    ("水价将上涨。", "水价将会上涨。"), ("会期3天。", "会期三天。"), ("门票免费。", "门票是免费的。"), ("罚款200元。", "罚款二百元。"),
)  # fmt: skip
_BEHIND = (
    "本报记者编辑整理报道，未经书面授权不得转载或者摘编使用。", "更多消息请关注本台今晚七点的新闻节目。", "来信请寄编辑部。",
    "欢迎读者朋友们继续提供线索和意见。", "本刊保留修改和解释以上内容的权利，读者来稿请自留底稿。",
)  # fmt: skip
_ENGLISH_APART = (
    ("Shares rose.", "Shares fell."), ("The plant will not close.", "The plant will close."),
    ("Talks resume on Monday.", "Talks resume on Tuesday."),
    ("The firm is based in London.", "The firm is based in Paris."), ("It cost 12 dollars.", "It cost 15 dollars."),
    ("The chairman is Robert Brown.", "The chairman is Helen Navarro."),
)  # fmt: skip
_ENGLISH_SAME = (
    ("Shares rose.", "Shares went up."), ("It cost 12 dollars.", "It cost twelve dollars."),
    ("Talks resume on Monday.", "Talks resume Monday."),
)  # fmt: skip
_ENGLISH_BEHIND = (
    "All rights reserved and this material may not be published or sent to anybody else.", "Reporting by A. Smith; editing by B. Jones.",
    "Readers may write to the editor at the usual address.", "More on this story in the evening edition.",
)  # fmt: skip


def _behind(sentences: tuple[Both, ...], added: tuple[str, ...], gap: str) -> Edit:
    """Return the edit that puts one sentence or the other at the end of the text, and a sentence behind one of them."""

    def edit(text: str, draw: Draw) -> Both | None:
        left, right = draw.rng.choice(sentences)
        more = gap + draw.rng.choice(added)
        original, edited = text + gap + left, text + gap + right
        return (original, edited + more) if draw.rng.random() < 0.5 else (original + more, edited)

    return edit


APART: dict[str, Edit] = {
    "fact before an added sentence": _behind(_APART, _BEHIND, ""),
    "English fact before an added sentence": _behind(_ENGLISH_APART, _ENGLISH_BEHIND, " "),
}
GOES: dict[str, Edit] = {
    "same fact before an added sentence": _behind(_SAME, _BEHIND, ""),
    "English same fact before an added sentence": _behind(_ENGLISH_SAME, _ENGLISH_BEHIND, " "),
}
