"""Covers: facts of every family of statements.txt, with the pairs that must not conflict beside them. Compared against: what they say.

Run: pytest tests/unit/differences/test_pairs_of_statements.py
"""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from quchong.differences import find_differences
from quchong.seam import Documents
from quchong.tables import DIFFERENCES
from quchong.text import form

CHINESE = "{}。请各位居民提前安排好出行，注意安全，听从现场工作人员的引导，共同维护好公共秩序，欢迎前来参与。"
ENGLISH = "{} Residents are asked to plan their trips ahead and to follow the directions of the staff on the spot, so that order is kept."


def families():
    """The lines of the file by family: what is asked, one statement, the other."""
    out = {}
    for line in Path(__file__).with_name("statements.txt").read_text("utf-8").splitlines():
        if line.startswith("#"):
            name = line[2:]
            continue
        pair = tuple(part.strip() for part in line[1:].split(" | "))
        assert line[0] in "!~=" and len(pair) == 2, line
        out.setdefault(name, []).append((line[0], *pair))
    return out


FAMILIES = families()


@pytest.fixture(scope="module")
def told():
    """For each pair the kinds of facts in conflict, in one call for all."""
    pairs = [(one, other) for lines in FAMILIES.values() for _, one, other in lines]
    frames = [ENGLISH if (one + other).isascii() else CHINESE for one, other in pairs]
    sides = [[frame.format(pair[k]) for frame, pair in zip(frames, pairs, strict=True)] for k in (0, 1)]
    n, mask = len(pairs), np.ones(2 * len(pairs), bool)
    documents = Documents.from_texts(pa.array(sides[0] + sides[1], pa.large_string()))
    there, back = np.arange(n), np.arange(n, 2 * n)
    found = find_differences(
        form(), documents, np.concatenate([there, back]), np.concatenate([back, there]), mask, mask, 1
    )
    kinds = [
        {DIFFERENCES[k] for k in found.kind[a:b][found.conflict[a:b]].tolist()}
        for a, b in zip(found.offsets, found.offsets[1:], strict=False)
    ]
    assert kinds[:n] == kinds[n:], "the other way round other facts conflict"
    return dict(zip(pairs, kinds, strict=False))


@pytest.mark.parametrize("family", FAMILIES)
def test_statements_conflict_where_they_say_different_things(told, family):
    wrong = []
    for asked, one, other in FAMILIES[family]:
        kinds = told[one, other]
        stays = bool(kinds - {"term"})
        if {"!": stays, "~": bool(kinds), "=": not stays}[asked] is False:
            wrong.append((asked, one, other, kinds))
    assert not wrong


def test_every_family_has_pairs_that_conflict_and_pairs_that_do_not():
    asked = [line[0] for lines in FAMILIES.values() for line in lines]
    assert asked.count("!") > 300 and asked.count("=") > 120
