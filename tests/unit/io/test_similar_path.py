"""Covers: what is said of a path or a pattern at which nothing is."""

import pytest

from quchong.io.files.similar_path import missing_advice, pattern_advice, similar_path


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("news.jsonl", "shards/a.jsonl", "shards/b.jsonl", "notes.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "empty").mkdir()


@pytest.mark.parametrize(
    ("path", "near"),
    [("new.jsonl", "news.jsonl"), ("News.JSONL", "news.jsonl"), ("news", "news.jsonl"), ("shard/a.jsonl", "shards/a.jsonl"),
     ("nope.jsonl", None), ("other/a.jsonl", None), ("x", None)],
)  # fmt: skip
def test_a_name_that_is_spelt_alike(here, path, near):
    assert similar_path(path) == near
    assert str(missing_advice(path)) == ("check the spelling" if near is None else f"did you mean {near}?")


@pytest.mark.parametrize(
    ("pattern", "advice"),
    [("shards/*.parquet", "did you mean shards/*.jsonl?"), ("shard/*.jsonl", "there is no folder shard"), ("empty/*", "empty has no file"),
     ("*/x.jsonl", "check the pattern"), ("shards/x*", "shards has a.jsonl, b.jsonl"), ("*.csv", "this folder has news.jsonl, notes.md")],
)  # fmt: skip
def test_a_pattern_that_matches_nothing(here, pattern, advice):
    assert str(pattern_advice(pattern)) == advice
