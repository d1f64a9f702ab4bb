"""Opens a saved run so that it can be decided again.

Nothing is compared again; texts are read and fingerprinted again, as passages and writing need them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.decision.reviewed import Reviewed, apply
from quchong.decision.survivors import Fate
from quchong.engines.local.corpus import Corpus, load
from quchong.engines.local.ids import RENAMED
from quchong.engines.local.outcome import Outcome
from quchong.errors import RunError, UsageError
from quchong.io import Bad, FileBeneath, Source
from quchong.parameters import parameters_of
from quchong.plan.catalogue import build, kind_of
from quchong.plan.plan import Plan, Scope
from quchong.progress import Stages
from quchong.reading.chosen import ChosenRows
from quchong.results.outside import Outside
from quchong.results.split import SplitSource, put_together
from quchong.review import Standing, read_acts
from quchong.runs.layout import DECISIONS
from quchong.runs.reader import own_files
from quchong.runs.stretches import stretches
from quchong.tables import FIRST, OVERRULED, OVERTURNED, PART, RESTORED
from quchong.text import Preparer


def reopened(
    folder: Path, manifest: Mapping[str, Any], tables: Mapping[str, pa.Table], bad: list[Bad], outside: Outside,
    counted: Callable[[Corpus, Plan], Plan] | None = None,
) -> Outcome:  # fmt: skip
    """The outcome that a run folder was written from, but for the recall.

    Texts outside of the folder are read from `outside`, and refused where they are not those that the run read. With `counted` what
    the method counts on a corpus is counted again; without, such a run is refused.

    Raises:
        UsageError: a run in annotate mode, or one that compared by what is not in its folder.
        RunError: texts that have moved, or files that are not as the run wrote them.
    """
    if manifest["mode"] != "remove":
        raise UsageError(
            "{} was written in {} mode, without kept and removed rows: run again", folder, manifest["mode"]
        )
    plan = _plan(folder, manifest)
    if counted is None:
        _check_config(plan, folder, manifest)
    documents = tables["documents"]
    references = [_stayed(_moved(entry, folder, outside, True), entry, documents) for entry in manifest["against"]]
    inputs = _inputs(folder, manifest, documents, outside)
    stages = Stages()
    corpus, _ = load(inputs, references, plan, bad, stages)
    for source, entry in zip(references, manifest["against"], strict=True):
        _check_same(source, entry, folder)
    for source, entry in zip(inputs, manifest["inputs"], strict=True):
        if not isinstance(source, SplitSource):  # these rows stand outside of the folder
            _check_same(source, entry, folder)
    for name, now in (("row", corpus.row), ("tokens", corpus.documents.tokens)):
        if not np.array_equal(now, documents[name].to_numpy()):
            raise RunError("the texts of {} are not as the run read them: run again", folder)
    corpus = _with_ids(corpus, documents["id"], pa.types.is_integer(tables["ledger"]["id"].type))
    reviewed = _reviewed(folder, manifest)
    corpus = replace(corpus, documents=apply(corpus.documents, reviewed)).under(plan, _stays(documents))
    if counted is not None:
        plan = counted(corpus, plan)
        _check_config(plan, folder, manifest)
    known = replace(
        corpus.documents, priority=documents["priority"].to_numpy()
    )  # which what was put back had no part in
    return Outcome(
        plan, replace(corpus, documents=known), len(references), _fate(corpus, tables, documents), tables["pairs"],
        tables["ledger"], tables["clusters"], bad, pa.nulls(0, documents["id"].type), dict(manifest["counts"]), None, [],
        stages.seconds, reviewed,
    )  # fmt: skip


def _reviewed(folder: Path, manifest: Mapping[str, Any]) -> Reviewed:
    """The decisions the run was told of, of which the folder keeps those that overturn a removal."""
    told = manifest.get("decisions")
    if not isinstance(told, dict) or not told.get("overturned"):
        return Reviewed()
    acts, _ = read_acts(FileBeneath(folder, DECISIONS))
    return Reviewed.of(Standing.of(acts), str(told.get("file", DECISIONS)))


def _stays(documents: pa.Table) -> np.ndarray:
    """Mask of the documents that are never removed: protected ones, and those a person put back."""
    stays = pc.or_(documents["protected"], pc.equal(documents["policy"], RESTORED))
    return np.array(stays.to_pylist(), bool)


def plan_of(folder: Path, manifest: Mapping[str, Any]) -> Plan:
    """What a run was asked for, from run.json.

    Raises:
        UsageError: the method is not here, or the run compared by what is not in its folder.
    """
    plan = _plan(folder, manifest)
    _check_config(plan, folder, manifest)
    return plan


def _plan(folder: Path, manifest: Mapping[str, Any]) -> Plan:
    config = manifest["config"]
    try:
        known = parameters_of(kind_of(config["method"]))
    except UsageError as error:
        raise UsageError(
            "{} was made by method {}, which is not here; install the package that has it ({})",
            folder,
            config["method"],
            error,
        ) from error
    given = {k: v for k, v in config["parameters"].items() if k in known and k != "statistics"}
    scope = config["scope"]
    return Plan(
        method=build(config["method"], given), keep=config["keep"], relations=tuple(config["relations"]),
        text=tuple(config["text"]), id=manifest.get("id", "id"), time_key=config["time_key"], source_key=config["source_key"],
        scope=Scope(scope["within"], scope["per"], scope["same_site"]),
        preparer=Preparer(tuple(config["strip"]), (), tuple(config["social"])), only_against=config["only_against"],
        html=config["html"], body=config["body"], max_record=config["max_record"],
    )  # fmt: skip


def _check_config(plan: Plan, folder: Path, manifest: Mapping[str, Any]) -> None:
    """Raises UsageError where the plan is not the one that the folder was written by."""
    if plan.config_hash() != manifest["config_hash"]:
        raise UsageError(
            "{} was compared by what its folder does not hold (statistics, lines of boilerplate, or another "
            "version's normal form): run again",
            folder,
        )


def _moved(entry: Mapping[str, Any], folder: Path, outside: Outside, reference: bool) -> Source:
    """A source that stands where it was read, outside of the run folder; the caller holds it to its digest."""
    if "path" not in entry:
        raise RunError("{}, which {} was made from, is no longer there: run again", entry["name"], folder)
    return outside.unchecked(entry, reference)


def _stayed(source: Source, entry: Mapping[str, Any], documents: pa.Table) -> Source:
    """A reference, or those of its rows that the run read: of a file that an earlier run annotated these are not all."""
    if "kept_rows" not in entry:
        return source
    mine = documents.filter(pc.and_(documents["reference"], pc.equal(documents["source"], entry["name"])))
    return ChosenRows(source, np.sort(mine["row"].to_numpy()))


def _check_same(source: Source, entry: Mapping[str, Any], folder: Path) -> None:
    """Raises RunError where what stands outside of the folder was changed since the run."""
    if source.fingerprint().get("blake2b") != entry.get("blake2b"):
        raise RunError("{}, which {} was made from, was changed since: run again", entry["name"], folder)


def _inputs(folder: Path, manifest: Mapping[str, Any], documents: pa.Table, outside: Outside) -> list[Source]:
    """The inputs of the run, from its files."""
    found, inputs, rows = stretches(manifest, documents), manifest["inputs"], documents["row"].to_numpy()
    if found and all(stretch.kept.endswith(".txt") for stretch in found):  # lists of paths
        return [_moved(entry, folder, outside, False) for entry in inputs]
    if PART in documents.column_names:
        names = pa.array([entry["name"] for entry in inputs], pa.string())
        source = pc.fill_null(pc.index_in(documents["source"], names), -1).to_numpy().astype(np.int64)
        if not len(source) or source.min() < 0:
            raise RunError("{} holds no documents of its inputs: run again", folder)
        return list(put_together(folder, found, inputs, source, rows))
    out: list[Source] = []
    named = dict(zip(manifest["files"], found, strict=True))
    for entry in inputs:
        if (stretch := named.get(entry["name"])) is None:
            raise RunError("run.json of {} does not tell where the rows of {} are: run again", folder, entry["name"])
        if stretch.kept.endswith(".txt"):  # lists of paths
            out.append(_moved(entry, folder, outside, False))
            continue
        with own_files(folder, (stretch.kept, stretch.removed)) as (kept, removed):
            out.append(SplitSource(entry["name"], kept, removed, rows[stretch.documents], stretch.gone, entry))
    return out


def _with_ids(corpus: Corpus, ids: pa.ChunkedArray, numbers: bool) -> Corpus:
    """The corpus under the ids the run gave it; `numbers` of the input's."""
    text = pa.array(ids.cast(pa.large_string()).to_pylist(), pa.large_string())
    rank = np.empty(len(text), np.int64)
    rank[pc.sort_indices(text).to_numpy()] = np.arange(len(text))
    columns = corpus.columns.set_column(corpus.columns.schema.get_field_index("id"), "id", text)
    documents = replace(corpus.documents, ids=text, id_rank=rank, numbers=numbers)
    return replace(corpus, documents=documents, columns=columns, renamed=RENAMED.empty_table())


def _fate(corpus: Corpus, tables: Mapping[str, pa.Table], documents: pa.Table) -> Fate:
    place = {name: i for i, name in enumerate(corpus.documents.ids.to_pylist())}
    survivor = np.arange(len(corpus))
    for one, other in zip(tables["ledger"]["id"].to_pylist(), tables["ledger"]["survivor_id"].to_pylist(), strict=True):
        if other is not None:
            survivor[place[str(one)]] = place[str(other)]
    removed = documents["removed"].to_numpy(zero_copy_only=False).astype(bool)
    policy = np.array(documents["policy"].to_pylist(), object)
    return Fate(removed, survivor, np.full(len(corpus), -1), policy == OVERRULED, policy == FIRST, policy == OVERTURNED)
