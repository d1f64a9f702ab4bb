"""Run folders that are whole, which crafted ones are copies of."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import quchong as qc

WORDS = "council bridge river market school harbour train winter garden museum festival engine library island".split()
TEXTS = [
    f"The {a} near the {b} will open in March, and visitors pay {12 + i} percent less in the first year of the {a}."
    for i, (a, b) in enumerate(zip(WORDS[:7], WORDS[7:], strict=True))
]


def rows() -> list[dict[str, str]]:
    """Texts with exact copies, near-copies and one contained in another."""
    texts = [*TEXTS, *TEXTS[:3], *(text + " Tickets are sold at the door." for text in TEXTS[:2]), TEXTS[4][:60]]
    return [
        {"id": f"d{i}", "text": text, "time": f"2026-03-{i + 1:02d}", "source": f"s{i % 3}"}
        for i, text in enumerate(texts)
    ]


def make(place: Path) -> dict[str, Path]:
    """A run folder of each kind by its name; their inputs lie beside them and stay."""
    place.mkdir()
    lines = place / "in.jsonl"
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows()) + "{bad\n", encoding="utf-8")
    texts = place / "texts"
    texts.mkdir()
    for row in rows():
        (texts / f"{row['id']}.txt").write_text(row["text"], encoding="utf-8")
    table = place / "in.parquet"
    pq.write_table(pa.Table.from_pylist(rows()), table)
    old = place / "old.jsonl"
    old.write_text(json.dumps({"id": "old", "text": TEXTS[5]}) + "\n", encoding="utf-8")
    found = {
        "jsonl": qc.dedup(lines, recall_sample=5).save(place / "jsonl"),
        "texts": qc.dedup(texts, recall_sample=0).save(place / "of-texts"),
        "parquet": qc.dedup(table, against=old, recall_sample=0).save(place / "parquet"),
        "annotated": qc.dedup(lines, recall_sample=0).save(place / "annotated", mode="annotate"),
    }
    qc.dedup(lines, recall_sample=0, out=place / "kept-work", keep_work=True)
    return found | {"work": place / "kept-work", "parts": _in_parts(found["jsonl"], place / "parts")}


def _in_parts(run: Path, place: Path) -> Path:
    """The same run as Spark writes it: tables and rows are folders of parts."""
    shutil.copytree(run, place)
    manifest = json.loads((place / "run.json").read_text(encoding="utf-8"))
    for name in ("ledger", "pairs", "clusters", "documents"):
        path = place / f"{name}.parquet"
        whole = pq.read_table(path)
        if name == "documents":
            whole = whole.append_column("part", pa.array([0] * len(whole), pa.int32()))
        path.unlink()
        path.mkdir()
        pq.write_table(whole, path / "part-00000-x.c000.parquet")
    for side in ("kept", "removed"):
        (place / side).mkdir()
        (place / f"{side}.jsonl").rename(place / side / "part-00000.jsonl")
    manifest["engine"] = "spark"
    manifest["files"] = {name: {side: f"{side}/*.jsonl" for side in sides} for name, sides in manifest["files"].items()}
    manifest["parts"] = {f"{name}.parquet": 1 for name in ("ledger", "pairs", "clusters", "documents")}
    (place / "run.json").write_text(json.dumps(manifest), encoding="utf-8")
    return place
