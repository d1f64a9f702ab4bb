"""Summary of a run, as groups of table rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from quchong.languages import COMMA, Message, join_messages, language, several, stage_told
from quchong.relations import CONFLICTING, relation_told
from quchong.report.differing import counted_in_words
from quchong.report.visible import NOTHING, listed_names

Row = tuple[str, str]
_LONG = 0.1
"""Least share of the seconds of a run from which a stage has a line of its own."""
_NAMED = 2
"""Maximum number of files named for each encoding."""
_ENCODINGS = {"gb18030": "GB18030", "big5hkscs": "Big5", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16", "utf-32-le": "UTF-32",
              "utf-8": "UTF-8"}  # fmt: skip


def summary(  # noqa: C901 - a row for each thing a run may tell
    manifest: Mapping[str, Any], biggest: list[tuple[str, int]]
) -> list[tuple[str, list[Row]]]:
    """Return the titled groups of a run's summary, each a list of (label, value) rows.

    Args:
        manifest: as in run.json.
        biggest: (survivor id, documents of its cluster), largest first.
    """
    counts = manifest["counts"]
    read = counts["read"]

    def share(n: int) -> str:
        return f"{n:,} ({100 * n / read:.1f}%)" if read else f"{n:,}"

    documents: list[Row] = [(Message("read"), f"{read:,}")]
    if counts.get("reference"):
        documents.append((Message("compared against"), f"{counts['reference']:,}"))
    documents += [(Message("kept"), share(counts["kept"])), (Message("removed"), share(counts["removed"]))]
    documents += [(Message("  {}", relation_told(name)), f"{n:,}") for name, n in counts["removed_by_relation"].items()]
    if n := counts.get("small_shares"):
        documents.append(
            (
                Message("  by a small share"),
                Message("{:,}, although they have little text in common with the kept one", n),
            )
        )
    if n := counts.get("policy_overruled"):
        said = Message("{:,}: another kept document contains the whole text; explain names that document", n)
        documents.append((Message("  although preferred by --keep"), said))
    documents += _originals(manifest)
    variants = counts.get("variants") or {}  # runs of older versions do not count them
    if n := sum(counts["removed_by_relation"].get(name, 0) for name in CONFLICTING):
        documents.append(
            (Message("removed as variants"), _counted(Message("{:,}", n), variants.get("removed_by_fact", {})))
        )
    if n := variants.get("kept_pairs"):
        documents.append(
            (Message("variants kept"), _counted(several("{:,} pair", "{:,} pairs", n), variants["kept_by_fact"]))
        )
    if n := counts.get("other_terms"):
        said = Message("{:,}, each differs from its survivor in one content word; --facts any keeps them", n)
        documents.append((Message("removed, one content word differs"), said))
    if n := counts.get("shared_headers"):
        said = Message("{:,}, similar to others only because of a block that many documents share", n)
        documents.append((Message("kept, only a header is shared"), said))
    documents += _templates(counts.get("templates") or {})
    if n := counts.get("kept_as_first"):
        later = Message("{:,}, each also contained in a later document", n)
        if str(manifest["config"].get("keep", "")).startswith("earliest,first"):
            later = Message("{:,}, each also contained in a later document (by time, or by the order of the rows)", n)
        documents.append((Message("kept as the earlier document"), later))
    if n := counts.get("kept_beside"):
        documents.append(
            (
                Message("kept in addition to a survivor"),
                Message("{:,}, the best of their clusters after the survivors", n),
            )
        )
    if told := manifest.get("mix"):
        documents.append((Message("rows to read, by weights"), Message("{:,} rows", told["wanted"])))
    if told := manifest.get("decisions"):
        said = Message("{:,} of {:,} removals that a person overturned", told["kept"], told["overturned"])
        documents.append((Message("kept by a person's decision"), said))
    if stage1 := counts.get("stage1"):
        hits = Message("{:,} texts that the filter reported as seen", stage1["hits"])
        if stage1["refuted"] is not None:
            hits = Message("{}; {:,} of the reports were wrong", hits, stage1["refuted"])
        documents.append((Message("stage 1, {}", stage1["filter"]["name"]), hits))
        if stage1["refuted"] is None:
            expected = stage1["expected_wrongly_removed"]
            said = Message(
                "{:,} without a survivor; {:,.3g} of them expected to be wrong", stage1["unconfirmed"], expected
            )
            documents.append((Message("  removed unconfirmed"), said))
    for encoding, names in read_as(manifest):
        documents.append((Message("read as {}", encoding), names))
    for place in (*manifest.get("inputs", ()), *manifest.get("against", ())):
        if passed := place.get("sheets_passed_over"):
            sheets: str = listed_names(passed[:_NAMED])
            if len(passed) > _NAMED:
                sheets = Message("{} and {:,} more", sheets, len(passed) - _NAMED)
            said = Message("{} in {}: its columns differ from those of the first sheet", sheets, place["name"])
            documents.append((Message("sheets skipped"), said))
    where = "skipped/" if manifest.get("engine") == "spark" else "skipped.jsonl"
    if counts["skipped"]:
        listed = manifest.get("mode") not in ("dry run", "memory")
        number = Message("{:,}, see {}", counts["skipped"], where) if listed else Message("{:,}", counts["skipped"])
        documents.append((Message("skipped (bad records)"), number))
    if counts.get("without_text"):
        documents.append((Message("without text"), Message("{:,}, kept without comparison", counts["without_text"])))
    unseen = counts.get("unseen", 0)  # by the method, however long they are
    if n := counts["unscored"] - unseen:
        documents.append((Message("too short to compare"), Message("{:,}, kept unless they are exact copies", n)))
    if unseen:
        documents.append((Message("without features"), Message("{:,}, kept unless they are exact copies", unseen)))
    groups: list[tuple[str, list[Row]]] = [(Message("documents"), documents)]
    if biggest:
        groups.append(
            (Message("biggest clusters"), [(survivor, Message("{:,} documents", n)) for survivor, n in biggest])
        )
    recall = manifest.get("recall")
    if manifest.get("engine") != "spark" and not (recall and recall["sampled_documents"] == 0):  # nothing was measured
        groups.append((Message("candidate recall, measured"), _recall(recall)))
    seconds = manifest["seconds"]
    total = sum(seconds.values())
    rate = Message("{:,.0f} documents/s", read / total) if total > 0 else Message("")
    filed = manifest.get("spilled_bytes") or {}
    long = [name for name, s in seconds.items() if s >= _LONG * total or filed.get(name)]
    run: list[Row] = [(stage_told(name), _spent(manifest, name, seconds[name])) for name in long]
    if others := [s for name, s in seconds.items() if name not in long]:
        said = several(
            "{:,} stage, {:.2f} s; see run.json",
            "{:,} stages, {:.2f} s together; see run.json",
            len(others),
            sum(others),
        )
        run.append((Message("other"), said))
    run.append((Message("total"), Message("{:.2f} s  {}", total, rate)))
    if "peak_memory_bytes" in manifest:
        whole = Message("{:,.0f} MB", manifest["peak_memory_bytes"] / 1e6)
        own = manifest.get("peak_private_bytes") or max(manifest.get("memory_bytes", {}).values(), default=0)
        if own:
            whole = Message("{:,.0f} MB; with mapped files, {}", own / 1e6, whole)
        run.append((Message("peak memory"), whole))
    groups.append((Message("stages"), run))
    return groups


def summary_labels(manifest: Mapping[str, Any], groups: Sequence[tuple[str, list[Row]]]) -> list[str]:
    """Return the labels by which a summary's column width is chosen: those of its rows and of all stages.

    Which stages are shown depends on how long each took, and two equal runs must look alike.
    """
    return [*(label for _, rows in groups for label, _ in rows), *map(stage_told, manifest["seconds"])]


def _originals(manifest: Mapping[str, Any]) -> list[Row]:
    """Return the summary's rows about roundups: those removed, what was cut from the rest, the originals in them; none for a count of 0."""
    n, roundups = (manifest["counts"].get(name, 0) for name in ("originals", "roundups"))
    out: list[Row] = []
    if removed := manifest["counts"].get("roundups_removed", 0):
        out.append((Message("  roundups"), Message("{:,}, each removed because the run keeps its articles", removed)))
        roundups -= removed
    if taken := (manifest.get("cut") or {}).get("taken"):
        out.append(
            (
                Message("roundups cut to their new parts"),
                Message(
                    "{:,} rows (cut); {:,} characters were cut out",
                    *(taken[name] for name in ("documents", "characters")),
                ),
            )
        )
    if not n:
        return out
    if manifest.get("config", {}).get("roundups") == "whole":
        return [
            *out,
            (
                Message("  in a roundup"),
                Message("{:,}, each in a roundup or a forward (roundups: {:,})", n, roundups),
            ),
        ]
    return [
        *out,
        (
            Message("originals kept"),
            Message(
                "{:,}, each kept together with the roundup or forward that contains it (roundups: {:,})", n, roundups
            ),
        ),
    ]


