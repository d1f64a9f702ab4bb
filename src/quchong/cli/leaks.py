"""Explanation of the test items in a document, for `quchong explain`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def explain_leaks(folder: Path, ids: Sequence[str], as_json: bool) -> None:
    """Print the matches of each document: the item, its share, the passages of both texts with their offsets.

    Raises:
        UsageError: nothing was found in a document.
        RunError: the folder is damaged.
    """
    from quchong.cli.printing import say, say_json
    from quchong.languages import Message
    from quchong.results.contamination_folder import ContaminationFolder

    found = ContaminationFolder.open_path(folder)
    removed = dict(zip(found.documents["id"].to_pylist(), found.documents["removed"].to_pylist(), strict=True))
    for doc_id in ids:
        rows = found.matches_of(doc_id)
        if as_json:
            say_json({"id": doc_id, "removed": removed[doc_id], "matches": rows})
            continue
        say("{}: {}", doc_id, Message("removed") if removed[doc_id] else Message("kept"), bold=True)
        for row in rows:
            say(
                "{} {}: {} {}, share {:.2f}, found: {}",
                row["set"],
                row["item"],
                Message(row["kind"]),
                Message(row["part"]),
                row["share"],
                Message(row["found"]),
            )
            part = row[row["part"]]
            say("  document {}-{}: {}", row["start"], row["end"], " ".join(row["text"].split()))
            say("  item {}-{}: {}", row["item_start"], row["item_end"],
                " ".join(part[row["item_start"] : row["item_end"]].split()))  # fmt: skip
