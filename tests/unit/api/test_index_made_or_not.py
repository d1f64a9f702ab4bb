"""Covers: making of an index that fails, for any reason: nothing is left behind, and the next attempt at the same place succeeds.

Run: pytest tests/unit/api/test_index_made_or_not.py (a PostgreSQL server is started for one test; skipped where none is installed).
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

import quchong as qc
from quchong.api.index_making import check_named
from quchong.engines.index.settings import Settings
from quchong.errors import OutputError, QuchongError, UsageError
from quchong.methods.verified.minhash import MinHashBands
from quchong.plan.request import make_plan

TEXTS = [{"id": f"d{k}", "text": f"第{k}号公告：" + "市政府今天召开会议讨论地铁建设。" * 3} for k in range(4)]


@dataclass(frozen=True)
class Opening(MinHashBands):
    """A method of this file, which no package registers."""

    name = "opening"


@dataclass(frozen=True)
class Borrowed(MinHashBands):
    """A method that calls itself by the name of another one."""


class Refused(Exception):
    """What a test makes fail."""


def refuse(*_, **__):
    raise Refused


def stop(*_, **__):
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("method", "said"),
    [
        (Opening(), "method opening is not installed; install the package that provides the method"),
        (Borrowed(), "minhash is also the name of another method; give Borrowed a different name"),
    ],
)
def test_a_method_that_no_name_stands_for_is_refused_before_anything_is_made(tmp_path, method, said):
    for _ in range(2):
        with pytest.raises(UsageError, match=said):
            qc.Index.create(tmp_path / "seen", method=method)
        assert list(tmp_path.iterdir()) == []
    check_named(MinHashBands())


def test_an_index_whose_method_is_gone_says_so(tmp_path):
    from quchong.engines.index.settings import checked_settings

    told = Settings(make_plan(method="minhash", differences="all", recall_sample=0)).describe() | {"method": "opening"}
    with pytest.raises(
        UsageError, match="seen was made by method opening, which is not installed: install the package"
    ):
        checked_settings(told, "seen")


@pytest.mark.parametrize("how", ["folder", "shadow", "opening", "documents", "stopped", "statistics"])
def test_nothing_is_left_of_an_index_that_could_not_be_made(tmp_path, monkeypatch, how):
    """The generation, the shadow, the opening and the first documents of it fail, or Ctrl-C is pressed meanwhile."""
    qc.dedup(TEXTS, out=tmp_path / "run", recall_sample=0)
    with qc.Index.create(tmp_path / "old") as old:
        old.add(TEXTS)
    before = sorted(one.name for one in tmp_path.iterdir())
    call = {"from_run": tmp_path / "run"}
    with monkeypatch.context() as broken:
        if how == "folder":
            broken.setattr("quchong.engines.index.generations.Catalogue", refuse)
        elif how == "statistics":
            call = {"fit": tmp_path / "missing.jsonl"}
        elif how == "shadow":
            call = {"shadow": {"threshold": 0.7}}
            broken.setattr("quchong.api.index_making.make_index", refuse)
        elif how == "opening":
            broken.setattr("quchong.api.opened_index.open_stored", refuse)
        else:
            broken.setattr("quchong.engines.index.contents.Contents.add_arrived", stop if how == "stopped" else refuse)
        for one in [call, *[{"from_run": tmp_path / "old"}] * (how in ("documents", "stopped"))]:
            with pytest.raises((Refused, QuchongError, KeyboardInterrupt)):
                qc.Index.create(tmp_path / "seen", **one)
            assert sorted(there.name for there in tmp_path.iterdir()) == before
    with qc.Index.create(tmp_path / "seen", from_run=tmp_path / "run") as made:
        assert made.ids() == [one["id"] for one in TEXTS]


def test_an_index_that_is_there_stays(tmp_path):
    with qc.Index.create(tmp_path / "seen") as made:
        made.add(TEXTS)
    with pytest.raises(OutputError, match="is already an index: add documents with"):
        qc.Index.create(tmp_path / "seen")
    with qc.Index(tmp_path / "seen") as there:
        assert len(there) == len(TEXTS)


def test_nothing_is_left_in_a_database(tmp_path, postgres, monkeypatch):
    with qc.Index.create(tmp_path / "old") as old:
        old.add(TEXTS)
    with monkeypatch.context() as broken:
        broken.setattr("quchong.engines.index.contents.Contents.add_arrived", refuse)
        with pytest.raises(Refused):
            qc.Index.create(postgres.address("made_or_not"), from_run=tmp_path / "old")
    with qc.Index.create(postgres.address("made_or_not"), from_run=tmp_path / "old") as made:
        assert made.ids() == [one["id"] for one in TEXTS]
