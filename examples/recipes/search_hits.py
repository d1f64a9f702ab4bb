"""Search: the hits of a query without copies, each with what it stands for, in milliseconds.

    python search_hits.py < hits.jsonl

Hits are JSON lines by rank, with text (a snippet or the whole text), and whatever the page shows, such as title and url.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import quchong as qc


def shown(hits: Sequence[Mapping[str, Any]], most: int = 10, method: str = "minhash") -> list[dict[str, Any]]:
    """Return the first hits that are not copies, at most `most`, by rank; `same` of a hit has its copies, also by rank.

    Args:
        hits: by rank. 100 are decided within 10 ms of one processor by "minhash".
        method: "minhash" for near-copies; "hybrid" also finds hits that are parts of others, and keeps those apart that differ
            in a fact, such as a figure or a date: about twice as long where many hits are copies.
    """
    found = qc.distinct(list(hits), method=method, keep="first")
    pages = [{**hits[position], "same": []} for position in found.kept]
    at = {position: page for position, page in zip(found.kept, pages, strict=True)}
    for copy in found.removed:
        if copy.survivor is not None:
            at[copy.survivor]["same"].append({**hits[copy.position], "relation": copy.relation})
    return pages[:most]


if __name__ == "__main__":
    for hit in shown([json.loads(line) for line in sys.stdin]):
        print(f"{hit['title']}  {hit.get('url', '')}")
        for same in hit["same"]:
            print(f"    {same['relation']}: {same.get('url') or same['title']}")
