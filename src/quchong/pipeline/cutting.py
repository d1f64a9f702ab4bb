"""Writes what a corpus shares, and the corpus without it."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from quchong.alignment import whole_pieces, without
from quchong.errors import UsageError
from quchong.io import MemorySource, write_skipped
from quchong.pipeline.folder import FORMAT, MANIFEST, path_of, whole_records, write_json, write_table
from quchong.pipeline.pages import Pages
from quchong.pipeline.passages import Shared
from quchong.pipeline.progress import Stages
from quchong.text import sentences

TABLE = "passages"
CUTS = ("none", "copies", "boilerplate")
EDGES = ("sentence", "exact")


def check_cut(cut: str, at: str, text: tuple[str, ...]) -> None:
    """Raises UsageError for what cannot be cut."""
    if cut not in CUTS:
        raise UsageError(f"unknown --cut {cut!r}: use {', '.join(CUTS)}")
    if at not in EDGES:
        raise UsageError(f"unknown --cut-at {at!r}: use {' or '.join(EDGES)}")
    if cut != "none" and len(text) > 1:
        raise UsageError(f"--cut writes one text column, --text-key names {len(text)}: cut one at a time")


def cut_texts(shared: Shared, cut: str, at: str) -> Iterator[tuple[int, str, str]]:
    """Documents that lose something: place in the corpus, the text as it was and as it is then.

    Of every passage the copy in the document that comes first by policy stays. A cut never parts a character.

    Args:
        cut: "copies" takes out every passage, "boilerplate" those in many documents.
        at: "sentence" takes only sentences that stand whole in one passage, "exact" all of it.
    """
    table = shared.table
    chosen = np.ones(len(table), bool) if cut == "copies" else table["boilerplate"].to_numpy()
    spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
    starts, ends = table["right_start"].to_numpy(), table["right_end"].to_numpy()
    for k in np.flatnonzero(chosen).tolist():
        spans[int(shared.right[k])].append((int(starts[k]), int(ends[k])))
    for doc, text in _originals(shared, sorted(spans)):
        found = spans[doc] if at == "exact" else whole_pieces(text, spans[doc], sentences(text))
        if found:
            yield doc, text, without(text, found)


def _originals(shared: Shared, docs: list[int]) -> Iterator[tuple[int, str]]:
    """Texts as they stand in the input: read again where preparing changed them."""
    corpus = shared.corpus
    again: dict[int, list[int]] = defaultdict(list)
    for doc in docs:
        if doc in corpus.edits:
            again[int(corpus.source[doc])].append(doc)
        else:
            yield doc, corpus.texts.text(doc)
    for source, some in again.items():
        rows = corpus.row[some].tolist()
        found = corpus.sources[source].fetch(rows, shared.plan.wanted)
        texts = dict(zip(found["row"].to_pylist(), found["text"].to_pylist(), strict=True))
        yield from ((doc, texts[row]) for doc, row in zip(some, rows, strict=True) if row in texts)


def rewritten_rows(shared: Shared, cut: str, at: str) -> tuple[list[dict[int, str]], dict[str, int]]:
    """New texts by row for each source, and what the cut took: documents, characters, documents with nothing left."""
    texts: list[dict[int, str]] = [{} for _ in shared.corpus.sources]
    taken = {"documents": 0, "characters": 0, "emptied": 0}
    for doc, old, new in cut_texts(shared, cut, at):
        texts[int(shared.corpus.source[doc])][int(shared.corpus.row[doc])] = new
        taken["documents"] += 1
        taken["characters"] += len(old) - len(new)
        taken["emptied"] += not new.strip()
    return texts, taken


def write_shared(
    shared: Shared, folder: Path, cut: str, at: str, stages: Stages, extra: dict[str, Any]
) -> dict[str, Any]:
    """Fills a fresh folder: passages.parquet, the rows without what is cut (`cut.*`), skipped.jsonl, run.json.

    Returns the manifest.

    Raises:
        OutputError, InputChanged: as for the folder of a run.
        UsageError: a source whose records cannot take another text.
    """
    check_cut(cut, at, shared.plan.text)
    corpus, files, taken = shared.corpus, {}, None
    if cut != "none":
        with stages.stage("cut", len(corpus)):
            texts, taken = rewritten_rows(shared, cut, at)
            for source, new in zip(corpus.sources, texts, strict=True):
                path = path_of(folder, "cut", source, len(corpus.sources) == 1)
                source.rewrite(new, shared.plan.text[0], path)
                files[source.name] = path.relative_to(folder).as_posix()
    with stages.stage("write tables"):
        write_table(shared.table, folder / f"{TABLE}.parquet")
        write_skipped(whole_records(shared.bad, corpus.sources), folder / "skipped.jsonl")
    manifest = (
        describe_shared(shared, stages) | {"cut": {"what": cut, "at": at, "files": files, "taken": taken}} | extra
    )
    write_json(manifest, folder / MANIFEST)
    return manifest


def describe_shared(shared: Shared, stages: Stages) -> dict[str, Any]:
    """The manifest of a search for passages."""
    return {
        "format": FORMAT,
        "quchong": version("quchong"),
        "created": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "config_hash": shared.plan.config_hash(),
        "config": shared.plan.describe(),
        "passages": asdict(shared.repeating),
        "inputs": [source.fingerprint() for source in shared.corpus.sources],
        "counts": shared.counts,
        "alarms": [alarm.describe() for alarm in shared.alarms],
        "seconds": {k: round(v, 4) for k, v in stages.seconds.items()},
    }


def cut_table(shared: Shared, cut: str, at: str) -> Any:
    """The rows of data in memory without what is cut, as a table."""
    texts, _ = rewritten_rows(shared, cut, at)
    (source,) = shared.corpus.sources
    inner = source.inner if isinstance(source, Pages) else source
    assert isinstance(inner, MemorySource)
    return inner.with_texts(texts[0], shared.plan.text[0])
