"""Text files and CSV in other encodings: found or said, told, read as they are, and written as they came."""

from __future__ import annotations

import codecs
import gzip
import io
import json

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quchong.errors import InputError, UsageError
from quchong.io.encodings import Inward, codec_name, found_in, in_utf8, out_of_utf8, outward
from quchong.io.merge import restore_rows
from quchong.io.open import open_inputs
from quchong.io.records.array_cutter import ArrayCutter
from quchong.io.records.csv_file import CsvFile
from quchong.io.records.json_array import JsonArray
from quchong.io.records.jsonl import JsonLines
from quchong.io.source import BAD, KEEP, REMOVE, WantedColumns

NEWS = "中国人民银行今天宣布下调存款准备金率，市场认为这将有助于经济的稳定增长"
OLD = "中國人民銀行今天宣布下調存款準備金率，市場認為這將有助於經濟的穩定增長"
ROWS = [f'{n},"{NEWS}""{n}""\r\n第二行",标题\r\n' for n in range(5)]
HEAD = "id,text,标题\r\n"
WIDE = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}


def written(text: str, encoding: str, mark: bool = True) -> bytes:
    return (WIDE.get(encoding, b"") if mark else b"") + text.encode(encoding)


@pytest.mark.parametrize("encoding", ["gbk", "gb18030", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("size", [3, 40, 1 << 24])
def test_rows_are_read_and_go_out_byte_for_byte(tmp_path, read, encoding, size):
    rows = [*ROWS, '5,"𠀀镕€",x\r\n'] if encoding != "gbk" else ROWS
    path = tmp_path / "in.csv"
    path.write_bytes(written(HEAD + "".join(rows), encoding))
    source = CsvFile(path, "in.csv", ".csv", None, size)
    got = read(source, WantedColumns(extra=("标题",)))
    assert got.texts[:5] == [f'{NEWS}"{n}"\r\n第二行' for n in range(5)] and got.bad == []
    assert got.texts[5:] == ([] if encoding == "gbk" else ["𠀀镕€"])
    assert got.table["标题"].to_pylist()[0] == "标题"
    found = {"gbk": "gb18030"}.get(encoding, encoding)
    assert source.fingerprint()["encoding"] == found
    fate = np.array([KEEP, REMOVE] * 3, np.uint8)[: len(rows)]
    kept, removed = tmp_path / "k.csv", tmp_path / "r.csv"
    source.split(fate, kept, removed)
    assert kept.read_bytes() == written(HEAD + "".join(rows[::2]), encoding)
    assert removed.read_bytes() == written(HEAD + "".join(rows[1::2]), encoding)
    sides = tmp_path / "k2.csv", tmp_path / "r2.csv"
    restore_rows(kept, removed, fate == REMOVE, np.zeros(len(rows), bool), *sides, found)
    assert sides[0].read_bytes() == path.read_bytes()
    assert source.fetch([3, 0], WantedColumns())["text"].to_pylist() == [got.texts[3], got.texts[0]]
    assert source.table_of(fate == KEEP).column_names == ["id", "text", "标题"]
    source.annotate(pa.table({"说": ["好"] * len(rows)}), tmp_path / "a.csv")
    said = (tmp_path / "a.csv").read_bytes().decode("utf-16" if encoding in WIDE else encoding)
    assert said.startswith("id,text,标题,说\r\n") and said.count(",好\r\n") == len(rows)
    source.rewrite({1: "短,文"}, "text", tmp_path / "w.csv")
    changed = [rows[0], '1,"短,文",标题\r\n', *rows[2:]]
    assert (tmp_path / "w.csv").read_bytes() == written(HEAD + "".join(changed), encoding)


@pytest.mark.parametrize("size", [3, 1 << 24])
def test_a_bad_sequence_costs_only_its_record(tmp_path, read, size):
    raw = (HEAD + "".join(ROWS)).encode("gbk")
    wrong = [b"9,\xff\xff,x", f"9,{NEWS},x".encode(), b"9,a"]
    (tmp_path / "in.csv").write_bytes(raw + b"\r\n".join([*wrong, b""]))
    source = CsvFile(tmp_path / "in.csv", "in.csv", ".csv", None, size)
    got = read(source)
    assert len(got.texts) == 5 and [(one.row, one.raw) for one in got.bad] == [(5 + n, w) for n, w in enumerate(wrong)]
    assert [reason.split(";")[0] for reason in got.reasons] == [
        "invalid GB18030 at byte 3", "is UTF-8, but the rest of the file is GB18030", "2 fields, but the header has 3",
    ]  # fmt: skip
    assert [one[2] for one in source.whole_records([5, 6])] == wrong[:2]


@pytest.mark.parametrize("size", [3, 1 << 24])
def test_half_characters_of_utf16_cost_only_their_record(tmp_path, read, size):
    raw = written(HEAD + "".join(ROWS), "utf-16-le")
    wrong = "9,\ud800,x".encode("utf-16-le", "surrogatepass")
    end = "\r\n".encode("utf-16-le")
    (tmp_path / "in.csv").write_bytes(raw + wrong + end + "7,好,x".encode("utf-16-le") + end + b"\x41")
    source = CsvFile(tmp_path / "in.csv", "in.csv", ".csv", None, size)
    got = read(source)
    assert got.texts[-1] == "好" and [one.raw for one in got.bad] == [wrong, b"\x41"]
    assert all(reason.startswith("invalid UTF-16") for reason in got.reasons)
    assert [one[2] for one in source.whole_records([5, 7])] == [wrong, b"\x41"]


def test_what_is_valid_or_mostly_utf8_is_utf8(tmp_path, read):
    """Damage in a UTF-8 file is not taken for another encoding: é, read as GB18030, would be 茅."""
    latin = "id,text\n" + "".join(f"{n},café déjà vu\n" for n in range(4))
    path = tmp_path / "in.csv"
    path.write_bytes(latin.encode() + b"8,\xe9t\xe9\n9,caf\xe9\n")
    source = CsvFile(path, "in.csv", ".csv")
    got = read(source)
    assert got.texts == ["café déjà vu"] * 4 and len(got.bad) == 2 and "encoding" not in source.fingerprint()
    path.write_bytes((HEAD + "".join(ROWS)).encode() + f"9,{NEWS},x\n".encode("gbk"))
    got = read(CsvFile(path, "in.csv", ".csv"))
    assert len(got.texts) == 5 and got.reasons[0].startswith("invalid UTF-8 at byte 3")


def test_single_byte_sets_are_not_guessed_but_can_be_said(tmp_path, read):
    path = tmp_path / "in.csv"
    path.write_bytes("id,text\n1,café “noir”\n2,naïve\n".encode("cp1252"))
    assert len(read(open_inputs([path])[0]).bad) == 2
    (source,) = open_inputs([path], encoding="windows-1252")
    got = read(source)
    assert got.texts == ["café “noir”", "naïve"] and source.fingerprint()["encoding"] == "cp1252"
    with pytest.raises(UsageError, match="'中' cannot be written in the encoding cp1252"):
        source.annotate(pa.table({"n": ["中", "a"]}), tmp_path / "out.csv")


def test_traditional_text_in_big5(tmp_path, read):
    (tmp_path / "in.tsv.gz").write_bytes(gzip.compress(f"id\ttext\n1\t{OLD}\n".encode("big5")))
    (source,) = open_inputs([tmp_path / "in.tsv.gz"])
    assert read(source).texts == [OLD] and source.fingerprint()["encoding"] == "big5hkscs"


def test_a_folder_of_texts_in_many_encodings(tmp_path, read):
    place = tmp_path / "d"
    place.mkdir()
    forms = {"a": "gbk", "b": "utf-8", "c": "utf-16", "d": "gb18030", "e": "utf-8-sig"}
    for name, encoding in forms.items():
        (place / f"{name}.txt").write_bytes(NEWS.encode(encoding))
    (place / "f.txt").write_bytes(NEWS.encode("gbk") + b"\xff")
    (place / "g.txt").write_bytes(OLD.encode("big5"))
    (source,) = open_inputs([place])
    unread = source.fingerprint()
    got = read(source)
    assert got.texts == [NEWS] * 5 + [OLD] and got.bad[0].reason.startswith("f.txt: invalid GB18030 at byte 71")
    assert source.fingerprint() == unread
    assert unread["encodings"] == {
        "big5hkscs": {"files": 1, "names": ["g.txt"]},
        "gb18030": {"files": 2, "names": ["a.txt", "d.txt"]},
        "utf-16-le": {"files": 1, "names": ["c.txt"]},
    }
    source.rewrite({0: "短", 2: "短", 4: "短"}, "text", tmp_path / "out.txt")
    out = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert out["a.txt"] == "短".encode("gbk") and out["c.txt"].decode("utf-16") == "短"
    assert out["e.txt"] == "短".encode("utf-8-sig") and out["g.txt"] == OLD.encode("big5")
    said = open_inputs([place], encoding="gb18030")[0]
    assert said.fingerprint()["encoding"] == "gb18030"
    assert [one.row for one in read(said).bad] == [1, 2, 4, 5]  # UTF-8 and UTF-16 are not silently misread


@pytest.mark.parametrize(
    "said", ["nonsense", "utf-7", "hz", "utf-16", "base64", "iso2022_jp", "johab", "cp037", "", "a\0b"]
)
def test_names_that_are_no_encoding_of_files(tmp_path, said):
    (tmp_path / "in.csv").write_text("id,text\n")
    with pytest.raises(UsageError, match="encoding"):
        open_inputs([tmp_path / "in.csv"], encoding=said)


def test_formats_that_say_their_encoding(tmp_path):
    (tmp_path / "in.arrow").write_bytes(b"ARROW1")
    with pytest.raises(UsageError, match=r"in\.arrow is not a file of text, CSV or JSON lines"):
        open_inputs([tmp_path / "in.arrow"], encoding="gbk")


@pytest.mark.parametrize(("encoding", "shown"), [("gbk", "gb18030"), ("big5", "big5hkscs")])
def test_json_lines_in_chinese_encodings(tmp_path, read, encoding, shown):
    """They are read as what they are and copied byte for byte; a bad line costs only itself; new values are written with escapes."""
    texts = ["今天天氣很好，第一行", "第二行也有中文", "一個\\功能"]
    if encoding == "gbk":
        texts = ["今天天气很好，第一行", "第二行也有中文", "镕基的\\功能"]
    rows = [json.dumps({"id": i, "text": text}, ensure_ascii=False) for i, text in enumerate(texts)]
    lines = [f"{row}\n".encode(encoding) for row in rows]
    bad = b'{"id":9,"text":"\xff\xff"}\n'
    (tmp_path / "in.jsonl").write_bytes(b"".join([*lines[:1], bad, *lines[1:]]))
    (source,) = open_inputs([tmp_path / "in.jsonl"])
    assert source.column_names() == ("id", "text")
    got = read(source)
    assert got.texts == texts
    assert [one.row for one in got.bad] == [1] and got.bad[0].raw == bad.rstrip()
    assert source.fingerprint()["encoding"] == shown
    marks = np.full(len(lines) + 1, KEEP, np.uint8)
    marks[1] = BAD
    source.split(marks, tmp_path / "out.jsonl", None)
    assert (tmp_path / "out.jsonl").read_bytes() == b"".join(lines)
    source.rewrite({0: "新€"}, "text", tmp_path / "cut.jsonl")
    assert json.loads((tmp_path / "cut.jsonl").read_bytes().splitlines()[0]) == {"id": 0, "text": "新€"}
    (named,) = open_inputs([tmp_path / "in.jsonl"], encoding=encoding)
    assert read(named).texts == got.texts


JSON_ROWS = [
    {"id": 0, "text": "第一篇\\功能｛ 】\"", "x": "开"}, {"id": 1, "text": "第二行\n也有中文", "x": [1, {"文": "，"}]}, {"id": 2, "text": "中国人民银行今天宣布"},
]  # fmt: skip
ENCODINGS = ["utf-8", "gbk", "gb18030", "big5", "utf-16-le", "utf-16-be"]


def json_file(form, encoding, rows=JSON_ROWS, bad=b""):
    """A file of JSON lines, or an array, in an encoding; with the bytes `bad` in the place of the first `?`."""
    if encoding == "big5":
        simple, other = "国银开", "國銀開"
        rows = json.loads(json.dumps(rows, ensure_ascii=False).translate(str.maketrans(simple, other)))
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    text = "".join(f"{line}\n" for line in lines)
    if form == "array":
        text = f"[\n{', '.join(lines)}]"
    if form == "spread":
        text = json.dumps(rows, ensure_ascii=False, indent=1).replace("\n", "\r\n") + "\r\n"
    mark = "?".encode(encoding) if bad else b""
    raw = written(text, encoding)
    return rows, raw.replace(mark, bad, 1) if bad else raw


@pytest.mark.parametrize("size", [24, 64, 1 << 24])
@pytest.mark.parametrize("form", ["lines", "array", "spread"])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_json_in_any_encoding_is_the_json_in_utf8(tmp_path, read, encoding, form, size):
    """The same documents; kept rows are those of the same file in UTF-8, in the encoding of the input; so are cut and noted ones."""
    rows, raw = json_file(form, encoding)
    kind, suffix = (JsonLines, ".jsonl") if form == "lines" else (JsonArray, ".json")
    (tmp_path / f"in{suffix}").write_bytes(raw)
    (tmp_path / f"plain{suffix}").write_bytes(json_file(form, "utf-8", rows)[1])
    source, plain = (kind(tmp_path / f"{name}{suffix}", "in", suffix, None, size) for name in ("in", "plain"))
    assert source.column_names() == plain.column_names() == ("id", "text", "x")
    got, wanted = read(source), read(plain)
    assert got.texts == wanted.texts == [row["text"] for row in rows] and got.bad == []
    assert source.fingerprint().get("encoding") == {"utf-8": None, "gbk": "gb18030", "big5": "big5hkscs"}.get(
        encoding, encoding
    )
    fate = np.array([KEEP, REMOVE, KEEP], np.uint8)
    for one in (source, plain):
        out = tmp_path / one.path.stem
        one.split(fate, out.with_suffix(".k"), out.with_suffix(".r"))
        one.rewrite({1: "短，文"}, "text", out.with_suffix(".w"))
        one.annotate(pa.table({"said": ["是", None, "否"]}), out.with_suffix(".a"))
    for end in "krwa":
        there, here = ((tmp_path / f"{name}.{end}").read_bytes() for name in ("in", "plain"))
        said = here.decode() if end in "kr" else there.decode("utf-16" if encoding in WIDE else encoding)
        if end in "kr":
            assert there == written(said, encoding)
        else:  # what is added may be written with escapes
            loaded = [
                [json.loads(line) for line in text.splitlines()] if form == "lines" else json.loads(text)
                for text in (said, here.decode())
            ]
            assert loaded[0] == loaded[1]
    assert list(source.whole_records(range(3))) == [
        (row, line, whole.decode().encode(encoding)) for row, line, whole in plain.whole_records(range(3))
    ]
    assert source.fetch([2, 0], WantedColumns())["text"].to_pylist() == [rows[2]["text"], rows[0]["text"]]


@pytest.mark.parametrize("form", ["lines", "array"])
@pytest.mark.parametrize(
    ("encoding", "bad"), [("gbk", b"\xff\xff"), ("utf-16-le", b"\x00\xd8"), ("utf-16-be", b"\xd8\x00")]
)
def test_half_a_character_in_json_costs_only_its_record(tmp_path, read, encoding, bad, form):
    rows = [*JSON_ROWS, {"id": 3, "text": "坏?了"}, {"id": 4, "text": "最后一篇"}]
    _, raw = json_file(form, encoding, rows, bad)
    path = tmp_path / "in.json"
    path.write_bytes(raw)
    (source,) = open_inputs([path])
    got = read(source)
    assert got.texts == [row["text"] for row in rows if row["id"] != 3]
    assert [one.row for one in got.bad] == [3] and "invalid" in got.bad[0].reason
    assert got.bad[0].raw == json.dumps(rows[3], ensure_ascii=False).encode(encoding).replace("?".encode(encoding), bad)
    source.split(np.array([KEEP, KEEP, KEEP, BAD, KEEP], np.uint8), tmp_path / "k.json", None)
    (again,) = open_inputs([tmp_path / "k.json"])
    assert read(again).texts == got.texts


@pytest.mark.parametrize("form", ["lines", "array"])
@pytest.mark.parametrize("encoding", WIDE)
def test_json_in_utf16_without_a_mark_can_be_said(tmp_path, read, encoding, form):
    raw = json_file(form, encoding)[1].removeprefix(WIDE[encoding])
    (tmp_path / "in.json").write_bytes(raw)
    (source,) = open_inputs([tmp_path / "in.json"], encoding=encoding)
    assert read(source).texts == [row["text"] for row in JSON_ROWS]
    source.split(np.full(3, KEEP, np.uint8), tmp_path / "k.json", None)
    assert not (tmp_path / "k.json").read_bytes().startswith(WIDE[encoding])


def test_every_character_of_gb18030_has_one_code():
    """So arrays in it are not encoded again to be compared: all codes of two bytes, and a tenth of those of four."""
    codes = [bytes([a, b]) for a in range(0x81, 0xFF) for b in range(0x40, 0xFF)]
    codes += [
        bytes([a, b, c, 0x30 + (a + b + c) % 10])
        for a in range(0x81, 0xFF)
        for b in range(0x30, 0x3A)
        for c in range(0x81, 0xFF)
    ]
    for code in codes:
        try:
            text = code.decode("gb18030")
        except UnicodeDecodeError:
            continue
        assert text.encode("gb18030") == code


def test_a_character_with_two_codes_is_told(tmp_path, read):
    """卅 is A4CA and A2CE in Big5: an array with the second would not come back byte for byte. Lines are never encoded anew."""
    raw = json.dumps([{"text": OLD}, {"text": "?"}], ensure_ascii=False).encode("big5").replace(b"?", b"\xa2\xce")
    assert b"\xa2\xce".decode("big5hkscs").encode("big5hkscs") != b"\xa2\xce"
    (tmp_path / "in.json").write_bytes(raw)
    with pytest.raises(InputError, match=r"has characters that Big5 can encode in two ways.*convert the file to UTF-8"):
        read(open_inputs([tmp_path / "in.json"])[0])
    (tmp_path / "in.jsonl").write_bytes(raw[1:-1].replace(b"}, {", b"}\n{"))
    (source,) = open_inputs([tmp_path / "in.jsonl"])
    assert len(read(source).texts) == 2
    source.split(np.full(2, KEEP, np.uint8), tmp_path / "k.jsonl", None)
    assert (tmp_path / "k.jsonl").read_bytes().rstrip() == (tmp_path / "in.jsonl").read_bytes()


@given(
    st.lists(st.text(max_size=9), max_size=5),
    st.sampled_from(["gb18030", "utf-16-le", "utf-16-be"]),
    st.integers(1, 30),
)
def test_values_of_an_array_come_back_in_any_encoding(texts, encoding, piece):
    raw = json.dumps([{"text": text} for text in texts], ensure_ascii=False).encode(encoding, "surrogatepass")
    read = io.BytesIO(raw).read
    inner = encoding if encoding == "gb18030" else "utf-8"
    cutter = ArrayCutter(read if inner == encoding else Inward(read, encoding), piece, encoding=inner)
    found = [outward(cutter.bytes_of(one.text), encoding) for one in cutter]
    assert [json.loads(one.decode(encoding, "surrogatepass"))["text"] for one in found] == texts
    assert all(one in raw for one in found)


def test_utf16_without_a_mark_can_be_said(tmp_path, read):
    (tmp_path / "in.csv").write_bytes(written(HEAD + "".join(ROWS), "utf-16-be", mark=False))
    (source,) = open_inputs([tmp_path / "in.csv"], encoding="utf-16-be")
    assert len(read(source).texts) == 5
    with pytest.raises(InputError):
        read(open_inputs([tmp_path / "in.csv"])[0])


@pytest.mark.parametrize("name", ["gbk", "big5", "shift_jis", "euc_kr", "cp949", "gb18030", "euc_jp", "cp1251"])
def test_no_byte_that_makes_up_csv_is_part_of_another_character(name):
    encoding = codec_name(name)
    for first in range(0x80, 0x100):
        for sign in b'\n\r,;\t"':
            try:
                read = bytes([first, sign]).decode(encoding)
            except UnicodeDecodeError:
                continue
            assert read.endswith(chr(sign))
            assert len(read) == 2


@given(st.text(max_size=60), st.sampled_from(["gb18030", "utf-8"]))
def test_there_and_back(text, encoding):
    raw = out_of_utf8(text, encoding) if text.isprintable() else b""
    read, wrong = in_utf8(raw, encoding)
    assert wrong.startswith("is UTF-8") or out_of_utf8(read.decode(), encoding) == raw


@given(st.binary(max_size=80), st.integers(1, 9), st.sampled_from(sorted(WIDE)))
def test_any_bytes_come_back_from_utf16(raw, size, encoding):
    at = 0

    def read(count: int) -> bytes:
        nonlocal at
        piece, at = raw[at : at + min(count, size)], at + min(count, size)
        return piece

    inward = Inward(read, encoding)
    whole = b"".join(iter(lambda: inward(9), b""))
    assert outward(whole, encoding) == raw


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        (b"", "utf-8"), (b"plain", "utf-8"), (NEWS.encode()[:-1], "utf-8"), (NEWS.encode("gbk"), "gb18030"),
        (NEWS.encode("gbk")[:-1], "gb18030"), (OLD.encode("big5"), "big5hkscs"), ("café naïve".encode("latin-1"), "utf-8"),
        (bytes(range(256)) * 40, "utf-8"), (b"\xff" * 4000, "utf-8"), ("中".encode("gbk"), "utf-8"),
        (b"a" * (3 << 20) + NEWS.encode("gbk"), "gb18030"), (b"a" * (17 << 20) + NEWS.encode("gbk"), "utf-8"),
    ],
)  # fmt: skip
def test_found(raw, found):
    at = 0

    def read(count: int) -> bytes:
        nonlocal at
        piece, at = raw[at : at + count], at + count
        return piece

    assert found_in(read) == found
