"""Explanation of a document of a run by units: which lines or paragraphs it lost, and where their first copy is."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.io import FileBeneath, WantedColumns, open_file
from quchong.runs.reader import encoding_of, own_files
from quchong.runs.restore import check_restored
from quchong.runs.unit_run import UnitFolder


@dataclass(frozen=True, slots=True)
class LostUnit:
    """A line or paragraph that a document lost, or repeats and keeps.

    Attributes:
        unit: its number in the document, from 1.
        start, end: characters of the original text.
        copies, documents: how often it occurs in the corpus, and in how many documents; None if it was not compared.
        reason: "copy", "repeat", "common" or "floor".
        cut: False if the document keeps it.
        kept_id, kept_unit: where the copy is that is kept; None if none is.
        text: the unit; None for a document that lost nothing.
    """

    unit: int
    start: int
    end: int
    copies: int | None
    documents: int | None
    reason: str
    cut: bool
    kept_id: str | int | None
    kept_unit: int | None
    text: str | None


@dataclass(frozen=True, slots=True)
class UnitExplanation:
    """Explanation of one document of a run by units.

    Attributes:
        id: of the document.
        kind: "line" or "paragraph".
        removed: True if the document was removed entirely.
        units, words: how many it has; `cut_units` and `cut_words`: how many it lost.
        lost: its units that were cut, and those that it repeats, in order.
    """

    id: str | int
    kind: str
    removed: bool
    units: int
    words: int
    cut_units: int
    cut_words: int
    lost: tuple[LostUnit, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the explanation as a JSON object."""
        return asdict(self)


def open_units(folder: Path) -> UnitFolder:
    """Return the folder of a run by units; raises RunError for a damaged one, or while rows of it are being put back."""
    check_restored(folder)
    return UnitFolder.read(folder)


def explain_units(run: UnitFolder, doc_id: str) -> UnitExplanation:
    """Return the explanation of a document, with the text of each unit as it was in the input.

    Raises:
        UsageError: no document has the id.
        RunError: the file of removed rows is not as the run wrote it.
    """
    (place,) = run.places([doc_id]).tolist()
    row = run.documents.slice(place, 1).to_pylist()[0]
    mine = run.units.filter(pc.equal(run.units["id"], pa.scalar(row["id"], run.units["id"].type))).to_pylist()
    text = _original(run, place) if row["cut_units"] or row["removed"] else None
    lost = tuple(
        LostUnit(
            one["unit"], one["start"], one["end"], one["copies"], one["documents"], one["reason"], one["cut"], one["kept_id"],
            one["kept_unit"], None if text is None else text[one["start"] : one["end"]],
        )
        for one in mine
    )  # fmt: skip
    kind = str(run.manifest.get("units", {}).get("unit", "line"))
    return UnitExplanation(
        row["id"], kind, row["removed"], row["units"], row["words"], row["cut_units"], row["cut_words"], lost
    )


def _original(run: UnitFolder, place: int) -> str | None:
    """Return the text of a document as it was in the input, from the file of removed rows."""
    documents = run.documents.slice(0, place + 1)
    source = documents["source"][place].as_py()
    stored = pc.and_(
        pc.equal(documents["source"], source), pc.or_(documents["removed"], pc.greater(documents["cut_units"], 0))
    )
    number = int(np.count_nonzero(stored.to_numpy())) - 1
    name = run.files(source)[1]
    wanted = WantedColumns((run.manifest["config"]["text"][0],), None, textless=True)
    with own_files(run.folder, [name]):
        rows = open_file(FileBeneath(run.folder, name), encoding=encoding_of(run.manifest, name)).fetch(
            [number], wanted
        )
    text: str | None = rows["text"][0].as_py()
    return text
