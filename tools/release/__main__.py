"""Makes a release on this machine: checks everything, builds, and collects the files in dist/VERSION.

    python tools/release 0.2.0             all steps (`make release VERSION=0.2.0`); stops at the first that fails
    python tools/release 0.2.0 --dry-run   does the light steps, names the heavy ones, tells all that is missing; writes nothing
    python tools/release 0.2.0 --from wheels     goes on from a step
    python tools/release 0.2.0 --notes     prints the notes of a release
    python tools/release 0.3.0 --set       writes the version to every place

It never tags, pushes or publishes: it tells the commands that do. .github/workflows/release.yml publishes what a tag names.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from artefacts import collect, unreadable, version_in
from changelog import notes
from steps import STEPS, changelogs
from versions import ROOT, set_version, version_of_source

WHEELS = ("dist", "wheelhouse")
"""Folders with audited wheels; those below build/wheels have no platform tag that an index accepts."""
SITE = ("build/site", "site")
"""Folders in which `make site` may leave its pages."""


def built_files(version: str) -> list[Path]:
    """Return the wheels and source distributions of a version that were built."""
    folders = [ROOT / name for name in (*WHEELS, "build/sdist")]
    found = {
        path.name: path
        for folder in folders
        for path in sorted(folder.rglob("quchong-*"))
        if version_in(path) == version
    }
    return list(found.values())


def faults_of(files: list[Path]) -> list[str]:
    """Return what is wrong with the files of a release."""
    missing = [
        f"no {kind}"
        for kind, end in (("wheel", ".whl"), ("source distribution", ".tar.gz"))
        if not any(p.name.endswith(end) for p in files)
    ]
    untagged = [f"{path.name}: not audited, its platform is any Linux" for path in files if "-linux_" in path.name]
    return missing + untagged + [f"{path.name}: {why}" for path in files if (why := unreadable(path))]


def report(number: int, name: str, state: str, words: str) -> None:
    print(f"{number:2} {name:<11} {state:<8} {words}", flush=True)


def rehearse(version: str) -> int:
    """Do the light steps, name the heavy ones, and return how many lack something."""
    failed = 0
    for number, step in enumerate(STEPS, 1):
        if step.heavy:
            report(number, step.name, "would run", " ".join(step.command).replace(sys.executable, "python"))
            continue
        missing = step.run(version)
        failed += bool(missing)
        report(number, step.name, "missing" if missing else "ready", step.words)
        print(*(f"{'':14}{line}" for line in missing), sep="\n", end="\n" * bool(missing))
    report(len(STEPS) + 1, "collect", "would write", f"dist/{version}: wheels, sdist, site.zip, NOTES.md, SHA256SUMS")
    print(f"{failed} of {len(STEPS)} steps lack something" if failed else "nothing is missing that the light steps see")
    return failed


def release(version: str, first: str) -> int:
    """Do all steps from one on; return 0 if the files are collected."""
    names = [step.name for step in STEPS]
    for number, step in enumerate(STEPS, 1):
        if number <= names.index(first):
            continue
        report(number, step.name, "begins", step.words)
        if missing := step.run(version):
            print(*missing, sep="\n")
            print(f"stopped at {step.name}; mend it, then: python tools/release {version} --from {step.name}")
            return 1
    files = built_files(version)
    if missing := faults_of(files):
        print(*missing, sep="\n")
        return 1
    folder = ROOT / "dist" / version
    if folder.exists():
        print(f"dist/{version} exists: move or delete it, then: python tools/release {version} --from {names[-1]}")
        return 1
    site = next((ROOT / name for name in SITE if (ROOT / name / "index.html").is_file()), None)
    made = collect(files, site, notes(*changelogs(), version), folder)
    print(f"dist/{version}:", *(path.name for path in made), sep="\n  ")
    print(f"Now: git tag -s v{version} && git push origin v{version}   (release.yml builds, attests and publishes)")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "version", nargs="?", default=version_of_source(), help="version to release [default: that of pyproject.toml]"
    )
    parser.add_argument("--dry-run", action="store_true", help="do the light steps alone, and write nothing")
    parser.add_argument(
        "--from", dest="first", choices=[step.name for step in STEPS], default=STEPS[0].name, help="go on from a step"
    )
    parser.add_argument("--set", action="store_true", help="write the version to every place, and do nothing else")
    parser.add_argument("--notes", action="store_true", help="print the notes of the version, and do nothing else")
    given = parser.parse_args()
    if given.notes:
        print(notes(*changelogs(), given.version), end="")
        return 0
    if given.set:
        print(*set_version(given.version), sep="\n")
        return 0
    return min(1, rehearse(given.version)) if given.dry_run else release(given.version, given.first)


if __name__ == "__main__":
    sys.exit(main())
