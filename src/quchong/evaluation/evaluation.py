"""The figures of a run held to a truth, and how they are told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from quchong.errors import Param, UsageError
from quchong.evaluation.agreement import Agreement
from quchong.evaluation.curve import Drawn, Point, draw
from quchong.evaluation.estimates import Share
from quchong.report.visible import Shown, compose, named

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHOWN = 5
"""Ids shown of documents wrongly removed or kept."""


@dataclass(frozen=True, slots=True)
class Slice:
    """Precision, recall and F1 of some of the pairs."""

    name: str
    precision: Share
    recall: Share
    f1: Share

    def describe(self) -> dict[str, Any]:
        """As JSON."""
        return {"name": self.name} | {k: getattr(self, k).describe() for k in ("precision", "recall", "f1")}


@dataclass(frozen=True)
class Evaluation:
    """How good a run is, by a truth. `str()` gives it as text, `as_dict()` as JSON.

    Attributes:
        name: of the run.
        truth: what it was held to: name, kind, whether complete, labels.
        precision, recall, f1: of pairs; `Share`, each with a 95% interval.
        recall_of: what recall is the recall of: all pairs, or the labelled ones only.
        said: by the relation the run gives a pair: judged pairs, and the share that are copies by the truth.
        true: by the label of the truth: pairs, the share that was found, and the share of those found whose relation fits.
        lengths, sites: precision, recall and F1 by the tokens of the shorter document, and by the value of the column `by`: a
            pair counts once for each of its two documents' values.
        clusters: B-cubed and adjusted Rand index; None where not all pairs are judged.
        fates: documents wrongly removed and wrongly kept, with the ids.
        removed_wrongly, kept_wrongly: their shares of what was judged.
        curve: precision and recall at other values of `parameter`; empty unless asked for.
        notes: what to know before trusting the figures.
    """

    name: str
    truth: dict[str, Any]
    precision: Share
    recall: Share
    f1: Share
    recall_of: str
    said: list[dict[str, Any]]
    true: list[dict[str, Any]]
    lengths: list[Slice]
    sites: list[Slice]
    clusters: Agreement | None
    fates: dict[str, list[str]]
    removed_wrongly: Share
    kept_wrongly: Share
    notes: tuple[str, ...]
    by: str = "site"
    curve: tuple[Point, ...] = ()
    parameter: str = ""

    def as_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "run": self.name,
            "truth": self.truth,
            "pairs": {
                **{k: getattr(self, k).describe() for k in ("precision", "recall", "f1")},
                "recall_of": self.recall_of,
            },
            "relations": [row | {"right": row["right"].describe()} for row in self.said],
            "labels": [row | {k: row[k].describe() for k in ("found", "relation_right")} for row in self.true],
            "lengths": [one.describe() for one in self.lengths],
            "sites": [one.describe() for one in self.sites],
            "clusters": None if self.clusters is None else asdict(self.clusters),
            "documents": {
                "wrongly_removed": self.removed_wrongly.describe() | {"ids": self.fates["wrongly_removed"]},
                "wrongly_kept": self.kept_wrongly.describe() | {"ids": self.fates["wrongly_kept"]},
            },
            "by": self.by,
            "curve": {"parameter": self.parameter, "points": [asdict(point) for point in self.curve]}
            if self.curve
            else None,
            "notes": list(self.notes),
        }

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draws the curve of precision over recall, a dot at its best F1, a cross at the run itself.

        Args:
            ax: axes of matplotlib to draw on; without, those of a new figure.

        Raises:
            UsageError: the curve was not asked for; matplotlib is missing (extra `plot`).
        """
        if not self.curve:
            raise UsageError("there is no curve to draw: ask for it with {}", Param("curve", True))
        return draw([self.drawn], ax)

    @property
    def drawn(self) -> Drawn:
        """What a picture shows of it."""
        return self.name, self.parameter, self.curve, (self.precision.value, self.recall.value)

    def __str__(self) -> str:
        return told(self)

    def __repr__(self) -> str:
        return f"<quchong.Evaluation of {self.name}: precision {self.precision}, recall {self.recall}, F1 {self.f1}>"


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
    return f"  {named(part.name, 40):<23} {p}, {r}, {f}  ({part.f1.of:,} pair{'s' * (part.f1.of != 1)})"


def tables(several: Sequence[Evaluation]) -> list[list[tuple[str, ...]]]:
    """Several runs as two tables, each with a head: pairs, then clusters and documents."""
    pairs: list[tuple[str, ...]] = [("run", "precision", "recall", "F1")]
    others: list[tuple[str, ...]] = [("run", "B-cubed F1", "adjusted Rand", "wrongly removed", "wrongly kept")]
    for one in several:
        c = one.clusters
        b, a = ("-", "-") if c is None or c.f1 is None else (f"{c.f1:.3f}", f"{c.adjusted_rand:.3f}")
        pairs.append((one.name, str(one.precision), str(one.recall), str(one.f1)))
        others.append((one.name, b, a, _of(one.removed_wrongly), _of(one.kept_wrongly)))
    return [pairs, others]
