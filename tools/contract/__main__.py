"""Compares what quchong promises with what was promised at the last release: tests/contract/*.json (docs/stability.md).

python tools/contract              tells what is gone, what changed and what is new; exit code 1 if anything is gone or changed
python tools/contract --complete   exit code 1 for what is new too: before a release all of it is recorded
python tools/contract --accept     records all of it; what is gone or changed must be named under Changed or Removed in the first
                                   section of CHANGELOG.md
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from comparison import accepted_lines, compare, unnamed
from promises import PROMISES, ROOT, read, spell

FOLDER = ROOT / "tests" / "contract"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--accept", action="store_true", help="record what is promised now")
    parser.add_argument("--complete", action="store_true", help="fail for what is new too")
    given = parser.parse_args()
    broken, added, texts = [], [], {}
    for name, promise in PROMISES.items():
        now, path = promise(), FOLDER / f"{name}.json"
        texts[path] = spell(now)
        for change in compare(read(path), now, (name,)):
            (added if change.kind == "new" else broken).append(change)
    for change in (*broken, *added):
        print(change)
    if given.accept:
        if missing := unnamed(broken, accepted_lines((ROOT / "CHANGELOG.md").read_text("utf-8"))):
            print("Name these in CHANGELOG.md, in its first section, under Changed or Removed:", *missing, sep="\n  ")
            return 1
        for path, text in texts.items():
            path.write_text(text, "utf-8")
        return 0
    return int(bool(broken) or (given.complete and bool(added)))


if __name__ == "__main__":
    sys.exit(main())
