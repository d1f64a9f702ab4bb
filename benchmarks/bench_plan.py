"""How near `--plan` comes to the run: seconds, processor seconds, memory and files of ten corpora that differ in their copies.

Covers: `quchong dedup FILE --plan` and `quchong dedup FILE -o RUN`, in processes of their own, without measured recall (a plan leaves it
out). Compared against: what the run's stages took; private memory; bytes of mapped files. Every corpus is made from one seed.
Run: `python benchmarks/bench_plan.py --work FOLDER [--only NAME ...] [--scale 0.5]`. On a shared machine only processor seconds are
comparable.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from quchong_lab.short_text.posts import edited

SEED = 20261127
HAN = [chr(0x4E00 + i) for i in range(4000)]
SAMPLE = Path(__file__).resolve().parents[1] / "examples" / "news.jsonl"


def words(chinese: bool) -> list[str]:
    """Return the words of the sample: pairs of Chinese characters that follow each other, or English words."""
    texts = [json.loads(line)["text"] for line in SAMPLE.read_text("utf-8").splitlines()]
    found = re.findall(
        r"(?<![\u4e00-\u9fff])[\u4e00-\u9fff]{2,4}|[0-9.]+" if chinese else r"[A-Za-z']+|[0-9.]+", " ".join(texts)
    )
    return sorted(set(found))


def article(r: random.Random, known: list[str], chinese: bool, length: int) -> str:
    """Return an article of so many words, with a stop behind about twelve."""
    join, stop = ("", "。") if chinese else (" ", ". ")
    chosen = r.choices(known, k=length)
    return stop.join(join.join(chosen[i : i + 12]) for i in range(0, length, 12))


def articles(r: random.Random, n: int, chinese: bool) -> Iterator[str]:
    """Articles of which a third are copies of others, in any order: a word or five changed, or a part of them."""
    known = words(chinese)
    texts = [article(r, known, chinese, r.randint(80, 400)) for _ in range(n * 2 // 3)]
    while len(texts) < n:
        one = texts[r.randrange(n * 2 // 3)]
        for _ in range(r.randint(1, 5)):
            at = r.randrange(len(one))
            one = one[:at] + r.choice(known) + one[at + 2 :]
        texts.append(one[len(one) // 3 :] if r.random() < 0.2 else one)
    r.shuffle(texts)
    return iter(texts)


def families(r: random.Random, n: int, size: int, length: int, shuffled: bool) -> Iterator[str]:
    """Families of near-equal texts of random characters."""
    texts = []
    for _ in range(-(-n // size)):
        base = r.choices(HAN, k=length)
        for _ in range(size):
            one = list(base)
            for _ in range(r.randint(1, 6)):
                one[r.randrange(length)] = r.choice(HAN)
            texts.append("".join(one))
    if shuffled:
        r.shuffle(texts)
    return iter(texts[:n])


def random_text(r: random.Random, length: int) -> str:
    """Return a text of random characters."""
    return "".join(r.choices(HAN, k=length))


def boilerplate(r: random.Random, n: int) -> Iterator[str]:
    """Different texts that all begin with the same 40 characters."""
    head = random_text(r, 40)
    return (head + random_text(r, 20) for _ in range(n))


def exact(r: random.Random, n: int) -> Iterator[str]:
    """Texts that each occur ten times, in any order."""
    texts = [random_text(r, 60) for _ in range(n // 10)] * 10
    r.shuffle(texts)
    return iter(texts)


def notices(r: random.Random, n: int) -> Iterator[str]:
    """Records on one template, each with another code."""
    places = [random_text(r, 2) for _ in range(50)]
    return (
        f"您的快递已到达{places[i % 50]}小区南门驿站，取件码{code:08d}，请于今晚九点前领取，逾期将退回寄件人。"
        for i, code in enumerate(r.sample(range(10**8), n))
    )


CORPORA: dict[str, tuple[int, Callable[[random.Random, int], Iterator[str]], list[str]]] = {
    "Chinese articles": (40_000, lambda r, n: articles(r, n, True), []),
    "Chinese articles, --memory 300M": (40_000, lambda r, n: articles(r, n, True), ["--memory", "300M"]),
    "English articles": (40_000, lambda r, n: articles(r, n, False), []),
    "posts": (100_000, lambda _r, n: iter(edited(n, 0.2, SEED).texts.to_pylist()), []),
    "no copies": (60_000, lambda r, n: (random_text(r, 200) for _ in range(n)), []),
    "exact copies": (100_000, exact, []),
    "families of 100, one after the other": (26_000, lambda r, n: families(r, n, 100, 300, False), []),
    "families of 100, in any order": (26_000, lambda r, n: families(r, n, 100, 300, True), []),
    "one family": (8_000, lambda r, n: families(r, n, n, 60, False), []),
    "one boilerplate": (40_000, boilerplate, []),
    "notices on one template": (4_000, notices, []),
}  # fmt: skip


def in_files(process: int) -> int:
    """Return the bytes of the files of work that a process has mapped, removed ones too; 0 if it ended."""
    found = 0
    try:
        for line in Path(f"/proc/{process}/maps").read_text("utf-8").splitlines():
            if ".quchong-" in line:
                start, end = (int(part, 16) for part in line.split(" ", 1)[0].split("-"))
                found += end - start
    except OSError:
        return 0
    return found


def measure(arguments: list[str]) -> tuple[str, float, int]:
    """Run the command; return what it printed, its processor seconds, and the most bytes of temporary files at one time."""
    child = "import os, sys; from quchong.cli.main import main\ntry: main()\nfinally: print('cpu', sum(os.times()[:2]), file=sys.stderr)"
    done = subprocess.Popen(
        [sys.executable, "-c", child, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    most, over = 0, threading.Event()

    def look() -> None:
        nonlocal most
        while not over.wait(0.05):
            most = max(most, in_files(done.pid))

    watcher = threading.Thread(target=look)
    watcher.start()
    out, errors = done.communicate()
    over.set()
    watcher.join()
    if done.returncode:
        raise SystemExit(errors)
    return out, float(errors.split()[-1]), most


def row_of(name: str, work: Path, scale: float) -> dict[str, Any]:
    """Make a corpus, run the plan and the run; return what was told and what was measured."""
    count, make, options = CORPORA[name]
    count = int(count * scale)
    path, out = work / "corpus.jsonl", work / "run"
    rows = make(random.Random(SEED), count)
    path.write_text(
        "".join(json.dumps({"id": i, "text": text}, ensure_ascii=False) + "\n" for i, text in enumerate(rows)), "utf-8"
    )
    given = ["dedup", str(path), "--recall-sample", "0", *options]
    plan, cost, _ = measure([*given, "--plan", "--json"])
    start = time.perf_counter()
    _, _, files = measure([*given, "-o", str(out), "--overwrite", "-q"])
    whole = time.perf_counter() - start
    run, told = json.loads((out / "run.json").read_text("utf-8")), json.loads(plan)
    folder = sum(one.stat().st_size for one in out.rglob("*"))
    return {
        "corpus": name, "documents": count, "candidates": run["counts"]["candidates"], "plan_cpu": cost, "wall": whole,
        "cpu": (told["cpu_seconds"], sum(run["cpu_seconds"].values())), "seconds": (told["seconds"], sum(run["seconds"].values())),
        "memory": (told["memory"], run["peak_private_bytes"]), "output": (told["output"], folder),
        "files": (told["files"], files), "mapped": sum(run["spilled_bytes"].values()), "stages": run["cpu_seconds"],
    }  # fmt: skip


def pair(told: float, took: float, unit: float = 1.0) -> str:
    """Return told, measured and their ratio."""
    return f"{told / unit:,.1f} · {took / unit:,.1f}" + (f" ({told / took:.2f})" if took and told else "")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--work", type=Path, required=True, help="a folder for the corpus and the run")
    asked.add_argument("--only", nargs="+", choices=CORPORA, default=list(CORPORA))
    asked.add_argument("--scale", type=float, default=1.0, help="factor for the number of documents")
    asked.add_argument("--json", action="store_true", help="one JSON line for each corpus, with the run's stages")
    given = asked.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    head = (
        "corpus",
        "documents",
        "pairs each",
        "plan, CPU s",
        "CPU s",
        "seconds",
        "memory, MB",
        "run folder, MB",
        "files, MB",
    )
    if not given.json:
        print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for name in given.only:
        row = row_of(name, given.work, given.scale)
        cells = [
            name, f"{row['documents']:,}", f"{row['candidates'] / row['documents']:.1f}", f"{row['plan_cpu']:.1f}", pair(*row["cpu"]),
            pair(*row["seconds"]), pair(*row["memory"], 1e6), pair(*row["output"], 1e6), pair(*row["files"], 1e6),
        ]  # fmt: skip
        print(json.dumps(row) if given.json else "| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
