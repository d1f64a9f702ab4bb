"""A short run of the readers' fuzzer, the same inputs each time; `make fuzz` runs others for hours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).parents[2] / "tools" / "fuzz" / "readers.py"


def fuzz(*options):
    return subprocess.run(
        [sys.executable, TOOL, *map(str, options)], capture_output=True, text=True, env=os.environ, check=False
    )


def test_inputs_of_every_kind_are_read_or_refused(tmp_path):
    done = fuzz("--inputs", 1000, "--seconds", 100_000, "--seed", "house", "--findings", tmp_path / "found")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "1,000 inputs, 0 findings" in done.stdout


def test_what_is_wrong_is_found_made_small_and_can_be_repeated(tmp_path):
    """A reader that loses a line, and one that ends the process, put in on purpose."""
    (tmp_path / "broken.py").write_text(
        "import os, sys\n"
        f"sys.path.insert(0, {str(TOOL.parent)!r})\n"
        "import readers\n"
        "from quchong.io.records import jsonl\n"
        "whole = jsonl.line_records\n"
        "def cut(block, *more):\n"
        "    if b'http' in block: os.kill(os.getpid(), 11)\n"
        "    found = whole(block, *more)\n"
        "    some = {name: getattr(found, name)[:-1] for name in ('starts', 'ends', 'lines')}\n"
        "    return found._replace(**some) if len(found.starts) > 2 else found\n"
        "jsonl.line_records = cut\n"
        "sys.exit(readers.main())\n"
    )
    told = [
        sys.executable,
        tmp_path / "broken.py",
        "--inputs",
        "24",
        "--seed",
        "1",
        "--kind",
        "jsonl",
        "--findings",
        tmp_path / "found",
    ]
    done = subprocess.run(list(map(str, told)), capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    found = [json.loads(line) for line in (tmp_path / "found" / "findings.jsonl").read_text().splitlines()]
    lost = [one for one in found if one["how"].startswith("Lost")]
    died = [one for one in found if "signal 11" in one["how"]]
    assert lost and died
    least = min(len((tmp_path / "found" / one["file"]).read_bytes()) for one in lost)
    assert least < 10, "three lines of a few characters are enough"
    again = fuzz("--replay", f"1:{lost[0]['number']}", "--kind", "jsonl")
    assert again.returncode == 0, again.stderr  # the true reader loses none


def test_an_input_that_stands_still_is_told_with_the_place_it_stands_at(tmp_path):
    (tmp_path / "still.py").write_text(
        "import sys, time\n"
        f"sys.path.insert(0, {str(TOOL.parent)!r})\n"
        "import readers\n"
        "readers.STALLED = 1.0\n"
        "def stands_still(*_): time.sleep(100_000)\n"
        "readers.CHECKS['jsonl'] = (1, stands_still)\n"
        "sys.exit(readers.main())\n"
    )
    told = [sys.executable, tmp_path / "still.py", "--inputs", 1, "--kind", "jsonl", "--findings", tmp_path / "found"]
    done = subprocess.run(list(map(str, told)), capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    (found,) = [json.loads(line) for line in (tmp_path / "found" / "findings.jsonl").read_text().splitlines()]
    assert found["how"].startswith("stalled") and "in stands_still" in found["how"]
