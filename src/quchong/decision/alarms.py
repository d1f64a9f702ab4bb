"""Alarms and notes of a run: results that a person should check before trusting it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import PurePath
from typing import Any

import numpy as np

from quchong.io.source import Bad
from quchong.languages import COMMA, Message, Stored, join_messages, several, stage_told
from quchong.patterns import lazy_pattern
from quchong.plan.columns_found import FoundColumns
from quchong.policy.policy import Doubt, Policy
from quchong.report.visible import shown_name
from quchong.similarity.paper_rules import LEAST_SHARE
from quchong.tables import FACTS, SMALL_SHARE

NOTE = "note"
GIANT_CLUSTER = 1000
GIANT_SHARE = 0.05
SOURCE_SHARE = 0.9
SOURCE_DOCUMENTS = 20
BAD_SHARE = 0.01
UNSEEN_SHARE = 0.1
UNJUDGED_SHARE, NAMED = 0.05, 3
FLOOD = 20
"""Least records of a template that is told as a flood."""
_FIGURE = lazy_pattern(r"[\W_]*\d[\d\W_]*")


@dataclass(frozen=True, slots=True)
class Alarm:
    """An alarm or note about the result of a run.

    Attributes:
        kind, message, figures: the subject, one sentence, and the numbers in it.
        level: "alarm" if the result may not be what the user wanted; "note" for a limit of the result that is usual on real data.
    """

    kind: str
    message: str
    figures: dict[str, Any]
    level: str = "alarm"

    def describe(self) -> dict[str, Any]:
        """Return the alarm as a JSON object."""
        return asdict(self)


def least_giant(documents: int) -> float:
    """Return the minimum size of a giant cluster in a corpus of this many documents."""
    return min(GIANT_CLUSTER, max(20, GIANT_SHARE * documents))


def giant_clusters(sizes: dict[str | int, int], documents: int) -> list[Alarm]:
    """Return an alarm for each of the ten largest clusters of 1,000 documents, or of 5% of the corpus and 20 documents at least."""
    limit = least_giant(documents)
    big = {k: v for k, v in sizes.items() if v >= limit}
    return [
        Alarm(
            "giant cluster",
            Message(
                "{:,} documents are in one cluster with {}: check whether they have only a template in common",
                n,
                shown_name(str(survivor)),
            ),
            {"survivor_id": survivor, "documents": n},
        )
        for survivor, n in sorted(big.items(), key=lambda kv: (-kv[1], str(kv[0])))[:10]
    ]


def emptied_sources(names: list[str], removed: np.ndarray, total: np.ndarray) -> list[Alarm]:
    """Return an alarm for each source of 20 documents or more of which nine tenths are removed."""
    return [
        Alarm(
            "source nearly emptied",
            Message(
                "{:.0f}% of the documents of {} are removed ({:,} of {:,})",
                100 * r / t,
                shown_name(str(name)),
                int(r),
                int(t),
            ),
            {"source": name, "removed": int(r), "documents": int(t)},
        )
        for name, r, t in zip(names, removed.tolist(), total.tolist(), strict=True)
        if t >= SOURCE_DOCUMENTS and r >= SOURCE_SHARE * t
    ]


def bounded(capped_keys: int, largest_key: int, cap: int, large_classes: int, largest_class: int) -> list[Alarm]:
    """Return notes about candidate lists and exact classes that were cut at their limit."""
    out = []
    if capped_keys:
        out.append(
            Alarm(
                "candidate lists bounded",
                Message(
                    "very common text was compared only in part: {:,} features are in more than {} documents "
                    "each, the most frequent in {:,}. The measured recall shows the effect",
                    capped_keys,
                    cap,
                    largest_key,
                ),
                {"keys": capped_keys, "largest": largest_key, "cap": cap},
                NOTE,
            )
        )
    if large_classes:
        out.append(
            Alarm(
                "exact class bounded",
                Message(
                    "{:,} texts have more than 100 exact copies each, the largest group {:,}. For these, "
                    "pairs.parquet pairs each copy only with the kept document",
                    large_classes,
                    largest_class,
                ),
                {"classes": large_classes, "largest": largest_class},
                NOTE,
            )
        )
    return out


def columns_by_usual_names(columns: FoundColumns) -> list[Alarm]:
    """Return a note about columns found under usual names, and one for each that several columns may be."""
    return [Alarm("columns", remark, columns.describe(), NOTE) for remark in columns.remarks()]


def mix_without_documents(sources: Sequence[str]) -> list[Alarm]:
    """Return a note about sources that were given a weight and have no document."""
    if not sources:
        return []
    told = ", ".join(shown_name(one) for one in sources[:NAMED])
    if len(sources) > NAMED:
        told = Message("{} and {:,} more", told, len(sources) - NAMED)
    message = Message(
        "the weights name the source {}, but no document has this source. The source of a row is its value in "
        "the source column (--source-key), or the name of its file if that value is missing",
        told,
    )
    figures = {"unmet": len(sources), "source": sources[0], "sources": list(sources)}
    return [Alarm("weights nobody has", message, figures, NOTE)]


def policy_doubts(doubts: Sequence[Doubt], *, asked: bool) -> list[Alarm]:
    """Return alarms about criteria of the policy that found no values, or values they cannot use.

    A policy that finds no times at all is reported only if the user `asked` for that policy.
    """
    out = []
    for d in doubts:
        figures = {"criterion": d.criterion, "column": d.column, "values": d.values}
        if d.unread:
            message = Message(
                "{:,} of {:,} values of the column {!r}, such as {}, cannot be read as a time. Documents with "
                "these values rank last. Write times as 2020-03-30, or name another column with --time-key",
                d.unread,
                d.values,
                d.column,
                shown_name(d.example or ""),
            )
            out.append(Alarm("times unread", message, figures | {"unread": d.unread, "example": d.example}))
        elif d.unknown:
            wanted = ", ".join(repr(v) for v in d.unknown)
            message = (
                Message(
                    "--keep {}: no document has {} in the column {!r}; check the values of the column",
                    d.criterion,
                    wanted,
                    d.column,
                )
                if d.example is None
                else Message(
                    "--keep {}: no document has {} in the column {!r}; check the values of the column, such as {!r}",
                    d.criterion,
                    wanted,
                    d.column,
                    d.example,
                )
            )
            out.append(Alarm("values nobody has", message, figures | {"unknown": list(d.unknown)}))
        elif asked:
            message = Message(
                "--keep {} found no times, because no document has a time in the column {!r}; name the right "
                "column with --time-key",
                d.criterion,
                d.column,
            )
            out.append(Alarm("no times", message, figures))
    return out


def untimed_posts(doubts: Callable[[], Sequence[Doubt]], contained: int, policy: Policy) -> list[Alarm]:
    """Return a note if a policy begins with earliest, no document has a time, and documents were removed for longer ones.

    Args:
        doubts: returns those of the policy (`Policy.doubts`); called only if the rest holds, as it counts all documents.
        contained: number of documents removed because another one contains them.
    """
    first = policy.criteria[0]
    if not contained or first.name != "earliest" or policy.arrival:
        return []
    if not any(d.criterion == str(first) and not d.values for d in doubts()):
        return []
    message = Message(
        "no document has a time, so an original cannot be told apart from a forward that repeats it. Documents "
        "removed because a longer document contains them: {:,}. Name the column of times with --time-key. If "
        "rows are in the order of arrival, --keep earliest,first keeps the row that arrived first",
        contained,
    )
    return [Alarm("originals not known", message, {"documents": contained}, NOTE)]


def meetings_bounded(notes: Sequence[tuple[str, dict[str, int]]]) -> list[Alarm]:
    """Return alarms about the limits that a method with its own candidate search had to apply."""
    return [Alarm("candidates bounded", message, dict(figures)) for message, figures in notes]


UNCONFIRMED = "removed unconfirmed"


def unconfirmed(stage1: dict[str, Any] | None) -> list[Alarm]:
    """Return an alarm if a filter removed texts although no equal text came before them."""
    if not stage1 or not stage1["unconfirmed"]:
        return []
    n, expected = stage1["unconfirmed"], stage1["expected_wrongly_removed"]
    return [
        Alarm(
            UNCONFIRMED,
            Message(
                "the filter removed {:,} texts without an earlier equal text (expected at its error rate: "
                "{:,.3g}). Such texts have no survivor. To put them back, use quchong restore with their rule; "
                "to keep them, use the parameter confirm",
                n,
                expected,
            ),
            {"documents": n, "expected": expected},
        )
    ]


def many_without_text(n: int, documents: int) -> list[Alarm]:
    """Return an alarm if 1% of the documents or more have no text: the text may be in another column."""
    if not n or n < BAD_SHARE * documents:
        return []
    message = Message(
        "{:,} of {:,} documents have no text. Such documents are kept and not compared: check the name of the "
        "text column",
        n,
        documents,
    )
    return [Alarm("many without text", message, {"documents": n})]


def small_shares(n: int, removed: int) -> list[Alarm]:
    """Return an alarm if removals rest on a small part of the texts (rule `small share`)."""
    if not n:
        return []
    message = Message(
        "{:,} of {:,} removed documents have less than {:.0f}% of their text in common with the kept one, "
        "because the method compares only a small part of a text. The rule of these removals is {!r}; --verify "
        "exact keeps the documents",
        n,
        removed,
        100 * LEAST_SHARE,
        SMALL_SHARE,
    )
    return [Alarm("small shares", message, {"documents": n, "removed": removed, "share": LEAST_SHARE})]


def removed_for_roundups(n: int, roundups: int, wanted: str) -> list[Alarm]:
    """Return a note on the documents that were removed for a roundup, as the user wanted; none if such documents are kept."""
    if not n or wanted != "whole":
        return []
    message = Message(
        "{:,} documents were removed because a roundup or a forward contains them (roundups: {:,}). Only the "
        "longer document was kept; with --roundups keep, both are kept",
        n,
        roundups,
    )
    return [Alarm("removed for roundups", message, {"documents": n, "roundups": roundups}, NOTE)]


def floods(templates: Iterable[Mapping[str, Any]]) -> list[Alarm]:
    """Return a note if templates of 20 records or more have one slot, filled with figures alone: posts with a counter, for example.

    Args:
        templates: rows of `quchong.tables.TEMPLATES`, in any order.
    """
    found = []
    for row in templates:
        slots = list(row["slots"])
        fillers = [str(one["text"]) for one in slots[0]["fillers"]] if len(slots) == 1 else []
        if row["records"] >= FLOOD and fillers and all(_FIGURE.fullmatch(text) for text in fillers):
            found.append((-int(row["records"]), str(row["model_id"])))
    if not found:
        return []
    n, (most, model) = -sum(records for records, _ in found), min(found)
    kinds = ",".join(kind for kind in FACTS if kind not in ("figure", "field", "term"))
    message = Message(
        "{:,} documents differ from others of the same wording in only one figure, such as a counter, and "
        "count as different. Templates: {:,}; the largest has {:,} documents, such as {}. --facts {} keeps "
        "only one of each group",
        n,
        len(found),
        -most,
        shown_name(model),
        kinds,
    )
    figures = {"documents": n, "templates": len(found), "largest": -most, "model_id": model}
    return [Alarm("one figure differs", message, figures, NOTE)]


def many_without_features(n: int, documents: int, method: str) -> list[Alarm]:
    """Return an alarm if a tenth of the documents or more have no feature that the method compares."""
    if not n or n < UNSEEN_SHARE * documents:
        return []
    message = Message(
        "{:,} of {:,} documents have nothing that the method {} can compare. Such documents are kept, unless "
        "they are exact copies. quchong inspect shows what a method compares; the method hybrid compares every "
        "text",
        n,
        documents,
        method,
    )
    return [Alarm("many without features", message, {"documents": n, "method": method})]


def facts_unjudged(names: Sequence[Message | None]) -> list[Alarm]:
    """Return a note if facts are not judged in the language of a twentieth or more of a sample of documents.

    `names` has for each of them the name of its language if facts are not judged in it, else None.
    """
    found = Counter(name for name in names if name is not None)
    if not found or found.total() < UNJUDGED_SHARE * len(names):
        return []
    share = 100 * found.total() / len(names)
    named_first = join_messages([name for name, _ in found.most_common(NAMED)], COMMA)
    message = Message(
        "about {:.0f}% of the documents are in languages in which facts are not judged ({}). Copies in these "
        "languages are removed even if a negation, a name or a date in words differs; only figures written in "
        "digits are compared",
        share,
        named_first,
    )
    return [Alarm("facts not judged", message, {"share": round(share), "documents": len(names)}, NOTE)]


def over_budget(given: int | None, peak: int, memory: Mapping[str, int]) -> list[Alarm]:
    """Return an alarm if a run held more private memory than its limit.

    Args:
        given: memory limit in bytes; None for no limit.
        peak: largest private memory of the run, in bytes.
        memory: the same for each stage.
    """
    if given is None or peak <= given:
        return []
    stage = max(memory, key=lambda name: memory[name], default="")
    message = Message(
        "the run used {:,} MB of private memory, more than the {:,} MB that --memory allows. The peak was in "
        "the stage {}. Allow more with --memory, or give fewer documents at once",
        peak // 1_000_000,
        given // 1_000_000,
        stage_told(stage),
    )
    return [Alarm("memory exceeded", message, {"given": given, "peak": peak, "stage": stage})]


def kept_rows_unlike(run: str, kept: int, missing: int, added: int, changed: int) -> Alarm:
    """Return the alarm that the kept rows of an earlier run, to which the data is compared, are not those that it kept.

    Args:
        run: name of its folder.
        kept: documents that it kept.
        missing: how many of them were not read.
        added: documents that were read and are none of them.
        changed: documents of one id that have another length in tokens.
    """
    message = Message(
        "the kept rows of {} have changed since that run, which kept {:,} documents. Missing: {:,}. Added: {:,}. "
        "With another text: at least {:,}. This run compared the changed rows. If nobody edited the rows on "
        "purpose, repeat that run",
        shown_name(run),
        kept,
        missing,
        added,
        changed,
    )
    figures = {"run": run, "kept": kept, "missing": missing, "added": added, "changed": changed}
    return Alarm("kept rows changed", message, figures)


def kept_rows_counted(run: str, kept: int, rows: int) -> Alarm:
    """Return the alarm that the number of kept rows in an earlier run's files is far from the number that it kept.

    Args:
        run: name of its folder.
        kept: documents that it kept.
        rows: rows that its files have now, about.
    """
    message = Message(
        "the kept rows of {} have changed since that run. There are about {:,} rows now, but that run kept {:,} "
        "documents. This run compared the changed rows. If nobody edited the rows on purpose, repeat that run",
        shown_name(run),
        rows,
        kept,
    )
    return Alarm("kept rows changed", message, {"run": run, "kept": kept, "rows": rows})


def _place(bad: Bad) -> Message:
    line = "" if bad.line is None else Message(", line {}", bad.line)
    text, itself = str.__str__(bad.reason), f"{PurePath(bad.source).name}: "
    if text.startswith(itself):  # a file given by itself, which the reason names again
        reason: Message = Stored(text.removeprefix(itself))
    else:
        reason = bad.reason if isinstance(bad.reason, Message) else Stored(text)
    return Message("the first bad record is {}{}: {}", shown_name(bad.source), line, reason)


def bad_input(
    repeated_ids: int, bad: int, read: int, refuted: int, where: str = "skipped.jsonl", first: Bad | None = None
) -> list[Alarm]:
    """Return alarms about repeated ids, many bad records, and documents with the same digest but different text.

    Bad records are many from 1% of all records on. The message gives the `first` of them with its reason, or `where` they are listed.
    """
    out = []
    if repeated_ids:
        out.append(
            Alarm(
                "repeated ids",
                several(
                    "{:,} document has the same id as an earlier document: it is listed as id~2",
                    "{:,} documents have the same id as an earlier document: they are listed as id~2, id~3, ...",
                    repeated_ids,
                ),
                {"documents": repeated_ids},
            )
        )
    if bad and bad >= BAD_SHARE * (read + bad):
        reason = _place(first) if first else Message("see {}", where)
        out.append(
            Alarm(
                "many bad records",
                Message("{:,} of {:,} records cannot be read: {}", bad, read + bad, reason),
                {"bad": bad, "records": read + bad},
            )
        )
    if refuted:
        out.append(
            Alarm(
                "digest collision",
                Message(
                    "{:,} documents were kept although another text has the same digest, because the texts differ",
                    refuted,
                ),
                {"documents": refuted},
            )
        )
    return out


def missed_target(message: Message, target: int, kept: int) -> Alarm:
    """Return the alarm about a run that keeps another number of documents than was asked for, as no threshold comes nearer."""
    return Alarm("target missed", message, {"target": target, "kept": kept})
