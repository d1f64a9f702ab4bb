"""Covers: what an experiment writes: pictures, cells."""

import pyarrow as pa

from quchong_lab import experiment
from quchong_lab.experiment import Findings, Plot
from quchong_lab.report import cell, draw, markdown


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
