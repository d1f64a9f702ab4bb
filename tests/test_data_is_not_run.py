"""Covers: nothing that is read is ever run. The sources neither unpickle nor evaluate anything, and import by name only what they name.

PySpark moves our own functions to its workers by its own pickle, from one process of ours to another: that is Spark's transport, in
PySpark's code. What runs read, from inputs, run folders and kept work, is never unpickled there either, and the sources of
`engines/spark` are held to the same list.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "quchong"
LAB = ROOT / "packages" / "lab" / "src"
MODULES = sorted([*SOURCES.rglob("*.py"), *LAB.rglob("*.py")])

FORBIDDEN_MODULES = {
    "pickle", "_pickle", "cPickle", "cloudpickle", "dill", "joblib", "marshal", "shelve", "dbm", "yaml", "jsonpickle", "runpy", "code", "codeop",
    "imp", "pkgutil",
}  # fmt: skip
"""Modules that make objects of, or run, what a file holds; none is imported anywhere."""
FORBIDDEN_CALLS = {"eval", "exec", "compile", "__import__", "input"}
"""Builtins that run text; as names, so that `re.compile` and `torch.eval` are none of them."""
FORBIDDEN_ATTRIBUTES = {
    "read_pickle", "to_pickle", "unpickle", "load_module", "exec_module", "spec_from_file_location", "literal_eval", "system", "popen",
    "deserialize_pandas", "find_class",
}  # fmt: skip
IMPORTS_BY_NAME = {
    "__init__.py": ["'quchong.methods'"],
    "api/__init__.py": ["f'quchong.{_HOME[name]}'"],  # _HOME: the names this package offers
    "cli/doctor_packages.py": ["MODULES[wanted.name]"],  # MODULES: the packages that quchong and its extras need
    "cli/main.py": ["name"],  # after `cmd_name in COMMANDS`: of that table, or of PACKAGES
    "cli/meant_options.py": ["f'quchong.cli.{command}'"],  # of the callers: names of commands that stand in the sources
    "cli/methods.py": ["f'quchong.cli.{place}'"],  # of a tuple in that function
    "engines/index/stored_texts.py": ["name"],  # of _LASTING: modules of Zstandard
    "methods/__init__.py": ["f'{__name__}.{_MODULES[name]}'"],  # _MODULES: the methods by name
    "results/hugging_face.py": ["'datasets'"],
    "quchong_lab/catalogue.py": ["module"],  # of the table of experiments
}
"""Where a module is imported by a name that is put together, and of what: tables that stand in the sources."""
ENTRY_POINTS = {"plan/plugin_methods.py"}
"""Where methods of installed packages are loaded, by the metadata that pip wrote: the user has installed them."""


def place(path):
    """The path below its source folder, with the package for those of packages/."""
    return path.relative_to(SOURCES if path.is_relative_to(SOURCES) else LAB).as_posix()


def tree(path):
    return ast.parse(path.read_text("utf-8"), str(path))


def called(node):
    """The name that is called, without what it is an attribute of."""
    return (
        node.func.id
        if isinstance(node.func, ast.Name)
        else node.func.attr
        if isinstance(node.func, ast.Attribute)
        else ""
    )


LIBRARIES = {"text/words.py": ["exec_module"], "quchong_lab/further.py": ["spec_from_file_location", "exec_module"]}
"""Sources that load a compiled module of an installed library themselves, where importing its package does more than that, or a file of
a method that the user names to be run."""


def faults(source):
    """What a source does that no source may."""
    found = []
    for node in ast.walk(source):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names if alias.name.split(".")[0] in FORBIDDEN_MODULES]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            module = (node.module or "").split(".")[0]
            found += [node.module] if module in FORBIDDEN_MODULES else []
            found += [f"{node.module}.{alias.name}" for alias in node.names if alias.name in FORBIDDEN_ATTRIBUTES]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_CALLS:
            found.append(node.func.id)
        elif isinstance(node, ast.Attribute) and node.attr in FORBIDDEN_ATTRIBUTES:
            found.append(node.attr)
        elif isinstance(node, ast.keyword) and node.arg in {"allow_pickle", "shell"}:
            if not (isinstance(node.value, ast.Constant) and node.value.value is False):
                found.append(node.arg)
        elif isinstance(node, ast.Call) and called(node) in {"load", "loadtxt", "memmap", "fromfile"}:
            of = (
                node.func.value.id
                if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name)
                else ""
            )
            if of in {"np", "numpy"} and not any(one.arg == "allow_pickle" for one in node.keywords):
                found.append(f"{of}.{called(node)}")
    return found


@pytest.mark.parametrize("path", MODULES, ids=place)
def test_no_source_unpickles_or_evaluates(path):
    assert faults(tree(path)) == LIBRARIES.get(place(path), [])


def test_modules_are_imported_by_names_that_stand_in_the_sources():
    found = {}
    for path in MODULES:
        names = [
            ast.unparse(node.args[0]) for node in ast.walk(tree(path)) if isinstance(node, ast.Call) and called(node) == "import_module"
        ]  # fmt: skip
        if names:
            found[place(path)] = names
    assert found == IMPORTS_BY_NAME


def test_entry_points_are_loaded_in_one_place():
    found = {place(path) for path in MODULES if "entry_points" in path.read_text("utf-8")}
    assert found == ENTRY_POINTS


@pytest.mark.parametrize(
    "code",
    [
        "import pickle", "from pickle import loads", "import cloudpickle as c", "from joblib import load", "import yaml", "import os\nos.system('x')",
        "eval('1')", "exec('x=1')", "__import__('os')", "import numpy as np\nnp.load('x')", "np.load('x', allow_pickle=True)",
        "import pandas as pd\npd.read_pickle('x')", "subprocess.run('x', shell=True)", "from ast import literal_eval", "compile('x', '', 'eval')",
    ],
)  # fmt: skip
def test_each_of_these_would_be_found(code):
    assert faults(ast.parse(code))


def test_usual_code_is_not_found():
    code = "import re, json\nre.compile('a')\njson.load(f)\nnp.load('x', allow_pickle=False)\nself.eval()\nsubprocess.run(['x'], shell=False)"
    assert faults(ast.parse(code)) == []
