"""Copies of source code with one kind of edit each, and modules that are no copies: what `--tokens code` finds and what it leaves.

    python benchmarks/bench_code_copies.py [--modules 400] [--json]

The corpus is the standard library of the Python that runs this: real code that is there everywhere. Of every module that is long enough one
copy is made by one edit; the modules themselves are the negatives, of which the pairs above the thresholds are printed to be read. Edits:

    spaces    white space and line ends otherwise
    comments  comments and documentation left out
    licence   another comment at the beginning
    names     every fifth name exchanged, the same everywhere
    moved     functions at the left margin in another order
    part      the first half, up to a line that begins at the left margin
    operator  one < is a >, or one + a -: a variant, both are kept
    number    one number is another: a variant
"""

from __future__ import annotations

import argparse
import io
import json
import keyword
import random
import re
import sys
import sysconfig
import time
import tokenize
from pathlib import Path

import quchong as qc
from quchong.text.comments import comments

LEAST = 1_500
"""Characters of the shortest module that is taken."""


def modules(most: int) -> dict[str, str]:
    """Return texts of modules of the standard library by path, the first by the order of their paths, without tests."""
    root = Path(sysconfig.get_paths()["stdlib"])
    out: dict[str, str] = {}
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root).as_posix()
        if re.search(r"(^|/)(test|tests|idlelib|lib2to3|site-packages|__pycache__|ensurepip)/", name):
            continue
        text = path.read_text("utf-8", errors="replace")
        if len(text) >= LEAST:
            out[name] = text
        if len(out) == most:
            break
    return out


def respaced(text: str, draw: random.Random) -> str:
    """Return code indented by tabs, with fewer blank lines."""
    tabs = re.sub(r"(?m)^( +)", lambda found: "\t" * (len(found[1]) // 4) + " " * (len(found[1]) % 4), text)
    return tabs.replace("\n\n", "\n")


def uncommented(text: str, draw: random.Random) -> str:
    """Return code without comments and documentation."""
    for a, b in reversed(comments(text)):
        text = text[:a] + text[b:]
    return text


def licensed(text: str, draw: random.Random) -> str:
    """Return code with another comment before it."""
    return "# Copyright 2026 The authors of another project.\n# Licensed under the terms of their licence.\n\n" + text


def renamed(text: str, draw: random.Random) -> str:
    """Return code with every fifth name exchanged for a made one."""
    names = sorted({t.string for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type == tokenize.NAME})
    own = [name for name in names if not keyword.iskeyword(name) and len(name) > 2]
    chosen = {name: f"name_{k}" for k, name in enumerate(draw.sample(own, len(own) // 5))}
    return re.sub(r"[A-Za-z_]\w*", lambda found: chosen.get(found[0], found[0]), text)


def moved(text: str, draw: random.Random) -> str:
    """Return code with its functions and classes in another order."""
    first, *rest = re.split(r"(?m)^(?=def |class )", text)
    draw.shuffle(rest)
    return first + "".join(rest)


def part(text: str, draw: random.Random) -> str:
    """Return the first half of code, up to a function or class; all of it if none begins near the middle."""
    starts = (found.start() for found in re.finditer(r"(?m)^(?=def |class )", text))
    near = [at for at in starts if 0.4 * len(text) < at < 0.7 * len(text)]
    return text[: near[0]] if near else text


def other_operator(text: str, draw: random.Random) -> str:
    """Return code with one operator exchanged; the same code if it has none."""
    places = [found.start() for found in re.finditer(r"(?<= )[<+](?= )", text)]
    at = draw.choice(places) if places else len(text)
    return text[:at] + {"<": ">", "+": "-"}.get(text[at : at + 1], "") + text[at + 1 :]


def other_number(text: str, draw: random.Random) -> str:
    """Return code with one number exchanged; the same code if it has none."""
    found = list(re.finditer(r"(?<=[ =(,])\d{1,4}(?=[,)\n:])", text))
    if not found:
        return text
    one = draw.choice(found)
    return text[: one.start()] + str(int(one[0]) + draw.randint(1, 9)) + text[one.end() :]


EDITS = {
    "spaces": respaced, "comments": uncommented, "licence": licensed, "names": renamed, "moved": moved, "part": part,
    "operator": other_operator, "number": other_number,
}  # fmt: skip


def main() -> None:
    """Prints what becomes of the copies of each kind, under three kinds of tokens."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--modules", type=int, default=400)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    given = modules(args.modules)
    draw = random.Random(7)
    made: dict[str, tuple[str, str, str]] = {}
    for number, (name, text) in enumerate(given.items()):
        how = list(EDITS)[number % len(EDITS)]
        copy = EDITS[how](text, draw)
        if copy != text:
            made[f"{how}:{name}"] = (how, name, copy)
    rows = [{"id": name, "text": text} for name, text in given.items()]
    rows += [{"id": id, "text": copy} for id, (_, _, copy) in made.items()]
    out = {}
    for label, options in {
        "auto": {},
        "code": {"tokens": "code"},
        "code, comments and licences stripped": {"tokens": "code", "strip": "comments,licences"},
    }.items():
        start = time.perf_counter()
        result = qc.dedup(rows, recall_sample=0, **options)
        seconds = time.perf_counter() - start
        gone = set(result.ledger["id"].to_pylist())
        pairs = {frozenset((p["left_id"], p["right_id"])): p["relation"] for p in result.pairs.to_pylist()}
        table = {}
        for how in EDITS:
            some = [(id, name) for id, (kind, name, _) in made.items() if kind == how]
            met = [pairs.get(frozenset(one)) for one in some]
            table[how] = {
                "copies": len(some),
                "found": sum(m not in (None, "partial") for m in met),
                "removed": sum(bool({id, name} & gone) for id, name in some),
                "relations": {relation: met.count(relation) for relation in sorted(set(filter(None, met)))},
            }
        originals = [
            sorted(p) for p, r in pairs.items() if not any(":" in id for id in p) and r not in ("partial", "variant")
        ]
        out[label] = {"seconds": round(seconds, 2), "kinds": table, "pairs of modules": sorted(originals)}
    if args.json:
        json.dump(out, sys.stdout, indent=1)
        return
    for label, told in out.items():
        print(f"\n{label}: {len(rows)} texts, {told['seconds']} s")
        for how, row in told["kinds"].items():
            print(
                f"  {how:<9} {row['copies']:>4} copies  {row['found']:>4} found  {row['removed']:>4} removed  {row['relations']}"
            )
        others = [pair for pair in told["pairs of modules"] if not all(name.startswith("encodings/") for name in pair)]
        tables = len(told["pairs of modules"]) - len(others)
        print(f"  modules that are called copies: {tables} pairs of tables in encodings/, else {others}")


if __name__ == "__main__":
    main()
