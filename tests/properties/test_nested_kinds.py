"""One corpus of nested records gives one answer, whatever kind of data it is in: files of four formats, dicts, pandas, Polars, Arrow."""

import json
import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from matrices import each_once

import quchong as qc

KINDS = ("jsonl", "json", "parquet", "arrow", "dicts", "table", "pandas", "polars")
NAMES = [
    {"text": "messages"},
    {"text": "messages[].content"},
    {"text": "messages[role=assistant].content", "keep": "column:meta.score desc,longest"},
    {"text": ["meta.title", "messages"], "per": "meta.lang"},
    {"text": "lines", "source": "meta.lang", "keep": "source:zh>en"},
    {"text": "messages[-1].content", "keep": "earliest"},
]


def sentence(chance):
    return "".join(chance.choice("天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏") for _ in range(30)) + "。"


def corpus(seed):
    """Return records with copies, near-copies and contained texts, with nulls and empty lists at every depth."""
    chance = random.Random(seed)
    pool = [sentence(chance) for _ in range(12)]
    records = []
    for number in range(60):
        parts = chance.sample(pool, chance.randint(1, 4))
        turns = [{"role": "user", "content": parts[0]}]
        turns += [{"role": "assistant", "content": part} for part in parts[1:]]
        if chance.random() < 0.1:
            turns = chance.choice([[], [None], None, [{"role": "user", "content": None}]])
        meta = {
            "id": f"n{number}",
            "lang": chance.choice(["zh", "en", None]),
            "score": chance.choice([None, 1, 2, 3]),
            "title": chance.choice([None, "", pool[0][:8]]),
            "time": f"2024-01-{chance.randint(1, 28):02}",
        }
        lines = chance.choice([parts, parts, [], [parts[0], None], None])
        records.append({"meta": meta, "messages": turns, "lines": lines})
    return records


def data_of(kind, records, folder):
    table = pa.Table.from_pylist(records)
    if kind == "pandas":
        return pytest.importorskip("pandas").DataFrame(records)
    if kind == "polars":
        return pytest.importorskip("polars").DataFrame(table)
    if kind in ("dicts", "table"):
        return {"dicts": records, "table": table}[kind]
    path = folder / f"in.{kind}"
    if kind == "parquet":
        pq.write_table(table, path, row_group_size=17)
    elif kind == "arrow":
        with pa.ipc.new_file(path, table.schema) as out:
            out.write_table(table, 13)
    elif kind == "json":
        path.write_text(json.dumps(records, ensure_ascii=False, indent=1), encoding="utf-8")
    else:
        path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records), encoding="utf-8")
    return path


def answer(data, asked):
    result = qc.dedup(data, id="meta.id", time="meta.time", recall_sample=0, **asked)
    assert not result.skipped
    documents = result.documents.to_pylist()
    fates = {row["id"]: (row["removed"], row["tokens"]) for row in documents}
    return fates, result.ledger.to_pylist(), result.pairs.num_rows


@pytest.mark.parametrize(("asked", "seed"), each_once(NAMES, [1, 2]))
def test_one_answer_from_every_kind(tmp_path, asked, seed):
    records = corpus(seed)
    found = {kind: answer(data_of(kind, records, tmp_path), asked) for kind in KINDS}
    assert found["jsonl"][1], "the corpus has copies"
    assert all(one == found["jsonl"] for one in found.values()), {kind: len(one[1]) for kind, one in found.items()}
