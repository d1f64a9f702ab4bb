"""Metadata of a page: title, time of publication, address.

It is read from the elements that the slimming pass noted (`quchong.kernels.page.slim`), in this order: title from
og:title, from the h1 the <title> contains, from <title> without the site's name; time from meta elements, linked data,
<time>, a date near the headline; address from link rel=canonical, og:url.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta, timezone
from html import unescape

from quchong.patterns import lazy_pattern

_ATTRIBUTE = lazy_pattern(r"""([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_TAG = lazy_pattern(r"<[^>]*>")
_SPACE = lazy_pattern(r"\s+")
_TIMES = (
    "article:published_time", "datepublished", "publishdate", "pubdate", "publish_date", "publication_date", "publish-date",
    "og:published_time", "og:release_date", "date.issued", "dc.date.issued", "dcterms.created", "dc.date", "sailthru.date",
    "parsely-pub-date", "publishedtime", "published_time", "article.published", "weibo: article:create_at",
    "weibo:article:create_at", "apub:time", "bytedance:published_time", "date",
)  # fmt: skip
"""Names of meta elements with the time of publication, the most reliable first."""
_WANTED = lazy_pattern(rb"og:(?:title|url|site_name)|date|publish|create_at|apub:time", re.IGNORECASE)
"""Pattern in the attributes of meta elements that are worth reading."""
_LINKED = lazy_pattern(r'"datePublished"\s*:\s*"([^"]{8,40})"')
_WHEN = lazy_pattern(
    r"(?<!\d)((?:19|20)\d\d)\s?(?:[-/.]|年)\s?(\d{1,2})\s?(?:[-/.]|月)\s?(\d{1,2})(?!\d)日?"
    r"(?:[\sT　]{0,4}(?:(上午|下午|晚上|AM|PM)\s?)?(\d{1,2})\s?[:：时]\s?(\d{2})(?:\s?[:：分]\s?(\d{2}))?(?:\.\d+)?"
    r"\s?(Z|[+-]\d\d:?\d\d)?)?",
    re.IGNORECASE,
)
_RFC822 = lazy_pattern(
    r"(\d{1,2})\s(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?,?\s((?:19|20)\d\d)(?:\s(\d{2}):(\d{2}))?",
    re.IGNORECASE,
)
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_CUT = lazy_pattern(r"\s*(?:[_|｜]|--+|——|\s[-–—·•:«»]\s|-(?=[^-\s]{2,12}$))\s*")


class PageMetadata:
    """Metadata from the noted elements of one page.

    `page` is the page in UTF-8, `facts` are those of `quchong.kernels.page.Slim`.
    """

    def __init__(self, page: bytes, facts: Iterable[tuple[str, int, int]]) -> None:
        self._page = page
        self._facts = dict[str, list[tuple[int, int]]]()
        for kind, start, end in facts:
            self._facts.setdefault(kind, []).append((start, end))
        self._meta = dict[str, str]()
        for start, end in self._facts.get("m", ()):
            if _WANTED.search(page, start, end) is None:
                continue
            said = attributes_of(self._text(start, end))
            name = said.get("property") or said.get("name") or said.get("itemprop")
            if name and said.get("content"):
                self._meta.setdefault(name.strip().lower(), said["content"])

    def _text(self, start: int, end: int, most: int = 4000) -> str:
        return self._page[start : min(end, start + most)].decode(errors="replace")

    def headlines(self) -> list[str]:
        """Return the texts of h1 elements, without tags; empty ones are left out."""
        found = (_plain_text(self._text(start, end)) for start, end in self._facts.get("h", ()))
        return [text for text in found if text]

    def linked_data(self) -> list[str]:
        """Return the scripts of linked data (JSON-LD), each cut at 1,000,000 bytes."""
        return [self._text(start, end, 1_000_000) for start, end in self._facts.get("j", ())]

    def title(self) -> str | None:
        """Return the page's title without the name of its site; None if it has none."""
        named = [_plain_text(self._text(start, end)) for start, end in self._facts.get("t", ())[:1]]
        whole = next(filter(None, named), "")
        said = _plain_text(self._meta.get("og:title", ""))
        site = _plain_text(self._meta.get("og:site_name", ""))
        for headline in self.headlines():
            if len(headline) >= 4 and (headline in whole or headline in said):
                return headline
        return without_site(said or whole, site) or None

    def url(self) -> str | None:
        """Return the absolute address that the page declares as its own, unchanged; None if it declares none."""
        for start, end in self._facts.get("l", ()):
            said = attributes_of(self._text(start, end))
            if "canonical" in said.get("rel", "").lower().split():
                absolute = _absolute(said.get("href", ""))
                if absolute:
                    return absolute
        return _absolute(self._meta.get("og:url", ""))

    def time(self, near: Iterable[str]) -> str | None:
        """Return the time of publication in ISO 8601; None if unknown. `near` are lines around the headline.

        If the declared date has no time of day, one on the same day is searched for near the headline.
        """
        declared = next(filter(None, map(when, self._declared())), None)
        if declared and "T" in declared:
            return declared
        shown = list(near)
        for _, end in self._facts.get("h", ())[:1]:
            shown.append(_plain_text(self._text(end, end + 4000)))
        # A line that starts with a moment is a line on the page; one with a day alone must be short to be no sentence.
        dated = ((when(text[:60]), len(text)) for text in shown)
        found = [
            moment
            for moment, size in dated
            if moment and ("T" in moment or size < 40) and moment.startswith(declared or "")
        ]
        return next((text for text in found if "T" in text), None) or declared or next(iter(found), None)

    def _declared(self) -> Iterator[str]:
        yield from (self._meta[name] for name in _TIMES if name in self._meta)
        yield from (linked[1] for linked in map(_LINKED.search, self.linked_data()) if linked)
        yield from (
            attributes_of(self._text(start, end)).get("datetime", "") for start, end in self._facts.get("d", ())
        )


def attributes_of(tag: str) -> Mapping[str, str]:
    """Return the attributes of a tag by name in lower case, unescaped; the first of each name."""
    found = dict[str, str]()
    for match in _ATTRIBUTE.finditer(tag):
        found.setdefault(match[1].lower(), unescape(match[2] or match[3] or match[4] or "").strip())
    return found


def without_site(title: str, site: str = "") -> str:
    """Remove the site name after a title: `某事_新浪新闻` -> `某事`, `Something - Some Site` -> `Something`.

    The first part is kept, with as many further parts as are needed for a third of the whole.
    """
    if site and title.endswith(site) and len(title) > len(site):
        title = title[: -len(site)].rstrip(" -_|–—·:｜") or title
    # cut at the first separator after at least a third of the title and four characters
    end = 0
    for cut in _CUT.finditer(title):
        end = cut.start()
        if end * 3 >= len(title) and end >= 4:
            return title[:end].strip()
    return title.strip()


def when(text: str) -> str | None:
    """Return the first date in a text in ISO 8601, with time of day and zone if they follow; None if there is no date.

    `2019年09月07日 19:53` -> `2019-09-07T19:53:00`; `2019-11-25` -> `2019-11-25`.
    """
    for found in _WHEN.finditer(text):
        year, month, day, half, hour, minute, second, zone = found.groups()
        made = _moment(int(year), int(month), int(day), half, hour, minute, second, zone)
        if made:
            return made
    named = _RFC822.search(text)
    if named:
        day, month, year, hour, minute = named.groups()
        return _moment(int(year), _MONTHS.index(month.lower()) + 1, int(day), None, hour, minute, None, None)
    return None


def _moment(
    year: int,
    month: int,
    day: int,
    half: str | None,
    hour: str | None,
    minute: str | None,
    second: str | None,
    zone: str | None,
) -> str | None:
    try:
        if hour is None or minute is None:
            return datetime(year, month, day).date().isoformat()
        late = (half or "").lower() in ("下午", "晚上", "pm") and int(hour) < 12
        made = datetime(year, month, day, int(hour) + 12 * late, int(minute), int(second or 0))
        if zone:
            sign = -1 if zone[0] == "-" else 1
            digits = zone[1:].replace(":", "") or "0000"
            offset = timedelta(0) if zone in "Zz" else sign * timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
            made = made.replace(tzinfo=timezone(offset))
    except ValueError:
        return None
    return made.isoformat()


def _absolute(address: str) -> str | None:
    address = address.strip()
    if address.startswith("//"):
        address = "https:" + address
    return address if re.match(r"https?://[^/\s.]+\.[^\s]+$", address, re.IGNORECASE) else None


def _plain_text(markup: str) -> str:
    return _SPACE.sub(" ", unescape(_TAG.sub(" ", markup))).strip()
