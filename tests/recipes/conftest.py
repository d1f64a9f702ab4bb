"""A folder for a recipe with its code and the examples, the process that runs it there, and its module."""

import importlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NEWS = [json.loads(line) for line in (ROOT / "examples" / "news.jsonl").read_text("utf-8").splitlines()]


@pytest.fixture
def desk(tmp_path):
    """A fresh folder, as a user has it, with the recipes in it."""
    for path in (ROOT / "examples" / "recipes").glob("*.py"):
        shutil.copy(path, tmp_path)
    return tmp_path


@pytest.fixture
def run(desk):
    """Runs a recipe in its folder with lines on standard input; returns the lines that it prints."""

    def run(*words, given=(), warnings="error"):
        command = [sys.executable, "-W", warnings, *map(str, words)]
        lines = "".join(
            line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) + "\n" for line in given
        )
        done = subprocess.run(command, cwd=desk, input=lines, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return run


@pytest.fixture
def news():
    """The example news."""
    return [dict(row) for row in NEWS]


@pytest.fixture
def recipe(desk, monkeypatch):
    """Imports a recipe from its folder."""
    monkeypatch.syspath_prepend(str(desk))

    def load(name):
        for one in ("atom_feed", name):
            sys.modules.pop(one, None)
        return importlib.import_module(name)

    yield load
    for path in desk.glob("*.py"):
        sys.modules.pop(path.stem, None)
