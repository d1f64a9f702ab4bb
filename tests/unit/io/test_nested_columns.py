"""Columns within columns: paths, what they find in JSON and in Arrow, and errors that name the nearest."""

import json
import re

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import quchong as qc
from quchong.errors import InputError, UsageError
from quchong.io import WantedColumns, from_object, open_inputs
from quchong.io.nested.path import Each, Index, Key, parse_path
from quchong.io.nested.values import KINDS, Mismatched
from quchong.languages import speaking

CHAT = [
    {"role": "system", "content": None},
    {"role": "user", "content": "问"},
    {"role": "assistant", "content": "答"},
]
PARTS = [{"role": "user", "content": [{"type": "text", "text": "看图"}, {"type": "image", "text": None}]}]


def lines(path, records):
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records), encoding="utf-8")
    return path


def read(source, **wanted):
    bad = []
    tables = list(source.documents(WantedColumns(**wanted), bad))
    return [row for batch in tables for row in batch.to_pylist()], bad


def texts_of(source, key, **wanted):
    return [row["text"] for row in read(source, text=(key,), id=None, **wanted)[0]]


def from_all(tmp_path, records, key, **wanted):
    """Return the texts of records as JSON lines, a JSON array, Parquet, Arrow and dicts, which are all the same."""
    table = pa.Table.from_pylist(records)
    pq.write_table(table, tmp_path / "a.parquet")
    with pa.ipc.new_file(tmp_path / "a.arrow", table.schema) as out:
        out.write_table(table)
    (tmp_path / "a.json").write_text(json.dumps(records), encoding="utf-8")
    paths = [lines(tmp_path / "a.jsonl", records), *(tmp_path / f"a.{one}" for one in ("json", "parquet", "arrow"))]
    found = [texts_of(open_inputs([path])[0], key, **wanted) for path in paths]
    found += [texts_of(from_object(one, WantedColumns((key,), None)), key, **wanted) for one in (records, table)]
    assert all(one == found[0] for one in found)
    return found[0]


@pytest.mark.parametrize(
    ("name", "root", "steps"),
    [
        ("content.text", "content", (Key("text"),)),
        ("a.b.c", "a", (Key("b"), Key("c"))),
        ("messages[].content", "messages", (Each(), Key("content"))),
        ("messages[role=assistant].content", "messages", (Each("role", "assistant"), Key("content"))),
        ("messages[-1].content", "messages", (Index(-1), Key("content"))),
        ("rows[][0]", "rows", (Each(), Index(0))),
        ("发言[角色=用户].内容", "发言", (Each("角色", "用户"), Key("内容"))),
    ],
)
def test_paths(name, root, steps):
    path = parse_path(name)
    assert (path.root, path.steps) == (root, steps)


@pytest.mark.parametrize("name", ["text", "a..b", ".a", "a.", "a[x]", "a[", "a]b", "[0]", "a[]b", "[a].b"])
def test_names_that_are_no_paths(name):
    assert parse_path(name) is None


@pytest.mark.parametrize(
    ("key", "found"),
    [
        ("messages", ["问\n答", "看图"]),
        ("messages[].content", ["问\n答", "看图"]),
        ("messages[role=user].content", ["问", "看图"]),
        ("messages[role=assistant].content", ["答", None]),
        ("messages[-1].content", ["答", "看图"]),
        ("messages[1].content", ["问", None]),
    ],
)
def test_chats_with_turns_of_texts_or_of_parts(tmp_path, key, found):
    """Turns of texts and of parts in one column have no common type: in dicts it becomes strings of JSON, which are read alike."""
    source = open_inputs([lines(tmp_path / "a.jsonl", [{"messages": CHAT}, {"messages": PARTS}])])[0]
    assert texts_of(source, key, textless=True) == [one or "" for one in found]
    dicts = [{"messages": CHAT}, {"messages": PARTS}]
    given = texts_of(from_object(dicts, WantedColumns((key,), None)), key, textless=True)
    assert [one or "" for one in given] == [one or "" for one in found]


