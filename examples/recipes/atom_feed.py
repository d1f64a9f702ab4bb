"""An Atom feed, written so that a reader gets the old file or the new one, never half of one. Used by reprints.py."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5
from xml.etree import ElementTree

NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot have, not even escaped: one of them in a headline would spoil the whole feed."""


def put(parent: ElementTree.Element, name: str, text: str = "", **attributes: str) -> ElementTree.Element:
    """Append an element and return it; markup in the text is escaped, and what XML cannot have is replaced."""
    made = ElementTree.SubElement(parent, name, {key: NOT_IN_XML.sub("\ufffd", one) for key, one in attributes.items()})
    made.text = NOT_IN_XML.sub("\ufffd", text) or None
    return made


def write_feed(path: Path, title: str, entries: Iterable[Mapping[str, str]]) -> None:
    """Write entries, the newest first, each with key, title, summary, link ("" for none) and updated (RFC 3339)."""
    given = list(entries)
    feed = ElementTree.Element("feed", xmlns="http://www.w3.org/2005/Atom")
    put(feed, "title", title)
    put(feed, "id", uuid5(NAMESPACE_URL, title).urn)
    put(feed, "updated", max((one["updated"] for one in given), default="1970-01-01T00:00:00+00:00"))
    put(put(feed, "author"), "name", "quchong")
    for one in given:
        entry = put(feed, "entry")
        put(entry, "id", uuid5(NAMESPACE_URL, f"{title}\n{one['key']}").urn)
        for name in ("title", "summary", "updated"):
            put(entry, name, one[name])
        if one["link"]:
            put(entry, "link", href=one["link"])
    # A file of its own beside the feed, which takes the place of the feed in one step.
    handle, beside = tempfile.mkstemp(dir=path.absolute().parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "wb") as file:
            ElementTree.ElementTree(feed).write(file, encoding="utf-8", xml_declaration=True)
            os.fchmod(file.fileno(), 0o644)
        Path(beside).replace(path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise
