"""Opens a saved run so that it can be decided again.

Nothing is compared again; texts are read and fingerprinted again, as passages and writing need them.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from quchong.decision.survivors import Fate
from quchong.engines.local.corpus import Corpus, load
from quchong.engines.local.run import Outcome
from quchong.errors import RunError, UsageError
from quchong.io import REMOVE, Bad, Source, Wanted, open_inputs, together
from quchong.io.arrays import no_rows
from quchong.io.merge import weave
from quchong.parameters import parameters_of
from quchong.plan.catalogue import build, kind_of
from quchong.plan.plan import Plan, Scope
from quchong.progress import Stages
from quchong.runs.reader import own_files
from quchong.tables import FIRST, OVERRULED, RESTORED
from quchong.text import Preparer

_BATCH = 1 << 16


class SplitSource:
    """An input again, from the files a run split it into; rows go out byte for byte.

    Args:
        name: of the input.
        kept, removed: its files in the run folder.
        rows: place of each document in the input, ascending.
        gone: which of them are in `removed`.
        known: what run.json says of the input.
    """

    def __init__(
        self, name: str, kept: Path, removed: Path, rows: np.ndarray, gone: np.ndarray, known: Mapping[str, Any]
    ) -> None:
        self.name, self._sides, self._rows, self._gone, self._known = name, (kept, removed), rows, gone, known
        self._opened = [open_inputs([path])[0] for path in self._sides]
        self.suffix = self._opened[0].suffix
        self._place = np.where(gone, np.cumsum(gone), np.cumsum(~gone)) - 1

    def expected(self) -> int | None:
        """Documents of the input."""
        return len(self._rows)

    def documents(self, wanted: Wanted, bad: list[Bad]) -> Iterator[pa.RecordBatch]:
        """See Source.documents."""
        sides = [pa.Table.from_batches(list(side.documents(wanted, bad))) for side in self._opened]
        counts = [int((~self._gone).sum()), int(self._gone.sum())]
        if [len(side) for side in sides] != counts:
            raise RunError(f"{self._sides[0]} and {self._sides[1].name} are not as the run wrote them: run again")
        whole = pa.concat_tables(sides, promote_options="permissive")
        whole = whole.take(pa.array(self._place + np.where(self._gone, counts[0], 0)))
        whole = whole.set_column(0, whole.schema.field("row"), pa.array(self._rows))
        batches = whole.combine_chunks().to_batches(max_chunksize=_BATCH)
        yield from batches or [no_rows(whole.schema)]

    def split(self, fate: npt.NDArray[np.uint8], kept: Path | None, removed: Path | None) -> None:
        """See Source.split."""
        with tempfile.TemporaryDirectory() as folder:
            aside = Path(folder) / f"aside{self.suffix}"
            weave(*self._sides, self._gone, fate[self._rows] == REMOVE, kept or aside, removed or aside)

    def table_of(self, mask: npt.NDArray[np.bool_]) -> pa.Table:
        """See Source.table_of."""
        wanted = mask[self._rows]
        sides = [side.table_of(wanted[self._gone == gone]) for gone, side in enumerate(self._opened)]
        gone = self._gone[wanted]
        place = np.where(gone, np.cumsum(gone) - 1 + len(sides[0]), np.cumsum(~gone) - 1)
        return together(sides).take(pa.array(place))

    def annotate(self, notes: pa.Table, out: Path) -> None:
        """See Source.annotate."""
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / f"{side}{self.suffix}" for side in ("whole", "none")]
            weave(*self._sides, self._gone, np.zeros(len(self._gone), bool), paths[0], paths[1])
            open_inputs([paths[0]])[0].annotate(notes.take(pa.array(self._rows)), out)

    def rewrite(self, texts: Mapping[int, str], key: str, out: Path) -> None:
        """See Source.rewrite."""
        raise UsageError("the rows of a saved run are not rewritten: give its files to quchong.passages")

    def fetch(self, rows: Sequence[int], wanted: Wanted) -> pa.Table:
        """See Source.fetch."""
        found = []
        for row in rows:
            at = int(np.searchsorted(self._rows, row))
            one = self._opened[int(self._gone[at])].fetch([int(self._place[at])], wanted)
            found.append(one.set_column(0, one.schema.field("row"), pa.array([row] * len(one), pa.int64())))
        return pa.concat_tables(found, promote_options="permissive")

    def fingerprint(self) -> dict[str, object]:
        """See Source.fingerprint: of the input, as the run found it."""
        return {name: value for name, value in self._known.items() if name != "path"}


def reopened(folder: Path, manifest: Mapping[str, Any], tables: Mapping[str, pa.Table], bad: list[Bad]) -> Outcome:
    """The outcome that a run folder was written from, but for the recall.

    Raises:
        UsageError: a run in annotate mode, or one that compared by what is not in its folder.
        RunError: texts that have moved, or files that are not as the run wrote them.
    """
    if manifest["mode"] != "remove":
        raise UsageError(f"{folder} was written in {manifest['mode']} mode, without kept and removed rows: run again")
    plan = _plan(folder, manifest)
    documents = tables["documents"]
    own = ~documents["reference"].to_numpy(zero_copy_only=False).astype(bool)
    references = [_moved(entry, folder) for entry in manifest["against"]]
    inputs = [_input(folder, entry, manifest, documents.filter(pa.array(own))) for entry in manifest["inputs"]]
    stages = Stages()
    corpus, _ = load(inputs, references, plan, bad, stages)
    if not np.array_equal(corpus.row, documents["row"].to_numpy()):
        raise RunError(f"the texts of {folder} are not as the run read them: run again")
    corpus = _with_ids(corpus, documents["id"], pa.types.is_integer(tables["ledger"]["id"].type))
    corpus = corpus.under(plan, _stays(documents))
    known = replace(
        corpus.documents, priority=documents["priority"].to_numpy()
    )  # which what was put back had no part in
    return Outcome(
        plan, replace(corpus, documents=known), len(references), _fate(corpus, tables, documents), tables["pairs"],
        tables["ledger"], tables["clusters"], bad, pa.nulls(0, documents["id"].type), dict(manifest["counts"]), None, [],
        stages.seconds,
    )  # fmt: skip


def _stays(documents: pa.Table) -> np.ndarray:
    """Mask of the documents that are never removed: protected ones, and those a person put back."""
    stays = pc.or_(documents["protected"], pc.equal(documents["policy"], RESTORED))
    return np.array(stays.to_pylist(), bool)


def _plan(folder: Path, manifest: Mapping[str, Any]) -> Plan:
    config = manifest["config"]
    known = parameters_of(kind_of(config["method"]))
    given = {k: v for k, v in config["parameters"].items() if k in known and k != "statistics"}
    scope = config["scope"]
    plan = Plan(
        method=build(config["method"], given), keep=config["keep"], relations=tuple(config["relations"]),
        text=tuple(config["text"]), id=manifest.get("id", "id"), time_key=config["time_key"], source_key=config["source_key"],
        scope=Scope(scope["within"], scope["per"], scope["same_site"]),
        preparer=Preparer(tuple(config["strip"]), (), tuple(config["social"])), only_against=config["only_against"],
        html=config["html"], body=config["body"],
    )  # fmt: skip
    if plan.config_hash() != manifest["config_hash"]:
        raise UsageError(
            f"{folder} was compared by what its folder does not hold (statistics, lines of boilerplate, or another version's "
            "normal form): run again"
        )
    return plan


def _moved(entry: Mapping[str, Any], folder: Path) -> Source:
    """A source that stands where it was read, outside of the run folder."""
    path = entry.get("path")
    if path is None or not os.path.exists(path):  # noqa: PTH110
        raise RunError(f"{entry['name']}, which {folder} was made from, is no longer there: run again")
    source = open_inputs([path])[0]
    source.name = entry["name"]
    return source


def _input(folder: Path, entry: Mapping[str, Any], manifest: Mapping[str, Any], documents: pa.Table) -> Source:
    files = manifest["files"][entry["name"]]
    if files["kept"].endswith(".txt"):  # lists of paths
        return _moved(entry, folder)
    mine = documents.filter(pc.equal(documents["source"], entry["name"]))
    gone = mine["removed"].to_numpy(zero_copy_only=False).astype(bool)
    with own_files(folder, (files["kept"], files["removed"])):
        return SplitSource(
            entry["name"], folder / files["kept"], folder / files["removed"], mine["row"].to_numpy(), gone, entry
        )


def _with_ids(corpus: Corpus, ids: pa.ChunkedArray, numbers: bool) -> Corpus:
    """The corpus under the ids the run gave it; `numbers` of the input's."""
    text = pa.array(ids.cast(pa.large_string()).to_pylist(), pa.large_string())
    rank = np.empty(len(text), np.int64)
    rank[pc.sort_indices(text).to_numpy()] = np.arange(len(text))
    columns = corpus.columns.set_column(corpus.columns.schema.get_field_index("id"), "id", text)
    documents = replace(corpus.documents, ids=text, id_rank=rank, numbers=numbers)
    return replace(corpus, documents=documents, columns=columns, renamed={})


def _fate(corpus: Corpus, tables: Mapping[str, pa.Table], documents: pa.Table) -> Fate:
    place = {name: i for i, name in enumerate(corpus.documents.ids.to_pylist())}
    survivor = np.arange(len(corpus))
    for one, other in zip(tables["ledger"]["id"].to_pylist(), tables["ledger"]["survivor_id"].to_pylist(), strict=True):
        if other is not None:
            survivor[place[str(one)]] = place[str(other)]
    removed = documents["removed"].to_numpy(zero_copy_only=False).astype(bool)
    policy = np.array(documents["policy"].to_pylist(), object)
    return Fate(removed, survivor, np.full(len(corpus), -1), policy == OVERRULED, policy == FIRST)
