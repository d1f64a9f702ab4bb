"""Covers: the names for authors of methods. Compared against: what docs/guide/methods.md imports and shows."""

import ast
import inspect
import re
from pathlib import Path

from method_package import CODE, PAGE, PROJECT

from quchong import author


def imported(code):
    """Names by module of quchong."""
    found = {}
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "quchong":
            found.setdefault(node.module, set()).update(one.name for one in node.names)
        elif isinstance(node, ast.Import):
            assert not any(one.name.split(".")[0] == "quchong" for one in node.names)
    return found


def test_the_guide_imports_from_here_alone():
    found = imported(CODE)
    assert set(found) == {"quchong.author"} and found["quchong.author"] <= set(author.__all__)
    elsewhere = set(re.findall(r"`(quchong\.[a-z_.]+)", PAGE)) - {"quchong.author", "quchong.methods"}
    assert elsewhere == {"quchong.seam."}, "the guide names rooms that may move"


def test_the_guide_in_chinese_shows_the_same_package():
    page = (Path(__file__).parents[2] / "docs" / "guide" / "methods.zh-CN.md").read_text("utf-8")
    assert re.findall(r"```\w+\n(.*?)```", page, re.DOTALL) == [CODE, PROJECT]


def test_every_name_is_there_and_documented():
    assert author.__all__ == sorted(author.__all__)
    for name in author.__all__:
        assert inspect.getdoc(getattr(author, name)), name
    public = {name for name in vars(author) if not name.startswith("_")} - {"annotations"}
    assert public == set(author.__all__)


def test_the_names_of_joins_are_all_kinds_of_candidates():
    from typing import get_args

    from quchong.seam import Join

    assert {kind.__name__ for kind in get_args(Join)} <= set(author.__all__)
