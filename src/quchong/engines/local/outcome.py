"""Outcome of a run: tables, figures and alarms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong import kernels
from quchong.decision.alarms import (
    Alarm,
    bad_input,
    bounded,
    columns_by_usual_names,
    emptied_sources,
    facts_unjudged,
    giant_clusters,
    least_giant,
    many_without_features,
    many_without_text,
    meetings_bounded,
    mix_without_documents,
    policy_doubts,
)
from quchong.decision.alarms import unconfirmed as unconfirmed_alarm
from quchong.decision.classes import Classes
from quchong.decision.documents import SCORED_TOKENS, DocumentColumns
from quchong.decision.expansion import ClassPairs
from quchong.decision.mixing import sources_without_documents
from quchong.decision.reviewed import Reviewed, figures, notes
from quchong.decision.survivors import Fate
from quchong.differences.own_text import OwnText
from quchong.differences.tongues.recognition import unjudged
from quchong.engines.local.corpus import Corpus
from quchong.engines.local.first_stage import Stage1
from quchong.engines.local.inputs import RunInputs
from quchong.engines.local.recall import Recall
from quchong.io.page_documents import Pages
from quchong.io.source import Bad
from quchong.languages import Message
from quchong.plan.plan import DEFAULT_KEEP, POSTS_KEEP, Plan
from quchong.policy.policy import Doubt
from quchong.progress import peak_memory
from quchong.seam import active_differences


@dataclass(frozen=True, slots=True)
class DecidedRows:
    """Documents of a run with the fate of each, which is all that copying the rows of the inputs needs.

    Attributes:
        corpus, fate: the documents, and for each whether it is removed and for which survivor.
        reference_sources: number of the sources, at the beginning, that are references.
        bad: records that could not be read.
    """

    corpus: Corpus
    fate: Fate
    reference_sources: int
    bad: Sequence[Bad]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a run, before any file is written.

    Attributes:
        corpus, fate: the documents, and for each whether it is removed and for which survivor.
        listed: see `pairs`; None if the run wrote that table to its folder as it was made.
        ledger, clusters, templates: tables as in `quchong.tables`.
        bad: records that could not be read.
        counts, recall, alarms, seconds: for the summary and the manifest.
        reviewed: decisions of a person about removals.
        own: own texts of removed roundups by document, if the plan cuts roundups.
    """

    plan: Plan
    corpus: Corpus
    reference_sources: int
    fate: Fate
    listed: pa.Table | None
    ledger: pa.Table
    clusters: pa.Table
    templates: pa.Table
    bad: Sequence[Bad]
    counts: dict[str, Any]
    recall: Recall | None
    alarms: list[Alarm]
    seconds: dict[str, float]
    reviewed: Reviewed = field(default_factory=Reviewed)
    own: Mapping[int, OwnText] = field(default_factory=dict)

    @property
    def decided_rows(self) -> DecidedRows:
        """Documents with the fate of each."""
        return DecidedRows(self.corpus, self.fate, self.reference_sources, self.bad)

    @property
    def inputs(self) -> RunInputs:
        """Sources of the run, to be read again; without the ids and decisions that protect documents."""
        opened = [source.inner if isinstance(source, Pages) else source for source in self.corpus.sources]
        return RunInputs(opened[self.reference_sources :], opened[: self.reference_sources])

    @property
    def pairs(self) -> pa.Table:
        """Table PAIRS; only for an outcome that has it in memory."""
        assert self.listed is not None
        return self.listed


def figures_of(
    corpus: Corpus,
    fate: Fate,
    classes: Classes,
    found: ClassPairs,
    decided: dict[str, Any],
    pairs: int,
    bad: int,
    stage1: Stage1,
) -> dict[str, Any]:
    """Return the counts of a run by name, for the summary and the manifest.

    Args:
        decided: counts of what was decided (`quchong.decision.clusters.counts`).
        pairs, bad: numbers of listed pairs and of bad records.
    """
    documents = corpus.documents
    read = len(documents) - documents.references
    return {
        "read": read,
        "reference": documents.references,
        **decided,
        "skipped": bad,
        "records": read + bad,
        "without_text": _without_text(corpus),
        "unscored": int(documents.unscored[documents.references :].sum()),
        "unseen": _without_features(documents),
        "distinct": len(classes.first),
        "candidates": found.candidates,
        "pairs": pairs,
        **({"stage1": stage1.figures} if stage1.figures else {}),
        "peak_memory_bytes": peak_memory(),
        "loops": kernels.machine.loops(),
    }


