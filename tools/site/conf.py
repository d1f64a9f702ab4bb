"""Settings of Sphinx for both builds of the site; `QUCHONG_SITE` has the language."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from docutils import nodes

HERE = Path(__file__).parent
LANGUAGE = os.environ["QUCHONG_SITE"]
sys.path.insert(0, str(HERE))
from docstrings import process  # noqa: E402 - below its path
from words import words  # noqa: E402 - below its path

OTHER = {"en": "zh", "zh": "en"}[LANGUAGE]
OTHER_PAGES = frozenset(os.environ["QUCHONG_SITE_OTHER"].split())
"""Addresses of the pages in the other language."""

project = {"en": "quchong", "zh": "quchong 去重"}[LANGUAGE]
language = {"en": "en", "zh": "zh_CN"}[LANGUAGE]
author = copyright = "The quchong authors"
html_show_copyright = html_show_sphinx = html_copy_source = False
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton", "search"]
exclude_patterns = ["_*"]
templates_path = [str(HERE / "templates")]
html_static_path = [str(HERE / "static")]
html_theme = "furo"
html_title = project
html_css_files = ["site.css"]
html_context = {"words": words(LANGUAGE)}
html_use_index = False
html_show_search_summary = False  # a page cannot fetch another from the disk; static/search.js quotes from texts.js
html_search_scorer = str(HERE / "scorer.js")
html_theme_options = {"navigation_with_keys": True}
html_last_updated_fmt = None
pygments_style, pygments_dark_style = "a11y-high-contrast-light", "a11y-high-contrast-dark"
smartquotes = False
locale_dirs = []
copybutton_prompt_text = r"^\$ |^>>> |^\.\.\. "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True
copybutton_remove_prompts = True

myst_heading_anchors = 6
myst_enable_extensions = ["attrs_inline", "colon_fence"]
suppress_warnings = ["myst.header"]  # a page may begin below its first heading with one of level 3

default_role = "literal"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_rtype = False
python_maximum_signature_line_length = 88
python_use_unqualified_type_names = True


def add_switch(app: Any, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Put the address of the page in the other language into the context: the same page, or the home of that language."""
    depth = "../" * (pagename.count("/") + 1)
    twin = pagename if pagename in OTHER_PAGES or pagename == "search" else "index"
    context["other_language"] = f"{depth}{OTHER}/{twin}.html"
    context["other_language_has_page"] = twin == pagename
    context["site_language"] = LANGUAGE
    if "body" in context:  # what may be wider than the screen can be scrolled by keys
        body = context["body"].replace("<pre>", '<pre tabindex="0">')
        context["body"] = body.replace('<div class="table-wrapper', '<div tabindex="0" class="table-wrapper')


def polish(app: Any, doctree: Any) -> None:
    """Remove heads of tables that are empty, and write a dash between an argument and its description."""
    for head in list(doctree.findall(nodes.thead)):
        if not head.astext().strip():
            head.parent.parent["classes"].append("facts")
            head.parent.remove(head)
    for text in list(doctree.findall(nodes.Text)):
        if text == " -- ":
            text.parent.replace(text, nodes.Text(" – "))


def setup(app: Any) -> None:
    """Connect the switch of languages and the reader of docstrings."""
    app.connect("html-page-context", add_switch)
    app.connect("doctree-read", polish)
    app.connect("autodoc-process-docstring", process, priority=400)  # before napoleon reads the sections
