"""Figures of chains for test_quality: made chains with known parents, and clusters of reprinted news read by hand.

The prices of `quchong.chains` were fitted on made chains of seeds 0 to 2 and on one half of the clusters read; the made chains
measured here are of other seeds.
"""

import csv
from collections import defaultdict
from pathlib import Path

from made_chains import articles, chain

import quchong

READ = Path(__file__).parents[2] / "docs" / "results" / "read-chains-zh_news_reprints.csv"
SEEDS = (10, 11, 12)
SURE = 0.8


def timed(copies, times):
    """The rows of a made corpus: with times, with dates alone, with a time in every other row, or with none."""
    rows = []
    for k, one in enumerate(copies):
        time = one.time.isoformat()
        known = {"times": time, "dates": time[:10], "half": None if k % 2 else time, "none": None}[times]
        rows.append({"id": one.id, "time": known, "text": one.text})
    return rows


def letters(text):
    return "".join(c for c in text if c.isalnum())


def measured(times, seeds=SEEDS):
    """Of copies: whether the named source has the text of the parent, and how sure it was; of first documents: whether they were named."""
    bases = articles()
    copies_right, firsts_right = [], []
    for seed in seeds:
        made = [chain(base, [t for t in bases if t != base], seed, f"{seed}-{k}") for k, base in enumerate(bases)]
        copies = {one.id: one for several in made for one in several}
        found = quchong.dedup(timed(copies.values(), times), recall_sample=0).chains()
        named = {}
        for row in found.select(["id", "source_id", "confidence", "basis"]).to_pylist():
            named.setdefault(row["id"], row)
        for one in copies.values():
            row = named.get(one.id)
            if one.parent is None:
                firsts_right.append(row is None or row["source_id"] is None)
                continue
            source = row and row["source_id"] and copies[row["source_id"]].text
            right = bool(source) and letters(source) == letters(copies[one.parent].text)
            copies_right.append((right, row["confidence"] if row else 0.0, row["basis"] if row else ""))
    return copies_right, firsts_right


def made_chains(shared, twin):
    figures = {}
    for times in ("times", "dates", "half", "none"):
        copies, firsts = measured(times)
        figures[f"sources_{times}"] = sum(right for right, *_ in copies) / len(copies)
        figures[f"firsts_{times}"] = sum(firsts) / len(firsts)
        sure = [right for right, confidence, _ in copies if confidence >= SURE]
        figures[f"sure_right_{times}"] = sum(sure) / len(sure)
        figures[f"sure_{times}"] = len(sure) / len(copies)
    return figures


def read_clusters():
    clusters = defaultdict(list)
    with READ.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            clusters[int(row["cluster"])].append(row)
    return clusters


def is_issue(reading, rows):
    """Is the document told as the third reading found it: an issue of a series where it says so, and none where it does not?

    An issue with a copy of its own stands in that chain too, as its first document or as a copy of the same issue.
    """
    return ("series" in {row["role"] for row in rows}) == (reading["third"] == "series")


def agrees(verdict, source, rows):
    """Does what the program names agree with a reader's verdict? Of a digest two parts and more, and no other, have to be named."""
    named = {row["source_id"] for row in rows if row["source_id"] is not None}
    if verdict in ("first", "own"):
        return not named
    if verdict == "digest":
        parts = named | {part for row in rows for part in row["parts"]}
        made = all(row["role"] in ("roundup", "digest") for row in rows)
        return made and len(parts) >= 2 and parts <= set(source.split("+"))
    return bool(named) and named <= set(source.split("|"))


def third(cluster, document):
    """Verdict of the third reading on a document of a cluster, "" for another one."""
    return next((v["third"] for v in cluster if v["id"] == document), "")


def told_right(reading, cluster, rows):
    """As `agrees`; of an issue of a series it is right to name no source, of a copy the issue that it copies."""
    if reading["third"] == "series":
        return is_issue(reading, rows) and not any(row["source_id"] for row in rows)
    return is_issue(reading, rows) and agrees(reading["verdict"], reading["source"], rows)


def told_fifth(reading, rows):
    """As `told_right`, by the fifth reading: all 157 documents anew, with what each text has that the other candidates lack."""
    fifth = reading["fifth"]
    if fifth == "issue":
        return "series" in {row["role"] for row in rows} and not any(row["source_id"] for row in rows)
    verdict = fifth if fifth in ("first", "own") else "digest" if "+" in fifth else "copy"
    return is_issue(reading, rows) and agrees(verdict, fifth, rows)


def looked_again(second, rows):
    """As `agrees`, with what the reader wrote when he saw both texts again, and what the program says: no blind reading."""
    return bool(second) and agrees("digest" if "+" in second else "copy", second, rows)


def read_chains(shared, twin):
    """Clusters of three documents and more, each right where every source named is one the reader names; and documents."""
    result = quchong.dedup(shared.path("zh_news_reprints/docs.jsonl"), time="date", source="site", recall_sample=0)
    rows = defaultdict(list)
    for row in result.chains().select(["id", "role", "source_id", "parts"]).to_pylist():
        rows[row["id"]].append(row)
    figures = defaultdict(int)
    for cluster in read_clusters().values():
        right = [told_right(v, cluster, rows[v["id"]]) for v in cluster]
        again = [one or looked_again(v["second"], rows[v["id"]]) for one, v in zip(right, cluster, strict=True)]
        figures["issues_called_copies"] += sum(
            row["source_id"] is not None and "series" in third(cluster, row["source_id"])
            for v in cluster
            if v["third"] == "series"
            for row in rows[v["id"]]
        )
        half = cluster[0]["half"]
        figures["clusters"] += 1
        figures["documents"] += len(cluster)
        figures[f"clusters_right_{half}"] += all(right)
        figures[f"documents_right_{half}"] += sum(right)
        figures["clusters_right_second_look"] += all(again)
        figures["clusters_right_fifth"] += all(told_fifth(v, rows[v["id"]]) for v in cluster)
        figures["documents_right_fifth"] += sum(told_fifth(v, rows[v["id"]]) for v in cluster)
    return dict(figures)


FIGURES = {"made_chains": made_chains, "read_chains": read_chains}
