"""Covers: `dedup --ids-only`, `--shard-size`, `--compress`, `--parquet`, `--add-columns` and `--mix` on the command line."""

import json

import pyarrow.parquet as pq
import pytest

USUAL = ("--recall-sample", 0, "-q")


def test_rows_are_written_as_asked_and_told_in_the_manifest(command, jsonl, rows, tmp_path):
    file = jsonl("in.jsonl", rows)
    assert command("dedup", file, "-o", tmp_path / "plain", *USUAL).code == 0
    assert command("dedup", file, "-o", tmp_path / "s", "--shard-size", "64KB", "--compress", "zst", *USUAL).code == 0
    about = json.loads((tmp_path / "s" / "run.json").read_text("utf-8"))
    assert about["shards"] == {"size": 64 << 10, "count": 1} and about["written"] == {"compress": "zst"}
    assert about["files"]["in.jsonl"] == {"kept": "kept/*.jsonl.zst", "removed": "removed/*.jsonl.zst"}
    assert command("dedup", tmp_path / "s", "-o", tmp_path / "again", *USUAL).code == 0
    ran = command("dedup", file, "-o", tmp_path / "i", "--ids-only", "--add-columns", "copies", *USUAL)
    assert ran.code == 0
    kept = pq.read_table(tmp_path / "i" / "kept_ids.parquet")
    plain = [json.loads(line) for line in (tmp_path / "plain" / "kept.jsonl").read_text("utf-8").splitlines()]
    assert kept["id"].to_pylist() == [row["id"] for row in plain]
    removed = pq.read_table(tmp_path / "i" / "ledger.parquet")["id"][0].as_py()
    assert command("explain", tmp_path / "i", removed).out == command("explain", tmp_path / "plain", removed).out
    ran = command("restore", tmp_path / "i", "--all")
    assert ran.code == 2 and "no rows" in ran.err
    assert command("dedup", file, "-o", tmp_path / "i", "--overwrite", *USUAL).code == 0
    assert not (tmp_path / "i" / "kept_ids.parquet").exists()
    assert command("dedup", file, "-o", tmp_path / "s", "--overwrite", *USUAL).code == 0
    assert not (tmp_path / "s" / "kept").exists()


@pytest.mark.parametrize(
    "option",
    [
        "--ids-only",
        "--shard-size=1M",
        "--compress=gz",
        "--parquet=compression=zstd",
        "--add-columns=copies",
        "--mix=a=2",
        "--mix-seed=1",
    ],
)
def test_spark_refuses_them_by_their_names(command, jsonl, rows, tmp_path, option):
    ran = command("dedup", jsonl("in.jsonl", rows), "-o", tmp_path / "s", "--engine", "spark", option)
    assert ran.code == 2 and option.partition("=")[0] in ran.err and not (tmp_path / "s").exists()


@pytest.mark.parametrize(
    ("language", "label", "note", "wrong"),
    [
        ("en", "rows to read, by weights", "the weights name the source nowhere", "line 1 of"),
        ("zh", "按权重应读", "权重里有来源 nowhere", "第 1 行"),
    ],
)
def test_weights_are_counted_in_a_preview_and_written_to_rows(
    command, jsonl, rows, tmp_path, monkeypatch, language, label, note, wrong
):
    monkeypatch.setenv("QUCHONG_LANG", language)
    file, weights = jsonl("in.jsonl", rows), tmp_path / "w.csv"
    weights.write_text("来源,权重\n*,2\nnowhere,1\n", "utf-8")
    ran = command("dedup", file, "--mix", weights, "--recall-sample", 0)
    assert ran.code == 0 and label in ran.out and note in ran.out
    assert command("dedup", file, "--mix", weights, "-o", tmp_path / "r", *USUAL).code == 0
    kept = [json.loads(line) for line in (tmp_path / "r" / "kept.jsonl").read_text("utf-8").splitlines()]
    assert kept and {row["quchong_copies_wanted"] for row in kept} == {2}
    assert json.loads((tmp_path / "r" / "run.json").read_text("utf-8"))["mix"]["wanted"] == 2 * len(kept)
    weights.write_text("*,many\n", "utf-8")
    ran = command("dedup", file, "--mix", weights, "-o", tmp_path / "s", *USUAL)
    assert ran.code == 3 and "w.csv" in ran.err and wrong in ran.err and not (tmp_path / "s").exists()


@pytest.mark.parametrize(
    "options",
    [
        ("--ids-only", "--mode", "annotate"), ("--ids-only", "--shard-size", "1M"),
        ("--parquet", "compression=zstd"), ("--compress", "rar"), ("--shard-size", "x"), ("--add-columns", "weights"),
        ("--mix", "a=x"), ("--mix", "a=-1"), ("--mix", "a=nan"), ("--mix-seed", "3"), ("--mix", "a=2", "--mix-seed", "-1"),
        ("--mix", "a=2", "--unit", "line"),
    ],
)  # fmt: skip
def test_a_wrong_option_is_one_line_and_writes_nothing(command, jsonl, rows, tmp_path, options):
    ran = command("dedup", jsonl("in.jsonl", rows), "-o", tmp_path / "s", *options)
    assert ran.code == 2 and len(ran.err.strip().splitlines()) <= 3 and not (tmp_path / "s").exists()


def test_a_help_lists_the_compressions_that_there_are():
    from quchong.cli import row_options
    from quchong.io.files import written_form

    assert row_options.PACKINGS == written_form.PACKINGS