def _templates(found: Mapping[str, int]) -> list[Row]:
    """Return the summary's rows about templates; empty for runs that looked for none."""
    out: list[Row] = []
    if n := found.get("templates"):
        out.append(
            (Message("templates"), several("{:,}, with {:,} records", "{:,}, with {:,} records", n, found["records"]))
        )
        apart = found["told_apart"]
        words = several(
            "{:,} pair, because slots are filled differently", "{:,} pairs, because slots are filled differently", apart
        )
        out.append((Message("  not copies"), words))
    if n := found.get("without_evidence"):
        words = several("{:,} pair of copies with different words", "{:,} pairs of copies with different words", n)
        out.append((Message("too few records for a template"), words))
    return out


BOUNDED = "candidate lists bounded"


def shown_alarms(manifest: Mapping[str, Any]) -> list[Any]:
    """Return the alarms to show: all, except bounded lists if every true pair was found all the same."""
    recall = [one for one in (manifest.get("recall") or {}).values() if isinstance(one, Mapping)]
    whole = any(one["true"] for one in recall) and all(one["recall"] == 1 for one in recall if one["true"])
    return [alarm for alarm in manifest["alarms"] if not (whole and alarm["kind"] == BOUNDED)]


def read_as(manifest: Mapping[str, Any]) -> list[Row]:
    """Return a row for each encoding of inputs other than UTF-8: its name, and file names or their number."""
    files: dict[str, list[str]] = {}
    counts: dict[str, int] = {}
    for place in (*manifest.get("inputs", ()), *manifest.get("against", ())):
        found = place.get("encodings") or ({place["encoding"]: {}} if "encoding" in place else {})
        for encoding, about in found.items():
            name = _ENCODINGS.get(encoding, encoding)
            files.setdefault(name, []).extend(about.get("names", [place["name"]])[:_NAMED])
            counts[name] = counts.get(name, 0) + about.get("files", 1)
    return [
        (name, Message("{:,} files, such as {}", counts[name], names) if counts[name] > _NAMED else names)
        for name, mine in files.items()
        for names in [listed_names(mine[:_NAMED])]
    ]


