"""Two sides of a split input put together again, however their records fall into blocks."""

from __future__ import annotations

import numpy as np
import pytest

from quchong.io.merge import restore_rows


@pytest.mark.parametrize(
    ("suffix", "kept", "removed"),
    [
        (".csv", b"text\nabc\n", b"text\nabc"),
        (".csv", b"text\nabc", b"text\nabd\n"),
        (".csv", b'text\n"a\nb"\n', b'text\n"a\nb"'),
        (".jsonl", b'\n\n{"text": "a"}\n', b'{"text": "b"}'),
    ],
)
def test_a_block_without_a_whole_record(suffix, kept, removed, tmp_path):
    """As is the first of a CSV file whose only record has no line ending."""
    paths = [tmp_path / f"{name}{suffix}" for name in ("kept", "removed", "new_kept", "new_removed")]
    paths[0].write_bytes(kept)
    paths[1].write_bytes(removed)
    restore_rows(paths[0], paths[1], np.array([False, True]), np.array([False, False]), paths[2], paths[3])
    head = b"text\n" if suffix == ".csv" else b""
    body = b"".join(one.strip(b"\n").removeprefix(head) + b"\n" for one in (kept, removed))
    assert paths[2].read_bytes().rstrip(b"\n") == (head + body).rstrip(b"\n")
    assert paths[3].read_bytes() == head
