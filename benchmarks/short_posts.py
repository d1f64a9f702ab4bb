"""Short posts by the million, made from a seed: what the short-text road costs, and what it finds.

    python benchmarks/short_posts.py                    1,000,000 posts, a family of 100,000 near-equal ones among them
    python benchmarks/short_posts.py --posts 100000 --family 10000 --method hybrid
    python benchmarks/short_posts.py --write posts.parquet     the posts alone: id, text, origin (the post copied)

Words are drawn by Zipf's law from 60,000, made of 3,500 characters of which those common in Chinese are the commonest, so
that bigrams are as unequal as in real posts (no foreign text is needed). Of the posts 60% are new; the others copy one:
forwarded, tagged, with a name or an emoji, or with one to three characters replaced, inserted or left out. Prints seconds,
peak memory and how many copies went.
"""

from __future__ import annotations

import argparse
import resource
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import quchong
from quchong.features.short import COMMON

SEED = 20261122
ENDS = ("[哈哈]", "[怒][怒]", "！！！", "（转发）", "(组图)", " http://t.cn/zHcpATO", " @小明", "。。。")
STARTS = ("转发微博 //@小红:", "回复@小刚:", "#今日话题#", "转：", "【转】", "")


def words(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """60,000 words of one to three characters and their cumulative frequencies."""
    characters = np.array(list(dict.fromkeys([*map(ord, COMMON), *range(0x4E00, 0x4E00 + 3500)])))[:3500]
    weight = 1 / (np.arange(3500) + 10.0)
    drawn = characters[rng.choice(3500, (60_000, 3), p=weight / weight.sum())]
    length = rng.choice((1, 2, 3), 60_000, p=(0.1, 0.75, 0.15))
    made = np.array(["".join(map(chr, row[:n])) for row, n in zip(drawn, length, strict=True)], object)
    return made, np.cumsum(1 / (np.arange(60_000) + 5.0))


def edited(text: str, rng: np.random.Generator) -> str:
    """One to three characters replaced, inserted or left out."""
    out = list(text)
    for _ in range(int(rng.integers(1, 4))):
        at, kind, new = int(rng.integers(len(out))), int(rng.integers(3)), chr(int(rng.integers(0x4E00, 0x4E00 + 3500)))
        out[at : at + (kind != 1)] = [new] if kind < 2 else []
        out = out or [new]
    return "".join(out)


def posts(count: int, family: int) -> tuple[list[str], np.ndarray]:
    """Texts, and for each the number of the one it copies (its own for a new one)."""
    rng = np.random.default_rng(SEED)
    made, frequency = words(rng)
    fresh = int((count - family) * 0.6)
    lengths = np.clip(rng.lognormal(2.3, 0.7, fresh), 2, 80).astype(int)
    drawn = made[np.searchsorted(frequency, rng.random(lengths.sum()) * frequency[-1])]
    ends = np.cumsum(lengths)
    texts = ["".join(drawn[b - n : b]) for b, n in zip(ends.tolist(), lengths.tolist(), strict=True)]
    origin = np.concatenate([np.arange(fresh), rng.integers(0, fresh, count - family - fresh), np.zeros(family, int)])
    texts[0] = "".join(made[rng.choice(60_000, 20)])  # the head of the family
    for i in origin[fresh:].tolist():
        kind, text = rng.random(), texts[i]
        if kind < 0.5:
            text = STARTS[int(rng.integers(len(STARTS)))] + text + ENDS[int(rng.integers(len(ENDS)))]
        texts.append(edited(text, rng) if kind > 0.4 else text)
    order = rng.permutation(count)
    place = np.empty(count, int)
    place[order] = np.arange(count)
    return [texts[i] for i in order], place[origin[order]]


def main() -> None:
    """Reads the arguments, runs, prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--posts", type=int, default=1_000_000)
    parser.add_argument("--family", type=int, default=100_000)
    parser.add_argument("--method", default="short-text")
    parser.add_argument("--write")
    args = parser.parse_args()
    start = time.perf_counter()
    texts, origin = posts(args.posts, args.family)
    table = pa.table(
        {"id": pa.array([f"p{i:08}" for i in range(len(texts))]), "text": pa.array(texts), "origin": origin}
    )
    del texts
    print(f"made {args.posts:,} posts in {time.perf_counter() - start:.1f} s")
    if args.write:
        pq.write_table(table, args.write)
        return
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    result = quchong.dedup(table.select(["id", "text"]), method=args.method, recall_sample=0)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for stage, took in result._outcome.seconds.items():
        print(f"  {stage:<24} {took:6.1f} s")
    print(
        f"{args.method}: {seconds:.1f} s, {args.posts / seconds:,.0f} posts/s, peak {peak >> 10:,} MB ({before >> 10:,} before)"
    )
    print({k: result.counts[k] for k in ("kept", "removed", "removed_by_relation", "candidates", "pairs")})
    for alarm in result._outcome.alarms:
        print(f"  {alarm.message}")


if __name__ == "__main__":
    main()
