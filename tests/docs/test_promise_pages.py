"""Covers: the pages on promises: every promise names tests that are there, and both languages name the same.

Run: pytest tests/docs/test_promise_pages.py.
"""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "docs" / name for name in ("promises.md", "promises.zh-CN.md")]


def promises(page):
    """For each section but the last, the tests that it names: file and function."""
    found = []
    for section in page.read_text("utf-8").split("\n## ")[1:]:
        parts = re.split(r"\]\(\.\./(tests/[\w/]+\.py)\)", section)
        found.append(
            [
                (file, test)
                for file, text in zip(parts[1::2], parts[2::2], strict=True)
                for test in re.findall(r"`(test_\w+)`", text)
            ]
        )
    return found


def test_every_promise_names_tests_that_are_there():
    *given, last = promises(PAGES[0])
    assert len(given) == 10 and all(given) and not last
    for file, test in (one for tests in given for one in tests):
        assert re.search(rf"^def {test}\(", (ROOT / file).read_text("utf-8"), re.MULTILINE), (file, test)


def test_both_languages_make_the_same_promises():
    assert promises(PAGES[0]) == promises(PAGES[1])
