"""Copies of a record: another final mark, a line more, noise, another order of keys or lines. What fills the slots stays."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from families.frame import Pieces, joined

NOISE = (0.01, 0.03)
"""Least and greatest share of characters changed."""
UNTOUCHED = frozenset(
    "不没未无非否莫勿零〇一二三四五六七八九十百千万亿两几半年月日号时分秒元上下左右前后东西南北大小多少高低内外男女买卖进出"
)
"""Characters that are never changed, because another one there could state another fact."""
SWAPPED = "的地得了着过在再做作和合以已由有会回及即到道为位其期并病进近"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
SOURCES = {
    "zh": ["（来源：本站）", "（本文转自网络）", "来源：综合整理", "【转载】", "（编辑：小林）", "（责任编辑：文文）"],
    "en": [
        "(Source: our own desk)",
        "Source: compiled from the web",
        "[reposted]",
        "Via the community board",
        "(edited by the night desk)",
    ],
}
HEADLINES = {
    "zh": ["【看一看】", "【转发】请大家留意", "消息速递", "今日推荐阅读", "群里看到的，分享给大家"],
    "en": ["FYI", "Worth a look", "FW: please read", "From the notice board", "Seen today"],
}
ADVERTS = {
    "zh": ["点击下方链接，关注我们获取更多内容。", "喜欢本文的朋友请点赞收藏。", "扫码加入读者群，每天都有新内容。"],
    "en": [
        "Follow us for more like this.",
        "Sign up for our free newsletter today.",
        "Like and share if this was useful.",
    ],
}
PREAMBLES = [
    "# -*- coding: utf-8 -*-\n",
    "# vendored copy, do not edit\n",
    "# generated file\n",
    "// vendored copy, do not edit\n",
]
Copy = Callable[[Pieces, random.Random, str], str]
"""A record and its language become the text of a copy."""


def _mark(parts: Pieces, rng: random.Random, language: str) -> str:
    text = joined(parts)
    bare = text.rstrip("。.！!？?")
    ends = ["！", "。。。", "", "~"] if language == "zh" else ["!", "...", "", " ."]
    return bare + rng.choice([end for end in ends if bare + end != text])


def _source(parts: Pieces, rng: random.Random, language: str) -> str:
    line = rng.choice(SOURCES[language])
    return f"{line}\n{joined(parts)}" if rng.random() < 0.3 else f"{joined(parts)}\n{line}"


def _headline(parts: Pieces, rng: random.Random, language: str) -> str:
    return f"{rng.choice(HEADLINES[language])}\n{joined(parts)}"


def _advert(parts: Pieces, rng: random.Random, language: str) -> str:
    return f"{joined(parts)}\n{rng.choice(ADVERTS[language])}"


def changed(letter: str, rng: random.Random) -> str:
    """Return another character of the same script."""
    if "一" <= letter <= "鿿":
        return rng.choice([other for other in SWAPPED if other != letter])
    return rng.choice([other for other in LETTERS if other != letter.lower()])


def noisy(parts: Pieces, rng: random.Random, share: float) -> str:
    """Return the text with that share of its characters changed, at least one, none of them inside a slot."""
    fixed = [
        (i, j)
        for i, (part, is_slot) in enumerate(parts)
        if not is_slot
        for j, c in enumerate(part)
        if (c.isascii() and c.islower()) or ("一" <= c <= "鿿" and c not in UNTOUCHED)
    ]
    count = min(len(fixed), max(1, round(share * sum(len(part) for part, _ in parts))))
    letters = [list(part) for part, _ in parts]
    for i, j in rng.sample(fixed, count):
        letters[i][j] = changed(letters[i][j], rng)
    return "".join("".join(part) for part in letters)


def _noise(parts: Pieces, rng: random.Random, language: str) -> str:
    return noisy(parts, rng, rng.uniform(*NOISE))


def _shuffled(value: Any, rng: random.Random) -> Any:
    if isinstance(value, dict):
        keys = list(value)
        rng.shuffle(keys)
        return {key: _shuffled(value[key], rng) for key in keys}
    return [_shuffled(one, rng) for one in value] if isinstance(value, list) else value


def _keys(parts: Pieces, rng: random.Random, language: str) -> str:
    return json.dumps(_shuffled(json.loads(joined(parts)), rng), ensure_ascii=False)


def _indent(parts: Pieces, rng: random.Random, language: str) -> str:
    return json.dumps(json.loads(joined(parts)), ensure_ascii=False, indent=rng.choice([1, 2, 4]))


def _field(parts: Pieces, rng: random.Random, language: str) -> str:
    added = rng.choice([{"crawled": True}, {"dataset": "mirror"}, {"split": "train"}])
    return json.dumps(json.loads(joined(parts)) | added, ensure_ascii=False)


def _layout(parts: Pieces, rng: random.Random, language: str) -> str:
    text = joined(parts)
    spaced = text.replace("\n", "\n\n") + "\n"
    if language == "zh":
        others = [text.replace("，", "， "), spaced, "　　" + text.replace("：", ": ")]
    else:
        others = [text.replace(". ", ".  ").replace("><", "> <"), spaced, text.replace(", ", ",\n")]
    return rng.choice([other for other in others if other != text])


def _lines(parts: Pieces, rng: random.Random, language: str) -> str:
    """Return the text with two neighbouring lines that have slots in another order."""
    text = joined(parts)
    lines, filled, row = text.split("\n"), set[int](), 0
    for part, is_slot in parts:
        if is_slot:
            filled.add(row)
        row += part.count("\n")
    places = [i for i in filled if i + 1 in filled and lines[i] != lines[i + 1]]
    place = rng.choice(sorted(places))
    lines[place], lines[place + 1] = lines[place + 1], lines[place]
    return "\n".join(lines)


def _comment(parts: Pieces, rng: random.Random, language: str) -> str:
    mark = "//" if "const " in joined(parts) else "#"
    return f"{joined(parts)}\n{mark} {rng.choice(['end of file', 'TODO: tidy up', 'kept for older callers', 'see the notes'])}\n"


def _blank(parts: Pieces, rng: random.Random, language: str) -> str:
    return joined(parts).replace("\n", "\n\n", rng.randint(1, 3)) + "\n"


def _preamble(parts: Pieces, rng: random.Random, language: str) -> str:
    return rng.choice(PREAMBLES) + joined(parts)


def _attribute(parts: Pieces, rng: random.Random, language: str) -> str:
    return joined(parts).replace("<tr ", rng.choice(['<tr data-seen="1" ', '<tr tabindex="0" ', '<tr role="row" ']))


COPIES: dict[str, Copy] = {
    "mark": _mark, "source": _source, "headline": _headline, "advert": _advert, "noise": _noise, "keys": _keys, "indent": _indent,
    "field": _field, "layout": _layout, "lines": _lines,
    "comment": _comment, "blank": _blank, "preamble": _preamble, "attribute": _attribute,
}  # fmt: skip
