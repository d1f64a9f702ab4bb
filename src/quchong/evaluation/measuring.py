"""Holds a run to a truth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from quchong.evaluation.agreement import Agreement, agreement
from quchong.evaluation.claims import LARGEST, Claims
from quchong.evaluation.estimates import Share, f_measure, share
from quchong.evaluation.evaluation import Evaluation, Slice
from quchong.evaluation.fates import fates_judged
from quchong.evaluation.judged import Judged, Placed, judge, placed
from quchong.evaluation.labels import COPIES, LABELS, SAME, Truth
from quchong.kernels.graph import components
from quchong.languages import COMMA, SEMICOLON, Message, listed
from quchong.tables import CONTAINED_IN, CONTAINS, RELATIONS

LENGTHS = (
    (0, Message("under 60 tokens")),
    (60, Message("60 to 199 tokens")),
    (200, Message("200 to 999 tokens")),
    (1000, Message("1,000 tokens and more")),
)
"""Least number of tokens of the shorter document, and what the slice is called."""
SITES = 20
"""Sites listed, those with most pairs."""
ALL, LABELLED = Message("all pairs"), Message("labelled pairs")
LISTED = Message("labelled pairs, all of which the run lists")
"""What recall is the recall of."""


def evaluated(
    claims: Claims,
    truth: Truth,
    name: str,
    counted: Sequence[str] = COPIES,
    values: Sequence[str | None] | None = None,
    by: str = "site",
) -> Evaluation:
    """Holds the claims of a run to a truth.

    Args:
        counted: the labels a run is to find.
        values: of each document in the column `by`, by which pairs are told apart; None for none.
    """
    known = placed(truth, claims.ids)
    judged = judge(claims, known, counted)
    fates = fates_judged(claims, known, judged)
    recall = share(judged.found[judged.right_pair], judged.group[judged.right_pair])
    precision = _precision(judged, truth)
    f1 = f_measure(judged.found, judged.right_pair, judged.group)
    return Evaluation(
        name, _described(truth, known), precision, recall,
        f1 if precision.value is not None or not judged.found.any() else share(np.zeros(0, bool), np.zeros(0)),
        _recall_of(judged, known), _said(judged), _true(judged, counted), _by_length(claims, judged, truth),
        [] if values is None else _by_value(values, judged, truth), _clusters(claims, known, judged, counted),
        {
            "wrongly_removed": [claims.ids[i] for i in fates.wrongly_removed.tolist()],
            "wrongly_kept": [claims.ids[i] for i in fates.wrongly_kept.tolist()],
        },
        _share_of(fates.wrongly_removed, fates.judged_removed), _share_of(fates.wrongly_kept, fates.judged_kept),
        _notes(truth, known, judged, claims), by,
    )  # fmt: skip


def _precision(judged: Judged, truth: Truth) -> Share:
    """Not estimated where the truth could not say that a pair is none."""
    if not truth.told and not truth.complete:
        return share(np.zeros(0, bool), np.zeros(0))
    return share(judged.right_pair[judged.found], judged.group[judged.found])


def _recall_of(judged: Judged, known: Placed) -> str:
    if known.known.all():
        return ALL
    if known.known.any():
        return Message("all pairs of listed documents")
    return LISTED if len(judged) and (judged.relation >= 0).all() else LABELLED


def _described(truth: Truth, known: Placed) -> dict[str, Any]:
    return {
        "name": truth.name, "kind": truth.kind, "complete": bool(len(known.known)) and bool(known.known.all()),
        **truth.counts(), "unknown_ids": len(known.unknown), "pairs_left_out": known.absent,
    }  # fmt: skip


def _said(judged: Judged) -> list[dict[str, Any]]:
    """Relations of the run, both containments as one."""
    code = np.where(judged.relation == RELATIONS.index(CONTAINS), RELATIONS.index(CONTAINED_IN), judged.relation)
    return [
        {"relation": name, "right": share(judged.right_pair[mine], judged.group[mine])}
        for i, name in enumerate(RELATIONS)
        if (mine := code == i).any()
    ]


def _true(judged: Judged, counted: Sequence[str]) -> list[dict[str, Any]]:
    """Labels of the truth: what was found of each, and under a relation that fits."""
    inside = np.isin(judged.relation, [RELATIONS.index(CONTAINS), RELATIONS.index(CONTAINED_IN)])
    rows = []
    for name in counted:
        mine = judged.label == LABELS.index(name)
        if mine.any():
            found = mine & judged.found
            fits = inside[found] == (name != SAME)
            rows.append(
                {"label": name, "found": share(judged.found[mine], judged.group[mine]), "relation_right": share(fits, judged.group[found])}
            )  # fmt: skip
    return rows


def _slice(name: str, judged: Judged, mine: np.ndarray, truth: Truth) -> Slice:
    found, right, group = judged.found[mine], judged.right_pair[mine], judged.group[mine]
    precision = share(right[found], group[found])
    if not truth.told and not truth.complete:
        precision = share(np.zeros(0, bool), np.zeros(0))
    return Slice(name, precision, share(found[right], group[right]), f_measure(found, right, group))


def _by_length(claims: Claims, judged: Judged, truth: Truth) -> list[Slice]:
    shorter = np.minimum(claims.tokens[judged.left], claims.tokens[judged.right])
    slot = np.searchsorted([least for least, _ in LENGTHS], shorter, side="right") - 1
    matters = judged.found | judged.right_pair
    return [
        _slice(name, judged, mine, truth)
        for i, (_, name) in enumerate(LENGTHS)
        if (mine := (slot == i) & matters).any()
    ]


def _by_value(values: Sequence[str | None], judged: Judged, truth: Truth) -> list[Slice]:
    """Pairs within one value and across two, then the values with most pairs."""
    names = {name: i for i, name in enumerate(sorted({v for v in values if v is not None}))}
    if not names:
        return []
    code = np.array([-1 if v is None else names[v] for v in values], np.int64)
    one, two = code[judged.left], code[judged.right]
    matters = judged.found | judged.right_pair
    both = matters & (one >= 0) & (two >= 0)
    out = [
        _slice(name, judged, mine, truth)
        for name, mine in ((Message("within one"), both & (one == two)), (Message("across two"), both & (one != two)))
        if mine.any()
    ]
    count = np.bincount(one[matters & (one >= 0)], minlength=len(names))
    count += np.bincount(two[matters & (two >= 0) & (two != one)], minlength=len(names))
    listed = sorted(names, key=lambda name: (-int(count[names[name]]), name))[:SITES]
    for name in listed:
        mine = matters & ((one == names[name]) | (two == names[name]))
        if mine.any():
            out.append(_slice(name, judged, mine, truth))
    return out


def _clusters(claims: Claims, known: Placed, judged: Judged, counted: Sequence[str]) -> Agreement | None:
    """The run's clusters, each a survivor with what went for it, beside the true ones, over the documents all of whose pairs are judged."""
    if not known.known.any():
        return None
    n = len(claims.ids)
    true = known.cluster
    if true is None:
        right = judged.right_pair
        true = components(n, judged.left[right], judged.right[right])
    return agreement(claims.survivor[known.known], true[known.known])


