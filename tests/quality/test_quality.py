"""Covers: what the default method finds, accepts and removes on real texts, against floors that only rise.

Compared against: exact all-pairs counts and readings that came with the data, recounted by the Python twin.
A pair counts as found when result.pairs lists it with the Jaccard and containments of that recount (within 0.001).
Run: pytest tests/quality (about 40 s on 2 cores); `python tools/pin_quality.py` measures again and raises the floors.
"""

import importlib.util
import re
import unicodedata
from collections import defaultdict
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from chain_figures import FIGURES as CHAINS
from pan_figures import FIGURES as PAN
from passage_figures import FIGURES as PASSAGES
from web_figures import FIGURES as WEB

import quchong
from quchong import kernels
from quchong.plan.catalogue import build
from quchong.relations import ACCEPTED, CONTAINED_IN, CONTAINS, EXACT
from quchong.seam import Documents
from quchong.text import SOCIAL_STEPS, Preparer

CLOSE = 0.001
LEAST_JACCARD, LEAST_CONTAINMENT = 0.3, 0.6  # pairs below both are not listed
MAN_STEP = 10  # every tenth page is recounted by the twin: converting traditional texts in Python is slow


class Run:
    """A run of the default method (or of the parameters given) with its pairs by ids."""

    def __init__(self, path, **options):
        self.result = quchong.dedup(path, **{"differences": "all"} | options)
        self.pairs = {(p["left_id"], p["right_id"]): p for p in self.result.pairs.to_pylist()}
        self.ledger = self.result.ledger.to_pylist()
        self.survivor = {row["id"]: row["survivor_id"] for row in self.ledger}

    def pair(self, a, b):
        return self.pairs.get((min(a, b), max(a, b)))

    def relation(self, a, b):
        pair = self.pair(a, b)
        return pair["relation"] if pair else None

    def accepted(self, a, b):
        return self.relation(a, b) in ACCEPTED

    def merged(self, a, b):
        return self.survivor.get(a) == b or self.survivor.get(b) == a

    def found(self, a, b, twin):
        pair = self.pair(a, b)
        if pair is None:
            return False
        listed = (pair["jaccard"], pair["containment_left"], pair["containment_right"])
        counted = twin.count(pair["left_id"], pair["right_id"], pair["ngram_size"] or 3)
        return all(abs(x - y) <= CLOSE for x, y in zip(listed, counted, strict=True))

    def listed_below_floor(self):
        return sum(
            p["jaccard"] < LEAST_JACCARD and max(p["containment_left"], p["containment_right"]) < LEAST_CONTAINMENT
            for p in self.pairs.values()
        )


def tool(name):
    """A script of tools/ as a module."""
    path = Path(__file__).resolve().parents[2] / "tools" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def share(hits):
    hits = list(hits)
    return sum(hits) / len(hits)


def news_reprints(shared, twin):
    run = Run(shared.path("zh_news_reprints/docs.jsonl"))
    recount = twin(shared.read("zh_news_reprints/docs.jsonl"))
    measured = shared.read("zh_news_reprints/pairs_measured.jsonl")
    wanted = [(p["a"], p["b"]) for p in measured if p["jaccard5"] >= 0.7 or p["containment5"] >= 0.9]
    read = {label: [] for label in ("dup", "contains", "partial", "template")}
    for p in shared.read("zh_news_reprints/pairs_read.jsonl"):
        read[p["label"]].append((p["a"], p["b"]))
    return {
        "pairs_wanted": len(wanted),
        "found_share": share(run.found(a, b, recount) for a, b in wanted),
        "listed_below_floor": run.listed_below_floor(),
        "read_dup_accepted": sum(run.accepted(a, b) for a, b in read["dup"]),
        "read_contains_accepted": sum(run.accepted(a, b) for a, b in read["contains"]),
        "read_contains_typed": sum(run.relation(a, b) in (CONTAINS, CONTAINED_IN) for a, b in read["contains"]),
        "read_template_merged": sum(run.merged(a, b) for a, b in read["template"]),
        "read_partial_merged": sum(run.merged(a, b) for a, b in read["partial"]),
        "removed": len(run.ledger),
    }


def man_pages(shared, twin):
    rows = shared.read("zh_man_simp_trad/docs.jsonl")
    run = Run(shared.path("zh_man_simp_trad/docs.jsonl"))
    recount = twin(rows)
    pages = {}
    for row in rows:
        pages.setdefault(row["page"], []).append(row["id"])
    some = [pages[name] for name in sorted(pages)[::MAN_STEP]]
    return {
        "paired_share": share(run.pair(*ids) is not None for ids in pages.values()),
        "recounted_share": share(run.found(*ids, recount) for ids in some),
        "accepted_share": share(run.accepted(*ids) for ids in pages.values()),
        "listed_below_floor": run.listed_below_floor(),
    }


