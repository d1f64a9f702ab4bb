"""Repeated lines and paragraphs: what `dedup --unit` cuts of repeats that were planted, and how fast it is.

Covers: made documents with navigation lines, a licence of three lines, poems with a refrain, code with lines of brackets, short headings,
and lines of their own; by kind the copies that should go and went, and those that should stay and went. With files: seconds by the clock
and of the processor, and the peak of memory, each in a process of its own.
Run: python benchmarks/bench_units.py [--memory 512M] [FILE ...]
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import quchong as qc

NAVIGATION = (
    "首页 新闻 财经 体育 娱乐 更多",
    "Home | News | Business | Sport | Subscribe to us",
    "版权所有，未经许可不得转载",
)
LICENCE = (
    "Permission is granted to copy this text.",
    "It comes without any warranty at all.",
    "See the file named licence for more.",
)
REFRAINS = ("And the river runs on to the sea", "大江东去，浪淘尽英雄")
SHORT = ("}", "广告", "Introduction", "else:", "第一章")
SETTINGS: dict[str, dict[str, Any]] = {
    "line": {}, "paragraph": {"unit": "paragraph"}, "line, in 10 documents": {"unit_common": 10},
    "line, repeats cut": {"unit_repeats": "cut"}, "line, from 1 word": {"unit_words": 1},
}  # fmt: skip


def own_line(draw: random.Random, k: int) -> str:
    """Return a line that no other document has."""
    if k % 2:
        return f"Report {k}-{draw.randrange(10**9)} speaks of {draw.choice(('rain', 'roads', 'ships'))} in the town"
    return f"第{k}号消息说{draw.randrange(10**9)}号街道今天{draw.choice(('下雨', '修路', '停电'))}了"


def document(k: int) -> str:
    """Return the text of a made document, in paragraphs."""
    draw = random.Random(k)
    if k % 20 == 3:  # a poem
        verses = [f"{own_line(draw, k)}\n{own_line(draw, k)}\n{REFRAINS[k % 2]} {k}" for _ in range(3)]
        return "\n\n".join(verses)
    paragraphs = ["\n".join(own_line(draw, k) for _ in range(3)) for _ in range(2)]
    paragraphs.insert(draw.randrange(3), draw.choice(SHORT))
    if k % 2 == 0:
        paragraphs.insert(0, NAVIGATION[k // 2 % 3])
    if k % 5 == 0:
        paragraphs.append("\n".join(LICENCE))
    return "\n\n".join(paragraphs)


def kind_of(line: str) -> str:
    """Return what a line is: navigation, licence, refrain, short or own."""
    if line in NAVIGATION:
        return "navigation"
    if line in LICENCE:
        return "licence"
    if line.startswith(REFRAINS):
        return "refrain"
    return "short" if line in SHORT else "own"


def counted(texts: list[str]) -> Counter[str]:
    """Count the lines of texts by kind."""
    return Counter(kind_of(line) for text in texts for line in text.split("\n") if line)


def quality(documents: int) -> None:
    """Print for each setting the lines of each kind that are left."""
    rows = [{"id": f"d{k:05}", "text": document(k)} for k in range(documents)]
    before = counted([row["text"] for row in rows])
    kinds = ("navigation", "licence", "refrain", "short", "own")
    print(
        f"| lines left of {documents:,} documents | "
        + " | ".join(kinds)
        + " | removed whole |\n|---"
        + "|---:" * 6
        + "|"
    )
    print("| before | " + " | ".join(f"{before[kind]:,}" for kind in kinds) + " | |")
    for name, options in SETTINGS.items():
        found = qc.dedup_units(rows, **options)
        after = counted(found.kept["text"].to_pylist())
        print(f"| {name} | " + " | ".join(f"{after[kind]:,}" for kind in kinds) + f" | {found.counts['removed']:,} |")


def speed(files: list[Path], memory: str | None) -> None:
    """Print seconds and memory of a run over files, in a process of its own, for each unit."""
    size = sum(file.stat().st_size for file in files)
    for unit in ("line", "paragraph"):
        with tempfile.TemporaryDirectory(dir=".") as folder:
            out = Path(folder) / "run"
            command = [sys.executable, "-m", "quchong", "dedup", *map(str, files), "--unit", unit, "-o", str(out), "-q"]
            start = time.perf_counter()
            subprocess.run([*command, *(["--memory", memory] if memory else [])], check=True)
            took = time.perf_counter() - start
            told = json.loads((out / "run.json").read_text(encoding="utf-8"))
        spent, peak = sum(told["cpu_seconds"].values()), told.get("peak_private_bytes", 0) / 1e6
        print(f"{unit}: {size / 1e6:,.0f} MB, {told['counts']['units']:,} units; {took:.1f} s, {spent:.1f} s of the processor, "
              f"{size / 1e6 / spent:.0f} MB a second of it; {peak:,.0f} MB of memory")  # fmt: skip


def main() -> None:
    """Print the table of made repeats, and the speed on files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--documents", type=int, default=2000)
    parser.add_argument("--memory")
    given = parser.parse_args()
    quality(given.documents)
    if given.files:
        speed(given.files, given.memory)


if __name__ == "__main__":
    main()
