"""Scrapy: a dupefilter that asks an index for addresses, and a pipeline that drops copies of pages seen in any run.

    scrapy runspider scrapy_copies.py -a start=https://example.com/ -s SEEN_INDEX=seen -O new.jsonl

Needs the packages scrapy and quchong[html].
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.dupefilters import RFPDupeFilter
from scrapy.exceptions import DropItem
from scrapy.http import Response, TextResponse
from scrapy.linkextractors import LinkExtractor

import quchong as qc

OPENED: WeakKeyDictionary[Crawler, qc.Index] = WeakKeyDictionary()


def seen_pages(crawler: Crawler) -> qc.Index:
    """Return the index of a crawl: one for the dupefilter and the pipeline, closed when the engine stops."""
    if crawler not in OPENED:
        folder = Path(crawler.settings.get("SEEN_INDEX", "seen"))
        index = qc.Index(folder) if folder.exists() else qc.Index.create(folder, keep="first")
        crawler.signals.connect(index.close, signals.engine_stopped, weak=False)
        OPENED[crawler] = index
    return OPENED[crawler]


class SeenDupeFilter(RFPDupeFilter):
    """Filters requests of this run, as Scrapy does, and addresses whose page is in the index from an earlier run."""

    index: qc.Index

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> SeenDupeFilter:
        """Return the filter of a crawl."""
        made = super().from_crawler(crawler)
        made.index = seen_pages(crawler)
        return made

    def request_seen(self, request: Request) -> bool:
        """Return True if the request was made in this run, or its page was stored in any run."""
        return super().request_seen(request) or request.url in self.index


class CopiesPipeline:
    """Drops items whose text is a copy of a page in the index; the others say to which pages they are related."""

    def __init__(self, crawler: Crawler) -> None:
        self.index = seen_pages(crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> CopiesPipeline:
        """Return the pipeline of a crawl."""
        return cls(crawler)

    def process_item(self, item: dict[str, Any]) -> dict[str, Any]:
        """Return the item without its page, with the relations of its text; raise DropItem for a copy."""
        if item["url"] in self.index:  # two requests were redirected to one address
            raise DropItem(f"{item['url']} was stored before")
        answer = self.index.add({"id": item["url"], "html": item.pop("html")})
        if answer.removed:
            raise DropItem(f"{answer.id} is a copy of {answer.survivor_id}: {answer.relation}")
        return {**item, "related": [{"url": match.id, "relation": match.relation} for match in answer.matches]}


class PagesSpider(Spider):
    """Follows all links of one site; every page but the start is an item."""

    name = "pages"
    custom_settings = {  # noqa: RUF012
        "DUPEFILTER_CLASS": SeenDupeFilter,
        "ITEM_PIPELINES": {CopiesPipeline: 300},
    }

    def __init__(self, start: str, **given: Any) -> None:
        super().__init__(start_urls=[start], allowed_domains=[urlsplit(start).hostname], **given)

    def parse(self, response: Response) -> Iterator[Request | dict[str, Any]]:
        """Yield the page as an item, and a request for every link."""
        if isinstance(response, TextResponse):
            if response.url not in self.start_urls:
                yield {"url": response.url, "html": response.text}
            yield from response.follow_all(LinkExtractor().extract_links(response))
