"""A recommended threshold as text for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quchong.report.visible import Shown, compose, named

if TYPE_CHECKING:
    from quchong.evaluation.tuning import Tried, Tuning


def recommended(found: Tuning) -> Shown:
    """What tuning found, as lines."""
    tuned, reported = found.labels["tuned"], found.labels["reported"]
    lines = [
        compose("method {}, parameter {}: {}", found.method, found.parameter, found.goal),
        f"labels  {tuned['pairs']:,} pairs to tune by ({tuned['copies']:,} copies), "
        f"{reported['pairs']:,} held back ({reported['copies']:,} copies)",
        f"tried   {len(found.tried)} values, {'decided again from one run' if found.again else 'each by a run'}",
        f"{found.parameter:<11}{'precision':<25}{'recall':<25}F1",
    ]
    for one in found.tried:
        mark = "  <" if one.value == found.value else ""
        lines.append(f"{shown(one.value):<11}{one.precision!s:<25}{one.recall!s:<25}{one.f1}{mark}")
    range_of = "" if found.low is None else f"  (95% interval of the best number: {found.low:g} to {found.high:g})"
    lines.append(f"recommended {found.parameter}: {shown(found.value)}{range_of}")
    lines.append("on the labels held back")
    lines += _lines("recommended", found.reported)
    if found.own != found.value:
        lines += _lines(f"{shown(found.own)}, as it was", found.before)
    lines += [compose("note: {}", named(note, 1000)) for note in found.notes]
    return Shown("\n".join(lines))


def shown(value: float | None) -> str:
    """A value; the method's own choice is called default."""
    return "default" if value is None else f"{value:g}"


def _lines(name: str, one: Tried) -> list[str]:
    return [f"  {name:<20} precision {one.precision}, recall {one.recall}, F1 {one.f1}"]
