"""How every method grows on corpora made to hurt: CPU seconds and memory at four sizes, each twice the one before.

Each (shape, method) is a process of its own. A method that claims linear cost grows by at most n^1.2 of the bytes of text
at the last doubling; one that says otherwise is bounded and raises an alarm. Prints one JSON line a run.

    python benchmarks/bench_adversarial.py --out runs.jsonl            # every shape and method, about an hour of CPU
    python benchmarks/bench_adversarial.py --out runs.jsonl --methods hybrid,minhash --shapes family,prefixes
    python benchmarks/bench_adversarial.py --report runs.jsonl > tables.md

One large case, once, from a file of JSON lines:

    python benchmarks/bench_adversarial.py --out big.jsonl --shapes boilerplate --methods hybrid --first 100000 --sizes 1 --limit 600 --file
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Row = dict[str, str]
HAN = "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经"
SENTENCES = 40
BOILERPLATE = 300
SIZES = 4
LIMIT = 30
"""CPU seconds a process, all sizes of one method on one shape, may take; then it is ended and told so."""


def _han(r: random.Random, n: int) -> str:
    return "".join(r.choices(HAN, k=n))


def _row(i: int, text: str, id_: str | None = None) -> Row:
    return {
        "id": id_ or f"d{i:07d}",
        "text": text,
        "title": text[:12],
        "url": f"http://site{i % 7}.example/p/{i}",
        "site": f"site{i % 7}.example",
    }


def family(n: int) -> list[Row]:
    """Near-equal posts of about 60 characters: one text with one to four characters replaced."""
    r = random.Random(1)
    base = _han(r, 60)
    rows = []
    for i in range(n):
        text = list(base)
        for _ in range(r.randint(1, 4)):
            text[r.randrange(60)] = r.choice(HAN)
        rows.append(_row(i, "".join(text)))
    return rows


def one_character(n: int) -> list[Row]:
    """One character, written 1, 2, 3, ... up to 2,000 times."""
    return [_row(i, "哈" * (1 + i % 2000)) for i in range(n)]


def periods(n: int) -> list[Row]:
    """Texts of 400 characters that repeat a piece of 1 to 50 characters."""
    r = random.Random(2)
    return [_row(i, (_han(r, 1 + i % 50) * 400)[:400]) for i in range(n)]


def boilerplate(n: int) -> list[Row]:
    """Articles of 200 characters, each with the same 300 characters of boilerplate behind it."""
    r = random.Random(3)
    foot = "。".join(_han(r, 24) for _ in range(BOILERPLATE // 25)) + "。"
    return [_row(i, "。\n".join(_han(r, 24) for _ in range(8)) + "。\n" + foot) for i in range(n)]


def prefixes(n: int) -> list[Row]:
    """Beginnings of one long text, each 15 characters longer than the one before."""
    r = random.Random(4)
    whole = "。".join(_han(r, 14) for _ in range(n + 10))
    return [_row(i, whole[: 15 * (i + 10)]) for i in range(n)]


def sentences(n: int) -> list[Row]:
    """Colliding keys: every text is 8 of the same 40 sentences, in any order."""
    r = random.Random(5)
    pool = [_han(r, 20) + "。" for _ in range(SENTENCES)]
    return [_row(i, "".join(r.sample(pool, 8))) for i in range(n)]


def two_letters(n: int) -> list[Row]:
    """Texts of 100 letters from an alphabet of two: every short shingle is everywhere."""
    r = random.Random(6)
    return [_row(i, "".join(r.choices("天地", k=100))) for i in range(n)]


def one_id(n: int) -> list[Row]:
    """Different texts under one id, a tenth of them near copies."""
    r = random.Random(7)
    texts = [_han(r, 80) for _ in range(max(1, n * 9 // 10))]
    texts += [t[:70] + _han(r, 10) for t in texts[: n - len(texts)]]
    return [_row(i, t, "same") for i, t in enumerate(texts)]


def copies(n: int) -> list[Row]:
    """One text, exactly, under n ids."""
    text = _han(random.Random(8), 200)
    return [_row(i, text) for i in range(n)]


def long_text(n: int) -> list[Row]:
    """Two texts of 1,000 n characters: one, and the same with every hundredth sentence replaced."""
    r = random.Random(9)
    body = [_han(r, 19) + "。" for _ in range(50 * n)]
    other = [s if i % 100 else _han(r, 19) + "。" for i, s in enumerate(body)]
    return [_row(0, "".join(body)), _row(1, "".join(other))]


SHAPES: dict[str, tuple[Callable[[int], list[Row]], int]] = {
    "family": (family, 500),
    "one-character": (one_character, 125),
    "periods": (periods, 250),
    "boilerplate": (boilerplate, 500),
    "prefixes": (prefixes, 100),
    "sentences": (sentences, 500),
    "two-letters": (two_letters, 250),
    "one-id": (one_id, 2000),
    "copies": (copies, 2000),
    "long-text": (long_text, 125),
}
"""Shape: how it is made, and its smallest size."""


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def write(shape: str, n: int, path: Path) -> None:
    """The rows of a shape as a file of JSON lines."""
    with path.open("w", encoding="utf-8") as f:
        f.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in SHAPES[shape][0](n))


def measure(shape: str, method: str, first: int, sizes: int = SIZES, file: bool = False) -> Iterator[dict[str, Any]]:
    """Runs one method on one shape at growing sizes, from memory or a file; a line of figures each."""
    import quchong as qc

    make, usual = SHAPES[shape]
    qc.dedup(
        [_row(0, "天气很好，我们去公园。"), _row(1, "天气很好，我们去公园吧。")], method=method
    )  # tables are loaded
    for step in range(sizes):
        n = (first or usual) << step
        with tempfile.TemporaryDirectory() as folder:
            if file:  # made by a process of its own: this one's peak does not hold it
                path = Path(folder) / "rows.jsonl"
                subprocess.run([sys.executable, __file__, "--write", shape, str(n), str(path)], check=True)
                rows: Any = path
                size = path.stat().st_size
            else:
                rows = make(n)
                size = sum(len(r["text"].encode()) for r in rows)
            before, start = _peak(), time.process_time()
            result = qc.dedup(rows, method=method, recall_sample=0)
            seconds = time.process_time() - start
        yield {
            "shape": shape,
            "method": method,
            "n": n,
            "bytes": size,
            "seconds": round(seconds, 3),
            "megabytes": round((_peak() - before) / 1e6, 1),
            "pairs": len(result.pairs),
            "removed": len(result.ledger),
            "alarms": sorted({a["kind"] for a in result.alarms}),
        }
        del result


def run(out: Path, shapes: list[str], methods: list[str], limit: int, *how: Any) -> None:
    """Every (shape, method) that `out` does not hold yet, each in a process of its own, forked before anything has run."""
    import quchong  # noqa: F401  # once, for all

    done = {(r["shape"], r["method"]) for r in read(out)} if out.exists() else set()
    for shape in shapes:
        for method in methods:
            if (shape, method) in done:
                continue
            child = multiprocessing.get_context("fork").Process(target=_bounded, args=(out, limit, shape, method, *how))
            child.start()
            child.join()
            if child.exitcode:
                _add(out, {"shape": shape, "method": method, "ended": child.exitcode, "limit": limit})


def _bounded(out: Path, limit: int, *how: Any) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
    for line in measure(*how):
        _add(out, line)


def _add(out: Path, line: dict[str, Any]) -> None:
    text = json.dumps(line, ensure_ascii=False)
    with out.open("a", encoding="utf-8") as f:
        f.write(text + "\n")
    print(text, flush=True)


def read(path: Path) -> list[dict[str, Any]]:
    """The lines of a file of runs."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def growth(runs: list[dict[str, Any]]) -> float | None:
    """Exponent of the last doubling: by what power of the bytes of text the seconds grew. None below 0.2 s."""
    last = [r for r in runs if r["seconds"] >= 0.2][-2:]
    if len(last) < 2 or last[0]["bytes"] == last[1]["bytes"]:
        return None
    return math.log(last[1]["seconds"] / last[0]["seconds"]) / math.log(last[1]["bytes"] / last[0]["bytes"])


