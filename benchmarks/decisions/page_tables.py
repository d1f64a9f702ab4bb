"""Tables of results: families, small families, reverse clusters, families in real corpora, and texts with one edit, for all tools."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from edited import is_fact
from families import FAMILIES
from results import Result
from scoring import Score, summed

LOST = {"3": 0.05}
"""Greatest share of different records that may be lost, by records of a family."""
LOST_OTHERWISE = 0.01
PRESENT = 0.05
"""Greatest share of copies that may still be present."""


def goal(size: str) -> float:
    """Return the greatest share of different records that may be lost in families of a size."""
    return LOST.get(size, LOST_OTHERWISE)


def percent(share: float, most: float | None = None) -> str:
    """Return a share in percent, in bold if it is above what is asked for."""
    told = f"{100 * share:.1f}"
    return f"**{told}**" if most is not None and share > most + 1e-9 else told


def _total(results: Iterable[Result]) -> Score:
    return summed("all", "", [one.score for one in results])


def _mean(results: Sequence[Result], share: Callable[[Score], float]) -> float:
    """Return the mean over families, so that a family with more records does not count more."""
    return sum(share(one.score) for one in results) / len(results)


def _grid(head: list[str], rows: Iterable[list[str]]) -> list[str]:
    return [f"| {' | '.join(head)} |", "|---" * len(head) + "|", *(f"| {' | '.join(row)} |" for row in rows)]


def tools_of(results: Iterable[Result]) -> list[str]:
    """Return the tools, ours first."""
    names = {one.tool for one in results}
    return sorted(names, key=lambda name: (not name.startswith("quchong"), name))


def select(results: Iterable[Result], part: str, **wanted: str) -> list[Result]:
    """Return the results of a part that have the tool, size, family or half asked for."""

    def value(one: Result, name: str) -> str:
        return str(getattr(one if name in ("tool", "size") else one.score, name))

    return [
        one for one in results if one.part == part and all(value(one, name) == asked for name, asked in wanted.items())
    ]


def sizes_of(results: Iterable[Result], part: str) -> list[str]:
    """Return the sizes of a part, the smallest first."""
    return sorted({one.size for one in results if one.part == part}, key=lambda size: size.zfill(6))


def family_table(results: list[Result], half: str) -> list[str]:
    """Return the table of tools x sizes: records lost, records misled, copies present, as means over the families of a half."""
    columns = [(part, size) for part in ("small", "families") for size in sizes_of(results, part)]
    rows = []
    for tool in tools_of(results):
        row = [tool]
        for part, size in columns:
            mine = select(results, part, tool=tool, size=size, half=half)
            row.append(
                f"{percent(_mean(mine, lambda s: s.lost_share), goal(size))} · {percent(_mean(mine, lambda s: s.misled_share))} · "
                f"{percent(_mean(mine, lambda s: s.present_share), PRESENT)}" if mine else ""
            )  # fmt: skip
        rows.append(row)
    return _grid(["tool", *(f"{int(size):,} records" for _, size in columns)], rows)


def each_family_table(results: list[Result], size: str) -> list[str]:
    """Return the table of families x tools at one size: lost and present."""
    mine = select(results, "families", size=size)
    tools, rows = tools_of(mine), []
    for name, family in FAMILIES.items():
        row = [name, family.half, family.kind, str(family.slots)]
        for tool in tools:
            found = [one.score for one in mine if one.tool == tool and one.score.family == name]
            row.append(
                f"{percent(found[0].lost_share, goal(size))} · {percent(found[0].present_share, PRESENT)}"
                if found
                else ""
            )
        if any(row[4:]):
            rows.append(row)
    return _grid(["family", "half", "kind", "slots", *tools], rows)


def _present_table(results: list[Result], part: str, head: str, kind: Callable[[Result], str]) -> list[str]:
    """Return a table of kinds x tools of a part: copies present at each of its sizes."""
    mine = select(results, part)
    tools, sizes, rows = tools_of(mine), sizes_of(results, part), []
    for name in sorted({kind(one) for one in mine}):
        row = [name]
        for tool in tools:
            found = [one for one in mine if one.tool == tool and kind(one) == name]
            totals = [_total(one for one in found if one.size == size) for size in sizes]
            row.append(" · ".join(percent(total.present_share) if total.surplus else "-" for total in totals))
        rows.append(row)
    return _grid([head, *tools], rows)


def copies_table(results: list[Result]) -> list[str]:
    """Return the table of kinds of copies inside families x tools."""
    return _present_table(results, "copies", "copied by", lambda one: one.score.family)


def reverse_table(results: list[Result]) -> list[str]:
    """Return the table of kinds of reverse clusters x tools."""
    return _present_table(results, "reverse", "copied by", lambda one: one.score.family.rsplit("_", 1)[1])


def mixed_table(results: list[Result]) -> list[str]:
    """Return the table of real corpora x tools: lost, present, and how many rows of the families fare as they do alone."""
    mine = select(results, "mixed")
    tools, rows = tools_of(mine), []
    for corpus in sizes_of(results, "mixed"):
        row = [corpus]
        for tool in tools:
            found = select(mine, "mixed", tool=tool, size=corpus)
            total, same = _total(found), sum(one.same or 0 for one in found)
            told = f"{percent(total.lost_share, LOST_OTHERWISE)} · {percent(total.present_share, PRESENT)} · {same:,} of {total.rows:,}"
            row.append(told if found else "")
        rows.append(row)
    return _grid(["real corpus", *tools], rows)


def edits_table(results: list[Result], *, facts: bool) -> list[str]:
    """Return the table of kinds of edits x tools, over all lengths: of facts records lost, of others copies present."""
    mine = [one for one in select(results, "edits") if is_fact(one.score.family.rsplit(" ", 1)[0]) == facts]
    tools, rows = tools_of(mine), []
    for kind in dict.fromkeys(one.score.family.rsplit(" ", 1)[0] for one in mine):
        row = [kind]
        for tool in tools:
            total = _total(one for one in mine if one.tool == tool and one.score.family.rsplit(" ", 1)[0] == kind)
            # Of a pair with another fact one of two records is lost at most; of all pairs, how many lost one.
            row.append(percent(2 * total.lost / total.rows if facts else total.present_share) if total.rows else "")
        rows.append(row)
    return _grid(["edit", *tools], rows)
