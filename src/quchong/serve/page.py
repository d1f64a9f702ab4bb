"""Page of a service: a text is pasted or a file dropped, and the page shows what it is a copy of."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from quchong.relations import relations_for_pages
from quchong.serve.words import WORDS
from quchong.tables import DIFFERENCES
from quchong.views.page import Made, assembled, asset, styles
from quchong.views.words import in_all_languages, words

GENERATOR = "quchong serve"
SHARED = (
    "base.js", "language.js", "controls.js", "folds.js", "lock.js", "marks.js", "differences.js", "waterfall.js", "pair.js",
)  # fmt: skip
"""Scripts of the report's page that this page uses, in the order they run."""
OWN = ("asking.js", "access.js", "given.js", "excerpts.js", "matches.js", "counts.js", "serve.js")
ASKS = "; connect-src 'self'; img-src data:"
"""Additions to the policy of a report: requests to the service, and an empty icon, so that no browser requests one."""
FRAMED = "; frame-ancestors 'none'"
"""Rule of the policy that only a header can contain."""


def own_asset(name: str) -> str:
    """Return the text of a file of the page."""
    return files("quchong.serve").joinpath("assets", name).read_text(encoding="utf-8")


@cache
def serve_words() -> dict[str, dict[str, str]]:
    """Return every word of the page by its key, then by language: those of the report's page and its own."""
    return words() | in_all_languages(WORDS)


@cache
def page(kinds: tuple[str, ...], limit: int, language: str, *, tokens: bool, texts: bool) -> tuple[str, str]:
    """Return the page of a service, with `language` shown first, and its policy.

    Args:
        kinds: what may be given: "text", "page" or "record".
        limit: bytes that a request may have.
        language: "en" or "zh".
        tokens: True if the service wants access tokens.
        texts: True if the index keeps texts, so that both can be shown side by side.
    """
    model = {
        **relations_for_pages(), "kinds": list(DIFFERENCES), "pairs": [], "given_kinds": kinds, "limit": limit, "tokens": tokens,
        "texts": texts,
    }  # fmt: skip
    parts = Made(
        own_asset("serve.html"), styles() + own_asset("serve.css"), tuple(asset(name) for name in SHARED) + tuple(map(own_asset, OWN)),
        serve_words(), GENERATOR, ASKS,
    )  # fmt: skip
    text, policy = assembled(parts, model, language)
    return text, policy + FRAMED
