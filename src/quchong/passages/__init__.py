"""Which passages do two texts share? Word for word, and reworked: with words replaced, put in, left out, moved."""

from quchong.passages.align import LEAST_CHARACTERS, LEAST_SINGLES, Spans, align

__all__ = ["LEAST_CHARACTERS", "LEAST_SINGLES", "Spans", "align"]