@pytest.mark.parametrize(
    ("records", "key", "found"),
    [
        ([{"content": {"text": "一"}}, {"content": {"text": "二"}}], "content.text", ["一", "二"]),
        ([{"t": ["一", None, "二"]}, {"t": ["三"]}], "t", ["一\n二", "三"]),
        ([{"t": {"u": ["一", "二"]}}, {"t": {"u": ["三"]}}], "t.u", ["一\n二", "三"]),
        ([{"m": [CHAT[1]]}, {"m": [CHAT[2]]}], "m", ["问", "答"]),
        ([{"m": PARTS}, {"m": PARTS}], "m", ["看图", "看图"]),
        ([{"c": [{"from": "human", "value": "甲"}]}, {"c": [{"from": "gpt", "value": "乙"}]}], "c", ["甲", "乙"]),
        ([{"c": [{"role": "user", "parts": [{"text": "甲"}]}]}], "c", ["甲"]),
        ([{"a": [{"b": [{"c": "一"}, {"c": "二"}]}, {"b": []}, {"b": [{"c": "三"}]}]}], "a[].b[].c", ["一\n二\n三"]),
        ([{"a.b": "字面", "a": {"b": "里"}}], "a.b", ["字面"]),
        ([{"a": {"b": ""}}, {"a": {"b": "二"}}], "a.b", ["", "二"]),
    ],
)
def test_every_kind_of_data_gives_the_same_texts(tmp_path, records, key, found):
    assert from_all(tmp_path, records, key) == found


def test_ids_times_and_other_columns(tmp_path):
    records = [{"text": "一", "meta": {"id": 7, "t": "2024-01-02", "tags": ["a", "b"], "deep": {"n": 1.5}}}]
    wanted = {"id": "meta.id", "extra": ("meta.t", "meta.tags[]", "meta.deep.n", "meta.tags[1]")}
    table = pa.Table.from_pylist(records)
    pq.write_table(table, tmp_path / "a.parquet")
    for source in (
        open_inputs([lines(tmp_path / "a.jsonl", records)])[0],
        open_inputs([tmp_path / "a.parquet"])[0],
        from_object(records, WantedColumns()),
    ):
        row = read(source, **wanted)[0][0]
        assert (row["id"], row["meta.t"], row["meta.tags[]"], row["meta.tags[1]"]) == ("7", "2024-01-02", "a\nb", "b")
        assert float(row["meta.deep.n"]) == 1.5


def test_a_bad_record_costs_only_itself(tmp_path):
    records = [{"a": {"b": "一"}}, {"a": [1]}, {"a": {"b": 5}}, {"a": {"b": {"c": "x"}}}, {"a": {"b": "二"}}]
    for source in (
        open_inputs([lines(tmp_path / "a.jsonl", records)])[0],
        from_object(records, WantedColumns(("a.b",), None)),
    ):
        got, bad = read(source, text=("a.b",), id=None)
        assert [row["text"] for row in got] == ["一", "二"]
        assert [(one.row, str(one.reason)) for one in bad] == [
            (1, "a is a list, not an object"), (2, "a.b is a number, not a string"),
            (3, "a.b is an object, not a string"),
        ]  # fmt: skip


def test_maps_and_json_in_strings(tmp_path):
    table = pa.table(
        {
            "m": pa.array([[("id", "x"), ("text", "一")], [("text", "二")]], pa.map_(pa.string(), pa.string())),
            "j": ['{"id": 3, "text": "三"}', '{"text": "四"}'],
        }
    )
    pq.write_table(table, tmp_path / "a.parquet")
    source = open_inputs([tmp_path / "a.parquet"])[0]
    assert texts_of(source, "m.text") == ["一", "二"] and texts_of(source, "j.text") == ["三", "四"]
    assert [row["id"] for row in read(source, text=("m.text",), id="j.id")[0]] == ["3", None]


def test_a_slice_with_nulls_is_read_from_its_own_rows():
    rows = [{"m": None}, {"m": []}, {"m": [{"content": "一"}]}, {"m": [None, {"content": "二"}, {"content": None}]}]
    table = pa.Table.from_pylist(rows * 3).slice(2, 7)
    for key in ("m", "m[].content"):
        got = texts_of(from_object(table, WantedColumns((key,), None)), key, textless=True)
        assert got == ["一", "二", "", "", "一", "二", ""]


@pytest.mark.parametrize("kind", ["jsonl", "parquet", "dicts"])
@pytest.mark.parametrize(
    ("key", "near"),
    [("content.txt", "content.text"), ("messages.content", "messages[].content"), ("mta.id", "meta.id")],
)
def test_a_path_that_does_not_exist_names_the_nearest(tmp_path, kind, key, near):
    records = [{"content": {"text": "一", "title": "二"}, "messages": CHAT, "meta": {"id": 1}}] * 3
    pq.write_table(pa.Table.from_pylist(records), tmp_path / "a.parquet")
    data = {"dicts": records, "parquet": tmp_path / "a.parquet", "jsonl": lines(tmp_path / "a.jsonl", records)}[kind]
    with pytest.raises(InputError) as error:
        qc.dedup(data, text=key)
    assert re.search(rf"(: |other keys are ){re.escape(repr(near))}", str(error.value))


