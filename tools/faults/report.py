"""The sums of a campaign, on the terminal and as a page."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Sequence
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


def write(path: Path, outcomes: Sequence[Outcome], seed: int, seconds: float) -> None:
    """A page in Markdown: stops by case and kind, exit codes, what was wrong."""
    stops = [one for one in outcomes if one.fault]
    kinds = sorted({one.fault for one in stops})
    lines = [
        "# Stopped commands", "",
        f"Written by `python tools/faults --seconds {seconds:.0f} --seed {seed} --report ...` on "
        f"{datetime.datetime.now(datetime.UTC).date()}.", "", summary(outcomes, seed, seconds).replace("\n", "; ") + ".", "",
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
        lines += ["", "| situation | exit code | wrong |", "|---|---|---|"]
        lines += [f"| {one.case} | {one.code} | {'; '.join(one.wrong) or 'no'} |" for one in others]
    if bad := [one for one in stops if one.wrong]:
        lines += ["", "## What was wrong", ""]
        lines += [
            f"- `{one.case} {one.fault}@{one.at}` ({one.call.split('/')[0].strip()}): {'; '.join(one.wrong)}"
            for one in bad
        ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", "utf-8")
