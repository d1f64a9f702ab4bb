"""Selection of removed rows by a person: by ids, relations, rules, or all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.errors import Param, UsageError, meant, parts_of_list
from quchong.languages import Message, join_names
from quchong.languages.habits import value_meant
from quchong.relations import REMOVABLE
from quchong.runs.unknown_ids import REMOVED, id_advice, names_row
from quchong.tables import RESTORED, as_id

Names = Sequence[str]


def selection_mask(tables: Mapping[str, pa.Table], ids: Names, relations: Names, rules: Names, everything: bool) -> Any:
    """Return a mask of the ledger rows to put back: those of the ids, those with one of the relations and one of the rules, or all.

    Raises:
        UsageError: neither or both of the two ways are used (ids; or relations, rules or all), a relation or rule
            is unknown to the run, or an id is not that of a removed row.
    """
    ledger = tables["ledger"]
    by_kind = bool(relations or rules or everything)
    # Exactly one of the two ways of selection: by ids, or by relation, rule or all.
    if ids and by_kind:
        raise UsageError(
            "select the rows to put back by their ids, or by {}, {} or {}: do not combine ids with these",
            Param("relations"), Param("rules"), Param("everything", True),
        )  # fmt: skip
    if not ids and not by_kind:
        raise UsageError(
            "say which rows to put back: give ids, or {} or {} for the rows that a relation or rule removed, "
            "or {} for all removed rows",
            Param("relations"),
            Param("rules"),
            Param("everything", True),
        )
    if by_kind:
        # A relation and a rule together select the rows that have both.
        mask = np.ones(len(ledger), bool)
        for column, parameter, names, known in (
            ("relation", "relations", relations, REMOVABLE),
            ("rule", "rules", rules, sorted(set(ledger["rule"].to_pylist()))),
        ):
            unknown = [name for name in names if name not in known]
            if unknown:
                raise UsageError(
                    "{}: use {}{}",
                    Param(parameter, unknown[0]),
                    join_names(known) or Message("none: nothing was removed"),
                    meant(unknown[0], known),
                )
            if names:
                mask &= is_in(ledger[column], names)
        return pa.array(mask)
    # Each id must be of a document that was removed and not put back; the checks are in the order of the most useful
    # message.
    documents = tables["documents"]
    back = pc.filter(documents["id"], pc.equal(documents["policy"], RESTORED))
    for column, among, why in (
        (documents["id"], True, Message("is not the id of a document")),
        (back, False, Message("has already been put back")),
        (ledger["id"], True, Message("was not removed, so it cannot be put back")),
    ):
        named = [as_id(one, column.type) for one in ids]
        there = pc.and_(
            pc.is_in(pa.array(named, column.type), column), pa.array([n is not None for n in named])
        ).to_pylist()
        if (not among) in there:
            one = ids[there.index(not among)]
            several = parts_of_list(one) or str(one).split()
            if len(several) > 1 and set(several) <= set(column.cast(pa.string()).to_pylist()):
                why = Message("is not an id: separate ids by spaces, {}", " ".join(several))
            elif isinstance(one, str) and (one in ("all", "*") or value_meant(one, ["all"])):
                why = Message(
                    "is not the id of a document: {} puts back all removed documents", Param("everything", True)
                )
            elif column is not back:  # of a document that is not there, or was not removed
                advice = id_advice(one, ledger["id"].to_pylist(), rows=False, words=REMOVED)
                if among and names_row(one):  # of all documents
                    advice = id_advice(one, column.to_pylist())
                why = Message("{}; {}", why, advice)
            raise UsageError("{!r} {}", one, why)
    return pa.array(is_in(ledger["id"], [as_id(one, ledger["id"].type) for one in ids]))


def is_in(column: Any, names: Sequence[Any]) -> np.ndarray:
    """Return a mask of the values of a column that are among these."""
    found: np.ndarray = pc.is_in(column, pa.array(list(names), column.type)).to_numpy(zero_copy_only=False)
    return found.astype(bool)
