"""Two texts in colours on a terminal: in two columns if it is wide enough, else one below the other."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from quchong.findings import Difference
from quchong.languages import Language, page_word
from quchong.report.differing import kind_in_words
from quchong.report.marked_html import GROUPS
from quchong.report.terminal_marks import pieces
from quchong.report.visible import shown_name

WIDE = 100
"""Columns of a terminal at or above which the texts are printed in two columns."""
STYLES = {
    "figure": "bold red", "date": "bold yellow", "name": "bold magenta", "negation": "bold underline bright_magenta",
    "wording": "blue", "noise": "dim underline",
}  # fmt: skip
"""Styles by group of differences."""
SHARED, CONFLICT = "green", "reverse"
WORDS = {"shared": "shared", "conflict": "facts in conflict", "missing": "‸ missing here"}
"""Words of the legend."""


def pair_lines(
    names: tuple[str, str], texts: tuple[str, str], passages: Sequence[Any], differences: Sequence[Difference], shown: int,
    language: Language, columns: int,
) -> list[str]:  # fmt: skip
    """Return the lines of a pair of texts, coloured by escape codes; texts are rendered harmless, and wide characters count as two columns.

    Args:
        names, texts: names and texts of both.
        passages: their shared passages (`quchong.report.Passage`).
        differences: differences to mark; `left` is the first text's.
        shown: characters shown of each text.
        columns: columns of the terminal.
    """
    mine = [(p.start, p.end) for p in passages]
    other = [(p.survivor_start, p.survivor_end) for p in passages]
    one = _coloured(texts[0], mine, shown, differences)
    two = _coloured(texts[1], other, shown, [d.turned for d in differences])
    heads = [Text(str(shown_name(name)), style="bold") for name in names]
    parts: list[Any]
    if columns >= WIDE:
        beside = Table.grid(padding=(0, 2), expand=True)
        beside.add_column(ratio=1, overflow="fold")
        beside.add_column(ratio=1, overflow="fold")
        beside.add_row(*heads)
        beside.add_row(one, two)
        parts = [beside]
    else:
        parts = [heads[0], one, Text(""), heads[1], two]
    return _printed([_legend(differences, bool(passages), language), *parts], columns)


def _coloured(text: str, spans: Sequence[tuple[int, int]], shown: int, differences: Sequence[Difference]) -> Text:
    """Return a text with its marks as styles."""
    out = Text(overflow="fold")
    for piece in pieces(text, spans, shown, differences):
        style = ["dim"] if piece.ours else [SHARED] if piece.shared else []
        if piece.difference is not None:
            style.append(_style(piece.difference))
        out.append(str(piece.text), style=" ".join(style) or None)
    return out


def _style(one: Difference) -> str:
    style = STYLES.get(GROUPS.get(one.kind, one.kind), STYLES["wording"])
    return f"{style} {CONFLICT}" if one.conflict else style


def _legend(differences: Sequence[Difference], shared: bool, language: Language) -> Text:
    """Return the legend of the colours that occur."""
    told = [(page_word(language, WORDS["shared"]), SHARED)] if shared else []
    for kind in dict.fromkeys(d.kind for d in differences):
        told.append((kind_in_words(kind, language), STYLES.get(GROUPS.get(kind, kind), STYLES["wording"])))
    if any(d.conflict for d in differences):
        told.append((page_word(language, WORDS["conflict"]), CONFLICT))
    if any(not d.left or not d.right for d in differences):
        told.append((page_word(language, WORDS["missing"]), ""))
    out = Text()
    for number, (word, style) in enumerate(told):
        out.append("  " if number else "").append(word, style=style or None)
    return out


def _printed(parts: Sequence[Any], columns: int) -> list[str]:
    file = io.StringIO()
    console = Console(
        file=file, width=columns, force_terminal=True, color_system="standard", legacy_windows=False, emoji=False,
        highlight=False, markup=False, no_color=False,
    )  # fmt: skip
    for part in parts:
        console.print(part)
    return [line.rstrip() for line in file.getvalue().splitlines()]
