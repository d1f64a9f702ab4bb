"""Inputs in buckets, on web servers and in archives: the same answers as from files, and clear errors."""

import io
import json
import re
import tarfile
import zipfile
from pathlib import Path

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from fsspec.config import conf
from remote.made_news import lines, news

import quchong as qc
from quchong.cli.main import cli
from quchong.io.files.remote_file import ReadAhead, RemoteFile
from quchong.io.files.stores import using_storage_options
from quchong.runs.command_line import asked_for, command_line, made_by, request


def ledger(result):
    return result.ledger.sort_by("id").to_pylist()


@pytest.fixture
def shards(tmp_path, bucket):
    tmp_path = tmp_path / "shards"
    tmp_path.mkdir()
    for n in range(3):
        body = lines(news(40, 30 * n))
        (tmp_path / f"part-{n}.jsonl").write_bytes(body)
        bucket.put(f"news/part-{n}.jsonl", body)
    bucket.put("news/.hidden.jsonl", b"no json")
    bucket.put("news/note.bin", b"no format")
    return tmp_path


@pytest.mark.parametrize("what", ["news", "news/", "news/*.jsonl", "**/part-?.jsonl"])
def test_a_folder_or_a_glob_of_a_bucket_is_read_as_one_of_this_machine(bucket, shards, what):
    here = qc.dedup(str(shards))
    there = qc.dedup(f"s3://{bucket.name}/{what}", storage_options=bucket.options)
    assert ledger(there) == ledger(here)
    assert [(one["name"], one["blake2b"]) for one in there.manifest["inputs"]] == [
        (one["name"], one["blake2b"]) for one in here.manifest["inputs"]
    ]


