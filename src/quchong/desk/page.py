"""Page of a desk: shared parts of the report's page, and the desk's own scripts."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from quchong.desk.words import WORDS
from quchong.relations import relations_for_pages
from quchong.runs.acts import LABELS
from quchong.tables import DIFFERENCES
from quchong.views.model import about_of
from quchong.views.page import Made, assembled, asset, styles
from quchong.views.register import Register
from quchong.views.templates import templates_shown
from quchong.views.words import in_all_languages, words

if TYPE_CHECKING:
    from quchong.desk.desk import Desk

GENERATOR = "quchong review"
SHARED = (
    "chart.umd.min.js",
    "base.js",
    "language.js",
    "tables.js",
    "charts.js",
    "controls.js",
    "folds.js",
    "lock.js",
    "marks.js",
    "differences.js",
    "waterfall.js",
    "pair.js",
    "templates.js",
)
"""Scripts of the report's page that the desk uses, in the order they run."""
OWN = ("asking.js", "deciding.js", "measures.js", "list.js", "desk.js")
ASKS = "; connect-src 'self'; img-src data:"
"""Additions to the policy of a report: requests to the desk, and an empty icon, so that no browser requests one."""
FRAMED = "; frame-ancestors 'none'"
"""Rule of the policy that only a header can contain."""


def own_asset(name: str) -> str:
    """Return the text of a file of the desk's page."""
    return files("quchong.desk").joinpath("assets", name).read_text(encoding="utf-8")


@cache
def desk_words() -> dict[str, dict[str, str]]:
    """Return every word of the page by its key, then by language: those of the report's page and the desk's own."""
    return words() | in_all_languages(WORDS)


def page(desk: Desk, language: str) -> tuple[str, str]:
    """Return the page of a desk, with `language` shown first, and its policy."""
    nobody, _ = desk.documents.subject(())
    made = {
        "about": about_of(nobody),
        **relations_for_pages(),
        "kinds": list(DIFFERENCES),
        "labels": list(LABELS),
        "documents": Register(nobody).documents(),
        "pairs": [],
        "templates": templates_shown(desk.run.saved.table("templates")),
        "state": desk.state(),
    }
    parts = Made(
        own_asset("desk.html"), styles() + own_asset("desk.css"),
        tuple(asset(name) for name in SHARED) + tuple(own_asset(name) for name in OWN), desk_words(), GENERATOR, ASKS,
    )  # fmt: skip
    text, policy = assembled(parts, made, language)
    return text, policy + FRAMED
