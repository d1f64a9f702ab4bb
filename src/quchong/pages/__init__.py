"""Reader of web pages: body text, kinds of lines, title, time, address and site."""

from quchong.pages.address import canonical, host_of, site_of_host, sites
from quchong.pages.page import BODIES, LARGEST, Page, UnreadablePage, check_body, read_page
from quchong.pages.pool import PagesBatch, read_pages

__all__ = [
    "BODIES",
    "LARGEST",
    "Page",
    "PagesBatch",
    "UnreadablePage",
    "canonical",
    "check_body",
    "host_of",
    "read_page",
    "read_pages",
    "site_of_host",
    "sites",
]
