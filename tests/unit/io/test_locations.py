"""The one port through which sources read and write bytes: every format from a location that is no path, and none by a path of its own."""

from __future__ import annotations

import ast
import gzip
import io
import os
import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

from quchong.errors import InputChanged, OutputError, RunError
from quchong.io import KEEP, REMOVE, FileBeneath, WantedColumns, open_file
from quchong.io.files.location import FileState, LocalFile, Location, location_of
from quchong.io.files.streams import Output

IO = Path(__file__).parents[3] / "src" / "quchong" / "io"
BY_PATH = ("OSFile", "FileIO", "walk", "stat", "lstat", "read_bytes", "write_bytes", "read_text", "write_text")
RECORD = (
    "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a/{0}\r\nContent-Type: application/http\r\n"
    "Content-Length: {1}\r\n\r\n{2}\r\n\r\n"
)


class Bytes(io.RawIOBase):
    """File of bytes in memory that can only be read and sought."""

    def __init__(self, content: bytes):
        self._file = io.BytesIO(content)

    def readable(self):
        return True

    def seekable(self):
        return True

    def readinto(self, buffer):
        return self._file.readinto(buffer)

    def seek(self, offset, whence=0):
        return self._file.seek(offset, whence)

    def tell(self):
        return self._file.tell()


class Stored(Location):
    """Location in memory, as that of a remote file would be: no file of its path exists."""

    def __init__(self, name: str, content: bytes):
        self.path, self.content, self.version = Path("elsewhere", name), content, 1

    def state(self):
        return FileState(len(self.content), self.version, is_file=True, is_folder=False)

    def open(self):
        return Bytes(self.content)

    def native(self):
        return pa.BufferReader(self.content)

    def below(self, recursive):
        raise NotADirectoryError

    def create(self, append=False):
        raise PermissionError

    def create_native(self):
        raise PermissionError


def table_bytes(suffix: str) -> bytes:
    table, out = pa.table({"id": ["a", "b", "c"], "text": ["one", "two", "three"]}), io.BytesIO()
    if suffix == ".parquet":
        pq.write_table(table, out)
    else:
        pyarrow.feather.write_feather(table, out)
    return out.getvalue()


def warc_bytes() -> bytes:
    bodies = [f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{text}</p>" for text in ("one", "two", "three")]
    return b"".join(gzip.compress(RECORD.format(k, len(body), body).encode()) for k, body in enumerate(bodies))


CONTENTS = {
    ".jsonl": lambda: b'{"id": "a", "text": "one"}\n{"id": "b", "text": "two"}\n{"id": "c", "text": "three"}\n',
    ".jsonl.gz": lambda: gzip.compress(CONTENTS[".jsonl"]()),
    ".json": lambda: b'[{"id": "a", "text": "one"}, {"id": "b", "text": "two"}, {"id": "c", "text": "three"}]',
    ".csv": lambda: b"id,text\na,one\nb,two\nc,three\n",
    ".parquet": lambda: table_bytes(".parquet"),
    ".feather": lambda: table_bytes(".feather"),
    ".warc.gz": warc_bytes,
}


@pytest.mark.parametrize("suffix", CONTENTS)
def test_every_format_is_read_and_copied_from_a_location(suffix, tmp_path):
    stored = Stored(f"in{suffix}", CONTENTS[suffix]())
    source, wanted = open_file(stored), WantedColumns(instead="html")
    batches = list(source.documents(wanted, []))
    assert sum(map(len, batches)) == 3 and source.fingerprint()["bytes"] == len(stored.content)
    sides = tmp_path / f"kept{suffix}", tmp_path / f"removed{suffix}"
    source.split(np.array([KEEP, REMOVE, KEEP], np.uint8), *sides)
    assert [sum(map(len, open_file(side).documents(wanted, []))) for side in sides] == [2, 1]
    assert source.fetch([2, 0], wanted)["row"].to_pylist() == [2, 0]
    assert source.table_of(np.array([False, True, False])).num_rows == 1
    stored.version = 2
    with pytest.raises(InputChanged):
        source.fetch([0], wanted)


def test_a_file_beneath_a_folder_is_no_link_no_pipe_and_never_written(tmp_path):
    (tmp_path / "outside").write_bytes(b"x")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "link").symlink_to("../outside")
    os.mkfifo(tmp_path / "run" / "pipe")
    for name in ("link", "pipe"):
        file = FileBeneath(tmp_path / "run", name)
        for read in (file.open, file.native, file.state):
            with pytest.raises(RunError):
                read()
    for write in (file.create, file.create_native):
        with pytest.raises(PermissionError):
            write()
    with pytest.raises(OutputError):
        Output(FileBeneath(tmp_path / "run", "link"))
    assert (tmp_path / "outside").read_bytes() == b"x"


def test_no_page_of_a_parquet_file_is_looked_at_by_its_path(tmp_path):
    """The sizes of pages come from the opened file too: in its place by path may be a link by now."""
    (tmp_path / "kept.parquet").write_bytes(CONTENTS[".parquet"]())
    location = FileBeneath(tmp_path, "kept.parquet")
    location.path = Path("nowhere")
    assert sum(map(len, open_file(location, "parquet").documents(WantedColumns(), []))) == 3


def test_a_folder_lists_its_files_without_hidden_ones(tmp_path):
    for name in ("a", "b/c", ".d", "b/.e", ".f/g"):
        LocalFile(tmp_path / name).create().close()
    assert sorted(one.path.relative_to(tmp_path).as_posix() for one in location_of(tmp_path).below(True)) == [
        "a",
        "b/c",
    ]
    assert [one.path.name for one in location_of(tmp_path).below(False)] == ["a"]
    with pytest.raises(FileNotFoundError):
        list(location_of(tmp_path / "none").below(True))


def test_no_reader_or_writer_opens_a_path_itself():
    for file in sorted(IO.rglob("*.py")):
        if file.relative_to(IO).as_posix() in ("files/location.py", "files/remote_file.py", "process_memory.py"):
            continue  # the latter reads what the kernel tells of this process
        for call in ast.walk(ast.parse(file.read_text())):
            if isinstance(call, ast.Call):
                name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
                by_mode = name == "open" and any(isinstance(one, ast.Constant) for one in call.args)
                assert not by_mode and name not in BY_PATH, (file, ast.unparse(call))
                assert not (name == "open" and isinstance(call.func, ast.Name)), (file, ast.unparse(call))


def test_no_module_reaches_into_the_objects_of_another():
    """An attribute with an underscore is used by the module of its class alone."""
    for folder in ("io", "results", "runs"):
        for file in sorted((IO.parent / folder).rglob("*.py")):
            tree = ast.parse(file.read_text())
            used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and not _own(node.value)}
            made = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and _own(node.value)}
            made |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
            reached = {name for name in used - made if re.fullmatch(r"_[a-z]\w*[a-z]", name)}
            assert not reached - {"_import_from_c", "_getframe"}, (file, reached)  # interfaces of PyArrow and of Python


def _own(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id == "super"
    return isinstance(value, ast.Name) and value.id in ("self", "cls")


def test_a_warc_file_that_becomes_shorter_while_it_is_copied_is_told(tmp_path):
    stored = Stored("in.warc.gz", warc_bytes())
    source = open_file(stored)
    list(source.documents(WantedColumns(instead="html"), []))
    stored.content = stored.content[:200]
    stored.state = lambda: FileState(len(warc_bytes()), 1, is_file=True, is_folder=False)
    with pytest.raises(InputChanged, match="became shorter"):
        source.split(np.zeros(3, np.uint8), tmp_path / "kept.warc.gz", None)
