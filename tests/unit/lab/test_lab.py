"""Covers: the experiments by name: each runs small and is written with its figures, which depend on the seed alone."""

import csv
import json
import xml.etree.ElementTree as ElementTree

import pyarrow as pa
import pyarrow.csv as pa_csv
import pytest
from click.testing import CliRunner

from quchong.cli.lab import command
from quchong.errors import UsageError
from quchong.lab import EXPERIMENTS, experiment

BY_ITSELF = [name for name in EXPERIMENTS if name != "cluster/scale"]
"""That one starts Spark, for minutes: spark/test_scale.py covers it over made-up runs."""
TIMED = {"seconds", "times_ccdet", "memory_bytes", "nanoseconds_a_text", "times", "sign_seconds", "pair_seconds"}


@pytest.fixture(scope="module", params=BY_ITSELF)
def written(request, tmp_path_factory):
    """Name and folder of an experiment that was run by the command."""
    folder = tmp_path_factory.mktemp("lab")
    done = CliRunner().invoke(command, ["run", request.param, "--scale", "quick", "-o", str(folder), "--seed", "3"])
    assert done.exit_code == 0, done.output
    return request.param, folder


def rows_of(lines):
    return list(csv.DictReader(lines))


def test_every_experiment_runs_and_is_written(written):
    name, tmp_path = written
    found = experiment(name)
    assert found.name == name
    rows = rows_of((tmp_path / name / "table.csv").read_text("utf-8").splitlines())
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


def test_figures_other_than_time_depend_on_the_seed_alone(written):
    name, folder = written
    again = pa.BufferOutputStream()
    pa_csv.write_csv(experiment(name).run("quick", 3).table, again)
    both = [(folder / name / "table.csv").read_text("utf-8"), again.getvalue().to_pybytes().decode()]
    first, second = (
        [{k: v for k, v in row.items() if k not in TIMED} for row in rows_of(t.splitlines())] for t in both
    )
    assert first == second


def test_list_shows_every_experiment():
    done = CliRunner().invoke(command, ["list"])
    assert done.exit_code == 0
    assert all(name in done.output for name in EXPERIMENTS)


def test_an_unknown_experiment_is_told_with_those_there_are():
    with pytest.raises(UsageError, match="short-text/filter-time"):
        experiment("short-text/nothing")
