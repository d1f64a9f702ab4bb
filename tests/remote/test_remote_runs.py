"""Runs that are written to a bucket whole or not at all, and read from there."""

import json

import fsspec
import pytest
import s3fs
from click.testing import CliRunner
from fsspec.config import conf
from matrices import each_once
from remote.made_news import lines, news

import quchong as qc
from quchong.cli.main import cli
from quchong.runs import remote_runs
from quchong.work import Work


@pytest.fixture
def data(tmp_path):
    (tmp_path / "news.jsonl").write_bytes(lines(news(40)))
    return tmp_path / "news.jsonl"


@pytest.fixture
def run(bucket, data):
    address = f"s3://{bucket.name}/runs/one"
    qc.dedup(data, out=address, storage_options=bucket.options)
    return address


@pytest.fixture(autouse=True)
def forgotten(monkeypatch):
    """Every test begins as a process that has made no run."""
    monkeypatch.setattr(remote_runs, "_made", {})


def here(bucket, prefix):
    return {key.removeprefix(prefix): bucket.get(key) for key in bucket.keys(prefix)}


def test_a_run_in_a_bucket_is_that_of_a_folder(bucket, data, tmp_path, run):
    qc.dedup(data, out=tmp_path / "run")
    files = here(bucket, "runs/one/")
    names = {p.relative_to(tmp_path / "run").as_posix() for p in (tmp_path / "run").rglob("*") if p.is_file()}
    assert set(files) == names
    for name in ("kept.jsonl", "removed.jsonl", "ledger.parquet"):
        assert files[name] == (tmp_path / "run" / name).read_bytes()


@pytest.mark.parametrize("known", [True, False])
def test_a_run_is_loaded_explained_restored_and_compared_with_from_its_address(bucket, run, known, monkeypatch):
    if not known:
        monkeypatch.setattr(remote_runs, "_made", {})
    result = qc.load(run, storage_options=bucket.options)
    assert result.counts["removed"] == 20 and "n1" in str(result.explain("n1"))
    assert not result.folder.is_relative_to("/s3:")
    assert qc.dedup(news(6), against=run, storage_options=bucket.options).counts["removed"] == 6
    assert qc.dedup(run, storage_options=bucket.options).counts["read"] == 20
    before = bucket.get("runs/one/kept.jsonl").count(b"\n")
    assert result.restore("n1").ids == ("n1",)
    assert bucket.get("runs/one/kept.jsonl").count(b"\n") == before + 1
    assert "runs/one/quchong-sending.json" not in bucket.keys("")
    monkeypatch.setattr(remote_runs, "_made", {})
    assert qc.load(run, storage_options=bucket.options).counts["removed"] == 19


def test_the_commands_take_the_address_of_a_run(bucket, run, tmp_path, monkeypatch):
    monkeypatch.setitem(conf, "s3", bucket.options)
    monkeypatch.chdir(tmp_path)

    def said(*words):
        done = CliRunner().invoke(cli, list(words))
        assert done.exit_code == 0, (words, done.exception)
        return done.output

    assert "n0" in said("explain", run, "n1")
    assert "20 removals were checked again" in said("verify", run)
    said("report", run)
    assert (tmp_path / "one.html").stat().st_size > 1000
    assert f"{run}/kept.jsonl" in said("restore", run, "n1")
    assert f"written to s3://{bucket.name}/two" in said(
        "dedup", str(tmp_path / "news.jsonl"), "-o", f"s3://{bucket.name}/two/"
    )
    assert "written to" in said("passages", str(tmp_path / "news.jsonl"), "-o", f"s3://{bucket.name}/shared")
    assert "shared/passages.parquet" in bucket.keys("")


class Stops(Exception):
    """The end of a process in the middle of an upload."""


@pytest.mark.parametrize(("after", "replacing"), each_once(range(1, 9), [False, True]))
def test_a_stopped_upload_is_no_run_for_any_reader_and_goes_on(bucket, data, after, replacing, monkeypatch):
    address = f"s3://{bucket.name}/run"
    if replacing:
        qc.dedup(news(10), out=address, storage_options=bucket.options)
    left = [after]
    plain = remote_runs.RunTarget._send_file

    def stopping(self, path, name):
        left[0] -= 1
        if not left[0]:
            raise Stops
        plain(self, path, name)

    monkeypatch.setattr(remote_runs.RunTarget, "_send_file", stopping)
    with pytest.raises(Stops):
        qc.dedup(data, out=address, overwrite=replacing, storage_options=bucket.options)
    monkeypatch.setattr(remote_runs, "_made", {})
    assert "run/run.json" not in bucket.keys("")
    with pytest.raises(qc.RunError, match="give the command that made the run again"):
        qc.load(address, storage_options=bucket.options)
    with pytest.raises(qc.InputError):
        qc.dedup(f"{address}/", storage_options=bucket.options)
    monkeypatch.setattr(remote_runs.RunTarget, "_send_file", plain)
    again = qc.dedup(data, out=address, storage_options=bucket.options)
    assert again.counts["removed"] == 20
    monkeypatch.setattr(remote_runs, "_made", {})
    assert qc.load(address, storage_options=bucket.options).counts == again.counts
    assert "run/quchong-sending.json" not in bucket.keys("")


