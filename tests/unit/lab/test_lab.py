"""Covers: the experiments by name: each runs small and is written with its figures, which depend on the seed alone."""

import csv
import json
import xml.etree.ElementTree as ElementTree

import pytest
from click.testing import CliRunner

from quchong.cli.lab import command
from quchong.errors import UsageError
from quchong.lab import EXPERIMENTS, experiment

BY_ITSELF = [name for name in EXPERIMENTS if name != "cluster/scale"]
"""That one starts Spark, for minutes: spark/test_scale.py covers it over made-up runs."""
TIMED = {"seconds", "times_ccdet", "memory_bytes", "nanoseconds_a_text", "times", "sign_seconds", "pair_seconds"}


@pytest.mark.parametrize("name", BY_ITSELF)
def test_every_experiment_runs_and_is_written(name, tmp_path):
    done = CliRunner().invoke(command, ["run", name, "--scale", "quick", "-o", str(tmp_path), "--seed", "3"])
    assert done.exit_code == 0, done.output
    found = experiment(name)
    assert found.name == name
    rows = list(csv.DictReader((tmp_path / name / "table.csv").read_text("utf-8").splitlines()))
    assert rows
    text = (tmp_path / name / "table.md").read_text("utf-8")
    for claim in found.claims:
        assert claim.said in text
    assert json.loads((tmp_path / name / "run.json").read_text())["scale"] == "quick"
    pictures = sorted((tmp_path / name).glob("*.svg"))
    assert len(pictures) == len(found.plots) >= 1
    for picture in pictures:
        assert ElementTree.parse(picture).getroot().tag.endswith("svg")
    for plot in found.plots:
        assert {plot.x, plot.y, *plot.series} <= set(rows[0])


@pytest.mark.parametrize("name", BY_ITSELF)
def test_figures_other_than_time_depend_on_the_seed_alone(name):
    tables = [experiment(name).run("quick", 5).table for _ in range(2)]
    kept = [c for c in tables[0].column_names if c not in TIMED]
    assert tables[0].select(kept).equals(tables[1].select(kept))


def test_list_shows_every_experiment():
    done = CliRunner().invoke(command, ["list"])
    assert done.exit_code == 0
    assert all(name in done.output for name in EXPERIMENTS)


def test_an_unknown_experiment_is_told_with_those_there_are():
    with pytest.raises(UsageError, match="short-text/filter-time"):
        experiment("short-text/nothing")