def report(rows: list[dict[str, Any]]) -> str:
    """A table a shape: seconds, growth, memory and pairs of every method."""
    out = []
    for shape, (make, _) in SHAPES.items():
        mine = [r for r in rows if r["shape"] == shape]
        if not mine:
            continue
        sizes = sorted({r["n"] for r in mine if "n" in r})
        out.append(f"## {shape}\n\n{(make.__doc__ or '').strip()}\n")
        out.append("| method | " + " | ".join(f"{n:,}" for n in sizes) + " | growth | MB | pairs | alarms |")
        out.append("|---" * (len(sizes) + 5) + "|")
        for method in dict.fromkeys(r["method"] for r in mine):
            here = [r for r in mine if r["method"] == method and "n" in r]
            ended = [r["limit"] for r in mine if r["method"] == method and "limit" in r]
            late = f"> {ended[0]}" if ended else ""
            if not here:
                out.append(f"| {method} | " + " | ".join(late for _ in sizes) + " | | | | |")
                continue
            seconds = {r["n"]: r["seconds"] for r in here}
            cells = [f"{seconds[n]:.2f}" if n in seconds else late for n in sizes]
            power, last = growth(here), here[-1]
            grew = "" if power is None else f"n^{power:.2f}"
            told = "; ".join(last["alarms"])
            out.append(
                f"| {method} | {' | '.join(cells)} | {grew} | {last['megabytes']:,} | {last['pairs']:,} | {told} |"
            )
        out.append("")
    return "\n".join(out)


def main() -> None:
    """Parses and runs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--shapes", default=",".join(SHAPES))
    parser.add_argument("--methods", default="")
    parser.add_argument("--first", type=int, default=0, help="smallest size, instead of the shape's own")
    parser.add_argument("--sizes", type=int, default=SIZES, help="how many sizes, each twice the one before")
    parser.add_argument("--limit", type=int, default=LIMIT, help="CPU seconds a process may take")
    parser.add_argument("--file", action="store_true", help="the texts are read from a file of JSON lines")
    parser.add_argument("--write", nargs=3, metavar=("SHAPE", "N", "PATH"), help=argparse.SUPPRESS)
    parser.add_argument("--report", type=Path)
    given = parser.parse_args()
    if given.write:
        write(given.write[0], int(given.write[1]), Path(given.write[2]))
    elif given.report:
        print(report(read(given.report)))
    else:
        from quchong.plan.catalogue import METHODS

        run(
            given.out,
            given.shapes.split(","),
            given.methods.split(",") if given.methods else list(METHODS),
            given.limit,
            given.first,
            given.sizes,
            given.file,
        )


if __name__ == "__main__":
    main()
