"""Reader of one page: text, kinds of lines and metadata from bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from quchong.errors import InputError, UsageError, check_choice, install
from quchong.kernels.page import slim
from quchong.languages import Message
from quchong.pages.body import Line, best_run, filled, lines_of, trimmed
from quchong.pages.charset import to_utf8
from quchong.pages.embedded import embedded
from quchong.pages.metadata import PageMetadata

BODIES = ("main", "all", "accurate")
"""Choices for the text of a page: its main body, everything visible, or the main body by trafilatura (slower)."""
LARGEST = 32 << 20
"""Maximum size of a page in bytes, as given."""
LARGEST_TEXT = 12 << 20
"""Maximum size of a page in bytes of UTF-8, without scripts, comments and most attributes."""
MOST_TAGS = 300_000
DEEPEST = 128
"""Maximum depth of nested elements; deeper ones keep their text and lose their tags.

The 248 real pages that were measured are at most 56 deep.
"""
LEAST = 240
"""Weight in bytes below which a main body is compared with all visible text."""
LONG = 8000
"""Weight in bytes from which a body is searched for sections that were left out.

Chapters, documentation and one news page in ten are that long. The search costs as much as reading the page again.
"""
_BINARY = {
    Message("a PDF file"): (b"%PDF-",),
    Message("an image"): (
        b"\x89PNG",
        b"\xff\xd8\xff",
        b"GIF8",
        b"\x00\x00\x01\x00",
    ),
    Message("a media file"): (
        b"RIFF",
        b"OggS",
        b"ID3",
    ),
    Message("a zip archive"): (b"PK\x03\x04",),
    Message("gzip data: decompress it first"): (b"\x1f\x8b",),
    Message("zstd data: decompress it first"): (b"\x28\xb5\x2f\xfd",),
    Message("bzip2 data: decompress it first"): (b"BZh",),
    Message("a 7z archive"): (b"7z\xbc\xaf",),
    Message("a rar archive"): (b"Rar!",),
    Message("a program"): (
        b"\x7fELF",
        b"MZ\x90\x00",
    ),
    Message("a font"): (
        b"wOFF",
        b"wOF2",
    ),
    Message("an Office file"): (b"\xd0\xcf\x11\xe0",),
}

_UNMARKED = dict.fromkeys(set(range(32)) - set(b"\t\n\r\f"))
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\x1b"))


class UnreadablePage(InputError):
    """Error for data that is no page, or for a page that exceeds a limit; the message has the reason."""


@dataclass(frozen=True, slots=True)
class Page:
    """Text and metadata read from a page.

    Attributes:
        text: one block element a line, without empty lines.
        blocks: one character a line of `text`: "1" to "6" a heading of that level, "b" entirely bold, "p" anything else.
        title, url, time: as the page declares them; None if it does not. `url` is the absolute address that the page declares as its
            own; `time` is ISO 8601, a date only without a time of day, and without a zone if none is given.
    """

    text: str
    blocks: str
    title: str | None
    url: str | None
    time: str | None


def read_page(html: bytes | str, body: str = "main", content_type: str | None = None) -> Page:
    """Read the text and the metadata of one page.

    Args:
        html: bytes in any character set, or decoded text.
        body: see BODIES.
        content_type: the header of the page; its charset is used if the bytes fit it.

    A page without text gives an empty one. Deterministic. Memory and time are bounded by LARGEST, LARGEST_TEXT, MOST_TAGS
    and DEEPEST (`body="accurate"` parses the page a second time, with a library that has no such bounds but depth).

    Raises:
        UnreadablePage: the page is too large, has too many tags, or is binary.
        UsageError: the body is unknown, or the extra `html` (`accurate` for that body) is not installed.
    """
    check_body(body)
    if len(html) > LARGEST:
        raise UnreadablePage(too_large(len(html), LARGEST))
    if isinstance(html, str):
        page = html.encode(errors="replace")
    else:
        _refuse_binary(html)
        page = to_utf8(html, content_type)
    thin = slim(page, DEEPEST, MOST_TAGS)
    if thin.tags > MOST_TAGS:
        raise UnreadablePage(Message("more than {:,} tags", MOST_TAGS))
    if len(thin.html) > LARGEST_TEXT:
        raise UnreadablePage(
            Message(
                "{:,} bytes of text and tags (scripts are not counted), but at most {:,} are read",
                len(thin.html),
                LARGEST_TEXT,
            )
        )
    text = thin.html.decode(errors="replace")
    about = PageMetadata(page, thin.facts)
    title = about.title()
    if body == "all":
        lines = lines_of(_extracted(text, False))
        near = lines[:40]
    else:
        near, lines = _body(text, page, about, title)
        if body == "accurate":
            from quchong.pages.accurate import accurate

            lines = accurate(text.translate(_UNMARKED)) or lines
    time = about.time([line.text for line in near])
    return Page("\n".join(line.text for line in lines), "".join(line.block for line in lines), title, about.url(), time)


def check_body(body: str) -> None:
    """Raise UsageError unless the value is one of BODIES."""
    check_choice("body", body, BODIES)


def too_large(size: int, most: int) -> str:
    """Return the reason why a page of `size` bytes is not read."""
    return Message("the page has {:,} bytes, but at most {:,} bytes are read", size, most)


def library() -> Any:
    """Import Resiliparse and return its function that extracts the text of a page.

    Raises:
        UsageError: the extra `html` is not installed.
    """
    try:
        from resiliparse.extract.html2text import extract_plain_text
    except ImportError as error:
        raise UsageError("a library is needed to read web pages: {}", install("html")) from error
    return extract_plain_text


def _extracted(html: str, main: bool) -> str:
    return str(
        library()(
            html,
            main_content=main,
            preserve_formatting=True,
            list_bullets=False,
            alt_texts=False,
            comments=not main,
            post_meta=not main,
        )
    )


def _body(text: str, page: bytes, about: PageMetadata, title: str | None) -> tuple[list[Line], list[Line]]:
    """Return the lines around the headline, and the lines of the body."""
    lines = lines_of(_extracted(text, True))
    run = best_run(lines)
    if run.sum < LEAST:
        # The library found next to nothing: by what elements are called, everything may look like a menu.
        wide = lines_of(_extracted(text, False))
        found = best_run(wide)
        if found.sum > 3 * run.sum:
            lines, run = wide, found
    elif run.sum >= LONG and (whole := filled(lines, run, lines_of(_extracted(text, False)))):
        # The library left parts of a long body out, as it does with whole sections whose name reminds it of a menu.
        lines, run = whole
    near = lines[max(run.first - 12, 0) : run.first + 3]
    if run.sum < LEAST:
        # Some pages carry their body as data and write it out by a script.
        for data in embedded(page, about.linked_data()):
            carried = lines_of(_extracted(slim(data, DEEPEST, MOST_TAGS).html.decode(errors="replace"), False))
            found = best_run(carried)
            if found.sum > 3 * run.sum:
                return near, trimmed(carried, found, about.headlines(), title)
    return near, trimmed(lines, run, about.headlines(), title)


def _refuse_binary(html: bytes) -> None:
    for what, beginnings in _BINARY.items():
        if html.startswith(beginnings):
            raise UnreadablePage(Message("{}, not a web page", what))
    head = html[:4096]
    zeros = head.count(0)
    wide = len(head) >= 8 and zeros * 4 > len(head) and min(head[::2].count(0), head[1::2].count(0)) * 16 < len(head)
    if wide or head.startswith((b"\xff\xfe", b"\xfe\xff")):  # UTF-16
        return
    if len(head) - len(head.translate(None, _CONTROLS)) > len(head) // 20:
        raise UnreadablePage(Message("binary data, not a page: control characters at its start"))
