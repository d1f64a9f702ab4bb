"""Covers: quchong.io.records.array_cutter, quchong.io.records.json_array.

Compared against: `json` on whole arrays, JSON lines of the same objects. Run: pytest tests/unit/io/test_io_json_array.py.
"""

import gzip
import io
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quchong as qc
from quchong.io import open_inputs
from quchong.io.records.array_cutter import BEHIND, ENDLESS, ArrayCutter
from quchong.io.records.json_array import JsonArray
from quchong.io.source import BAD, KEEP, REMOVE, WantedColumns

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.lists(st.dictionaries(st.sampled_from(["id", "text", "x"]), VALUES, max_size=3), max_size=8)


def cut(raw: bytes, piece: int = 1 << 20):
    return list(ArrayCutter(io.BytesIO(raw).read, piece))


@settings(max_examples=150, deadline=None)
@given(OBJECTS, st.sampled_from([None, 0, 2]), st.booleans(), st.integers(1, 40))
def test_values_are_those_of_the_whole_array(objects, indent, ascii_only, piece):
    raw = json.dumps(objects, ensure_ascii=ascii_only, indent=indent).encode("utf-8", "surrogatepass")
    found = cut(raw, piece)
    assert [
        json.loads(one.text.encode("utf-8", "surrogateescape").decode("utf-8", "surrogatepass")) for one in found
    ] == objects
    assert not any(one.broken for one in found)
    at = 0
    for one in found:  # lines are counted to where each begins
        at = raw.index(one.text.encode("utf-8", "surrogateescape"), at)
        assert raw[:at].count(b"\n") == one.lines
        at += len(one.text.encode("utf-8", "surrogateescape"))


@pytest.mark.parametrize("piece", [1, 2, 3, 7, 1 << 20])
@pytest.mark.parametrize(
    ("raw", "good", "broken"),
    [
        (b'[{"a":1},{"a":"x" bad},{"a":3}]', ['{"a":1}', '{"a":3}'], ['{"a":"x" bad}']),
        (b'[{"a":1},{"a":"x,{"a":3}]', ['{"a":1}', '{"a":3}'], ['{"a":"x']),
        (b'[{"a":1},{"a":{"b":2},{"a":3}]', ['{"a":1}', '{"a":3}'], ['{"a":{"b":2}']),
        (b'[{"a":"x\ny"},{"a":2}]', ['{"a":2}'], ['{"a":"x\ny"}']),
        (b'[{"t":[{"a":1},{"a":2}],"x" bad},{"t":1}]', ['{"t":1}'], ['{"t":[{"a":1},{"a":2}],"x" bad}']),
        (b'[bad, {"a":1}]', ['{"a":1}'], ["bad"]),
        (b'[{"a":1},{"a":"x', ['{"a":1}'], ['{"a":"x', ""]),
        (b'[{"a":1},{"a":2}', ['{"a":1}', '{"a":2}'], [""]),
        (b'[{"a":1}]\n[{"a":2}]\n', ['{"a":1}', '{"a":2}'], ["["]),
        (b'[{"a":1}] trailing words', ['{"a":1}'], ["trailing words"]),
        (b'[{"a":1} {"a":2},,{"a":3},]', ['{"a":1}', '{"a":2}', '{"a":3}'], []),
        (b'[{"a":1},{"a":"\xff"},{"a":2}]', ['{"a":1}', '{"a":"\udcff"}', '{"a":2}'], []),
        (b"[]", [], []),
        (b" [ \n ] ", [], []),
        (b"[", [], [""]),
        (b"[" * 5000 + b"]" * 5000, [], None),
    ],
)
def test_a_broken_value_costs_only_itself(raw, good, broken, piece):
    found = cut(raw, piece)
    assert [one.text for one in found if not one.broken] == good
    if broken is not None:
        assert [one.text for one in found if one.broken] == broken
    assert found == cut(raw), "pieces change nothing"


