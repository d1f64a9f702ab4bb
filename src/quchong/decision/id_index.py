"""Index of the ids of a run: in which row of its table of documents each document is."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.errors import InPython, UsageError, parts_of_list
from quchong.runs.unknown_ids import id_advice
from quchong.tables import as_id

FEW = 8
"""A lookup of fewer ids than one eighth of the documents hashes the ids that are looked up, and a larger one those of the documents."""


class IdIndex:
    """Index of ids, each of which belongs to one document.

    Args:
        ids: strings or whole numbers, in the order of the documents.
        numbers: True if the ids are whole numbers, stored as text; 5, "5" and "05" name the same document then.

    Attributes:
        ids: large_string.

    Cost of a lookup: a pass over all ids, about 20 ns each; nothing is kept. Many ids are best looked up at once.
    """

    def __init__(self, ids: pa.Array | pa.ChunkedArray, numbers: bool = False) -> None:
        text = ids.cast(pa.large_string())
        self.ids: pa.Array = text.combine_chunks() if isinstance(text, pa.ChunkedArray) else text
        self._type = pa.int64() if numbers or pa.types.is_integer(ids.type) else pa.large_string()

    def __reduce__(self) -> tuple[type[IdIndex], tuple[pa.Array, bool]]:
        """Pickle the ids alone."""
        return IdIndex, (self.ids, pa.types.is_integer(self._type))

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def names(self) -> list[str]:
        """Ids of all documents, as a list."""
        names: list[str] = self.ids.to_pylist()
        return names

    def places(self, ids: pa.Array | pa.ChunkedArray | Iterable[str | int | None]) -> np.ndarray:
        """Return the row of each id, int64; -1 for None, and for an id that no document has.

        Ids in an Arrow array must be written as those of the documents are; of other ids every spelling of a whole number is found.
        """
        if isinstance(ids, pa.Array | pa.ChunkedArray):
            asked = ids.cast(pa.large_string())
        else:
            asked = pa.array([self._text(one) for one in ids], pa.large_string())
        if FEW * len(asked) < len(self.ids):
            wanted = pc.unique(asked)
            which = pc.index_in(self.ids, value_set=wanted, skip_nulls=True)
            rows = np.flatnonzero(which.is_valid().to_numpy(zero_copy_only=False))
            place = dict(zip(wanted.take(which.drop_null()).to_pylist(), rows.tolist(), strict=True))
            return np.array([place.get(one, -1) for one in asked.to_pylist()], np.int64)
        found = pc.fill_null(pc.index_in(asked, value_set=self.ids, skip_nulls=True), -1)
        places: np.ndarray = found.to_numpy().astype(np.int64)
        return places

    def known_places(self, ids: Iterable[str | int]) -> np.ndarray:
        """Return the row of each id, int64.

        Raises:
            UsageError: no document has one of the ids.
        """
        names = list(ids)
        places = self.places(names)
        for place, name in zip(places.tolist(), names, strict=True):
            if place < 0:
                several = parts_of_list(name) or str(name).split()
                if len(several) > 1 and (self.places(several) >= 0).all():
                    raise UsageError("no document has the id {!r}: separate ids by spaces, {}", name, " ".join(several))
                raise UsageError("no document has the id {!r}: {}{}", name, id_advice(name, self.names),
                                 InPython(" (result.ledger lists the removed documents)"))  # fmt: skip
        return places

    def _text(self, one: str | int | None) -> str | None:
        """Return an id as text; None if no document can have it, for example one with a lone surrogate."""
        given = None if one is None else as_id(one, self._type)
        text = None if given is None else str(given)
        return None if text is None or any("\ud800" <= sign <= "\udfff" for sign in text) else text
