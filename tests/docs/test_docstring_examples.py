"""Covers: the examples in docstrings of the sources, which run as they stand."""

import doctest
import importlib
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2] / "src" / "quchong"

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def modules(folder):
    for path in sorted(folder.rglob("*.py")):
        if ">>> " in path.read_text(encoding="utf-8"):
            parts = path.relative_to(folder.parent).with_suffix("").parts
            yield ".".join(part for part in parts if part != "__init__")


def failures(module):
    """What the failing examples of a module print, and how many examples there are."""
    said, tried = [], 0
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for case in doctest.DocTestFinder(exclude_empty=True).find(module, module.__name__):
        tried += len(case.examples)
        runner.run(case, out=said.append)
    return "".join(said), tried


@pytest.mark.parametrize("name", list(modules(SOURCES)))
def test_examples_of_docstrings_run(name):
    said, tried = failures(importlib.import_module(name))
    assert not said, said
    assert tried


def test_an_example_that_fails_is_found():
    module = type(doctest)("sample", "A module.\n\n>>> 1 + 1\n3\n")
    said, tried = failures(module)
    assert tried == 1
    assert "Expected:" in said
