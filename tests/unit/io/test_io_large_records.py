"""Covers: records larger than is read, in every format. Compared against: the same rows without them, and a bound on what is held."""

import csv
import gzip
import io
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import quchong as qc
from quchong.engines.stream import Stream
from quchong.io import BAD, KEEP, WantedColumns, from_object, open_inputs
from quchong.io.columnar.parquet_pages import _sizes, largest_pages
from quchong.io.limits import HEAD, head_of, too_many_values
from quchong.io.records.array_cutter import ArrayCutter
from quchong.io.records.csv_file import CsvFile
from quchong.io.records.json_array import JsonArray
from quchong.io.records.jsonl import JsonLines
from quchong.io.records.lines import whole_lines
from quchong.io.records.value_end import ValueEnd
from quchong.methods.bases.stream_filters import FilterChoice

MOST = 2_000
ROWS = [
    {"id": "a", "text": "aa"},
    {"id": "b", "text": 'x"[{,\\\n' * 900},
    {"id": "c", "text": "cc,[["},
    {"id": "d", "text": "大" * 900},
    {"id": "e", "text": "y" * 1_500},
]
SMALL = ["a", "c", "e"]


def written(folder, suffix):
    path = folder / f"in{suffix}"
    if suffix.startswith(".jsonl"):
        raw = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS).encode()
        path.write_bytes(gzip.compress(raw) if suffix.endswith("gz") else raw)
    elif suffix == ".json":
        path.write_text(json.dumps(ROWS, ensure_ascii=False, indent=1), "utf-8")
    elif suffix == ".csv":
        with path.open("w", encoding="utf-8", newline="") as file:
            out = csv.DictWriter(file, ["id", "text"])
            out.writeheader()
            out.writerows(ROWS)
    elif suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(ROWS), path)
    elif suffix == ".arrow":
        table = pa.Table.from_pylist(ROWS)
        with pa.OSFile(str(path), "wb") as raw, pa.ipc.new_file(raw, table.schema) as file:
            file.write_table(table)
    else:
        path = folder / "in"
        path.mkdir()
        for row in ROWS:
            (path / f"{row['id']}.txt").write_text(row["text"], "utf-8")
    return path


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz", ".json", ".csv", ".parquet", ".arrow", ".txt"])
def test_a_large_record_is_skipped_and_told_and_costs_only_itself(tmp_path, suffix):
    source = open_inputs([written(tmp_path, suffix)], max_record=MOST)[0]
    bad = []
    found = [row for batch in source.documents(WantedColumns(), bad) for row in batch.to_pylist()]
    assert [row["id"].removesuffix(".txt") for row in found] == SMALL
    assert [row["text"] for row in found] == [row["text"] for row in ROWS if row["id"] in SMALL]
    assert [one.row for one in bad] == [1, 3]
    assert all(
        "bytes, but records larger than 2,000 bytes are not read" in one.reason and len(one.raw) < 4 * HEAD
        for one in bad
    )
    assert "大".encode() in bad[1].raw
    again = dict((row, raw) for row, _, raw in source.whole_records([1, 3]))
    assert all(len(raw) < 4 * HEAD for raw in again.values())
    assert source.fetch([1, 2], WantedColumns())["id"].to_pylist() == [found[1]["id"]]
    fate = np.full(len(ROWS), KEEP, np.uint8)
    fate[[1, 3]] = BAD
    kept = tmp_path / f"kept{source.suffix}"
    source.split(fate, kept, None)
    if suffix != ".txt":
        rows = [row for batch in open_inputs([kept])[0].documents(WantedColumns(), []) for row in batch.to_pylist()]
        assert [row["text"] for row in rows] == [row["text"] for row in found]


@pytest.mark.parametrize("block", [7, 64, 1_000, 4_096, 1 << 20])
@pytest.mark.parametrize(("kind", "suffix"), [(JsonLines, ".jsonl"), (JsonArray, ".json"), (CsvFile, ".csv")])
def test_no_size_of_blocks_changes_what_is_skipped(tmp_path, kind, suffix, block):
    source = kind(written(tmp_path, suffix), "in", suffix, None, block, most=MOST)
    bad = []
    found = [row["id"] for batch in source.documents(WantedColumns(), bad) for row in batch.to_pylist()]
    assert found == SMALL and [one.row for one in bad] == [1, 3]
    lines = {".jsonl": [2, 4], ".json": [6, 14], ".csv": [3, 905]}
    assert [one.line for one in bad] == lines[suffix]


def test_a_line_without_end_is_never_held():
    left = [10**9]

    def read(size):
        left[0] -= size
        return b"x" * min(size, left[0] + size) if left[0] + size > 0 else b""

    ((block, cuts),) = whole_lines(read, most=1 << 20, size=1 << 22)
    assert block == b"?" and cuts[0].size == 10**9 and cuts[0].head == b"x" * HEAD


