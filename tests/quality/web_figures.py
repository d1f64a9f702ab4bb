"""Figures of web pages for test_quality: real pages of ten sites, chapters and their books, labelled pages we make."""

import gzip
import json
from collections import Counter

import pytest

import quchong
from quchong.plan.catalogue import METHODS
from quchong.relations import CONTAINED_IN, CONTAINS
from quchong_lab.web.labelled import best, find, labelled, scores, sweep
from quchong_lab.web.pages import WebRecipe

ONE_ARTICLE = {"tests/thepaper/2", "tests/thepaper/4", "visiable_test/thepaper/1"}


def pages_of(shared, name, keys):
    with gzip.open(shared.folder / name, "rt", encoding="utf-8") as lines:
        return [{k: row.get(k) for k in keys} for row in map(json.loads, lines)]


def merged(rows, **how):
    """How often a removal joins pages of the one article that is there three times, and how often others."""
    pairs = quchong.dedup(rows, recall_sample=0, **how).ledger.select(["id", "survivor_id"]).to_pylist()
    return Counter(set(p.values()) <= ONE_ARTICLE for p in pairs)


def news_pages(shared, twin):
    pytest.importorskip("resiliparse", reason="the extra html is not installed")
    rows = pages_of(shared, "zh_html_gne/pages.jsonl.gz", ("id", "html", "site", "url"))
    by_method = {name: merged(rows, method=name) for name in METHODS}
    whole = {
        name: merged(rows, method="ccdet", body="all", **how)
        for name, how in {
            "ccdet": {}, "none": {"prune": "none"}, "list": {"scope": "list"}, "recount": {"recount": False}
        }.items()
    }  # fmt: skip
    return {
        "methods": len(METHODS),
        "methods_that_merge_the_article": sum(found[True] == 2 for found in by_method.values()),
        "other_pages_merged_by_any": sum(found[False] for found in by_method.values()),
        "whole_pages_ccdet": whole["ccdet"][True],
        "whole_pages_ccdet_variants": sum(found[True] for found in whole.values()),
        "whole_pages_others_merged": sum(found[False] for found in whole.values()),
    }


def chapters(shared, twin):
    pytest.importorskip("resiliparse", reason="the extra html is not installed")
    rows = pages_of(shared, "zh_html_debian_docs/docs.jsonl.gz", ("id", "html", "text", "book"))
    figures = {"chapters": sum(row["book"] is not None for row in rows)}
    for name, how in {
        "hybrid": {}, "hybrid_whole_pages": {"body": "all"}, "ccdet": {"method": "ccdet"},
        "ccdet_whole_pages": {"method": "ccdet", "body": "all"},
    }.items():  # fmt: skip
        found = quchong.dedup([{k: row[k] for k in ("id", "html", "text")} for row in rows], recall_sample=0, **how)
        relation = {(p["left_id"], p["right_id"]): p["relation"] for p in found.pairs.to_pylist()}
        figures[f"contained_{name}"] = sum(
            relation.get((row["id"], row["book"])) == CONTAINED_IN or relation.get((row["book"], row["id"])) == CONTAINS
            for row in rows
            if row["book"]
        )
    return figures


def made_pages(shared, twin):
    pytest.importorskip("resiliparse", reason="the extra html is not installed")
    figures = {}
    for body in ("main", "all"):
        data = labelled(WebRecipe(pages=3000, seed=1), body)
        swept = sweep(data, "ccdet")
        at = next(row for row in swept if row["threshold"] == 0.6)
        figures[f"{body}_ccdet_best_f1"] = best(swept)["f1"]
        figures[f"{body}_ccdet_precision"] = at["precision"]
        figures[f"{body}_ccdet_recall"] = at["recall"]
        figures[f"{body}_ccdet_relations_right"] = at["relations_right"]
        if body == "main":
            by_default = scores(data, *find(data, "hybrid").at())
            figures["main_hybrid_precision"], figures["main_hybrid_recall"] = (
                by_default["precision"],
                by_default["recall"],
            )
    return figures


FIGURES = {"zh_html_gne": news_pages, "zh_html_debian_docs": chapters, "made_pages": made_pages}
