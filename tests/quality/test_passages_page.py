"""Covers: docs/results/passages.md is not older than the code: every row that its command prints stands there.

Run: pytest tests/quality/test_passages_page.py (half a minute).
"""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import quchong as qc

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "results" / "passages.md"
PARTS = ("copied_answers", "pairs_read", "grown_pages", "laws", "shared_passages", "cuts")
LONG = ("pairs_read", "grown_pages", "laws")
"""Parts that take 10 to 30 seconds; a campaign runs them. The suite holds the answers of their methods on a part of the same data."""
METHODS = ("sl-st", "sl", "cops", "partial", "mdr", "yap3", "sif", "koala", "winnowing", "hybrid")
SETS = {"zh_news_reprints": 250, "zh_docs_versions": 40, "zh_laws_versions": 24}
"""Documents of each that every method is asked about, the first of those that stand in a pair."""
ANSWERS = json.loads(Path(__file__).with_name("passage_answers.json").read_text("utf-8"))


@pytest.mark.shared
@pytest.mark.parametrize(
    "part", [pytest.param(part, marks=pytest.mark.campaign) if part in LONG else part for part in PARTS]
)
def test_the_page_of_passages_is_what_the_code_gives(shared, part):
    command = [sys.executable, "tools/passage_tables.py", part]
    known = os.environ | {"QUCHONG_SHARED": str(shared.folder.parent)}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=known)
    assert done.returncode == 0, done.stderr
    made = [line for line in done.stdout.splitlines() if line.startswith(("|", "- "))]
    told = PAGE.read_text("utf-8").splitlines()
    assert len(made) > 3
    assert [line for line in made if line not in told] == [], (
        f"passages.md is older than the code it measures. Run\n    python tools/passage_tables.py {part}\n"
        "put its table on the page, and look at what changed."
    )
    first = told.index(made[0])
    rows = [line for line in made if line.startswith("|")]
    assert told[first : first + len(rows)] == rows  # nothing else stands in the table
    assert told[first + len(rows)] == ""


@pytest.fixture(scope="module")
def some(shared):
    """Documents of pairs of each set, cut to what takes a second."""
    out = {}
    for name, n in SETS.items():
        pairs = shared.read(f"{name}/{'pairs_read' if 'news' in name else 'pairs'}.jsonl")
        known = {row["id"]: row["text"][:10_000] for row in shared.read(f"{name}/docs.jsonl")}
        wanted = dict.fromkeys(i for p in pairs for i in (p["a"], p["b"]))
        out[name] = [{"id": i, "text": known[i]} for i in list(wanted)[:n]]
    return out


def answers(rows, name):
    """How many of each relation, and a digest of the pairs with their relations and of who went."""
    found = qc.dedup(rows, method=name, differences="all", recall_sample=0)
    pairs = sorted("{left_id} {right_id} {relation}".format(**p) for p in found.pairs.to_pylist())
    gone = sorted(found.ledger["id"].to_pylist())
    return [len(pairs), len(gone), hashlib.blake2b("\n".join([*pairs, *gone]).encode(), digest_size=6).hexdigest()]


@pytest.mark.shared
@pytest.mark.parametrize("name", METHODS)
def test_the_page_of_passages_is_not_older_than_the_code(some, name):
    """Held by answers on a part of what the page measures, as pages of times are (docs/decisions/0105)."""
    now = {of: answers(rows, name) for of, rows in some.items()}
    assert now == ANSWERS[name], (
        f"passages.md is older than the code it measures: {name} gives other answers now. Run\n    python tools/passage_tables.py\n"
        f"put its tables on the page, look at what changed, and put {json.dumps(now)} into passage_answers.json"
    )
    assert sum(pairs for pairs, _, _ in now.values()) > 5
