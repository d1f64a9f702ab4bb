"""Covers: share/: man pages and completions are those of the commands, each page is one that man reads, and the shells take the scripts.

Run: pytest tests/packaging/test_shell_files.py. `python tools/shell_files` writes share/ anew.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHARE = ROOT / "share"
PAGES = sorted(SHARE.rglob("*.1"))


def test_they_are_up_to_date():
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "shell_files", "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_every_command_has_a_page_in_both_languages():
    from quchong.cli.main import COMMANDS, PACKAGES

    names = {"quchong.1", *(f"quchong-{name}.1" for name in COMMANDS if name not in PACKAGES), "quchong-index-add.1"}
    for folder in ("man1", "zh_CN/man1"):
        assert names <= {one.name for one in (SHARE / "man" / folder).iterdir()}, folder
    assert "选项" in (SHARE / "man" / "zh_CN" / "man1" / "quchong-dedup.1").read_text("utf-8")


@pytest.mark.parametrize("folder", ["man1", "zh_CN/man1"])
@pytest.mark.parametrize("name", ["dedup", "tune"])
def test_a_page_has_every_option(folder, name):
    """Also those that only --help-all shows."""
    from importlib import import_module

    from quchong.cli.speech import spoken

    page = (SHARE / "man" / folder / f"quchong-{name}.1").read_text("utf-8").replace("\\-", "-")
    command = spoken(import_module(f"quchong.cli.{name}").command)
    flags = {
        flag
        for one in command.params
        if not getattr(one, "hidden", False)
        for flag in one.opts[:1]
        if flag.startswith("-")
    }
    assert len(flags) > 20 and not {flag for flag in flags if flag not in page}
    assert "more options" not in page


def test_pages_have_the_sections_of_a_manual_and_no_request_by_accident():
    known = {".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".BR", ".nf", ".fi"}
    for page in PAGES:
        lines = page.read_text("utf-8").splitlines()
        assert lines[0].startswith(f".TH {page.stem.upper()} 1".replace("-", "\\-")), page
        assert {line.split()[0] for line in lines if line.startswith((".", "'"))} <= known, page
        assert sum(line.startswith(".SH") for line in lines) >= 4, page


@pytest.mark.skipif(shutil.which("mandoc") is None, reason="mandoc is not installed: apt-get install mandoc")
def test_mandoc_finds_no_error():
    done = subprocess.run(["mandoc", "-T", "lint", "-W", "error", *PAGES], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and not done.stdout, done.stdout


@pytest.mark.parametrize(("shell", "name"), [("bash", "bash-completion/completions/quchong"), ("zsh", "zsh/site-functions/_quchong"), ("fish", "fish/vendor_completions.d/quchong.fish")])  # fmt: skip
def test_shells_take_the_scripts(shell, name):
    text = (SHARE / name).read_text("utf-8")
    assert "_QUCHONG_COMPLETE" in text and "quchong" in text
    if shutil.which(shell):
        done = subprocess.run([shell, "-n", SHARE / name], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
