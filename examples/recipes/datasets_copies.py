"""datasets of Hugging Face: a function for `map` that says of each row which seen document it is a copy of.

    marked = dataset.map(Seen("seen"), batched=True, batch_size=256)
    distinct = marked.filter(lambda row: row["copy_of"] is None)

Needs the package datasets. The copies within one dataset that fits this machine are quicker: `quchong.dedup(dataset).to_dataset()`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import quchong as qc


class Seen:
    """Function of a batch of rows, also of a streamed dataset (`load_dataset(..., streaming=True)`), with an index that lasts.

    `map` writes its results to a cache and may begin again, so a row that was seen before under its id is answered as it was then.
    """

    def __init__(self, folder: str, text: str = "text", id: str = "id") -> None:
        self.folder, self.text, self.id = folder, text, id
        if not Path(folder).exists():
            qc.Index.create(folder, keep="first").close()

    def __call__(self, batch: dict[str, list[Any]]) -> dict[str, list[Any]]:
        """Add a batch to the index; return the columns `copy_of` and `relation`, null for rows that are new or cannot be used."""
        rows = [{"id": id, "text": text} for id, text in zip(batch[self.id], batch[self.text], strict=True)]
        with qc.Index(self.folder) as index:
            answers = index.add(rows)
            again = [index.matches(rows[one.place]["id"]) for one in answers.bad if one.again]
            copies = {one.id: one for one in (*answers, *again) if one.removed}
        told = [copies.get(row["id"]) for row in rows]
        return {
            "copy_of": [None if one is None else one.survivor_id for one in told],
            "relation": [None if one is None else one.relation for one in told],
        }
