"""What the tests of pages share: reading a source to its end, and running a command."""

from __future__ import annotations

import signal
import sys

import pyarrow as pa
import pytest

from quchong.cli.main import main
from quchong.io import WantedColumns


@pytest.fixture
def read():
    def read(source, wanted=None):
        bad = []
        batches = list(source.documents(wanted or WantedColumns(instead="html"), bad))
        return pa.Table.from_batches(batches).to_pylist(), bad

    return read


@pytest.fixture
def command(monkeypatch, capsys):
    """Runs a command line; its output, if it ended well."""
    before = signal.getsignal(signal.SIGTERM)

    def command(*argv, code=0):
        monkeypatch.setattr(sys, "argv", ["quchong", *map(str, argv)])
        capsys.readouterr()
        ended = 0
        try:
            main()
        except SystemExit as end:
            ended = end.code or 0
        out, err = capsys.readouterr()
        assert ended == code, err
        return out if code == 0 else err

    yield command
    signal.signal(signal.SIGTERM, before)
