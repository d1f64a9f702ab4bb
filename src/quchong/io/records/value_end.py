"""Search for the end of a JSON value that is skipped without parsing."""

from __future__ import annotations

import numpy as np

from quchong.patterns import lazy_pattern

_SIGNS = lazy_pattern(r'["{}\[\]]')
_IN_TEXT = lazy_pattern(r'["\\]')
_BEHIND = lazy_pattern(r"[,\]\s]")


class ValueEnd:
    """Search for the end of a value, block by block, by its quotes and brackets only.

    Args:
        first: first character of the value. Lists, objects and strings are searched for their closing character; other values end at
            a comma, bracket or space.
    """

    def __init__(self, first: str) -> None:
        self._plain = first not in '{["'
        self._depth, self._in_text, self._passed = 0, False, 0

    def look(self, text: str, at: int) -> int | None:
        """Return the offset of the value's end in a block, searched from character `at` on; None if it is in a later block."""
        if self._plain:
            found = _BEHIND.search(text, at)
            return None if found is None else found.start()
        at += self._passed  # a sign that the last piece escaped
        self._passed = 0
        while True:
            if not self._in_text and text.find('"', at) < 0:
                return self._brackets(text, at)
            found = (_IN_TEXT if self._in_text else _SIGNS).search(text, at)
            if found is None:
                return None
            at, sign = found.end(), found[0]
            if sign == "\\":
                at += 1
                self._passed = max(at - len(text), 0)
            elif sign == '"':
                self._in_text = not self._in_text
                if not self._in_text and not self._depth:
                    return at
            else:
                self._depth += 1 if sign in "{[" else -1
                if self._depth <= 0:
                    return at

    def _brackets(self, text: str, at: int) -> int | None:
        """Return the offset of the value's end in the rest of a block without quotes; None if it is in a later block."""
        octets = np.frombuffer(text[at:].encode("utf-32-le", "surrogatepass"), np.uint32)
        steps = ((octets == ord("{")) | (octets == ord("["))).astype(np.int8)
        steps -= ((octets == ord("}")) | (octets == ord("]"))).astype(np.int8)
        depth = self._depth + np.cumsum(steps, dtype=np.int64)
        ends = np.flatnonzero((depth <= 0) & (steps < 0))
        if len(ends):
            return at + int(ends[0]) + 1
        self._depth = int(depth[-1]) if len(depth) else self._depth
        return None
