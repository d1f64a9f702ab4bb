"""Bodies that a page contains as data: JSON-LD, or a string in a script.

They are searched for only if there is almost no visible text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import unescape
from typing import Any

import orjson

from quchong.patterns import lazy_pattern

SHORTEST = 300
_FIELD = lazy_pattern(
    r"""["']?\b(?:articleBody|article_?content|content|body|html|text)["']?\s*[:=]\s*(?:"((?:[^"\\]|\\.){300,})"|'((?:[^'\\]|\\.){300,})')""",
    re.IGNORECASE | re.DOTALL,
)
_ESCAPE = lazy_pattern(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_PLAIN = {"n": "\n", "r": "\n", "t": "\t", "b": "", "f": ""}


def embedded(page: bytes, linked: Iterable[str]) -> Iterator[bytes]:
    """Yield bodies that a page (UTF-8) contains as data, as markup in UTF-8, the likeliest first.

    First come the articleBody values of its linked data, then the longest string of a field called content or
    similar.
    """
    for script in linked:
        try:
            data = orjson.loads(script)
        except orjson.JSONDecodeError:
            continue
        for text in _bodies(data, 8):
            if len(text) >= SHORTEST // 3:
                yield _markup(text)
    longest = ""
    for field in _FIELD.finditer(page.decode(errors="replace")):
        text = field[1] or field[2]
        if len(text) > len(longest) and ("\\u" in text or not text.isascii() or " " in text):
            longest = text
    if longest:
        yield _markup(_unescaped(longest))


def _bodies(data: Any, depth: int) -> Iterator[str]:
    if isinstance(data, dict):
        body = data.get("articleBody")
        if isinstance(body, str):
            yield body
        data = list(data.values())
    if isinstance(data, list) and depth:
        for item in data[:100]:
            yield from _bodies(item, depth - 1)


def _unescaped(text: str) -> str:
    """Decode the escapes of a string in a script."""

    def one(match: re.Match[str]) -> str:
        digits = match[1] or match[2]
        return chr(int(digits, 16)) if digits else _PLAIN.get(match[3], match[3])

    return _ESCAPE.sub(one, text)


def _markup(text: str) -> bytes:
    """Return a text as markup: entities of a fully escaped document are decoded, line feeds of plain text become <br>."""
    if "<" not in text and "&lt;" in text:
        text = unescape(text)
    if "<" not in text:
        text = text.replace("\n", "<br>")
    return text.encode("utf-8", "replace")
