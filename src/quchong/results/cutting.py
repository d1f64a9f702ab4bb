"""Writes the passages of a corpus, and the corpus without them."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from quchong.decision.manifest import heading
from quchong.engines.local.passages import Shared
from quchong.errors import Param, UsageError, check_choice
from quchong.io import MemorySource, write_skipped
from quchong.io.page_documents import Pages
from quchong.progress import Stages
from quchong.results.folder import whole_bad_records
from quchong.results.passage_cuts import cut_passages
from quchong.results.row_outputs import paths_of
from quchong.runs.command_line import command_line
from quchong.runs.layout import MANIFEST, write_json, write_table

TABLE = "passages"
CUTS = ("none", "copies", "boilerplate")
EDGES = ("sentence", "exact")


def check_cut(cut: str, at: str, text: tuple[str, ...]) -> None:
    """Raise UsageError for a `cut` or `cut_at` that is impossible, and for cutting several text columns."""
    check_choice("cut", cut, CUTS)
    check_choice("cut_at", at, EDGES)
    if cut != "none" and len(text) > 1:
        raise UsageError(
            "{} writes one text column, but {} names {}: cut one column at a time",
            Param("cut"),
            Param("text"),
            len(text),
        )


def write_shared(shared: Shared, folder: Path, cut: str, at: str, stages: Stages) -> dict[str, Any]:
    """Fills a fresh folder: passages.parquet, the rows without what is cut (`cut.*`), skipped.jsonl, run.json.

    Returns the manifest.

    Raises:
        OutputError, InputChanged: as for the folder of a run.
        UsageError: a source whose records cannot take another text.
    """
    check_cut(cut, at, shared.plan.text)
    corpus, files, taken = shared.corpus, {}, None
    if cut != "none":
        with shared.room.spilling(stages), stages.stage("cut", len(corpus)):
            made = cut_passages(shared, cut, at)
            taken = made.taken
            paths = paths_of(folder, "cut", shared.sources)
            for s, (source, path) in enumerate(zip(shared.sources, paths, strict=True), shared.references):
                source.rewrite(made.of_source(corpus, s), shared.plan.text[0], path)
                files[source.name] = path.relative_to(folder).as_posix()
    with stages.stage("write tables"):
        write_table(shared.table, folder / f"{TABLE}.parquet")
        write_skipped(whole_bad_records(shared.bad, corpus.sources), folder / "skipped.jsonl")
    manifest = (
        describe_shared(shared, stages)
        | {"cut": {"what": cut, "at": at, "files": files, "taken": taken}}
        | command_line()
    )
    write_json(manifest, folder / MANIFEST)
    return manifest


def describe_shared(shared: Shared, stages: Stages) -> dict[str, Any]:
    """Return the manifest of a search for passages."""
    return (
        heading(shared.plan)
        | {
            "passages": asdict(shared.repeating),
            "inputs": [source.fingerprint() for source in shared.sources],
            **(
                {"against": [source.fingerprint() for source in shared.corpus.sources[: shared.references]]}
                if shared.references
                else {}
            ),
            "counts": shared.counts,
            "alarms": [alarm.describe() for alarm in shared.alarms],
        }
        | stages.describe()
    )


def cut_table(shared: Shared, cut: str, at: str) -> Any:
    """Return the rows of data in memory without the passages that are cut, as a table."""
    made = cut_passages(shared, cut, at)
    (source,) = shared.sources
    inner = source.inner if isinstance(source, Pages) else source
    assert isinstance(inner, MemorySource)
    return inner.with_texts(made.of_source(shared.corpus, shared.references), shared.plan.text[0])
