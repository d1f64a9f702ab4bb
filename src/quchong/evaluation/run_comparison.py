"""Comparison of several runs by the same labels, in tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from quchong.errors import Param, UsageError
from quchong.evaluation.estimates import NOTHING
from quchong.evaluation.evaluation import MORE, Evaluation, truth_told
from quchong.evaluation.figure_tables import Rows, in_columns
from quchong.evaluation.grouped_figures import NONE, groups
from quchong.evaluation.labels import LABELS
from quchong.evaluation.measuring import ALL
from quchong.evaluation.picture import draw
from quchong.evaluation.slices import ACROSS, LENGTHS, WITHIN, Slice, Valued, empty_slice, most
from quchong.languages import COMMA, SEMICOLON, Message, join_messages
from quchong.parameters.explained_arguments import explains_arguments
from quchong.parameters.other_attributes import SuggestsNames, member_advice
from quchong.relations import RELATIONS
from quchong.report.visible import Shown, compose

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = 100
"""Width of the text, in columns, if there is no terminal."""
PAIRS = (Message("precision"), Message("recall"), Message("F1"))
DOCUMENTS = (Message("B-cubed F1"), Message("adjusted Rand"), Message("wrongly removed"), Message("wrongly kept"))
"""Heads of the first two tables: of pairs, and of clusters and documents."""


@explains_arguments
@dataclass(frozen=True)
class Evaluations(Sequence[Evaluation], SuggestsNames):
    """Evaluations of several runs by the same labels, as a sequence of `Evaluation`.

    `str()` returns tables with the runs side by side, `as_dict()` a list for JSON. All runs have the same rows of
    relations, labels, lengths and sites; a share is without a value if the run has no pair in its row.

    Attributes:
        runs: one evaluation per run, in the order given.
    """

    runs: tuple[Evaluation, ...]

    def _advice_about(self, name: str) -> Message | None:
        """Return how an attribute that one evaluation has is taken from all of them; None for other attributes."""
        return member_advice(Evaluation, name, "evaluations")

    @overload
    def __getitem__(self, at: int) -> Evaluation: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Evaluation, ...]: ...
    def __getitem__(self, at: int | slice) -> Evaluation | tuple[Evaluation, ...]:
        return self.runs[at]

    def __len__(self) -> int:
        return len(self.runs)

    def __iter__(self) -> Iterator[Evaluation]:
        return iter(self.runs)

    def as_dict(self) -> list[dict[str, Any]]:
        """Return a list with the dict of each run, for JSON."""
        return [one.as_dict() for one in self.runs]

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the curves of all runs in one plot and return the axes.

        A ring marks the best F1 of each run, a cross the run itself.

        Args:
            ax: axes of matplotlib to draw on; None makes a new figure.

        Raises:
            UsageError: the curves were not asked for; matplotlib is missing (extra `plot`).
        """
        if not any(one.curve for one in self.runs):
            raise UsageError("there is no curve to draw: run the evaluation with {}", Param("curve", True))
        return draw([one.drawn for one in self.runs], ax)

    def __str__(self) -> str:
        return told_together(self.runs)

    def __repr__(self) -> str:
        said = ", ".join(f"{one.name}: F1 {one.f1}" for one in self.runs)
        return f"<quchong.Evaluations of {said}>"


def compare_evaluations(found: Sequence[tuple[Evaluation, Valued | None]]) -> Evaluations:
    """Combine runs so that all have the same rows; the sites listed are those with most pairs in any of the runs."""
    values = most([valued.counts() for _, valued in found if valued is not None])
    runs = [one if valued is None else replace(one, sites=valued.slices(values)) for one, valued in found]
    relations = _names(RELATIONS, [[row["relation"] for row in one.relation_rows] for one in runs])
    labels = _names(LABELS, [[row["label"] for row in one.label_rows] for one in runs])
    lengths = _names([name for _, name in LENGTHS], [[part.name for part in one.lengths] for one in runs])
    sites = _names([WITHIN, ACROSS, *values], [[part.name for part in one.sites] for one in runs])
    return Evaluations(tuple(
        replace(
            one,
            relation_rows=_rows(one.relation_rows, "relation", relations, ("right",)),
            label_rows=_rows(one.label_rows, "label", labels, ("found", "relation_right")),
            lengths=_slices(one.lengths, lengths),
            sites=one.sites if valued is None else _slices(one.sites, sites),
        )
        for one, (_, valued) in zip(runs, found, strict=True)
    ))  # fmt: skip