def unsigned(text):
    """The text without signs and units of figures, which the file's counts leave out as all marks: their spaces stay."""
    return re.sub("[-−－+＋±%％‰‱°$＄¢£¤¥￥฿\u20a0-\u20c0]", " ", text.replace("℃", " C").replace("℉", " F"))


def plain(text):
    """The form of pairs.jsonl: NFKC, lower case, letters and digits only."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).lower() if c.isalnum())


def expected_relation(pair, equal, jaccard=0.65, containment=0.85):
    """The stated order of tests on the file's own figures; containments are not told apart.

    The file holds shared / smaller set, so shared / larger set is 1 / (1 + 1 / jaccard - 1 / containment).
    """
    if equal:
        return EXACT
    j, larger = pair["jaccard5"], pair["containment5"]
    smaller = 1 / (1 + 1 / j - 1 / larger) if j else 0.0
    if larger >= containment > smaller:
        return CONTAINS
    if j >= jaccard or smaller >= containment:
        return "duplicate"
    return "partial" if j >= LEAST_JACCARD or larger >= LEAST_CONTAINMENT else "none"


def docs_versions(shared, twin):
    rows = [row | {"text": unsigned(row["text"])} for row in shared.read("zh_docs_versions/docs.jsonl")]
    place = {row["id"]: i for i, row in enumerate(rows)}
    pairs = shared.read("zh_docs_versions/pairs.jsonl")
    options = {"normalise": "plain", "tokens": "char", "ngram_size": 5}
    method = build("hybrid", {**options, "threshold": 0.65, "containment": 0.85})  # for every script
    texts = Preparer().prepare(pa.array([row["text"] for row in rows], pa.large_string())).texts
    left, right = (np.array([place[p[side]] for p in pairs], np.uint32) for side in "ab")
    measures = method.score(Documents.from_texts(texts), left, right)
    features = method.represent(texts)
    same = (features.high[left] == features.high[right]) & (features.low[left] == features.low[right])

    def relations(judge):
        out = judge.rule.decide(measures)[0].astype(object)
        out[out == CONTAINED_IN] = CONTAINS
        out[~judge.rule.floor(measures)] = "none"
        out[same] = EXACT
        return out

    forms = [plain(row["text"]) for row in rows]
    expected = [expected_relation(p, forms[a] == forms[b]) for p, a, b in zip(pairs, left, right, strict=True)]
    larger = np.maximum(measures["containment_left"], measures["containment_right"])
    run = Run(rows, **options)
    above = [p for p, listed in zip(pairs, method.rule.floor(measures), strict=True) if listed]
    return {
        "pairs": len(pairs),
        "jaccard_off": int((abs(measures["jaccard"] - [p["jaccard5"] for p in pairs]) > CLOSE).sum()),
        "containment_off": int((abs(larger - [p["containment5"] for p in pairs]) > CLOSE).sum()),
        "exact_missed": sum(p["exact"] and not s for p, s in zip(pairs, same, strict=True)),
        "relation_off": sum(r != e for r, e in zip(relations(method), expected, strict=True)),
        "relation_off_by_default": sum(
            r != e for r, e in zip(relations(build("hybrid", options)), expected, strict=True)
        ),
        "above_floor_not_listed_by_run": sum(run.pair(p["a"], p["b"]) is None for p in above),
    }


def news_xwlb(shared, twin):
    run = Run(shared.path("zh_news_xwlb/docs.jsonl"))
    return {
        "removed_as_duplicates": sum(row["relation"] in (EXACT, "duplicate") for row in run.ledger),
        "removed": len(run.ledger),
    }


def weibo(shared, twin):
    name = "zh_weibo_ced/microblogs.jsonl"
    rows = shared.read(name)
    run = Run(shared.path(name))
    recount = twin(rows)
    measured = shared.read("zh_weibo_ced/microblog_pairs_measured.jsonl")
    wanted = [(p["a"], p["b"]) for p in measured if p["jaccard3"] >= 0.8]
    counts = run.result.counts
    return {
        "pairs_wanted": len(wanted),
        "found_share": share(run.found(a, b, recount) for a, b in wanted),
        "listed_below_floor": run.listed_below_floor(),
        "lost": len(rows) - counts["kept"] - counts["removed"] - len(run.result.skipped),
        "skipped": len(run.result.skipped),
    }


def near_pairs(docs, least):
    """Candidates of all pairs with Jaccard >= least over 3-token shingles, by a prefix filter: none is missed.

    Two sets with that Jaccard share one of the size - ceil(least * size) + 1 rarest shingles of each.
    """
    n = len(docs.offsets) - 1
    owner = np.repeat(np.arange(n), docs.lengths)
    token = docs.tokens.astype(np.uint64)
    inside = np.flatnonzero(owner[:-2] == owner[2:])
    odd = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
    shingle = sum(token[inside + k] * odd[k] for k in range(3))
    _, shingle = np.unique(shingle, return_inverse=True)
    one = np.unique(np.stack([owner[inside], shingle], 1), axis=0)
    frequency = np.bincount(one[:, 1])[one[:, 1]]
    one = one[np.lexsort((one[:, 1], frequency, one[:, 0]))]
    size = np.bincount(one[:, 0], minlength=n)
    rank = np.arange(len(one)) - np.repeat(np.cumsum(size) - size, size)
    own = size[one[:, 0]]
    prefix = one[rank < own - np.ceil(least * own - 1e-9) + 1]
    prefix = prefix[np.lexsort((prefix[:, 0], prefix[:, 1]))]
    starts = np.flatnonzero(np.diff(prefix[:, 1], prepend=-1))
    found = set()
    for group in np.split(prefix[:, 0], starts[1:]):
        found |= {(int(a), int(b)) for i, a in enumerate(group) for b in group[i + 1 :]}
    return sorted((a, b) for a, b in found if min(size[a], size[b]) >= least * max(size[a], size[b]))


def reuters(shared, twin):
    rows = shared.read("en_reuters/docs.jsonl")
    run = Run(shared.path("en_reuters/docs.jsonl"))
    recount = twin(rows)
    texts = Preparer().prepare(pa.array([row["text"] for row in rows], pa.large_string())).texts
    candidates = near_pairs(kernels.text.tokenise(build("hybrid", {}).form, texts).docs, 0.7)
    named = [(rows[a]["id"], rows[b]["id"]) for a, b in candidates]
    wanted = [(a, b) for a, b in named if recount.count(a, b, 3)[0] >= 0.7]
    return {
        "pairs_wanted": len(wanted),
        "found_share": share(run.found(a, b, recount) for a, b in wanted),
        "listed_below_floor": run.listed_below_floor(),
    }


def news_events(shared, twin):
    event = {row["id"]: row["event"] for row in shared.read("en_news_events/docs.jsonl")}
    run = Run(shared.path("en_news_events/docs.jsonl"))
    return {
        "removed_across_events": sum(event[row["id"]] != event[row["survivor_id"]] for row in run.ledger),
        "accepted_across_events": sum(
            p["relation"] in ACCEPTED and event[a] != event[b] for (a, b), p in run.pairs.items()
        ),
    }


def short_titles(shared, twin):
    run = Run(shared.path("zh_short_titles/docs.jsonl"))
    relations = [p["relation"] for p in run.pairs.values() if p["relation"] in ACCEPTED]
    return {"accepted_pairs": len(relations), "accepted_not_exact": sum(r != EXACT for r in relations)}


def folded(rows):
    """Posts as the method short-text compares them, for the twin."""
    column = pa.array([row["text"] for row in rows], pa.large_string())
    texts = Preparer(social=SOCIAL_STEPS).prepare(column).texts.to_pylist()
    return [{"id": row["id"], "text": text} for row, text in zip(rows, texts, strict=True)]


def short_text_weibo(shared, twin):
    name = "zh_weibo_ced/microblogs.jsonl"
    run = Run(shared.path(name), method="short-text")
    recount = twin(folded(shared.read(name)))
    measured = shared.read("zh_weibo_ced/microblog_pairs_measured.jsonl")
    wanted = [(p["a"], p["b"]) for p in measured if p["jaccard3"] >= 0.7]
    draw = tool("draw_pairs")
    drawn = draw.merged_below(shared.folder, 50)
    known = draw.verdicts("merged-below")
    read = [known.get(frozenset((r["a"], r["b"]))) for r in drawn]
    return {
        "pairs_wanted": len(wanted),
        "found_share": share(run.found(a, b, recount) for a, b in wanted),
        "accepted_share": share(run.accepted(a, b) for a, b in wanted),
        "merged_below_unread": read.count(None),
        "merged_below_right_share": share(r is not None and r["verdict"] == "right" for r in read),
        "removed": len(run.ledger),
    }


def two_stage_weibo(shared, twin):
    """What the paper's own rule finds of posts, and how much of what it removes is measured as alike."""
    name = "zh_weibo_ced/microblogs.jsonl"
    run = Run(shared.path(name), method="two-stage", stage1="bloom", confirm=True)
    measured = {
        frozenset((p["a"], p["b"])): p["jaccard3"] for p in shared.read("zh_weibo_ced/microblog_pairs_measured.jsonl")
    }
    wanted = [tuple(pair) for pair, jaccard in measured.items() if jaccard >= 0.7]
    recount = twin(shared.read(name))
    return {
        "pairs_wanted": len(wanted),
        "found_share": share(run.found(a, b, recount) for a, b in wanted),
        "removed": len(run.ledger),
        "removed_alike_share": share(
            measured.get(frozenset((row["id"], row["survivor_id"])), 0) >= 0.5 for row in run.ledger
        ),
        "differs_from_digest": int(run.pairs != Run(shared.path(name), method="two-stage").pairs),
    }


