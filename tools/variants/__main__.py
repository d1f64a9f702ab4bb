"""Holds every method to one answer, whatever the order, the files, the formats, the workers and the machine's settings.

    python tools/variants                                200 variants over all methods
    python tools/variants --variants 2000 --seed 7       more of them, another draw
    python tools/variants --seed 7 --only 31             one variant again
    python tools/variants --report docs/results/variants.md

Exit code 1 when a variant decided anything else than the corpus as it is.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import _quchong
import corpus
from draw import TOGETHER, Variant, draw, locales

ANSWERS = Path(__file__).with_name("answers.py")


def answers(variants: Sequence[Variant], settings: list[str]) -> list[dict[str, Any]]:
    """What every setting decides on variants of one environment, in a process of its own.

    Raises:
        RuntimeError: with what the process said.
    """
    with tempfile.TemporaryDirectory(prefix="quchong-variants-") as folder:
        jobs = []
        for variant in variants:
            place = Path(folder, str(variant.number))
            place.mkdir()
            paths = [str(path) for path in corpus.write(variant, place)]
            jobs.append({"paths": paths, "workers": variant.workers, "loops": variant.loops, "zone": variant.zone})
        done = subprocess.run([sys.executable, str(ANSWERS)], input=json.dumps({"jobs": jobs, "settings": settings}), text=True,
                              capture_output=True, check=False, env=os.environ | variants[0].environment(), encoding="utf-8")  # fmt: skip
        if done.returncode:
            raise RuntimeError(done.stderr.strip()[-2000:])
        found: list[dict[str, Any]] = json.loads(done.stdout)
        return found


def differing(found: dict[str, Any], right: dict[str, Any]) -> list[str]:
    """Settings and tables that are not as they must be."""
    told = []
    for name, answer in right.items():
        if found[name] != answer:
            told.append(f"{name}: {', '.join(k for k in answer if found[name].get(k) != answer[k])}")
    return told


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python tools/variants", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--variants", type=int, default=200, help="how many (default 200)")
    parser.add_argument("--seconds", type=float, help="stop drawing after so long")
    parser.add_argument("--seed", type=int, help="of the draw; printed")
    parser.add_argument("--only", type=int, help="the number of one variant")
    parser.add_argument("--settings", default="", help="only these methods or settings, with semicolons")
    parser.add_argument("--report", type=Path, help="write a page of what was found")
    asked = parser.parse_args()
    seed = asked.seed if asked.seed is not None else random.SystemRandom().randrange(10**6)
    print(f"seed {seed}: the same variants again with --seed {seed}", flush=True)
    settings = [name.strip() for name in asked.settings.split(";") if name.strip()]
    loops, rows = tuple(_quchong.available_loops()), len(corpus.rows())
    begun = time.monotonic()
    [right] = answers([Variant(0)], settings)
    numbers = [asked.only] if asked.only is not None else range(1, asked.variants + 1)
    tried: list[Variant] = []
    wrong: list[tuple[Variant, list[str]]] = []
    for first in range(0, len(numbers), TOGETHER):
        if asked.seconds and time.monotonic() - begun > asked.seconds:
            break
        group = [draw(number, seed, rows, loops) for number in numbers[first : first + TOGETHER]]
        try:
            found = [differing(one, right) for one in answers(group, settings)]
        except RuntimeError as error:
            found = [[f"the process ended: {error}"]] * len(group)
        tried += group
        for variant, lines in zip(group, found, strict=True):
            if lines:
                wrong.append((variant, lines))
                print(f"DIFFERS  {variant}\n         " + "\n         ".join(lines))
                print(f"         again: python tools/variants --seed {seed} --only {variant.number}", flush=True)
    seconds = time.monotonic() - begun
    told = f"{len(tried)} variants of {rows} documents, {len(right)} settings each, in {seconds:.0f} s, seed {seed}; {len(wrong)} differ"
    print(told)
    if asked.report:
        report(asked.report, told, tried, right, wrong, loops)
    return int(bool(wrong))


def report(
    path: Path,
    told: str,
    tried: list[Variant],
    right: dict[str, Any],
    wrong: list[tuple[Variant, list[str]]],
    loops: tuple[str, ...],
) -> None:
    """A page in Markdown."""
    from answers import EXCLUDED

    formats = Counter(kind for variant in tried for kind in variant.formats)
    lines = [
        "# One answer for all variants", "",
        f"Written by `python tools/variants --report ...` on {datetime.datetime.now(datetime.UTC).date()}.", "",
        told + ".", "", "Byte for byte: ledger, pairs, clusters, documents by id (without file and row). As sets: rows kept and removed. "
        "Equal: measured recall.", "", "| drawn | values |", "|---|---|",
        f"| instruction set | {', '.join(loops)} |", f"| locale | {', '.join(locales())} |",
        f"| time zone | {', '.join(sorted({v.zone for v in tried}))} |",
        f"| workers | {', '.join(f'{k}: {n}' for k, n in sorted(Counter(v.workers for v in tried).items()))} |",
        f"| files | {', '.join(f'{k}: {n}' for k, n in sorted(Counter(len(v.formats) for v in tried).items()))} |",
        f"| formats | {', '.join(f'{k}: {n}' for k, n in sorted(formats.items()))} |", "",
        "Not drawn: " + "; ".join(EXCLUDED) + ".", "", "| setting | pairs listed | variants that differ |", "|---|---|---|",
    ]  # fmt: skip
    for name, answer in right.items():
        differs = sum(any(line.startswith(f"{name}:") for line in found) for _, found in wrong)
        lines.append(f"| {name} | {answer.get('pair count', answer.get('refused'))} | {differs} |")
    path.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main())
