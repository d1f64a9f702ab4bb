"""Documents of a run that are never removed, by their ids."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.engines.local.corpus import Corpus
from quchong.errors import Param, UsageError
from quchong.runs.unknown_ids import LOOKED_AT, id_advice


def protect(corpus: Corpus, ids: Sequence[str]) -> np.ndarray:
    """Return a mask of the documents with these ids, or with one of them in the input.

    Raises:
        UsageError: no document has one of the ids.
    """
    mask = np.zeros(len(corpus), bool)
    if not ids:
        return mask
    asked = set(ids)
    try:
        wanted = pa.array(sorted(asked), pa.large_string())
    except UnicodeEncodeError as error:
        raise UsageError(
            "{} contains an id with an incomplete character, which no document has: check the ids", Param("protect")
        ) from error
    missing = pc.filter(wanted, pc.invert(pc.is_in(wanted, corpus.documents.ids)))
    if len(missing):
        raise UsageError(
            "{} has {} ids that no document has, such as {!r}: {}",
            Param("protect"),
            len(missing),
            missing[0].as_py(),
            id_advice(missing[0].as_py(), corpus.documents.ids.slice(0, LOOKED_AT).to_pylist()),
        )
    mask[pc.is_in(corpus.documents.ids, wanted).to_numpy(zero_copy_only=False)] = True
    came = corpus.renamed.filter(pc.is_in(corpus.renamed["given"], wanted))
    mask[came["document"].to_numpy()] = True  # every row that came with the id
    return mask
