"""Covers: `--keep-work`, and `--against` a run folder, on the command line and as Python refuses what cannot be."""

import json
from pathlib import Path

import pytest

import quchong as qc
from quchong.errors import OutputError, UsageError


def test_a_run_that_keeps_its_work_is_used_told_and_replaced(command, jsonl, rows, tmp_path):
    old, new, out = jsonl("in.jsonl", rows), jsonl("new.jsonl", rows[:9]), tmp_path / "old run"
    usual = ("--recall-sample", 0)
    assert command("dedup", old, "-o", out, "--keep-work", *usual).code == 0
    about = json.loads((out / "run.json").read_text())["work"]
    files = [path for path in (out / "work").iterdir() if path.is_file()]
    assert about["bytes"] == sum(path.stat().st_size for path in files) and len(about["key"]) == 32
    assert command("dedup", old, "-o", out, "--keep-work", "--overwrite", "-q", *usual).code == 0
    ran = command("dedup", new, "-o", tmp_path / "a", "--against", out, *usual)
    assert ran.code == 0 and "the data that this run stored cannot be used" not in ran.err
    assert json.loads((tmp_path / "a" / "run.json").read_text())["against"][0]["work"] is True
    ran = command("dedup", new, "-o", tmp_path / "b", "--against", out, *usual, "--method", "exact")
    assert (
        ran.code == 0
        and ran.err.count("the data that this run stored cannot be used (the data was stored by method hybrid") == 1
    )
    ran = command("dedup", new, "-o", tmp_path / "c", "--against", out, *usual, "--method", "exact", "--lang", "zh")
    assert ran.code == 0 and "hybrid" in ran.err and "the data that this run stored cannot be used" not in ran.err
    assert command("explain", tmp_path / "a", "against/" + rows[0]["id"]).code == 0
    assert command("dedup", new, "-o", out, "-q", "--overwrite", *usual).code == 0 and not (out / "work").exists()


@pytest.mark.parametrize("place", ["r", "r/deeper", "."])
def test_no_output_in_or_over_the_run_it_is_against(jsonl, rows, tmp_path, place, monkeypatch):
    monkeypatch.chdir(tmp_path)
    old, new = jsonl("in.jsonl", rows), jsonl("new.jsonl", rows[:3])
    qc.dedup(old, out="r", keep_work=True)
    with pytest.raises(OutputError, match="choose another output"):
        qc.dedup(new, against="r", out=place, overwrite=True)
    with pytest.raises(OutputError, match="choose another output"):
        qc.dedup(new, against="r", out="other", work=place)


def test_what_cannot_be_kept_is_refused(command, jsonl, rows, tmp_path):
    file = jsonl("in.jsonl", rows)
    with pytest.raises(UsageError, match="keep_work needs an output"):
        qc.dedup(file, keep_work=True)
    assert command("dedup", file, "--keep-work", "--dry-run").code == 2
    ran = command("dedup", file, "-o", tmp_path / "s", "--keep-work", "--engine", "spark")
    assert ran.code == 2 and "--keep-work" in ran.line and "spark" in ran.line
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text("今天天气很好，我们去公园。", "utf-8")
    ran = command("dedup", tmp_path / "texts", "-o", tmp_path / "t", "--keep-work")
    assert ran.code == 2 and "--keep-work" in ran.line and not (tmp_path / "t").exists()
    qc.dedup(file, out=tmp_path / "r")
    with pytest.raises(UsageError, match=r"pathlib\.Path"):  # as texts they would be compared without a word
        qc.dedup(file, against=[str(tmp_path / "r"), str(tmp_path / "r")])
    found = qc.dedup(file, against=[Path(tmp_path / "r"), Path(tmp_path / "r")])  # what is named twice is read once
    assert found.counts["kept"] == 0 and found.counts["reference"] < len(rows)


def test_a_result_in_memory_and_what_is_made_of_it(jsonl, rows, tmp_path):
    old, new = jsonl("in.jsonl", rows), jsonl("new.jsonl", rows[:9])
    run = qc.dedup(old, out=tmp_path / "r", keep_work=True)
    found, plain = qc.dedup(new, against=run.folder), qc.dedup(new, against=run.folder / "kept.jsonl")
    assert found.ledger.equals(plain.ledger) and found.manifest["against"][0]["work"]
    assert found.rethreshold(0.9).ledger.equals(plain.rethreshold(0.9).ledger)
    saved = qc.load(found.save(tmp_path / "saved"))
    assert saved.rethreshold(0.9).ledger.equals(plain.rethreshold(0.9).ledger)
    copied = qc.load(run.folder).save(tmp_path / "copied")
    assert (copied / "work").is_dir() and qc.dedup(new, against=copied).manifest["against"][0]["work"]