def test_rows_go_out_untouched(tmp_path):
    records = [{"meta": {"id": i, "x": None}, "messages": CHAT, "z": [1, {"y": 2}]} for i in range(3)]
    path = lines(tmp_path / "a.jsonl", records)
    run = tmp_path / "run"
    qc.dedup(path, text="messages", id="meta.id", out=run)
    assert (run / "kept.jsonl").read_bytes() == path.read_bytes().splitlines(True)[0]
    assert (run / "removed.jsonl").read_bytes() == b"".join(path.read_bytes().splitlines(True)[1:])
    table = pa.Table.from_pylist([one | {"z": [{"y": 2}]} for one in records])
    assert qc.dedup(table, text="messages", id="meta.id").kept.equals(table.slice(0, 1))


def test_policy_and_scope_by_paths():
    rows = [
        {"meta": {"q": 1, "lang": "zh"}, "text": "同一段文字，足够长，可以比较"},
        {"meta": {"q": 9, "lang": "zh"}, "text": "同一段文字，足够长，可以比较"},
        {"meta": {"q": 5, "lang": "ja"}, "text": "同一段文字，足够长，可以比较"},
    ]
    assert [row["meta"]["q"] for row in qc.dedup(rows, keep="column:meta.q desc").kept.to_pylist()] == [9]
    kept = qc.dedup(rows, keep="column:meta.q desc", per="meta.lang").kept.to_pylist()
    assert [row["meta"]["q"] for row in kept] == [9, 5]


def test_texts_within_strings_of_json_are_not_cut(tmp_path):
    rows = [{"m": json.dumps({"text": "一"})}]
    with pytest.raises(UsageError, match=r"'m\.text' are inside JSON strings or maps"):
        qc.dedup(lines(tmp_path / "a.jsonl", rows), text="m.text", roundups="cut")


def test_an_index_reads_paths(tmp_path):
    with qc.Index.create(tmp_path / "i", text="messages", id="meta.id") as index:
        said = "这是一段足够长的回答，两次问都一样，所以第二个是重复的"
        chat = [{"role": "user", "content": "同一个问题"}, {"role": "assistant", "content": said}]
        first = index.add({"messages": chat, "meta": {"id": "a"}})
        again = index.add({"messages": chat, "meta": {"id": "b"}})
    assert first.new and not again.new and again.id == "b"


def test_a_struct_as_text_names_what_it_holds():
    with pytest.raises(InputError, match=r"'meta' has several values: 'meta\.id', 'meta\.text'; .* text='meta\.id'"):
        qc.dedup(pa.table({"meta": [{"id": "a", "text": "一"}]}), text="meta")


@pytest.mark.parametrize("name", ["messages[role=asistant].content", "messages[7].content", "a.txt", "a[].b"])
def test_a_path_that_leads_nowhere_in_every_record_is_an_error_whatever_is_null_in_some(tmp_path, name):
    records = [
        {"a": {"b": "一"}, "messages": [{"role": "assistant", "content": "甲"}]},
        {"a": None, "messages": []},
    ] * 3
    with pytest.raises(InputError, match="none of the first 3 records has the key"):
        read(open_inputs([lines(tmp_path / "a.jsonl", records)])[0], text=(name,), id=None)


def test_a_path_of_which_the_first_records_have_nothing_is_read(tmp_path):
    records = [{"messages": None}, {"messages": []}, {"messages": [{"role": "user", "content": "甲"}]}]
    got, bad = read(
        open_inputs([lines(tmp_path / "a.jsonl", records)])[0], text=("messages[role=user].content",), id=None
    )
    assert [row["text"] for row in got] == ["甲"] and len(bad) <= 2


def test_a_reason_in_chinese_has_no_english():
    with speaking("zh"):
        reasons = [Mismatched("a", kind, wanted).reason.translation() for kind in KINDS for wanted in (str, dict, list)]
    assert all(not re.search(r"\b(is|not|string|list|object)\b", one) for one in reasons), reasons
