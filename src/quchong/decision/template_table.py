"""Table of the templates of a run: what records share, the slots they fill otherwise, and with what."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa

from quchong.frames.filling import Filled
from quchong.kernels.offsets import first_of_runs, positions_in_items, prefix_sums
from quchong.kernels.sorting import distinct, ordered
from quchong.kernels.text import Form
from quchong.seam import Documents
from quchong.tables import TEMPLATES, table_of

LISTED, FILLERS_LISTED = 1000, 10
"""Most templates of a table, those of most records, and most fillers of a slot."""


def template_table(
    filled: Filled, form: Form, ids: pa.Array, copies: np.ndarray, texts_of: Callable[[np.ndarray], Documents]
) -> pa.Table:
    """Return the table TEMPLATES of the frames of a run.

    Args:
        filled: frames and fillers of the classes.
        form: form in which texts become tokens.
        ids: id of the first document of each class.
        copies: int64, documents of each class.
        texts_of: function that returns classes as documents, called once.
    """
    # (1) Number the frames by records, those of most first, equal ones by their models.
    docs = filled.inside
    records = np.bincount(filled.frame[docs], copies[docs], minlength=len(filled.frames)).astype(np.int64)
    chosen = ordered(-records, filled.frames.model)[:LISTED]
    place = np.full(len(records), -1)
    place[chosen] = np.arange(len(chosen))
    # (2) Count the documents of each filler; of each slot the most frequent ones are listed, each with a class that has it.
    docs = docs[place[filled.frame[docs]] >= 0]
    at, per = filled.fillers(docs)
    slot, holder = filled.slots_of(docs), np.repeat(docs, per)
    real = filled.value[at] != 0
    at, slot, holder = at[real], slot[real], holder[real]
    order = ordered(slot, filled.value[at], holder)
    new = np.flatnonzero(first_of_runs(slot[order], filled.value[at][order]))
    counts = np.add.reduceat(copies[holder[order]], new) if len(new) else new
    first = order[new]  # a filler of each kind, in the least class that has it
    different = np.bincount(slot[first], minlength=len(filled.frames.slots.frame))
    best = ordered(slot[first], -counts, holder[first]) if len(first) else first
    best = best[positions_in_items(different) < FILLERS_LISTED]
    first, counts = first[best], counts[best]
    listed = np.bincount(slot[first], minlength=len(different))
    # (3) Read the models and these classes, and cut the words out of their texts.
    models = filled.frames.model[chosen]
    wanted = distinct(np.concatenate([models, holder[first]]))
    documents = texts_of(wanted)
    row = np.searchsorted(wanted, holder[first])
    start = filled.start[at[first]].astype(np.int64)
    words = _words(documents, form, row, start, start + filled.tokens.lengths[at[first]])
    own = np.flatnonzero(place[filled.frames.slots.frame] >= 0)
    own = own[ordered(place[filled.frames.slots.frame[own]], own)] if len(own) else own
    frame, places = filled.frames.slots.frame[own], filled.frames.slots.places[own]
    spans = _spans(documents, form, np.searchsorted(wanted, filled.frames.model[frame]), places // 2)
    # (4) Put the columns together: fillers by slot, slots by template.
    ends = prefix_sums(listed)
    by_slot = np.concatenate([np.zeros(0, np.int64), *(np.arange(ends[k], ends[k + 1]) for k in own.tolist())])
    kind = TEMPLATES.field("slots").type.value_type
    filler = pa.StructArray.from_arrays(
        [words.take(pa.array(by_slot)), pa.array(counts[by_slot])], fields=list(kind.field("fillers").type.value_type)
    )
    fillers = pa.ListArray.from_arrays(pa.array(prefix_sums(listed[own]), pa.int32()), filler)
    slots = pa.StructArray.from_arrays(
        [
            pa.array(spans[:, 0]),
            pa.array(spans[:, 1]),
            pa.array(different[own]),
            fillers.cast(kind.field("fillers").type),
        ],
        fields=list(kind),
    )
    number = np.bincount(place[frame], minlength=len(chosen))
    shown = [documents.texts.text(int(k)) for k in np.searchsorted(wanted, models)]
    columns = [
        pa.array(np.arange(1, len(chosen) + 1)), pa.array(records[chosen]), ids.take(pa.array(models)),
        pa.array(shown, pa.large_string()), pa.ListArray.from_arrays(pa.array(prefix_sums(number), pa.int32()), slots).cast(
            TEMPLATES.field("slots").type
        ),
    ]  # fmt: skip
    return table_of(dict(zip(TEMPLATES.names, columns, strict=True)), TEMPLATES)


def _spans(documents: Documents, form: Form, row: np.ndarray, tokens: np.ndarray) -> np.ndarray:
    """Return the range of characters, int64 (n, 2), of each range of tokens (n, 2) in the documents `row`."""
    margin = np.zeros(len(row), np.uint8)
    found = documents.stretches(form, row, tokens[:, 0], tokens[:, 1], margin)
    return found.places[:, 1:3].astype(np.int64)


def _words(documents: Documents, form: Form, row: np.ndarray, start: np.ndarray, end: np.ndarray) -> pa.Array:
    """Return the text of each range of tokens (`start` to `end`) of the documents `row`, as an Arrow array."""
    found = documents.stretches(form, row, start, end, np.zeros(len(row), np.uint8))
    first = found.places[:, 0]
    places = zip(
        found.windows.to_pylist(),
        (found.places[:, 1] - first).tolist(),
        (found.places[:, 2] - first).tolist(),
        strict=True,
    )
    return pa.array([window[a:b] for window, a, b in places], pa.large_string())
