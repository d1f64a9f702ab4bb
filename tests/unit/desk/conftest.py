"""A run over the sample, and a desk that is open over it."""

import shutil
from pathlib import Path

import pytest
from desk_client import Client

import quchong as qc

NEWS = Path(__file__).parents[3] / "examples" / "news.jsonl"

pytest.importorskip("starlette", reason="Starlette is not installed (extra serve)")
pytest.importorskip("uvicorn", reason="Uvicorn is not installed (extra serve)")


@pytest.fixture(scope="session")
def master(tmp_path_factory):
    folder = tmp_path_factory.mktemp("desk") / "news"
    qc.dedup(NEWS, out=folder)
    return folder


@pytest.fixture
def folder(master, tmp_path):
    return Path(shutil.copytree(master, tmp_path / "news"))


@pytest.fixture
def desk(folder):
    with qc.load(folder).review(lang="en") as opened:
        yield opened


@pytest.fixture
def client(desk):
    return Client(desk.url)
