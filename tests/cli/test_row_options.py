"""Covers: `dedup --ids-only`, `--shard-size`, `--compress`, `--parquet` and `--add-columns` on the command line."""

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
    "option", ["--ids-only", "--shard-size=1M", "--compress=gz", "--parquet=compression=zstd", "--add-columns=copies"]
)
def test_spark_refuses_them_by_their_names(command, jsonl, rows, tmp_path, option):
    ran = command("dedup", jsonl("in.jsonl", rows), "-o", tmp_path / "s", "--engine", "spark", option)
    assert ran.code == 2 and option.partition("=")[0] in ran.err and not (tmp_path / "s").exists()


@pytest.mark.parametrize(
    "options",
    [
        ("--ids-only", "--mode", "annotate"), ("--ids-only", "--shard-size", "1M"), ("--shard-size", "1M", "--mode", "annotate"),
        ("--parquet", "compression=zstd"), ("--compress", "rar"), ("--shard-size", "x"), ("--add-columns", "weights"),
    ],
)  # fmt: skip
def test_a_wrong_option_is_one_line_and_writes_nothing(command, jsonl, rows, tmp_path, options):
    ran = command("dedup", jsonl("in.jsonl", rows), "-o", tmp_path / "s", *options)
    assert ran.code == 2 and len(ran.err.strip().splitlines()) <= 3 and not (tmp_path / "s").exists()


def test_a_help_lists_the_compressions_that_there_are():
    from quchong.cli import row_options
    from quchong.io.files import written_form

    assert row_options.PACKINGS == written_form.PACKINGS
