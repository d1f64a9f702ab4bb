"""Covers: what the README shows is what comes out. Run: pytest tests/test_readme.py."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def quchong(*arguments):
    code = "from quchong.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("readme") / "run"
    return folder, quchong("dedup", "examples/news.jsonl", "-o", folder, "-q")


def test_the_summary_shown_is_the_summary_printed(run):
    shown = re.search(r"\$ quchong dedup examples/news.jsonl -o run/\n(.*?)\n\.\.\.\n", README, re.DOTALL).group(1)
    assert run[1].startswith(shown + "\n")


def test_the_run_folder_holds_what_the_table_lists(run):
    listed = re.findall(r"^\| `([a-z]+\.[a-z]+)`(?:, `([a-z]+\.[a-z]+)`)? \|", README, re.MULTILINE)
    names = {n for pair in listed for n in pair if n}
    assert names == {p.name for p in run[0].iterdir()}


def test_the_explanation_shown_is_the_one_printed(run):
    shown = README.split("$ quchong explain run/ n009\n")[1].splitlines()[:4]
    assert quchong("explain", run[0], "n009").splitlines()[:4] == shown


def test_the_python_block_runs_and_prints_what_it_says(tmp_path, monkeypatch, capsys):
    (block,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    monkeypatch.chdir(ROOT)
    namespace = {}
    for folder in ("run", "shared"):
        block = block.replace(f'"{folder}/"', repr(str(tmp_path / folder)))
    exec(compile(block, "README", "exec"), namespace)
    said = re.search(r"print\(result\)\s+# (.*)", block).group(1)
    assert capsys.readouterr().out.startswith(said)
    assert (tmp_path / "run" / "run.json").is_file()
    assert (tmp_path / "shared" / "cut.jsonl").is_file()
    (compared,) = [line for line in block.splitlines() if line.startswith("qc.compare")]
    assert eval(compared.split("#")[0], namespace) == "exact"
    (passage,) = eval(block.splitlines()[-1].split("#")[0], namespace)
    assert (passage.kind, passage.start, passage.end, passage.survivor_start) == ("exact", 0, 9, 2)


@pytest.mark.parametrize("name", ["dedup", "passages", "explain"])
def test_every_option_shown_exists(name):
    known = set(re.findall(r"--[a-z-]+", quchong(name, "--help"))) | {"--help"}
    lines = re.findall(rf"^(?:\$ )?quchong {name} .*$", README, re.MULTILINE)
    assert lines
    for line in lines:
        assert set(re.findall(r"(?<!\S)--[a-z-]+", line)) <= known, line
