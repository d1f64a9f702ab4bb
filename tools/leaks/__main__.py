"""Recall and false alarms of `quchong decontaminate` on made leaks, by kind and rule.

    python tools/leaks                                    the tables on the terminal
    python tools/leaks --out docs/results/decontamination.md   the same as the page
    python tools/leaks --shares 0.6,0.7,0.8               containment at other shares

The items, their rewordings and the texts on their topics are in items.jsonl and phrases.jsonl, written for this purpose.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from makers import LEAKS
from measure import RULES, measure, read

HEAD = """# Test items in a training corpus: recall and false alarms

Made by `python tools/leaks --out docs/results/decontamination.md`. {items} items of examinations, written by a language model
(tools/leaks/items.jsonl, {chinese} Chinese, {english} English), each planted once for every kind between the lines of a news text.
A leak is found if the question of the planted item is; a clean text with the question of any item is a false alarm.
Floors: `tests/quality/test_leaks.py`.
Why containment is the default: [decision 0210](../decisions/0210-test-items-are-found-by-containment-in-one-place.md).
"""


def table(title: str, found: dict[str, dict[str, tuple[int, int]]], *, leaks: bool) -> str:
    """Return the rows of leaks, or of clean texts, as a table."""
    columns = list(next(iter(found.values())))
    lines = [f"| {title} | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    for kind, by_rule in found.items():
        if (kind in LEAKS) == leaks:
            lines.append(f"| {kind} | " + " | ".join(f"{n} of {of}" for n, of in by_rule.values()) + " |")
    return "\n".join(lines)


def page() -> str:
    """Return the page of results."""
    items, found = read("items.jsonl"), measure()
    english = sum(one["question"].isascii() for one in items)
    head = HEAD.format(items=len(items), chinese=len(items) - english, english=english)
    shares = by_shares((0.6, 0.7, 0.75, 0.8, 0.9))
    return "\n".join([
        head, "## Found, of planted leaks", "", table("leak", found, leaks=True), "", "## False alarms, of clean texts", "",
        table("text", found, leaks=False), "", "## Containment at other shares (`--min-share`)", "", "Leaks found:", "",
        table("leak", shares, leaks=True), "", "False alarms:", "", table("text", shares, leaks=False), "",
    ])  # fmt: skip


def by_shares(shares: tuple[float, ...]) -> dict[str, dict[str, tuple[int, int]]]:
    """Return what containment finds at each share."""
    out: dict[str, dict[str, tuple[int, int]]] = {}
    for share in shares:
        for kind, found in measure(("containment",), min_share=share).items():
            out.setdefault(kind, {})[f"{share:g}"] = found["containment"]
    return out


def main() -> None:
    """Print the tables, or write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--shares")
    given = parser.parse_args()
    if given.out:
        given.out.write_text(page(), encoding="utf-8")
        return
    found = by_shares(tuple(map(float, given.shares.split(",")))) if given.shares else measure(RULES)
    print(table("leak", found, leaks=True))
    print()
    print(table("text", found, leaks=False))


if __name__ == "__main__":
    main()
