"""A run as a page to look at, and as a workbook."""

from quchong.views.written import LANGUAGES, Language, default_language, write_report

__all__ = ["LANGUAGES", "Language", "default_language", "write_report"]
