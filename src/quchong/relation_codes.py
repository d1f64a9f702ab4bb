"""Masks and other arrays over relation codes, made from the table of relations: index them with an array of codes."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.relations import BY_NAME, RELATIONS, TABLE

_CODES = {name: code for code, name in enumerate(RELATIONS)}
NAMES = np.array(RELATIONS, object)
"""Name of each relation."""
COPIES = np.array([one.copy for one in TABLE])
"""Mask of the relations of copies."""
BINDING = np.array([one.binding for one in TABLE])
"""Mask of the relations that form chains."""
EQUALS = np.array([one.equal for one in TABLE])
"""Mask of the relations of texts that are equal in normal form."""
CONFLICTS = np.array([one.conflicting for one in TABLE])
"""Mask of the relations of texts whose facts contradict."""
PARTIALS = np.array([one.partial for one in TABLE])
"""Mask of the relations of documents that share passages only."""
EXAMINED = np.array([one.examined for one in TABLE])
"""Mask of the relations that claim something; the others are those of pairs whose differences were not examined."""
INSIDE = np.array([one.inside for one in TABLE], np.int8)
"""1 where the left document is contained in the right one, -1 where it contains the right one, else 0."""
RANK = np.array([one.rank for one in TABLE], np.uint8)
"""Rank of each relation as the reason of a removal; 0 is the best."""
MIRRORED = np.array([RELATIONS.index(one.mirror) for one in TABLE], np.uint8)
"""Code of each relation seen from the other document."""
LEADERS = np.array([RELATIONS.index(one.either) for one in TABLE], np.uint8)
"""Code of the relation under which each one is counted: one for both containments."""


def code_of(name: str) -> int:
    """Return the code of a relation."""
    return RELATIONS.index(name)


def codes_of(names: np.ndarray) -> np.ndarray:
    """Convert an array of relation names to their codes, uint8."""
    return np.fromiter(map(_CODES.__getitem__, names.tolist()), np.uint8, len(names))


def codes_in(column: pa.Array | pa.ChunkedArray) -> np.ndarray:
    """Convert a column of relation names without nulls to their codes, int64."""
    return np.asarray(pc.index_in(column.cast(pa.string()), pa.array(RELATIONS, pa.string()))).astype(np.int64)


def mirrored(relation: np.ndarray, flip: np.ndarray) -> np.ndarray:
    """Return relation codes with left and right exchanged where the mask `flip` is True, uint8."""
    return np.where(flip, MIRRORED[relation], relation).astype(np.uint8)


def removing(names: Collection[str]) -> np.ndarray:
    """Return a mask indexed by relation code: True for relations that remove a document if the user names these."""
    return np.array([one.removable and one.either in names for one in BY_NAME.values()])