def _names(order: Iterable[str], runs: Sequence[Sequence[str]]) -> list[str]:
    """Return the names of `order` that at least one of the runs has."""
    return [name for name in order if any(name in names for names in runs)]


def _rows(rows: list[dict[str, Any]], key: str, names: Sequence[str], shares: Sequence[str]) -> list[dict[str, Any]]:
    have = {row[key]: row for row in rows}
    return [have.get(name) or {key: name, **dict.fromkeys(shares, NOTHING)} for name in names]


def _slices(slices: Sequence[Slice], names: Sequence[str]) -> list[Slice]:
    have = {part.name: part for part in slices}
    return [have.get(name) or empty_slice(name) for name in names]


def names_apart(folders: Sequence[Path | None]) -> list[str]:
    """Return a distinct name for each run: its folder's name, with as many parent folders as distinguish it from the others.

    A result in memory is called `run`; several are numbered.

    >>> names_apart([Path("/a/run"), Path("/b/run"), None])
    ['a/run', 'b/run', 'run']
    """
    places = {folder for folder in folders if folder is not None}
    length = 1
    while len({folder.parts[-length:] for folder in places}) < len(places):
        length += 1
    alone = folders.count(None) == 1
    return [
        (f"run {number}" if not alone else "run")
        if folder is None
        else "/".join(folder.parts[-length:]).replace("//", "/")
        for number, folder in enumerate(folders, 1)
    ]


def told_together(runs: Sequence[Evaluation], columns: int = COLUMNS, details: bool = True) -> Shown:
    """Format several runs as text of at most `columns` columns, if labels and figures allow, in the language that is spoken.

    Measures come first, then the labels; `details` adds the measures by relation, label, length and site.
    """
    names = [one.name for one in runs]
    lines: list[Shown] = []
    blocks = [
        in_columns(Message("run"), PAIRS, _pairs(runs), columns, indent=0),
        in_columns(Message("run"), DOCUMENTS, _documents(runs), columns, indent=0),
    ]
    for group in groups(runs, narrow=True) if details else ():
        title = compose("{}", join_messages([group.title, group.what], SEMICOLON))
        blocks.append([title, *in_columns(Shown(""), names, group.rows, columns)])
    for block in [*blocks, truth_told(runs[0].truth, _complete(runs))]:
        lines += [*block, Shown("")]
    recalls: list[tuple[str, str]] = [
        (one.name, Message("recall counts only {}", one.recall_of)) for one in runs if one.recall_of != ALL
    ]
    notes = [(one.name, note) for one in runs for note in one.notes]
    lines += _grouped([*recalls, *notes], names)
    if not details:
        lines.append(compose("{}", MORE))
    return Shown("\n".join(lines).rstrip())


def _complete(runs: Sequence[Evaluation]) -> Message:
    complete = [one.name for one in runs if one.truth["complete"]]
    if len(complete) == len(runs):
        return Message("complete: every pair without a label is different")
    return (
        Message("complete for these runs: {}", join_messages(complete, COMMA))
        if complete
        else Message("the labels are not complete")
    )


def _pairs(runs: Sequence[Evaluation]) -> Rows:
    return [(one.name, [one.precision.message, one.recall.message, one.f1.message]) for one in runs]


def _documents(runs: Sequence[Evaluation]) -> Rows:
    rows: list[tuple[str, list[Message]]] = []
    for one in runs:
        c = one.clusters
        of_clusters = [NONE, NONE] if c is None or c.f1 is None else [_figure(c.f1), _figure(c.adjusted_rand)]
        rows.append((one.name, [*of_clusters, one.removed_wrongly.counted, one.kept_wrongly.counted]))
    return rows


def _figure(value: float | None) -> Message:
    return Message("{:.3f}", value)


def _grouped(notes: Iterable[tuple[str, str]], names: Sequence[str]) -> list[Shown]:
    """Return every note once, preceded by the names of its runs unless it applies to all."""
    of: dict[str, list[str]] = {}
    for name, note in notes:
        of.setdefault(note, []).append(name)
    return [
        compose("note: {}", note)
        if len(mine) == len(names)
        else compose("note: {}: {}", join_messages(mine, COMMA), note)
        for note, mine in of.items()
    ]
