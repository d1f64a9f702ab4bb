"""The page of results."""

from __future__ import annotations

import datetime
import textwrap

import page_tables as tables
from families import HALVES
from making import MIXED_SIZE, SMALL
from mixed import DOCUMENTS
from results import Result

WIDTH = 130
HEAD = """# Decisions: what tools remove of records on a template, of copies, and of texts with one edit

Written on {day} by

    {command}

[How to run it on another tool, and how to cite it](../guide/decisions-benchmark.md). All texts of families and reverse clusters
are ours, made from a seed. A family belongs to the half `tune` or `report` by its name; rules of quchong were made with `tune` in
view alone.

**lost**: of different records, those of which every row was removed. **misled**: those with a row that was removed for a row of
another record. **present**: of surplus copies, those that are still there. All in percent; means over families in the first tables.
A share in **bold** is above what is asked for: lost 5 in families of 3, 1 in larger ones; present {present:.0f}.

Settings: {settings}.
"""
FAMILY = (
    "Lost · misled · present. Families of 3 and of 10 records are drawn several times ({draws}), all families in one corpus; "
    "larger ones are alone."
)
COPIES = (
    "In families of {sizes} records, by how copies were made: those still there beside another row of their record."
)
REVERSE = "One text {sizes} times: copies present. Fewer are better."
MIXED = (
    "All families of a language, {size} records each, among {documents:,} real documents: lost · present · rows of families that "
    "fare as they do in a corpus of their own."
)
FACTS = (
    "Another fact, both texts must stay: pairs of `tools/edits` of which one was removed. All lengths together, the half no rule "
    "was made with."
)
OTHERS = "The same facts, one can go: pairs of which both are still there."


def page(results: list[Result], settings: dict[str, str], command: str) -> str:
    """Return the page in Markdown.

    Args:
        results: of all tools.
        settings: by tool, how it was set.
        command: what writes the page.
    """
    told = "; ".join(f"{tool}: {setting}" for tool, setting in settings.items())
    day = datetime.datetime.now(datetime.UTC).date()
    draws = ", ".join(f"{count} corpora of {size}" for size, count in SMALL.items())
    sections = [
        (f"Families of the half `{half}`", [FAMILY.format(draws=draws), "", *tables.family_table(results, half)])
        for half in reversed(HALVES)
    ]
    for size in tables.sizes_of(results, "families"):
        sections.append(
            (f"Each family, {int(size):,} records", ["Lost · present.", "", *tables.each_family_table(results, size)])
        )
    if tables.select(results, "copies"):
        sizes = " · ".join(tables.sizes_of(results, "copies"))
        sections.append(("Copies inside families", [COPIES.format(sizes=sizes), "", *tables.copies_table(results)]))
    if tables.select(results, "reverse"):
        sizes = " · ".join(tables.sizes_of(results, "reverse"))
        sections.append(("Reverse clusters", [REVERSE.format(sizes=sizes), "", *tables.reverse_table(results)]))
    if tables.select(results, "mixed"):
        note = MIXED.format(size=MIXED_SIZE, documents=DOCUMENTS)
        sections.append(("Families inside real corpora", [note, "", *tables.mixed_table(results)]))
    if tables.select(results, "edits"):
        facts, others = tables.edits_table(results, facts=True), tables.edits_table(results, facts=False)
        sections.append(("One edit in real texts", [FACTS, "", *facts, "", OTHERS, "", *others]))
    head = HEAD.format(day=day, command=command, present=100 * tables.PRESENT, settings=told)
    lines = [*_filled(head), *(line for title, body in sections for line in ("", f"## {title}", "", *map(_fill, body)))]
    return "\n".join(lines) + "\n"


def _fill(line: str) -> str:
    """Return a line of text in the width of the page; rows of tables, headings and code as they are."""
    return (
        line
        if line.startswith(("|", " ", "#"))
        else textwrap.fill(line, WIDTH, break_long_words=False, break_on_hyphens=False)
    )


def _filled(text: str) -> list[str]:
    """Return the paragraphs of a text, each in the width of the page."""
    paragraphs = text.rstrip("\n").split("\n\n")
    filled = [_fill(part if part.startswith((" ", "#")) else part.replace("\n", " ")) for part in paragraphs]
    return "\n\n".join(filled).split("\n")
