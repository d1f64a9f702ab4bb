"""Records what every method answers on fixed corpora, so that a rebuild can show that it changed nothing.

    python tools/record_answers.py answers.json                    the local engine: every method, every corpus
    python tools/record_answers.py answers.json --spark            the cluster engine too, on two small corpora
    python tools/record_answers.py now.json --against answers.json    and list every table that differs (exit 1)
    python tools/record_answers.py now.json --methods hybrid,ccdet --corpora news,pages

A table is recorded as a digest of its rows in order, without `config_hash` (a new parameter changes that, not an answer).
Corpora: the shipped samples, pages and posts made by `quchong_lab`, and the shared data sets where they lie beside the
checkout; a set that is absent is left out on both sides of a comparison.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa

import quchong as qc
from quchong.plan.catalogue import METHODS
from quchong_lab.short_text.posts import edited
from quchong_lab.web.pages import WebRecipe, web_corpus

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data"
TABLES = ("pairs", "ledger", "clusters", "documents")
MOST = 600
"""Documents taken of a shared set."""
SPARK = {"news", "pages"}

Answers = dict[str, dict[str, dict[str, Any]]]
"""Corpus, then method, then table: its digest; or, where a run was refused, the error."""


def _lines(path: Path) -> pa.Table:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n")[:MOST] if line.strip()]
    names = [n for n in ("id", "text", "title", "time", "url", "site", "source") if any(n in r for r in rows)]
    cells = {n: [None if r.get(n) is None else str(r[n]) for r in rows] for n in names}
    return pa.table({n: pa.array(c, pa.string()) for n, c in cells.items()})


def _pages() -> pa.Table:
    made = web_corpus(WebRecipe(pages=240, seed=3, html=False, sites=12, shortest=200, longest=600)).pages
    return made.drop_columns(["html"])


def _html() -> pa.Table:
    made = web_corpus(WebRecipe(pages=60, seed=4, sites=6, shortest=200, longest=500)).pages
    return made.drop_columns(["text"])


def _made_posts() -> pa.Table:
    texts = edited(1500, 0.3, 5).texts
    return pa.table({"id": pa.array([f"s{i:05d}" for i in range(len(texts))]), "text": texts})


def corpora() -> dict[str, Callable[[], pa.Table]]:
    """Every corpus by name, made or read when called."""
    found: dict[str, Callable[[], pa.Table]] = {
        "news": lambda: _lines(ROOT / "examples" / "news.jsonl"),
        "posts": lambda: _lines(ROOT / "examples" / "posts.jsonl"),
        "pages": _pages,
        "html": _html,
        "made-posts": _made_posts,
    }
    if SHARED.is_dir():
        for path in sorted(SHARED.glob("*/docs.jsonl")):
            found[path.parent.name] = lambda path=path: _lines(path)  # type: ignore[misc]
    return found


def digest(rows: Iterable[dict[str, Any]]) -> str:
    """A digest of rows in order, without `config_hash`."""
    out = hashlib.blake2b(digest_size=12)
    for row in rows:
        out.update(orjson.dumps({k: v for k, v in row.items() if k != "config_hash"}, option=orjson.OPT_SORT_KEYS))
        out.update(b"\n")
    return out.hexdigest()


def _refused(error: qc.errors.QuchongError) -> dict[str, Any]:
    return {"refused": type(error).__name__}


def answer(table: pa.Table, method: str) -> dict[str, Any]:
    """Digests of every table of a local run, with the sizes a person can read."""
    try:
        result = qc.dedup(table, method=method, differences="all", recall_sample=0)
    except qc.errors.QuchongError as error:
        return _refused(error)
    out: dict[str, Any] = {name: digest(getattr(result, name).to_pylist()) for name in TABLES}
    out["kept"] = digest(result.kept.select(["id"]).to_pylist())
    return out | {"pairs_listed": len(result.pairs), "removed": len(result.ledger)}


def answer_on_spark(session: Any, table: pa.Table, method: str) -> dict[str, Any]:
    """The same of a run on Spark, without what it has no table for."""
    import quchong.spark

    names = [
        n for n in table.column_names if pa.types.is_string(table[n].type) or pa.types.is_large_string(table[n].type)
    ]
    frame = session.createDataFrame([tuple(r.values()) for r in table.select(names).to_pylist()],
                                    ", ".join(f"{n} string" for n in names)).repartition(3)  # fmt: skip
    try:
        found = quchong.spark.dedup(frame, method=method, differences="all")
    except qc.errors.QuchongError as error:
        return _refused(error)
    out = {}
    for name in ("pairs", "ledger", "clusters"):
        rows = [r.asDict(True) for r in getattr(found, name).collect()]
        out[name] = digest(sorted(rows, key=lambda r: (r.get("left_id") or r["id"], r.get("right_id") or "")))
    return out


def record(names: list[str], methods: list[str], spark: bool) -> Answers:
    """The answers of all these methods on all these corpora."""
    out: Answers = {}
    session = None
    for name in names:
        table = corpora()[name]()
        out[name] = {method: answer(table, method) for method in methods}
        if spark and name in SPARK:
            session = session or _session()
            out[f"{name} on Spark"] = {method: answer_on_spark(session, table, method) for method in methods}
        print(name, len(table), "documents", file=sys.stderr)
    return out


def _session() -> Any:
    from pyspark.sql import SparkSession

    options = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "3"}
    builder = SparkSession.builder.master("local[2]").appName("answers")
    for key, value in options.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def differing(now: Answers, before: Answers) -> list[str]:
    """Every table that both have and that differs."""
    return [
        f"{corpus}, {method}, {name}: {was} before, {now[corpus][method].get(name)} now"
        for corpus in before
        for method in before[corpus]
        if method in now.get(corpus, {})
        for name, was in before[corpus][method].items()
        if now[corpus][method].get(name) != was
    ]


def main() -> int:
    """Parses, records, compares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--corpora", default=",".join(corpora()))
    parser.add_argument("--spark", action="store_true")
    given = parser.parse_args()
    now = record(given.corpora.split(","), given.methods.split(","), given.spark)
    given.out.write_text(json.dumps(now, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if given.against is None:
        return 0
    before: Answers = json.loads(given.against.read_text(encoding="utf-8"))
    found = differing(now, before)
    compared = sum(len(tables) for c in before for m, tables in before[c].items() if m in now.get(c, {}))
    print("\n".join(found) or f"{compared} tables and figures, none differs")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
