"""Pairs and removals of a run as columns, with their labels and verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.decision.documents import PairIndex
from quchong.decision.id_index import IdIndex
from quchong.decision.pairs import measured_in
from quchong.errors import QuchongError
from quchong.evaluation.strata import Strata, strata
from quchong.plan.plan import Plan
from quchong.relation_codes import EQUALS, removing
from quchong.relations import CONFLICTING, RELATIONS
from quchong.results.reopened import plan_of
from quchong.results.saved import SavedRun
from quchong.runs.acts import ACCEPT, ASKED, CLEAR, LABELS, OVERTURN, Act, Label

STATES = ("", ACCEPT, OVERTURN)
"""Verdicts on a removal, by their code."""


@dataclass(frozen=True, slots=True)
class Column:
    """Column with few distinct words: `codes` are indices into `names`, -1 for null."""

    codes: np.ndarray
    names: tuple[str, ...]

    @classmethod
    def from_values(cls, values: pa.ChunkedArray, names: Sequence[str] = ()) -> Column:
        """Build a column from strings, with the names in the order given, or sorted."""
        known = tuple(names) or tuple(sorted(one for one in pc.unique(values).to_pylist() if one is not None))
        codes = pc.fill_null(pc.index_in(values, value_set=pa.array(known, values.type)), -1)
        return cls(codes.to_numpy().astype(np.int16), known)


class DeskRun:
    """Columns of a run folder. Pairs are identified by their row of PAIRS, removals by their row of LEDGER.

    Attributes:
        saved: the run folder.
        left, right: row indices of both documents of each pair. gone, survivor: row indices of the removed document and
            the survivor of each removal, -1 without a survivor.
        relation, rule, score, distance: relation and rule of each pair, its similarity (the largest of Jaccard and both
            containments), and its distance from the threshold that decided.
        pair_of: the pair of each removal, -1 without one; removal_of: the removal of each pair.
        label, asked: label of each pair as 1 + index in LABELS, 0 for none; True if the desk drew the pair.
        verdict: verdict on each removal, as an index in STATES.
        others: number of labels of pairs that this run does not list.

    Cost: a few passes over the tables; labels and verdicts are updated act by act.
    """

    def __init__(self, saved: SavedRun) -> None:
        self.saved = saved
        self.pairs = saved.examined_pairs  # labels and samples are about what pairs are, so that each is examined
        self.ledger, self.documents = saved.table("ledger"), saved.table("documents")
        self.left, self.right = (saved.ids.places(self.pairs[name]) for name in ("left_id", "right_id"))
        self.gone, self.survivor = (saved.ids.places(self.ledger[name]) for name in ("id", "survivor_id"))
        self.relation, self.rule = (
            Column.from_values(self.pairs["relation"], RELATIONS),
            Column.from_values(self.pairs["rule"]),
        )
        sides = [self.pairs[name].to_numpy() for name in ("jaccard", "containment_left", "containment_right")]
        self.score = np.maximum.reduce(sides) if len(self.pairs) else np.zeros(0)
        self._listed = PairIndex(self.left, self.right, len(self.documents))
        self.pair_of = self._listed.rows(self.gone, self.survivor)
        self.removal_of = np.full(len(self.pairs), -1)
        known = self.pair_of >= 0
        self.removal_of[self.pair_of[known]] = np.flatnonzero(known)
        self.label, self.asked = np.zeros(len(self.pairs), np.int8), np.zeros(len(self.pairs), bool)
        self.verdict = np.zeros(len(self.ledger), np.int8)
        self.others = 0

    def take(self, acts: Sequence[Act]) -> None:
        """Apply acts in their order; acts about unknown documents change no pair."""
        labels = [act for act in acts if isinstance(act, Label)]
        sides = [self.saved.ids.places([getattr(act, side) for act in labels]) for side in ("left_id", "right_id")]
        for act, row in zip(labels, self._listed.rows(*sides).tolist(), strict=True):
            if row < 0:
                self.others += 1
                continue
            self.label[row] = 0 if act.label is None else 1 + LABELS.index(act.label)
            self.asked[row] = act.label is not None and (self.asked[row] or act.how == ASKED)
        verdicts = [act for act in acts if not isinstance(act, Label)]
        found = IdIndex(self.ledger["id"]).places([act.id for act in verdicts]).tolist() if verdicts else []
        for verdict, row in zip(verdicts, found, strict=True):
            if row >= 0:
                self.verdict[row] = 0 if verdict.act == CLEAR else STATES.index(verdict.act)

    @cached_property
    def plan(self) -> Plan | None:
        """Plan of the run; None if its folder is incomplete, and `why` has the reason."""
        try:
            return plan_of(self.saved.folder, self.saved.manifest)
        except QuchongError as error:
            self.why = error.english
            return None

    why = ""

    @cached_property
    def called(self) -> np.ndarray:
        """Mask indexed by relation code: True if the run treats pairs of that relation as copies."""
        config = self.saved.manifest["config"]
        also = CONFLICTING if (config.get("parameters") or {}).get("facts") == "remove" else ()
        return removing({*config.get("relations", []), *also})

    @cached_property
    def distance(self) -> np.ndarray:
        """Distance of each pair's measure from the threshold that decided it, float64."""
        known = self.called[self.relation.codes]
        plain: np.ndarray = np.where(known, self.score, 1.0 - self.score)
        if self.plan is None or not len(self.pairs):
            return plain
        method, measures = self.plan.method, measured_in(self.pairs)
        rule = np.array(self.rule.names, object)[self.rule.codes]
        evidence = self.pairs["evidence"].cast(pa.float64()).fill_null(np.nan).to_numpy()
        if np.isfinite(evidence).any():
            return np.where(np.isfinite(evidence), np.abs(evidence - method.rule.threshold_used(measures, rule)), plain)
        limits = method.rule.test
        if limits is None:
            return plain
        shorter = np.minimum(measures["tokens_left"], measures["tokens_right"]).astype(np.int64)
        held = np.maximum(measures["containment_left"], measures["containment_right"])
        margin = np.maximum(
            measures["jaccard"] - limits.jaccard_for(shorter, measures["han"]),
            held - limits.containment_for(measures["han"]),
        )
        distance: np.ndarray = np.abs(margin)
        return distance

    @cached_property
    def strata(self) -> Strata:
        """Strata of the listed pairs."""
        codes = self.relation.codes.astype(np.int64)
        return strata(codes, RELATIONS, self.called, self.score, self.distance, EQUALS)

    def labelled(self) -> list[tuple[int, str, bool]]:
        """Return row of PAIRS, label, and whether the desk drew it, for every labelled pair."""
        rows = np.flatnonzero(self.label)
        return [(row, LABELS[self.label[row] - 1], bool(self.asked[row])) for row in rows.tolist()]
