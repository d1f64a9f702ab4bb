"""Text view of two documents of a run, side by side."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from quchong.findings import Difference, Passage
from quchong.languages import Message, language, renaming, several
from quchong.parameters.explained_arguments import explains_arguments
from quchong.parameters.other_attributes import SuggestsNames
from quchong.parameters.other_names import in_python
from quchong.parameters.truth_values import NoTruthValue
from quchong.relations import BY_NAME
from quchong.report import pairview
from quchong.report.display_names import rule_told
from quchong.report.explanation import UNREADABLE, differing_lines, figures_line
from quchong.report.terminal_marks import Mark, bracketed, marked, worth_drawing
from quchong.report.visible import Shown, compose


@explains_arguments
@dataclass(frozen=True, slots=True)
class PairComparison(NoTruthValue, SuggestsNames):
    """Comparison of two documents of a run, with their texts.

    Attributes:
        id, other_id: the two documents.
        relation, jaccard, containment, other_containment, rule: values of the listed pair; None if the pair is below the floor.
            `relation` is that of id to other_id, `containment` the share of id in other_id.
        passages: shared passages; survivor_start and survivor_end are offsets in other_id.
        text, other_text: the original texts; None if they cannot be read any more.
        facts, differences: facts in conflict and differences of the listed pair, `left` of id; empty if there are none.
        unreadable: why texts that are None are not shown.
    """

    _ASKED: ClassVar[str] = "comparison.relation is not None"
    _MEASURE: ClassVar[str] = "comparison.jaccard"
    unreadable: ClassVar[Message] = UNREADABLE
    id: str | int
    other_id: str | int
    relation: str | None
    jaccard: float | None
    containment: float | None
    other_containment: float | None
    rule: str | None
    passages: tuple[Passage, ...]
    text: str | None
    other_text: str | None
    facts: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return all attributes as a dict that JSON can store."""
        return asdict(self)

    def __str__(self) -> str:
        with renaming(in_python):
            return render_comparison(self)

    def _repr_html_(self) -> str:
        """Return the HTML view for a notebook: figures, differences by kind, and both texts side by side."""
        return pairview.pair_as_html(self)


def _is(doc: str | int, relation: str, other: str | int) -> Shown:
    known = BY_NAME.get(relation)
    return (
        compose("{}", known.words.sentence.holding(doc, other))
        if known
        else compose("{} is {} {}", doc, relation, other)
    )


def _sides(b: PairComparison) -> tuple[str, str]:
    """Return display names of both documents: their ids, or short names if the ids are long, such as paths."""
    ids = str(b.id), str(b.other_id)
    return ids if max(map(len, ids)) <= NAME else (Message("first"), Message("second"))


NAME = 24
"""Maximum length of an id that names a side of a difference."""


def render_comparison(b: PairComparison, mark: Mark = bracketed, shown: int = 1200) -> Shown:
    """Format a comparison of two documents as text: relation, figures and rule, then both texts with marks.

    Shared passages and differences are marked. `shown` is the number of characters printed of each text; 0 prints no
    text.
    """
    lines: list[str]
    if b.relation is None:
        lines = [
            compose(
                "{} and {} are not listed as a pair, because they share less than the lower limit of the run",
                b.id,
                b.other_id,
            )
        ]
    else:
        lines = [
            _is(b.id, b.relation, b.other_id),
            figures_line(b.id, b.other_id, b.jaccard, b.containment, b.other_containment),
            compose("  rule: {}", rule_told(b.rule)),
            *differing_lines("  ", b.differences, b.facts, None, b.relation, language(), _sides(b)),
        ]
    if b.text is None or b.other_text is None:
        return Shown("\n".join([*lines, compose("{}", b.unreadable)]))
    near = sum(p.kind != "exact" for p in b.passages)
    count = several("  {:,} shared passage", "  {:,} shared passages", len(b.passages))
    lines.append(compose("{} ({:,} reworked)", count, near) if near else compose("{}", count))
    mine, others = (
        [(getattr(p, f"{side}start"), getattr(p, f"{side}end")) for p in b.passages] for side in ("", "survivor_")
    )
    if not shown:
        return Shown("\n".join(lines))
    differing = worth_drawing(b.differences, b.passages)
    turned = [d.turned for d in differing]
    lines += ["", compose("--- {}", b.id), marked(b.text, mine, mark, shown, differing)]
    lines += ["", compose("--- {}", b.other_id), marked(b.other_text, others, mark, shown, turned)]
    return Shown("\n".join(lines))
