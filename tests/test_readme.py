"""Covers: what README and the guides show is what comes out.

A command behind `$ ` in a `console` block is run, in a folder with the examples in it; what stands below it is what it prints,
up to a line `...`. Python blocks are run too. Other command lines are held to the options there are.

Run: pytest tests/test_readme.py.
"""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from quchong.cli.main import COMMANDS

ROOT = Path(__file__).parents[1]
GUIDES = sorted((ROOT / "docs" / "guide").glob("*.md"))
PAGES = [ROOT / "README.md", *GUIDES]
TEXT = {page: page.read_text("utf-8") for page in PAGES}
EVERYWHERE = "\n".join(TEXT.values()) + "".join(
    p.read_text("utf-8") for p in [*(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "methods").glob("*.md")]
)


def blocks(page, language):
    """The fenced blocks of a page in a language."""
    return re.findall(rf"```{language}\n(.*?)```", TEXT[page], re.DOTALL)


def named(pages):
    return [pytest.param(page, id=page.stem) for page in pages]


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder with the examples, where `quchong` is a command."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    command = tmp_path / "bin" / "quchong"
    command.parent.mkdir()
    code = shlex.quote("from quchong.cli.main import main; main()")
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c {code} "$@"\n', "utf-8")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{command.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shell(line):
    """What a command prints."""
    done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (line, done.stderr)
    return done.stdout


@pytest.mark.parametrize("page", named(p for p in PAGES if "```console" in TEXT[p]))
def test_commands_print_what_is_shown(page, desk):
    for block in blocks(page, "console"):
        assert block.startswith("$ ")
        for entry in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, shown = entry.partition("\n")
            printed = shell(line)
            if shown.endswith("...\n"):
                assert printed.startswith(shown.removesuffix("...\n")), line
            elif shown:
                assert printed == shown, line


def test_the_first_run_of_the_readme_leaves_what_its_table_lists(desk):
    shell("quchong dedup examples/news.jsonl -o run/ -q")
    for page in (ROOT / "README.md", ROOT / "docs" / "guide" / "dedup.md"):
        listed = re.findall(r"^\| `([a-z]+\.[a-z]+)`(?:, `([a-z]+\.[a-z]+)`)? \|", TEXT[page], re.MULTILINE)
        assert {n for pair in listed for n in pair if n} == {p.name for p in Path("run").iterdir()}, page


@pytest.mark.parametrize("page", named(p for p in PAGES if "```python" in TEXT[p]))
def test_python_blocks_run_and_print_what_they_say(page, desk, capsys):
    for block in blocks(page, "python"):
        if ">>> " in block:
            said = []
            example = doctest.DocTestParser().get_doctest(block, {}, page.name, None, 0)
            failed, tried = doctest.DocTestRunner().run(example, out=said.append)
            assert tried and not failed, "".join(said)
            continue
        exec(compile(block, page.name, "exec"), {})
        printed = capsys.readouterr().out
        for said in re.findall(r"^print\(.*?\)\s+# (.*)$", block, re.MULTILINE):
            assert said in printed


def test_the_python_block_of_the_guide_leaves_and_answers_what_it_says(desk):
    (block,) = blocks(ROOT / "docs" / "guide" / "dedup.md", "python")
    namespace = {}
    exec(compile(block, "dedup.md", "exec"), namespace)
    assert Path("run/run.json").is_file()
    assert Path("shared/cut.jsonl").is_file()
    (compared,) = [line for line in block.splitlines() if line.startswith("qc.compare")]
    assert eval(compared.split("#")[0], namespace) == "exact"
    (passage,) = eval(block.splitlines()[-1].split("#")[0], namespace)
    assert (passage.kind, passage.start, passage.end, passage.survivor_start) == ("exact", 0, 9, 2)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_shown_exists(name, desk):
    known = set(re.findall(r"--[a-z0-9-]+", shell(f"quchong {name} --help"))) | {"--help"}
    lines = re.findall(rf"quchong {name} ([^`\n]*)", EVERYWHERE)
    assert lines, "no page shows it"
    for line in lines:
        assert set(re.findall(r"(?<!\S)--[a-z0-9-]+", line.partition("#")[0].partition(" | ")[0])) <= known, line


def test_the_readme_is_short_and_leads_to_every_guide():
    readme = TEXT[ROOT / "README.md"]
    assert len(readme.splitlines()) <= 150
    assert all(f"docs/guide/{guide.name}" in readme for guide in GUIDES)
