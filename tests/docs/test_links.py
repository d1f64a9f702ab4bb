"""Covers: links between the pages of docs, README and the others lead to a file, and to a heading where one is named.

Run: pytest tests/docs/test_links.py.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [*sorted((ROOT / "docs").rglob("*.md")), *sorted(ROOT.glob("*.md"))]
LINK = re.compile(r"\]\(([^)\s]+)\)")


def headings(path):
    """The anchors of a page: headings as GitHub names them, and ids given by hand, by which a page in Chinese has the anchors of its twin."""
    text = path.read_text("utf-8")
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return set(re.findall(r'^<a id="([\w-]+)"></a>$', text, re.MULTILINE)) | {
        re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    for link in LINK.findall(text):
        if "://" in link:
            continue
        file, _, heading = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), link
        assert not heading or heading in headings(target), link


GUIDES = [
    *sorted((ROOT / "docs" / "guide").glob("*.md")),
    *(ROOT / "docs" / name for name in ("promises.md", "relations.md")),
]


@pytest.mark.parametrize(
    "page", [page for page in GUIDES if not page.name.endswith(".zh-CN.md")], ids=lambda page: page.stem
)
def test_a_guide_is_there_in_both_languages_and_leads_to_its_twin(page):
    twin = page.with_name(f"{page.stem}.zh-CN.md")
    for one, other in ((page, twin), (twin, page)):
        assert f"]({other.name})" in "\n".join(one.read_text("utf-8").splitlines()[:5]), one
