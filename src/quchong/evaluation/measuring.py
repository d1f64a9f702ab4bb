"""Comparison of a run with labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from quchong.evaluation.agreement import Agreement, agreement
from quchong.evaluation.claims import LARGEST, Claims
from quchong.evaluation.estimates import NOTHING, Share, f_measure, share
from quchong.evaluation.evaluation import Evaluation
from quchong.evaluation.labelled_pairs import JudgedPairs, Placed, judge, placed
from quchong.evaluation.labels import COPIES, LABELS, SAME, Truth
from quchong.evaluation.slices import Valued, by_length, most, precise
from quchong.evaluation.wrong_fates import fates_judged
from quchong.kernels.graph import components
from quchong.languages import COMMA, SEMICOLON, Message, join_messages
from quchong.relation_codes import INSIDE, LEADERS
from quchong.relations import RELATIONS

ALL, LABELLED = Message("all pairs"), Message("labelled pairs")
LISTED = Message("labelled pairs, all of which the run lists")
"""Descriptions of the pairs of which recall is a share."""


def evaluated(
    claims: Claims,
    truth: Truth,
    name: str,
    counted: Sequence[str] = COPIES,
    values: Sequence[str | None] | None = None,
    by: str = "site",
) -> Evaluation:
    """Compare the claims of a run with labels; return the evaluation: precision, recall, F1, and tables of them.

    Args:
        counted: the labels that a run should find.
        values: value of each document in the column `by`, by which pairs are grouped; None for no groups.
    """
    found, valued = measured(claims, truth, name, counted, values, by)
    return found if valued is None else replace(found, sites=valued.slices(most([valued.counts()])))


def measured(
    claims: Claims,
    truth: Truth,
    name: str,
    counted: Sequence[str] = COPIES,
    values: Sequence[str | None] | None = None,
    by: str = "site",
) -> tuple[Evaluation, Valued | None]:
    """Evaluate the claims of a run by labels; return the evaluation, and the pairs by column value (None without `values`)."""
    known = placed(truth, claims.ids)
    judged = judge(claims, known, counted)
    fates = fates_judged(claims, known, judged)
    recall = share(judged.found[judged.right_pair], judged.group[judged.right_pair])
    precision = _precision(judged, truth)
    f1 = f_measure(judged.found, judged.right_pair, judged.group)
    told = Evaluation(
        name, _described(truth, known), precision, recall,
        f1 if precision.value is not None or not judged.found.any() else NOTHING,
        _recall_of(judged, known), _relation_rows(judged), _true(judged, counted), by_length(claims, judged, truth),
        [], _clusters(claims, known, judged, counted),
        {
            "wrongly_removed": [claims.ids[i] for i in fates.wrongly_removed.tolist()],
            "wrongly_kept": [claims.ids[i] for i in fates.wrongly_kept.tolist()],
        },
        _share_of(fates.wrongly_removed, fates.judged_removed), _share_of(fates.wrongly_kept, fates.judged_kept),
        _notes(truth, known, judged, claims), by,
    )  # fmt: skip
    return told, None if values is None else Valued.from_values(values, judged, truth)


def _precision(judged: JudgedPairs, truth: Truth) -> Share:
    """Return the precision, or a share without a value if the labels call no pair different, because precision is then unknown."""
    return share(judged.right_pair[judged.found], judged.group[judged.found]) if precise(truth) else NOTHING


def _recall_of(judged: JudgedPairs, known: Placed) -> str:
    if known.known.all():
        return ALL
    if known.known.any():
        return Message("all pairs of the documents in the truth")
    return LISTED if len(judged) and (judged.relation >= 0).all() else LABELLED


def _described(truth: Truth, known: Placed) -> dict[str, Any]:
    return {
        "name": truth.name, "kind": truth.kind, "complete": bool(len(known.known)) and bool(known.known.all()),
        **truth.counts(), "unknown_ids": len(known.unknown), "pairs_left_out": known.absent,
    }  # fmt: skip


def _relation_rows(judged: JudgedPairs) -> list[dict[str, Any]]:
    """Return a row for each relation given to judged pairs: the relation, and the share of its pairs that are labelled as copies."""
    code = np.where(judged.relation < 0, -1, LEADERS[judged.relation])
    return [
        {"relation": name, "right": share(judged.right_pair[mine], judged.group[mine])}
        for i, name in enumerate(RELATIONS)
        if (mine := code == i).any()
    ]


def _true(judged: JudgedPairs, counted: Sequence[str]) -> list[dict[str, Any]]:
    """Return a row for each label of copies: the label, the share of its pairs found, and the share of these with a fitting relation."""
    inside = (INSIDE[judged.relation] != 0) & (judged.relation >= 0)
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


def _clusters(claims: Claims, known: Placed, judged: JudgedPairs, counted: Sequence[str]) -> Agreement | None:
    """Compare the clusters of the run with the true ones, over the documents whose pairs are all judged; None without such documents."""
    if not known.known.any():
        return None
    n = len(claims.ids)
    true = known.cluster
    if true is None:
        right = judged.right_pair
        true = components(n, judged.left[right], judged.right[right])
    return agreement(claims.survivor[known.known], true[known.known])


def _share_of(wrong: np.ndarray, judged: np.ndarray) -> Share:
    """Return the share of the judged documents that are in `wrong`, with its interval as if documents were independent of each other."""
    return share(np.isin(judged, wrong), np.arange(len(judged)))


def _notes(truth: Truth, known: Placed, judged: JudgedPairs, claims: Claims) -> tuple[Message, ...]:
    out = truth.column_remarks()
    if not known.known.any():
        out.append(
            Message(
                "the truth is read as a sample: pairs without a label do not count. If the truth lists all "
                "copies, add --complete"
                if truth.told
                else (
                    "the truth is read as a sample: pairs without a label do not count. No label is "
                    '"different", so precision is unknown. If the truth lists all copies, add --complete'
                )
            )
        )
        if judged.unjudged:
            out.append(Message("{:,} pairs that the run calls copies have no label", judged.unjudged))
        if _recall_of(judged, known) == LISTED:
            out.append(Message("this run lists all labelled pairs, so the labels cannot show missed copies"))
    elif not known.known.all():
        alone = int((~known.known).sum())
        out.append(Message("{:,} documents of the run are not in the truth, so their pairs do not count", alone))
    if known.unknown:
        shown = join_messages(map(repr, known.unknown[:3]), COMMA)
        out.append(
            Message(
                "{:,} ids of the truth are not in the run, such as {}, so {:,} labelled pairs do not count",
                len(known.unknown),
                shown,
                known.absent,
            )
        )
    if not len(judged):
        out.append(Message("nothing can be measured, because no labelled pair has both of its documents in this run"))
    if judged.unsure:
        out.append(Message('{:,} labelled pairs are "unsure" and do not count', judged.unsure))
    if truth.repeated:
        out.append(
            Message(
                "{:,} lines of the truth are not used, because a later line is about the same pair or document",
                truth.repeated,
            )
        )
    if truth.skipped:
        first = join_messages(truth.skipped[:3], SEMICOLON)
        out.append(Message("{:,} lines of the truth were skipped: {}", len(truth.skipped), first))
    if n := int((claims.crowded | known.crowded).sum()):
        out.append(
            Message(
                "{:,} more copies are not in the counts of pairs, because their exact classes or clusters have "
                "more than {:,} documents",
                n,
                LARGEST,
            )
        )
    return tuple(out)