def strict(text):
    """NFKC, lower case, no white space; marks stay."""
    return "".join(unicodedata.normalize("NFKC", text).lower().split())


def repeats_found(run, text, form):
    """Repeats by a form: how many there are, how many pairs named exact join, and how many are still kept."""
    root = {i: i for i in text}

    def top(i):
        while root[i] != i:
            i = root[i]
        return i

    for (a, b), pair in run.pairs.items():
        if pair["relation"] == EXACT:
            root[top(a)] = top(b)
    classes = defaultdict(list)
    for doc_id, original in text.items():
        classes[form(original)].append(doc_id)
    repeats = sum(len(c) - 1 for c in classes.values())
    joined = sum(len(c) - len({top(i) for i in c}) for c in classes.values())
    kept = sum(max(0, sum(i not in run.survivor for i in c) - 1) for c in classes.values())
    return repeats, joined, kept


def reposts(shared, twin):
    name = "zh_weibo_ced/reposts_sample.jsonl"
    loose = Run(shared.path(name), method="short-text", social="none", normalise="plain", tokens="char")
    ids = loose.result.documents["id"].to_pylist()  # repeated ids were told apart
    text = dict(zip(ids, (row["text"] for row in shared.read(name)), strict=True))
    exact = [pair for pair, row in loose.pairs.items() if row["relation"] == EXACT]
    by_default = Run(shared.path(name), method="short-text")
    hybrid = Run(shared.path(name), recall_sample=8000)
    recall = hybrid.result.manifest["recall"]
    by_strict, by_loose = (repeats_found(loose, text, form) for form in (strict, plain))
    return {
        "strict_repeats": by_strict[0],
        "strict_found": by_strict[1],
        "strict_kept": by_strict[2],
        "loose_repeats": by_loose[0],
        "loose_found": by_loose[1],
        "loose_kept": by_loose[2],
        "invented": sum(plain(text[a]) != plain(text[b]) for a, b in exact),
        "loose_found_by_default": repeats_found(by_default, text, plain)[1],
        "exact_by_default": sum(row["relation"] == EXACT for row in by_default.ledger),
        "hybrid_duplicate_recall": recall["duplicate"]["recall"],
        "hybrid_contained_recall": recall["contained_in"]["recall"],
        "hybrid_repetitions_contained": sum(
            row["relation"] == CONTAINED_IN and len(set(plain(text[row["id"]]))) <= 3 for row in hybrid.ledger
        ),
    }


