"""Every road for short texts on the same posts: what goes rightly, what wrongly, seconds and memory.

Covers: Gao 2014's two stages beside the short-text road. A post is one family with those it was made from (generated
posts) or with those measured to share 0.7 of their character 3-grams (real ones: a JSONL of posts, and one of measured
pairs with a, b, jaccard3). Of each family one post should stay. A removal is wrong where nothing of its family stays,
nor, among real posts, anything connected to it by a measured pair of any kind (3-gram Jaccard 0.4, containment 0.8).
Run: see README.md in this folder.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa

METHODS = {
    "Bloom, as printed": "PrintedBloom, 16 bits a text",
    "Bloom, 1e-6": "Bloom filter for use",
    "digit trie": "DigitTrie",
    "digest, SimHash unit": "two-stage",
    "digest, SimHash IDF": "two-stage, IDF weights",
    "short-text": "short-text",
    "hybrid": "the default method",
}


def generated(count: int) -> tuple[pa.Array, np.ndarray, np.ndarray]:
    """Posts, a third edited copies, and exact repeats of a fifth of them."""
    from quchong_lab.short_text.posts import edited

    made = edited(count, 0.3, 11)
    rng = np.random.default_rng(12)
    again = rng.integers(0, count, count // 5)
    order = rng.permutation(count + len(again))
    texts = pa.concat_arrays([made.texts, made.texts.take(pa.array(again))]).take(pa.array(order))
    family = np.concatenate([made.origin, made.origin[again]])[order]
    return texts, family, family


def connected(count: int, pairs: list[tuple[int, int]]) -> np.ndarray:
    """A number for each post, the same for posts that pairs connect."""
    from quchong.kernels.graph import components

    left, right = np.array(pairs, np.int64).reshape(-1, 2).T
    return components(count, left, right)


def measured(posts: Path, pairs: Path) -> tuple[pa.Array, np.ndarray, np.ndarray]:
    """Real posts, families that measured pairs of 0.7 and more make, and those that any measured pair makes."""
    rows = [json.loads(line) for line in posts.read_text("utf-8").split("\n") if line]
    place = {row["id"]: i for i, row in enumerate(rows)}
    near = [json.loads(line) for line in pairs.read_text("utf-8").split("\n") if line]
    close = [(place[p["a"]], place[p["b"]]) for p in near if p["jaccard3"] >= 0.7]
    some = [(place[p["a"]], place[p["b"]]) for p in near]
    texts = pa.array([row["text"] for row in rows], pa.large_string())
    return texts, connected(len(rows), close), connected(len(rows), some)


def removed_by(method: str, texts: pa.Array) -> np.ndarray:
    """Mask of the posts that go."""
    import quchong as qc
    from quchong.filters import Bloom, DigitTrie, PrintedBloom

    filters = {
        "Bloom, as printed": lambda: PrintedBloom(bits=16 * len(texts)),
        "Bloom, 1e-6": lambda: Bloom(capacity=len(texts), error_rate=1e-6),
        "digit trie": DigitTrie,
    }
    if method in filters:
        return filters[method]().seen_before(texts)
    options = {
        "digest, SimHash unit": {"method": "two-stage"},
        "digest, SimHash IDF": {"method": "two-stage", "weights": "idf"},
        "short-text": {"method": "short-text"},
        "hybrid": {},
    }[method]
    table = pa.table({"id": pa.array([f"{i:09d}" for i in range(len(texts))]), "text": texts})
    gone = qc.dedup(table, recall_sample=0, **options).ledger["id"]
    mask = np.zeros(len(texts), bool)
    mask[[int(i) for i in gone.to_pylist()]] = True
    return mask


def score(removed: np.ndarray, family: np.ndarray, wider: np.ndarray) -> dict[str, float]:
    """Removals that leave another of the wider family, of all removals; those that should be and are, of all that should."""
    codes, wide = (np.unique(f, return_inverse=True)[1] for f in (family, wider))
    sizes, kept = np.bincount(codes), np.bincount(codes, weights=~removed)
    wrong = int((np.bincount(wide, weights=~removed) == 0).sum())
    missed, should = int(np.maximum(kept - 1, 0).sum()), int((sizes - 1).sum())
    precision, recall = 1 - wrong / max(int(removed.sum()), 1), 1 - missed / max(should, 1)
    return {
        "removed": int(removed.sum()), "wrong": wrong, "missed": missed, "precision": precision,
        "recall": recall, "f1": 2 * precision * recall / max(precision + recall, 1e-12),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200_000, help="generated posts, before exact repeats are added")
    parser.add_argument("--posts", type=Path, help="real posts (JSONL: id, text) instead")
    parser.add_argument("--pairs", type=Path, help="measured pairs of them (JSONL: a, b, jaccard3)")
    parser.add_argument("--child")
    args = parser.parse_args()
    if args.child:
        texts, family, wider = measured(args.posts, args.pairs) if args.posts else generated(args.count)
        removed_by("hybrid", texts.slice(0, 100))  # imports and tables are not what is compared
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        start = time.perf_counter()
        removed = removed_by(args.child, texts)
        found = {"seconds": time.perf_counter() - start, **score(removed, family, wider)}
        found["memory_mb"] = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1000
        print(json.dumps(found))
        return
    print("| method | removed | wrong | missed | P | R | F1 | seconds | MB |\n|---|---|---|---|---|---|---|---|---|")
    for method in METHODS:
        command = [sys.executable, __file__, *sys.argv[1:], "--child", method]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{method} failed:\n{done.stderr[-2000:]}")
        r = json.loads(done.stdout.splitlines()[-1])
        print(
            f"| {method} | {r['removed']:,} | {r['wrong']:,} | {r['missed']:,} | {r['precision']:.3f} | {r['recall']:.3f} "
            f"| {r['f1']:.3f} | {r['seconds']:.2f} | {r['memory_mb']:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
