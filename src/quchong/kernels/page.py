"""A page made slim before a parser sees it: what bounds the cost of hostile pages, and makes the others cheaper.

The twin stands in tests/twins/page.py.
"""

from __future__ import annotations

from typing import NamedTuple

import _quchong

from quchong.kernels import checked
from quchong.kernels.checked import MOST_I32

LINK, LINK_END, BOLD, BOLD_END, HEADING = "\x01", "\x02", "\x03", "\x04", "\x0e"
"""Marks in the text of a slim page: around links and bold text, and before the text of h1 (HEADING) to h6 (the next five)."""


class Slim(NamedTuple):
    """A slim page.

    `html` is UTF-8; `tags` counts the tags read, `max_tags + 1` where reading stopped there; `facts` are places in the
    page given, (kind, start, end) in bytes: "t" the text of a title, "h" of the first h1 and others that end, "j" of a
    script of linked data; "m" the attributes of a meta element, "l" of a link that says canonical, "d" of a time. At most
    64 of a kind.
    """

    html: bytes
    tags: int
    facts: list[tuple[str, int, int]]


def slim(html: bytes, max_depth: int = 128, max_tags: int = 300_000) -> Slim:
    """What a parser needs of a page to tell its text, in one pass.

    Scripts, styles, comments, forms' choices, drawings and formulas go, with all attributes but those that say what an
    element is for and whether it is hidden; of control characters nothing stays but the marks set here. Elements nested
    deeper than `max_depth` lose their tags, not their text; the depth counted is never less than a parser's (WHATWG
    HTML, tree construction), so that its work is bounded by size times depth.

    Args:
        html: a page in UTF-8 (or another superset of ASCII).
        max_depth: elements open at once, table parts aside; at least 1.
        max_tags: tags read before it stops; at least 0.

    Deterministic. Linear in the size, but for a walk along open elements at each tag, `max_depth` at most.
    """
    if not isinstance(html, bytes):
        raise TypeError(f"a page must be bytes, got {type(html).__name__}")
    bounds = checked.number(max_depth, 1, MOST_I32, "max_depth"), checked.number(max_tags, 0, 2**62, "max_tags")
    return Slim(*_quchong.slim(html, *bounds))