TAGGED = re.compile(r"[(（]组?图[)）]")
ADMISSION = re.compile(r"(?:大学|学院)?20\d\d年.*查询")


def short_text_titles(shared, twin):
    name = "zh_short_titles/docs.jsonl"
    text = {row["id"]: row["text"] for row in shared.read(name)}
    run, hybrid = Run(shared.path(name), method="short-text"), Run(shared.path(name))
    wanted = [(p["a"], p["b"]) for p in shared.read("zh_short_titles/pairs_measured.jsonl")]

    def merged_in_family(of):
        return sum(
            bool(ADMISSION.search(text[row["id"]])) and plain(text[row["id"]]) != plain(text[row["survivor_id"]])
            for row in of.ledger
        )

    return {
        "pairs_wanted": len(wanted),
        "found_share": share(run.pair(a, b) is not None for a, b in wanted),
        "hybrid_found_share": share(hybrid.pair(a, b) is not None for a, b in wanted),
        "removed": len(run.ledger),
        "removed_for_more_than_marks_and_tags": sum(
            plain(TAGGED.sub("", text[row["id"]])) != plain(TAGGED.sub("", text[row["survivor_id"]]))
            for row in run.ledger
        ),
        "admission_family": sum(bool(ADMISSION.search(t)) for t in text.values()),
        "admission_family_merged": merged_in_family(run),
        "admission_family_merged_by_hybrid": merged_in_family(hybrid),
    }


