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
        reported: the recommended value on the other half, from a run with it. before: the method's own, there.
        labels: pairs with a label, and copies among them, of both halves.
        again: whether values were decided again from one run; each was run otherwise.
        call: the parameters to use, by name.
        notes: what to know before trusting it.
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

    def as_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "method": self.method, "parameter": self.parameter, "goal": self.goal, "value": self.value, "low": self.low,
            "high": self.high, "own": self.own, "tried": [one.describe() for one in self.tried],
            "reported": self.reported.describe(), "before": self.before.describe(), "labels": self.labels,
            "swept_by": "one run, decided again" if self.again else "runs", "call": self.call, "notes": list(self.notes),
        }  # fmt: skip

    def __str__(self) -> str:
        return recommended(self)

    def __repr__(self) -> str:
        return (
            f"<quchong.Tuning of {self.method}: {self.parameter} {self.value}, F1 on the other half {self.reported.f1}>"
        )


def recommended(found: Tuning) -> Shown:
    """What tuning found, as lines, in the language that is spoken."""
    tuned, reported = found.labels["tuned"], found.labels["reported"]
    lines = [
        compose("method {}, parameter {}: {}", found.method, found.parameter, found.goal),
        compose("labels  {:,} pairs to tune by (copies: {:,}), {:,} held back (copies: {:,})",
                tuned["pairs"], tuned["copies"], reported["pairs"], reported["copies"]),
        compose("tried   {} values, decided again from one run" if found.again else "tried   {} values, each by a run",
                len(found.tried)),
        _cells(found.parameter, Message("precision"), Message("recall"), Message("F1")),
    ]  # fmt: skip
    for one in found.tried:
        mark = "  <" if one.value == found.value else ""
        lines.append(Shown(_cells(shown(one.value), one.precision.said, one.recall.said, one.f1.said) + mark))
    best = compose("recommended {}: {}", found.parameter, shown(found.value))
    if found.low is not None and found.high is not None:
        best = Shown(best + compose("  (95% interval of the best number: {:g} to {:g})", found.low, found.high))
    lines += [best, compose("on the labels held back"), _figures(Message("recommended"), found.reported)]
    if found.own != found.value:
        lines.append(_figures(Message("{}, as it was", shown(found.own)), found.before))
    lines += [compose("note: {}", note) for note in found.notes]
    return Shown("\n".join(lines))


def shown(value: float | None) -> Message:
    """A value; the method's own choice is called default."""
    return Message("default") if value is None else Message("{:g}", value)


def _cells(value: str, *figures: Message) -> Shown:
    """A value with its figures, in columns."""
    *before, last = (compose("{}", one) for one in (value, *figures))
    widths = (11, *[25] * (len(before) - 1))
    return Shown("".join(padded(one, wide) for one, wide in zip(before, widths, strict=True)) + last)


def _figures(name: Message, one: Tried) -> Shown:
    figures = Message("precision {}, recall {}, F1 {}", one.precision.said, one.recall.said, one.f1.said)
    return row(name, figures, wide=22)
