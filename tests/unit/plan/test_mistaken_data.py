"""Covers: a text in place of a path, the groups of a frame, and that what may be a path stays one."""

import traceback

import pandas as pd
import polars as pl
import pytest

import quchong as qc
from quchong.errors import NoSuchFile, UsageError
from quchong.plan.text_or_path import is_text


@pytest.mark.parametrize("words", ["今天天气很好。今天天气很好！", "two words", "a\nb", "字" * 300])
def test_a_text_is_no_path_and_nothing_is_chained(words):
    with pytest.raises(NoSuchFile, match=r"qc\.dedup\(\[text\]\)") as raised:
        qc.dedup(words)
    assert "FileNotFoundError" not in "".join(traceback.format_exception(raised.value))


@pytest.mark.parametrize(
    "words", ["news", "新闻", "第一版，终稿.csv", "my folder/news", "s3://bucket/x y", "news *", "-"]
)
def test_a_path_stays_one(words):
    assert not is_text(words)


def test_a_file_that_has_such_a_name_is_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "今天，昨天").mkdir()
    (tmp_path / "今天，昨天" / "a.txt").write_text("今天天气很好", "utf-8")
    assert qc.dedup("今天，昨天").counts["read"] == 1


@pytest.mark.parametrize("group", [
    lambda frame: frame.groupby("site"), lambda frame: frame.groupby(["site"]), lambda frame: frame.groupby("site")["text"],
    lambda frame: pl.from_pandas(frame).group_by("site"),
])  # fmt: skip
def test_groups_lead_to_per(group):
    frame = pd.DataFrame({"text": ["a", "a"], "site": ["x", "y"]})
    with pytest.raises(UsageError, match="per='site'"):
        qc.dedup(group(frame))
