"""Covers: the WARC and ARC files other projects test with. Run: pytest tests/pages/test_warc_samples.py."""

import os
from pathlib import Path

import numpy as np
import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

import quchong as qc
from quchong.errors import InputError
from quchong.io import KEEP, REMOVE, open_inputs

SAMPLES = Path(os.environ.get("QUCHONG_SHARED", Path(__file__).resolve().parents[3] / "shared"), "data", "warc_samples")

EXPECTED = {
    "chatnoir-resiliparse__block-sized-records.warc": (0, 0),
    "chatnoir-resiliparse__block-sized-records.warc.gz": (0, 0),
    "chatnoir-resiliparse__block-sized-records.warc.lz4": (0, 0),
    "chatnoir-resiliparse__clipped.warc.gz": (0, 1),
    "chatnoir-resiliparse__clueweb-quirk.warc.gz": (29, 0),
    "chatnoir-resiliparse__warcfile.warc": (16, 0),
    "chatnoir-resiliparse__warcfile.warc.gz": (16, 0),
    "chatnoir-resiliparse__warcfile.warc.lz4": (16, 0),
    "warcio__example-bad-non-chunked.warc.gz": (1, 0),
    "warcio__example-digest.warc": (0, 0),
    "warcio__example-iana.org-chunked.warc": (1, 0),
    "warcio__example-resource.warc.gz": (1, 0),
    "warcio__example-space-in-target-uri.warc.gz": (0, 0),
    "warcio__example-trunc.warc": (0, 1),
    "warcio__example-wget-bad-target-uri.warc.gz": (1, 0),
    "warcio__example-wrong-chunks.warc.gz": (1, 0),
    "warcio__example.warc": (1, 0),
    "warcio__example.warc.gz": (1, 0),
    "warcio__post-test.warc.gz": (0, 0),
}
"""Documents and broken records of each file."""


@pytest.fixture
def samples():
    if not SAMPLES.is_dir():
        pytest.skip(f"the shared data sets are absent: no {SAMPLES} (set QUCHONG_SHARED to the folder above data/)")
    return SAMPLES


@pytest.mark.shared
def test_every_file_ends_with_documents_or_reasons(samples, read):
    found = {}
    for path in sorted(samples.glob("*.warc*")):
        rows, bad = read(open_inputs([path])[0])
        found[path.name] = len(rows), len(bad)
        assert all(one.reason for one in bad)
    assert found == EXPECTED


@pytest.mark.shared
def test_arc_files_are_refused_with_the_way_out(samples):
    arcs = [*samples.glob("*.arc"), *samples.glob("*.arc.gz")]
    assert len(arcs) == 4
    for path in arcs:
        with pytest.raises(InputError, match=r"convert it, .* warcio recompress"):
            open_inputs([path])


@pytest.mark.shared
@pytest.mark.parametrize("name", [name for name, (documents, bad) in EXPECTED.items() if documents and not bad])
def test_the_same_addresses_and_pages_as_fastwarc_finds(samples, read, name):
    rows, _ = read(open_inputs([samples / name])[0])
    theirs = {}
    with (samples / name).open("rb") as file:
        for record in ArchiveIterator(file, record_types=WarcRecordType.response | WarcRecordType.resource):
            body = record.reader.read()
            theirs[record.headers.get("WARC-Target-URI").strip("<>")] = body
    for row in rows:
        body = theirs[row["id"]]
        if body[:2] != b"\x1f\x8b":
            assert body.removesuffix(b"\r\n0\r\n\r\n").rstrip()[-40:] in row["html"]


@pytest.mark.shared
@pytest.mark.parametrize("name", EXPECTED)
def test_both_sides_together_are_the_file(samples, read, tmp_path, name):
    """Every byte goes to one side or is a broken record."""
    source = open_inputs([samples / name])[0]
    rows, bad = read(source)
    fate = np.full(len(rows) + len(bad), 2, np.uint8)
    fate[[row["row"] for row in rows]] = [(KEEP, REMOVE)[n % 2] for n in range(len(rows))]
    sides = [tmp_path / f"{side}{source.suffix}" for side in ("kept", "removed")]
    source.split(fate, *sides)
    again = [read(open_inputs([side])[0])[0] if side.stat().st_size else [] for side in sides]
    assert [row["id"] for row in again[0]] == [row["id"] for row in rows[0::2]]
    assert [row["html"] for row in again[1]] == [row["html"] for row in rows[1::2]]
    if all(source._index.place(at).alone for at in range(len(source._index.row))):
        raw = sum(len(raw) for *_, raw in source.whole_records([one.row for one in bad]))
        assert sum(side.stat().st_size for side in sides) + raw == (samples / name).stat().st_size


@pytest.mark.shared
def test_a_run_over_all_of_them(samples):
    result = qc.dedup([path for path in samples.iterdir() if ".warc" in path.name], recall_sample=0)
    assert result.counts["read"] == sum(documents for documents, _ in EXPECTED.values())
    assert result.counts["skipped"] == 2
    for row in result.ledger.to_pylist():
        assert result.explain(row["id"]).text is not None
