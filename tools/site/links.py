"""Links of a page of the repository, rewritten for the site."""

from __future__ import annotations

import html
import posixpath
import re
from collections.abc import Callable

from pages import Page, Sources, relative

FENCED = re.compile(r"^(?P<fence>`{3,}|~{3,}).*?^(?P=fence)[ \t]*$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?P<image>!?)\[(?P<words>(?:[^\[\]`]|`[^`]*`)*)\]\((?P<target>[^)\s]+)\)|`+[^`]*`+")
"""A link, or inline code, in which nothing is a link."""
TWIN_LINE = re.compile(r"^(?:English[:：] ?|中文[:：] ?)?\[[^\]]+\]\((?P<target>[^)\s]+)\)[。.]?$")
"""A line that has nothing but a link to the page in the other language: the switch of the site stands for it."""


WIDE = r"\u3000-\u303f\u3400-\u4dbf\u4e00-\u9fff\uff00-\uffef\u201c\u201d"
LINE_END = re.compile(rf"(?<=[{WIDE}])\n *(?=[{WIDE}])|(?<=[，。、；：！？）])\n *(?=[\w\[(“`]|\*\*|<a)(?!\d+\. |```)")
"""End of a line within a Chinese paragraph, where a browser would show a space."""


def joined(markdown: str) -> str:
    """Return a Chinese page whose paragraphs are one line each, but for what is fenced, tables and headings."""
    blocks = re.split(
        r"(^(?:`{3,}|~{3,}).*?^(?:`{3,}|~{3,})[ \t]*$|^(?:#|\|)[^\n]*$)", markdown, flags=re.MULTILINE | re.DOTALL
    )
    return "".join(block if number % 2 else LINE_END.sub("", block) for number, block in enumerate(blocks))


class Links:
    """The links of the pages of the site.

    Args:
        sources: the Markdown files.
        made: pages that no file has, such as the methods in Chinese.

    `files` collects the files of the repository that pages link to: the site has a copy of each under `files/`.
    """

    def __init__(self, sources: Sources, made: frozenset[Page] = frozenset()) -> None:
        self._sources, self._made = sources, made
        self.files: set[str] = set()

    def rewritten(self, markdown: str, source: str, page: Page) -> str:
        """Return the page with links that work on the site.

        A link within the language becomes one of Sphinx, which checks it; one into the other language becomes HTML.
        """
        parts, end = [], 0
        for fence in FENCED.finditer(markdown):
            parts += [self._prose(markdown[end : fence.start()], source, page), fence[0]]
            end = fence.end()
        text = "".join([*parts, self._prose(markdown[end:], source, page)])
        return joined(text) if page.language == "zh" else text

    def _prose(self, text: str, source: str, page: Page) -> str:
        lines = [line for line in text.split("\n") if not self._is_twin(line, source, page)]
        return LINK.sub(self._replacement(source, page), "\n".join(lines))

    def _is_twin(self, line: str, source: str, page: Page) -> bool:
        """Return True if the line only links to the same page in the other language."""
        found = TWIN_LINE.match(line.strip())
        target = found and self._target(found["target"], source)
        return bool(target) and target.address == page.address and target.language != page.language

    def _target(self, link: str, source: str) -> Page | None:
        if "://" in link or link.startswith(("mailto:", "#")):
            return None
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), link.partition("#")[0]))
        return self._sources.target(path)

    def _replacement(self, source: str, page: Page) -> Callable[[re.Match[str]], str]:
        def replace(found: re.Match[str]) -> str:
            if found["target"] is None or "://" in found["target"] or found["target"].startswith("mailto:"):
                return found[0]
            file, _, heading = found["target"].partition("#")
            if not file:
                given = heading in self._sources.anchors.get(page, ())
                return anchored(found["words"], f"#{heading}") if given else found[0]
            target = self._target(file, source)
            if target is None:
                return self._file(file, found["words"], source, page, image=bool(found["image"]))
            own = Page(page.language, target.address)
            if target.language != page.language and own in self._made and not heading:
                target = own  # made in this language, and of no file
            readme = own.address == "index" and posixpath.basename(file).startswith("README")
            anchor = f"#{heading}" if heading and not readme else ""  # the home has other headings than the README
            given = heading in self._sources.anchors.get(target, ())  # which Sphinx does not know
            if target.language == page.language and not given:
                return f"[{found['words']}](/{target.address}.md{anchor})"
            other = target.language if target.language != page.language else None
            return anchored(found["words"], relative(page, target.path) + anchor, other)

        return replace

    def _file(self, file: str, words: str, source: str, page: Page, *, image: bool) -> str:
        """Return the link to a copy of a file, or the picture that it is; the words alone for a folder."""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), file))
        if not (self._sources.root / path).is_file():
            return words
        self.files.add(path)
        address = relative(page, f"files/{path}")
        return f'<img src="{html.escape(address)}" alt="{html.escape(words)}">' if image else anchored(words, address)


def anchored(words: str, address: str, language: str | None = None) -> str:
    """Return a link as HTML; `words` stay Markdown."""
    attribute = f' hreflang="{language}"' if language else ""
    return f'<a class="reference external" href="{html.escape(address)}"{attribute}>{words}</a>'
