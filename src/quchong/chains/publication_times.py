"""Times of publication as intervals: a date without a time of day is the whole day. Times that contradict the date in an address."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from quchong.patterns import lazy_pattern

DAY = 86400.0
APART = 7 * DAY
"""Minimum difference in seconds of a time and the date in the address that contradict each other: pages are edited for some days."""
_DATED = lazy_pattern(
    r"^[^?#]*[/_-](?P<year>(?:19|20)\d\d)(?P<between>[/_-]?)(?P<month>0[1-9]|1[0-2])[/_-]?(?P<day>0[1-9]|[12]\d|3[01])(?=[/_.-]|$)"
)


@dataclass(frozen=True, slots=True)
class Moments:
    """Interval in which each document was published: float64 (documents,), seconds since 1970-01-01 UTC; NaN if unknown.

    Midnight exactly is taken as a date without a time of day, and means the whole day.
    """

    start: np.ndarray
    end: np.ndarray

    @staticmethod
    def from_seconds(seconds: np.ndarray) -> Moments:
        """Build intervals from times as `quchong.policy.times.times` reads them.

        >>> Moments.from_seconds(np.array([86400.0, 90000.0])).end.tolist()
        [172799.0, 90000.0]
        """
        date = seconds % DAY == 0
        return Moments(seconds, np.where(date, seconds + DAY - 1, seconds))

    def may_precede(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Return a mask: True unless the first document is certainly later than the second; True if either time is unknown."""
        later: np.ndarray = self.start[first] > self.end[second]
        return ~later

    def precedes(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Return a mask: True if the first document is certainly earlier than the second."""
        sure: np.ndarray = self.end[first] < self.start[second]
        return sure

    def order(self, rank: np.ndarray) -> np.ndarray:
        """Return documents sorted by time, int64: the earliest first, those of unknown time last; ties by rank."""
        unknown = np.isnan(self.start)
        return np.lexsort((rank, np.where(unknown, 0.0, self.end), np.where(unknown, 0.0, self.start), unknown))


def times_by_links(seconds: np.ndarray, links: pa.Array) -> tuple[np.ndarray, np.ndarray]:
    """Return the times of documents with those replaced that contradict the date in the address, and a mask of the replaced ones.

    Newspapers write the day of publication in the address of an article, and nobody types it. Where month and day agree, the year of
    the time is wrong, and the time of day is kept; else the document has the date of its address without a time of day.

    Args:
        seconds: float64, times in seconds since 1970; NaN if unknown. Such a time stays unknown.
        links: large_string, addresses; null if unknown.

    >>> links = pa.array(["http://news.example/20151231/n1.shtml", "http://news.example/2016/12-30/2.html"], pa.large_string())
    >>> seconds = np.array([1483210920.0, 1483210920.0])  # 2016-12-31 19:02
    >>> times, wrong = times_by_links(seconds, links)
    >>> times.astype("datetime64[s]").tolist()[0].isoformat(), wrong.tolist()
    ('2015-12-31T19:02:00', [True, False])
    """
    out, wrong = seconds.copy(), np.zeros(len(seconds), bool)
    for k in np.flatnonzero(np.isfinite(seconds)).tolist():
        found = _DATED.match(links[k].as_py() or "")
        if found is None:
            continue
        try:
            day = np.datetime64(f"{found['year']}-{found['month']}-{found['day']}", "s")
        except ValueError:  # 31 February
            continue
        date, clock = divmod(float(seconds[k]), DAY)
        written = day.astype(np.int64).astype(float)
        if abs(written - date * DAY) < APART:
            continue
        same_day = str(np.datetime64(int(date), "D"))[-5:] == f"{found['month']}-{found['day']}"
        out[k], wrong[k] = written + (clock if same_day else 0.0), True
    return out, wrong