def sentence_pairs(shared, twin):
    rows = [row for row in shared.read("zh_sentence_pairs/paws-x-zh.jsonl") if row["label"] == 0]
    n = len(rows)
    column = pa.array([row["a"] for row in rows] + [row["b"] for row in rows], pa.large_string())
    left = np.arange(n, dtype=np.uint32)
    figures = {"word_swaps": n}
    for name, steps in (("short-text", SOCIAL_STEPS), ("hybrid", ())):
        method = build(name, {})
        texts = Preparer(social=steps).prepare(column).texts
        measures, features = (
            method.score(Documents.from_texts(texts), left, left + np.uint32(n)),
            method.represent(texts),
        )
        accepted = np.isin(method.rule.decide(measures)[0].astype(str), ACCEPTED) & method.rule.floor(measures)
        same = (features.high[:n] == features.high[n:]) & (features.low[:n] == features.low[n:])
        figures[f"equal_{name}"] = int(same.sum())
        figures[f"merged_{name}"] = int((accepted | same).sum())
    return figures


MEASURES = {
    "zh_news_reprints": news_reprints,
    "zh_man_simp_trad": man_pages,
    "zh_docs_versions": docs_versions,
    "zh_news_xwlb": news_xwlb,
    "zh_weibo_ced": weibo,
    "en_reuters": reuters,
    "en_news_events": news_events,
    "zh_short_titles": short_titles,
    "short_text_weibo": short_text_weibo,
    "two_stage_weibo": two_stage_weibo,
    "short_text_reposts": reposts,
    "short_text_titles": short_text_titles,
    "zh_sentence_pairs": sentence_pairs,
    **WEB,
    **PAN,
    **PASSAGES,
    **CHAINS,
}


@pytest.fixture(scope="session")
def pin():
    return tool("pin_quality")


@pytest.mark.shared
def test_the_data_are_those_the_floors_were_measured_on(shared, baseline):
    changed = [name for name, digest in baseline["data"].items() if shared.digest(name) != digest]
    assert not changed, "another data set asks for other floors: see tools/pin_quality.py --data"


IN_CAMPAIGN = (
    "zh_html_gne", "zh_html_debian_docs", "made_pages", "en_reuters", "zh_docs_versions", "zh_docs_grown",
    "short_text_reposts", "made_chains",
)  # fmt: skip
"""Sets that take 9 to 30 seconds. The suite holds the answers on a part of each: test_quality_parts.py, and of the versions
test_passages_page.py."""


@pytest.mark.shared
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.campaign] * (name in IN_CAMPAIGN)) for name in MEASURES]
)
def test_no_figure_falls_behind_its_floor(name, shared, twin, baseline, pin):
    figures = MEASURES[name](shared, twin)
    floors = baseline["figures"][name]
    assert set(figures) == set(floors)
    behind = {k: (value, floors[k]) for k, value in figures.items() if not pin.holds(value, floors[k])}
    assert not behind


def entry(direction, floor, required=None, epsilon=0.0):
    return {"direction": direction, "required": required, "epsilon": epsilon, "floor": floor, "measured": floor}


def test_pinning_raises_floors_and_never_lowers_them_unasked(pin):
    assert pin.repin(entry("at_least", 0.9, epsilon=0.01), 0.95)["floor"] == pytest.approx(0.94)
    assert pin.repin(entry("at_most", 6), 4)["floor"] == 4
    for old, value in ((entry("at_least", 0.9), 0.89), (entry("at_most", 6), 7)):
        with pytest.raises(pin.LowerFloor):
            pin.repin(old, value)
        assert pin.repin(old, value, allow=True)["floor"] == value


def test_within_epsilon_a_floor_stays_as_it_is(pin):
    assert pin.repin(entry("at_least", 0.94, epsilon=0.01), 0.945)["floor"] == 0.94
    assert pin.repin(entry("at_most", 42, epsilon=2), 41)["floor"] == 42


def test_no_reason_lowers_a_floor_below_what_is_required(pin):
    with pytest.raises(pin.LowerFloor):
        pin.repin(entry("at_least", 0.99, required=0.99), 0.98, allow=True)
    assert pin.repin(entry("at_least", 1.0, required=0.99), 0.995, allow=True)["floor"] == pytest.approx(0.995)


def test_a_count_that_must_be_exact_may_move_neither_way(pin):
    assert pin.holds(210, entry("equal", 210))
    assert not pin.holds(211, entry("equal", 210))
    with pytest.raises(pin.LowerFloor):
        pin.repin(entry("equal", 210), 211)
