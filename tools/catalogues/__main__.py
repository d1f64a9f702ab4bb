"""Brings the Chinese catalogues up to date with the source, and compiles them.

    python tools/catalogues              new messages in, old ones out; says what is still to be translated
    python tools/catalogues --check      changes nothing; exit code 1 where the catalogues are not complete

Translate in src/quchong/languages/zh/LC_MESSAGES/quchong.po (experiments: quchong_lab.po below packages/lab), then run it again.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from catalogue import DOMAINS, compiled, path_of, read, updated, written
from faults import faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing")
    check = parser.parse_args().check
    wrong = 0
    for domain in DOMAINS:
        new = updated(domain)
        said = faults(new)
        if check and not path_of(domain).with_suffix(".mo").is_file():
            said.append("no compiled catalogue")
        elif check:
            old = path_of(domain)
            said += ["out of date: run python tools/catalogues"] * (written(new) != old.read_bytes())
            said += ["not compiled"] * (compiled(read(domain)) != old.with_suffix(".mo").read_bytes())
        else:
            path_of(domain).write_bytes(written(new))
            path_of(domain).with_suffix(".mo").write_bytes(compiled(new))
        print(f"{domain}: {len(new)} messages, {len(said)} faults")
        for line in said:
            print("  " + line)
        wrong += len(said)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
