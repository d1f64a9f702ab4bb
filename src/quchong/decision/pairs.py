"""Pairs of documents with relation, rule and measures, and their conversion to and from tables."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.decision.difference_lists import ChosenLists
from quchong.decision.differing import FIGURES, fact_bits, fact_names, no_lists
from quchong.decision.documents import DocumentColumns
from quchong.decision.id_index import IdIndex
from quchong.relation_codes import CONFLICTS, EXAMINED, codes_in
from quchong.relations import RELATIONS
from quchong.similarity import UNSEEN
from quchong.similarity.relation_rules import ALIKE, SAME
from quchong.tables import FIELD, PAIRS, SAME_FIELDS, SAME_PAYLOAD, one_array, table_of

EQUAL = "equal normal form"
"""Name of the rule of exact pairs."""
PAPERS = ("evidence", "features_left", "features_right", "size_ratio", "covered_left", "covered_right")
"""Columns of PAIRS that only methods from papers fill."""
RESTS = ("rest_left", "rest_right")
"""Columns of PAIRS that are filled where headers were looked for (`quchong.decision.headers`)."""
_OWN = ("left_id", "right_id", "relation", "rule", "name_swap", "facts", "unexplained", "differences", "supersedes")
_MEASURED = [f.name for f in PAIRS if f.name not in _OWN]


@dataclass(frozen=True, slots=True)
class DocumentPairs:
    """Pairs of documents with relation, rule and measures; left has the smaller id, and relation and measures follow that order."""

    left: np.ndarray
    right: np.ndarray
    relation: np.ndarray  # codes of `quchong.relations.TABLE`
    rule: np.ndarray  # object: str
    measures: dict[str, np.ndarray]
    differences: ChosenLists | None = None  # a list of DIFFERENCE for each, or null; None if not computed

    def __len__(self) -> int:
        return len(self.left)

    def select(self, mask: np.ndarray) -> DocumentPairs:
        """Return the pairs selected by a mask."""
        measures = {name: values[mask] for name, values in self.measures.items()}
        lists = None if self.differences is None else self.differences.at(mask)
        return DocumentPairs(self.left[mask], self.right[mask], self.relation[mask], self.rule[mask], measures, lists)

    def row_range(self, start: int, end: int) -> DocumentPairs:
        """Return the pairs from `start` to `end` (excluded), without copying."""
        measures = {name: values[start:end] for name, values in self.measures.items()}
        lists = None if self.differences is None else self.differences.at(slice(start, end))
        here = slice(start, end)
        return DocumentPairs(self.left[here], self.right[here], self.relation[here], self.rule[here], measures, lists)

    def measured(self, **measures: np.ndarray) -> DocumentPairs:
        """Return the pairs with some measures replaced, which are given by keyword."""
        return replace(self, measures=self.measures | measures)


def to_table(documents: DocumentColumns, pairs: DocumentPairs) -> pa.Table:
    """Build the table PAIRS, in the order given."""
    names = pa.array(RELATIONS, pa.string())
    columns = {
        "left_id": documents.shown_ids(pairs.left),
        "right_id": documents.shown_ids(pairs.right),
        "relation": names.take(pa.array(pairs.relation)),
        "rule": pa.array(pairs.rule, pa.string()),
        **{k: pa.array(v, from_pandas=True) for k, v in pairs.measures.items()},  # NaN: no such evidence
        "facts": fact_names(pairs.measures.get("facts", np.zeros(len(pairs), np.uint16))),
        "differences": no_lists(len(pairs)) if pairs.differences is None else pairs.differences.column(),
        "supersedes": _newer(documents, pairs),
    }
    unseen = ~EXAMINED[pairs.relation]
    if unseen.any():
        columns["facts"] = pc.if_else(pa.array(unseen), pa.scalar(None, columns["facts"].type), columns["facts"])
    for name in ("aligned_left", "aligned_right", "unexplained"):
        if name in pairs.measures:
            nobody = unseen | np.isnan(pairs.measures["aligned_left"])
            columns[name] = pa.array(pairs.measures[name], mask=nobody)
    swap = pairs.measures["name_swap"]
    columns["name_swap"] = pa.array(swap == 1, mask=swap == UNSEEN)
    for name in (*PAPERS, *FIGURES, *RESTS):
        columns.setdefault(name, pa.nulls(len(pairs), PAIRS.field(name).type))
    return table_of(columns, PAIRS)


def _newer(documents: DocumentColumns, pairs: DocumentPairs) -> pa.Array:
    """Return "left" or "right" for the newer side of each pair of variants; null if unknown or no variant."""
    some = np.flatnonzero(CONFLICTS[pairs.relation])
    later = np.zeros(len(pairs))
    later[some] = documents.later(pairs.left[some], pairs.right[some])
    return newer_sides(later)


def newer_sides(later: np.ndarray) -> pa.Array:
    """Return "left" where the left document is later by more than 0 seconds, "right" where by less, else null."""
    which = np.select([later > 0, later < 0], [1, 2], 0)
    return pa.array([None, "left", "right"], pa.string()).take(pa.array(which))


def from_table(documents: DocumentColumns, table: pa.Table) -> DocumentPairs:
    """Rebuild the pairs from a table that `to_table` made of these documents."""
    index = IdIndex(documents.ids)
    left, right = index.places(table["left_id"]), index.places(table["right_id"])
    relation = codes_in(table["relation"]).astype(np.uint8)
    rule = np.array(table["rule"].to_pylist(), object)
    return DocumentPairs(
        left, right, relation, rule, measured_in(table), ChosenLists.from_arrow(one_array(table["differences"]))
    )


def measured_in(table: pa.Table) -> dict[str, np.ndarray]:
    """Return the measures stored in a table of pairs, as `decide` takes them."""
    measures = {name: table[name].to_numpy() for name in _MEASURED if name in table.column_names}
    measures["name_swap"] = table["name_swap"].cast(pa.int8()).fill_null(UNSEEN).to_numpy()
    measures["facts"] = fact_bits(one_array(table["facts"]))
    measures["unexplained"] = table["unexplained"].fill_null(0).to_numpy()
    # Nothing aligned and no list of differences: either the pair was not aligned, or nothing is equal in order; aligning it again decides.
    listless = table["differences"].is_null().to_numpy() if "differences" in table.column_names else True
    unseen = ~EXAMINED[codes_in(table["relation"])]
    measures["told"] = ~((measures["aligned_left"] == 0) & listless) & ~unseen
    same = pc.equal(table["rule"], SAME).fill_null(False).to_numpy(zero_copy_only=False)
    measures["facts"] = np.where(same, np.uint16(SAME_PAYLOAD), measures["facts"])
    alike = pc.equal(table["rule"], ALIKE).fill_null(False).to_numpy(zero_copy_only=False)
    measures["facts"] |= np.where(alike, np.uint16(SAME_FIELDS), np.uint16(0))
    # Known by what fills a slot, whatever else differs.
    measures["told"] |= (measures["facts"] & (FIELD | SAME_PAYLOAD)) != 0
    for name in ("aligned_left", "aligned_right"):
        measures[name] = np.where(unseen, 0.0, measures[name])
    return measures
