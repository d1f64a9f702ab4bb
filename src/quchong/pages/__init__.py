"""What stands on this page, and where does it come from? HTML to body text, block weights, title, address and site."""

from quchong.pages.address import canonical, host_of, site_of_host, sites
from quchong.pages.page import BODIES, Page, UnreadablePage, read_page

__all__ = ["BODIES", "Page", "UnreadablePage", "canonical", "host_of", "read_page", "site_of_host", "sites"]
