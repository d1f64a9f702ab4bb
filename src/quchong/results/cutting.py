"""Writes the passages of a corpus, and the corpus without them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.decision.manifest import heading
from quchong.differences.passage_cutting import covered, unwrapped, whole_pieces, without
from quchong.engines.local.own_texts import original_texts
from quchong.engines.local.passages import Shared
from quchong.errors import Param, UsageError
from quchong.io import MemorySource, write_skipped
from quchong.io.page_documents import Pages
from quchong.kernels.offsets import first_of_runs
from quchong.kernels.sorting import ordered
from quchong.languages import join_names
from quchong.progress import Stages
from quchong.results.folder import whole_bad_records
from quchong.results.row_outputs import paths_of
from quchong.runs.command_line import command_line
from quchong.runs.layout import MANIFEST, write_json, write_table
from quchong.text import sentences

TABLE = "passages"
CUTS = ("none", "copies", "boilerplate")
EDGES = ("sentence", "exact")


def check_cut(cut: str, at: str, text: tuple[str, ...]) -> None:
    """Raises UsageError for what cannot be cut."""
    if cut not in CUTS:
        raise UsageError("unknown {}: use {}", Param("cut", cut), join_names(CUTS))
    if at not in EDGES:
        raise UsageError("unknown {}: use {}", Param("cut_at", at), " or ".join(EDGES))
    if cut != "none" and len(text) > 1:
        raise UsageError(
            "{} writes one text column, {} names {}: cut one at a time", Param("cut"), Param("text"), len(text)
        )


def cut_texts(shared: Shared, cut: str, at: str) -> Iterator[tuple[int, str, str, Counter[str]]]:
    """Documents that have something to lose: place in the corpus, the text as it was and as it is then, and how many of its
    passages are cut `whole`, in `part`, or `left` as they are.

    Of every passage the copy in the document that comes first by policy stays. A cut never parts a character.

    Args:
        cut: "copies" takes out every passage, "boilerplate" those in many documents.
        at: "sentence" takes only sentences that stand whole in one passage, "exact" all of it.
    """
    spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for doc, start, end in _copies(shared) if cut == "copies" else _common(shared):
        spans[doc].append((start, end))
    for doc, text in original_texts(shared.corpus, shared.plan, sorted(spans)):
        found = spans[doc] if at == "exact" else whole_pieces(text, spans[doc], unwrapped(text, sentences(text)))
        yield doc, text, without(text, found) if found else text, covered(text, set(spans[doc]), found)


def _copies(shared: Shared) -> Iterator[tuple[int, int, int]]:
    """Every passage in the later one of its two documents: place in the corpus, start, end."""
    some = np.flatnonzero(_exact(shared))
    places = (shared.right[some], *(shared.table[name].to_numpy()[some] for name in ("right_start", "right_end")))
    order = ordered(*places)  # a passage is listed once for each earlier document that has it
    places = tuple(column[order] for column in places)
    first = first_of_runs(*places)
    yield from zip(*(column[first].tolist() for column in places), strict=True)


def _exact(shared: Shared) -> np.ndarray:
    """Mask of the passages that are equal from end to end: nothing else is cut."""
    mask: np.ndarray = pc.equal(shared.table["kind"], "exact").to_numpy()
    return mask


def _common(shared: Shared) -> Iterator[tuple[int, int, int]]:
    """Boilerplate in every document but the first that has it.

    Documents stand on either side of its pairs: what two near-copies have in common is a longer passage, but each of them has
    the boilerplate alone in common with the others.
    """
    mine = np.flatnonzero(shared.table["boilerplate"].to_numpy() & _exact(shared))
    table = shared.table.take(pa.array(mine))
    number = table["passage"].to_numpy()
    left, right = shared.left[mine], shared.right[mine]
    reference = shared.corpus.documents.reference  # of which nothing is written
    first = np.full(int(number.max(initial=-1)) + 1, len(shared.rank))
    np.minimum.at(first, number, shared.rank[left])  # left comes before right
    for docs, side in ((left, "left"), (right, "right")):
        there = np.flatnonzero((shared.rank[docs] > first[number]) & ~reference[docs])
        starts, ends = table[f"{side}_start"].to_numpy(), table[f"{side}_end"].to_numpy()
        yield from zip(docs[there].tolist(), starts[there].tolist(), ends[there].tolist(), strict=True)


def rewritten_rows(shared: Shared, cut: str, at: str) -> tuple[list[dict[int, str]], dict[str, int]]:
    """New texts by row for each source, and what the cut took.

    That is: documents changed, characters, documents with no letter left (`emptied`); and of the passages in documents other
    than the first that has them, those cut whole (`passages_whole`), in part (`passages_part`) or not at all
    (`passages_left`: parts of sentences), and those not equal from end to end, which are never cut (`passages_near`).
    """
    texts: list[dict[int, str]] = [{} for _ in shared.corpus.sources]
    taken = {"documents": 0, "characters": 0, "emptied": 0}
    passages: Counter[str] = Counter()
    for doc, old, new, parts in cut_texts(shared, cut, at):
        passages += parts
        if new != old:
            texts[int(shared.corpus.source[doc])][int(shared.corpus.row[doc])] = new
            taken["documents"] += 1
            taken["characters"] += len(old) - len(new)
            taken["emptied"] += not any(c.isalnum() for c in new)
    taken |= {f"passages_{how}": passages[how] for how in ("whole", "part", "left")}
    return texts, taken | {"passages_near": _near(shared, cut)}


def _near(shared: Shared, cut: str) -> int:
    """Passages that are not cut because they are not equal from end to end, in the later one of two documents."""
    mask = ~_exact(shared)
    if cut == "boilerplate":
        mask &= shared.table["boilerplate"].to_numpy()
    table = shared.table.filter(pa.array(mask))
    places = zip(
        shared.right[mask].tolist(), table["right_start"].to_pylist(), table["right_end"].to_pylist(), strict=True
    )
    return len(set(places))


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
        with stages.stage("cut", len(corpus)):
            texts, taken = rewritten_rows(shared, cut, at)
            paths = paths_of(folder, "cut", shared.sources)
            for source, new, path in zip(shared.sources, texts[shared.references :], paths, strict=True):
                source.rewrite(new, shared.plan.text[0], path)
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
    """The manifest of a search for passages."""
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
    """The rows of data in memory without what is cut, as a table."""
    texts, _ = rewritten_rows(shared, cut, at)
    (source,) = shared.sources
    inner = source.inner if isinstance(source, Pages) else source
    assert isinstance(inner, MemorySource)
    return inner.with_texts(texts[-1], shared.plan.text[0])
