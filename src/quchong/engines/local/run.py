"""Run of all stages of a plan on one machine; texts beyond the memory limit are mapped from files."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.decision.alarms import floods, removed_for_roundups, small_shares, untimed_posts
from quchong.decision.classes import Classes, find_classes
from quchong.decision.clusters import clusters, counts
from quchong.decision.expansion import expand
from quchong.decision.frozen import with_fields
from quchong.decision.ledger import removed_documents, with_unconfirmed
from quchong.decision.pairs import DocumentPairs
from quchong.decision.reviewed import apply
from quchong.decision.survivors import Fate, fates
from quchong.decision.template_counts import template_counts
from quchong.engines.local.background import Background, Deferred
from quchong.engines.local.candidates import Candidates
from quchong.engines.local.columns import check_page_column
from quchong.engines.local.corpus import Corpus, load, sources_again
from quchong.engines.local.crowds import score_crowds
from quchong.engines.local.examine import Examiner
from quchong.engines.local.examined_parts import RememberedExaminations
from quchong.engines.local.examining import Examining
from quchong.engines.local.first_stage import Stage1, first_stage
from quchong.engines.local.inputs import RunInputs
from quchong.engines.local.joins import candidate_pairs
from quchong.engines.local.known_relations import known_relations
from quchong.engines.local.ledger import ledger_of
from quchong.engines.local.memory import Room, budget
from quchong.engines.local.outcome import DecidedRows, Outcome, alarms_of, decided, doubts_of, figures_of
from quchong.engines.local.own_texts import own_texts
from quchong.engines.local.pair_table import hold_pairs, write_pairs
from quchong.engines.local.protected import protect
from quchong.engines.local.read_parts import JoinedSource
from quchong.engines.local.recall import measure_recall, sampled
from quchong.engines.local.run_writer import RunWriter, rows_written
from quchong.engines.local.scores import equal_texts
from quchong.engines.local.stage_checks import of_candidates, of_classes, of_decision, of_documents, of_found, of_table
from quchong.engines.local.stage_store import KeptStages
from quchong.engines.local.stored_source import KnownSource, is_known
from quchong.engines.local.text_store import FoundKeeper, TextKeeper
from quchong.io.bad_records import BadRecords
from quchong.io.found_properties import found_by
from quchong.io.missing_columns import worded_for_several
from quchong.io.source import Source
from quchong.kernels.machine import Stop
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.relations import CONTAINED_IN
from quchong.seam import Keys
from quchong.tables import CLUSTERS, LEDGER, TEMPLATES, VariantCounts


def run(
    inputs: RunInputs,
    plan: Plan,
    stages: Stages | None = None,
    *,
    room: Room | None = None,
    writer: RunWriter | None = None,
) -> Outcome:
    """Run all stages of a plan and return the outcome with its tables; only intermediate files are written.

    Deterministic: for documents with ids the tables do not depend on the order of the input, on its division into files, or on the
    number of workers. With a method whose stage 1 is an unconfirmed filter (`Traits.order`) they depend on the order of the input.

    Args:
        inputs: what is read.
        plan: how it is compared and decided.
        stages: record of times. Recall is measured in parallel to the stages after verification; the time noted for it is the
            time that the run waited for it at the end. The same holds for the rows and the table of pairs, which are written while
            the ledger is being made, if the memory suffices (`Room.has_room_beside`).
        room: memory limit, and the folders for data beyond it.
        writer: writes rows and tables while the run goes on; None if nothing is written.
    """
    stages, room = stages or Stages(), room or Room()
    with stages.watching(), room.spilling(stages), FoundKeeper(room.spill, room.result_limit) as keeper:
        return _run(inputs, plan, stages, replace(room, keeper=keeper), writer)


def _run(inputs: RunInputs, plan: Plan, stages: Stages, room: Room, writer: RunWriter | None) -> Outcome:
    """Run the stages in order, storing the value of each in the work; arguments and result are those of `run`."""
    kept = KeptStages(room.work, stages, whole=room.keeps_reading, found=room.keeper)
    beside = room.has_room_beside(plan.workers)
    for source in inputs.all_sources:
        if isinstance(source, KnownSource | JoinedSource):
            room.work.lend(source.label, source.texts)

    opened: list[Source] = []

    def read() -> tuple[Corpus, Keys | None, BadRecords, list[tuple[bool, dict[str, Any]]]]:
        bad = BadRecords(keep=room.keeper.table)
        with worded_for_several(len(inputs.all_sources)):
            corpus, keys = load(inputs, plan, bad, stages, TextKeeper(room.spill, room.texts), room.work, beside)
        bad.finish()
        check_page_column(corpus.sources, len(corpus))
        opened.extend(corpus.sources)
        return corpus, keys, bad, [(is_known(one), found_by(one)) for one in opened] if kept.keeps else []

    # Read and fingerprint, then set policy, scope, and the decisions of a person.
    corpus, keys, bad, seen = kept.stage(
        "documents", read, [] if room.keeps_reading else ["read-"], of_documents(len(inputs.all_sources))
    )
    corpus = replace(corpus, sources=opened or sources_again(inputs, plan, seen))
    pa.default_memory_pool().release_unused()  # what reading needed beyond the texts themselves
    corpus = replace(corpus, documents=apply(corpus.documents, inputs.reviewed)).under(
        plan, protect(corpus, inputs.protected)
    )
    documents, join = corpus.documents, plan.method.candidates

    def put_together() -> tuple[Classes, Stage1]:
        with stages.stage("exact copies", len(corpus)):
            classes = find_classes(documents, partial(equal_texts, corpus, plan), join.cap)
        return first_stage(corpus, plan, classes, stages)

    def meet() -> tuple[dict[str, Any], Classes, Candidates]:
        return candidate_pairs(corpus, plan, keys, classes, stages)

    # Exact classes and the filter, then candidate pairs, then scores and differences.
    classes, stage1 = kept.stage("classes", put_together, check=of_classes(len(corpus)))
    fitted, parts, candidates = kept.stage("candidates", meet, check=of_candidates(plan.method, len(corpus)))
    keys, plan = None, replace(plan, method=with_fields(plan.method, fitted))
    corpus = corpus.with_unseen(parts.contains(candidates.unseen))
    documents = corpus.documents
    with Examining(plan, budget(room.memory)) as beside_run:
        stored = None if room.scores is None else room.scores.examinations(len(parts.first))
        known = RememberedExaminations(len(parts.first), stored) if len(candidates.crowded) else stored
        found = kept.stage(
            "found",
            partial(score_crowds, corpus, plan, parts, candidates, stages, room, beside_run, known),
            ["scored-", "met-", "alike-", "payloads-", "followed-", "crowd-examined-"],
            of_found(len(parts.first)),
        )
        if found.open is not None and found.open.any():  # else it would be stored twice
            beside_run.begin(int(np.count_nonzero(found.open)))
            examiner = Examiner(corpus, plan, parts, stages, room.work, room.keeper, known=known, beside=beside_run)
            examine = partial(examiner.with_deciding, classes, found)
            found = kept.stage("examined", examine, ["examined-"], of_found(len(parts.first)))
            del examine, examiner
        del known, stored
    pa.default_memory_pool().release_unused()
    # Measuring recall asks no more than this; expanding lets the rest go.
    sample = sampled(corpus, plan, parts)
    known_pairs = known_relations(plan, len(parts.first), found, sample)
    template_table = TEMPLATES.empty_table() if found.templates is None else found.templates
    met = replace(found, measures={}, differences=None, list_of=None, open=None, templates=None)

    def decide() -> tuple[DocumentPairs, Fate]:
        with stages.stage("choose survivors", len(corpus)):
            pairs = expand(documents, plan, classes, parts, found)
            return pairs, fates(documents, pairs, plan, stage1.unconfirmed)

    def explain(pairs: DocumentPairs, fate: Fate) -> tuple[pa.Table, pa.Table]:
        def clustered() -> pa.Table:
            with stages.stage("choose survivors"):
                return clusters(documents, fate)

        removed = removed_documents(documents, fate)

        def explained(start: int, end: int) -> pa.Table:
            with stages.stage("passages", end - start) as watched:
                return ledger_of(corpus, plan, pairs, fate, removed[start:end], watched)

        cluster_table = kept.stage("clusters", clustered, check=of_table(CLUSTERS.names))
        rows = kept.pieces("ledger", len(removed), explained, partial(of_table, LEDGER.names))
        return cluster_table, with_unconfirmed(rows, documents, plan, fate)

    def tabulate(pairs: DocumentPairs, removed: np.ndarray, variants: VariantCounts, stop: Stop) -> pa.Table | None:
        if room.pairs is None:
            return hold_pairs(documents, pairs, removed, variants, kept)
        write_pairs(documents, pairs, removed, variants, room.pairs, 2 if beside else 1, stop)
        return None

    # Decide and make the ledger, while threads measure recall, write the table of pairs, and copy rows.
    with Background(partial(measure_recall, corpus, plan, parts, met, sample, known_pairs)) as recall:
        pairs, fate = kept.stage("decided", decide, check=of_decision(len(corpus)))
        found, listed = met, len(pairs)
        settled = DecidedRows(replace(corpus, tokens=None), fate, len(inputs.references), bad)
        variants = VariantCounts()
        with (
            (Background if beside and room.pairs else Deferred)(
                partial(tabulate, pairs, fate.removed, variants)
            ) as listing,
            rows_written(writer, settled, stages, beside) as finish_rows,
        ):
            cluster_table, ledger_table = explain(pairs, fate)
            on_templates = template_counts(plan, pairs, len(corpus), template_table)
            with stages.stage("passages") as watched:
                own = own_texts(corpus, plan, pairs, fate, watched)
            del pairs
            with stages.stage("write tables" if room.pairs else "choose survivors"):
                if writer is not None:
                    writer.write_tables(
                        {"ledger": ledger_table, "clusters": cluster_table, "templates": template_table}
                    )
                table = listing.result()
            finish_rows(ledger_table)
        counted = counts(documents, fate, ledger_table, variants.counts(ledger_table)) | on_templates
        outcome = Outcome(
            plan, settled.corpus, settled.reference_sources, fate, table, ledger_table, cluster_table, template_table, bad,
            figures_of(corpus, fate, classes, found, counted, listed, len(bad), stage1), None,
            alarms_of(corpus, plan, classes, found, fate, cluster_table, bad, stage1)
            + small_shares(counted["small_shares"], counted["removed"])
            + untimed_posts(lambda: doubts_of(corpus, plan), counted["removed_by_relation"].get(CONTAINED_IN, 0), plan.policy)
            + removed_for_roundups(counted["originals"], counted["roundups"], plan.roundups)
            + floods(template_table.select(["records", "model_id", "slots"]).to_pylist()) + decided(documents, fate, inputs.reviewed),
            stages.seconds, inputs.reviewed, own,
        )  # fmt: skip
        with stages.stage("measure recall"):
            return replace(outcome, recall=recall.result())
