"""The sums of a campaign, on the terminal and as a page."""

from __future__ import annotations

import datetime
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from trial import Outcome


def summary(outcomes: Sequence[Outcome], seed: int, seconds: float) -> str:
    """Two lines."""
    stops = [one for one in outcomes if one.fault]
    struck = sum(one.struck for one in stops)
    wrong = sum(bool(one.wrong) for one in outcomes)
    return (
        f"{len(stops)} stops ({struck} struck) and {len(outcomes) - len(stops)} situations in {seconds:.0f} s, seed {seed}\n"
        f"{wrong} after which something was wrong"
    )


def log(path: Path, outcome: Outcome) -> None:
    """Sets an outcome down, for a page over several campaigns."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(outcome), ensure_ascii=False) + "\n")


def logged(paths: Sequence[Path]) -> list[Outcome]:
    """What `log` set down."""
    lines = [json.loads(line) for path in paths for line in path.read_text("utf-8").splitlines()]
    return [Outcome(**line | {"wrong": tuple(line["wrong"])}) for line in lines]


def write(path: Path, outcomes: Sequence[Outcome], drawn: str) -> None:
    """A page in Markdown: stops by case and kind, exit codes, what was wrong."""
    stops = [one for one in outcomes if one.fault]
    kinds = sorted({one.fault for one in stops})
    struck, wrong = sum(one.struck for one in stops), sum(bool(one.wrong) for one in outcomes)
    lines = [
        "# Stopped commands", "",
        f"Written by `python tools/faults --report ...` on {datetime.datetime.now(datetime.UTC).date()}, {drawn}: {len(stops)} stops "
        f"({struck} struck) and {len(outcomes) - len(stops)} situations; {wrong} after which something was wrong.", "",
        "| case | stops | struck | exit codes | wrong |", "|---|---|---|---|---|",
    ]  # fmt: skip
    for case in dict.fromkeys(one.case for one in stops):
        mine = [one for one in stops if one.case == case]
        codes = ", ".join(f"{code}: {n}" for code, n in sorted(Counter(one.code for one in mine).items()))
        lines.append(
            f"| {case} | {len(mine)} | {sum(o.struck for o in mine)} | {codes} | {sum(bool(o.wrong) for o in mine)} |"
        )
    lines += ["", "| kind of stop | stops | struck | wrong |", "|---|---|---|---|"]
    for kind in kinds:
        mine = [one for one in stops if one.fault == kind]
        lines.append(f"| {kind} | {len(mine)} | {sum(o.struck for o in mine)} | {sum(bool(o.wrong) for o in mine)} |")
    others = [one for one in outcomes if not one.fault]
    if others:
        lines += ["", "| situations | tried | exit codes | wrong |", "|---|---|---|---|"]
        for family in dict.fromkeys(one.case.partition("/")[0] for one in others):
            mine = [one for one in others if one.case.partition("/")[0] == family]
            codes = ", ".join(f"{code}: {n}" for code, n in sorted(Counter(one.code for one in mine).items()))
            lines.append(f"| {family} | {len(mine)} | {codes} | {sum(bool(o.wrong) for o in mine)} |")
    if bad := [one for one in outcomes if one.wrong]:
        lines += ["", "## What was wrong", ""]
        lines += [
            f"- `{one.case} {one.fault}@{one.at}`".replace(" @0", "") + f": {'; '.join(one.wrong)}" for one in bad
        ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", "utf-8")
