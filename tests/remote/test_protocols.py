"""Protocols of addresses: file:// is a path of this machine, an unknown one is never a folder, memory:// keeps nothing of a command."""

import json
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from remote.made_news import lines, news

import quchong as qc
from quchong.cli.main import cli
from quchong.io.files.addresses import address_of, local_spelling, path_of


@pytest.fixture(autouse=True)
def corpus(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "新闻 1.jsonl").write_bytes(lines(news(10)))
    return tmp_path / "新闻 1.jsonl"


def run(*words):
    return CliRunner().invoke(cli, [str(word) for word in words])


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ("file:///tmp/x", "/tmp/x"),
        ("file:////tmp/x", "/tmp/x"),
        ("FILE:///tmp/x", "/tmp/x"),
        ("file://localhost/tmp/x", "/tmp/x"),
        ("file:/tmp/x", "/tmp/x"),
        ("local:///tmp/a%20b", "/tmp/a b"),
    ],
)
def test_an_address_of_this_machine_is_its_path(given, path):
    assert local_spelling(given) == path
    assert address_of(given) is None and address_of(Path(given)) is None
    assert path_of(given) == Path(path)


def test_a_name_with_an_escape_is_the_file_that_has_it(tmp_path):
    (tmp_path / "a%20b").touch()
    assert path_of(f"file://{tmp_path}/a%20b") == tmp_path / "a%20b"


def test_calls_read_and_write_addresses_of_this_machine(corpus, tmp_path):
    expected = qc.dedup(corpus).ledger
    out = tmp_path / "run"
    for data in (corpus.as_uri(), Path(corpus.as_uri())):
        assert qc.dedup(data).ledger.equals(expected)
    qc.dedup(corpus.as_uri(), against=corpus.as_uri(), out=out.as_uri())
    assert (out / "run.json").exists() and not (tmp_path / "file:").exists()
    assert qc.load(out.as_uri()).counts["read"] == 10
    with zipfile.ZipFile(tmp_path / "n.zip", "w") as packed:
        packed.write(corpus, "n.jsonl")
    assert qc.dedup(f"zip://n.jsonl::file://{tmp_path}/n.zip").counts["read"] == 10


def test_commands_read_and_write_addresses_of_this_machine(corpus, tmp_path):
    given, out = corpus.as_uri(), (tmp_path / "run").as_uri()
    for words in (
        ["dedup", given, f"--output={out}"],
        ["verify", out],
        ["report", out, f"-o{tmp_path.as_uri()}/page.html"],
        ["dedup", given, "--unit", "line", "-o", f"{out}-lines"],
        ["decontaminate", given, "--against", given, "-o", f"{out}-clean"],
    ):
        done = run(*words)
        assert done.exit_code == 0, (words, done.output, done.exception)
    made = {path.name for path in tmp_path.iterdir()}
    assert made == {corpus.name, "run", "page.html", "run-lines", "run-clean"}


OUTPUTS = [
    ["dedup"],
    ["dedup", "--unit", "line"],
    ["decontaminate", "--against", "新闻 1.jsonl"],
    ["passages"],
    ["statistics"],
]


@pytest.mark.parametrize("words", OUTPUTS, ids=" ".join)
@pytest.mark.parametrize("address", ["foo://x/y", "foo:///x/y"])
def test_an_unknown_protocol_is_no_folder_for_an_output(corpus, tmp_path, words, address):
    done = run(*words, corpus, "-o", address)
    assert isinstance(done.exception, qc.QuchongError)
    assert "the protocol foo:// is not supported; supported protocols are file://, s3://" in str(done.exception)
    assert [path.name for path in tmp_path.iterdir()] == [corpus.name]


@pytest.mark.parametrize("words", OUTPUTS, ids=" ".join)
def test_an_unknown_protocol_is_no_file_for_an_input(words):
    done = run(*words, "foo://x/y.jsonl", "-o", "run")
    assert "foo://x/y.jsonl: the protocol foo:// is not supported; supported protocols are file://, s3://" in str(
        done.exception
    )


@pytest.mark.parametrize("words", OUTPUTS[1:3], ids=" ".join)
def test_outputs_that_take_no_address_say_so(corpus, tmp_path, words):
    done = run(*words, corpus, "-o", "s3://bucket/run")
    assert "this is an address on another machine: name a path on this machine" in str(done.exception)
    assert [path.name for path in tmp_path.iterdir()] == [corpus.name]


def test_a_host_in_an_address_of_this_machine_is_refused(corpus, tmp_path):
    with pytest.raises(qc.InputError, match="write an address of this machine with three slashes, such as file:///tmp"):
        qc.dedup("file://host/x.jsonl")
    done = run("decontaminate", corpus, "--against", corpus, "-o", "file://host/x")
    assert "write an address of this machine with three slashes, such as" in str(done.exception)
    assert [path.name for path in tmp_path.iterdir()] == [corpus.name]


def test_the_memory_of_a_command_is_no_place_for_a_run(corpus, tmp_path):
    done = run("dedup", corpus, "-o", "memory://run")
    assert isinstance(done.exception, qc.OutputError)
    assert "memory://run will not exist any more when this command ends: name a folder" in str(done.exception)
    address = f"memory://{tmp_path.name}/run"
    qc.dedup(corpus, out=address)
    assert json.loads(json.dumps(qc.load(address).counts))["read"] == 10
