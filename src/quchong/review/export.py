"""Labels as a file of pairs, as `eval` and `tune` read them."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa

from quchong.errors import OutputError, Param
from quchong.outputs import Place, check_apart, local, staged_file
from quchong.review.acts import plain_json
from quchong.review.standing import Standing

_BEGINNING = b'{"left_id": '


def pair_lines(held: Standing) -> list[str]:
    """A line of JSON for each labelled pair, by ids: left_id, right_id, label, how it came to be labelled, and when.

    >>> from quchong.review import Label, Standing
    >>> pair_lines(Standing.of([Label(3, 5, "same")]))
    ['{"left_id": 3, "right_id": 5, "label": "same", "how": "chosen"}']
    """
    out = []
    for key in sorted(held.labels):
        label = held.labels[key]
        said = {"left_id": label.left_id, "right_id": label.right_id, "label": label.label}
        said["how"] = "asked" if key in held.asked else "chosen"
        out.append(plain_json(said | ({"at": label.at} if label.at else {})))
    return out


def label_table(held: Standing, ids: pa.DataType) -> pa.Table:
    """The labels as a table; `ids` is the type of the run's ids, and theirs where it can hold them all."""
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


def write_pairs(held: Standing, path: Path, *, overwrite: bool = False, read: list[Place] | None = None) -> int:
    """Writes the labels to a file, whole or not at all; how many there are.

    Args:
        held: what the acts come to.
        path: of the file.
        overwrite: replace an earlier file of labels; no other file is replaced.
        read: places that must not be written over or into.

    Raises:
        OutputError: it exists, lies in a run, or cannot be written.
    """
    check_apart(read or [], local([path]))
    if path.is_file():
        if not overwrite:
            raise OutputError(
                "{} exists: choose another name, or replace those labels with {}", path, Param("overwrite", True)
            )
        with path.open("rb") as file:
            beginning = file.read(len(_BEGINNING))
        if beginning not in (b"", _BEGINNING):
            raise OutputError(
                "{} holds no labels, so {} leaves it alone: choose another name", path, Param("overwrite", True)
            )
    lines = pair_lines(held)
    with staged_file(path) as new:
        new.write_bytes("".join(line + "\n" for line in lines).encode())
    return len(lines)
