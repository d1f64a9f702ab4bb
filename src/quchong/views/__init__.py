"""A run as a page to look at, and as a workbook."""

from quchong.views.inline import InlineReport
from quchong.views.written import LANGUAGES, Language, check_place, default_language, inline_report, write_report

__all__ = ["LANGUAGES", "InlineReport", "Language", "check_place", "default_language", "inline_report", "write_report"]
