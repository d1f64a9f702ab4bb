"""Standard input and pipes: each is copied once, under a name of its own; devices are not opened."""

from __future__ import annotations

import contextlib
import io
import os
import socket
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

import quchong as qc
from quchong.errors import InputError, UsageError
from quchong.io.found_inputs import FoundInput
from quchong.io.open import open_inputs
from quchong.io.stream_copies import StreamCopies
from quchong.plan.sources import spooled

pytestmark = [pytest.mark.skipif(os.name != "posix", reason="pipes and devices"), pytest.mark.timeout(60)]
FIRST, SECOND = b'{"id":"1","text":"a"}\n', b'{"id":"2","text":"b"}\n'


@contextlib.contextmanager
def filled(path, raw):
    """Make a pipe with a name, which one writer fills once."""
    path.parent.mkdir(exist_ok=True)
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(raw,), daemon=True)
    writer.start()
    yield path
    writer.join()


@contextlib.contextmanager
def redirected(file, monkeypatch):
    """Make an open file the standard input of the process, by number and as `sys.stdin`."""
    before = os.dup(0)
    os.dup2(file.fileno(), 0)
    try:
        with os.fdopen(0, "rb", closefd=False) as stream:
            monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=stream))
            yield
    finally:
        os.dup2(before, 0)
        os.close(before)


@contextlib.contextmanager
def piped(raw, monkeypatch):
    """Make a pipe that holds some bytes the standard input."""
    reading, writing = os.pipe()
    os.write(writing, raw)
    os.close(writing)
    with os.fdopen(reading, "rb") as file, redirected(file, monkeypatch):
        yield


def test_two_pipes_of_one_name(tmp_path, read):
    with filled(tmp_path / "a" / "p", FIRST) as one, filled(tmp_path / "b" / "p", SECOND) as two:
        sources = open_inputs([one, two], spool=tmp_path / "spool")
    assert [(source.name, read(source).ids) for source in sources] == [("p", ["1"]), ("p-2", ["2"])]


def test_two_pipes_of_one_name_are_compared(tmp_path):
    with (
        filled(tmp_path / "a" / "p", b"one text of a river") as one,
        filled(tmp_path / "b" / "p", b"nothing like it") as two,
    ):
        assert qc.compare(one, two).relation != "exact"


def test_a_pipe_named_twice_is_read_once(tmp_path, read):
    with filled(tmp_path / "p", FIRST) as pipe:
        (tmp_path / "link").symlink_to(pipe)
        (source,) = open_inputs([pipe, tmp_path / "link"], spool=tmp_path / "spool")
    assert (source.name, read(source).ids) == ("p", ["1"])


def test_a_pipe_is_compared_with_itself(tmp_path):
    with filled(tmp_path / "p", b"one text of a river") as pipe:
        assert qc.compare(pipe, pipe).relation == "exact"


@pytest.mark.parametrize("paths", [["-", "-"], ["/dev/stdin", "-"], ["-", "/dev/stdin", "/dev/fd/0"]])
def test_standard_input_named_twice_is_read_once(tmp_path, read, monkeypatch, paths):
    with piped(FIRST + SECOND, monkeypatch):
        (source,) = open_inputs(paths, spool=tmp_path / "spool")
    assert (source.name, read(source).ids) == ("stdin", ["1", "2"])


def test_a_standard_input_of_python_named_twice_is_read_once(tmp_path, read, monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(FIRST)))
    (source,) = open_inputs(["-", "-"], spool=tmp_path / "spool")
    assert (source.name, read(source).ids) == ("stdin", ["1"])


@pytest.mark.parametrize(("names", "found"), [(["-", "x.jsonl"], "stdin"), (["x.jsonl", "-"], "x.jsonl")])
def test_a_file_and_standard_input_from_it_are_one(tmp_path, read, monkeypatch, names, found):
    (tmp_path / "x.jsonl").write_bytes(FIRST)
    monkeypatch.chdir(tmp_path)
    with Path("x.jsonl").open("rb") as file, redirected(file, monkeypatch):
        (source,) = open_inputs(names, spool=tmp_path / "spool")
    assert (source.name, read(source).ids) == (found, ["1"])


def test_the_rest_of_a_file_is_not_the_file(tmp_path, read, monkeypatch):
    (tmp_path / "x.jsonl").write_bytes(FIRST + SECOND)
    with (tmp_path / "x.jsonl").open("rb") as file:
        os.lseek(file.fileno(), len(FIRST), os.SEEK_SET)
        with redirected(file, monkeypatch):
            sources = open_inputs(["-", tmp_path / "x.jsonl", "-"], spool=tmp_path / "spool")
    assert [read(source).ids for source in sources] == [["2"], ["1", "2"]]


def test_the_descriptor_of_a_file_is_read_as_the_file(tmp_path, read):
    (tmp_path / "x").write_bytes(FIRST)
    with (tmp_path / "x").open("rb") as file:
        (source,) = open_inputs([f"/dev/fd/{file.fileno()}"], format="jsonl")
        assert read(source).ids == ["1"]


