"""A recommended threshold with what it was chosen and reported by, and how it is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from quchong.evaluation.estimates import Share
from quchong.evaluation.lines import row
from quchong.languages import Message
from quchong.report.columns import padded
from quchong.report.visible import Shown, compose


@dataclass(frozen=True, slots=True)
class Tried:
    """One value on some pairs; None is the method's own choice."""

    value: float | None
    precision: Share
    recall: Share
    f1: Share

    def describe(self) -> dict[str, Any]:
        """As JSON."""
        return {"value": self.value} | {k: getattr(self, k).describe() for k in ("precision", "recall", "f1")}


@dataclass(frozen=True, slots=True)
class Further:
    """Another threshold that was tuned with the first: as the fields of `Tuning` of these names."""

    parameter: str
    value: float | None
    low: float | None
    high: float | None
    own: float | None
    tried: tuple[Tried, ...]

    def describe(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "parameter": self.parameter, "value": self.value, "low": self.low, "high": self.high, "own": self.own,
            "tried": [one.describe() for one in self.tried],
        }  # fmt: skip


@dataclass(frozen=True)
class Tuning:
    """What tuning found. `str()` gives it as text, `as_dict()` as JSON.

    Attributes:
        method, parameter: what was tuned.
        goal: what the best value is, in words.
        value: recommended; None is the method's own choice, which is not one number.
        low, high: in 95 of 100 redrawings of the tuned half the best number is between them; None without labels.
        own: the value the method had.
        tried: every value on the tuned half, ascending; its own choice last where that is no number.
        reported: the recommended value on the other half, from a run with it and those of `further`. before: the method's own, there.
        labels: pairs with a label, and copies among them, of both halves.
        again: whether values were decided again from one run; each was run otherwise.
        call: the parameters to use, by name.
        notes: what to know before trusting it.
        further: the other thresholds of the method; the figures of each are those with the others at the values recommended.
    """

    method: str
    parameter: str
    goal: str
    value: float | None
    low: float | None
    high: float | None
    own: float | None
    tried: tuple[Tried, ...]
    reported: Tried
    before: Tried
    labels: dict[str, dict[str, int]]
    again: bool
    call: dict[str, Any]
    notes: tuple[str, ...]
    further: tuple[Further, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "method": self.method, "parameter": self.parameter, "goal": self.goal, "value": self.value, "low": self.low,
            "high": self.high, "own": self.own, "tried": [one.describe() for one in self.tried],
            "reported": self.reported.describe(), "before": self.before.describe(), "labels": self.labels,
            "swept_by": "one run, decided again" if self.again else "runs", "call": self.call, "notes": list(self.notes),
            "further": [one.describe() for one in self.further],
        }  # fmt: skip

    def __str__(self) -> str:
        return recommended(self)

    def __repr__(self) -> str:
        each: tuple[Tuning | Further, ...] = (self, *self.further)
        said = ", ".join(f"{one.parameter} {one.value}" for one in each)
        return f"<quchong.Tuning of {self.method}: {said}, F1 on the other half {self.reported.f1}>"


def recommended(found: Tuning) -> Shown:
    """What tuning found, as lines, in the language that is spoken."""
    tuned, reported = found.labels["tuned"], found.labels["reported"]
    each: tuple[Tuning | Further, ...] = (found, *found.further)
    lines = [
        compose("method {}, parameter {}: {}", found.method, ", ".join(one.parameter for one in each), found.goal),
        compose("labels  {:,} pairs to tune by (copies: {:,}), {:,} held back (copies: {:,})",
                tuned["pairs"], tuned["copies"], reported["pairs"], reported["copies"]),
        compose("tried   {} values, decided again from one run" if found.again else "tried   {} values, each by a run",
                sum(len(one.tried) for one in each)),
    ]  # fmt: skip
    for one in each:
        lines.append(_cells(one.parameter, Message("precision"), Message("recall"), Message("F1")))
        for at in one.tried:
            mark = "  <" if at.value == one.value else ""
            lines.append(Shown(_cells(shown(at.value), at.precision.said, at.recall.said, at.f1.said) + mark))
    for one in each:
        best = compose("recommended {}: {}", one.parameter, shown(one.value))
        if one.low is not None and one.high is not None:
            best = Shown(best + compose("  (95% interval of the best number: {:g} to {:g})", one.low, one.high))
        lines.append(best)
    lines += [compose("on the labels held back"), _figures(Message("recommended"), found.reported)]
    if any(one.own != one.value for one in each):
        lines.append(_figures(Message("{}, as it was", shown(found.own)), found.before))
    lines += [compose("note: {}", note) for note in found.notes]
    return Shown("\n".join(lines))


def shown(value: float | None) -> Message:
    """A value; the method's own choice is called default."""
    return Message("default") if value is None else Message("{:g}", value)


def _cells(value: str, *figures: Message) -> Shown:
    """A value with its figures, in columns."""
    *before, last = (compose("{}", one) for one in (value, *figures))
    widths = (13, *[25] * (len(before) - 1))
    return Shown("".join(padded(one, wide) for one, wide in zip(before, widths, strict=True)) + last)


def _figures(name: Message, one: Tried) -> Shown:
    figures = Message("precision {}, recall {}, F1 {}", one.precision.said, one.recall.said, one.f1.said)
    return row(name, figures, wide=22)
