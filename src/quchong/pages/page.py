"""One page: from bytes as they came to its text, its lines' weights, and what it says of itself."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

from quchong.errors import InputError, UsageError

BODIES = ("main", "all")
"""What is taken as the text of a page: its main body, or everything visible."""
LEAST = 50
"""A main body of fewer letters and digits gives way to all visible text."""


class UnreadablePage(InputError):
    """A page that is no page, or one that would cost more than a page may; the message says why."""


@dataclass(frozen=True, slots=True)
class Page:
    """What was read from a page.

    Attributes:
        text: one block element a line, without empty lines.
        blocks: one character a line of `text`: "1" to "6" a heading of that level, "b" wholly bold, "p" anything else.
        title, url, time: as the page says; None where it does not. `url` is the address it calls its own (canonical),
            `time` is ISO 8601 as far as it can be told.
    """

    text: str
    blocks: str
    title: str | None
    url: str | None
    time: str | None


def read_page(html: bytes | str, body: str = "main", content_type: str | None = None) -> Page:
    """Reads one page.

    Args:
        html: bytes in whatever character set, or text already decoded.
        body: see BODIES.
        content_type: the header it came with, whose charset is believed where the bytes fit it.

    Raises:
        UnreadablePage: too large, too deep, no text but binary.
        UsageError: an unknown body, or the extra `html` is not installed.
    """
    if body not in BODIES:
        raise UsageError(f"unknown --body {body!r}: use {' or '.join(BODIES)}")
    try:
        from resiliparse.extract.html2text import extract_plain_text
        from resiliparse.parse.encoding import bytes_to_str, detect_encoding
        from resiliparse.parse.html import HTMLTree
    except ImportError as error:
        raise UsageError("reading pages needs the extra html: pip install 'quchong[html]'") from error
    text = html if isinstance(html, str) else bytes_to_str(html, detect_encoding(html) or "utf-8")
    tree = HTMLTree.parse(text)
    marked = extract_plain_text(tree, main_content=body == "main", preserve_formatting="minimal_html")
    lines, blocks = _blocks(marked)
    if body == "main" and sum(c.isalnum() for line in lines for c in line) < LEAST:
        lines, blocks = _blocks(extract_plain_text(tree, main_content=False, preserve_formatting="minimal_html"))
    return Page("\n".join(lines), blocks, tree.title or None, None, None)


_HEADING = re.compile(r"<h([1-6])[ >]")
_TAG = re.compile(r"<[^>]*>")


def _blocks(marked: str) -> tuple[list[str], str]:
    lines, weights = [], []
    for line in marked.split("\n"):
        heading = _HEADING.match(line)
        plain = unescape(_TAG.sub("", line)).strip()
        if plain:
            lines.append(plain)
            weights.append(heading[1] if heading else "p")
    return lines, "".join(weights)