def test_a_run_over_a_bucket_writes_the_rows_of_a_run_over_files(bucket, shards, tmp_path):
    qc.dedup(str(shards), out=tmp_path / "here")
    qc.dedup(f"s3://{bucket.name}/news", out=tmp_path / "there", storage_options=bucket.options)
    for name in ("kept/part-0.jsonl", "removed/part-1.jsonl", "kept/part-2.jsonl"):
        assert (tmp_path / "there" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()
    stored = (tmp_path / "there/run.json").read_text()
    assert "secret" not in stored


def test_lists_beside_the_data_are_read_from_their_addresses(bucket, shards):
    bucket.put("ids.txt", b"n1\nn3\n")
    bucket.put("lines.txt", "记者从现场发回报道。\n".encode())
    base = f"s3://{bucket.name}"
    result = qc.dedup(
        str(shards), protect=qc_path(f"{base}/ids.txt"), boilerplate=f"{base}/lines.txt",
        against=f"{base}/news/part-2.jsonl", storage_options=bucket.options,
    )  # fmt: skip
    fates = {row["id"]: row for row in result.documents.to_pylist()}
    assert [fates[one]["removed"] for one in ("n1", "n3", "n5")] == [False, False, True]
    assert result.counts["reference"] == 40


def qc_path(address):
    """A path that has lost a slash, as callers make it."""
    from pathlib import Path

    assert str(Path(address)).startswith("s3:/b")
    return Path(address)


def test_labels_are_read_from_an_address(bucket, tmp_path):
    bucket.put("truth.jsonl", lines([{"left_id": "n0", "right_id": "n1", "label": "same"}]))
    result = qc.dedup(news(10))
    with using_storage_options(bucket.options):
        assert qc.evaluate(result, f"s3://{bucket.name}/truth.jsonl").recall.value == 1


def test_options_of_a_store_are_given_to_every_function_that_reads_files(bucket, shards, tmp_path):
    bucket.put("truth.jsonl", lines([{"left_id": "n0", "right_id": "n1", "label": "same"}]))
    bucket.put("one.txt", b"A line that is left out\n")
    bucket.put("test.jsonl", lines([{"id": "t", "question": news(1)[0]["text"]}]))
    options = {"storage_options": bucket.options}
    truth = f"s3://{bucket.name}/truth.jsonl"
    assert qc.evaluate(qc.dedup(news(10)), truth, **options).recall.value == 1
    assert qc.tune(news(10), truth, method="minhash", complete=True, **options).parameter == "threshold"
    lists = {"boilerplate": f"s3://{bucket.name}/one.txt"} | options
    assert qc.distinct(["A line that is left out\nOne", "A line that is left out\nTwo"], **lists).kept == (0, 1)
    assert qc.inspect("A line that is left out\nOne of many words", **lists).seen
    shard = f"s3://{bucket.name}/news/part-0.jsonl"
    assert qc.dedup_units(shard, **options).counts["read"] == 40
    found = qc.decontaminate(shard, f"s3://{bucket.name}/test.jsonl", **options)
    assert found.sets[0]["found"] == 1
    with qc.Index.create(tmp_path / "index", **lists) as index:
        added = index.add(Path(f"s3://{bucket.name}/news/part-0.jsonl"), **options)
        assert len(added) == len(index.query(Path(f"s3://{bucket.name}/news/part-0.jsonl"), **options)) > 0


def test_every_public_function_that_reads_data_takes_options_of_a_store():
    import inspect

    for name in qc.__all__:
        function = getattr(qc, name)
        if inspect.isfunction(function) and {"data", "records", "run"} & set(inspect.signature(function).parameters):
            assert "storage_options" in inspect.signature(function).parameters, name


def test_what_is_missing_or_refused_is_said_with_the_remedy(bucket, web, shards):
    def error(path, **options):
        with pytest.raises(qc.InputError) as caught:
            qc.dedup(path, storage_options=options or bucket.options)
        return str(caught.value)

    base = f"s3://{bucket.name}"
    assert error(f"{base}/no.jsonl") == f"{base}/no.jsonl: no such file; check the spelling"
    assert error(f"{base}/news/*.csv").startswith(f"no file or folder matches the pattern {base}/news/*.csv")
    assert error("s3://no-such-bucket/x.jsonl") == "s3://no-such-bucket/x.jsonl: no such file; check the spelling"
    assert "an address with an empty part" in error(f"{base}//x.jsonl")
    assert "unknown format" in error(f"{base}/news/note.bin")
    web.faults["/x.jsonl"], web.files["/x.jsonl"] = [403] * 9, b"x"
    assert (
        "the storage service refuses access (HTTP 403 Forbidden): check that the credentials exist and are valid"
        in error(f"{web.url}/x.jsonl", client_kwargs={})
    )


def test_the_error_names_the_extra_to_install(monkeypatch):
    import builtins

    real = builtins.__import__

    def without(name, *args, **kwargs):
        if name in ("gcsfs", "adlfs"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    for address, extra in (("gs://b/x.jsonl", "gcs"), ("az://c/x.jsonl", "azure")):
        with pytest.raises(qc.InputError, match=re.escape(f'pip install "quchong[{extra}]"')):
            qc.dedup(address)


def test_a_web_file_is_read_by_ranges_with_a_password_that_nothing_shows(web, tmp_path):
    web.files["/news.jsonl"] = lines(news(40))
    address = web.url.replace("://", "://ann:pass@") + "/news.jsonl?sig=topsecret&v=2"
    result = qc.dedup(address, out=tmp_path / "run")
    assert result.counts["removed"] == 20
    assert web.headers["Authorization"].startswith("Basic ")
    assert any("topsecret" in path for _, path, _ in web.log)
    shown = "".join(p.read_text() for p in (tmp_path / "run").rglob("*") if p.suffix in (".json", ".jsonl"))
    assert "topsecret" not in shown and "pass@" not in shown
    assert (tmp_path / "run/kept.jsonl").exists()


@pytest.mark.parametrize("fault", [429, 500, 503, "cut", "short"])
def test_what_passes_is_tried_again(web, waits, fault):
    web.files["/news.jsonl"] = lines(news(300))
    web.faults["/news.jsonl"] = [fault, fault]
    result = qc.dedup(f"{web.url}/news.jsonl")
    assert result.counts["read"] == 300 and result.counts["skipped"] == 0
    assert waits == [0.25, 0.5]


@pytest.mark.parametrize(("fault", "reason"), [(503, "HTTP 503 Service Unavailable"), ("short", "bytes came")])
def test_what_does_not_pass_ends_with_the_last_reason(web, waits, fault, reason):
    web.files["/news.jsonl"] = lines(news(200))
    web.faults["/news.jsonl"] = [fault] * 99
    with pytest.raises(qc.InputError, match="the storage service failed 6 times; the last error was: ") as caught:
        qc.dedup(f"{web.url}/news.jsonl?token=abc")
    assert reason in str(caught.value) and "abc" not in str(caught.value)
    assert waits == [0.25, 0.5, 1, 2, 4]


def test_credentials_that_expire_are_an_error_at_once(web, waits):
    web.files["/news.jsonl"] = lines(news(300))
    web.faults["/news.jsonl"] = [None, 403]
    with pytest.raises(qc.InputError, match="refuses access"):
        qc.dedup(f"{web.url}/news.jsonl")
    assert waits == []


def test_a_file_that_changes_between_two_readings_is_an_error(bucket, tmp_path):
    bucket.put("news.jsonl", lines(news(40)))

    class Changes:
        def stage(self, name, total, unit):
            if name == "candidates":
                bucket.put("news.jsonl", lines(news(40, 1)))

        def advance(self, amount):
            pass

    with pytest.raises(qc.InputChanged, match=rf"s3://{bucket.name}/news.jsonl changed while the run read it"):
        qc.dedup(
            f"s3://{bucket.name}/news.jsonl", out=tmp_path / "run", progress=Changes(), storage_options=bucket.options
        )
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("lengths", [True, False])
def test_a_server_without_ranges_is_copied_once(web, lengths, tmp_path):
    web.files["/news.jsonl"] = lines(news(40))
    web.ranges, web.lengths = False, lengths
    result = qc.dedup(f"{web.url}/news.jsonl", out=tmp_path / "run")
    assert result.counts["removed"] == 20
    assert sum(method == "GET" and not asked for method, _, asked in web.log) <= 3


def test_parquet_reads_the_columns_that_are_needed(bucket):
    rows = news(1000)
    table = pa.table(
        {"id": [row["id"] for row in rows], "text": [row["text"] for row in rows]}
        | {f"c{n}": [f"{n}-{i}-{'x' * 300}" for i in range(1000)] for n in range(18)}
    )
    sink = io.BytesIO()
    pq.write_table(table, sink, compression="none", use_dictionary=False)
    bucket.put("wide.parquet", sink.getvalue())
    about = pq.ParquetFile(io.BytesIO(sink.getvalue())).metadata.row_group(0)
    wanted = sum(about.column(n).total_compressed_size for n in (0, 1))
    asked = []
    plain = RemoteFile._range

    def counted(self, start, size):
        asked.append((start, size))
        return plain(self, start, size)

    RemoteFile._range = counted
    try:
        result = qc.dedup(f"s3://{bucket.name}/wide.parquet", storage_options=bucket.options)
    finally:
        RemoteFile._range = plain
    assert result.counts["read"] == 1000
    assert sum(size for _, size in asked) < wanted * 1.05 + (1 << 18) < len(sink.getvalue()) / 4


def archive(kind, files):
    sink = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as file:
            for name, body in files.items():
                file.writestr(name, body)
        return sink.getvalue()
    with tarfile.open(fileobj=sink, mode="w:gz" if kind == "tar.gz" else "w") as file:
        for name, body in files.items():
            about = tarfile.TarInfo(name)
            about.size = len(body)
            file.addfile(about, io.BytesIO(body))
    return sink.getvalue()


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz"])
def test_an_archive_holds_its_data_files(bucket, tmp_path, kind):
    files = {"a/one.jsonl": lines(news(40)), "a/two.jsonl": lines(news(40, 20)), "a/readme.bin": b"no data"}
    body = archive(kind, files)
    (tmp_path / f"corpus.{kind}").write_bytes(body)
    bucket.put(f"corpus.{kind}", body)
    for name, content in files.items():
        (tmp_path / "plain" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "plain" / name).write_bytes(content)
    expected = ledger(qc.dedup(str(tmp_path / "plain")))
    here = qc.dedup(str(tmp_path / f"corpus.{kind}"), out=tmp_path / "run")
    assert ledger(here) == expected
    assert (tmp_path / "run/kept/one.jsonl").exists()
    there = qc.dedup(f"s3://{bucket.name}/corpus.{kind}", storage_options=bucket.options)
    assert ledger(there) == expected
    scheme = kind[:3]
    one = qc.dedup(f"{scheme}://a/one.jsonl::s3://{bucket.name}/corpus.{kind}", storage_options=bucket.options)
    assert one.counts["read"] == 40
    both = qc.dedup(f"{scheme}://a/*.jsonl::{tmp_path}/corpus.{kind}")
    assert ledger(both) == expected


def test_a_damaged_archive_is_an_error(tmp_path):
    body = archive("zip", {"a.jsonl": lines(news(40))})
    (tmp_path / "x.zip").write_bytes(body[: len(body) // 2])
    with pytest.raises(qc.InputError, match=r"x\.zip cannot be read as an archive"):
        qc.dedup(str(tmp_path / "x.zip"))
    (tmp_path / "y.zip").write_bytes(archive("zip", {"a.bin": b""}))
    with pytest.raises(qc.InputError, match=r"y\.zip has no file that can be read"):
        qc.dedup(str(tmp_path / "y.zip"))
    with pytest.raises(qc.InputError, match="no such file"):
        qc.dedup(f"zip://b.jsonl::{tmp_path}/y.zip")


def test_texts_of_a_bucket_are_documents(bucket, tmp_path):
    for row in news(6):
        bucket.put(f"texts/{row['id']}.txt", row["text"].encode())
        (tmp_path / f"{row['id']}.txt").write_bytes(row["text"].encode())
    there = qc.dedup(f"s3://{bucket.name}/texts", storage_options=bucket.options)
    assert ledger(there) == ledger(qc.dedup(str(tmp_path)))
    assert there.counts["removed"] == 3


def test_texts_outside_of_a_run_are_read_again_from_their_address(bucket, tmp_path):
    for row in news(6):
        bucket.put(f"texts/{row['id']}.txt", row["text"].encode())
    bucket.put("known/k.txt", news(1)[0]["text"].encode())
    base = f"s3://{bucket.name}"
    made = qc.dedup(f"{base}/texts", against=f"{base}/known", out=tmp_path / "run", storage_options=bucket.options)
    for result in (made, qc.load(tmp_path / "run", storage_options=bucket.options)):
        assert result.texts(["n1.txt", "n2.txt"]) == [news(6)[1]["text"], news(6)[2]["text"]]
        assert result.explain("n0.txt") and not result.left_alone
    bucket.put("texts/n2.txt", b"another text")
    changed = qc.load(tmp_path / "run", storage_options=bucket.options)
    assert changed.texts(["n2.txt"]) == [None] and changed.left_alone


def test_what_is_read_ahead_stays_within_the_window():
    store = fsspec.filesystem("memory")
    bodies = [bytes([n]) * (700_000 + n) for n in range(12)]
    for n, body in enumerate(bodies):
        store.pipe(f"/quchong-ahead/{n:02}", body)
    try:
        files = [RemoteFile(f"memory://quchong-ahead/{n:02}") for n in range(12)]
        ahead = ReadAhead(files, 2 << 20)
        for file, body in zip(files, bodies, strict=True):
            file.sequence = ahead
            with file.open() as reader:
                read = b""
                while piece := reader.read(1 << 17):
                    read += piece
                    assert ahead.window_bytes() <= 2 << 20
            assert read == body
        assert ahead.window_bytes() <= 1 << 19
        with files[0].open() as reader:
            reader.read(1 << 17)
            assert ahead.window_bytes() > 1 << 20
        assert ahead.window_bytes() == 0
    finally:
        store.rm("/quchong-ahead", recursive=True)


def test_two_texts_at_addresses_are_compared(bucket):
    from pathlib import Path

    bucket.put("one.txt", news(2)[0]["text"].encode())
    bucket.put("two.txt", news(2)[1]["text"].encode())
    base = f"s3://{bucket.name}"
    found = qc.compare(Path(f"{base}/one.txt"), Path(f"{base}/two.txt"), storage_options=bucket.options)
    assert found.relation == "exact"


def test_the_command_reads_what_the_environment_of_fsspec_says(bucket, shards, monkeypatch):
    monkeypatch.setitem(conf, "s3", bucket.options)
    done = CliRunner().invoke(cli, ["dedup", f"s3://{bucket.name}/news/*.jsonl", "--dry-run", "--json"])
    assert json.loads(done.output)["counts"]["read"] == 120


def test_every_command_that_reads_data_takes_addresses(bucket, shards, tmp_path, monkeypatch, web):
    monkeypatch.setitem(conf, "s3", bucket.options)
    monkeypatch.chdir(tmp_path)
    bucket.put("truth.jsonl", lines([{"left_id": "n0", "right_id": "n1", "label": "same"}]))
    bucket.put("one.txt", news(2)[0]["text"].encode())
    base = f"s3://{bucket.name}"
    one = f"{base}/news/part-0.jsonl"

    def said(*words):
        done = CliRunner().invoke(cli, [str(word) for word in words])
        assert done.exit_code == 0, (words, done.exception, done.output)
        return done.output

    assert "40" in said("dedup", one, "-o", "run")
    said("dedup", one, "-o", f"{base}/run", "--plan")
    assert "recall" in said("eval", "run", "--truth", f"{base}/truth.jsonl")
    said("statistics", one, "-o", "counted")
    bucket.put("counted.parquet", (tmp_path / "counted").read_bytes())
    said(
        "dedup",
        one,
        "-o",
        "run2",
        "--method",
        "two-stage",
        "--weights",
        "idf",
        "--statistics",
        f"{base}/counted.parquet",
    )
    said("passages", one)
    said("compare", f"{base}/one.txt", f"{base}/one.txt")
    said("index", "create", "known")
    said("index", "add", "known", one)
    assert "40" in said("index", "stats", "known")
    said("index", "query", "known", f"{base}/one.txt")
    web.files["/news.jsonl"] = lines(news(4))
    said(
        "dedup", f"{web.url.replace('://', '://ann:pass@')}/news.jsonl?sig=topsecret", "-o", "run3", "--log-file", "log"
    )
    shown = (tmp_path / "run3/run.json").read_text() + (tmp_path / "log").read_text()
    assert "topsecret" not in shown and "pass@" not in shown


def test_a_recorded_command_has_no_secrets():
    words = ["dedup", "zip://a.jsonl::https://ann:pw@h/x.zip?sig=abc&v=2", "s3://b/x", "--text-key", "text"]
    with made_by(words), asked_for({"inputs": words, "options": {"against": words[1]}}):
        assert command_line()["command"][1] == "zip://a.jsonl::https://h/x.zip?sig=...&v=2"
        assert "pw" not in json.dumps(request()) and "abc" not in json.dumps(request())
        assert command_line()["command"][2:] == words[2:]


@pytest.mark.parametrize("lengths", [True, False])
@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz"])
def test_an_archive_of_a_server_without_ranges_is_copied_once(web, tmp_path, monkeypatch, kind, lengths):
    copied = []
    plain = RemoteFile.open_stream
    monkeypatch.setattr(RemoteFile, "open_stream", lambda file: copied.append(file.address) or plain(file))
    files = {"a/one.jsonl": lines(news(40)), "a/two.jsonl": lines(news(40, 20))}
    web.files[f"/n.{kind}"] = archive(kind, files)
    web.ranges, web.lengths = False, lengths
    (tmp_path / f"n.{kind}").write_bytes(web.files[f"/n.{kind}"])
    whole = qc.dedup(f"{web.url}/n.{kind}", out=tmp_path / "run")
    assert ledger(whole) == ledger(qc.dedup(str(tmp_path / f"n.{kind}")))
    assert copied == [f"{web.url}/n.{kind}"]
    one = qc.dedup(f"{kind[:3]}://a/one.jsonl::{web.url}/n.{kind}")
    assert one.counts["read"] == 40


def test_a_test_set_of_a_server_without_ranges_is_copied(web, tmp_path):
    web.files["/news.jsonl"] = lines(news(10))
    web.ranges = False
    (tmp_path / "train.jsonl").write_bytes(lines(news(40)))
    found = qc.decontaminate(tmp_path / "train.jsonl", f"{web.url}/news.jsonl")
    (tmp_path / "news.jsonl").write_bytes(web.files["/news.jsonl"])
    here = qc.decontaminate(tmp_path / "train.jsonl", tmp_path / "news.jsonl")
    assert found.items.equals(here.items)
    assert found.items.num_rows == 10
