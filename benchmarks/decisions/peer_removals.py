"""A peer on some corpora: removals as CSV. Run by the Python that has the peer; needs nothing of quchong.

python peer_removals.py NAME stock|characters CORPUS REMOVALS [CORPUS REMOVALS ...]     NAME: rensa, gaoya, datasketch, simhash, text_dedup
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "systems"))

import peer_text_dedup
from peer_stock import STOCK
from peers import EACH, SCORED
from removals import removals_of_pairs, write_removals

CHARACTERS, THRESHOLD = 5, 0.8
"""Setting "characters": shingles of 5 characters whatever the language; stock settings take a Chinese clause for a word."""
CLUSTERING = ("rensa", "text_dedup")
"""Peers that name clusters; all pairs of a cluster are given."""


def pairs_of(name: str, setting: str, texts: list[str]) -> Iterator[tuple[int, int]]:
    """Return the pairs of rows that a peer calls copies.

    Raises:
        KeyError: the peer has no such setting here.
    """
    if setting == "stock":
        return STOCK[name](texts)
    if name in EACH:
        return EACH[name][0](texts, CHARACTERS, False, THRESHOLD)
    return ((i, j) for i, j, score in SCORED[name](texts, CHARACTERS, False) if score >= THRESHOLD)


def main() -> None:
    name, setting = sys.argv[1:3]
    peer_text_dedup.MOST = 10**12  # a family can be one cluster
    for corpus, removals in zip(sys.argv[3::2], sys.argv[4::2], strict=True):
        with Path(corpus).open(encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        ids = [row["id"] for row in rows]
        pairs = ((ids[i], ids[j]) for i, j in pairs_of(name, setting, [row["text"] for row in rows]))
        write_removals(
            Path(removals),
            removals_of_pairs(ids, pairs, "united" if name in CLUSTERING and setting == "stock" else "greedy"),
        )
        print(f"{name} {Path(corpus).stem}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
