"""Reprints of one text: pairs that differ in a source, an editor, a dateline or other furniture alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from quchong.seam import Differences, DifferenceSteps, Documents, find_all
from quchong.tables import DIFFERENCES

_FURNITURE = np.array(
    [kind in ("boilerplate", "date", "place", "person", "organisation", "code") for kind in DIFFERENCES]
)
"""Kinds of what changes when a text is reprinted: furniture, and what datelines, signatures and accounts name without a conflict."""
_TELLING = np.array([kind in ("field", "term", "wording") for kind in DIFFERENCES])
"""Kinds of what a text itself says; facts of other kinds tell something if they conflict."""


def are_reprints(
    steps: DifferenceSteps, take: Callable[[np.ndarray], Documents], left: np.ndarray, right: np.ndarray, workers: int | None = None
) -> np.ndarray:  # fmt: skip
    """Return a mask of the pairs of classes that differ in page furniture alone (menus, bylines), and not in what the texts say.

    Args:
        steps: steps of the method that examine differences; those that cannot read a pair that was not scored know no reprints.
        take: function that returns classes, by their numbers, as documents.
        left, right: int64, the classes of each pair.

    Cost: each pair is aligned and read as one that is listed.
    """
    classes, index = np.unique(np.concatenate([left, right]), return_inverse=True)
    n = len(left)
    found = (
        find_all(steps, take(classes), index[:n].astype(np.uint32), index[n:].astype(np.uint32), workers) if n else None
    )
    return np.zeros(n, bool) if found is None else _in_furniture_alone(found)


def _in_furniture_alone(found: Differences) -> np.ndarray:
    """Return a mask of the pairs that have differences in page furniture, and none in what the texts say."""
    n, pair, kind = len(found.offsets) - 1, found.pair, found.kind
    telling = np.bincount(pair[found.conflict | _TELLING[kind]], minlength=n)
    furniture = np.bincount(pair[~found.conflict & _FURNITURE[kind]], minlength=n)
    mask: np.ndarray = (telling == 0) & (furniture > 0)
    return mask
