"""Edits of page furniture: counters, times of publication, copyright, numbers, telephones and headlines of other articles. One can go.

Their opposites are lines of content: a price, a row of a table, the telephone of an advertisement. Both must stay. The forms are in
words/furniture.txt; those of the half `held` are others than those of `tune`, and no rule was made with them.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from anatomy import sentences
from draw import Both, Draw, Edit
from names import person_name


@cache
def _forms(kind: str, half: str) -> tuple[str, ...]:
    """The forms of a kind, such as "zh furniture", and a half."""
    text = (Path(__file__).parent / "words/furniture.txt").read_text("utf-8")
    return tuple(text.partition(f"[{kind} {half}]\n")[2].partition("\n[")[0].strip("\n").split("\n"))


def _values(draw: Draw, headline: str) -> dict[str, str]:
    """Values of one copy; two copies have all of them different but by chance."""
    rng = draw.rng
    day = f"20{rng.randint(10, 25)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
    clock = f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}"
    months = "January February March April May June July August September October November December".split()
    return {
        "count": str(rng.randint(100, 99999)), "small": str(rng.randint(2, 59)), "year": str(rng.randint(2005, 2025)), "day": day,
        "time": f"{day} {clock}" + (f":{rng.randint(0, 59):02}" if rng.random() < 0.5 else ""),
        "english_time": f"{rng.choice(months)} {rng.randint(1, 28)}, 20{rng.randint(10, 25)} "
        f"at {rng.randint(1, 12)}:{rng.randint(0, 59):02} pm",
        "number": str(rng.randint(1000000, 99999999)), "phone": f"0{rng.randint(10, 899)}-{rng.randint(20000000, 89999999)}",
        "name": person_name(rng), "headline": headline,
    }  # fmt: skip


def _headline(text: str) -> str:
    if text.isascii():
        return " ".join(text.split()[:7])
    return re.split(r"[，。！？；：\n]", text)[0][:20]


def _different(form: str, draw: Draw) -> tuple[str, str]:
    while True:
        headlines = (draw.other(), draw.other()) if "{headline}" in form else ("", "")
        one, other = (form.format(**_values(draw, _headline(text))) for text in headlines)
        if one != other:
            return one, other


def _lines(kind: str, places: tuple[str, ...], few: int, blank: str = "") -> Edit:
    """Lines of some forms at the head, at the foot or between blocks, with other values in the copy."""

    def edit(text: str, draw: Draw) -> Both | None:
        rng, own = draw.rng, sorted(_forms(kind, draw.half))
        texts = [text, text]
        place = rng.choice(places)
        chosen = rng.sample(own, rng.randint(1, few) if draw.length >= 200 else 1)
        values = [_different(form, draw) for form in chosen]
        for side in (0, 1):
            lines = "\n".join(both[side] for both in values)
            if place == "head":
                texts[side] = f"{lines}\n{text}"
            elif place == "foot":
                texts[side] = f"{text}\n{lines}"
            else:
                parts = re.split(r"(?<=[.!?]) (?=[A-Z])", text) if blank else sentences(text)
                if len(parts) < 2:
                    return None
                at = len(parts) // 2
                texts[side] = f"{blank.join(parts[:at])}\n{lines}\n{blank.join(parts[at:])}"
        return texts[0], texts[1]

    return edit


def _inline(kind: str, blank: str) -> Edit:
    """One form at the end, or at the beginning, without a line break."""

    def edit(text: str, draw: Draw) -> Both | None:
        own = [
            f
            for f in sorted(_forms(kind, draw.half))
            if "headline" not in f and not f.startswith(("{small}", "推荐", "{time}", "{english_time}"))
        ]
        one, other = _different(draw.rng.choice(own), draw)
        if draw.rng.random() < 0.3:
            return f"{one}{blank or ' '}{text}", f"{other}{blank or ' '}{text}"
        return f"{text}{blank}{one}", f"{text}{blank}{other}"

    return edit


UNSURE = ("{small}", "推荐", "{time}", "{english_time}")
"""Beginnings of forms that are furniture only in a line of their own."""
everywhere = ("head", "foot", "foot", "between")
furniture = _lines("zh furniture", everywhere, 3)
inline_furniture = _inline("zh furniture", "")
content = _lines("zh content", everywhere, 1)
english_furniture = _lines("en furniture", everywhere, 3, " ")
english_inline_furniture = _inline("en furniture", " ")
english_content = _lines("en content", everywhere, 1, " ")
