"""Covers: options of `dedup` that do not go together: each pair is refused before anything is written, in one line with a remedy, and is a
row of the table in docs/guide/dedup.md, in both languages.
"""

import re
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "guide"
REFUSED = {
    ("--ids-only", "--mode annotate"): "leave out one of the two",
    ("--ids-only", "--shard-size 1M"): "leave out one of the two",
    ("--ids-only", "--compress gz"): "leave out one of the two",
    ("--ids-only", "--keep-work"): "leave out --ids-only",
    ("--unit line", "--method minhash"): "leave out this option, or --unit",
    ("--unit line", "--mode annotate"): "leave out this option, or --unit",
    ("--unit line", "--shard-size 1M"): "leave out this option, or --unit",
    ("--unit line", "--mix a=2"): "leave out this option, or --unit",
    ("--unit line --unit-common 3", "--against news.jsonl"): "leave out this option, or --against",
    ("--part 1/2", "--keep-work"): "leave out --keep-work",
    ("--part 1/2", "--unit line"): "leave out this option, or --unit",
    ("--part 1/2", "--engine spark"): "leave out --engine spark",
    ("--part 1/2", "--dry-run"): "leave out --dry-run",
    ("--join 2", "--keep-work"): "leave out --keep-work",
    ("--engine spark", "--within 3d"): "leave out the option, or run on one machine",
    ("--engine spark", "--keep first"): "use earliest, longest or a column",
    ("--engine spark", "--mode annotate"): "leave out the option, or run on one machine",
    ("--engine spark", "--shard-size 1M"): "leave out the option, or run on one machine",
    ("--engine spark", "--mix a=2"): "leave out the option, or run on one machine",
    ("--engine spark", "--keep-work"): "leave out the option, or run on one machine",
    ("--engine spark", "--target 5"): "leave out the option, or run on one machine",
    ("--engine spark", "--plan"): "leave out --engine spark",
    ("--target 5", "--method exact"): "use --method hybrid",
    ("--plan", "--profile x.svg"): "leave out one of the two",
}


@pytest.mark.parametrize("pair", REFUSED, ids=" ".join)
def test_each_pair_is_refused_with_a_remedy(command, jsonl, article, tmp_path, monkeypatch, pair):
    monkeypatch.chdir(tmp_path)
    jsonl("news.jsonl", [{"text": article(1)}, {"text": article(2)}])
    words = " ".join(pair).split()
    ran = command("dedup", "news.jsonl", "-o", "run", *words)
    assert ran.code == 2 and REFUSED[pair] in ran.line, ran.line
    assert [path.name for path in tmp_path.iterdir()] == ["news.jsonl"]
    alone = [one for one in ("annotate", "ids_only") if re.search(rf"(?<![-\w ]){one}", ran.line)]
    assert not alone, "an option is named as the command line has it"


@pytest.mark.parametrize("name", ["dedup.md", "dedup.zh-CN.md"])
def test_each_pair_is_in_the_table_of_the_guide(name):
    text = (GUIDE / name).read_text("utf-8")
    section = re.search(r"\n## (?:What does not go together|不能同时用的选项)\n(.*?)(?=\n## |\Z)", text, re.DOTALL)
    assert section is not None
    rows = [line.split("|")[1:-1] for line in section[1].splitlines() if line.startswith("| `")]
    told = {
        (one, other)
        for left, right, _ in rows
        for one in re.findall(r"`(--[\w-]+)", left)
        for other in re.findall(r"`(--[\w-]+(?: first)?)", right)
    }
    for left, right in REFUSED:
        pair = left.split()[0], right if right == "--keep first" else right.split()[0]
        assert pair in told, pair
    for left, right in told:  # and nothing is told that is not refused
        assert any(left in one and right in other for one, other in REFUSED), (left, right)
