"""Checks of the value of one stage against the values of stages before it: what points into documents, classes or pairs must be there.

They are asked of values that another process left. Each returns a function that raises Damaged, and the stage is then made anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.decision.classes import Classes
from quchong.decision.expansion import Found
from quchong.decision.pairs import DocumentPairs
from quchong.decision.survivors import Fate
from quchong.engines.local.candidates import Candidates
from quchong.engines.local.corpus import Corpus
from quchong.engines.local.first_stage import Stage1
from quchong.engines.local.fitting import check_fields
from quchong.engines.local.run_kinds import check_lists, check_measures, check_pairs
from quchong.io.bad_records import BadRecords
from quchong.seam import Keys, Method
from quchong.work import Damaged
from quchong.work.checks import check_array, check_type, check_within

Check = Callable[[Any], None]


def _parts(value: Any, count: int) -> tuple[Any, ...]:
    """Return the values of a tuple of so many."""
    check_type(value, tuple)
    if len(value) != count:
        raise Damaged("the value of another stage")
    parts: tuple[Any, ...] = value
    return parts


def of_documents(sources: int) -> Check:
    """Check the documents of so many sources, their keys, bad records and what was found of each source."""

    def check(value: Any) -> None:
        corpus, keys, bad, found = _parts(value, 4)
        check_type(corpus, Corpus)
        check_within(corpus.source, 0, sources)
        check_type(keys, Keys, type(None))
        if keys is not None and len(keys.offsets) != len(corpus) + 1:
            raise Damaged("keys of other documents")
        check_type(bad, BadRecords)
        if type(found) is not list or len(found) != sources:
            raise Damaged("other sources")
        for one in found:
            known, read = _parts(one, 2)
            check_type(known, bool)
            check_type(read, dict)
            if (rows := read.get("_bad_rows")) is not None:
                check_array(rows, np.int64)
                if (rows[1:] <= rows[:-1]).any():
                    raise Damaged("rows out of order")

    return check


def of_classes(documents: int) -> Check:
    """Check exact classes of so many documents, and what stage 1 said of them."""

    def check(value: Any) -> None:
        classes, stage1 = _parts(value, 2)
        _check_classes(classes, documents)
        check_type(stage1, Stage1)
        check_array(stage1.unconfirmed, np.bool_, documents)

    return check


def _check_classes(classes: Any, documents: int) -> None:
    check_type(classes, Classes)
    check_array(classes.node, np.int64, documents)


def of_candidates(method: Method, documents: int) -> Check:
    """Check what the method counted, parts of classes of so many documents, and candidates among these parts."""

    def check(value: Any) -> None:
        fitted, parts, candidates = _parts(value, 3)
        check_fields(method, fitted)
        _check_classes(parts, documents)
        check_type(candidates, Candidates)
        check_pairs(candidates.left, candidates.right, len(parts.first))
        check_array(candidates.crowded, np.int64)
        check_within(candidates.crowded, 0, len(parts.first))

    return check


def of_blocks(classes: int) -> Check:
    """Check a list of scored blocks of pairs of so many classes."""

    def check(value: Any) -> None:
        check_type(value, list)
        for block in value:
            left, right, measures, differences = _parts(block, 4)
            check_pairs(left, right, classes)
            check_measures(measures, len(left))
            if differences is not None:
                check_lists(differences, len(left))

    return check


def of_found(classes: int) -> Check:
    """Check the scored pairs of so many classes."""

    def check(value: Any) -> None:
        check_type(value, Found)
        check_pairs(value.left, value.right, classes)
        for one in value.differences or ():
            check_lists(one, len(one))

    return check


def of_decision(documents: int) -> Check:
    """Check pairs of so many documents, and the fate of each."""

    def check(value: Any) -> None:
        pairs, fate = _parts(value, 2)
        check_type(pairs, DocumentPairs)
        check_pairs(pairs.left, pairs.right, documents)
        if pairs.differences is not None:
            check_lists(pairs.differences, len(pairs))
        check_type(fate, Fate)
        check_array(fate.removed, np.bool_, documents)
        check_within(fate.pair, -1, len(pairs))

    return check


def of_table(names: Sequence[str], rows: int | None = None) -> Check:
    """Check a table with these columns, and so many rows if their number is given."""

    def check(value: Any) -> None:
        if not isinstance(value, pa.Table) or value.column_names != list(names) or rows not in (None, len(value)):
            raise Damaged("a table of another stage")

    return check