def _share_of(wrong: np.ndarray, judged: np.ndarray) -> Share:
    """A share of documents, each on its own."""
    return share(np.isin(judged, wrong), np.arange(len(judged)))


def _notes(truth: Truth, known: Placed, judged: Judged, claims: Claims) -> tuple[Message, ...]:
    out = []
    if not known.known.any():
        out.append(
            Message(
                "the truth is taken as a sample: precision is that of the labelled pairs, and pairs it does not list count neither way"
                " (a truth that lists all copies: say so, complete)"
                if truth.told
                else "the truth is taken as a sample: precision is that of the labelled pairs, and pairs it does not list count "
                "neither way; it labels none as different, so precision cannot be told (a truth that lists all copies: say so, complete)"
            )
        )
        if judged.unjudged:
            out.append(Message("{:,} pairs the run calls copies have no label", judged.unjudged))
        if _recall_of(judged, known) == LISTED:
            out.append(
                Message("all labelled pairs are listed by this run, so the labels cannot tell what it never listed")
            )
    elif not known.known.all():
        alone = int((~known.known).sum())
        out.append(Message("{:,} documents of the run are not in the truth; their pairs count neither way", alone))
    if known.unknown:
        shown = listed(map(repr, known.unknown[:3]), COMMA)
        out.append(
            Message(
                "{:,} ids of the truth are not in the run, such as {}; {:,} labelled pairs are left out",
                len(known.unknown),
                shown,
                known.absent,
            )
        )
    if not len(judged):
        out.append(Message("no labelled pair is of two documents of this run: nothing can be told"))
    if judged.unsure:
        out.append(Message("{:,} labelled pairs are unsure, and count neither way", judged.unsure))
    if truth.repeated:
        out.append(
            Message(
                "{:,} lines of the truth are of a pair or document labelled again later; the last one counts",
                truth.repeated,
            )
        )
    if truth.skipped:
        first = listed(truth.skipped[:3], SEMICOLON)
        out.append(Message("{:,} lines of the truth were left out: {}", len(truth.skipped), first))
    if n := int((claims.crowded | known.crowded).sum()):
        out.append(
            Message(
                "{:,} further copies of texts or clusters of more than {:,} documents are left out of the counts of pairs",
                n,
                LARGEST,
            )
        )
    return tuple(out)
