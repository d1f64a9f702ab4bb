"""Recommended threshold, with the measures it was chosen by and reported with, and its text."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from quchong.evaluation.estimates import Share
from quchong.evaluation.label_lines import row
from quchong.languages import COMMA, Message, join_messages
from quchong.parameters.explained_arguments import explains_arguments
from quchong.parameters.other_attributes import SuggestsNames
from quchong.report.text_width import padded
from quchong.report.visible import Shown, compose


@explains_arguments
@dataclass(frozen=True, slots=True)
class Tried(SuggestsNames):
    """Measures of one parameter value on one half of the labels; the value None is the method's own choice."""

    value: float | None
    precision: Share
    recall: Share
    f1: Share

    def describe(self) -> dict[str, Any]:
        """Return the value and its measures as a dict for JSON."""
        return {"value": self.value} | {k: getattr(self, k).describe() for k in ("precision", "recall", "f1")}


@dataclass(frozen=True, slots=True)
class Further:
    """Another threshold tuned with the first one; fields as those of the same name in `Tuning`."""

    parameter: str
    value: float | None
    low: float | None
    high: float | None
    own: float | None
    tried: tuple[Tried, ...]

    def describe(self) -> dict[str, Any]:
        """Return all fields as a dict for JSON."""
        return {
            "parameter": self.parameter, "value": self.value, "low": self.low, "high": self.high, "own": self.own,
            "tried": [one.describe() for one in self.tried],
        }  # fmt: skip


@explains_arguments
@dataclass(frozen=True)
class Tuning(SuggestsNames):
    """Result of tuning a method. `str()` returns it as text, `as_dict()` as a dict for JSON.

    Attributes:
        method, parameter: the method and the parameter that was tuned.
        goal: description of the best value.
        value: the recommended value; None is the method's own choice, which is not one number.
        low, high: 95% interval of the best number, from redrawings of the tuned half; None without labels.
        own: the value that the method had.
        tried: measures of every value on the tuned half, ascending; the method's own choice last if it is no number.
        reported: measures of the recommended value on the other half, from a run with it and those of `further`. before: measures of
            the method's own value there.
        labels: numbers of labelled pairs and of copies among them, for both halves.
        again: True if values were decided again from one run, False if each was run.
        call: the parameters to use, by name.
        notes: restrictions to know before trusting the value.
        further: the other thresholds of the method; each was measured with the others at their recommended values.
        alarms: earlier runs compared with whose kept rows are not those that they kept, as dictionaries (`Result.alarms`).
    """

    _OTHER_NAMES = MappingProxyType(
        {
            "value": "best best_value best_params best_params_ threshold result recommended best_threshold optimum",
            "tried": "scores results curve table",
            "as_dict": "to_dict",
            "reported": "test score",
        }
    )

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
    alarms: tuple[dict[str, Any], ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return all fields as a dict for JSON."""
        return {
            "method": self.method, "parameter": self.parameter, "goal": self.goal, "value": self.value, "low": self.low,
            "high": self.high, "own": self.own, "tried": [one.describe() for one in self.tried],
            "reported": self.reported.describe(), "before": self.before.describe(), "labels": self.labels,
            "swept_by": "one run, decided again" if self.again else "runs", "call": self.call, "notes": list(self.notes),
            "further": [one.describe() for one in self.further], "alarms": list(self.alarms),
        }  # fmt: skip

    def __str__(self) -> str:
        return recommended(self)

    def __repr__(self) -> str:
        each: tuple[Tuning | Further, ...] = (self, *self.further)
        said = ", ".join(f"{one.parameter} {one.value}" for one in each)
        return f"<quchong.Tuning of {self.method}: {said}, F1 on the other half {self.reported.f1}>"


def recommended(found: Tuning, details: bool = True) -> Shown:
    """Format a tuning as lines of text, in the language that is spoken: what is recommended first, then how it was found.

    `details` adds the measures of every value tried; without them a line says how to see them.
    """
    tuned, reported = found.labels["tuned"], found.labels["reported"]
    each: tuple[Tuning | Further, ...] = (found, *found.further)
    lines: list[Shown] = []
    for one in each:
        best = compose("recommended {}: {}", one.parameter, shown(one.value))
        if one.low is not None and one.high is not None:
            best = Shown(best + compose("  (95% interval of the best value: {:g} to {:g})", one.low, one.high))
        lines.append(best)
    lines += [compose("measured on the labels set aside"), _figures(Message("recommended"), found.reported)]
    if any(one.own != one.value for one in each):
        lines.append(_figures(Message("{}, as before", shown(found.own)), found.before))
    lines += [
        compose("method {}, parameter {}: {}", found.method, join_messages([one.parameter for one in each], COMMA), found.goal),
        compose("labels  {:,} pairs for choosing thresholds (copies: {:,}), {:,} set aside for the test (copies: "
                "{:,})",
                tuned["pairs"], tuned["copies"], reported["pairs"], reported["copies"]),
        compose("tried   {} values; the pairs of one run were decided again at each value" if found.again
                else "tried   {} values, each with a new run",
                sum(len(one.tried) for one in each)),
    ]  # fmt: skip
    for one in each if details else ():
        lines.append(_cells(one.parameter, Message("precision"), Message("recall"), Message("F1")))
        for at in one.tried:
            mark = "  <" if at.value == one.value else ""
            lines.append(Shown(_cells(shown(at.value), at.precision.message, at.recall.message, at.f1.message) + mark))
    lines += [compose("note: {}", note) for note in found.notes]
    if not details:
        lines.append(compose("every value tried: --all"))
    return Shown("\n".join(lines))


def shown(value: float | None) -> Message:
    """Return a value as a message; the method's own choice is shown as "default"."""
    return Message("default") if value is None else Message("{:g}", value)


def _cells(value: str, *figures: Message) -> Shown:
    """Format a value and its measures in columns."""
    *before, last = (compose("{}", one) for one in (value, *figures))
    widths = (13, *[25] * (len(before) - 1))
    return Shown("".join(padded(one, wide) for one, wide in zip(before, widths, strict=True)) + last)


def _figures(name: Message, one: Tried) -> Shown:
    figures = Message("precision {}, recall {}, F1 {}", one.precision.message, one.recall.message, one.f1.message)
    return row(name, figures, wide=22)
