"""Explanation of the test items in a document, for `quchong explain`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from quchong.languages import Message, several

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
    for doc_id in ids:
        matches, documents = found.matches_of(doc_id), found.documents_of(doc_id)
        for document in documents:
            rows = [row for row in matches if (row["source"], row["row"]) == (document["source"], document["row"])]
            place = {name: document[name] for name in ("source", "row")}
            if as_json:
                say_json(
                    {"id": doc_id, **place, "removed": document["removed"], "cut": document["cut"], "matches": rows}
                )
                continue
            told = _became(document)
            if len(documents) > 1:
                say("{} ({}, row {}): {}", doc_id, document["source"], document["row"], told, bold=True)
            else:
                say("{}: {}", doc_id, told, bold=True)
            _print_matches(rows)


def _became(document: Mapping[str, Any]) -> Message:
    """Return the outcome of a document in words: removed, kept, or kept with part of its text cut."""
    if document["removed"]:
        return Message("removed")
    if document["cut"]:
        return several("kept, with {:,} character cut", "kept, with {:,} characters cut", document["cut"])
    return Message("kept")


def _print_matches(rows: Sequence[Mapping[str, Any]]) -> None:
    from quchong.cli.printing import say

    for row in rows:
        kind, part_name, found_name = (WORDS[row[name]] for name in ("kind", "part", "found"))
        say("{} {}: {}, {}, share {:.2f}; in the document: {}", row["set"], row["item"], part_name, kind, row["share"],
            found_name)  # fmt: skip
        part = row[row["part"]]
        say("  document {}-{}: {}", row["start"], row["end"], " ".join(row["text"].split()))
        say("  item {}-{}: {}", row["item_start"], row["item_end"],
            " ".join(part[row["item_start"] : row["item_end"]].split()))  # fmt: skip
