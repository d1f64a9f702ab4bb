"""Covers: the digest of a file that is read from place to place, taken in a thread beside: a pass that stops early ends the thread.

Compared against: hashlib over the whole file.
"""

import hashlib

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from quchong.errors import InputChanged
from quchong.io.files.input_file import DIGEST_BYTES, InputFile
from quchong.io.open import open_inputs as open_sources
from quchong.io.source import WantedColumns


@pytest.fixture
def source(tmp_path):
    pq.write_table(pa.table({"text": [f"第{i}篇" for i in range(200_000)]}), tmp_path / "in.parquet")
    (source,) = open_sources([tmp_path / "in.parquet"])
    return source


def digest(path):
    return hashlib.blake2b(path.read_bytes(), digest_size=DIGEST_BYTES).hexdigest()


def test_a_pass_to_the_end_takes_it_on_the_way(source):
    list(source.documents(WantedColumns(("text",), None), []))
    assert source._file._pending is not None
    assert source.fingerprint()["blake2b"] == digest(source.path)


def test_a_pass_that_stops_leaves_it_for_later(source):
    batches = source.documents(WantedColumns(("text",), None), [])
    assert len(next(batches)) < 200_000
    batches.close()
    assert source._file._pending is None
    assert source.fingerprint()["blake2b"] == digest(source.path)


def test_the_thread_ends_before_the_file_does(tmp_path):
    path = tmp_path / "in"
    path.write_bytes(b"x" * (3 << 20))
    file = InputFile(path)
    file.remember()
    file.start_digest()
    pending, unwanted = file._pending, file._unwanted
    file.end_digest()
    assert unwanted.is_set() and file._pending is None
    pending.result(60)  # whatever it had come to, nobody asks for it
    assert file.fingerprint("in")["blake2b"] == digest(path)
    assert file._hash(unwanted) != digest(path)


def test_reading_nothing_is_not_the_end(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"abcdef")
    file = InputFile(path)
    with file.open(digest=True) as raw:
        assert [raw.read(3), raw.read(0), raw.read(3), raw.read(0), raw.read(3), raw.read(0)] == [
            b"abc",
            b"",
            b"def",
            b"",
            b"",
            b"",
        ]
    assert file.fingerprint("a")["blake2b"] == digest(path)


def test_a_file_that_grows_after_its_end_has_changed(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"abc")
    file = InputFile(path)
    file.remember()
    with file.open(digest=True) as raw:
        assert [raw.read(3), raw.read(3)] == [b"abc", b""]
        with path.open("ab") as more:
            more.write(b"def")
        assert raw.read(3) == b"def"
    with pytest.raises(InputChanged, match="changed while the run read it; run again when no program writes to it"):
        file.check()
