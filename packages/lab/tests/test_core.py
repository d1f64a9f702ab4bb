"""Covers: the package of experiments beside quchong, in short: every module is imported, an experiment runs by the command, in both languages,
and the installed package is whole. `make test` runs this; `make lab` runs all tests of the package.
"""

import importlib
import importlib.metadata
import json
import os
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import quchong_lab
from quchong_lab import EXPERIMENTS, experiment

PACKAGE = Path(__file__).parents[1]
SOURCE = PACKAGE / "src" / "quchong_lab"


def lab(*argv, **environment):
    command = [sys.executable, "-m", "quchong.cli.main", "lab", *argv]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=300, env={**os.environ, **environment}
    )


def test_every_module_is_imported_and_every_experiment_found():
    names = [found.name for found in pkgutil.walk_packages(quchong_lab.__path__, "quchong_lab.")]
    assert len(names) > 40
    for name in names:
        importlib.import_module(name)
    assert [experiment(name).name for name in EXPERIMENTS] == list(EXPERIMENTS)


def test_an_experiment_runs_by_the_command_and_is_shown(tmp_path):
    name = "short-text/bloom-memory"
    ran = lab("run", name, "--scale", "quick", "-o", str(tmp_path))
    assert ran.returncode == 0 and "the paper says" in ran.stdout, ran.stderr
    assert {path.name for path in (tmp_path / name).iterdir()} >= {"table.csv", "table.md", "plot.svg", "run.json"}
    assert json.loads((tmp_path / name / "run.json").read_text("utf-8"))["experiment"] == name
    shown = lab("show", name, "-o", str(tmp_path))
    assert shown.returncode == 0 and "scale quick, seed 1" in shown.stdout


def test_a_page_corpus_is_made():
    from quchong_lab.web.pages import WebRecipe, web_corpus

    made = web_corpus(WebRecipe(pages=20, seed=3))
    assert len(made.pages) == 20 and made.pages.equals(web_corpus(WebRecipe(pages=20, seed=3)).pages)


def test_the_command_speaks_chinese():
    listed = lab("list", QUCHONG_LANG="zh", COLUMNS="160")
    assert listed.returncode == 0 and "布隆过滤器和数字树的用时" in listed.stdout
    wrong = lab("run", "short-text/none", QUCHONG_LANG="zh")
    assert wrong.returncode == 2 and "没有实验" in wrong.stderr
    absent = lab("gather", ".", "-o", "page.md", QUCHONG_LANG="zh")
    assert absent.returncode == 3 and "里没有实验的运行结果" in absent.stderr


def test_the_installed_package_is_whole():
    try:
        listed = importlib.metadata.files("quchong-lab") or ()
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("the source tree is imported, not an installed package")
    installed = {str(one): one for one in listed}
    data = [one for one in SOURCE.rglob("*") if one.is_file() and "__pycache__" not in one.parts]
    assert len(data) > 60
    for one in data:
        found = installed.get(f"quchong_lab/{one.relative_to(SOURCE).as_posix()}")
        assert found is not None and found.locate().read_bytes() == one.read_bytes(), f"install it again: {one}"
