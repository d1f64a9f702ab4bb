"""The tables of docs/results/passages.md, measured anew on the shared data sets.

    python tools/passage_tables.py             what a test holds the page to; a minute
    python tools/passage_tables.py --times     the table of seconds and memory alone, a process each

Needs ../shared/data beside the checkout, or data/ below the folder QUCHONG_SHARED names. All but --times is the same each time.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import quchong as qc
from quchong.kernels.text import tokenise
from quchong.plan.catalogue import build
from quchong.relations import ACCEPTED, CONTAINED_IN, CONTAINS, DUPLICATE, EXACT
from quchong.seam import Documents, with_statistics
from quchong.text import form

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("QUCHONG_SHARED", ROOT.parent / "shared")) / "data"
LABELS = ("cut", "light", "heavy", "non")
Row = dict[str, Any]
ANSWERS: list[tuple[str, Row]] = [
    ("mdr", {"min_length": 20}), ("mdr", {}), ("yap3", {}), ("winnowing", {}), ("sif", {"length": 20, "bits": 0}), ("sif", {}),
    ("koala", {}), ("partial", {"signature": "winnowing"}), ("partial", {}), ("sl-st", {"min_block": 1}), ("sl-st", {}),
    ("cops", {}), ("sl", {}),
]  # fmt: skip
NINE = ("sl-st", "sl", "cops", "partial", "mdr", "yap3", "sif", "koala", "winnowing")
GROWN: list[tuple[str, Row]] = [
    *((name, {}) for name in NINE), ("winnowing", {"ngram_size": 10, "window": 11}), ("sif", {"length": 20}), ("koala", {"alpha": 12}),
]  # fmt: skip
LAWS = tuple(name for name in NINE if name != "yap3")
"""yap3 takes longer than all the others."""
TIMED = ("hybrid", "sl", "cops", "sif", "winnowing", "mdr", "koala", "sl-st", "partial", "yap3", "passages")


def read(name: str) -> list[Row]:
    """The rows of a file of the shared data."""
    with (DATA / name).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def row(*cells: object) -> str:
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def head(*cells: str) -> Iterator[str]:
    yield row(*cells)
    yield "|" + "---|" * len(cells)


def setting(name: str, given: Row) -> str:
    """A method and what is not as it comes."""
    return ", ".join([name, *(f"{key} {value}" for key, value in given.items())])


def pair(one: Row, left: str = "a", right: str = "b") -> tuple[str, str]:
    return (one[left], one[right]) if one[left] < one[right] else (one[right], one[left])


def related(rows: list[Row], name: str, given: Row | None = None) -> dict[tuple[str, str], str]:
    """Pairs listed, and what the left one is to the right one."""
    found = qc.dedup(rows, method=name, differences="all", recall_sample=0, **(given or {})).pairs.to_pylist()
    other = {CONTAINS: CONTAINED_IN, CONTAINED_IN: CONTAINS}
    both = {(p["left_id"], p["right_id"]): p["relation"] for p in found}
    return both | {(b, a): other.get(relation, relation) for (a, b), relation in both.items()}


def copied_answers() -> Iterator[str]:
    """clough_short_answers: mean share of an answer that stands in its source, by how much was copied."""
    rows, pairs = read("clough_short_answers/docs.jsonl"), read("clough_short_answers/pairs.jsonl")
    place = {one["id"]: i for i, one in enumerate(rows)}
    label = np.array([p["label"] for p in pairs])
    left, right = (np.array([place[p[side]] for p in pairs], np.uint32) for side in "ab")
    documents = Documents.from_texts(pa.array([one["text"] for one in rows], pa.large_string()))

    def shown(name: str, share: np.ndarray) -> str:
        copied, own = share[label != "non"][:, None], share[label == "non"]
        auc = (copied > own).mean() + (copied == own).mean() / 2
        return row(name, *(f"{share[label == one].mean():.3f}" for one in LABELS), f"{auc:.3f}")

    yield from head("", "near copy", "light", "heavy", "none", "AUC")
    yield shown(
        "qc.align", np.array([covered(rows[a]["text"], rows[b]["text"]) for a, b in zip(left, right, strict=True)])
    )
    for name, given in ANSWERS:
        method = build(name, given)
        method = with_statistics(method, documents, None)
        yield shown(setting(name, given), method.score(documents, left, right)["covered_left"])


def covered(left: str, right: str) -> float:
    """The share of the letters and digits of the left text in passages."""
    letter, found = np.array([c.isalnum() for c in left]), np.zeros(len(left), bool)
    for one in qc.align(left, right):
        found[one.start : one.end] = True
    return float((found & letter).sum() / letter.sum())


def pairs_read() -> Iterator[str]:
    """zh_news_reprints: what pairs with a verdict are called, and pairs by how alike they are."""
    rows, verdicts = read("zh_news_reprints/docs.jsonl"), read("zh_news_reprints/pairs_read.jsonl")
    measured = {pair(p): p["jaccard5"] for p in read("zh_news_reprints/pairs_measured.jsonl")}
    strong = {p for p, jaccard in measured.items() if jaccard >= 0.7}
    dup = sum(p["label"] == "dup" for p in verdicts)
    inside = "contains: contained / duplicate / partial / not listed"
    both = f"strong ({len(strong)}) removed / listed"
    yield from head("", f"dup ({dup}) accepted", inside, "partial accepted", "template accepted", both, "wrong")
    for name in (*NINE, "hybrid"):
        found = {p: relation for p, relation in related(rows, name).items() if p[0] < p[1]}
        accepted = {p for p, relation in found.items() if relation in ACCEPTED}
        yes = Counter(p["label"] for p in verdicts if pair(p) in accepted)
        said = Counter(_kind(found.get(pair(p))) for p in verdicts if p["label"] == "contains")
        inside = " / ".join(str(said[kind]) for kind in ("contained", "duplicate", "partial", "not listed"))
        yield row(name, yes["dup"], inside, yes["partial"], yes["template"], f"{len(accepted & strong)} / {len(strong & set(found))}",
                  len(accepted - set(measured)))  # fmt: skip


def _kind(relation: str | None) -> str:
    if relation is None:
        return "not listed"
    return {CONTAINS: "contained", CONTAINED_IN: "contained", DUPLICATE: "duplicate", EXACT: "duplicate"}.get(
        relation, "partial"
    )


def grown_pages() -> Iterator[str]:
    """zh_docs_versions: pages whose later version contains the earlier one."""
    pairs, rows = read("zh_docs_versions/pairs.jsonl"), read("zh_docs_versions/docs.jsonl")
    grown = [(p["a"], p["b"]) for p in pairs if p["containment5"] >= 0.9 and p["jaccard5"] < 0.7]
    some = {one for both in grown for one in both}
    yield from head(f"{len(grown)} pairs", "contained", "the other way round", "duplicate", "partial", "not listed")
    for name, given in GROWN:
        found = related([one for one in rows if one["id"] in some], name, given)
        said = Counter(found.get(both) for both in grown)
        whole, missed = said[DUPLICATE] + said[EXACT], said[None]
        partial = len(grown) - said[CONTAINED_IN] - said[CONTAINS] - whole - missed
        yield row(setting(name, given), said[CONTAINED_IN], said[CONTAINS], whole, partial, missed)
    alike = [pair(p) for p in pairs if p["jaccard5"] >= 0.9]
    yield ""
    for name in ("winnowing", "sif", "koala"):
        found = related(rows, name)
        yield f"- {name} does not list {sum(p not in found for p in alike)} of {len(alike)} pairs with a Jaccard of 0.9."


def laws() -> Iterator[str]:
    """zh_laws_versions: pairs with a Jaccard of 0.9 called exact or duplicate."""
    rows = read("zh_laws_versions/docs.jsonl")
    alike = [pair(p) for p in read("zh_laws_versions/pairs.jsonl") if p["jaccard5"] >= 0.9]
    yield from head(f"of {len(alike)} pairs", "exact or duplicate")
    for name in ("hybrid", *LAWS):
        found = related(rows, name)
        yield row(name, sum(found.get(p) in (EXACT, DUPLICATE) for p in alike))


def shared_passages() -> Iterator[str]:
    """Passages of both sets: equal in normal form, and in every alike pair."""
    yield from head("", "passages", "not equal in normal form", "pairs with a Jaccard of 0.5", "without a passage")
    for name in ("zh_laws_versions", "zh_docs_versions"):
        rows = [one for one in read(f"{name}/docs.jsonl") if not one["id"].endswith("_index")]
        text = {one["id"]: one["text"] for one in rows}
        table = qc.passages([{"id": key, "text": one} for key, one in text.items()]).table.to_pylist()
        sides = [
            pa.array([text[p[f"{s}_id"]][p[f"{s}_start"] : p[f"{s}_end"]] for p in table], pa.large_string())
            for s in ("left", "right")
        ]
        left, right = (tokenise(form("standard", "char"), side).docs for side in sides)
        unequal = sum(
            not np.array_equal(left.tokens[a:b], right.tokens[c:d])
            for a, b, c, d in zip(left.offsets, left.offsets[1:], right.offsets, right.offsets[1:], strict=False)
        )
        have = {pair(p, "left_id", "right_id") for p in table}
        alike = [
            pair(p) for p in read(f"{name}/pairs.jsonl") if p["jaccard5"] >= 0.5 and p["a"] in text and p["b"] in text
        ]
        yield row(name, f"{len(table):,}", unequal, f"{len(alike):,}", sum(p not in have for p in alike))


def cuts() -> Iterator[str]:
    """What `--cut copies` takes, and what stands in many documents."""
    yield from head("", "documents", "lose something", "everything", "boilerplate at --common 5", "at 10")
    for name in ("zh_news_reprints", "en_reuters"):
        table = pa.Table.from_pylist(read(f"{name}/docs.jsonl")).select(["id", "text"])
        found = qc.passages(table)
        left = found.cut("copies")["text"]
        lost = pc.not_equal(left, table["text"].cast(left.type))
        empty = pc.and_(lost, pc.equal(pc.utf8_trim_whitespace(left), ""))
        many = [len(qc.passages(table, common=n).boilerplate) for n in (5, 10)]
        yield row(name, f"{len(table):,}", pc.sum(lost).as_py(), pc.sum(empty).as_py(), *many)


def times() -> Iterator[str]:
    """Seconds of the processor and peak memory, a process each."""
    yield from head("", "zh_laws_versions: CPU seconds", "MB", "zh_docs_versions: CPU seconds", "MB")
    for name in TIMED:
        cells: list[str] = []
        for data in ("zh_laws_versions", "zh_docs_versions"):
            done = subprocess.run(
                [sys.executable, __file__, "--one", name, data], capture_output=True, text=True, check=True
            )
            cells += done.stdout.split()
        yield row("quchong passages" if name == "passages" else name, *cells)


def one(name: str, data: str) -> None:
    """One method on one set."""
    table = pa.Table.from_pylist(read(f"{data}/docs.jsonl")).select(["id", "text"])
    before = time.process_time()
    found = (
        qc.passages(table) if name == "passages" else qc.dedup(table, method=name, differences="all", recall_sample=0)
    )
    assert found is not None
    print(f"{time.process_time() - before:.1f} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000:.0f}")


PARTS = (copied_answers, pairs_read, grown_pages, laws, shared_passages, cuts)


def lines(parts: Iterable[str] = ()) -> Iterator[str]:
    """All tables, or those of these names."""
    for part in PARTS:
        if not parts or part.__name__ in parts:
            yield from ("", f"({part.__name__})", "", *part())


def main() -> None:
    """Prints."""
    if sys.argv[1:2] == ["--one"]:
        one(*sys.argv[2:])
        return
    for line in times() if sys.argv[1:2] == ["--times"] else lines(sys.argv[1:]):
        print(line, flush=True)


if __name__ == "__main__":
    main()
