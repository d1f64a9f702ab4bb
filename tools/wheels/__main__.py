"""Builds wheels into dist/ for each system, checks their tags, and runs those that can run here.

    python tools/wheels                                  all systems
    python tools/wheels --targets linux-x86_64           one system
    python tools/wheels --pythons 3.12 --targets ...     the stable ABI only

One compiler, zig from the package ziglang, builds for all of them. Tools are in environments below build/wheels; nothing of the
project's own environment changes. A wheel takes about two minutes of a processor the first time.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from auditing import audited
from building import build_wheel, building_environment
from check import check
from environment import ROOT, processor_seconds, run, tools
from targets import PYTHONS, TARGETS, Target, named


def build(target: Target, asked: argparse.Namespace) -> None:
    """Build, audit and check the wheels of a target, and print what was found. Raises SystemExit if one is refused."""
    for version in asked.pythons:
        wheel = audited(build_wheel(target, version), target, asked.out)
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB, tags agreed", flush=True)
        for told in () if asked.no_check else check(wheel):
            print(f"  {wheel.name}: {told}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--targets", nargs="*", default=[], metavar="NAME", help=", ".join(target.name for target in TARGETS)
    )
    parser.add_argument("--pythons", nargs="*", default=list(PYTHONS), choices=PYTHONS)
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    parser.add_argument(
        "--jobs", type=int, default=2, help="targets at a time (2): the C++ library of each is built by one processor"
    )
    parser.add_argument("--no-check", action="store_true", help="do not install and run them")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    run(tools() / "uv", "build", "--quiet", "--sdist", "--out-dir", asked.out, ROOT)
    for version in asked.pythons:  # before threads need them
        building_environment(version)
    chosen = named(asked.targets)
    with ThreadPoolExecutor(asked.jobs) as pool:
        for done in as_completed([pool.submit(build, target, asked) for target in chosen]):
            done.result()
    print(f"all: {processor_seconds():.0f} s of a processor", flush=True)
    (asked.out / ".gitignore").unlink(missing_ok=True)  # uv's: dist/ is ignored anyway, and is uploaded whole


if __name__ == "__main__":
    main()
