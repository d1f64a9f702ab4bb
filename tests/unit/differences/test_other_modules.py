"""Covers: quchong.differences.other_modules and source_code: short modules told apart by what they say of their own. Compared against: pairs
made here after removals that were read (docs/results/python-files.md).

Run: pytest tests/unit/differences/test_other_modules.py
"""

import pytest

import quchong as qc
from quchong.differences.source_code import may_be_code, read_code

LICENCE = (
    "# Copyright (c) 2010 the makers of rowan\n# Licensed under the terms of the MIT licence, see the file LICENCE\n"
)
TEST = """import pathlib
from tempfile import TemporaryDirectory

import pytest

from rowan.running import run_for_testing


def test_notebook():
    book = pathlib.Path(__file__).parent / "data/{0}_01.ipynb"
    with TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "out.ipynb")
        run_for_testing(
            ["rowan", "convert", "--to", "notebook", "--execute", "--timeout=500", "--output", str(out), str(book)],
            check=True,
        )
        with out.open() as file:
            found = rowan.read(file, rowan.current_version)
    errors = [one for cell in found.cells for one in cell.outputs if one.kind == "error"]
    assert not errors
    assert found.cells[2]["outputs"][0]["data"]["text/plain"] == "{0}"
"""
TABLE = """# The format of dates in this language.
DATE_FORMAT = "{0} F Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "{0} F Y H:i"
YEAR_MONTH_FORMAT = "F Y"
MONTH_DAY_FORMAT = "{0} F"
SHORT_DATE_FORMAT = "{1}"
DECIMAL_SEPARATOR = ","
THOUSAND_SEPARATOR = "."
"""
SHIM = """from rowan._lib.deprecation import _deprecated

__all__ = [{0}]


def __dir__():
    return __all__


def __getattr__(name):
    if name not in __all__:
        raise AttributeError("rowan.models has no attribute " + name)
    return getattr(_models, name)
"""
ENTRY = 'import sys\n\nfrom {0} import {1}\n\nif __name__ == "__main__":\n    sys.exit({1}())\n'
SUITE = LICENCE + '\n"""\nTests for the package {0}.\n"""\n'
SMALL = LICENCE + "\nimport pytest\n\npytestmark = pytest.mark.{0}\n"
LARGE = SMALL.format("parquet") + "".join(
    f"\n\ndef test_{name}(place):\n    table = made_of({name!r}, rows=10)\n    write_table(table, place)\n    assert read_table(place) == table\n"
    for name in ("alder", "birch", "hazel", "maple", "rowan", "spruce", "willow")
)


def relation(left, right):
    return qc.compare(left, right).relation


OTHERS = {
    "literals of a test": (TEST.format("nbagg"), TEST.format("inline")),
    "a table of formats": (TABLE.format("j.", "d.m.Y"), TABLE.format("j", "Y/m/d")),
    "exports of a shim": (SHIM.format('"Model", "linear", "quadratic"'), SHIM.format('"Model", "Data", "Output"')),
    "an entry point": (ENTRY.format("rowan.tools", "main"), ENTRY.format("rowan.tools.merge", "main")),
    "an entry point by another name": (ENTRY.format(".cli", "main"), ENTRY.format(".cli", "run")),
    "documentation alone": (SUITE.format("rowan"), SUITE.format("rowan.trees")),
    "a licence, and one with an import": (LICENCE, LICENCE + "\nfrom .sheets import Sheet\n"),
    "one mark beside a licence": (SMALL.format("parquet"), LARGE),
    "a class of one line": ("from .base import Table\n\n\nclass table_IFT(Table):\n    pass\n", "from .base import Table\n\n\nclass table_IFTX(Table):\n    pass\n"),
    "one figure": ("import rowan\n\nrowan.grow(trees=12, years=40, name='alder')\n", "import rowan\n\nrowan.grow(trees=12, years=75, name='alder')\n"),
}  # fmt: skip
COPIES = {
    "vendored": (TEST.format("nbagg"), TEST.format("nbagg").replace("rowan.running", "lib._vendor.rowan.running")),
    "a path in a string": (
        TEST.format("rowan.trees"), TEST.format("rowan.trees").replace('"rowan.trees"', '"lib._vendor.rowan.trees"'),
    ),
    "other names within": (TEST.format("nbagg"), TEST.format("nbagg").replace("folder", "directory")),
    "an entry point, vendored": (ENTRY.format("rowan.tools", "main"), ENTRY.format("lib._vendor.rowan.tools", "main")),
    "a setting of the language": (SHIM.format('"Model"'), "from __future__ import annotations\n" + SHIM.format('"Model"')),
}  # fmt: skip


@pytest.mark.parametrize(("left", "right"), OTHERS.values(), ids=list(OTHERS))
def test_a_short_module_that_says_another_thing_is_no_copy(left, right):
    assert relation(left, right) not in ("exact", "duplicate", "contained_in", "contains")
    assert relation(right, left) not in ("exact", "duplicate", "contained_in", "contains")
    assert len(qc.dedup([left, right]).kept) == 2


@pytest.mark.parametrize(("left", "right"), COPIES.values(), ids=list(COPIES))
def test_a_vendored_copy_or_a_version_of_a_short_module_is_one(left, right):
    assert relation(left, right) in ("exact", "duplicate", "contained_in", "contains")


def test_the_difference_is_shown_at_the_literal():
    result = qc.compare(*OTHERS["literals of a test"])
    told = [(d.kind, d.left, d.right) for d in result.differences if d.conflict]
    assert ("code", "nbagg", "inline") in told


def test_in_a_long_module_another_literal_is_a_version():
    body = "".join(
        f"\n\ndef tree_{k}(place):\n    wood = grown(place, {k})\n    return wood.height + {k}\n" for k in range(40)
    )
    long = "import rowan\n\nGREETING = 'good morning'\n" + body
    assert relation(long, long.replace("good morning", "see you soon")) == "duplicate"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "从娃娃抓起，象是一句话。",
        "#话题# 转发微博\n@张三 你看（图）\n",
        "The lamps import light = warm.\nFrom here on nothing is code, and no line ends as code does\nIt goes on\n",
        "Dear Ann,\n\nthe class of 1999 met in the hall\n\nimport duties rose last year\n\nYours\n",
    ],
)
def test_prose_is_no_source_code(text):
    assert read_code(text) is None


def test_what_a_module_says():
    code = read_code(
        '"""Lamps."""\nfrom __future__ import annotations\nfrom .lamps import (\n    a,  # one\n    b as c,\n)\nimport os.path\n\nX = {"red": 1.5}  # noqa\n'
    )
    assert code.imports == (".lamps.a", ".lamps.b", "os.path")
    assert [literal for _, _, literal in code.literals] == ["red", "1.5"]
    assert code.documentation == ["Lamps"]
    assert not read_code("# Copyright 2026\n").states
    assert may_be_code("from .models import one  # noqa: F401\n")


@pytest.mark.parametrize(
    "line",
    [
        "import { lookup } from 'rowan/base';",
        "const rowan = require('rowan');",
        "#include <rowan.h>",
        "use rowan::base::{a, b};",
        "package org.rowan;",
    ],
)
def test_imports_of_other_languages_are_nothing_of_its_own(line):
    code = read_code(f"// Lamps\n{line}\n")
    assert code.words == 0
    assert len(code.imports) == 1
