"""The sets of the table of all systems: texts, what is true of their pairs, and whom that truth flatters.

Read from the shared data sets (their READMEs say what they are); nothing of their text is kept in the repository. Every truth is
complete: a pair that is not listed is different. Pairs near a line are `unsure` and count neither way.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from common_text import shares

SAME_FROM, CONTAINED_FROM, UNSURE_BELOW = 0.6, 0.8, 0.1
"""Least Jaccard of measured pairs that are the same, least containment of one in the other, and how far below a pair is unsure."""
KEPT = ("id", "text", "title", "url", "site", "blocks")


@dataclass(frozen=True)
class Set:
    """One set.

    Attributes:
        name, english: as in the table; whether words are the unit of systems that must be told.
        truth: what it is, in words. flatters: whom it flatters.
        texts, labels: how both are made, of the folder of shared data.
    """

    name: str
    english: bool
    truth: str
    flatters: str
    texts: Callable[[Path], pa.Table]
    labels: Callable[[Path], Iterable[dict[str, str]]]


def rows(path: Path) -> Iterator[dict]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def documents(folder: str, file: str = "docs.jsonl") -> Callable[[Path], pa.Table]:
    def of(data: Path) -> pa.Table:
        found = list(rows(data / folder / file))
        names = [name for name in KEPT if name in found[0]]
        return pa.table({name: pa.array([row.get(name) for row in found], pa.large_string()) for name in names})

    return of


def pair(a: str, b: str, label: str) -> dict[str, str]:
    return {"left_id": a, "right_id": b, "label": label}


def measured(folder: str, file: str, n: int) -> Callable[[Path], Iterable[dict[str, str]]]:
    """Labels of pairs whose Jaccard and containment of n characters were counted; those a person read go by the reading."""
    read = {"dup": "same", "contains": "contained", "partial": "different", "template": "different"}

    def of(data: Path) -> Iterator[dict[str, str]]:
        for row in rows(data / folder / file):
            jaccard, inside = row[f"jaccard{n}"], row[f"containment{n}"]
            if jaccard >= SAME_FROM:
                label = "same"
            elif inside >= CONTAINED_FROM:
                label = "contained"
            elif jaccard >= SAME_FROM - UNSURE_BELOW or inside >= CONTAINED_FROM - UNSURE_BELOW:
                label = "unsure"
            else:
                label = "unsure" if row.get("same_page") else "different"
            yield pair(row["a"], row["b"], label)
        by_hand = data / folder / "pairs_read.jsonl"
        if by_hand.exists():
            for row in rows(by_hand):
                yield pair(row["a"], row["b"], read[row["label"]])

    return of


def passages(data: Path) -> Iterator[dict[str, str]]:
    """One is contained where copied passages cover at least 60% of one document; from 10% on, and where words were changed, unsure.

    The list has what was copied on purpose, and some pairs only: 31 more have 60% of one document in the other. They are unsure.
    """
    folder = data / "en_pan13_containment"
    texts = {row["id"]: row["text"] for row in rows(folder / "docs.jsonl")}
    length, listed = {name: len(text) for name, text in texts.items()}, set()
    for row in rows(folder / "pairs.jsonl"):
        a, b = row["susp"], row["src"]
        covered = max(
            sum(p["this_length"] for p in row["passages"]) / length[a], sum(p["source_length"] for p in row["passages"]) / length[b]
        )  # fmt: skip
        label = "unsure"
        if row["kind"] == "none" or (row["kind"] == "verbatim" and covered < 0.1):
            label = "different"
        elif row["kind"] == "verbatim" and covered >= 0.6:
            label = "contained"
        listed.add(frozenset((a, b)))
        yield pair(a, b, label)
    names = list(texts)
    for i, j, _ in shares(list(texts.values()), 9, 0.1):
        if frozenset((names[i], names[j])) not in listed:
            yield pair(names[i], names[j], "unsure")


PAGES = 900


def _pages(_: Path) -> pa.Table:
    from quchong_lab.web.labelled import labelled
    from quchong_lab.web.pages import WebRecipe

    return labelled(WebRecipe(pages=PAGES, seed=1), "main").table


def _page_labels(_: Path) -> Iterator[dict[str, str]]:
    from quchong_lab.web.labelled import labelled
    from quchong_lab.web.pages import WebRecipe

    found = labelled(WebRecipe(pages=PAGES, seed=1), "main")
    for (a, b), relation in sorted(found.relation.items()):
        yield pair(a, b, "same" if relation == "duplicate" else "contained")
    for a, b in sorted(found.undecided):
        yield pair(a, b, "unsure")


COUNTED = "methods that count Jaccard of shingles: the truth is such a count, so a notice of one form with other facts is a copy by it"
SETS = (
    Set("zh_news_reprints", False,
        f"Jaccard of 5 characters from {SAME_FROM} on: same; containment from {CONTAINED_FROM} on: contained; 59 pairs as one reader "
        "read them",
        COUNTED, documents("zh_news_reprints"), measured("zh_news_reprints", "pairs_measured.jsonl", 5)),
    Set("zh_weibo_ced", False,
        f"Jaccard of 3 characters from {SAME_FROM} on: same; containment from {CONTAINED_FROM} on: contained",
        COUNTED + "; forwarded posts with another link or number too", documents("zh_weibo_ced", "microblogs.jsonl"),
        measured("zh_weibo_ced", "microblog_pairs_measured.jsonl", 3)),
    Set("zh_docs_versions", False,
        f"versions of one page: Jaccard of 5 characters from {SAME_FROM} on: same; containment from {CONTAINED_FROM} on: contained; less "
        "alike ones unsure; two pages are different",
        "methods that count Jaccard of shingles; versions that differ in a figure are copies by it, and variants to the default method",
        documents("zh_docs_versions"), measured("zh_docs_versions", "pairs.jsonl", 5)),
    Set(f"made pages ({PAGES})", False,
        "as made: duplicates and containments counted by sentences of common origin; partial copies unsure",
        "ccdet: the labels are counted in the unit it measures by, and origins of which less than half is left are copies",
        _pages, _page_labels),
    Set("en_reuters", True,
        f"Jaccard of 9 characters from {SAME_FROM} on: same; containment from {CONTAINED_FROM} on: contained",
        COUNTED + "; Reuters has many of these", documents("en_reuters"), measured("en_reuters", "pairs_measured.jsonl", 9)),
    Set("en_pan13_containment", True,
        "copied passages cover 60% of one document: contained; from 10% on, where words were changed, and where a pair that the list lacks "
        "has 10% of the 9-character shingles of one document in common: unsure",
        "methods of passages and containment; those of near-duplicates alone find none of it", documents("en_pan13_containment"), passages),
)  # fmt: skip
