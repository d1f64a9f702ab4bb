"""Scores of removals against the truth of a corpus, for each family in it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from removals import Removals


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of rows and records of one family after a tool removed what it does.

    Attributes:
        family: its name.
        half: "tune" or "report".
        rows: rows of the family.
        records: different records among them.
        lost: records of which every row was removed.
        misled: records that have a row which was removed for a row of another record. A record can be misled and not lost.
        untold: rows removed for nobody knows whom, as the tool does not say.
        surplus: rows beyond the first of each record.
        present: surplus rows that are still there.
        clusters: groups of two and more rows connected by removals.
        largest: rows of the largest such group.
    """

    family: str
    half: str
    rows: int
    records: int
    lost: int
    misled: int
    untold: int
    surplus: int
    present: int
    clusters: int
    largest: int

    @property
    def lost_share(self) -> float:
        """Share of different records that were lost, of all of them; 0 if there are none."""
        return self.lost / self.records if self.records else 0.0

    @property
    def misled_share(self) -> float:
        """Share of different records with a row removed for another record."""
        return self.misled / self.records if self.records else 0.0

    @property
    def present_share(self) -> float:
        """Share of surplus copies still present; 0 if there are none."""
        return self.present / self.surplus if self.surplus else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return the counts as JSON has them."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Score:
        """Return the score from what `as_dict` gives, other keys left aside."""
        return cls(**{field.name: values[field.name] for field in fields(cls)})


def score(rows: Sequence[Mapping[str, str]], removals: Removals) -> list[Score]:
    """Return the score of every family of a corpus, in the order of its rows.

    Args:
        rows: rows with id, family, half and original. Rows without a family (of a real corpus the families are mixed into) are not scored.
        removals: what a tool removed. A removal for a row without a family is one for another record.
    """
    original = {row["id"]: row["original"] for row in rows if row.get("family")}
    families: dict[str, list[Mapping[str, str]]] = defaultdict(list)
    for row in rows:
        if row.get("family"):
            families[row["family"]].append(row)
    return [_of_family(name, mine, original, removals) for name, mine in families.items()]


def _of_family(name: str, rows: Sequence[Mapping[str, str]], original: Mapping[str, str], removals: Removals) -> Score:
    all_rows = Counter(row["original"] for row in rows)
    gone = [row for row in rows if row["id"] in removals]
    left = Counter(row["original"] for row in rows if row["id"] not in removals)
    misled = {
        row["original"]
        for row in gone
        if (kept := removals[row["id"]]) is not None and original.get(kept) != row["original"]
    }
    sizes = _clusters([row["id"] for row in gone], removals)
    return Score(
        name, rows[0]["half"], len(rows), len(all_rows), sum(record not in left for record in all_rows), len(misled),
        sum(removals[row["id"]] is None for row in gone), len(rows) - len(all_rows), sum(left.values()) - len(left),
        len(sizes), max(sizes, default=0),
    )  # fmt: skip


def _clusters(removed: Sequence[str], removals: Removals) -> list[int]:
    """Return the sizes of the groups that removals connect. A row whose kept row is unknown belongs to none."""
    survivor = {id_: kept for id_ in removed if (kept := removals[id_]) is not None}

    def last(id_: str) -> str:
        met = {id_}
        while (following := removals.get(id_)) is not None and following not in met:
            met.add(following)
            id_ = following
        return id_

    return [size + 1 for size in Counter(last(id_) for id_ in survivor).values()]


def score_copies(rows: Sequence[Mapping[str, str]], removals: Removals) -> list[Score]:
    """Return a score for each kind of copy: the copies there are, and those still present with another row of their record.

    Counts of records are 0.
    """
    left = Counter(row["original"] for row in rows if row["id"] not in removals)
    copies: dict[str, list[bool]] = defaultdict(list)
    for row in rows:
        if row["copy"]:
            copies[row["copy"]].append(row["id"] not in removals and left[row["original"]] > 1)
    return [Score(kind, "", len(here), 0, 0, 0, 0, len(here), sum(here), 0, 0) for kind, here in copies.items()]


def summed(name: str, half: str, scores: Iterable[Score]) -> Score:
    """Return the counts of several scores together; `largest` is the largest of all."""
    given = list(scores)
    counts = {field.name: sum(getattr(one, field.name) for one in given) for field in fields(Score)[2:]}
    return Score(name, half, **counts | {"largest": max((one.largest for one in given), default=0)})
