"""Retrieval (RAG): documents cut into paragraphs, each stored once, with every place where it or a near-copy of it stands.

    python distinct_chunks.py documents.jsonl > chunks.jsonl

Documents are JSON lines as LangChain ({"page_content", "metadata"}) or LlamaIndex ({"text", "metadata"}) write them; metadata may be
missing.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import quchong as qc

BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
BETWEEN_BLANK_LINES = re.compile(r"\S(?:.|\n(?!\s*\n))*")
LINE = re.compile(r"\S.*")


def paragraphs(documents: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the paragraphs of documents as chunks: id, text, and the metadata with where the chunk begins in its document.

    Blank lines separate paragraphs; in a text without any, as Chinese ones often are, every line is one.
    """
    for number, document in enumerate(documents):
        text = document["page_content"] if "page_content" in document else document["text"]
        paragraph = BETWEEN_BLANK_LINES if BLANK_LINE.search(text) else LINE
        for found in paragraph.finditer(text):
            metadata = {**(document.get("metadata") or {}), "start": found.start()}
            yield {"id": f"{number}.{found.start()}", "text": found[0].rstrip(), "metadata": metadata}


def distinct(chunks: Iterable[dict[str, Any]], least: int = 20) -> list[dict[str, Any]]:
    """Return the chunks without near-copies, in their order; `also` of a chunk has what it stands for.

    A chunk stands for equal ones, for near-copies that say the same, and for shorter ones that it contains. Chunks that
    differ in a fact, such as a figure or a date, are all kept.

    Args:
        chunks: what `paragraphs` yields.
        least: chunks with fewer characters, such as headings, are left out.
    """
    given = {chunk["id"]: chunk for chunk in chunks if len(chunk["text"]) >= least}
    if not given:
        return []
    texts = [{"id": chunk["id"], "text": chunk["text"]} for chunk in given.values()]
    result = qc.dedup(texts, keep="longest,first", recall_sample=0)
    stands_for = defaultdict(list)
    for row in result.ledger.to_pylist():
        about = given[row["id"]]["metadata"]
        stands_for[row["survivor_id"]].append({"relation": row["relation"], "metadata": about})
    return [{**given[id], "also": stands_for[id]} for id in result.kept["id"].to_pylist()]


if __name__ == "__main__":
    for kept in distinct(paragraphs(json.loads(line) for line in sys.stdin)):
        print(json.dumps(kept, ensure_ascii=False))