def decided(documents: DocumentColumns, fate: Fate, reviewed: Reviewed) -> list[Alarm]:
    """Return notes on how a reviewer's decisions were applied; empty without a decisions file."""
    return notes(figures(documents, fate.removed, reviewed)) if reviewed.name else []


def _without_text(corpus: Corpus) -> int:
    """Return the number of input documents whose text is empty or blank; they are kept and compared with nothing."""
    wordless = np.flatnonzero((corpus.documents.tokens == 0) & ~corpus.documents.reference)
    return sum(not corpus.texts.text(i).strip() for i in wordless.tolist())


def _without_features(documents: DocumentColumns) -> int:
    """Return the number of input documents in which the method saw nothing to compare, however long they are."""
    if documents.unseen is None:
        return 0
    return int((documents.unseen & (documents.tokens >= SCORED_TOKENS))[documents.references :].sum())


def alarms_of(
    corpus: Corpus,
    plan: Plan,
    classes: Classes,
    found: ClassPairs,
    fate: Fate,
    cluster_table: pa.Table,
    bad: Sequence[Bad],
    stage1: Stage1,
) -> list[Alarm]:
    """Return the alarms of a run: limits that cut comparisons off, and results that look like damage."""
    # Clusters that hold a large share of the input.
    references = corpus.documents.references
    documents = len(corpus) - references
    out = giant_clusters(_giants(cluster_table, documents), documents)
    # Sources that lost most of their documents, by the column that names the source, else by input file.
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
    # Limits of the search, doubts about the policy, and bad input.
    out += bounded(
        found.capped_keys,
        found.largest_key,
        plan.method.candidates.cap,
        classes.large,
        int(classes.sizes.max(initial=0)),
    )
    if plan.mix is not None:
        out += mix_without_documents(
            sources_without_documents(plan.mix, corpus.source_names(plan.source_key)[references:])
        )
    out += columns_by_usual_names(plan.columns_found)
    out += policy_doubts(
        doubts_of(corpus, plan), asked=plan.keep not in (DEFAULT_KEEP, POSTS_KEEP) and not plan.policy.arrival
    )
    out += meetings_bounded(found.bounded) + unconfirmed_alarm(stage1.figures)
    out += many_without_text(_without_text(corpus), documents)
    out += many_without_features(_without_features(corpus.documents), documents, plan.method.name)
    if active_differences(plan.method) is not None:
        out += facts_unjudged(_unjudged_sample(corpus))
    return out + bad_input(len(corpus.renamed), len(bad), documents, classes.refuted, first=bad[0] if bad else None)


def doubts_of(corpus: Corpus, plan: Plan) -> list[Doubt]:
    """Return the criteria of the policy that found no values in the input, or values they cannot use."""
    return plan.policy.doubts(plan.policy.counted(corpus.columns.slice(corpus.documents.references)))


SAMPLED = 100
"""Documents whose language is looked at."""


def _unjudged_sample(corpus: Corpus) -> list[Message | None]:
    """Return for a regular sample of documents the language in which facts are not judged, or None."""
    first, n = corpus.documents.references, len(corpus)
    some = np.unique(np.linspace(first, max(first, n - 1), min(SAMPLED, n - first)).astype(np.int64))
    return [unjudged(corpus.texts.text(i)) for i in some.tolist()]


def _giants(cluster_table: pa.Table, documents: int) -> dict[str | int, int]:
    """Return the sizes of clusters large enough to be giant, by cluster id; smaller clusters are left out."""
    if not len(cluster_table):
        return {}
    found = pc.value_counts(cluster_table["cluster_id"])
    size = found.field("counts").to_numpy(zero_copy_only=False)
    some = np.flatnonzero(size >= least_giant(documents))
    return dict(zip(found.field("values").take(pa.array(some)).to_pylist(), size[some].tolist(), strict=True))
