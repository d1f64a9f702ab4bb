"""A run over the sample, in memory and as a folder."""

from pathlib import Path

import pytest

import quchong as qc

NEWS = Path(__file__).parents[3] / "examples" / "news.jsonl"


@pytest.fixture(scope="session")
def result():
    return qc.dedup(NEWS)


@pytest.fixture(scope="session")
def saved(result, tmp_path_factory):
    return qc.load(result.save(tmp_path_factory.mktemp("views") / "news"))
