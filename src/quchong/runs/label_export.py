"""Export of labels as a file of pairs, which `eval` and `tune` read."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa

from quchong.languages import Message
from quchong.outputs import Place, check_apart, local, staged_file
from quchong.outputs.replacing import check_replaceable_file
from quchong.runs.acts import plain_json
from quchong.runs.review_state import ReviewState

_BEGINNING = b'{"left_id": '


def pair_lines(held: ReviewState) -> list[str]:
    """Return a line of JSON for each labelled pair, sorted by ids: left_id, right_id, label, how it was chosen, and when.

    >>> from quchong.runs.acts import Label; from quchong.runs.review_state import ReviewState
    >>> pair_lines(ReviewState.from_acts([Label(3, 5, "same")]))
    ['{"left_id": 3, "right_id": 5, "label": "same", "how": "chosen"}']
    """
    out = []
    for key in sorted(held.labels):
        label = held.labels[key]
        said = {"left_id": label.left_id, "right_id": label.right_id, "label": label.label}
        said["how"] = "asked" if key in held.asked else "chosen"
        out.append(plain_json(said | ({"at": label.at} if label.at else {})))
    return out


def label_table(held: ReviewState, ids: pa.DataType) -> pa.Table:
    """Return the labels as a table.

    Ids are integers if the run's ids (of type `ids`) and all ids of labels are, else text.
    """
    rows = [json.loads(line) for line in pair_lines(held)]
    numbers = pa.types.is_integer(ids) and all(isinstance(row[n], int) for row in rows for n in ("left_id", "right_id"))
    kind = pa.int64() if numbers else pa.large_string()
    columns = {
        name: pa.array([row[name] if numbers else str(row[name]) for row in rows], kind)
        for name in ("left_id", "right_id")
    }
    return pa.table(
        columns | {name: pa.array([row.get(name) for row in rows], pa.string()) for name in ("label", "how", "at")}
    )


def write_pairs(held: ReviewState, path: Path, *, overwrite: bool = False, read: list[Place] | None = None) -> int:
    """Write the labels to a file atomically; return their number.

    Args:
        held: the current state of the review.
        path: path of the file.
        overwrite: True to replace an earlier file of labels; no other file is replaced.
        read: inputs, which must not be overwritten.

    Raises:
        OutputError: the file exists, is inside a run folder, or cannot be written.
    """
    check_apart(read or [], local([path]))
    check_replaceable_file(path, Message("a file of labels"), _has_labels, overwrite=overwrite)
    lines = pair_lines(held)
    with staged_file(path) as new:
        new.write_bytes("".join(line + "\n" for line in lines).encode())
    return len(lines)


def _has_labels(path: Path) -> bool:
    """Return True if the file has labels, or is empty."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_BEGINNING)) in (b"", _BEGINNING)
