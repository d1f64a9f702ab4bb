"""Covers: files that a run did not write are left alone, and links beside a run folder are not written through."""

import json
import os
import shutil
from pathlib import Path

import pytest

import quchong as qc
from quchong.errors import OutputError
from quchong.runs.own_files import foreign, foreign_file

ROWS = [{"id": str(i), "text": f"第{i // 2}篇说的是{'天地玄黄宇宙'[i // 2]}的变化，以及以后的安排。"} for i in range(8)]


def lines(path):
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS), encoding="utf-8")
    return path


@pytest.fixture
def inputs(tmp_path):
    return [lines(tmp_path / "a.jsonl"), lines(tmp_path / "b.jsonl")]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A run of such inputs with its work."""
    place = tmp_path_factory.mktemp("made")
    return qc.dedup([lines(place / "a.jsonl"), lines(place / "b.jsonl")], out=place / "run", keep_work=True).folder


@pytest.mark.parametrize(
    "name",
    ["kept/notes.md", "kept/other.jsonl", "removed/thesis/ch1.tex", "documents/thesis.docx", "run/other", "run.sh",
     "kept.notes.md", "kept.old.jsonl", "work/notes", "skipped/mine.txt", "pairs.parquet.bak", "empty/"],
)  # fmt: skip
def test_a_run_with_files_of_others_is_not_replaced(inputs, tmp_path, name, made):
    run = shutil.copytree(made, tmp_path / "run")
    mine = run / name
    if name.endswith("/"):
        mine.mkdir()
    else:
        mine.parent.mkdir(parents=True, exist_ok=True)
        mine.write_text("mine")
    with pytest.raises(OutputError, match="did not write"):
        qc.dedup(inputs, out=run, overwrite=True)
    assert mine.exists()


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_links_in_a_run_are_of_others(inputs, tmp_path):
    qc.dedup(inputs, out=tmp_path / "run")
    (tmp_path / "run" / "kept" / "link").symlink_to(tmp_path)
    assert foreign_file(tmp_path / "run") == "kept/link"


@pytest.mark.parametrize("options", [{}, {"annotate": True}, {"keep_work": True}])
@pytest.mark.parametrize("several", [False, True])
def test_every_file_of_a_run_is_its_own(inputs, tmp_path, options, several):
    run = tmp_path / "run"
    for _ in range(2):
        result = qc.dedup(inputs if several else inputs[0], out=run, overwrite=True, **options)
        assert foreign_file(run) is None
        assert foreign(path.name for path in run.iterdir()) is None
    if "annotate" not in options:
        result.restore([result.ledger["id"][0].as_py()])
        assert foreign_file(run) is None


def test_every_file_of_passages_is_its_own(inputs, tmp_path):
    qc.passages(inputs, out=tmp_path / "run", cut="copies")
    assert foreign_file(tmp_path / "run") is None
    qc.passages(inputs, out=tmp_path / "run", cut="copies", overwrite=True)


def test_a_run_without_a_readable_manifest_may_have_any_rows(inputs, tmp_path):
    qc.dedup(inputs, out=tmp_path / "run")
    (tmp_path / "run" / "run.json").write_text("{")
    assert foreign_file(tmp_path / "run") is None
    (tmp_path / "run" / "kept" / "notes.doc").write_text("mine")
    assert foreign_file(tmp_path / "run") == "kept/notes.doc"


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_decisions_are_not_written_through_a_link_beside_the_run(inputs, tmp_path):
    qc.dedup(inputs[0], out=tmp_path / "run")
    (tmp_path / "run.decisions.jsonl").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OutputError, match="link"):
        qc.load(tmp_path / "run").review()
    with pytest.raises(OutputError, match="link"):
        qc.load(tmp_path / "run").labels()
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_a_text_that_another_file_took_the_place_of_is_not_shown(tmp_path):
    """The other file has the size and the time of the text, and is named by a link."""
    texts, secret = tmp_path / "texts", tmp_path / "secret"
    texts.mkdir()
    for i in range(3):
        (texts / f"{i}.txt").write_text(f"这里有一些文字，是第{i}篇。", encoding="utf-8")
    qc.dedup(texts, out=tmp_path / "run")
    secret.write_bytes(b"x" * (texts / "1.txt").stat().st_size)
    about = (texts / "1.txt").stat()
    os.utime(secret, ns=(about.st_atime_ns, about.st_mtime_ns))
    run = qc.load(tmp_path / "run", texts=texts)
    ids = [one for one in run.documents["id"].to_pylist() if str(one).startswith(("0", "1"))]
    assert run.texts(ids[:1]) != [None]
    (texts / "1.txt").unlink()
    (texts / "1.txt").symlink_to(secret)
    assert run.texts(ids[1:]) == [None]
    assert any("1.txt" in Path(one).as_posix() or "changed" in one for one in run.left_alone)
