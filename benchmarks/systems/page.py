"""The table of all systems as a page."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence

from truths import SETS

HEAD = """# All systems on six sets

Written by `python benchmarks/systems --shared DATA -o docs/results/systems.md` on {day}, quchong {version}, {machine}.

Every system gets its best threshold on one half of the pairs; precision, recall and F1, with 95% intervals, are those on the other
half (the same halves for all, by documents). Our methods are tuned by `qc.tune`; of peers the size of a shingle is
chosen as well, characters for Chinese and words for English, as their defaults take a Chinese clause for a word.

*Seconds* are of the processor, in one run with that threshold: texts in memory to pairs, for ours with the verification of every pair,
survivors, passages and tables. *MB* is the most a process held, with what it imports. Other work went on beside, which
processor seconds feel little. `-`: a precision of no pair, or nothing measured.

*Relation*: of the copies found, the share called contained where the truth says so and not where it does not. *Index MB*: keys, sets or
signatures of all documents that candidates are found by (`-`: the method searches by itself); of a peer, what its process grew by.

Peers: 128 values in 32 bands, candidates held to the estimated Jaccard; simhash of 64 bits. Each in an environment of its own. A process
that takes too long is stopped, and the table says after how many seconds.

**No truth is neutral.** Each section says whom its truth flatters. The default is not tuned to any of them, and calls a copy with
other figures or dates a variant, which most of these truths call a copy.
"""

REMOVED = "hybrid, variants removed"
MODES = {"hybrid": "variants stay", REMOVED: "variants removed"}

LEARNED = """## What the default loses, and why

Of the half thresholds are chosen by (the other half was not looked at for this), at the tuned threshold. `below the floor`: shares too
little to be listed; `never compared`: no candidate; the rest are relation and rule as `explain` tells them. A pair may have several facts.

- **Most of it is facts.** Versions of one page differ in a version number or an address, notices of Reuters in every
  amount, and the default
  keeps both on purpose. With `--facts remove`, which is for those who want one of them, it is the best of all on
  zh_docs_versions, en_reuters and
  zh_news_reprints. The default stays as it is: these truths count letters, and a notice with another price is no copy
  to who reads it.
- **A mistake of ours was the rule `other words`** on zh_weibo_ced: forwarded appeals with another heading and closing line
  ([decision 0093](../decisions/0093-other-words-in-posts.md)); F1 .927 then.
- **False conflicts are left**: noise of scans inside figures and names on made pages (11月2黄日 against 11月22日), an amount
  rounded (268.8 mln
  against 268,797), signs of the zodiac read as organisations. They belong to what tells differences.
- **Below the thresholds** on made pages are copies of which less than half is left, which that truth counts by origin;
  on zh_docs_versions pages
  rewritten between versions. On en_pan13_containment it is documents of which six tenths are copied, and containment is
  asked from 0.8.
