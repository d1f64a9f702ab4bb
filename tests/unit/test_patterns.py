"""Covers: regular expressions of modules, which are compiled when they are used, not when the module is imported.

Run: pytest tests/unit/test_patterns.py.
"""

import ast
import copy
import re
from pathlib import Path

import pytest

import quchong
from quchong.patterns import lazy_pattern

SOURCE = Path(quchong.__file__).parent


def test_a_lazy_pattern_answers_as_the_compiled_one():
    for expression, flags, text in (
        ("[a-z]+", 0, "so it is"),
        (r"(?P<n>\d+)年", 0, "2003年"),
        ("^b$", re.I | re.M, "a\nB"),
    ):
        lazy, compiled = lazy_pattern(expression, flags), re.compile(expression, flags)
        assert [m.groups() for m in lazy.finditer(text)] == [m.groups() for m in compiled.finditer(text)]
        assert lazy.sub("-", text) == compiled.sub("-", text)
        assert (lazy.pattern, lazy.flags, lazy.groupindex) == (compiled.pattern, compiled.flags, compiled.groupindex)
    assert lazy_pattern(rb"\d").search(b"a1") is not None
    assert copy.deepcopy(lazy_pattern("a")).search("ba") and copy.copy(lazy_pattern("a")).search("ba")


def test_a_wrong_expression_is_told_at_its_first_use():
    wrong = lazy_pattern("(")
    with pytest.raises(re.error):
        wrong.search("")


def test_every_expression_of_the_package_compiles():
    wrong = []
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and ast.unparse(node.func) == "lazy_pattern"
                and isinstance(node.args[0], ast.Constant)
            ):
                try:
                    re.compile(node.args[0].value)
                except re.error as error:
                    wrong.append(f"{path}:{node.lineno}: {error}")
    assert not wrong


def test_no_module_compiles_a_pattern_when_it_is_imported():
    found = []
    for path in SOURCE.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        inside = {
            below
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            for below in ast.walk(node)
        }
        found += [
            f"{path}:{node.lineno}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile" and node not in inside
        ]
    assert not found
