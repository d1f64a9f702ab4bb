"""The corpus that both engines are held to."""

import json
import random
from pathlib import Path

ROOT = Path(__file__).parents[2]
COLUMNS = ("id", "text", "time", "site", "url", "quality", "half")


def promised():
    """The promise corpus's maker, which is no package."""
    import importlib.util

    spec = importlib.util.spec_from_file_location("promised", ROOT / "tests" / "promises" / "promise_corpus.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.make_corpus


def mixed_rows():
    """About 350 documents: promised kinds of copies, shipped samples, 120 exact copies and near-copies of them, both scripts,
    decomposed characters, datelines and editors' lines, empty and short texts; ids that sort differently as numbers.
    """
    rng = random.Random(4)
    out = [dict(r) for r in promised()(1)]
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