- Not one copy of the six halves was never compared.
"""

FOOT = """\\* a peer (`simhash`: the peer; our method of that name is not in the table yet). † measured on 2026-11-24 by
an earlier state of the code, and not run
again since; four of that day (minhash, exact, ccdet and shingling on en_reuters) were, and said the same."""


def page(
    results: Sequence[Mapping], version: str, machine: str, skipped: Mapping[str, str], systems: Sequence[str] = ()
) -> str:
    """The page of what was measured; of `systems` those that were not are named under each set."""
    out = [HEAD.format(day=datetime.datetime.now(datetime.UTC).date(), version=version, machine=machine)]
    if skipped:
        out.append("Not here: " + "; ".join(f"{name} ({why})" for name, why in skipped.items()) + ".\n")
    out.append(summary(results))
    out.append(learned(results))
    for one in SETS:
        mine = [r for r in results if r["set"] == one.name]
        if not mine:
            continue
        first = next((r for r in mine if r.get("documents")), mine[0])
        out.append(f"\n## {one.name}\n")
        out.append(f"{first.get('documents', 0):,} documents. Truth: {one.truth}. It flatters {one.flatters}.\n")
        out.append(
            "| system | setting | precision | recall | F1 | 95% | relation | seconds | MB | index MB |\n"
            "|---|---|---|---|---|---|---|---|---|---|"
        )
        done = [r for r in mine if "held" in r]
        for r in sorted(done, key=lambda r: (-(r["held"]["f1"]["value"] or 0.0), r["system"])):
            held, f1 = r["held"], r["held"]["f1"]
            name = (
                r["system"]
                + (" *" if r.get("peer") else "")
                + (" †" if r.get("carried") and "relation" not in r else "")
            )
            interval = "-" if f1["value"] is None else f"{f1['low']:.3f} to {f1['high']:.3f}"
            cost = (f"{r['cpu']:.2f}", f"{r['peak_mb']:,.0f}") if "cpu" in r else ("-", "-")
            asked = r.get("relation")
            relation = f"{asked['right'] / asked['of']:.3f}" if asked and asked["of"] else "-"
            size = "-" if r.get("index_mb") is None else f"{r['index_mb']:,.1f}"
            figures = (_value(held[k]) for k in ("precision", "recall", "f1"))
            cells = (name, r["setting"], *figures, interval, relation, *cost, size)
            out.append("| " + " | ".join(cells) + " |")
        for r in (r for r in mine if "held" not in r):
            out.append(f"| {r['system']}{' *' * bool(r.get('peer'))} | {r['why']}{' | -' * 8} |")
        if missing := [name for name in systems if name not in {r["system"] for r in mine}]:
            out.append(f"\nNot measured yet: {', '.join(missing)}.")
    return "\n".join([*out, "", FOOT, ""])


def learned(results: Sequence[Mapping]) -> str:
    """Where the default loses: what it says of the copies it misses, and of what it wrongly calls copies."""
    found = {(r["set"], r["system"]): r["losses"] for r in results if r.get("losses")}
    lines = [
        "| set | the default | copies | found | missed | wrongly called copies | facts of missed variants |",
        "|---|---|---|---|---|---|---|",
    ]
    for one in SETS:
        for system in ("hybrid", REMOVED):
            if (lost := found.get((one.name, system))) is not None:
                told = (_counts(lost[key]) for key in ("missed", "wrong", "facts"))
                row = (one.name, MODES[system], str(lost["of"]), str(lost["right"]), *told)
                lines.append("| " + " | ".join(row) + " |")
    return LEARNED + "\n" + "\n".join(lines) + "\n"


def _counts(some: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in some.items()) or "-"


def summary(results: Sequence[Mapping]) -> str:
    """The default beside the best of ours and of the peers."""
    lines = [
        "| set | default, untuned | default, tuned | the same, variants removed | best other of ours | best peer |\n"
        "|---|---|---|---|---|---|",
    ]
    for one in SETS:
        mine = [r for r in results if r["set"] == one.name and "held" in r]
        ours, peers = ([r for r in mine if bool(r.get("peer")) == side] for side in (False, True))
        default = next((r for r in ours if r["system"] == "hybrid"), None)
        if not ours:
            continue
        plain = "-" if default is None else _value(default["before"]["f1"])
        tuned = "-" if default is None else _value(default["held"]["f1"])
        removed = next((_value(r["held"]["f1"]) for r in ours if r["system"] == REMOVED), "-")
        others = [r for r in ours if r["system"] not in MODES]
        lines.append(f"| {one.name} | {plain} | {tuned} | {removed} | {_best(others)} | {_best(peers)} |")
    return "F1 on the half held back:\n\n" + "\n".join(lines) + "\n"


def _best(some: Sequence[Mapping]) -> str:
    if not some:
        return "-"
    top = max(some, key=lambda r: (r["held"]["f1"]["value"] or 0.0, r["system"]))
    return f"{_value(top['held']['f1'])} {top['system']}"


def _value(share: Mapping) -> str:
    return "-" if share["value"] is None else f"{share['value']:.3f}"
