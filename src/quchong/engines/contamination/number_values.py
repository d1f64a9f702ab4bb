"""Numbers that a text has and another has not, by their values."""

from __future__ import annotations

from collections import Counter

from quchong.differences.figures import Amount, mentions
from quchong.kernels.composing import nfkc
from quchong.patterns import lazy_pattern

_GAP = lazy_pattern(r"(?<=[^\x00-\x7f])\s+|\s+(?=[^\x00-\x7f])")
"""White space beside a Chinese character, which a numeral may be spaced with."""


def exchanged_values(one: str, other: str) -> bool:
    """Return True if each of two texts states a number, date or code that the other does not.

    Values are compared and not spellings: 一万两千 and 12,000 are one number.

    >>> exchanged_values("买三个桃", "买五个桃"), exchanged_values("一万两千个", "12000个"), exchanged_values("买三个桃", "买桃")
    (True, False, False)
    """
    ours, theirs = number_values(one), number_values(other)
    return bool(ours - theirs) and bool(theirs - ours)


def number_values(text: str) -> Counter[object]:
    """Return the values of the numbers, dates and codes that a text states, with their counts."""
    found = (mention.value for mention in mentions(_GAP.sub("", nfkc(text).lower())))
    return Counter(value.value if isinstance(value, Amount) else str(value) for value in found)
