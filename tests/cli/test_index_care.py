"""Covers: an index explained, reported and exported, made of a run, compacted, copied, checked and repaired from the command line.

Run: pytest tests/cli/test_index_care.py.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import quchong as qc

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def indexed(tmp_path_factory):
    """An index of the news, and the run over them."""
    folder = tmp_path_factory.mktemp("indexes")
    with qc.Index.create(folder / "news") as made:
        made.add(EXAMPLES / "news.jsonl")
    qc.dedup(EXAMPLES / "news.jsonl", out=folder / "run", recall_sample=0)
    return folder


@pytest.fixture
def news(indexed, tmp_path):
    """A copy of that index, to be changed."""
    with qc.Index(indexed / "news", read_only=True) as known:
        known.backup(tmp_path / "news")
    return tmp_path / "news"


def test_explanations_are_those_of_a_run(command, indexed):
    """Of a copy, and of what it is a copy of; an index tells neither thresholds nor which record is newer."""
    for doc_id in ("n009", "n005", "n050"):
        of_run, of_index = (
            json.loads(command("explain", indexed / name, doc_id, "--json").out) for name in ("run", "news")
        )
        for field in ("removed", "survivor_id", "relation", "jaccard", "containment", "survivor_containment", "rule", "passages", "text",
                      "survivor_text", "facts", "differences"):  # fmt: skip
            assert of_index[field] == of_run[field], (doc_id, field)
        assert set(of_index["members"]) == set(of_run["members"])
    told = command("explain", indexed / "news", "n009", "--chars", "60").out
    assert (
        told.startswith("n009 was removed: it is contained in n005\n") and "⟦" in told and "rule: containment" in told
    )
    beside = command("explain", indexed / "news", "n007", "--with", "n005", "--gap", "5").out
    assert beside.startswith("n007 is a near-duplicate of n005\n") and "shared passage" in beside


def test_explanations_without_texts_say_so(command, tmp_path, jsonl, article):
    assert command("index", "create", tmp_path / "keys", "--store", "features", "-q").code == 0
    rows = [{"id": "a", "text": article(1, 300)}, {"id": "b", "text": article(1, 300) + article(2, 30)}]
    ran = command("index", "add", tmp_path / "keys", jsonl("in.jsonl", rows))
    assert "b is " in ran.out and "; compared by features;" in ran.out
    assert "this index stores no texts" in command("explain", tmp_path / "keys", "a").out


def test_a_report_of_an_index_is_that_of_its_documents(command, indexed, tmp_path):
    ran = command("report", indexed / "news", "-o", tmp_path / "page.html")
    assert ran.code == 0 and ran.out == f"written to {tmp_path / 'page.html'}\n"
    assert "n005" in (tmp_path / "page.html").read_text("utf-8")
    inside = command("report", indexed / "news", "-o", indexed / "news" / "page.html")
    assert inside.code == 4 and "is inside the index" in inside.line


def test_an_export_is_the_run_over_its_documents(command, opened, indexed, tmp_path):
    assert (
        command("index", "export", indexed / "news", "-o", tmp_path / "run").out == f"written to {tmp_path / 'run'}\n"
    )
    made, expected = opened(tmp_path / "run"), opened(indexed / "run")
    assert made.removed == expected.removed and made.relations == expected.relations and made.kept == expected.kept
    again = command("index", "export", indexed / "news", "-o", tmp_path / "run")
    assert again.code == 4 and "--overwrite" in again.line
    assert command("index", "export", indexed / "news", "-o", tmp_path / "run", "--overwrite", "-q").code == 0


def test_an_index_of_a_run_has_what_the_run_kept(command, indexed, opened, tmp_path):
    ran = command("index", "create", tmp_path / "new", "--from", indexed / "run")
    kept = opened(indexed / "run").kept
    assert ran.code == 0 and f"has {len(kept)} documents" in ran.out
    with qc.Index(tmp_path / "new", read_only=True) as index:
        assert set(index.ids()) == set(kept)
    asked = command("index", "query", tmp_path / "new", EXAMPLES / "news.jsonl", "--json", "-q")
    assert all(not json.loads(line)["new"] for line in asked.out.splitlines())


def test_an_index_is_compacted_and_copied(command, news, tmp_path):
    assert command("index", "delete", news, "n003", "n007").out == "deleted 2 documents\n"
    compacted = command("index", "compact", news)
    assert compacted.code == 0 and "bytes a document" in compacted.out and "; before, it took" in compacted.out
    assert json.loads(command("index", "stats", news, "--json").out)["documents"] == 102
    assert command("index", "compact", news, "--refit", "-q").code == 0
    assert json.loads(command("index", "stats", news, "--json").out)["documents"] == 102
    assert command("index", "backup", news, tmp_path / "copy").out == f"written to {tmp_path / 'copy'}\n"
    assert json.loads(command("index", "stats", tmp_path / "copy", "--json").out)["documents"] == 102
    twice = command("index", "backup", news, tmp_path / "copy")
    assert twice.code == 4 and "already exists: an index can be copied only to a new folder" in twice.line


def test_damage_is_named_and_the_rest_is_kept(command, news, monkeypatch):
    assert command("index", "verify", news).out == f"{news} is undamaged: 104 documents\n"
    (catalogue,) = news.glob("*/catalogue.sqlite")
    raw = bytearray(catalogue.read_bytes())
    raw[len(raw) // 2 : len(raw) // 2 + 50_000] = b"\xff" * 50_000
    catalogue.write_bytes(raw)
    found = command("index", "verify", news)
    assert found.code == 5 and f"{catalogue.parent.name}/catalogue.sqlite: " in found.out and "lost: " in found.out
    assert found.err.startswith(
        f"quchong: {news} is damaged, as listed: quchong index repair {news} keeps the documents that can still be read"
    )
    repaired = command("index", "repair", news)
    assert repaired.code == 0 and "catalogue.sqlite: " in repaired.out and " is undamaged: " in repaired.out
    assert command("index", "verify", news, "-q").code == 0
