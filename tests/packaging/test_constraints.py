"""Covers: constraints/: the lowest and newest versions of dependencies are those of the ranges in pyproject.toml.

Run: pytest tests/packaging/test_constraints.py.
"""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[2]


def requirements():
    """The dependencies of the package and of its extras that a Linux machine has, one for each name and range."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    given = [*project["dependencies"], *(one for extra in project["optional-dependencies"].values() for one in extra)]
    return [Requirement(one) for one in given]


def pinned(name):
    lines = (ROOT / "constraints" / name).read_text("utf-8").splitlines()
    found = [re.fullmatch(r"([\w.-]+)==(\S+)( ;.*)?", line) for line in lines if not line.startswith("#")]
    assert len(found) > 20 and all(found)
    return {canonicalize_name(one[1]): Version(one[2]) for one in found}


@pytest.mark.parametrize("name", ["lowest.txt", "newest.txt"])
def test_every_dependency_has_a_version_in_its_range(name):
    versions = pinned(name)
    for one in requirements():
        assert versions[canonicalize_name(one.name)] in one.specifier, one


def test_the_lowest_is_the_first_of_its_range():
    versions = pinned("lowest.txt")
    for one in requirements():
        (least,) = (Version(part.version) for part in one.specifier if part.operator == ">=")
        found = versions[canonicalize_name(one.name)]
        assert found.release[: len(least.release)] == least.release, f"{one}: {found}"  # 1.0.2 began as 1.0.2.20240713


def test_the_newest_is_newer_than_the_lowest():
    lowest, newest = pinned("lowest.txt"), pinned("newest.txt")
    names = {canonicalize_name(one.name) for one in requirements()}
    assert all(lowest[name] <= newest[name] for name in names)
    assert sum(lowest[name] < newest[name] for name in names) > len(names) / 2
