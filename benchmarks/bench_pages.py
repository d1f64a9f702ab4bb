"""Pages to body and weights of lines, beside trafilatura and resiliparse alone: pages per second and core, and body F1.

Covers: bytes as they came to body text; ours also gives a weight for every line, title, time and address, and finds out
the character set (the others are told it is UTF-8). Each tool reads all pages of a data set in turn, several rounds, one
process, CPU time; the median round counts. F1 as in tests/quality/body_score.py. Run: see README.md here.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "quality"))

from body_score import chinese, rows, score  # noqa: E402


def tools() -> dict[str, Callable[[bytes], str]]:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    from quchong.pages import read_page

    found: dict[str, Callable[[bytes], str]] = {
        "quchong": lambda page: read_page(page).text,
        "quchong, all": lambda page: read_page(page, "all").text,
        "resiliparse": lambda page: extract_plain_text(
            bytes_to_str(page, detect_encoding(page) or "utf-8"), main_content=True, preserve_formatting=True
        ),
    }
    try:
        from trafilatura import extract

        found["trafilatura"] = lambda page: extract(page.decode(), include_comments=False) or ""
        found["trafilatura, fast"] = lambda page: extract(page.decode(), include_comments=False, fast=True) or ""
    except ImportError as error:
        print(f"trafilatura cannot be imported: {error}", file=sys.stderr)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--shared", default=os.environ.get("QUCHONG_SHARED", str(ROOT.parent / "shared")), help="folder above data/"
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", help="write the figures here")
    options = parser.parse_args()
    data = Path(options.shared) / "data"
    english = rows(data, "html_aeb")
    pages = {
        "html_aeb": [row["html"].encode(errors="replace") for row in english],
        "zh_html_gne": [row["html"].encode(errors="replace") for row in rows(data, "zh_html_gne")],
    }
    hand = chinese(data)
    golds = {
        "html_aeb": ([row["gold"] for row in english], pages["html_aeb"]),
        "zh_html_gne": ([gold for *_, gold in hand], [html.encode(errors="replace") for _, html, _ in hand]),
    }
    out: dict[str, dict[str, dict[str, float]]] = {}
    for name, sources in pages.items():
        seconds: dict[str, list[float]] = {}
        for _ in range(options.rounds):
            for tool, run in tools().items():
                start = time.process_time()
                for page in sources:
                    run(page)
                seconds.setdefault(tool, []).append(time.process_time() - start)
        gold, held = golds[name]
        for tool, run in tools().items():
            precision, recall, f1 = score(gold, [run(page) for page in held])
            speed = len(sources) / statistics.median(seconds[tool])
            out.setdefault(name, {})[tool] = {
                "pages_per_second": speed,
                "precision": precision,
                "recall": recall,
                "f1": f1,
            }
        base = out[name].get("trafilatura", {}).get("pages_per_second")
        print(
            f"{name}: {len(sources)} pages, {sum(map(len, sources)) / len(sources) / 1000:.0f} KB each; F1 on {len(gold)}"
        )
        for tool, figures in out[name].items():
            times = f"{figures['pages_per_second'] / base:6.1f} x trafilatura" if base else ""
            print(
                f"  {tool:18} {figures['pages_per_second']:7.0f} pages/s {times}"
                f"   P {figures['precision']:.3f}  R {figures['recall']:.3f}  F1 {figures['f1']:.3f}"
            )
    if options.json:
        Path(options.json).write_text(json.dumps(out, indent=1), "utf-8")


if __name__ == "__main__":
    main()
