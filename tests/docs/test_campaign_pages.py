"""Covers: pages of campaigns (variants, stopped commands, damaged inputs) have all that their tools try: what is new is not left untried.

Run: pytest tests/docs/test_campaign_pages.py (some seconds).
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "docs" / "results"


def run(*command):
    return subprocess.run([sys.executable, *map(str, command)], cwd=ROOT, capture_output=True, text=True, check=False)


def tables(page):
    """First cell of the head -> rows, as lists of cells; of tables that stand in several sections the rows of all."""
    found = {}
    for block in re.findall(r"(?:^\|.*\n)+", page.read_text("utf-8"), re.MULTILINE):
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()]
        found.setdefault(rows[0][0], []).extend(rows[2:])
    return found


def test_every_setting_of_every_method_is_held_to_one_answer(tmp_path):
    """In two variants of the corpus; and the page has the pairs that each lists of it, those of the code as it is."""
    done = run("tools/variants", "--variants", "2", "--seed", "3", "--report", tmp_path / "variants.md")
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    assert "2 variants of 80 documents" in done.stdout
    page = RESULTS / "variants.md"
    told, now = tables(page), tables(tmp_path / "variants.md")
    assert [row[:2] for row in told["setting"]] == [row[:2] for row in now["setting"]], (
        "variants.md is older than the code it measures: python tools/variants --variants 200 --report docs/results/variants.md"
    )
    (missing,) = re.findall(r"^Not drawn: .*$", (tmp_path / "variants.md").read_text("utf-8"), re.MULTILINE)
    assert missing in page.read_text("utf-8")


def test_everything_a_variant_may_draw_was_drawn():
    drawn = run(
        "-c",
        "import sys, json; sys.path.insert(0, 'tools/variants'); import draw; print(json.dumps([draw.FORMATS, draw.ZONES, draw.WORKERS]))",
    )
    formats, zones, workers = json.loads(drawn.stdout)
    told = dict(tables(RESULTS / "variants.md")["drawn"])
    assert sorted(re.findall(r"(\S+): \d+", told["formats"])) == sorted(formats)
    assert sorted(told["time zone"].split(", ")) == sorted(zones)
    assert re.findall(r"(\d+): \d+", told["workers"]) == [str(n) for n in workers]


def test_every_command_kind_of_stop_and_situation_was_tried():
    done = run("tools/faults", "--list")
    if done.returncode == 77:
        pytest.skip(done.stdout.strip())
    assert done.returncode == 0, done.stderr
    cases, stops, situations = (
        part.split() for part in re.split(r"^(?:cases|stops|situations)$", done.stdout, flags=re.MULTILINE)[1:]
    )
    told = tables(RESULTS / "faults.md")
    again = "run python tools/faults, and put what it tried on docs/results/faults.md (--report with --logs)"
    assert {row[0] for row in told["case"]} == set(cases), again
    assert {row[0] for row in told["kind of stop"]} == {name.removesuffix("@N") for name in stops}, again
    assert {row[0] for row in told["situations"]} == {name.partition("/")[0] for name in situations}, again
    assert all(int(row[1]) > 0 for name in ("case", "kind of stop", "situations") for row in told[name])


def test_every_method_that_is_killed_at_random_moments_has_its_row():
    named = re.search(
        r"^METHODS = \((.*)\)$", (ROOT / "benchmarks" / "kill_anywhere.py").read_text("utf-8"), re.MULTILINE
    )
    told = tables(RESULTS / "faults.md")["method"]
    assert [row[0] for row in told] == re.findall(r'"([\w-]+)"', named[1])
    assert all(int(row[3]) >= 50 for row in told)


def test_every_reader_and_every_kernel_was_given_damaged_input():
    known = run(
        "-c", "import sys, json; sys.path.insert(0, 'tools/fuzz')\nfrom reader_checks import CHECKS\nfrom kernel_arguments import KERNELS\n"
        "print(json.dumps([list(CHECKS), sorted(KERNELS)]))",
    )  # fmt: skip
    assert known.returncode == 0, known.stderr
    kinds, kernels = json.loads(known.stdout)
    told = tables(RESULTS / "hostile-input.md")
    assert [row[0] for row in told["kind"]] == kinds, (
        "python tools/fuzz/readers.py --seconds 480, and put its counts on hostile-input.md"
    )
    assert [row[0] for row in told["kernel"]] == kernels, (
        "python tools/fuzz/kernels.py --seconds 480 --counts, and put its counts on hostile-input.md"
    )
    for row in told["kind"]:
        assert all(int(cell.replace(",", "")) >= 0 for cell in row[1:]) and int(row[1].replace(",", "")) > 0, row
    assert all(int(row[1].replace(",", "")) > 0 for row in told["kernel"])
