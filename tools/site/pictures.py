"""Pictures of what methods see in two short texts, as SVG in the colours of the page."""

from __future__ import annotations

import html
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

import quchong as qc
from quchong.engines.local.inspection import MethodSights
from quchong.languages import Language
from quchong.seam import Marks, Sight, Signature, TextValues, Values
from quchong.views.inspection.items import Item, agreement, in_common, sides
from quchong.views.inspection.words import called, message_line

TEXTS = (
    "云河市图书馆新馆今天上午开放。新馆有六层楼，藏书三十万册。读者凭身份证就可以进馆。开放时间是上午九点到晚上八点。",
    "云河市图书馆新馆今天上午开放。新馆有六层楼，藏书三十万册。读者持身份证就可以进馆。开放时间是上午九点到晚上八点。欢迎光临。",
)
"""Two near-copies: one word changed, one sentence added."""
URLS = ("HTTP://news.example:80/a//b/index.html?utm_source=x&id=3#top", "http://news.example/a/b/?id=3")
WIDTH, MARGIN, CELL, LINE, LANES = 720, 12, 16, 22, 5
CELLS = (WIDTH - 2 * MARGIN) // CELL
"""Characters in a line of text."""
COMMON, OWN, LEFT_OUT = "both", "own", "left"
WORDS = {
    "en": {COMMON: "in both texts", OWN: "in one text", LEFT_OUT: "left out", "differs": "differs", "more": "{} more"},
    "zh": {COMMON: "两篇都有", OWN: "只在一篇", LEFT_OUT: "不计入", "differs": "不同", "more": "另有 {} 个"},
}


