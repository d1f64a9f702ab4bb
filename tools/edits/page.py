"""The tables of what was right, as a page in Markdown."""

from __future__ import annotations

import datetime
import textwrap
from collections.abc import Iterable

from bases import HALVES, LENGTHS
from cells import PAIRS
from judge import Score
from kinds import APART, KINDS

WIDTH = 130
LEAST = {30: 50, 80: 57, 200: 57, 600: 57, 2000: 57}
"""Right of 60 that a cell is asked for."""


def reached(one: Score) -> bool:
    """Is the cell as good as is asked, in proportion where it has fewer pairs?"""
    return one.right * PAIRS >= LEAST[one.length] * one.pairs


def _entry(one: Score | None) -> str:
    if one is None:
        return ""
    told = str(one.right) if one.pairs == PAIRS else f"{one.right}/{one.pairs}"
    return told if reached(one) else f"**{told}**"


def table(found: list[Score], method: str) -> str:
    """Kinds x lengths of one method: tune and held half in a cell."""
    at = {(s.kind, s.length, s.half): s for s in found if s.method == method}
    lengths = sorted({length for _, length, _ in at})
    lines = [f"| {method} | " + " | ".join(f"{n:,}" for n in lengths) + " |", "|---" * (len(lengths) + 1) + "|"]
    for kind in KINDS:
        cells = [" · ".join(_entry(at[kind, n, h]) for h in HALVES if (kind, n, h) in at) for n in lengths]
        if any(cells):
            lines.append(f"| {kind} | " + " | ".join(cells) + " |")
        if kind == list(APART)[-1]:
            lines.append("| *one can go* |" + " |" * len(lengths))
    lines.insert(2, "| *both must stay* |" + " |" * len(lengths))
    return "\n".join(lines)


def summary(found: list[Score], method: str) -> str:
    """How many cells are as good as is asked."""
    told = []
    for half in HALVES:
        mine = [s for s in found if s.method == method and s.half == half]
        told.append(f"{sum(map(reached, mine))} of {len(mine)} ({half})")
    return f"Cells that are as good as is asked with `{method}`: {', '.join(told)}."


def page(found: list[Score], methods: Iterable[str], seed: int, command: str) -> str:
    """The whole page."""
    sizes = ", ".join(f"{n:,} ({a:,} to {b:,})" for n, (a, b) in LENGTHS.items())
    fewer = sorted({(s.kind, s.length, s.half, s.pairs) for s in found if s.pairs < PAIRS})
    lines = [
        "# Facts, noise and wording: made pairs", "",
        f"Written on {datetime.datetime.now(datetime.UTC).date()} by", "", f"    {command}", "",
        "All texts are Chinese but in the rows that begin with English. The Chinese ones come from zh_news_reprints, zh_news_xwlb, "
        "zh_peoples_daily_199801 and zh_weibo_ced, the English ones from en_reuters (../shared/data). They are cut at sentence ends to "
        f"about 30, 80, 200, 600 and 2,000 characters, and each gets a copy with one kind of edit (`tools/edits`, seed {seed}).", "",
        "A cell says how many of 60 pairs are right: first of the half `tune`, then of the half `held`. A hash of the "
        "document's id parts the halves; rules and word lists were made with the first one in view alone, but for those of random "
        "noise, English scans and English page furniture, of which pairs of both were looked at. Where there are fewer pairs the "
        "cell says of how many (50/50). A cell is one run over its 120 texts, which are unlike but for the pairs. Where both must stay, "
        "`variant`, `partial` and not listed are right; where one can go, `exact`, `duplicate` and contained. A number in **bold** is "
        "below what is asked for: 57 of 60 from 80 characters on, 50 at 30.", "",
        f"Characters taken for a length: {sizes}.", "",
    ]  # fmt: skip
    if fewer:
        lines += [
            "Fewer than 60 pairs, as no more texts have what is edited: "
            + "; ".join(f"{k} at {n} ({h}): {p}" for k, n, h, p in fewer)
            + ".",
            "",
        ]
    for method in methods:
        lines += [f"## {method}", "", summary(found, method), "", table(found, method), ""]
    told = "\n".join(lines)
    return "\n".join(
        p if p.startswith(("|", " ")) else textwrap.fill(p, WIDTH, break_on_hyphens=False) for p in told.split("\n")
    )
