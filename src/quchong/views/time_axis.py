"""Time axis of a chart: hours, days, months or years, with long empty spans left out."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass

_EPOCH = datetime.datetime(1970, 1, 1)
UNITS = (("hour", 72, 13, 48), ("day", 150, 10, 48), ("month", 144, 7, 12), ("year", 400, 4, 20))
"""Units: name, maximum number of places on the axis, number of characters of an ISO date, and the
longest empty span that is always shown."""
SHARE, BREAKS = 0.25, 6
"""A longer empty span is left out if it is longer than this share of the axis; an axis has at most so many breaks."""


@dataclass(frozen=True, slots=True)
class TimeAxis:
    """Axis of a chart by time.

    Attributes:
        unit: "hour", "day", "month" or "year".
        labels: its places in order, as ISO dates of that unit; None for an empty span that is left out.
        characters: number of characters of a label.
    """

    unit: str
    labels: list[str | None]
    characters: int


def iso(seconds: float) -> str:
    """Return a time in seconds since 1970 as an ISO date with the hour."""
    return (_EPOCH + datetime.timedelta(seconds=seconds)).isoformat(sep=" ", timespec="hours")


def time_axis(seconds: Iterable[float], whole_days: bool) -> TimeAxis:
    """Return the axis of the finest unit that has few enough places for these times, which must not be empty.

    Args:
        whole_days: True if the times have no time of day, so that no hours are shown.

    >>> time_axis([0.0, 3 * 86400.0, 1500 * 86400.0], True).labels
    ['1970-01-01', '1970-01-02', '1970-01-03', '1970-01-04', None, '1974-02-09']
    """
    moments = [iso(one) for one in seconds]
    for unit, most, characters, shown in UNITS[whole_days:]:
        labels = sorted({one[:characters] for one in moments})
        filled = _filled(labels, unit, shown)
        if len(filled) <= most and filled.count(None) <= BREAKS:
            return TimeAxis(unit, filled, characters)
    return TimeAxis(unit, list(labels), characters)


def _filled(labels: list[str], unit: str, shown: int) -> list[str | None]:
    """Return the labels with the missing ones between them, and None for empty spans longer than `shown`."""
    places = [_number(one, unit) for one in labels]
    long = max(shown, SHARE * (places[-1] - places[0]))
    out: list[str | None] = [labels[0]]
    for before, at, label in zip(places, places[1:], labels[1:], strict=False):
        empty = at - before - 1
        out += [None] if empty > long else [_label(place, unit) for place in range(before + 1, at)]
        out.append(label)
    return out


def _number(label: str, unit: str) -> int:
    """Return the number of a label's place, counted from 1970."""
    year = int(label[:4]) - 1970
    if unit == "year":
        return year
    if unit == "month":
        return 12 * year + int(label[5:7]) - 1
    since = datetime.datetime.fromisoformat(label) - _EPOCH
    return since.days if unit == "day" else since.days * 24 + since.seconds // 3600


def _label(number: int, unit: str) -> str:
    """Return the label of a place by its number."""
    if unit == "year":
        return f"{1970 + number:04}"
    if unit == "month":
        return f"{1970 + number // 12:04}-{number % 12 + 1:02}"
    return iso(number * (86400 if unit == "day" else 3600))[: 10 if unit == "day" else 13]
