"""Covers: run folders that a stranger could have written (a short run of tools/faults/folders: the same folders each time)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="links, pipes, devices and owners of Linux")
def test_crafted_folders_start_nothing_change_nothing_and_show_nothing():
    argv = [sys.executable, "tools/faults/folders", "--folders", "30", "--seed", "5", "--few", "2", "--timeout", "300"]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, env=os.environ)
    assert done.returncode == 0 and "30 folders, 0 wrong, 0 ended processes" in done.stdout, done.stdout + done.stderr
