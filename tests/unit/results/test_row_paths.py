"""Covers: the files of rows of a run (`results.folder.paths_of`, `io.found_inputs`): one for each source, and only those of the run."""

import json
import shutil
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import quchong as qc
from quchong.io.files.written_form import AS_READ
from quchong.results.row_outputs import paths_of

NAMES = st.sampled_from(["a", "a.txt", "a-2", "a-2.txt", "a-3.txt", "b/a", "b/a.txt", "a.txt.txt"])


def source(name, suffix=".txt"):
    return SimpleNamespace(name=name, suffix=suffix, annotated_suffix=".jsonl", written_suffix=suffix, written=AS_READ)


@given(st.lists(NAMES, min_size=2, max_size=8, unique=True))
def test_no_two_sources_have_one_file(names):
    for side in ("kept", "annotated"):
        paths = paths_of(Path("run"), side, [source(name) for name in names])
        assert len(set(paths)) == len(names)
    kept = paths_of(Path("run"), "kept", [source(name) for name in names])
    assert all(path == Path("run/kept") / name for path, name in zip(kept, names, strict=True) if name.endswith(".txt"))


def test_a_single_source_has_the_plain_name():
    assert paths_of(Path("run"), "kept", [source("a", ".csv")]) == [Path("run/kept.csv")]


@pytest.fixture
def alike(tmp_path):
    """A folder of texts, a file of texts and two files of rows whose names differ in the suffix alone."""
    (tmp_path / "news").mkdir()
    for i in range(3):
        (tmp_path / "news" / f"{i}.txt").write_text(
            f"第{i}篇文章讲的是{'天气交通物价'[2 * i : 2 * i + 2]}的变化。", encoding="utf-8"
        )
    (tmp_path / "news.txt").write_text("单独的一篇文章，内容与众不同。", encoding="utf-8")
    for name, text in (("rows", "甲乙丙丁戊己庚辛"), ("rows.jsonl", "子丑寅卯辰巳午未")):
        line = json.dumps({"id": name, "text": text}, ensure_ascii=False)
        (tmp_path / name).write_text(line + "\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("annotate", [False, True])
def test_sources_named_alike_lose_nothing(alike, annotate):
    for inputs, options in (
        ([alike / "news", alike / "news.txt"], {}),
        ([alike / "rows", alike / "rows.jsonl"], {"format": "jsonl"}),
    ):
        out = alike / "run"
        result = qc.dedup(inputs, out=out, annotate=annotate, overwrite=True, **options)
        files = [name for sides in result.manifest["files"].values() for name in sides.values()]
        assert max(Counter(files).values()) == 1
        if not annotate:
            assert result.kept.num_rows == result.manifest["counts"]["kept"]


def test_a_file_that_somebody_put_beside_the_kept_rows_is_not_read(tmp_path):
    rows = [{"id": str(i), "text": f"这是第{i}条内容，说的是{'天地玄黄宇宙洪荒'[i]}。"} for i in range(4)]
    qc.dedup(rows, out=tmp_path / "run")
    (kept,) = tmp_path.glob("run/kept.*")
    shutil.copy(kept, kept.with_name(f"kept.old{kept.suffix}"))
    assert qc.dedup(tmp_path / "run").counts["read"] == 4
    assert qc.dedup(rows, against=tmp_path / "run").counts["reference"] == 4


def test_kept_rows_that_were_packed_by_hand_are_found(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text('{"text": "甲乙丙丁"}\n{"text": "子丑寅卯"}\n', encoding="utf-8")
    qc.dedup(path, out=tmp_path / "run")
    (tmp_path / "run" / "kept.jsonl").rename(tmp_path / "run" / "kept.part.jsonl")
    assert qc.dedup(tmp_path / "run").counts["read"] == 2
