"""Times of publication as intervals: a date without a time of day is the whole day."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

DAY = 86400.0


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
