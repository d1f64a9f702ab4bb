"""Figures of runs as text for people. Values of foreign origin are made harmless for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from quchong.evaluation.estimates import Share
from quchong.report.visible import Shown, compose, named

if TYPE_CHECKING:
    from quchong.evaluation.evaluation import Evaluation, Slice

SHOWN = 5
"""Ids shown of documents wrongly removed or kept."""


def told(one: Evaluation) -> Shown:
    """One run, as lines."""
    t = one.truth
    kind = f"{t['documents']:,} documents in {t['clusters']:,} clusters" if t["kind"] == "clusters" else ", ".join(
        f"{t[name]:,} {name}" for name in ("same", "contained", "different", "unsure") if name in t
    )  # fmt: skip
    lines = [
        compose("truth  {}", Shown(named(t["name"]) if t["name"] else "in memory")),
        compose("  {}: {}", Shown("clusters" if t["kind"] == "clusters" else "pairs"), kind),
        compose("  {}", Shown("complete: every pair not listed is different" if t["complete"] else "not complete")),
        "pairs                     (95% interval)",
        f"  precision               {one.precision}  {_of(one.precision)}",
        f"  recall                  {one.recall}  {_of(one.recall)}",
        f"  F1                      {one.f1}",
    ]
    if one.recall_of != "all pairs":
        lines.append(f"  recall is that of {one.recall_of}")
    lines += _tables(one)
    if one.clusters is not None and one.clusters.f1 is not None:
        c = one.clusters
        lines += [
            "clusters",
            f"  B-cubed                 precision {c.precision:.3f}, recall {c.recall:.3f}, F1 {c.f1:.3f}  (of {c.documents:,} documents)",
            f"  adjusted Rand index     {c.adjusted_rand:.3f}",
        ]
    lines.append("documents")
    for label, wrong, key in (
        ("wrongly removed", one.removed_wrongly, "wrongly_removed"),
        ("wrongly kept", one.kept_wrongly, "wrongly_kept"),
    ):
        ids = one.fates[key]
        shown = ", ".join(named(i) for i in ids[:SHOWN]) + (", ..." if len(ids) > SHOWN else "")
        judged = f"{wrong.hits:,} of {wrong.of:,} judged" if wrong.of else "none judged"
        lines.append(f"  {label:<23} {judged}" + (f": {shown}" if ids else ""))
    lines += [compose("note: {}", named(note, 1000)) for note in one.notes]
    return Shown("\n".join(lines))


def _of(share: Share) -> str:
    return f"{share.hits:,} of {share.of:,}"


def _tables(one: Evaluation) -> list[str]:
    lines: list[str] = []
    if one.said:
        lines.append("by relation of the run    copies by the truth")
        lines += [f"  {row['relation']:<23} {row['right']}  {_of(row['right'])}" for row in one.said]
    if one.true:
        lines.append("by label of the truth     found")
        lines += [
            f"  {row['label']:<23} {row['found']}  {_of(row['found'])}; of these {_of(row['relation_right'])} under that relation"
            for row in one.true
        ]
    for title, slices in (("by length of the shorter", one.lengths), (f"by {named(one.by, 20)}", one.sites)):
        if slices:
            lines.append(f"{title:<25} precision, recall, F1")
            lines += [_line(part) for part in slices]
    return lines


def _line(part: Slice) -> str:
    p, r, f = ("-" if x.value is None else f"{x.value:.3f}" for x in (part.precision, part.recall, part.f1))
    return f"  {named(part.name, 40):<23} {p}, {r}, {f}  ({part.f1.of:,} pair{"s" * (part.f1.of != 1)})"


def tables(several: Sequence[Evaluation]) -> list[list[tuple[str, ...]]]:
    """Several runs as two tables, each with a head: pairs, then clusters and documents."""
    pairs = [("run", "precision", "recall", "F1")]
    others = [("run", "B-cubed F1", "adjusted Rand", "wrongly removed", "wrongly kept")]
    for one in several:
        c = one.clusters
        b, a = ("-", "-") if c is None or c.f1 is None else (f"{c.f1:.3f}", f"{c.adjusted_rand:.3f}")
        pairs.append((one.name, str(one.precision), str(one.recall), str(one.f1)))
        others.append((one.name, b, a, _of(one.removed_wrongly), _of(one.kept_wrongly)))
    return [pairs, others]
