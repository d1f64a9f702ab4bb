"""Peers as they come: what their README or their constructors say, with no setting of ours, on whatever language.

Each gives its pairs; of those that unite documents, all pairs of a cluster. Needs the peer, and nothing of quchong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from peer_text_dedup import signed, within

Pairs = Iterator[tuple[int, int]]


def rensa(texts: list[str]) -> Pairs:
    """Its README: `RMinHashDeduplicator` over `text.split()`. A text that it drops goes to the first kept one that it names."""
    import rensa

    kept = rensa.RMinHashDeduplicator(threshold=0.8, num_perm=128, use_lsh=True)
    clusters: dict[int, list[int]] = {}
    for i, text in enumerate(texts):
        (signature,) = rensa.RMinHash.from_token_sets([text.split()], num_perm=128, seed=42)
        near = [] if kept.add(str(i), signature) else kept.get_duplicates(signature)
        clusters.setdefault(min(map(int, near), default=i), []).append(i)
    return within(list(clusters.values()))


def datasketch(texts: list[str]) -> Pairs:
    """`MinHash()` of words and `MinHashLSH()`; what `query` returns."""
    import datasketch

    signed = datasketch.MinHash.bulk([[word.encode() for word in text.split()] for text in texts])
    index = datasketch.MinHashLSH()
    with index.insertion_session() as session:
        for i, one in enumerate(signed):
            session.insert(i, one)
    for i, one in enumerate(signed):
        yield from ((i, j) for j in index.query(one) if i < j)


def gaoya(texts: list[str]) -> Pairs:
    """`MinHashStringIndex()`."""
    import gaoya

    return of_gaoya(gaoya.minhash.MinHashStringIndex(), texts)


def of_gaoya(index: Any, texts: list[str]) -> Pairs:
    """What an index answers of the texts that are put into it."""
    index.par_bulk_insert_docs(list(range(len(texts))), texts)
    for i, near in enumerate(index.par_bulk_query(texts)):
        yield from ((i, j) for j in near if i < j)


def simhash(texts: list[str]) -> Pairs:
    """`Simhash(text)` and `SimhashIndex(...)`."""
    return of_simhash(texts)


def of_simhash(values: Iterable[Any], **options: Any) -> Pairs:
    """What its index with these options answers of the fingerprints of texts, or of lists of shingles."""
    import logging

    import simhash

    logging.getLogger().setLevel(logging.ERROR)
    signed = [simhash.Simhash(value) for value in values]
    index = simhash.SimhashIndex([(str(i), one) for i, one in enumerate(signed)], **options)
    for i, one in enumerate(signed):
        yield from ((i, int(j)) for j in index.get_near_dups(one) if i < int(j))


def text_dedup(texts: list[str]) -> Pairs:
    """Its `minhash` command without options."""
    from text_dedup.utils import MinHashArgs

    its = MinHashArgs()
    return signed(texts, its.ngram, True, its.num_perm)(its.threshold)


STOCK: dict[str, Callable[[list[str]], Pairs]] = {
    "rensa": rensa, "datasketch": datasketch, "gaoya": gaoya, "simhash": simhash, "text_dedup": text_dedup
}  # fmt: skip
SETTINGS = {
    "rensa": "words, threshold 0.8",
    "datasketch": "words, threshold 0.9",
    "gaoya": "words, threshold 0.75",
    "simhash": "4 letters, distance 2",
    "text_dedup": "5 words, threshold 0.7",
}
"""Each as the table tells it."""
