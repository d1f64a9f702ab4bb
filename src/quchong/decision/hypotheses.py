"""Relations that a pair may turn out to have before its differences are examined."""

from __future__ import annotations

import numpy as np

from quchong.plan.plan import Plan
from quchong.relation_codes import codes_of
from quchong.seam import Measures, Rule
from quchong.similarity.relations import EVERY_FACT
from quchong.tables import FIELD, SAME_FIELDS

NOT_EXAMINED = "differences not examined"
"""Rule of a pair whose differences decide nothing, so that they were not examined."""
AT_ONCE = 1 << 15
"""Pairs whose relations are decided at once."""
OUTCOMES = ((0.0, False, False), (0.99, False, True), (1.0, False, True), (1.0, True, True))
"""Outcomes of an examination that bound all others: aligned share of both texts, facts in conflict, and whether the differences are
reported; nothing is unexplained. Whatever the differences of a pair are: if its rule removes a document for it, it does so under one of
these, with as good a rank; if it removes none, so under one of these (`tests/properties/test_examination.py`).
"""


def possible_relations(plan: Plan, measures: Measures, some: np.ndarray) -> np.ndarray:
    """Return the relations that each pair of `some` may have after its examination, uint8: bit k for the relation with code k.

    Args:
        plan: method whose rule decides.
        measures: of all pairs.
        some: int64, indices of the pairs.

    Cost: the rule once for each outcome, over AT_ONCE pairs at a time, because its many steps are faster where they fit the cache.
    """
    out = np.zeros(len(some), np.uint8)
    for start in range(0, len(some), AT_ONCE):
        piece = some[start : start + AT_ONCE]
        here, n = {name: values[piece] for name, values in measures.items()}, len(piece)
        kept = here["facts"] & np.uint16(SAME_FIELDS) if "facts" in here else np.uint16(0)
        for share, stated, told in OUTCOMES:
            assumed = {
                "aligned_left": np.full(n, share), "aligned_right": np.full(n, share), "told": np.full(n, told),
                "unexplained": np.zeros(n, np.uint32), "facts": np.full(n, EVERY_FACT & ~FIELD if stated else 0, np.uint16) | kept,
            }  # fmt: skip
            out[start : start + n] |= np.left_shift(1, relation_codes(plan.method.rule, here | assumed)).astype(
                np.uint8
            )
    return out


def relation_codes(rule: Rule, measures: Measures) -> np.ndarray:
    """Return the codes of the relations that a rule gives to pairs, uint8; AT_ONCE pairs are decided at a time.

    A rule may give them itself by `relation_codes`, which makes no string for each pair. If a class derived from it has a `decide` of its
    own, that decides.
    """
    n = len(next(iter(measures.values())))
    if n <= AT_ONCE:
        return _codes_at_once(rule, measures)
    out = np.empty(n, np.uint8)
    for start in range(0, n, AT_ONCE):
        here = slice(start, start + AT_ONCE)
        out[here] = _codes_at_once(rule, {name: values[here] for name, values in measures.items()})
    return out


def decided(rule: Rule, measures: Measures) -> tuple[np.ndarray, np.ndarray]:
    """Return for each pair the relation code (uint8) and the name of the rule (object) that decided, as `Rule.decide` does.

    Cost: AT_ONCE pairs are decided at a time, so that what a rule holds meanwhile does not grow with the pairs.
    """
    n = len(next(iter(measures.values())))
    codes, names = np.empty(n, np.uint8), np.empty(n, object)
    for start in range(0, n, AT_ONCE):
        here = slice(start, start + AT_ONCE)
        relation, names[here] = rule.decide({name: values[here] for name, values in measures.items()})
        codes[here] = codes_of(relation)
    return codes, names


def _codes_at_once(rule: Rule, measures: Measures) -> np.ndarray:
    """Return the relation code of each pair, uint8, deciding all pairs in one call."""
    for kind in type(rule).__mro__:
        if "relation_codes" in vars(kind):
            codes: np.ndarray = vars(kind)["relation_codes"](rule, measures)
            return codes
        if "decide" in vars(kind):
            break
    return codes_of(rule.decide(measures)[0])


def may_have(plan: Plan, measures: Measures, some: np.ndarray, relations: np.ndarray) -> np.ndarray:
    """Return a mask over the pairs `some` (int64 indices): True if an outcome of their examination gives one of `relations`.

    Args:
        relations: mask over the codes of relations.
    """
    bits = int(np.left_shift(1, np.flatnonzero(relations)).sum())
    mask: np.ndarray = (possible_relations(plan, measures, some) & bits) != 0
    return mask
