"""Checks of one stage's value against the values of earlier stages: indices of documents, classes and pairs must be in range.

They are applied to values that another process stored. Each function here returns a check, which raises Damaged; the stage is then made
anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.decision.classes import Classes
from quchong.decision.expansion import ClassPairs
from quchong.decision.frozen import check_fields
from quchong.decision.pairs import DocumentPairs
from quchong.decision.survivors import Fate
from quchong.engines.local.candidates import Candidates
from quchong.engines.local.corpus import Corpus
from quchong.engines.local.first_stage import Stage1
from quchong.engines.local.run_kinds import check_lists, check_measures, check_pairs
from quchong.io.bad_records import BadRecords
from quchong.seam import Keys, Method
from quchong.work import Damaged
from quchong.work.checks import check_array, check_type, check_within

Check = Callable[[Any], None]


def _checked_tuple(value: Any, count: int) -> tuple[Any, ...]:
    """Return `value` if it is a tuple of `count` values; raise Damaged otherwise."""
    check_type(value, tuple)
    if len(value) != count:
        raise Damaged("the value of another stage")
    parts: tuple[Any, ...] = value
    return parts


def of_documents(sources: int) -> Check:
    """Return the check of the stage that reads: corpus, keys, bad records, and the state of each of `sources` sources."""

    def check(value: Any) -> None:
        corpus, keys, bad, found = _checked_tuple(value, 4)
        check_type(corpus, Corpus)
        check_within(corpus.source, 0, sources)
        check_type(keys, Keys, type(None))
        if keys is not None and len(keys.offsets) != len(corpus) + 1:
            raise Damaged("keys of other documents")
        check_type(bad, BadRecords)
        if type(found) is not list or len(found) != sources:
            raise Damaged("other sources")
        for one in found:
            known, read = _checked_tuple(one, 2)
            check_type(known, bool)
            check_type(read, dict)
            if (rows := read.get("_bad_rows")) is not None:
                check_array(rows, np.int64)
                if (rows[1:] <= rows[:-1]).any():
                    raise Damaged("rows out of order")

    return check


def of_classes(documents: int) -> Check:
    """Return the check of the exact classes and the filter's result for `documents` documents."""

    def check(value: Any) -> None:
        classes, stage1 = _checked_tuple(value, 2)
        _check_classes(classes, documents)
        check_type(stage1, Stage1)
        check_array(stage1.unconfirmed, np.bool_, documents)

    return check


def _check_classes(classes: Any, documents: int) -> None:
    check_type(classes, Classes)
    check_array(classes.node, np.int64, documents)


def of_candidates(method: Method, documents: int) -> Check:
    """Return the check of the method's fitted fields, the parts of classes of `documents` documents, and candidates among the parts."""

    def check(value: Any) -> None:
        fitted, parts, candidates = _checked_tuple(value, 3)
        check_fields(method, fitted)
        _check_classes(parts, documents)
        check_type(candidates, Candidates)
        check_pairs(candidates.left, candidates.right, len(parts.first))
        check_array(candidates.crowded, np.int64)
        check_within(candidates.crowded, 0, len(parts.first))
        check_array(candidates.unseen, np.int64)
        check_within(candidates.unseen, 0, len(parts.first))

    return check


def of_blocks(classes: int) -> Check:
    """Return the check of a list of scored blocks of pairs among `classes` classes."""

    def check(value: Any) -> None:
        check_type(value, list)
        for block in value:
            left, right, measures, differences = _checked_tuple(block, 4)
            check_pairs(left, right, classes)
            check_measures(measures, len(left))
            if differences is not None:
                check_lists(differences, len(left))

    return check


def of_found(classes: int) -> Check:
    """Return the check of the scored pairs among `classes` classes."""

    def check(value: Any) -> None:
        check_type(value, ClassPairs)
        check_pairs(value.left, value.right, classes)
        for one in value.differences or ():
            check_lists(one, len(one))

    return check


def of_decision(documents: int) -> Check:
    """Return the check of the decided pairs among `documents` documents, and of the fate of each document."""

    def check(value: Any) -> None:
        pairs, fate = _checked_tuple(value, 2)
        check_type(pairs, DocumentPairs)
        check_pairs(pairs.left, pairs.right, documents)
        if pairs.differences is not None:
            check_lists(pairs.differences, len(pairs))
        check_type(fate, Fate)
        check_array(fate.removed, np.bool_, documents)
        check_within(fate.pair, -1, len(pairs))

    return check


def of_table(names: Sequence[str], rows: int | None = None) -> Check:
    """Return the check of a table with the columns `names`, and `rows` rows unless that is None."""

    def check(value: Any) -> None:
        if not isinstance(value, pa.Table) or value.column_names != list(names) or rows not in (None, len(value)):
            raise Damaged("a table of another stage")

    return check
