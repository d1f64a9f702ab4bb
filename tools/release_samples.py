"""Makes what tests/test_contract.py opens of a release: run folders, units, leaks, statistics, states of filters, decisions.

Run: python tools/release_samples.py tests/samples/release-0.1.0

The index of a format is made by tools/index_sample.py. Everything comes from examples/ and from here, which is our own text.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from quchong.runs.acts import Label, Verdict
from quchong.runs.decisions_file import DecisionsFile

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
RECORDS = 30
"""First records of examples/news.jsonl that are in the sample; those that are variants of another one are added."""
NOTICE = (
    "各位业主：{}因{}，定于{}日{}时起暂停供水，预计{}时恢复，请提前储水。联系电话见物业公告栏，感谢您的理解与支持。"
)
SLOTS = (
    ("槐荫里小区", "更换水表", 5, 9, 12), ("望江小区", "清洗水箱", 6, 8, 17), ("麻石巷", "管道抢修", 9, 14, 22),
    ("文渡街北段", "阀门检修", 11, 7, 10), ("南桥新村", "水泵保养", 12, 13, 18), ("东风大院", "管网改造", 15, 10, 21),
)  # fmt: skip
"""What fills the slots of the notices, which are records on one template."""
COMMANDS = (
    "dedup news.jsonl -o run --add-columns copies -q",
    "dedup news.jsonl -o parts --shard-size 64K -q",
    "dedup news.jsonl -o ids --ids-only -q",
    "dedup news.jsonl --unit line --unit-words 1 -o units -q",
    "decontaminate training.jsonl --against exam.jsonl -o leaks --mode remove -q",
    "statistics news.jsonl --method two-stage -o statistics",
    "filter posts.jsonl --filter bloom --capacity 200 --state bloom.state -q",
    "filter posts.jsonl --filter trie --state trie.state -q",
    "filter posts.jsonl --filter digest --state digest.state -q",
)
"""Commands that make the sample, in its folder."""
SPARK = (
    "dedup news.jsonl -o spark -q --engine spark --master local[1] --spark-conf spark.sql.shuffle.partitions=1"
    " --spark-conf spark.ui.enabled=false --spark-conf spark.driver.host=127.0.0.1 --spark-conf spark.sql.parquet.compression.codec=zstd"
)
"""The run on Spark, which needs Java 17 and takes some minutes on a busy machine."""


def records() -> list[str]:
    """Return the lines of the corpus: news, two texts with a line of every page, notices."""
    news = (EXAMPLES / "news.jsonl").read_text("utf-8").splitlines(keepends=True)
    truth = [json.loads(line) for line in (EXAMPLES / "truth.jsonl").read_text("utf-8").splitlines()]
    variants = {one[side] for one in truth if one["relation"] == "variant" for side in ("left", "right")}
    lines = [line for number, line in enumerate(news) if number < RECORDS or json.loads(line)["id"] in variants]
    made = [
        {"id": f"w{number}", "text": NOTICE.format(*filled), "time": f"2026-03-{number:02}"}
        for number, filled in enumerate(SLOTS, 1)
    ]
    footer = "版权所有 云河日报社 未经许可不得转载"
    made += [
        {"id": "f1", "text": f"图书馆周日起延长开放时间，晚上九点闭馆。\n{footer}", "time": "2026-03-20"},
        {"id": "f2", "text": f"体育馆的羽毛球场地可以提前三天预约了。\n{footer}", "time": "2026-03-21"},
    ]
    return lines + [json.dumps(one, ensure_ascii=False) + "\n" for one in made]


def make(folder: Path) -> None:
    """Make the sample in a folder that does not exist."""
    with tempfile.TemporaryDirectory() as temporary:
        place, spoken = Path(temporary), os.environ | {"QUCHONG_LANG": "en"}
        for name in ("training", "exam", "posts"):
            shutil.copy(EXAMPLES / f"{name}.jsonl", place)
        (place / "news.jsonl").write_text("".join(records()), "utf-8")
        for line in (*COMMANDS, SPARK):
            command = [sys.executable, "-m", "quchong", *line.split()]
            subprocess.run(command, cwd=place, env=spoken, check=True, stdout=subprocess.DEVNULL)
        for about in place.glob("*/run.json"):  # addresses of inputs that a run may read again
            about.write_text(about.read_text("utf-8").replace(str(place), "/corpus"), "utf-8")
        book = DecisionsFile(place / "decisions.jsonl")
        book.add(Label("n002", "n003", "same", at="2026-03-01T08:00:00+00:00"))
        book.add(Verdict("overturn", "n003", "n002", at="2026-03-01T08:00:05+00:00"))
        shutil.copytree(
            place, folder, ignore=shutil.ignore_patterns("training.jsonl", "exam.jsonl", "posts.jsonl", "*.crc")
        )


if __name__ == "__main__":
    make(Path(sys.argv[1]))
