"""Covers: the lab: generated texts are what they say, every experiment runs small and is written with its figures."""

import csv
import json
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from quchong.cli.lab import command
from quchong.errors import UsageError
from quchong.lab import EXPERIMENTS, experiment
from quchong.lab.experiment import Findings, Plot
from quchong.lab.short_texts import edited, originals, repeated
from quchong.lab.written import cell, draw, markdown

BY_ITSELF = [name for name in EXPERIMENTS if name != "cluster/scale"]
"""That one starts Spark, for minutes: test_cluster_scale.py covers it over made-up runs."""
TIMED = {"seconds", "times_ccdet", "memory_bytes", "nanoseconds_a_text", "times", "sign_seconds", "pair_seconds"}


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 400), st.floats(0, 1), st.integers(0, 50), st.booleans())
def test_repeated_texts_have_the_share_of_distinct_ones_asked_for(count, distinct, seed, zipf):
    made = repeated(count, distinct, seed, zipf)
    texts = made.texts.to_pylist()
    assert len(texts) == count
    assert made.distinct == len(set(texts)) == max(1, round(count * distinct))
    assert [texts.index(t) for t in texts] == made.origin.tolist()
    assert repeated(count, distinct, seed, zipf).texts.equals(made.texts)


def test_originals_have_the_lengths_asked_for():
    lengths = {len(t) for t in originals(3000, 5, 10, 12).to_pylist()}
    assert lengths == {10, 11, 12}
    assert len(originals(0, 1)) == 0


def test_edited_copies_differ_a_little_and_know_their_family():
    made = edited(800, 0.4, 3)
    texts = made.texts.to_pylist()
    assert made.distinct == 480
    assert len(set(texts)) > 780  # nearly every copy is changed
    families = {}
    for i, origin in enumerate(made.origin.tolist()):
        families.setdefault(origin, []).append(texts[i])
    for members in families.values():
        grams = [{t[k : k + 2] for k in range(len(t) - 1)} for t in members]
        assert all(g & grams[0] for g in grams)
    assert (np.sort(np.unique(made.origin)) == np.flatnonzero(made.origin == np.arange(800))).all()


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


def test_without_matplotlib_the_extra_is_named(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(UsageError, match=r"pip install .*matplotlib"):
        draw(Plot("x", "y"), "title", pa.table({"x": [1], "y": [2]}), tmp_path / "plot.svg")


def test_pictures_of_equal_tables_are_equal(tmp_path):
    table = pa.table({"x": [1, 2, 1, 2], "y": [0.5, 0.25, 0.7, None], "s": ["a", "a", "b", "b"]})
    plot = Plot("x", "y", ("s",), log_x=True, log_y=True, paper=((1.5, 0.6, "said"),))
    for name in ("one.svg", "two.svg"):
        draw(plot, "title", table, tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_cells_are_short():
    assert [cell(v) for v in (None, 3, 12_345, 0.123456, 123_456.7, "a")] == [
        "",
        "3",
        "12,345",
        "0.1235",
        "123,457",
        "a",
    ]
    table = pa.table({"a": [1], "b": [0.5]})
    assert "| 1 | 0.5 |" in markdown(experiment("short-text/bloom-memory"), Findings(table, ("said",)))


def test_measured_recall_of_simhash_follows_its_theory():
    rows = experiment("short-text/simhash-recall").run("quick", 1).table.to_pylist()
    assert len(rows) == 20
    for row in rows:
        spread = (row["theory"] * (1 - row["theory"]) / 200) ** 0.5
        assert abs(row["caught"] - row["theory"]) <= 5 * spread + 0.02, row


def test_block_tables_miss_nothing():
    table = experiment("short-text/simhash-time").run("quick", 1).table
    assert set(table["missing"].to_pylist()) == {0}
    assert sum(table["pairs"].to_pylist()) > 0


def test_the_two_rules_of_the_printed_filter_follow_their_theory():
    for row in experiment("short-text/bloom-memory").run("quick", 1).table.to_pylist():
        assert abs(row["kept_of_distinct"] - row["theory"]) < 0.03, row