class Drawing:
    """Elements of an SVG, drawn from the top down."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.y = MARGIN

    def text(self, x: float, words: str, kind: str = "") -> None:
        """Write words on the current line."""
        self.parts.append(f'<text x="{x:g}" y="{self.y:g}"{_class(kind)}>{html.escape(words)}</text>')

    def box(self, x: float, y: float, width: float, height: float, kind: str, note: str = "") -> None:
        """Draw a rectangle with a note that a browser shows beside the pointer."""
        title = f"<title>{html.escape(note)}</title>" if note else ""
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{_class(kind)} rx="1.5">{title}</rect>'
        )

    def svg(self, label: str) -> str:
        """Return the drawing; `label` says the same to those who do not see it."""
        return (
            f'<svg class="seen-picture" viewBox="0 0 {WIDTH} {self.y + MARGIN:g}" width="{WIDTH}" role="img" '
            f'aria-label="{html.escape(label)}" '
            f'xmlns="http://www.w3.org/2000/svg">{"".join(self.parts)}</svg>'
        )


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""


@cache
def _seen(method: str) -> MethodSights:
    """Return what a method sees of the two texts: the same in every language."""
    documents = [{"id": name, "text": text, "url": url} for name, text, url in zip("AB", TEXTS, URLS, strict=True)]
    return qc.inspect(*documents, method=method).seen


def picture(method: str, language: Language) -> tuple[str, str]:
    """Return the picture of a method as SVG, and the sentence below it: what the method says of the two texts."""
    seen = _seen(method)
    drawing = Drawing()
    labels = [called(language, "sight", sight.what) for sight in seen.sights]
    for number, (sight, label) in enumerate(zip(seen.sights, labels, strict=True)):
        drawing.y += 12 if number == 0 else 26
        drawing.text(MARGIN, label, "head")
        drawing.y += 8
        _draw(drawing, sight, seen, language)
    _legend(drawing, language)
    separator = "；" if language == "zh" else "; "
    return drawing.svg(separator.join([message_line(language, "two", method, "A", "B"), *map(str, labels)])), _outcome(
        seen, language
    )


def _outcome(seen: MethodSights, language: Language) -> str:
    comparison = seen.comparison
    if comparison is None:
        raise ValueError("a picture is of two documents")
    from quchong.languages import page_word
    from quchong.relations import relation_told

    relation = page_word(language, relation_told(comparison.relation))
    words = {
        "en": "`quchong inspect` shows the same of any two texts. Its answer here: **{}**.",
        "zh": "任意两篇文本都可以用 `quchong inspect` 这样看。这两篇的结论：**{}**。",
    }
    return words[language].format(relation)


def _draw(drawing: Drawing, sight: Sight, seen: MethodSights, language: Language) -> None:
    match sight:
        case Marks():
            for name, text, side in zip("AB", seen.texts, sides(sight, seen.texts), strict=True):
                _lines(drawing, name, text, side.items, language)
        case Signature():
            _signature(drawing, sight)
        case Values():
            _shares(drawing, sight, language)
        case TextValues():
            for name, words in zip("AB", sight.words, strict=True):
                drawing.y += LINE
                drawing.text(
                    MARGIN, f"{name}  {words or '—'}", "said" if sight.words[0] == sight.words[1] else "said unlike"
                )


def _lines(drawing: Drawing, name: str, text: str, items: Sequence[Item], language: Language) -> None:
    """Draw a text in lines, and below its characters a bar for each feature, in as many rows as fit."""
    drawing.y += 6
    lanes = _lanes(items)
    left_over = sum(lane >= LANES for lane in lanes)
    used = max([lane + 1 for lane in lanes if lane < LANES], default=0)
    for start in range(0, len(text), CELLS - 2):
        end = min(len(text), start + CELLS - 2)
        drawing.y += LINE
        if start == 0:
            drawing.text(MARGIN, name, "head")
        for at in range(start, end):
            x = MARGIN + CELL * (2 + at - start)
            drawing.parts.append(
                f'<text x="{x + CELL / 2:g}" y="{drawing.y:g}" class="letter">{html.escape(text[at])}</text>'
            )
        for item, lane in zip(items, lanes, strict=True):
            a, b = max(item.start, start), min(item.end, end)
            if lane < LANES and a < b:
                drawing.box(
                    MARGIN + CELL * (2 + a - start) + 1,
                    drawing.y + 5 + 5 * lane,
                    CELL * (b - a) - 2,
                    3.4,
                    _kind(item),
                    item.said,
                )
        drawing.y += 5 * used
    if left_over:
        drawing.y += LINE - 4
        drawing.text(MARGIN + 2 * CELL, WORDS[language]["more"].format(left_over), "soft")


def _kind(item: Item) -> str:
    return COMMON if item.common else OWN if item.counted else LEFT_OUT


def _lanes(items: Sequence[Item]) -> list[int]:
    """Return a row for each feature, so that features of one row do not touch."""
    ends: list[int] = []
    lanes = []
    for item in items:
        lane = next((number for number, end in enumerate(ends) if end <= item.start), len(ends))
        ends[lane : lane + 1] = [item.end]
        lanes.append(lane)
    return lanes


def _signature(drawing: Drawing, signature: Signature) -> None:
    """Draw the places of two signatures as squares: where they agree, and where not; bands that agree are underlined."""
    found = agreement(signature)
    if found is None:
        drawing.y += LINE
        drawing.text(MARGIN, "—", "soft")
        return
    size, wide = 9, (WIDTH - 2 * MARGIN) // 10
    for number, equal in enumerate(found.equal.tolist()):
        row, column = divmod(number, wide)
        values = signature.values[:, number].tolist()
        kind = f"{COMMON if equal else OWN}{'' if not signature.bits or values[0] else ' zero'}"
        drawing.box(
            MARGIN + 10 * column,
            drawing.y + 6 + 15 * row,
            size,
            size,
            kind,
            " / ".join(map(str, values)) if signature.bits else "",
        )
    if signature.band > 1:
        bounds = range(0, len(found.bands) * signature.band + 1, signature.band)
        for (a, b), equal in zip(pairwise(bounds), found.bands.tolist(), strict=True):
            for number in range(a, b) if equal else ():
                row, column = divmod(number, wide)
                drawing.box(MARGIN + 10 * column, drawing.y + 17 + 15 * row, size + (number + 1 < b), 2.2, COMMON)
    drawing.y += 15 * (-(-len(found.equal) // wide)) + 6


def _shares(drawing: Drawing, values: Values, language: Language) -> None:
    """Draw how many values each text has alone, and how many both have."""
    counts, common = in_common(values)
    common = common or 0
    total = max(1, sum(counts) - common)
    x, drawing.y = float(MARGIN), drawing.y + 8
    for number, kind in ((counts[0] - common, OWN), (common, COMMON), (counts[1] - common, OWN)):
        width = (WIDTH - 2 * MARGIN) * number / total
        if number:
            drawing.box(x, drawing.y, max(1.0, width - 1), 16, kind, str(number))
        x += width
    drawing.y += 32
    drawing.text(MARGIN, f"A {counts[0]:,} · B {counts[1]:,} · {WORDS[language][COMMON]} {common:,}", "soft")


def _legend(drawing: Drawing, language: Language) -> None:
    drawing.y += LINE + 10
    x = float(MARGIN)
    for kind in (COMMON, OWN, LEFT_OUT):
        drawing.box(x, drawing.y - 8, 14, 8, kind)
        drawing.text(x + 20, WORDS[language][kind], "soft")
        x += 150
