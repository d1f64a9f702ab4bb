"""Exemptions from what the other side requires: 免检 and 必须检验, 免票 and 购票."""

from __future__ import annotations

import re

from quchong.differences.windows import Window
from quchong.patterns import lazy_pattern

_FREED = lazy_pattern("免(?:予|于|除|收|交|缴|征|参加)?(?P<thing>[\u3400-\u9fff])")
_REQUIRED = "(?:必须|务必|必需|须|需要|需|应当|应|要|凭|持|付|收|缴|交|纳|购|买|含|征|抽|必|接受|经|受)"
_LONGEST = 10
"""Most characters of a stretch that is read."""
_BEHIND = 2
"""Characters behind a stretch that may belong to the exempted thing."""


def exempted(left: Window, right: Window) -> bool:
    """Return True if one side exempts (免) from what the other requires, pays or has.

    Example:
        >>> text = "进口货物{}验放行"
        >>> exempted(Window(text.format("须检"), 4, 6), Window(text.format("免检"), 4, 6))
        True
    """
    for one, other in ((left, right), (right, left)):
        at = one.text.find("免", one.start, one.end)
        if at < 0 or "免" in other.stretch or max(len(one.stretch), len(other.stretch)) > _LONGEST:
            continue
        found = _FREED.match(one.text, at)
        # The duty stands in the stretch; what it is about may stand behind it on both sides.
        duty = other.text[other.start : other.end + _BEHIND]
        if found is None or found.end() > one.end + _BEHIND or not other.stretch:
            continue
        if (required := re.search(f"{_REQUIRED}[\u3400-\u9fff]{{0,3}}?{found['thing']}", duty)) is not None:
            return required.start() < len(other.stretch)
    return False
