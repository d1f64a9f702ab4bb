"""The table of all systems as a page."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence

from truths import SETS

HEAD = """# All systems on six sets

Written by `python benchmarks/systems --shared DATA -o docs/results/systems.md` on {day}, quchong {version}, {machine}.

Every system gets its best thresholds on one half of the pairs; precision, recall and F1, with 95% intervals, are those on the other
half (the same halves for all, by documents). Our methods are tuned by `qc.tune`, which moves `containment` too where a method states one
([decision 0099](../decisions/0099-all-thresholds-of-a-method-are-tuned.md)); of peers the size of a shingle is
chosen as well, characters for Chinese and words for English. A peer's second row, *stock*, is the peer as its README or its constructor
has it, whatever the language: most take a Chinese clause for a word.

*Seconds* are of the processor, in one run with these thresholds: texts in memory to pairs, for ours with the verification of every pair,
survivors, passages and tables. *MB* is the most a process held, with what it imports. Other work went on beside, which
processor seconds feel little. `-`: a precision of no pair, or nothing measured.

*Relation*: of the copies found, the share called contained where the truth says so and not where it does not. *Index MB*: keys, sets or
signatures of all documents that candidates are found by (`-`: the method searches by itself); of a peer, what its process grew by.

Peers: 128 values in 32 bands, candidates held to the estimated Jaccard; simhash of 64 bits; text-dedup chooses its bands by the threshold,
estimates nothing, and all pairs of a cluster count as its pairs (stock rensa is its deduplicator, and counts the same way). Each in an
environment of its own. A process that takes more seconds of the processor than it may is stopped, and the table says after how many.

**No truth is neutral.** Each section says whom its truth flatters. The default is not tuned to any of them, and calls a copy with
other figures or dates a variant, which most of these truths call a copy.
"""

REMOVED = "hybrid, variants removed"
MODES = {"hybrid": "variants stay", REMOVED: "variants removed"}

LEARNED = """## What the default loses, and why

The default should be best, or within half a point of the best F1, on every set. With `--facts remove`, which is for those who want one of
two texts that differ in a fact, it is best on zh_news_reprints, zh_weibo_ced, zh_docs_versions and en_pan13_containment (there with eight
others), and within half a point on made pages and en_reuters. As it comes, where variants stay, it is on zh_news_reprints alone.

What follows is of the half thresholds are chosen by (the other half was not looked at for it), at the tuned thresholds. `below the floor`:
shares too little to be listed; `never compared`: no candidate; the rest are relation and rule as `explain` tells them. A pair may have
several facts.

- **Of two thresholds one was tuned.** Most misses lay below the thresholds, as containment stayed at 0.85 (0.8 for English). With both
  tuned ([decision 0099](../decisions/0099-all-thresholds-of-a-method-are-tuned.md)) the F1 on the half held back rose with variants removed
  from .922 to .985, .968 to .980, .987 to .990 and .968 to .987 on the first four sets; on en_reuters it fell from .992 to .987. Other
  methods gain too, shingling on every set; not all of it holds on the other half: winnowing fell from .911 to .873 on zh_weibo_ced.
- **Most of the rest is facts.** Versions of one page differ in a version number or an address, notices of Reuters in every amount, and the
  default keeps both on purpose: these truths count letters, and a notice with another price is no copy to who reads it.
- **Mistakes of ours, mended**: the rule `other words` on forwarded appeals
  ([decision 0011](../decisions/0011-thresholds-and-guards-measured-here.md)); a character that a scan put in the place of a digit
  (11月2黄日 against 11月22日); numbers of list items behind an item that one text lacks.
- **False conflicts left**: a digit that a scan lost or doubled (95.3元 against 95.73元), which nothing tells from another price; a wrong
  character in a name; an amount rounded (268.8 mln against 268,797); a smiley in brackets ([熊猫]) read as a person. Pairs that only
  thresholds below the most lenient preset call copies are not aligned, so that figures are counted wherever they stand: `numbers differ`
  on made pages.
- **Below the thresholds** is little now: on zh_docs_versions pages rewritten between versions, on zh_weibo_ced short posts.
- **The list of en_pan13_containment is not complete.** It has passages that were copied on purpose, and not all of these: 31 pairs that it
  lacks have 60% of the shingles of one document in the other, up to 99%. As long as they counted as mistakes no method was above .73. What
  the list does not tell of is unsure now, counted by shingles and by no method of the table; nine methods then find all 21 copies, with
  thresholds of .35 to .45, far below what they come with.
- Not one copy of the six halves was never compared.
"""

FOOT = """\\* a peer. † measured by an earlier state of the code, with its first threshold alone, and not run again since. ‡ its first
threshold alone: tuning all of them took too long. Stops after 45 s are by the clock and of an earlier state."""


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
                + (" †" if r.get("carried") else "")
                + (" ‡" if r.get("alone") else "")
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
    heads = (
        "set",
        "default, untuned",
        "default, tuned",
        "the same, variants removed",
        "best other of ours",
        "best peer",
    )
    heads = (*heads, "the best as it comes", "behind the best")
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
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
        stock = [r for r in peers if r["system"].endswith(", stock")]
        best = (
            _best(others),
            _best([r for r in peers if r not in stock]),
            _best(stock),
            _behind(ours, [*others, *peers]),
        )
        cells = (one.name, plain, tuned, removed, *best)
        lines.append("| " + " | ".join(cells) + " |")
    return (
        "F1 on the half held back. *Behind the best*: points the better of both settings of the default lacks to the best other system.\n\n"
        + "\n".join(lines) + "\n"
    )  # fmt: skip


def _behind(ours: Sequence[Mapping], others: Sequence[Mapping]) -> str:
    """Points of F1 that the default lacks, variants removed or not; "none" where it is the best."""
    scores = [
        [r["held"]["f1"]["value"] or 0.0 for r in some] for some in ([r for r in ours if r["system"] in MODES], others)
    ]
    if not all(scores):
        return "-"
    gap = 100 * (max(scores[1]) - max(scores[0]))
    return f"{gap:.1f}" if gap > 0 else "none"


def _best(some: Sequence[Mapping]) -> str:
    if not some:
        return "-"
    top = max(some, key=lambda r: (r["held"]["f1"]["value"] or 0.0, r["system"]))
    return f"{_value(top['held']['f1'])} {top['system']}"


def _value(share: Mapping) -> str:
    return "-" if share["value"] is None else f"{share['value']:.3f}"