def test_messages_name_the_streams(tmp_path, monkeypatch):
    spool = tmp_path / "spool"
    with (
        filled(tmp_path / "a" / "p", FIRST) as one,
        filled(tmp_path / "b" / "p", FIRST) as two,
        piped(FIRST, monkeypatch),
    ):
        sources = open_inputs([one, two, "-"], spool=spool)
    for source, said in zip(sources, ("pipe p is bad", "pipe p is bad", "standard input is bad"), strict=True):
        with pytest.raises(InputError) as raised, spooled(spool):
            raise InputError("{} is bad", source.path)
        assert str(raised.value) == said


def test_names_of_streams_and_files_are_unlike(tmp_path, monkeypatch):
    for name in ("stdin", "stdin-2"):
        (tmp_path / name).write_bytes(FIRST)
    monkeypatch.chdir(tmp_path)
    with piped(FIRST, monkeypatch):
        sources = open_inputs(["-", "stdin", "stdin-2"], format="jsonl", spool=tmp_path / "spool")
    assert [source.name for source in sources] == ["stdin", "stdin-3", "stdin-2"]


def test_the_number_stands_before_the_suffix(tmp_path):
    (tmp_path / "x.jsonl").write_bytes(FIRST)
    with filled(tmp_path / "a" / "x.jsonl", SECOND) as pipe:
        sources = open_inputs([pipe, tmp_path / "x.jsonl"], spool=tmp_path / "spool")
    assert [source.name for source in sources] == ["x.jsonl", "x-2.jsonl"]


def test_a_folder_and_texts_in_it_have_two_names(tmp_path):
    for name in ("1.txt", "2.txt", "3.txt"):
        (tmp_path / name).write_text(name)
    sources = open_inputs([tmp_path / "1.txt", tmp_path / "2.txt", tmp_path])
    assert len({source.name for source in sources}) == 2


@pytest.fixture(params=["device", "link to a device", "socket"])
def special(request, tmp_path, monkeypatch):
    if request.param == "socket":
        monkeypatch.chdir(tmp_path)  # names of sockets are short
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind("special")
            yield Path("special")
    elif request.param == "device":
        yield Path("/dev/zero")
    else:
        (tmp_path / "special").symlink_to("/dev/zero")
        yield tmp_path / "special"


READERS = {
    "dedup": qc.dedup,
    "against": lambda path: qc.dedup([{"text": "a"}], against=path),
    "compare": lambda path: qc.compare(path, "a"),
    "inspect": qc.inspect,
    "statistics": lambda path: qc.fit_statistics(path, method="ccdet"),
    "passages": qc.passages,
    "tune": lambda path: qc.tune(path, [{"left_id": "a", "right_id": "b", "label": "same"}]),
}


@pytest.mark.parametrize("what", READERS)
def test_devices_and_sockets_are_not_opened(special, what, monkeypatch):
    monkeypatch.setattr("shutil.copyfileobj", lambda *_: pytest.fail("it was copied"))
    with pytest.raises(InputError, match=rf"{special} is not opened, because it is a pipe, a device or a socket"):
        READERS[what](special)


def test_a_device_as_standard_input(tmp_path, monkeypatch):
    monkeypatch.setattr("shutil.copyfileobj", lambda *_: pytest.fail("it was copied"))
    with (
        Path("/dev/zero").open("rb") as device,
        redirected(device, monkeypatch),
        pytest.raises(InputError, match="standard input is a device: redirect it"),
    ):
        open_inputs(["-"], spool=tmp_path)
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="standard input is closed: redirect it"):
        open_inputs(["-"], spool=tmp_path)


def test_no_input_from_the_null_device(tmp_path, monkeypatch):
    with Path(os.devnull).open("rb") as device, redirected(device, monkeypatch):
        assert StreamCopies(tmp_path).copy_of("-", ".jsonl").read_bytes() == b""


def test_a_pipe_without_a_folder(tmp_path):
    with filled(tmp_path / "p", b"") as pipe, pytest.raises(UsageError, match="p can be read only once"):
        StreamCopies(None).copy_of(str(pipe), ".jsonl")


def test_texts_named_one_by_one_are_not_compared_with_each_other(tmp_path, monkeypatch):
    paths = [tmp_path / f"{number}.txt" for number in range(40)]
    for path in paths:
        path.write_text("a")
    (tmp_path / "rows.jsonl").write_bytes(FIRST)
    compared = []
    monkeypatch.setattr(FoundInput, "__eq__", lambda one, other: compared.append(1) or one is other)
    texts, rows = open_inputs([*paths, tmp_path / "rows.jsonl"])
    assert (len(texts.files), rows.name, len(compared)) == (40, f"{tmp_path.name}/rows.jsonl", 0)


@pytest.mark.parametrize("call", [qc.dedup, qc.estimate])
def test_one_stream_is_not_both_corpora(tmp_path, call):
    """Whichever were read second would be empty, without an error."""
    os.mkfifo(tmp_path / "p.jsonl")
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "p.jsonl")
    with pytest.raises(UsageError, match="once"):
        call(tmp_path / "p.jsonl", against=tmp_path / "link.jsonl")
    with pytest.raises(UsageError, match="once"):
        call("-", against=[Path("-")])
