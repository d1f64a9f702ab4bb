"""Time line of a cluster, as `quchong chains` finds it: the order of its documents, their sources, and their changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.errors import QuchongError
from quchong.kernels.graph import components
from quchong.results.chains import chains_of
from quchong.tables import CHAINS
from quchong.views.subject import Subject

PAIRS = 100_000
"""Maximum number of pairs from which chains are made.

All pairs of a run are used if there are no more, else those of the connected components of the biggest clusters.
"""


@dataclass(frozen=True, slots=True)
class Step:
    """One document on the time line.

    Attributes:
        document: its row in the table of documents.
        origin: the document that is most likely its source; None if it has none, or if chains were not made.
        row: row of `quchong.tables.CHAINS`, empty if chains were not made.
        second: the second likely source; None without one.
        parts: the documents of which a roundup or digest was made.
    """

    document: int
    origin: int | None = None
    row: Mapping[str, Any] = field(default_factory=dict)
    second: int | None = None
    parts: tuple[int, ...] = ()


def chronologies(subject: Subject, clusters: Sequence[tuple[int, Sequence[int]]]) -> list[list[Step]]:
    """Return the time line of each cluster.

    A time line consists of all chains that contain documents of the cluster, with near-copies that were kept because
    a fact differs. If chains were not made (at most `PAIRS` pairs are used), it lists the documents of the cluster by
    their times.

    Args:
        clusters: survivor and removed documents of each cluster, the biggest first.

    Deterministic. Cost: that of `Result.chains` on the pairs used.
    """
    table = known_chains(subject, clusters)
    # chains by the place of their first document; a series may begin with the same one
    rows: dict[tuple[int, bool], list[Step]] = {}
    chain_of: dict[int, list[tuple[int, bool]]] = {}
    places = {name: subject.places(table[name]).tolist() for name in ("chain_id", "id", "source_id", "runner_up_id")}
    told = table.select([n for n in table.column_names if n not in ("changes", *places)]).to_pylist()
    part = iter(subject.places(one for row in told for one in row["parts"]).tolist())
    for chain, document, *sources, row in zip(*places.values(), told, strict=True):
        origin, second = (None if one < 0 else one for one in sources)
        parts = tuple(islice(part, len(row["parts"])))
        key = chain, row["role"] == "series"
        rows.setdefault(key, []).append(Step(document, origin, row, second, parts))
        chain_of.setdefault(document, []).append(key)
    out = []
    for survivor, members in clusters:
        some = [survivor, *members]
        here = dict.fromkeys(
            chain for one in some for chain in sorted(chain_of.get(one, ()), key=lambda key: key[1])[:1]
        )
        steps = {
            step.document: step for chain in reversed(here) for step in rows[chain]
        }  # the survivor's own chain counts
        ordered = _together([rows[chain] for chain in here], steps, subject.seconds)
        if not all(one in steps for one in some):
            ordered = in_order(some, subject.seconds)
        out.append(ordered)
    return out


def _together(chains: Sequence[Sequence[Step]], steps: Mapping[int, Step], seconds: np.ndarray) -> list[Step]:
    """Return the steps of several chains merged in order of time; a document without time follows its predecessor."""
    keyed: list[tuple[float, Step]] = []
    for chain in chains:
        latest = -np.inf
        for step in chain:
            published = step.row.get("published")  # the date of the address, where the time contradicts it
            time = float(seconds[step.document]) if published is None else published.replace(tzinfo=UTC).timestamp()
            latest = latest if np.isnan(time) else max(latest, time)
            if steps[step.document] is step:
                keyed.append((latest, step))
    return [step for _, step in sorted(keyed, key=lambda one: one[0])]


def in_order(members: Sequence[int], seconds: np.ndarray) -> list[Step]:
    """Return steps for the documents of a cluster, earliest first; documents without a time last, in the order given.

    Args:
        members: row indices of the documents.
        seconds: the time of every document of the run, NaN without one.
    """
    known = np.isfinite(seconds)
    order = sorted(
        range(len(members)), key=lambda k: (not known[members[k]], seconds[members[k]] if known[members[k]] else 0, k)
    )
    return [Step(members[k]) for k in order]


def known_chains(subject: Subject, clusters: Sequence[tuple[int, Sequence[int]]]) -> pa.Table:
    """Return the table CHAINS for all pairs, or for as many whole connected components as are affordable."""
    if subject.known_chains is not None:
        return subject.known_chains
    pairs = subject.tables["pairs"]
    if len(pairs) > PAIRS:
        left, right = subject.paired
        group = components(len(subject.ids), left, right)
        many = np.bincount(group[left], minlength=len(group))
        room, taken = PAIRS, np.zeros(len(group), bool)
        for at in dict.fromkeys(int(group[survivor]) for survivor, _ in clusters):
            if many[at] <= room:
                room -= int(many[at])
                taken[at] = True
        pairs = pairs.filter(pa.array(taken[group[left]]))
    try:
        subject.known_chains = chains_of(subject.run, subject.run.examined(pairs))
    except QuchongError:  # a column of structs for the time, say
        subject.known_chains = CHAINS.empty_table()
    return subject.known_chains
