"""Run folders of both engines, held to each other; and the pages that both read."""

import importlib.util
import json
from pathlib import Path

import pyarrow.parquet as pq

from quchong.tables import FATES


def page_files():
    """The pages that tests/pages writes by hand."""
    path = Path(__file__).parents[1] / "pages" / "page_files.py"
    spec = importlib.util.spec_from_file_location("page_files", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def by_ids(path):
    return sorted(pq.read_table(path).to_pylist(), key=lambda r: (r.get("left_id") or r["id"], r.get("right_id") or ""))


def lines(*paths):
    return [line for p in paths for line in p.read_bytes().split(b"\n") if line]


def fates(folder):
    names = [one["name"] for one in json.loads((folder / "run.json").read_text("utf-8"))["inputs"]]
    table = pq.read_table(folder / "documents.parquet").select(FATES.names)
    return sorted(table.to_pylist(), key=lambda r: (names.index(r["source"]), r["row"]))


def hold_folders_equal(out, local, pairs=1):
    """Tables, documents, skipped records, counts and config of two run folders."""
    for name in ("ledger", "pairs", "clusters"):
        assert by_ids(out / f"{name}.parquet") == by_ids(local / f"{name}.parquet"), name
    assert fates(out) == fates(local)
    mine = lines(*sorted((out / "skipped").glob("part-*")))
    theirs = lines(local / "skipped.jsonl")
    assert list(map(json.loads, mine)) == list(map(json.loads, theirs))
    manifest, other = (json.loads((folder / "run.json").read_text("utf-8")) for folder in (out, local))
    same = (
        "read",
        "kept",
        "removed",
        "removed_by_relation",
        "skipped",
        "records",
        "without_text",
        "candidates",
        "pairs",
    )
    assert [manifest["counts"][k] for k in same] == [other["counts"][k] for k in same]
    assert manifest["config"] == other["config"] and manifest["config_hash"] == other["config_hash"]
    assert other["counts"]["pairs"] >= pairs and other["counts"]["removed"]
    return manifest, other
