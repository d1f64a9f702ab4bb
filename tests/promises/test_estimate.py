"""Covers: what a run will take, reckoned from its first documents (`quchong.engines.local.estimate`, `quchong.estimate`)."""

import json

import pytest
from answer_corpus import small_corpus

import quchong as qc
from quchong.engines.local import memory
from quchong.errors import InputError, UsageError


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in small_corpus(1)), "utf-8")
    return path


def test_it_counts_what_it_sampled_and_writes_nothing(tmp_path, corpus):
    found = qc.estimate(corpus, out=tmp_path / "run", memory="4G")
    assert found.documents == found.sampled == len(corpus.read_text("utf-8").splitlines())
    assert found.seconds > 0 and found.files == 0 and found.given == 4 << 30 and 0 < found.memory <= found.given
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


def test_files_are_reckoned_where_the_input_is_large_beside_the_memory(corpus, monkeypatch):
    monkeypatch.setattr(memory, "HELD", (1 << 30) // corpus.stat().st_size)
    small, large = qc.estimate(corpus, memory="1200M"), qc.estimate(corpus, memory="800M")
    assert small.files == 0 < large.files
    assert large.files > corpus.stat().st_size  # texts alone are about as much


@pytest.mark.parametrize("method", ["two-stage", "short-text", "ccdet"])
def test_of_every_kind_of_join(corpus, method):
    assert qc.estimate(corpus, method=method, against=corpus).seconds > 0


def test_what_cannot_be_counted_is_told_so(tmp_path, corpus):
    folder = tmp_path / "texts"
    folder.mkdir()
    for i in range(3):
        (folder / f"{i}.txt").write_text(f"第{i}篇", "utf-8")
    found = qc.estimate(folder)
    assert (found.documents, found.seconds, found.files) == (None, None, None) and found.sampled == 3


def test_wrong_calls_name_the_remedy(tmp_path):
    with pytest.raises(UsageError, match="only once"):
        qc.estimate(iter([{"text": "a"}]))
    with pytest.raises(InputError, match="no such file"):
        qc.estimate(tmp_path / "nothere.jsonl")
    with pytest.raises(UsageError, match="threshold"):
        qc.estimate([{"text": "a"}], threshold=7)
