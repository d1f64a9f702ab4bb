"""Steps of a release, in their order: light ones look, heavy ones run a command."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from changelog import missing_for, sections, untranslated
from versions import ROOT, wrong_places

PYTHON = sys.executable


@dataclass(frozen=True, slots=True)
class Step:
    """Step of a release.

    Attributes:
        name: one word, by which --from and --only name it.
        words: what it makes sure of.
        check: function of the version that returns what is missing, for a step that looks.
        command: words of a command, for one that runs it; it fails if the command does.
        heavy: whether it takes longer than some seconds, so that --dry-run only names it.
    """

    name: str
    words: str
    check: Callable[[str], list[str]] | None = None
    command: tuple[str, ...] = ()
    heavy: bool = False

    def run(self, version: str) -> list[str]:
        """Do the step; return what is missing, an empty list if nothing is."""
        if self.check is not None:
            return self.check(version)
        done = subprocess.run(self.command, cwd=ROOT, check=False, capture_output=not self.heavy, text=True)
        said = "" if self.heavy else (done.stdout + done.stderr).strip()
        return (
            []
            if done.returncode == 0
            else [f"{' '.join(self.command)} ended with {done.returncode}", *said.splitlines()[-20:]]
        )


DIGESTS = (
    "tests/docs/test_campaign_pages.py", "tests/unit/benchmarks/test_small_answers.py", "tests/promises/test_same_answers.py",
)  # fmt: skip
"""Tests that compare pages of campaigns with the code."""


def changed_files(_version: str) -> list[str]:
    """Return the files that differ from the last commit, and those that git does not know."""
    done = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        return ["this is no git checkout: a release is made of a commit"]
    return [f"not committed: {line[3:]}" for line in done.stdout.splitlines()]


def missing_lines(version: str) -> list[str]:
    """Return what the changelogs lack."""
    english, chinese = changelogs()
    return missing_for(english, version) + untranslated(english, chinese, version)


def changelogs() -> tuple[str, str]:
    """Return the texts of CHANGELOG.md and CHANGELOG.zh-CN.md; "" for the second if there is none."""
    chinese = ROOT / "CHANGELOG.zh-CN.md"
    return (ROOT / "CHANGELOG.md").read_text("utf-8"), chinese.read_text("utf-8") if chinese.is_file() else ""


def missing_samples(version: str) -> list[str]:
    """Return what is to be done if the release has no sample of what it writes."""
    folder = f"tests/samples/release-{version}"
    there = (ROOT / folder / "run" / "run.json").is_file()
    return [] if there else [f"python tools/release_samples.py {folder}, and commit it"]


def missing_date(version: str) -> list[str]:
    """Return whether CITATION.cff has the date of the changelog."""
    found = sections((ROOT / "CHANGELOG.md").read_text("utf-8")).get(version)
    cited = (ROOT / "CITATION.cff").read_text("utf-8")
    if found is None or f"date-released: {found.date}\n" in cited:
        return []
    return [f"CITATION.cff has another date-released than CHANGELOG.md: {found.date or 'none'}"]


def tool(name: str, *arguments: str) -> tuple[str, ...]:
    """Return the command that runs a tool of the project."""
    return (PYTHON, str(Path("tools") / name), *arguments)


STEPS = (
    Step("tree", "all is committed", check=changed_files),
    Step("version", "pyproject.toml has the version, and every place that repeats it", check=wrong_places),
    Step("changelog", "the changelogs have a dated section of the version, and nothing is left unreleased", check=missing_lines),
    Step("citation", "CITATION.cff has the date of the section", check=missing_date),
    Step("contract", "what is promised is recorded", command=tool("contract", "--complete")),
    Step("samples", "what the release writes is in tests/samples", check=missing_samples),
    Step("catalogues", "every message has its Chinese", command=tool("catalogues", "--check")),
    Step("suite", "lint, types, import contracts and all tests", command=("make", "check"), heavy=True),
    Step("digests", "pages of campaigns, and the digests of their answers, are of this code",
         command=(PYTHON, "-m", "pytest", "-p", "no:cacheprovider", *DIGESTS), heavy=True),
    Step("wheels", "wheels of all platforms that this machine can build", command=("make", "wheels"), heavy=True),
    Step("site", "the site, built strictly", command=("make", "site"), heavy=True),
    Step("sdist", "the source distribution", command=(PYTHON, "-m", "build", "--sdist", "--outdir", "build/sdist"), heavy=True),
)  # fmt: skip
"""Steps before the files are collected."""
