"""Covers: docs/results/systems.md is not older than the code: cells of it measured again, with the thresholds it states.

Tuning all of them takes hours; a run with given thresholds takes a second. Measured again are all our methods on one set of posts and on made
pages, and the default in three settings on every set. Run: pytest tests/quality/test_systems_page.py (two minutes).
"""

import json
import re
import sys
from functools import cache
from pathlib import Path

import pytest

import quchong as qc
from quchong.plan.catalogue import METHODS

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "benchmarks" / "systems"
PAGE = ROOT / "docs" / "results" / "systems.md"
WHOLE = ("zh_weibo_ced", "made pages (900)")
DEFAULTS = ("hybrid", "hybrid, variants removed", "hybrid, untuned")
SLOW = 3.0
"""Seconds at or above which a cell is left out."""
REMADE = (
    "systems.md is older than the code it measures. Run\n"
    "    python benchmarks/systems --shared DATA --again -o docs/results/systems.md\n"
    "(--systems and --sets for those that differ), and look at what changed."
)


def sections():
    """Set -> system -> cells, by the names of the columns."""
    out = {}
    for section in PAGE.read_text("utf-8").split("\n## ")[1:]:
        name, _, text = section.partition("\n")
        rows = [[c.strip() for c in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
        if rows and rows[0][0] == "system":
            out[name] = {re.sub(r" [*†‡]$", "", row[0]): dict(zip(rows[0], row, strict=True)) for row in rows[2:]}
    return out


def untuned():
    """Set -> F1 of the default as it comes."""
    lines = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("|")]
    first = next(i for i, line in enumerate(lines) if line.startswith("| set | default, untuned"))
    rows = [[c.strip() for c in line.strip("|").split("|")] for line in lines[first + 2 : first + 8]]
    return {row[0]: row[1] for row in rows}


TOLD, UNTUNED = sections(), untuned()
CELLS = [
    (name, system)
    for name, systems in TOLD.items()
    for system in (*DEFAULTS, *(s for s in systems if s in METHODS and s not in DEFAULTS and name in WHOLE))
    if system not in systems or (systems[system]["seconds"] != "-" and float(systems[system]["seconds"]) < SLOW)
]


def call(name, system):
    """What `qc.dedup` is called with for a cell, and the F1 the page tells."""
    if system == DEFAULTS[2]:
        return {}, UNTUNED[name]
    cell = TOLD[name][system]
    stated = dict(re.findall(r"([a-z]+) ([0-9.]+)", cell["setting"])) if cell["setting"] != "no threshold" else {}
    given = {k: int(v) if k == "distance" else float(v) for k, v in stated.items()}
    if system == DEFAULTS[1]:
        return given | {"facts": "remove"}, cell["F1"]
    return given | {"method": system}, cell["F1"]


@pytest.fixture(scope="module")
def sets(shared, tmp_path_factory):
    """Set -> texts and file of labels, made where asked for."""
    sys.path.insert(0, str(FOLDER))
    try:
        import held
        import truths
    finally:
        sys.path.remove(str(FOLDER))
    known = {one.name: one for one in truths.SETS}
    folder = tmp_path_factory.mktemp("systems")

    @cache
    def made(name):
        path = folder / f"{list(known).index(name)}.jsonl"
        labels = known[name].labels(shared.folder)
        path.write_text("".join(json.dumps(row) + "\n" for row in labels), "utf-8")
        return known[name].texts(shared.folder), path

    yield made, held.relation_accuracy
    for module in ("held", "truths", "losses", "common_text"):
        sys.modules.pop(module, None)


def test_the_page_has_all_sets_and_most_methods():
    assert len(TOLD) == len(UNTUNED) == 6
    assert len(CELLS) > 90
    assert all({*METHODS} <= {*systems} for systems in TOLD.values())


def only_in_a_campaign(name, system):
    """The suite holds our methods by the posts, and the settings of the default by every set."""
    return name == WHOLE[1] and system not in DEFAULTS


@pytest.mark.parametrize(
    ("name", "system"),
    [pytest.param(*cell, marks=[pytest.mark.campaign] * only_in_a_campaign(*cell)) for cell in CELLS],
)
def test_a_cell_of_the_page_is_what_the_code_gives(name, system, sets):
    made, accuracy = sets
    table, truth = made(name)
    given, told = call(name, system)
    found = accuracy(qc.dedup(table, differences="all", recall_sample=0, **given), truth)["f1"]
    assert told == f"{found:.3f}", REMADE
