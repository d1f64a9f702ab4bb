"""What the tests of the io room share: reading a source to its end."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pytest

from quchong.io.source import Bad, Source, WantedColumns


@dataclass
class Reading:
    table: pa.Table
    bad: list[Bad]
    batches: int

    @property
    def rows(self):
        return self.table.column("row").to_pylist()

    @property
    def ids(self):
        return self.table.column("id").to_pylist()

    @property
    def texts(self):
        return self.table.column("text").to_pylist()

    @property
    def reasons(self):
        return [one.reason for one in self.bad]


@pytest.fixture
def read():
    def read(source: Source, wanted: WantedColumns | None = None) -> Reading:
        bad: list[Bad] = []
        batches = list(source.documents(wanted or WantedColumns(), bad))
        table = pa.Table.from_batches(batches)
        assert table.column("row").null_count == table.column("text").null_count == 0
        table.validate(full=True)
        return Reading(table, bad, len(batches))

    return read
