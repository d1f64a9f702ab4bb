"""The pages of both languages, written as Sphinx reads them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from links import Links
from navigation import with_navigation
from pages import LANGUAGES, Page, Sources

Maker = Callable[[Links], Mapping[Page, str]]
"""What makes pages that no file has."""


def staged(sources: Sources, made: Mapping[Page, str]) -> tuple[dict[Page, str], Links]:
    """Return all pages of both languages with the links of the site, and the links, which know the files to copy."""
    links = Links(sources, frozenset(made))
    pages = {
        page: links.rewritten((sources.root / source).read_text("utf-8"), source, page)
        for source, page in sources.pages.items()
    }
    return pages | dict(made), links


def write_sources(pages: Mapping[Page, str], folder: Path) -> None:
    """Write the pages, a folder for each language, with their navigation. What the folder had before is removed."""
    for language in LANGUAGES:
        below = folder / language
        shutil.rmtree(below, ignore_errors=True)
        own = {page.address: text for page, text in pages.items() if page.language == language}
        for address, text in with_navigation(own, language).items():
            path = below / f"{address}.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")


def copy_files(files: Iterable[str], root: Path, folder: Path) -> None:
    """Copy the files of the repository that pages link to."""
    for name in files:
        copied = folder / "files" / name
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / name, copied)
