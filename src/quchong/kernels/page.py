"""Reduction of a page before a parser sees it, which bounds the cost of hostile pages and makes others cheaper.

The twin is in tests/twins/page.py.
"""

from __future__ import annotations

from typing import NamedTuple

import _quchong

from quchong.kernels import checked
from quchong.kernels.checked import MOST_I32

LINK, LINK_END, BOLD, BOLD_END, HEADING = "\x01", "\x02", "\x03", "\x04", "\x0e"
"""Marks in the text of a slim page: around links and bold text, and before the text of h1 (HEADING) to h6 (the next five)."""


class Slim(NamedTuple):
    """A reduced page, with facts about the original.

    `html` is UTF-8; `tags` counts the tags read, `max_tags + 1` if reading stopped there; `facts` are byte ranges of the original page,
    (kind, start, end): "t" the text of a title, "h" of the first h1 and others that end, "j" of a script of linked data; "m" the attributes
    of a meta element, "l" of a link that says canonical, "d" of a time. At most 64 of a kind.
    """

    html: bytes
    tags: int
    facts: list[tuple[str, int, int]]


def slim(html: bytes, max_depth: int = 128, max_tags: int = 300_000) -> Slim:
    """Reduce a page in one pass to what a parser needs to extract its text.

    Scripts, styles, comments, forms' choices, drawings and formulas are removed, with all attributes except those for an element's purpose
    and visibility; all control characters are removed except the marks set here. Elements nested deeper than `max_depth` lose their tags,
    not their text. The depth counted is never less than a parser's (WHATWG HTML, tree construction), so that its work is bounded by size
    times depth.

    Args:
        html: a page in UTF-8 (or another superset of ASCII).
        max_depth: most elements open at once, without table parts; at least 1.
        max_tags: tags read before it stops; at least 0.

    Deterministic. Linear in the size, except for a walk along open elements at each tag, at most `max_depth`.
    """
    if not isinstance(html, bytes):
        raise TypeError(f"a page must be bytes, got {type(html).__name__}")
    bounds = checked.number(max_depth, 1, MOST_I32, "max_depth"), checked.number(max_tags, 0, 2**62, "max_tags")
    return Slim(*_quchong.slim(html, *bounds))
