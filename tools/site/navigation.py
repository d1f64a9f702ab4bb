"""Navigation of the site: the groups of pages at its left, in both languages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

GROUPS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("Begin", "入门", ("guide/start", "recording", "live", "guide/dedup")),
    (
        "By task",
        "按任务",
        (
            "guide/training",
            "guide/monitor",
            "guide/crawler",
            "guide/posts",
            "guide/pages",
            "guide/passages",
            "guide/review",
            "guide/scale",
        ),
    ),
    ("Guides", "指南", ("guide/*",)),
    ("Results", "结果", ("relations", "guide/run-folder", "guide/report", "guide/chains", "guide/evaluation")),
    ("Methods", "方法", ("methods/overview",)),
    ("Python", "Python 接口", ("api/overview",)),
    ("Reference", "参考", ("glossary", "papers", "index-format", "changelog", "security")),
    ("How good, how fast", "效果与速度", ("charts", "results/overview", "benchmarks")),
    ("Inside", "内部", ("architecture", "testing", "contributing", "decisions/overview", "*")),
)
"""English and Chinese title of each group, and its pages: addresses, or a pattern for those that no other group names."""
BELOW = {
    "api/overview": "api/",
    "methods/overview": "methods/",
    "results/overview": "results/",
    "decisions/overview": "decisions/",
}
"""Pages that have the other pages of their folder below them."""
FLAT = ("decisions/",)
"""Folders whose pages are too many for the navigation: the overview lists them."""


def grouped(addresses: Iterable[str]) -> list[tuple[str, str, list[str]]]:
    """Sort pages into the groups; a group without a page is left out.

    Returns:
        English title, Chinese title and addresses of each group. Every address but the home and those below another page is in exactly one.
    """
    left = [
        a for a in addresses if a != "index" and not any(a.startswith(f) and a != page for page, f in BELOW.items())
    ]
    named = {a for *_, pages in GROUPS for a in pages if "*" not in a}
    groups = []
    for english, chinese, pages in GROUPS:
        found: list[str] = []
        for one in pages:
            if one == "*":
                found += [a for a in left if a not in named]
            elif one.endswith("*"):
                found += [a for a in left if a.startswith(one[:-1]) and a not in named]
            elif one in left:
                found.append(one)
        left = [a for a in left if a not in found]
        if found:
            groups.append((english, chinese, found))
    return groups


def toctree(addresses: Iterable[str], caption: str = "") -> str:
    """Return a hidden table of contents, as MyST writes it."""
    head = f":caption: {caption}\n" if caption else ""
    entries = "\n".join(f"/{a}" for a in addresses)
    return f"\n```{{toctree}}\n:hidden:\n:titlesonly:\n{head}\n{entries}\n```\n"


def with_navigation(pages: Mapping[str, str], language: str) -> dict[str, str]:
    """Return the pages of a language, each by its address, with the tables of contents of the home and of overviews."""
    filled = dict(pages)
    for english, chinese, addresses in grouped(pages):
        filled["index"] += toctree(addresses, chinese if language == "zh" else english)
    for page, folder in BELOW.items():
        below = [a for a in pages if a.startswith(folder) and a != page]
        if page not in pages or not below:
            continue
        if folder in FLAT:
            filled |= {a: f"---\norphan: true\n---\n{pages[a]}" for a in below}
        else:
            filled[page] += toctree(below)
    return filled
