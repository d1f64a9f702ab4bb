"""Explanations of single documents and pairs from the tables of a run."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.decision.documents import SCORED_TOKENS
from quchong.differences.tongues.recognition import unjudged
from quchong.engines.local.compare import aligned
from quchong.errors import UsageError
from quchong.findings import Difference, Passage, differences_of
from quchong.io import Bad
from quchong.kernels.graph import components
from quchong.relation_codes import INSIDE, codes_in
from quchong.relations import ACCEPTED, BY_NAME, MIRROR
from quchong.report import Explanation, PairComparison
from quchong.results.quoted_document import known_places
from quchong.results.run import Run
from quchong.seam import active_differences
from quchong.tables import FIRST, ORIGINAL, OVERRULED, OVERTURNED, RESTORED, ROUNDUP, TOP, as_id

BY_SIZES = "ccs"
"""Rule that decides a relation by the sizes of both feature sets (`ccdet`)."""


def explain(run: Run, doc_id: str) -> Explanation:
    """Return the explanation of a document: its fate, reason, pairs and cluster, with its text and that of its survivor.

    Raises:
        UsageError: no document and no skipped record has this id.
    """
    tables, texts = run.tables, run.texts
    known = tables["documents"].filter(_has(tables["documents"]["id"], doc_id))
    # No document has this id: it may be that of a skipped record.
    if not len(known):
        skipped = tuple(
            {"source": one.source, "row": one.row, "line": one.line, "reason": one.reason}
            for one in run.skipped()
            if _carries(one, doc_id, run.keys[0])
        )
        if skipped:
            return Explanation(doc_id, False, skipped=skipped)
        known_places(run, [doc_id])
    shown: Any = as_id(doc_id, tables["documents"]["id"].type)
    listed = _listed_with(run, doc_id)
    near, roundup = _near(doc_id, listed), _roundup(run, doc_id, listed)
    reason = _reason(known.to_pylist()[0])
    # Kept: its cluster and near pairs. Removed: the row of the ledger, with the text of its survivor.
    row = tables["ledger"].filter(_has(tables["ledger"]["id"], doc_id)).to_pylist()
    if not row:
        mine = tables["clusters"].filter(_has(tables["clusters"]["survivor_id"], doc_id))["id"].to_pylist()
        (text,) = texts([doc_id])
        members = tuple(i for i in mine if i != shown)
        if reason == "unscored" and text is not None and not text.strip():
            reason = "empty"
        return Explanation(shown, False, text=text, near=near, members=members, reason=reason, roundup=roundup)
    r = row[0]
    if r["survivor_id"] is None:
        (text,) = texts([doc_id])
        return Explanation(shown, True, None, r["relation"], rule=r["rule"], text=text, near=near)
    text, survivor_text = texts([doc_id, str(r["survivor_id"])])
    inside, kept = BY_NAME[r["relation"]].inside > 0, str(r["survivor_id"])
    return Explanation(
        shown, True, r["survivor_id"], r["relation"], r["jaccard"], r["containment"], r["survivor_containment"], r["rule"],
        tuple(Passage(**p) for p in r["passages"]), text, survivor_text, near,
        evidence=r.get("evidence"), threshold=r["threshold"], reason=reason, roundup=roundup,
        survivor_roundup=_roundup(run, kept, _listed_with(run, kept)) if inside else 0,
        facts=tuple(r["facts"]), differences=differences_of(r), supersedes=r["supersedes"],
        size_ratio=_size_ratio(doc_id, str(r["survivor_id"]), tables["pairs"]) if str(r["rule"]).startswith(BY_SIZES) else None,
        unjudged=_unjudged(run, text, r["relation"]),
    )  # fmt: skip


def _unjudged(run: Run, text: str | None, relation: str) -> str:
    """Return the name of the language of a removed text if facts are judged in the run and not in that language; else an empty str."""
    if text is None or BY_NAME[relation].equal:
        return ""
    plan = run.plan()
    return str(unjudged(text) or "") if plan is not None and active_differences(plan.method) is not None else ""


def _reason(fate: dict[str, Any]) -> str | None:
    """Return why a document was kept or removed against its pairs or the policy, or None."""
    told = fate.get("policy")  # runs of older versions have no such column
    if told in (FIRST, OVERRULED, RESTORED, OVERTURNED, ORIGINAL, ROUNDUP, TOP):
        return str(told)
    reason = next((name for name in ("protected", "reference", "unscored") if fate.get(name)), None)
    return "unseen" if reason == "unscored" and fate["tokens"] >= SCORED_TOKENS else reason


def _carries(one: Bad, doc_id: str, id_key: str) -> bool:
    """Return True if a skipped record has this id, by its location (file#row), its file name, or a value in its JSON or CSV."""
    named = one.line is None and one.reason.startswith(f"{doc_id}: ")
    if named or doc_id == f"{one.source}#{one.row}":
        return True
    raw = one.raw.decode("utf-8", "replace")
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):  # broken JSON, or CSV
        written = json.dumps(doc_id, ensure_ascii=False)
        if re.search(rf'"{re.escape(id_key)}"\s*:\s*(?:{re.escape(written)}|{re.escape(doc_id)}\b)', raw):
            return True
        return not raw.lstrip().startswith("{") and doc_id in re.split(r"[,\t]", raw.replace('"', ""))
    return isinstance(found, dict) and id_key in found and str(found[id_key]) == doc_id


