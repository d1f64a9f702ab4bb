"""Saved runs opened again in order to be decided again.

No documents are compared again. Texts are read and fingerprinted again, because passages and writing need them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableSequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.decision.id_index import IdIndex
from quchong.decision.reviewed import Reviewed, apply
from quchong.decision.survivors import Fate
from quchong.engines.local.corpus import Corpus, load
from quchong.engines.local.ids import RENAMED
from quchong.engines.local.inputs import RunInputs
from quchong.engines.local.outcome import Outcome
from quchong.errors import RunError, UsageError
from quchong.io import Bad, FileBeneath, Source
from quchong.io.selected_rows import ChosenRows
from quchong.parameters import parameters_of
from quchong.plan.catalogue import build, kind_of
from quchong.plan.mix import Mix
from quchong.plan.plan import Plan, Scope
from quchong.plan.sources import Spool
from quchong.progress import Stages
from quchong.results.outside_sources import OutsideSources
from quchong.results.row_options import IDS
from quchong.results.split import SplitSource, put_together
from quchong.runs.decisions_file import read_acts
from quchong.runs.layout import DECISIONS
from quchong.runs.noted_rows import plain_copy
from quchong.runs.reader import own_files
from quchong.runs.review_state import ReviewState
from quchong.runs.row_ranges import stretches
from quchong.tables import FIRST, ORIGINAL, OVERRULED, OVERTURNED, PART, RESTORED, ROUNDUP, TOP
from quchong.text import Preparer


def reopened(
    folder: Path, manifest: Mapping[str, Any], tables: Mapping[str, pa.Table], bad: MutableSequence[Bad], outside: OutsideSources,
    counted: Callable[[Corpus, Plan], Plan] | None = None,
) -> Outcome:  # fmt: skip
    """Rebuild the outcome from which a run folder was written, except the recall.

    Texts outside of the folder are read from `outside`, and refused if they have changed since the run. With `counted` the statistics
    of the method are counted again; without it, a run with such statistics is refused.

    Raises:
        UsageError: the run has mode annotate, or depends on data that is not in its folder.
        RunError: texts have moved, or files have changed since the run wrote them.
    """
    if manifest["mode"] not in ("remove", IDS):
        raise UsageError(
            "{} was written in {} mode, so it has no kept and removed rows: run again", folder, manifest["mode"]
        )
    plan = unchecked_plan(folder, manifest)
    # The plan must have the config hash of the run; with `counted` that is known only after the statistics are counted.
    if counted is None:
        _check_config(plan, folder, manifest)
    documents = tables["documents"]
    # References are read where they were; inputs from kept and removed rows, or where they were if these are lists.
    references = [_stayed(_moved(entry, folder, outside, True), entry, documents) for entry in manifest["against"]]
    inputs = _inputs(folder, manifest, documents, outside)
    stages = Stages()
    corpus, _ = load(RunInputs(inputs, references), plan, bad, stages)
    for source, entry in zip(references, manifest["against"], strict=True):
        _check_same(source, entry, folder, outside)
    for source, entry in zip(inputs, manifest["inputs"], strict=True):
        if not isinstance(source, SplitSource):  # these rows are outside of the folder
            _check_same(source, entry, folder, outside)
    # Row numbers and token counts of all documents prove that the texts are those of the run.
    for name, now in (("row", corpus.row), ("tokens", corpus.documents.tokens)):
        if not np.array_equal(now, documents[name].to_numpy()):
            raise RunError("the texts of {} were changed after the run read them: run again", folder)
    # Ids and priorities are those of the tables, since the run may have made or changed them.
    corpus = _with_ids(corpus, documents["id"], pa.types.is_integer(tables["ledger"]["id"].type))
    reviewed = _reviewed(folder, manifest)
    corpus = replace(corpus, documents=apply(corpus.documents, reviewed)).under(plan, _stays(documents))
    if counted is not None:
        plan = counted(corpus, plan)
        _check_config(plan, folder, manifest)
    known = replace(
        corpus.documents, priority=documents["priority"].to_numpy(), unseen=documents["unscored"].to_numpy()
    )  # priorities of the run, without the effect of restored documents
    return Outcome(
        plan, replace(corpus, documents=known), len(references), _fate(corpus, tables, documents), tables["pairs"],
        tables["ledger"], tables["clusters"], tables["templates"], bad, dict(manifest["counts"]), None, [],
        stages.seconds, reviewed,
    )  # fmt: skip


def _reviewed(folder: Path, manifest: Mapping[str, Any]) -> Reviewed:
    """Return the decisions that were given to the run; the folder contains those that overturn a removal."""
    told = manifest.get("decisions")
    if not isinstance(told, dict) or not told.get("overturned"):
        return Reviewed()
    acts, _ = read_acts(FileBeneath(folder, DECISIONS))
    return Reviewed.from_state(ReviewState.from_acts(acts), str(told.get("file", DECISIONS)))


def _stays(documents: pa.Table) -> np.ndarray:
    """Return a mask of the documents that are never removed: protected ones, and those that a reviewer put back."""
    stays = pc.or_(documents["protected"], pc.equal(documents["policy"], RESTORED))
    return np.array(stays.to_pylist(), bool)


def plan_of(folder: Path, manifest: Mapping[str, Any]) -> Plan:
    """Rebuild the plan of a run from run.json.

    Raises:
        UsageError: the method is not installed, or the run depends on data that is not in its folder.
    """
    plan = unchecked_plan(folder, manifest)
    _check_config(plan, folder, manifest)
    return plan


def unchecked_plan(folder: Path, manifest: Mapping[str, Any]) -> Plan:
    """Rebuild the plan of a run from run.json as far as it has it: without statistics and lines of boilerplate.

    Raises:
        UsageError: the method is not installed.
    """
    config = manifest["config"]
    try:
        known = parameters_of(kind_of(config["method"]))
    except UsageError as error:
        raise UsageError(
            "{} was made by method {}, which is not installed: install the package that has it ({})",
            folder,
            config["method"],
            error,
        ) from error
    # Parameters that this version does not know are ignored; the config hash shows whether they mattered.
    given = {k: v for k, v in config["parameters"].items() if k in known and k != "statistics"}
    scope = config["scope"]
    return Plan(
        differences=config.get("differences", "all"), templates=config.get("templates", "remove"),
        roundups=config.get("roundups", "whole"),
        method=build(config["method"], given), keep=config["keep"], relations=tuple(config["relations"]),
        text=tuple(config["text"]), id=manifest.get("id", "id"), time_key=config["time_key"], source_key=config["source_key"],
        scope=Scope(scope["within"], scope["per"], scope["same_site"]),
        preparer=Preparer(tuple(config["strip"]), (), tuple(config["social"])), only_against=config["only_against"],
        html=config["html"], body=config["body"], max_record=config["max_record"], mix=Mix.of_config(config),
        target=config.get("target"),
        exact=config.get("exact", "strict"), keep_per_cluster=config.get("keep_per_cluster", 1),
    )  # fmt: skip


def _check_config(plan: Plan, folder: Path, manifest: Mapping[str, Any]) -> None:
    """Raise UsageError if the plan differs from the one that the run was made with."""
    if plan.config_hash() != manifest["config_hash"]:
        raise UsageError(
            "the comparison of {} used data that is not in its folder: statistics, lines of boilerplate, or "
            "the normal form of another version. Run again",
            folder,
        )


def _moved(entry: Mapping[str, Any], folder: Path, outside: OutsideSources, reference: bool) -> Source:
    """Return a source outside of the run folder; the caller must compare its digest with run.json."""
    if "path" not in entry:
        raise RunError("{} does not say where {} was read from: run again", folder, entry["name"])
    return outside.unchecked(entry, reference)


def _stayed(source: Source, entry: Mapping[str, Any], documents: pa.Table) -> Source:
    """Return a reference source, limited to the rows that the run read: kept rows, if an earlier run annotated the file."""
    if "kept_rows" not in entry:
        return source
    mine = documents.filter(pc.and_(documents["reference"], pc.equal(documents["source"], entry["name"])))
    return ChosenRows(source, np.sort(mine["row"].to_numpy()))


def _check_same(source: Source, entry: Mapping[str, Any], folder: Path, outside: OutsideSources) -> None:
    """Raise RunError if a source outside the run folder has changed since the run; else record that it was read."""
    if source.fingerprint().get("blake2b") != entry.get("blake2b"):
        raise RunError("{}, from which {} was made, was changed since then: run again", entry["name"], folder)
    outside.note_read(source)


def _inputs(folder: Path, manifest: Mapping[str, Any], documents: pa.Table, outside: OutsideSources) -> list[Source]:
    """Return the inputs of the run as sources, rebuilt from its files."""
    if manifest["mode"] == IDS:
        return [_moved(entry, folder, outside, False) for entry in manifest["inputs"]]
    found, inputs, rows = stretches(manifest, documents), manifest["inputs"], documents["row"].to_numpy()
    if found and all(stretch.kept.endswith(".txt") for stretch in found):  # lists of paths
        return [_moved(entry, folder, outside, False) for entry in inputs]
    if PART in documents.column_names:
        names = pa.array([entry["name"] for entry in inputs], pa.string())
        source = pc.fill_null(pc.index_in(documents["source"], names), -1).to_numpy().astype(np.int64)
        if (source[documents[PART].to_numpy() >= 0] < 0).any() or not inputs:
            raise RunError("{} lacks some documents of its inputs: run again", folder)
        return list(put_together(folder, found, inputs, source, rows, list(manifest.get("added_columns", ()))))
    out: list[Source] = []
    added = list(manifest.get("added_columns", ()))
    named = dict(zip(manifest["files"], found, strict=True))
    for entry in inputs:
        if (stretch := named.get(entry["name"])) is None:
            raise RunError("run.json of {} does not say where the rows of {} are: run again", folder, entry["name"])
        if stretch.kept.endswith(".txt"):  # lists of paths
            out.append(_moved(entry, folder, outside, False))
            continue
        with own_files(folder, (stretch.kept, stretch.removed)) as (kept, removed):
            aside = Spool() if added else None
            plain = kept if aside is None else plain_copy(kept, added, aside.folder, entry.get("encoding"))
            out.append(SplitSource(entry["name"], plain, removed, rows[stretch.documents], stretch.gone, entry, aside))
    return out


def _with_ids(corpus: Corpus, ids: pa.ChunkedArray, numbers: bool) -> Corpus:
    """Return the corpus with the ids of the run; `numbers` is True if they were whole numbers in the input."""
    text = pa.array(ids.cast(pa.large_string()).to_pylist(), pa.large_string())
    rank = np.empty(len(text), np.int64)
    rank[pc.sort_indices(text).to_numpy()] = np.arange(len(text))
    columns = corpus.columns.set_column(corpus.columns.schema.get_field_index("id"), "id", text)
    documents = replace(corpus.documents, ids=text, id_rank=rank, numbers=numbers)
    return replace(corpus, documents=documents, columns=columns, renamed=RENAMED.empty_table())


def _fate(corpus: Corpus, tables: Mapping[str, pa.Table], documents: pa.Table) -> Fate:
    index, survivor, ledger = IdIndex(corpus.documents.ids), np.arange(len(corpus)), tables["ledger"]
    place, of = index.places(ledger["id"]), index.places(ledger["survivor_id"])
    survivor[place[of >= 0]] = of[of >= 0]
    removed = documents["removed"].to_numpy(zero_copy_only=False).astype(bool)
    policy = np.array(documents["policy"].to_pylist(), object)
    overruled, first, overturned, original, roundup = (
        policy == word for word in (OVERRULED, FIRST, OVERTURNED, ORIGINAL, ROUNDUP)
    )
    return Fate(
        removed, survivor, np.full(len(corpus), -1), overruled, first, overturned, original, roundup,
        cluster=_clusters_of(corpus, index, tables["clusters"], policy == TOP),
    )  # fmt: skip


def _clusters_of(corpus: Corpus, index: IdIndex, clusters: pa.Table, top: np.ndarray) -> np.ndarray | None:
    """Return the cluster's survivor for each document of the mask `top`, -1 for others; None if the mask is empty."""
    if not top.any():
        return None
    of = np.full(len(corpus), -1, np.int64)
    of[index.places(clusters["id"])] = index.places(clusters["cluster_id"])
    return np.where(top, of, -1)
