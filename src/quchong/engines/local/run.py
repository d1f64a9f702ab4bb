"""Runs all stages of a plan on one machine, with the texts in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong import kernels
from quchong.cluster.policy import DEFAULT
from quchong.decision.alarms import (
    Alarm,
    bad_input,
    bounded,
    emptied_sources,
    giant_clusters,
    many_without_text,
    meetings_bounded,
    policy_doubts,
)
from quchong.decision.alarms import unconfirmed as unconfirmed_alarm
from quchong.decision.classes import Classes, find_classes, parted
from quchong.decision.clusters import clusters, counts
from quchong.decision.documents import DocumentColumns
from quchong.decision.expansion import Found, expand
from quchong.decision.pairs import DocumentPairs, to_table
from quchong.decision.reviewed import Reviewed, apply, figures, notes
from quchong.decision.survivors import Fate, fates
from quchong.engines.local.background import Background
from quchong.engines.local.candidates import Candidates, find_candidates
from quchong.engines.local.corpus import Corpus, load
from quchong.engines.local.first_stage import Stage1, first_stage
from quchong.engines.local.held import TextKeeper
from quchong.engines.local.joins import find_pairs
from quchong.engines.local.kept import KeptStages
from quchong.engines.local.ledger import ledger
from quchong.engines.local.memory import Room
from quchong.engines.local.recall import Recall, measure_recall
from quchong.engines.local.scores import equal_texts, score
from quchong.errors import Param, UsageError
from quchong.io.source import Bad, Source
from quchong.plan.plan import Plan
from quchong.progress import Stages, peak_memory
from quchong.seam import KeyJoin, Keys, Method


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything a run found out, before any file is written.

    Attributes:
        corpus, fate: the documents and what became of each.
        pairs, ledger, clusters: tables as in `quchong.tables`.
        bad: records that could not be read.
        unscored: ids of documents with too little text to be compared beyond equality (kept unless exact copies).
        counts, recall, alarms, seconds: for the summary and the manifest.
        reviewed: what a person decided about removals.
    """

    plan: Plan
    corpus: Corpus
    reference_sources: int
    fate: Fate
    pairs: pa.Table
    ledger: pa.Table
    clusters: pa.Table
    bad: list[Bad]
    unscored: pa.Array
    counts: dict[str, Any]
    recall: Recall | None
    alarms: list[Alarm]
    seconds: dict[str, float]
    reviewed: Reviewed = field(default_factory=Reviewed)


def protect(corpus: Corpus, ids: Sequence[str]) -> np.ndarray:
    """Mask of the documents with these ids.

    Raises:
        UsageError: an id that no document has.
    """
    mask = np.zeros(len(corpus), bool)
    if not ids:
        return mask
    asked = set(ids)
    try:
        wanted = pa.array(sorted(asked), pa.large_string())
    except UnicodeEncodeError as error:
        raise UsageError("{} names an id with half a character in it: no document has it", Param("protect")) from error
    missing = pc.filter(wanted, pc.invert(pc.is_in(wanted, corpus.documents.ids)))
    if len(missing):
        raise UsageError(
            "{} names {} ids that no document has, such as {!r}: check them and {}",
            Param("protect"),
            len(missing),
            missing[0].as_py(),
            Param("id"),
        )
    mask[pc.is_in(corpus.documents.ids, wanted).to_numpy(zero_copy_only=False)] = True
    mask[[i for i, given in corpus.renamed.items() if given in asked]] = True  # every row that came with the id
    return mask


def run(
    inputs: Sequence[Source],
    plan: Plan,
    references: Sequence[Source] = (),
    protected_ids: Sequence[str] = (),
    stages: Stages | None = None,
    meanwhile: Callable[[Outcome], None] | None = None,
    room: Room | None = None,
    reviewed: Reviewed | None = None,
) -> Outcome:
    """A whole run up to the tables; beside its work it writes nothing.

    Deterministic: for documents that carry ids the tables do not depend on the order of the input, on how it is cut
    into files, or on the number of workers. A method with an unconfirmed filter as stage 1 (`Traits.order`) depends on the
    order of the input, and on nothing else.

    Args:
        inputs, plan, references, protected_ids: what is compared, and how.
        stages: where time is noted. Recall is measured beside the stages after verification; what is noted for it is how
            long the run waited for it at the end.
        reviewed: what a person decided about removals (`quchong.decision.reviewed`).
        meanwhile: called with the outcome, complete but for the recall, while that is being measured: to write rows.
        room: the memory it may take, and where the rest goes.
    """
    stages, room = stages or Stages(), room or Room()
    kept = KeptStages(room.work, stages)

    def read() -> tuple[Corpus, Keys | None, list[Bad]]:
        bad: list[Bad] = []
        return *load(inputs, references, plan, bad, stages, TextKeeper(room.spill, room.texts), room.work), bad

    corpus, keys, bad = kept.stage("documents", read, frees=["read-"])
    pa.default_memory_pool().release_unused()  # what reading needed beyond the texts themselves
    reviewed = reviewed or Reviewed()
    corpus = replace(corpus, documents=apply(corpus.documents, reviewed)).under(plan, protect(corpus, protected_ids))
    documents, join = corpus.documents, plan.method.candidates

    def put_together() -> tuple[Classes, Stage1]:
        with stages.stage("exact copies", len(corpus)):
            classes = find_classes(documents, partial(equal_texts, corpus, plan), join.cap)
        return first_stage(corpus, plan, classes, stages)

    def meet() -> tuple[Method, Classes, Candidates]:
        if isinstance(join, KeyJoin) and keys is not None:
            return plan.method, classes, find_candidates(documents, plan, keys, join.limits, classes, stages)
        parts = parted(documents, corpus.columns, classes, plan.method.traits.needs)
        method, candidates = find_pairs(corpus, plan, classes, parts, stages)
        return method, parts, candidates

    classes, stage1 = kept.stage("classes", put_together)
    method, parts, candidates = kept.stage("candidates", meet)
    keys, plan = None, replace(plan, method=method)
    found = kept.stage("found", lambda: score(corpus, plan, parts, candidates, stages, room.work), frees=["scored-"])
    pa.default_memory_pool().release_unused()
    met = replace(found, measures={}, differences=None)  # measuring recall asks no more; expanding lets the rest go

    def decide() -> tuple[DocumentPairs, Fate]:
        with stages.stage("choose survivors", len(corpus)):
            pairs = expand(documents, plan, classes, parts, found)
            return pairs, fates(documents, pairs, plan.removing, stage1.unconfirmed)

    def tabulate(pairs: DocumentPairs, fate: Fate) -> tuple[pa.Table, pa.Table, pa.Table]:
        with stages.stage("choose survivors"):
            table, cluster_table = to_table(documents, pairs), clusters(documents, fate)
        pa.default_memory_pool().release_unused()
        with stages.stage("passages", int((fate.removed & ~fate.unconfirmed).sum())) as watched:
            return table, cluster_table, ledger(corpus, plan, pairs, fate, watched)

    with Background(partial(measure_recall, corpus, plan, parts, met)) as recall:
        pairs, fate = kept.stage("decided", decide)
        found = met
        table, cluster_table, ledger_table = kept.stage("tables", partial(tabulate, pairs, fate))
        del pairs
        outcome = Outcome(
            plan, replace(corpus, tokens=None), len(references), fate, table, ledger_table, cluster_table, bad,
            _unscored(documents), _counts(corpus, fate, classes, found, ledger_table, table, len(bad), stage1), None,
            _alarms(corpus, plan, classes, found, fate, cluster_table, bad, stage1) + _decided(documents, fate, reviewed),
            stages.seconds, reviewed,
        )  # fmt: skip
        if meanwhile is not None:
            meanwhile(outcome)
        with stages.stage("measure recall"):
            return replace(outcome, recall=recall.result())


