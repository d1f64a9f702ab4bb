"""Covers: texts that are lists, or within other values, in whatever cuts: roundups, lines, passages, leaks. Compared against: the same
calls with texts that are no lists, and the rows of the input.
"""

import json
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from promise_corpus import article
from test_row_outputs import write

import quchong as qc
from quchong.differences.passage_cutting import without
from quchong.errors import UsageError
from quchong.io.nested.arrays import value_of
from quchong.io.nested.path import parse_path
from quchong.text.cut_text import split_among


def test_a_roundup_whose_text_is_a_list_keeps_its_own_sentences(tmp_path):
    rng = Random(4)
    articles = [article(rng, 6) for _ in range(4)]
    own = ["这是综述自己的一句话，别处没有。", "另一句综述自己的话，别处也没有。"]
    rows = [{"id": f"a{k}", "text": text} for k, text in enumerate(articles)]
    rows += [
        {"id": "r1", "text": [articles[0], articles[1], own[0]]},
        {"id": "r2", "text": articles[2] + own[1] + articles[3]},
    ]
    corpus = write(tmp_path / "a.jsonl", rows)
    run = qc.dedup(corpus, out=tmp_path / "r", roundups="cut", recall_sample=0)
    assert run.ledger["id"].to_pylist() == ["r1", "r2"]
    cut = [json.loads(line) for line in (tmp_path / "r" / "cut.jsonl").read_text("utf-8").splitlines()]
    assert cut == [{"id": "r1", "text": ["", "", own[0]]}, {"id": "r2", "text": own[1]}]
    plain = [row | {"text": "\n".join(row["text"]) if isinstance(row["text"], list) else row["text"]} for row in rows]
    other = qc.dedup(plain, roundups="cut", recall_sample=0)
    assert [row["id"] for row in other.cut.to_pylist()] == [row["id"] for row in cut]
    assert other.counts["removed"] == run.counts["removed"]


PARTS = [
    [f"第{k}段讲的是第{k}件事情，与别的段落都不相同，也没有人抄过。" for k in range(start, start + count)]
    for start, count in ((0, 3), (10, 2), (20, 4), (30, 1), (40, 3), (50, 2))
]
COMMON = "欢迎关注我们的公众号，获取更多精彩内容和各种服务信息，谢谢大家一直以来的支持。"
QUESTION = "某工厂去年生产零件一万两千个，今年比去年多生产四分之一，今年一共生产多少个？"


def documents(rng):
    """Texts of several parts, of which some have one line that many have, and some a test question."""
    out = []
    for parts in PARTS:
        parts = list(parts)
        parts.insert(rng.randrange(len(parts) + 1), f"\n{COMMON}\n")
        at = rng.randrange(len(parts))
        parts[at] = parts[at] + ("\n" + COMMON + "\n" if rng.random() < 0.5 else "")
        if rng.random() < 0.6:
            at = rng.randrange(len(parts))
            parts[at] = QUESTION if rng.random() < 0.3 else f"{parts[at]}\n{QUESTION}\n请看后面的答案。"
        out.append(parts)
    return out


SHAPES = {
    "content.text": lambda parts: {"content": {"text": "\n".join(parts), "n": 1.0}},
    "messages[].content": lambda parts: {"messages": [{"role": "user", "content": part, "n": [1, 2]} for part in parts]},
    "messages": lambda parts: {"messages": [{"role": "user", "content": part} for part in parts], "more": 12345678901234567},
    "paragraphs": lambda parts: {"paragraphs": list(parts)},
    "a.b[role=x].c": lambda parts: {
        "a": {"b": [one for part in parts for one in ({"role": "x", "c": part}, {"role": "y", "c": COMMON})]}
    },
    "messages[0].content": lambda parts: {"messages": [{"content": "\n".join(parts)}, {"content": COMMON}]},
    "turns": lambda parts: {"turns": [{"content": [{"type": "text", "text": part}, {"type": "image", "text": None}]} for part in parts]},
}  # fmt: skip


def skeleton(value):
    """A value with "" in place of every string but roles."""
    if isinstance(value, dict):
        return {key: one if key in ("role", "type", "id") else skeleton(one) for key, one in value.items()}
    if isinstance(value, list):
        return [skeleton(one) for one in value]
    return "" if isinstance(value, str) else value


def text_of_path(row, key):
    """The text of a row, by the reader of values one by one."""
    path = parse_path(key)
    root, steps = (key, ()) if path is None else (path.root, path.steps)
    return value_of(row[root], steps, key, True, True) or ""


