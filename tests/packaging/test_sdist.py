"""Covers: the source archive: all that a build needs, nothing else; what CMake says without a compiler.

Run: pytest tests/packaging/test_sdist.py. Nothing is compiled: `make wheels` does that (docs/testing.md).
"""

import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILT_FROM = ("cpp", "src", "share")
TOP = {
    "CMakeLists.txt",
    "pyproject.toml",
    "PKG-INFO",
    "LICENSE",
    "NOTICE",
    "README.md",
    "README.zh-CN.md",
    "CHANGELOG.md",
    "CITATION.cff",
    "SECURITY.md",
}


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """The source archive, made as pip and twine make it."""
    out = tmp_path_factory.mktemp("sdist")
    code = "import sys; from scikit_build_core.build import build_sdist; print(build_sdist(sys.argv[1]))"
    done = subprocess.run([sys.executable, "-c", code, out], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (made,) = out.iterdir()
    with tarfile.open(made) as opened:
        opened.extractall(out / "taken", filter="data")
    (folder,) = (out / "taken").iterdir()
    return folder


def files_below(folder):
    return {
        str(one.relative_to(folder)) for one in folder.rglob("*") if one.is_file() and "__pycache__" not in one.parts
    }


def test_it_has_every_file_of_the_source_as_it_is(archive):
    for name in BUILT_FROM:
        there = {one for one in files_below(ROOT / name) if not one.endswith(".so")}
        assert len(there) > 3 and there == files_below(archive / name), name
        assert all((archive / name / one).read_bytes() == (ROOT / name / one).read_bytes() for one in there), name


def test_it_has_nothing_else(archive):
    assert {one.name for one in archive.iterdir()} == {*TOP, *BUILT_FROM}


def test_it_has_what_the_build_file_and_the_metadata_name(archive):
    text = (archive / "CMakeLists.txt").read_text("utf-8")
    named = set(re.findall(r"\bcpp/[\w/]+\.\w+", text))
    assert len(named) > 5 and all((archive / one).is_file() for one in named)
    licences = re.search(r"license-files = \[(.*)\]", (archive / "pyproject.toml").read_text("utf-8"))[1]
    assert all((archive / one).is_file() for one in re.findall(r'"([^"]+)"', licences))


def test_without_a_compiler_one_line_says_what_to_do(archive, tmp_path):
    cmake = shutil.which("cmake", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("sh", "uname", "env"):
        (tools / name).symlink_to(shutil.which(name))
    maker = tools / "ninja"
    maker.write_text("#!/bin/sh\necho 1.13.0\n", "utf-8")  # asked for its version only: there is nothing to build
    maker.chmod(0o755)
    done = subprocess.run(
        [cmake, "-S", archive, "-B", tmp_path / "build", "-G", "Ninja"],
        env={"PATH": str(tools)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    (told,) = [line for line in done.stderr.splitlines() if "quchong:" in line]
    assert "no wheel fits" in told and "apt-get install g++" in told and "3.11" in told
    assert "enable_language" not in done.stderr
