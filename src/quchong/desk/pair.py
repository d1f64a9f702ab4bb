"""Data of a pair as the page shows it: both texts, shared passages and differences, label and verdict."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from quchong.desk.documents import Documents
from quchong.desk.run import STATES, DeskRun
from quchong.runs.acts import LABELS
from quchong.views.cut import Excerpt
from quchong.views.pairs import of_listed, of_removal
from quchong.views.register import Register
from quchong.views.steps import Step, mirror, steps_of

LISTED = ("differences", "passages")


def review_state_of(run: DeskRun, pair: int, removal: int) -> dict[str, Any]:
    """Return the label of a pair, whether the desk drew the pair, and the verdict on its removal."""
    return {
        "pair": pair,
        "removal": removal,
        "label": LABELS[run.label[pair] - 1] if pair >= 0 and run.label[pair] else None,
        "asked": bool(pair >= 0 and run.asked[pair]),
        "verdict": STATES[run.verdict[removal]] if removal >= 0 else "",
    }


def shown(run: DeskRun, documents: Documents, pair: int, removal: int) -> dict[str, Any]:
    """Return a pair with its documents.

    Args:
        pair: row of PAIRS; -1 for a removal without a survivor.
        removal: row of LEDGER; -1 if neither document was removed for the other.
    """
    if removal >= 0:
        row = run.ledger.slice(removal, 1).to_pylist()[0]
        places = [int(run.gone[removal]), int(run.survivor[removal])]
    else:
        row = run.pairs.slice(pair, 1).to_pylist()[0]
        places = [int(run.left[pair]), int(run.right[pair])]
    subject, at = documents.subject(place for place in places if place >= 0)
    local = tuple(at.get(place, -1) for place in places)
    texts = subject.text_of(at.values())
    register = Register(subject)
    made: dict[str, Any] = {"relation": row["relation"], "rule": row["rule"], "threshold": row.get("threshold")}
    made |= {"removed": removal >= 0, "left": register(local[0])}
    made |= {"right": register(local[1]) if local[1] >= 0 else None}
    both = [texts.get(one) for one in local]
    if both[0] is not None and both[1] is not None:
        sides = ("start", "survivor_start") if removal >= 0 else ("left_start", "right_start")
        spans = [one for name in LISTED for one in row.get(name) or () if sides[0] in one]
        firsts = [min((span[side] for span in spans), default=0) for side in sides]
        register.excerpts |= {
            one: Excerpt.with_character(text, first)
            for one, text, first in zip(local, both, firsts, strict=True)
            if text is not None
        }
        if removal >= 0:
            made |= of_removal(row, (local[0], local[1]), register.excerpts)
        else:
            made |= of_listed(row, (local[0], local[1]), (both[0], both[1]), register.excerpts)
    else:
        register.excerpts |= {
            one: Excerpt.with_character(text) for one, text in zip(local, both, strict=True) if text is not None
        }
        made |= {
            "measures": [row["jaccard"], row.get("containment"), row.get("survivor_containment")],
            "evidence": row["evidence"],
        }
        made |= {"passages": [], "passages_out": 0, "differences": [], "differences_out": 0, "newer": None}
    if pair >= 0 and run.plan is not None:
        made["steps"] = mirrored_steps(run, pair, mirrored=places[0] != int(run.left[pair]))
    return {"documents": register.documents(), "shown": made, "said": review_state_of(run, pair, removal)}


def mirrored_steps(run: DeskRun, pair: int, mirrored: bool) -> list[Step]:
    """Return the steps of the decision about a pair; with `mirrored` left and right are exchanged."""
    assert run.plan is not None
    steps = steps_of(run.plan, run.pairs.slice(pair, 1))[0]
    return [mirror(step) for step in steps] if mirrored else steps


def rows_of(run: DeskRun, documents: Documents, view: str, rows: list[int]) -> dict[str, Any]:
    """Return some rows of a list, with the names of their documents."""
    if view == "removed":
        taken = (
            run.ledger.select(["relation", "rule", "jaccard", "containment"])
            .take(pa.array(rows, pa.int64()))
            .to_pylist()
        )
        numbers = [(int(run.pair_of[row]), row) for row in rows]
        places = [(int(run.gone[row]), int(run.survivor[row])) for row in rows]
    else:
        names = ["relation", "rule", "jaccard", "containment_left", "containment_right"]
        taken = run.pairs.select(names).take(pa.array(rows, pa.int64())).to_pylist()
        numbers = [(row, int(run.removal_of[row])) for row in rows]
        places = [(int(run.left[row]), int(run.right[row])) for row in rows]
    subject, at = documents.subject(place for both in places for place in both if place >= 0)
    register = Register(subject)
    out = []
    for one, number, both in zip(taken, numbers, places, strict=True):
        sides = [
            one[name] for name in ("containment", "containment_left", "containment_right") if one.get(name) is not None
        ]
        about = {
            "relation": one["relation"],
            "rule": one["rule"],
            "left": register(at[both[0]]),
            "right": register(at[both[1]]) if both[1] >= 0 else None,
            "jaccard": one["jaccard"],
            "containment": max(sides, default=None),
        }
        out.append(about | review_state_of(run, *number))
    return {"rows": out, "documents": register.documents()}
