"""Views of what a method sees in documents, as text, HTML and JSON."""

from quchong.views.inspection.data import data
from quchong.views.inspection.listing import listing
from quchong.views.inspection.markup import STYLE, drawn
from quchong.views.inspection.page import page, write_page

__all__ = ["STYLE", "data", "drawn", "listing", "page", "write_page"]
