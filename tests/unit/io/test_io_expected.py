"""Covers: how many records a source expects, for progress. Run: pytest tests/unit/io/test_io_expected.py."""

import gzip

import pyarrow as pa
import pyarrow.parquet as pq

from quchong.io import Wanted, from_object, open_inputs


def test_expected_records_are_told_where_they_are_cheap(tmp_path):
    line = b'{"id": 1, "text": "abc"}\n'
    (tmp_path / "a.jsonl").write_bytes(line * 100_000)
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(line))
    (tmp_path / "empty.jsonl").write_bytes(b"")
    pq.write_table(pa.table({"text": ["a"] * 7}), tmp_path / "c.parquet")
    (tmp_path / "d.parquet").write_bytes(b"no parquet")
    got = [
        open_inputs([tmp_path / n])[0].expected()
        for n in ("a.jsonl", "b.jsonl.gz", "empty.jsonl", "c.parquet", "d.parquet")
    ]
    assert abs(got[0] - 100_000) <= 10
    assert got[1:] == [None, 0, 7, None]
    assert from_object(["x", "y"], Wanted()).expected() == 2
