"""New decision of a finished run from its pairs, with other thresholds or relations and without its texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.decision.alarms import UNCONFIRMED
from quchong.decision.classes import find_classes, parted
from quchong.decision.clusters import clusters, counts
from quchong.decision.differing import FIGURES, looked_at
from quchong.decision.pairs import EQUAL, DocumentPairs, from_table, to_table
from quchong.decision.survivors import Fate, fates
from quchong.decision.template_counts import template_counts
from quchong.decision.templates import reads_templates
from quchong.engines.local.corpus import Corpus
from quchong.engines.local.ledger import ledger
from quchong.engines.local.outcome import Outcome
from quchong.engines.local.own_texts import own_texts
from quchong.engines.local.scores import pair_batches
from quchong.errors import Param, UsageError
from quchong.languages import AND, OR, Message, join_messages
from quchong.plan.catalogue import altered
from quchong.plan.plan import Plan
from quchong.progress import Silent
from quchong.relation_codes import EXAMINED, codes_of
from quchong.seam import Method, active_differences, settings_of
from quchong.similarity import UNSEEN
from quchong.tables import SAME_FIELDS, SAME_PAYLOAD, counts_of_pairs


def again(outcome: Outcome, plan: Plan) -> Outcome:
    """Return the outcome of the same run under a plan that differs only in thresholds or relations.

    The tables equal those of a new run. For `minhash`, whose bands are chosen for the threshold, they may hold more pairs.

    Raises:
        UsageError: the stored pairs do not suffice, such as for a threshold below the floor they were stored at.
    """
    check_again(outcome, plan)
    corpus = outcome.corpus
    pairs, fate = decided_again(outcome, plan, from_table(corpus.documents, outcome.pairs))
    table, pairs_table = ledger(corpus, plan, pairs, fate, Silent()), to_table(corpus.documents, pairs)
    own = own_texts(corpus, plan, pairs, fate, Silent())
    return replace(
        outcome, plan=plan, fate=fate, own=own, listed=pairs_table, ledger=table,
        clusters=clusters(corpus.documents, fate),
        counts=outcome.counts | counts(corpus.documents, fate, table, counts_of_pairs(table, pairs_table)) | {"pairs": len(pairs)}
        | template_counts(plan, pairs, len(corpus), outcome.templates), recall=None,
        alarms=[a for a in outcome.alarms if a.kind == UNCONFIRMED],
    )  # fmt: skip


def changed_plan(plan: Plan, given: Mapping[str, Any], relations: tuple[str, ...] | None) -> Plan:
    """Return the plan with other parameters of its method's decision, and with other relations if they are given.

    Raises:
        UsageError: a parameter decides more than pairs, or the method has no such parameter.
    """
    fields = settings_of(plan.method)
    searched = [k for k in given if k in fields and k not in plan.method.traits.decided_by]
    if searched:
        training = given.get("preset") == "training"
        raise UsageError(
            "{} of method {} also changes which pairs are found, so a new run is needed{}",
            join_messages(searched, AND),
            plan.method.name,
            Message(" (to remove only variants, use {})", Param("facts", "remove")) if training else "",
        )
    unknown = [k for k in given if k not in fields]
    if unknown:
        raise UsageError(
            "method {} has no parameter {} that can be changed after the run: start a new run with this parameter",
            plan.method.name,
            join_messages(unknown, OR),
        )
    method = altered(plan.method, given)
    return replace(plan, method=method, relations=plan.relations if relations is None else relations, target=None)


def check_again(outcome: Outcome, plan: Plan) -> None:
    """Raise UsageError if the pairs of the outcome do not suffice to decide as a run under the plan would."""
    check_method(outcome.plan.method, plan.method)
    looked = reads_templates(outcome.plan)
    if looked != reads_templates(plan) and (len(outcome.templates) or not looked):
        raise UsageError(
            "{} decides whether records on one template count as different: to change it, run again",
            Param("facts", method=True),
        )


def check_method(found_by: Method, method: Method) -> None:
    """Raise UsageError if the pairs found by one method do not suffice to decide as another method would."""
    old, new = found_by.rule.test, method.rule.test
    if (
        new is not None
        and old is not None
        and (new.floor_jaccard < old.floor_jaccard or new.floor_containment < old.floor_containment)
    ):
        raise UsageError(
            "the run listed only pairs with a Jaccard of at least {}, or a containment of at least {}: for a "
            "lower threshold, run again",
            old.floor_jaccard,
            old.floor_containment,
        )
    if why := found_by.rule.lacks(method.rule):
        raise UsageError("{}", why)


def decided_again(outcome: Outcome, plan: Plan, pairs: DocumentPairs) -> tuple[DocumentPairs, Fate]:
    """Decide the pairs under a plan that passed `check_again`; return the pairs that the plan lists, and the fate of every document.

    Args:
        pairs: all pairs of the run; they are not changed.

    Raises:
        UsageError: names must be compared in texts that are no longer available.
    """
    # Exact copies keep their relation; all other pairs are decided anew, and dropped if they are below the plan's floor.
    near = np.flatnonzero(pairs.rule != EQUAL)
    pairs = looked_where_decisive(outcome, plan, pairs)
    pairs = replace(pairs, relation=pairs.relation.copy(), rule=pairs.rule.copy())
    near_measures = {k: v[near] for k, v in pairs.measures.items()}
    relation, rule = plan.method.rule.decide(near_measures)
    pairs.relation[near], pairs.rule[near] = codes_of(relation), rule
    stays = np.ones(len(pairs), bool)
    stays[near] = plan.method.rule.floor(near_measures)
    if (
        facts := near_measures.get("facts")
    ) is not None:  # templates tell that these say the same, however little they share
        stays[near] |= (facts & np.uint16(SAME_FIELDS | SAME_PAYLOAD)) != 0
    pairs = pairs.select(stays)
    return pairs, fates(outcome.corpus.documents, pairs, plan, outcome.fate.unconfirmed)


def looked_where_decisive(outcome: Outcome, plan: Plan, pairs: DocumentPairs) -> DocumentPairs:
    """Return the pairs after comparing names and differences wherever the new decision depends on them.

    The first run did not compare them, because under its thresholds these pairs could not be copies.

    Raises:
        UsageError: there are such pairs, and their texts are no longer available.
    """
    return _list_differences(outcome, plan, _compare_names(outcome.corpus, plan, pairs))


def _compare_names(corpus: Corpus, plan: Plan, pairs: DocumentPairs) -> DocumentPairs:
    """Return the pairs after comparing names where a swap of names may change relation or rule."""
    method, swap = plan.method, pairs.measures["name_swap"]
    unseen = np.flatnonzero((pairs.rule != EQUAL) & (swap == UNSEEN))
    here = {k: v[unseen] for k, v in pairs.measures.items()}
    here |= {"told": np.ones(len(unseen), bool)}
    # Decide with and without a swap: only pairs whose decision differs need their texts.
    answers = [method.rule.decide(here | {"name_swap": np.full(len(unseen), s, np.int8)}) for s in (0, 1)]
    open_ = unseen[(answers[0][0] != answers[1][0]) | (answers[0][1] != answers[1][1])]
    if not len(open_):
        return pairs
    _check_at_hand(corpus, len(open_))
    swap = swap.copy()
    for piece, _, documents, a, b in pair_batches(corpus, plan, pairs.left, pairs.right, open_):
        swap[piece] = method.score(documents, a, b, plan.workers)["name_swap"]
    return pairs.measured(name_swap=swap)


def _list_differences(outcome: Outcome, plan: Plan, pairs: DocumentPairs) -> DocumentPairs:
    """Return the pairs with their differences listed as in a run under the plan.

    A run lists differences of the pairs that `DifferenceSteps.examined` selects, which depends on the thresholds alone, and of pairs
    whose alignment covers nearly all of their texts. Pairs for which the two plans select differently are aligned again.
    """
    corpus, method = outcome.corpus, plan.method
    steps, before = active_differences(method), outcome.plan.method.differences
    if steps is None or before is None:
        return pairs
    told = pairs.measures["told"]
    wanted, had = steps.examined(pairs.measures), before.examined(pairs.measures)
    unseen = ~EXAMINED[pairs.relation]
    open_ = np.flatnonzero((pairs.rule != EQUAL) & (unseen | (wanted & ~told) | (~wanted & had & told)))
    if not len(open_):
        return pairs
    if len(corpus.texts) != len(corpus):
        # Without texts what was told stays told, and what was not told may not decide.
        here = {k: v[open_] for k, v in pairs.measures.items()}
        answers = [method.rule.decide(here | {"told": np.full(len(open_), s)}) for s in (False, True)]
        _check_at_hand(corpus, int((answers[0][0] != answers[1][0]).sum()))
        return pairs
    figures = {name: pairs.measures[name].copy() for name in (*FIGURES, "told")}
    lists, stand = pairs.differences, _compared_mask(corpus, method)
    for piece, docs, documents, a, b in pair_batches(corpus, plan, pairs.left, pairs.right, open_):
        measures = {k: v[piece] for k, v in pairs.measures.items()}
        made, found = looked_at(method, documents, a, b, measures, plan.workers, corpus.edits, docs)
        for name, values in figures.items():
            values[piece] = made[name]
        if lists is not None and found is not None:
            both = stand[pairs.left[piece]] & stand[pairs.right[piece]]
            lists = lists.replaced(piece[both], found.filter(pa.array(both)))
    pairs = replace(pairs.measured(**figures), differences=lists)
    # Pairs that were not examined are now: under the plan, which decides every pair anew, their relation says so.
    relation, rule = pairs.relation.copy(), pairs.rule.copy()
    now = np.flatnonzero(unseen)
    names, rule[now] = method.rule.decide({name: values[now] for name, values in pairs.measures.items()})
    relation[now] = codes_of(names)
    return replace(pairs, relation=relation, rule=rule)


def _compared_mask(corpus: Corpus, method: Method) -> np.ndarray:
    """Return a mask of the documents that a run compares, one for each part of an exact class; only these have lists of differences."""
    found = find_classes(corpus.documents, lambda left, right: np.ones(len(left), bool), 0)
    out = np.zeros(len(corpus), bool)
    out[parted(corpus.documents, corpus.columns, found, method.traits.needs).first] = True
    return out


def _check_at_hand(corpus: Corpus, some: int) -> None:
    """Raise UsageError if `some` pairs (not 0) need their texts and these are no longer available."""
    if some and len(corpus.texts) != len(corpus):
        raise UsageError(
            "{:,} pairs are copies only by these thresholds, so the run did not compare their names or facts: "
            "to compare them, run again",
            some,
        )
