"""Figures of sentence and passage methods for test_quality: answers copied to a degree, grown pages, long laws.

Coverage is the share of one text's letters and digits (of a method: of its features) that stand in the other.
"""

from itertools import pairwise

import numpy as np
import pyarrow as pa

import quchong
from quchong.kernels.text import tokenise
from quchong.plan.catalogue import build
from quchong.relations import CONTAINED_IN, CONTAINS, DUPLICATE, EXACT
from quchong.seam import Documents, with_statistics
from quchong.text import form

LABELS = ("cut", "light", "heavy", "non")
ANSWERS = {  # parameters for English answers of 200 words; the defaults where there are none
    "mdr": {"min_length": 20},
    "yap3": {},
    "winnowing": {},
    "sif": {"length": 20, "bits": 0},
    "koala": {},
    "sl-st": {"min_block": 1},
    "partial": {"signature": "winnowing"},
    "cops": {},
}
GROWN = ("sl-st", "mdr", "yap3", "partial", "winnowing", "cops")
LAWS = ("sl-st", "sl", "mdr", "yap3", "cops", "sif", "koala", "partial", "winnowing")


def letters_covered(a, found):
    """The share of the letters and digits of the left text that lie in passages."""
    letter = np.array([c.isalnum() for c in a])
    covered = np.zeros(len(a), bool)
    for p in found:
        covered[p.start : p.end] = True
    return (covered & letter).sum() / letter.sum()


def short_answers(shared, twin):
    """Answers against the text they were to be written from: mean coverage by how much was copied; AUC of copied or not."""
    rows = shared.read("clough_short_answers/docs.jsonl")
    pairs = shared.read("clough_short_answers/pairs.jsonl")
    at = {row["id"]: k for k, row in enumerate(rows)}
    label = np.array([p["label"] for p in pairs])
    left, right = (np.array([at[p[side]] for p in pairs], np.uint32) for side in "ab")
    documents = Documents.from_texts(pa.array([row["text"] for row in rows], pa.large_string()))
    coverage = {
        "align": np.array(
            [
                letters_covered(rows[a]["text"], quchong.align(rows[a]["text"], rows[b]["text"]))
                for a, b in zip(left, right, strict=True)
            ]
        )
    }
    for name, parameters in ANSWERS.items():
        method = with_statistics(build(name, parameters), documents, None)
        coverage[name] = method.score(documents, left, right)["covered_left"]
    figures = {"pairs": len(pairs)}
    for name, value in coverage.items():
        copied, own = value[label != "non"][:, None], value[label == "non"]
        figures[f"{name}_auc"] = ((copied > own).mean() + (copied == own).mean() / 2).item()
        means = [value[label == x].mean() for x in LABELS]
        figures[f"{name}_steps_in_order"] = sum(bool(a > b) for a, b in pairwise(means))
    figures["align_own_answers_with_passages"] = int((coverage["align"][label == "non"] > 0).sum())
    for x, mean in zip(LABELS, [coverage["align"][label == x].mean().item() for x in LABELS], strict=True):
        figures[f"align_{x}"] = mean
    return figures


def grown_pages(shared, twin):
    """Pages of which an earlier version stands in a later one (C5 >= 0.9, J5 < 0.7): is that what the methods say?"""
    pairs = shared.read("zh_docs_versions/pairs.jsonl")
    grown = [(p["a"], p["b"]) for p in pairs if p["containment5"] >= 0.9 and p["jaccard5"] < 0.7]
    named = {name for pair in grown for name in pair}
    rows = [row for row in shared.read("zh_docs_versions/docs.jsonl") if row["id"] in named]
    figures = {"pairs": len(grown)}
    for name in GROWN:
        found = {}
        for p in quchong.dedup(rows, method=name, differences="all", recall_sample=0).pairs.to_pylist():
            found[p["left_id"], p["right_id"]] = p["relation"]
            other = {CONTAINS: CONTAINED_IN, CONTAINED_IN: CONTAINS}
            found[p["right_id"], p["left_id"]] = other.get(p["relation"], p["relation"])
        figures[f"{name}_contained"] = sum(found.get(pair) == CONTAINED_IN for pair in grown)
        figures[f"{name}_wrong_way"] = sum(found.get(pair) == CONTAINS for pair in grown)
    return figures


def long_laws(shared, twin):
    """Versions of laws: found as duplicates by every method; passages equal in normal form, and in every alike pair.

    Every method sees the laws of the pairs with a Jaccard of 0.9 alone, without the list pages; `passages` all of them.
    """
    rows = [
        {"id": row["id"], "text": row["text"]}
        for row in shared.read("zh_laws_versions/docs.jsonl")
        if not row["id"].endswith("_index")
    ]
    text = {row["id"]: row["text"] for row in rows}
    pairs = [p for p in shared.read("zh_laws_versions/pairs.jsonl") if p["a"] in text and p["b"] in text]
    strong = [tuple(sorted((p["a"], p["b"]))) for p in pairs if p["jaccard5"] >= 0.9]
    some = [row for row in rows if row["id"] in {name for pair in strong for name in pair}]
    figures = {"pairs": len(strong)}
    for name in LAWS:
        found = {
            tuple(sorted((p["left_id"], p["right_id"])))
            for p in quchong.dedup(some, method=name, differences="all", recall_sample=0).pairs.to_pylist()
            if p["relation"] in (EXACT, DUPLICATE)
        }
        figures[f"{name}_duplicate"] = sum(pair in found for pair in strong)
    table = quchong.passages(rows).table.to_pylist()
    marked = pa.array(
        [text[p[f"{side}_id"]][p[f"{side}_start"] : p[f"{side}_end"]] for side in ("left", "right") for p in table],
        pa.large_string(),
    )
    docs = tokenise(form("standard", "char"), marked).docs
    tokens = np.split(docs.tokens, docs.offsets[1:-1])
    both = zip(tokens[: len(table)], tokens[len(table) :], table, strict=True)
    figures["passages"] = len(table)
    figures["passages_not_equal"] = sum(
        not np.array_equal(a, b) or len(a) != p["characters"] or len(a) < 60 for a, b, p in both
    )
    have = {tuple(sorted((p["left_id"], p["right_id"]))) for p in table}
    alike = [tuple(sorted((p["a"], p["b"]))) for p in pairs if p["jaccard5"] >= 0.5]
    figures["alike_pairs"] = len(alike)
    figures["alike_pairs_without_passage"] = sum(pair not in have for pair in alike)
    return figures


FIGURES = {"clough_short_answers": short_answers, "zh_docs_grown": grown_pages, "zh_laws_versions": long_laws}
