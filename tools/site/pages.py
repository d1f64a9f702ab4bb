"""Pages of the site: which Markdown file of the repository is which page in which language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[2]
LANGUAGES = ("en", "zh")
CHINESE = ".zh-CN"
"""Ending of the name of a page in Chinese, before `.md`."""
OUTSIDE = ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "benchmarks/README.md")
"""Pages of the site that are not in docs/."""
HOMES = {"README.md": ("en", "index"), "README.zh-CN.md": ("zh", "index")}
"""Pages that the site has no page of: links to them lead to the home of their language."""

ANCHOR = re.compile(r'^<a id="([\w-]+)"></a>$', re.MULTILINE)


@dataclass(frozen=True)
class Page:
    """A page: its language, and its address without `.html` below the folder of the language."""

    language: str
    address: str

    @property
    def path(self) -> str:
        """Path of the page from the folder of the site."""
        return f"{self.language}/{self.address}.html"


def page_of(source: str) -> Page:
    """Return the page made of a Markdown file, given by its path in the repository."""
    language = "zh" if source.endswith(f"{CHINESE}.md") else "en"
    address = source.removesuffix(".md").removesuffix(CHINESE).removeprefix("docs/")
    if address == "benchmarks/README":
        return Page(language, "benchmarks")
    folder, _, name = address.rpartition("/")
    if name == "README":  # not "index", which is the name of guides on indexes
        return Page(language, f"{folder}/overview")
    return Page(language, address if "/" in address else address.lower())


def relative(page: Page, target: str) -> str:
    """Return the address of a path of the site, as a link on a page has it."""
    here = PurePosixPath(page.path).parent
    up = len(here.parts)
    common = 0
    parts = PurePosixPath(target).parts
    while common < min(up, len(parts) - 1) and here.parts[common] == parts[common]:
        common += 1
    return "../" * (up - common) + "/".join(parts[common:])


@dataclass(frozen=True)
class Sources:
    """Markdown files of a repository that become pages.

    Attributes:
        root: folder of the repository.
        left_out: pattern of files that get no page: links to them lead to a copy of the file.
    """

    root: Path = ROOT
    left_out: str = ""

    @cached_property
    def pages(self) -> dict[str, Page]:
        """Each Markdown file that becomes a page, by its path in the repository."""
        found = [path.relative_to(self.root).as_posix() for path in sorted((self.root / "docs").rglob("*.md"))]
        return {
            source: page_of(source)
            for source in (*found, *OUTSIDE)
            if not (self.left_out and PurePosixPath(source).match(self.left_out))
        }

    @cached_property
    def anchors(self) -> dict[Page, frozenset[str]]:
        """Anchors that each page gives by hand, as a page in Chinese those of its twin (decision 0227)."""
        texts = {page: (self.root / source).read_text("utf-8") for source, page in self.pages.items()}
        return {page: frozenset(ANCHOR.findall(text)) for page, text in texts.items()}

    def target(self, source: str) -> Page | None:
        """Return the page that a file or folder of the repository has on the site, None if it has none."""
        if source in HOMES:
            return Page(*HOMES[source])
        return self.pages.get(source) or self.pages.get(f"{source}/README.md")


def title(markdown: str) -> str:
    """Return the first heading of a page, without marks.

    Raises:
        ValueError: the page has no heading.
    """
    found = re.search(r"^# (.+)$", markdown, re.MULTILINE)
    if found is None:
        raise ValueError("a page without a heading")
    return found[1].replace("`", "").strip()
