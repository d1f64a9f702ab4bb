"""Training: which items of a test set are in a training corpus, and where.

    python leaked_items.py items.jsonl corpus.jsonl > leaks.jsonl

Both are JSON lines with id and text. The index holds the test items, which are few, so that the corpus may be of any size.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import quchong as qc
from quchong.findings import Passage

BATCH = 1000


def leaks(
    items: list[dict[str, Any]], corpus: Iterable[Mapping[str, Any]], least: int = 20
) -> Iterator[dict[str, Any]]:
    """Yield a line for each item and each document of the corpus that shares a passage with it.

    Winnowing notices every common run of 20 Chinese characters, or of 8 words of other scripts.

    Args:
        items, corpus: records with id and text.
        least: characters of a passage; shorter ones are left out.

    Yields:
        items: id of the item, and of those equal to it. document: id. share: part of the item that the document contains, from 0 to
        1. passages: where, with the offsets in both texts, and the words. For an item that cannot be used: items and bad, the reason.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        qc.Index.create(Path(folder) / "items", method="winnowing", least=0.01, most=0, sync="none") as index,
    ):
        added, equal = index.add(items), dict[str | int, list[str | int]]()
        for bad in added.bad:
            yield {"items": [items[bad.place].get("id")], "bad": bad.reason}
        for answer in added:  # an index names one document for all that are equal to it
            if answer.relation == "exact" and answer.survivor_id is not None:
                equal.setdefault(answer.survivor_id, [answer.survivor_id]).append(answer.id)
        documents = iter(corpus)
        while batch := list(islice(documents, BATCH)):
            texts = {document["id"]: document["text"] for document in batch}
            for answer in index.query(batch, passages=True):
                for match in answer.matches:
                    long = [one for one in match.passages if one.end - one.start >= least]
                    if long:
                        yield {
                            "items": equal.get(match.id, [match.id]),
                            "document": answer.id,
                            "share": round(match.match_containment, 3),
                            "passages": [place(one, texts[answer.id]) for one in long],
                        }


def place(shared: Passage, text: str) -> dict[str, Any]:
    """Return where a passage is in a document and in an item, with its words in the document."""
    item = {"item_start": shared.survivor_start, "item_end": shared.survivor_end}
    return {"start": shared.start, "end": shared.end, **item, "text": text[shared.start : shared.end]}


def records(path: str) -> Iterator[dict[str, Any]]:
    """Yield the records of a file of JSON lines."""
    with Path(path).open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


if __name__ == "__main__":
    for leak in leaks(list(records(sys.argv[1])), records(sys.argv[2])):
        print(json.dumps(leak, ensure_ascii=False))
