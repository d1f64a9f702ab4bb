"""The summary of a run, as rows of a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quchong.report.differing import counted_in_words
from quchong.report.visible import NOTHING

Row = tuple[str, str]
_NAMED = 2
"""Files named for each encoding."""
_ENCODINGS = {"gb18030": "GB18030", "big5hkscs": "Big5", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16", "utf-32-le": "UTF-32",
              "utf-8": "UTF-8"}  # fmt: skip


def summary(manifest: Mapping[str, Any], biggest: list[tuple[str, int]]) -> list[tuple[str, list[Row]]]:
    """Titled groups of (label, value) rows.

    Args:
        manifest: as in run.json.
        biggest: (survivor id, documents of its cluster), largest first.
    """
    counts = manifest["counts"]
    read = counts["read"]

    def share(n: int) -> str:
        return f"{n:,} ({100 * n / read:.1f}%)" if read else f"{n:,}"

    documents: list[Row] = [("read", f"{read:,}")]
    if counts.get("reference"):
        documents.append(("compared against", f"{counts['reference']:,}"))
    documents += [("kept", share(counts["kept"])), ("removed", share(counts["removed"]))]
    documents += [(f"  {name}", f"{n:,}") for name, n in counts["removed_by_relation"].items()]
    variants = counts.get("variants") or {}  # runs of older versions do not count them
    if n := counts["removed_by_relation"].get("variant"):
        documents.append(("removed as variants", _counted(n, "", variants.get("removed_by_fact", {}))))
    if n := variants.get("kept_pairs"):
        documents.append(("variants kept", _counted(n, " pairs" if n > 1 else " pair", variants["kept_by_fact"])))
    if n := counts.get("policy_overruled"):
        documents.append(("  preferred by --keep", f"{n:,}, each contained in a document that --keep ranks lower"))
    if n := counts.get("kept_as_first"):
        documents.append(("kept as published first", f"{n:,}, each contained in a later document"))
    if told := manifest.get("decisions"):
        documents.append(("kept by decision", f"{told['kept']:,} of {told['overturned']:,} overturned removals"))
    if stage1 := counts.get("stage1"):
        hits = f"{stage1['hits']:,} texts reported as seen"
        if stage1["refuted"] is not None:
            hits += f", {stage1['refuted']:,} wrong hits found"
        documents.append((f"stage 1, {stage1['filter']['name']}", hits))
        if stage1["refuted"] is None:
            said = f"{stage1['unconfirmed']:,}, {stage1['expected_wrongly_removed']:,.3g} expected; no survivor"
            documents.append(("  removed unconfirmed", said))
    for encoding, said in read_as(manifest):
        documents.append((f"read as {encoding}", said))
    for place in (*manifest.get("inputs", ()), *manifest.get("against", ())):
        if passed := place.get("sheets_passed_over"):
            sheets = ", ".join(passed[:_NAMED]) + (
                f" and {len(passed) - _NAMED:,} more" if len(passed) > _NAMED else ""
            )
            documents.append(("sheets passed over", f"{sheets} in {place['name']}: other columns than the first"))
    where = "skipped/" if manifest.get("engine") == "spark" else "skipped.jsonl"
    if counts["skipped"]:
        listed = f", see {where}" if manifest.get("mode") not in ("dry run", "memory") else ""
        documents.append(("skipped (bad records)", f"{counts['skipped']:,}{listed}"))
    if counts.get("without_text"):
        documents.append(("without text", f"{counts['without_text']:,}, kept and compared with nothing"))
    if counts["unscored"]:
        documents.append(("too short to compare", f"{counts['unscored']:,}, kept unless exact copies"))
    groups = [("documents", documents)]
    if biggest:
        groups.append(("biggest clusters", [(survivor, f"{n:,} documents") for survivor, n in biggest]))
    if manifest.get("engine") != "spark":  # which does not measure it
        groups.append(("candidate recall, measured", _recall(manifest.get("recall"))))
    seconds = manifest["seconds"]
    total = sum(seconds.values())
    rate = f"{read / total:,.0f} documents/s" if total > 0 else ""
    run = [(name, _spent(manifest, name, s)) for name, s in seconds.items()]
    run.append(("total", f"{total:.2f} s  {rate}"))
    if "peak_memory_bytes" in manifest:
        whole = f"{manifest['peak_memory_bytes'] / 1e6:,.0f} MB"
        own = max(manifest.get("memory_bytes", {}).values(), default=0)
        spilled = sum(manifest.get("spilled_bytes", {}).values())
        run.append(("peak memory", f"{own / 1e6:,.0f} MB, {whole} with pages of files" if own and spilled else whole))
    groups.append(("stages", run))
    return groups


def read_as(manifest: Mapping[str, Any]) -> list[Row]:
    """Encodings other than UTF-8 that inputs were read in, and which: a name or two, and how many files there are."""
    files: dict[str, list[str]] = {}
    counts: dict[str, int] = {}
    for place in (*manifest.get("inputs", ()), *manifest.get("against", ())):
        found = place.get("encodings") or ({place["encoding"]: {}} if "encoding" in place else {})
        for encoding, about in found.items():
            name = _ENCODINGS.get(encoding, encoding)
            files.setdefault(name, []).extend(about.get("names", [place["name"]])[:_NAMED])
            counts[name] = counts.get(name, 0) + about.get("files", 1)
    return [
        (name, (f"{counts[name]:,} files, such as " if counts[name] > _NAMED else "") + ", ".join(mine[:_NAMED]))
        for name, mine in files.items()
    ]


def _spent(manifest: Mapping[str, Any], stage: str, seconds: float) -> str:
    """What a stage took: seconds, seconds of processor time, and memory, as far as they are known."""
    cpu, memory, spilled = (
        manifest.get(name, {}).get(stage) for name in ("cpu_seconds", "memory_bytes", "spilled_bytes")
    )
    also = [f"{cpu:.2f} s CPU"] if cpu is not None else []
    also += [f"{memory / 1e6:,.0f} MB"] if memory else []
    also += [f"{spilled / 1e6:,.0f} MB in a file"] if spilled else []
    return f"{seconds:.2f} s" + (f"  ({', '.join(also)})" if also else "")


def _counted(n: int, what: str, by_fact: Mapping[str, int]) -> str:
    words = counted_in_words(by_fact)
    return f"{n:,}{what}" + (f", {words}" if words else "")


def _recall(recall: Mapping[str, Any] | None) -> list[Row]:
    if not recall:
        return [(NOTHING, "not measured")]
    rows: list[Row] = []
    for name, r in recall.items():
        if not isinstance(r, Mapping):
            continue
        if r["true"]:
            low, high = r["interval_95"]
            rows.append((name, f"{r['found']:,} of {r['true']:,} = {r['recall']:.3f} (95%: {low:.3f} to {high:.3f})"))
        else:
            rows.append((name, "no true pair in the sample"))
    rows.append(("sample", f"{recall['sampled_documents']:,} documents compared with all others"))
    return rows
