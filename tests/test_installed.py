"""Covers: what was installed is whole: every file beside the modules (pages' assets, words, dictionaries, tables) is in the wheel.

Run: pytest tests/test_installed.py. `make test` runs the tests against an installed wheel; where the source tree itself is
imported there is none to look at.
"""

import importlib.metadata
from pathlib import Path

import pytest

import quchong

SOURCE = Path(__file__).parents[1] / "src" / "quchong"
DATA = sorted(
    one.relative_to(SOURCE) for one in SOURCE.rglob("*") if one.is_file() and "__pycache__" not in one.parts
)  # fmt: skip


@pytest.fixture
def installed():
    folder = Path(quchong.__file__).parent
    if folder == SOURCE:
        pytest.skip("the source tree is imported, not an installed wheel")
    return folder


def test_every_file_of_the_source_is_installed_as_it_is(installed):
    assert len(DATA) > 400 and any(one.suffix == ".js" for one in DATA)
    wrong = [
        str(one)
        for one in DATA
        if not (installed / one).is_file() or (installed / one).read_bytes() != (SOURCE / one).read_bytes()
    ]
    assert not wrong, "build it again: pip install ."


def test_licences_of_what_is_shipped_are_in_the_wheel(installed):
    names = {Path(str(one)).name for one in importlib.metadata.files("quchong") or ()}
    assert {"LICENSE", "NOTICE", "chart.LICENSE.md"} <= names


def test_a_run_is_made_and_looked_at_with_what_is_installed(installed):
    text = "云河地铁4号线将于3月28日开通初期运营，全线设站21座，设计时速80公里，首班车6时发出。"
    rows = [
        {"id": "a", "time": "2026-03-01", "text": text},
        {"id": "b", "time": "2026-03-02", "text": text.replace("将于", "于")},
    ]
    result = quchong.dedup(rows, recall_sample=0)
    assert result.chains()["source_id"].to_pylist() == [None, "a"]
    page = result.report(lang="zh").html
    assert "Chart.js" in page and "去重报告" in page
