"""How near an extracted body is to a gold one, as the article-extraction-benchmark counts: shingles of four tokens.

Tokens are words, and single Han characters. Of each page the shingles found in both, only in the extracted and only in
the gold body are counted as multisets and divided by their sum; precision, recall and F1 come from the sums over pages.
"""

import gzip
import hashlib
import json
import re
from collections import Counter
from pathlib import Path

from visible_lines import visible_lines

TOKEN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\W\u3400-\u9fff\uf900-\ufaff]+")
GOLD = Path(__file__).with_name("zh_body_gold.json")


def shingles(text, n=4):
    tokens = TOKEN.findall(text)
    return Counter(tuple(tokens[i : i + n]) for i in range(max(1, len(tokens) - n + 1))) if tokens else Counter()


def shares(gold, got):
    """Of one page: shares of shingles in both, only extracted, only gold; zeros where neither has any."""
    a, b = shingles(gold), shingles(got)
    both = (a & b).total()
    total = a.total() + b.total() - both
    return (both / total, (b.total() - both) / total, (a.total() - both) / total) if total else (0.0, 0.0, 0.0)


def score(golds, gots):
    """Precision, recall and F1 over all pages."""
    both, extra, missing = (sum(column) for column in zip(*map(shares, golds, gots), strict=True))
    if not both:
        return 0.0, 0.0, 0.0
    precision, recall = both / (both + extra), both / (both + missing)
    return precision, recall, 2 * precision * recall / (precision + recall)


def rows(folder, name):
    with gzip.open(Path(folder) / name / "pages.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def chinese(folder, which="pages"):
    """Pages of zh_html_gne with a body made by hand, and these bodies: [(id, html, gold)]; `which`: "pages" or "held_out"."""
    html = {row["id"]: row["html"] for row in rows(folder, "zh_html_gne")}
    out = []
    for page in json.loads(GOLD.read_text("utf-8"))[which]:
        lines = visible_lines(html[page["id"]])
        gold = "\n".join(line for first, last in page["lines"] for line in lines[first : last + 1])
        digest = hashlib.blake2b(gold.encode(), digest_size=8).hexdigest()
        if digest != page["digest"]:
            raise ValueError(f"{page['id']}: the gold body is another one; data or parser changed")
        out.append((page["id"], html[page["id"]], gold))
    return out
