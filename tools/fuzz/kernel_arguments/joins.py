"""Arguments of the kernels of joins by keys, and of graphs of pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
from dice import Dice, ragged_of
from twins import graph as ref_graph
from twins import join as ref_join
from twins import postings as ref_postings

from kernel_arguments.call import Call, each_pair, kernel
from quchong import kernels
from quchong.kernels.postings import DocumentSizes, PostingLists


@kernel
def join_keys(d: Dice) -> Call:
    lists = d.bags()
    n = len(lists)
    keys, offsets = ragged_of(lists, np.uint64)
    references, cap, least = d.randint(0, n) if d.random() < 0.4 else 0, d.randint(1, 5), d.randint(1, 3)
    how: dict[str, Any] = {"cap": cap, "min_shared": least, "references": references}
    if d.random() < 0.4:
        sizes, windows = ([d.randint(low, high) for _ in lists] for low, high in ((0, 20), (1, 5)))
        how |= {"size": np.array(sizes, np.uint32), "window": np.array(windows, np.uint32), "share": d.random()}
    if d.random() < 0.3 and not references:
        how |= {"time": np.sort([float(d.randint(0, 9)) for _ in lists]), "within": float(d.randint(0, 5))}
    twin_how = {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in how.items()}

    def right(out: Any) -> bool:
        found = list(zip(out.left.tolist(), out.right.tolist(), out.shared.tolist(), strict=True))
        return found == ref_join.join_keys(lists, **twin_how)

    empty = any(not one for one in lists) and "share" in how
    order = d.choice([None, np.arange(n)])
    more = {
        "most": d.choice([0, 0, 1, 3]),
        "few": d.choice([0, 2]),
        "crowd": d.choice([0, 0, 2]),
        "wave": d.choice([1, 7, 1 << 25]),
    }
    whole = not empty and not more["most"]
    return Call(
        kernels.join.join_keys,
        {"keys": keys, "offsets": offsets, "order": order, **how, **more, "workers": 1},
        right if whole else None,
    )


@kernel
def select_candidates(d: Dice) -> Call:
    n = d.some(6)
    sizes = [
        ref_postings.Sizes(float(d.randint(0, 9)), d.randint(1, 4), float(i // 2), d.randint(0, 1)) for i in range(n)
    ]
    lists = [
        (d.randint(1, 3), [(i, d.randint(1, 3)) for i in range(n) if d.random() < 0.6]) for _ in range(d.randint(0, 8))
    ]
    asking = [d.randint(0, n) for _ in range(d.randint(1, 3))]
    mine = [ref_postings.Sizes(float(d.randint(0, 9)), d.randint(1, 4), float(n), d.randint(0, 1)) for _ in asking]
    cuts = sorted(d.randint(0, len(lists)) for _ in asking[1:])
    own = [0, *cuts, len(lists)]
    how: dict[str, Any] = {
        "rule": d.choice(["keys", "smaller", "jaccard"]), "cap": d.choice([None, 1, 3]), "min_shared": d.randint(1, 2),
        "share": d.choice([0.0, 0.3, 1.0]), "most": d.choice([0, 1, 3]), "few": d.choice([0, 1]), "crowd": d.choice([0, 2]),
        "references": d.randint(0, n), "exact": d.random() < 0.5,
    }  # fmt: skip
    if how["rule"] == "keys" and not how["references"]:
        how["within"] = d.choice([None, 1.0, 3.0])
    long = np.array([len(postings) for _, postings in lists], np.int64)
    lengths = (
        d.choice([None, long]) if all(before == n for before in asking) else None
    )  # whole lists are fronts as well

    def columns(of: list[ref_postings.Sizes]) -> DocumentSizes:
        types = (np.float64, np.uint32, np.float64, np.uint64)
        return DocumentSizes(*(np.array([one[k] for one in of], kind) for k, kind in enumerate(types)))

    def right(out: Any) -> bool:
        found: list[list[tuple[int, int]]] = [[] for _ in asking]
        for document, i, shared in zip(out.document.tolist(), out.asking.tolist(), out.shared.tolist(), strict=True):
            found[i].append((document, shared))
        wanted = [
            ref_postings.select_candidates(lists[own[i] : own[i + 1]], before, mine[i], sizes, **how)
            for i, before in enumerate(asking)
        ]
        return list(zip(found, out.bounded.tolist(), out.crowded.tolist(), strict=True)) == wanted

    flat = [posting for _, postings in lists for posting in postings]
    ends = np.cumsum([0, *(len(postings) for _, postings in lists)]).astype(np.int64)
    made = PostingLists(np.array([x for x, _ in flat], np.uint32), np.array([w for _, w in flat], np.uint32), ends)
    return Call(
        kernels.postings.select_candidates,
        {"lists": made, "own": np.array(own, np.int64), "weight": np.array([w for w, _ in lists], np.uint32),
         "before": np.array(asking, np.int64), "asking": columns(mine), "documents": columns(sizes), **how, "lengths": lengths,
         "workers": 1},
        right,
    )  # fmt: skip


@kernel
def survivors(d: Dice) -> Call:
    n = d.randint(1, 8)
    loser, winner = (x.astype(np.uint32) for x in d.pairs(n, 12))
    priority = np.array([d.randint(-3, 3) for _ in range(n)], np.int64)
    forced = np.array(d.choices((0, 0, 1), k=n), np.uint8)
    component = kernels.graph.strong_components(n, loser, winner)
    unsure = np.array([d.choice((0, 1)) for _ in loser], np.uint8) * (component[loser] != component[winner])
    known = None if d.choice((0, 1)) else unsure.astype(np.uint8)
    every = ref_graph.survivors(loser, winner, priority, forced)
    return Call(
        kernels.graph.survivors, {"loser": loser, "winner": winner, "priority": priority, "forced": forced, "open": known},
        lambda out: bool((out == every)[out != kernels.graph.UNDECIDED].all()) and (known is not None or len(out) == 0 or out.max() < 2),
    )  # fmt: skip


@kernel
def strong_components(d: Dice) -> Call:
    n = d.randint(1, 8)
    loser, winner = (x.astype(np.uint32) for x in d.pairs(n, 12))
    twin = np.array(ref_graph.strong_components(n, loser.tolist(), winner.tolist()))
    return Call(
        kernels.graph.strong_components, {"n": n, "loser": loser, "winner": winner},
        lambda out: bool(((out[:, None] == out) == (twin[:, None] == twin)).all()),
    )  # fmt: skip


@kernel
def components(d: Dice) -> Call:
    n = d.randint(0, 9)
    left, right = d.pairs(n, 9)
    return Call(
        kernels.graph.components, {"n": n, "left": left, "right": right},
        lambda out: out.tolist() == ref_graph.components(n, each_pair(left, right)), 2**20,
    )  # fmt: skip
