"""The baseline of the PAN 2013 text alignment task, written anew from its description.

Both texts are stripped to their letters, digits and whatever else is neither ASCII punctuation nor white space, in lower
case. Every window of 50 such characters of the source stands in a table with its places. The suspicious text is read
from left to right; where its next 50 characters stand in the table, the match is drawn out to the right, character by
character of the stripped texts, from each place of the table; the longest becomes a detection and reading goes on
behind it. Places are led back to characters of the texts given.

Source: Potthast 2013, the baseline of the text alignment task. Published for its test set: plagdet 0.42 in all; 0.93
without obfuscation, 0.07 random, 0.11 translation chains, 0.04 summaries. (Drawn out over the texts as they are,
white space and all, a copy whose lines break elsewhere falls into pieces: plagdet 0.45 without obfuscation on our
pairs, far from what was published.)
"""

from __future__ import annotations

import string
from collections import defaultdict

from plagdet import Place

LENGTH = 50
"""Characters of a window."""

LEFT_OUT = frozenset(string.punctuation + string.whitespace)


def baseline(suspicious: str, source: str, length: int = LENGTH) -> list[Place]:
    """Detections: suspicious start and end, source start and end, in characters of the texts, half open.

    Sorted by their place in the suspicious text, where they do not overlap. Two texts without a window in common, or
    with one of fewer than `length` characters, have none. Of equally long extensions the first in the source is taken.
    Cost: O(length * characters) for the table, and for every match its length times the places of its first window.

    Raises:
        ValueError: length below 1.
    """
    if length < 1:
        raise ValueError(f"length must be at least 1, got {length}")
    a, a_at = _stripped(suspicious)
    b, b_at = _stripped(source)
    table: dict[str, list[int]] = defaultdict(list)
    for j in range(len(b) - length + 1):
        table[b[j : j + length]].append(j)
    found: list[Place] = []
    i = 0
    while i + length <= len(a):
        places = table.get(a[i : i + length])
        if places is None:
            i += 1
            continue
        best, longest = 0, 0
        for j in places:
            n = length
            while i + n < len(a) and j + n < len(b) and a[i + n] == b[j + n]:
                n += 1
            if n > longest:
                best, longest = j, n
        found.append((a_at[i], a_at[i + longest - 1] + 1, b_at[best], b_at[best + longest - 1] + 1))
        i += longest
    return found


def _stripped(text: str) -> tuple[str, list[int]]:
    """The characters compared, and the place each comes from; lower case of one character may be two."""
    kept = [(low, i) for i, c in enumerate(text) if c not in LEFT_OUT for low in c.lower()]
    return "".join(c for c, _ in kept), [i for _, i in kept]