def test_a_long_line_of_csv_opens_and_closes_quotes_as_it_does(tmp_path):
    """Within a quoted field, before one that goes on, and alone."""
    long = "q" * 5_000
    rows = [["1", "a"], ["2", f"first\n{long}\nlast"], ["3", f'{long}"", x'], ["4", f"{long}\ntwo"], ["5", "b"]]
    out = io.StringIO()
    csv.writer(out).writerows([["id", "text"], *rows])
    (tmp_path / "in.csv").write_text(out.getvalue(), "utf-8", newline="")
    for block in (50, 700, 1 << 20):
        source = CsvFile(tmp_path / "in.csv", "in", ".csv", None, block, most=MOST)
        bad = []
        found = [row["id"] for batch in source.documents(WantedColumns(), bad) for row in batch.to_pylist()]
        assert found == ["1", "5"] and [one.row for one in bad] == [1, 2, 3]


def test_a_header_that_is_too_long_is_told(tmp_path):
    (tmp_path / "in.csv").write_text("x" * 100_000 + "\n1\n")
    with pytest.raises(qc.errors.InputError, match="bytes, too many for the names of columns"):
        list(CsvFile(tmp_path / "in.csv", "in", ".csv", None, 100, most=MOST).documents(WantedColumns(), []))


def test_a_mark_of_the_encoding_before_a_long_line_stays(tmp_path):
    (tmp_path / "in.jsonl").write_bytes(b"\xef\xbb\xbf" + b"x" * 9_000 + b'\n{"id": "a", "text": "t"}\n')
    source = JsonLines(tmp_path / "in.jsonl", "in", ".jsonl", None, 100, most=MOST)
    bad = []
    assert sum(len(batch) for batch in source.documents(WantedColumns(), bad)) == 1 and len(bad) == 1
    source.split(np.array([BAD, KEEP], np.uint8), tmp_path / "kept.jsonl", None)
    assert (tmp_path / "kept.jsonl").read_bytes() == b'\xef\xbb\xbf{"id": "a", "text": "t"}\n'


def test_a_large_record_is_never_copied_from_its_beginning(tmp_path):
    """Whoever would write it by mistake is told instead."""
    source = open_inputs([written(tmp_path, ".jsonl")], max_record=MOST)[0]
    with pytest.raises(qc.errors.InputError, match="bytes is too large to be copied: allow larger records with"):
        source.split(np.full(len(ROWS), KEEP, np.uint8), tmp_path / "kept.jsonl", None)


def test_records_of_very_many_values_are_not_parsed():
    line = b'{"text": "t", "x": [' + b"[]," * 400_000 + b"[]]}"
    assert "800,004 values" in str(too_many_values(line, 1 << 20))
    assert too_many_values(line, 1 << 30) is None and too_many_values(line[:1000], 1) is None
    values = list(ArrayCutter(io.BytesIO(b"[" + line + b', {"a": 1}]').read, 1 << 16, 1 << 23))
    assert (
        "values, but records with more than" in values[0].broken
        and values[0].size == len(line)
        and values[1].text == '{"a": 1}'
    )


@pytest.mark.parametrize("cut", [1, 2, 3, 5, 1000])
@pytest.mark.parametrize("value", ['{"a": ["}", "\\"]", "\\\\"]}', '"a\\"]"', "[[], {}]", "12.5", "[1, [2, [3]]]"])
def test_the_end_of_a_value_is_found_in_pieces(value, cut):
    text = value + ', {"next": "]"}]'
    end, at = ValueEnd(value[0]), 0
    while (found := end.look(text[at : at + cut], 0)) is None:
        at += cut
    assert at + found == len(value)


def test_a_beginning_is_not_cut_within_a_character():
    for shift in range(4):
        head_of(b"x" * shift + "大".encode() * 500).decode()
    assert head_of(b"short") == b"short"


def test_data_in_memory_has_the_same_bound():
    bad = []
    source = from_object(ROWS, WantedColumns(), MOST)
    assert [x for batch in source.documents(WantedColumns(), bad) for x in batch["id"].to_pylist()] == SMALL
    assert [one.row for one in bad] == [1, 3] and max(len(one.raw) for one in bad) < 4 * HEAD


@pytest.mark.parametrize("size", [10, 997, 1 << 20])
def test_filter_skips_large_records_too(size):
    raw = "".join(json.dumps(row) + "\n" for row in ROWS).encode()
    stream = Stream(FilterChoice().build(), most=MOST)
    stream.begin("in")
    decided = [stream.feed(raw[at : at + size]) for at in range(0, len(raw), size)] + [stream.finish()]
    passed = b"".join(one.passed for one in decided if one)
    assert [json.loads(line)["id"] for line in passed.splitlines()] == SMALL
    assert [(one.row, one.line) for d in decided if d for one in d.bad] == [(1, 2), (3, 4)]


