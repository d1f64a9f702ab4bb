"""Floors of tests/quality/test_template_families.py: what the default method loses and leaves of small families and reverse clusters."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from corpora import Row, family_rows, reverse_rows, together
from families import FAMILIES
from families.reverse import REVERSE
from page_tables import PRESENT, goal
from removals import Removals
from scoring import Score, score, summed

FLOORS = Path(__file__).resolve().parents[2] / "tests/quality/template_floors.json"
DRAWS = {3: 6, 10: 2}
"""Small families: records, and corpora drawn."""
SIZE = 100
Counts = dict[str, dict[str, list[int]]]
"""Part and size -> family -> [records lost, copies present, records, surplus copies]."""


def corpora() -> Iterator[tuple[str, list[Row]]]:
    """Yield the corpora that floors are of, each with the part it belongs to."""
    for size, draws in DRAWS.items():
        for draw in range(draws):
            yield f"small-{size}", together([family_rows(name, size, draw) for name in FAMILIES], draw)
    for name in FAMILIES:
        yield f"families-{SIZE}", family_rows(name, SIZE)
    for name in REVERSE:
        yield f"reverse-{SIZE}", reverse_rows(name, SIZE)


def removals_of(rows: list[Row]) -> Removals:
    """Return what quchong removes by default."""
    import quchong

    ledger = quchong.dedup([{"id": row["id"], "text": row["text"]} for row in rows], recall_sample=0).ledger
    return dict(zip(ledger["id"].to_pylist(), ledger["survivor_id"].to_pylist(), strict=True))


def measured() -> Counts:
    """Return the counts of today. It takes about a minute."""
    scores: dict[str, dict[str, list[Score]]] = defaultdict(lambda: defaultdict(list))
    for part, rows in corpora():
        for one in score(rows, removals_of(rows)):
            scores[part][one.family].append(one)
    return {part: {name: _counts(families[name]) for name in sorted(families)} for part, families in scores.items()}


def _counts(scores: list[Score]) -> list[int]:
    total = summed("", "", scores)
    return [total.lost, total.present, total.records, total.surplus]


def missed(counts: Counts) -> list[str]:
    """Return the goals that families do not reach, by part and half: mean shares over families, as the page has them."""
    found = []
    for part, families in counts.items():
        if part.startswith("reverse"):
            continue  # they have floors, and no goal beyond them
        for half in ("tune", "report"):
            mine = [one for name, one in families.items() if FAMILIES[name].half == half]
            lost = sum(a / records for a, _, records, _ in mine) / len(mine)
            present = sum(b / surplus for _, b, _, surplus in mine) / len(mine)
            found += [f"{part} {half}: lost"] * (lost > goal(part.rsplit("-", 1)[1]))
            found += [f"{part} {half}: present"] * (present > PRESENT)
    return found


def read_floors() -> dict[str, object]:
    """Return what is pinned: `counts` and `missed`."""
    found: dict[str, object] = json.loads(FLOORS.read_text("utf-8"))
    return found


def pin(*, worse: bool = False) -> int:
    """Measure and write the floors; they become worse only if that is allowed. Return how many families were worse and may not be."""
    new = measured()
    old: Counts = read_floors()["counts"] if FLOORS.exists() else {}  # type: ignore[assignment]
    behind = 0
    for part, families in new.items():
        for name, counts in families.items():
            was = old.get(part, {}).get(name)
            if was and was[2:] == counts[2:] and not worse and (counts[0] > was[0] or counts[1] > was[1]):
                behind += 1
                print(f"worse than pinned: {part} {name}, {counts[:2]} after {was[:2]}")
    if behind:
        print("nothing written")
        return behind
    parts = [
        f" {json.dumps(part)}: {{\n"
        + ",\n".join(f"  {json.dumps(name)}: {json.dumps(one)}" for name, one in families.items())
        + "\n }"
        for part, families in new.items()
    ]
    FLOORS.write_text(
        '{"counts": {\n' + ",\n".join(parts) + '\n},\n"missed": ' + json.dumps(missed(new), indent=1) + "}\n", "utf-8"
    )
    print(f"wrote {FLOORS.name}; goals missed: {', '.join(missed(new)) or 'none'}")
    return 0
