"""Tests of paths that cannot be meant: empty ones, and addresses on other machines; in Python and on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import quchong as qc
from quchong.cli.main import cli
from quchong.io.files.addresses import is_address

REMOTE = (
    "s3://bucket/x.parquet",
    "gs://b/x.jsonl",
    "hf://datasets/a/b",
    "http://a.cn/x.jsonl",
    "https://a.cn",
    "hdfs://n/x",
    "oss://b/x",
)


@pytest.mark.parametrize("given", [""])
def test_an_empty_path_is_an_error(given):
    with pytest.raises(qc.InputError, match="empty name"):
        qc.dedup(given)


@pytest.mark.parametrize("name", ["out", "work", "decisions"])
def test_an_empty_path_of_an_option_is_an_error(name, tmp_path):
    given = {"out": tmp_path / "run"} | {name: ""}
    with pytest.raises(qc.UsageError, match=f"{name}: '' cannot be used, the value is empty"):
        qc.dedup(["one text"], **given)
    with pytest.raises(qc.UsageError, match="the value is empty"):
        qc.load("")


@pytest.mark.parametrize("address", REMOTE)
def test_options_for_files_of_this_machine_refuse_addresses(address, tmp_path):
    for name in ("work", "texts"):
        with pytest.raises(qc.UsageError, match="this is an address on another machine: name a path on this machine"):
            qc.load(tmp_path, texts=address) if name == "texts" else qc.dedup(
                ["a text"], out=tmp_path / "r", work=address
            )
    with pytest.raises(qc.UsageError, match="this is an address on another machine: name a path on this machine"):
        qc.Index.create(address)


def test_what_needs_a_library_names_it(tmp_path):
    for given in ("oss://b/x.jsonl", Path("oss://b/x.jsonl"), [Path("oss://b/x.jsonl")]):
        with pytest.raises(
            qc.InputError, match=r"oss://b/x\.jsonl: .*install the library that fsspec needs for this address"
        ):
            qc.dedup(given)
    done = CliRunner().invoke(cli, ["dedup", "", "-o", str(tmp_path / "run")])
    assert "empty name" in str(done.exception) and isinstance(done.exception, qc.InputError)
    done = CliRunner().invoke(cli, ["filter", "s3://b/x.jsonl"])
    assert "quchong filter reads files of this machine" in str(done.exception)


def test_a_file_of_such_a_name_is_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "s3:" / "b"
    folder.mkdir(parents=True)
    (folder / "x.jsonl").write_text('{"text": "one text"}\n')
    assert qc.dedup("s3:/b/x.jsonl").counts["read"] == 1
    assert not is_address("news/2020") and not is_address("C:/x") and not is_address("a:b")


@pytest.mark.parametrize(
    ("given", "advice"),
    [(None, "give a path"), (5, "give a path"), (b"text", "decode the bytes"), (1.5, "give a path"), ([1], "convert the items to texts"),
     (iter([2]), "convert the items to texts"), ([object], "you can give a path")],
)  # fmt: skip
def test_what_cannot_be_read_is_answered_with_how_it_is_given(given, advice):
    with pytest.raises(qc.UsageError, match=advice):
        qc.dedup(given)
