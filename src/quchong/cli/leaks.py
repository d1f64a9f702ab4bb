"""Explanation of the test items in a document, for `quchong explain`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from quchong.languages import Message

WORDS = {
    "exact": Message("whole", context="leak"),
    "near": Message("reworded", context="leak"),
    "variant": Message("with other numbers", context="leak"),
    "question": Message("question", context="leak"),
    "answer": Message("answer", context="leak"),
    "both": Message("question and answer", context="leak"),
}
"""Words for kinds of matches, parts of items, and what was found."""


def explain_leaks(folder: Path, ids: Sequence[str], as_json: bool) -> None:
    """Print the matches of each document: the item, its share, the passages of both texts with their offsets.

    Raises:
        UsageError: nothing was found in a document.
        RunError: the folder is damaged.
    """
    from quchong.cli.printing import say, say_json
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
            kind, part_name, found_name = (WORDS[row[name]] for name in ("kind", "part", "found"))
            say("{} {}: {}, {}, share {:.2f}; in the document: {}", row["set"], row["item"], part_name, kind, row["share"],
                found_name)  # fmt: skip
            part = row[row["part"]]
            say("  document {}-{}: {}", row["start"], row["end"], " ".join(row["text"].split()))
            say("  item {}-{}: {}", row["item_start"], row["item_end"],
                " ".join(part[row["item_start"] : row["item_end"]].split()))  # fmt: skip