def side_by_side(run: Run, doc_id: str, other_id: str) -> PairComparison:
    """Return two documents of a run with their relation and shared passages, whether or not they were compared; passages are computed now.

    Raises:
        UsageError: the ids are equal, or no document has one of them.
    """
    if doc_id == other_id:
        raise UsageError("both documents are {!r}: give two different documents", doc_id)
    known_places(run, [doc_id, other_id])
    pairs, kind = run.table("pairs"), run.table("documents")["id"].type
    left, right = sorted((doc_id, other_id), key=str.encode)
    # A pair is stored once, left before right; turn it to the order that was asked for.
    listed = run.examined(
        pairs.filter(pc.and_(_has(pairs["left_id"], left), _has(pairs["right_id"], right)))
    ).to_pylist()
    found: dict[str, Any] = listed[0] if listed else {}
    relation, mine, other = (found.get(k) for k in ("relation", "containment_left", "containment_right"))
    if left != doc_id:
        relation, mine, other = MIRROR[relation] if relation else None, other, mine
    # Passages are computed from the texts, because only those of removed documents are stored.
    text, other_text = run.texts([doc_id, other_id])
    passages = () if text is None or other_text is None else aligned(text, other_text)
    shown: tuple[Any, Any] = as_id(doc_id, kind), as_id(other_id, kind)
    return PairComparison(
        *shown, relation, found.get("jaccard"), mine, other, found.get("rule"), passages, text, other_text,
        tuple(found.get("facts") or ()), _differences(found, left == doc_id),
    )  # fmt: skip


def _listed_with(run: Run, doc_id: str) -> pa.Table:
    """Return the listed pairs of a document, each with its differences examined."""
    pairs = run.table("pairs")
    return run.examined(pairs.filter(pc.or_(_has(pairs["left_id"], doc_id), _has(pairs["right_id"], doc_id))))


def _has(column: pa.ChunkedArray, doc_id: str) -> pa.ChunkedArray:
    """Return a mask of the rows with this id, for an id column of any type."""
    return pc.fill_null(pc.equal(column, pa.scalar(as_id(doc_id, column.type), column.type)), False)


def _size_ratio(doc_id: str, other_id: str, pairs: pa.Table) -> float | None:
    """Return the ratio of the numbers of features of two documents, the smaller by the larger; None if the pair is not listed."""
    left, right = sorted((doc_id, other_id), key=str.encode)
    found = pairs.filter(pc.and_(_has(pairs["left_id"], left), _has(pairs["right_id"], right))).to_pylist()
    return found[0]["size_ratio"] if found else None


def _roundup(run: Run, doc_id: str, pairs: pa.Table) -> int:
    """Return the number of articles that a document contains, 0 if fewer than two; copies and parts of each other count once.

    `pairs` are those of the document, examined.
    """
    inside = []
    contained = INSIDE[codes_in(pairs["relation"])]
    for mine, other, side in (("left_id", "right_id", -1), ("right_id", "left_id", 1)):
        inside.append(pairs.filter(pc.and_(_has(pairs[mine], doc_id), pa.array(contained == side)))[other])
    ids = pa.chunked_array([c for column in inside for c in column.chunks], pairs["left_id"].type).combine_chunks()
    if len(ids) < 2:
        return 0
    pairs = run.table("pairs")
    among = run.examined(pairs.filter(pc.and_(pc.is_in(pairs["left_id"], ids), pc.is_in(pairs["right_id"], ids))))
    same = among.filter(pc.is_in(among["relation"], pa.array(ACCEPTED)))
    left, right = (np.asarray(pc.index_in(same[side], ids)).astype(np.int64) for side in ("left_id", "right_id"))
    articles = len(np.unique(components(len(ids), left, right)))
    return articles if articles > 1 else 0


def _near(doc_id: str, pairs: pa.Table) -> tuple[dict[str, Any], ...]:
    mine = pairs.filter(pc.or_(_has(pairs["left_id"], doc_id), _has(pairs["right_id"], doc_id)))
    out = []
    for p in mine.to_pylist():
        left = str(p["left_id"]) == doc_id
        out.append(
            {
                "other_id": p["right_id"] if left else p["left_id"],
                "relation": p["relation"] if left else MIRROR[p["relation"]],
                "jaccard": p["jaccard"],
                "containment": p["containment_left"] if left else p["containment_right"],
                "rule": p["rule"],
                **({"evidence": p["evidence"]} if p.get("evidence") is not None else {}),
                **({"rest": rest} if (rest := p.get(f"rest_{'left' if left else 'right'}")) is not None else {}),
                **(_variant(p, left) if BY_NAME[p["relation"]].conflicting or "field" in (p["facts"] or ()) else {}),
            }
        )
    return tuple(sorted(out, key=lambda n: (-max(n["jaccard"], n["containment"]), n["other_id"])))


def _variant(pair: dict[str, Any], left: bool) -> dict[str, Any]:
    """Return facts and differences of a pair of variants, and which is newer, seen from the left or the right document."""
    newer = None if pair["supersedes"] is None else (pair["supersedes"] == "left") == left
    return {"facts": tuple(pair["facts"]), "differences": _differences(pair, left), "newer": newer}


def _differences(pair: dict[str, Any], left: bool) -> tuple[Difference, ...]:
    """Return the differences of a row of PAIRS, seen from the left or the right document; empty if the row has no list."""
    found = (Difference(**one) for one in pair.get("differences") or ())
    return tuple(one if left else one.turned for one in found)