def test_what_is_wrong_is_said():
    assert [one.broken for one in cut(b'[{"a":tru},{"a":1}] x')] == [
        "broken JSON: Expecting value at character 6", "", BEHIND,
    ]  # fmt: skip
    assert cut(b'[{"a":1}')[-1].broken == ENDLESS
    assert cut(b'[1,{"a"')[1].broken.startswith("broken JSON: Expecting ':' delimiter at character")


def test_a_long_value_is_not_parsed_again_with_every_piece():
    calls = []
    cutter = ArrayCutter(io.BytesIO(b'[{"a":"' + b"x" * 1_000_000 + b'"}]').read, 1000)
    parse = cutter._parse
    cutter._parse = lambda text, at: calls.append(at) or parse(text, at)
    assert len(next(iter(cutter)).text) == 1_000_008
    assert len(calls) < 25


@pytest.fixture
def array(tmp_path):
    def array(raw: bytes, suffix=".json", block_bytes=1 << 24):
        path = tmp_path / f"in{suffix}"
        path.write_bytes(gzip.compress(raw) if suffix.endswith("gz") else raw)
        return JsonArray(path, path.name, suffix, "gzip" if suffix.endswith("gz") else None, block_bytes)

    return array


RAW = (
    '[\n  {\n    "id": "a",\n    "text": "你\\n好"\n  },\n  {"id": 7, "text": 3},\n  17,\n  {"id": "c", "text": "x" oops},\n'
    '  {"id": "d", "text": "y", "n": [1, {"text": "z"}]}\n]\n'
).encode()


@pytest.mark.parametrize("block_bytes", [1, 30, 1 << 24])
@pytest.mark.parametrize("raw", [RAW, RAW.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + RAW])
def test_bad_records_are_named_with_line_and_reason(array, read, raw, block_bytes):
    source = array(raw, block_bytes=block_bytes)
    got = read(source)
    assert (got.ids, got.texts, got.rows) == (["a", "d"], ["你\n好", "y"], [0, 4])
    assert [(one.row, one.line, one.raw) for one in got.bad] == [
        (1, 6, b'{"id": 7, "text": 3}'), (2, 7, b"17"), (3, 8, b'{"id": "c", "text": "x" oops}'),
    ]  # fmt: skip
    assert got.reasons[0] == "text is a number, not a string" and got.reasons[1] == "not an object"
    assert got.reasons[2].startswith("broken JSON: Expecting ',' delimiter at character")
    assert [(row, line, raw) for row, line, raw in source.whole_records([1, 2])] == [
        (1, 6, b'{"id": 7, "text": 3}'),
        (2, 7, b"17"),
    ]
    assert source.fetch([4, 0], WantedColumns())["text"].to_pylist() == ["y", "你\n好"]
    assert source.fingerprint()["bytes"] == len(raw)


