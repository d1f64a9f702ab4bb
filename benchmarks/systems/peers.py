"""One peer on one set, in an environment of its own: pairs at every setting, or one setting timed.

Needs the peer, and nothing of quchong. Texts come as JSON lines of text; pairs go out as lists of places.
`python peers.py pairs NAME TEXTS english|chinese|stock OUT`; `python peers.py time NAME TEXTS english|chinese|stock '{"n": 5, "at": 0.7}'`;
`stock` is the peer as it comes.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from peer_stock import STOCK, of_gaoya, of_simhash

STEPS = [round(0.05 * k, 2) for k in range(6, 20)]
PERM, BANDS, ROWS = 128, 32, 4
"""128 values; 32 bands of 4: half of the pairs meet from a Jaccard of 0.42 on, so that the threshold decides and not the banding."""
Scored = Iterator[tuple[int, int, float]]


def shingles(text: str, n: int, english: bool) -> list[str]:
    """Words of English, characters of Chinese: the best setting of these tools, whose defaults take a Chinese clause for a word."""
    if english:
        words = text.split()
        return [" ".join(words[i : i + n]) for i in range(len(words) - n + 1)] or [text]
    return [text[i : i + n] for i in range(len(text) - n + 1)] or [text]


def rensa(texts: list[str], n: int, english: bool) -> Scored:
    import rensa

    signed = []
    for i in range(0, len(texts), 4096):
        signed += rensa.RMinHash.from_token_sets([shingles(t, n, english) for t in texts[i : i + 4096]], PERM, 42)
    index = rensa.RMinHashLSH(0.5, PERM, BANDS)
    index.insert_many(signed)
    for i, near in enumerate(index.query_all(signed)):
        for j in near:
            if i < j:
                yield i, j, signed[i].jaccard(signed[j])


def datasketch(texts: list[str], n: int, english: bool) -> Scored:
    import datasketch

    signed = []
    for i in range(0, len(texts), 1024):
        signed += datasketch.MinHash.bulk(
            [[s.encode() for s in shingles(t, n, english)] for t in texts[i : i + 1024]], num_perm=PERM, seed=1
        )
    index = datasketch.MinHashLSH(num_perm=PERM, params=(BANDS, ROWS))
    with index.insertion_session() as session:
        for i, one in enumerate(signed):
            session.insert(i, one)
    for i, one in enumerate(signed):
        for j in index.query(one):
            if i < j:
                yield i, j, one.jaccard(signed[j])


def gaoya(texts: list[str], n: int, english: bool, at: float) -> Iterator[tuple[int, int]]:
    """It holds its candidates to the threshold of the index: an index for each."""
    import gaoya

    index = gaoya.minhash.MinHashStringIndex(
        hash_size=32, jaccard_threshold=at, num_bands=BANDS, band_size=ROWS, analyzer="word" if english else "char",
        lowercase=False, ngram_range=(n, n), id_container="vec",
    )  # fmt: skip
    return of_gaoya(index, texts)


def simhash(texts: list[str], n: int, english: bool, at: float) -> Iterator[tuple[int, int]]:
    """64 bits, pairs that differ in at most so many."""
    return of_simhash((shingles(t, n, english) for t in texts), k=int(at))


SCORED: dict[str, Callable[..., Scored]] = {"rensa": rensa, "datasketch": datasketch}
EACH: dict[str, tuple[Callable[..., Iterator[tuple[int, int]]], list]] = {
    "gaoya": (gaoya, STEPS),
    "simhash": (simhash, [0, 2, 3, 4, 6]),
}


def text_dedup(texts: list[str], n: int, english: bool) -> Callable[[float], Iterator[tuple[int, int]]]:
    from peer_text_dedup import signed

    return signed(texts, n, english, PERM)


SIGNED: dict[str, Callable[..., Callable[[float], Iterator[tuple[int, int]]]]] = {"text_dedup": text_dedup}
"""Peers whose signatures serve every threshold."""


def settings(english: bool) -> tuple[int, ...]:
    """Words or characters of a shingle."""
    return (2, 4) if english else (3, 5)


def every(name: str, texts: list[str], english: bool) -> Iterator[dict]:
    for n in settings(english):
        if name in SCORED:
            found = list(SCORED[name](texts, n, english))
            for at in STEPS:
                yield {"n": n, "at": at, "pairs": [(i, j) for i, j, score in found if score >= at]}
        elif name in SIGNED:
            found_at = SIGNED[name](texts, n, english)
            for at in STEPS:
                yield {"n": n, "at": at, "pairs": list(found_at(at))}
        else:
            run, values = EACH[name]
            for at in values:
                yield {"n": n, "at": at, "pairs": list(run(texts, n, english, at))}


def memory_mb(what: str) -> float:
    """Memory of this process: "VmRSS" now, "VmHWM" the most. What `resource` tells may be the parent's."""
    with Path("/proc/self/status").open(encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(f"{what}:")) * 1.024e-3


def main() -> None:
    step, name, path, language = sys.argv[1:5]
    english = language == "english"
    with Path(path).open(encoding="utf-8") as file:
        texts = [json.loads(line) for line in file]
    if step == "pairs":
        with Path(sys.argv[5]).open("w", encoding="utf-8") as out:
            stock = language == "stock"
            for one in [{"pairs": list(STOCK[name](texts))}] if stock else every(name, texts, english):
                out.write(json.dumps(one) + "\n")
        return
    asked, before = json.loads(sys.argv[5]), memory_mb("VmRSS")
    start, used = time.perf_counter(), time.process_time()
    if language == "stock":
        count = sum(1 for _ in STOCK[name](texts))
    elif name in SCORED:
        count = sum(score >= asked["at"] for _, _, score in SCORED[name](texts, asked["n"], english))
    elif name in SIGNED:
        count = sum(1 for _ in SIGNED[name](texts, asked["n"], english)(asked["at"]))
    else:
        count = sum(1 for _ in EACH[name][0](texts, asked["n"], english, asked["at"]))
    seconds, cpu = time.perf_counter() - start, time.process_time() - used
    peak = memory_mb("VmHWM")
    told = {"seconds": seconds, "cpu": cpu, "peak_mb": peak, "pairs": count, "index_mb": peak - before}
    print(json.dumps(told))


if __name__ == "__main__":
    main()
