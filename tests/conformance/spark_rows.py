"""The corpora that both engines are held to."""

import json
import random
from pathlib import Path

from answer_corpus import small_corpus
from promise_corpus import make_corpus

from quchong.engines.local.compare import compare_documents
from quchong.io import from_object

ROOT = Path(__file__).parents[2]
COLUMNS = ("id", "text", "time", "site", "url", "quality", "half", "title", "blocks")


def small_rows():
    """26 documents of every kind of copy that a method may tell apart, with title, headings, address and site."""
    return [
        {c: row.get(c) for c in COLUMNS} | {"quality": str(i * 7 % 26), "half": "a"}
        for i, row in enumerate(small_corpus(5))
    ]


def hold_to_compare(pairs, plan):
    """Every pair of `small_rows` that was found and examined has the relation and rule `compare` gives by the same plan."""
    by_id = {row["id"]: row for row in small_rows()}
    found = {ids: p for p in pairs if by_id.keys() >= set(ids := (p["left_id"], p["right_id"]))}
    first = {}  # of the exact copies of each, by which a pair is compared
    for left, right in sorted(ids for ids, p in found.items() if p["relation"] == "exact"):
        first[right] = first.get(left, left)
    assert first
    for ids, p in found.items():
        ends = [first.get(i, i) for i in ids]
        if p["relation"] not in ("exact", "unexamined") and ends == sorted(ends):
            two = [from_object([by_id[i]], plan.wanted_columns) for i in ends]
            said = compare_documents(two, plan)
            assert (said.relation, said.rule) == (p["relation"], p["rule"]), ids
    return len(found)


def mixed_rows():
    """About 350 documents: promised kinds of copies, shipped samples, 120 exact copies and near-copies of them, both scripts,
    decomposed characters, datelines and editors' lines, empty and short texts; ids that sort differently as numbers.
    """
    rng = random.Random(4)
    out = [dict(r) for r in make_corpus(1)]
    for name in ("news", "posts"):
        lines = (ROOT / "examples" / f"{name}.jsonl").read_text("utf-8").splitlines()
        out += [{**json.loads(line), "site": name, "url": None} for line in lines]
    base = next(r["text"] for r in out if r["id"].startswith("orig") and len(r["text"]) > 200)
    out += [
        {"id": f"many{i}", "text": base.replace("，", ",") if i % 2 else base, "site": "ab"[i % 2]} for i in range(120)
    ]
    out += [
        {"id": f"near{i}", "text": base + f"又及第{'甲乙丙丁'[i]}处有所补充，请各位留意。", "site": "a"}
        for i in range(4)
    ]
    out += [
        {"id": "trad", "text": "雲河地鐵4號線3月5日轉入空載試運行，列車將不載客，跑滿17個小時。", "site": "a"},
        {"id": "simp", "text": "云河地铁４号线３月５日转入空载试运行,列车将不载客,跑满十七个小时。", "site": "a"},
        {"id": "cafe", "text": "Cafe\u0301 开头。" + base[:150] + "责任编辑：王小明", "site": "b"},
        {"id": "line", "text": "本报讯（记者李大海）" + base[:150] + "\n责任编辑：王小明", "site": "b"},
        {"id": "none", "text": "", "site": None},
        *({"id": f"apart{i}", "text": base, "site": [None, ""][i % 2]} for i in range(4)),
    ]
    for i, row in enumerate(out):
        row["url"] = f"http://www.s{i % 3}.example.com/{i}" if i % 4 else None
        row["quality"] = str(rng.randrange(100)) if i % 5 else ["", " 7", "gut"][i % 3]
    return [{c: row.get(c) for c in COLUMNS} for row in out]