@pytest.mark.parametrize("suffix", [".json", ".json.gz"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_arrays_go_out_as_arrays_each_value_as_it_stood(array, read, tmp_path, suffix, mark):
    source = array(mark + RAW, suffix)
    read(source)
    kept, removed, notes = (tmp_path / f"{name}{suffix}" for name in ("kept", "removed", "notes"))
    source.split(np.array([KEEP, BAD, BAD, BAD, REMOVE], np.uint8), kept, removed)
    unpacked = gzip.decompress if suffix.endswith("gz") else bytes
    assert unpacked(kept.read_bytes()) == mark + '[\n  {\n    "id": "a",\n    "text": "你\\n好"\n  }\n]\n'.encode()
    assert json.loads(unpacked(removed.read_bytes()).decode("utf-8-sig")) == [
        {"id": "d", "text": "y", "n": [1, {"text": "z"}]}
    ]
    import pyarrow as pa

    source.annotate(pa.table({"fate": ["kept", None, None, None, "removed"]}), notes)
    noted = json.loads(unpacked(notes.read_bytes()).decode("utf-8-sig"))
    assert [(one["id"], one["fate"]) for one in noted] == [("a", "kept"), ("d", "removed")]
    source.rewrite({4: "neu"}, "text", notes)
    assert [one["text"] for one in json.loads(unpacked(notes.read_bytes()).decode("utf-8-sig"))] == ["你\n好", "neu"]
    source.split(np.full(5, BAD, np.uint8), kept, removed)
    assert json.loads(unpacked(kept.read_bytes()).decode("utf-8-sig")) == []
    assert isinstance(open_inputs([kept])[0], JsonArray), "an empty array stays one"


def test_a_run_over_an_array_is_the_run_over_its_lines(tmp_path):
    lines = (open_examples() / "news.jsonl").read_text("utf-8").splitlines()
    (tmp_path / "news.json").write_text(
        json.dumps([json.loads(line) for line in lines], ensure_ascii=False, indent=1), "utf-8"
    )
    mine = qc.dedup(tmp_path / "news.json", out=tmp_path / "run", recall_sample=0)
    plain = qc.dedup(open_examples() / "news.jsonl", recall_sample=0)
    assert mine.ledger.drop_columns(["source"] if "source" in mine.ledger.column_names else []).num_rows == 45
    assert mine.ledger["id"].equals(plain.ledger["id"]) and mine.kept.to_pylist() == plain.kept.to_pylist()
    loaded = qc.load(tmp_path / "run")
    assert str(loaded.explain("n009")) == str(plain.explain("n009"))
    assert loaded.chains().equals(plain.chains())
    loaded.restore("n009")
    kept = json.loads((tmp_path / "run" / "kept.json").read_text("utf-8"))
    assert len(kept) == 60 and [row["id"] for row in kept] == loaded.kept["id"].to_pylist()
    loaded.restore(everything=True)
    assert (tmp_path / "run" / "kept.json").read_bytes() == (tmp_path / "news.json").read_bytes().rstrip(b"\n") + b"\n"
    assert json.loads((tmp_path / "run" / "removed.json").read_text("utf-8")) == []


def open_examples():
    from pathlib import Path

    return Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize("end", [b"", b"]\n", b',\n{"text": "last"}]', b"]" * 300_000 + b']\n{"text": "behind"}'])
@pytest.mark.parametrize("begin", [b"", b'{"text": "first"},\n'])
@pytest.mark.parametrize("piece", [1 << 12, 1 << 16])
def test_a_value_nested_too_deeply_is_one_record_however_long(begin, end, piece):
    found = list(ArrayCutter(io.BytesIO(b"[" + begin + b"[" * 400_000 + end).read, piece, most=100_000))
    deep = [value for value in found if value.broken == "broken JSON: nested too deeply"]
    assert len(deep) == 1 and set(deep[0].text) == {"["} and len(deep[0].text) < 100_000
    whole = 400_000 + (300_000 if end.startswith(b"]]") else 0)
    assert whole - 1 <= deep[0].size <= whole + 4
    assert [value.text for value in found if not value.broken] == [
        *(['{"text": "first"}'] if begin else []), *(['{"text": "last"}'] if b"last" in end else []),
        *(['{"text": "behind"}'] if b"behind" in end else []),
    ]  # fmt: skip
    others = [value.broken for value in found if value.broken and value not in deep]
    assert others == ([ENDLESS] if not end or b"behind" in end else [])


def test_a_packed_array_nested_too_deeply_is_two_bad_records(tmp_path):
    path = tmp_path / "deep.json.gz"
    path.write_bytes(gzip.compress(b"[" * 5_000_000, 1, mtime=0))
    found = qc.dedup(path, max_record="1M", recall_sample=0)
    assert [(one["row"], one["line"]) for one in found.skipped] == [(0, 1), (1, 1)]
    assert found.skipped[0]["reason"] == "broken JSON: nested too deeply"
    assert found.skipped[1]["reason"] == ENDLESS and found.counts["records"] == 2
    found.save(tmp_path / "run")
    assert (tmp_path / "run" / "skipped.jsonl").stat().st_size < 100_000
