"""Page of a service: a text is pasted or a file dropped, and the page shows what it is a copy of."""

from __future__ import annotations

from importlib.resources import files

from quchong.relations import relations_for_pages
from quchong.serve.words import WORDS
from quchong.tables import DIFFERENCES
from quchong.views.page import Made, assembled, asset, styles
from quchong.views.words import in_all_languages, words

GENERATOR = "quchong serve"
SHARED = ("base.js", "language.js", "marks.js")
"""Scripts of the report's page that this page uses, in the order they run."""
OWN = ("serve.js",)
ASKS = "; connect-src 'self'; img-src data:; frame-ancestors 'none'"
"""Additions to the policy of a report: requests to the service, an empty icon, and no frame around the page."""


def own_asset(name: str) -> str:
    """Return the text of a file of the page."""
    return files("quchong.serve").joinpath("assets", name).read_text(encoding="utf-8")


def page(text_key: str, id_key: str, language: str) -> tuple[str, str]:
    """Return the page of a service, with `language` shown first, and its policy.

    Args:
        text_key, id_key: columns of the text and of the id in a record of the index.
        language: "en" or "zh".
    """
    model = {**relations_for_pages(), "kinds": list(DIFFERENCES), "text_key": text_key, "id_key": id_key}
    parts = Made(
        own_asset("serve.html"), styles() + own_asset("serve.css"), tuple(asset(name) for name in SHARED) + tuple(map(own_asset, OWN)),
        words() | in_all_languages(WORDS), GENERATOR, ASKS,
    )  # fmt: skip
    return assembled(parts, model, language)