CALLS = {
    "line": lambda data, **options: qc.dedup_units(data, unit_floor=0, **options),
    "paragraph": lambda data, **options: qc.dedup_units(data, unit="paragraph", unit_floor=0, **options),
    "passages": lambda data, **options: qc.passages(data, min_chars=20, cut="copies", **options),
    "exact passages": lambda data, **options: qc.passages(data, min_chars=20, cut="copies", cut_at="exact", **options),
    "leaks": lambda data, **options: qc.decontaminate(data, [{"question": QUESTION}], mode="cut", **options),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("key", SHAPES)
@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".parquet", ".arrow"])
def test_what_is_cut_out_of_a_text_is_cut_out_of_the_values_that_it_was_in(tmp_path, call, key, suffix):
    """Covers: the lines that are left are those of the same text in a column of its own; everything else in the row is as it was."""
    rng = Random(f"{call} {key}")
    texts = documents(rng)
    rows = [{"id": f"d{k}", **SHAPES[key](parts)} for k, parts in enumerate(texts)]
    flat = [{"id": f"d{k}", "text": "\n".join(parts)} for k, parts in enumerate(texts)]
    expected = rows_of(
        CALLS[call](write(tmp_path / "flat.jsonl", flat), out=tmp_path / "flat"), tmp_path / "flat", ".jsonl"
    )
    source = tmp_path / f"data{suffix}"
    if suffix == ".jsonl":
        write(source, rows)
    elif suffix == ".json":
        source.write_text(json.dumps(rows, ensure_ascii=False, indent=1), "utf-8")
    else:
        table = pa.Table.from_pylist(rows)
        if suffix == ".parquet":
            pq.write_table(table, source)
        else:
            with pa.ipc.new_file(source, table.schema) as out:
                out.write_table(table)
    found = rows_of(CALLS[call](source, text=key, out=tmp_path / "run"), tmp_path / "run", suffix)
    assert [row["id"] for row in found] == [row["id"] for row in expected]
    originals = {row["id"]: row for row in rows}
    changed = 0
    for row, other in zip(found, expected, strict=True):
        now, then = (
            [line for line in text.split("\n") if line.strip()] for text in (text_of_path(row, key), other["text"])
        )
        if call == "exact passages":  # the cut may begin in one value and end in another
            assert "".join(now) == "".join(then)
        else:
            assert now == then
        assert skeleton(row) == skeleton(originals[row["id"]])
        changed += row != originals[row["id"]]
        if key == "a.b[role=x].c":
            assert all(one["c"] == COMMON for one in row["a"]["b"] if one["role"] == "y")
    assert changed


def rows_of(result, folder, suffix):
    """The rows of a run folder that are left."""
    (path,) = [*folder.glob(f"kept{suffix}"), *folder.glob(f"cut{suffix}")]
    if suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    if suffix == ".json":
        return json.loads(path.read_text("utf-8"))
    if suffix == ".parquet":
        return pq.read_table(path).to_pylist()
    return pa.ipc.open_file(path).read_all().to_pylist()


def test_bytes_around_the_strings_stay_and_cut_rows_are_restored(tmp_path):
    """Covers: numbers, escapes, white space and repeated keys of a record whose text is within it."""
    body = '{"id": "b", "n": 1.50e3, "big": 123456789012345678901, "m": [ {"content":"%s" , "x":"\\u4e2d"},{"content" : "%s"} ], "m2": 1 }'
    own = "这一句话只有这一篇文档里才有，别的地方都没有写过。"
    lines = [json.dumps({"id": "a", "m": [{"content": COMMON}]}, ensure_ascii=False), body % (COMMON, own)]
    source = tmp_path / "a.jsonl"
    source.write_text("\n".join(lines) + "\n", "utf-8")
    run = qc.dedup_units(source, text="m[].content", unit_floor=0, out=tmp_path / "run")
    assert run.counts["cut"] == 1
    assert (tmp_path / "run" / "kept.jsonl").read_text("utf-8").splitlines() == [lines[0], body % ("", own)]


def test_rows_in_memory_and_frames_come_back_with_their_nested_texts_cut():
    rows = [{"id": f"d{k}", "content": {"text": f"{COMMON}\n{parts[0]}", "n": k}} for k, parts in enumerate(PARTS)]
    found = qc.dedup_units(rows, text="content.text", unit_floor=0).kept.to_pylist()
    assert [row["content"] for row in found] == [rows[0]["content"]] + [
        {"text": parts[0], "n": k} for k, parts in enumerate(PARTS) if k
    ]
    polars = pytest.importorskip("polars")
    kept = qc.dedup_units(polars.DataFrame(rows), text="content.text", unit_floor=0).kept
    assert isinstance(kept, polars.DataFrame) and kept.to_dicts() == found


def test_texts_within_strings_that_hold_json_are_refused_with_the_remedy(tmp_path):
    rows = [{"id": f"d{k}", "content": json.dumps({"text": f"{COMMON}\n{parts[0]}"})} for k, parts in enumerate(PARTS)]
    source = write(tmp_path / "a.jsonl", rows)
    assert qc.dedup(source, text="content.text").counts["read"] == len(rows)
    with pytest.raises(UsageError, match="write the texts into a separate column first"):
        qc.dedup_units(source, text="content.text")
    with pytest.raises(UsageError, match="write the texts into a separate column first"):
        qc.decontaminate(source, [{"question": QUESTION}], text="content.text", mode="cut")


@given(
    st.lists(st.text("ab\n", max_size=6), min_size=1, max_size=4),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=4),
)
def test_each_piece_keeps_its_own_letters(pieces, spans):
    """Covers: `split_among` of any cut: letters that stay are in the piece they were in; line breaks alone may go."""
    whole = "\n".join(pieces)
    left = without(whole, [(min(span), min(max(span), len(whole))) for span in spans])
    assert left == "".join(whole[a:b] for a, b in left.runs)
    parts = split_among(left, pieces)
    assert len(parts) == len(pieces)
    starts = [sum(len(piece) + 1 for piece in pieces[:k]) for k in range(len(pieces))]
    if len(pieces) == 1:
        assert parts == [left]
        return
    for part, piece, start in zip(parts, pieces, starts, strict=True):
        mine = "".join(
            whole[max(a, start) : min(b, start + len(piece))]
            for a, b in left.runs
            if a < start + len(piece) and b > start
        )
        assert mine.startswith(part) and not mine[len(part) :].strip("\n")
