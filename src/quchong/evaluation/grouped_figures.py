"""Tables of figures by relation, label, length and site, with one cell per run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from quchong.evaluation.estimates import Share
from quchong.evaluation.label_lines import cell, label_told
from quchong.evaluation.labels import LABELS
from quchong.evaluation.slices import Slice
from quchong.languages import Message, several
from quchong.relations import RELATIONS, relation_told
from quchong.report.visible import Shown, shown_name

NONE = Message("-")
"""Cell of a run that has no pair in a row."""
LONGEST = 40
"""Maximum number of characters shown of a column's value."""


class Figures(Protocol):
    """Attributes of an `Evaluation` that the tables use."""

    @property
    def relation_rows(self) -> list[dict[str, Any]]: ...  # noqa: D102
    @property
    def label_rows(self) -> list[dict[str, Any]]: ...  # noqa: D102
    @property
    def lengths(self) -> list[Slice]: ...  # noqa: D102
    @property
    def sites(self) -> list[Slice]: ...  # noqa: D102
    @property
    def by(self) -> str: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Group:
    """A table of figures: its title, a description of its cells, and rows, each with its name and one cell per run."""

    title: Message
    what: Message
    rows: list[tuple[str, list[Message]]]


def groups(runs: Sequence[Figures], *, narrow: bool = False) -> list[Group]:
    """Return the tables that show runs side by side (by relation, label, length, site); `narrow` shortens the cells.

    Args:
        narrow: True for narrow cells, so that several runs fit side by side; a table with two shares per cell becomes two tables.
    """
    relations, labels = (
        [_by(one.relation_rows, "relation") for one in runs],
        [_by(one.label_rows, "label") for one in runs],
    )
    by_label = Message("pairs by label in the truth")
    made = [
        Group(
            Message("pairs by relation in the run"),
            Message("also copies according to the truth"),
            _rows(relations, RELATIONS, relation_told, lambda row: _share(row["right"])),
        )
    ]
    if narrow:
        fits = Message("found with the same relation")
        made += [
            Group(by_label, what, _rows(labels, LABELS, label_told, lambda row, key=key: _share(row[key])))  # type: ignore[misc]
            for key, what in (("found", Message("found")), ("relation_right", fits))
        ]
    else:
        made.append(Group(by_label, Message("found"), _rows(labels, LABELS, label_told, _true)))
    by = Message("by {}", Shown(shown_name(runs[0].by, 20)))
    figures = Message("precision, recall, F1 (pairs)") if narrow else Message("precision, recall, F1")
    value = _narrow_slice if narrow else _slice
    for title, slices in (
        (Message("by length of the shorter document"), [one.lengths for one in runs]),
        (by, [one.sites for one in runs]),
    ):
        parts: list[dict[str, Any]] = [{part.name: part for part in mine} for mine in slices]
        names = dict.fromkeys(part.name for mine in slices for part in mine)
        made.append(Group(title, figures, _rows(parts, names, lambda name: cell(name, LONGEST), value)))
    return [group for group in made if group.rows]


def _by(rows: Iterable[dict[str, Any]], key: str) -> dict[str, Any]:
    return {row[key]: row for row in rows}


def _rows(
    runs: Sequence[dict[str, Any]],
    names: Iterable[str],
    told: Callable[[str], str],
    value: Callable[[Any], Message],
) -> list[tuple[str, list[Message]]]:
    """Return the rows that any run has, in the order of `names`: the shown name, and for each run its cell or NONE."""
    return [
        (told(name), [value(mine[name]) if name in mine else NONE for mine in runs])
        for name in names
        if any(name in mine for mine in runs)
    ]


def _share(one: Share) -> Message:
    return Message("{}  {}", one.message, one.counted) if one.of else NONE


def _true(row: dict[str, Any]) -> Message:
    found, fits = row["found"], row["relation_right"]
    return Message("{}  {}; {} of these with the same relation", found.message, found.counted, fits.counted)


def _slice(part: Slice) -> Message:
    p, r, f = (NONE if x.value is None else Message("{:.3f}", x.value) for x in (part.precision, part.recall, part.f1))
    pairs = several("({:,} pair)", "({:,} pairs)", part.f1.of)
    return Message("{}, {}, {}  {}", p, r, f, pairs)


def _narrow_slice(part: Slice) -> Message:
    if not part.f1.of:
        return NONE
    shares = ["-    " if x.value is None else f"{x.value:.3f}" for x in (part.precision, part.recall, part.f1)]
    return Message("{} ({:,})", Shown(" ".join(shares)), part.f1.of)
