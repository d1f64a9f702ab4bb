"""Result of the evaluation of one run, and its text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from quchong.errors import Param, UsageError
from quchong.evaluation.agreement import Agreement
from quchong.evaluation.curve import Point
from quchong.evaluation.estimates import Share
from quchong.evaluation.grouped_figures import groups
from quchong.evaluation.label_lines import label_told, row
from quchong.evaluation.labels import LABELS
from quchong.evaluation.picture import Drawn, draw
from quchong.evaluation.slices import Slice
from quchong.languages import COMMA, Message, join_messages
from quchong.parameters.explained_arguments import explains_arguments
from quchong.parameters.other_attributes import SuggestsNames
from quchong.report.visible import Shown, compose

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHOWN = 5
"""Maximum number of ids shown of documents wrongly removed or kept."""


@explains_arguments
@dataclass(frozen=True)
class Evaluation(SuggestsNames):
    """Measures of a run's quality, by labels. `str()` returns them as text, `as_dict()` as a dict for JSON.

    Attributes:
        name: name of the run.
        truth: the labels used: name, kind, completeness, counts.
        precision, recall, f1: measures of pairs; `Share`, each with a 95% interval.
        recall_of: the pairs of which recall is a share: all pairs, or the labelled ones only.
        relation_rows: for each relation of the run: number of judged pairs, and the share that are copies by the labels.
        label_rows: for each label: number of pairs, the share that was found, and the share of those found whose relation fits.
        lengths, sites: precision, recall and F1 by the tokens of the shorter document, and by the value of the column `by`; a
            pair counts once for each of the values of its two documents.
        clusters: B-cubed and adjusted Rand index; None if not all pairs are judged.
        fates: ids of documents wrongly removed and wrongly kept.
        removed_wrongly, kept_wrongly: their shares of the documents judged.
        curve: precision and recall at other values of `parameter`; empty unless asked for.
        notes: restrictions to know before trusting the measures.
    """

    _OTHER_NAMES = MappingProxyType(
        {
            "f1": "f1score f1_score f_score fscore f",
            "precision": "p accuracy",
            "recall": "r sensitivity",
            "fates": "errors mistakes wrong false_positives false_negatives",
            "removed_wrongly": "false_positive_rate fp fpr",
            "kept_wrongly": "false_negative_rate fn fnr",
            "as_dict": "to_dict",
        }
    )

    name: str
    truth: dict[str, Any]
    precision: Share
    recall: Share
    f1: Share
    recall_of: str
    relation_rows: list[dict[str, Any]]
    label_rows: list[dict[str, Any]]
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
        """Return all measures as a dict for JSON."""
        return {
            "run": self.name,
            "truth": self.truth,
            "pairs": {
                **{k: getattr(self, k).describe() for k in ("precision", "recall", "f1")},
                "recall_of": self.recall_of,
            },
            "relations": [row | {"right": row["right"].describe()} for row in self.relation_rows],
            "labels": [row | {k: row[k].describe() for k in ("found", "relation_right")} for row in self.label_rows],
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
        """Draw the curve of precision over recall, with a ring at its best F1 and a cross at the run itself; return the axes.

        Args:
            ax: axes of matplotlib to draw on; None makes a new figure.

        Raises:
            UsageError: the curve was not asked for; matplotlib is missing (extra `plot`).
        """
        if not self.curve:
            raise UsageError("there is no curve to draw: run the evaluation with {}", Param("curve", True))
        return draw([self.drawn], ax)

    @property
    def drawn(self) -> Drawn:
        """Arguments of `draw` for this run: name, parameter, curve, and its precision and recall."""
        return self.name, self.parameter, self.curve, (self.precision.value, self.recall.value)

    def __str__(self) -> str:
        return format_evaluation(self)

    def __repr__(self) -> str:
        return f"<quchong.Evaluation of {self.name}: precision {self.precision}, recall {self.recall}, F1 {self.f1}>"


def format_evaluation(one: Evaluation, details: bool = True) -> Shown:
    """Format the evaluation of one run as lines of text, in the language that is spoken.

    Measures of pairs and documents come first, then the labels and notes. `details` adds the measures by relation, label, length and site
    before the labels; without them a line says how to see them.
    """
    lines = [
        row(Message("pairs"), Message("(95% interval)"), indent=0),
        row(Message("precision"), Message("{}  {}", one.precision.message, one.precision.counted)),
        row(Message("recall"), Message("{}  {}", one.recall.message, one.recall.counted)),
        row(Message("F1"), one.f1.message),
    ]
    if one.recall_of != "all pairs":
        lines.append(compose("  recall counts only these pairs: {}", one.recall_of))
    lines.append(compose("{}", Message("documents")))
    for label, wrong, key in (
        (Message("wrongly removed"), one.removed_wrongly, "wrongly_removed"),
        (Message("wrongly kept"), one.kept_wrongly, "wrongly_kept"),
    ):
        lines.append(row(label, _fate(wrong, one.fates[key])))
    if one.clusters is not None and one.clusters.f1 is not None:
        c = one.clusters
        shares = Message(
            "precision {:.3f}, recall {:.3f}, F1 {:.3f}  (of {:,} documents)", c.precision, c.recall, c.f1, c.documents
        )
        lines += [
            compose("{}", Message("clusters")),
            row(Message("B-cubed"), shares),
            row(Message("adjusted Rand index"), Message("{:.3f}", c.adjusted_rand)),
        ]
    for group in groups([one]) if details else ():
        lines.append(row(group.title, group.what, indent=0))
        lines += [row(label, figures) for label, (figures,) in group.rows]
    complete = Message(
        "complete: every pair without a label is different" if one.truth["complete"] else "the labels are not complete"
    )
    lines += truth_told(one.truth, complete)
    lines += [compose("note: {}", note) for note in one.notes]
    return Shown("\n".join([*lines, *([] if details else [compose("{}", MORE)])]))


MORE = Message("by relation, label, length and site: --all")
"""Line below measures without details."""


def truth_told(t: dict[str, Any], complete: Message) -> list[Shown]:
    """Return lines that describe the labels: name, counts, and whether they are complete."""
    if t["kind"] == "clusters":
        what = compose("  clusters: {:,} documents in {:,} clusters", t["documents"], t["clusters"])
    else:
        counts = [Message("{:,} {}", t[name], label_told(name)) for name in LABELS if name in t]
        what = compose("  pairs: {}", join_messages(counts, COMMA))
    return [
        compose("truth  {}", t["name"] or Message("in memory")),
        what,
        compose("  {}", complete),
    ]


def _fate(wrong: Share, ids: Sequence[str]) -> Message:
    """Describe a number of documents wrongly removed or kept: the number, the number judged, and the first ids."""
    if not wrong.of:
        return Message("none can be judged")
    if not ids:
        return Message("{:,} of {:,} documents that can be judged", wrong.hits, wrong.of)
    first = join_messages([*ids[:SHOWN], *["…"] * (len(ids) > SHOWN)], COMMA)
    return Message("{:,} of {:,} documents that can be judged: {}", wrong.hits, wrong.of, first)
