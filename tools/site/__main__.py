"""Builds the site of the documentation in English and Chinese.

    python tools/site                       into build/site; any warning is an error
    python tools/site --out FOLDER          into another folder
    python tools/site --part                without the decisions, and with one command in a terminal: what tests build

Sources are the Markdown files of docs/ (decision 0227). Open index.html of the folder: no server is needed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from chart_list import chart_pages, with_charts
from live import live_pages, with_live_links, write_reports
from methods import chinese_pages, with_picture
from pages import LANGUAGES, ROOT, Page, Sources
from reference import reference_pages
from staging import copy_files, staged, write_sources

from quchong.plan.catalogue import METHODS

HERE = Path(__file__).parent


def build(language: str, sources: Path, out: Path, others: frozenset[str], jobs: int) -> None:
    """Build the pages of a language anew. Pages of an earlier build are removed.

    Raises:
        SystemExit: Sphinx warned of something.
    """
    environment = os.environ | {
        "QUCHONG_SITE": language,
        "QUCHONG_SITE_OTHER": " ".join(sorted(others)),
        "QUCHONG_LANG": language,
    }
    if (out / language / ".buildinfo").exists():  # of Sphinx, and so of an earlier build
        shutil.rmtree(out / language)
    command = [
        sys.executable, "-m", "sphinx", "-b", "html", "-E", "-q", "-W", "--keep-going", "-j", str(jobs), "-c", str(HERE),
        "-d", str(sources / "doctrees" / language),
        str(sources / language), str(out / language),
    ]  # fmt: skip
    done = subprocess.run(command, env=environment, check=False)
    if done.returncode:
        sys.exit(f"the pages in {language} have warnings")


def main() -> None:
    """Read the arguments and build the site."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    arguments.add_argument("--out", type=Path, default=ROOT / "build" / "site", help="folder of the site")
    arguments.add_argument(
        "--work", type=Path, default=ROOT / "build" / "site-work", help="folder of what Sphinx reads"
    )
    arguments.add_argument("--jobs", type=int, default=2, help="processes")
    arguments.add_argument(
        "--language", choices=LANGUAGES, action="append", help="build the pages of this language alone"
    )
    arguments.add_argument(
        "--part", action="store_true", help="leave out the decisions and most of the session in a terminal"
    )
    given = arguments.parse_args()
    sources = Sources(left_out="docs/decisions/0*.md") if given.part else Sources()
    made = reference_pages() | chinese_pages() | chart_pages() | live_pages(1 if given.part else None)
    pages, links = staged(sources, made)
    for name in METHODS:
        page = Page("en", f"methods/{name}")
        pages[page] = with_picture(pages[page], name)
    for source, page in sources.pages.items():
        pages[page] = with_charts(pages[page], source)
    for language in LANGUAGES:
        pages[Page(language, "index")] = with_live_links(pages[Page(language, "index")], language)
    write_sources(pages, given.work)
    for language in given.language or LANGUAGES:
        others = frozenset(page.address for page in pages if page.language != language)
        build(language, given.work, given.out, others, given.jobs)
    (given.out / "index.html").write_text((HERE / "templates" / "choice.html").read_text("utf-8"), "utf-8")
    write_reports(given.out / "files")
    copy_files(links.files, sources.root, given.out)


if __name__ == "__main__":
    main()