def _spent(manifest: Mapping[str, Any], stage: str, seconds: float) -> Message:
    """Describe the cost of a stage: seconds, CPU seconds, memory and bytes in files, as far as the manifest has them."""
    cpu, memory, spilled = (
        manifest.get(name, {}).get(stage) for name in ("cpu_seconds", "memory_bytes", "spilled_bytes")
    )
    also = [Message("{:.2f} s CPU", cpu)] if cpu is not None else []
    also += [Message("{:,.0f} MB", memory / 1e6)] if memory else []
    also += [Message("{:,.0f} MB spilled to a file", spilled / 1e6)] if spilled else []
    took = Message("{:.2f} s", seconds)
    return Message("{}  ({})", took, join_messages(also, COMMA)) if also else took


def _counted(n: Message, by_fact: Mapping[str, int]) -> Message:
    words = counted_in_words(by_fact, language())
    return Message("{}, {}", n, words) if words else n


def _recall(recall: Mapping[str, Any] | None) -> list[Row]:
    if not recall:
        return [(NOTHING, Message("not measured"))]
    rows: list[Row] = []
    for name, r in recall.items():
        if not isinstance(r, Mapping):
            continue
        if r["true"]:
            low, high = r["interval_95"]
            rows.append(
                (
                    relation_told(name),
                    Message(
                        "{:,} of {:,} true pairs = {:.3f} (95%: {:.3f} to {:.3f})",
                        r["found"],
                        r["true"],
                        r["recall"],
                        low,
                        high,
                    ),
                )
            )
        else:
            rows.append((relation_told(name), Message("the sample has no true pair")))
    rows.append(
        (Message("sample"), Message("{:,} documents were compared with all others", recall["sampled_documents"]))
    )
    if recall.get("judged_pairs", 0) < recall.get("pairs", 0):
        some = Message("{:,} of about {:,} pairs that have much in common", recall["judged_pairs"], recall["pairs"])
        rows.append((Message("pairs judged"), some))
    return rows
