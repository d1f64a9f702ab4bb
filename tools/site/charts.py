"""Charts of the tables of measurements: bars drawn as SVG from the tables in the pages themselves, in the colours of the page."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

NUMBER = re.compile(r"-?(?:\d[\d,]*)?\.?\d+")
PEERS = re.compile(r"gaoya|rensa|datasketch|text-dedup|datatrove|PyPI|Lance|pyarrow|semhash|NeMo", re.IGNORECASE)
"""Names of other tools, whose bars are grey where a chart has one bar a row."""
WIDTH, LABELS, BAR, GAP, TOP = 720, 230, 13, 9, 14


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart of one table.

    Attributes:
        name: anchor of the chart on the page of charts.
        source: page with the table, by its path in the repository.
        head: beginning of the line of its heads, which tells it from the other tables of the page.
        titles: in English and Chinese, with the unit.
        labels: index of the column of names; further ones are joined.
        columns: index of each column of numbers, its part of the cell (0 for the first number in it), and its words in English and Chinese.
        most: rows drawn at most, from the first.
        log: True for a logarithmic axis, beginning at a power of ten.
        line: number at which a line is drawn, such as a limit.
        after: heading below which the table is, where several have the same heads.
    """

    name: str
    source: str
    head: str
    titles: tuple[str, str]
    labels: tuple[int, ...]
    columns: tuple[tuple[int, int, str, str], ...]
    most: int = 24
    log: bool = False
    line: float | None = None
    after: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """Name of a row, and its number for each column; None where a cell has none."""

    name: str
    values: tuple[float | None, ...]


def rows_of(chart: Chart, markdown: str) -> list[Row]:
    """Read the rows of a chart from its page.

    Raises:
        ValueError: the page has not the table, or no number in it.
    """
    begin = markdown.index(chart.after) if chart.after in markdown else -1
    at = markdown.find(f"\n{chart.head}", begin) if begin >= 0 else -1
    if at < 0:
        raise ValueError(
            f"{chart.source} has no table {chart.head!r} {f'below {chart.after!r}' if chart.after else ''}"
        )
    lines = []
    for line in markdown[at + 1 :].splitlines()[2:]:
        if not line.startswith("|"):
            break
        lines.append([cell.strip() for cell in line.strip().strip("|").split("|")])
    rows, before = [], [""] * 20
    for cells in lines:
        name = [cells[i] or before[i] for i in chart.labels]  # an empty name is that of the row above
        before = [cell or old for cell, old in zip(cells, before, strict=False)]
        values = tuple(_number(cells[column], part) for column, part, *_ in chart.columns)
        if any(value is not None for value in values):
            rows.append(Row(", ".join(_plain(words) for words in name), values))
    if not rows:
        raise ValueError(f"{chart.source}: the table {chart.head!r} has no numbers")
    return rows[: chart.most]


def _number(cell: str, part: int) -> float | None:
    found = NUMBER.findall(cell)
    return float(found[part].replace(",", "")) if part < len(found) else None


def _plain(words: str) -> str:
    return re.sub(r"[*`]|\[([^\]]*)\]\([^)]*\)", r"\1", words).strip()


def told(value: float) -> str:
    """Return a number as a chart shows it."""
    return f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.3g}"


def alternative(chart: Chart, rows: Sequence[Row], language: int) -> str:
    """Return the chart in words: its title and every number of it. `language` is 0 for English and 1 for Chinese."""
    series = [column[2 + language] for column in chart.columns]
    comma, colon, stop = ((", ", ": ", "; "), ("，", "：", "；"))[language]
    said = [
        f"{row.name}{colon}"
        + comma.join(
            f"{name} {told(v)}" if len(series) > 1 else told(v)
            for name, v in zip(series, row.values, strict=True)
            if v is not None
        )
        for row in rows
    ]
    return f"{chart.titles[language]}{colon}{stop.join(said)}"


def drawn(chart: Chart, rows: Sequence[Row], language: int) -> str:
    """Return the chart as an SVG element."""
    values = [value for row in rows for value in row.values if value is not None]
    most = max([*values, chart.line or 0])
    low = 10.0 ** math.floor(math.log10(min(v for v in values if v > 0))) if chart.log else 0.0
    room = WIDTH - LABELS - 70

    def length(value: float) -> float:
        if chart.log:
            return room * math.log10(max(value, low) / low) / max(1e-9, math.log10(most / low))
        return room * max(0.0, value) / most if most else 0.0

    parts: list[str] = []
    y = TOP
    if len(chart.columns) > 1:
        x = 0.0
        for number, column in enumerate(chart.columns):
            parts.append(f'<rect x="{x:g}" y="{y - 9}" width="12" height="10" class="s{number}" rx="2"/>')
            parts.append(_text(x + 18, y, column[2 + language]))
            x += 40 + sum(13 if ord(c) > 0x2E80 else 7.2 for c in column[2 + language])
        y += 18
    first, single = y, len(chart.columns) == 1
    for row in rows:
        bars = [(number, value) for number, value in enumerate(row.values) if value is not None]
        parts.append(_text(LABELS - 8, y + BAR * len(bars) / 2 + 4, _shortened(row.name), "name"))
        for number, value in bars:
            kind = "peer" if single and PEERS.search(row.name) else f"s{number}"
            parts.append(
                f'<rect x="{LABELS}" y="{y}" width="{max(1.0, length(value)):.1f}" height="{BAR - 2}" class="{kind}" rx="2"/>'
            )
            parts.append(_text(LABELS + max(1.0, length(value)) + 5, y + BAR - 3.5, told(value), "value"))
            y += BAR
        y += GAP
    if chart.line is not None:
        x = LABELS + length(chart.line)
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{first - 6}" y2="{y}" class="limit"/>')
    notes = [("logarithmic axis", "对数坐标")[language]] if chart.log else []
    if single and any(PEERS.search(row.name) for row in rows):
        notes.append(("grey: other tools", "灰色：其他工具")[language])
    if notes:
        parts.append(_text(LABELS, y + 10, ("; ", "；")[language].join(notes), "value"))
        y += 14
    label = html.escape(alternative(chart, rows, language))
    return f'<svg class="bars" viewBox="0 0 {WIDTH} {y + 6}" width="{WIDTH}" role="img" aria-label="{label}" xmlns="http://www.w3.org/2000/svg">{"".join(parts)}</svg>'


def _text(x: float, y: float, words: str, kind: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}"{f" class={kind!r}" if kind else ""}>{html.escape(words)}</text>'.replace(
        "'", '"'
    )


def _shortened(words: str, most: int = 34) -> str:
    return words if len(words) <= most else words[: most - 1] + "…"
