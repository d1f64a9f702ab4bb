"""Covers: every method has a page of one form; its tables are those of the code, its example comes out as shown.

Compared against: tools/method_pages.py, the methods themselves. Run: pytest tests/docs/test_method_pages.py.
"""

import doctest
import importlib.util
import re
from pathlib import Path

import pytest

from quchong.candidates.arrivals import can_arrive
from quchong.parameters import parameters_of
from quchong.plan.catalogue import METHODS

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "methods"
SECTIONS = ["Rule", "Parameters", "Promise", "Cost", "Deviations and reconstructions", "Example", "Source"]


@pytest.fixture(scope="module")
def maker():
    spec = importlib.util.spec_from_file_location("method_pages", ROOT / "tools" / "method_pages.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_method_has_a_page_and_every_page_a_method():
    assert {p.stem for p in PAGES.glob("*.md")} == {*METHODS, "README"}


@pytest.mark.parametrize("name", METHODS)
def test_a_page_has_the_one_form(name):
    text = (PAGES / f"{name}.md").read_text("utf-8")
    assert text.startswith(f"# {name}\n")
    found = [title for title in re.findall(r"^## (.+)$", text, re.MULTILINE) if title in SECTIONS]
    assert found == SECTIONS
    bodies = re.split(r"^## .+$", text, flags=re.MULTILINE)
    assert all(len(re.sub(r"<!--.*?-->", "", body).strip()) > 10 for body in bodies)


@pytest.mark.parametrize("name", [*METHODS, "README"])
def test_what_is_made_is_up_to_date(name, maker):
    path = PAGES / f"{name}.md"
    assert path.read_text("utf-8") == maker.filled(path), "run python tools/method_pages.py"


@pytest.mark.parametrize("name", ["index.md", "index.zh-CN.md"])
def test_the_guide_says_of_every_method_whether_an_index_has_it(name, maker):
    text = (ROOT / "docs" / "guide" / name).read_text("utf-8")
    assert text == maker.filled(ROOT / "docs" / "guide" / name), "run python tools/method_pages.py"
    said = dict(re.findall(r"^\| \[`([^`]+)`\]\(\S+\) \| (\S+) \|", text, re.MULTILINE))
    yes = "yes" if name == "index.md" else "有"
    assert {method: word == yes for method, word in said.items()} == {
        method: can_arrive(kind().candidates) for method, kind in METHODS.items()
    }


def test_reasons_are_those_of_methods_that_an_index_does_not_have(maker):
    assert set(maker.WHY_NOT) == {name for name, kind in METHODS.items() if not can_arrive(kind().candidates)}


@pytest.mark.parametrize("name", METHODS)
def test_every_parameter_has_a_meaning(name, maker):
    table = maker.parameters(name, METHODS[name]).splitlines()[2:]
    assert len(table) == len(parameters_of(METHODS[name]))
    assert [line for line in table if line.endswith("|  |")] == []


@pytest.mark.parametrize("name", METHODS)
def test_the_example_comes_out_as_shown(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    (block,) = re.findall(r"```python\n(.*?)```", (PAGES / f"{name}.md").read_text("utf-8"), re.DOTALL)
    example = doctest.DocTestParser().get_doctest(block, {}, name, None, 0)
    said = []
    failed, tried = doctest.DocTestRunner().run(example, out=said.append)
    assert tried >= 2 and failed == 0, "".join(said)
