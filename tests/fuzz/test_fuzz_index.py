"""Covers: indexes that are damaged, or forged by a stranger: reading ends in answers or in errors of ours, writes nothing, ends no process
and takes little memory; damage is found, and repaired without losing what is whole.

Run: pytest tests/fuzz/test_fuzz_index.py, and -m campaign for 500 variants.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from index_records import records

import quchong as qc

HERE = Path(__file__).parent


def made(folder, method):
    """An index with two segments, a tail, deleted documents, copies and relations; also with documents in the log of a stopped writer."""
    some = records(11)
    with qc.Index.create(folder, method=method) as index:
        index.add(some[:20])
        index._open.tidy()
        index.add(some[20:24])
        index._open.postings.seal()
        index._open._list_segments(index._open.postings)
        index.delete([some[0]["id"], some[21]["id"]])
        index.add(some[24:])
    return folder


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize(
    ("method", "seed", "count"),
    [
        ("hybrid", 1, 25), ("minhash", 2, 25), ("simhash", 3, 15),
        *(pytest.param(method, seed, 100, marks=pytest.mark.campaign)
          for seed, method in enumerate(("hybrid", "minhash", "simhash", "winnowing", "exact"), 4)),
    ],
)  # fmt: skip
def test_damaged_and_forged_indexes_are_read_or_refused(tmp_path, method, seed, count):
    index = made(tmp_path / "seen", method)
    path = os.pathsep.join([str(HERE.parent), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, HERE / "index_reader.py", index, tmp_path / "variant", str(seed), str(count)],
        capture_output=True, text=True, env=os.environ | {"PYTHONPATH": path}, check=False,
    )  # fmt: skip
    lines = done.stdout.splitlines()
    assert done.returncode == 0, (done.returncode, lines[-1:], done.stderr[-3000:])
    read = [told for told in map(json.loads, lines) if "read" in told]
    assert len(read) == count
    assert any(told["said"] for told in read) and any(told["problems"] for told in read)
