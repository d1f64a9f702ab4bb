"""Writers of files whose opening or closing fails: the file is closed, and the first error is the one that is told."""

from __future__ import annotations

from types import SimpleNamespace

import pyarrow as pa
import pytest

from quchong.errors import InputChanged, OutputError
from quchong.io.columnar.ipc import ArrowWriter
from quchong.io.columnar.parquet import ParquetWriter
from quchong.io.columnar.sheet_writer import SheetWriter
from quchong.io.files.location import LocalFile
from quchong.io.files.notes import NotesWriter
from quchong.io.files.streams import Output

SCHEMA = pa.schema([("text", pa.large_string())])
WRITERS = {
    "gzip": (lambda path: Output(path, "gzip"), "gzip.GzipFile", "_file"),
    "bz2": (lambda path: Output(path, "bz2"), "bz2.BZ2File", "_file"),
    "zstd": (lambda path: Output(path, "zstd"), "pyarrow.CompressedOutputStream", "_file"),
    "notes": (lambda path: NotesWriter(path, SCHEMA), "pyarrow.csv.CSVWriter", "_rows"),
    "arrow": (lambda path: ArrowWriter(path, SCHEMA, True, None), "pyarrow.ipc.new_file", "_writer"),
    "arrow stream": (lambda path: ArrowWriter(path, SCHEMA, False, None), "pyarrow.ipc.new_stream", "_writer"),
    "parquet": (lambda path: ParquetWriter(path, SCHEMA), "pyarrow.parquet.ParquetWriter", "_writer"),
    "workbook": (lambda path: SheetWriter(path, SCHEMA, "a"), "xlsxwriter.Workbook", "_book"),
}


@pytest.fixture
def opened(monkeypatch):
    """Files that are opened for writing, in order."""
    files = []

    def noted(create):
        return lambda *given, **named: files.append(create(*given, **named)) or files[-1]

    monkeypatch.setattr(LocalFile, "create", noted(LocalFile.create))
    monkeypatch.setattr(LocalFile, "create_native", noted(LocalFile.create_native))
    return files


def refuse(*_, **__):
    raise OSError("no more")


def fail_on_closing(writer, inner):
    whole = getattr(writer, inner)

    def close():
        whole.close()
        refuse()

    setattr(writer, inner, SimpleNamespace(close=close))


@pytest.mark.parametrize("kind", WRITERS)
def test_the_file_is_closed_if_its_writer_cannot_be_made(tmp_path, monkeypatch, opened, kind):
    make, inner, _ = WRITERS[kind]
    monkeypatch.setattr(inner, refuse)
    with pytest.raises((OutputError, OSError), match="no more"):
        make(tmp_path / "a")
    assert [file.closed for file in opened] == [True]


@pytest.mark.parametrize("kind", WRITERS)
def test_the_first_error_is_told(tmp_path, opened, kind):
    make, _, inner = WRITERS[kind]
    writer = make(tmp_path / "a")
    fail_on_closing(writer, inner)
    with pytest.raises(InputChanged, match="the first"), writer:
        raise InputChanged("the first")
    assert [file.closed for file in opened] == [True]


@pytest.mark.parametrize("kind", WRITERS)
def test_an_error_of_closing_is_told(tmp_path, opened, kind):
    make, _, inner = WRITERS[kind]
    writer = make(tmp_path / "a")
    fail_on_closing(writer, inner)
    with pytest.raises(OutputError, match=r"cannot write .*no more"), writer:
        pass
    assert [file.closed for file in opened] == [True]
