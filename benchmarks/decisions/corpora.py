"""Corpora with truth: rows of one family, of a reverse cluster, or of several families together.

A row has id, text, family, half, original and copy. Rows with equal `original` are copies of one record, all others are different records.
`copy` says how a copy was made; it is empty for the record itself.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable

from families import FAMILIES
from families.copies import COPIES
from families.frame import Pieces, joined
from families.reverse import REVERSE, half_of, worded

Row = dict[str, str]
COPIED = 0.1
"""Copies made for every record."""
TRIES = 200
"""Draws that may give a known text one after another before a family has no more records."""


def seeded(*what: object) -> random.Random:
    """Return a generator of random numbers that depends on nothing but what is given."""
    return random.Random(hashlib.blake2b("/".join(map(str, what)).encode(), digest_size=8).digest())


def _rows(made: list[tuple[str, int, str]], family: str, half: str, rng: random.Random) -> list[Row]:
    """Return rows in an order of chance, with ids by place. `made` has texts, the number of the record, and the kind of copy."""
    rng.shuffle(made)
    ids = [f"{family}-{i:06d}" for i in range(len(made))]
    original = {number: id_ for (_, number, copy), id_ in zip(made, ids, strict=True) if not copy}
    return [
        {"id": id_, "text": text, "family": family, "half": half, "original": original[number], "copy": copy}
        for (text, number, copy), id_ in zip(made, ids, strict=True)
    ]


def family_rows(name: str, size: int, seed: int = 1) -> list[Row]:
    """Return `size` different records of a family and a tenth as many copies, at least one. All texts are distinct.

    Fewer where the family's lists are exhausted.
    """
    family, rng = FAMILIES[name], seeded("family", name, size, seed)
    records: list[Pieces] = []
    seen: set[str] = set()
    refused = 0
    while len(records) < size and refused < TRIES:
        record = family.record(rng)
        text = joined(record)
        refused = refused + 1 if text in seen else 0
        if not refused:
            seen.add(text)
            records.append(record)
    made = [(joined(record), i, "") for i, record in enumerate(records)]
    wanted = len(records) + max(1, round(COPIED * len(records)))
    while len(made) < wanted:
        number, kind = rng.randrange(len(records)), rng.choice(family.copies)
        text = COPIES[kind](records[number], rng, family.language)
        if text not in seen:
            seen.add(text)
            made.append((text, number, kind))
    return _rows(made, name, family.half, rng)


def reverse_rows(name: str, size: int, seed: int = 1) -> list[Row]:
    """Return `size` rows that are all copies of one text. Texts are distinct, fewer where no more can be made."""
    text, rework = REVERSE[name]
    rng = seeded("reverse", name, size, seed)
    original = worded(text, rng, 0)
    made, seen, refused = [(original, 0, "")], {original}, 0
    while len(made) < size and refused < TRIES:
        copy = rework(text, rng, name[:2])
        refused = refused + 1 if copy in seen else 0
        if not refused:
            seen.add(copy)
            made.append((copy, 0, name.rsplit("_", 1)[1]))
    return _rows(made, name, half_of(name), rng)


def together(corpora: Iterable[list[Row]], seed: int = 1) -> list[Row]:
    """Return the rows of several corpora in an order of chance."""
    rows = [row for corpus in corpora for row in corpus]
    seeded("together", seed).shuffle(rows)
    return rows
