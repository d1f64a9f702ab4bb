"""Search of the site: words of Latin letters, pairs of neighbouring Chinese characters; the texts that results quote."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.search.en import SearchEnglish

HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
RUN = re.compile(rf"[{HAN}]+|[^\W{HAN}]+")
"""Characters of Chinese, or of a word, in a row."""
SPLITTER = f"""
var splitQuery = (query) => query.match(/[{HAN}]+|(?:(?![{HAN}])[\\p{{Letter}}\\p{{Number}}_])+/gu)?.flatMap((run) =>
  /^[{HAN}]/.test(run) && run.length > 1 ? [...run].slice(1).map((_, i) => run.slice(i, i + 2)) : [run]) ?? [];
"""
"""The same in a browser, for what a reader looks for."""
HIDDEN = (nodes.comment, nodes.raw, nodes.topic, nodes.meta)
"""Parts of a page that a result does not quote."""


def terms(text: str) -> list[str]:
    """Split a text into the terms of the index: words, single Chinese characters, and pairs of neighbouring ones.

    A query is split into pairs only (`SPLITTER`), so that any part of a Chinese word or sentence finds all pages that have it.
    """
    found: list[str] = []
    for run in RUN.findall(text):
        if re.match(rf"[{HAN}]", run):
            found += [*run, *(run[i : i + 2] for i in range(len(run) - 1))]
        else:
            found.append(run)
    return found


class BothLanguages(SearchEnglish):
    """Search language of both builds: English words by their stems, Chinese by pairs of characters."""

    js_splitter_code = SPLITTER

    def __init__(self, options: dict[str, str]) -> None:
        """Begin without stems."""
        super().__init__(options)
        self._stems: dict[str, str] = {}

    def split(self, input: str) -> list[str]:
        """Return the terms of a text."""
        return terms(input)

    def stem(self, word: str) -> str:
        """Return the stem of a word, which is reckoned once."""
        if word not in self._stems:
            self._stems[word] = super().stem(word)
        return self._stems[word]


class ChineseBuild(BothLanguages):
    """Search language of the Chinese build."""

    lang = "zh"
    language_name = "English"  # whose stemmer both have


def plain(document: nodes.document) -> str:
    """Return the text of a page as a result of a search quotes it."""
    parts = [
        "".join(child.astext() for child in node.children if not isinstance(child, HIDDEN))
        for node in document.findall(nodes.TextElement)
        if not isinstance(node, (*HIDDEN, nodes.Inline)) and not isinstance(node.parent, nodes.topic)
    ]
    return re.sub(r"\s+", " ", " ".join(parts)).strip()


def keep_text(app: Sphinx, doctree: nodes.document) -> None:
    """Keep the text of a page that was read."""
    _texts(app.env)[app.env.docname] = plain(doctree)


def merge_texts(app: Sphinx, env: Any, names: set[str], other: Any) -> None:
    """Take over the texts of the pages that another process read."""
    _texts(env).update({name: _texts(other)[name] for name in names})


def _texts(env: Any) -> dict[str, str]:
    if not hasattr(env, "texts_of_pages"):
        env.texts_of_pages = {}
    texts: dict[str, str] = env.texts_of_pages
    return texts


def write_texts(app: Sphinx, exception: Exception | None) -> None:
    """Write the texts of all pages as a script, which works from the disk where a page cannot fetch another."""
    if exception is None:
        texts = {name: text for name, text in sorted(_texts(app.env).items()) if name in app.env.found_docs}
        script = f"window.pageTexts={json.dumps(texts, ensure_ascii=False, separators=(',', ':'))};\n"
        Path(app.outdir, "_static", "texts.js").write_text(script, "utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the search language and the texts."""
    app.add_search_language(BothLanguages)
    app.add_search_language(ChineseBuild)
    app.connect("doctree-read", keep_text)
    app.connect("env-merge-info", merge_texts)
    app.connect("build-finished", write_texts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