def _unscored(documents: DocumentColumns) -> pa.Array:
    few = np.flatnonzero(documents.unscored & ~documents.reference)
    return documents.named(few[np.argsort(documents.id_rank[few])], own=True)


def _counts(
    corpus: Corpus,
    fate: Fate,
    classes: Classes,
    found: Found,
    ledger_table: pa.Table,
    pairs: pa.Table,
    bad: int,
    stage1: Stage1,
) -> dict[str, Any]:
    documents = corpus.documents
    read = len(documents) - documents.references
    return {
        "read": read,
        "reference": documents.references,
        **counts(documents, fate, ledger_table, pairs),
        "skipped": bad,
        "records": read + bad,
        "without_text": _without_text(corpus),
        "unscored": int(documents.unscored[documents.references :].sum()),
        "distinct": len(classes.first),
        "candidates": found.candidates,
        "pairs": len(pairs),
        **({"stage1": stage1.figures} if stage1.figures else {}),
        "peak_memory_bytes": peak_memory(),
        "loops": kernels.machine.loops(),
    }


def _decided(documents: DocumentColumns, fate: Fate, reviewed: Reviewed) -> list[Alarm]:
    return notes(figures(documents, fate.removed, reviewed)) if reviewed.name else []


def _without_text(corpus: Corpus) -> int:
    """Documents of the input that have no text, or one of blanks: they stay, and are compared with nothing."""
    wordless = np.flatnonzero((corpus.documents.tokens == 0) & ~corpus.documents.reference)
    return sum(not corpus.texts.text(i).strip() for i in wordless.tolist())


def _alarms(
    corpus: Corpus,
    plan: Plan,
    classes: Classes,
    found: Found,
    fate: Fate,
    cluster_table: pa.Table,
    bad: list[Bad],
    stage1: Stage1,
) -> list[Alarm]:
    references = corpus.documents.references
    documents = len(corpus) - references
    sizes = (
        {r["values"]: r["counts"] for r in pc.value_counts(cluster_table["cluster_id"]).to_pylist()}
        if len(cluster_table)
        else {}
    )
    out = giant_clusters(sizes, documents)
    mine = ~corpus.documents.reference
    column = corpus.columns[plan.source_key] if plan.source_key in corpus.columns.column_names else None
    if column is not None and column.null_count < len(column):
        encoded = pc.dictionary_encode(pc.fill_null(column.combine_chunks().cast(pa.large_string()), ""))
        encoded = encoded.combine_chunks() if isinstance(encoded, pa.ChunkedArray) else encoded
        code, names = encoded.indices.to_numpy(zero_copy_only=False), encoded.dictionary.to_pylist()
    else:
        code, names = corpus.source, [s.name for s in corpus.sources]
    total = np.bincount(code[mine], minlength=len(names))
    gone = np.bincount(code[fate.removed], minlength=len(names))
    if len(names) > 1:
        out += emptied_sources(names, gone, total)
    out += bounded(
        found.capped_keys,
        found.largest_key,
        plan.method.candidates.cap,
        classes.large,
        int(classes.sizes.max(initial=0)),
    )
    doubts = plan.policy.doubts(plan.policy.counted(corpus.columns.slice(references)))
    out += policy_doubts(doubts, asked=plan.keep != DEFAULT)
    out += meetings_bounded(found.bounded) + unconfirmed_alarm(stage1.figures)
    out += many_without_text(_without_text(corpus), documents)
    return out + bad_input(len(corpus.renamed), len(bad), documents, classes.refuted, first=bad[0] if bad else None)
