"""Main body of a page as trafilatura extracts it (`--body accurate`, extra `accurate`)."""

from __future__ import annotations

from typing import Any

from quchong.errors import Param, UsageError, install
from quchong.pages.body import Line


def library() -> Any:
    """Return trafilatura's function that extracts a body.

    Raises:
        UsageError: the extra `accurate` is not installed.
    """
    try:
        from trafilatura import bare_extraction
    except ImportError as error:
        raise UsageError(
            "{} needs these libraries: {} ({})", Param("body", "accurate"), install("accurate"), error
        ) from error
    return bare_extraction


def accurate(html: str) -> list[Line]:
    """Return the lines of the body of a page with their kinds; empty if trafilatura finds nothing.

    Raises:
        UsageError: the extra `accurate` is not installed.
    """
    found = library()(html, include_comments=False, include_formatting=True)
    body = getattr(found, "body", None)
    if body is None:
        return []
    lines = list[Line]()
    for element in body.iter("p", "head", "item", "quote", "code", "cell"):
        if any(True for _ in element.iterchildren("p", "head", "item", "quote", "code", "cell", "list", "table")):
            continue
        block = _block(element)
        for part in "".join(_texts(element)).split("\n"):
            text = " ".join(part.split())
            if text:
                size = len(text.encode())
                lines.append(Line(text, block, size, 0))
    return lines


def _texts(element: Any) -> list[str]:
    """Return the texts below an element of trafilatura's result, in order, with a line feed for each of its `lb` (a line break)."""
    out = [element.text or ""]
    for child in element:
        out += ["\n"] if child.tag == "lb" else _texts(child)
        out.append(child.tail or "")
    return out


def _block(element: Any) -> str:
    if element.tag == "head":
        level = str(element.get("rend", "h2"))[-1]
        return level if level in "123456" else "2"
    whole = "".join(element.itertext()).strip()
    bold = "".join("".join(hi.itertext()) for hi in element.iter("hi") if "#b" in str(hi.get("rend", ""))).strip()
    return "b" if whole and whole == bold else "p"
