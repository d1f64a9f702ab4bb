"""Covers: the guides show the code of examples/recipes and deploy as it is; every recipe is shown in both languages, and is short
(`make types` checks its types).

Run: pytest tests/docs/test_recipe_pages.py.
"""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDES = ROOT / "docs" / "guide"
RECIPES = sorted((ROOT / "examples" / "recipes").glob("*.py"))


@pytest.fixture(scope="module")
def with_files():
    spec = importlib.util.spec_from_file_location("recipe_pages", ROOT / "tools" / "recipe_pages.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.with_files


@pytest.mark.parametrize("page", sorted(GUIDES.glob("*.md")), ids=lambda page: page.stem)
def test_a_guide_shows_files_as_they_are(page, with_files):
    text = page.read_text("utf-8")
    assert with_files(text) == text, "run python tools/recipe_pages.py"


def test_every_recipe_is_shown_in_both_languages():
    for name in ("recipes.md", "recipes.zh-CN.md"):
        shown = set(re.findall(r"<!-- file: examples/recipes/(\S+) -->", (GUIDES / name).read_text("utf-8")))
        assert shown == {path.name for path in RECIPES}, name


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_a_recipe_is_short(path):
    assert 20 <= len(path.read_text("utf-8").splitlines()) <= 95
