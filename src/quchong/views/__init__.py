"""Views of a run: an HTML page and a workbook."""

from quchong.views.inline import InlineReport
from quchong.views.written import (
    LANGUAGES,
    Language,
    check_file_name,
    check_place,
    default_language,
    inline_report,
    write_report,
)

__all__ = [
    "LANGUAGES",
    "InlineReport",
    "Language",
    "check_file_name",
    "check_place",
    "default_language",
    "inline_report",
    "write_report",
]
