"""SimHash beside other tools: signatures and all pairs within 4 of 64 bits, on short Chinese texts made from a seed.

Covers: an Arrow column of texts to signatures (normal form, two-character shingles) and every pair within the distance.
Compared against: gaoya's SimHashStringIndex and the simhash package, on sizes they can finish. Run: see README.md here.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time

import numpy as np

DISTANCE, BLOCKS = 4, 6


def short_texts(n: int, seed: int = 7) -> list[str]:
    """Texts of 20 to 140 of the 3,755 common Han characters (GB 2312, level 1), some more often than others.

    15% are copies with one or two characters replaced, 5% repeats.
    """
    rng = np.random.default_rng(seed)
    common = bytes(b for row in range(0xB0, 0xD8) for cell in range(0xA1, 0xFF) for b in (row, cell))
    han = rng.permutation(np.array([ord(c) for c in common.decode("gb2312", "ignore")], "<u4"))
    length = rng.integers(20, 141, n)
    offsets = np.concatenate([[0], np.cumsum(length)])
    rank = (len(han) * rng.random(int(offsets[-1])) ** 2).astype(np.uint32)  # density falls with the rank
    whole = han[rank].tobytes().decode("utf-32-le")
    texts = [whole[a:b] for a, b in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)]
    kind = rng.random(n)
    source = (rng.random(n) * np.arange(n)).astype(np.int64)
    for i in np.flatnonzero(kind < 0.2).tolist():
        text = texts[int(source[i])]
        for _ in range(0 if kind[i] < 0.05 else int(rng.integers(1, 3))):
            at = int(rng.integers(len(text)))
            text = text[:at] + chr(han[int(rng.integers(len(han)))]) + text[at + 1 :]
        texts[i] = text
    return texts


def ours(texts: list[str]) -> dict[str, float]:
    import pyarrow as pa

    from quchong.candidates import HammingIndex
    from quchong.methods.signatures.two_stage import TwoStage

    column = pa.array(texts, pa.large_string())
    TwoStage().sign(column.slice(0, 10))  # lookup tables are built once per process
    start = time.perf_counter()
    signatures = TwoStage().sign(column)
    signed = time.perf_counter()
    pairs = HammingIndex(64, DISTANCE).pairs(signatures)
    done = time.perf_counter()
    return {"seconds": done - start, "sign": signed - start, "pairs_seconds": done - signed, "pairs": len(pairs.left)}


def gaoya(texts: list[str]) -> dict[str, float]:
    from gaoya.simhash import SimHashStringIndex

    start = time.perf_counter()
    index = SimHashStringIndex(64, BLOCKS, DISTANCE, "char", False, (2, 2))
    for i, text in enumerate(texts):
        index.insert_document(i, text)
    signed = time.perf_counter()
    found = index.par_bulk_query(texts)
    done = time.perf_counter()
    return {
        "seconds": done - start,
        "sign": signed - start,
        "pairs_seconds": done - signed,
        "pairs": (sum(map(len, found)) - len(texts)) // 2,
    }


def simhash(texts: list[str]) -> dict[str, float]:
    from simhash import Simhash, SimhashIndex

    start = time.perf_counter()
    signed = [(str(i), Simhash([t[k : k + 2] for k in range(len(t) - 1)])) for i, t in enumerate(texts)]
    middle = time.perf_counter()
    index = SimhashIndex(signed, k=DISTANCE)
    found = [index.get_near_dups(s) for _, s in signed]
    done = time.perf_counter()
    return {
        "seconds": done - start,
        "sign": middle - start,
        "pairs_seconds": done - middle,
        "pairs": (sum(map(len, found)) - len(texts)) // 2,
    }


SYSTEMS = {"quchong": ours, "gaoya": gaoya, "simhash": simhash}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", default=sys.executable, help="a Python that has the peers and NumPy")
    parser.add_argument("--sizes", default="20000,100000,1000000")
    parser.add_argument("--gaoya-to", type=int, default=100_000, help="largest size gaoya is given")
    parser.add_argument("--simhash-to", type=int, default=20_000, help="largest size the simhash package is given")
    parser.add_argument("--reps", type=int, default=3)
    parser.add_argument("--child")
    parser.add_argument("--size", type=int)
    args = parser.parse_args()
    if args.child:
        got = SYSTEMS[args.child](short_texts(args.size))
        got["rss_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
        print(json.dumps(got))
        return
    limit = {"quchong": None, "gaoya": args.gaoya_to, "simhash": args.simhash_to}
    runs: dict[tuple[int, str], list[dict[str, float]]] = {}
    for _ in range(args.reps):  # in turn, so that a busy minute of the machine hits all alike
        for size in map(int, args.sizes.split(",")):
            for name, most in limit.items():
                if most is not None and size > most:
                    continue
                python = sys.executable if name == "quchong" else args.peers
                command = [python, __file__, "--child", name, "--size", str(size)]
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                if done.returncode:
                    sys.exit(f"{name} failed:\n{done.stderr[-2000:]}")
                runs.setdefault((size, name), []).append(json.loads(done.stdout.splitlines()[-1]))
                print(f"{size} {name}: {runs[size, name][-1]['seconds']:.3f} s", file=sys.stderr, flush=True)
    print("| texts | system | signatures/s | seconds, median | spread | pairs | peak MB | quchong is faster by |")
    print("|---|---|---|---|---|---|---|---|")
    for (size, name), got in runs.items():
        seconds = [r["seconds"] for r in got]
        middle = statistics.median(seconds)
        own = statistics.median(r["seconds"] for r in runs[size, "quchong"])
        rate = size / statistics.median(r["sign"] for r in got)
        print(
            f"| {size:,} | {name} | {rate:,.0f} | {middle:.3f} | {max(seconds) / min(seconds):.2f} "
            f"| {got[0]['pairs']:,.0f} | {max(r['rss_mb'] for r in got):,.0f} | {middle / own:.0f} |"
        )


if __name__ == "__main__":
    main()