def test_a_run_lists_what_it_skipped_and_tells_the_bound(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text('{"id": "a", "text": "one"}\n{"id": "b", "text": "' + "x" * 70_000 + '"}\n')
    result = qc.dedup(path, out=tmp_path / "run", max_record="64K")
    (skipped,) = map(json.loads, (tmp_path / "run" / "skipped.jsonl").read_text().splitlines())
    assert (skipped["line"], skipped["row"], len(skipped["raw"])) == (2, 1, HEAD)
    assert "the record has 70,023 bytes" in skipped["reason"] and result.manifest["config"]["max_record"] == 1 << 16
    default = qc.dedup(path)
    assert default.manifest["config_hash"] == result.manifest["config_hash"] and default.counts["skipped"] == 0
    with pytest.raises(qc.errors.UsageError, match="64K"):
        qc.dedup(path, max_record=1000)


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"data_page_version": "2.0"},
        {"compression": "zstd"},
        {"use_dictionary": False},
        {"write_page_checksum": True},
    ],
)
def test_pages_of_parquet_are_told_from_their_headers(tmp_path, how):
    """By their sum, which the footer tells with the headers, and a page that must be the largest."""
    rows = [{"id": "a", "n": [1, 2], "text": str(i) * 50} for i in range(2_000)] + [
        {"id": "a", "n": [3], "text": "y" * 2_000_000}
    ]
    path = tmp_path / "in.parquet"
    pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=1_500, **how)
    with path.open("rb") as file:
        first, last = largest_pages(file, ["id", "n", "text"])
        assert first[1] == last[1] == "text" and first[0] < 1_000_000 and last[0] > 2_000_000
        assert largest_pages(file, ["n"])[0][1] == "n.list.element"
        assert largest_pages(file, []) == [(0, ""), (0, "")]
        group = pq.ParquetFile(path).metadata.row_group(0).column(2)
        start = group.dictionary_page_offset or group.data_page_offset
        sizes = list(_sizes(file, start, start + group.total_compressed_size))
        assert 0 <= group.total_uncompressed_size - sum(sizes) < 400 * len(sizes)


def test_no_damage_to_a_footer_or_header_is_more_than_a_reason_to_look_no_further(tmp_path):
    path = tmp_path / "in.parquet"
    pq.write_table(pa.table({"text": ["some text"] * 3}), path)
    whole = path.read_bytes()
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 255]) + whole[at + 1 :])
        with path.open("rb") as file:
            assert all(size >= 0 for size, _ in largest_pages(file, ["text"]))
    path.write_bytes(b"PAR1")
    with path.open("rb") as file:
        assert largest_pages(file, ["text"]) == []


def test_a_row_group_with_a_page_that_is_too_large_is_skipped_whole(tmp_path, monkeypatch):
    monkeypatch.setattr("quchong.io.columnar.parquet.PAGE_BYTES", 1_000_000)
    path = tmp_path / "in.parquet"
    texts = ["a", "b", "c", "x" * 3_000_000, "e", "f"]
    table = pa.table({"id": list("abcdef"), "text": texts})
    for size, skipped in ((2, [2, 3]), (4, [0, 1, 2, 3]), (6, [0, 1, 2, 3, 4, 5]), (3, [3, 4, 5])):
        pq.write_table(table, path, row_group_size=size)
        source = open_inputs([path], max_record=MOST)[0]
        bad = []
        kept = [i for i in range(6) if i not in skipped]
        wanted = WantedColumns(instead="html")
        found = [row for batch in source.documents(wanted, bad) for row in batch.column("row").to_pylist()]
        assert found == kept and [one.row for one in bad] == skipped
        assert all("has a page of 3,00" in one.reason for one in bad)
        fate = np.full(6, KEEP, np.uint8)
        fate[skipped] = BAD
        source.split(fate, tmp_path / "kept.parquet", None)
        assert pq.read_table(tmp_path / "kept.parquet")["id"].to_pylist() == [list("abcdef")[i] for i in kept]
        assert source.fetch(kept[:1], wanted).num_rows == len(kept[:1])
        assert list(source.whole_records(skipped)) == []
        mask = fate == KEEP
        assert source.table_of(mask).num_rows == len(kept)


@pytest.mark.parametrize("beside", [b"", b"{broken\n", b'{"id": "n", "text": null}\n'])
def test_a_record_of_many_values_has_its_fate_whatever_stands_beside_it(tmp_path, beside):
    many = b'{"id": "v", "text": "' + "一二三四".encode() + b'", "x": [' + b"1," * 600_000 + b"1]}\n"
    path = tmp_path / "in.jsonl"
    path.write_bytes(many + beside)
    for most, read in ((16 << 20, 0), (64 << 20, 1)):
        bad = []
        source = open_inputs([path], max_record=most)[0]
        batches = list(source.documents(WantedColumns(), bad))
        assert sum("v" in batch["id"].to_pylist() for batch in batches) == read
        assert sum("600,00" in str(one.reason) for one in bad) == 1 - read