def test_a_run_that_read_nothing_replaces_none_at_an_address(tmp_path):
    address = f"memory://nothing-read/{tmp_path.name}"
    qc.dedup(news(10), out=address)
    before = qc.load(address).counts
    with pytest.raises(
        qc.InputError, match=r"the input has no record: check .*; the earlier run in memory://.* was not replaced"
    ):
        qc.dedup([], out=address, overwrite=True)
    assert qc.load(address).counts == before


@pytest.mark.parametrize("stop", ["while it is made", "while it is sent"])
def test_a_run_for_an_address_goes_on_from_its_work(data, tmp_path, stop, monkeypatch):
    address, stages = f"memory://going-on/{tmp_path.name}", []
    plain_send, plain_store = remote_runs.RunTarget._send_file, Work.store

    def stopping_store(self, name, value):
        kept = plain_store(self, name, value)
        stages.append(name)
        if stop == "while it is made" and len(stages) > 3:
            raise Stops
        return kept

    def stopping_send(self, path, name):
        raise Stops

    with monkeypatch.context() as patched:
        patched.setattr(Work, "store", stopping_store)
        patched.setattr(remote_runs.RunTarget, "_send_file", stopping_send)
        with pytest.raises(Stops):
            qc.dedup(data, out=address, work=tmp_path / "work")
    assert plain_send is remote_runs.RunTarget._send_file
    told = []

    class Listening:
        def stage(self, *_): ...
        def advance(self, *_): ...
        def resumed(self, done):
            told.extend(done)

    assert qc.dedup(data, out=address, work=tmp_path / "work", progress=Listening()).counts["removed"] == 20
    assert set(stages[:3]) & set(told)
    assert not list((tmp_path / "work").iterdir())


def test_a_store_that_fails_says_how_to_go_on(bucket, data, monkeypatch, waits):
    address = f"s3://{bucket.name}/run"

    async def fails(*args, **kwargs):
        raise ConnectionResetError("reset by peer")

    monkeypatch.setattr(s3fs.S3FileSystem, "_put_file", fails)
    other = bucket.options | {"default_block_size": 6 << 20}  # fsspec keeps its file systems by their options
    with pytest.raises(qc.OutputError, match="give the same command again to finish it"):
        qc.dedup(data, out=address, storage_options=other)
    assert waits == [0.25, 0.5, 1, 2, 4]


def test_only_a_run_is_replaced(bucket, data, run):
    def refused(address, overwrite=False):
        with pytest.raises(qc.OutputError) as caught:
            qc.dedup(data, out=address, overwrite=overwrite, storage_options=bucket.options)
        return str(caught.value)

    assert f"{run} exists: choose another folder, or replace that run with overwrite=True" in refused(run)
    bucket.put("runs/one/mine.txt", b"mine")
    assert f"{run} contains mine.txt, which no run wrote" in refused(run, True)
    assert bucket.get("runs/one/mine.txt") == b"mine" and "runs/one/run.json" in bucket.keys("")
    bucket.put("other/x.txt", b"x")
    assert "other contains other files, such as x.txt" in refused(f"s3://{bucket.name}/other", True)
    bucket.put("like/run.json", json.dumps({"a": 1}).encode())
    assert "is not a run folder of quchong" in refused(f"s3://{bucket.name}/like", True)
    bucket.client.delete_object(Bucket=bucket.name, Key="runs/one/mine.txt")
    qc.dedup(news(10), out=run, overwrite=True, storage_options=bucket.options)
    assert "runs/one/kept.jsonl" not in bucket.keys("") and qc.load(run).counts["kept"] == 5


def test_an_output_does_not_overlap_what_is_read(bucket, web):
    bucket.put("in/a.jsonl", lines(news(4)))
    base = f"s3://{bucket.name}"
    for out in ("in", "in/run"):
        with pytest.raises(qc.OutputError, match="overlap"):
            qc.dedup(f"{base}/in", out=f"{base}/{out}", storage_options=bucket.options)
    with pytest.raises(qc.OutputError, match="a run cannot be written to this address"):
        qc.dedup(news(4), out=f"{web.url}/run")


def test_a_run_with_names_that_lead_elsewhere_is_refused(run, bucket, monkeypatch):
    from quchong.io.files.remote_file import RemoteFile

    plain = RemoteFile.list_files

    def list_files(self, folder, recursive, hidden=False):
        for file in plain(self, folder, recursive, hidden):
            if file.name.endswith("/kept.jsonl"):
                file.name = f"{folder}../../kept.jsonl"
            yield file

    monkeypatch.setattr(remote_runs, "_made", {})
    monkeypatch.setattr(RemoteFile, "list_files", list_files)
    with pytest.raises(qc.RunError, match=r"'\.\./\.\./kept\.jsonl': rename it"):
        qc.load(run, storage_options=bucket.options)


def test_a_run_is_saved_to_an_address(bucket):
    address = f"s3://{bucket.name}/saved"
    from quchong.io.files.stores import using_storage_options

    with using_storage_options(bucket.options):
        qc.dedup(news(10)).save(address)
    assert qc.load(address, storage_options=bucket.options).counts["removed"] == 5


def test_a_file_system_without_ranges_of_its_own_is_read_by_handles():
    fsspec.filesystem("memory").pipe("/quchong-test/in/a.jsonl", lines(news(40)))
    try:
        result = qc.dedup("memory://quchong-test/in", out="memory://quchong-test/run")
        assert result.counts["removed"] == 20
        assert qc.load("memory://quchong-test/run").counts == result.counts
    finally:
        fsspec.filesystem("memory").rm("/quchong-test", recursive=True)
